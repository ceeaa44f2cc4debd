"""Questions about what a document leaves open and the house decides: as it is recommended, or choice by choice.

Where nobody wants to look through them at a terminal, each keeps its default; a file of answers may name any of them,
`[texas-bonus.profile]`. What a choice decides is said as its profile says it, below it what its clause says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tablectl.config.schema import key_of
from tablectl.config.sections import FeeSection
from tablectl.core.options.holdem import Fee
from tablectl.core.settlement.pot_rules import RakeFrom
from tablectl.games.registry import choices_of
from tablectl.ops.setup.messages import Decides, Word
from tablectl.ops.setup.money import Amount
from tablectl.ops.setup.questions import Answers, Choice, Option, Question, choice_of, number_of

CHOICES: Final = "choices"
RECOMMENDED: Final = "recommended"
LOOK: Final = "look"
_FEE_CLAUSE: Final = "THL-DEF-7"


def choice_questions(said: Answers) -> Iterator[Question]:
    """Whether to look through them; then every choice of every game."""
    ways = tuple(Option(value=text, word=Word.of("setup-choices", text)) for text in (RECOMMENDED, LOOK))
    yield Question(
        key=CHOICES,
        part="choices",
        asks="choices",
        kind=Choice(options=ways),
        proposal=RECOMMENDED,
        is_of_files=False,
        values={"number": sum(len(choices_of(rulebook)) for rulebook in said["table.games"])},
    )
    for game in said["table.games"]:
        yield from _of_game(game, is_asked=said[CHOICES] == LOOK)
        if chosen(said, game).get("fee") == Fee.FROM_THE_POT:
            yield from _fee(said, game)


def chosen(said: Answers, game: str) -> dict[str, str]:
    """The choices of this game that were answered, by their keys."""
    return {key: said[place] for key in choices_of(game) if (place := f"{game}.profile.{key}") in said}


def _of_game(game: str, *, is_asked: bool) -> Iterator[Question]:
    for key, choice in choices_of(game).items():
        called = {
            "game": Word.of("game", game),
            "choice": key,
            "what": Decides(game=game, choice=key),
            "clause": choice.clause,
            "ambiguity": choice.ambiguity,
            "default": choice.default,
        }
        marked = Word.of("setup-choices", "is-recommended")
        values = tuple(Option(value=value, word=marked if value == choice.default else None) for value in choice.values)
        yield Question(
            key=f"{game}.profile.{key}",
            part="choices",
            asks="choice",
            kind=Choice(options=values),
            proposal=choice.default,
            is_known=not is_asked,
            clause=choice.clause,
            values=called,
        )


def _fee(said: Answers, game: str) -> Iterator[Question]:
    """How much is taken: a fee is chosen with all of it, or not at all."""
    called = {"game": Word.of("game", game), "currency": said["table.currency"]}
    yield Question(
        key=f"{game}.fee.rate",
        part="choices",
        asks="fee-rate",
        kind=number_of(key_of(FeeSection, "rate"), clause=_FEE_CLAUSE),
        values=called,
    )
    yield Question(
        key=f"{game}.fee.cap",
        part="choices",
        asks="fee-cap",
        kind=Amount(exponent=said["table.currency_exponent"]),
        values=called,
    )
    yield Question(
        key=f"{game}.fee.from",
        part="choices",
        asks="fee-from",
        kind=choice_of(key_of(FeeSection, "from"), table="setup-fee"),
        proposal=RakeFrom.EACH_POT.value,
        is_needed=True,
        values=called,
    )
