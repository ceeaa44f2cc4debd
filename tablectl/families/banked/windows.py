"""Until when an error can still be put right: what the deadlines of the documents mean in terms of cards and keys."""

from __future__ import annotations

from tablectl.core.engine.clauses import CountWindow
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import Slot
from tablectl.families.banked.state import BankedState


def decided_since(state: BankedState) -> bool:
    """Whether somebody has decided since the plan in force was dealt, up to everybody who folded or left."""
    return bool(state.decided) or (is_hole_plan(state) and any(held.folded for _, held in state.seats.items()))


def anybody_decided(state: BankedState) -> bool:
    """Whether anybody has decided anything in this hand: folded, or made a bet that is asked for after the deal."""
    if state.decided or state.decided_before:
        return True
    later = {name for name, rule in state.rulebook.bets.items() if rule.multiple_of is not None}
    return any(held.folded or not later.isdisjoint(held.bets) for _, held in state.seats.items())


def hole_deal(state: BankedState) -> bool:
    """Whether the cards face down are being dealt, or all lie there and nothing has followed them yet."""
    if is_hole_plan(state):
        return state.phase.kind in IN_HAND and not decided_since(state) and not state.decided_before
    deal = state.deal
    return state.phase.kind is Kind.DEALING and deal.next == 0 and bool(deal.at) and not anybody_decided(state)


def can_lay_anew(state: BankedState) -> bool:
    """Whether the hole cards can still be assigned to other slots: no common card lies on top of them."""
    return is_hole_plan(state) and state.phase.kind not in (Kind.REVEALING, Kind.SETTLING)


def placed_just_now(state: BankedState, last: Draw) -> bool:
    """Whether `last` was the latest card of the plan in force and nobody has decided anything since."""
    deal = state.deal
    is_latest = last.slot is not None and deal.latest is last.slot
    return is_latest and not decided_since(state) and state.phase.kind in IN_HAND and not deal.waiting


def last_at_issue(state: BankedState, slots: tuple[Slot, ...], *, extra: bool, is_named: bool) -> bool:
    """THB-ERR-7's condition: the sequence is intact, since the card that went wrong is the one drawn last. `is_named`:
    it was said that it is that one; otherwise it can be one too many only where the card before it lies."""
    deal, last = state.deal, state.deal.last
    if last is None or last.slot is None or not hole_deal(state) or not placed_just_now(state, last):
        return False
    if not extra:
        return last.slot in slots
    return is_named or (deal.next > 1 and deal.plan[deal.next - 2] in slots)


def count_can_be_corrected(state: BankedState) -> bool:
    """Whether a wrong number of cards can be put right in place, wherever it is (TPC-MIS-2, AMB-12)."""
    match state.rulebook.errors.count.window:
        case CountWindow.FIRST_COMMON_CARD:
            return hole_deal(state)
        case CountWindow.FIRST_DECISION:
            return not anybody_decided(state)
        case CountWindow.LAST_CARD:
            return False
