"""The house's choices: what ships, what a file may say, and how a mistake is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.options.choices import Profile, choices, profile_of
from tablectl.core.validation import Mistake
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.draw_poker.options import DrawPokerProfile
from tablectl.games.open_holdem.options import OpenHoldemProfile
from tablectl.games.registry import PROFILES
from tablectl.games.texas_bonus.options import PairOfJacksBonus, TexasBonusProfile, WrongOrder, parse_profile
from tablectl.games.texas_poker.options import TexasPokerProfile, TxbAces
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts

KEYS = [
    pytest.param(kind, name, id=f"{rulebook}-{name}") for rulebook, kind in PROFILES.items() for name in choices(kind)
]
PREFIXES: dict[type[Profile], str] = {
    TexasBonusProfile: "THB-",
    TexasPokerProfile: "TPC-",
    CircleHoldemProfile: "THL-",
    OpenHoldemProfile: "THO-",
    DrawPokerProfile: "FCD-",
}
#: As many characters as a settings page has for a choice.
LONGEST = 120


def mistakes(**keys: object) -> list[str]:
    found = parse_profile(keys, "house.toml")
    assert isinstance(found, list)
    return [str(mistake) for mistake in found]


def test_an_empty_profile_is_the_shipped_one() -> None:
    assert parse_profile({}, "house.toml") == TexasBonusProfile()


def test_a_texas_poker_profile_takes_its_own_keys_and_no_others() -> None:
    keys = {"rulebook": "texas-poker", "txb_aces": "own-cards"}
    assert profile_of(TexasPokerProfile, keys, "house.toml") == TexasPokerProfile(txb_aces=TxbAces.OWN_CARDS)
    found = profile_of(TexasPokerProfile, {"wrong_order": "accept", "rulebook": "texas-bonus"}, "house.toml")
    assert isinstance(found, list)
    assert [mistake.key for mistake in found] == ["wrong_order", "rulebook"]


def test_a_profile_takes_the_values_that_it_names() -> None:
    keys = {"rulebook": "texas-bonus", "pair_of_jacks_bonus": "pays-10-to-1", "wrong_order": "accept"}
    assert parse_profile(keys, "house.toml") == TexasBonusProfile(
        pair_of_jacks_bonus=PairOfJacksBonus.PAYS_10_TO_1, wrong_order=WrongOrder.ACCEPT
    )


@pytest.mark.parametrize(("kind", "name"), KEYS)
def test_every_value_of_every_key_is_taken(kind: type[Profile], name: str) -> None:
    for value in choices(kind)[name].values:
        profile = profile_of(kind, {name: value}, "house.toml")
        assert isinstance(profile, kind)
        assert getattr(profile, name) == value


@pytest.mark.parametrize(("kind", "name"), KEYS)
def test_every_key_says_what_it_decides_and_which_clause_it_settles(kind: type[Profile], name: str) -> None:
    key = choices(kind)[name]
    assert key.clause.startswith(PREFIXES[kind])
    assert key.ambiguity.startswith("AMB-")
    said = [
        TableTexts(language=language, texts=load_texts(), rulebook=kind.rulebook).choice(name) for language in LANGUAGES
    ]
    where = f"house-choice.{kind.rulebook}-{name} in the game's catalogue"
    assert all(text.endswith(".") and len(text) <= LONGEST for text in said), f"{where}: a sentence, short"
    assert len(set(said)) == len(said), f"{where}: not translated"
    assert len(key.values) > 1
    assert key.default in key.values


def test_a_misspelt_key_is_told_with_the_one_that_was_meant() -> None:
    (told,) = mistakes(pair_of_jack_bonus="loses")
    assert told.startswith("house.toml: pair_of_jack_bonus: found a key that this profile does not have; ")
    assert "did you mean 'pair_of_jacks_bonus'?" in told


def test_a_misspelt_value_is_told_with_what_would_be_right() -> None:
    (told,) = mistakes(ante_below_straight="return")
    assert told.startswith("house.toml: ante_below_straight: found 'return'; would be right: 'returned' or 'lost'")
    assert told.endswith("(did you mean 'returned'?)")


def test_a_value_that_is_no_word_is_told_too() -> None:
    assert mistakes(wrong_order=True) == [
        "house.toml: wrong_order: found True; would be right: 'correct-or-void' or 'accept'"
    ]


def test_a_profile_for_another_game_is_refused() -> None:
    assert mistakes(rulebook="texas-poker") == [
        "house.toml: rulebook: found 'texas-poker'; would be right: 'texas-bonus' (did you mean 'texas-bonus'?)"
    ]


@pytest.mark.parametrize("kind", PROFILES.values())
@pytest.mark.parametrize("said", [900, "900"])
def test_every_game_takes_a_dwell_time(kind: type[Profile], said: object) -> None:
    profile = profile_of(kind, {"dwell_ms": said}, "house.toml")
    assert isinstance(profile, kind)
    assert (profile.dwell_us, kind().dwell_us) == (900_000, 1_500_000)


@pytest.mark.parametrize("said", [199, 10_001, -900, True, 1500.0, "1.5", "", None, [1500]])
def test_a_dwell_time_out_of_its_bounds_is_told(said: object) -> None:
    right = "a whole number of milliseconds, from 200 to 10000"
    assert mistakes(dwell_ms=said) == [f"house.toml: dwell_ms: found {said!r}; would be right: {right}"]


def test_every_mistake_is_told_at_once() -> None:
    assert len(mistakes(wrong_order=1, nonsense=2, early_card_seen="lose")) == 3


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.lists(st.text()), st.dictionaries(st.text(), st.text())
)


@given(st.dictionaries(st.one_of(st.sampled_from(sorted(choices(TexasBonusProfile))), st.text()), VALUES))
def test_nothing_in_a_file_raises(keys: dict[str, object]) -> None:
    found = parse_profile(keys, "house.toml")
    assert isinstance(found, TexasBonusProfile) or all(isinstance(mistake, Mistake) for mistake in found)
