"""What a trainee does with hands: cards, keys and cables. The wires, and nothing else, tell the controller of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from simulators.devices.angel_eye.simulator import ShoeHoldsCards
from simulators.devices.world import EmptyShoe, PhysicalCard
from simulators.stage.stage import Stage
from simulators.stage.training.table import PreparedTable
from simulators.stage.training.tabletop import NotThere
from tablectl.api.stage import CannotBeDone, NoAct
from tablectl.core.engine.vocabulary import Key

_Act: TypeAlias = Callable[[PreparedTable, Mapping[str, Any]], tuple[str, ...]]


def do(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """One act; the names of the cards that came into the croupier's hand. Raises `NoAct`, `CannotBeDone`."""
    act = _ACTS.get(str(asked.get("do")))
    if act is None:
        raise NoAct(f"act {asked.get('do')!r}")
    try:
        return act(table, asked)
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


def _draw(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    return (table.tabletop.took(_out(table.stage)),)


def _out(stage: Stage) -> PhysicalCard:
    """The next card in the croupier's hand: out of a shoe that says it, or by hand."""
    return stage.shoe.draw() if stage.scene.has_shoe else stage.world.draw()


def _draw_two(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Two that stick together: both are out before anybody sees it."""
    return tuple(table.tabletop.took(_out(table.stage)) for _ in range(2))


def _draw_unread(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = table.stage
    card = stage.shoe.draw_unread() if stage.scene.has_shoe else stage.world.draw()
    _hush(stage, card)
    return (table.tabletop.took(card),)


def _draw_unreported(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The shoe does not notice it."""
    return (table.tabletop.took(table.stage.world.draw()),)


def _draw_by_force(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = table.stage
    card = stage.shoe.draw_by_force() if stage.scene.has_shoe else stage.world.draw()
    return (table.tabletop.took(card),)


def _cut_card(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    if not table.stage.scene.has_shoe:
        raise CannotBeDone("no-shoe")
    table.stage.shoe.draw_cut_card()
    return ()


def _place(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.place(_word(asked, "card"), _word(asked, "spot"))
    return ()


def _flip(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.flip(_word(asked, "card"))
    return ()


def _take_up(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.take_up(_word(asked, "card"))
    return (_word(asked, "card"),)


def _put_back(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.put_back(_word(asked, "card"))
    return ()


def _deafen(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Its tag is bent: no antenna hears it any more."""
    _hush(table.stage, table.tabletop.card(_word(asked, "card")))
    return ()


def _hush(stage: Stage, card: PhysicalCard) -> None:
    for antenna in stage.antennas.values():
        antenna.field.deaf.add(card.tag)


def _touch(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.touch(_word(asked, "spot"), _word(asked, "other"))
    return ()


def _discard(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    spot = _word(asked, "spot")
    if spot not in table.tabletop.spots:
        raise NotThere(spot)
    table.tabletop.gather(spot)
    return ()


def _gather(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.gather()
    return ()


def _shuffle(table: PreparedTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.shuffle()
    return ()


# -- keys and cables ---------------------------------------------------------------------------------------------------


def _press(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = _word(asked, "key")
    key = next((lit for lit in table.scene.panel if lit == wanted), None)
    if key is None:
        raise NoAct(f"key {wanted!r}")
    if not table.stage.panel_is_plugged:
        raise CannotBeDone("dark-panel")
    table.stage.press(Key(key))
    return ()


def _unplug(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    there = table.stage.cables
    if name not in there or name in table.unplugged:
        raise CannotBeDone("not-there")
    there[name][0]()
    table.unplugged.add(name)
    return ()


def _plug(table: PreparedTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    if name not in table.unplugged:
        raise CannotBeDone("not-there")
    table.stage.cables[name][1]()
    table.unplugged.discard(name)
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
