"""What a screen says, in one language: the view's words and numbers become sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tablectl.screens import money
from tablectl.screens.clauses import Clauses
from tablectl.screens.model import (
    ClosedHand,
    IncidentState,
    IncidentView,
    Lying,
    PromptView,
    RefusalView,
    SettledView,
    Side,
    TableInfo,
    TableView,
)
from tablectl.screens.texts import Texts

_SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_VOID_HAND: Final = "void-hand"
_BETTING: Final = "betting"
#: Which bet a seat is asked for in a phase, and how many times the ante it is.
_ASKED_BETS: Final = {"flop-decision": 2, "turn-decision": 1, "river-decision": 1}


@dataclass(frozen=True, kw_only=True, slots=True)
class Speech:
    """One language, for one table. Every method gives a text that can stand on a page."""

    language: str
    texts: Texts
    clauses: Clauses
    table: TableInfo | None = None

    # --- plain ------------------------------------------------------------------------------------------------------

    def say(self, table: str, key: str, /, **values: object) -> str:
        """A sentence of `texts.toml`, its braces filled in."""
        return self.texts.text(table, key, self.language).format(**values)

    def page(self, key: str, /, **values: object) -> str:
        """A sentence that belongs to the page itself."""
        return self.say("page", key, **values)

    def word(self, table: str, key: str) -> str:
        """A closed set's member; one that this version does not know stands as it came."""
        return self.texts.text(table, key, self.language) if self.texts.has(table, key) else key

    def clause(self, clause: str, view: TableView) -> str:
        """What the rule says, in one sentence."""
        rulebook = self.table.rulebook if self.table is not None else view.rulebook
        return self.clauses.sentence(rulebook, clause, self.language)

    def time(self, at: str) -> str:
        """The hour at the table."""
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")

    def moment(self, at: str) -> str:
        """Day and hour, of what may be days ago; a dash where nobody could write it down."""
        try:
            when = datetime.fromisoformat(at).astimezone()
        except ValueError:
            return "—"
        return when.strftime("%d/%m/%Y %H:%M:%S" if self.language == "es" else "%Y-%m-%d %H:%M:%S")

    def person(self, name: str) -> str:
        """Who did it."""
        return self.word("person", name)

    # --- places -----------------------------------------------------------------------------------------------------

    def slot(self, slot: str) -> str:
        """What to do with the next card: "Carta 2 al puesto 5"."""
        return self._place("slot", slot)

    def place(self, slot: str) -> str:
        """Where it is: "puesto 5, carta 2"."""
        return self._place("place", slot)

    def spot(self, spot: str) -> str:
        """ "Puesto 3" or "Banca"."""
        head, _, number = spot.partition("-")
        return self.say("spot", "seat", seat=number) if head == "seat" else self.word("spot", spot)

    def _place(self, table: str, slot: str) -> str:
        spot, _, position = slot.partition(".")
        head, _, seat = spot.partition("-")
        for key in (f"{head}-{position}", head):
            if self.texts.has(table, key):
                return self.say(table, key, seat=seat, position=position)
        return slot

    # --- the prompt -------------------------------------------------------------------------------------------------

    def instruction(self, view: TableView) -> str:
        """The one thing to do now, in a few words."""
        prompt = view.prompt
        if prompt is None:
            return self.say("instruction", "none")
        if prompt.question is not None:
            return self.question(prompt.question, prompt.about)
        key = self._key("instruction", prompt, view)
        return self.say("instruction", key, slot=self._about(prompt), seat=self.spot(prompt.about))

    def hint(self, view: TableView) -> str:
        """The sentence below it."""
        prompt = view.prompt
        if prompt is None:
            return self.say("hint", "none")
        if prompt.question is not None:
            return self.question(prompt.question, prompt.about, table="question-hint")
        if (amount := self._asked_amount(view)) is not None:
            return self.say("hint", "ask-seat-amount", amount=amount)
        return self.say("hint", self._key("hint", prompt, view))

    def _about(self, prompt: PromptView) -> str:
        return self.place(prompt.about) if prompt.instruction == "name-card" else self.slot(prompt.about)

    def _key(self, table: str, prompt: PromptView, view: TableView) -> str:
        head = prompt.about.partition(".")[0]
        candidates = (
            f"{prompt.instruction}-{view.phase}",
            f"{prompt.instruction}-{'up' if head == 'board' else head}",
            prompt.instruction,
        )
        return next((key for key in candidates if self.texts.has(table, key)), "none")

    def question(self, question: str, about: str, *, table: str = "question") -> str:
        """What the croupier is asked, or how to answer it."""
        exact = f"{question}-{about}"
        return self.say(table, exact if self.texts.has(table, exact) else question, spot=self.spot(about))

    def _asked_amount(self, view: TableView) -> str | None:
        times = _ASKED_BETS.get(view.phase)
        ante = view.seat(view.turn).bets.get("ante") if view.turn is not None else None
        return None if times is None or ante is None else self.money(times * ante)

    # --- the panel --------------------------------------------------------------------------------------------------

    def key(self, key: str, view: TableView) -> str:
        """What a key is called now: what it answers to the question that is asked, or what it does in this phase."""
        prompt = view.prompt
        asked = "" if prompt is None or key not in prompt.keys else f"{prompt.question}-{key}"
        now = next((each for each in (asked, f"{view.phase}-{key}") if self.texts.has("key-now", each)), None)
        return self.word("key", key) if now is None else self.say("key-now", now)

    def seat_key(self, seat: int, view: TableView) -> str:
        """What stands below a seat key's number when pressing it does not mean the seat; empty when it does."""
        means = self._seat_key(seat, view)
        return "" if means is None else self.say("seat-key", means)

    def seat_key_aloud(self, seat: int, view: TableView) -> str:
        """A seat key as one reads it aloud: "Puesto 3", "3 cartas", "Vuelta 2"."""
        means = self._seat_key(seat, view)
        return self.spot(f"seat-{seat}") if means is None else self.say("seat-key-aloud", means, seat=seat)

    def _seat_key(self, seat: int, view: TableView) -> str | None:
        prompt = view.prompt
        if prompt is None or f"seat-{seat}" not in prompt.keys:
            return None
        if prompt.question is not None:
            candidates = (f"{prompt.question}-{seat}", prompt.question)
            return next((each for each in candidates if self.texts.has("seat-key", each)), None)
        repeats = view.phase == _BETTING and self._amounts and not view.seat(seat).in_hand
        return "repeat" if repeats else None

    @property
    def _amounts(self) -> bool:
        return self.table is not None and self.table.amounts

    def refusal(self, refusal: RefusalView) -> str:
        """Why the last entry changed nothing."""
        entry = self.word("key", refusal.entry)
        if entry == refusal.entry:
            entry = self.word("entry", refusal.entry)
        if refusal.entry.startswith("seat-"):
            entry = self.spot(refusal.entry)
        return self.say("refusal", refusal.why, entry=entry, detail=self._detail(refusal)).strip()

    def _detail(self, refusal: RefusalView) -> str:
        words = [self._detail_word(word) for word in refusal.detail.split()]
        return " · ".join(words)

    def _detail_word(self, word: str) -> str:
        name, equals, value = word.partition("=")
        if name == "limits" and (ends := value.split(".."))[-1].isdigit():
            return self.page("limits", least=self.money(int(ends[0])), most=self.money(int(ends[-1])))
        if name == "turn":
            return self.spot(value)
        if equals and self.texts.has("bet", name) and value.isdigit():
            return f"{self.bet(name)} {self.money(int(value))}"
        if equals and value.isdigit() and name.startswith(("seat-", "house")):
            return self._count(name, value)
        return self.word("bet", self.word("remedy", word)) if not equals else word.replace("=", " ")

    # --- cards ------------------------------------------------------------------------------------------------------

    def card(self, card: Lying) -> str:
        """A card as one reads it aloud; only one that lies open has a name."""
        match card.side:
            case Side.BACK:
                return self.say("card", "back")
            case Side.UNREAD:
                return self.say("card", "unread")
            case Side.FACE:
                assert card.code is not None, "a face has its code"
                rank, suit = card.code[0], card.code[1]
                return self.say("card-name", "of", rank=self.word("rank", rank), suit=self.word("suit", suit))

    # --- incidents --------------------------------------------------------------------------------------------------

    def title(self, incident: IncidentView) -> str:
        """The incident in three or four words."""
        return self.word("title", self._incident_key("title", incident))

    def happened(self, incident: IncidentView) -> str:
        """What happened, in one sentence."""
        return self.say("happened", self._incident_key("happened", incident))

    def _incident_key(self, table: str, incident: IncidentView) -> str:
        observed = "wrong-count" if "=" in incident.observed else incident.observed
        variants = (
            (incident.expected == "declared-at-once", "late"),
            (observed == "face-up-card" and incident.remedies == (_VOID_HAND,), "again"),
            (incident.remedies == ("continue",), "continue"),
            (incident.expected == "no-card", "after"),
            (incident.remedies == ("correct",), "mendable"),
        )
        named = [f"{observed}-{variant}" for applies, variant in variants if applies]
        return next((key for key in (*named, observed) if self.texts.has(table, key)), "other")

    def observed(self, word: str) -> str:
        """What was expected or seen: a slot, a count, a word."""
        name, equals, value = word.partition("=")
        if equals:
            return self._count(name, value)
        if word.startswith("decision-seat-"):
            return self.say("word", "decision", seat=word.rpartition("-")[2])
        return self.place(word) if "." in word else self.word("word", word)

    def _count(self, spot: str, cards: str) -> str:
        number = self.say("word", "card-count-1" if cards == "1" else "card-count", cards=cards)
        return self.say("word", "count", spot=self.spot(spot), cards=number)

    def steps(self, incident: IncidentView, view: TableView) -> tuple[str, ...]:
        """What the croupier has to do about it, one thing after the other."""
        match incident.state:
            case IncidentState.ASKED:
                mine = view.prompt is not None and view.prompt.incident == incident.number
                question = view.prompt.question if mine and view.prompt is not None else None
                return self.texts.lines("steps-asked", question or "none", self.language)
            case IncidentState.RULING:
                return self.texts.lines("steps-ruling", "wait", self.language)
            case IncidentState.CLOSED:
                special = self._incident_key("steps", incident)
                key = special if self.texts.has("steps", special) else str(incident.remedy)
                return self.texts.lines("steps", key, self.language) if self.texts.has("steps", key) else ()

    def decided(self, incident: IncidentView) -> str:
        """Who decided on the remedy."""
        by = self.person(incident.ruled_by) if incident.ruled_by else self.word("chooser", str(incident.closed_by))
        return self.page("ruled", by=by)

    def acknowledged(self, incident: IncidentView) -> str:
        """Who has seen it, and when."""
        if incident.seen_by is None or incident.seen_at is None:
            return self.page("unseen")
        return self.page("acknowledged", by=self.person(incident.seen_by), at=self.time(incident.seen_at))

    # --- money ------------------------------------------------------------------------------------------------------

    def money(self, amount: int | None) -> str:
        """An amount with its currency; nothing without amounts."""
        if amount is None:
            return ""
        exponent, currency = self._currency()
        return money.full(amount, exponent=exponent, currency=currency, language=self.language)

    def chips(self, amount: int | None) -> str:
        """An amount as it stands on a chip; a dot where amounts are not entered."""
        return "●" if amount is None else money.short(amount, exponent=self._currency()[0], language=self.language)

    def net(self, amount: int | None) -> str:
        """A gain or a loss, with its sign."""
        return "" if amount is None else money.signed(amount, exponent=self._currency()[0], language=self.language)

    def settled(self, bet: SettledView) -> str:
        """One bet of the list: `+20`, `−10`, `= 10`; odds instead of amounts where none were entered."""
        if bet.outcome == "push":
            return "=" if bet.stake is None else f"= {self.chips(bet.stake)}"
        if bet.pays is not None:
            return self.net(bet.pays)
        return "−" if bet.odds is None else f"{bet.odds[0]}:{bet.odds[1]}"

    def _currency(self) -> tuple[int, str]:
        return (2, "EUR") if self.table is None else (self.table.currency_exponent, self.table.currency)

    def bet(self, bet: str) -> str:
        """The name of a bet."""
        return self.word("bet", bet)

    # --- hands ------------------------------------------------------------------------------------------------------

    def result(self, hand: ClosedHand) -> str:
        """How a hand ended, in two words."""
        if hand.void is not None:
            return self.page("void-hand")
        return self.word("category", hand.house_rank) if hand.house_rank is not None else self.page("played")

    def hand_counts(self, hand: ClosedHand) -> str:
        """How much there was to deal and to press: "14 cartas · 9 teclas"."""
        return f"{hand.drawn} {self.page('cards-drawn')} · {hand.presses} {self.page('presses')}"

    def hand_incidents(self, hand: ClosedHand) -> str:
        """Which incidents it had."""
        if not hand.incidents:
            return self.page("no-incidents")
        key = "incident-no" if len(hand.incidents) == 1 else "incident-nos"
        return self.page(key, numbers=", ".join(map(str, hand.incidents)))


def sign_of(suit: str) -> str:
    """The sign printed on a card."""
    return _SUIT_SIGNS[suit]


def rank_of(rank: str) -> str:
    """The rank printed on a card: ten has two digits."""
    return "10" if rank == "T" else rank
