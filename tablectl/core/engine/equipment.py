"""Devices that go and come back: only the one that reads the cards as they are dealt can hold the table. What else is
plugged in or pulled out while a hand is played, or does not belong here at all, the pit boss has to see."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.cable_faults import reader_lost, usb_changed
from tablectl.core.engine.decisions import GameWaits
from tablectl.core.engine.facts import DeviceBack, DeviceLost, DeviceSaid, GameChosen, Opened, Setup, TopologyChanged
from tablectl.core.engine.incidents import ask, close, hand_over, raise_incident
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import ANTENNAS, State
from tablectl.core.engine.unread_cards import lies_open
from tablectl.core.engine.vocabulary import Chooser, Equipment, Plug, Question, Remedy, Severity

#: What a shoe says that the rules have to do with (`DeviceSaid.what`).
STARTED: Final = "started"
CARD_UNCERTAIN: Final = "card-uncertain"
#: Whoever is asked one of these says what lies on the felt.
_ASKED_ALREADY: Final = frozenset({Question.NOTHING_DRAWN, Question.FELT})
_READERS: Final = {Equipment.SHOE: "shoe", Equipment.BOTH: "shoe", Equipment.ANTENNAS: ANTENNAS}


def reader(setup: Setup) -> str:
    """The role of the device without which nobody knows which cards are dealt."""
    return _READERS[setup.equipment]


def lost(state: State, fact: DeviceLost) -> None:
    """THB-SAB-1: every card comes out of the shoe; with the shoe away (or, where there is none, the antennas) nobody
    knows, so nothing is dealt."""
    role = reader(state.setup)
    state.lost.add((fact.role, fact.device))
    if fact.role != role:
        state.unseen_devices.add((fact.role, fact.device))  # the reader of the cards has its incident
        return
    if state.shoe_lost is not None:
        return
    for pending in [asked for asked in state.asking if asked.question is Question.NOTHING_DRAWN]:
        if pending.incident is not None:
            close(state, pending.incident, Remedy.CONTINUE, Chooser.RULE)
        else:
            state.asking.remove(pending)  # asked again when it is back
    state.shoe_lost = raise_incident(
        state,
        clause=state.rulebook.errors.outside_shoe,
        expected=role,
        observed=reader_lost(role),
        remedies=(Remedy.CONTINUE,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def lost_shoe(state: State, number: int) -> Incident:
    """The incident of a shoe that was lost in an earlier hand and still is."""
    observed = reader_lost(reader(state.setup))
    clause = state.rulebook.errors.outside_shoe
    return Incident(number, clause, (Remedy.CONTINUE,), Chooser.CROUPIER, observed=observed)


def back(state: State, fact: DeviceBack) -> None:
    """The shoe answers again, or the last antenna does. With a hand open, the croupier says that no card was drawn
    meanwhile."""
    incident = state.shoe_lost
    role = reader(state.setup)
    state.lost.discard((fact.role, fact.device))
    if fact.role != role or incident is None or any(name == role for name, _ in state.lost):
        return
    state.shoe_lost = None
    if state.in_play:
        ask(state, Question.NOTHING_DRAWN, role, incident)
    else:
        close(state, incident, Remedy.CONTINUE, Chooser.RULE)


def said(state: State, fact: DeviceSaid) -> None:
    """The shoe's own errors and counts decide nothing here (deck accounting is ours): they are for the record. But a
    shoe that was switched on anew may have let a card out unseen, and one may not be sure of the card it reported."""
    if fact.role != "shoe":
        return
    if fact.what == CARD_UNCERTAIN:
        _uncertain(state)
    elif fact.what == STARTED and state.in_play and not any(asked.question in _ASKED_ALREADY for asked in state.asking):
        ask(state, Question.NOTHING_DRAWN, fact.role)


def _uncertain(state: State) -> None:
    """The shoe does not know any more which card it reported last. Until the hand is settled it counts as unread. What
    was settled with it stands, and the pit boss looks at it where it lies open, but nobody at another one. He has it
    too where the hand is closed already. A void hand needs no card."""
    last, kind = state.deal.last, state.phase.kind
    if kind is Kind.VOIDED:
        return
    if last is None or kind is Kind.IDLE or (kind is Kind.SETTLING and lies_open(state, last)):
        hand_over(state, observed=CARD_UNCERTAIN, choices=(Remedy.CONTINUE,), draw=last)
    elif kind is not Kind.SETTLING:
        state.deal.doubt(last)


def topology(state: State, fact: TopologyChanged) -> None:
    """No clause of a document names cables. The one that gives the pit boss whatever else happens (THB-STF-1) has it:
    he is alerted, and play goes on. A cleared keyboard must not stop a table, and a shoe that is gone does so itself.

    One leaving is one alert: what comes back to the same port in the same hand is no second one.
    """
    came_back = fact.change is Plug.PLUGGED and fact.what in state.unplugged
    state.unplugged.discard(fact.what)
    if fact.is_allowed:
        if not state.in_play or came_back:
            return
        if fact.change is Plug.UNPLUGGED:
            state.unplugged.add(fact.what)
    incident = raise_incident(
        state,
        clause=state.rulebook.errors.ruling,
        expected="same-devices",
        observed=usb_changed(fact.change, is_allowed=fact.is_allowed),
        remedies=(Remedy.CONTINUE,),
        chooser=Chooser.RULE,
    )
    close(state, incident, Remedy.CONTINUE, Chooser.RULE)


def opened(state: State, fact: Opened) -> None:
    """The controller started (again). With a hand open the croupier confirms the felt before anything goes on."""
    state.next_setup = fact.setup
    if not state.in_play:
        _game_waits(state, fact.setup)
    # Its devices say again whether they are there, and some may be others now.
    state.lost.clear()
    state.felt.restart()
    if state.in_play and not any(pending.question is Question.FELT for pending in state.asking):
        ask(state, Question.FELT, "felt")


def game_chosen(state: State, fact: GameChosen) -> None:
    """TPC-TAB-3: a game changes between hands and never within one. The game in force can be chosen as well: then
    nothing changes any more."""
    state.next_setup = fact.setup
    _game_waits(state, fact.setup)


def _game_waits(state: State, setup: Setup) -> None:
    clause = "TPC-TAB-3" if state.in_play else state.family.waits_for(state, setup)
    if setup.rulebook != state.rulebook.id and clause is not None:
        state.say(GameWaits(rulebook=setup.rulebook, clause=clause))
