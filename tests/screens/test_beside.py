"""A page is in one language; a second one stands beside it, smaller, only where the table asks for it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest
from markupsafe import Markup

from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.web.screens.beside import Each, values_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import PARTS, Pages
from tests.screens import hands
from tests.screens.test_poker_pages import picture

PAGES: Final = Pages()
TEXTS: Final = load_texts("tablectl.web.screens")


def with_second(language: str | None, lines: str = "") -> Picture:
    found = picture(lines)
    assert found.table is not None
    return replace(found, table=replace(found.table, second_language=language))


def values(language: str, second: str | None = None) -> dict[str, object]:
    return values_of(PAGES.spoken(language, with_second(second)))


def said(name: str, method: str, *args: object, second: str | None = None, **named: object) -> Markup:
    found = getattr(values("es", second)[name], method)(*args, **named)
    assert isinstance(found, Markup)
    return found


# --- one sentence -----------------------------------------------------------------------------------------------------


def test_without_a_second_language_nothing_stands_beside_a_sentence() -> None:
    assert said("inline", "page", "undo") == TEXTS.text("page", "undo", "es")
    assert said("both", "page", "undo") == (
        f'<span class="both"><span class="first">{TEXTS.text("page", "undo", "es")}</span></span>'
    )


def test_the_second_language_of_a_table_stands_smaller_beside_it_and_is_marked_as_such() -> None:
    es, en = (TEXTS.text("page", "undo", language) for language in ("es", "en"))
    assert said("inline", "page", "undo", second="en") == f'{es} <span class="second" lang="en">{en}</span>'
    assert said("both", "page", "undo", second="en").endswith(f'<span class="second" lang="en">{en}</span></span>')


def test_what_is_the_same_in_both_stands_once() -> None:
    assert "second" not in said("inline", "told", ["TXB", "TXB"], second="en")


def test_what_a_sentence_is_filled_with_is_said_in_its_language() -> None:
    amount = Each().money(1_250_000)
    text = said("inline", "say", "word", "limits", least=amount, most=amount, second="en")
    assert re.findall(r"[\d.,]*12[.,]500[.,\d]* €|€12,500", text) == ["12.500 €", "12.500 €", "€12,500", "€12,500"]


def test_whoever_reads_the_second_language_itself_reads_it_alone() -> None:
    assert [texts.language for texts in PAGES.spoken("en", with_second("en"))] == ["en"]


def test_what_a_person_wrote_is_text_and_no_tag() -> None:
    assert said("inline", "told", ["<b>", "<i>"], second="en").startswith("&lt;b&gt; ")


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PARTS)
def test_a_page_has_no_second_language_unless_its_table_asks_for_one(page: str, language: str) -> None:
    playing = hands.POKER_BETS
    assert 'class="second"' not in PAGES.page(page, language, with_second(None, playing))
    (other,) = (word for word in LANGUAGES if word != language)
    found = re.findall(r'class="second" lang="(\w+)"', PAGES.page(page, language, with_second(other, playing)))
    assert set(found) == {other}


def test_a_refusal_is_one_sentence_or_two() -> None:
    assert len(PAGES.says("es", with_second(None), "bad-entry")) == 1
    assert len(PAGES.says("es", with_second("en"), "bad-entry")) == 2
