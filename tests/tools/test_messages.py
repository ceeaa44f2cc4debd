"""Catalogues of further languages follow the Spanish one, and all are compiled."""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import Final

import polib
import pytest

from tests.tools.messages import bring_in_step, compiled, in_step, main, opened

HEAD: Final = {"Language": "es", "Content-Type": "text/plain; charset=UTF-8"}


def catalogue(*entries: tuple[str, str, str]) -> polib.POFile:
    """Of contexts, messages and translations."""
    made = polib.POFile(wrapwidth=1_000_000)
    made.metadata = dict(HEAD)
    made.extend(polib.POEntry(msgctxt=context, msgid=english, msgstr=said) for context, english, said in entries)
    return made


def test_a_new_message_is_untranslated_a_changed_one_fuzzy_and_one_that_is_gone_obsolete() -> None:
    model = catalogue(("a.same", "Yes", "Sí"), ("a.changed", "No thanks", "No, gracias"), ("a.new", "Hand", "Mano"))
    other = catalogue(("a.gone", "Old", "Vieux"), ("a.changed", "No", "Non"), ("a.same", "Yes", "Oui"))
    made = in_step(model, other, "fr")
    assert [(described.msgctxt, described.msgid, described.msgstr) for described in made] == [
        ("a.same", "Yes", "Oui"),
        ("a.changed", "No thanks", "Non"),
        ("a.new", "Hand", ""),
        ("a.gone", "Old", "Vieux"),
    ]
    assert [entry.msgctxt for entry in made.fuzzy_entries()] == ["a.changed"]
    assert made[1].previous_msgid == "No"
    assert [entry.msgctxt for entry in made.untranslated_entries()] == ["a.new"]
    assert [entry.msgctxt for entry in made.obsolete_entries()] == ["a.gone"]
    assert made.metadata["Language"] == "fr"


def test_a_language_that_is_begun_has_every_message_and_what_is_run_again_is_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue(("a.one", "Hand", "Mano")).save(str(folder / "table.po"))
    assert len(bring_in_step(tmp_path, ["fr"])) == 2
    french = tmp_path / "fr" / "LC_MESSAGES" / "table.po"
    assert [entry.msgctxt for entry in opened(french).untranslated_entries()] == ["a.one"]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.?o")}
    bring_in_step(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.?o")} == before


def test_a_language_that_was_just_begun_is_no_mistake_and_what_is_left_later_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue(("a.one", "Hand", "Mano"), ("a.two", "Card", "Naipe")).save(str(folder / "table.po"))
    assert main(["--begin", "fr"], [tmp_path]) == 0
    assert capsys.readouterr().out.endswith("fr: 2 sentences to translate; until then their English is said\n")
    assert main([], [tmp_path]) == 1, "what nobody just began is not in step"
    catalogue(("a.one", "Hand", "Mano"), ("a.two", "Card", "")).save(str(folder / "table.po"))
    assert main(["--begin", "fr"], [tmp_path]) == 1


def test_what_is_compiled_is_read_by_the_standard_library_and_what_is_fuzzy_is_left_out(tmp_path: Path) -> None:
    made = catalogue(("a.one", "Hand", "Mano"), ("a.two", "Card", "Naipe"))
    made[1].flags = ["fuzzy"]
    path = tmp_path / "x.mo"
    path.write_bytes(compiled(made))
    with path.open("rb") as file:
        read = gettext.GNUTranslations(file)
    assert read.pgettext("a.one", "Hand") == "Mano"
    assert read.pgettext("a.two", "Card") == "Card"


def test_a_message_that_stands_twice_is_an_error(tmp_path: Path) -> None:
    catalogue(("a.one", "Hand", "Mano"), ("a.one", "Hand", "Manos")).save(str(tmp_path / "x.po"))
    with pytest.raises(ValueError, match=r"a\.one|already exists"):
        opened(tmp_path / "x.po")
