"""What is no mistake of a table's file and should be known, as a value that is said in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablectl.i18n.texts import load_texts


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """One of them. `name`: its sentence in the catalogues, in those of a game where it is about one; `values` go into
    it: keys, paths and names as they stand in the file."""

    name: str
    values: Mapping[str, object] = field(default_factory=dict)

    def said(self, language: str) -> str:
        """The sentence."""
        return load_texts("tablectl.config").text("notice", self.name, language).format(**self.values)
