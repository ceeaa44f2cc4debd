"""A record in plain words, for the time line of a hand: what happened, and what the table concluded from it. Pure.

Only what stands in the public record is told. A card has a name here where a person named it, or where the caller says
that it lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.spoken import circle_story
from tablectl.spoken.circle_story import Said, at_seat
from tablectl.spoken.circle_story import Values as _Values
from tablectl.spoken.speech import Speech
from tablectl.tray import difference


def fact_told(t: Speech, fact: Said) -> str:
    """What happened, in one sentence."""
    kind = str(fact["kind"])
    values = _FACTS.get(kind)
    if values is None:
        return t.say("fact", "other", kind=kind)
    return _sentence(t.say("fact", _fact_key(kind, fact), **values(t, fact)))


def decision_told(t: Speech, said: Said, fact: Said, *, card: str | None = None) -> str:
    """What the table concluded from a fact, in one sentence. `card`: the code of the card that it is about, if open."""
    kind = str(said["kind"])
    if kind == "refused":
        entry = str(fact.get("key") or fact["kind"])
        why = t.refusal(said["why"], entry=entry, detail=str(said["detail"]), clause=said["clause"])
        return _sentence(t.say("decision", kind, why=why))
    values = _DECISIONS.get(kind)
    if values is None:
        return t.say("decision", "other", kind=kind)
    name = "" if card is None else f", {t.card(card)}"
    return _sentence(t.say("decision", kind, **values(t, said), card=name))


def conclusions(record: Said) -> tuple[Said, ...]:
    """The decisions of a record that say more than its fact does."""
    entered = record["fact"]["kind"] == "bets"
    return tuple(each for each in record.get("decisions", ()) if not (entered and each["kind"] == "bet-taken"))


def _sentence(text: str) -> str:
    plain = text.strip()
    return plain[:1].upper() + plain[1:]


# --- facts ------------------------------------------------------------------------------------------------------------


def _fact_key(kind: str, fact: Said) -> str:
    match kind:
        case "drawn" if fact.get("draw") is None:
            return "drawn-again"
        case "drawn" if fact.get("card") is None:
            return "drawn-unread"
        case "unsealed" if fact.get("granted") is not True:
            return "unsealed-refused"
        case "access" if fact.get("granted") is not True:
            return "access-refused"
        case "restored" if not fact.get("by"):
            return "restored-by-nobody"
        case "float-counted" if fact.get("expected") is None:
            return "float-counted-unknown"
        case "acknowledged" if fact.get("alarm"):
            return "acknowledged-alarm"
        case _:
            return kind


def _quoted(text: object) -> str:
    return f" «{text}»" if text else ""


def _nothing(_t: Speech, _fact: Said) -> _Values:
    return {}


def _pressed(t: Speech, fact: Said) -> _Values:
    key = str(fact["key"])
    return {"key": t.spot(key) if key.startswith("seat-") else t.word("key", key)}


def _bets(t: Speech, fact: Said) -> _Values:
    bets = (f"{t.bet(bet)} {t.money(amount)}".strip() for bet, amount in fact["amounts"].items())
    return {**at_seat(t, fact), "bets": ", ".join(bets)}


def _standing(t: Speech, fact: Said) -> _Values:
    return {**_bets(t, fact), "consent": t.word("word", "consents") if fact["consent"] else ""}


def _antenna(t: Speech, fact: Said) -> _Values:
    """What an antenna sees is a card of this hand, by its number, or one that is not known."""
    draw = fact.get("lies")
    what = t.word("word", "unknown-card") if draw is None else t.say("word", "card-number", draw=draw)
    return {"what": what, "spot": t.spot(fact["spot"])}


def _declared(t: Speech, fact: Said) -> _Values:
    spots = [t.spot(fact[name]) for name in ("spot", "other") if fact.get(name) is not None]
    where = "".join(f", {spot}" for spot in spots)
    count = "" if fact["cards"] is None else f" ({t.cards(fact['cards'])})"
    return {"what": t.word("declaration", fact["what"]), "where": f"{where}{count}"}


def _by(t: Speech, fact: Said) -> _Values:
    return {
        "by": t.persons(fact["by"], fact.get("second", "")),
        "reason": _quoted(fact.get("reason")),
        "incident": fact.get("incident"),
        "remedy": t.word("remedy", str(fact.get("remedy"))),
        "of_hand": fact.get("of_hand"),
    }


def _float(t: Speech, fact: Said) -> _Values:
    amount, more = fact["amount"], difference(fact["amount"], fact.get("expected"))
    return {
        **_by(t, fact),
        "amount": t.money(amount),
        "expected": t.money(fact.get("expected")),
        "more": "" if more is None else t.gain(more),
    }


def _who(t: Speech, said: Said) -> _Values:
    return {"who": t.person(said["croupier"])}


def _limits(t: Speech, said: Said) -> _Values:
    return {"limits": t.limits(said["limits"])}


def _alarm(t: Speech, said: Said) -> _Values:
    return {"alarm": t.alarm(said["alarm"]), "reason": _quoted(said.get("reason"))}


def _named(t: Speech, fact: Said) -> _Values:
    return {**_by(t, fact), "place": t.place(fact["slot"]), "card": t.card(fact["card"])}


def _device(t: Speech, fact: Said) -> _Values:
    code = "" if fact.get("code") is None else f" {fact['code']}"
    said = f"{t.word('said', str(fact.get('what', '')))}{code}"
    role, reason = t.word("role", fact["role"]), _quoted(fact.get("reason"))
    return {"role": role, "device": fact["device"], "reason": reason, "what": said}


def _topology(t: Speech, fact: Said) -> _Values:
    foreign = "" if fact["is_allowed"] else t.word("word", "foreign")
    return {"change": t.word("plug", fact["change"]), "what": fact["what"], "foreign": foreign}


def _tilted(t: Speech, fact: Said) -> _Values:
    return {"tilt": t.word("tilt", fact["tilt"]), "reason": _quoted(fact["reason"])}


def _deck(t: Speech, fact: Said) -> _Values:
    return {"deck": fact["deck"], "what": t.word("deck-state", fact["state"]), "by": fact["by"].capitalize()}


def _access(t: Speech, fact: Said) -> _Values:
    role = f" ({t.word('person-role', fact['role'])})" if fact["role"] else ""
    who = fact["who"].capitalize() or t.word("word", "nobody-named")
    about = f", {fact['about']}" if fact["about"] else ""
    return {"who": f"{who}{role}", "what": t.word("access", fact["what"]), "about": about}


def _on_felt(t: Speech, fact: Said) -> _Values:
    return {"spots": ", ".join(map(t.spot, fact["spots"])) or t.word("word", "nowhere")}


_FACTS: Final[Mapping[str, Callable[[Speech, Said], _Values]]] = {
    "opened": _nothing,
    "game-chosen": lambda t, fact: {"game": t.word("game", fact["setup"]["rulebook"]), "by": t.person(fact["by"])},
    "drawn": lambda _t, fact: {"draw": fact.get("draw")},
    "pressed": _pressed,
    "bets": _bets,
    "removed": at_seat,
    "standing-bet": _standing,
    "stands-out": at_seat,
    "seen": _antenna,
    "gone": _antenna,
    "strange-tag": lambda t, fact: {"what": t.word("word", fact["what"]), "spot": t.spot(fact["spot"])},
    "on-felt": _on_felt,
    "counted": lambda t, fact: {"cards": t.cards(fact["cards"])},
    "shuffled": lambda t, fact: {"cards": t.cards(fact["cards"])},
    "declared": _declared,
    "ruled": _by,
    "acknowledged": lambda t, fact: {**_by(t, fact), **(_alarm(t, fact) if fact.get("alarm") else {})},
    "named": _named,
    "called": _by,
    "device-lost": _device,
    "device-back": _device,
    "device-said": _device,
    "topology-changed": _topology,
    "failed": lambda _t, fact: {"error": fact["error"]},
    "stopped": lambda _t, fact: {"why": fact["why"]},
    "tilted": _tilted,
    "cleared": _by,
    "unsealed": _by,
    "deck-moved": _deck,
    "access": _access,
    "badge-shown": lambda _t, fact: {"badge": str(fact["badge"])[:8]},
    "tested": lambda t, fact: {"by": t.person(fact["by"]), "what": t.word("test", fact["what"])},
    "restored": lambda t, fact: {"records": fact["records"], **_by(t, fact)},
    "float-counted": _float,
    "float-filled": _float,
    "float-credited": _float,
    "clock-stepped": lambda _t, fact: {"seconds": f"{round(fact['by_us'] / 1_000_000):+d}"},
    "open-end": lambda _t, fact: {"first": fact["first"], "last": fact["last"]},
    "format": lambda _t, fact: {"needs": fact["needs"]},
    "volume-opened": lambda _t, fact: {"volume": fact["volume"]},
    "volume-closed": lambda _t, fact: {"volume": fact["volume"]},
    "signed-on": _who,
    "signed-off": _who,
    "limits-set": lambda t, fact: {**_by(t, fact), **_limits(t, fact)},
    "shelved": lambda t, fact: {**_by(t, fact), **_alarm(t, fact), "minutes": fact["minutes"]},
    "unshelved": lambda t, fact: {**_by(t, fact), **_alarm(t, fact)},
    **circle_story.FACTS,
}
#: The kinds of facts that have words; a test holds them against those there are.
FACTS_TOLD: Final = frozenset(_FACTS)


# --- decisions --------------------------------------------------------------------------------------------------------


def _plain(_t: Speech, _said: Said) -> _Values:
    return {}


def _hand_closed(t: Speech, said: Said) -> _Values:
    change = said.get("float_change")
    gain = "" if change is None else t.say("word", "float", gain=t.gain(change))
    drawn, presses = t.counted("word", "drawn", said["drawn"]), t.counted("word", "pressed", said["presses"])
    return {"hand": said["hand"], "drawn": drawn, "presses": presses, "float": gain}


def _opened(t: Speech, said: Said) -> _Values:
    return {"hand": said["hand"], "game": t.word("game", said["rulebook"]), "version": said["version"]}


def _bet(t: Speech, said: Said) -> _Values:
    return {**at_seat(t, said), "bet": f"{t.bet(said['bet'])} {t.money(said['amount'])}".strip()}


def _placed(t: Speech, said: Said) -> _Values:
    return {"draw": said["draw"], "place": t.place(said["slot"])}


def _raised(t: Speech, said: Said) -> _Values:
    return {
        "incident": said["incident"],
        "title": t.incident_title(said["expected"], said["observed"], tuple(said["remedies"])),
        "expected": t.observed(said["expected"]),
        "observed": t.observed(said["observed"]),
    }


def _closed(t: Speech, said: Said) -> _Values:
    return {
        "incident": said["incident"],
        "remedy": t.word("remedy", said["remedy"]),
        "by": t.word("chooser", said["by"]),
    }


def _settled(t: Speech, said: Said) -> _Values:
    pays = said["pays"]
    return {
        **at_seat(t, said),
        "bet": t.bet(said["bet"]),
        "outcome": t.outcome(said["outcome"], said["odds"]),
        "pays": f" ({t.gain(pays)})" if pays else "",
    }


def _reversed(t: Speech, said: Said) -> _Values:
    pays = said["pays"]
    return {**at_seat(t, said), "bet": t.bet(said["bet"]), "pays": f" ({t.gain(-pays)})" if pays else ""}


_DECISIONS: Final[Mapping[str, Callable[[Speech, Said], _Values]]] = {
    "hand-opened": _opened,
    "phase-entered": lambda t, said: {"phase": t.word("phase", said["phase"])},
    "bet-taken": _bet,
    "bets-returned": at_seat,
    "folded": at_seat,
    "checked": at_seat,
    "left-to-boxes": lambda t, said: {"bet": t.bet(said["bet"])},
    "card-placed": _placed,
    "card-turned": _placed,
    "incident-raised": _raised,
    "asked": lambda t, said: {"question": t.question(said["question"], said["about"])},
    "incident-escalated": lambda t, said: {"incident": said["incident"], "remedies": t.remedies(said["remedies"])},
    "incident-closed": _closed,
    "incident-seen": lambda t, said: {"incident": said["incident"], "by": t.person(said["by"])},
    "seat-voided": at_seat,
    "seat-withdrawn": at_seat,
    "seat-expelled": at_seat,
    "hand-voided": _plain,
    "refund": _bet,
    "bet-reversed": _reversed,
    "ranked": lambda t, said: {"spot": t.spot(said["spot"]), "category": t.word("category", said["category"])},
    "bet-settled": _settled,
    "hand-closed": _hand_closed,
    "croupier-at-table": _who,
    "croupier-waits": _who,
    "croupier-left": _who,
    "limits-wait": _limits,
    "limits-in-force": _limits,
    "alarm-shelved": _alarm,
    "alarm-unshelved": _alarm,
    "alarm-seen": lambda t, said: {**_alarm(t, said), "by": t.person(said["by"])},
    **circle_story.DECISIONS,
}
#: The kinds of decisions that have words; a test holds them against those there are.
DECISIONS_TOLD: Final = frozenset(("refused", *_DECISIONS))
