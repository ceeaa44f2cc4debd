"""The clause catalogue: every normative statement of a rulebook's document, as data.

One TOML file a game, in its folder; what each clause says stands beside it in the catalogues of the languages. Loading
checks both; a catalogue that breaks its own rules is a fault of this program and raises `BadCatalogue`. What enforces a
clause and which tests show it is not written there: it is found in the sources (`tablectl.i18n.clauses.evidence`). The
engine does not read any of this.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, TypeAlias

from tablectl.core.options.choices import Choice
from tablectl.core.toml_text import NotToml, toml
from tablectl.core.validation import one_of_near
from tablectl.games.registry import GAMES, choices_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import Texts, load_texts

CLAUSE_ID: Final = re.compile(r"\b[A-Z]{3}-[A-Z][A-Z0-9]{2}-\d+[a-z]?\b")


class Kind(StrEnum):
    """How compliance becomes known: by a sensor, a person's press, the bets, the settlement; or only by guidance."""

    SENSOR = "sensor"
    BUTTON = "button"
    BET = "bet"
    PAYOUT = "payout"
    PROCEDURE = "procedure"


class Phase(StrEnum):
    """When a clause applies: a phase of its rulebook, or always, or while the table is set up.

    In the order of a hand, one word for one thing in all our games. A game of another package can have phases of other
    names too. A test holds what a catalogue names against the phases of its rulebook.
    """

    ANY = "any"
    SETUP = "setup"
    #: cards decide about seats or the button; no hand
    SEATING = "seating"
    CLOSED = "closed"
    BLINDS = "blinds"
    ANTES = "antes"
    BETTING = "betting"
    DEALING = "dealing"
    PRE_FLOP_BETTING = "pre-flop-betting"
    FIRST_BETTING = "first-betting"
    FLOP_DECISION = "flop-decision"
    #: with the card burnt before it, as the streets that follow
    FLOP = "flop"
    FLOP_BETTING = "flop-betting"
    DECISION = "decision"
    TXB = "txb"
    DRAW = "draw"
    SECOND_BETTING = "second-betting"
    TURN_DECISION = "turn-decision"
    TURN = "turn"
    TURN_BETTING = "turn-betting"
    RIVER_DECISION = "river-decision"
    RIVER = "river"
    RIVER_BETTING = "river-betting"
    TURN_RIVER = "turn-river"
    SHOWDOWN = "showdown"
    SETTLEMENT = "settlement"
    VOIDED = "voided"


class Deadline(StrEnum):
    """Until when a clause can be applied, where it says so: what ends it. Labels say what each word means."""

    SESSION_START = "session-start"
    NO_MORE_BETS = "no-more-bets"
    FIRST_CARD = "first-card"
    DEAL_END = "deal-end"
    LOOKED = "looked"
    FIRST_ACTION = "first-action"
    FIRST_BET = "first-bet"
    SECOND_ACTION = "second-action"
    OWN_TURN = "own-turn"
    NEXT_ACTION = "next-action"
    TWO_ACTED = "two-acted"
    CALLED = "called"
    CARDS_MIXED = "cards-mixed"
    ROUND_CLOSED = "round-closed"
    FLOP = "flop"
    LAST_DECISION = "last-decision"
    NEXT_DRAW = "next-draw"
    SEEN = "seen"
    REVEAL = "reveal"
    SETTLEMENT = "settlement"
    POT_DELIVERED = "pot-delivered"
    HAND_END = "hand-end"
    NEXT_DEAL = "next-deal"
    FULL_LAP = "full-lap"
    SESSION_END = "session-end"


