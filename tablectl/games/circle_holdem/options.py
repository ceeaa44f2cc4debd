"""What a house may choose at `circle-holdem` (document 001, THL-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import holdem, pots
from tablectl.core.options.choices import Profile, left_open
from tablectl.core.options.shared import ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleHoldemProfile(Profile):
    """The choices of a house for `circle-holdem` (document 001). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "circle-holdem"

    structure: holdem.Structure = field(default=holdem.Structure.NO_LIMIT, metadata=left_open("AMB-01", at="THL-DEF-1"))
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.TWICE_THE_HIGHEST, metadata=left_open("AMB-87", at="THL-RD1-4")
    )
    short_all_in: pots.ShortAllIn = field(default=pots.ShortAllIn.REOPENS, metadata=left_open("AMB-03", at="THL-RD1-6"))
    absence: holdem.Absence = field(default=holdem.Absence.FULL_LAP, metadata=left_open("AMB-09", at="THL-INI-5"))
    vacated_blind: holdem.VacatedBlind = field(
        default=holdem.VacatedBlind.NEXT_SEAT, metadata=left_open("AMB-10", at="THL-GEN-15")
    )
    first_button: holdem.FirstButton = field(
        default=holdem.FirstButton.HIGH_CARD, metadata=left_open("AMB-84", at="THL-INI-2")
    )
    two_players: holdem.TwoPlayers = field(
        default=holdem.TwoPlayers.LEFT_OF_BUTTON, metadata=left_open("AMB-61", at="THL-DLG-1")
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=left_open("AMB-86", at="THL-SHF-2"))
    two_actions: holdem.TwoActions = field(
        default=holdem.TwoActions.TWO_PLAYERS, metadata=left_open("AMB-11", at="THL-MIS-8")
    )
    reconstruction: holdem.Reconstruction = field(
        default=holdem.Reconstruction.READERS, metadata=left_open("AMB-15", at="THL-MIS-1")
    )
    exposed_count: holdem.ExposedCount = field(
        default=holdem.ExposedCount.TOGETHER, metadata=left_open("AMB-14", at="THL-MIS-4")
    )
    missing_card_late: holdem.MissingCardLate = field(
        default=holdem.MissingCardLate.STANDS, metadata=left_open("AMB-13", at="THL-MIS-5")
    )
    blind_without_cards: holdem.BlindWithoutCards = field(
        default=holdem.BlindWithoutCards.RETURNED, metadata=left_open("AMB-12", at="THL-MIS-7")
    )
    exposed_card: holdem.ExposedCard = field(
        default=holdem.ExposedCard.AFTER_THE_DEAL, metadata=left_open("AMB-17", at="THL-CRE-8")
    )
    burn_fault: holdem.BurnFault = field(
        default=holdem.BurnFault.PUT_RIGHT, metadata=left_open("AMB-22", at="THL-RD2-2")
    )
    flop_count: holdem.FlopCount = field(
        default=holdem.FlopCount.KEEP_UNSEEN, metadata=left_open("AMB-21", at="THL-RD2-3")
    )
    early_turn: holdem.EarlyTurn = field(
        default=holdem.EarlyTurn.AFTER_THE_ROUND, metadata=left_open("AMB-18", at="THL-CRE-5")
    )
    early_river: holdem.EarlyRiver = field(
        default=holdem.EarlyRiver.AFTER_THE_ROUND, metadata=left_open("AMB-19", at="THL-CRE-6")
    )
    early_board: holdem.EarlyBoard = field(
        default=holdem.EarlyBoard.INTO_THE_STUB, metadata=left_open("AMB-20", at="THL-CRE-7")
    )
    reshuffled_stub: holdem.ReshuffledStub = field(
        default=holdem.ReshuffledStub.STUB_ALONE, metadata=left_open("AMB-23", at="THL-CRE-7")
    )
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=left_open("AMB-35", at="THL-CRE-4")
    )
    folded_cards: holdem.FoldedCards = field(
        default=holdem.FoldedCards.THREE_CASES, metadata=left_open("AMB-29", at="THL-PLE-1")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=left_open("AMB-24", at="THL-PLE-3")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=left_open("AMB-26", at="THL-PLE-7"))
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=left_open("AMB-25", at="THL-PLE-8")
    )
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=left_open("AMB-27", at="THL-PLE-13")
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=left_open("AMB-34", at="THL-PLE-14"))
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=left_open("AMB-28", at="THL-PLE-16")
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=left_open("AMB-30", at="THL-SDN-1"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.LAST_BETTOR, metadata=left_open("AMB-31", at="THL-SDN-4"))
    objection: holdem.Objection = field(default=holdem.Objection.PIT_BOSS, metadata=left_open("AMB-32", at="THL-SDN-6"))
    fee: holdem.Fee = field(default=holdem.Fee.NONE, metadata=left_open("AMB-37", at="THL-DEF-7"))
    all_in_shown: holdem.AllInShown = field(
        default=holdem.AllInShown.PROHIBITED, metadata=left_open("AMB-33", at="THL-PRO-11")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=left_open("AMB-36", at="THL-PRO-1")
    )
