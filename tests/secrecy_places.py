"""`python -m tests.secrecy_places`: where `test_secrecy.py` looks for cards, `test_decks_at_a_table.py` for tags."""

from __future__ import annotations

import sys

from tests.secrecy import PLACES, TAG_PLACES

if __name__ == "__main__":
    sys.stdout.writelines(f"{name:16}{what}\n" for name, what in {**PLACES, **TAG_PLACES}.items())
