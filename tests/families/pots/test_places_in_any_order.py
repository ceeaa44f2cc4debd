"""What holds whoever joins, leaves, goes away and comes back between any hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.core.engine.vocabulary import Posted
from tablectl.families.pots.places import (
    PlaceRules,
    Positions,
    TwoPlayers,
    VacatedBlind,
    after_hand,
    drawn,
    markers_of,
    positions,
)
from tablectl.families.pots.players import (
    MAX_SEATS,
    Absence,
    Debt,
    Player,
    Players,
    WhyNot,
    comes_back,
    freed,
    goes_away,
    joined,
    left,
    overdue,
    player_at,
    players_of,
    seated,
)

BIG, SMALL = 10, 5
#: Nobody who stays waits longer than so many hands (THL-INI-10), while nobody comes or goes.
LONGEST_WAIT: Final = 3


class Step(StrEnum):
    JOIN = "join"
    LEAVE = "leave"
    AWAY = "away"
    BACK = "back"
    FREE = "free"
    HAND = "hand"
    VOID = "void"


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A hand as it was placed, and the players before and after it."""

    before: Players
    found: Positions
    after: Players
    voided: bool


class Table:
    """A table between hands, and all the hands it has played."""

    def __init__(self, seats: set[int], button: int, rules: PlaceRules) -> None:
        self.players = seated(seats)
        self.markers = drawn(button)
        self.rules = rules
        self.hands: list[Hand] = []
        self.told: list[str] = [f"{rules} {self.markers.text()} {sorted(seats)}"]

    def __repr__(self) -> str:
        """What to read where a property fails."""
        return "\n".join(self.told)

    def can(self, step: Step) -> list[int]:
        """Seats for which this can be done now."""
        taken = {player.seat for player in self.players}
        there = set(present(self.players))
        seats = {
            Step.JOIN: set(range(1, MAX_SEATS + 1)) - taken | set(overdue(self.players)),
            Step.LEAVE: taken,
            Step.AWAY: there,
            Step.BACK: taken - there,
            Step.FREE: set(overdue(self.players)),
        }
        return sorted(seats[step])

    def change(self, step: Step, seat: int) -> None:
        """Somebody comes or goes."""
        players = {
            Step.JOIN: joined(self.players, seat),
            Step.LEAVE: left(self.players, seat),
            Step.AWAY: goes_away(self.players, seat, self.rules.absence),
            Step.BACK: comes_back(self.players, seat),
            Step.FREE: freed(self.players, seat),
        }[step]
        assert not isinstance(players, WhyNot), players
        self.players = players
        self.told.append(f"{step} {seat}")

    def play(self, *, voided: bool = False) -> bool:
        """One hand; whether there was one."""
        found = positions(self.players, self.markers, self.rules)
        if isinstance(found, WhyNot):
            assert found is WhyNot.TOO_FEW_PLAYERS
            assert len(present(self.players)) < 2
            return False
        self.told.append(f"{'void' if voided else 'hand'} {found}")
        after = after_hand(self.players, found, voided=voided)
        self.hands.append(Hand(before=self.players, found=found, after=after, voided=voided))
        self.players, self.markers = after, found.markers(voided=voided)
        return True


def present(players: Players) -> dict[int, Player]:
    return {player.seat: player for player in players if player.is_in}


SEATS = st.integers(1, MAX_SEATS)
#: As many hands as changes, so that blinds go round.
STEPS: Final = (*Step, Step.JOIN, Step.AWAY, Step.BACK, Step.BACK, *(Step.HAND,) * 9)


@st.composite
def tables(draw: st.DrawFn, vacated: VacatedBlind | None = None) -> Table:
    """A table after a scenario of hands and of people who come and go. It is made by chance of its own: drawn step by
    step, hardly any is long enough for entries after an absence."""
    chance = Random(draw(st.integers(0, 2**32)))
    seats = set(chance.sample(range(1, MAX_SEATS + 1), chance.randint(2, MAX_SEATS)))
    rules = PlaceRules(
        small_blind=SMALL,
        big_blind=BIG,
        absence=draw(st.sampled_from(Absence)),
        vacated_blind=vacated or draw(st.sampled_from(VacatedBlind)),
        two_players=draw(st.sampled_from(TwoPlayers)),
    )
    table = Table(seats, chance.choice(sorted(seats)), rules)
    for step in chance.choices(STEPS, k=draw(st.integers(20, 60))):
        if step in (Step.HAND, Step.VOID):
            table.play(voided=step is Step.VOID)
        elif seats_for_it := table.can(step):
            table.change(step, likely(step, seats_for_it, table.markers.big, chance))
    return table


def likely(step: Step, seats: list[int], big: int | None, chance: Random) -> int:
    """One of these seats. Who has just posted the big blind often goes away: he alone can miss a small one only."""
    if step is Step.AWAY and big in seats and chance.random() < 0.5:
        return big
    return chance.choice(seats)


def free_of_debt(hand: Hand) -> set[int]:
    return {seat for seat, player in present(hand.before).items() if player.owes is None}


