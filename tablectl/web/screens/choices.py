"""What each choice of the pit boss would do: asked of the controller, for the page with the choices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from tablectl.api import async_client
from tablectl.core.engine.preview import Preview
from tablectl.core.events.codec import from_plain
from tablectl.core.records import record

#: An alarm waits no longer for what its choices would do: the page is shown without.
ANSWER_WITHIN_S: Final = 1.0
#: By the number of an incident and its remedy.
Previews: TypeAlias = Mapping[int, Mapping[str, Preview]]


@record
class Told:
    """The controller's answer."""

    ok: bool
    choices: Mapping[int, tuple[Preview, ...]]


async def ask_choices(socket: Path) -> Previews:
    """Of every incident that waits for the pit boss; nothing where the controller does not answer, or is another
    version of the program."""
    try:
        said = await async_client.ask(socket, {"ask": "choices"}, timeout_s=ANSWER_WITHIN_S)
        told = from_plain(said, Told, "the choices of the pit boss")
    except (OSError, ValueError):
        return {}
    return previews_of(told)


def previews_of(told: Told) -> Previews:
    """The controller's answer as pages look it up."""
    return {number: {tried.remedy.value: tried for tried in previews} for number, previews in told.choices.items()}
