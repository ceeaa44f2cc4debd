"""The faults of draw-poker, as the model plays them: five cards, the opening, the draw, and demands of a new deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine.vocabulary import Declaration, Key, Refusal, Remedy
from tests.fault_matrix import deal_plays, reading_plays
from tests.fault_matrix.felt_model import FeltModel, Truth
from tests.fault_matrix.hand_plans import Step, reached
from tests.fault_matrix.other_plays import after_the_award
from tests.fault_matrix.plays import Play, Plays, Steps, clean, index_of

_GAME: Final = "draw-poker"
_ONE, _TWO, _THREE = "seat-1", "seat-2", "seat-3"
#: Seat 1 puts cards away, is dealt the first of two, and the second.
_REPLACING: Final = reached(_GAME, "during-the-draw")
_DEMAND: Final = f"declare {Declaration.REDEAL_DEMANDED} {_ONE}"


def _looked(spot: str) -> Callable[[FeltModel], None]:
    """Somebody says that this player has looked at his cards, before there is any fault."""

    def said(model: FeltModel) -> None:
        model.enter(f"declare {Declaration.LOOKED_AT_HAND} {spot}")
        model.forget_told()

    return said


def _at(entry: Mapping[str, Any], *, later: int = 0) -> int:
    """Before which step the fault comes about; in the draw, so many steps after the cards were put away."""
    return index_of(entry) + (later if entry["at"] == "during-the-draw" else 0)


def _others_looked(entry: Mapping[str, Any], steps: Steps, index: int, spot: str) -> int:
    """Where others have looked it is said first; returns where the fault comes about then."""
    if entry.get("variant") != "others-have-looked":
        return index
    steps.insert(index, _looked(spot))
    return index + 1


# --- the number of cards ----------------------------------------------------------------------------------------------


def _one_too_many(entry: Mapping[str, Any]) -> Play:
    """Seat 1 gets one more after a card of its own."""
    steps = clean(entry)
    index = _others_looked(entry, steps, _at(entry, later=2), _THREE)

    def extra(model: FeltModel) -> None:
        model.draw(_ONE).is_seen = entry["seen"]

    steps.insert(index, extra)
    looked = frozenset({_ONE}) if entry["seen"] else frozenset()
    return Play(steps, index, _count_of(_ONE), Truth(is_seen=entry["seen"], looked=looked))


def _count_of(spot: str, other: str = "") -> Callable[[FeltModel], str]:
    return lambda model: f"declare {Declaration.WRONG_COUNT} {spot} {other} cards={model.count(spot)}"


def _one_too_few(entry: Mapping[str, Any]) -> Play:
    """Seat 2 is left out in the second lap."""
    steps, index = clean(entry), index_of(entry)
    del steps[index]
    index = _others_looked(entry, steps, index, _ONE)
    steps.insert(index, lambda model: None)
    looked = frozenset({_TWO}) if entry["seen"] else frozenset()
    # He has looked at his own cards; what comes to him meanwhile he has not seen.
    return Play(steps, index, _count_of(_TWO), Truth(spot=_TWO, looked=looked))


def _one_replacement_too_few(entry: Mapping[str, Any]) -> Play:
    """Seat 1 gets one card for two, and the croupier goes on: the other one goes to the next player who changes."""
    steps = clean(entry)
    steps.insert(_REPLACING + 1, lambda model: None)
    del steps[_REPLACING + 2]
    looked = frozenset({_ONE}) if entry["seen"] else frozenset()
    truth = Truth(is_seen=entry["seen"], spot=_ONE, looked=looked, is_due=not entry["seen"])
    return Play(steps, _REPLACING + 1, _count_of(_ONE), truth)


def _off_the_table(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)

    def taken(model: FeltModel) -> None:
        lies = next(lies for lies in model.cards if lies.spot == _ONE)
        model.carry(lies, "deck")
        model.wait()
        model.carry(lies, _ONE)

    steps.insert(index, taken)
    return Play(steps, index, "", Truth(is_at_fault=False))


# --- cards at another seat --------------------------------------------------------------------------------------------

_LOOKED_OF_TWO: Final = {
    "both-have-looked": frozenset({_TWO, _THREE}),
    "only-the-six-has-looked": frozenset({_THREE}),
    "only-the-four-has-looked": frozenset({_TWO}),
}


def _six_and_four(entry: Mapping[str, Any]) -> Play:
    """The card of seat 2 in the second lap lies at seat 3."""
    steps, variant = clean(entry), entry["variant"]
    index = _others_looked(entry, steps, index_of(entry), _ONE)
    looked = _LOOKED_OF_TWO.get(variant, frozenset())

    def elsewhere(model: FeltModel) -> None:
        model.draw(_THREE).is_seen = entry["seen"]

    steps[index] = elsewhere
    truth = Truth(is_seen=entry["seen"], spot=_THREE, too_few=_TWO, looked=looked)
    return Play(steps, index, _count_of(_THREE, _TWO), truth, judge=_JUDGED.get(variant, _out_are()))


def _out_are(*seats: int) -> Callable[[FeltModel, str], str]:
    """Just these hands have to be out."""

    def judged(model: FeltModel, word: str) -> str:
        out = {said.seat for said in model.said if isinstance(said, d.SeatWithdrawn)}
        return word if out == set(seats) else f"{word}, but out are {sorted(out)}"

    return judged


def _and(judge: Callable[[FeltModel, str], str], remedy: Remedy) -> Callable[[FeltModel, str], str]:
    """And another remedy has to have followed, too."""

    def judged(model: FeltModel, word: str) -> str:
        raised = [said.remedies[0] for said in model.said if isinstance(said, d.IncidentRaised)]
        closed = [said.remedy for said in model.said if isinstance(said, d.IncidentClosed)]
        return judge(model, word if remedy in (*raised, *closed) else f"{word}, but no {remedy}")

    return judged


def _at_both(model: FeltModel, word: str) -> str:
    """FCD-IRR-11: one card of the six goes under the stub, and the four are completed."""
    found = _and(_and(_out_are(), Remedy.UNDER_THE_STUB), Remedy.COMPLETE_FROM_STUB)(model, word)
    return Remedy.UNDER_THE_STUB if found == word else found


_JUDGED: Final[Mapping[str, Callable[[FeltModel, str], str]]] = {
    "both-have-looked": _out_are(2, 3),
    "only-the-six-has-looked": _and(_out_are(3), Remedy.COMPLETE_FROM_STUB),
    "only-the-four-has-looked": _and(_out_are(2), Remedy.UNDER_THE_STUB),
    "told-after-the-opening": _at_both,
}


def _replacement_elsewhere(entry: Mapping[str, Any]) -> Play:
    """The second card that seat 1 gets for its own lies at seat 2."""
    steps, index = clean(entry), _REPLACING + 1

    def elsewhere(model: FeltModel) -> None:
        model.draw(_TWO).is_seen = entry["seen"]

    steps[index] = elsewhere
    looked = frozenset({_ONE, _TWO}) if entry["seen"] else frozenset()
    truth = Truth(is_seen=entry["seen"], spot=_TWO, too_few=_ONE, looked=looked)
    return Play(steps, index, _count_of(_TWO, _ONE), truth, judge=_out_are(1, 2) if entry["seen"] else _out_are())


def _keeps_all(play: Play) -> Play:
    """Seat 2 changes no card: with a shoe alone nobody has to name what it kept, and sees then that a card is none of
    its own."""
    changes = [nth for nth, step in enumerate(play.steps) if isinstance(step, Step) and step.line == "asks 2"][-1]
    steps: Steps = [*play.steps]
    steps[changes : changes + 4] = [Step("asks 0", ""), *(lambda model: None,) * 3]
    return replace(play, steps=steps)


def _found_after_the_award(entry: Mapping[str, Any]) -> Play:
    return _keeps_all(after_the_award(entry))


def _swapped(entry: Mapping[str, Any]) -> Play:
    """Two players have each other's cards."""
    play = deal_plays.swapped(entry)
    play = _keeps_all(play) if entry["noticed"] == "settlement-shown" else play
    looked = frozenset({_TWO, _THREE}) if entry["seen"] else frozenset()
    return replace(
        play, declares=f"declare {Declaration.WRONG_ORDER} {_THREE} {_TWO}", truth=replace(play.truth, looked=looked)
    )


