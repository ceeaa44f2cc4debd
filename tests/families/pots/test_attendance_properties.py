"""Whoever comes and goes, and whatever is declared and ruled at whatever moment: nothing breaks, no money is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Tracking
from tests.families.pots.people import Scenario, at_will, circle_of, next_step, setup_of

PROFILES = st.fixed_dictionaries(
    {},
    optional={
        "first_button": st.sampled_from(["random", "high-card"]),
        "protected_hand": st.sampled_from(["own-stake", "round-again"]),
        "contact_bets": st.sampled_from(["lost", "returned"]),
        "folded_cards": st.sampled_from(["three-cases", "never"]),
        "odd_chip": st.sampled_from(["last-bettor", "clockwise", "last-bettor-always"]),
        "vacated_blind": st.sampled_from(["next-seat", "dead"]),
        "two_players": st.sampled_from(["left-of-button", "button"]),
        "absence": st.sampled_from(["full-lap", "one-hand"]),
        "last_bet": st.sampled_from(["whole-hand", "last-round"]),
        "prohibitions": st.sampled_from(["warn-then-pit-boss", "log-only"]),
    },
)
SETUPS = st.builds(
    setup_of, st.sampled_from(["circle-holdem", "open-holdem"]), st.sampled_from(sorted(Tracking)), PROFILES
).filter(lambda setup: setup.tracking is not Tracking.PRESENCE)
#: Steps of an ordinary hand, and something that people do in between.
MOVES = st.lists(
    st.tuples(st.integers(1, 12), st.integers(0, 63), st.integers(0, 9), st.integers(0, 999)), min_size=1, max_size=14
)
SEATS = st.sets(st.integers(1, 10), min_size=2, max_size=6)


@given(SETUPS, SEATS, MOVES)
def test_people_at_any_moment_break_nothing_lose_no_money_and_every_hand_can_be_ended(
    setup: f.Setup, seats: set[int], moves: list[tuple[int, int, int, int]]
) -> None:
    scenario = Scenario(setup, sorted(seats))
    for steps, variety, kind, choice in moves:
        for step in range(steps):
            scenario.tell(next_step(scenario.table, variety + step))
        scenario.tell(at_will(scenario.table, kind, choice))
        circle = circle_of(scenario.table)
        if circle.rounds is not None and not scenario.table.state.ruling:
            assert set(circle.rounds.live) == set(scenario.table.state.staying) or not scenario.table.state.in_play
    scenario.play_on()
    assert not scenario.table.state.in_play
