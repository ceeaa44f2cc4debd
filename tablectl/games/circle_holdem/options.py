"""What a house may choose at `circle-holdem` (document 001, THL-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import holdem, pots
from tablectl.core.options.choices import Profile
from tablectl.core.options.shared import ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleHoldemProfile(Profile):
    """The choices of a house for `circle-holdem` (document 001). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "circle-holdem"

    structure: holdem.Structure = field(default=holdem.Structure.NO_LIMIT, metadata=holdem.STRUCTURE.at("THL-DEF-1"))
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.TWICE_THE_HIGHEST, metadata=pots.MINIMUM_RAISE.at("THL-RD1-4")
    )
    short_all_in: pots.ShortAllIn = field(default=pots.ShortAllIn.REOPENS, metadata=pots.SHORT_ALL_IN.at("THL-RD1-6"))
    absence: holdem.Absence = field(default=holdem.Absence.FULL_LAP, metadata=holdem.ABSENCE.at("THL-INI-5"))
    vacated_blind: holdem.VacatedBlind = field(
        default=holdem.VacatedBlind.NEXT_SEAT, metadata=holdem.VACATED_BLIND.at("THL-GEN-15")
    )
    first_button: holdem.FirstButton = field(
        default=holdem.FirstButton.HIGH_CARD, metadata=holdem.FIRST_BUTTON.at("THL-INI-2")
    )
    two_players: holdem.TwoPlayers = field(
        default=holdem.TwoPlayers.LEFT_OF_BUTTON, metadata=holdem.TWO_PLAYERS.at("THL-DLG-1")
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=pots.SHUFFLE.at("THL-SHF-2"))
    two_actions: holdem.TwoActions = field(
        default=holdem.TwoActions.TWO_PLAYERS, metadata=holdem.TWO_ACTIONS.at("THL-MIS-8")
    )
    reconstruction: holdem.Reconstruction = field(
        default=holdem.Reconstruction.READERS, metadata=holdem.RECONSTRUCTION.at("THL-MIS-1")
    )
    exposed_count: holdem.ExposedCount = field(
        default=holdem.ExposedCount.TOGETHER, metadata=holdem.EXPOSED_COUNT.at("THL-MIS-4")
    )
    missing_card_late: holdem.MissingCardLate = field(
        default=holdem.MissingCardLate.STANDS, metadata=holdem.MISSING_CARD_LATE.at("THL-MIS-5")
    )
    blind_without_cards: holdem.BlindWithoutCards = field(
        default=holdem.BlindWithoutCards.RETURNED, metadata=holdem.BLIND_WITHOUT_CARDS.at("THL-MIS-7")
    )
    exposed_card: holdem.ExposedCard = field(
        default=holdem.ExposedCard.AFTER_THE_DEAL, metadata=holdem.EXPOSED_CARD.at("THL-CRE-8")
    )
    burn_fault: holdem.BurnFault = field(default=holdem.BurnFault.PUT_RIGHT, metadata=holdem.BURN_FAULT.at("THL-RD2-2"))
    flop_count: holdem.FlopCount = field(
        default=holdem.FlopCount.KEEP_UNSEEN, metadata=holdem.FLOP_COUNT.at("THL-RD2-3")
    )
    early_turn: holdem.EarlyTurn = field(
        default=holdem.EarlyTurn.AFTER_THE_ROUND, metadata=holdem.EARLY_TURN.at("THL-CRE-5")
    )
    early_river: holdem.EarlyRiver = field(
        default=holdem.EarlyRiver.AFTER_THE_ROUND, metadata=holdem.EARLY_RIVER.at("THL-CRE-6")
    )
    early_board: holdem.EarlyBoard = field(
        default=holdem.EarlyBoard.INTO_THE_STUB, metadata=holdem.EARLY_BOARD.at("THL-CRE-7")
    )
    reshuffled_stub: holdem.ReshuffledStub = field(
        default=holdem.ReshuffledStub.STUB_ALONE, metadata=holdem.RESHUFFLED_STUB.at("THL-CRE-7")
    )
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=pots.PROTECTED_HAND.at("THL-CRE-4")
    )
    folded_cards: holdem.FoldedCards = field(
        default=holdem.FoldedCards.THREE_CASES, metadata=holdem.FOLDED_CARDS.at("THL-PLE-1")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=pots.SHORT_RAISE.at("THL-PLE-3")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=pots.OUT_OF_TURN.at("THL-PLE-7"))
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=pots.SEVERAL_CHIPS.at("THL-PLE-8")
    )
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=pots.SKIPPED_LATE.at("THL-PLE-13")
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=pots.CONTACT_BETS.at("THL-PLE-14"))
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=pots.WRONG_AMOUNT_UNTIL.at("THL-PLE-16")
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=pots.LAST_BET.at("THL-SDN-1"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.LAST_BETTOR, metadata=pots.ODD_CHIP.at("THL-SDN-4"))
    objection: holdem.Objection = field(default=holdem.Objection.PIT_BOSS, metadata=holdem.OBJECTION.at("THL-SDN-6"))
    fee: holdem.Fee = field(default=holdem.Fee.NONE, metadata=holdem.FEE.at("THL-DEF-7"))
    all_in_shown: holdem.AllInShown = field(
        default=holdem.AllInShown.PROHIBITED, metadata=holdem.ALL_IN_SHOWN.at("THL-PRO-11")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=pots.PROHIBITIONS.at("THL-PRO-1")
    )
