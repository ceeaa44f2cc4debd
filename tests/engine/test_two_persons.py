"""What takes two persons: setting aside what a device reported, and undoing what was paid; and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.two_persons import REPORTS, are_two, needed, report_of
from tablectl.core.engine.vocabulary import Chooser, Equipment, Question, Remedy, Strange
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import lines, setup
from tests.journal.journals import hand_files

DEALT: Final = "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000\npress no-more-bets"


def table(rulebook: str = "texas-bonus", *, equipment: Equipment = Equipment.SHOE, staff: bool = True) -> Table:
    made = Table(replace(setup(rulebook, equipment=equipment), staff=staff), rulebook_of)
    lines(made, "croupier ana")
    return made


def raised(there: Table, text: str) -> str:
    """The words of the one incident in what follows from these lines."""
    (told,) = [line for line in lines(there, text) if line.startswith(("incident", "escalated"))]
    return told


@pytest.mark.parametrize("strange", Strange)
def test_that_a_reader_lied_two_persons_say(strange: Strange) -> None:
    there = table(equipment=Equipment.BOTH)
    lines(there, DEALT)
    assert raised(there, f"tag seat-2 {strange}").endswith("remedy=void-hand|continue two=void-hand|continue")
    assert lines(there, "rule 1 continue by ana it lied") == ["refused second-person THB-CRD-1 continue"]
    assert there.state.ruling, "the table still waits"
    assert lines(there, "rule 1 continue by ana+luis it lied") == ["closed 1 continue by pit-boss"]


def test_that_an_antenna_sees_what_is_not_there_two_persons_say() -> None:
    there = table(equipment=Equipment.BOTH)
    lines(there, DEALT)
    assert raised(there, "seen seat-1 7h").endswith("observed=seat-1 remedy=void-hand|continue two=void-hand|continue")


def test_between_two_hands_too_a_tag_is_not_set_aside_by_one() -> None:
    assert raised(table(equipment=Equipment.BOTH), "tag board foreign-card").endswith("remedy=continue two=continue")


def test_a_card_that_is_named_as_one_that_was_read_elsewhere_takes_two_to_go_on_with() -> None:
    there = table()
    lines(there, f"{DEALT}\ndraw As\ndraw 9c\ndraw Qh\ndraw Kd\ndraw 9d\ndraw Js\npress bet\npress bet")
    lines(there, "draw 2c\ndraw 3c\ndraw ??")
    assert raised(there, "name board.2 As by ana").endswith("remedy=void-hand|continue two=void-hand|continue")


def test_cards_of_a_void_hand_that_antennas_still_see_take_two_to_be_said_away() -> None:
    there = table(equipment=Equipment.BOTH)
    lines(there, f"{DEALT}\ndraw As\nseen seat-1 As\ntag seat-2 foreign-card\nrule 1 void-hand by eva+luis misdeal")
    assert lines(there, "press confirm") == ["refused cards-on-felt seat-1"]
    assert raised(there, "call by ana").endswith("observed=called remedy=continue two=continue")
    assert lines(there, "rule 2 continue by ana") == ["refused second-person THB-STF-1 continue"]
    lines(there, "rule 2 continue by ana+luis")
    assert lines(there, "press confirm")[-1] != "refused cards-on-felt seat-1"


#: Two cards to each of two seats and the bank, both bet, and the hands are turned up.
SETTLED: Final = {
    "texas-bonus": "press all-bet\ndraw 2c\ndraw 3c\ndraw 4h\ndraw 5s\npress all-check\ndraw 6d\ndraw 8s\n"
    "press all-check\ndraw 7s\ndraw Th\npress bank",
    "texas-poker": "draw 2c\ndraw 3c\ndraw 4h\npress all-bet\ndraw 5s\ndraw 6d\npress bank",
}


#: Nobody has a card too few, where that is asked.
NOBODY_TOO_FEW: Final = {"texas-bonus": "\npress confirm"}


@pytest.mark.parametrize("rulebook", SETTLED)
def test_to_void_at_the_settlement_takes_two_and_a_reason(rulebook: str) -> None:
    """Ruling "Who confirms": a hand or a seat; and nobody else has to agree that it stands."""
    there = table(rulebook)
    lines(there, f"{DEALT}\ndraw As\ndraw 9c\ndraw Qh\ndraw Kd\ndraw 9d\ndraw Js\n{SETTLED[rulebook]}")
    assert there.state.phase.kind is Kind.SETTLING
    told = raised(there, f"declare wrong-count seat-1 cards=3{NOBODY_TOO_FEW.get(rulebook, '')}")
    void = told.partition("remedy=")[2].partition("|")[0]
    assert told.endswith(f"remedy={void}|continue two={void}")
    assert lines(there, f"rule 1 {void} by ana a third card")[0].startswith("refused second-person")
    assert lines(there, f"rule 1 {void} by ana+luis")[0].startswith("refused no-reason")
    assert lines(there, f"rule 1 {void} by ana+luis a third card")[0] == f"closed 1 {void} by pit-boss"


def test_whoever_is_called_for_anything_else_rules_alone_unless_he_voids_the_hand() -> None:
    there = table(equipment=Equipment.BOTH)
    lines(there, DEALT)
    assert raised(there, "call by ana").endswith("remedy=continue|void-hand two=void-hand")
    assert lines(there, "rule 1 continue by luis") == ["closed 1 continue by pit-boss"]


@pytest.mark.parametrize(
    ("told", "two"), [("shuffled 51", "void-hand|continue"), ("declare missing-card", "void-hand")]
)
def test_a_deck_that_a_device_counted_short_is_a_report_and_one_that_a_person_misses_a_card_of_is_none(
    told: str, two: str
) -> None:
    there = table()
    lines(there, DEALT)
    assert raised(there, told).endswith(f"observed=missing-card remedy=void-hand|continue two={two}")


def test_what_antennas_and_croupier_counted_short_takes_two_to_play_with() -> None:
    there = table(equipment=Equipment.BOTH)
    lines(there, "press new-hand\ncounted 51")
    assert raised(there, "press not-seen").endswith(
        "observed=missing-card remedy=void-hand|continue two=void-hand|continue"
    )


@pytest.mark.parametrize(
    ("staff", "signed", "told"),
    [
        (True, "ana", "refused second-person"),
        (False, "ana", ""),
        (False, "ana+ana", "refused second-person"),
        (True, "ana+luis", ""),
        (False, "ana+luis", ""),
    ],
)
def test_a_correction_takes_two_persons_or_where_nobody_is_known_the_keys_of_two(
    *, staff: bool, signed: str, told: str
) -> None:
    """Rulings, "Who confirms": the croupier's key is the call that waits for the pit boss."""
    there = table(staff=staff)
    lines(there, f"{DEALT}\ncall by croupier")
    said = lines(there, f"correct 2 bet 1 ante 2000 by {signed} misheard")
    assert said[:1] == [told or "withdrawn 2"]


