"""The cut, exposed cards, the wrong dealer and the deck, in the ways that the hand files do not show."""

from __future__ import annotations

import pytest

from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import Key
from tests.engine.tables import lines
from tests.families.draw.whole_hand import CARDS, circle_of, dealt, entries, told

IN_SHOE = "profile shuffle=in-shoe"
LAPS = tuple(enumerate(CARDS))


# --- the cut ---------------------------------------------------------------------------------------------------------


def test_fcd_irr_1_a_shoe_that_shuffles_is_never_offered_to_be_cut() -> None:
    table = told(IN_SHOE, "shuffled 52", "press new-hand")
    assert Key.CONFIRM not in table.prompt().keys
    said = [line for step in entries(is_cut=False) for line in lines(table, step)]
    assert "phase closed" in said
    assert not [line for line in said if line.startswith("incident")]


def test_fcd_irr_1_it_is_told_once() -> None:
    table = told("", *entries(is_cut=False)[:1])
    said = [line for step in entries(is_cut=False)[1:] for line in lines(table, step)]
    assert [line for line in said if "FCD-IRR-1" in line] == [
        "incident FCD-IRR-1 expected=cut observed=card remedy=redeal-on-demand"
    ]


def test_fcd_irr_1_the_croupier_is_told_to_offer_the_deck_and_can_do_without() -> None:
    table = told()
    assert table.prompt().instruction is Instruction.OFFER_CUT
    assert Key.NO_MORE_BETS in table.prompt().keys
    assert lines(table, "press confirm") == ["cut-offered"]
    assert table.prompt().instruction is Instruction.POST_ANTES


def test_fcd_irr_1_a_card_that_came_before_the_cut_is_dealt_after_it() -> None:
    table = told("", "draw As", "press not-seen", "press confirm")
    said = lines(table, "press no-more-bets")
    assert "card seat-1.1" in said
    assert table.prompt().cases == ()


def test_fcd_irr_1_a_card_that_came_before_the_antes_counts_when_it_is_dealt() -> None:
    table = told("", "draw As", "press not-seen")
    assert table.prompt().cases == ()
    said = lines(table, "press no-more-bets")
    assert said[-1] == "incident FCD-IRR-1 expected=cut observed=card remedy=redeal-on-demand"


@pytest.mark.parametrize(
    "said",
    [
        ["declare card-seen-at-cut", "declare redeal-demanded seat-1"],
        *(["declare missing-card"], ["declare defective-deck"], ["declare card-not-of-deck"]),
    ],
    ids=lambda said: said[0].removeprefix("declare "),
)
def test_fcd_irr_1_another_deck_and_one_that_was_shuffled_again_are_offered_anew(said: list[str]) -> None:
    table = told("", "press confirm", *said, "press confirm")
    assert table.prompt().instruction is Instruction.OFFER_CUT
    assert lines(table, "press confirm") == ["cut-offered"]


def test_fcd_irr_2_it_is_not_said_again_while_the_deck_is_being_shuffled() -> None:
    table = told("", "declare card-seen-at-cut", "declare redeal-demanded seat-1")
    assert lines(table, "declare card-seen-at-cut") == ["refused not-offered FCD-IRR-2"]
    lines(table, "press confirm")
    assert "FCD-IRR-2" in " ".join(lines(table, "declare card-seen-at-cut")), "it is another deck, as it were"


def test_fcd_irr_2_it_is_one_case_however_often_it_is_said() -> None:
    table = dealt("", "declare card-seen-at-cut")
    assert lines(table, "declare card-seen-at-cut") == ["refused not-offered FCD-IRR-2"]
    assert table.prompt().cases == ("FCD-IRR-2",)


