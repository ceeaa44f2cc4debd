"""Which incidents are errors of the deal that the croupier caused, over every incident of the hand files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine.croupier_errors import is_of_croupier
from tablectl.core.engine.decisions import IncidentRaised
from tablectl.core.engine.vocabulary import Chooser, Remedy, Severity

HANDS: Final = Path(__file__).parents[1] / "hands"
_INCIDENT: Final = re.compile(r"^< incident (\S+) expected=(\S+) observed=(\S+) remedy=(\S+)", re.MULTILINE)


def raised(expected: str, observed: str, *remedies: Remedy) -> IncidentRaised:
    return IncidentRaised(
        incident=1,
        clause="",
        severity=Severity.ALERT,
        expected=expected,
        observed=observed,
        chooser=Chooser.RULE,
        remedies=remedies or (Remedy.CORRECT,),
    )


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        ("no-more-bets", "card"),
        ("round-closed", "early-turn"),
        ("seat-2=2", "seat-2=3"),
        ("house=2", "house=1"),
        ("seat-1=5+seat-2=5", "seat-1=6+seat-2=4"),
        ("seat-2.1", "seat-3"),
        ("board.4", "burn"),
        ("order", "wrong-order"),
        ("sealed", "bank-card-exposed"),
        ("burn", "no-burn"),
        ("players", "cards-to-empty-seat-3"),
    ],
)
def test_what_the_croupier_dealt_wrongly_is_his(expected: str, observed: str) -> None:
    assert is_of_croupier(raised(expected, observed))


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        ("cards-apart", "seat-1+seat-2"),
        ("seat-2", "out-of-turn-seat-3"),
        ("no-card", "face-up-card"),
        ("52", "missing-card"),
        ("one", "same-card-again"),
        ("shoe", "shoe-lost"),
        ("seat-2", "readers-disagree"),
        ("pot-delivered", "seat-2"),
        ("-", "called"),
        ("-", "string-bet"),
        ("-", "usb-unplugged"),
        ("live-hand", "discard"),
    ],
)
def test_what_a_player_the_deck_or_a_device_did_is_not_his(expected: str, observed: str) -> None:
    assert not is_of_croupier(raised(expected, observed))


@pytest.mark.parametrize("remedy", [Remedy.LOSE_BETS, Remedy.WARN, Remedy.EXPEL])
def test_what_a_document_makes_a_player_answer_for_is_not_his(remedy: Remedy) -> None:
    assert not is_of_croupier(raised("seat-2=2", "seat-2=3", remedy, Remedy.CONTINUE))


def test_no_clause_on_errors_of_players_and_none_on_devices_counts_for_a_croupier() -> None:
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for path in HANDS.rglob("*.hand"):
        for clause, expected, observed, remedies in _INCIDENT.findall(path.read_text(encoding="utf-8")):
            is_his = is_of_croupier(raised(expected, observed, *(Remedy(word) for word in remedies.split("|"))))
            found[is_his].add(clause)
    of_players = {clause for clause in found[True] if re.search(r"-(PLE|PRO|PLY|LIM|SAB|CRD|STF|SDN)-", clause)}
    assert of_players <= {"THL-PLE-14", "THL-PLE-16"}, of_players
    assert found[True] >= {"THB-ERR-1", "THB-ERR-4", "TPC-MIS-2", "THL-CRE-5", "FCD-IRR-8"}
    assert found[False] >= {"TPC-PLE-1", "THL-PLE-6", "THB-ERR-2"}
