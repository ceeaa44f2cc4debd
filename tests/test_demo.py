"""The demo's people at the demo's table: both games to their end, few presses, chips that agree, what goes wrong."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.stage.chip_ledger import ChipLedger
from simulators.stage.croupier import Croupier
from simulators.stage.demo import SEED
from simulators.stage.fault_plan import CHANCES, HumanError, Level, plan_of
from simulators.stage.felt import Felt
from simulators.stage.games import table_of
from simulators.stage.players import Players, Temper
from simulators.stage.power_cuts import Moment, PowerCut
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import Checked, check, summary
from tablectl.api.client import NoController
from tablectl.api.stage import StageBroken
from tablectl.config.limits import limits_of
from tablectl.config.table_file import load
from tablectl.core.engine.decisions import (
    BetReversed,
    BetSettled,
    BetsReturned,
    BetTaken,
    Decision,
    Folded,
    HandClosed,
    Refund,
)
from tablectl.core.engine.facts import DeviceSaid, Limits
from tablectl.core.engine.vocabulary import Declaration, Tracking
from tablectl.core.settlement.banked import Outcome
from tablectl.families.draw import declarations as draw
from tablectl.families.holdem import declarations as circle
from tablectl.games.registry import CIRCLE_GAMES, LIMIT_RULES, RULEBOOKS
from tablectl.journal.volumes import VolumeSet

#: More than that a croupier does not press in a hand in which seven seats stay, at presence.
PRESSES_MOST: Final = 8


OF_A_CIRCLE: Final = {
    *(
        HumanError.ILLEGAL_BET,
        HumanError.CORRECTED,
        HumanError.GOES_AWAY,
        HumanError.EARLY_TURN,
        HumanError.ANY_OF_THE_LIST,
    ),
    *(
        HumanError.NO_CUT,
        HumanError.FALSE_OPENING,
        HumanError.TOO_MANY,
        HumanError.NUMBER_CORRECTED,
        HumanError.ASKED_EARLY,
    ),
    *(HumanError.DISCARDED_EARLY, HumanError.LAST_CARD),
}


def croupier_at(stage: Stage, *, level: Level = Level.NONE, seed: int = 3, temper: Temper = Temper.MIXED) -> Croupier:
    return Croupier(stage, seed=seed, level=level, pause=lambda _: None, pit_boss_waits_s=0.0, temper=temper)


# --- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_limits_of_the_demos_table_are_those_that_a_house_may_have(rulebook: str) -> None:
    bands = table_of(rulebook).limits
    section = {
        bet: {"least": band.least, "most": band.most, "authorised": list(band.authorised)}
        for bet, band in bands.items()
    }
    found = limits_of(LIMIT_RULES[rulebook], section, where="demo", tracking=Tracking.AMOUNTS)
    assert found == {bet: Limits(least=band.least, most=band.most) for bet, band in bands.items()}


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_every_slip_has_its_chance_and_goes_wrong_in_some_game() -> None:
    assert set(CHANCES) == set(HumanError)
    assert {error for game in RULEBOOKS for error in table_of(game).human_errors} == set(HumanError)


def test_everything_that_can_be_declared_is_declared_in_the_demo() -> None:
    by_list = {chance.declares for chance in CHANCES.values()}
    by_other_ways = {Declaration.WRONG_COUNT, Declaration.UNREPORTED_CARD}
    any_of_the_list = set(circle.RULES) | set(draw.RULES)
    assert by_list - {None} | by_other_ways | any_of_the_list == set(Declaration)


@pytest.mark.parametrize(
    ("rulebook", "never"),
    [
        (
            "texas-bonus",
            {
                HumanError.BURNED,
                HumanError.CONTACT,
                HumanError.OWN_CARDS_SHOWN,
                HumanError.BANK_EXPOSED_LATE,
                HumanError.STANDS_BY_PANEL,
                *OF_A_CIRCLE,
            },
        ),
        ("texas-poker", {HumanError.TWO_BOXES, HumanError.TWO_BOXES_LATE, HumanError.FACE_UP_TWICE, *OF_A_CIRCLE}),
    ],
)
def test_a_hand_is_planned_from_what_can_go_wrong_in_its_game(rulebook: str, never: set[HumanError]) -> None:
    human_errors = table_of(rulebook).human_errors
    planned = {plan_of(hand, seed=1, level=Level.MANY, human_errors=human_errors).error for hand in range(1000)}
    assert planned == {*human_errors, None}
    assert never == set(HumanError) - set(human_errors)


@pytest.mark.parametrize("rulebook", [game for game in RULEBOOKS if game not in CIRCLE_GAMES])
def test_in_a_visitors_second_hand_a_card_is_drawn_too_early_and_seen(rulebook: str) -> None:
    """As the README promises."""
    human_errors = table_of(rulebook).human_errors
    first, second = (plan_of(hand, seed=SEED, level=Level.SOME, human_errors=human_errors) for hand in (1, 2))
    assert (first.error, first.trouble) == (None, None)
    assert (second.error, second.trouble) == (HumanError.EARLY_SEEN, None)
    assert second.chances <= 1


def test_without_faults_nothing_is_planned() -> None:
    human_errors = table_of("texas-poker").human_errors
    plans = [plan_of(hand, seed=1, level=Level.NONE, human_errors=human_errors) for hand in range(100)]
    assert {(plan.error, plan.trouble) for plan in plans} == {(None, None)}


# --- players --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "wins"),
    [
        (["As", "Ad", "2c", "7h", "9s"], True),
        (["Ks", "Kd", "Ac", "7h", "9s"], False),
        (["2s", "2d", "3c", "3h", "9s"], True),
        (["2s", "4s", "7s", "9s", "Ks"], True),
        (["2s", "4s", "7s", "9s", "Kd"], False),
    ],
)
def test_players_claim_with_a_pair_of_aces_or_better_and_seldom_without(cards: list[str], *, wins: bool) -> None:
    """TPC-DEV-16."""
    game = RULEBOOKS["texas-poker"]({})
    players = Players(game, table_of("texas-poker").limits, seats=7, seed=1, temper=Temper.MIXED)
    claims = sum(players.claims(cards) for _ in range(500))
    assert claims > 300 if wins else claims < 100


# --- chips ----------------------------------------------------------------------------------------------------------


def taken(seat: int, bet: str, amount: int, bettor: int = 1) -> BetTaken:
    return BetTaken(seat=seat, bettor=bettor, bet=bet, amount=amount)


def settled(seat: int, bet: str, stake: int, pays: int, bettor: int = 1) -> BetSettled:
    outcome = Outcome.WIN if pays > 0 else Outcome.LOSE
    return BetSettled(
        seat=seat, bettor=bettor, bet=bet, outcome=outcome, odds=None, stake=stake, pays=pays, clause="THB-WIN-2"
    )


def closed(float_change: int) -> HandClosed:
    return HandClosed(hand=1, presses=8, drawn=21, float_change=float_change)


@pytest.mark.parametrize(
    ("decisions", "float_change"),
    [
        ([taken(1, "ante", 500), settled(1, "ante", 500, -500)], 500),
        ([taken(1, "ante", 500), taken(1, "ante", 700), settled(1, "ante", 700, 1400)], -1400),
        ([taken(1, "ante", 500), Refund(seat=1, bet="ante", amount=500)], 0),
        ([taken(1, "ante", 500), taken(1, "ante", 600, 2), BetsReturned(seat=1)], 0),
        (
            [
                taken(1, "ante", 500),
                taken(1, "ante", 600, 2),
                BetsReturned(seat=1, bettor=2),
                settled(1, "ante", 500, -500),
            ],
            500,
        ),
        (
            [
                taken(1, "ante", 600, 2),
                taken(1, "second", 1200, 2),
                Folded(seat=1, bettor=2),
                settled(1, "ante", 600, -600, 2),
            ],
            600,
        ),
        (
            [
                taken(1, "txb", 500),
                settled(1, "txb", 500, 3500),
                BetReversed(seat=1, bet="txb", stake=500, pays=3500),
            ],
            0,
        ),
    ],
)
def test_the_players_lose_what_the_table_wins(decisions: list[Decision], float_change: int) -> None:
    ledger = ChipLedger(following=frozenset({"second"}))
    for decision in [*decisions, closed(float_change)]:
        ledger.see(decision)
    assert ledger.agrees
    assert ledger.float_change == float_change


def test_bets_of_an_open_hand_are_nobodys_loss_yet() -> None:
    ledger = ChipLedger()
    seen: list[Decision] = [taken(1, "ante", 500), settled(1, "ante", 500, -500), closed(500), taken(1, "ante", 700)]
    for decision in seen:
        ledger.see(decision)
    assert ledger.agrees
    assert ledger.chips == -500


@pytest.mark.parametrize(
    ("wrong", "float_change"),
    [
        pytest.param([taken(1, "ante", 500)], 0, id="a bet that was forgotten"),
        pytest.param([taken(1, "ante", 500), *2 * [settled(1, "ante", 500, 500)]], -500, id="a bet settled twice"),
        pytest.param([taken(1, "ante", 500), settled(1, "ante", 500, 500)], 500, id="a win as a loss"),
    ],
)
def test_chips_that_do_not_agree_are_noticed(wrong: list[Decision], float_change: int) -> None:
    ledger = ChipLedger()
    for decision in [*wrong, closed(float_change)]:
        ledger.see(decision)
    assert not ledger.agrees


# --- the table ------------------------------------------------------------------------------------------------------


@pytest.mark.system
def test_a_hand_of_a_circle_game_without_amounts_takes_few_presses_where_only_rounds_are_entered() -> None:
    """A new hand, "no va mas", the end of four rounds, the showdown, the pot; two more for each who is out, and one
    each for a player that sits down."""
    scene = Scene(rulebook="circle-holdem", tracking="rounds")
    with temporary_folder() as folder, Stage(scene, Path(folder)) as stage:
        croupier = croupier_at(stage, temper=Temper.STEADY)
        croupier.play(3)
        out = len(croupier.felt.before) - 1
        assert min(croupier.felt.presses) >= PRESSES_MOST
        assert max(croupier.felt.presses) <= PRESSES_MOST + 2 * out
        stage.stop_controller()
        assert check(stage.journal).good


@pytest.mark.system
@pytest.mark.parametrize("rulebook", [game for game in RULEBOOKS if game not in CIRCLE_GAMES])
def test_a_hand_of_seven_seats_that_all_stay_takes_eight_presses_at_most(rulebook: str) -> None:
    with temporary_folder() as folder, Stage(Scene(rulebook=rulebook, tracking="presence"), Path(folder)) as stage:
        croupier = croupier_at(stage, temper=Temper.STEADY)
        croupier.play(4)
        felt = croupier.felt
        assert len(felt.before) == 7
        # The first hand is the one in which they sit down.
        assert felt.smooth == felt.presses[1:]
        assert len(felt.smooth) == 3
        assert max(felt.smooth) <= PRESSES_MOST
        stage.stop_controller()
        assert check(stage.journal).good


@pytest.mark.wide
@pytest.mark.system
def test_tpc_tab_3_a_table_changes_its_game_between_hands_and_never_within_one() -> None:
    """The layout is turned. Another configuration file, the same journal; a hand that is open goes to its
    end under the rules that it began with."""
    scenes = {rulebook: Scene(rulebook=rulebook) for rulebook in ("texas-bonus", "texas-poker")}
    with temporary_folder() as folder, Stage(scenes["texas-bonus"], Path(folder)) as stage:
        bonus = croupier_at(stage)
        cut = PowerCut(stage, Moment(nth=7, kind="drawn"))
        with pytest.raises((NoController, StageBroken)):
            bonus.play(1)
        cut.join()
        stage.configure(scenes["texas-poker"])
        stage.start_controller()
        bonus.play(1)
        croupier_at(stage).play(2)
        stage.stop_controller()
        stage.configure(scenes["texas-bonus"])
        stage.start_controller()
        croupier_at(stage).play(3)
        with stage.reader() as reader:
            games = [
                decision["rulebook"]
                for record in iter(lambda: reader.next(0.5), None)
                for decision in record["decisions"]
                if decision["kind"] == "hand-opened"
            ]
        assert games == ["texas-bonus", "texas-poker", "texas-bonus"]
        assert stage.stop_controller() == 0
        checked = check(stage.journal)
        assert checked.good, checked.text


def test_a_stage_waits_for_no_time_server() -> None:
    """A PC whose chrony has no server yet would have it wait for longer than anybody waits for a controller."""
    with temporary_folder() as folder:
        stage = Stage(Scene(), Path(folder))
        stage.configure(stage.scene)
        assert load(stage.config).clock_wait_s == 0


@pytest.mark.system
def test_a_stage_that_did_not_get_ready_leaves_no_controller_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[int] = []

    def never(stage: Stage) -> None:
        began.append(stage.controller.pid)
        raise StageBroken("no sign of the shoe")

    monkeypatch.setattr(Stage, "_await_devices", never)
    with (
        temporary_folder() as folder,
        pytest.raises(StageBroken, match="no sign of the shoe"),
        Stage(Scene(), Path(folder)),
    ):
        pass
    (pid,) = began
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.system
def test_a_stage_is_ready_when_its_shoe_has_said_that_it_was_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said in a hand, it would be a shoe that restarted in the deal."""
    came = AngelEyeSimulator.client_came

    def late(shoe: AngelEyeSimulator) -> None:
        time.sleep(0.1)
        came(shoe)

    monkeypatch.setattr(AngelEyeSimulator, "client_came", late)
    with (
        temporary_folder() as folder,
        Stage(Scene(), Path(folder)) as stage,
        closing(VolumeSet(stage.journal)) as volume_set,
    ):
        events = [stored.decoded().event for stored in volume_set.records()]
    assert {"started", "stand-by"} <= {event.what for event in events if isinstance(event, DeviceSaid)}


def test_the_summary_counts_one_and_several_and_says_in_what_the_float_is() -> None:
    felt = Felt(hands=3, presses=[14, 8, 9], smooth=[8, 9], lost=Counter(panel=1, sabot=2))
    said = tuple(summary(felt, title="t", seconds=9.6, checked=Checked(good=True, text="verified"), amounts=True))
    assert said[0] == "t: 3 hands in 10 s"
    assert "  presses when all stay and nothing goes wrong: median 8.5, most 9 (2 hands)" in said
    assert "  float          +0 cents expected; the players' chips agree" in said
    assert "  panel          lost and back 1 time" in said
    assert "  sabot          lost and back 2 times" in said
    none = summary(Felt(), title="t", seconds=0, checked=Checked(good=True, text="verified"), amounts=False)
    assert "  presses when all stay and nothing goes wrong: no such hand" in tuple(none)
