"""The catalogues are whole: nothing untranslated, fuzzy, obsolete or compiled from something else."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Final

import polib
import pytest

from tablectl.i18n.languages import LANGUAGES, SOURCE
from tablectl.i18n.texts import read_texts
from tests.tools.messages import LOCALE, MODEL, bring_in_step, compiled, in_step, opened

CATALOGUES: Final = sorted(LOCALE.rglob("*.po"))


def named(path: Path) -> str:
    return str(path.relative_to(LOCALE))


def braces(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_has_every_domain() -> None:
    domains = {path.stem for path in CATALOGUES}
    assert {"table", "screens", "evidence"} <= domains
    for language in set(LANGUAGES) - {SOURCE}:
        assert {path.stem for path in (LOCALE / language / "LC_MESSAGES").glob("*.po")} == domains


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_nothing_is_untranslated_fuzzy_or_obsolete(path: Path) -> None:
    catalogue = opened(path)
    assert len(catalogue) > 2
    assert [entry.msgctxt for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgctxt for entry in catalogue.fuzzy_entries()] == []
    assert [entry.msgctxt for entry in catalogue.obsolete_entries()] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_message_has_its_place_and_the_same_braces_in_both_languages(path: Path) -> None:
    for entry in opened(path):
        if not entry.msgstr and not any(entry.msgstr_plural.values()):
            continue  # that it is untranslated another test says
        assert entry.msgctxt is not None
        assert entry.msgctxt.count(".") in (1, 2), entry.msgctxt
        if entry.msgid_plural:
            said = [entry.msgid, entry.msgid_plural, *entry.msgstr_plural.values()]
            assert all(braces(text) - {"count"} == braces(entry.msgid) - {"count"} for text in said), entry.msgctxt
            assert all("count" in braces(text) or not braces(text) - {"numbers", "seats"} for text in said[1:])
            continue
        assert braces(entry.msgid) == braces(entry.msgstr), entry.msgctxt


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_what_runs_was_compiled_from_what_is_read(path: Path) -> None:
    assert path.with_suffix(".mo").read_bytes() == compiled(opened(path)), "run make messages"


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_catalogue_is_in_step_with_the_spanish_one_and_written_as_the_tool_writes_it(path: Path) -> None:
    catalogue = opened(path)
    language = path.parent.parent.name
    if language != MODEL:
        model = opened(LOCALE / MODEL / "LC_MESSAGES" / path.name)
        catalogue = in_step(model, catalogue, language)
    assert f"{catalogue}\n".rstrip() == path.read_text(encoding="utf-8").rstrip(), "run make messages"


def test_the_lines_of_a_sentence_are_numbered_from_one() -> None:
    for path in CATALOGUES:
        contexts = [described.msgctxt or "" for described in opened(path)]
        numbered: dict[str, list[str]] = {}
        for context in contexts:
            table, key, *number = context.split(".")
            numbered.setdefault(f"{table}.{key}", []).extend(number or ["only"])
        for place, numbers in numbered.items():
            assert numbers in (["only"], [str(index + 1) for index in range(len(numbers))]), place


# --- a third language -------------------------------------------------------------------------------------------------


def made(locale: Path, language: str, *entries: tuple[str, str, str]) -> None:
    """A catalogue of contexts, English and translations, compiled."""
    catalogue = polib.POFile(wrapwidth=1_000_000)
    catalogue.metadata = {"Language": language, "Content-Type": "text/plain; charset=UTF-8"}
    catalogue.extend(polib.POEntry(msgctxt=context, msgid=english, msgstr=said) for context, english, said in entries)
    folder = locale / language / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(folder / "table.po"))
    (folder / "table.mo").write_bytes(compiled(catalogue))


def test_a_third_language_is_one_more_catalogue_and_says_the_english_of_what_it_lacks(tmp_path: Path) -> None:
    made(tmp_path, "es", ("key.bet", "Bet", "Apuesta"), ("steps.a.1", "One", "Uno"), ("steps.a.2", "Two", "Dos"))
    bring_in_step(tmp_path, ["fr"])
    made(tmp_path, "fr", ("key.bet", "Bet", "Mise"), ("steps.a.1", "One", "Un"))
    texts = read_texts(tmp_path, ("table",), ("es", "en", "fr"))
    assert [texts.text("key", "bet", text) for text in ("es", "en", "fr")] == ["Apuesta", "Bet", "Mise"]
    assert texts.lines("steps", "a", "fr") == ("Un", "Two")


def test_a_sentence_that_counts_has_a_form_for_each_number_in_each_language(tmp_path: Path) -> None:
    counts = polib.POEntry(
        msgctxt="statistics.days",
        msgid="{count} day",
        msgid_plural="{count} days",
        msgstr_plural={0: "{count} día", 1: "{count} días"},
    )
    catalogue = polib.POFile(wrapwidth=1_000_000)
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    catalogue.append(counts)
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue.save(str(folder / "table.po"))
    bring_in_step(tmp_path, ["fr"])
    french = opened(tmp_path / "fr" / "LC_MESSAGES" / "table.po")
    french.metadata["Plural-Forms"] = "nplurals=2; plural=(n > 1);"
    french[0].msgstr_plural = {0: "{count} jour", 1: "{count} jours"}
    french.save()
    bring_in_step(tmp_path)
    texts = read_texts(tmp_path, ("table",), ("es", "en", "fr"))
    found = {
        language: [texts.form("statistics", "days", language, number) for number in (0, 1, 2)]
        for language in ("es", "en", "fr")
    }
    assert found == {
        "es": ["{count} días", "{count} día", "{count} días"],
        "en": ["{count} days", "{count} day", "{count} days"],
        "fr": ["{count} jour", "{count} jour", "{count} jours"],
    }


def test_a_catalogue_that_is_missing_is_an_error(tmp_path: Path) -> None:
    made(tmp_path, "es", ("key.bet", "Bet", "Apuesta"))
    with pytest.raises(FileNotFoundError, match=r"screens\.mo"):
        read_texts(tmp_path, ("table", "screens"), ("es", "en"))
