"""A record in plain words, in one language: what happened, what the table concluded, what the rule says about it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from tablectl.catalogue.catalogue import UnknownRulebook, load

LANGUAGES: Final = ("es", "en")
SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

Said: TypeAlias = Mapping[str, Any]


@cache
def _texts() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    return tomllib.loads(files("tablectl.evidence").joinpath("texts.toml").read_text(encoding="utf-8"))


@cache
def _clauses(rulebook: str) -> Mapping[str, Mapping[str, str]]:
    try:
        return {each.id: {"es": each.es, "en": each.en} for each in load(rulebook)}
    except UnknownRulebook:
        return {}


def amount_text(amount: int | None) -> str:
    """An amount with its thousands apart; a dot where amounts are not entered."""
    if amount is None:
        return "●"
    return f"{abs(amount):,}".replace(",", "\u202f")


def signed_text(amount: int) -> str:
    """A gain or a loss."""
    return f"{'+' if amount > 0 else '−' if amount < 0 else '±'}{amount_text(amount)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Speech:
    """One language, for the hands of one rulebook."""

    language: str
    rulebook: str

    def say(self, table: str, key: str, /, **values: object) -> str:
        """A sentence of `texts.toml`, its braces filled in."""
        return _texts()[table][key][self.language].format(**values)

    def word(self, table: str, key: str) -> str:
        """A closed set's member; one that this version does not know stands as it came."""
        found = _texts()[table].get(key)
        return found[self.language] if found is not None else key

    def page(self, key: str, /, **values: object) -> str:
        """A sentence that belongs to the page itself."""
        return self.say("page", key, **values)

    def clause(self, clause: str) -> str:
        """What the rule says, in one sentence; empty for a clause without a catalogue."""
        return _clauses(self.rulebook).get(clause, {}).get(self.language, "")

    # --- places and cards -------------------------------------------------------------------------------------------

    def spot(self, spot: str | int) -> str:
        """A seat by its number or name, or the bank."""
        head, _, number = str(spot).rpartition("-")
        if head in ("seat", ""):
            return self.say("spot", "seat", seat=number) if number.isdecimal() else self.word("spot", number)
        return str(spot)

    def place(self, slot: str) -> str:
        """Where a card lies."""
        spot, _, position = slot.partition(".")
        head, _, seat = spot.partition("-")
        key = next((each for each in (f"{head}-{position}", head) if each in _texts()["place"]), None)
        return slot if key is None else self.say("place", key, seat=seat, position=position)

    def card(self, code: str) -> str:
        """A card as one reads it aloud."""
        return self.say("card-name", "of", rank=self.word("rank", code[0]), suit=self.word("suit", code[1]))

    def observed(self, word: str) -> str:
        """What was expected or seen: a slot, a count, a word."""
        name, equals, value = word.partition("=")
        if equals:
            number = self.say("word", "card-count-1" if value == "1" else "card-count", cards=value)
            return self.say("word", "count", spot=self.spot(name), cards=number)
        if word.startswith("decision-seat-"):
            return self.say("word", "decision", seat=word.rpartition("-")[2])
        return self.place(word) if "." in word else self.word("word", word)

    def remedies(self, remedies: Iterable[str]) -> str:
        """What there is to choose from."""
        return " / ".join(self.word("remedy", each) for each in remedies)

    def person(self, name: str) -> str:
        """Who did it."""
        return self.word("person", name)

    # --- records ----------------------------------------------------------------------------------------------------

    def fact(self, fact: Said) -> str:
        """What happened."""
        kind = str(fact["kind"])
        if kind not in _FACTS:
            return self.say("fact", "other", kind=kind)
        key, values = _FACTS[kind](self, fact)
        return self.say("fact", key, **values)

    def decision(self, decision: Said) -> str:
        """What the table concluded."""
        return self.say("decision", decision["kind"], **_DECISIONS[decision["kind"]](self, decision))

    def outcome(self, settled: Said) -> str:
        """What became of a bet, with its odds."""
        odds = f" {settled['odds'][0]}:{settled['odds'][1]}" if settled["odds"] is not None else ""
        return f"{self.word('outcome', settled['outcome'])}{odds}"

    def refusal(self, refused: Said) -> str:
        """Why an entry changed nothing."""
        detail = str(refused["detail"])
        return self.say("refusal", refused["why"], entry=self.word("key", detail), detail=detail).strip()

    def about(self, word: str) -> str:
        """What a question is about."""
        if "." in word:
            return self.place(word)
        return self.spot(word) if word.startswith(("seat-", "house")) else self.word("about", word)


def _reason(fact: Said) -> str:
    return f" «{fact['reason']}»" if fact.get("reason") else ""


def _amount(said: Said) -> str:
    return "" if said["amount"] is None else f" {amount_text(said['amount'])}"


def _by(t: Speech, fact: Said) -> dict[str, object]:
    return {"by": t.person(fact["by"]), "reason": _reason(fact)}


def _device(t: Speech, fact: Said) -> dict[str, object]:
    return {"role": t.word("role", fact["role"]), "device": fact["device"], "reason": _reason(fact)}


def _bets(t: Speech, fact: Said) -> str:
    return ", ".join(
        t.word("bet", bet) if amount is None else f"{t.word('bet', bet)} {amount_text(amount)}"
        for bet, amount in fact["amounts"].items()
    )