# --- exposed cards ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "card"), LAPS[1:])
def test_fcd_irr_6a_any_two_cards_of_the_deal(at: int, card: str) -> None:
    begun = ("press confirm", "press no-more-bets", *(f"draw {text}" for text in CARDS[:at]))
    table = told("", *begun, "declare fallen-card", f"draw {card}")
    assert table.prompt().cases == ()
    said = lines(table, "declare turned-while-dealt")
    seat, place = at % 3 + 1, at // 3 + 1
    assert said == [
        "incident FCD-IRR-6a expected=face-down observed=turned-while-dealt remedy=redeal-on-demand",
        f"turned seat-{seat}.{place}",
    ]


def test_fcd_irr_6b_whose_cards_were_exposed_makes_no_difference() -> None:
    for first, second in (("seat-1 lap=1", "seat-1 lap=2"), ("seat-1 lap=1", "seat-3 lap=5")):
        table = dealt("", f"declare turned-while-dealt {first}", f"declare turned-while-dealt {second}")
        assert table.prompt().cases == ("FCD-IRR-6a",)


def test_fcd_irr_6b_a_card_of_a_player_who_has_folded_counts() -> None:
    table = dealt("", "declare turned-while-dealt seat-1 lap=1", "act 1 fold")
    assert "FCD-IRR-6a" in lines(table, "declare turned-while-dealt seat-1 lap=2")[0]


@pytest.mark.parametrize("said", ["seat-4", "seat-1 lap=6", "house", "board"])
def test_fcd_irr_6b_a_card_that_is_not_there_was_not_exposed(said: str) -> None:
    table = dealt()
    assert lines(table, f"declare turned-while-dealt {said}") == ["refused no-card FCD-IRR-6b"]
    assert lines(table, f"declare face-up-in-shoe {said}") == ["refused no-card FCD-IRR-3"]


def test_fcd_irr_6b_of_a_card_that_may_have_been_changed_nobody_knows_where_it_lies() -> None:
    changing = ("act 1 check", "act 2 bet 100", "act 3 call", "act 1 call", "asks 2", "press confirm")
    table = dealt("", "declare turned-while-dealt seat-1 lap=5", *changing)
    assert not table.state.shown
    lines(table, "draw 2c\ndraw 2d")
    assert not table.state.shown, "a card that was dealt to that place is as face down as any"
    assert lines(table, "declare turned-while-dealt seat-1 lap=1") == ["refused no-card FCD-IRR-6b"]
    assert lines(table, "declare turned-while-dealt seat-1 lap=5")[-1] == "turned seat-1.5"


def test_fcd_irr_6b_a_card_of_a_player_who_is_served_stays_shown() -> None:
    called = ("act 1 check", "act 2 bet 100", "act 3 call", "act 1 call", "press check")
    table = dealt("", "declare turned-while-dealt seat-1 lap=5", *called, "press check", "press check")
    lines(table, "press all-check")
    assert [line for line in lines(table, "press show-all") if "seat-1" in line] == [
        *(f"turned seat-1.{place}" for place in (1, 2, 3, 4)),
        "rank seat-1 pair",
    ]


def test_fcd_irr_3_at_the_showdown_every_card_is_seen() -> None:
    served = ("act 1 check", "act 2 bet 100", "act 3 call", "act 1 call", "press check", "press check", "press check")
    table = dealt("", *served, "press all-check")
    assert table.state.phase.name == "showdown"
    assert lines(table, "declare face-up-in-shoe") == ["refused no-card FCD-IRR-3"]


# --- the wrong dealer ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["declare wrong-dealer seat-3", "declare wrong-dealer seat-9"])
def test_fcd_irr_5_the_right_dealer_and_an_empty_seat_are_no_wrong_ones(said: str) -> None:
    table = told("", "press confirm", "press no-more-bets", "draw As")
    assert lines(table, said) == [f"refused unknown-seat FCD-IRR-5 {said.split()[2]}"]


def test_fcd_irr_5_the_right_button_is_no_error() -> None:
    table = told("", "press confirm", "press no-more-bets", "draw As")
    assert lines(table, "button 3") == ["refused hand-in-play FCD-IRR-5 button=seat-3"]


