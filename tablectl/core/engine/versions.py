"""Which rules and which prompts this program has: a journal says them with each hand, so that whoever replays it later
knows whether a difference is a change of the program or a change of the record.

Raise `RULES` by one with any change after which the same facts give other decisions, other reveals or another carry;
raise `PROMPTS` by one with any change after which the croupier is told something else at the same point. A new kind of
fact, a new rulebook, and what is only shown (sentences, pages, lamps) change neither. `tests/engine/versions.txt` holds
digests of both for every hand file: a change without a raised number fails there, and `make versions` writes them anew.

0: before version 0.1.0; 1: as in 0.1.0.
"""

from __future__ import annotations

from typing import Final

RULES: Final = 55
PROMPTS: Final = 44
