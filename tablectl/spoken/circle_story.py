"""What is said of circle games in a time line: players, actions, pots, and the draw of a game with discards. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tablectl.spoken.speech import Speech

Said: TypeAlias = Mapping[str, Any]
Values: TypeAlias = Mapping[str, object]


def at_seat(t: Speech, said: Said) -> Values:
    """Whose bet or action it is."""
    return {"spot": t.bettor(said["seat"], said.get("bettor", 1))}


def _stake(t: Speech, said: Said) -> str:
    """ " a 600": the whole stake after an action; nothing where none is entered, or none was added."""
    to = said.get("to")
    return "" if to is None or said["action"] in ("fold", "check") else t.say("word", "to", amount=t.money(to))


def _acted(t: Speech, fact: Said) -> Values:
    spot = t.word("word", "in-turn-seat") if fact["seat"] is None else t.bettor(fact["seat"])
    all_in = t.word("word", "with-all-in") if fact["is_all_in"] else ""
    return {"spot": spot, "action": t.word("action", fact["action"]), "to": _stake(t, fact), "all_in": all_in}


def _chips_seen(t: Speech, fact: Said) -> Values:
    said = ""
    if fact["said"] is not None:
        to = "" if fact["said_to"] is None else t.say("word", "to", amount=t.money(fact["said_to"]))
        said = t.say("word", "said-with", action=t.word("action-may", fact["said"]), to=to)
    single = t.word("word", "one-chip") if fact["is_single"] else ""
    return {**at_seat(t, fact), "chips": t.money(fact["chips"]), "single": single, "said": said}


def _moved(t: Speech, said: Said) -> Values:
    return {**at_seat(t, said), "what": t.word("move", said["what"])}


def _amount(t: Speech, said: Said) -> Values:
    return {**at_seat(t, said), "amount": t.money(said["amount"])}


def _account(t: Speech, said: Said) -> Values:
    return {**at_seat(t, said), "bought": t.money(said["bought"]), "stack": t.money(said["stack"])}


def _spoke(t: Speech, said: Said) -> Values:
    added = said.get("added")
    return {
        **at_seat(t, said),
        "action": t.word("action", said["action"]),
        "to": _stake(t, said),
        "added": t.say("word", "adds", amount=t.money(added)) if added else "",
        "all_in": t.word("word", "with-all-in") if said.get("is_all_in") else "",
    }


def _pot_made(t: Speech, said: Said) -> Values:
    seats = ", ".join(map(str, said["seats"]))
    return {"pot": _pot(t, said["pot"]), "amount": t.money(said["amount"]), "seats": seats}


def _awarded(t: Speech, said: Said) -> Values:
    amount = "" if said["amount"] is None else f": {t.money(said['amount'])}"
    return {**at_seat(t, said), "pot": _pot(t, said["pot"]), "amount": amount}


def _pot(t: Speech, number: int) -> str:
    """One decision does not say how many pots there are: the first is the main pot, whether others are beside it."""
    return t.pot(number, pots=max(2, number))


def _changes(t: Speech, said: Said) -> Values:
    """How many cards a seat changes; none is "servido" (FCD-DSC-13)."""
    spot = t.word("word", "in-turn-seat") if said["seat"] is None else t.bettor(said["seat"])
    cards = said["cards"]
    what = t.say("word", "changes", cards=t.cards(cards)) if cards else t.word("word", "served")
    return {"spot": spot, "what": what}


def _stub_made(t: Speech, said: Said) -> Values:
    apart = said["without"]
    return {
        "cards": t.cards(said["cards"]),
        "seats": ", ".join(t.spot(f"seat-{seat}") for seat in said["seats"]),
        "without": "" if apart is None else t.say("word", "without", spot=t.spot(f"seat-{apart}")),
    }


def _pot_carried(t: Speech, said: Said) -> Values:
    return {"amount": "" if said["amount"] is None else f" ({t.money(said['amount'])})"}


FACTS: Final[Mapping[str, Callable[[Speech, Said], Values]]] = {
    "acted": _acted,
    "put-in": _chips_seen,
    "asks-for": _changes,
    "moved": _moved,
    "stacked": _amount,
    "button-placed": at_seat,
}
DECISIONS: Final[Mapping[str, Callable[[Speech, Said], Values]]] = {
    "button-at": at_seat,
    "player-now": _moved,
    "waits-to-enter": at_seat,
    "stack-now": _amount,
    "bought": lambda t, said: {**_amount(t, said), "total": t.money(said["total"])},
    "account": _account,
    "seat-drawn": lambda t, said: {**at_seat(t, said), "place": t.spot(f"seat-{said['place']}")},
    "game-waits": lambda t, said: {"game": t.word("game", said["rulebook"])},
    "spoke": _spoke,
    "taken-back": _spoke,
    "stored": _spoke,
    "cut-offered": lambda _t, _said: {},
    "exchanges": _changes,
    "discards": lambda t, said: {**at_seat(t, said), "cards": t.cards(said["cards"])},
    "stub-made": _stub_made,
    "pot-carried": _pot_carried,
    "uncalled": _amount,
    "pot-made": _pot_made,
    "mucked": at_seat,
    "awarded": _awarded,
}
