"""The lines of decisions: what the table concluded, after a `<`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.vocabulary import Chooser
from tablectl.core.records import kind_of
from tablectl.journal.handfile.people import limits_words
from tablectl.journal.handfile.tokens import bettor_token, joined

#: Before what a hand did to the float; and where a record was written before anybody worked that out.
FLOAT: Final = " float="
ANY_FLOAT: Final = f"{FLOAT}?"
#: Before who may choose the remedy of an incident.
WHO: Final = " who="


def _named(name: str, amount: int | None) -> str | None:
    return None if amount is None else f"{name}={amount}"


def _two(remedies: Iterable[str]) -> str | None:
    """Which remedies take two persons, where any do."""
    words = "|".join(remedies)
    return f"two={words}" if words else None


def _odds(odds: tuple[int, int] | None) -> str | None:
    return None if odds is None else f"{odds[0]}:{odds[1]}"


def _seats(seats: Iterable[int]) -> str:
    return f"seats={','.join(map(str, seats))}"


#: With which word a line begins where it is not the kind of its decision.
_FIRST_WORDS: Final[Mapping[type[Any], str]] = {
    d.HandOpened: "hand",
    d.CroupierAtTable: "at-table",
    d.CroupierWaits: "waits",
    d.CroupierLeft: "left",
    d.LimitsInForce: "limits",
    d.AlarmShelved: "shelved",
    d.AlarmUnshelved: "unshelved",
    d.PhaseEntered: "phase",
    d.BetTaken: "bet",
    d.BetsReturned: "returned",
    d.Folded: "fold",
    d.Checked: "check",
    d.LeftToBoxes: "in-the-boxes",
    d.ButtonAt: "button",
    d.PlayerNow: "player",
    d.WaitsToEnter: "waits",
    d.StackNow: "stack",
    d.StubMade: "stub",
    d.PotMade: "pot",
    d.Awarded: "award",
    d.CardTurned: "turned",
    d.IncidentRaised: "incident",
    d.IncidentEscalated: "escalated",
    d.IncidentClosed: "closed",
    d.AlarmSeen: "acknowledged",
    d.IncidentSeen: "acknowledged",
    d.SeatVoided: "void-seat",
    d.SeatWithdrawn: "withdraw-seat",
    d.SeatExpelled: "expel",
    d.HandVoided: "void-hand",
    d.BetReversed: "reversed",
    d.Ranked: "rank",
    d.BetSettled: "settle",
}
#: What stands after that word. None: nothing stands there.
_DETAILS: Final[Mapping[type[Any], Callable[[Any], tuple[object, ...]]]] = {
    d.HandOpened: lambda said: (said.hand,),
    d.CroupierAtTable: lambda said: (said.croupier,),
    d.CroupierWaits: lambda said: (said.croupier,),
    d.CroupierLeft: lambda said: (said.croupier,),
    d.LimitsWait: lambda said: (limits_words(said.limits),),
    d.LimitsInForce: lambda said: (limits_words(said.limits),),
    d.AlarmShelved: lambda said: (said.alarm, "by", said.by, said.reason),
    d.AlarmUnshelved: lambda said: (said.alarm, f"by {said.by}" if said.by else None),
    d.PhaseEntered: lambda said: (said.phase,),
    d.BetTaken: lambda said: (bettor_token(said.seat, said.bettor), said.bet, said.amount),
    d.BetsReturned: lambda said: (bettor_token(said.seat, said.bettor),),
    d.Folded: lambda said: (bettor_token(said.seat, said.bettor),),
    d.Checked: lambda said: (said.seat,),
    d.LeftToBoxes: lambda said: (said.bet,),
    d.Refused: lambda said: (said.why, said.clause, said.detail or None),
    d.ButtonAt: lambda said: (said.seat,),
    d.PlayerNow: lambda said: (said.seat, said.what),
    d.WaitsToEnter: lambda said: (said.seat, said.clause),
    d.StackNow: lambda said: (said.seat, said.amount),
    d.Bought: lambda said: (said.seat, said.amount, f"total={said.total}"),
    d.Account: lambda said: (said.seat, f"bought={said.bought}", f"stack={said.stack}"),
    d.SeatDrawn: lambda said: (said.seat, said.place, said.clause),
    d.GameWaits: lambda said: (said.rulebook, said.clause),
    d.Spoke: lambda said: (
        said.seat,
        said.action,
        _named("to", said.to),
        _named("added", said.added),
        "all-in" if said.is_all_in else None,
    ),
    d.TakenBack: lambda said: (said.seat, said.action),
    d.Stored: lambda said: (said.seat, said.action, _named("to", said.to)),
    d.Withdrawn: lambda said: (said.number,),
    d.Again: lambda said: (said.number,),
    d.CutOffered: lambda _: (),
    d.Exchanges: lambda said: (said.seat, said.cards),
    d.Discards: lambda said: (said.seat, said.cards),
    d.StubMade: lambda said: (said.cards, _seats(said.seats), _named("without", said.without)),
    d.PotCarried: lambda said: (said.amount,),
    d.Uncalled: lambda said: (said.seat, said.amount),
    d.PotMade: lambda said: (said.pot, said.amount, _seats(said.seats)),
    d.Mucked: lambda said: (said.seat,),
    d.Awarded: lambda said: (said.pot, f"seat-{said.seat}", said.amount, said.clause),
    d.CardTurned: lambda said: (said.slot,),
    d.IncidentRaised: lambda said: (
        said.clause,
        f"expected={said.expected}",
        f"observed={said.observed}",
        f"remedy={'|'.join(said.remedies)}",
        _two(said.two_persons),
    ),
    d.Asked: lambda said: (said.question, said.about),
    d.IncidentEscalated: lambda said: (said.incident, f"remedy={'|'.join(said.remedies)}", _two(said.two_persons)),
    d.IncidentClosed: lambda said: (said.incident, said.remedy, "by", said.by),
    d.AlarmSeen: lambda said: (said.alarm, "by", said.by),
    d.IncidentSeen: lambda said: (said.incident, "by", said.by),
    d.SeatVoided: lambda said: (said.seat, said.clause),
    d.SeatWithdrawn: lambda said: (said.seat, said.clause),
    d.SeatExpelled: lambda said: (said.seat, said.clause),
    d.HandVoided: lambda said: (said.clause,),
    d.Refund: lambda said: (bettor_token(said.seat, said.bettor), said.bet, said.amount),
    d.BetReversed: lambda said: (
        bettor_token(said.seat, said.bettor),
        said.bet,
        _named("stake", said.stake),
        _named("pays", said.pays),
    ),
    d.Ranked: lambda said: (said.spot, said.category),
    d.BetSettled: lambda said: (
        bettor_token(said.seat, said.bettor),
        said.bet,
        said.outcome,
        _odds(said.odds),
        _named("stake", said.stake),
        _named("pays", said.pays),
        said.clause,
    ),
    d.HandClosed: lambda said: (
        said.hand,
        f"presses={said.presses}",
        f"drawn={said.drawn}",
        _named("float", said.float_change),
    ),
}


def decision_line(decision: d.Decision, *, last_draw: int, with_who: bool = False) -> str:
    """A decision as its line, without `<`. A card's slot names its draw only where it is not the last one. `with_who`:
    an incident says who may choose its remedy, as in a file that is written anew."""
    if isinstance(decision, d.CardPlaced):
        return f"card {decision.slot}" + ("" if decision.draw == last_draw else f" draw={decision.draw}")
    made = type(decision)
    line = joined(_FIRST_WORDS.get(made, kind_of(made)), *_DETAILS[made](decision))
    return f"{line}{WHO}{decision.chooser}" if with_who and isinstance(decision, d.IncidentRaised) else line


def decision_lines(
    fact: f.Fact, decisions: Iterable[d.Decision], *, last_draw: int, with_who: bool = False
) -> list[str]:
    """The decisions of one fact as lines, without those that go without saying: the bet just entered, the closing of
    an incident whose remedy the rule itself decided."""
    return [
        decision_line(decision, last_draw=last_draw, with_who=with_who)
        for decision in decisions
        if not (isinstance(fact, f.Bets) and isinstance(decision, d.BetTaken) and decision.bettor == SEATED)
        and not (isinstance(decision, d.IncidentClosed) and decision.by is Chooser.RULE)
    ]
