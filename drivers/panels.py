"""What any panel of keys can be made to show, whichever model it is: the one vocabulary for whoever decides what a key
means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from drivers.protocol import DeviceProtocol


class KeyLook(StrEnum):
    """`DEAD`: pressing it does nothing now. `LIVE`: it does. `REFUSED`: it was pressed in vain just now."""

    DEAD = "dead"
    LIVE = "live"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyFace:
    """How one key is to look. `label` is for keys that can show a text, in the language of the house."""

    look: KeyLook
    label: str = ""


class KeyPanel(DeviceProtocol, ABC):
    """A protocol whose keys show something. A level, not an edge: what is lost with the wire is shown again."""

    @abstractmethod
    def face(self, faces: Mapping[int, KeyFace]) -> None:
        """How all keys are to look from now on; those not named are dead and have no label.

        A panel without lamps does nothing. Raises ValueError for a key that is none.
        """