def starts_anew(hand: Hand) -> bool:
    """Fewer than two owe nothing: there is no game to come into (AMB-61)."""
    return len(free_of_debt(hand)) < 2


def between(start: int, end: int) -> set[int]:
    """Seats passed on the way clockwise, counted seat by seat."""
    passed: set[int] = set()
    while start != end:
        start = start % MAX_SEATS + 1
        passed.add(start)
    return passed - {end}


# --- every hand -------------------------------------------------------------------------------------------------------


@given(tables())
def test_thl_ini_10_no_newcomer_and_nobody_who_owes_a_bet_is_dealt_in_on_the_button_or_the_small_blind(
    table: Table,
) -> None:
    for hand in table.hands:
        if not starts_anew(hand):
            owing = set(present(hand.before)) - free_of_debt(hand)
            on_them = {hand.found.button, hand.found.small_blind} & set(hand.found.order)
            assert not owing & on_them


@given(tables())
def test_thl_dlg_1_thl_ini_5_everybody_present_is_dealt_in_or_waits_and_nobody_else(table: Table) -> None:
    for hand in table.hands:
        waiting = [wait.seat for wait in hand.found.waits]
        assert sorted((*hand.found.order, *waiting)) == sorted(present(hand.before))
        assert not set(waiting) & free_of_debt(hand)
        assert len(hand.found.order) >= 2


@given(tables())
def test_thl_ini_7_thl_ini_8_thl_ini_9_who_owes_a_bet_pays_it_with_his_first_cards(table: Table) -> None:
    for hand in table.hands:
        posted = {post.seat: post for post in hand.found.posts}
        assert len(posted) == len(hand.found.posts)
        for seat in set(hand.found.order) - free_of_debt(hand):
            due = BIG if present(hand.before)[seat].owes is Debt.BIG else SMALL
            amount = posted[seat].amount
            assert amount is not None
            assert amount >= due or (starts_anew(hand) and posted[seat].bet is Posted.SMALL_BLIND)
        entered = {post.seat for post in hand.found.posts if post.bet in (Posted.ENTRY, Posted.SMALL_ENTRY)}
        assert not entered & free_of_debt(hand)


@given(tables())
def test_thl_dlg_1_thl_dlg_4_speech_and_cards_go_round_and_the_blinds_follow_the_button(table: Table) -> None:
    for hand in table.hands:
        found = hand.found
        assert all(found.order.count(seat) == 1 for seat in found.order)
        assert sum(steps((found.button, *found.order))) <= MAX_SEATS
        assert found.first_after == found.order[0]
        assert found.first_to_act == found.order[(found.order.index(found.big_blind) + 1) % len(found.order)]
        if len(found.order) > 2:
            blinds = [seat for seat in (found.small_blind, found.big_blind) if seat is not None]
            assert list(found.order[: len(blinds)]) == blinds
            assert found.button not in blinds
        else:
            assert {found.small_blind, found.big_blind} == set(found.order)
            is_left = table.rules.two_players is TwoPlayers.LEFT_OF_BUTTON
            assert found.button == (found.big_blind if is_left else found.small_blind)


def steps(seats: tuple[int, ...]) -> list[int]:
    """How far clockwise from each seat to the next."""
    return [(end - start) % MAX_SEATS or MAX_SEATS for start, end in pairwise(seats)]


@given(tables(vacated=VacatedBlind.NEXT_SEAT))
def test_tho_btn_3_amb_10_the_button_goes_clockwise_to_the_first_seat_that_may_have_it(table: Table) -> None:
    """And never stays, but before the first hand and after a void one (AMB-62)."""
    for hand in table.hands:
        last, found = hand.found.before, hand.found
        may = set(present(hand.before)) if starts_anew(hand) else free_of_debt(hand)
        assert found.button in may
        if last.moves:
            assert not between(last.button, found.button) & may
            assert found.button != last.button
        else:
            assert found.button == last.button or last.button not in may
            assert not between(last.button, found.button) & may
        if found.small_blind != found.button:
            assert found.small_blind is not None
            assert not between(found.button, found.small_blind) & may


@given(tables(vacated=VacatedBlind.DEAD))
def test_amb_10_dead_the_big_blind_leaves_out_nobody_who_is_present(table: Table) -> None:
    for hand in table.hands:
        last, found = hand.found.before, hand.found
        if last.big is not None and not starts_anew(hand):
            assert not between(last.big, found.big_blind) & set(present(hand.before))
            if len(found.order) > 2:
                assert found.small_place == last.big
                assert last.small is not None
                on_the_way = between(last.small, found.small_place) & set(found.order) - {found.big_blind}
                assert found.button in on_the_way or (found.button == last.small and not on_the_way)


@given(tables())
def test_thl_mis_9_a_void_hand_leaves_everybody_as_he_was_and_is_placed_alike_again(table: Table) -> None:
    for hand in table.hands:
        if hand.voided:
            assert hand.after == hand.before
            again = positions(hand.before, hand.found.markers(voided=True), table.rules)
            assert isinstance(again, Positions)
            assert replace(again, before=hand.found.before) == hand.found