def _swapped_replacements(entry: Mapping[str, Any]) -> Play:
    """The second card that seat 1 gets lies at seat 2, and the first one of seat 2 at seat 1."""
    steps, index = clean(entry), _REPLACING + 1

    def first(model: FeltModel) -> None:
        card = model.draw(_TWO)
        card.is_seen, card.is_kept = entry["seen"], True
        model.wait()  # seat 2 thinks about how many cards it changes

    steps[index] = first
    steps[index + 3] = Step(f"deal {_ONE}", "")
    truth = Truth(is_seen=entry["seen"], spot=_TWO, too_few=_ONE, changes={_TWO: 2})
    return Play(steps, index, f"declare {Declaration.PIT_BOSS}", truth, until=index + 4)


def _from_a_wrong_seat(entry: Mapping[str, Any]) -> Play:
    """The deal begins left of seat 1, as if the button lay there."""
    steps, begins = clean(entry), reached(_GAME, "during-the-deal")
    for nth in range(15):
        steps[begins + nth] = Step(f"deal {(_TWO, _THREE, _ONE)[nth % 3]}", "")
    declares = f"declare {Declaration.WRONG_DEALER} {_ONE}"
    return Play(steps, begins, declares, Truth(is_seen=entry["seen"]), then=_demanded(entry))


