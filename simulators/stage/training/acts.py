"""What a trainee does with hands: cards, keys and cables. The wires, and nothing else, tell the controller of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from simulators.devices.angel_eye.simulator import ShoeHoldsCards
from simulators.devices.world import EmptyShoe, PhysicalCard
from simulators.stage.stage import Stage
from simulators.stage.training.table import ShownTable
from simulators.stage.training.tabletop import NotThere
from tablectl.api.stage import Act, CannotBeDone, NoAct
from tablectl.core.engine.vocabulary import Key

_Act: TypeAlias = Callable[[ShownTable, Mapping[str, Any]], tuple[str, ...]]


def do(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """One act; the names of the cards that came into the croupier's hand. Raises `NoAct`, `CannotBeDone`."""
    wanted = asked.get("do")
    act = next((act for act in Act if act == wanted), None)
    if act is None:
        raise NoAct(f"act {wanted!r}")
    if act not in table.acts or (table.dealing is None and act in _OF_TWO):
        raise CannotBeDone("not-here")
    if table.dealing is not None and not table.dealing.is_persons and act not in _OF_TWO:
        raise CannotBeDone("not-yours")
    try:
        return _ACTS[act](table, asked)
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


def _draw(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    return (table.took(_out(table.stage)),)


def _out(stage: Stage) -> PhysicalCard:
    """The next card in the croupier's hand: out of a shoe that says it, or by hand."""
    return stage.shoe.draw() if stage.scene.has_shoe else stage.world.draw()


def _draw_two(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Two that stick together: both are out before anybody sees it."""
    return tuple(table.took(_out(table.stage)) for _ in range(2))


def _draw_unread(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = table.stage
    card = stage.shoe.draw_unread() if stage.scene.has_shoe else stage.world.draw()
    _hush(stage, card)
    return (table.took(card),)


def _draw_unreported(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The shoe does not notice it."""
    return (table.took(table.stage.world.draw()),)


def _draw_by_force(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    stage = table.stage
    card = stage.shoe.draw_by_force() if stage.scene.has_shoe else stage.world.draw()
    return (table.took(card),)


def _cut_card(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    if not table.stage.scene.has_shoe:
        raise CannotBeDone("no-shoe")
    table.stage.shoe.draw_cut_card()
    return ()


def _place(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.place(_word(asked, "card"), _word(asked, "spot"))
    return ()


def _flip(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.flip(_word(asked, "card"))
    return ()


def _take_up(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.take_up(_word(asked, "card"))
    return (_word(asked, "card"),)


def _put_back(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.put_back(_word(asked, "card"))
    return ()


def _deafen(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Its tag is bent: no antenna hears it any more."""
    _hush(table.stage, table.tabletop.card(_word(asked, "card")))
    return ()


def _hush(stage: Stage, card: PhysicalCard) -> None:
    for antenna in stage.antennas.values():
        antenna.field.deaf.add(card.tag)


def _touch(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.touch(_word(asked, "spot"), _word(asked, "other"))
    return ()


def _discard(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    spot = _word(asked, "spot")
    if spot not in table.tabletop.spots:
        raise NotThere(spot)
    table.tabletop.gather(spot)
    return ()


def _gather(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.tabletop.gather()
    return ()


def _shuffle(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    table.shuffle()
    return ()


# -- keys and cables ---------------------------------------------------------------------------------------------------


def _press(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = _word(asked, "key")
    key = next((lit for lit in table.scene.panel if lit == wanted), None)
    if key is None:
        raise NoAct(f"key {wanted!r}")
    if not table.stage.panel_is_plugged:
        raise CannotBeDone("dark-panel")
    table.stage.press(Key(key))
    return ()


def _unplug(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    there = table.stage.cables
    if name not in there or name in table.unplugged:
        raise CannotBeDone("not-there")
    there[name][0]()
    table.unplugged.add(name)
    return ()


def _plug(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    name = _word(asked, "device")
    if name not in table.unplugged:
        raise CannotBeDone("not-there")
    table.stage.cables[name][1]()
    table.unplugged.discard(name)
    return ()


# -- who deals ---------------------------------------------------------------------------------------------------------


def _take_over(table: ShownTable, _asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The croupier's side is the person's, from now on."""
    assert table.dealing is not None, "it can be handed over here"
    if not table.dealing.take_over():
        raise CannotBeDone("not-yet")
    return ()


def _hand_back(table: ShownTable, asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The simulated croupier goes on, with every cable in."""
    for name in tuple(table.unplugged):
        _plug(table, {**asked, "device": name})
    assert table.dealing is not None, "it can be handed over here"
    table.dealing.hand_back()
    return ()


#: By these the croupier's side goes from one to the other.
_OF_TWO: Final = frozenset({Act.TAKE_OVER, Act.HAND_BACK})
_ACTS: Final[Mapping[Act, _Act]] = {
    Act.DRAW: _draw,
    Act.DRAW_TWO: _draw_two,
    Act.DRAW_UNREAD: _draw_unread,
    Act.DRAW_UNREPORTED: _draw_unreported,
    Act.DRAW_BY_FORCE: _draw_by_force,
    Act.CUT_CARD: _cut_card,
    Act.PLACE: _place,
    Act.FLIP: _flip,
    Act.TAKE_UP: _take_up,
    Act.PUT_BACK: _put_back,
    Act.DEAFEN: _deafen,
    Act.TOUCH: _touch,
    Act.DISCARD: _discard,
    Act.GATHER: _gather,
    Act.SHUFFLE: _shuffle,
    Act.PRESS: _press,
    Act.UNPLUG: _unplug,
    Act.PLUG: _plug,
    Act.TAKE_OVER: _take_over,
    Act.HAND_BACK: _hand_back,
}
