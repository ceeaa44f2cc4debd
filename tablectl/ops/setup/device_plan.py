"""Questions about the devices of a table: which roles its equipment needs, which device that was found is which.

Where one device fits it is proposed; nothing is plugged in for a second role, and nothing that another table has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.entry import Driver
from drivers.registry import DRIVERS
from tablectl.config.spots import STUB, dealt_to
from tablectl.core.engine.slots import BURN, DISCARD
from tablectl.core.engine.state import ANTENNAS
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import RULEBOOKS
from tablectl.ops.setup import proposals
from tablectl.ops.setup.choice_plan import chosen
from tablectl.ops.setup.discovery import Found
from tablectl.ops.setup.keys import KeyMap
from tablectl.ops.setup.messages import Word
from tablectl.ops.setup.ports import PORT_KEYS, Port, SpotPort, antenna_of, free_ports, port_of
from tablectl.ops.setup.questions import NONE, Answers, Choice, Option, Question, Refused, Text

#: The role of a shuffler.
SHUFFLER: Final = "shuffler"
#: Cards that were put away, and what remains: no hand needs an antenna there, each makes more mistakes seen.
EXTRA_SPOTS: Final = (BURN[0].spot, DISCARD[0].spot, STUB)


def device_questions(said: Answers, found: Found) -> Iterator[Question]:
    """Shoe, readers under the felt, panel, light, shuffler, reader of badges."""
    equipment = Equipment(said["table.equipment"])
    if equipment is not Equipment.ANTENNAS:
        yield from _shoe(said, found)
    if equipment is not Equipment.SHOE:
        yield from _readers(said, found)
    yield from _panel(said, found)
    yield from _light(said, found)
    yield from shuffler_questions(said, found)
    yield from _badges(said, found)


def _model_option(driver: Driver, note: str = "") -> Option:
    return Option(value=driver.id, note=f"{driver.title}{note}")


def _shoe(said: Answers, found: Found) -> Iterator[Question]:
    models = DRIVERS.of_role("shoe")
    yield Question(
        key="shoe.driver",
        part="devices",
        asks="shoe",
        kind=Choice(options=tuple(map(_model_option, models))),
        proposal=models[0].id,
        is_needed=True,
    )
    yield _port("shoe.port", "shoe-port", said, found)


def _port(
    key: str, asks: str, said: Answers, found: Found, *, proposal: str | None = None, may_be_none: bool = False
) -> Question:
    """`proposal`: without one the port that is left, where one alone is."""
    free = free_ports(said, found, but=key)
    only = free[0].path if len(free) == 1 else None
    return Question(
        key=key,
        part="devices",
        asks=asks,
        kind=Port(ports=free, may_be_none=may_be_none),
        proposal=proposal or only,
        is_known=may_be_none and not free,
        is_needed=not may_be_none,
        check=lambda port: _is_free(key, port, said, found),
    )


def _is_free(key: str, port: str, said: Answers, found: Found) -> None:
    """A port that no other device here and no other table has."""
    mine = [text for text in PORT_KEYS if text != key and said.get(text) == port]
    antennas = [f"readers.{spot}" for spot in antennas_of(said).get(port, {})]
    if port != NONE and (taken := [*mine, *antennas]):
        raise Refused("port-used", port=port, key=taken[0])
    if (table := found.whose(port)) is not None:
        raise Refused("port-taken", port=port, table=table)


# --- readers under the felt -------------------------------------------------------------------------------------------


def spots_dealt_to(said: Answers) -> tuple[str, ...]:
    """Every spot to which one of the table's games deals."""
    rulebooks = {game: RULEBOOKS[game](chosen(said, game)) for game in said["table.games"]}
    dealt = [spot for game, rulebook in rulebooks.items() for spot in dealt_to(rulebook, said[f"{game}.seats"])]
    return tuple(dict.fromkeys(dealt))


def _readers(said: Answers, found: Found) -> Iterator[Question]:
    models = DRIVERS.of_role(ANTENNAS)
    yield Question(
        key="readers.driver",
        part="devices",
        asks="readers",
        kind=Choice(options=tuple(map(_model_option, models))),
        proposal=models[0].id,
        is_needed=True,
    )
    driver = said["readers.driver"]
    dealt = spots_dealt_to(said)
    for spot in dict.fromkeys((*dealt, *EXTRA_SPOTS)):
        yield _spot(spot, driver, said, found, is_extra=spot not in dealt)


def _spot(spot: str, driver: str, said: Answers, found: Found, *, is_extra: bool) -> Question:
    key = f"readers.{spot}"
    free = free_ports(said, found, but=key)
    unused = [serial_port.path for serial_port in free if serial_port.path not in antennas_of(said)]
    proposal = unused[0] if unused else NONE if is_extra else None

    def check(value: str) -> None:
        port = port_of(value)
        if value == NONE:
            return
        antennas = antennas_of(said)
        if antenna_of(value) in antennas.get(port, {}).values():
            raise Refused("antenna-used", antenna=value)
        if port not in antennas:
            _is_free(key, port, said, found)

    return Question(
        key=key,
        part="devices",
        asks="extra-spot" if is_extra else "spot",
        kind=SpotPort(ports=free, may_be_none=is_extra, most_antennas=DRIVERS[driver].most_antennas),
        proposal=proposal,
        values={"spot": Word.of("spot", spot)},
        is_needed=not is_extra,
        check=check,
    )