# --- the discards -----------------------------------------------------------------------------------------------------


def _two_are_due(model: FeltModel, word: str) -> str:
    """Seat 1 has to have three cards and to be dealt two, as he asked. Where no reader tells, or the table only refuses
    the number, it is the croupier who puts it right."""
    deal = model.table.state.deal
    due = sum(slot.spot == _ONE for slot in deal.plan[deal.next :])
    if (model.count(_ONE), due) != (3, 2):
        return f"{word}, but {model.count(_ONE)} cards and {due} due"
    return Remedy.CORRECT if word in ("none", f"refused ({Refusal.WRONG_NUMBER})") else word


def _thrown(cards: int) -> Callable[[Mapping[str, Any]], Play]:
    """Seat 1 asks for two and puts another number away; where nobody tells, the croupier sees it and has it put
    right."""

    def made(entry: Mapping[str, Any]) -> Play:
        steps, index = clean(entry), _REPLACING - 1

        def throws(model: FeltModel) -> None:
            lying = [lies for lies in model.cards if lies.spot == _ONE]
            for lies in lying[-cards:]:
                model.carry(lies, "discard")
            if cards > 2:
                lying[-3].wanted_by = _ONE
            elif model.equipment != "shoe":
                model.press(Key.CONFIRM)

        def put_right(model: FeltModel) -> None:
            model.settle()
            if cards > 2 and model.count("discard") > 2:
                lies = next(lies for lies in model.cards if lies.wanted_by == _ONE)
                lies.wanted_by = ""
                model.carry(lies, _ONE)
            model.throw(_ONE, max(0, 2 - cards))

        steps[index : index + 1] = [throws, put_right]
        return Play(steps, index + 1, "", Truth(), judge=_two_are_due)

    return made


def _thrown_early(entry: Mapping[str, Any]) -> Play:
    """Seat 2 puts two cards away while seat 1 is asked."""
    steps, index = clean(entry), reached(_GAME, "before-the-draw")
    steps.insert(index, lambda model: model.throw(_TWO, 2, too_many=2))
    return Play(steps, index, f"declare {Declaration.DISCARDED_EARLY} {_TWO}", Truth(spot=_TWO), until=index + 1)


