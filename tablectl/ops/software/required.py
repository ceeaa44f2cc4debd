"""Which tables need software that somebody approved, and whether a new one has it.

A table whose devices are simulated, or whose keys are a demonstration's, deals for nobody's money: it needs none.
"""

from __future__ import annotations

from tablectl.config.table_file import Config
from tablectl.core.validation import Mistake
from tablectl.journal.keys import load_sealing
from tablectl.journal.public_keys import BadKey
from tablectl.journal.tilt import find
from tablectl.journal.volumes import present


def is_real(config: Config) -> bool:
    """Whether its devices are this machine's own. (Of keys of a demonstration only an opened journal knows.)"""
    return config.usb_bus is None


def how(config: Config) -> str:
    """What to type so that the software of this table is approved."""
    typed = f"tablectl manifest make {config.file} --key PEM"
    if config.manifest is not None:
        return f"`{typed}`, by who approves the software"
    return (
        "a section [software] with `manifest` and `public_key` in the table's file, then, by who approves the software,"
        f" `{typed}` (docs/software-identity.md)"
    )


def unapproved(config: Config) -> list[Mistake]:
    """What a new table lacks: it does not begin before somebody approved its software. Nothing where it has begun, is
    tilted, or needs none: one that dealt before this was asked goes on for a while, as its controller says."""
    if not is_real(config) or (config.manifest is not None and config.manifest.exists()) or _has_begun(config):
        return []
    if _is_demo(config):
        return []
    found = "nothing, and this table is new" if config.manifest is None else f"no file {config.manifest}"
    return [Mistake(where=str(config.file), key="software.manifest", found=found, right=how(config))]


def _has_begun(config: Config) -> bool:
    try:
        return find(config.marks) is not None or bool(present(config.journal) or present(config.copy))
    except OSError:
        return True  # what cannot be looked at may be there


def _is_demo(config: Config) -> bool:
    try:
        return load_sealing(config.key)[1]
    except BadKey:
        return False
