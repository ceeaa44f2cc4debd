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
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.describe import describe_decision, describe_fact
from tablectl.i18n.table_texts import TableTexts
from tablectl.web.screens.entered import entries_of, told
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


def entry_rows(t: TableTexts, picture: Picture) -> tuple[EntryRow, ...]:
    """All entries of the hand in play that can be put right here."""
    return tuple(
        EntryRow(
            number=number,
            seq=record.seq,
            at=record.at,
            says=told(t, picture.view, record),
            instead=tuple(_instead(t, record, picture)),
        )
        for number, record in entries_of(picture.view)
    )


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
    found = tuple(decisions)
    if not found or not isinstance(found[0], Withdrawn):
        return Consequences(refused=next((said for said in found if isinstance(said, Refused)), None))
    number, restated = found[0].number, {said.number for said in found if isinstance(said, Again)}
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
    after = [said for said in found if not isinstance(said, Again | Withdrawn)]
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


def corrections_page(pages: Pages, language: str, picture: Picture, *, wrong: int | None = None) -> str:
    """The whole page. `wrong`: the entry that the croupier says is wrong; it is chosen already."""
    rows = tuple(zip(*(entry_rows(texts, picture) for texts in pages.spoken(language, picture)), strict=True))
    stacks = stacks_to_move(picture.view)
    claims = picture.view.upheld if stacks and picture.table is not None else ()
    return pages.plain(
        "corrections", language, picture, page="house-limits", rows=rows, claims=claims, stacks=stacks, wrong=wrong
    )
