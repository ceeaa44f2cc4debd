"""The page on which an entry of the hand is put right: which entries there are, what each could have been, and what
would follow. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.engine.decisions import Again, Decision, Refused, Withdrawn
from tablectl.core.engine.facts import Acted, AsksFor, Bets, Drawn, Entry, Pressed, Seen
from tablectl.core.engine.vocabulary import SEAT_KEYS, Action, Key
from tablectl.core.events.codec import encode_json
from tablectl.core.events.stream import PublicRecord, Unknown, encode_decision
from tablectl.core.public_table.pot_game import PlayerView
from tablectl.core.public_table.table import PublicTable, Side
from tablectl.i18n.describe import conclusions, describe_decision, describe_fact
from tablectl.i18n.languages import pair
from tablectl.i18n.table_texts import TableTexts
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages

#: Keys that are pressed for one another by mistake: what a player does, and at which seat.
_ALIKE: Final = (
    frozenset({Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE}),
    frozenset({Key.ALL_BET, Key.ALL_CHECK}),
    frozenset({Key.SEEN, Key.NOT_SEEN}),
    frozenset(SEAT_KEYS),
)
_CARDS_MOST: Final = 5
#: With these an amount goes.
_SIZED: Final = frozenset({Action.BET, Action.RAISE, Action.ALL_IN})


@dataclass(frozen=True, kw_only=True, slots=True)
class Instead:
    """What an entry could have been. `entry`: as a page sends it, with an amount where it needs one; None where it is
    another card that is chosen."""

    entry: Mapping[str, Any] | None
    says: str
    needs_amount: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryRow:
    """An entry of the hand, newest first."""

    number: int
    seq: int
    at: str
    says: str
    instead: tuple[Instead, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Consequences:
    """What would follow from a correction, in sentences: what does not hold any more, what does instead, and what is
    to be entered again. `refused`: why it cannot be."""

    gone: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    refused: Refused | None = None


def _entered(view: PublicTable) -> Iterator[tuple[int, PublicRecord]]:
    """The entries of the hand that count, newest first. The one that opened it stays."""
    earlier = view.earlier
    while earlier is not None and earlier.number > 1:
        record = earlier.record
        is_taken = any(not isinstance(said, Refused) for said in record.decisions)
        if is_taken and (isinstance(record.event, Entry) or _is_open(view, record)):
            yield earlier.number, record
        earlier = earlier.view.earlier


def _is_open(view: PublicTable, record: PublicRecord) -> bool:
    """Whether a reader told a card that everybody sees now."""
    card = None if record.draw is None else view.cards.get(record.draw)
    return isinstance(record.event, Drawn | Seen) and card is not None and card.side is Side.FACE


def entry_rows(t: TableTexts, picture: Picture) -> tuple[EntryRow, ...]:
    """All entries of the hand in play that can be put right here."""
    return tuple(
        EntryRow(
            number=number,
            seq=record.seq,
            at=record.at,
            says=" ".join([describe_fact(t, record), *_said(t, record, picture.view)]),
            instead=tuple(_instead(t, record, picture)),
        )
        for number, record in _entered(picture.view)
    )


def _said(t: TableTexts, record: PublicRecord, view: PublicTable) -> Iterator[str]:
    card = view.cards.get(record.draw or 0)
    code = card.code if card is not None and _is_open(view, record) else None
    return (describe_decision(t, said, entry=record.entry, card=code) for said in conclusions(record))


def _instead(t: TableTexts, record: PublicRecord, picture: Picture) -> Iterator[Instead]:
    seats = 0 if picture.table is None else picture.table.seats
    match record.event:
        case Pressed(key=key):
            alike: frozenset[Key] = next((keys for keys in _ALIKE if key in keys), frozenset())
            for other in Key:
                if other in alike and other is not key and (other not in SEAT_KEYS or SEAT_KEYS.index(other) < seats):
                    yield Instead(entry={"act": "press", "key": other.value}, says=t.word("key", other.value))
        case Acted(seat=seat):
            for action in Action:
                entry = {"act": "act", "seat": seat, "action": action.value}
                is_sized = action in _SIZED and picture.view.tracking == "amounts"
                yield Instead(entry=entry, says=t.word("action", action.value), needs_amount=is_sized)
        case Bets(seat=seat, amounts=amounts) if picture.view.tracking == "amounts":
            for bet in amounts:
                yield Instead(entry={"act": "bet", "seat": seat, "bets": {bet: ""}}, says=t.bet(bet), needs_amount=True)
        case Drawn() | Seen():
            yield Instead(entry=None, says=t.say("correcting", "other-card"))
        case AsksFor(seat=seat, cards=cards):
            for other_number in range(_CARDS_MOST + 1):
                if other_number != cards:
                    entry = {"act": "asks", "seat": seat, "cards": other_number}
                    yield Instead(entry=entry, says=t.cards(other_number))


def consequences(t: TableTexts, view: PublicTable, decisions: Iterable[Decision]) -> Consequences:
    """What would follow, compared with what the hand says now."""
    told = tuple(decisions)
    if not told or not isinstance(told[0], Withdrawn):
        return Consequences(refused=next((said for said in told if isinstance(said, Refused)), None))
    number, restated = told[0].number, {said.number for said in told if isinstance(said, Again)}
    before: list[Decision | Unknown] = []
    again: list[str] = []
    earlier = view.earlier
    while earlier is not None and earlier.number >= number:
        record = earlier.record
        if not record.is_note and not any(isinstance(said, Refused) for said in record.decisions):
            before = [*record.decisions, *before]
            if earlier.number > number and earlier.number not in restated and isinstance(record.event, Entry):
                again = [describe_fact(t, record), *again]
        earlier = earlier.view.earlier
    after = [said for said in told if not isinstance(said, Again | Withdrawn)]
    return Consequences(gone=_only(t, before, after), now=_only(t, after, before), again=tuple(again))


def _only(t: TableTexts, some: Iterable[Decision | Unknown], others: Iterable[Decision | Unknown]) -> tuple[str, ...]:
    """The sentences of what stands in the one and not in the other, each as often as it does."""
    left = Counter(map(_form, others))
    found = []
    for said in some:
        if left[form := _form(said)]:
            left[form] -= 1
        else:
            found.append(describe_decision(t, said))
    return tuple(found)


def _form(said: Decision | Unknown) -> bytes:
    """Equal for decisions that say the same."""
    return encode_json(encode_decision(said))


def stacks_to_move(view: PublicTable) -> tuple[PlayerView, ...]:
    """Between which seats chips can be moved for a claim that was upheld: none once a card of the next hand is dealt
    (THL-SDN-8)."""
    if not view.upheld or any(view.slots):
        return ()
    return tuple(player for _, player in sorted(view.circle.players.items()) if player.stack is not None)


def corrections_page(pages: Pages, language: str, picture: Picture) -> str:
    """The whole page."""
    first, second = (entry_rows(pages.texts(text, picture), picture) for text in pair(language))
    rows = tuple(zip(first, second, strict=True))
    stacks = stacks_to_move(picture.view)
    claims = picture.view.upheld if stacks and picture.table is not None else ()
    return pages.plain("corrections", language, picture, page="house-limits", rows=rows, claims=claims, stacks=stacks)
