"""Cards that no reader read, that one read wrongly, and cards that are none of the deck's, as the model plays them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tablectl.core.cards import Card, card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import READERS_DISAGREE, Declaration, Remedy, Strange
from tests.fault_matrix.felt_model import FeltModel, Physical, Truth
from tests.fault_matrix.hand_plans import NEXT_HAND, Step, reached
from tests.fault_matrix.plays import CLAIMS, Play, Plays, Steps, claim_of, clean, index_of, one_card

_DRAW: Final = "draw-poker"
_ONE, _TWO, _THREE = "seat-1", "seat-2", "seat-3"
#: Seat 1 of draw-poker has put cards away, and the first one for it is due.
_REPLACING: Final = reached(_DRAW, "during-the-draw")
#: A hand of draw-poker whose second player has no pair before the draw.
_NO_JACKS: Final = "As Kd Qh Ad Tc Qc Ac 4h 7s 5c 6h 2h 8c 9d 3d Kc 4s 9s 6d 7h Jd 2c 8h 5s Th Kh 3c Js 7d 9h 6c Qs"
#: A card that is in no hand.
_OTHER: Final = card("Qs")
#: Moments so late that what a fault led to before is another cell.
_LATE: Final = frozenset({"opened", "hands-turned-up", "bank-turned", "settlement-shown", "after-award", "next-hand"})

How: TypeAlias = Callable[[FeltModel, str], object]
Judge: TypeAlias = Callable[[FeltModel, str], str]


def unreadable(model: FeltModel, spot: str) -> Physical:
    """No reader can read it."""
    return model.draw(spot, is_readable=False)


def _by_antenna_only(model: FeltModel, spot: str) -> Physical:
    return model.draw(spot, by_shoe=None)


def _disagree(model: FeltModel, spot: str) -> Physical:
    return model.draw(spot, by_antenna=_OTHER)


def _misread(model: FeltModel, spot: str) -> Physical:
    return model.draw(spot, by_shoe=_OTHER, by_antenna=_OTHER)


def _of_another(model: FeltModel, spot: str) -> Card:
    """A card that lies at another seat."""
    return next(lies.card for lies in model.cards if lies.spot not in (spot, "discard"))


def _read_as_out(model: FeltModel, spot: str) -> Physical:
    out = _of_another(model, spot)
    return model.draw(spot, by_shoe=out, by_antenna=out)


def _named_as_out(model: FeltModel, spot: str) -> Physical:
    """Somebody says that it is a card of seat 3, which has folded."""
    lies = unreadable(model, spot)
    lies.named_as = next(other.card for other in model.cards if other.spot == _THREE)
    return lies


def _named_wrongly(model: FeltModel, spot: str) -> Physical:
    lies = unreadable(model, spot)
    lies.named_as = _OTHER
    return lies


# --- whose card it is -------------------------------------------------------------------------------------------------


def _where(entry: Mapping[str, Any]) -> tuple[Steps, int, str]:
    """The steps of the hand, which of them brings the card that is concerned, and where it is dealt. Of draw-poker it
    is a card of the player who does not open, except where that is the fault."""
    variant = entry.get("variant", "")
    if entry["game"] == _DRAW:
        index = index_of(entry)
        if entry["at"] == "during-the-draw":
            return (clean(entry), *((_REPLACING + 5, _TWO) if "folded" in variant else (_REPLACING, _ONE)))
        is_of_opener = "opener" in variant or variant == "named-as-a-card-already-out"
        return (clean(entry), *((index, _TWO) if is_of_opener else (index + 1, _THREE)))
    found = one_card(entry)
    assert found is not None, entry["id"]
    return found


def folding(game: str, steps: Steps, seat: int, *, in_the_draw: bool = False) -> None:
    """This seat gives its hand up, in its first round; the steps stay as many."""
    if game == _DRAW and in_the_draw:
        last = reached(_DRAW, "after-the-draw")
        steps[last : last + 3] = [Step(f"act {what}", "") for what in ("bet 200", "fold", "call")]
    elif game == _DRAW:
        assert seat == 3, "the first one who can fold"
        steps[reached(_DRAW, "opened")] = Step("act fold", "")
        # it does not change cards, and does not speak any more
        for moment in ("after-the-draw", "after-last-decision"):
            steps[reached(_DRAW, moment) - 1] = _nothing
    elif game in ("circle-holdem", "open-holdem"):
        # seat 3 speaks first, seat 2 last
        steps[reached(game, "deal-ended" if seat == 3 else "after-two-actions")] = Step("act fold", "")
    else:
        decided = ("press bet", "press fold")
        decisions = [nth for nth, step in enumerate(steps) if isinstance(step, Step) and step.line in decided]
        steps[decisions[seat - 1]] = Step("press fold", "")
        checks = [nth for nth, step in enumerate(steps) if isinstance(step, Step) and step.line == "press check"]
        for nth in checks[len(checks) // 2 - 1 : len(checks) // 2] + checks[-1:]:
            steps[nth] = _nothing


def _nothing(model: FeltModel) -> None:
    """Nobody does anything."""


def _with_side_bet(entry: Mapping[str, Any], steps: Steps) -> None:
    """The player whose card it is has bet on it, too."""
    name = {"folded-hand-with-bonus": "bonus", "two-readers-disagree-folded-with-bonus": "bonus"}.get(
        entry.get("variant", ""), "txb" if "txb" in entry.get("variant", "") else ""
    )
    if name:
        steps[1] = Step(f"bet 2 ante 1000 {name} 500", "")


# --- the plays --------------------------------------------------------------------------------------------------------


def one_reading(
    how: How, *, deck: str = "", judge: Judge = lambda model, word: word, declares: str = "", folds: int = 0
) -> Callable[[Mapping[str, Any]], Play]:
    """One card comes in this way, and is all that is special."""

    def made(entry: Mapping[str, Any]) -> Play:
        steps, index, spot = _where(entry)

        def comes(model: FeltModel) -> None:
            how(model, spot)

        steps[index] = comes
        _with_side_bet(entry, steps)
        in_the_draw = entry["at"] == "during-the-draw"
        if "folded" in entry.get("variant", ""):
            folding(entry["game"], steps, int(spot[-1]), in_the_draw=in_the_draw)
        elif folds:
            folding(entry["game"], steps, folds)
        truth = Truth(is_at_fault=False, spot=spot)
        said = claim_of(entry["game"]) if declares == CLAIMS else declares
        return Play(steps, index, said, truth, deck=deck, is_old=entry["noticed"] in _LATE, judge=judge)

    return made


def _uncertain(model: FeltModel, word: str) -> str:
    """The two readers are named, and no card (ruling "readers")."""
    told = [said for said in model.said if isinstance(said, d.IncidentRaised) and READERS_DISAGREE in said.observed]
    return "uncertain" if told and word == Remedy.CONTINUE else word


def _put_right(entry: Mapping[str, Any]) -> Play:
    """When it is turned up everybody sees which card it is."""
    play = one_reading(_misread)(entry)

    def corrects(model: FeltModel) -> str:
        lies = next(lies for lies in model.cards if lies.tag is _OTHER)
        return f"correct {lies.fact} card {lies.card.code} by ana+luis misread"

    return replace(play, declares=corrects, is_old=True)


def _foreign(entry: Mapping[str, Any]) -> Play:
    """A card that is none of the deck's, or that is there twice."""
    steps, index, spot = _where(entry)
    variant = entry["variant"]

    def comes(model: FeltModel) -> None:
        if variant == "second-card-with-the-same-face":
            model.draw(spot, card=_of_another(model, spot))
        elif variant == "unknown-card":
            where = spot if model.equipment != "shoe" else "shoe"
            model.tell(f.StrangeTag(at_us=model.cards[-1].card.index, spot=where, what=Strange.FOREIGN))
        else:
            model.draw(spot)

    steps[index] = comes
    said = claim_of(entry["game"]) if entry["noticed"] == NEXT_HAND else f"declare {Declaration.NOT_OF_DECK}"
    return Play(steps, index, said, Truth(), is_old=entry["noticed"] in _LATE)


