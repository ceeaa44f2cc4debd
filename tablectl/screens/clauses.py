"""What the rule says, in both languages, from the clause catalogue; read when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.catalogue.catalogue import UnknownRulebook, load


class Clauses:
    """The sentences of the rulebooks' clauses."""

    def __init__(self) -> None:
        self._read: dict[str, Mapping[str, tuple[str, str]]] = {}

    def sentence(self, rulebook: str, clause: str, language: str) -> str:
        """The clause in one sentence; empty for a clause or rulebook without a catalogue."""
        if rulebook not in self._read:
            self._read[rulebook] = _sentences(rulebook)
        es, en = self._read[rulebook].get(clause, ("", ""))
        return es if language == "es" else en


def _sentences(rulebook: str) -> Mapping[str, tuple[str, str]]:
    try:
        return {clause.id: (clause.es, clause.en) for clause in load(rulebook)}
    except UnknownRulebook:
        return {}
