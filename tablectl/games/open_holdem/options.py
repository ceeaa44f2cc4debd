"""What a house may choose at `open-holdem` (document 003, THO-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import holdem, pots
from tablectl.core.options.choices import Profile, left_open
from tablectl.core.options.shared import Burn, ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHoldemProfile(Profile):
    """The choices of a house for `open-holdem` (document 003). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "open-holdem"

    structure: holdem.Structure = field(default=holdem.Structure.NO_LIMIT, metadata=left_open("AMB-01", at="THO-DEF-2"))
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.LAST_FULL_RAISE, metadata=left_open("AMB-87", at="THO-ACT-6")
    )
    short_all_in: pots.ShortAllIn = field(
        default=pots.ShortAllIn.FULL_RAISE_ONLY, metadata=left_open("AMB-03", at="THO-ALL-1")
    )
    absence: holdem.Absence = field(default=holdem.Absence.FULL_LAP, metadata=left_open("AMB-09", at="THO-BTN-3"))
    vacated_blind: holdem.VacatedBlind = field(
        default=holdem.VacatedBlind.NEXT_SEAT, metadata=left_open("AMB-10", at="THO-BLD-2")
    )
    first_button: holdem.FirstButton = field(
        default=holdem.FirstButton.RANDOM, metadata=left_open("AMB-84", at="THO-BTN-1")
    )
    two_players: holdem.TwoPlayers = field(
        default=holdem.TwoPlayers.LEFT_OF_BUTTON, metadata=left_open("AMB-61", at="THO-BLD-2")
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=left_open("AMB-86", at="THO-DEA-1"))
    two_actions: holdem.TwoActions = field(
        default=holdem.TwoActions.TWO_PLAYERS, metadata=left_open("AMB-11", at="THO-DEA-1")
    )
    reconstruction: holdem.Reconstruction = field(
        default=holdem.Reconstruction.READERS, metadata=left_open("AMB-15", at="THO-DEA-1")
    )
    exposed_count: holdem.ExposedCount = field(
        default=holdem.ExposedCount.TOGETHER, metadata=left_open("AMB-14", at="THO-DEA-1")
    )
    missing_card_late: holdem.MissingCardLate = field(
        default=holdem.MissingCardLate.STANDS, metadata=left_open("AMB-13", at="THO-DEA-1")
    )
    blind_without_cards: holdem.BlindWithoutCards = field(
        default=holdem.BlindWithoutCards.RETURNED, metadata=left_open("AMB-12", at="THO-DEA-1")
    )
    exposed_card: holdem.ExposedCard = field(
        default=holdem.ExposedCard.AFTER_THE_DEAL, metadata=left_open("AMB-17", at="THO-DEA-1")
    )
    burn: Burn = field(
        default=Burn.EVERY_STREET,
        metadata=left_open("AMB-81", at="THO-FLP-1"),
    )
    burn_fault: holdem.BurnFault = field(
        default=holdem.BurnFault.PUT_RIGHT, metadata=left_open("AMB-22", at="THO-FLP-1")
    )
    flop_count: holdem.FlopCount = field(
        default=holdem.FlopCount.KEEP_UNSEEN, metadata=left_open("AMB-21", at="THO-FLP-1")
    )
    early_turn: holdem.EarlyTurn = field(
        default=holdem.EarlyTurn.AFTER_THE_ROUND, metadata=left_open("AMB-18", at="THO-TRN-1")
    )
    early_river: holdem.EarlyRiver = field(
        default=holdem.EarlyRiver.AFTER_THE_ROUND, metadata=left_open("AMB-19", at="THO-RIV-1")
    )
    early_board: holdem.EarlyBoard = field(
        default=holdem.EarlyBoard.INTO_THE_STUB, metadata=left_open("AMB-20", at="THO-FLP-1")
    )
    reshuffled_stub: holdem.ReshuffledStub = field(
        default=holdem.ReshuffledStub.STUB_ALONE, metadata=left_open("AMB-23", at="THO-FLP-1")
    )
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=left_open("AMB-35", at="THO-DEA-2")
    )
    folded_cards: holdem.FoldedCards = field(
        default=holdem.FoldedCards.NEVER, metadata=left_open("AMB-29", at="THO-ACT-2")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=left_open("AMB-24", at="THO-ACT-6")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=left_open("AMB-26", at="THO-RND-2"))
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=left_open("AMB-25", at="THO-ACT-6")
    )
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=left_open("AMB-27", at="THO-RND-2")
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=left_open("AMB-34", at="THO-DEA-2"))
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=left_open("AMB-28", at="THO-ACT-5")
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=left_open("AMB-30", at="THO-SDN-1"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.CLOCKWISE, metadata=left_open("AMB-31", at="THO-SDN-4"))
    objection: holdem.Objection = field(default=holdem.Objection.PIT_BOSS, metadata=left_open("AMB-32", at="THO-SDN-3"))
    fee: holdem.Fee = field(default=holdem.Fee.NONE, metadata=left_open("AMB-37", at="THO-DEF-7"))
    all_in_shown: holdem.AllInShown = field(
        default=holdem.AllInShown.PROHIBITED, metadata=left_open("AMB-33", at="THO-DEF-5")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=left_open("AMB-36", at="THO-DEF-5")
    )
