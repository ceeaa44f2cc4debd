"""From a session to the HTML of the training pages. What croupier and pit boss see is taken from their own pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from tablectl.api.stage import ASIDE, IN_HAND
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.table import SEATED
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.describe import describe_decision, describe_fact
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.beside import values_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.games import game_of
from tablectl.web.screens.payout import settled_rows
from tablectl.web.screens.render import templates
from tablectl.web.screens.screen_texts import ScreenTexts
from tablectl.web.training.exercise import Exercise, Expected, exercises_of
from tablectl.web.training.marking import Marking
from tablectl.web.training.session import TABLE
from tablectl.web.training.trainer import Table, Trainer

#: Parts of the page that are the croupier's and the pit boss's own.
_CROUPIERS: Final = ("demo", "tilt", "status", "prompt", "seats", "keys", "entry", "side")
_PITS: Final = ("alerts",)
_OWN: Final = ("table", "panel", "cables", "exercise")
#: Keys of the drawn panel in a row: the six of a column of the real one, which lies on its side.
_KEYS_A_ROW: Final = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class PanelKey:
    """One key of the drawn panel. `lamp`: a word of the style sheet, as the controller lit it."""

    key: Key
    lamp: str


class TrainingPages:
    """Renders the training pages in any language."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._templates = templates("tablectl.web.training", "tablectl.web.screens")

    def index(self, language: str) -> str:
        """The choice of exercises, and what the trainee reached in each."""
        picture = Picture() if self._trainer.table is None else self._trainer.table.shared.feed.picture
        mine = [result for result in self._trainer.progress.results() if result.trainee == self._trainer.trainee]
        best: dict[str, tuple[int, int]] = {}
        for result in mine:
            best[result.exercise] = max(best.get(result.exercise, (0, result.most)), (result.points, result.most))
        games = sorted(RULEBOOKS, key=lambda game: game != self._trainer.base.rulebook)
        return self._templates.get_template("training/index.html").render(
            **self._values(language, picture),
            games={game: exercises_of(game) for game in games},
            best=best,
            trainee=self._trainer.trainee,
            free_game=self._trainer.base.rulebook,
        )

    def page(self, language: str, table: Table, picture: Picture) -> str:
        """The table, whole, as it is now."""
        return self._templates.get_template("training/page.html").render(
            **self._values(language, picture),
            parts=self.parts(language, table, picture),
            exercise=table.session.exercise,
            can_do=table.session.table.acts,
            helps=table.session.table.helps,
        )

    def parts(self, language: str, table: Table, picture: Picture) -> dict[str, str]:
        """Every part of it by name."""
        session, pages, seen = table.session, table.shared.pages, table.session.table.seen()
        croupier, pit = pages.parts("croupier", language, picture), pages.parts("pit", language, picture)
        has_list = picture.view.prompt is not None and bool(picture.view.prompt.offers)
        game = game_of(session.table.rulebook)
        values = {
            **self._values(language, picture),
            "seen": seen.cards,
            "touching": seen.touching,
            "seats": tuple(range(1, session.table.seats + 1)),
            "remaining": seen.remaining,
            "hand": IN_HAND,
            "aside": ASIDE,
            "has_shoe": session.table.has_shoe,
            "has_tags": session.table.has_tags,
            "is_circle": game.is_circle,
            "is_draw": game.is_draw,
            "panel": [PanelKey(key=key, lamp=lamp) for key, lamp in seen.panel.items()],
            "keys_a_row": _KEYS_A_ROW,
            "is_plugged": seen.is_plugged,
            "cables": seen.cables,
            "light": seen.light,
            "dealer": seen.dealer,
            "boxes": game.boxes,
            "settled": {row.seat: row for row in settled_rows(picture.view.settled) if row.bettor == SEATED},
            "can_do": session.table.acts,
            "helps": session.table.helps,
            "marking": session.marking,
            "exercise": session.exercise,
            "hints": self._hints(pages.spoken(language, picture), session.marking),
        }
        own = {name: self._templates.get_template(f"training/{name}.html").render(**values) for name in _OWN}
        return {
            **{name: croupier[name] for name in _CROUPIERS},
            **{name: pit[name] for name in _PITS},
            **own,
            "menu": croupier["keys"] if has_list else "",
            "beside": croupier["side"],
        }

    def result(self, language: str, picture: Picture, marking: Marking) -> str:
        """What the exercise came to: points by clause, and where it departed."""
        exercise = marking.exercise
        return self._templates.get_template("training/result.html").render(
            **self._values(language, picture),
            marking=marking,
            exercise=exercise,
            trainee=self._trainer.trainee,
            next_exercise=self._trainer.next_exercise(exercise),
        )

    def _hints(self, spoken: tuple[ScreenTexts, ...], marking: Marking | None) -> tuple[tuple[str, ...], ...]:
        """What was asked for so far: the exercise's own hints, then the act itself. Each in the languages of a page."""
        if marking is None:
            return ()
        given = marking.exercise.hints[: marking.hints]
        told = [tuple(hint[texts.language] for texts in spoken) for hint in given]
        waits = marking.next
        if waits is not None and marking.told_at == marking.reached:
            told.append(tuple(self._acts(texts, marking.exercise, waits) for texts in spoken))
        return tuple(told)

    def _acts(self, spoken: ScreenTexts, exercise: Exercise, waits: Expected) -> str:
        """The acts that lead to a decision, as sentences; what follows from the act before it needs none."""
        texts = spoken if spoken.rulebook == exercise.rulebook else replace(spoken, rulebook=exercise.rulebook)
        told = [self._act(texts, fact) for fact in waits.acts]
        return " → ".join(told) or texts.say("training", "act-none")

    def _act(self, texts: ScreenTexts, fact: f.Fact) -> str:
        if isinstance(fact, f.Drawn):
            return texts.say("training", "act-draw")
        if isinstance(fact, f.DeviceBack):
            return texts.say("training", "act-plug")
        return describe_fact(texts, PublicRecord(seq=0, hand=0, at_us=fact.at_us, event=fact)).rstrip(".")

    def _values(self, language: str, picture: Picture) -> dict[str, Any]:
        pages = self._trainer.pages
        spoken = pages.spoken(language, picture)
        return {
            **values_of(spoken),
            "now_ms": pages.now_ms(),
            "languages": LANGUAGES,
            "view": picture.view,
            "connected": picture.connected,
            "table_name": TABLE,
            "acts_told": self._acts,
            "describe_decision": describe_decision,
        }
