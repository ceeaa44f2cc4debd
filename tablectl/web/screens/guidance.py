"""What a clause of a circle game asks of people and no device can see: how the croupier shuffles, and
what players are reminded of. Made of the picture; pure.

`open-holdem` says nothing of these (AMB-86, AMB-88): at a table they are those of `circle-holdem`. `draw-poker` asks
for a cut only, for which the table waits; hands are protected there too, and bets called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.vocabulary import Question
from tablectl.core.options.shared import Shuffle
from tablectl.core.public_table.table import PublicTable


@dataclass(frozen=True, kw_only=True, slots=True)
class Guide:
    """One thing to do by hand: its clause, and which of the texts says it."""

    clause: str
    text: str


#: By hand, in this order, before every hand.
SHUFFLE: Final = (
    Guide(clause="THL-SHF-1", text="all-there"),
    Guide(clause="THL-SHF-3", text="wash"),
    Guide(clause="THL-SHF-4", text="shuffle-twice"),
    Guide(clause="THL-SHF-5", text="cut"),
    Guide(clause="THL-SHF-6", text="shuffle-again"),
    Guide(clause="THL-SHF-7", text="cut-card"),
)
#: Nobody but the croupier touches the deck.
WHO_SHUFFLES: Final = Guide(clause="THL-DEF-4", text="croupier-shuffles")
#: A hand that is not protected can be taken for a folded one, and is lost then (THL-GEN-8).
PROTECT: Final = Guide(clause="THL-GEN-7", text="protect")


def shuffle_steps(view: PublicTable) -> tuple[Guide, ...]:
    """What the croupier does with the deck now, step by step: in every hand before it begins (THL-SHF-2), and whenever
    he is asked to shuffle again (THL-SHF-8, THL-CRE-7). All 52 cards can be there only while none is out. Nothing
    where an approved shoe shuffles (AMB-86)."""
    prompt = view.prompt
    if prompt is None or view.profile.get("shuffle") == Shuffle.IN_SHOE:
        return ()
    if prompt.question == Question.RESHUFFLED:
        return SHUFFLE[1:] if view.cards else SHUFFLE
    return SHUFFLE if prompt.question is None and prompt.instruction == "new-hand" else ()


def reminder(view: PublicTable) -> Guide | None:
    """What players are reminded of while cards come: whoever got cards protects them from then on."""
    dealing = view.prompt is not None and view.prompt.instruction == "deal" and not view.held
    return PROTECT if dealing and view.phase != "seating" else None