def test_a_correction_by_one_key_waits_for_the_other() -> None:
    there = table(staff=False)
    lines(there, DEALT)
    wrong = "correct 2 bet 1 ante 2000 by ana misheard"
    assert lines(there, wrong) == ["refused not-called"]
    lines(there, "call by croupier\nrule 1 continue by ana")
    assert lines(there, wrong) == ["refused not-called"], "the call was answered"


def test_a_second_person_may_stand_for_what_needs_one() -> None:
    there = table()
    lines(there, f"{DEALT}\ncall by ana")
    assert lines(there, "rule 1 void-hand by ana+luis misdeal")[0] == "closed 1 void-hand by pit-boss"


def test_a_house_that_does_not_know_its_people_needs_one_name_for_everything() -> None:
    there = table(staff=False, equipment=Equipment.BOTH)
    lines(there, DEALT)
    assert raised(there, "tag seat-2 foreign-card").endswith("remedy=void-hand|continue")
    assert lines(there, "rule 1 continue by ana") == ["refused no-reason THB-CRD-1 continue"]
    assert lines(there, "rule 1 continue by ana it lied") == ["closed 1 continue by pit-boss"]


@pytest.mark.parametrize(
    ("by", "second", "two"),
    [("ana", "luis", True), ("ana", "ana", False), ("Ana", "ana", False), ("ana", "", False), ("", "ana", False)],
)
def test_two_names_are_of_two_persons(by: str, second: str, *, two: bool) -> None:
    assert are_two(by, second) is two


