"""What decides about an incident beside its clause, held against the engine: with another value of the key something
else follows where the key is cited, and the same where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import pytest

from tablectl.core.engine.decisions import Decision, IncidentClosed, IncidentEscalated, IncidentRaised
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.vocabulary import Key
from tablectl.games.registry import RULEBOOKS, choices_of, rulebook_of
from tablectl.i18n.clauses.catalogue import load
from tablectl.i18n.clauses.deciding import CHOICES, OF_PLAY, RULINGS, Case, Deciding, deciding, supports
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import played
from tests.journal.journals import HANDS

#: A key at a clause of a game.
SHOWN: Final = (
    ("texas-bonus", "THB-ERR-1", "bank_exposed_until"),
    ("texas-bonus", "THB-ERR-1", "annulled_bets"),
    ("texas-bonus", "THB-ERR-2", "turned_while_dealt"),
    ("texas-bonus", "THB-ERR-4", "early_card_seen"),
    ("texas-bonus", "THB-ERR-5", "wrong_count_seat"),
    ("texas-bonus", "THB-DEV-7", "wrong_order"),
    ("texas-bonus", "THB-CRD-1", "deck_fault"),
    ("texas-poker", "TPC-MIS-2", "wrong_count_until"),
    ("texas-poker", "TPC-MIS-3", "bank_exposed_until"),
    ("texas-poker", "TPC-MIS-5", "deck_fault"),
    ("texas-poker", "TPC-PLE-1", "contact_bets"),
    ("circle-holdem", "THL-CRE-4", "protected_hand"),
    ("circle-holdem", "THL-MIS-5", "missing_card_late"),
    ("circle-holdem", "THL-MIS-1", "reconstruction"),
    ("circle-holdem", "THL-MIS-8", "two_actions"),
    ("circle-holdem", "THL-CRE-7", "early_board"),
    ("circle-holdem", "THL-CRE-8", "exposed_count"),
    ("circle-holdem", "THL-PLE-16", "wrong_amount_until"),
    ("circle-holdem", "THL-RD2-2", "burn_fault"),
    ("circle-holdem", "THL-SDN-6", "objection"),
    ("draw-poker", "FCD-IRR-1", "redeal_until"),
    ("draw-poker", "FCD-IRR-8", "unlooked_count"),
    ("draw-poker", "FCD-OPN-5", "false_opening"),
    ("draw-poker", "FCD-RST-8", "leaving_ahead"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """An incident of a hand file: what decides about it, and the steps at which something was decided about it."""

    points: tuple[Deciding, ...]
    steps: tuple[int, ...]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(point.key for point in self.points)


@cache
def hand_of(rulebook: str, name: str) -> HandFile:
    return parse((HANDS / rulebook / name).read_text(encoding="utf-8"))


def decided(hand: HandFile) -> list[tuple[Decision, ...]]:
    return [decisions for _, decisions, _ in played(hand, rulebook_of)]


def incidents_of(hand: HandFile, clause: str) -> Iterator[Told]:
    """Each incident of this clause, as it is told in the end."""
    cases: dict[int, Case] = {}
    steps: dict[int, list[int]] = {}
    for number, (step, decisions, _) in enumerate(played(hand, rulebook_of)):
        for said in decisions:
            match said:
                case IncidentRaised(incident=incident) if said.clause == clause:
                    cases[incident] = Case(clause=clause, observed=said.observed, remedies=said.remedies)
                case IncidentEscalated(incident=incident) if incident in cases:
                    was_seen = isinstance(step.fact, Pressed) and step.fact.key is Key.SEEN
                    cases[incident] = replace(cases[incident], remedies=said.remedies, was_seen=was_seen)
                case IncidentClosed(incident=incident) if incident in cases:
                    remedies = tuple(dict.fromkeys((said.remedy.value, *cases[incident].remedies)))
                    cases[incident] = replace(cases[incident], remedies=remedies)
                case _:
                    continue
            steps.setdefault(incident, []).append(number)
    for incident, case in cases.items():
        points = deciding(hand.setup.rulebook, case, hand.carry.setup.profile)
        yield Told(points=points, steps=tuple(steps[incident]))


def differing_steps(hand: HandFile, key: str) -> set[int]:
    """For each other value of a key the first step after which something else follows."""
    profile, before = hand.carry.setup.profile, decided(hand)
    choice = choices_of(hand.setup.rulebook)[key]
    found = set()
    for value in choice.values:
        if value != profile.get(key, choice.default):
            setup = replace(hand.carry.setup, profile={**profile, key: value})
            after = decided(replace(hand, carry=replace(hand.carry, setup=setup)))
            found.add(next((step for step, said in enumerate(before) if after[step] != said), -1))
    return found


@pytest.mark.parametrize(("rulebook", "clause", "key"), SHOWN)
def test_where_a_key_is_cited_another_value_leads_to_something_else_and_nowhere_else(
    rulebook: str, clause: str, key: str
) -> None:
    is_shown = False
    for path in sorted((HANDS / rulebook).glob(f"{clause}-*.hand")):
        hand = hand_of(rulebook, path.name)
        told = list(incidents_of(hand, clause))
        changed = differing_steps(hand, key) if told else set()
        is_shown |= any(key in one.keys and changed & set(one.steps) for one in told)
        silent = [one for one in told if key not in one.keys and changed & set(one.steps)]
        assert not silent, f"{path.name}: {key} decides there and is not cited"
    assert is_shown, "no hand file shows that it decides"


def test_every_choice_of_a_house_decides_about_incidents_or_about_play() -> None:
    known = {key for rulebook in RULEBOOKS for key in choices_of(rulebook)}
    assert set(CHOICES) | OF_PLAY == known
    assert set(CHOICES) & OF_PLAY == set()


def test_every_ruling_is_on_a_point_that_its_clause_leaves_open_to_no_house() -> None:
    left_open = {
        (clause.id, point.id)
        for rulebook in RULEBOOKS
        for clause in load(rulebook)
        for point in clause.ambiguity
        if point.profile_key is None
    }
    assert set(RULINGS) <= left_open


def test_a_choice_is_told_with_its_value_in_force_and_with_ours_where_the_house_has_none() -> None:
    case = Case(clause="THB-ERR-4", observed="card", remedies=("void-hand", "next-card"), was_seen=True)
    ours = Deciding(rulebook="texas-bonus", point="AMB-56", key="early_card_seen", value="void-hand")
    assert deciding("texas-bonus", case, {}) == (ours,)
    assert deciding("texas-bonus", case, {"early_card_seen": "keep"}) == (replace(ours, value="keep"),)
    assert deciding("texas-bonus", replace(case, was_seen=False), {}) == ()


def test_a_ruling_is_told_in_the_words_of_the_document_that_leaves_it_open() -> None:
    case = Case(clause="THL-RD2-2", observed="early-burn", remedies=("next-card",))
    assert deciding("open-holdem", case, {}) == (Deciding(rulebook="circle-holdem", point="AMB-94"),)


def is_supported(clause: str, *remedies: str) -> bool:
    return supports(Case(clause=clause, observed="card", remedies=remedies))


@pytest.mark.parametrize(
    ("clause", "proposed"), [("TPC-PLE-1", "lose-bets"), ("THB-STF-1", "continue"), ("THL-MIS-0", "void-hand")]
)
def test_a_text_speaks_for_a_remedy_that_it_names_or_leaves_to_the_pit_boss(clause: str, proposed: str) -> None:
    assert is_supported(clause, proposed, "void-seat")


@pytest.mark.parametrize(
    ("clause", "proposed"), [("FCD-IRR-9", "void-hand"), ("TPC-LIM-1", "continue"), ("XXX-YYY-1", "void-hand")]
)
def test_a_text_that_names_another_remedy_or_none_speaks_for_nothing(clause: str, proposed: str) -> None:
    assert not is_supported(clause, proposed, "void-seat")


def test_of_a_clause_that_no_document_has_nothing_else_decides() -> None:
    assert deciding("texas-bonus", Case(clause="XXX-YYY-1", observed="card", remedies=()), {}) == ()
