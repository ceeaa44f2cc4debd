"""Each case of a new deal has hands on both sides of its deadline."""

from __future__ import annotations

from pathlib import Path

import pytest

HANDS = Path(__file__).parents[2] / "hands" / "draw-poker"


@pytest.mark.parametrize("case", ["1", "2", "3", "4", "5", "6a"])
def test_fcd_irr_0_a_new_deal_is_had_in_time_and_not_too_late(case: str) -> None:
    hands = [path.read_text(encoding="utf-8") for path in HANDS.glob(f"FCD-IRR-{case}-*.hand")]
    in_time = f"< incident FCD-IRR-{case} expected=play observed=redeal-demanded remedy=redeal\n< void-hand"
    assert [hand for hand in hands if in_time in hand]
    assert [hand for hand in hands if "< refused not-offered FCD-IRR-0" in hand]
