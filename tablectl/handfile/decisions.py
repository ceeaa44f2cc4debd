"""The lines of decisions: what the table concluded, behind a `<`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.words import Chooser
from tablectl.handfile.people import limits_words
from tablectl.handfile.words import bettor_word, joined

#: Before what a hand did to the float; and where a record was written before anybody worked that out.
FLOAT: Final = " float="
ANY_FLOAT: Final = f"{FLOAT}?"
#: Before who may choose the remedy of an incident.
WHO: Final = " who="


def _named(name: str, amount: int | None) -> str | None:
    return None if amount is None else f"{name}={amount}"


def _settled_line(decision: d.BetSettled) -> str:
    odds = None if decision.odds is None else f"{decision.odds[0]}:{decision.odds[1]}"
    stake, pays = _named("stake", decision.stake), _named("pays", decision.pays)
    who = bettor_word(decision.seat, decision.bettor)
    return joined("settle", who, decision.bet, decision.outcome, odds, stake, pays, decision.clause)


def _incident_line(decision: d.IncidentRaised) -> str:
    seen = f"expected={decision.expected} observed={decision.observed}"
    return joined(f"incident {decision.clause} {seen} remedy={'|'.join(decision.remedies)}", _two(decision.two_persons))


def _two(remedies: Iterable[str]) -> str | None:
    """Which remedies take two persons, where any do."""
    words = "|".join(remedies)
    return f"two={words}" if words else None


_DECISION_LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    d.HandOpened: lambda each: f"hand {each.hand}",
    d.CroupierAtTable: lambda each: f"at-table {each.croupier}",
    d.CroupierWaits: lambda each: f"waits {each.croupier}",
    d.CroupierLeft: lambda each: f"left {each.croupier}",
    d.LimitsWait: lambda each: f"limits-wait {limits_words(each.limits)}",
    d.LimitsInForce: lambda each: f"limits {limits_words(each.limits)}",
    d.AlarmShelved: lambda each: f"shelved {each.alarm} by {each.by} {each.reason}",
    d.AlarmUnshelved: lambda each: joined("unshelved", each.alarm, f"by {each.by}" if each.by else None),
    d.PhaseEntered: lambda each: f"phase {each.phase}",
    d.BetTaken: lambda each: joined("bet", bettor_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetsReturned: lambda each: f"returned {bettor_word(each.seat, each.bettor)}",
    d.Folded: lambda each: f"fold {bettor_word(each.seat, each.bettor)}",
    d.Checked: lambda each: f"check {each.seat}",
    d.LeftToBoxes: lambda each: f"in-the-boxes {each.bet}",
    d.Refused: lambda each: joined("refused", each.why, each.clause, each.detail or None),
    d.ButtonAt: lambda each: f"button {each.seat}",
    d.PlayerNow: lambda each: f"player {each.seat} {each.what}",
    d.WaitsToEnter: lambda each: f"waits {each.seat} {each.clause}",
    d.StackNow: lambda each: f"stack {each.seat} {each.amount}",
    d.Bought: lambda each: f"bought {each.seat} {each.amount} total={each.total}",
    d.Account: lambda each: f"account {each.seat} bought={each.bought} stack={each.stack}",
    d.SeatDrawn: lambda each: f"seat-drawn {each.seat} {each.place} {each.clause}",
    d.GameWaits: lambda each: f"game-waits {each.rulebook} {each.clause}",
    d.Spoke: lambda each: joined(
        "spoke",
        each.seat,
        each.action,
        _named("to", each.to),
        _named("added", each.added),
        "all-in" if each.is_all_in else None,
    ),
    d.TakenBack: lambda each: f"taken-back {each.seat} {each.action}",
    d.Stored: lambda each: joined("stored", each.seat, each.action, _named("to", each.to)),
    d.CutOffered: lambda _: "cut-offered",
    d.Exchanges: lambda each: f"exchanges {each.seat} {each.cards}",
    d.Discards: lambda each: f"discards {each.seat} {each.cards}",
    d.StubMade: lambda each: joined(
        "stub", each.cards, f"seats={','.join(map(str, each.seats))}", _named("without", each.without)
    ),
    d.PotCarried: lambda each: joined("pot-carried", each.amount),
    d.Uncalled: lambda each: f"uncalled {each.seat} {each.amount}",
    d.PotMade: lambda each: f"pot {each.pot} {each.amount} seats={','.join(map(str, each.seats))}",
    d.Mucked: lambda each: f"mucked {each.seat}",
    d.Awarded: lambda each: joined("award", each.pot, f"seat-{each.seat}", each.amount, each.clause),
    d.CardTurned: lambda each: f"turned {each.slot}",
    d.IncidentRaised: _incident_line,
    d.Asked: lambda each: f"asked {each.question} {each.about}",
    d.IncidentEscalated: lambda each: joined(
        f"escalated {each.incident} remedy={'|'.join(each.remedies)}", _two(each.two_persons)
    ),
    d.IncidentClosed: lambda each: f"closed {each.incident} {each.remedy} by {each.by}",
    d.AlarmSeen: lambda each: f"acknowledged {each.alarm} by {each.by}",
    d.IncidentSeen: lambda each: f"acknowledged {each.incident} by {each.by}",
    d.SeatVoided: lambda each: f"void-seat {each.seat} {each.clause}",
    d.SeatWithdrawn: lambda each: f"withdraw-seat {each.seat} {each.clause}",
    d.SeatExpelled: lambda each: f"expel {each.seat} {each.clause}",
    d.HandVoided: lambda each: f"void-hand {each.clause}",
    d.Refund: lambda each: joined("refund", bettor_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetReversed: lambda each: joined(
        "reversed",
        bettor_word(each.seat, each.bettor),
        each.bet,
        _named("stake", each.stake),
        _named("pays", each.pays),
    ),
    d.Ranked: lambda each: f"rank {each.spot} {each.category}",
    d.BetSettled: _settled_line,
    d.HandClosed: lambda each: joined(
        f"hand-closed {each.hand} presses={each.presses} drawn={each.drawn}", _named("float", each.float_change)
    ),
}


def decision_line(decision: d.Decision, *, last_draw: int, with_who: bool = False) -> str:
    """A decision as its line, without `<`. A card's slot names its draw only where it is not the last one. `with_who`:
    an incident says who may choose its remedy, as in a file that is written anew."""
    if isinstance(decision, d.CardPlaced):
        return f"card {decision.slot}" + ("" if decision.draw == last_draw else f" draw={decision.draw}")
    line = _DECISION_LINES[type(decision)](decision)
    return f"{line}{WHO}{decision.chooser}" if with_who and isinstance(decision, d.IncidentRaised) else line


def decision_lines(
    fact: f.Fact, decisions: Iterable[d.Decision], *, last_draw: int, with_who: bool = False
) -> list[str]:
    """The decisions of one fact as lines, without those that go without saying: the bet just entered, the closing of
    an incident whose remedy the rule itself decided."""
    return [
        decision_line(each, last_draw=last_draw, with_who=with_who)
        for each in decisions
        if not (isinstance(fact, f.Bets) and isinstance(each, d.BetTaken) and each.bettor == SEATED)
        and not (isinstance(each, d.IncidentClosed) and each.by is Chooser.RULE)
    ]