def _clean(entry: Mapping[str, Any]) -> Play:
    """Only one of two cards with one face is drawn: nothing shows."""
    return Play(clean(entry), index_of(entry), "", Truth(), is_old=True)


def _missing(entry: Mapping[str, Any]) -> Play:
    """A card is missing from the deck; in draw-poker a new deal may be demanded for it."""
    game, variant = entry["game"], entry.get("variant", "")
    steps, index = clean(entry), reached(game, "before-the-deal")
    steps.insert(index, _nothing)
    declares = f"declare {Declaration.MISSING_CARD}"
    until = reached(game, "during-the-deal") + 5 if entry["noticed"] == "during-the-deal" else None
    demand = f"declare {Declaration.REDEAL_DEMANDED} {_ONE}" if variant == "demanded" else ""
    return Play(steps, index, declares, Truth(), then=demand, until=until)


def _counted_after(entry: Mapping[str, Any]) -> Play:
    """The deck is counted when the hand is over: by its shuffler, or by the antennas."""
    steps = clean(entry)

    def counted(model: FeltModel) -> None:
        model.forget_told()
        at_us = model.now()
        model.tell(f.Shuffled(at_us=at_us, cards=51) if model.equipment == "shoe" else f.Counted(at_us=at_us, cards=51))

    steps.append(counted)
    return Play(steps, len(steps) - 1, "", Truth())


