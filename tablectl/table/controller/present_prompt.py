"""What the croupier is asked now and since which record: a page's press counts only for the prompt that was seen."""

from __future__ import annotations

from typing import Any

from tablectl.api.commands import PROMPT_CHANGED, SeenPrompt
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.whose_turn import seat_of


class PresentPrompt:
    """The prompt of the table, and the record at which it began; kept by the one writer."""

    def __init__(self) -> None:
        self._prompt: Prompt | None = None
        self._since = self._newest = 0

    def told(self, prompt: Prompt, *, after: int, newest: int, anew: bool = False) -> None:
        """A record says this: one of those after `after`, up to `newest`, for notes can stand before it and after it.
        `anew`: the prompt begins with it also where it is the same (a start)."""
        self._newest = newest
        if anew or prompt != self._prompt:
            self._prompt, self._since = prompt, after + 1

    def refusal(self, seen: SeenPrompt) -> dict[str, Any] | None:
        """What to say where the prompt that was seen is not the present one; None where it is. A record between the two
        that left the prompt as it was does not matter; one that there is not yet is another journal's."""
        prompt = self._prompt
        is_same = self._since <= seen.since <= self._newest
        if prompt is not None and is_same and seen.seat == seat_of(prompt.instruction, prompt.about):
            return None
        error = "something else is asked by now, so nothing was entered; look at the screen, and press again"
        return {"ok": False, "why": PROMPT_CHANGED, "error": error}
