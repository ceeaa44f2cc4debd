"""How a mistake is told: the place, what was found, what would be right and what was probably meant."""

from __future__ import annotations

from tablectl.core.validation import Mistake, one_of, one_of_near


def test_a_mistake_is_one_line_with_place_finding_and_remedy() -> None:
    told = str(Mistake(where="line 3", key="seats[0].bets.flop", found="1500", right="2000, twice the ante"))
    assert told == "line 3: seats[0].bets.flop: found 1500; would be right: 2000, twice the ante"


def test_the_words_that_would_be_right_are_listed() -> None:
    assert one_of(("returned", "lost")) == "'returned' or 'lost'"


def test_the_word_that_was_probably_meant_is_named_whatever_its_case_and_dashes() -> None:
    assert one_of_near("Wrong-Ordr", ("wrong_order", "rulebook")) == (
        "'wrong_order' or 'rulebook' (did you mean 'wrong_order'?)"
    )


def test_nothing_is_guessed_where_nothing_is_near() -> None:
    assert one_of_near("zzz", ("returned", "lost")) == "'returned' or 'lost'"