@given(tables())
def test_thl_ini_5_an_absence_counts_every_hand_but_void_ones(table: Table) -> None:
    for hand in table.hands:
        for player in hand.before:
            after = player_at(hand.after, player.seat)
            assert after is not None
            if player.seat in hand.found.order and not hand.voided:
                assert after == Player(seat=player.seat)
            else:
                assert after.away_hands == player.away_hands + (not player.is_in and not hand.voided)
                assert (after.lap, after.presence, after.is_new) == (player.lap, player.presence, player.is_new)


@given(tables())
def test_players_and_markers_come_back_from_text(table: Table) -> None:
    assert players_of(player.text() for player in table.players) == table.players
    assert markers_of(table.markers.text()) == table.markers
    assert [player.seat for player in table.players] == sorted({player.seat for player in table.players})


# --- laps -------------------------------------------------------------------------------------------------------------


@given(tables())
def test_thl_ini_10_nobody_waits_long_while_nobody_comes_or_goes(table: Table) -> None:
    for _ in range(LONGEST_WAIT):
        table.play()
    if table.play():
        assert not table.hands[-1].found.waits


@given(tables())
def test_thl_dlg_1_in_a_lap_everybody_posts_each_blind_once_and_has_the_button_once(table: Table) -> None:
    """Exactly, in as many hands as there are players, counted from when nobody comes, goes or waits any more."""
    for _ in range(LONGEST_WAIT + 1):
        table.play()
    there = set(present(table.players))
    if len(there) < 2:
        return
    for _ in there:
        table.play()
    lap = [hand.found for hand in table.hands[-len(there) :]]
    once = Counter(there)
    assert Counter(hand.big_blind for hand in lap) == once
    assert Counter(hand.small_blind for hand in lap) == once
    assert Counter(hand.button for hand in lap) == once
    assert all(len(hand.posts) == 2 for hand in lap)


@given(tables())
def test_thl_ini_9_nobody_plays_a_lap_without_having_paid_a_big_blind_or_his_entry(table: Table) -> None:
    """As many hands in a row as there are players, while the same are dealt in, no hand is void and nobody new has
    come. Where people come and go the blinds may jump over a seat (AMB-10), and the lap begins anew."""
    for start, first in enumerate(table.hands):
        there = set(first.found.order)
        lap = table.hands[start : start + len(there)]
        is_lap = len(lap) == len(there) and all(set(hand.found.order) == there and not hand.voided for hand in lap)
        if is_lap and all(there <= free_of_debt(hand) for hand in lap[1:]):
            posts = [post for hand in lap for post in hand.found.posts]
            assert {post.seat for post in posts if post.bet is not Posted.SMALL_BLIND} == there


@given(tables())
def test_thl_ini_7_who_was_away_for_a_lap_of_the_others_owes_a_big_blind(table: Table) -> None:
    for _ in range(LONGEST_WAIT + 1):
        table.play()
    there, gone = present(table.players), [player.seat for player in table.players if not player.is_in]
    if len(there) < 2:
        return
    for _ in there:
        table.play()
    assert all(player.owes is Debt.BIG for player in table.players if player.seat in gone)
    assert all(player.owes is None for player in table.players if player.is_in)


@given(tables(), SEATS)
def test_thl_ini_7_thl_ini_8_who_was_away_owes_a_blind_only_where_one_passed_him(table: Table, seat: int) -> None:
    """Told by the places of the blinds alone, hand by hand."""
    for hand in table.hands:
        before, after = player_at(hand.before, seat), player_at(hand.after, seat)
        if before is None or after is None or hand.voided or seat in hand.found.order or before.is_new:
            continue
        last, found = hand.found.before, hand.found
        came_over = {found.small_place, *between(last.small or last.button, found.small_place)}
        assert after.missed_small == (
            before.missed_small or (seat in came_over and (last.small or last.button) != found.small_place)
        )
        came_over = between(last.big or found.small_place, found.big_blind)
        assert after.missed_big == (before.missed_big or seat in came_over)


def test_the_scenarios_reach_what_the_properties_are_about() -> None:
    """Of these tests, not of the places: without waits, entries and empty places they would say nothing."""
    seen: Counter[str] = Counter()

    @settings(max_examples=100)  # fewer may miss one of them
    @given(tables())
    def check(table: Table) -> None:
        for hand in table.hands:
            bets = {post.bet for post in hand.found.posts}
            seen["waits"] += bool(hand.found.waits)
            seen["entries"] += Posted.ENTRY in bets
            seen["small entries"] += Posted.SMALL_ENTRY in bets
            seen["no small blind"] += hand.found.small_blind is None
            seen["two players"] += len(hand.found.order) == 2
            seen["starts anew"] += starts_anew(hand)
            seen["void"] += hand.voided
            seen["overdue"] += any(player.is_overdue for player in hand.before)

    check()
    assert len(seen) == 8
    assert min(seen.values()) >= 10, seen
