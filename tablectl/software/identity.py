"""Which software a table runs, as its controller, its watch and its auditors ask: a hash, or a tilt."""

from __future__ import annotations

from tablectl.config import Config
from tablectl.software.check import Identity, SoftwareChanged, deep, identify
from tablectl.tilt import Tilt, TiltKind


def identity(config: Config) -> Identity:
    """The check of a start. Raises `Tilt`."""
    try:
        return identify(config, config.file)
    except SoftwareChanged as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None


def check_again(config: Config, now: Identity, started: str) -> None:
    """Whether this is still what the controller was started with; where somebody approved it, down to the last file.

    Raises `Tilt`. What nobody approved is only held against the start: a workshop's own leavings are no alarm there.
    """
    if now.hash != started:
        what = f"the files are not those with which the controller was started ({now.hash[:16]}, was {started[:16]})"
        raise Tilt(TiltKind.SOFTWARE, f"{config.file}: {what}; `tablectl manifest check` names them where there is one")
    if now.signed_by is None:
        return
    try:
        deep(now, config.file)
    except SoftwareChanged as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None