def _discard_at_a_seat(entry: Mapping[str, Any]) -> Play:
    steps = clean(entry)

    def carried(model: FeltModel) -> None:
        lies = next(lies for lies in model.cards if lies.spot == "discard")
        model.carry(lies, _TWO)
        model.wait()
        if entry["fault"] == "moved-and-back":
            model.carry(lies, "discard")

    steps.insert(_REPLACING, carried)
    # Nobody knows which of the discards it is, but that it is one.
    return Play(steps, _REPLACING, f"declare {Declaration.CARD_ELSEWHERE} {_TWO} draw=0", Truth(spot=_TWO))


def _unread_discard(entry: Mapping[str, Any]) -> Play:
    """The fourth card of seat 1, which it puts away, can be read by none."""
    steps = clean(entry)
    index = reached(_GAME, "during-the-deal") + 9

    def comes(model: FeltModel) -> None:
        reading_plays.unreadable(model, _ONE)

    steps[index] = comes

    return Play(steps, _REPLACING - 1, "", Truth(is_at_fault=False), until=_REPLACING, is_old=True)


# --- cards that are drawn early ---------------------------------------------------------------------------------------


def _early(entry: Mapping[str, Any]) -> Play:
    """A card that is not due, and lies at no seat."""
    spot = "board" if entry["fault"] == "one-too-many" else "burn"
    steps, index = clean(entry), _at(entry, later=2)

    def comes(model: FeltModel) -> None:
        model.draw(spot).is_seen = entry["seen"]

    steps.insert(index, comes)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], spot=spot))


def _nothing(entry: Mapping[str, Any]) -> Play:
    """No fault in this game."""
    return Play(clean(entry), index_of(entry), "", Truth())


# --- exposed cards, and demands ---------------------------------------------------------------------------------------


def _demanded(entry: Mapping[str, Any]) -> str:
    variant: str = entry.get("variant", "")
    return _DEMAND if variant.endswith("demanded") and not variant.endswith("not-demanded") else ""


def _exposed(entry: Mapping[str, Any]) -> Play:
    """The card of seat 2 in the second lap, or the first one that seat 1 gets in the draw."""
    what = Declaration.FACE_UP_IN_SHOE if entry["fault"] == "face-up" else Declaration.TURNED_WHILE_DEALT
    steps, index = clean(entry), index_of(entry)
    spots = [_TWO, _THREE] if "two-cards" in entry.get("variant", "") else [_TWO]
    if entry["at"] == "during-the-draw":
        spots = [_ONE]
    for nth, spot in enumerate(spots):
        steps[index + nth] = partial(_shown, spot=spot)
    at = index + len(spots) - 1
    first = index - reached(_GAME, "during-the-deal") + 1 if entry["at"] == "during-the-deal" else 16
    declares = "\n".join(f"declare {what} draw={first + nth}" for nth in range(len(spots)))
    return Play(steps, at, declares, Truth(is_seen=True, spot=spots[0]), then=_demanded(entry))


def _shown(model: FeltModel, spot: str) -> None:
    model.draw(spot).is_seen = True


def _turned_later(entry: Mapping[str, Any]) -> Play:
    """A card that lies there already is turned: the player's own word, or the croupier's."""
    steps, index = clean(entry), index_of(entry)
    what = Declaration.OWN_CARDS_SHOWN if entry["variant"] == "by-the-player" else Declaration.TURNED_WHILE_DEALT

    steps.insert(index, lambda model: None)
    return Play(steps, index, f"declare {what} {_TWO}", Truth(is_seen=True, spot=_TWO))


def _at_the_cut(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), reached(_GAME, "before-the-deal")
    steps.insert(index, lambda model: None)
    declares = f"declare {Declaration.CARD_SEEN_AT_CUT}"
    return Play(steps, index, declares, Truth(is_seen=True), then=_demanded(entry), until=_in_the_deal(entry))


