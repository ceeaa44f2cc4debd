"""The fault matrix: each cell of expected.toml is played on the engine by a model of the felt, and compared.

`played(cell)` is the result of one of them. A cell that no player of hands can reach (`premise`), that its equipment
cannot notice and nobody declares (`never`), or whose fault the model has no play for yet is not played, and says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine.vocabulary import Chooser, Refusal, Remedy
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.state import PotGameState
from tests.fault_matrix import deal_plays, draw_plays, other_plays, reading_plays
from tests.fault_matrix.felt_model import FeltModel, StuckError
from tests.fault_matrix.hand_plans import NEXT_HAND, Step, reached, steps_of
from tests.fault_matrix.plays import Play, Plays, Steps, key_of

FOLDER: Final = Path(__file__).parent
TABLE: Final[dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
EQUIPMENT: Final = ("shoe", "antennas", "both")


class Verdict(StrEnum):
    """What became of a cell."""

    SAME = "same"
    DIFFERS = "differs"
    ACCEPTED = "accepted"
    NEVER = "cannot be noticed"
    PREMISE = "not reachable"
    NO_PLAY = "no play yet"


@dataclass(frozen=True)
class Cell:
    """One cell: an entry of the table, one of its moments, one equipment."""

    entry: Mapping[str, Any]
    noticed: str
    equipment: str

    @property
    def name(self) -> str:
        """How lists name it."""
        return f"{self.entry['id']} @ {self.noticed} [{self.equipment}]"


@dataclass(frozen=True)
class Result:
    """A cell, what became of it, what was expected and found, how many questions were asked and what was raised."""

    cell: Cell
    verdict: Verdict
    found: str = ""
    questions: int = 0
    incidents: tuple[d.IncidentRaised, ...] = ()

    @property
    def expected(self) -> str:
        """Remedy and money as the table has them."""
        entry = self.cell.entry
        proposed = f" ({entry['proposed']})" if "proposed" in entry else ""
        return f"{entry['remedy']}{proposed}, {entry['money']}"


def cells() -> Iterator[Cell]:
    """Every cell of the table, in its order."""
    for entry in TABLE["cell"]:
        moments = [entry["noticed"]] if isinstance(entry["noticed"], str) else entry["noticed"]
        for noticed in moments:
            for equipment in entry.get("only", EQUIPMENT):
                yield Cell(entry, noticed, equipment)


#: The faults that the model can play, of draw-poker and of the other games.
_OF_DRAW: Final[Plays] = {**reading_plays.PLAYS, **draw_plays.PLAYS}
_OF_OTHERS: Final[Plays] = {**reading_plays.PLAYS, **other_plays.PLAYS, **deal_plays.PLAYS}

# --- playing ---------------------------------------------------------------------------------------------------------


def played(cell: Cell, hear: Callable[[str], None] | None = None) -> Result:
    """What became of a cell; `hear` is told each step of it, where somebody wants to know."""
    entry = cell.entry
    if entry.get("premise"):
        return Result(cell, Verdict.PREMISE)
    if entry["notice"][cell.equipment] == "never" and entry["remedy"] != "none":
        return Result(cell, Verdict.NEVER)
    make = (_OF_DRAW if entry["game"] == "draw-poker" else _OF_OTHERS).get(key_of(entry))
    play = make({**entry, "noticed": cell.noticed}) if make is not None else None
    if play is None:
        return Result(cell, Verdict.NO_PLAY)
    model = FeltModel(entry["game"], cell.equipment, play.truth, deck=play.deck, hear=hear)
    try:
        _play(model, play, cell)
        found = play.judge(model, _remedy(model))
        model.play_on()
        if entry["remedy"] == "name" and model.named:
            # It may be named at the end only; whoever named it is not alone (ruling "unread cards").
            found = "name" if model.approved else "name, but it is not confirmed"
        money = _money(model)
    except StuckError as stuck:
        return Result(cell, Verdict.DIFFERS, f"stuck: {stuck}", len(model.asked))
    incidents = tuple(said for said in model.said if isinstance(said, d.IncidentRaised))
    return Result(cell, _verdict(cell, found, money), f"{found}, {money}", len(model.asked), incidents)


def _take(model: FeltModel, step: Step | Callable[[FeltModel], None]) -> None:
    if not isinstance(step, Step):
        step(model)
    elif step.spot is not None:
        model.deal(step.spot)
    else:
        model.enter(step.line)


def _play(model: FeltModel, play: Play, cell: Cell) -> None:
    """Up to the moment at which the table learns of it."""
    entry, noticed = cell.entry, cell.noticed
    is_declared = entry["notice"][cell.equipment] == "declared" and play.declares
    last = max(_last_step(entry, noticed, play), play.until or 0)
    if is_declared:
        model.says_none_lies = partial(_said, model, play)
    for nth, step in enumerate(play.steps[:last]):
        if nth > play.at and model.is_noticed and not play.is_old:
            break
        if play.is_old:
            model.wait()
            model.settle(names=False)
            model.forget_told()
        _take(model, step)
        model.next_spot = _spot_of(play.steps[nth + 1 :])
    model.wait()
    if noticed == NEXT_HAND:
        model.settle()
        model.forget_told()
        model.begin_next()
    if play.is_said_first:
        model.enter(_said(model, play))
    model.settle(names=not is_declared)
    is_told = play.is_said_first or any(isinstance(said, d.IncidentRaised) for said in model.said)
    if is_declared and not is_told:
        for line in _said(model, play).splitlines():
            model.enter(line)
            model.settle()
    if play.then:
        model.enter(play.then)
        model.settle()


def _spot_of(steps: Steps) -> str | None:
    """Where the next card goes that a step lays."""
    for step in steps:
        if not isinstance(step, Step):
            return None
        if step.spot is not None:
            return step.spot
    return None


def _said(model: FeltModel, play: Play) -> str:
    return play.declares if isinstance(play.declares, str) else play.declares(model)


def _last_step(entry: Mapping[str, Any], noticed: str, play: Play) -> int:
    """Up to which step the hand is played before anybody says anything."""
    if noticed == "before-next-card":
        return play.at + 1
    if noticed == entry["at"] == "during-the-deal":
        return play.at + 2
    if noticed == entry["at"]:
        return play.at + 1
    offset = len(play.steps) - len(steps_of(entry["game"]))
    return max(play.at + 1, reached(entry["game"], noticed) + offset)


# --- what was found --------------------------------------------------------------------------------------------------


_ENDS: Final[Mapping[type, str]] = {
    d.HandVoided: "void-hand",
    d.SeatVoided: "void-seat",
    d.SeatWithdrawn: "forfeit",
}


def _remedy(model: FeltModel) -> str:
    """The remedy, in words of the engine."""
    closed = {said.incident: said.remedy for said in model.said if isinstance(said, d.IncidentClosed)}
    if model.ruled:
        return f"ask-person ({model.ruled[0]})"
    if any(isinstance(said, d.Withdrawn) for said in model.said):
        return Remedy.CORRECT  # what was told is put right, and what followed from it
    if Remedy.REDEAL in closed.values():
        return Remedy.REDEAL
    for kind, word in _ENDS.items():
        if any(isinstance(said, kind) for said in model.said):
            return word
    raised = [said for said in model.said if isinstance(said, d.IncidentRaised)]
    if raised and raised[-1].remedies[0] is not Remedy.APPROVE:
        return closed.get(raised[-1].incident, raised[-1].remedies[0])
    refused = [said for said in model.said if isinstance(said, d.Refused)]
    if model.truth.is_due and (not refused or refused[-1].why is Refusal.COUNT_IS_RIGHT):
        return "complete"  # the table waits for that card: it is dealt to its place
    if refused:
        return f"refused ({refused[-1].why})"
    return "name" if model.named else "none"


def _money(model: FeltModel) -> str:
    """What became of the money, in words of the table."""
    if any(isinstance(said, d.HandVoided) for said in model.said):
        state = model.table.state
        return "antes-stay" if isinstance(state, DrawState) and state.kept else "all-refunded"
    if model.refunded():
        return "seat-refunded" if len(model.refunded()) == 1 else "seats-refunded"
    if any(isinstance(said, d.SeatWithdrawn) for said in model.said):
        return "stake-stays-in-pot"
    if isinstance(model.table.state, PotGameState) and _is_moved(model.said):
        return "pit-boss-line-by-line"
    return "unchanged"


def _is_moved(said: Sequence[d.Decision]) -> bool:
    """Whether chips went from one stack to another after the pit boss had ruled on the hand that is over."""
    ruled = [at for at, one in enumerate(said) if isinstance(one, d.IncidentClosed) and one.by is Chooser.PIT_BOSS]
    moved = [one for one in said[ruled[-1] :] if isinstance(one, d.StackNow)] if ruled else []
    return len({one.seat for one in moved}) == 2


#: What is said too late is refused with its reason, and nothing changes.
_REFUSED: Final = frozenset({f"refused ({Refusal.NOT_OFFERED})", f"refused ({Refusal.NO_CARD})"})
#: Words of the engine that are the same answer as a word of the table.
_SAME: Final[Mapping[str, frozenset[str]]] = {
    "next-card": frozenset({"next-card", "correct"}),
    "correct": frozenset({"correct", "next-card"}),
    "burn-it": frozenset({"burn-it", "next-card", "correct", "burn-it-instead"}),
    "keep": frozenset({"continue", "no-burn", "redeal-on-demand", *_REFUSED}),  # on demand, and nobody demanded it
    "complete": frozenset({"correct", "next-card", "complete-from-stub"}),
    "exchange-burn": frozenset({"burn-it-instead"}),
    "reshuffle": frozenset({"reshuffle", "return-and-reshuffle"}),
    "notice": frozenset({"notice", "continue", "correct"}),
    "continue": frozenset({"continue", "none", "notice", "redeal-on-demand", *_REFUSED}),
    "under-stub": frozenset({"under-the-stub"}),
    "redeal": frozenset({"void-hand"}),  # of draw-poker they are one thing ([remedies])
    "forfeit": frozenset({"lose-bets"}),
    "reject-claim": frozenset({"reject", *_REFUSED}),
    "shuffle-again": frozenset({"reshuffle"}),
    "transfer": frozenset({"pass-card"}),
}
_ALL_BACK: Final = frozenset({"all-refunded", "all-refunded-txb-by-pit-boss"})
_AS_IT_LIES: Final = frozenset({"unchanged", "recomputed", "as-settled"})


def _is_remedy(word: str, found: str) -> bool:
    return found == word or found in _SAME.get(word, frozenset())


def _is_money(word: str, found: str) -> bool:
    if word in _ALL_BACK:
        return found == "all-refunded"
    return found == "unchanged" if word in _AS_IT_LIES else found == word


def _verdict(cell: Cell, found: str, money: str) -> Verdict:
    entry = cell.entry
    proposed = found.removeprefix("ask-person (").removesuffix(")")
    if entry["remedy"] == "ask-person":
        is_same = found.startswith("ask-person") and _is_remedy(entry["proposed"], proposed)
    elif found.startswith("ask-person") and entry.get("confirm", {}).get(cell.equipment) == "pit-boss":
        is_same = _is_remedy(entry["remedy"], proposed)  # what the clause says is proposed, and he confirms it
    else:
        is_same = _is_remedy(entry["remedy"], found)
    if is_same and _is_money(entry["money"], money):
        return Verdict.SAME
    accepted = entry.get("accept", ())
    word = "ask-person" if found.startswith("ask-person") else found
    return Verdict.ACCEPTED if any(_is_remedy(other, word) for other in accepted) else Verdict.DIFFERS


def all_results() -> list[Result]:
    """Every cell, played."""
    return [played(cell) for cell in cells()]
