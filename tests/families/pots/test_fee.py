"""What the table takes out of a pot (THL-DEF-7, AMB-37), and how a hand file and a house's file say it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tablectl.config.table_file import BadConfig, load
from tablectl.core.engine import facts as f
from tablectl.core.events.codec import decode_carry, encode_json, to_plain
from tablectl.core.settlement.pot_rules import Rake, RakeFrom
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.header_lines import header_lines
from tablectl.journal.handfile.tokens import BadHandFile
from tests.families.pots.people import DEAL, THREE, played

CONFIG: Final = Path(__file__).parents[3] / "config" / "mesa-3.toml"
FEE: Final = THREE + "profile fee=from-the-pot\nfee 500 each-pot 1000\n"
FOLDS: Final = "> act 3 raise 600\n> act 1 fold\n> act 2 fold\n"
SECTION: Final = '[fee]\nrate = 500\ncap = 1000\nfrom = "whole-hand"\n\n[journal]'


def test_thl_def_7_the_fee_leaves_the_pot_before_it_is_paid() -> None:
    _, said = played(FEE + DEAL + FOLDS)
    assert said[-2:] == ["uncalled 3 400", "award 1 seat-3 475 THL-END-2"]
    _, said = played(FEE + DEAL + FOLDS + "> press confirm\n")
    assert "stack 3 20275" in said
    assert any(line.endswith("float=25") for line in said)


def test_thl_def_7_a_cap_bounds_it() -> None:
    _, said = played(FEE.replace("each-pot 1000", "whole-hand 7") + DEAL + FOLDS)
    assert said[-1] == "award 1 seat-3 493 THL-END-2"


def test_thl_def_7_no_fee_in_a_void_hand() -> None:
    _, said = played(
        FEE + DEAL + FOLDS + "> call by ana\n> rule 1 void-hand by ana the deck is faulty\n> press confirm\n"
    )
    assert any(line.endswith("float=0") for line in said)


def test_thl_def_7_without_the_house_s_choice_there_is_no_fee_and_with_it_there_are_numbers() -> None:
    for header in (THREE + "fee 500 each-pot 1000\n", THREE + "profile fee=from-the-pot\n"):
        with pytest.raises(BadHandFile, match="fee RATE"):
            parse(header + "> press no-more-bets\n")


def test_thl_def_7_header_and_journal_say_it_again() -> None:
    carry = parse(FEE + "> press no-more-bets\n").carry
    assert carry.setup.fee == Rake(rate=500, cap=1000, taken_from=RakeFrom.EACH_POT)
    assert "fee 500 each-pot 1000" in list(header_lines(carry))
    assert decode_carry(json.loads(encode_json(to_plain(carry)))) == carry, "and so does the journal"


def config(tmp_path: Path, choice: str, section: str) -> f.Setup:
    text = CONFIG.read_text(encoding="utf-8")
    text = text.replace('fee = "none"', f'fee = "{choice}"').replace("[journal]", section, 1)
    file = tmp_path / "mesa.toml"
    file.write_text(text, encoding="utf-8")
    return load(file).setup


def test_thl_def_7_a_house_that_takes_a_fee_says_how_much(tmp_path: Path) -> None:
    assert config(tmp_path, "from-the-pot", SECTION).fee == Rake(rate=500, cap=1000, taken_from=RakeFrom.WHOLE_HAND)
    assert config(tmp_path, "none", "[journal]").fee is None


@pytest.mark.parametrize(
    ("choice", "section", "key"),
    [
        ("from-the-pot", "[journal]", "fee.rate"),
        ("none", SECTION, "fee"),
        ("from-the-pot", "[fee]\nrate = 5\n[journal]", "fee.cap"),
    ],
)
def test_thl_def_7_a_choice_without_numbers_or_numbers_without_it_are_refused(
    tmp_path: Path, choice: str, section: str, key: str
) -> None:
    with pytest.raises(BadConfig) as wrong:
        config(tmp_path, choice, section)
    assert key in [mistake.key for mistake in wrong.value.mistakes]
