"""What msgspec raises of bytes that are not what was expected, whoever they come from."""

from __future__ import annotations

from typing import Final

import msgspec

#: It has errors of its own for most of them. Letters that are no UTF-8 and a thousand brackets, one in the other, are
#: Python's to tell of.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
