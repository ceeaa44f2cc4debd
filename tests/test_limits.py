"""The limits that a rulebook gives a table: which bets have them, and which bands an authorisation can give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.config.limits import limits_of
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.validation import Mistake
from tablectl.games.registry import LIMIT_RULES, PROFILES, RULEBOOKS

POKER = LIMIT_RULES["texas-poker"]
GOOD: dict[str, Any] = {
    "ante": {"least": 500, "most": 10_000, "authorised": [500, 25_000]},
    "txb": {"least": 100, "most": 2_500, "authorised": [100, 5_000]},
}
BETS = ("ante", "txb")


def bet(least: int, most: int, low: int, high: int) -> dict[str, Any]:
    return {"least": least, "most": most, "authorised": [low, high]}


def read(section: dict[str, Any], tracking: Tracking = Tracking.AMOUNTS) -> dict[str, Limits]:
    found = limits_of(POKER, section, where="mesa.toml", tracking=tracking)
    assert isinstance(found, dict), found
    return found


def mistakes(section: dict[str, Any]) -> list[tuple[str, str, str]]:
    found = limits_of(POKER, section, where="mesa.toml", tracking=Tracking.AMOUNTS)
    assert isinstance(found, list)
    assert {mistake.where for mistake in found} == {"mesa.toml"}
    return [(mistake.key, mistake.found, mistake.right) for mistake in found]


def test_every_game_has_its_rule() -> None:
    assert RULEBOOKS.keys() <= LIMIT_RULES.keys()
    assert LIMIT_RULES.keys() == PROFILES.keys()


def test_a_rule_cites_its_own_document_alone() -> None:
    prefixes = {"texas-bonus": "THB-LIM-", "texas-poker": "TPC-LIM-", "circle-holdem": "THL-", "open-holdem": "THO-"}
    prefixes["draw-poker"] = "FCD-"
    for rulebook, rule in LIMIT_RULES.items():
        cited = {
            rule.clause,
            rule.band_clause,
            *(bet_rule.clause for bet_rule in rule.bets.values() if bet_rule is not None),
        }
        cited |= set(rule.same.values())
        assert all(clause.startswith(prefixes[rulebook]) for clause in cited)


def test_tpc_lim_2_ante_and_txb_have_the_limits_of_the_table() -> None:
    assert read(GOOD) == {"ante": Limits(least=500, most=10_000), "txb": Limits(least=100, most=2_500)}


def test_tpc_lim_2_where_amounts_are_tracked_every_bet_needs_limits() -> None:
    right = "least, most and authorised = [least, most] (TPC-LIM-2)"
    assert mistakes({}) == [(text, "nothing", right) for text in BETS]
    assert read({}, Tracking.PRESENCE) == dict.fromkeys(BETS, Limits(least=0, most=0))


@pytest.mark.parametrize("name", BETS)
def test_tpc_lim_3_the_limits_of_the_table_lie_inside_the_authorised_band(name: str) -> None:
    inside = "limits inside the authorised band 500..25000 (TPC-LIM-3)"
    for least, most in ((499, 10_000), (500, 25_001)):
        found = mistakes(GOOD | {name: bet(least, most, 500, 25_000)})
        assert found == [(name, f"{least}..{most}", inside)]
    assert read(GOOD | {name: bet(500, 25_000, 500, 25_000)})[name] == Limits(least=500, most=25_000)


@pytest.mark.parametrize("name", BETS)
@pytest.mark.parametrize("most", [2_500, 3_333, 5_000, 25_000])
def test_tpc_lim_4_the_most_is_anything_from_5_to_50_times_the_authorised_least(name: str, most: int) -> None:
    assert read(GOOD | {name: bet(500, most, 500, most)})[name].most == most


@pytest.mark.parametrize("name", BETS)
@pytest.mark.parametrize("high", [500, 2_499, 25_001])
def test_tpc_lim_4_any_other_band_is_wrong(name: str, high: int) -> None:
    right = "a most of 5 to 50 times 500: 2500 to 25000 (TPC-LIM-4)"
    assert mistakes(GOOD | {name: bet(500, 500, 500, high)}) == [(f"{name}.authorised", f"[500, {high}]", right)]


@pytest.mark.parametrize("name", BETS)
def test_tpc_lim_4_the_most_of_the_table_is_held_to_it_too(name: str) -> None:
    """ "El máximo de las apuestas": that which somebody can bet, whatever more the authorisation allows."""
    right = "a most of 5 to 50 times 500: 2500 to 25000 (TPC-LIM-4)"
    assert mistakes(GOOD | {name: bet(500, 2_499, 500, 25_000)}) == [(f"{name}.most", "2499", right)]
    assert read(GOOD | {name: bet(600, 2_500, 500, 25_000)})[name] == Limits(least=600, most=2_500)


def test_tpc_lim_5_ante_and_txb_have_bands_of_their_own() -> None:
    one = {"ante": bet(500, 2_500, 500, 2_500), "txb": bet(10, 500, 10, 500)}
    assert read(one) == {"ante": Limits(least=500, most=2_500), "txb": Limits(least=10, most=500)}
    assert [key for key, _, _ in mistakes(one | {"txb": bet(10, 501, 10, 501)})] == ["txb.authorised"]


@pytest.mark.parametrize(
    ("section", "key", "found", "right"),
    [
        ({"bonus": {}}, "bonus", "a key that is not known here", "'ante' or 'txb'"),
        ({"tbx": {}}, "tbx", "not known", "did you mean 'txb'?"),
        ({"txb": 1}, "txb", "1", "a table [limits.txb]"),
        ({"txb": bet(0, 2_500, 100, 5_000)}, "txb.least", "0", "(TPC-LIM-2)"),
        ({"txb": bet(True, 2_500, 100, 5_000)}, "txb.least", "True", "(TPC-LIM-2)"),
        ({"txb": bet(600, 500, 100, 5_000)}, "txb.most", "500", "limits.txb.least, which is 600 (TPC-LIM-2)"),
        ({"txb": {"least": 100, "most": 2_500}}, "txb.authorised", "nothing", "[least, most]"),
        ({"txb": bet(100, 2_500, 5_000, 100)}, "txb.authorised", "[5000, 100]", "its least first (TPC-LIM-3)"),
        ({"txb": GOOD["txb"] | {"leest": 1}}, "txb.leest", "not known", "did you mean 'least'?"),
    ],
)
def test_a_mistake_names_the_bet_and_the_clause_of_its_own_document(
    section: dict[str, Any], key: str, found: str, right: str
) -> None:
    ((told, what, better),) = mistakes(GOOD | section)
    assert told == key
    assert found in what
    assert right in better


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["least", "most", "authorised"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["ante", "bonus", "txb"]), VALUES), st.sampled_from(sorted(LIMIT_RULES)))
def test_nothing_in_a_file_raises(section: dict[str, Any], rulebook: str) -> None:
    found = limits_of(LIMIT_RULES[rulebook], section, where="mesa.toml", tracking=Tracking.AMOUNTS)
    assert isinstance(found, dict) or all(isinstance(mistake, Mistake) for mistake in found)
