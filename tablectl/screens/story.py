"""A record in words, for the time line of a hand: what happened, and what the table concluded from it. Pure.

Only words, numbers and places of a record are told. A card has a name here where the picture shows its face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablectl.screens.model import RefusalView, Side, TableView
from tablectl.screens.recall import Step
from tablectl.screens.speech import Speech


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One conclusion, and the clause it follows from, where it names one."""

    text: str
    clause: str | None = None


_Values: TypeAlias = Mapping[str, object]
_Said: TypeAlias = Mapping[str, Any]


class Teller:
    """Tells records in one language."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech

    def fact(self, step: Step) -> str:
        """What happened, in one sentence."""
        fact: _Said = step.record["fact"]
        kind = str(fact["kind"])
        values = _FACTS.get(kind)
        if values is None:
            return self._speech.say("fact", "other", kind=kind)
        return _sentence(self._speech.say("fact", _fact_key(kind, fact), **values(self._speech, fact)))

    def decisions(self, step: Step) -> tuple[Told, ...]:
        """What the table concluded, one line each."""
        return tuple(self._decision(each, step) for each in step.record.get("decisions", ()))

    def _decision(self, said: _Said, step: Step) -> Told:
        kind, clause = str(said["kind"]), said.get("clause")
        values = _DECISIONS.get(kind)
        if values is None:
            return Told(text=self._speech.say("decision", "other", kind=kind))
        face = kind in _OF_CARDS and _is_face(step.view, said["slot"])
        text = self._speech.say("decision", f"{kind}-face" if face else kind, **values(self._speech, said, step))
        return Told(text=_sentence(text), clause=clause)


def clauses_of(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Every clause that the steps name, in their order, once."""
    named = (each.get("clause") for step in steps for each in step.record.get("decisions", ()))
    return tuple(dict.fromkeys(clause for clause in named if clause is not None))


def _sentence(text: str) -> str:
    plain = text.strip()
    return plain[:1].upper() + plain[1:]


# --- facts ------------------------------------------------------------------------------------------------------------


def _fact_key(kind: str, fact: _Said) -> str:
    match kind:
        case "drawn" if fact.get("draw") is None:
            return "drawn-again"
        case "drawn" if fact.get("card") is None:
            return "drawn-unread"
        case "declared" if fact.get("spot") is not None and fact.get("cards") is not None:
            return "declared-count"
        case "unsealed" if fact.get("granted") is not True:
            return "unsealed-no"
        case _:
            return kind


def _nothing(_speech: Speech, _fact: _Said) -> _Values:
    return {}


def _pressed(speech: Speech, fact: _Said) -> _Values:
    key = str(fact["key"])
    return {"key": speech.spot(key) if key.startswith("seat-") else f"«{speech.word('key', key)}»"}


def _declared(speech: Speech, fact: _Said) -> _Values:
    count = f"{fact.get('spot')}={fact.get('cards')}"
    return {"what": speech.word("declaration", fact["what"]), "count": speech.observed(count)}


def _at_seat(speech: Speech, fact: _Said) -> _Values:
    return {"seat": speech.spot(f"seat-{fact['seat']}")}


def _by(speech: Speech, fact: _Said) -> _Values:
    remedy = fact.get("remedy")
    return {
        "by": speech.person(str(fact.get("by", ""))),
        "reason": _quoted(fact.get("reason")),
        "incident": fact.get("incident"),
        "remedy": "" if remedy is None else speech.word("remedy", remedy).lower(),
        "place": speech.place(str(fact.get("slot", ""))),
        "of_hand": fact.get("of_hand"),
    }


def _device(speech: Speech, fact: _Said) -> _Values:
    said = " ".join(str(fact[name]) for name in ("what", "code") if fact.get(name) is not None)
    return {"role": speech.word("role", fact["role"]), "reason": _quoted(fact.get("reason")), "what": said}


def _ended(speech: Speech, fact: _Said) -> _Values:
    return {
        "why": _quoted(fact.get("why")),
        "tilt": speech.word("tilt", str(fact.get("tilt", ""))),
        "reason": _quoted(fact.get("reason")),
    }


def _quoted(text: object) -> str:
    return f"«{text}»" if text else ""


