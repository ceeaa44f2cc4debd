"""What a headless demo ends with: hands, cards, presses, incidents by clause, devices, and the journal checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from simulators.stage.felt import Felt
from tablectl.games.registry import rulebook_of
from tablectl.i18n.pluralize import pluralize
from tablectl.journal.keys import load_sealing
from tablectl.journal.recovery import ReplayDiffers, replay
from tablectl.journal.seal import BadSeal
from tablectl.journal.verify import verify
from tablectl.journal.volumes import VolumeSet


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """The journal after a demo: is it intact, and does a replay decide the same?"""

    good: bool
    text: str


def check(journal: Path) -> Checked:
    """Verify and replay a whole journal."""
    volume_set = VolumeSet(journal)
    try:
        verdict = verify(volume_set.records())
        if verdict.fault is not None:
            return Checked(good=False, text=f"NOT INTACT: {verdict.fault}")
        text = (
            f"verified: {pluralize(verdict.records, 'record')}, {pluralize(verdict.reveals, 'reveal')} as committed, "
            f"{pluralize(verdict.signatures, 'signature')}"
        )
        vault, _ = load_sealing(journal.with_suffix(".key"))
        for replayed in replay(volume_set, vault, rulebook_of):
            if replayed.differs:
                return Checked(good=False, text=f"{text}; REPLAY DIFFERS at record {replayed.stored.seq}")
    except (ReplayDiffers, BadSeal) as wrong:
        return Checked(good=False, text=f"NOT REPLAYED: {wrong}")
    finally:
        volume_set.close()
    return Checked(good=True, text=f"{text}; replayed: every decision the same")


def summary(felt: Felt, *, title: str, seconds: float, checked: Checked, amounts: bool) -> Iterator[str]:
    """The lines; that of the float where amounts are entered."""
    yield f"{title}: {pluralize(felt.hands, 'hand')} in {seconds:.0f} s"
    yield f"  cards read     {felt.cards} ({felt.unread} of them unread)"
    yield f"  presses a hand {_median_and_most(felt.presses)}"
    smooth = (
        f"{_median_and_most(felt.smooth)} ({pluralize(len(felt.smooth), 'hand')})" if felt.smooth else "no such hand"
    )
    yield f"  presses when all stay and nothing goes wrong: {smooth}"
    if amounts:
        won, chips = felt.ledger.float_change, felt.ledger.chips
        agreed = "the players' chips agree" if felt.ledger.agrees else f"THE PLAYERS' CHIPS DO NOT AGREE: {chips:+}"
        yield f"  float          {won:+} cents expected; {agreed}"
    yield f"  hands voided   {felt.voided}"
    yield f"  incidents      {sum(felt.clauses.values())}"
    for clause, count in sorted(felt.clauses.items()):
        yield f"    {clause:<12} {count}"
    for device, count in sorted(felt.lost.items()):
        yield f"  {device:<14} lost and back {pluralize(count, 'time')}"
    yield f"  journal        {checked.text}"


def _median_and_most(presses: list[int]) -> str:
    return f"median {median(presses):g}, most {max(presses)}" if presses else "no such hand"
