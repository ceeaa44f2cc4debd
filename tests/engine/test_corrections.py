"""Rulings, "Corrections": what was entered wrongly and is put right changes nothing of the hand.

Clean hands are played with some entries, places and identities of cards replaced by wrong ones, while the cards move as
in the clean hand; then these are put right. The end of the hand is that of the clean one, to the engine and to every
reader of the stream.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from msgspec import UNSET

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.corrections import ENTRIES
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.table import Table
from tablectl.core.engine.unread_cards import lies_open
from tablectl.core.engine.vocabulary import Action, Key, Remedy
from tablectl.core.events.stream import PublicRecord, Reveal
from tablectl.core.public_table.folding.fold import fold_uncollected
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tablectl.journal.record import faces_up
from tests.engine.tables import fingerprint
from tests.wide import once

HANDS: Final = Path(__file__).parents[1] / "hands"
#: How many hands of each game, and wrong entries in a hand at most.
EACH_GAME: Final = 30
WRONG_MOST: Final = 3
#: What differs though nothing went wrong: a correction is a fact with a number, and nobody can undo it alone.
_OF_THE_WAY: Final = frozenset({"last_entry", "entries", "n_incidents", "known_incidents", "entry"})
_VIEW: Final = frozenset(
    {"seq", "prompt_since", "corrections", "named", "earlier", "refusal", "before", "history", "aloud"}
)


@dataclass(kw_only=True)
class Played:
    """A hand as it is being played, with what a reader of its stream sees."""

    table: Table
    view: PublicTable = field(default_factory=PublicTable)
    records: list[PublicRecord] = field(default_factory=list)
    n_facts: int = 0
    #: the cards that were read and not revealed yet, by number
    read: dict[int, Card] = field(default_factory=dict)
    #: how many records the opening of the hand made
    n_begun: int = 0

    def tell(self, fact: f.Fact) -> tuple[d.Decision, ...]:
        drawn = len(self.table.state.deal.draws)
        decisions = self.table.apply(fact)
        draw = self.table.draw_of(fact, drawn)
        if draw is not None and isinstance(fact, f.Drawn | f.Seen) and fact.card is not None:
            self.read[draw] = fact.card
        record = PublicRecord(
            seq=len(self.records) + 1,
            hand=1,
            at_us=fact.at_us,
            event=fact,
            draw=draw,
            decisions=decisions,
            prompt=self.table.prompt(),
            reveals=tuple(self._revealed(decisions)),
        )
        self.records.append(record)
        self.view = fold_uncollected(self.view, record)
        is_opened = any(isinstance(said, d.HandOpened) for said in decisions)
        self.n_facts = 1 if is_opened else self.n_facts + (self.n_facts > 0)
        return decisions

    def _revealed(self, decisions: tuple[d.Decision, ...]) -> Iterator[Reveal]:
        """The cards that the rules turn up, as the journal reveals them: each once."""
        for draw, slot in faces_up(decisions):
            if (card := self.read.pop(draw, None)) is not None:
                yield Reveal(draw=draw, slot=slot, card=card, salt="")


def begun(hand: HandFile) -> Played:
    played = Played(table=Table.resume(hand.carry, rulebook_of))
    for fact in opening(hand):
        played.tell(fact)
    played.n_begun = len(played.records)
    return played


@cache
def clean_hands(game: str) -> tuple[HandFile, ...]:
    """The hands of a game in which nothing goes wrong, to their end."""
    found = (parse(path.read_text(encoding="utf-8")) for path in sorted((HANDS / game).glob("*.hand")))
    return tuple(hand for hand in found if is_clean(hand))


def is_clean(hand: HandFile) -> bool:
    played = begun(hand)
    told = [said for step in hand.steps for said in played.tell(step.fact)]
    kinds = {type(said) for said in told}
    is_one_hand = sum(isinstance(said, d.HandClosed) for said in told) == 1 and d.HandOpened not in kinds
    return is_one_hand and not kinds & {d.IncidentRaised, d.Refused, d.TakenBack, d.Asked, d.Withdrawn}


def is_refused(decisions: Sequence[d.Decision]) -> bool:
    return bool(decisions) and all(isinstance(said, d.Refused) for said in decisions)


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """What was told wrongly instead of a fact of the clean hand, and how two persons put it right."""

    fact: f.Fact
    instead: f.Entry | None = None
    card: Card | None = None
    spot: str | None = None
    #: the number of the card whose identity it is
    draw: int | None = None

    def put_right(self, number: int) -> f.Corrected:
        return f.Corrected(
            at_us=0,
            number=number,
            by="ana",
            second="luis",
            reason="misheard",
            instead=self.instead,
            card=self.card,
            spot=self.spot,
        )


def wrong_entries(fact: f.Fact, table: Table) -> list[Wrong]:
    """What can be entered instead, as somebody misheard or pressed the key beside it."""
    match fact:
        case f.Pressed():
            live = [key for key in table.prompt().keys if key not in (Key.CANCEL, Key.INCIDENT, Key.WRONG_COUNT)]
            return [Wrong(fact=f.Pressed(at_us=0, key=key), instead=fact) for key in live if key is not fact.key]
        case f.Acted():
            others = [replace(fact, action=action, to=None) for action in (Action.FOLD, Action.CHECK, Action.CALL)]
            others += [replace(fact, to=fact.to + 200)] if fact.to is not None else []
            others += [replace(fact, seat=seat) for seat in table.state.order if fact.seat is not None]
            return [Wrong(fact=other, instead=fact) for other in others if other != fact]
        case f.Bets():
            doubled = replace(fact, amounts={bet: _more(amount) for bet, amount in fact.amounts.items()})
            elsewhere = [replace(fact, seat=seat) for seat in (1, 2, 3, 4, 5, 6, 7) if seat != fact.seat]
            return [Wrong(fact=other, instead=fact) for other in (doubled, *elsewhere)]
        case f.AsksFor():
            return [Wrong(fact=replace(fact, cards=cards), instead=fact) for cards in range(4) if cards != fact.cards]
    return []


def wrong_places(fact: f.Fact, table: Table) -> list[Wrong]:
    """Where an antenna can say that a card lies, though it lies elsewhere."""
    if not isinstance(fact, f.Seen):
        return []
    spots = (*(f"seat-{seat}" for seat in table.state.order), "burn", "discard", "board")
    return [Wrong(fact=replace(fact, spot=spot), spot=fact.spot) for spot in spots if spot != fact.spot]


def open_in_time(hand: HandFile) -> frozenset[int]:
    """The cards that everybody sees before the hand is over, by number."""
    played, found = begun(hand), set[int]()
    for step in hand.steps:
        played.tell(step.fact)
        state = played.table.state
        if state.in_play:
            found |= {draw.number for draw in state.deal.draws if not draw.is_back and lies_open(state, draw)}
    return frozenset(found)


def wrong_cards(hand: HandFile, opened: frozenset[int], fact: f.Fact, table: Table) -> list[Wrong]:
    """As which other cards the shoe can read one that everybody sees later. `opened`: these, by number."""
    number = len(table.state.deal.draws) + 1
    if not isinstance(fact, f.Drawn) or fact.card is None or number not in opened:
        return []
    if any(isinstance(step.fact, f.Seen) for step in hand.steps):
        return []  # two readers that disagree are another matter
    used = {step.fact.card for step in hand.steps if isinstance(step.fact, f.Drawn)}
    unused = [card for card in DECK if card not in used]
    return [Wrong(fact=replace(fact, card=card), card=fact.card, draw=number) for card in unused]


def _more(amount: int | None) -> int | None:
    return None if amount is None else 2 * amount


@dataclass(kw_only=True)
class Scenario:
    """How a clean hand is played with mistakes: some facts are told wrongly at first, and put right later."""

    hand: HandFile
    chance: random.Random
    n_corrected: dict[str, int]
    n_wrong: int = 0
    opened: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.opened = open_in_time(self.hand)

    def play(self) -> Played:
        played, clean = begun(self.hand), begun(self.hand)
        facts = [step.fact for step in self.hand.steps]
        at = 0
        while at < len(facts):
            after = self._wrongly(played, clean, facts, at) if self.n_wrong < WRONG_MOST else None
            if after is None:
                assert not is_refused(played.tell(facts[at])), facts[at]
                clean.tell(facts[at])
                after = at + 1
            at = after
        return played

    def _wrong_one(self, played: Played, facts: list[f.Fact], at: int) -> Wrong | None:
        """Another fact than the one at a place, seldom; None where there is none that is taken."""
        fact = facts[at]
        if self.chance.random() > (0.4 if type(fact) in ENTRIES else 0.1):
            return None
        table = played.table
        others = [
            *wrong_entries(fact, table),
            *wrong_places(fact, table),
            *wrong_cards(self.hand, self.opened, fact, table),
        ]
        self.chance.shuffle(others)
        return next((wrong for wrong in others[:3] if self._can_be_told(played, wrong, facts[at + 1 :])), None)

    def _wrongly(self, played: Played, clean: Played, facts: list[f.Fact], at: int) -> int | None:
        """Tell another fact, go on for a while, and put it right. Where the next fact of the hand stands; None where
        there is nothing else to be told."""
        wrong = self._wrong_one(played, facts, at)
        if wrong is None:
            return None
        played.tell(wrong.fact)
        number, told = played.n_facts, {}
        clean.tell(facts[at])
        after, most = at + 1, at + 1 + self.chance.randrange(6)
        while after < len(facts) - 1 and (after < most if wrong.draw is None else not self._lies_open(played, wrong)):
            if wrong.draw is None and not self._fits(played, clean, facts[after]):
                break
            played.tell(facts[after])
            told[played.n_facts] = facts[after]
            clean.tell(facts[after])
            after += 1
        assert played.table.state.in_play, "it can be put right"
        self._put_right(played, wrong, number, told)
        assert_same(played, clean)
        return after

    def _put_right(self, played: Played, wrong: Wrong, number: int, told: dict[int, f.Fact]) -> None:
        """By two persons; what was entered meanwhile and does not fit any more is entered again."""
        decisions = played.tell(wrong.put_right(number))
        said = decisions[0]
        assert isinstance(said, d.Withdrawn), decisions
        assert (said.number, said.new, said.escalated) == (number, (), ())
        again = {made.number for made in decisions if isinstance(made, d.Again)}
        assert number in again
        for dropped, fact in told.items():
            if dropped not in again:
                assert type(fact) in ENTRIES, "what cards did is never dropped"
                assert not is_refused(played.tell(fact)), fact
                self._count("again")
        self.n_wrong += 1
        self._count("card" if wrong.draw else "place" if wrong.spot else "entry")
        if said.fallen:
            self._count("fallen")

    def _count(self, what: str) -> None:
        self.n_corrected[what] = self.n_corrected.get(what, 0) + 1

    def _lies_open(self, played: Played, wrong: Wrong) -> bool:
        state = played.table.state
        draws = state.deal.draws
        return wrong.draw is None or (len(draws) >= wrong.draw and lies_open(state, draws[wrong.draw - 1]))

    def _trial(self, played: Played) -> Played:
        """The same table once more, to try something."""
        trial = begun(self.hand)
        for record in played.records[trial.n_begun :]:
            assert isinstance(record.event, f.Fact)
            trial.tell(record.event)
        return trial

    def _can_be_told(self, played: Played, wrong: Wrong, later: list[f.Fact]) -> bool:
        """Whether it is taken, and does not end the hand: that is another test. Another card is put right once it lies
        open: the hand goes on till then as if nothing were."""
        trial = self._trial(played)
        if is_refused(trial.tell(wrong.fact)):
            return False
        for fact in later:
            if not trial.table.state.in_play or self._lies_open(trial, wrong):
                break
            if {d.Refused, d.IncidentRaised, d.Asked} & set(map(type, trial.tell(fact))):
                return False
        return trial.table.state.in_play and self._lies_open(trial, wrong)

    def _fits(self, played: Played, clean: Played, fact: f.Fact) -> bool:
        """Whether this can happen in both: cards move as in the clean hand, so they need the same place; and nobody
        goes on while the table is held."""
        now, was = played.table.state, clean.table.state
        if played.table.prompt().held or now.asking:
            return False
        if type(fact) not in ENTRIES:
            return now.phase.name == was.phase.name and now.deal.plan == was.deal.plan
        trial = self._trial(played)
        decisions = trial.tell(fact)
        return not {d.Refused, d.IncidentRaised} & set(map(type, decisions)) and trial.table.state.in_play


def remembered_of(table: Table) -> list[tuple[str, object]]:
    """What a table remembers of a hand, but for how it was entered."""
    found = fingerprint(table.state)
    assert isinstance(found, list)
    return [(name, value) for name, value in found if name not in _OF_THE_WAY]


def assert_same(played: Played, clean: Played) -> None:
    """To the engine, and to whoever read the stream. What everybody saw meanwhile stays known, and is listed."""
    shown = {draw for made in played.view.corrections for draw in made.shown}
    now, was = remembered_of(played.table), remembered_of(clean.table)
    assert now == was
    for member in fields(PublicTable):
        if member.name not in _VIEW:
            told, wanted = (_told(view, member.name, shown) for view in (played.view, clean.view))
            assert told == wanted, member.name


def _told(view: PublicTable, member: str, shown: set[int]) -> object:
    """A part of what a reader sees; the key that undoes is lit after an entry, and not after a correction."""
    value = getattr(view, member)
    if member == "cards":
        return {draw: replace(card, code=None) if draw in shown else card for draw, card in value.items()}
    if member == "incidents":
        return {number: incident for number, incident in value.items() if incident.remedy is not Remedy.CORRECT}
    if not isinstance(value, Prompt):
        return value
    return replace(value, keys=tuple(key for key in value.keys if key is not Key.CANCEL), undo=UNSET)


def scenarios(game: str, n_corrected: dict[str, int]) -> Iterator[Scenario]:
    chance = random.Random(22)
    hands = clean_hands(game)
    for _ in range(EACH_GAME):
        yield Scenario(hand=chance.choice(hands), chance=chance, n_corrected=n_corrected)


@pytest.mark.parametrize("game", once(RULEBOOKS, "texas-bonus"))
def test_a_hand_with_wrong_entries_that_are_put_right_ends_as_the_clean_one(game: str) -> None:
    n_corrected = dict[str, int]()
    for scenario in scenarios(game, n_corrected):
        played, clean = scenario.play(), begun(scenario.hand)
        for step in scenario.hand.steps:
            clean.tell(step.fact)
        assert_same(played, clean)
    assert n_corrected["entry"] > EACH_GAME / 2, "most hands have an entry that can be wrong"
    assert n_corrected["card"] > EACH_GAME / 6, "and some a card that everybody sees"