def _declared(t: Speech, fact: Said) -> dict[str, object]:
    where = "" if fact["spot"] is None else f", {t.spot(fact['spot'])}"
    if fact["cards"] is not None:
        where += f" ({t.say('word', 'card-count-1' if fact['cards'] == 1 else 'card-count', cards=fact['cards'])})"
    return {"what": t.word("declaration", fact["what"]), "where": where}


def _settled(t: Speech, said: Said) -> dict[str, object]:
    amount = "" if said["pays"] is None else f" ({signed_text(said['pays'])})"
    odds = f" {said['odds'][0]}:{said['odds'][1]}" if said["odds"] is not None else ""
    outcome = t.word("outcome", said["outcome"])
    return {**_bet(t, said), "outcome": outcome, "odds": odds, "amount": amount}


def _bet(t: Speech, said: Said) -> dict[str, object]:
    return {"spot": t.spot(said["seat"]), "bet": t.word("bet", said["bet"])}


def _said(t: Speech, fact: Said) -> dict[str, object]:
    code = "" if fact["code"] is None else f" {fact['code']}"
    return {**_device(t, fact), "what": f"{fact['what']}{code}"}


_Filled: TypeAlias = dict[str, object]
#: The sentence of a fact and what fills its braces.
_FACTS: Final[Mapping[str, Callable[[Speech, Said], tuple[str, _Filled]]]] = {
    "opened": lambda t, fact: ("opened", {}),
    "drawn": lambda t, fact: ("drawn" if fact["card"] is not None else "drawn-unread", {}),
    "pressed": lambda t, fact: (
        "pressed",
        {"key": t.spot(fact["key"]) if fact["key"].startswith("seat-") else t.word("key", fact["key"])},
    ),
    "bets": lambda t, fact: ("bets", {"spot": t.spot(fact["seat"]), "bets": _bets(t, fact)}),
    "removed": lambda t, fact: ("removed", {"spot": t.spot(fact["seat"])}),
    "declared": lambda t, fact: ("declared", _declared(t, fact)),
    "ruled": lambda t, fact: (
        "ruled",
        {**_by(t, fact), "incident": fact["incident"], "remedy": t.word("remedy", fact["remedy"])},
    ),
    "acknowledged": lambda t, fact: ("acknowledged", {**_by(t, fact), "incident": fact["incident"]}),
    "named": lambda t, fact: ("named", {**_by(t, fact), "place": t.place(fact["slot"]), "card": t.card(fact["card"])}),
    "called": lambda t, fact: ("called", _by(t, fact)),
    "device-lost": lambda t, fact: ("device-lost", _device(t, fact)),
    "device-back": lambda t, fact: ("device-back", _device(t, fact)),
    "device-said": lambda t, fact: ("device-said", _said(t, fact)),
    "failed": lambda t, fact: ("failed", {"error": fact["error"]}),
    "stopped": lambda t, fact: ("stopped", {"why": fact["why"]}),
    "tilted": lambda t, fact: ("tilted", {"reason": fact["reason"]}),
    "cleared": lambda t, fact: ("cleared", _by(t, fact)),
    "unsealed": lambda t, fact: (
        "unsealed-granted" if fact["granted"] else "unsealed-refused",
        {**_by(t, fact), "of_hand": fact["of_hand"]},
    ),
    "volume-opened": lambda t, fact: ("volume-opened", {"volume": fact["volume"]}),
    "volume-closed": lambda t, fact: ("volume-closed", {"volume": fact["volume"]}),
}
_DECISIONS: Final[Mapping[str, Callable[[Speech, Said], _Filled]]] = {
    "hand-opened": lambda t, said: {
        "hand": said["hand"],
        "rulebook": t.word("game", said["rulebook"]),
        "version": said["version"],
    },
    "phase-entered": lambda t, said: {"phase": t.word("phase", said["phase"])},
    "bet-taken": lambda t, said: {**_bet(t, said), "amount": _amount(said)},
    "bets-returned": lambda t, said: {"spot": t.spot(said["seat"])},
    "folded": lambda t, said: {"spot": t.spot(said["seat"])},
    "checked": lambda t, said: {"spot": t.spot(said["seat"])},
    "refused": lambda t, said: {"why": t.refusal(said)},
    "card-placed": lambda t, said: {"draw": said["draw"], "place": t.place(said["slot"])},
    "card-turned": lambda t, said: {"place": t.place(said["slot"])},
    "incident-raised": lambda t, said: {
        "incident": said["incident"],
        "expected": t.observed(said["expected"]),
        "observed": t.observed(said["observed"]),
    },
    "asked": lambda t, said: {"question": t.word("question", said["question"]), "about": t.about(said["about"])},
    "incident-escalated": lambda t, said: {"incident": said["incident"], "remedies": t.remedies(said["remedies"])},
    "incident-closed": lambda t, said: {
        "incident": said["incident"],
        "remedy": t.word("remedy", said["remedy"]),
        "by": t.word("chooser", said["by"]),
    },
    "incident-seen": lambda t, said: {"incident": said["incident"], "by": t.person(said["by"])},
    "seat-voided": lambda t, said: {"spot": t.spot(said["seat"])},
    "hand-voided": lambda t, said: {},
    "refund": lambda t, said: {**_bet(t, said), "amount": _amount(said)},
    "ranked": lambda t, said: {"spot": t.spot(said["spot"]), "category": t.word("category", said["category"])},
    "bet-settled": _settled,
    "hand-closed": lambda t, said: {"hand": said["hand"], "drawn": said["drawn"], "presses": said["presses"]},
}