def antennas_of(said: Answers) -> dict[str, dict[str, int]]:
    """Of each reader's port: which of its antennas looks at which spot."""
    made: dict[str, dict[str, int]] = {}
    for key, value in said.items():
        spot = key.removeprefix("readers.")
        if spot in (key, "driver") or value == NONE:
            continue
        made.setdefault(port_of(value), {})[spot] = antenna_of(value)
    return made


# --- panel, light, badges ---------------------------------------------------------------------------------------------


def _panel(said: Answers, found: Found) -> Iterator[Question]:
    yield _usb_model("panel", said, found)
    if said["panel.driver"] == NONE:
        return
    yield from _which("panel", said, found)
    driver = DRIVERS[said["panel.driver"]]
    proposed = proposals.keys_for(said["table.games"], driver.n_keys)
    yield Question(
        key="panel.keys",
        part="devices",
        asks="keys",
        kind=KeyMap(n_keys=driver.n_keys, now=proposed),
        proposal=proposed,
        values={"last": driver.n_keys - 1},
    )


def _light(said: Answers, found: Found) -> Iterator[Question]:
    yield _usb_model("light", said, found)
    if said["light.driver"] != NONE:
        yield from _which("light", said, found)


def _usb_model(role: str, said: Answers, found: Found) -> Question:
    """Which model: those that are plugged in come first, and one alone is proposed."""
    there = _plugged_in(role, found)
    names = tuple(dict.fromkeys(text for text, _ in there))
    rest = tuple(driver for driver in DRIVERS.of_role(role) if driver.id not in names)
    shown = rest if not names else tuple(driver for driver in rest if not driver.usb_ids)
    options = (
        *(
            _model_option(DRIVERS[text], f" (USB {', '.join(at for name, at in there if name == text)})")
            for text in names
        ),
        *(_model_option(driver) for driver in shown),
        Option(value=NONE, word=Word.of("setup-word", f"no-{role}")),
    )
    return Question(
        key=f"{role}.driver",
        part="devices",
        asks=role,
        kind=Choice(options=options, more=tuple(driver.id for driver in rest if driver not in shown)),
        proposal=names[0] if len(names) == 1 else None if names else NONE,
        is_needed=True,
    )


def _plugged_in(role: str, found: Found) -> list[tuple[str, str]]:
    """Model and place of those that no other table has."""
    taken = {place for table in found.tables for place in table.usb}
    return [
        (usb_device.driver, usb_device.port_path)
        for usb_device in found.usb
        if DRIVERS[usb_device.driver].role == role and (usb_device.driver, usb_device.port_path) not in taken
    ]


def _which(role: str, said: Answers, found: Found) -> Iterator[Question]:
    """Where it is: the port of a serial one; of USB devices only where there are several of the model."""
    driver = DRIVERS[said[f"{role}.driver"]]
    if not driver.usb_ids:
        yield _port(f"{role}.port", f"{role}-port", said, found)
        return
    places = [at for name, at in _plugged_in(role, found) if name == driver.id]
    n_there = sum(usb_device.driver == driver.id for usb_device in found.usb)
    if n_there > 1 and places:
        yield Question(
            key=f"{role}.which",
            part="devices",
            asks="which",
            kind=Choice(options=tuple(Option(value=place) for place in places)),
            proposal=places[0] if len(places) == 1 else None,
            values={"model": driver.title},
        )
        return
    any_place = r"|[0-9]+-[0-9]+(\.[0-9]+)*"
    yield Question(
        key=f"{role}.which",
        part="devices",
        asks="which",
        kind=Text(pattern=any_place, why="which"),
        proposal="",
        is_known=True,
        values={"model": driver.title},
    )


def shuffler_questions(said: Answers, found: Found) -> Iterator[Question]:
    """Where it is; which model only where there is a choice."""
    yield _port("shuffler.port", SHUFFLER, said, found, proposal=NONE, may_be_none=True)
    models = DRIVERS.of_role(SHUFFLER)
    if said["shuffler.port"] != NONE and len(models) > 1:
        yield Question(
            key="shuffler.driver",
            part="devices",
            asks="shuffler-model",
            kind=Choice(options=tuple(map(_model_option, models))),
            proposal=models[0].id,
            is_needed=True,
        )


def _badges(said: Answers, found: Found) -> Iterator[Question]:
    options = (
        *map(_model_option, DRIVERS.of_role(ANTENNAS)),
        Option(value=NONE, word=Word.of("setup-word", "no-badges")),
    )
    yield Question(
        key="badges.driver",
        part="devices",
        asks="badges",
        kind=Choice(options=options),
        proposal=NONE,
        is_known=not free_ports(said, found, but="badges.port"),
    )
    if said["badges.driver"] != NONE:
        yield _port("badges.port", "badges-port", said, found)


def made(said: Answers, key: str) -> str | None:
    """An answer, None where it was not asked for or is none."""
    value: str = said.get(key, NONE)
    return None if value in (NONE, "") else value
