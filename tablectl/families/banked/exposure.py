"""Cards that were seen before their time: of the bank, face up in the deck, or turned while they were dealt."""

from __future__ import annotations

from tablectl.core.engine.clauses import Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import put_away
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import close
from tablectl.core.engine.outcome import carried_out, late, question_about
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND, REOPEN, Kind
from tablectl.core.engine.slots import DISCARD, HOUSE, Face
from tablectl.core.engine.vocabulary import Chooser, Refusal, Remedy, Severity
from tablectl.families.banked.state import BankedState
from tablectl.families.banked.windows import hole_deal, placed_just_now

_HOUSE, _DISCARD = HOUSE[0].spot, DISCARD[0].spot


# --- the bank's cards -----------------------------------------------------------------------------------------------


def bank_can_show(state: BankedState) -> bool:
    """Whether the bank has a card that should lie face down."""
    return HOUSE[0] in state.deal.at and state.phase.kind in IN_HAND


def bank_outcome(state: BankedState) -> Outcome:
    """THB-ERR-1, TPC-MIS-3: void, up to the moment that rulebook and house have for it; then play goes on (AMB-82)."""
    rules = state.rulebook.errors.bank_exposed
    voids = state.phase.exposure in rules.voiding
    return Outcome(
        clause=rules.clause,
        expected="house-face-down",
        observed="bank-card-exposed",
        remedies=(Remedy.VOID_HAND,) if voids else (Remedy.CONTINUE,),
        severity=Severity.ALERT if voids else Severity.NOTICE,
    )


def bank_exposed(state: BankedState, fact: Declared) -> None:
    """A card of the bank was seen."""
    if not bank_can_show(state):
        state.refuse(Refusal.NO_CARD, state.rulebook.errors.bank_exposed.clause)
        return
    carried_out(state, bank_outcome(state))


# --- face up in the deck --------------------------------------------------------------------------------------------


def face_up_applies(state: BankedState) -> bool:
    """Whether the card drawn last can be declared face up, in time or too late: it lies in a slot or is in question."""
    last = state.deal.last
    if last is None or not state.in_play or not (state.rulebook.errors.face_up.everywhere or hole_deal(state)):
        return False
    if last.slot is None:
        return question_about(state, last) is not None
    return last.slot.spot != _DISCARD and state.phase.kind in IN_HAND


def face_up_outcome(state: BankedState, observed: str = "face-up-card") -> Outcome:
    """THB-ERR-2: not used, the next one takes its place; THB-ERR-3: one more voids the hand. TPC-MIS-1: the player did
    not get it in due form, the hand is void (AMB-17)."""
    rules, last = state.rulebook.errors.face_up, state.deal.last
    before = state.deal.face_up - {last.number if last is not None else 0}
    beyond = len(before) >= rules.tolerated
    return Outcome(
        clause=rules.beyond if beyond else rules.clause,
        expected=last.slot.name if last is not None and last.slot is not None else "next-card",
        observed=observed,
        remedies=(Remedy.VOID_HAND if beyond else Remedy.DISCARD,),
        draw=last,
    )


def face_up(state: BankedState, fact: Declared) -> None:
    """The card drawn last lay face up in the deck."""
    _face_up(state, "face-up-card")


def _face_up(state: BankedState, observed: str) -> None:
    rules, last = state.rulebook.errors.face_up, state.deal.last
    if last is None or not face_up_applies(state):
        in_scope = rules.everywhere or hole_deal(state)
        state.refuse(Refusal.NO_CARD if in_scope else Refusal.NOT_LIVE, rules.clause)
        return
    outcome = face_up_outcome(state, observed)
    state.deal.face_up.add(last.number)
    if last.slot is not None and not placed_just_now(state, last) and rules.tolerated > 0:
        late(state, outcome.clause, observed, last)
        return
    for incident in [pending.incident for pending in state.asking if pending.incident is not None]:
        if incident.draw is last:
            close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
    carried_out(state, outcome)
    if outcome.remedies[0] is Remedy.DISCARD:
        _replace(state, last)


def _replace(state: BankedState, last: Draw) -> None:
    """THB-ERR-2: to the discard rack; its slot is due again."""
    if last.slot is None:
        put_away(state, last, state.rulebook.errors.face_up.clause)
        return
    state.deal.take_back(last)
    put_away(state, last, state.rulebook.errors.face_up.clause)
    if state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)


# --- turned while it was dealt --------------------------------------------------------------------------------------


def turned_applies(state: BankedState) -> bool:
    """Whether the card drawn last can have been turned over on its way to a player or to the bank."""
    if not _last_is_bank(state):
        return face_up_applies(state)
    return bank_can_show(state) and not _last_belongs_face_up(state)


def turned_outcome(state: BankedState) -> Outcome:
    """Ruling 17: to a player as a card face up in the deck, unless the house leaves it to the pit boss; to the bank as
    a bank card that was shown."""
    if _last_is_bank(state):
        return bank_outcome(state)
    rules = state.rulebook.errors.face_up
    found = face_up_outcome(state, "turned-while-dealt" if rules.turned is Policy.VOID else "face-up-card")
    if rules.turned is not Policy.RULE:
        return found
    return Outcome(
        clause=rules.clause,
        expected=found.expected,
        observed="turned-while-dealt",
        remedies=(Remedy.VOID_HAND, Remedy.CONTINUE),
        chooser=Chooser.PIT_BOSS,
        draw=found.draw,
    )


def turned_while_dealt(state: BankedState, fact: Declared) -> None:
    """The card drawn last was turned over while it was dealt."""
    if _last_is_bank(state) and _last_belongs_face_up(state):
        state.refuse(Refusal.NOT_LIVE, state.rulebook.errors.bank_exposed.clause)
    elif _last_is_bank(state):
        bank_exposed(state, fact)
    elif (policy := state.rulebook.errors.face_up.turned) is Policy.RULE and face_up_applies(state):
        carried_out(state, turned_outcome(state))
    else:
        _face_up(state, "turned-while-dealt" if policy is Policy.VOID else "face-up-card")


def _last_belongs_face_up(state: BankedState) -> bool:
    last = state.deal.last
    return last is not None and last.slot is not None and last.slot.face is Face.UP


def _last_is_bank(state: BankedState) -> bool:
    last = state.deal.last
    return last is not None and last.slot is not None and last.slot.spot == _HOUSE