class Remedy(StrEnum):
    """What a clause says to do about a departure from it; several are steps, or the pit boss's choice."""

    VOID_HAND = "void-hand"
    VOID_SEAT = "void-seat"
    DISCARD = "discard"
    NEXT_CARD = "next-card"
    CORRECT = "correct"
    REFUND = "refund"
    LOSE = "lose"
    RESHUFFLE = "reshuffle"
    NEW_DECK = "new-deck"
    REJECT = "reject"
    WARN = "warn"
    PIT_BOSS = "pit-boss"
    CONTINUE = "continue"
    SHOW_TO_ALL = "show-to-all"
    BURN_IT_INSTEAD = "burn-it-instead"
    SET_ASIDE = "set-aside"
    RETURN_AND_RESHUFFLE = "return-and-reshuffle"
    NO_BURN = "no-burn"
    REVIVE = "revive"
    BIND = "bind"
    AS_CALL = "as-call"
    COMPLETE_CALL = "complete-call"
    RETURN_EXCESS = "return-excess"
    CHOOSE_AGAIN = "choose-again"
    TAKE_BACK = "take-back"
    REDEAL = "redeal"
    REDEAL_ON_DEMAND = "redeal-on-demand"
    NEW_STUB = "new-stub"
    COMPLETE_FROM_STUB = "complete-from-stub"
    UNDER_THE_STUB = "under-the-stub"
    PASS_CARD = "pass-card"


#: What a house may choose in a rulebook, by profile key.
HouseChoices: TypeAlias = Mapping[str, Choice]


class UnknownRulebook(LookupError):
    """There is no catalogue for this rulebook id."""


class BadCatalogue(ValueError):
    """A catalogue file breaks its own rules: which entry, and how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguity:
    """What a document leaves open: our register's id, and the key of the house's choices that decides."""

    id: str
    profile_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Where a catalogue comes from: the document's number, and the rulebook whose clauses hold for the rest."""

    rulebook: str
    number: str
    borrows: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One normative statement; what it says is the sentence of its id in the table `clause`.

    `definition`: it says what a word means or what is allowed, and asks nothing of anybody.
    """

    id: str
    kind: Kind
    phases: tuple[str, ...]
    section: str
    deadline: Deadline | None = None
    remedy: tuple[Remedy, ...] = ()
    ambiguity: tuple[Ambiguity, ...] = ()
    definition: bool = False

    @property
    def profile_key(self) -> str | None:
        """The first choice of a house that settles something this clause leaves open, where there is one."""
        return next(iter(self.profile_keys.values()), None)

    @property
    def profile_keys(self) -> Mapping[str, str]:
        """The choices of a house that settle what this clause leaves open, by the id of the open point."""
        return {
            ambiguity.id: ambiguity.profile_key for ambiguity in self.ambiguity if ambiguity.profile_key is not None
        }


@cache
def load(rulebook_id: str) -> tuple[Clause, ...]:
    """Every clause of a rulebook, in the document's order of subjects.

    Raises `UnknownRulebook` (whose text names the rulebooks there are) and `BadCatalogue`.
    """
    try:
        clauses = read(_text(rulebook_id))
        check_texts(rulebook_id, clauses, load_texts())
    except BadCatalogue as wrong:
        raise BadCatalogue(f"{GAMES[rulebook_id].folder / 'clauses.toml'}: {wrong}") from wrong
    return clauses


def document(rulebook_id: str) -> Document:
    """The document that a rulebook's clauses come from. Raises `UnknownRulebook`."""
    table = toml(_text(rulebook_id))
    return Document(rulebook=rulebook_id, number=table["document"], borrows=table.get("borrows"))


def check_texts(rulebook_id: str, clauses: Iterable[Clause], texts: Texts) -> None:
    """Every clause and every open point is one whole sentence in every language. Raises `BadCatalogue`."""
    for clause in clauses:
        _check_text("clause", clause.id, texts)
        for point in clause.ambiguity:
            _check_text("open-point", f"{rulebook_id}-{point.id}", texts)


def _check_text(table: str, key: str, texts: Texts) -> None:
    if not texts.has(table, key):
        raise BadCatalogue(
            f"{table} {key}: no catalogue of a language says it; would be right: a message with the context "
            f'"{table}.{key}" in locale/es/LC_MESSAGES/texts.po, compiled to texts.mo'
        )
    for language in LANGUAGES:
        text = texts.text(table, key, language)
        if text.strip() != text or text[-1:] not in (".", "!", "?"):
            raise BadCatalogue(f"{table} {key}: one whole sentence is expected in {language}, not {text!r}")


