"""What whoever keeps the accounts says at the first start of a house: how its manager signs on."""

from __future__ import annotations

import asyncio

from tablectl.people.administration import Administration
from tablectl.people.first import FIRST_MANAGER, keep_first
from tablectl.people.people import People


def first_said(people: People, process: str, *, is_terminal: bool) -> str:
    """A line with his one-time password, or with the file that it is in; "" where there are accounts already. The
    password goes to whoever sits there, and else into a file of the accounts' owner: what a service says is kept by the
    system, and read by others. Raises `OSError`."""
    password = asyncio.run(Administration(people).first())
    if password is None:
        return ""
    as_who = f"{process}: no accounts yet; sign on as {FIRST_MANAGER} with the one-time password"
    if is_terminal:
        return f"{as_who} {password}\n"
    return f"{as_who} in {keep_first(people.file.path, password)}\n"


def cannot_keep_first(wrong: OSError, why: str) -> str:
    """What it means that the first password cannot be kept, and what to do."""
    right = f"tablectl people reset CONFIG {FIRST_MANAGER}"
    return f"the first password cannot be kept in {wrong.filename}: {why}; would be right: {right}"