PLAYS: Final[Plays] = {
    **{
        ("unread", place, how): one_reading(unreadable)
        for place in ("seat", "bank", "board", "burn")
        for how in (
            *("no-reader-read-it", "compared-hand", "folded-hand", "folded-hand-with-bonus", "txb-is-settled-now"),
            *("of-the-opener", "opener-had-jacks"),
        )
    },
    ("unread", "seat", "opener-had-no-jacks"): one_reading(unreadable, deck=_NO_JACKS),
    ("unread", "seat", "one-reader-read-it"): one_reading(_by_antenna_only),
    ("unread", "seat", "named-as-a-card-already-out"): one_reading(_named_as_out, folds=3),
    ("unread", "seat", "named-wrongly"): one_reading(_named_wrongly, declares=CLAIMS),
    **{
        ("misread", place, how): one_reading(_disagree, judge=_uncertain)
        for place in ("seat", "bank", "board", "burn")
        for how in (
            *("two-readers-disagree", "two-readers-disagree-folded", "two-readers-disagree-folded-with-bonus"),
            *("two-readers-disagree-txb",),
        )
    },
    **{("misread", "seat", how): one_reading(_disagree) for how in ("of-the-opener", "opener-had-jacks")},
    ("misread", "seat", "opener-had-no-jacks"): one_reading(_disagree, deck=_NO_JACKS),
    ("misread", "seat", "only-reader-folded-hand"): one_reading(_misread),
    ("misread", "seat", "read-as-a-card-already-out"): one_reading(_read_as_out),
    ("misread", "seat", "found-after-the-award"): one_reading(_misread, declares=CLAIMS),
    **{("misread", place, "only-reader-read-another-card"): _put_right for place in ("seat", "bank", "board")},
    **{
        ("foreign", place, how): _foreign
        for place in ("seat", "bank", "board", "burn")
        for how in (
            *("unknown-card", "second-card-with-the-same-face", "shown-or-declared-later"),
            *("found-after-the-award",),
        )
    },
    ("foreign", "seat", "twin-still-in-the-deck"): _clean,
    **{("missing", "seat", how): _missing for how in ("", "demanded", "not-demanded")},
    ("missing", "seat", "found-after-the-award"): _counted_after,
}