_FACTS: Final[Mapping[str, Callable[[Speech, _Said], _Values]]] = {
    "opened": _nothing,
    "drawn": lambda _speech, fact: {"draw": fact.get("draw")},
    "pressed": _pressed,
    "bets": _at_seat,
    "removed": _at_seat,
    "declared": _declared,
    "ruled": _by,
    "acknowledged": _by,
    "named": _by,
    "called": _by,
    "device-lost": _device,
    "device-back": _device,
    "device-said": _device,
    "failed": _nothing,
    "stopped": _ended,
    "tilted": _ended,
    "cleared": _by,
    "unsealed": _by,
    "volume-closed": _nothing,
}
#: The kinds of facts that have words; a test holds them against those there are.
FACTS_TOLD: Final = frozenset(_FACTS)


# --- decisions --------------------------------------------------------------------------------------------------------

_OF_CARDS: Final = frozenset({"card-placed", "card-turned"})


def _is_face(view: TableView, slot: str) -> bool:
    card = view.lying(slot)
    return card is not None and card.side is Side.FACE


def _plain(_speech: Speech, said: _Said, _step: Step) -> _Values:
    return {name: value for name, value in said.items() if name in ("draw", "incident", "hand", "drawn", "presses")}


def _seated(speech: Speech, said: _Said, _step: Step) -> _Values:
    bet, amount = said.get("bet"), said.get("amount")
    return {
        "seat": speech.spot(f"seat-{said['seat']}"),
        "bet": "" if bet is None else speech.bet(bet),
        "amount": speech.money(amount),
    }


def _settled(speech: Speech, said: _Said, step: Step) -> _Values:
    made = next(each for each in step.view.settled if (each.seat, each.bet) == (said["seat"], said["bet"]))
    pays = speech.money(made.pays) if made.pays is not None else speech.settled(made)
    return {
        **_seated(speech, said, step),
        "outcome": speech.word("outcome", made.outcome),
        "pays": "" if made.outcome == "push" else pays,
    }


def _card(speech: Speech, said: _Said, step: Step) -> _Values:
    card = step.view.lying(said["slot"])
    name = "" if card is None else speech.card(card)
    return {"draw": said["draw"], "place": speech.place(said["slot"]), "card": name}


def _opened(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {"hand": said["hand"], "game": speech.word("game", said["rulebook"]), "version": said["version"]}


def _phase(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {"phase": speech.word("phase", said["phase"])}


def _refused(speech: Speech, said: _Said, step: Step) -> _Values:
    fact = step.record["fact"]
    made = RefusalView(
        seq=step.view.seq,
        why=said["why"],
        clause=said["clause"],
        detail=said["detail"],
        entry=str(fact.get("key") or fact["kind"]),
    )
    return {"why": speech.refusal(made)}


def _raised(speech: Speech, said: _Said, step: Step) -> _Values:
    return {"incident": said["incident"], "title": speech.title(step.view.incidents[said["incident"]])}


def _asked(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {"question": speech.question(said["question"], said["about"])}


def _escalated(speech: Speech, said: _Said, _step: Step) -> _Values:
    remedies = " / ".join(speech.word("remedy", each).lower() for each in said["remedies"])
    return {"incident": said["incident"], "remedies": remedies}


def _closed(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {
        "incident": said["incident"],
        "remedy": speech.word("remedy", said["remedy"]).lower(),
        "by": speech.word("chooser", said["by"]),
    }


def _seen(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {"incident": said["incident"], "by": speech.person(said["by"])}


def _ranked(speech: Speech, said: _Said, _step: Step) -> _Values:
    return {"spot": speech.spot(said["spot"]), "category": speech.word("category", said["category"])}


_DECISIONS: Final[Mapping[str, Callable[[Speech, _Said, Step], _Values]]] = {
    "hand-opened": _opened,
    "phase-entered": _phase,
    "bet-taken": _seated,
    "bets-returned": _seated,
    "folded": _seated,
    "checked": _seated,
    "refused": _refused,
    "card-placed": _card,
    "card-turned": _card,
    "incident-raised": _raised,
    "asked": _asked,
    "incident-escalated": _escalated,
    "incident-closed": _closed,
    "incident-seen": _seen,
    "seat-voided": _seated,
    "hand-voided": _plain,
    "refund": _seated,
    "ranked": _ranked,
    "bet-settled": _settled,
    "hand-closed": _plain,
}
#: The kinds of decisions that have words; a test holds them against those there are.
DECISIONS_TOLD: Final = frozenset(_DECISIONS)
