"""The fault matrix: each cell of expected.toml is played on the engine by a model of the felt, and compared.

`played(cell)` is the result of one of them. A cell that no player of hands can reach (`premise`), that its equipment
cannot notice and nobody declares (`never`), or whose fault the model has no play for yet is not played, and says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Declaration, Refusal, Strange
from tests.fault_matrix.felt_model import FeltModel, StuckError, Truth
from tests.fault_matrix.hand_plans import PLANS, Step, reached, steps_of

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
    """A cell, what became of it, what was expected and found, and how many questions were asked."""

    cell: Cell
    verdict: Verdict
    found: str = ""
    questions: int = 0

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


# --- faults ----------------------------------------------------------------------------------------------------------

#: Where a fault of the deal comes about: after the card of the second lap that seat 1 got.
_IN_LAP_2: Final = {"texas-poker": 5, "texas-bonus": 5, "circle-holdem": 4, "open-holdem": 4}


#: Of a hand: what the croupier does, and where a fault comes about, that.
Steps: TypeAlias = list[Step | Callable[[FeltModel], None]]


@dataclass
class Play:
    """The steps of a hand with a fault in it, what is declared of it and what people know."""

    steps: Steps
    at: int
    declares: str
    truth: Truth


def _key(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    return entry["fault"], entry["place"], entry.get("variant", "")


def _place_of(entry: Mapping[str, Any]) -> str:
    place: str = entry["place"]
    return {"seat": "seat-1", "bank": "house"}.get(place, place)


def _index(entry: Mapping[str, Any]) -> int:
    """Before which step of the clean hand the fault comes about."""
    game, at = entry["game"], entry["at"]
    if at != "during-the-deal":
        return reached(game, at)
    begins = reached(game, "during-the-deal")
    if entry["place"] == "bank":
        return begins + 7  # the bank has its first card, all seats have two
    return begins + _IN_LAP_2[game]


def _clean(entry: Mapping[str, Any]) -> Steps:
    """The hand without the fault."""
    return [*steps_of(entry["game"])]


def _one_card(entry: Mapping[str, Any]) -> tuple[Steps, int, str] | None:
    """The hand without the fault, which step brings the card with which something is wrong, and where it is dealt."""
    steps = _clean(entry)
    index = reached(entry["game"], "deal-ended") - 1 if entry["place"] == "bank" else _index(entry)
    card = steps[index]
    return (steps, index, card.spot) if isinstance(card, Step) and card.spot is not None else None


def _one_too_many(entry: Mapping[str, Any]) -> Play | None:
    game, spot, steps = entry["game"], _place_of(entry), _clean(entry)
    if entry["place"] not in ("seat", "bank"):
        return None
    index = _index(entry)
    n_extra = 2 if entry["place"] == "bank" and entry["at"] == "during-the-deal" else 1

    def extra(model: FeltModel) -> None:
        for _ in range(n_extra):
            model.draw(spot).is_seen = entry["seen"]

    if n_extra == 2:
        # The bank gets two cards more in a row: the second of its own and one too many.
        del steps[reached(game, "deal-ended") - 1]
    steps.insert(index, extra)
    truth = Truth(is_seen=entry["seen"], spot=spot)
    return Play(steps, index, f"declare wrong-count {spot} cards=3", truth)


def _one_too_few(entry: Mapping[str, Any]) -> Play | None:
    if entry["place"] not in ("seat", "bank"):
        return None
    game, steps = entry["game"], _clean(entry)
    spot, index = _place_of(entry), _index(entry)
    if entry["place"] == "seat":
        # Seat 2 is left out in the second lap.
        spot = "seat-2"
        del steps[index]
    else:
        del steps[reached(game, "deal-ended") - 1]
    steps.insert(index, lambda model: None)
    truth = Truth(is_seen=entry["seen"], spot=spot, is_due=entry.get("variant") == "last-card-of-the-deal")
    return Play(steps, index, f"declare wrong-count {spot} cards=1", truth)


def _to_another_seat(entry: Mapping[str, Any]) -> Play:
    steps, index = _clean(entry), _index(entry)

    def astray(model: FeltModel) -> None:
        model.draw("seat-3").is_seen = entry["seen"]

    steps[index] = astray
    truth = Truth(is_seen=entry["seen"], spot="seat-3", too_few="seat-2")
    # During the deal the order is wrong; afterwards a seat has three cards, where the game has a clause about that.
    in_order = {"during-the-deal", "before-next-card"}
    if entry["game"] != "texas-bonus":
        in_order |= {"deal-ended", "after-one-action"}
    is_order = entry["game"] == "texas-poker" or entry["noticed"] in in_order
    declares = "wrong-order" if is_order else "wrong-count seat-3 cards=3"
    return Play(steps, index, f"declare {declares}", truth)


def _swapped(entry: Mapping[str, Any]) -> Play:
    steps, index = _clean(entry), _index(entry)

    def first(model: FeltModel) -> None:
        model.draw("seat-3").is_seen = entry["seen"]

    steps[index] = first
    steps[index + 1] = Step("deal seat-2", "")
    return Play(steps, index, "declare wrong-order", Truth(is_seen=entry["seen"], spot="seat-3", too_few="seat-2"))


def _exposed(entry: Mapping[str, Any]) -> Play | None:
    what = Declaration.FACE_UP_IN_SHOE if entry["fault"] == "face-up" else Declaration.TURNED_WHILE_DEALT
    if entry["place"] == "bank":
        what = Declaration.BANK_CARD_EXPOSED
    steps, index = _clean(entry), _index(entry)
    card = steps[index]
    if entry["place"] == "bank":
        is_dealt = entry["at"] == "during-the-deal"
        index = reached(entry["game"], "deal-ended") - 1 if is_dealt else index
        steps.insert(index, lambda model: None)
        return Play(steps, index, f"declare {what}", Truth(is_seen=True, spot="house"))
    if not isinstance(card, Step) or card.spot is None:
        return None
    if entry["place"] == "seat" and entry["at"] != "during-the-deal":
        return None
    spot = card.spot

    def shown(model: FeltModel) -> None:
        model.draw(spot).is_seen = True

    steps[index] = shown
    is_last = entry["noticed"] == "before-next-card"
    which = "" if is_last or entry["place"] != "seat" else f" {spot} lap=2"
    return Play(steps, index, f"declare {what}{which}", Truth(is_seen=True, spot=spot))


def _foreign(entry: Mapping[str, Any]) -> Play | None:
    found = _one_card(entry)
    if found is None:
        return None
    steps, index, spot = found
    is_twin = entry.get("variant") == "second-card-with-the-same-face"

    def comes(model: FeltModel) -> None:
        if is_twin:
            model.draw(spot, card=model.cards[0].card)
            return
        where = spot if model.equipment != "shoe" else "shoe"
        model.tell(
            f.StrangeTag(at_us=model.cards[-1].card.index if model.cards else 0, spot=where, what=Strange.FOREIGN)
        )

    steps[index] = comes
    return Play(steps, index, "declare defective-deck", Truth())


def _unread(entry: Mapping[str, Any]) -> Play | None:
    found = _one_card(entry)
    if found is None:
        return None
    steps, index, spot = found

    def comes(model: FeltModel) -> None:
        model.draw(spot, is_readable=False)

    steps[index] = comes
    return Play(steps, index, "", Truth(is_at_fault=False))


def _moved_and_back(entry: Mapping[str, Any]) -> Play | None:
    steps, index = _clean(entry), _index(entry)
    spot = _place_of(entry)
    is_long = entry["variant"] == "longer-than-dwell-time"
    elsewhere = "seat-2"

    def passes(model: FeltModel) -> None:
        lying = [lies for lies in model.cards if lies.spot == spot]
        if not lying:
            raise StuckError(f"no card lies at {spot}")
        model.carry(lying[0], elsewhere)
        if is_long:
            model.wait()
        model.carry(lying[0], spot)

    steps.insert(index, passes)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], is_at_fault=False))


def _no_burn(entry: Mapping[str, Any]) -> Play:
    """The card that should have been burned is laid on the board: face down yet, or turned up and in place of one that
    is dealt later."""
    steps, index = _clean(entry), _index(entry)
    is_up = entry["variant"] == "common-card-exposed"

    def comes(model: FeltModel) -> None:
        model.draw("board").is_seen = is_up

    steps[index] = comes
    if is_up:
        del steps[index + 1]
    return Play(steps, index, "declare no-burn", Truth(is_seen=is_up, spot="board"))


def _two_burns(entry: Mapping[str, Any]) -> Play:
    steps, index = _clean(entry), _index(entry)
    is_unexpected = entry["variant"] == "unexpected-burn"

    def burned(model: FeltModel) -> None:
        model.draw("burn").is_seen = entry["seen"]

    at = index if is_unexpected else index + 1
    steps.insert(at, burned)
    declares = "declare burned" if is_unexpected else "declare double-burn"
    return Play(steps, at, declares, Truth(is_seen=entry["seen"], spot="burn"))


#: The croupier burns before he shows such a card (THL-CRE-5, -6).
_AFTER_A_BURN: Final = frozenset({"turn-too-early", "river-too-early"})


def _too_early(entry: Mapping[str, Any]) -> Play:
    steps, index = _clean(entry), _index(entry)
    spot, is_street = entry["place"], entry.get("variant") in _AFTER_A_BURN

    def comes(model: FeltModel) -> None:
        if is_street:
            model.draw("burn")
        model.draw(spot).is_seen = entry["seen"]

    steps.insert(index, comes)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], spot=spot))


#: The faults that the model can play.
_PLAYS: Final[Mapping[tuple[str, str, str], Callable[[Mapping[str, Any]], Play | None]]] = {
    **{("one-too-many", place, ""): _one_too_many for place in ("seat", "bank")},
    **{("one-too-few", place, ""): _one_too_few for place in ("seat", "bank")},
    ("one-too-few", "bank", "last-card-of-the-deal"): _one_too_few,
    **{
        ("one-too-many", "board", how): _too_early
        for how in (
            "drawn-too-early",
            "turn-too-early",
            "river-too-early",
            "one-flop-card-too-early",
            "face-down-too-early",
            "fourth-flop-card",
            "drawn-without-a-place",
            "sixth-card",
        )
    },
    ("one-too-many", "burn", "burned-too-early"): _too_early,
    **{("forgotten-burn", "burn", how): _no_burn for how in ("drawn-card-still-face-down", "common-card-exposed")},
    **{
        ("double-burn", "burn", how): _two_burns
        for how in ("no-common-card-exposed", "common-card-exposed", "second-burn-seen", "unexpected-burn")
    },
    ("wrong-seat", "seat", "card-of-a-seat-at-another-seat"): _to_another_seat,
    ("swapped-order", "seat", ""): _swapped,
    **{("face-up", place, ""): _exposed for place in ("seat", "bank", "burn", "board")},
    **{("turned", place, ""): _exposed for place in ("seat", "bank", "burn", "board")},
    **{("foreign", place, "unknown-card"): _foreign for place in ("seat", "bank", "burn", "board")},
    **{("foreign", place, "second-card-with-the-same-face"): _foreign for place in ("seat", "bank", "burn", "board")},
    **{("unread", place, "no-reader-read-it"): _unread for place in ("seat", "bank", "burn", "board")},
    **{
        ("moved-and-back", place, f"{how}-than-dwell-time"): _moved_and_back
        for place in ("seat", "bank", "burn", "board")
        for how in ("shorter", "longer")
    },
}

# --- playing ---------------------------------------------------------------------------------------------------------


def played(cell: Cell) -> Result:
    """What became of a cell."""
    entry = cell.entry
    if entry.get("premise"):
        return Result(cell, Verdict.PREMISE)
    if entry["notice"][cell.equipment] == "never" and entry["remedy"] != "none":
        return Result(cell, Verdict.NEVER)
    make = _PLAYS.get(_key(entry)) if entry["game"] in PLANS else None
    play = make({**entry, "noticed": cell.noticed}) if make is not None else None
    if play is None:
        return Result(cell, Verdict.NO_PLAY)
    model = FeltModel(entry["game"], cell.equipment, play.truth)
    try:
        _play(model, play, cell)
        found = _found(model, entry)
        model.play_on()
        money = _money(model)
    except StuckError as stuck:
        return Result(cell, Verdict.DIFFERS, f"stuck: {stuck}", len(model.asked))
    return Result(cell, _verdict(cell, found, money), f"{found}, {money}", len(model.asked))


def _take(model: FeltModel, step: Step | Callable[[FeltModel], None]) -> None:
    if not isinstance(step, Step):
        step(model)
    elif step.spot is not None:
        model.draw(step.spot)
    else:
        model.enter(step.line)


def _play(model: FeltModel, play: Play, cell: Cell) -> None:
    """Up to the moment at which the table learns of it."""
    entry, noticed = cell.entry, cell.noticed
    is_declared = entry["notice"][cell.equipment] == "declared" and play.declares
    for step in play.steps[: play.at + 1]:
        _take(model, step)
    last = _last_step(entry, noticed, play)
    for step in play.steps[play.at + 1 : last]:
        if model.is_noticed:
            break
        _take(model, step)
    model.wait()
    model.settle()
    if is_declared and not any(isinstance(said, d.IncidentRaised) for said in model.said):
        model.enter(play.declares)
        model.settle()


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


def _found(model: FeltModel, entry: Mapping[str, Any]) -> str:
    """The remedy, in words of the table."""
    if model.ruled:
        return f"ask-person ({model.ruled[0][0]})"
    for kind, word in _ENDS.items():
        if any(isinstance(said, kind) for said in model.said):
            return word
    closed = [said for said in model.said if isinstance(said, d.IncidentClosed)]
    if closed:
        return str(closed[-1].remedy)
    raised = [said for said in model.said if isinstance(said, d.IncidentRaised)]
    if raised:
        return str(raised[-1].remedies[0])
    refused = [said for said in model.said if isinstance(said, d.Refused)]
    if refused and refused[-1].why is Refusal.COUNT_IS_RIGHT and model.truth.is_due:
        return "complete"  # the table waits for that card: it is dealt to its place
    if refused:
        return f"refused ({refused[-1].why})"
    return "name" if model.named else "none"


def _money(model: FeltModel) -> str:
    """What became of the money, in words of the table."""
    if any(isinstance(said, d.HandVoided) for said in model.said):
        return "all-refunded"
    if model.refunded():
        return "seat-refunded" if len(model.refunded()) == 1 else "seats-refunded"
    if any(isinstance(said, d.SeatWithdrawn) for said in model.said):
        return "stake-stays-in-pot"
    return "unchanged"


#: Words of the engine that are the same answer as a word of the table.
_SAME: Final[Mapping[str, frozenset[str]]] = {
    "next-card": frozenset({"next-card", "correct"}),
    "correct": frozenset({"correct", "next-card"}),
    "burn-it": frozenset({"burn-it", "next-card", "correct", "burn-it-instead"}),
    "keep": frozenset({"continue", "no-burn"}),
    "complete": frozenset({"correct", "next-card", "complete-from-stub"}),
    "exchange-burn": frozenset({"burn-it-instead"}),
    "reshuffle": frozenset({"reshuffle", "return-and-reshuffle"}),
    "notice": frozenset({"notice", "continue", "correct"}),
    "continue": frozenset({"continue", "none", "notice"}),
    "name": frozenset({"name", "none"}),
    "under-stub": frozenset({"under-the-stub"}),
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
