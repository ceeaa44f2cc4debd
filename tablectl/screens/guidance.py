"""What a clause of a circle game asks of people and no device can see: how the croupier shuffles, what he calls aloud,
and what players are reminded of. Made of the picture; pure.

`open-holdem` says nothing of these (AMB-86, AMB-88): at a table they are those of `circle-holdem`. `draw-poker` asks
for a cut only, for which the table waits; hands are protected there too, and bets called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.engine.circle.seating.places import Bet
from tablectl.engine.words import Question
from tablectl.profile.shared import Shuffle
from tablectl.screens.model import TableView

#: What is called aloud, by kind of decision (THL-DEF-5): every bet, blinds too, what becomes of it, and every phase.
_CALLED: Final = frozenset({"spoke", "stored", "taken-back", "bet-taken", "exchanges", "phase-entered"})
#: What stands for the antes of all.
ANTES: Final = "antes"
#: Phases of the controller that are none of the game's: nothing is called.
_SILENT: Final = frozenset({"closed", "blinds", "antes", "seating", "replacing", "settlement", "voided"})
#: The draw is called once, and not again behind the cards of every seat.
_DRAW: Final = "draw"


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


def shuffle_steps(view: TableView) -> tuple[Guide, ...]:
    """What the croupier does with the deck now, step by step: in every hand before it begins (THL-SHF-2), and whenever
    he is asked to shuffle again (THL-SHF-8, THL-CRE-7). All 52 cards can be there only while none is out. Nothing
    where an approved shoe shuffles (AMB-86)."""
    prompt = view.prompt
    if prompt is None or view.profile.get("shuffle") == Shuffle.IN_SHOE:
        return ()
    if prompt.question == Question.RESHUFFLED:
        return SHUFFLE[1:] if view.cards else SHUFFLE
    return SHUFFLE if prompt.question is None and prompt.instruction == "new-hand" else ()


def reminder(view: TableView) -> Guide | None:
    """What players are reminded of while cards come: whoever got cards protects them from then on."""
    dealing = view.prompt is not None and view.prompt.instruction == "deal" and not view.held
    return PROTECT if dealing and view.phase != "seating" else None


def calls(decisions: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], ...]:
    """What the croupier calls aloud after these decisions, in their order (THL-DEF-5): how many cards the one takes in
    whose name he deals, too (FCD-DSC-15)."""
    dealt = any(each["kind"] == "card-placed" for each in decisions)
    silent = {*_SILENT, _DRAW} if dealt else _SILENT
    called = [each for each in decisions if each["kind"] in _CALLED and each.get("phase") not in silent]
    return tuple(_antes_at_once(called))


def _antes_at_once(called: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Everybody's ante in one sentence; one that is another amount, of a player with fewer chips, on its own."""
    antes = [each for each in called if each["kind"] == "bet-taken" and each["bet"] == Bet.ANTE]
    amounts = [each["amount"] for each in antes]
    usual = max(amounts, key=amounts.count, default=None)
    of_all = len(antes) > 1 and amounts.count(usual) > 1
    if of_all:
        yield {"kind": ANTES, "amount": usual, "is_all": amounts.count(usual) == len(antes)}
    yield from (each for each in called if not (of_all and each in antes and each["amount"] == usual))
