"""A page's sentences in its language and, smaller, in the one more that a table may ask for.

A template names each sentence once and knows of no second language: where a table asks for none, nothing of it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from tablectl.web.screens.screen_texts import ScreenTexts

#: How a sentence stands: one below the other, as on keys, or in one line.
_BELOW: Final = Markup('<span class="both"><span class="first">{first}</span>{second}</span>')
_IN_LINE: Final = Markup("{first}{second}")
_SECOND: Final = Markup('{space}<span class="second" lang="{language}">{text}</span>')


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of a sentence, such as an amount, that is said in the language of the sentence."""

    method: str
    args: tuple[object, ...]
    values: Mapping[str, object]


class Each:
    """Gives parts: in a template, `both.page("paid", amount=each.money(5))`."""

    def __getattr__(self, method: str) -> Callable[..., Part]:
        return lambda *args, **values: Part(method=method, args=args, values=values)


class Beside:
    """`spoken`: the texts in the language of the page, and in the second one where the table asks for it.

    Any method of theirs is one here: `both.say("page", "call")`."""

    def __init__(self, spoken: tuple[ScreenTexts, ...], shape: Markup) -> None:
        self._spoken = spoken
        self._shape = shape

    def __getattr__(self, method: str) -> Callable[..., Markup]:
        if method.startswith("_"):
            raise AttributeError(method)
        return lambda *args, **values: self.told(
            _said(texts, Part(method=method, args=args, values=values)) for texts in self._spoken
        )

    def of(self, tell: Callable[..., object], *args: object) -> Markup:
        """What `tell` says with the texts of each language."""
        return self.told(tell(texts, *args) for texts in self._spoken)

    def several(self, method: str, *args: object) -> list[Markup]:
        """Each of the sentences that a method gives."""
        return [self.told(texts) for texts in zip(*(getattr(t, method)(*args) for t in self._spoken), strict=True)]

    def among(self, said: Mapping[str, str]) -> Markup:
        """Of a sentence in every language there is."""
        return self.told(said[texts.language] for texts in self._spoken)

    def told(self, texts: Iterable[object]) -> Markup:
        """What was said already in the languages of the page; what is the same in both stands once."""
        first, *others = texts
        space = " " if self._shape is _IN_LINE else ""
        second = Markup().join(
            _SECOND.format(space=space, language=beside.language, text=text)
            for beside, text in zip(self._spoken[1:], others, strict=True)
            if text and text != first
        )
        return self._shape.format(first=first, second=second)


def values_of(spoken: tuple[ScreenTexts, ...]) -> dict[str, Any]:
    """What every template needs to say something: `t` in the language of the page alone, as for labels; the others with
    the second one where the table asks for it."""
    return {
        "t": spoken[0],
        "language": spoken[0].language,
        "both": Beside(spoken, _BELOW),
        "inline": Beside(spoken, _IN_LINE),
        "each": Each(),
    }


def _said(texts: ScreenTexts, part: Part) -> object:
    """A part in one language, with the parts in it."""
    args = [_said(texts, found) if isinstance(found, Part) else found for found in part.args]
    values = {name: _said(texts, found) if isinstance(found, Part) else found for name, found in part.values.items()}
    return getattr(texts, part.method)(*args, **values)
