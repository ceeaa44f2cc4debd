"""Every exercise can be solved, and can be got wrong: through the engine, and over the wires."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Key, Tracking
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.playing import opening
from tablectl.web.training.exercise import BadExercise, Exercise, exercises_of, find_exercise, read_exercise
from tablectl.web.training.marking import Marking
from tests.training.tables import at_exercise
from tests.wide import once

EXERCISES: Final = {name: exercise for game in RULEBOOKS for name, exercise in exercises_of(game).items()}
#: One of each kind that is different on a wire; all of them are played in the slow set.
CHOSEN: Final = (
    "texas-bonus/shoe-lost",
    "texas-bonus/unreadable-card",
    "texas-bonus/void-and-refunds",
    "texas-poker/cards-in-contact",
    "circle-holdem/skipped-player",
    "open-holdem/early-turn",
    "draw-poker/card-too-few",
)


class Engine:
    """The same exercise without a wire."""

    def __init__(self, exercise: Exercise) -> None:
        self.marking = Marking(exercise=exercise)
        hand = exercise.hand
        self._table = Table.resume(hand.carry, rulebook_of)
        seats = hand.seats if hand.setup.tracking is Tracking.PRESENCE else ()
        self._apply(*opening(hand), *(f.Bets(at_us=0, seat=seat, amounts={"ante": None}) for seat in seats))
        self._apply(*(step.fact for step in exercise.before))

    def act(self, *facts: f.Fact) -> Marking:
        for fact in facts:
            (decisions,) = self._apply(fact)
            draws = len(self._table.state.deal.draws)
            for decision in decisions:
                lines = decision_lines(fact, (decision,), last_draw=draws)
                self.marking.take((line, decision) for line in lines)
        return self.marking

    @property
    def prompt(self) -> Prompt:
        return self._table.prompt()

    def _apply(self, *facts: f.Fact) -> list[tuple[d.Decision, ...]]:
        return [self._table.apply(fact) for fact in facts]


def test_each_game_has_at_least_six() -> None:
    assert all(len(exercises_of(game)) >= 6 for game in RULEBOOKS)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_acts_of_the_file_give_full_marks(name: str) -> None:
    exercise = EXERCISES[name]
    marking = Engine(exercise).act(*(step.fact for step in exercise.part))
    assert (marking.points, marking.departure) == (marking.most, None)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_wrong_act_is_marked_as_a_departure(name: str) -> None:
    exercise = EXERCISES[name]
    marking = Engine(exercise).act(exercise.wrong)
    assert marking.departure is not None
    assert marking.departure.expected == exercise.expected[0]
    assert not marking.is_over


@pytest.mark.parametrize("name", EXERCISES)
def test_it_says_in_both_languages_what_it_asks(name: str) -> None:
    exercise = EXERCISES[name]
    for said in (exercise.title, exercise.question, *exercise.hints):
        assert set(said) == set(LANGUAGES)
        assert len(set(said.values())) == len(LANGUAGES)
    assert exercise.hints


def solved(name: str) -> None:
    exercise = EXERCISES[name]
    with at_exercise(exercise) as pupil:
        pupil.do(*(step.fact for step in exercise.part))
        marking = pupil.wait(found=len(exercise.expected))
        assert (marking.points, marking.departure) == (marking.most, None)
        assert pupil.seen.over == [marking]


def missed(name: str) -> None:
    exercise = EXERCISES[name]
    with at_exercise(exercise) as pupil:
        pupil.do(exercise.wrong)
        marking = pupil.wait(found=1)
        assert marking.departure is not None
        pupil.session.finish()
        assert marking.points < marking.most
        assert pupil.seen.over == [marking]


@pytest.mark.system
@pytest.mark.parametrize("name", once(CHOSEN, CHOSEN[0], CHOSEN[-1]))
def test_the_acts_of_the_file_give_full_marks_over_the_wires(name: str) -> None:
    solved(name)


@pytest.mark.system
@pytest.mark.parametrize("name", once(CHOSEN[-2:]))
def test_the_wrong_act_is_a_departure_over_the_wires(name: str) -> None:
    missed(name)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_can_be_solved_and_missed_over_the_wires(name: str) -> None:
    solved(name)
    missed(name)


# --- files that are no exercises ------------------------------------------------------------------------------------

GOOD: Final = """# THB-ERR-2: one card face up
#: title es Una carta
#: title en A card
#: question es ¿Y ahora?
#: question en What now?
#: wrong press bet
rulebook texas-bonus
seats 1 2
> bet 1 ante 1000
> bet 2 ante 1000
> press no-more-bets
< phase dealing
> draw As
< card seat-1.1
#: your part
> declare face-up-in-shoe
< incident THB-ERR-2 expected=seat-1.1 observed=face-up-card remedy=discard
< card discard.1
"""


def test_an_exercise_is_read_as_it_stands_there() -> None:
    exercise = read_exercise("mine", GOOD)
    assert exercise.question == {"es": "¿Y ahora?", "en": "What now?"}
    assert [expected.text for expected in exercise.expected][-1] == "card discard.1"
    assert {expected.clause for expected in exercise.expected} == {"THB-ERR-2"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("THB-ERR-2: one", "one"),
        ("#: title en A card\n", ""),
        ("#: your part\n", ""),
        ("#: wrong press bet\n", ""),
        ("#: wrong press bet\n", "#: wrong dance\n"),
        ("#: wrong press bet\n", "#: wrong press bet\n#: hint es Sin inglés\n"),
        ("#: wrong press bet\n", "#: wrong press bet\n#: up\n"),
        ("#: question en", "#: question fr"),
        ("< card discard.1", "< card discard.2"),
        ("> declare face-up-in-shoe", "> fault x\n> declare face-up-in-shoe"),
        ("< card discard.1\n", "< card discard.1\n> press cancel\n"),
    ],
)
def test_a_file_that_cannot_be_used_says_so(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises(BadExercise):
        read_exercise("mine", GOOD.replace(old, new))


def test_there_is_none_of_another_name() -> None:
    assert find_exercise("texas-bonus/shoe-lost") is not None
    assert find_exercise("texas-bonus/no-such") is None
    assert find_exercise("shoe-lost") is None
    assert find_exercise("../secrets") is None


# --- by the panel alone -----------------------------------------------------------------------------------------------

DECLARED_BY: Final = {
    Key.FACE_UP: "face-up-in-shoe",
    Key.BANK_EXPOSED: "bank-card-exposed",
    Key.WRONG_COUNT: "wrong-count",
}


def by_the_list(engine: Engine, what: str, numbers: list[int]) -> None:
    """Choose it in the list of incidents, as the panel does, and answer what it asks with these numbers."""
    engine.act(f.Pressed(at_us=0, key=Key.INCIDENT))
    while (offer := next((offered for offered in engine.prompt.offers if offered.what == what), None)) is None:
        assert Key.INCIDENT in engine.prompt.keys, f"{what} is not in the list"
        engine.act(f.Pressed(at_us=0, key=Key.INCIDENT))
    engine.act(f.Pressed(at_us=0, key=offer.key))
    for number in numbers:
        if engine.prompt.question is None:
            return
        engine.act(f.Pressed(at_us=0, key=SEAT_KEYS[number - 1]))


@pytest.mark.parametrize("name", EXERCISES)
def test_what_has_to_be_declared_can_be_declared_by_the_panel_alone(name: str) -> None:
    exercise = EXERCISES[name]
    engine = Engine(exercise)
    skips = False
    for step in exercise.part:
        match step.fact:
            case f.Declared(what=what, spot=spot, other=other, cards=cards, lap=lap):
                seats = [int(text.removeprefix("seat-")) for text in (spot, other) if text is not None]
                by_the_list(engine, what.value, [*seats, *(number for number in (cards, lap) if number is not None)])
            case f.Pressed(key=key) if key in (Key.FACE_UP, Key.BANK_EXPOSED):
                by_the_list(engine, DECLARED_BY[key], [])
                skips = True
            case f.Pressed(key=Key.CONFIRM) if skips:
                skips = False
            case fact:
                engine.act(fact)
    assert (engine.marking.departure, engine.marking.points) == (None, engine.marking.most)
