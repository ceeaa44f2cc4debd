"""Points are what was found in order; a departure and each hint cost one."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.decisions import PhaseEntered
from tablectl.web.training.exercise import find_exercise
from tablectl.web.training.marking import Marking

NAME: Final = "texas-bonus/void-and-refunds"


def marking() -> Marking:
    exercise = find_exercise(NAME)
    assert exercise is not None
    return Marking(exercise=exercise)


def take(made: Marking, *texts: str) -> None:
    made.take((text, PhaseEntered(phase=text)) for text in texts)


def expected(made: Marking) -> list[str]:
    return [step.text for step in made.exercise.expected]


def test_each_decision_in_its_order_is_a_point() -> None:
    made = marking()
    take(made, *expected(made)[:3])
    assert (made.points, made.reached, made.is_over) == (3, 3, False)
    take(made, *expected(made)[3:])
    assert (made.points, made.is_over, made.departure) == (made.most, True, None)


def test_the_first_departure_is_kept_and_costs_a_point() -> None:
    made = marking()
    first, *others = expected(made)
    take(made, first, "refused dead-key bet", others[-1], *others)
    assert made.departure is not None
    assert made.departure.found == PhaseEntered(phase="refused dead-key bet")
    assert made.departure.expected.text == others[0]
    assert made.is_over
    assert made.points == made.most - 1


def test_a_question_on_the_way_is_no_departure() -> None:
    made = marking()
    take(made, "asked which-seat face-up", "acknowledged 1 by ana")
    assert (made.departure, made.found) == (None, [])


def test_nothing_counts_after_the_end() -> None:
    made = marking()
    made.given_up = True
    take(made, *expected(made))
    assert (made.points, made.departure, made.found) == (0, None, [])


def test_each_hint_costs_a_point_and_the_act_is_told_once_for_each_decision() -> None:
    made = marking()
    take(made, *expected(made)[:4])
    made.ask_hint()
    assert (made.hints, made.told_at, made.points) == (1, None, 3)
    made.ask_hint()
    made.ask_hint()
    assert (made.hints, made.told_at, made.points) == (2, 4, 2)
    take(made, expected(made)[4])
    made.ask_hint()
    assert (made.hints, made.told_at, made.points) == (3, 5, 2)


def test_points_never_fall_below_zero() -> None:
    made = marking()
    made.ask_hint()
    assert made.points == 0


def test_the_score_by_clause_adds_up_to_what_was_reached() -> None:
    made = marking()
    take(made, *expected(made)[:4])
    scores = made.by_clause()
    assert sum(had for had, _ in scores.values()) == 4
    assert sum(most for _, most in scores.values()) == made.most
