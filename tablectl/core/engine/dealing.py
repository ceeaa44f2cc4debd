"""A card left the shoe: where does it belong, and was one due at all?"""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.core.engine import cards_to_leave
from tablectl.core.engine.clauses import Exposure
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced, Refused
from tablectl.core.engine.facts import Drawn, Failed
from tablectl.core.engine.incidents import ask, can_void, close, hand_over, raise_incident
from tablectl.core.engine.rulebook import DEALT, Kind
from tablectl.core.engine.slots import BOARD, BURN
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Equipment, Question, Refusal, Remedy, Severity

#: While the croupier is asked only this, a card may still come: a report the shoe could not deliver before.
_AFTER_A_GAP = frozenset({Question.NOTHING_DRAWN, Question.FELT})
#: Where a card that is out already can only be the next one, once every decision is made.
_CARDS_TO_COME = frozenset({Kind.DEALING, Kind.CLAIMING, Kind.PAYING})
#: No slot will be due any more in this hand.
_NOTHING_TO_COME = frozenset({Kind.REVEALING, Kind.SETTLING, Kind.VOIDED})

_COMMON = frozenset({BOARD[0].spot, BURN[0].spot})


def drawn(state: State, fact: Drawn) -> None:
    """THB-SAB-1: every card comes out of the shoe, and each one is accounted for here."""
    deal = state.deal
    if state.in_play:
        state.is_shuffled = False
    gap = _is_after_a_gap(state) if state.asking else False
    if gap and deal.last is not None and fact.card is not None and deal.last.card is fact.card:
        # A shoe that was cut off repeats its last report; the same card cannot be drawn twice in a row.
        state.say(Refused(why=Refusal.CARD_KNOWN, detail="repeated-report"))
        return
    draw, known = deal.note(fact.card)
    if state.family.came_from_under(state, draw):
        return
    if known and not state.family.may_come_again(state, draw):
        duplicate(state, draw)
    elif (
        deal.due is not None
        and state.machine.phase.kind is Kind.DEALING
        and (not state.held or (gap and not state.ruling))
    ):
        place(state, draw)
    elif state.misses_entries:
        wait(state, draw)
    else:
        early(state, draw)


def is_due(state: State) -> bool:
    """Whether a card is due now, and nothing holds it back."""
    return state.phase.kind is Kind.DEALING and state.deal.due is not None and not state.held


def is_hole_plan(state: State) -> bool:
    """Whether the plan in force is that of the cards face down to the seats and the bank."""
    plan = state.deal.plan
    return bool(plan) and plan[0].spot not in _COMMON


def _is_after_a_gap(state: State) -> bool:
    return bool(state.asking) and all(pending.question in _AFTER_A_GAP for pending in state.asking)


def failed(state: State, fact: Failed) -> None:
    """The engine broke on a fact. Nobody guesses what it would have meant: the pit boss decides. A card it brought is
    out of the shoe all the same (THB-SAB-1), and he says where it goes."""
    draw, known = (None, False) if fact.card is None else state.deal.note(fact.card)
    choices: tuple[Remedy, ...] = (Remedy.CONTINUE,)
    if draw is not None and not known:
        choices = (Remedy.NEXT_CARD, Remedy.DISCARD)
        if not state.in_play:
            choices = (Remedy.DISCARD, Remedy.NEXT_CARD)
        elif is_last_card_dealt(state):
            choices = (Remedy.DISCARD,)
    hand_over(state, observed="controller-fault", choices=choices, draw=None if known else draw)
    if draw is not None and known:
        duplicate(state, draw)


def place(state: State, draw: Draw) -> None:
    """The card belongs to the slot that is due; when the plan is done, the phase is over."""
    deal = state.deal
    if deal.due in deal.at:
        _burn_instead(state)
    state.out.append(CardPlaced(draw=draw.number, slot=deal.place(draw)))
    if deal.due is None:
        state.fire(DEALT)


def _burn_instead(state: State) -> None:
    """THL-CRE-8: the card that lies where the next one is due was exposed, and is the first burn."""
    deal, due = state.deal, state.deal.due
    assert due is not None, "a card lies there"
    exposed = deal.at.pop(due)
    exposed.slot = BURN[0]
    deal.at[BURN[0]] = exposed
    if due in state.shown:
        state.shown.remove(due)
        state.shown.add(BURN[0])
    state.say(CardPlaced(draw=exposed.number, slot=BURN[0]))
    cards_to_leave.watch(state, exposed, state.rulebook.errors.dealt_by(BURN[0]))


def place_waiting(state: State) -> None:
    """Cards drawn by mistake and not seen are the next ones (THB-ERR-4), as soon as a slot is due."""
    deal = state.deal
    while deal.waiting and not state.held and state.phase.kind is Kind.DEALING and deal.due is not None:
        place(state, _next_waiting(state))
    if state.phase.kind in (Kind.REVEALING, Kind.SETTLING):
        too_many, deal.waiting = deal.waiting, []
        for draw in too_many:
            _superfluous(state, draw)


def _next_waiting(state: State) -> Draw:
    """Cards keep the order in which they came; where the felt is the deal, one that lies at the spot that is due is the
    next one: what was told out of order was not dealt out of order."""
    deal = state.deal
    due, chosen = deal.due, deal.waiting[0]
    if due is not None and state.setup.equipment is Equipment.ANTENNAS:
        chosen = next((draw for draw in deal.waiting if state.felt.spot_of(draw) == due.spot), chosen)
    deal.waiting.remove(chosen)
    return chosen


