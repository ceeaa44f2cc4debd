"""What a screen shows besides, in one language: the view's words and numbers become sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import UNSET

from tablectl.core.engine.decisions import PhaseEntered, Spoke
from tablectl.core.engine.prompt import Legal, Offer, Prompt
from tablectl.core.engine.slots import HOUSE_UP
from tablectl.core.engine.vocabulary import Key
from tablectl.core.options.shared import Shuffle
from tablectl.core.public_table.aloud import Antes, Call
from tablectl.core.public_table.device import NoteView
from tablectl.core.public_table.incident import IncidentState, IncidentView, RefusalView
from tablectl.core.public_table.table import ClosedHand, Lying, PublicTable, SettledView, Side
from tablectl.core.public_table.waits import Waits, waits_of
from tablectl.i18n import times
from tablectl.i18n.describe import describe_decision
from tablectl.i18n.table_texts import TableTexts
from tablectl.web.screens import entered, money, payout
from tablectl.web.screens.games import asked_multiple, game_of
from tablectl.web.screens.greeting import TableInfo
from tablectl.web.screens.guidance import Guide

_BETTING: Final = "betting"
_CIRCLE: Final = "circle"
_SETTLEMENT: Final = "settlement"
#: Nobody opened, and the pot stays for the next hand.
_CARRIED: Final = "carried"
#: A seat is asked how many cards it changes, and the keys with numbers answer it.
_ASK_CARDS: Final = "ask-cards"
_NEW_STUB: Final = "new-stub"
_BANKED: Final = "banked"
#: Before the first card a seat's key says who comes and goes.
_COMING_AND_GOING: Final = ("new-hand", "post-blinds", "offer-cut", "post-antes")
_LAST_CARD_SEEN: Final = ("seen", "last-card")
_PIT_BOSS: Final = "pit-boss"
_SEAT: Final = re.compile(r"seat-\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class ScreenTexts(TableTexts):
    """One language, for one table. Every method gives a text that can stand on a page."""

    table: TableInfo | None = None
    #: the time at which it speaks; a time of the same day is said without its day
    now: datetime | None = None

    @property
    def zone(self) -> str:
        """The house's zone, in which every time is said; UTC before a controller has said which."""
        return times.NO_ZONE if self.table is None else self.table.timezone

    # --- plain ------------------------------------------------------------------------------------------------------

    def time(self, at: str) -> str:
        """The hour in the house's zone, with the day where that is not today."""
        today = None if self.now is None else self.now.astimezone(ZoneInfo(self.zone)).date()
        return times.time(at, self.zone, self.language, today=today)

    def moment(self, at: str, *, to: times.Precision = "minutes") -> str:
        """Day and hour, of what may be days ago; a dash where nobody could write it down."""
        try:
            return times.moment(at, self.zone, self.language, to=to)
        except ValueError:
            return "—"

    def hour(self, at: str) -> str:
        """The hour to the second, where the day stands already."""
        return times.hour(at, self.zone)

    def date(self, day: str) -> str:
        """A day of the calendar, from `2026-11-22`."""
        return times.date_text(date.fromisoformat(day), self.language)

    def count(self, count: int | None) -> str:
        """A number with its thousands apart; a dash where nobody counts."""
        if count is None:
            return "—"
        return money.grouped(count, self.language)

    def slot(self, slot: str) -> str:
        """What to do with the next card: "Carta 2 al puesto 5"; of a bank with other boxes, as its game says it."""
        spot, _, position = slot.partition(".")
        own = f"{self.rulebook}-{spot}"
        if position.isdigit() and self.texts.has("slot", own):
            return self.say("slot", own, position=position)
        return self.place(slot, table="slot")

    def role(self, role: str) -> str:
        """A role of a person, as a heading."""
        return self.say("person-role", role).capitalize()

    def pot_title(self, pot: int, pots: int) -> str:
        """A pot, as a heading; `pots`: how many there are."""
        return self.pot(pot, pots).capitalize()

    def all_in_key(self, action: str) -> str:
        """A key by which a player bets all that he has."""
        return self.word("key", action) + self.word("word", "with-all-in")

    # --- the prompt -------------------------------------------------------------------------------------------------

    def instruction(self, view: PublicTable) -> str:
        """The one thing to do now, in a few words."""
        draw = _asked_whether_seen(view)
        return self.waits_for(waits_of(view)) if draw is None else self.say("question", "seen-draw", draw=draw)

    def waits_for(self, waits: Waits) -> str:
        """What a table waits for, in a few words."""
        if not waits.instruction:
            return self.say("instruction", "none")
        if waits.question:
            return self.question(waits.question, waits.about)
        key = "speak-out-of-turn" if waits.is_out_of_turn else self._key("instruction", waits)
        return self.say(
            "instruction",
            key,
            slot=self._about(waits),
            seat=self.spot(waits.about),
            what=self.declaration(waits.about),
            cards="" if waits.cards is None else self.cards(waits.cards),
        )

    def hint(self, view: PublicTable) -> str:
        """The sentence below it."""
        prompt = view.prompt
        if prompt is None:
            return self.say("hint", "none")
        if prompt.question is not None:
            if prompt.question == _NEW_STUB:
                return self.say("question-hint", _NEW_STUB, seats=", ".join(map(str, prompt.gather)))
            more = "" if _asked_whether_seen(view) is None else self._asked_next(view)
            return f"{more}{self.question(prompt.question, prompt.about, table='question-hint')}"
        if view.is_out_of_turn:
            return self.say("hint", "speak-out-of-turn")
        if prompt.legal is not None and prompt.instruction == "speak":
            return self.say("hint", "speak-circle", actions=self.legal(_legal_words(prompt.legal)))
        if (amount := self._asked_amount(view)) is not None:
            key = "ask-seat-amount-any-order" if view.seats_asked else "ask-seat-amount"
            return self.say("hint", key, amount=amount)
        return self.say("hint", self._key("hint", waits_of(view)))

    def _asked_next(self, view: PublicTable) -> str:
        """That the same is asked about other cards after this one, and a space; empty where it is about none."""
        waits = [one for one in view.incidents.values() if one.state is IncidentState.ASKED and one.draw is not None]
        return f"{self.pluralize('question-hint', 'seen-more', len(waits) - 1)} " if len(waits) > 1 else ""

    def aloud(self, view: PublicTable) -> str:
        """What the croupier calls aloud now: the last bet or action, and the phase that it led to (THL-DEF-5)."""
        return " ".join(map(self._called, view.aloud))

    def _called(self, call: Call) -> str:
        match call:
            case PhaseEntered():
                return f"{self.word('phase', call.phase)}."
            case Antes():
                amount = self.money(call.amount)
                return self.say("aloud", "antes-of-all" if call.is_all else "antes", amount=amount and f": {amount}")
            case Spoke():
                return describe_decision(self, replace(call, added=None))
            case _:
                return describe_decision(self, call)

    def is_of_money(self, sentence: str) -> bool:
        """Whether a sentence says an amount: it is written so large that it is read from afar."""
        _, currency = self._currency()
        return money.symbol(currency) in sentence

    def guide(self, guide: Guide) -> str:
        """One thing to do by hand, in a few words."""
        return self.say("guide", guide.text)

    def _about(self, waits: Waits) -> str:
        return self.place(waits.about) if waits.instruction == "name-card" else self.slot(waits.about)

    def _key(self, table: str, waits: Waits) -> str:
        told, about = waits.instruction, waits.about
        head = about.partition(".")[0]
        candidates = (
            *((f"{told}-{_CARRIED}",) if waits.is_pot_carried else ()),
            *((f"{told}-{self._shuffled(waits.shuffle)}",) if about == "deck" else ()),
            f"{told}-{self.rulebook}-{waits.phase}",
            f"{told}-{about}",
            f"{told}-{waits.phase}",
            f"{told}-{'up' if head == 'board' or about == HOUSE_UP.name else head}",
            f"{told}-{self.rulebook}",
            f"{told}-{_CIRCLE if game_of(self.rulebook).is_circle else _BANKED}",
            f"{told}-{waits.equipment}",
            told,
        )
        return next((key for key in candidates if self.texts.has(table, key)), "none")

    def to_pay(self, view: PublicTable) -> str | None:
        """What it costs the seat whose turn it is to stay in the hand; None where that is nothing, or not known."""
        legal = view.prompt.legal if view.prompt is not None else None
        if legal is not None:
            return self.money(legal.call) if legal.call else None
        return self._asked_amount(view)

    def _asked_amount(self, view: PublicTable) -> str | None:
        multiple = asked_multiple(self.rulebook, view.profile, view.phase)
        if multiple is None or view.turn is None:
            return None
        bet, times = multiple
        base = view.seat(view.turn).bets.get(bet)
        return None if base is None else self.money(times * base)

    # --- the panel --------------------------------------------------------------------------------------------------

    def key(self, key: str, view: PublicTable) -> str:
        """What a key is called now: what it answers to the question that is asked, or what it does in this phase."""
        prompt = view.prompt
        if key == Key.CANCEL and self.undoes(view):
            return self.page("undo")
        asked = "" if prompt is None or key not in prompt.keys else f"{prompt.question}-{key}"
        circle = (f"{_CIRCLE}-{view.phase}-{key}", f"{_CIRCLE}-{key}") if game_of(self.rulebook).is_circle else ()
        in_list = (f"list-{key}",) if prompt is not None and prompt.offers else ()
        carried = (f"{_CARRIED}-{key}",) if view.circle.is_carried and view.phase == _SETTLEMENT else ()
        of_game = (f"{self.rulebook}-{view.phase}-{key}", f"{view.phase}-{key}", f"{self.rulebook}-{key}")
        moments = (
            asked,
            *in_list,
            *carried,
            f"{self._shuffled(view.profile.get('shuffle', ''))}-{key}",
            *circle,
            *of_game,
        )
        now = next((moment for moment in moments if self.texts.has("key-now", moment)), None)
        return self.word("key", key) if now is None else self.say("key-now", now)

    def _shuffled(self, shuffle: str) -> str:
        """By whom this game's deck is shuffled: by hand, the key that opens a hand of hold'em says that it was cut
        (THL-SHF-7)."""
        return f"{self.rulebook}-{shuffle or Shuffle.BY_HAND}"

    def seat_key(self, seat: int, view: PublicTable) -> str:
        """What stands below a seat key's number when pressing it does not mean the seat; empty when it does."""
        means = self._seat_key(seat, view)
        return "" if means is None else self.say("seat-key", means)

    def seat_key_aloud(self, seat: int, view: PublicTable) -> str:
        """A seat key as one reads it aloud: "Puesto 3", "3 cartas", "Vuelta 2"."""
        means = self._seat_key(seat, view)
        return self.spot(f"seat-{seat}") if means is None else self.say("seat-key-aloud", means, seat=seat)

    def key_amount(self, key: str, view: PublicTable) -> str:
        """What an action's key puts in, as the seat in turn may do it: "4 €", "8 – 50 €"; empty where not known."""
        legal = view.prompt.legal if view.prompt is not None else None
        if legal is None or view.prompt is None or key not in view.prompt.keys or view.is_out_of_turn:
            return ""
        match key:
            case "call":
                return "" if legal.call is None else self.money(legal.call)
            case "bet" | "raise":
                return self._bounds(legal)
            case "all-in":
                return "" if legal.all_in is None else self.money(legal.all_in)
            case _:
                return ""

    def _bounds(self, legal: Legal) -> str:
        if legal.raise_from is None:
            return ""
        if legal.stands is not UNSET:
            # What the key does; more is entered as an amount (THL-PLE-7).
            return self.money(legal.stands)
        if legal.raise_to is None:
            return f"{self.money(legal.raise_from)} +"
        if legal.raise_from == legal.raise_to:
            return self.money(legal.raise_to)
        is_sign_first = self.money(0)[0] != "0"
        least, most = (self.money, self.chips) if is_sign_first else (self.chips, self.money)
        return f"{least(legal.raise_from)} – {most(legal.raise_to)}"

    def _seat_key(self, seat: int, view: PublicTable) -> str | None:
        prompt = view.prompt
        if prompt is None or f"seat-{seat}" not in prompt.keys:
            return None
        if prompt.instruction == "ask-claims":
            return prompt.instruction
        if prompt.question is not None:
            candidates = (f"{prompt.question}-{seat}", prompt.question)
            return next((candidate for candidate in candidates if self.texts.has("seat-key", candidate)), None)
        if prompt.instruction == _ASK_CARDS:
            return f"{_ASK_CARDS}-{seat}" if self.texts.has("seat-key", f"{_ASK_CARDS}-{seat}") else _ASK_CARDS
        if game_of(self.rulebook).is_circle:
            return _come_or_go(view, seat)
        if view.phase != _BETTING:
            return None
        if view.seat(seat).in_hand:
            # While the bonus is entered its key adds that one.
            return "take-back" if prompt.about == next(iter(game_of(self.rulebook).boxes), None) else None
        return "repeat" if self._amounts else None

    @property
    def _amounts(self) -> bool:
        return self.table is not None and self.table.amounts

    def not_yours(self, name: str, wanted: Iterable[str], *, gives_roles: bool) -> str:
        """Why a page stays shut to whoever has none of these roles, and what would be right; `gives_roles`: he is the
        one who gives them."""
        roles = ", ".join(self.say("person-role", role) for role in wanted)
        return self.say("sign-on", "not-yours-giver" if gives_roles else "not-yours-what", name=name, roles=roles)

    def refused(self, refusal: RefusalView) -> str:
        """Why the last entry changed nothing."""
        return self.refusal(refusal.why, entry=refusal.entry, detail=refusal.detail, clause=refusal.clause)

    def noted(self, note: NoteView) -> str:
        """What a device says, with its number where that is a count or a code."""
        what = self.word("said", note.what)
        said = what if note.code is None else f"{what} {note.code}"
        return said[:1].upper() + said[1:]

    # --- cards ------------------------------------------------------------------------------------------------------

    def lying(self, card: Lying) -> str:
        """A card on the table as one reads it aloud; only one that lies open has a name."""
        match card.side:
            case Side.BACK | Side.UNREAD:
                return self.say("card", card.side)
            case Side.FACE:
                assert card.code is not None, "a face has its code"
                return self.card(card.code)

    # --- incidents --------------------------------------------------------------------------------------------------

    def title(self, incident: IncidentView) -> str:
        """The incident in three or four words, with the seat that has to be ruled on."""
        said = self.incident_title(incident.expected, incident.observed, incident.remedies)
        return f"{said} · {self.spot(incident.about)}" if incident.about else said

    def happened(self, incident: IncidentView) -> str:
        """What happened, in one sentence."""
        return self.say("happened", self._incident_key("happened", incident))

    def answered(self, incident: IncidentView) -> str:
        """Whether it was seen, as the croupier answered, and what follows; empty where he was not asked."""
        if incident.was_seen is None:
            return ""
        key = "not-seen" if not incident.was_seen else "seen-ruling" if incident.open else "seen"
        return self.say("answered", key)

    def void_why(self, view: PublicTable) -> str:
        """Why the hand is void, and what is done."""
        voided = [
            incident
            for incident in view.incidents.values()
            if (incident.hand, incident.remedy) == (view.hand, "void-hand")
        ]
        if not voided or voided[-1].clause != view.void:
            return self.page("void-why", clause=view.void)
        why = self.title(voided[-1])
        if voided[-1].was_seen:
            why = self.say("answered", "title-seen", title=why)
        return self.page("void-because", why=why, clause=view.void)

    def _incident_key(self, table: str, incident: IncidentView) -> str:
        return self.incident_key(table, incident.expected, incident.observed, incident.remedies)

    def offered(self, offer: Offer) -> str:
        """What will happen when this is declared, in one sentence."""
        if offer.chooser == _PIT_BOSS:
            return self.say("offer", _PIT_BOSS, remedies=self.remedies(offer.remedies).lower())
        remedy = offer.remedies[0]
        exact = f"{offer.what}-{remedy}"
        return self.say("offer", exact if self.texts.has("offer", exact) else remedy)

    def declaration(self, what: str) -> str:
        """Something that can be declared, as it stands on a button."""
        said = self.word("declaration", what)
        return said[:1].upper() + said[1:]

    def undo(self, view: PublicTable) -> str:
        """What the key for correcting would take back, in a few words; empty where that cannot be told."""
        prompt = view.prompt
        if prompt is not None and prompt.undo is not UNSET and (record := entered.record_of(view, prompt.undo)):
            return entered.in_short(self, record)
        if prompt is None or "cancel" not in prompt.keys or prompt.question is not None or prompt.offers or view.held:
            return ""
        if view.is_out_of_turn:
            return self.say("undo", "choice", seat=self.spot(prompt.about))
        if any(player.stored for player in view.circle.players.values()):
            return ""
        if prompt.cards is not None:
            return f"{self.spot(prompt.about)}: {self.cards(prompt.cards)}"
        if any(player.changes is not None for player in view.circle.players.values()):
            return ""  # "servido" was said last, or somebody bet after it
        last = [before for before in view.before if before.seq == view.before[-1].seq]
        return ", ".join(f"{self.spot(f'seat-{before.seat}')} {self.word('action', before.action)}" for before in last)

    def undoes(self, view: PublicTable) -> bool:
        """Whether "cancel" takes the last entry back, whatever that was."""
        return view.prompt is not None and view.prompt.undo is not UNSET

    def undo_bets(self, view: PublicTable) -> str:
        """Which bets against the bank would be taken back: those that were entered last; empty where there are none."""
        bets = {} if view.last_bet is None or view.phase != _BETTING else view.seat(view.last_bet).bets
        return f"{self.spot(f'seat-{view.last_bet}')} · {self.bets(bets)}" if bets else ""

    def steps(self, incident: IncidentView, view: PublicTable) -> tuple[str, ...]:
        """What the croupier has to do about it, one thing after the other, with the cards, the places and the money."""
        lines = self._steps(incident, view)
        values = self._to_handle(incident, view)
        return tuple(line.format(**values) for line in lines)

    def _to_handle(self, incident: IncidentView, view: PublicTable) -> dict[str, str]:
        """What the steps of a remedy name: the seat, the cards to collect and what goes back to whom."""
        seat = _SEAT.search(f"{incident.about} {incident.observed} {incident.expected}")
        piles = ", ".join(f"{self.pile(spot)}: {cards}" for spot, cards in payout.collected(view))
        owed = self.owed(view)
        return {
            "seat": self.page("that-seat") if seat is None else self.spot(seat[0]),
            "collect": self.cards(view.out) + (f" ({piles})" if piles else ""),
            "refunds": owed or self.page("no-refunds"),
        }

    def owed(self, view: PublicTable) -> str:
        """What goes back to whom in this hand, seat by seat; by the names of the bets where no amounts are entered."""
        return ", ".join(map(self._owed, payout.refund_rows(view.refunds)))

    def _owed(self, row: payout.Row) -> str:
        whose = self.bettor(row.seat, row.bettor)
        return f"{whose}: {', '.join(map(self.bet, row.bets)) if row.total is None else self.money(row.total)}"

    def _steps(self, incident: IncidentView, view: PublicTable) -> tuple[str, ...]:
        match incident.state:
            case IncidentState.ASKED:
                return self.texts.lines("steps-asked", _asked_now(incident, view.prompt), self.language)
            case IncidentState.RULING if _asks_both(incident, view.prompt):
                return self.texts.lines("steps-asked", _asked_now(incident, view.prompt), self.language)
            case IncidentState.RULING:
                return self.texts.lines("steps-ruling", "wait", self.language)
            case IncidentState.CLOSED:
                special = self._incident_key("steps", incident)
                key = special if self.texts.has("steps", special) else str(incident.remedy)
                return self.texts.lines("steps", key, self.language) if self.texts.has("steps", key) else ()

    def decided(self, incident: IncidentView) -> str:
        """Who decided on the remedy."""
        who, second = incident.ruled_by, incident.second
        by = self.persons(who, second) if who else self.word("chooser", str(incident.closed_by))
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

    def to_type(self, amount: int) -> str:
        """An amount as a person types it: no currency, nothing between thousands."""
        return money.to_type(amount, exponent=self._currency()[0], language=self.language)

    def gained(self, amount: int | None) -> str:
        """A sum that was gained or lost, with its sign and its currency; nothing without amounts."""
        if amount is None:
            return ""
        exponent, currency = self._currency()
        return money.gained(amount, exponent=exponent, currency=currency, language=self.language)

    def net(self, amount: int | None) -> str:
        """What one bet gains or loses, with its sign, as chips are counted out."""
        return "" if amount is None else money.signed(amount, exponent=self._currency()[0], language=self.language)

    def settled(self, bet: SettledView) -> str:
        """One bet of the list: `+20`, `−10`, `= 10`; odds instead of amounts where none were entered."""
        if bet.outcome == "push":
            return "=" if bet.stake is None else f"= {self.chips(bet.stake)}"
        if bet.pays is not None:
            return self.net(bet.pays)
        return "−" if bet.odds is None else f"{bet.odds[0]}:{bet.odds[1]}"

    def pile(self, spot: str) -> str:
        """Where cards have to be collected from."""
        return self.word("pile", spot) if self.texts.has("pile", spot) else self.spot(spot)

    def box(self, bet: str) -> str:
        """The letter of a box."""
        return self.word("bet-letter", bet)

    def stakes(self, bets: Mapping[str, int | None]) -> str:
        """Bets as one small chip: their sum."""
        known = [amount for amount in bets.values() if amount is not None]
        return self.chips(sum(known) if len(known) == len(bets) else None)

    def bets(self, bets: Mapping[str, int | None]) -> str:
        """Bets in a row: "Ante 5 €, TXB 1 €"."""
        return ", ".join(f"{self.bet(bet)} {self.money(amount)}".strip() for bet, amount in bets.items())

    def _currency(self) -> tuple[int, str]:
        return (2, "EUR") if self.table is None else (self.table.currency_exponent, self.table.currency)

    # --- hands ------------------------------------------------------------------------------------------------------

    def result(self, hand: ClosedHand) -> str:
        """How a hand ended, in two words."""
        if hand.void is not None:
            return self.page("void-hand")
        if hand.winners:
            return self.pluralize("page", "winner", len(hand.winners), seats=", ".join(map(str, hand.winners)))
        if hand.is_carried:
            return self.page("not-opened")
        return self.word("category", hand.house_rank) if hand.house_rank is not None else self.page("played")

    def for_next(self, carried: int | None) -> str:
        """The pot of a hand that nobody opened, and how much it is where that is known (FCD-WIN-5)."""
        said = self.page("pot-for-next")
        return said if carried is None else f"{said}: {self.money(carried)}"

    def hand_counts(self, hand: ClosedHand) -> str:
        """How much there was to deal and to press: "14 cartas · 9 teclas"."""
        return f"{self.cards(hand.drawn)} · {self.pluralize('page', 'presses', hand.presses)}"

    def hand_incidents(self, hand: ClosedHand) -> str:
        """Which incidents it had."""
        if not hand.incidents:
            return self.page("no-incidents")
        return self.pluralize("page", "incident-no", len(hand.incidents), numbers=", ".join(map(str, hand.incidents)))


