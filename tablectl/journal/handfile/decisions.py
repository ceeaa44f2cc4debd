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
from tablectl.journal.handfile.words import bettor_word, joined

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
    d.HandOpened: lambda each: (each.hand,),
    d.CroupierAtTable: lambda each: (each.croupier,),
    d.CroupierWaits: lambda each: (each.croupier,),
    d.CroupierLeft: lambda each: (each.croupier,),
    d.LimitsWait: lambda each: (limits_words(each.limits),),
    d.LimitsInForce: lambda each: (limits_words(each.limits),),
    d.AlarmShelved: lambda each: (each.alarm, "by", each.by, each.reason),
    d.AlarmUnshelved: lambda each: (each.alarm, f"by {each.by}" if each.by else None),
    d.PhaseEntered: lambda each: (each.phase,),
    d.BetTaken: lambda each: (bettor_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetsReturned: lambda each: (bettor_word(each.seat, each.bettor),),
    d.Folded: lambda each: (bettor_word(each.seat, each.bettor),),
    d.Checked: lambda each: (each.seat,),
    d.LeftToBoxes: lambda each: (each.bet,),
    d.Refused: lambda each: (each.why, each.clause, each.detail or None),
    d.ButtonAt: lambda each: (each.seat,),
    d.PlayerNow: lambda each: (each.seat, each.what),
    d.WaitsToEnter: lambda each: (each.seat, each.clause),
    d.StackNow: lambda each: (each.seat, each.amount),
    d.Bought: lambda each: (each.seat, each.amount, f"total={each.total}"),
    d.Account: lambda each: (each.seat, f"bought={each.bought}", f"stack={each.stack}"),
    d.SeatDrawn: lambda each: (each.seat, each.place, each.clause),
    d.GameWaits: lambda each: (each.rulebook, each.clause),
    d.Spoke: lambda each: (
        each.seat,
        each.action,
        _named("to", each.to),
        _named("added", each.added),
        "all-in" if each.is_all_in else None,
    ),
    d.TakenBack: lambda each: (each.seat, each.action),
    d.Stored: lambda each: (each.seat, each.action, _named("to", each.to)),
    d.CutOffered: lambda _: (),
    d.Exchanges: lambda each: (each.seat, each.cards),
    d.Discards: lambda each: (each.seat, each.cards),
    d.StubMade: lambda each: (each.cards, _seats(each.seats), _named("without", each.without)),
    d.PotCarried: lambda each: (each.amount,),
    d.Uncalled: lambda each: (each.seat, each.amount),
    d.PotMade: lambda each: (each.pot, each.amount, _seats(each.seats)),
    d.Mucked: lambda each: (each.seat,),
    d.Awarded: lambda each: (each.pot, f"seat-{each.seat}", each.amount, each.clause),
    d.CardTurned: lambda each: (each.slot,),
    d.IncidentRaised: lambda each: (
        each.clause,
        f"expected={each.expected}",
        f"observed={each.observed}",
        f"remedy={'|'.join(each.remedies)}",
        _two(each.two_persons),
    ),
    d.Asked: lambda each: (each.question, each.about),
    d.IncidentEscalated: lambda each: (each.incident, f"remedy={'|'.join(each.remedies)}", _two(each.two_persons)),
    d.IncidentClosed: lambda each: (each.incident, each.remedy, "by", each.by),
    d.AlarmSeen: lambda each: (each.alarm, "by", each.by),
    d.IncidentSeen: lambda each: (each.incident, "by", each.by),
    d.SeatVoided: lambda each: (each.seat, each.clause),
    d.SeatWithdrawn: lambda each: (each.seat, each.clause),
    d.SeatExpelled: lambda each: (each.seat, each.clause),
    d.HandVoided: lambda each: (each.clause,),
    d.Refund: lambda each: (bettor_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetReversed: lambda each: (
        bettor_word(each.seat, each.bettor),
        each.bet,
        _named("stake", each.stake),
        _named("pays", each.pays),
    ),
    d.Ranked: lambda each: (each.spot, each.category),
    d.BetSettled: lambda each: (
        bettor_word(each.seat, each.bettor),
        each.bet,
        each.outcome,
        _odds(each.odds),
        _named("stake", each.stake),
        _named("pays", each.pays),
        each.clause,
    ),
    d.HandClosed: lambda each: (
        each.hand,
        f"presses={each.presses}",
        f"drawn={each.drawn}",
        _named("float", each.float_change),
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