def wait(state: State, draw: Draw) -> None:
    """The card is out and will be the next one; several keep the order in which they were drawn."""
    state.deal.wait(draw)


def use_next(state: State, draw: Draw) -> None:
    """Somebody said, or a rule says, that this card is the next one, wherever it lies now."""
    state.felt.next_ones.add(draw.number)
    wait(state, draw)


def say_placed(state: State, moved: Iterable[Draw]) -> None:
    """These cards lie at other places than was taken."""
    for draw in moved:
        assert draw.slot is not None, "it was laid anew"
        state.say(CardPlaced(draw=draw.number, slot=draw.slot))


def came_before(state: State, draw: Draw) -> None:
    """THB-SAB-1: a card that nobody reported is one of the plan; those after it lie one place further on."""
    deal = state.deal
    after = deal.came_before.pop(draw.number)
    if after.slot not in deal.plan[: deal.next] or not deal.lies_by_plan:
        # It was put away or laid elsewhere meanwhile, or another one was (THL-CRE-8): nothing is known of the order.
        wait(state, draw)
        return
    moved, surplus = deal.insert(draw, after)
    say_placed(state, moved)
    for card in surplus:
        deal.wait(card)
    if deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire(DEALT)


def put_away(state: State, draw: Draw, clause: str | None = None) -> None:
    """To the discard rack, by a clause. Where antennas see it elsewhere the table watches until it has left."""
    slot = state.deal.discard(draw)
    state.say(CardPlaced(draw=draw.number, slot=slot))
    cards_to_leave.watch(state, draw, clause or state.rulebook.errors.dealt_by(slot))


def expected_now(state: State) -> str:
    """In one word, what would have been due instead of a card."""
    if state.held and (state.ruling or state.shoe_lost is not None or not _is_after_a_gap(state)):
        return "remedy"
    match state.phase.kind:
        case Kind.IDLE:
            return "new-hand"
        case Kind.BETTING:
            return "no-more-bets"
        case Kind.DECIDING:
            return f"decision-seat-{state.turn}"
        case Kind.EXCHANGING:
            return "number-of-cards"
        case Kind.DEALING:
            return state.deal.due.name if state.deal.due else "no-card"
        case Kind.CLAIMING | Kind.PAYING:
            return state.phase.name
        case Kind.REVEALING | Kind.SETTLING | Kind.VOIDED:
            return "no-card"


def early(state: State, draw: Draw) -> None:
    """THB-ERR-4, TPC-DEV-3, TPC-DEV-17: not seen, it is the next card; seen, the documents are silent and the pit boss
    decides (AMB-56). After the last decision it is simply the next card."""
    if state.family.early(state, draw):
        return
    if is_last_card_dealt(state):
        _superfluous(state, draw)
        return
    _, chooser = early_remedy(state)
    incident = raise_incident(
        state,
        clause=state.family.early_clause(state),
        expected=expected_now(state),
        observed="card",
        remedies=(Remedy.NEXT_CARD,),
        chooser=chooser,
        severity=Severity.NOTICE,
        draw=draw,
    )
    if chooser is Chooser.RULE:
        close(state, incident, Remedy.NEXT_CARD, Chooser.RULE)
        use_next(state, draw)
    else:
        ask(state, Question.SEEN, "last-card", incident)


def is_last_card_dealt(state: State) -> bool:
    """Whether no slot will be due any more in this hand."""
    return state.phase.kind in _NOTHING_TO_COME or not state.family.may_be_due(state)


def early_remedy(state: State) -> tuple[Remedy, Chooser]:
    """What is done with a card that is drawn now although none is due, and who says so."""
    if is_last_card_dealt(state):
        return Remedy.DISCARD, Chooser.RULE
    decisions_over = state.phase.kind in _CARDS_TO_COME and state.phase.exposure is Exposure.AFTER
    return Remedy.NEXT_CARD, Chooser.RULE if decisions_over else Chooser.CROUPIER


def _superfluous(state: State, draw: Draw) -> None:
    """Every card of the hand is dealt: this one goes to the discard rack. That it came when none was due is on record
    already where it was to be the next one."""
    if draw.number in state.felt.next_ones:
        ask(state, Question.PUT_AWAY, "discard").drawn = draw.number
        return
    incident = raise_incident(
        state,
        clause=state.family.early_clause(state),
        expected=expected_now(state),
        observed="card",
        remedies=(Remedy.DISCARD,),
        chooser=Chooser.RULE,
        severity=Severity.NOTICE,
        draw=draw,
    )
    ask(state, Question.PUT_AWAY, "discard", incident)


def duplicate(state: State, draw: Draw) -> None:
    """THB-CRD-1, AMB-13: a second card with the same face. However late, the pit boss decides; void is proposed."""
    keep = Remedy.DISCARD if is_last_card_dealt(state) else Remedy.NEXT_CARD
    raise_incident(
        state,
        clause=state.rulebook.errors.deck.twice,
        expected="52-different-cards",
        observed="same-card-again",
        remedies=tuple(dict.fromkeys((Remedy.VOID_HAND if can_void(state) else Remedy.DISCARD, keep))),
        chooser=Chooser.PIT_BOSS,
        draw=draw,
    )
