"""What players may not do (THL-PRO, THL-GEN-10 to -13, THL-PLE-10): warned of, then for the pit boss.

What follows from one of them is in `prohibition`. `open-holdem` takes these clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Declaration, Remedy, Severity, Tracking
from tablectl.core.options.holdem import AllInShown
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots import own_cards
from tablectl.families.pots.prohibition import Prohibition, at_the_table, expelled, rule_of, while_cards_count
from tablectl.families.pots.retrieved_cards import live_hands

_AFTER_THE_HAND: Final = frozenset({Kind.SETTLING, Kind.VOIDED, Kind.IDLE})


def _in_the_hand(state: HoldemState) -> tuple[int, ...]:
    return live_hands(state)


def _all_in(state: HoldemState) -> tuple[int, ...]:
    """Those who are all-in, before the showdown; where only rounds are entered, all who are in; where the house lets
    them show, nobody (AMB-33)."""
    rounds = state.rounds
    game = state.rulebook
    before = state.phase.kind in (Kind.DEALING, Kind.DECIDING)
    if rounds is None or not before or game.house.all_in_shown is AllInShown.ALLOWED:
        return ()
    if state.setup.tracking is Tracking.ROUNDS:
        return live_hands(state)
    return tuple(seat for seat in live_hands(state) if rounds.is_all_in(seat))


def _with_chips(state: HoldemState) -> tuple[int, ...]:
    """Those in the hand who have chips left, before the showdown: an all-in player is THL-PRO-11's."""
    rounds = state.rounds
    if rounds is None or state.phase.kind not in (Kind.DEALING, Kind.DECIDING):
        return ()
    return tuple(seat for seat in live_hands(state) if not rounds.is_all_in(seat))


def _when_a_pot_is_there(state: HoldemState) -> tuple[int, ...]:
    there = state.rounds is not None and state.phase.kind is not Kind.VOIDED
    return state.staying if there else ()


def _after_the_hand(state: HoldemState) -> tuple[int, ...]:
    return at_the_table(state) if state.phase.kind in _AFTER_THE_HAND else ()


def _no(
    clause: str,
    who: Callable[[HoldemState], tuple[int, ...]] = at_the_table,
    *,
    first: Remedy = Remedy.WARN,
    at_once: bool = False,
) -> Prohibition:
    return Prohibition(clause=clause, who=who, first=first, again=clause, at_once=at_once)


#: In the order in which they are offered.
PROHIBITIONS: Final[Mapping[Declaration, Prohibition]] = {
    Declaration.SHOWED_CARDS: _no("THL-PRO-10", _with_chips),
    Declaration.COMMENTED: Prohibition(clause="THL-GEN-10", who=_in_the_hand, again="THL-GEN-11", by_document=True),
    Declaration.ALL_IN_SHOWN: _no("THL-PRO-11", _all_in),
    Declaration.JOINT_POT: _no("THL-PRO-1", _when_a_pot_is_there),
    # What is asked for is refused besides: the pot goes to the best hand.
    Declaration.SHARED_POT: _no("THL-PRO-2", _when_a_pot_is_there, first=Remedy.REJECT),
    Declaration.COLLUSION: _no("THL-PRO-3", at_once=True),
    # Kept for the next hand; nothing more follows from it.
    Declaration.CHIPS_ADDED: Prohibition(
        clause="THL-PRO-4", who=while_cards_count, first=Remedy.REJECT, again=None, by_document=True
    ),
    Declaration.LOAN: _no("THL-PRO-5", first=Remedy.REJECT),
    Declaration.CHIPS_POCKETED: _no("THL-PRO-6", first=Remedy.REJECT),
    Declaration.CARDS_OUT_OF_SIGHT: _no("THL-PRO-7", _in_the_hand),
    Declaration.LOOKED_AT_CARDS: _no("THL-PRO-8"),
    Declaration.SEATS_EXCHANGED: _no("THL-PRO-9", first=Remedy.REJECT),
    Declaration.CHIPS_HIDDEN: _no("THL-PRO-12"),
    Declaration.DISCARDS_SEEN: Prohibition(
        clause="THL-GEN-12",
        who=while_cards_count,
        again=None,
        by_document=True,
        severity=Severity.ALERT,
        of_a_seat=False,
    ),
    Declaration.STUB_SHOWN: Prohibition(
        clause="THL-GEN-13",
        who=_after_the_hand,
        again=None,
        by_document=True,
        severity=Severity.ALERT,
        of_a_seat=False,
    ),
}


RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    **own_cards.RULES,
    **{what: rule_of(what, rules) for what, rules in PROHIBITIONS.items()},
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[HoldemState], tuple[int, ...]]]] = {
    **own_cards.SEATS_ASKED,
    **{what: rules.who for what, rules in PROHIBITIONS.items()},
}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[HoldemState, Incident], None]]] = {Remedy.EXPEL: expelled}
