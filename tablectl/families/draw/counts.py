"""A seat with a wrong number of cards, in the deal (FCD-IRR-7 to -12) and in the draw (FCD-DSC-2, AMB-73).

Whoever looked at any of his cards is out and loses what he has bet. Where he did not, what is missing comes from the
stub and what is too much goes under it, or between six and four from hand to hand; as long as nobody has looked or bet
the cards are better dealt again. What lies where by the books: `holdings.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, ask_first
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seat_said import one_seat, seat_of
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy
from tablectl.core.options.draw import DrawCount, SixAndFour
from tablectl.families.draw import count_repair, holdings, looked_at
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import dead_hands
from tablectl.families.pots.hand_open import is_first_deal

LOOKED: Final = "FCD-IRR-7"
FEWER: Final = "FCD-IRR-8"
MORE: Final = "FCD-IRR-9"
SIX_AND_FOUR: Final = "FCD-IRR-10"
TOO_LATE: Final = "FCD-IRR-11"
IN_THE_DRAW: Final = "FCD-DSC-2"
#: As many can be counted at a seat as the panel has keys for.
_MOST: Final = 10
_NO_CARD_DUE: Final = frozenset({Kind.DECIDING, Kind.EXCHANGING, Kind.REVEALING, Kind.SETTLING})
_ABOUT_COUNTS: Final = frozenset(
    {
        *(Question.LOOKED, Question.REDEAL_OR_CORRECT),
        *(Question.COUNT_CARDS, Question.COUNT_SPOT, Question.OTHER_SEAT, Question.NEXT_SEAT),
    }
)


# --- what is declared -------------------------------------------------------------------------------------------------


def applies(state: DrawState) -> bool:
    """Whether the cards of a seat can be counted: some are out, the pot is not delivered, somebody is left to play
    against, and no other count is in question."""
    return bool(state.deal.at) and _is_at_stake(state) and not is_in_question(state)


def _is_at_stake(state: DrawState) -> bool:
    """Whether a wrong number still decides who gets the pot: it shows at the latest when the hands lie open."""
    return (state.phase.kind in IN_HAND or state.phase.kind is Kind.SETTLING) and not state.is_one_left


def is_in_question(state: DrawState) -> bool:
    """Whether it is asked about a number of cards, or one is being put right."""
    return bool(state.draw.moving) or any(pending.question in _ABOUT_COUNTS for pending in state.asking)


def seats(state: DrawState) -> tuple[int, ...]:
    """Those who are still in: a hand that is out loses nothing more."""
    return state.staying


def clause(state: DrawState) -> str:
    """The clause on a number that is wrong now."""
    return LOOKED if is_first_deal(state) else IN_THE_DRAW


def foretold(state: DrawState) -> Outcome:
    """What a wrong count at a seat means now; whether he looked is asked first."""
    if _voids(state):
        return _outcome(IN_THE_DRAW, "count", Declaration.WRONG_COUNT, (Remedy.VOID_HAND,))
    repairs = (Remedy.COMPLETE_FROM_STUB, Remedy.UNDER_THE_STUB)
    again = (Remedy.REDEAL,) if looked_at.may_deal_again(state) else ()
    remedies = (*again, *repairs, Remedy.LOSE_BETS)
    return _outcome(clause(state), "count", Declaration.WRONG_COUNT, remedies)


def declared(state: DrawState, fact: Declared) -> None:
    """A player or the croupier says that a seat has a wrong number of cards, or that one has six and another four."""
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, clause(state))
        return
    seat = one_seat(state, fact, seats(state), clause(state))
    if seat is None:
        return
    if fact.cards is None:
        ask_first(state, Question.COUNT_CARDS, f"seat-{seat}").spot = fact.other
    else:
        _counted(state, seat, fact.cards, fact.other)


def cards_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """How many cards lie there."""
    seat = seat_of(pending.about)
    if seat is None or seat not in seats(state) or not applies(state):
        state.refuse(Refusal.NOT_LIVE, clause(state), pending.about)
    else:
        _counted(state, seat, int(answer), pending.spot)


def _counted(state: DrawState, seat: int, cards: int, other: str | None) -> None:
    should, seen = holdings.should_have(state, seat), holdings.known_at(state, seat)
    if cards == should:
        state.refuse(Refusal.COUNT_IS_RIGHT, clause(state), f"seat-{seat}={should}")
    elif not max(0, seen) <= cards <= min(_MOST, holdings.most(state, seat)):
        # Everybody, or antennas, can see more cards there than were counted.
        state.refuse(Refusal.WRONG_NUMBER, clause(state), f"seat-{seat}={cards}")
    elif other is None:
        holdings.came_before_others(state, seat, cards)
        one(state, seat, cards)
    else:
        _two(state, seat, cards, other)


def one(state: DrawState, seat: int, cards: int) -> None:
    """This seat has so many cards, and that is a wrong number."""
    if _voids(state):
        carried_out(state, _off(state, IN_THE_DRAW, seat, cards, (Remedy.VOID_HAND,)))
    elif seat in state.draw.looked or state.phase.kind in (Kind.REVEALING, Kind.SETTLING):
        _looked(state, seat, cards)
    else:
        ask(state, Question.LOOKED, f"seat-{seat}").cards = cards


def looked_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """Whether the player has looked at any of his cards."""
    seat, cards = seat_of(pending.about), pending.cards
    assert seat is not None, "it is asked about a seat"
    assert cards is not None, "it is asked about a count"
    if answer == "looked":
        state.draw.looked.add(seat)
    if seat not in seats(state) or not _is_at_stake(state):
        state.refuse(Refusal.NOT_LIVE, clause(state), pending.about)
    elif pending.spot is not None:
        _looked_of_two(state, pending, seat, cards)
    else:
        _judged(state, seat, cards)


def _looked(state: DrawState, seat: int, cards: int) -> None:
    """FCD-IRR-7, AMB-73: he is out, and what he has bet stays in the pot. A card that came while it was asked stays
    where it was dealt; he gets no more."""
    why = clause(state)
    outcome = _off(state, why, seat, cards, (Remedy.LOSE_BETS,))
    if state.phase.kind is not Kind.SETTLING:
        holdings.count(state, seat, cards)
    if carried_out(state, outcome).chooser is Chooser.RULE:
        _loses(state, seat, why)


def ruled_lost(state: DrawState, incident: Incident) -> None:
    """The pit boss confirms it, once the pot is awarded (ruling "Who confirms"). Whoever is out already, or alone, is
    left as he is."""
    (seat,) = incident.seats
    if seat in seats(state) and _is_at_stake(state):
        holdings.count(state, seat, int(incident.observed.rpartition("=")[2]))
        _loses(state, seat, incident.clause)


def _loses(state: DrawState, seat: int, why: str) -> None:
    came = state.deal.plan[state.deal.next :][: len(state.deal.waiting)]
    state.deal.drop(slot for slot in SEATS[seat - 1] if slot not in came)
    dead_hands.out(state, seat, why, returned=False)


def _not_looked(state: DrawState, seat: int, cards: int) -> None:
    """FCD-IRR-8, FCD-IRR-9: put right, or dealt again, as the croupier chooses where both can be."""
    is_short = cards < holdings.should_have(state, seat)
    in_the_deal = (FEWER if is_short else MORE) if is_first_deal(state) else IN_THE_DRAW
    repair = Remedy.COMPLETE_FROM_STUB if is_short else Remedy.UNDER_THE_STUB
    outcome = _off(state, in_the_deal, seat, cards, looked_at.with_redeal(state, repair))
    holdings.count(state, seat, cards)
    count_repair.choose(state, outcome)


# --- six and four ---------------------------------------------------------------------------------------------------


def _two(state: DrawState, seat: int, cards: int, spot: str) -> None:
    other = seat_of(spot)
    if other is None or other not in seats(state) or other == seat:
        state.refuse(Refusal.UNKNOWN_SEAT, SIX_AND_FOUR, spot)
    elif cards != holdings.should_have(state, seat) + 1 or holdings.known_at(state, other) >= holdings.should_have(
        state, other
    ):
        state.refuse(Refusal.WRONG_NUMBER, SIX_AND_FOUR, f"seat-{seat}={cards}")
    else:
        six_and_four(state, seat, other)


def six_and_four(state: DrawState, giver: int, taker: int) -> None:
    """FCD-IRR-10, -11, AMB-76: a card may pass while neither has looked at his cards and nobody has bet. Whether one of
    the two has looked is asked first, of him who gives and then of him who takes, where it matters."""
    if not _may_pass(state, giver, taker):
        _pass_no_card(state, giver, taker)
    elif _does_a_look_matter(state):
        _ask_of_two(state, giver, holdings.should_have(state, giver) + 1, taker)
    else:
        _pass_or_deal_again(state, giver, taker)


def _ask_of_two(state: DrawState, seat: int, cards: int, other: int) -> None:
    pending = ask(state, Question.LOOKED, f"seat-{seat}")
    pending.cards, pending.spot = cards, f"seat-{other}"


def _looked_of_two(state: DrawState, pending: Pending, seat: int, cards: int) -> None:
    """Whether one of the two has looked, who is still in; the other one may have withdrawn meanwhile."""
    assert pending.spot is not None, "it is asked about two seats"
    other = seat_of(pending.spot)
    assert other is not None, "the second one is a seat too"
    gives = cards > holdings.should_have(state, seat)
    giver, taker = (seat, other) if gives else (other, seat)
    if other not in seats(state):
        _judged(state, seat, cards)
    elif not _may_pass(state, giver, taker):
        _pass_no_card(state, giver, taker, asked=(giver,) if gives else (giver, taker))
    elif gives:
        _ask_of_two(state, taker, holdings.should_have(state, taker) - 1, giver)
    else:
        _pass_or_deal_again(state, giver, taker)


def _judged(state: DrawState, seat: int, cards: int) -> None:
    """It was asked of this seat."""
    if seat in state.draw.looked:
        _looked(state, seat, cards)
    else:
        _not_looked(state, seat, cards)


def _pass_no_card(state: DrawState, giver: int, taker: int, *, asked: tuple[int, ...] = ()) -> None:
    """FCD-IRR-11: each seat is counted by itself; those who were asked whether they looked are not asked again."""
    more, fewer = holdings.should_have(state, giver) + 1, holdings.should_have(state, taker) - 1
    state.refuse(Refusal.NOT_OFFERED, TOO_LATE, f"seat-{giver}={more}+seat-{taker}={fewer}")
    _each(state, ((giver, more), (taker, fewer)), asked)


def _pass_or_deal_again(state: DrawState, giver: int, taker: int) -> None:
    more, fewer = holdings.should_have(state, giver), holdings.should_have(state, taker)
    expected = f"seat-{giver}={more}+seat-{taker}={fewer}"
    observed = f"seat-{giver}={more + 1}+seat-{taker}={fewer - 1}"
    outcome = _outcome(SIX_AND_FOUR, expected, observed, looked_at.with_redeal(state, Remedy.PASS_CARD))
    holdings.count(state, giver, more + 1)
    holdings.count(state, taker, fewer - 1)
    count_repair.choose(state, replace(outcome, seats=(giver, taker)))


def _each(state: DrawState, counted: tuple[tuple[int, int], ...], asked: tuple[int, ...] = ()) -> None:
    for seat, cards in counted:
        # Who had the other wrong number may have been the last one to play against.
        if seat in seats(state) and _is_at_stake(state):
            (_judged if seat in asked else one)(state, seat, cards)


def _may_pass(state: DrawState, giver: int, taker: int) -> bool:
    """FCD-IRR-11: whether neither of the two has looked, and whether nobody has bet."""
    if not is_first_deal(state):
        return False
    unlooked, unbet = state.draw.looked.isdisjoint((giver, taker)), not looked_at.has_bet(state)
    return (unlooked or unbet) if _is_either_enough(state) else (unlooked and unbet)


def _does_a_look_matter(state: DrawState) -> bool:
    """Whether a look at his cards would keep the card from passing: not where one of both conditions is enough and
    nobody has bet."""
    return looked_at.has_bet(state) or not _is_either_enough(state)


def _is_either_enough(state: DrawState) -> bool:
    return state.rulebook.house.six_and_four is SixAndFour.EITHER


# --- what antennas notice -------------------------------------------------------------------------------------------


def follow(state: DrawState) -> None:
    """When a deal is over antennas count its cards, once: one that lies at another seat than its own makes one too many
    there, and one too few here. One that may only pass by there is waited for. Nobody plays on with a wrong number that
    the books know of."""
    hand = state.draw
    if state.held or state.phase.kind not in _NO_CARD_DUE:
        return
    if state.phase.kind is Kind.DECIDING and hand.counted_in != state.phase.round:
        if any(state.felt.is_open(state.deal.at[slot]) for slot, _ in holdings.elsewhere(state)):
            return
        hand.counted_in = state.phase.round
        if state.tells_places:
            holdings.settle_elsewhere(state)
    held = {seat: len(holdings.held_by(state, seat)) for seat in seats(state)}
    off = [(seat, n) for seat, n in held.items() if n != holdings.should_have(state, seat)]
    by_surplus = {n - holdings.should_have(state, seat): seat for seat, n in off}
    if len(off) == 2 and set(by_surplus) == {-1, 1}:
        six_and_four(state, by_surplus[1], by_surplus[-1])
    else:
        _each(state, tuple(off))


def one_too_many(state: DrawState, draw: Draw, spot: str) -> bool:
    """Antennas see a card come to a seat while players bet or change cards: it has one too many. False where it is
    another error."""
    seat = seat_of(spot)
    if seat is None or seat not in seats(state) or not can_have_more(state, seat) or state.held:
        return False
    has_one_more(state, draw, seat)
    return True


def can_have_more(state: DrawState, seat: int) -> bool:
    """Whether a card that comes to this seat now is one too many there. In the draw it is one of those that a player
    changes, as long as he has not got them: it comes before its time."""
    if not state.deal.at or state.is_one_left or not holdings.has_place(state, seat):
        return False
    if state.phase.kind is Kind.EXCHANGING:
        return seat in state.draw.served
    return state.phase.kind is Kind.DECIDING


def has_one_more(state: DrawState, draw: Draw, seat: int) -> None:
    """A card that was due nowhere is this seat's, which has one too many."""
    holdings.one_more(state, draw, seat)
    one(state, seat, len(holdings.held_by(state, seat)))