def test_fcd_irr_5_the_button_waits_for_an_answer() -> None:
    table = told("", "declare wrong-dealer seat-2")
    assert lines(table, "button 1") == ["refused hand-in-play FCD-IRR-5 button=seat-3"]


def test_fcd_irr_5_a_button_that_was_said_already_is_not_said_again() -> None:
    table = told("", "press confirm", "press no-more-bets", "draw As", "button 1")
    assert lines(table, "button 2") == ["refused hand-in-play FCD-IRR-5 button=seat-3"]


def test_fcd_irr_6_the_dealer_of_the_next_hand_is_the_next_one() -> None:
    table = dealt("", "declare wrong-dealer", "act 1 check", "act 2 bet 100", "act 3 fold", "act 1 fold")
    lines(table, "press confirm")
    assert "button 1" in lines(table, "press new-hand")


# --- the deck --------------------------------------------------------------------------------------------------------


ON_THE_FELT = tuple(f"seen seat-{at % 3 + 1} {card}" for at, card in LAPS)


@pytest.mark.parametrize("at", [1, 7, 15])
@pytest.mark.parametrize("what", ["foreign-card", "unknown-tag", "cloned-tag"])
def test_fcd_irr_4_a_strange_tag_stops_the_table_however_late(what: str, at: int) -> None:
    table = told("equipment antennas", "press confirm", "press no-more-bets", *ON_THE_FELT[:at])
    if at == len(CARDS):
        lines(table, "act 1 check\nact 2 bet 100")
    assert lines(table, f"tag seat-2 {what}") == [
        f"incident FCD-IRR-4 expected=52-different-cards observed={what}-seat-2 remedy=void-hand|continue"
    ]
    assert table.state.ruling
    assert "void-hand FCD-IRR-4" in lines(table, "rule 1 void-hand by ana misdeal")
    assert table.state.needs_deck


@pytest.mark.parametrize("betting", [(), ("act 1 check", "act 2 bet 100")])
def test_fcd_irr_4_the_same_card_twice_stops_the_table_however_late(betting: tuple[str, ...]) -> None:
    table = dealt("", *betting)
    assert lines(table, "draw As") == [
        "incident FCD-IRR-4 expected=52-different-cards observed=same-card-again remedy=void-hand|next-card"
    ]
    assert "void-hand FCD-IRR-4" in lines(table, "rule 1 void-hand by ana misdeal")
    assert lines(table, "press confirm")[-1] == "asked new-deck deck"


@pytest.mark.parametrize("betting", [(), ("act 1 check", "act 2 bet 100")])
def test_fcd_irr_5_a_card_that_antennas_see_at_another_seat_is_asked_about(betting: tuple[str, ...]) -> None:
    """It is judged by no clause of a game with common cards."""
    begun = ("press confirm", "press no-more-bets", *(f"draw {card}" for card in CARDS))
    table = told("equipment both", *begun, *ON_THE_FELT[:-1], *betting)
    said = lines(table, "seen seat-2 9s\ntime +1.5")
    assert said
    assert "THL-MIS" not in said[0]


def test_fcd_irr_4_a_shoe_that_counts_too_few_cards_asks_for_another_deck() -> None:
    table = told(IN_SHOE, "shuffled 52", "press new-hand")
    assert lines(table, "shuffled 51")[0].startswith("incident FCD-IRR-4 expected=52-cards")
    assert not circle_of(table).draw.cases


def test_fcd_irr_4_while_another_deck_is_brought_there_is_no_deal_to_repeat() -> None:
    table = told("", "press confirm", "press no-more-bets", "declare missing-card")
    assert table.state.asking
    assert table.prompt().cases == ()
    assert lines(table, "declare redeal-demanded seat-1") == ["refused not-offered FCD-IRR-0"]