def _text(rulebook_id: str) -> str:
    if rulebook_id not in GAMES:
        raise UnknownRulebook(f"no rulebook {rulebook_id!r}; there are: {', '.join(GAMES)}")
    try:
        return GAMES[rulebook_id].folder.joinpath("clauses.toml").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadCatalogue(
            "no such file; would be right: the clauses of the game, and the file in its package"
        ) from None


def read(text: str) -> tuple[Clause, ...]:
    """The clauses of a catalogue's TOML text. Raises `BadCatalogue`."""
    try:
        table = toml(text)
    except NotToml as error:
        raise BadCatalogue(f"no TOML: {error}") from error
    rulebook = table.get("rulebook", "")
    keys = choices_of(rulebook)
    phases = tuple(GAMES[rulebook].as_shipped.phases) if rulebook in GAMES else ()
    open_points = {point.id: point for point in (_ambiguity(entry, keys) for entry in table.get("ambiguity", []))}
    clauses = tuple(_clause(entry, open_points, phases) for entry in table.get("clause", []))
    _check_whole(clauses, open_points)
    return clauses


def _ambiguity(entry: Mapping[str, Any], keys: Collection[str]) -> Ambiguity:
    try:
        made = Ambiguity(**entry)
    except TypeError as error:
        raise BadCatalogue(f"ambiguity {entry.get('id')}: {error}") from error
    if made.profile_key is not None and made.profile_key not in keys:
        raise BadCatalogue(f"{made.id}: the profile has no key {made.profile_key!r}")
    return made


def _clause(entry: Mapping[str, Any], open_points: Mapping[str, Ambiguity], own: Collection[str]) -> Clause:
    name = entry.get("id")
    closed: dict[str, type[StrEnum]] = {"kind": Kind, "deadline": Deadline}
    for key, words in closed.items():
        if key in entry:
            _check_word(name, key, entry[key], tuple(words))
    for key, allowed in (("phases", (*Phase, *own)), ("remedy", tuple(Remedy))):
        for word in entry.get(key, ()):
            _check_word(name, key, word, allowed)
    try:
        made = Clause(
            **{
                **entry,
                "kind": Kind(entry["kind"]),
                "phases": tuple(entry["phases"]),
                "deadline": Deadline(entry["deadline"]) if "deadline" in entry else None,
                "remedy": tuple(Remedy(word) for word in entry.get("remedy", ())),
                "ambiguity": tuple(open_points[word] for word in entry.get("ambiguity", ())),
            }
        )
    except KeyError as error:
        raise BadCatalogue(f"clause {name}: {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise BadCatalogue(f"clause {name}: {error}") from error
    if CLAUSE_ID.fullmatch(made.id) is None:
        raise BadCatalogue(f"{made.id!r} is no clause id such as THB-ERR-2")
    if not made.phases or not made.section:
        raise BadCatalogue(f"clause {made.id}: phases and section must be given")
    return made


def _check_word(clause: object, key: str, found: object, allowed: Iterable[str]) -> None:
    words = tuple(dict.fromkeys(str(word) for word in allowed))
    if found not in words:
        right = one_of_near(str(found), words)
        raise BadCatalogue(f"clause {clause}: {found!r} is no word for {key}; would be right: {right}")


def _check_whole(clauses: tuple[Clause, ...], open_points: Mapping[str, Ambiguity]) -> None:
    seen: set[str] = set()
    for clause in clauses:
        if clause.id in seen:
            raise BadCatalogue(f"clause {clause.id} stands there twice")
        seen.add(clause.id)
    unused = open_points.keys() - {point.id for clause in clauses for point in clause.ambiguity}
    if unused:
        raise BadCatalogue(f"no clause refers to {', '.join(sorted(unused))}")
