"""Hand files: what a bad one is told, and that a fact survives being written and read."""

from __future__ import annotations

import pytest

from tablectl.cards import card
from tablectl.engine import facts as f
from tablectl.engine.words import Declaration, Key, Remedy, Tracking
from tablectl.handfile import NO_LIMIT, BadHandFile, fact_line, parse, parse_fact

SETUP = f.Setup(table="hand-file", rulebook="texas-bonus", seats=9, tracking=Tracking.AMOUNTS, limits={})
HEAD = "# THB-DEV-1: title\nrulebook texas-bonus\n"


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("# t\nseats 1\n> press new-hand\n", 1, "'no rulebook'", "rulebook ID"),
        (
            HEAD + "shoe angel-eye\n",
            3,
            "'shoe angel-eye'",
            "rulebook, profile, seats, tracking, equipment, ",
        ),
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
        (HEAD + "# \ud800\n", 3, "'# \\ud800'", "text that UTF-8 can hold"),
        (HEAD + "> call by \ud800\n", 3, "'> call by \\ud800'", "text that UTF-8 can hold"),
        (HEAD + "> remove ²\n", 3, "'remove ²'", "a whole number instead of '²'"),
        (HEAD + "> remove --1\n", 3, "'remove --1'", "a whole number instead of '--1'"),
        (HEAD + "> bet 1 ante " + "9" * 4000 + "\n", 3, "'bet 1 ante 9999", "a whole number instead of '999"),
        (HEAD + "< phase dealing\n", 3, "'< phase dealing'", "a > line first"),
        (HEAD + "\n> shuffle\n", 4, "'shuffle'", "one of acknowledge, back, bet"),
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
        (HEAD + "> restart now\n", 3, "'restart now'", "one of"),
        (HEAD + ">\n", 3, "''", "one of acknowledge, back, bet"),
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
    unlimited = dict.fromkeys(("bonus", "txb"), f.Limits(least=0, most=NO_LIMIT))
    assert hand.setup.limits == {"ante": f.Limits(least=500, most=10000), **unlimited}
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
    f.Drawn(at_us=7, card=card("Td")),
    f.Drawn(at_us=7, card=None),
    *(f.Pressed(at_us=7, key=key) for key in Key),
    f.Bets(at_us=7, seat=1, amounts={"ante": 1000, "bonus": 500}),
    f.Bets(at_us=7, seat=10, amounts={"ante": None, "bonus": None}),
    f.Bets(at_us=7, seat=-1, amounts={"ante": -5}),
    f.Removed(at_us=7, seat=3),
    f.Removed(at_us=7, seat=3, bettor=2),
    f.StandingBet(at_us=7, seat=3, amounts={"ante": 500, "txb": 200}, consent=True),
    f.StandingBet(at_us=7, seat=3, amounts={"ante": None}, consent=False),
    f.StandsOut(at_us=7, seat=3, bettor=2),
    f.Seen(at_us=7, spot="seat-3", card=card("Td")),
    f.Seen(at_us=7, spot="board", card=None, position=2),
    f.Gone(at_us=7, spot="seat-3", card=card("Td")),
    f.Shuffled(at_us=7, cards=52),
    f.Declared(at_us=7, what=Declaration.CARDS_IN_CONTACT, spot="seat-3", other="seat-4"),
    *(f.Declared(at_us=7, what=what) for what in Declaration),
    f.Declared(at_us=7, what=Declaration.WRONG_COUNT, spot="seat-3", cards=3, lap=2),
    f.Declared(at_us=7, what=Declaration.WRONG_COUNT, spot="house", cards=0),
    *(f.Ruled(at_us=7, incident=4, remedy=remedy, by="ana") for remedy in Remedy),
    f.Ruled(at_us=7, incident=1, remedy=Remedy.CONTINUE, by="ana", reason="the shoe was right"),
    f.Acknowledged(at_us=7, incident=2, by="luis"),
    f.Named(at_us=7, slot="board.2", card=card("Kd"), by="ana"),
    f.Called(at_us=7, by="croupier"),
    f.Called(at_us=7, by="croupier", reason="cards fell"),
    f.DeviceLost(at_us=7, device="shoe-1", role="shoe", reason="no answer"),
    f.DeviceLost(at_us=7, device="shoe-1", role="shoe", reason=""),
    f.DeviceBack(at_us=7, device="shoe-1", role="shoe"),
    f.DeviceSaid(at_us=7, device="shoe-1", role="shoe", what="cut-card"),
    f.DeviceSaid(at_us=7, device="shoe-1", role="shoe", what="error", code=31),
    f.Failed(at_us=7, fact="", error="key error"),
    f.Failed(at_us=7, fact="", error="key error", card=card("7h")),
)


@pytest.mark.parametrize("fact", FACTS, ids=fact_line)
def test_a_fact_survives_being_written_and_read(fact: f.Fact) -> None:
    assert parse_fact(fact_line(fact), 7, SETUP) == fact


def test_every_kind_of_fact_is_written_and_read() -> None:
    assert {type(fact) for fact in FACTS} == set(f.Fact.__args__)
