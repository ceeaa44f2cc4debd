"""What people may enter now: the keys that are lit, and every entry that a page, a command or another program can make.

Each entry is the beginning of a line of a hand file (docs/hand-files.md). Whatever is not here is refused, with its
reason, and changes nothing; what devices tell is no entry. A test presses and enters everything, at every point of
every hand file, and holds the answer against this list.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.engine import limits_set, shelving
from tablectl.core.engine.declarations import cards_of, declarable, offered
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.incidents import needs_reason
from tablectl.core.engine.keys import live
from tablectl.core.engine.move import Move
from tablectl.core.engine.state import State
from tablectl.core.engine.unread_cards import nameable
from tablectl.core.engine.vocabulary import Chooser


def moves(state: State) -> tuple[Move, ...]:
    """All that can be entered now."""
    return (
        *(Move(entry=f"press {key}") for key in live(state)),
        *state.family.moves(state),
        *_declarations(state),
        *_rulings(state),
        *_of_people(state),
    )


# --- whatever the game is -------------------------------------------------------------------------------------------


def _declarations(state: State) -> Iterator[Move]:
    """What is seen at the table; where no card is proposed it has to be named."""
    proposed = offered(state)
    for what in declarable(state):
        needs = () if what in proposed else ("draw",)
        yield Move(entry=f"declare {what}", needs=needs, cards=cards_of(state, what))


def _rulings(state: State) -> Iterator[Move]:
    """THB-STF-1: what waits for the pit boss, each with its remedies; where it takes two persons both are named."""
    waiting = state.ruling | state.requests
    for number in sorted(waiting):
        incident = waiting[number]
        for remedy in incident.remedies:
            who = ("name", "name") if remedy in incident.two_persons else ("name",)
            needs = (*who, "reason") if needs_reason(state, incident, remedy) else who
            yield Move(entry=f"rule {number} {remedy} by", by=Chooser.PIT_BOSS, needs=needs)
    for slot in nameable(state):
        yield Move(entry=f"name {slot.name}", by=Chooser.PIT_BOSS, needs=("card", "name"))


def _of_people(state: State) -> Iterator[Move]:
    if state.entries:
        # The one that opened the hand is 1, and stays. Which entries there are the records of the hand tell.
        what = ("number", "instead", "name", "name", "reason")
        yield Move(entry="correct", by=Chooser.PIT_BOSS, needs=what, least=2, most=state.entries[-1])
    yield Move(entry="call by croupier")
    yield Move(entry="call by", by=Chooser.PIT_BOSS, needs=("name",))
    yield Move(entry="croupier", needs=("name",))
    for croupier in {state.next_croupier, "" if state.in_play else state.croupier} - {""}:
        yield Move(entry=f"croupier-off {croupier}")
    yield Move(entry="game", by=Chooser.PIT_BOSS, needs=("rulebook", "name"))
    for number in sorted(state.unseen | state.answered):
        yield Move(entry=f"acknowledge {number} by", by=Chooser.PIT_BOSS, needs=("name",))
    for device in sorted({name for _, name in state.unseen_devices}):
        yield Move(entry=f"acknowledge device-{device} by", by=Chooser.PIT_BOSS, needs=("name",))
    for alarm in shelving.can_be_shelved(state):
        needs = ("minutes", "name", "reason")
        yield Move(entry=f"shelve {alarm}", by=Chooser.PIT_BOSS, needs=needs, least=1, most=shelving.MINUTES_MOST)
    for alarm in sorted(state.shelved):
        yield Move(entry=f"unshelve {alarm} by", by=Chooser.PIT_BOSS, needs=("name",))
    for bet, band in limits_set.bands(state).items():
        yield _limits(state, bet, band)


def _limits(state: State, bet: str, band: Limits) -> Move:
    who = ("name", "name") if state.setup.staff else ("name",)
    return Move(
        entry=f"limits {bet}=",
        by=Chooser.PIT_BOSS,
        needs=("least", "most", *who),
        least=band.least,
        most=band.most,
    )
