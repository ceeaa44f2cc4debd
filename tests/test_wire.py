"""Hand files over the wire: simulated devices and the whole controller give the same lines as the engine alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from simulators.stage.wire import play_over_the_wire, why_not
from tablectl.journal.handfile.file import HandFile, parse
from tests.journal.journals import hand_files
from tests.wide import once

pytestmark = pytest.mark.system

HANDS: Final = Path(__file__).parent / "hands"
#: In every run: a restart, a shoe that was lost, presence, and one of each kind of game.
QUICK: Final = (
    "THB-DEV-6-restart-in-the-deal",
    "THB-DEV-7-nine-seats-by-presence",
    "THB-SAB-1-shoe-lost-and-back",
    "THB-DEV-10-a-card-of-the-bank-on-the-burn-spot",
    "THL-MIS-2-antennas-one-more",
    "THL-CRE-6-river-when-the-round-is-closed",
    "FCD-WIN-2-what-they-kept-is-named",
)
#: One of each that is different on a wire: restart, lost shoe, unread card, duplicate, what is declared, presence.
CHOSEN: Final = (
    "THB-CRD-1-duplicate-card",
    "THB-DEV-14-unread-cards",
    "THB-DEV-6-restart-in-the-deal",
    "THB-DEV-7-nine-seats-by-presence",
    "THB-ERR-2-restart-before-the-ruling",
    "THB-SAB-1-card-drawn-while-the-shoe-was-away",
    "THB-SAB-1-shoe-lost-and-back",
    "THB-SAB-1-shoe-switched-on-anew-once",
    "THB-SAB-1-unreported-card",
    # Of a circle game: who sits there, chips and button are entered before; a button that was drawn; a card
    # that comes again out of a shuffled stub; chips as they were seen; no amounts.
    "THL-CRE-6-river-when-the-round-is-closed",
    "THL-CRE-1-a-claim-in-time",
    "THL-INI-2-the-highest-card",
    "THL-PLE-3-house-call",
    "THL-SDN-4-his-also-if-he-does-not-win",
    "THO-ACT-3-no-check-facing-a-bet",
    # Of five-card draw: a resto of its own; cards that are changed, and named when they are shown; a new stub.
    "FCD-EVT-4-least-and-most-of-a-bet",
    "FCD-WIN-2-what-they-kept-is-named",
    "FCD-DSC-5-the-stub-is-not-enough",
    # Of readers under the felt: beside a shoe, and alone; a card that is read late, lifted, laid elsewhere; two hands.
    "FCD-OPN-5-an-antenna-reads-it-later",
    "FCD-DSC-14-whichever-comes-back",
    "THB-DEV-10-a-card-of-the-bank-on-the-burn-spot",
    "THL-MIS-2-antennas-one-more",
    "TPC-DEV-11-an-unread-card-is-seen-in-time",
)


def read(path: Path) -> HandFile:
    return parse(path.read_text(encoding="utf-8"))


def differences(hand: HandFile) -> list[str]:
    return [str(difference) for difference in play_over_the_wire(hand)]


FILES: Final = {path.stem: path for path in sorted(HANDS.glob("*/*.hand"))}
ON_THE_WIRE: Final = [name for name, hand in hand_files() if why_not(hand) is None]


@pytest.mark.parametrize("name", once(CHOSEN, *QUICK))
def test_a_hand_comes_out_as_written_over_the_wire(name: str) -> None:
    assert differences(read(FILES[name])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_THE_WIRE)
def test_every_hand_comes_out_as_written_over_the_wire(name: str) -> None:
    assert differences(read(FILES[name])) == []


#: What a house had decided before the hand, a fault of the controller, devices that nobody unplugs in a hand file.
OF_THE_HOUSE = (
    "THB-STF-1-an-alarm-is-put-aside",
    "THB-STF-1-a-lost-device-is-acknowledged",
    "THB-STF-1-a-restart-takes-no-card-off-a-void-felt",
    "THB-STF-1-two-persons-go-on-after-a-fault",
    "THB-STF-3-a-change-of-croupier-between-hands",
    "THB-LIM-2-the-file-wins-where-it-has-changed",
    "THB-LIM-3-limits-set-between-hands",
    "TPC-LIM-4-the-greatest-bet-that-can-be-set",
)


#: A line that changes a copy of a report; a place within a spot, which no antenna tells; who plays is entered after a
#: hand was opened; entries have other numbers.
OF_THE_WIRE: Final = (
    "THB-DEV-14-uncertain-cards",
    "THB-ERR-4-an-early-card-is-uncertain",
    "THB-STF-1-a-card-is-uncertain-after-the-settlement",
    "TPC-MIS-0-pit-boss-called-by-the-panel",
    "TPC-PLY-2-by-the-panel",
    "TPC-DEV-14-an-antenna-goes-on-misreading",
    "THB-ERR-5-a-card-is-carried-while-a-count-is-asked",
    "THB-TAB-4-an-antenna-tells-a-shifted-card-once-more",
)


def test_nearly_every_hand_of_the_bank_goes_over_the_wire() -> None:
    left_out = {name for name in FILES if name.startswith(("THB-", "TPC-"))} - set(ON_THE_WIRE)
    assert left_out
    two_starts = "THB-SAB-1-shoe-switched-on-anew"  # as a report that it repeats
    others = (
        "THB-STF-1-fault",
        "THB-STF-1-usb",
        "THB-SAB-2-the-shoe-shuffles",
        two_starts,
        *OF_THE_HOUSE,
        *OF_THE_WIRE,
    )
    assert not [name for name in left_out if not name.startswith(others)]


def test_most_hands_of_a_circle_game_go_over_the_wire() -> None:
    circle = [name for name in FILES if name.startswith(("THL-", "THO-"))]
    assert len(set(circle) & set(ON_THE_WIRE)) > len(circle) * 3 / 4


def test_most_hands_of_five_card_draw_go_over_the_wire() -> None:
    draw = [name for name in FILES if name.startswith("FCD-")]
    assert len(set(draw) & set(ON_THE_WIRE)) > len(draw) * 3 / 4


DRAW: Final = "# x\nrulebook draw-poker\nlimits bet 100..10000\nlimits ante 50..50\nseats 1 2\nbutton 1\n"


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("carried 300\nresto 2000\nstack 1 2000\nstack 2 2000\n", "ordered from outside: carried"),
        ("carried\ntracking rounds\n", "ordered from outside: carried"),
        ("closing\nresto 2000\nstack 1 2000\nstack 2 2000\n", "ordered from outside: closing"),
        ("next-game open-holdem\nresto 2000\nstack 1 2000\nstack 2 2000\n", "ordered from outside: next-game"),
        ("resto 2000\nstack 1 2000\nstack 2 1999\n", "ordered from outside: stack, bought"),
        ("resto 2000\nstack 1 2000\nstack 2 2000\nbought 1 4000\n", "ordered from outside: bought"),
        ("stack 1 2000\nstack 2 1999\n", "ordered from outside: stack"),
        ("stack 1 2000\nstack 2 2000\n> stack 1 2500\n", "a table with amounts has a resto, and the hand says of none"),
    ],
)
def test_what_nobody_can_enter_before_a_hand_of_five_card_draw_is_told(header: str, reason: str) -> None:
    told = why_not(parse(f"{DRAW}{header}"))
    assert told is not None
    assert told.endswith(reason)


@pytest.mark.parametrize("resto", ["", "resto 2000\n"])
def test_fcd_rst_2_the_resto_and_what_lies_before_the_players_are_entered(resto: str) -> None:
    assert why_not(parse(f"{DRAW}{resto}stack 1 2000\nstack 2 2000\n> press new-hand\n")) is None


CIRCLE: Final = "# x\nrulebook circle-holdem\nlimits bet 200..5000\n"


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("seats 1 3\nplayer seat=5 in missed=small\nbutton 1\n", "ordered from outside: player seat=5 in missed=small"),
        ("seats 1 3\nplayer seat=5 absent away=2 lap=3\nbutton 1\n", "player seat=5 absent away=2 lap=3"),
        ("seats 1 3\nplayer seat=5 in new\n", "player seat=5 in new"),
        ("seats 1 3\nmarkers button=3 moves small=1 big=3\n", "markers button=3 moves small=1 big=3"),
        ("seats 1 3\nbutton 1\nconduct 1 commented 1\n", "conduct"),
        ("seats 1 3\nbutton 1\nhand 7\n", "hand"),
        ("seats 1 3\nbutton 1\nunseen 3\nincidents 4\n", "incidents, unseen"),
    ],
)
def test_a_header_that_nobody_can_enter_is_told(header: str, reason: str) -> None:
    told = why_not(parse(f"{CIRCLE}{header}> press new-hand\n"))
    assert told is not None
    assert reason in told


def test_a_header_of_what_can_be_entered_goes_over_the_wire() -> None:
    players = "seats 1 3 5\nplayer seat=4 absent away=0 lap=4\n"
    header = f"{players}button 1\nstack 1 700\nstack 5 700\nchip 100\n"
    told = why_not(parse(f"{CIRCLE}{header}> press new-hand\n"))
    assert told is None


BOTH: Final = (
    "# x\nrulebook draw-poker\nequipment both\nlimits bet 100..10000\nlimits ante 50..50\nseats 1 2\nbutton 1\n"
)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("> tag seat-1 foreign-card\n", "told by readers alone"),
        ("> seen seat-1 ??\n", "no card that it cannot read"),
        ("> lost antennas felt-1\n", "names of their own"),
    ],
)
def test_what_readers_cannot_be_made_to_tell_is_said(lines: str, reason: str) -> None:
    told = why_not(parse(f"{BOTH}stack 1 2000\nstack 2 2000\n{lines}"))
    assert told is not None
    assert reason in told


def test_fcd_dsc_14_a_discard_that_the_file_lets_nobody_lift_does_not_go_over_the_wire() -> None:
    told = why_not(read(FILES["FCD-DSC-14-too-many-before-he-says-it"]))
    assert told is not None
    assert "a reader tells that a card is lifted" in told


def test_fcd_dsc_10_a_discard_that_is_lifted_and_laid_elsewhere_goes_over_the_wire() -> None:
    assert why_not(read(FILES["FCD-DSC-10-a-discard-lies-at-a-seat"])) is None


def test_a_line_that_does_not_come_out_as_written_is_a_difference_over_the_wire_too() -> None:
    hand = parse(
        "# x\nrulebook texas-bonus\nseats 1\n> bet 1 ante 1000\n> press no-more-bets\n< phase flop\n"
        "> draw As\n< card house.1\n"
    )
    assert differences(hand) == [
        "line 6: after '> press no-more-bets': expected phase flop; found phase dealing",
        "line 8: after '> draw As': expected card house.1; found card seat-1.1",
    ]
