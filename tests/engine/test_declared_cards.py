"""What is declared of a card names it, and the remedy is that card's (ruling 17). Of two declarations about one card,
one made right after the other, the order changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations
from typing import Final

import pytest

from tablectl.core.cards import cards
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.declarations import can, cards_of
from tablectl.core.engine.vocabulary import Declaration, Refusal
from tablectl.games.registry import RULEBOOKS
from tablectl.journal.handfile.facts import fact_line
from tests.fault_matrix.felt_model import FeltModel, Physical, Truth
from tests.fault_matrix.hand_plans import Step, steps_of

EQUIPMENT: Final = ("shoe", *(pytest.param(other, marks=pytest.mark.wide) for other in ("antennas", "both")))
#: A clean hand of the game that the fault matrix has no plan of.
_DRAW: Final = [
    *(Step(f"press {key}", "") for key in ("confirm", "no-more-bets")),
    *(Step(f"deal seat-{seat}", "") for _ in range(5) for seat in (1, 2, 3)),
    *(Step(f"act {what}", "") for what in ("check", "check", "check")),
]
#: What can be said of one card that lies somewhere.
OF_CARDS: Final = (Declaration.FACE_UP_IN_SHOE, Declaration.TURNED_WHILE_DEALT, Declaration.FALLEN_CARD)
#: What can be said of the player before whom it lies.
OF_SEATS: Final = (
    *(Declaration.OWN_CARDS_SHOWN, Declaration.SHOWED_CARDS, Declaration.COMMENTED, Declaration.LOOKED_AT_HAND),
    Declaration.OTHERS_CARD_SEEN,
)
#: And of the place where it lies.
OF_BURNS: Final = (Declaration.NO_BURN, Declaration.DOUBLE_BURN, Declaration.BURNED)
#: These two cannot both be true of one street.
_CONTRADICT: Final = {Declaration.NO_BURN, Declaration.DOUBLE_BURN}


class _Felt(FeltModel):
    """Nobody carries a card while the questions are answered: it is asked what the table concludes."""

    def follow(self) -> None:
        """Nothing is moved."""


def _played(game: str, equipment: str, steps: list[Step], *, is_seen: bool) -> _Felt:
    model = _Felt(game, equipment, Truth(is_seen=is_seen))
    for step in steps:
        if step.spot is not None:
            model.draw(step.spot)
        else:
            model.enter(step.line)
    model.wait()
    return model


def _once_more(model: _Felt) -> _Felt:
    """The same hand at the same moment, which goes on by itself: sooner made than played."""
    state = model.table.state
    return deepcopy(model, {id(shared): shared for shared in (state.rulebook, state.family)})


def _sayings(model: FeltModel) -> Iterator[list[f.Declared]]:
    """What can be said of the card drawn last, and of an earlier one: each list is about one card."""
    state = model.table.state
    known = state.family.declarations
    lying = [draw for draw in state.deal.draws if draw.slot is not None]
    for draw in (*lying[-1:], *lying[-3:-2]):
        assert draw.slot is not None
        spot = draw.slot.spot
        said = [f.Declared(at_us=0, what=what, drawn=draw.number) for what in OF_CARDS]
        if draw.slot.seat is not None:
            said += [f.Declared(at_us=0, what=what, spot=spot) for what in OF_SEATS]
        elif spot == "house":
            said.append(f.Declared(at_us=0, what=Declaration.BANK_CARD_EXPOSED))
        else:
            said += [f.Declared(at_us=0, what=what) for what in OF_BURNS]
        yield [fact for fact in said if fact.what in known]


def _outcome(model: _Felt, said: tuple[f.Declared, ...]) -> tuple[object, ...] | None:
    """What the hand is like when both are said and everything that is asked is answered; None where the pit boss has to
    rule on the first one before the second can be said."""
    before = len(model.said)
    for fact in said:
        refused = [why.why for why in model.tell(fact) if isinstance(why, d.Refused)]
        if Refusal.HELD in refused:
            return None
    model.settle()
    state, since = model.table.state, model.said[before:]
    is_void = any(isinstance(decision, d.HandVoided) for decision in since)
    places = {slot.name: draw.number for slot, draw in state.deal.at.items()}
    return (
        is_void,
        {decision.seat for decision in since if isinstance(decision, d.SeatVoided | d.SeatWithdrawn)},
        Counter((refund.seat, refund.bet, refund.amount) for refund in since if isinstance(refund, d.Refund)),
        None if is_void else places,
        None if is_void or state.deal.due is None else state.deal.due.name,
        state.phase.name,
    )


def _pairs(game: str, equipment: str, *, is_seen: bool) -> Iterator[tuple[str, object, object]]:
    steps = _DRAW if game == "draw-poker" else steps_of(game)
    for at in range(2, len(steps) + 1):
        model = _played(game, equipment, steps[:at], is_seen=is_seen)
        for sayings in _sayings(model):
            for one, other in combinations(sayings, 2):
                if {one.what, other.what} == _CONTRADICT:
                    continue
                found = [_outcome(_once_more(model), said) for said in ((one, other), (other, one))]
                if None not in found:
                    yield f"after {at} steps: {fact_line(one)}; {fact_line(other)}", found[0], found[1]


@pytest.mark.parametrize(
    ("equipment", "is_seen"),
    [
        ("shoe", False),
        *(pytest.param(*case, marks=pytest.mark.wide) for case in (("shoe", True), ("both", True), ("both", False))),
        *(pytest.param("antennas", is_seen, marks=pytest.mark.wide) for is_seen in (True, False)),
    ],
)
@pytest.mark.parametrize("game", RULEBOOKS)
def test_thb_err_2_the_order_of_two_declarations_about_a_card_changes_nothing(
    game: str, equipment: str, *, is_seen: bool
) -> None:
    tried = list(_pairs(game, equipment, is_seen=is_seen))
    assert len(tried) > 20, "so many pairs at least can be declared one after the other"
    assert [pair for pair, one, other in tried if one != other] == []


def _of_unreported(game: str, equipment: str, *, is_seen: bool) -> Iterator[tuple[str, object, object]]:
    """A card that no reader told lies before seat 1, and the croupier says both: how many lie there, and that one was
    not reported."""
    steps = _DRAW if game == "draw-poker" else steps_of(game)
    for at in range(2, len(steps) + 1):
        found = []
        before = _played(game, equipment, steps[:at], is_seen=is_seen)
        for is_counted_first in (True, False):
            model = _once_more(before)
            deal = model.table.state.deal
            dealt = sum(slot.seat == 1 for slot in deal.at)
            if deal.due is not None and deal.next > 0:
                dealt = 0  # while cards are dealt it says of an unreported one that it came where the next one is due
            model.cards.append(Physical(cards("2c")[0], "seat-1", None, is_seen=is_seen))
            counted = f.Declared(at_us=0, what=Declaration.WRONG_COUNT, spot="seat-1", cards=dealt + 1)
            unreported = f.Declared(at_us=0, what=Declaration.UNREPORTED_CARD)
            said = (counted, unreported) if is_counted_first else (unreported, counted)
            found.append(_outcome(model, said) if dealt else None)
        if None not in found:
            yield f"after {at} steps", found[0], found[1]


@pytest.mark.parametrize("is_seen", [True, False])
@pytest.mark.parametrize("equipment", EQUIPMENT)
@pytest.mark.parametrize("game", RULEBOOKS)
def test_thb_err_5_a_count_and_a_card_that_nobody_reported_are_one_card_in_either_order(
    game: str, equipment: str, *, is_seen: bool
) -> None:
    tried = list(_of_unreported(game, equipment, is_seen=is_seen))
    assert len(tried) > 2, "so often at least both can be declared"
    assert [pair for pair in tried if pair[1] != pair[2]] == []


@pytest.mark.parametrize("equipment", EQUIPMENT)
@pytest.mark.parametrize("game", RULEBOOKS)
def test_amb_17_the_card_that_is_proposed_is_the_one_that_is_meant(game: str, equipment: str) -> None:
    """Said without a card, it has the outcome of the one in front; and no offer tells a face."""
    steps = _DRAW if game == "draw-poker" else steps_of(game)
    tried = Counter[Declaration]()
    for at in range(2, len(steps) + 1):
        there = _played(game, equipment, steps[:at], is_seen=True)
        for what in OF_CARDS:
            cards = cards_of(there.table.state, what) if can(there.table.state, what) else ()
            if not cards:
                continue
            tried[what] += 1
            said = [
                _played(game, equipment, steps[:at], is_seen=True).tell(f.Declared(at_us=0, what=what, drawn=drawn))
                for drawn in (None, cards[0].draw)
            ]
            assert said[0] == said[1], f"after {at} steps: {what} of {cards[0]}"
    assert tried[Declaration.TURNED_WHILE_DEALT] > 5


def test_amb_17_a_card_that_nobody_can_mean_is_refused() -> None:
    model = _played("texas-bonus", "shoe", steps_of("texas-bonus")[:6], is_seen=False)
    for fact, why in (
        (f.Declared(at_us=0, what=Declaration.FACE_UP_IN_SHOE, drawn=9), Refusal.NO_CARD),
        (f.Declared(at_us=0, what=Declaration.WRONG_COUNT, spot="seat-1", cards=2, drawn=9), Refusal.NO_CARD),
        (f.Declared(at_us=0, what=Declaration.UNREPORTED_CARD, drawn=9), Refusal.NO_CARD),
        (f.Declared(at_us=0, what=Declaration.PIT_BOSS, drawn=1), Refusal.NO_CARD),
    ):
        (refused,) = model.tell(fact)
        assert isinstance(refused, d.Refused)
        assert refused.why is why
