"""Cards that were seen before their time: of the bank, face up in the deck, or turned while they were dealt."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.clauses import Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import put_away
from tablectl.core.engine.declared_cards import is_named, lying, meant
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask_first, close, void_hand
from tablectl.core.engine.outcome import carried_out, question_about, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND, REOPEN, Kind
from tablectl.core.engine.slots import BOARD, BURN, HOUSE, Face
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy, Severity
from tablectl.families.banked.reopening import reopen
from tablectl.families.banked.state import BankedState
from tablectl.families.banked.windows import hole_deal, placed_just_now

_HOUSE: Final = HOUSE[0].spot
_COMMON: Final = (BOARD[0].spot, BURN[0].spot)
_FACE_UP: Final = "face-up-card"
_TURNED: Final = "turned-while-dealt"


# --- the bank's cards -----------------------------------------------------------------------------------------------


def bank_can_show(state: BankedState) -> bool:
    """Whether the bank has a card that should lie face down."""
    was_there = any(slot.spot == _HOUSE for slot in state.deal.left.values())
    return (HOUSE[0] in state.deal.at or was_there) and state.phase.kind in IN_HAND


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


def answered(state: BankedState, incident: Incident, *, is_seen: bool) -> bool:
    """THB-ERR-1, TPC-MIS-3: a card of the bank lies among the common cards, and somebody saw it there. Where that does
    not void the hand any more it is moved (AMB-82). False where it was not seen, or where it is something else."""
    draw, errors = incident.draw, state.rulebook.errors
    rules = errors.bank_exposed
    if draw is None or draw.slot is None or not _is_of_bank(draw) or incident.clause != errors.dealt_by(draw.slot):
        return False
    if not is_seen:
        return False
    if state.phase.exposure not in rules.voiding:
        ask_first(state, Question.MOVED, draw.slot.name, incident)
        return True
    close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
    void_hand(state, rules.clause)
    return True


# --- face up in the deck --------------------------------------------------------------------------------------------


def face_up_cards(state: BankedState) -> tuple[Draw, ...]:
    """The cards that can have lain face up in the deck, the one drawn last in front: it lies in a slot or is in
    question. Where the rulebook speaks of the cards face down only, it is one of these."""
    last, everywhere = state.deal.last, state.rulebook.errors.face_up.everywhere
    if last is None or not _can_be_told(state):
        return ()
    found = [draw for draw in lying(state) if everywhere or (draw.slot is not None and draw.slot.spot not in _COMMON)]
    if last.slot is None and question_about(state, last) is not None and (everywhere or hole_deal(state)):
        return (last, *found)
    return tuple(found)


def _can_be_told(state: BankedState) -> bool:
    """Until the settlement is confirmed (rulings 17 and TPC-MIS-1)."""
    return state.phase.kind in IN_HAND or (state.phase.kind is Kind.SETTLING and not state.is_to_settle)


def face_up_applies(state: BankedState) -> bool:
    """Whether the card that is proposed can be declared face up, in time or too late. Where the rulebook speaks of the
    cards face down only and others have followed them, none is proposed: it has to be named."""
    is_proposed = state.rulebook.errors.face_up.everywhere or hole_deal(state)
    return is_proposed and bool(face_up_cards(state))


def face_up_outcome(state: BankedState) -> Outcome:
    """What follows where it is the card that is proposed."""
    return _face_up_outcome(state, face_up_cards(state)[0], _FACE_UP)


def _face_up_outcome(state: BankedState, draw: Draw, observed: str) -> Outcome:
    """THB-ERR-2: not used, the next one takes its place; THB-ERR-3: one more voids the hand. TPC-MIS-1: the player did
    not get it in due form, the hand is void (AMB-17). Ruling 17: by the clause if it was drawn last and nothing has
    followed; otherwise the pit boss, and the remedy of the clause is proposed."""
    rules = state.rulebook.errors.face_up
    beyond = len(state.deal.face_up - {draw.number}) >= rules.tolerated
    remedy, in_time = Remedy.VOID_HAND if beyond else Remedy.DISCARD, _is_in_time(state, draw)
    if remedy is Remedy.DISCARD and not in_time and not can_refill(state):
        remedy = Remedy.CONTINUE
    to_choose = dict.fromkeys((remedy, Remedy.VOID_HAND, Remedy.CONTINUE))
    return Outcome(
        clause=rules.beyond if beyond else rules.clause,
        expected=_place(state, draw, in_time=in_time),
        observed=observed,
        remedies=(remedy,) if in_time else tuple(to_choose),
        chooser=Chooser.RULE if in_time else Chooser.PIT_BOSS,
        draw=draw,
    )


def _place(state: BankedState, draw: Draw, *, in_time: bool) -> str:
    if draw is state.deal.last and not in_time:
        return "declared-at-once"
    return draw.slot.name if draw.slot is not None else "next-card"


def _is_in_time(state: BankedState, draw: Draw) -> bool:
    """Whether it is the card drawn last, and nothing has followed it."""
    if draw is not state.deal.last:
        return False
    if state.rulebook.errors.face_up.tolerated == 0:
        return hole_deal(state)
    return draw.slot is None or placed_just_now(state, draw)


def face_up(state: BankedState, fact: Declared) -> None:
    """A card lay face up in the deck."""
    can_be_meant = is_named(fact) or face_up_applies(state)
    _face_up(state, meant(fact, face_up_cards(state)) if can_be_meant else None, _FACE_UP, fact)


def _face_up(state: BankedState, draw: Draw | None, observed: str, fact: Declared) -> None:
    rules = state.rulebook.errors.face_up
    if draw is None:
        is_known = fact.drawn in state.deal.face_up
        in_scope = rules.everywhere or hole_deal(state)
        state.refuse(
            Refusal.CARD_KNOWN if is_known else Refusal.NO_CARD if in_scope else Refusal.NOT_LIVE, rules.clause
        )
        return
    outcome = _face_up_outcome(state, draw, observed)
    state.deal.face_up.add(draw.number)
    if outcome.chooser is Chooser.PIT_BOSS:
        raised(state, outcome)
        return
    for incident in [pending.incident for pending in state.asking if pending.incident is not None]:
        if incident.draw is draw:
            close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
    carried_out(state, outcome)
    if outcome.remedies[0] is Remedy.DISCARD:
        put_aside(state, draw)


def can_refill(state: BankedState) -> bool:
    """Whether another card can still be dealt to a place of this hand."""
    return state.phase.kind is Kind.DEALING or state.machine.refusal(REOPEN, state) is None


def put_aside(state: BankedState, draw: Draw) -> None:
    """THB-ERR-2: to the discard rack. The next card drawn fills its place, then the deal goes on; nothing is shifted
    (ruling 17)."""
    lay_there = draw.slot is not None and state.deal.at.get(draw.slot) is draw
    if lay_there:
        state.shown.discard(state.deal.vacate(draw))
        state.unnamed = [unread for unread in state.unnamed if unread is not draw]
    put_away(state, draw, state.rulebook.errors.face_up.clause)
    if lay_there:
        reopen(state)


def ruled(state: BankedState, incident: Incident, remedy: Remedy) -> bool:
    """Ruling 17: the pit boss has an earlier card put away. False where something else is ruled."""
    draw = incident.draw
    is_it = remedy is Remedy.DISCARD and incident.clause == state.rulebook.errors.face_up.clause
    if not is_it or draw is None or draw.slot is None:
        return False
    put_aside(state, draw)
    return True


# --- turned while it was dealt --------------------------------------------------------------------------------------


def turned_cards(state: BankedState) -> tuple[Draw, ...]:
    """The cards that can have been turned over on their way to a player or to the bank, the one drawn last in front. A
    card that belongs face up at the bank is none."""
    found = [draw for draw in face_up_cards(state) if not (_is_of_bank(draw) and _lies_up(draw))]
    if state.deal.last not in found:
        # Common cards are out: nobody turns over a card of the bank by dealing them.
        found.sort(key=_is_of_bank)
    return tuple(found)


def _lies_up(draw: Draw) -> bool:
    return draw.slot is not None and draw.slot.face is Face.UP


def turned_applies(state: BankedState) -> bool:
    """Whether the card that is proposed can have been turned over on its way."""
    last = state.deal.last
    if last is not None and _is_of_bank(last):
        return last in turned_cards(state) and bank_can_show(state)
    return face_up_applies(state) and bool(turned_cards(state))


def turned_outcome(state: BankedState) -> Outcome:
    """What follows where it is the card that is proposed."""
    return _turned_outcome(state, turned_cards(state)[0])


def _turned_outcome(state: BankedState, draw: Draw) -> Outcome:
    """Ruling 17: to a player as a card face up in the deck, unless the house leaves it to the pit boss; to the bank as
    a bank card that was shown."""
    if _is_of_bank(draw):
        return bank_outcome(state)
    rules = state.rulebook.errors.face_up
    found = _face_up_outcome(state, draw, _observed(rules.turned))
    if rules.turned is not Policy.RULE:
        return found
    return replace(
        found,
        clause=rules.clause,
        observed=_TURNED,
        remedies=(Remedy.VOID_HAND, Remedy.CONTINUE),
        chooser=Chooser.PIT_BOSS,
    )


def _observed(policy: Policy) -> str:
    return _TURNED if policy is Policy.VOID else _FACE_UP


def turned_while_dealt(state: BankedState, fact: Declared) -> None:
    """A card was turned over while it was dealt."""
    can_be_meant, last = is_named(fact) or turned_applies(state), state.deal.last
    draw = meant(fact, turned_cards(state)) if can_be_meant else None
    policy = state.rulebook.errors.face_up.turned
    if not can_be_meant and last is not None and _is_of_bank(last):
        state.refuse(Refusal.NOT_LIVE, state.rulebook.errors.bank_exposed.clause)
    elif draw is not None and _is_of_bank(draw):
        bank_exposed(state, fact)
    elif draw is not None and policy is Policy.RULE:
        raised(state, _turned_outcome(state, draw))
    elif draw is None and _was_of_bank(state, fact):
        bank_exposed(state, fact)
    else:
        _face_up(state, draw, _observed(policy), fact)


def _is_of_bank(draw: Draw) -> bool:
    return draw.slot is not None and draw.slot.spot == _HOUSE


def _was_of_bank(state: BankedState, fact: Declared) -> bool:
    """Whether it is a card of the bank that was put away since it lay face up in the deck: it was shown all the same,
    in whichever order both are declared."""
    left = state.deal.left.get(fact.drawn or 0)
    return left is not None and left.spot == _HOUSE
