"""What is said of circle games in a time line: players, actions, pots, and the draw of a game with discards. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeAlias

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Action
from tablectl.i18n.table_texts import TableTexts

Values: TypeAlias = Mapping[str, object]


class _AtSeat(Protocol):
    @property
    def seat(self) -> int: ...


def at_seat(t: TableTexts, said: _AtSeat) -> Values:
    """Whose bet or action it is."""
    return {"spot": t.bettor(said.seat, getattr(said, "bettor", 1))}


def _stake(t: TableTexts, action: Action, to: int | None) -> str:
    """The whole stake after an action: " 600" of a bet or a call, " a 600" of a raise; nothing where none is entered,
    or none was added."""
    if to is None or action in (Action.FOLD, Action.CHECK):
        return ""
    return f" {t.money(to)}" if action in (Action.BET, Action.CALL) else t.say("word", "to", amount=t.money(to))


def _in_turn(t: TableTexts, seat: int | None) -> str:
    return t.word("word", "in-turn-seat") if seat is None else t.bettor(seat)


def _acted(t: TableTexts, fact: f.Acted) -> Values:
    return {
        "spot": _in_turn(t, fact.seat),
        "action": t.word("action", fact.action),
        "to": _stake(t, fact.action, fact.to),
        "all_in": t.word("word", "with-all-in") if fact.is_all_in else "",
    }


def _chips_seen(t: TableTexts, fact: f.PutIn) -> Values:
    said = ""
    if fact.said is not None:
        to = "" if fact.said_to is None else t.say("word", "to", amount=t.money(fact.said_to))
        said = t.say("word", "said-with", action=t.word("action-may", fact.said), to=to)
    single = t.word("word", "one-chip") if fact.is_single else ""
    return {**at_seat(t, fact), "chips": t.money(fact.chips), "single": single, "said": said}


def _moved(t: TableTexts, said: f.Moved | d.PlayerNow) -> Values:
    return {**at_seat(t, said), "what": t.word("move", said.what)}


def _amount(t: TableTexts, said: f.Stacked | d.StackNow | d.Uncalled | d.Bought) -> Values:
    return {**at_seat(t, said), "amount": t.money(said.amount)}


def _transferred(t: TableTexts, fact: f.Transferred) -> Values:
    seats = {"spot": t.spot(f"seat-{fact.giver}"), "other": t.spot(f"seat-{fact.taker}")}
    return {**seats, "amount": t.money(fact.amount), "number": fact.incident, "by": t.persons(fact.by, fact.second)}


def _account(t: TableTexts, said: d.Account) -> Values:
    return {**at_seat(t, said), "bought": t.money(said.bought), "stack": t.money(said.stack)}


def _spoke(t: TableTexts, said: d.Spoke) -> Values:
    added = t.say("word", "adds", amount=t.money(said.added)) if said.added else ""
    all_in = t.word("word", "with-all-in") if said.is_all_in else ""
    return {**_spoken(t, said.seat, said.action, said.to), "added": added, "all_in": all_in}


def _spoken(t: TableTexts, seat: int, action: Action, to: int | None = None) -> Values:
    of_action = {"action": t.word("action", action), "to": _stake(t, action, to)}
    return {"spot": t.bettor(seat), **of_action, "added": "", "all_in": ""}


def _pot_made(t: TableTexts, said: d.PotMade) -> Values:
    return {"pot": _pot(t, said.pot), "amount": t.money(said.amount), "seats": ", ".join(map(str, said.seats))}


def _awarded(t: TableTexts, said: d.Awarded) -> Values:
    amount = "" if said.amount is None else f": {t.money(said.amount)}"
    return {**at_seat(t, said), "pot": _pot(t, said.pot), "amount": amount}


def _pot(t: TableTexts, number: int) -> str:
    """One decision does not say how many pots there are: the first is the main pot, whether others are beside it."""
    return t.pot(number, pots=max(2, number))


def _changes(t: TableTexts, said: f.AsksFor | d.Exchanges) -> Values:
    """How many cards a seat changes; none is "servido" (FCD-DSC-13)."""
    what = t.say("word", "changes", cards=t.cards(said.cards)) if said.cards else t.word("word", "served")
    return {"spot": _in_turn(t, said.seat), "what": what}


def _stub_made(t: TableTexts, said: d.StubMade) -> Values:
    apart = said.without
    return {
        "cards": t.cards(said.cards),
        "seats": ", ".join(t.spot(f"seat-{seat}") for seat in said.seats),
        "without": "" if apart is None else t.say("word", "without", spot=t.spot(f"seat-{apart}")),
    }


def _pot_carried(t: TableTexts, said: d.PotCarried) -> Values:
    return {"amount": "" if said.amount is None else f" ({t.money(said.amount)})"}


FACTS: Final[Mapping[type[Any], Callable[[TableTexts, Any], Values]]] = {
    f.Acted: _acted,
    f.PutIn: _chips_seen,
    f.AsksFor: _changes,
    f.Moved: _moved,
    f.Stacked: _amount,
    f.Transferred: _transferred,
    f.ButtonPlaced: at_seat,
}
DECISIONS: Final[Mapping[type[Any], Callable[[TableTexts, Any], Values]]] = {
    d.ButtonAt: at_seat,
    d.PlayerNow: _moved,
    d.WaitsToEnter: at_seat,
    d.StackNow: _amount,
    d.Bought: lambda t, said: {**_amount(t, said), "total": t.money(said.total)},
    d.Account: _account,
    d.SeatDrawn: lambda t, said: {**at_seat(t, said), "place": t.spot(f"seat-{said.place}")},
    d.GameWaits: lambda t, said: {"game": t.word("game", said.rulebook)},
    d.Spoke: _spoke,
    d.TakenBack: lambda t, said: _spoken(t, said.seat, said.action),
    d.Stored: lambda t, said: _spoken(t, said.seat, said.action, said.to),
    d.CutOffered: lambda _t, _said: {},
    d.Exchanges: _changes,
    d.Discards: lambda t, said: {**at_seat(t, said), "cards": t.cards(said.cards)},
    d.StubMade: _stub_made,
    d.PotCarried: _pot_carried,
    d.Uncalled: _amount,
    d.PotMade: _pot_made,
    d.Mucked: at_seat,
    d.Awarded: _awarded,
}
