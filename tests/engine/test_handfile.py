"""Hand files: what a bad one is told, and that a fact survives being written and read."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.core.cards import card
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.vocabulary import (
    SEAT_KEYS,
    Action,
    Declaration,
    Equipment,
    Key,
    Plug,
    Question,
    Remedy,
    SeatChange,
    Strange,
    Tracking,
)
from tablectl.games.registry import LIMIT_RULES, RULEBOOKS, rulebook_of
from tablectl.journal.handfile.facts import fact_line, parse_fact
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.header import NO_LIMIT
from tablectl.journal.handfile.header_lines import header_lines
from tablectl.journal.handfile.playing import play
from tablectl.journal.handfile.sealed import HIDDEN, REPEATED, SEALED, SEALED_AGAIN, STRAY
from tablectl.journal.handfile.tokens import BadHandFile

SETUP = f.Setup(table="hand-file", rulebook="texas-bonus", seats=9, tracking=Tracking.AMOUNTS, limits={})
HEAD = "# THB-DEV-1: title\nrulebook texas-bonus\n"


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("# t\nseats 1\n> press new-hand\n", 1, "'no rulebook'", "rulebook ID"),
        (HEAD + "shoe angel-eye\n", 3, "'shoe angel-eye'", "rulebook, seats, tracking, equipment, table, places,"),
        (HEAD + "> press new-hand\nseats 1\n", 4, "'seats 1'", "before the first > line"),
        (HEAD + "tracking chips\n", 3, "'chips'", "presence or amounts"),
        (HEAD + "limits ante 500-1000\n", 3, "'limits ante 500-1000'", "limits BET LEAST..MOST"),
        (HEAD + "profile jacks\n", 3, "'jacks'", "profile KEY=VALUE"),
        (HEAD + "seats one two\n", 3, "'one two'", "seats 1 2 4"),
        (HEAD + "seats 12\n", 3, "'12'", "from 1 to 9"),
        (HEAD + "seats 0 1\n", 3, "'0 1'", "from 1 to 9"),
        (HEAD + "seats ²\n", 3, "'²'", "seats 1 2 4"),
        (HEAD + "seats 1 1\n", 3, "'1 1'", "each once"),
        (HEAD + "seats 1\nseats 2\n", 4, "'seats 2'", "seats once"),
        (HEAD + "rulebook texas-bonus\n", 3, "'rulebook texas-bonus'", "rulebook once"),
        (HEAD + "tracking amounts\n\ntracking presence\n", 5, "'tracking presence'", "tracking once"),
        (HEAD + "profile jacks=lose jacks=10\n", 3, "'profile jacks=lose jacks=10'", "jacks once"),
        (HEAD + "limits ante 5..1\n", 3, "'limits ante 5..1'", "limits BET LEAST..MOST"),
        (HEAD + "limits ante 1..²\n", 3, "'limits ante 1..²'", "limits BET LEAST..MOST"),
        (HEAD + "limits ante 1.." + "9" * 5000 + "\n", 3, "'limits ante 1..9999", "limits BET LEAST..MOST"),
        (HEAD + "limits ante 1..2\nlimits ante 1..3\n", 4, "'limits ante 1..3'", "ante once"),
        (HEAD + "hand 0\n", 3, "'hand 0'", "hand and a whole number from 1"),
        (HEAD + "places 10\n", 3, "'places 10'", "places and a number from 1 to 9"),
        (HEAD + "incidents many\n", 3, "'incidents many'", "incidents and a whole number from 0"),
        (HEAD + "unseen 1 x\n", 3, "'unseen x'", "unseen and a whole number from 1"),
        (HEAD + "previous 1\n", 3, "'previous 1'", "previous SEAT BET [AMOUNT]"),
        (HEAD + "previous 10 ante 5\n", 3, "'previous 10 ante 5'", "previous SEAT BET [AMOUNT]"),
        (HEAD + "previous 1 ante 5\nprevious 1 ante 6\n", 4, "'previous 1 ante 6'", "1 once"),
        (HEAD + "equipment camera\n", 3, "'camera'", "shoe or antennas or both"),
        (HEAD + "kept 1\n", 3, "'kept 1'", "kept SEAT BET [AMOUNT]"),
        (HEAD + "kept 1 ante 5\nkept 1 ante 6\n", 4, "'kept 1 ante 6'", "1 once"),
        (HEAD + "conduct 2 commented\n", 3, "'conduct 2 commented'", "conduct SEAT WHAT TIMES"),
        (HEAD + "conduct 2 laughed 1\n", 3, "'conduct 2 laughed 1'", "conduct SEAT WHAT TIMES"),
        (HEAD + "conduct 0 commented 1\n", 3, "'conduct 0 commented 1'", "conduct SEAT WHAT TIMES"),
        (HEAD + "conduct 2 commented 0\n", 3, "'conduct 2 commented 0'", "conduct SEAT WHAT TIMES"),
        (HEAD + "needs-deck now\n", 3, "'needs-deck now'", "needs-deck and nothing after it"),
        (HEAD + "away antennas\n", 3, "'away antennas'", "away ROLE DEVICE"),
        (HEAD + "away shoe it\naway shoe it\n", 4, "'away shoe it'", "shoe it once"),
        (HEAD + "> tag board odd\n", 3, "'tag board odd'", "a 'tag' line as in the grammar"),
        (HEAD + "shuffled\nshuffled\n", 4, "'shuffled'", "shuffled once"),
        (HEAD + "> seen seat-1\n", 3, "'seen seat-1'", "a 'seen' line as in the grammar"),
        (HEAD + "> seen seat-1 7h 2\n", 3, "'seen seat-1 7h 2'", "seen SPOT CARD [at=N]"),
        (HEAD + "> seen seat-1 1s\n", 3, "'seen seat-1 1s'", "'1s' is no card"),
        (HEAD + "> gone seat-1 7h at=2\n", 3, "'gone seat-1 7h at=2'", "a 'gone' line as in the grammar"),
        (HEAD + "> shuffled all\n", 3, "'shuffled all'", "a whole number instead of 'all'"),
        (HEAD + "> shuffled 52 53\n", 3, "'shuffled 52 53'", "a 'shuffled' line as in the grammar"),
        (HEAD + "> standing 3 consent\n", 3, "'standing 3 consent'", "bet SEAT NAME [AMOUNT]"),
        (HEAD + "> out 3/\n> out 3/x\n", 4, "'out 3/x'", "a whole number instead of 'x'"),
        (HEAD + "> declare commented seat-1 seat-2 seat-3\n", 3, "'declare commented", "[SPOT [SPOT]]"),
        (HEAD + "# \ud800\n", 3, "'# \\ud800'", "text that UTF-8 can hold"),
        (HEAD + "> call by \ud800\n", 3, "'> call by \\ud800'", "text that UTF-8 can hold"),
        (HEAD + "> remove ²\n", 3, "'remove ²'", "a whole number instead of '²'"),
        (HEAD + "> remove --1\n", 3, "'remove --1'", "a whole number instead of '--1'"),
        (HEAD + "> bet 1 ante " + "9" * 4000 + "\n", 3, "'bet 1 ante 9999", "a whole number instead of '999"),
        (HEAD + "< phase dealing\n", 3, "'< phase dealing'", "a > line first"),
        (HEAD + "\n> shuffle\n", 4, "'shuffle'", "one of acknowledge, act, asks, back, bet"),
        (HEAD + "> draw 1s\n", 3, "'draw 1s'", "'1s' is no card"),
        (HEAD + "> fault card=1s key error\n", 3, "'fault card=1s key error'", "'1s' is no card"),
        (HEAD + "> draw\n", 3, "'draw'", "a 'draw' line as in the grammar"),
        (HEAD + "> press banco\n", 3, "'press banco'", "a 'press' line as in the grammar"),
        (HEAD + "> bet 1\n", 3, "'bet 1'", "bet SEAT NAME [AMOUNT]"),
        (HEAD + "> bet one ante\n", 3, "'bet one ante'", "a whole number instead of 'one'"),
        (HEAD + "> bet 1 1000\n", 3, "'bet 1 1000'", "a 'bet' line as in the grammar"),
        (HEAD + "> declare wrong-count seat-1 card=3\n", 3, "'declare wrong-count seat-1 card=3'", "[cards=N] [lap=N]"),
        (HEAD + "> rule 1 void-hand ana\n", 3, "'rule 1 void-hand ana'", "by NAME"),
        (HEAD + "> rule 1 shrug by ana\n", 3, "'rule 1 shrug by ana'", "a 'rule' line as in the grammar"),
        (HEAD + "> name board.1 ?? by ana\n", 3, "'name board.1 ?? by ana'", "'??' is no card"),
        (HEAD + "> restart now\n", 3, "'restart now'", "rulebook= places="),
        (HEAD + ">\n", 3, "''", "one of acknowledge, act, asks, back, bet"),
    ],
)
def test_a_bad_file_is_told_the_line_what_stands_there_and_what_should(
    text: str, line: int, found: str, expected: str
) -> None:
    with pytest.raises(BadHandFile) as caught:
        parse(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: found {found}")
    assert expected in str(caught.value)


def test_a_file_is_read_whole() -> None:
    hand = parse(
        "# THB-LIM-2: title # with a mark\n# a note\nrulebook texas-bonus\nseats 2 7\ntracking presence\n"
        "profile wrong_order=accept bank_exposed_until=flop-bets\nlimits ante 500..10000\n\n"
        "> bet 2   bonus # a note\n<  phase   dealing\n"
    )
    assert hand.title == "THB-LIM-2: title # with a mark"
    assert hand.seats == (2, 7)
    assert hand.setup.tracking is Tracking.PRESENCE
    assert hand.setup.profile == {"wrong_order": "accept", "bank_exposed_until": "flop-bets"}
    assert hand.setup.equipment is Equipment.SHOE
    assert hand.setup.limits == {"ante": f.Limits(least=500, most=10000), "bonus": f.Limits(least=0, most=NO_LIMIT)}
    (step,) = hand.steps
    assert (step.line, step.text, step.expected) == (9, "bet 2   bonus", [(10, "phase dealing")])
    assert isinstance(step.fact, f.Bets)
    assert (step.fact.seat, step.fact.amounts) == (2, {"bonus": None})


@pytest.mark.parametrize(
    "text", ["call by \ud800", "rule 1 void-hand by ana \udfff", "lost shoe \ud800", "fault \ud800"]
)
def test_a_fact_that_no_journal_could_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="text that UTF-8 can hold"):
        parse_fact(text, 7, SETUP)


FACTS: tuple[f.Fact, ...] = (
    f.Opened(at_us=7, setup=SETUP),
    f.GameChosen(at_us=7, setup=SETUP, by="ana"),
    f.AsksFor(at_us=7, cards=0),
    f.AsksFor(at_us=7, cards=3, seat=10),
    f.Drawn(at_us=7, card=card("Td")),
    f.Drawn(at_us=7, card=None),
    *(f.Pressed(at_us=7, key=key) for key in Key),
    f.Bets(at_us=7, seat=1, amounts={"ante": 1000, "bonus": 500}),
    f.Bets(at_us=7, seat=10, amounts={"ante": None, "bonus": None}),
    f.Bets(at_us=7, seat=-1, amounts={"ante": -5}),
    f.Seen(at_us=7, spot="seat-3", card=card("Td")),
    f.Seen(at_us=7, spot="board", card=card("Td"), position=2),
    f.Seen(at_us=7, spot="board", card=None, position=0),
    f.Gone(at_us=7, spot="house", card=card("Td")),
    f.Gone(at_us=7, spot="house", card=None),
    f.StrangeTag(at_us=7, spot="shoe", what=Strange.CLONED),
    f.Counted(at_us=7, cards=51),
    f.OnFelt(at_us=7, spots=("seat-3", "board")),
    f.OnFelt(at_us=7, spots=()),
    f.Shuffled(at_us=7, cards=52),
    f.Removed(at_us=7, seat=3),
    f.Removed(at_us=7, seat=3, bettor=2),
    f.StandingBet(at_us=7, seat=3, amounts={"ante": 500, "txb": 200}, consent=True),
    f.StandingBet(at_us=7, seat=3, amounts={"ante": None}, consent=True),
    f.StandingBet(at_us=7, seat=3, amounts={"ante": 500}, consent=False),
    f.StandsOut(at_us=7, seat=3, bettor=2),
    *(f.Declared(at_us=7, what=what) for what in Declaration),
    f.Declared(at_us=7, what=Declaration.WRONG_COUNT, spot="seat-3", cards=3, lap=2),
    f.Declared(at_us=7, what=Declaration.WRONG_COUNT, spot="house", cards=0),
    f.Declared(at_us=7, what=Declaration.CARDS_IN_CONTACT, spot="seat-2", other="seat-3"),
    f.Declared(at_us=7, what=Declaration.FACE_UP_IN_SHOE, drawn=7),
    *(f.Ruled(at_us=7, incident=4, remedy=remedy, by="ana") for remedy in Remedy),
    f.Ruled(at_us=7, incident=1, remedy=Remedy.CONTINUE, by="ana", reason="the shoe was right"),
    f.Ruled(at_us=7, incident=1, remedy=Remedy.CONTINUE, by="ana", second="luis", reason="the shoe was right"),
    f.SignedOn(at_us=7, croupier="ana"),
    f.SignedOff(at_us=7, croupier="j.perez-2"),
    f.LimitsSet(at_us=7, limits={"ante": f.Limits(least=500, most=900)}, by="ana"),
    f.LimitsSet(
        at_us=7,
        limits={"ante": f.Limits(least=500, most=900), "txb": f.Limits(least=1, most=2)},
        by="ana",
        second="luis",
    ),
    f.Shelved(at_us=7, alarm="device-light", minutes=60, by="ana", reason="lamp ordered"),
    f.Shelved(at_us=7, alarm="incident-12", minutes=-1, by="ana", reason=""),
    f.Unshelved(at_us=7, alarm="incident-12", by="luis"),
    f.Acknowledged(at_us=7, incident=2, by="luis"),
    f.Acknowledged(at_us=7, incident=0, by="luis", alarm="device-light"),
    f.Named(at_us=7, slot="board.2", card=card("Kd"), by="ana"),
    f.Corrected(at_us=7, number=12, by="ana", second="luis", reason="misheard"),
    f.Corrected(at_us=7, number=12, by="ana", second="luis", reason="misread", card=card("Kd")),
    f.Corrected(at_us=7, number=12, by="ana", second="luis", reason="it lies there", spot="seat-3"),
    f.Corrected(
        at_us=7,
        number=12,
        by="ana",
        second="luis",
        reason="by mistake",
        instead=f.Acted(at_us=7, action=Action.RAISE, seat=3, to=600),
    ),
    f.Corrected(
        at_us=7,
        number=12,
        by="ana",
        second="luis",
        reason="misread",
        instead=f.Named(at_us=7, slot="board.2", card=card("Kd"), by="eva"),
    ),
    f.Called(at_us=7, by="croupier"),
    f.Called(at_us=7, by="croupier", reason="cards fell"),
    f.DeviceLost(at_us=7, device="shoe-1", role="shoe", reason="no answer"),
    f.DeviceLost(at_us=7, device="shoe-1", role="shoe", reason=""),
    f.DeviceBack(at_us=7, device="shoe-1", role="shoe"),
    f.DeviceSaid(at_us=7, device="shoe-1", role="shoe", what="cut-card"),
    f.DeviceSaid(at_us=7, device="shoe-1", role="shoe", what="error", code=31),
    f.TopologyChanged(at_us=7, change=Plug.PLUGGED, what="panel, 05f3:0405 at 1-2.3", is_allowed=True),
    f.TopologyChanged(at_us=7, change=Plug.PRESENT, what="1234:abcd at 1-1", is_allowed=False),
    f.Acted(at_us=7, action=Action.CALL),
    f.Acted(at_us=7, action=Action.RAISE, seat=10, to=600),
    f.Acted(at_us=7, action=Action.CALL, seat=3, is_all_in=True),
    f.Acted(at_us=7, action=Action.ALL_IN, to=600, is_all_in=True),
    f.PutIn(at_us=7, seat=3, chips=1000),
    f.PutIn(at_us=7, seat=3, chips=1000, is_single=True, said=Action.RAISE, said_to=600),
    f.PutIn(at_us=7, seat=3, chips=0, said=Action.CALL),
    *(f.Moved(at_us=7, seat=3, what=what) for what in SeatChange),
    f.Stacked(at_us=7, seat=3, amount=20_000),
    f.Transferred(at_us=7, incident=4, giver=3, taker=1, amount=500, by="ana", second="luis"),
    f.Transferred(at_us=7, incident=4, giver=3, taker=1, amount=500, by="ana"),
    f.ButtonPlaced(at_us=7, seat=10),
    f.TimePassed(at_us=7),
    f.Failed(at_us=7, fact="", error="key error"),
    f.Failed(at_us=7, fact="", error="key error", card=card("7h")),
)


@pytest.mark.parametrize("fact", FACTS, ids=fact_line)
def test_a_fact_survives_being_written_and_read(fact: f.Fact) -> None:
    assert parse_fact(fact_line(fact), 7, SETUP) == fact


def test_every_kind_of_fact_is_written_and_read() -> None:
    assert {type(fact) for fact in FACTS} == set(f.Fact.__args__)


# --- the header -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", LIMIT_RULES)
def test_without_limits_any_amount_of_the_bets_that_the_rulebook_limits_is_allowed(rulebook: str) -> None:
    hand = parse(f"# t\nrulebook {rulebook}\n")
    assert hand.setup.limits == dict.fromkeys(LIMIT_RULES[rulebook].bets, f.Limits(least=0, most=NO_LIMIT))


CARRY = Carry(
    setup=f.Setup(
        table="Mesa 1",
        rulebook="texas-poker",
        seats=7,
        tracking=Tracking.PRESENCE,
        limits={"ante": f.Limits(least=500, most=5000), "txb": f.Limits(least=0, most=NO_LIMIT)},
        profile={"wrong_order": "accept"},
        equipment=Equipment.BOTH,
    ),
    hand=11,
    n_incidents=5,
    previous={1: {"ante": 1000, "txb": 500}, 4: {"ante": None}, 7: {}},
    unseen=(3, 5),
    shoe_lost=5,
    conduct={"seat-2 commented": 1, "seat-4 cards-in-contact": 2},
    kept={1: {"ante": 1000}, 4: {"ante": None, "txb": 500}},
    needs_deck=True,
    is_shuffled=True,
    lost=("antennas felt-1", "shoe the old one"),
)


@pytest.mark.parametrize(
    "carry",
    [
        CARRY,
        replace(CARRY, conduct={}, kept={}, needs_deck=False, is_shuffled=False, lost=()),
        replace(CARRY, needs_deck=False),
        replace(CARRY, croupier="ana", next_croupier="luis"),
        replace(CARRY, unseen_devices=("light tower", "panel the old one")),
        replace(CARRY, shelved={"device-light": f.OnShelf(until_us=12_000_000, by="ana", reason="lamp ordered")}),
        replace(
            CARRY,
            limits_set={
                "texas-poker": f.SetLimits(
                    file=CARRY.setup.limits, limits=dict.fromkeys(CARRY.setup.limits, f.Limits(least=600, most=4000))
                ),
                "draw-poker": f.SetLimits(
                    file={"bet": f.Limits(least=1, most=9)}, limits={"bet": f.Limits(least=2, most=8)}
                ),
            },
        ),
        replace(CARRY, setup=replace(CARRY.setup, staff=True, bands={"ante": f.Limits(least=100, most=5000)})),
        replace(CARRY, is_shuffled=False),
        *(replace(CARRY, setup=replace(CARRY.setup, equipment=equipment)) for equipment in Equipment),
        *(replace(CARRY, conduct={f"seat-9 {declaration}": 3}) for declaration in Declaration),
    ],
)
def test_what_a_table_remembers_survives_being_written_and_read(carry: Carry) -> None:
    hand = parse("# t\n" + "\n".join(header_lines(carry)) + "\n> press new-hand\n")
    assert hand.carry == carry
    assert hand.is_one_of_many


def test_a_header_says_nothing_that_goes_without_saying() -> None:
    carry = parse("# t\nrulebook texas-poker\nhand 2\n").carry
    assert list(header_lines(carry)) == ["rulebook texas-poker", "table hand-file", "hand 2", "places 9"]


# --- the page about them ----------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "hand-files.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_each_example_of_the_page_plays(example: str) -> None:
    assert play(parse(example), rulebook_of) == []


def test_the_page_has_an_example_of_each_game() -> None:
    assert {parse(example).setup.rulebook for example in EXAMPLES} == set(RULEBOOKS)


def test_the_page_names_every_line_and_every_word_of_the_table() -> None:
    told = {fact_line(fact).split()[0] for fact in FACTS}
    told |= {f"< {name}" for name in ("bet", "returned", "fold", "withdraw-seat", "expel", "reversed", "hand-closed")}
    words = [
        *Declaration,
        *Remedy,
        *Question,
        *Equipment,
        *Tracking,
        *Action,
        *SeatChange,
        *(key for key in Key if key not in SEAT_KEYS),
    ]
    words += [
        "conduct",
        "kept",
        "needs-deck",
        "shuffled",
        "away",
        *Strange,
        SEALED,
        SEALED_AGAIN,
        REPEATED,
        STRAY,
        HIDDEN,
    ]
    assert [text for text in (*told, *map(str, words)) if re.search(rf"(?<![\w-]){text}(?![\w-])", PAGE) is None] == []