def _voids(state: DrawState) -> bool:
    """AMB-73: a wrong number in the draw voids the hand where the house has it so."""
    return not is_first_deal(state) and state.rulebook.house.draw_count is DrawCount.VOID_HAND


def _off(state: DrawState, why: str, seat: int, cards: int, remedies: tuple[Remedy, ...]) -> Outcome:
    expected = f"seat-{seat}={holdings.should_have(state, seat)}"
    return replace(_outcome(why, expected, f"seat-{seat}={cards}", remedies), seats=(seat,))


def _outcome(why: str, expected: str, observed: str, remedies: tuple[Remedy, ...]) -> Outcome:
    chooser = Chooser.RULE if len(remedies) == 1 else Chooser.CROUPIER
    return Outcome(clause=why, expected=expected, observed=observed, remedies=remedies, chooser=chooser)


#: What the pit boss's choices do about a wrong number.
RULED_ON: Final[Mapping[tuple[Remedy, str], Callable[[DrawState, Incident], None]]] = {
    (Remedy.LOSE_BETS, clause): ruled_lost for clause in (LOOKED, IN_THE_DRAW)
}
RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.WRONG_COUNT: Rule(applies=applies, foretells=foretold, does=declared),
    Declaration.LOOKED_AT_HAND: Rule(applies=looked_at.applies, foretells=looked_at.foretold, does=looked_at.declared),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {
    Declaration.WRONG_COUNT: seats,
    Declaration.LOOKED_AT_HAND: looked_at.unlooked,
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[DrawState, Pending, str | int], None]]] = {
    Question.COUNT_CARDS: cards_said,
    Question.LOOKED: looked_said,
    Question.REDEAL_OR_CORRECT: count_repair.redeal_said,
}
