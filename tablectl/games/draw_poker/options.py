"""What a house may choose at `draw-poker` (document 004, FCD-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import draw, pots
from tablectl.core.options.choices import Profile, left_open
from tablectl.core.options.shared import AnnulledBets, ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPokerProfile(Profile):
    """The choices of a house for `draw-poker` (document 004). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "draw-poker"

    dealer_ante: draw.DealerAnte = field(
        default=draw.DealerAnte.SAME,
        metadata=left_open("AMB-95", at="FCD-OPN-4"),
    )
    most_discards: draw.MostDiscards = field(
        default=draw.MostDiscards.FIVE,
        metadata=left_open("AMB-96", at="FCD-DSC-8"),
    )
    false_opening: draw.FalseOpening = field(
        default=draw.FalseOpening.REFUSED,
        metadata=left_open("AMB-68", at="FCD-OPN-5"),
    )
    second_round: draw.SecondRound = field(
        default=draw.SecondRound.LEFT_OF_DEALER,
        metadata=left_open("AMB-66", at="FCD-ENV-1"),
    )
    all_pass: draw.AllPass = field(
        default=draw.AllPass.FIRST_ROUND,
        metadata=left_open("AMB-67", at="FCD-WIN-5"),
    )
    above_resto: draw.AboveResto = field(
        default=draw.AboveResto.ALL_IN,
        metadata=left_open("AMB-69", at="FCD-RST-1"),
    )
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.ANY_GREATER_AMOUNT, metadata=left_open("AMB-87", at="FCD-ENV-5")
    )
    short_all_in: pots.ShortAllIn = field(
        default=pots.ShortAllIn.FULL_RAISE_ONLY, metadata=left_open("AMB-03", at="FCD-RST-1")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=left_open("AMB-24", at="FCD-ENV-3")
    )
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=left_open("AMB-25", at="FCD-ENV-5")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=left_open("AMB-26", at="FCD-ENV-1"))
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=left_open("AMB-27", at="FCD-ENV-1")
    )
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=left_open("AMB-28", at="FCD-ENV-3")
    )
    new_stub: draw.NewStub = field(
        default=draw.NewStub.ALL_DISCARDS,
        metadata=left_open("AMB-65", at="FCD-DSC-5"),
    )
    draw_count: draw.DrawCount = field(
        default=draw.DrawCount.AS_IN_THE_DEAL,
        metadata=left_open("AMB-73", at="FCD-DSC-2"),
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=left_open("AMB-30", at="FCD-WIN-3"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.CLOCKWISE, metadata=left_open("AMB-31", at="FCD-WIN-4"))
    refill: draw.Refill = field(
        default=draw.Refill.AMOUNT_AND_STACK,
        metadata=left_open("AMB-78", at="FCD-RST-6"),
    )
    refill_until: draw.RefillUntil = field(
        default=draw.RefillUntil.FIRST_CARD,
        metadata=left_open("AMB-79", at="FCD-RST-10"),
    )
    leaving_ahead: draw.LeavingAhead = field(
        default=draw.LeavingAhead.PIT_BOSS,
        metadata=left_open("AMB-80", at="FCD-RST-8"),
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=left_open("AMB-86", at="FCD-IRR-1"))
    redeal_until: draw.RedealUntil = field(
        default=draw.RedealUntil.FIRST_BET,
        metadata=left_open("AMB-74", at="FCD-IRR-0"),
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.STAY,
        metadata=left_open("AMB-46", at="FCD-IRR-0"),
    )
    deck_fault: draw.DeckFaultDrawn = field(
        default=draw.DeckFaultDrawn.ON_DEMAND,
        metadata=left_open("AMB-13", at="FCD-IRR-4"),
    )
    unlooked_count: draw.UnlookedCount = field(
        default=draw.UnlookedCount.REDEAL,
        metadata=left_open("AMB-75", at="FCD-IRR-12"),
    )
    six_and_four: draw.SixAndFour = field(
        default=draw.SixAndFour.UNLOOKED_AND_NO_BET,
        metadata=left_open("AMB-76", at="FCD-IRR-11"),
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=left_open("AMB-34", at="FCD-IRR-0"))
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=left_open("AMB-35", at="FCD-IRR-0")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=left_open("AMB-36", at="FCD-DSC-11")
    )
