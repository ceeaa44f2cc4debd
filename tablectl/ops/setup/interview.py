"""The questions at a terminal, one after the other: what Enter takes in brackets, `?` explains, `back` goes back.

Plain lines in and out, so that a serial console of the machine does as well as its screen. Nothing here changes
anything: whoever leaves with Ctrl-C leaves everything as it was.
"""

from __future__ import annotations

import textwrap
from typing import Any, Final, Protocol

from tablectl.i18n.languages import USUAL
from tablectl.ops.setup.discovery import Found
from tablectl.ops.setup.messages import Voice, Word
from tablectl.ops.setup.plan import LANGUAGE, Task, next_question
from tablectl.ops.setup.questions import Answers, Question, Refused

EXPLAIN: Final = "?"
BACK: Final = ("back", "atrás", "atras")
_PROMPT: Final = "> "
#: What is proposed stands in the prompt up to this length, in characters; and the width of a serial console.
_SHORT: Final = 60
_WIDTH: Final = 78


class Console(Protocol):
    """Where somebody reads and types."""

    def say(self, text: str) -> None:
        """A line, or several."""

    def ask(self, prompt: str) -> str:
        """What was typed, without the line end. Raises `EOFError` and `KeyboardInterrupt`."""


class Interview:
    """Goes through the questions of one task. `answers` and `languages` are what was said so far."""

    def __init__(self, console: Console, task: Task) -> None:
        self._console = console
        self._task = task
        self._said: dict[str, Any] = {}
        self._before: dict[str, Any] = {}
        self._asked: list[str] = []
        self._part = ""

    @property
    def voice(self) -> Voice:
        """In the order that was chosen."""
        return Voice(languages_of(self._said))

    def answers(self) -> dict[str, Any]:
        """All of them, when the last one is given. Raises `EOFError` and `KeyboardInterrupt`."""
        self._console.say(wrapped(self.voice.say("setup-say", "welcome")))
        while (question := next_question(self._said, self._task)) is not None:
            if question.is_known:
                self._said[question.key] = question.proposal
                self._console.say(self._known(question))
                continue
            self._head(question)
            self._take(question)
        return dict(self._said)

    def again(self) -> None:
        """Go back to the last question that was asked; the answer that it had is proposed."""
        if not self._asked:
            return
        last = self._asked.pop()
        while True:
            key, value = self._said.popitem()
            self._before[key] = value
            if key == last:
                return

    def confirmed(self, key: str, **values: object) -> bool | None:
        """Yes or no to something outside of the plan, yes being proposed; None for one step back."""
        while True:
            self._console.say(f"\n{self.voice.say('setup-ask', key, **values)}")
            typed = self._console.ask(f"[yes] {_PROMPT}").strip().casefold()
            if typed in BACK:
                return None
            if typed in ("", "yes", "y", "si", "sí", "s"):
                return True
            if typed in ("no", "n"):
                return False
            self._console.say(refusal(self.voice, Refused("yes-no")))

    # -- one question --------------------------------------------------------------------------------------------------

    def _head(self, question: Question) -> None:
        if question.part != self._part:
            self._part = question.part
            title = self.voice.word(Word.of("setup-part", question.part))
            self._console.say(f"\n== {title} ==")
            if question.part == "devices":
                self._console.say(plugged_in(self.voice, self._task.found))

    def _known(self, question: Question) -> str:
        said = self.voice.word(Word.of("setup-known", question.asks))
        shown = question.kind.show(question.proposal)
        return f"  {said}: {shown}" if shown and said != question.asks else ""

    def _take(self, question: Question) -> None:
        if question.key in self._before:
            question = question.again(self._before[question.key])
        self._console.say(f"\n{self._text(question)}")
        while question.key not in self._said:
            typed = self._console.ask(self._prompt(question)).strip()
            if typed == EXPLAIN:
                self._console.say(wrapped(self.voice.say("setup-why", question.asks, **question.values)))
            elif typed.casefold() in BACK:
                self.again()
                return
            else:
                self._answer(question, typed)

    def _answer(self, question: Question, typed: str) -> None:
        try:
            if not typed and question.proposal is not None:
                question.check(question.proposal)
                self._said[question.key] = question.proposal
            elif not typed:
                raise Refused("nothing")
            else:
                self._said[question.key] = question.read(typed)
        except Refused as no:
            self._console.say(refusal(self.voice, no))
        else:
            self._asked.append(question.key)

    def _text(self, question: Question) -> str:
        lines = [wrapped(self.voice.say("setup-ask", question.asks, **question.values))]
        if question.clause:
            lines.append(wrapped(_rule(self.voice, question.clause), indent="  "))
        options = question.kind.options
        width = max((len(choice.value) for choice in options), default=0)
        for number, option in enumerate(options, start=1):
            called = self.voice.word(option.word) if option.word is not None else option.note
            lines.append(f"  {number:2}  {option.value:{width}}  {called}".rstrip())
        if question.proposal is not None and len(shown := question.kind.show(question.proposal)) > _SHORT:
            lines += textwrap.wrap(shown, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        return "\n".join(lines)

    def _prompt(self, question: Question) -> str:
        """With what Enter takes; what is too long for that stands above."""
        if question.proposal is None:
            return _PROMPT
        shown = question.kind.show(question.proposal)
        return f"[{shown if len(shown) <= _SHORT else 'Enter'}] {_PROMPT}"


def wrapped(text: str, indent: str = "") -> str:
    """No line wider than a serial console; what goes on in a further one is indented."""
    made = textwrap.TextWrapper(_WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
    return "\n".join(map(made.fill, text.splitlines()))


def languages_of(said: Answers) -> tuple[str, ...]:
    """The one that was chosen; before somebody chose one, those of a house that chooses none."""
    return (said[LANGUAGE],) if LANGUAGE in said else USUAL


def refusal(voice: Voice, no: Refused) -> str:
    """Why an answer cannot be, and the rule that forbids it."""
    said = "\n".join(f"! {line}" for line in voice.say("setup-wrong", no.why, **no.values).splitlines())
    if not no.clause:
        return said
    return f"{said}\n{_rule(voice, no.clause)}"


def _rule(voice: Voice, clause: str) -> str:
    """The clause, and what it says where it is one of a document."""
    rule = "\n  ".join(voice.clause(clause).splitlines())
    return f"  {clause}{': ' if rule else ''}{rule}"


def plugged_in(voice: Voice, found: Found) -> str:
    """What was found, a line each."""
    lines = [voice.say("setup-say", "plugged-in")]
    for port in found.ports:
        owner = found.whose(port.path)
        mark = f"  ({owner})" if owner is not None else ""
        lines.append(f"  {port.path}{mark}")
    lines += [f"  USB {usb_device.port_path}  {usb_device.driver}" for usb_device in found.usb]
    if found.usb_trouble:
        lines.append(f"  USB: {found.usb_trouble}")
    if len(lines) == 1:
        lines.append(voice.say("setup-say", "nothing-found"))
    return "\n".join(lines)
