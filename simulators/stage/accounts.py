"""Every card of a demo's hand, on the table and on record: none lost, none doubled."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import rulebook_of
from tablectl.journal.keys import load_sealing
from tablectl.journal.recovery import replay
from tablectl.journal.volumes import VolumeSet


class NotAsItWas(Exception):
    """Something was lost, doubled or changed, or the controller ended by itself. The text says what."""


def cards_on_record(journal: Path, hand: int) -> list[str | None]:
    """The cards of a hand as the journal has them, in order; None for one without a face. Raises `NotAsItWas`."""
    vault, _ = load_sealing(journal.with_suffix(".key"))
    with closing(VolumeSet(journal)) as volume_set:
        replayed = list(replay(volume_set, vault, rulebook_of, hand=hand))
    for step in replayed:
        if step.differs:
            raise NotAsItWas(
                f"record {step.stored.seq}: this program decides {[said.members for said in step.decisions]}"
            )
    found: list[str | None] = []
    for step in replayed:
        draw = step.record.draw
        card = step.fact.card if isinstance(step.fact, f.Drawn | f.Seen) else None
        if draw is not None and draw <= len(found):
            continue  # a card without a face, which an antenna read: it was there before
        if draw is not None:
            found.append(card.code if card is not None else None)
    return found


def check_cards(
    hand: int, on_felt: Sequence[str], on_record: Sequence[str | None], *, equipment: Equipment = Equipment.SHOE
) -> None:
    """Every card that was dealt in this hand is on record once, in order, with its face or without one. Antennas tell
    of cards that came together in any order, and so do they of cards that a shoe could not read. Raises `NotAsItWas`.
    """
    others = [(felt, card) for felt, card in zip(on_felt, on_record, strict=False) if card != felt]
    told = [card for _, card in others if card is not None]
    is_any_unread = len(told) < len(others)
    can_differ = equipment is Equipment.ANTENNAS or (equipment is Equipment.BOTH and is_any_unread)
    is_each_once = len(set(told)) == len(told) and {felt for felt, _ in others}.issuperset(told)
    if len(on_record) != len(on_felt) or not is_each_once or (told and not can_differ):
        raise NotAsItWas(f"hand {hand}: on the felt {list(on_felt)}, on record {list(on_record)}")
