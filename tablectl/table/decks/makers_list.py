"""The list that comes with a deck from its maker: which tag is which card."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Final

from tablectl.core.cards import Card, NotACard, card

_TAG: Final = re.compile("([0-9A-F]{2}){4,10}")


class BadList(Exception):
    """No list of a deck. The text names each wrong line."""


def read_list(path: Path) -> dict[str, Card]:
    """Lines `TAG,CARD`; a line that begins with `#` is a note. Taken whole or refused whole: `BadList`.

    Whether these are the 52 cards of a deck is for the register to say.
    """
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except OSError as wrong:
        raise BadList(f"{path}: cannot be read ({wrong.strerror})") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadList(f"{path}: no text of lines TAG,CARD; save the list as CSV in UTF-8") from None
    found: dict[str, Card] = {}
    wrongs: list[str] = []
    for number, row in enumerate(rows, start=1):
        if not "".join(row).strip() or row[0].lstrip().startswith("#"):
            continue
        mistake = _take(row, found)
        if mistake is not None:
            wrongs.append(f"  line {number}: {mistake}")
    if wrongs:
        raise BadList("\n".join([f"{path}: nothing is registered", *wrongs]))
    return found


def _take(row: list[str], found: dict[str, Card]) -> str | None:
    """What is wrong with a line, without saying its tag."""
    if len(row) != 2:
        return "it is not TAG,CARD as in 04A1B2C3D4E580,As"
    tag, code = row[0].strip().upper(), row[1].strip()
    if not _TAG.fullmatch(tag):
        return "a tag is 4 to 10 bytes in hexadecimal, as in 04A1B2C3D4E580"
    if tag in found:
        return "this tag stands there twice"
    try:
        known = card(code)
    except NotACard:
        return "a card is a rank of A K Q J T 9 8 7 6 5 4 3 2 and a suit of s h d c, as in As"
    if known in found.values():
        return "this card stands there twice"
    found[tag] = known
    return None