def _in_the_deal(entry: Mapping[str, Any]) -> int | None:
    """In the deal some cards are out, when it is told then what was wrong before it."""
    return reached(_GAME, "during-the-deal") + 5 if entry["noticed"] == "during-the-deal" else None


def _away_for_the_entry(entry: Mapping[str, Any]) -> Play:
    """A card of seat 1 lies at seat 2 when the first player speaks, and is back within the dwell time."""
    steps, index = clean(entry), reached(_GAME, "deal-ended")

    def away(model: FeltModel) -> None:
        model.carry(next(lies for lies in model.cards if lies.spot == _ONE), _TWO)

    def back(model: FeltModel) -> None:
        model.carry(model.cards[0], _ONE)

    steps[index : index + 1] = [away, steps[index], back]
    return Play(steps, index + 2, "", Truth(is_at_fault=False))


#: The faults that the model can play.
PLAYS: Final[Plays] = {
    **{
        ("one-too-many", "seat", how): _one_too_many
        for how in (
            *("", "nobody-has-looked", "others-have-looked", "card-came-after-the-opening"),
            *("replacement-cards", "drawn-before-the-antes"),
        )
    },
    **{("one-too-few", "seat", how): _one_too_few for how in ("", "nobody-has-looked", "others-have-looked")},
    ("one-too-few", "seat", "replacement-cards"): _one_replacement_too_few,
    ("one-too-few", "seat", "taken-off-the-table"): _off_the_table,
    **{
        ("wrong-seat", "seat", how): _six_and_four
        for how in (
            *("nobody-has-looked", "others-have-looked", "told-after-the-opening", "both-have-looked"),
            *("only-the-six-has-looked", "only-the-four-has-looked"),
        )
    },
    ("wrong-seat", "seat", "replacement-card-at-another-seat"): _replacement_elsewhere,
    ("wrong-seat", "discard", "discard-at-a-seat"): _discard_at_a_seat,
    **{("swapped-order", "seat", how): _swapped for how in ("", "nobody-has-looked", "told-after-the-opening")},
    ("swapped-order", "seat", "replacement-cards"): _swapped_replacements,
    **{(fault, "seat", "found-after-the-award"): _found_after_the_award for fault in ("wrong-seat", "swapped-order")},
    **{
        ("swapped-order", "seat", f"dealt-from-a-wrong-seat{how}"): _from_a_wrong_seat
        for how in ("", "-demanded", "-not-demanded")
    },
    ("one-too-few", "discard", "fewer-thrown-than-asked"): _thrown(1),
    ("one-too-many", "discard", "more-thrown-than-asked"): _thrown(3),
    ("swapped-order", "discard", "thrown-before-his-turn"): _thrown_early,
    ("moved-and-back", "discard", "to-a-seat-longer-than-dwell-time"): _discard_at_a_seat,
    ("unread", "discard", "no-reader-read-it"): _unread_discard,
    ("one-too-many", "burn", "drawn-early-lies-in-the-middle"): _early,
    ("double-burn", "burn", "unexpected-burn"): _early,
    ("forgotten-burn", "burn", ""): _nothing,
    **{
        ("face-up", "seat", how): _exposed
        for how in ("demanded", "not-demanded", "told-after-the-opening", "replacement-cards")
    },
    **{
        ("turned", "seat", how): _exposed
        for how in (
            *("", "two-cards-demanded", "two-cards-not-demanded", "two-cards-told-after-the-opening"),
            "replacement-cards",
        )
    },
    **{("turned", "seat", how): _turned_later for how in ("by-the-player", "by-the-croupier-after-the-deal")},
    **{("face-up", "burn", f"card-exposed-at-the-cut{how}"): _at_the_cut for how in ("", "-demanded", "-not-demanded")},
    **{
        ("moved-and-back", "seat", f"{how}-than-dwell-time"): deal_plays.moved_and_back for how in ("shorter", "longer")
    },
    ("moved-and-back", "seat", "away-when-the-first-entry-arrives"): _away_for_the_entry,
}
