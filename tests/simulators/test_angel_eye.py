"""Driver and simulated shoe, end to end over an in-memory wire in virtual time: no thread, no clock, no pty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.driver import AngelEye
from drivers.angel_eye.messages import CURABLE_NAKS, BccStart, ErrorCode, NakCode, Winner
from drivers.angel_eye.settings import AngelEyeSettings, Note
from drivers.facts import CardOut, Rejected, ShoeNote
from simulators.devices.angel_eye.protocol import SEQUENCE, ShoeOptions, ShoeProtocol
from simulators.devices.angel_eye.simulator import AngelEyeSimulator, ShoeHoldsCards
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.world import HAND, SHOE, EmptyShoe, World
from tests.simulators.virtual_wire import VirtualWire


class Bench:
    def __init__(
        self,
        *,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        settings: AngelEyeSettings | None = None,
        options: ShoeOptions | None = None,
    ) -> None:
        self.world = World()
        self.world.shuffle(3)
        self.driver = AngelEye("shoe", settings or AngelEyeSettings())
        self.wire = VirtualWire(self.driver)
        self.shoe = AngelEyeSimulator(self.wire, self.world, faults=faults, seed=seed, options=options or ShoeOptions())
        self.shoe.start()
        self.wire.settle()

    def draw(self) -> str:
        face = self.shoe.draw().face
        self.wire.settle()
        return face

    def cards(self) -> list[str | None]:
        return [fact.card.open() if fact.card else None for fact in self.wire.facts if isinstance(fact, CardOut)]

    def notes(self) -> list[str]:
        return [fact.kind for fact in self.wire.facts if isinstance(fact, ShoeNote)]


#: On each of them, at least one of the three repetitions of every report gets through whole.
BAD_WIRES = {
    "lossy": FaultPlan(faults=(Fault(kind=FaultKind.LOSE, at=tuple(range(1, 300, 3))),)),
    "noisy": FaultPlan(
        faults=(
            Fault(kind=FaultKind.CORRUPT, at=tuple(range(2, 300, 3))),
            Fault(kind=FaultKind.JUNK, probability=0.5, count=9),
        )
    ),
    "slow": FaultPlan(
        faults=(
            Fault(kind=FaultKind.SPLIT, probability=0.5, for_s=0.4),
            Fault(kind=FaultKind.DELAY, probability=0.3, for_s=5.0),
            Fault(kind=FaultKind.REPEAT, probability=0.3, count=4),
        )
    ),
    "loose": FaultPlan(faults=(Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.02, for_s=3.0),)),
}


@pytest.mark.parametrize("plan", BAD_WIRES.values(), ids=BAD_WIRES)
@pytest.mark.parametrize("seed", range(5))
def test_a_deck_goes_over_a_bad_wire_and_arrives_in_order_and_once(plan: FaultPlan, seed: int) -> None:
    bench = Bench(faults=plan, seed=seed)
    drawn = [bench.draw() for _ in range(52)]
    assert bench.cards() == drawn
    assert len(set(drawn)) == 52


def test_a_report_that_is_lost_in_all_its_repetitions_is_a_card_nobody_knows_of() -> None:
    # What follows from it is for the deal to notice; it shows that the test above can fail.
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=FaultKind.SILENCE, at=(7,), count=3),)))
    drawn = [bench.draw() for _ in range(3)]
    assert bench.cards() == drawn[1:]


def test_the_wrong_speed_is_noise_and_no_card() -> None:
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=FaultKind.WRONG_BAUD, at=(1,), count=10_000),)))
    for _ in range(20):
        bench.draw()
    assert bench.cards() == []
    assert any(isinstance(fact, Rejected) for fact in bench.wire.facts)


def test_a_reboot_in_the_middle_starts_the_numbers_again_and_loses_nothing() -> None:
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=FaultKind.REBOOT, at=(9, 18, 33)),)))
    drawn = [bench.draw() for _ in range(12)]
    assert bench.cards() == drawn
    assert bench.notes().count(Note.STARTED) == 4


@given(
    st.lists(st.sampled_from(["draw", "unplug", "replug", "reboot", "unread", "cut"]), max_size=40), st.integers(0, 9)
)
def test_cards_are_conserved_and_read_at_most_once_whatever_is_done_to_the_shoe(steps: list[str], seed: int) -> None:
    bench = Bench(seed=seed)
    drawn: list[str | None] = []
    for step in steps:
        match step:
            case "draw":
                drawn.append(bench.shoe.draw().face)
            case "unread":
                bench.shoe.draw_unread()
                drawn.append(None)
            case "cut":
                bench.shoe.draw_cut_card()
            case "unplug":
                bench.shoe.unplug()
            case "replug":
                bench.shoe.replug()
            case _:
                bench.shoe.reboot()
        bench.wire.settle()
    assert len(bench.world.at(SHOE)) + len(bench.world.at(HAND)) == 52
    remaining = iter(drawn)
    assert all(card in remaining for card in bench.cards())


def test_the_lock_reaches_the_shoe_and_its_state_comes_back() -> None:
    bench = Bench(settings=AngelEyeSettings(may_lock=True))
    bench.driver.be_locked()
    bench.wire.settle()
    assert bench.shoe.is_locked
    with pytest.raises(ShoeHoldsCards):
        bench.shoe.draw()
    bench.shoe.reboot()
    bench.wire.settle()
    assert bench.shoe.is_locked
    bench.driver.be_unlocked()
    bench.wire.settle()
    bench.draw()
    assert [kind for kind in bench.notes() if "lock" in kind] == [
        Note.LOCK_ACCEPTED,
        Note.LOCKED,
        Note.LOCK_ACCEPTED,
        Note.LOCKED,
        Note.LOCK_ACCEPTED,
        Note.UNLOCKED,
    ]


def test_a_lock_whose_answer_is_lost_is_asked_again() -> None:
    bench = Bench(
        settings=AngelEyeSettings(may_lock=True, reply_s=1.0, attempts=3),
        faults=FaultPlan(faults=(Fault(kind=FaultKind.LOSE, at=(7,)),)),
    )
    bench.driver.be_locked()
    bench.wire.settle()
    assert bench.shoe.is_locked
    assert bench.notes()[-2:] == [Note.LOCK_ACCEPTED, Note.LOCKED]
    assert bench.wire.now_s == pytest.approx(1.0)


def test_a_shoe_that_counts_checksums_otherwise_refuses_and_is_understood_with_the_setting() -> None:
    options = ShoeOptions(command_bcc=BccStart.CONTENT, report_bcc=BccStart.FRAME)
    other_shoe = Bench(settings=AngelEyeSettings(may_lock=True), options=options)
    other_shoe.driver.be_locked()
    other_shoe.wire.settle()
    other_shoe.draw()
    assert not other_shoe.shoe.is_locked
    assert (other_shoe.cards(), other_shoe.notes()) == ([], [Note.LOCK_REFUSED])
    settings = AngelEyeSettings(may_lock=True, command_bcc=BccStart.CONTENT, report_bcc=BccStart.FRAME)
    friend = Bench(settings=settings, options=options)
    drawn = friend.draw()
    friend.driver.be_locked()
    friend.wire.settle()
    assert friend.shoe.is_locked
    assert friend.cards() == [drawn]


def test_a_shoe_that_wants_its_reports_acknowledged_says_one_after_the_other_to_who_does_so() -> None:
    options = ShoeOptions(wants_ack=True)
    silent = Bench(options=options)
    silent.draw()
    assert silent.cards() == []
    polite = Bench(options=options, settings=AngelEyeSettings(acknowledge_reports=True))
    assert polite.cards() == [] != [polite.draw() for _ in range(3)]
    assert len(polite.cards()) == 3


def test_a_shoe_that_answers_with_data_is_understood() -> None:
    bench = Bench(settings=AngelEyeSettings(may_lock=True), options=ShoeOptions(answers_with_data=True))
    bench.driver.be_locked()
    bench.wire.settle()
    assert bench.shoe.is_locked
    assert bench.notes()[-2:] == [Note.LOCK_ACCEPTED, Note.LOCKED]


@pytest.mark.parametrize("code", sorted(CURABLE_NAKS))
def test_a_shoe_that_is_busy_or_heard_badly_is_asked_again(code: NakCode) -> None:
    bench = Bench(settings=AngelEyeSettings(may_lock=True, reply_s=1.0, attempts=3))
    bench.shoe.refuse_next(code, code)
    bench.driver.be_locked()
    bench.wire.settle()
    assert bench.shoe.is_locked


@pytest.mark.parametrize("code", sorted(set(NakCode) - CURABLE_NAKS))
def test_a_refusal_for_good_is_noted(code: NakCode) -> None:
    bench = Bench(settings=AngelEyeSettings(may_lock=True))
    bench.shoe.refuse_next(code)
    bench.driver.be_locked()
    bench.wire.settle()
    assert not bench.shoe.is_locked
    assert bench.notes()[-1] == Note.LOCK_REFUSED


def test_an_unread_card_stops_the_shoe_and_the_controller_lets_it_go_on() -> None:
    bench = Bench(settings=AngelEyeSettings(may_cancel_errors=True, cancel_after_s=2.0))
    bench.shoe.stop_with(ErrorCode.CANNOT_READ)
    with pytest.raises(ShoeHoldsCards):
        bench.shoe.draw()
    bench.wire.settle()
    assert bench.cards() == [None]
    assert bench.notes()[-3:] == [Note.ERROR_MODE, Note.CANCEL_ACCEPTED, Note.ERROR_CANCELLED]
    assert bench.draw() == bench.cards()[-1]


def test_a_person_at_the_shoe_cancels_what_the_controller_may_not() -> None:
    bench = Bench(settings=AngelEyeSettings(may_cancel_errors=True))
    bench.shoe.stop_with(ErrorCode.REVERSE_AT_EXIT)
    bench.wire.settle()
    with pytest.raises(ShoeHoldsCards):
        bench.shoe.draw()
    bench.shoe.cancel_error()
    assert bench.draw() == bench.cards()[-1]
    assert bench.notes()[-3:] == [Note.ERROR, Note.ERROR_MODE, Note.ERROR_CANCELLED]


def test_whatever_else_the_shoe_says_arrives() -> None:
    bench = Bench()
    drawn = bench.draw()
    bench.shoe.say_again()
    bench.shoe.show_burn_count(5)
    bench.shoe.end_game(Winner.TIE)
    bench.shoe.change_preset("01", "0001")
    bench.shoe.draw_cut_card()
    bench.wire.settle()
    assert bench.cards() == [drawn]
    assert bench.notes()[2:] == [
        Note.RETRANSMISSION,
        Note.BURN_COUNT,
        Note.RESULT,
        Note.PRESET_CHANGED,
        Note.CUT_CARD,
    ]


def test_a_report_lost_in_all_its_repetitions_is_noticed_where_the_numbers_are_known() -> None:
    bench = Bench(
        settings=AngelEyeSettings(sequence=SEQUENCE.decode("ascii")),
        faults=FaultPlan(faults=(Fault(kind=FaultKind.SILENCE, at=(7,), count=3),)),
    )
    drawn = [bench.draw() for _ in range(30)]
    assert bench.cards() == drawn[1:]
    assert bench.notes().count(Note.REPORTS_MISSING) == 1


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("02 4F 50 47 50 30 30 03 30 39", "06"),  # GP 00
        ("02 4F 50 47 50 30 31 03 30 38", "15 11"),  # GP 01
        ("02 4F 50 45 43 30 35 03 31 44", "15 FF"),  # EC 05 while it stands in no error
        ("02 4F 50 4C 4B 30 33 03 31 41", "15 11"),  # LK 03
        ("02 4F 50 58 58 30 30 03 31 45", "15 14"),  # XX 00
    ],
)
def test_the_shoe_answers_every_command_of_its_host(command: str, answer: str) -> None:
    shoe = ShoeProtocol()
    shoe.receive(bytes.fromhex(command))
    assert shoe.take_outgoing() == [bytes.fromhex(answer)]


def test_an_empty_shoe_draws_nothing_and_says_nothing() -> None:
    bench = Bench()
    for _ in range(52):
        bench.draw()
    before = len(bench.wire.facts)
    with pytest.raises(EmptyShoe):
        bench.shoe.draw()
    bench.wire.settle()
    assert len(bench.wire.facts) == before
