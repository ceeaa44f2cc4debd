"""From a session to the HTML of the training pages. What croupier and pit boss see is taken from their own pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from drivers.patlite.messages import Pattern
from drivers.xkeys.messages import Lamp, Light
from simulators.world import HAND, SHOE
from tablectl.core.engine import facts as f
from tablectl.core.engine.words import Key
from tablectl.core.stream import PublicRecord
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.clauses.texts import text_of
from tablectl.i18n.spoken.speech import rank_of, sign_of
from tablectl.i18n.spoken.story import decision_told, fact_told
from tablectl.i18n.spoken.words import LANGUAGES
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.speech import Speech
from tablectl.web.training.acts import cables
from tablectl.web.training.exercise import Exercise, Expected, exercises_of
from tablectl.web.training.marking import Marking
from tablectl.web.training.session import TABLE
from tablectl.web.training.tabletop import ASIDE
from tablectl.web.training.trainer import Table, Trainer

#: Parts of the page that are the croupier's and the pit boss's own.
_CROUPIERS: Final = ("demo", "tilt", "status", "prompt", "seats", "keys", "entry", "side")
_PITS: Final = ("alerts",)
_OWN: Final = ("table", "panel", "cables", "exercise")
#: Keys of the drawn panel in a row: the six of a column of the real one, which lies on its side.
_KEYS_A_ROW: Final = 6
_COLOURS: Final = ("red", "yellow", "green", "blue", "white")


@dataclass(frozen=True, kw_only=True, slots=True)
class PanelKey:
    """One key of the drawn panel. `lamp`: a word of the style sheet, as the controller lit it."""

    key: Key
    lamp: str


def _lamp_word(lamp: Lamp) -> str:
    if Light.FLASH in lamp.value:
        return "blinks"
    if lamp.red is Light.ON:
        return "red"
    return "blue" if lamp.blue is Light.ON else "dark"


class TrainingPages:
    """Renders the training pages in either language."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._templates = _templates()

    def index(self, language: str) -> str:
        """The choice of exercises, and what the trainee reached in each."""
        picture = Picture() if self._trainer.table is None else self._trainer.table.shared.feed.picture
        mine = [each for each in self._trainer.progress.results() if each.trainee == self._trainer.trainee]
        best: dict[str, tuple[int, int]] = {}
        for each in mine:
            best[each.exercise] = max(best.get(each.exercise, (0, each.most)), (each.points, each.most))
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
        )

    def parts(self, language: str, table: Table, picture: Picture) -> dict[str, str]:
        """Every part of it by name."""
        session, pages = table.session, table.shared.pages
        croupier, pit = pages.parts("croupier", language, picture), pages.parts("pit", language, picture)
        has_list = picture.view.prompt is not None and bool(picture.view.prompt.offers)
        lamps = session.stage.panel.lamps if session.stage.panel_is_plugged else {}
        numbers = {number: key for key, number in session.scene.panel.items()}
        state = session.stage.light.state
        values = {
            **self._values(language, picture),
            "seen": session.tabletop.seen(),
            "touching": session.tabletop.touching,
            "seats": tuple(range(1, session.scene.seats + 1)),
            "remaining": len(session.stage.world.at(SHOE)),
            "hand": HAND,
            "aside": ASIDE,
            "has_shoe": session.scene.has_shoe,
            "has_tags": bool(session.scene.antennas),
            "is_circle": "bet" in session.scene.bands,
            "is_draw": session.scene.rulebook == "draw-poker",
            "panel": [
                PanelKey(key=numbers[number], lamp=_lamp_word(lamps.get(number, Lamp.OFF)))
                for number in sorted(numbers)
            ],
            "keys_a_row": _KEYS_A_ROW,
            "is_plugged": session.stage.panel_is_plugged,
            "cables": {name: name not in session.unplugged for name in cables(session.stage)},
            "light": [colour for colour in _COLOURS if getattr(state, colour) is not Pattern.OFF],
            "marking": session.marking,
            "exercise": session.exercise,
            "hints": self._hints(language, session.marking),
        }
        own = {name: self._templates.get_template(f"training/{name}.html").render(**values) for name in _OWN}
        return {
            **{name: croupier[name] for name in _CROUPIERS},
            **{name: pit[name] for name in _PITS},
            **own,
            "menu": croupier["keys"] if has_list else "",
        }

    def result(self, language: str, picture: Picture, marking: Marking) -> str:
        """What the exercise came to: points by clause, and where it departed."""
        exercise = marking.exercise
        return self._templates.get_template("training/result.html").render(
            **self._values(language, picture),
            marking=marking,
            exercise=exercise,
            trainee=self._trainer.trainee,
            clauses={clause: text_of(clause, exercise.rulebook) for clause in marking.by_clause()},
            departure_text=None
            if marking.departure is None
            else text_of(marking.departure.expected.clause, exercise.rulebook),
            behind=self._trainer.behind(exercise),
        )

    def _hints(self, language: str, marking: Marking | None) -> tuple[tuple[str, str], ...]:
        """What was asked for so far: the exercise's own hints, then the act itself. Each in both languages."""
        if marking is None:
            return ()
        other = _other(language)
        given = marking.exercise.hints[: marking.hints]
        told = [(hint[language], hint[other]) for hint in given]
        waits = marking.next
        if waits is not None and marking.told_at == marking.reached:
            told.append((self._acts(language, marking.exercise, waits), self._acts(other, marking.exercise, waits)))
        return tuple(told)

    def _acts(self, language: str, exercise: Exercise, waits: Expected) -> str:
        """The acts that lead to a decision, as sentences; what follows from the act before it needs none."""
        speech = self._speech(language, exercise.rulebook)
        told = [self._act(speech, fact) for fact in waits.acts]
        return " → ".join(told) or speech.say("training", "act-none")

    def _act(self, speech: Speech, fact: f.Fact) -> str:
        if isinstance(fact, f.Drawn):
            return speech.say("training", "act-draw")
        if isinstance(fact, f.DeviceBack):
            return speech.say("training", "act-plug")
        return fact_told(speech, PublicRecord(seq=0, hand=0, at_us=fact.at_us, event=fact)).rstrip(".")

    def _speech(self, language: str, rulebook: str) -> Speech:
        table = self._trainer.table
        found = self._trainer.pages.speech(language, Picture() if table is None else table.shared.feed.picture)
        return found if found.rulebook == rulebook else Speech(language=language, words=found.words, rulebook=rulebook)

    def _values(self, language: str, picture: Picture) -> dict[str, Any]:
        pages = self._trainer.pages
        t, u = (pages.speech(each, picture) for each in (language, _other(language)))
        return {
            "t": t,
            "u": u,
            "language": language,
            "other": _other(language),
            "languages": LANGUAGES,
            "view": picture.view,
            "connected": picture.connected,
            "table_name": TABLE,
            "acts_told": self._acts,
            "decision_told": decision_told,
            "text_of": text_of,
        }


def _other(language: str) -> str:
    return next(each for each in LANGUAGES if each != language)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(
            [str(files(package).joinpath("templates")) for package in ("tablectl.web.training", "tablectl.web.screens")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(rank=rank_of, suit_sign=sign_of)
    return made
