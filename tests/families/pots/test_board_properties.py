"""Cards at any moment, of any legal hand, by any equipment: what always holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine import decisions as d
from tablectl.core.options.choices import choices
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.open_holdem.options import OpenHoldemProfile
from tests.families.pots.board_hands import Hand
from tests.families.pots.board_scenario import BoardScenario, Told, faces, places

KEYS = (
    "burn",
    "burn_fault",
    "flop_count",
    "early_turn",
    "early_river",
    "early_board",
    "reshuffled_stub",
)
PROFILES = {"circle-holdem": CircleHoldemProfile, "open-holdem": OpenHoldemProfile}


def hands(rulebook: str) -> st.SearchStrategy[Hand]:
    known = choices(PROFILES[rulebook])
    chosen = {key: st.sampled_from(known[key].values) for key in KEYS if key in known}
    profiles = st.fixed_dictionaries({}, optional=chosen)
    equipment, tracking = (
        st.sampled_from(["shoe", "antennas", "both"]),
        st.sampled_from(["rounds", "actions", "amounts"]),
    )
    return st.builds(
        lambda equipment, tracking, profile: Hand(rulebook=rulebook, equipment=equipment, tracking=tracking, **profile),
        equipment,
        tracking,
        profiles,
    )


#: So many steps of the ordinary hand, then a mistake of some kind.
MOVES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 8), st.integers(0, 51)), max_size=8)


@given(st.sampled_from(sorted(PROFILES)).flatmap(hands), MOVES)
def test_early_cards_raise_nothing_deal_nothing_while_held_conserve_cards_and_end_every_hand(
    hand: Hand, moves: list[tuple[int, int, int]]
) -> None:
    scenario = BoardScenario(hand)
    for steps, kind, choice in moves:
        for _ in range(steps):
            scenario.go_on(choice if scenario.state.held else choice % 4)
            assert_conserved(scenario)
        scenario.mistake(kind, choice)
        assert_conserved(scenario)
    scenario.end()
    for told in scenario.told:
        assert_nothing_dealt(told)
        assert_nothing_revealed_of_what_went_back(told)


def assert_conserved(scenario: BoardScenario) -> None:
    """Each card is in one place, and each of the 52 lies on the felt once at most."""
    at = scenario.state.deal.at
    assert len(set(faces(at))) == len(faces(at))
    assert all(draw.slot is slot and not draw.is_back for slot, draw in at.items())
    if scenario.state.in_play:
        assert [draw.number for draw, count in places(scenario.state) if count != 1] == []


def assert_nothing_dealt(told: Told) -> None:
    """While the table is held, a card that comes goes to no seat and not to the board."""
    is_card = type(told.fact).__name__ in ("Drawn", "Seen")
    for decision in told.decisions:
        if isinstance(decision, d.CardPlaced) and told.was_held and is_card and decision.draw not in told.had_slot:
            assert decision.slot.spot in ("burn", "aside", "discard"), decision


def assert_nothing_revealed_of_what_went_back(told: Told) -> None:
    """A card that went back into the stub is nowhere: whatever comes is another draw."""
    placed = {decision.draw for decision in told.decisions if isinstance(decision, d.CardPlaced | d.CardTurned)}
    assert not placed & told.were_back
