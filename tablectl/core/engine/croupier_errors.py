"""Which incidents the croupier caused, as far as the incident itself says so.

A figure about a person has to be one that he can be told. So this is a list of errors of the deal and nothing else:
what a player did, what lay in the deck, what a device or a cable did, and what the documents make a player answer for
is nobody's error here, and neither is a card of which nobody knows who moved it.
"""

from __future__ import annotations

import re
from typing import Final

from tablectl.core.engine.decisions import IncidentRaised
from tablectl.core.engine.vocabulary import Declaration, Remedy

#: What is observed where the croupier dealt wrongly, or told a player a wrong amount.
_OBSERVED: Final = frozenset(
    {
        "card",  # it left the shoe when none was due
        Declaration.WRONG_ORDER,
        Declaration.WRONG_COUNT,
        Declaration.MISDEAL,
        Declaration.NO_BURN,
        Declaration.DOUBLE_BURN,
        Declaration.FLOP_COUNT,
        Declaration.BANK_CARD_EXPOSED,
        Declaration.TURNED_WHILE_DEALT,
        Declaration.FALLEN_CARD,
        Declaration.PROTECTED_TAKEN,
        Declaration.WRONG_AMOUNT,
    }
)
_EMPTY_SEAT: Final = Declaration.CARDS_TO_EMPTY_SEAT.value
#: A common card or a burn before its time.
_EARLY: Final = re.compile(r"early-[a-z]+")
#: So many cards at a place instead of others.
_COUNT: Final = re.compile(r"(?:seat-\d+|house|board|burn)=\d+(?:\+\S+)?")
#: A card that was due here lies there.
_DUE: Final = re.compile(r"(?:seat-\d+|house|board|burn)\.\d+")
_PLACE: Final = re.compile(r"seat-\d+|house|board|burn|discard")
#: Where a document has one of these, it holds a player responsible.
_OF_PLAYERS: Final = frozenset({Remedy.LOSE_BETS, Remedy.WARN, Remedy.EXPEL})
#: How an incident ends that was none after all: nothing is done about it.
NOTHING_DONE: Final = frozenset({Remedy.CONTINUE, Remedy.REJECT})


def is_of_croupier(raised: IncidentRaised) -> bool:
    """Whether this is an error of the deal, should it turn out to be one."""
    if _OF_PLAYERS.intersection(raised.remedies):
        return False
    observed = raised.observed
    if observed in _OBSERVED or observed.startswith(_EMPTY_SEAT):
        return True
    if _EARLY.fullmatch(observed) or _COUNT.fullmatch(observed):
        return True
    return bool(_DUE.fullmatch(raised.expected) and _PLACE.fullmatch(observed))
