"""Whether the bytecode in a folder's `__pycache__` is what its sources say.

Python runs a .pyc whose header names the source's size and time (or is marked as not to be checked) without ever
reading the source. Whoever can write one file there changes the program, and every hash of every source stays right.
So the code in a .pyc is compared with what its source compiles to, whatever its header says; and one without a source
is nobody's.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Final

from tablectl.ops.software.survey import CACHE

_HEADER_BYTES: Final = 16
_TAG: Final = re.escape(str(sys.implementation.cache_tag))
_NAME: Final = re.compile(rf"(?P<stem>.+)\.{_TAG}(?:\.opt-(?P<level>[12]))?\.pyc")
#: All that a code object is made of, but the name of its file: Python puts the right one there when it loads it.
_FIELDS: Final = (
    "co_argcount",
    "co_cellvars",
    "co_code",
    "co_consts",
    "co_exceptiontable",
    "co_firstlineno",
    "co_flags",
    "co_freevars",
    "co_kwonlyargcount",
    "co_linetable",
    "co_name",
    "co_names",
    "co_nlocals",
    "co_posonlyargcount",
    "co_qualname",
    "co_stacksize",
    "co_varnames",
)


def cached(folder: Path) -> Iterator[Path]:
    """Everything in the caches that belong to the sources in `folder`: beside them, and where this Python looks."""
    beside = folder / CACHE
    if beside.is_dir():
        yield from sorted(beside.iterdir())
    # With PYTHONPYCACHEPREFIX a tree of its own, in which a folder is the cache of a folder.
    elsewhere = Path(importlib.util.cache_from_source(str(folder / "x.py"))).parent
    if elsewhere != beside and elsewhere.is_dir():
        yield from sorted(path for path in elsewhere.iterdir() if not path.is_dir())


def source_of(path: Path, folder: Path) -> Path | None:
    """The source in `folder` of which this Python would run `path`; None if there is none, and so `path` is unknown."""
    match = _NAME.fullmatch(path.name)
    source = folder / f"{match['stem']}.py" if match else None
    return source if source is not None and source.is_file() and path.is_file() else None


def is_compiled_from(path: Path, source: Path) -> bool:
    """Whether the .pyc holds the code of `source`."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return False
    try:
        held = path.read_bytes()
        if held[:4] != importlib.util.MAGIC_NUMBER:
            return False
        level = int(match["level"] or 0)
        due = compile(source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=level)
        if held[_HEADER_BYTES:] == marshal.dumps(due):
            return True  # as nearly always: Python wrote it here, of this source
        # Loading what somebody may have planted runs nothing; Python itself would load it at the next import.
        found = marshal.loads(held[_HEADER_BYTES:])
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):
        return False
    return _form(found) == _form(due)


def _form(value: object) -> object:
    """A constant or code so that equal means the same: Python holds 1, 1.0 and True, or two zeros, for equal."""
    if isinstance(value, CodeType):
        return CodeType, tuple(_form(getattr(value, field)) for field in _FIELDS)
    if isinstance(value, tuple):
        return tuple, tuple(map(_form, value))
    if isinstance(value, frozenset):
        return frozenset, frozenset(map(_form, value))
    if isinstance(value, slice):
        return slice, _form((value.start, value.stop, value.step))
    return type(value), repr(value) if isinstance(value, float | complex) else value
