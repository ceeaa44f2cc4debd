"""What a trainee does with hands: cards, keys and cables. The wires, and nothing else, tell the controller of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from simulators.angel_eye import ShoeHoldsCards
from simulators.world import HAND, SHOE, EmptyShoe, PhysicalCard
from tablectl.core.engine.words import Key
from tablectl.demo.readers import MOUTH
from tablectl.demo.stage import Stage
from tablectl.web.training.session import Session
from tablectl.web.training.tabletop import NotThere


class CannotBeDone(Exception):
    """A person could not do that now. The text is a key of `[training-refusal]`."""


class NoAct(ValueError):
    """What a page sent is no act."""


_Act: TypeAlias = Callable[[Session, Mapping[str, Any]], tuple[str, ...]]


def do(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """One act; the names of the cards that came into the croupier's hand. Raises `NoAct`, `CannotBeDone`."""
    act = _ACTS.get(str(asked.get("do")))
    if act is None:
        raise NoAct(f"act {asked.get('do')!r}")
    try:
        return act(session, asked)
    except NotThere:
        raise CannotBeDone("not-there") from None
    except ShoeHoldsCards:
        raise CannotBeDone("locked") from None
    except EmptyShoe:
        raise CannotBeDone("empty") from None


def _word(asked: Mapping[str, Any], name: str) -> str:
    found = asked.get(name)
    if not isinstance(found, str):
        raise NoAct(name)
    return found


# -- cards -----------------------------------------------------------------------------------------------------------


def _draw(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    return (session.tabletop.took(_out(session.stage)),)


def _out(stage: Stage) -> PhysicalCard:
    """The next card in the croupier's hand: out of a shoe that says it, or by hand."""
    return stage.shoe.draw() if stage.scene.has_shoe else stage.world.draw()


def _draw_two(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Two that stick together: both are out before anybody sees it."""
    return tuple(session.tabletop.took(_out(session.stage)) for _ in range(2))


def _draw_unread(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = session.stage
    card = stage.shoe.draw_unread() if stage.scene.has_shoe else stage.world.draw()
    _hush(stage, card)
    return (session.tabletop.took(card),)


def _draw_unreported(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The shoe does not notice it."""
    return (session.tabletop.took(session.stage.world.draw()),)


def _draw_by_force(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = session.stage
    card = stage.shoe.draw_by_force() if stage.scene.has_shoe else stage.world.draw()
    return (session.tabletop.took(card),)


def _cut_card(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    if not session.stage.scene.has_shoe:
        raise CannotBeDone("no-shoe")
    session.stage.shoe.draw_cut_card()
    return ()


def _place(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.place(_word(asked, "card"), _word(asked, "spot"))
    return ()


def _flip(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.flip(_word(asked, "card"))
    return ()


def _take_up(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.take_up(_word(asked, "card"))
    return (_word(asked, "card"),)


def _put_back(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.put_back(_word(asked, "card"))
    return ()


def _deafen(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Its tag is bent: no antenna hears it any more."""
    _hush(session.stage, session.tabletop.card(_word(asked, "card")))
    return ()


def _hush(stage: Stage, card: PhysicalCard) -> None:
    for antenna in stage.antennas.values():
        antenna.field.deaf.add(card.tag)


def _touch(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.touch(_word(asked, "spot"), _word(asked, "other"))
    return ()


def _discard(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    spot = _word(asked, "spot")
    if spot not in session.tabletop.spots:
        raise NotThere(spot)
    session.tabletop.gather(spot)
    return ()


def _gather(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.tabletop.gather()
    return ()


def _shuffle(session: Session, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    session.shuffle()
    return ()


# -- keys and cables ---------------------------------------------------------------------------------------------------


def _press(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = _word(asked, "key")
    key = next((each for each in session.scene.panel if each == wanted), None)
    if key is None:
        raise NoAct(f"key {wanted!r}")
    if not session.stage.panel_is_plugged:
        raise CannotBeDone("dark-panel")
    session.stage.press(Key(key))
    return ()


def cables(stage: Stage) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Every device that has a cable: how it is pulled, and plugged in again."""
    found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "panel": (lambda: stage.bus.unplug(stage.panel), lambda: stage.bus.plug(stage.panel)),
        "light": (lambda: stage.bus.unplug(stage.light), lambda: stage.bus.plug(stage.light)),
    }
    if stage.scene.has_shoe:
        found["sabot"] = (stage.shoe.unplug, stage.shoe.replug)
    for spot, antenna in stage.antennas.items():
        if spot not in (MOUTH, SHOE):
            found[antenna.name] = (antenna.reader.unplug, antenna.reader.replug)
    return found


def _unplug(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    there = cables(session.stage)
    if name not in there or name in session.unplugged:
        raise CannotBeDone("not-there")
    there[name][0]()
    session.unplugged.add(name)
    return ()


def _plug(session: Session, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    if name not in session.unplugged:
        raise CannotBeDone("not-there")
    cables(session.stage)[name][1]()
    session.unplugged.discard(name)
    return ()


_ACTS: Final[Mapping[str, _Act]] = {
    "draw": _draw,
    "draw-two": _draw_two,
    "draw-unread": _draw_unread,
    "draw-unreported": _draw_unreported,
    "draw-by-force": _draw_by_force,
    "cut-card": _cut_card,
    "place": _place,
    "flip": _flip,
    "take-up": _take_up,
    "put-back": _put_back,
    "deafen": _deafen,
    "touch": _touch,
    "discard": _discard,
    "gather": _gather,
    "shuffle": _shuffle,
    "press": _press,
    "unplug": _unplug,
    "plug": _plug,
}
ACTS: Final = frozenset(_ACTS)
#: Where a card is that was just drawn.
IN_HAND: Final = HAND