@pytest.mark.parametrize("word", ["ana+", "+luis", "ana+luis+eva", "Ana+luis"])
def test_two_names_that_are_none_are_no_entry(word: str) -> None:
    there = table()
    lines(there, f"{DEALT}\ncall by ana")
    with pytest.raises(ValueError, match="'rule' line"):
        lines(there, f"rule 1 void-hand by {word} misdeal")


def test_only_the_pit_boss_needs_a_second_person() -> None:
    report = report_of(expected="", observed="same-card-again", is_told_by_device=True)
    remedies = (Remedy.VOID_HAND, Remedy.DISCARD, Remedy.NEXT_CARD, Remedy.REVERSE)
    pit_boss = partial(needed, chooser=Chooser.PIT_BOSS, at_settlement=False)
    assert pit_boss(report, remedies) == remedies
    assert pit_boss(report, remedies[1:]) == remedies[2:], "no hand goes on by putting it away"
    assert pit_boss(None, remedies) == (Remedy.VOID_HAND, Remedy.REVERSE)
    assert pit_boss(None, remedies, at_settlement=True) == (Remedy.VOID_HAND, Remedy.REVERSE)
    for chooser in (Chooser.RULE, Chooser.CROUPIER):
        assert needed(report, remedies, chooser, at_settlement=True) == ()


def test_voiding_a_hand_never_sets_a_report_aside() -> None:
    assert not [report for report in REPORTS if Remedy.VOID_HAND in report.aside | report.keeps_hand]


_DEVICES: Final = (f.Drawn, f.Seen, f.Gone, f.StrangeTag, f.Counted, f.Shuffled, f.Failed)
#: Incidents that devices tell of the deal, by clause, and that say nothing of a device: their remedies are those of the
#: clause, and each of them believes what was told.
_OF_THE_DEAL: Final = frozenset(
    {
        "FCD-DSC-3",
        "THB-ERR-4",
        "TPC-DEV-3",
        "TPC-DEV-17",
        "THL-CRE-7",
        "THL-RD2-3",
        "THL-GEN-8",
        "FCD-DSC-6",
        "FCD-DSC-10",
    }
    | {"FCD-DSC-3", "FCD-IRR-9", "FCD-OPN-5"}
)


def test_whatever_a_device_tells_and_the_pit_boss_rules_on_is_a_report_or_of_the_deal() -> None:
    """In every hand there is: a new incident of a device has to be put on one of the two lists."""
    of_devices = 0
    for name, hand in hand_files():
        there, told = Table.resume(hand.carry, rulebook_of), dict[int, d.IncidentRaised]()
        for fact in (*opening(hand), *(step.fact for step in hand.steps)):
            decisions = there.apply(fact)
            # Readers alone say what voids the hand: the croupier is asked, and to go on overrules them.
            asked = {
                said.incident
                for said in decisions
                if isinstance(said, d.Asked) and said.question is Question.LIES_THERE
            }
            for decision in decisions:
                if isinstance(decision, d.IncidentRaised):
                    # An answer can make another incident of it, under its number.
                    told.pop(decision.incident, None)
                    if isinstance(fact, _DEVICES):
                        told[decision.incident] = decision
                if is_ruled_on(decision) and (said := told.get(incident_of(decision))) is not None:
                    of_devices += 1
                    if said.incident in asked:
                        continue
                    is_of_the_deal = said.clause in _OF_THE_DEAL
                    report = report_of(expected=said.expected, observed=said.observed, is_told_by_device=True)
                    assert (report is not None) is not is_of_the_deal, (name, said)
    assert of_devices


def is_ruled_on(said: d.Decision) -> bool:
    is_raised = isinstance(said, d.IncidentRaised) and said.chooser is Chooser.PIT_BOSS
    return is_raised or isinstance(said, d.IncidentEscalated)


def incident_of(said: d.Decision) -> int:
    return said.incident if isinstance(said, d.IncidentRaised | d.IncidentEscalated) else 0
