"""List, keys and rules agree on what can be declared at every moment of a hand of five-card draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.declarations import offered
from tablectl.core.engine.keys import live
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rule import Rule
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Key, Question
from tablectl.families.draw import conduct, demands, false_opening
from tablectl.families.draw.state import DrawState
from tests.engine.states import draws
from tests.engine.tables import lines
from tests.families.draw.whole_hand import dealt, entries, told

TABLES: Mapping[Declaration, Rule[DrawState]] = {**demands.RULES, **false_opening.RULES, **conduct.RULES}


def at_every_moment(tracking: str) -> Iterator[Table]:
    """The table at each moment of the hand, with a case that stands and without one. In the middle of the deal every
    card is like the one before."""
    for at in (*range(5), *range(15, len(entries(tracking)) + 1)):
        for said in ((), ("declare missing-card",)):
            yield told("", *entries(tracking)[:at], *said, tracking=tracking)


@pytest.mark.parametrize("tracking", ["amounts", "rounds"])
@pytest.mark.parametrize("what", TABLES)
def test_fcd_irr_0_what_is_offered_can_be_declared_and_what_is_not_says_its_clause(
    tracking: str, what: Declaration
) -> None:
    n_offered = n_refused = 0
    for table in at_every_moment(tracking):
        is_offered = what in offered(table.state)
        said = table.apply(f.Declared(at_us=0, what=what))
        if is_offered:
            n_offered += 1
            assert not any(isinstance(decision, d.Refused) for decision in said), (what, table.prompt())
            if any(isinstance(asked, d.Asked) and asked.question is Question.WHICH_SEAT for asked in said):
                seats = [key for key in live(table.state) if key.startswith("seat-")]
                assert seats == [f"seat-{seat}" for seat in sorted(table.state.family.seats_asked(table.state, what))]
                assert seats
                answer = table.apply(f.Pressed(at_us=0, key=Key(seats[-1])))
                assert not any(isinstance(decision, d.Refused) for decision in answer), (what, table.prompt())
        else:
            n_refused += 1
            (refused,) = said
            assert isinstance(refused, d.Refused)
            assert refused.clause is not None, (what, table.prompt())
            assert refused.clause.startswith("FCD-")
    assert n_offered
    assert n_refused or what is Declaration.CHIPS_POCKETED


def test_fcd_irr_0_the_list_says_first_what_a_player_can_demand() -> None:
    table = dealt(is_cut=False)
    lines(table, "press incident")
    prompt = table.prompt()
    assert prompt.instruction is Instruction.DECLARE
    assert prompt.offers[0].what is Declaration.REDEAL_DEMANDED
    assert (prompt.offers[0].clause, prompt.offers[0].key) == ("FCD-IRR-1", Key.SEAT_1)


def test_fcd_irr_0_what_happens_seldom_stands_at_the_end_of_the_list() -> None:
    there = offered(dealt().state)
    assert there[0] is Declaration.TURNED_WHILE_DEALT
    assert there[-8:] == (
        Declaration.MISSING_CARD,
        Declaration.DEFECTIVE_DECK,
        Declaration.UNREPORTED_CARD,
        Declaration.PIT_BOSS,
        Declaration.NOT_OF_DECK,
        Declaration.CARD_ELSEWHERE,
        Declaration.WRONG_ORDER,
        Declaration.WRONG_KEY,
    )


@pytest.mark.parametrize("tracking", ["amounts", "rounds"])
def test_fcd_irr_0_every_line_of_the_list_foretells_what_will_be_said(tracking: str) -> None:
    """Where no seat has to be named first."""
    told_right = 0
    for at in (2, 3, 16, 17, 18, 20, 22, 24):
        for what in TABLES:
            table = told("", *entries(tracking)[:at], "declare missing-card", tracking=tracking)
            if what not in offered(table.state):
                continue
            outcome = TABLES[what].foretells(draws(table))
            raised = [
                incident_raised
                for incident_raised in table.apply(f.Declared(at_us=0, what=what))
                if isinstance(incident_raised, d.IncidentRaised)
            ]
            for incident in raised:
                told_right += 1
                assert (incident.clause, incident.remedies) == (outcome.clause, outcome.remedies)
                assert (incident.expected, incident.observed) == (outcome.expected, outcome.observed)
    assert told_right > 20


@pytest.mark.parametrize("key", [Key.FACE_UP])
def test_fcd_irr_3_the_key_is_live_while_it_can_be_said(key: Key) -> None:
    table = told("", "press confirm", "press no-more-bets")
    assert key not in live(table.state)
    lines(table, "draw As")
    assert key in live(table.state)
    lines(table, "declare face-up-in-shoe")
    assert key not in live(table.state)


def test_fcd_irr_0_nothing_is_declared_before_the_pit_boss_has_ruled() -> None:
    table = dealt("", "draw As", is_cut=False)
    assert table.state.ruling
    assert table.prompt().cases == ("FCD-IRR-1",), "the right stands all the same"
    assert offered(table.state) == ()
    assert lines(table, "declare redeal-demanded seat-1") == ["refused held"]


def test_fcd_irr_0_a_demand_ends_what_the_croupier_was_asked() -> None:
    table = told("", "press no-more-bets", "draw As", "declare wrong-dealer", "declare looked-at-cards")
    assert table.state.asking
    lines(table, "declare redeal-demanded seat-2")
    assert not table.state.asking
    assert table.state.phase.name == "voided"