def _asked_whether_seen(view: PublicTable) -> int | None:
    """Which card of the hand the croupier is asked about, where he is asked whether one that belongs nowhere yet was
    seen."""
    prompt = view.prompt
    if prompt is None or prompt.incident is None or (prompt.question, prompt.about) != _LAST_CARD_SEEN:
        return None
    incident = view.incidents.get(prompt.incident)
    return None if incident is None else incident.draw


def _legal_words(legal: Legal) -> Iterator[str]:
    """As a hand file has them: `check bet=200..5000`."""
    if legal.may_check:
        yield "check"
    if legal.may_call:
        yield "call" if legal.call is None else f"call={legal.call}"
    if legal.may_raise:
        name = "bet" if legal.is_bet else "raise"
        if legal.stands is not UNSET:
            yield f"{name}={legal.stands}"
        most = "" if legal.raise_to is None else str(legal.raise_to)
        yield name if legal.raise_from is None else f"{name}={legal.raise_from}..{most}"


def _asked_now(incident: IncidentView, prompt: Prompt | None) -> str:
    """Which steps belong to an incident that waits for the croupier: his question's; that of the list while it is open
    over it; those for a reader that is away where nothing can be asked; or that it comes after something else."""
    if prompt is not None and prompt.offers:
        return "list"
    if prompt is None or prompt.incident != incident.number:
        return "later"
    return prompt.question or "none"


def _asks_both(incident: IncidentView, prompt: Prompt | None) -> bool:
    """Whether the croupier is asked about an incident that the pit boss may rule on at the same time: readers alone."""
    return prompt is not None and prompt.question is not None and prompt.incident == incident.number


def _come_or_go(view: PublicTable, seat: int) -> str | None:
    """What a seat's key does between two hands; None where it means the seat."""
    if view.prompt is None or view.prompt.instruction not in _COMING_AND_GOING:
        return None
    if seat not in view.circle.players:
        return "takes"
    return "away" if view.circle.player(seat).is_there else "back"
