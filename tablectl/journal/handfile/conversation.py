"""A hand that is played fact by fact, each answered with what follows and what can be entered next: for a person or a
program that asks "what if". It has nothing to do with a running table.

No card's identity is in an answer, unless the rules have turned it up or whoever asks may see them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tablectl.core.engine.facts import Fact, Setup
from tablectl.core.engine.move import Move
from tablectl.core.engine.picture import LyingCard, lying
from tablectl.core.engine.preview import Preview
from tablectl.core.engine.previews import preview, waiting
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.state import State
from tablectl.core.events.codec import to_plain
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.incident import IncidentView
from tablectl.core.public_table.table import PublicTable
from tablectl.families.pots.awards import pots_now
from tablectl.families.pots.state import PotGameState
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.file import HandFile
from tablectl.journal.handfile.playing import begun

_NOWHERE: Final = "nowhere"


class Conversation:
    """The hand of a file, and the answers to its facts. `sealed`: whether cards that the rules have not turned up are
    told as well."""

    def __init__(self, hand: HandFile, rulebook_of: Callable[[Setup], Rulebook], *, sealed: bool) -> None:
        self._table, self._is_sealed_told = begun(hand, rulebook_of), sealed
        self._public, self._n_facts = PublicTable(hand=self._table.state.hand), 0

    def answer(self, text: str, fact: Fact) -> dict[str, Any]:
        """What follows from a fact (`text`: as it was written), and how the table is then, as JSON values."""
        table = self._table
        decisions = table.apply(fact)
        self._n_facts += 1
        record = PublicRecord(
            seq=self._n_facts, hand=table.state.hand, at_us=fact.at_us, event=fact, decisions=decisions
        )
        self._public = fold(self._public, record)
        lines = decision_lines(fact, decisions, last_draw=len(table.state.deal.draws), with_who=True)
        return {"fact": text, "decisions": lines, "state": self._state()}

    def _state(self) -> dict[str, Any]:
        table, state = self._table, self._table.state
        due = state.deal.due
        previews = {
            incident.number: [preview(table, incident, remedy) for remedy in incident.remedies]
            for incident in waiting(state)
        }
        return {
            "phase": state.phase.name,
            "held": state.held,
            "due": due.name if due is not None else None,
            "to_act": state.turn,
            "asks": [{"question": pending.question, "about": pending.about} for pending in state.asking],
            "pots": _pots(state),
            "moves": [_move(move) for move in table.moves()],
            "incidents": [
                _incident(incident, previews.get(incident.number))
                for incident in self._public.incidents.values()
                if incident.open or incident.hand == state.hand
            ],
            "cards": {
                card.slot.name: card.card.code
                for card in lying(state)
                if card.slot is not None and card.card is not None and self._is_told(card)
            },
            "felt": self._felt(),
        }

    def _felt(self) -> dict[str, list[dict[str, Any]]]:
        """The cards at each spot, in the order in which they came; under `nowhere` those of which nobody says it."""
        felt: dict[str, list[dict[str, Any]]] = {}
        for card in lying(self._table.state):
            told = {
                "draw": card.draw,
                "slot": None if card.slot is None else card.slot.name,
                "by": card.by,
                "seen": card.seen_at,
                "card": card.card.code if card.card is not None and self._is_told(card) else None,
            }
            there = felt.setdefault(card.spot or _NOWHERE, [])
            there.append({name: value for name, value in told.items() if value is not None})
        return felt

    def _is_told(self, card: LyingCard) -> bool:
        return self._is_sealed_told or card.is_open


def _pots(state: State) -> list[dict[str, Any]]:
    if not isinstance(state, PotGameState) or not state.amounts:
        return []
    return [{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in pots_now(state)]


def _move(move: Move) -> dict[str, Any]:
    cards = [{"draw": card.draw, "place": card.place} for card in move.cards]
    told = {
        "entry": move.entry,
        "needs": list(move.needs),
        "min": move.least,
        "max": move.most,
        "cards": cards,
        "by": move.by,
    }
    return {name: value for name, value in told.items() if value not in (None, [])}


def _incident(incident: IncidentView, previews: list[Preview] | None) -> dict[str, Any]:
    told = {
        "n": incident.number,
        "clause": incident.clause,
        "remedies": list(incident.remedies),
        "who": incident.chooser,
        "choices": None if previews is None else [to_plain(tried) for tried in previews],
        "closed": incident.remedy,
    }
    return {name: value for name, value in told.items() if value is not None}
