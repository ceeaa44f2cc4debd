"""The faults of the deal and of the common cards, as the model plays them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine.slots import BOARD
from tablectl.core.engine.vocabulary import Declaration, Remedy
from tests.fault_matrix.felt_model import FeltModel, StuckError, Truth
from tests.fault_matrix.hand_plans import Step, reached
from tests.fault_matrix.plays import Play, Plays, clean, index_of, place_of


def one_too_many(entry: Mapping[str, Any]) -> Play | None:
    game, spot, steps = entry["game"], place_of(entry), clean(entry)
    if entry["place"] not in ("seat", "bank"):
        return None
    index = index_of(entry)
    in_the_deal = entry["place"] == "bank" and entry["at"] == "during-the-deal"
    # Other cards of the deal follow one too many at the bank only where that came in the first lap.
    is_followed = in_the_deal and entry["noticed"] not in ("before-next-card", "during-the-deal")
    n_extra = 2 if in_the_deal and not is_followed else 1
    if is_followed:
        index = reached(game, "during-the-deal") + 4

    def extra(model: FeltModel) -> None:
        for _ in range(n_extra):
            model.draw(spot).is_seen = entry["seen"]

    if n_extra == 2:
        # The bank gets two cards more in a row: the second of its own and one too many.
        del steps[reached(game, "deal-ended") - 1]
    steps.insert(index, extra)
    truth = Truth(is_seen=entry["seen"], spot=spot, lap=1 if is_followed else 2)
    return Play(steps, index, f"declare wrong-count {spot} cards=3", truth)


def _one_too_few(entry: Mapping[str, Any]) -> Play | None:
    if entry["place"] not in ("seat", "bank"):
        return None
    game, steps = entry["game"], clean(entry)
    spot, index = place_of(entry), index_of(entry)
    if entry["place"] == "seat":
        # Seat 2 is left out in the second lap.
        spot = "seat-2"
        del steps[index]
    else:
        del steps[reached(game, "deal-ended") - 1]
    steps.insert(index, lambda model: None)
    truth = Truth(is_seen=entry["seen"], spot=spot, is_due=entry.get("variant") == "last-card-of-the-deal")
    return Play(steps, index, f"declare wrong-count {spot} cards=1", truth)


def to_another_seat(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)

    def elsewhere(model: FeltModel) -> None:
        model.draw("seat-3").is_seen = entry["seen"]

    steps[index] = elsewhere
    truth = Truth(is_seen=entry["seen"], spot="seat-3", too_few="seat-2")
    # During the deal the order is wrong; afterwards a seat has three cards, where the game has a clause about that.
    in_order = {"during-the-deal", "before-next-card"}
    if entry["game"] != "texas-bonus":
        in_order |= {"deal-ended", "after-one-action"}
    is_order = entry["game"] == "texas-poker" or entry["noticed"] in in_order
    declares = "wrong-order" if is_order else "wrong-count seat-3 cards=3"
    return Play(steps, index, f"declare {declares}", truth)


def swapped(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)

    def first(model: FeltModel) -> None:
        model.draw("seat-3").is_seen = entry["seen"]
        model.wait()  # at once after it the other one would come to lie at its place before anybody could tell

    steps[index] = first
    steps[index + 1] = Step("deal seat-2", "")
    return Play(steps, index, "declare wrong-order", Truth(is_seen=entry["seen"], spot="seat-3", too_few="seat-2"))


def exposed(entry: Mapping[str, Any]) -> Play | None:
    what = Declaration.FACE_UP_IN_SHOE if entry["fault"] == "face-up" else Declaration.TURNED_WHILE_DEALT
    if entry["place"] == "bank":
        what = Declaration.BANK_CARD_EXPOSED
    steps, index = clean(entry), index_of(entry)
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


def moved_and_back(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)
    spot = place_of(entry)
    is_long = entry["variant"] == "longer-than-dwell-time"
    # A burn at a seat is another fault, for the pit boss (ruling "burn at a seat").
    elsewhere = "board" if spot == "burn" else "seat-2"

    def passes(model: FeltModel) -> None:
        lying = [lies for lies in model.cards if lies.spot == spot]
        if not lying:
            raise StuckError(f"no card lies at {spot}")
        model.lies_there()
        model.carry(lying[0], elsewhere)
        if is_long:
            model.wait()
        model.carry(lying[0], spot)

    steps.insert(index, passes)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], is_at_fault=False))


def _no_burn(entry: Mapping[str, Any]) -> Play:
    """The card that should have been burned is laid on the board: face down yet, or turned up and in place of one that
    is dealt later."""
    steps, index = clean(entry), index_of(entry)
    is_up = entry["variant"] == "common-card-exposed"

    def comes(model: FeltModel) -> None:
        model.draw("board").is_seen = is_up

    steps[index] = comes
    if is_up:
        del steps[index + 1]
    return Play(steps, index, "declare no-burn", Truth(is_seen=is_up, spot="board"))


def _two_burns(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)
    is_unexpected = entry["variant"] == "unexpected-burn"

    def burned(model: FeltModel) -> None:
        model.draw("burn").is_seen = entry["seen"]

    at = index if is_unexpected else index + 1
    steps.insert(at, burned)
    declares = "declare burned" if is_unexpected else "declare double-burn"
    return Play(steps, at, declares, Truth(is_seen=entry["seen"], spot="burn"))


#: The croupier burns before he shows such a card (THL-CRE-5, -6).
_AFTER_A_BURN: Final = frozenset({"turn-too-early", "river-too-early"})


def _stands(model: FeltModel, word: str) -> str:
    """Where the burn was left out, the card that was shown is the river, and what was drawn beside it is put away."""
    closed = [said.remedy for said in model.said if isinstance(said, d.IncidentClosed)]
    is_river = model.table.state.deal.at.get(BOARD[4]) is model.table.state.deal.newest(model.cards[14].card)
    return Remedy.NO_BURN if Remedy.NO_BURN in closed and is_river else word


def _too_early(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)
    spot, is_street = entry["place"], entry.get("variant") in _AFTER_A_BURN

    def comes(model: FeltModel) -> None:
        if is_street:
            model.draw("burn")
        model.draw(spot).is_seen = entry["seen"]

    steps.insert(index, comes)
    truth = Truth(is_seen=entry["seen"], spot=spot)
    if entry["game"] == "texas-bonus" and entry.get("variant") == "drawn-without-a-place":
        # It lies open where the burn was due: whoever is asked for a card that came later says so first.
        is_late = entry["noticed"] != entry["at"]
        return Play(steps, index, f"declare {Declaration.NO_BURN}", truth, is_said_first=is_late, judge=_stands)
    return Play(steps, index, "", truth)


#: The faults that the model can play.
PLAYS: Final[Plays] = {
    **{("one-too-many", place, ""): one_too_many for place in ("seat", "bank")},
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
    ("wrong-seat", "seat", "card-of-a-seat-at-another-seat"): to_another_seat,
    ("swapped-order", "seat", ""): swapped,
    **{("face-up", place, ""): exposed for place in ("seat", "bank", "burn", "board")},
    **{("turned", place, ""): exposed for place in ("seat", "bank", "burn", "board")},
    **{
        ("moved-and-back", place, f"{how}-than-dwell-time"): moved_and_back
        for place in ("seat", "bank", "burn", "board")
        for how in ("shorter", "longer")
    },
}
