"""What a house may choose at `open-holdem` (document 003, THO-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import holdem, pots
from tablectl.core.options.choices import Profile
from tablectl.core.options.shared import Burn, ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHoldemProfile(Profile):
    """The choices of a house for `open-holdem` (document 003). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "open-holdem"

    structure: holdem.Structure = field(default=holdem.Structure.NO_LIMIT, metadata=holdem.STRUCTURE.at("THO-DEF-2"))
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.LAST_FULL_RAISE, metadata=pots.MINIMUM_RAISE.at("THO-ACT-6")
    )
    short_all_in: pots.ShortAllIn = field(
        default=pots.ShortAllIn.FULL_RAISE_ONLY, metadata=pots.SHORT_ALL_IN.at("THO-ALL-1")
    )
    absence: holdem.Absence = field(default=holdem.Absence.FULL_LAP, metadata=holdem.ABSENCE.at("THO-BTN-3"))
    vacated_blind: holdem.VacatedBlind = field(
        default=holdem.VacatedBlind.NEXT_SEAT, metadata=holdem.VACATED_BLIND.at("THO-BLD-2")
    )
    first_button: holdem.FirstButton = field(
        default=holdem.FirstButton.RANDOM, metadata=holdem.FIRST_BUTTON.at("THO-BTN-1")
    )
    two_players: holdem.TwoPlayers = field(
        default=holdem.TwoPlayers.LEFT_OF_BUTTON, metadata=holdem.TWO_PLAYERS.at("THO-BLD-2")
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=pots.SHUFFLE.at("THO-DEA-1"))
    two_actions: holdem.TwoActions = field(
        default=holdem.TwoActions.TWO_PLAYERS, metadata=holdem.TWO_ACTIONS.at("THO-DEA-1")
    )
    reconstruction: holdem.Reconstruction = field(
        default=holdem.Reconstruction.READERS, metadata=holdem.RECONSTRUCTION.at("THO-DEA-1")
    )
    exposed_count: holdem.ExposedCount = field(
        default=holdem.ExposedCount.TOGETHER, metadata=holdem.EXPOSED_COUNT.at("THO-DEA-1")
    )
    missing_card_late: holdem.MissingCardLate = field(
        default=holdem.MissingCardLate.STANDS, metadata=holdem.MISSING_CARD_LATE.at("THO-DEA-1")
    )
    blind_without_cards: holdem.BlindWithoutCards = field(
        default=holdem.BlindWithoutCards.RETURNED, metadata=holdem.BLIND_WITHOUT_CARDS.at("THO-DEA-1")
    )
    exposed_card: holdem.ExposedCard = field(
        default=holdem.ExposedCard.AFTER_THE_DEAL, metadata=holdem.EXPOSED_CARD.at("THO-DEA-1")
    )
    burn: Burn = field(
        default=Burn.EVERY_STREET,
        metadata={
            "clause": "THO-FLP-1",
            "ambiguity": "AMB-81",
            "es": "Se quema una carta antes de cada calle, o solo antes del flop, o ninguna.",
            "en": "A card is burnt before every street, or before the flop alone, or none is.",
        },
    )
    burn_fault: holdem.BurnFault = field(default=holdem.BurnFault.PUT_RIGHT, metadata=holdem.BURN_FAULT.at("THO-FLP-1"))
    flop_count: holdem.FlopCount = field(
        default=holdem.FlopCount.KEEP_UNSEEN, metadata=holdem.FLOP_COUNT.at("THO-FLP-1")
    )
    early_turn: holdem.EarlyTurn = field(
        default=holdem.EarlyTurn.AFTER_THE_ROUND, metadata=holdem.EARLY_TURN.at("THO-TRN-1")
    )
    early_river: holdem.EarlyRiver = field(
        default=holdem.EarlyRiver.AFTER_THE_ROUND, metadata=holdem.EARLY_RIVER.at("THO-RIV-1")
    )
    early_board: holdem.EarlyBoard = field(
        default=holdem.EarlyBoard.INTO_THE_STUB, metadata=holdem.EARLY_BOARD.at("THO-FLP-1")
    )
    reshuffled_stub: holdem.ReshuffledStub = field(
        default=holdem.ReshuffledStub.STUB_ALONE, metadata=holdem.RESHUFFLED_STUB.at("THO-FLP-1")
    )
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=pots.PROTECTED_HAND.at("THO-DEA-2")
    )
    folded_cards: holdem.FoldedCards = field(
        default=holdem.FoldedCards.NEVER, metadata=holdem.FOLDED_CARDS.at("THO-ACT-2")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=pots.SHORT_RAISE.at("THO-ACT-6")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=pots.OUT_OF_TURN.at("THO-RND-2"))
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=pots.SEVERAL_CHIPS.at("THO-ACT-6")
    )
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=pots.SKIPPED_LATE.at("THO-RND-2")
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=pots.CONTACT_BETS.at("THO-DEA-2"))
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=pots.WRONG_AMOUNT_UNTIL.at("THO-ACT-5")
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=pots.LAST_BET.at("THO-SDN-1"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.CLOCKWISE, metadata=pots.ODD_CHIP.at("THO-SDN-4"))
    objection: holdem.Objection = field(default=holdem.Objection.PIT_BOSS, metadata=holdem.OBJECTION.at("THO-SDN-3"))
    fee: holdem.Fee = field(default=holdem.Fee.NONE, metadata=holdem.FEE.at("THO-DEF-7"))
    all_in_shown: holdem.AllInShown = field(
        default=holdem.AllInShown.PROHIBITED, metadata=holdem.ALL_IN_SHOWN.at("THO-DEF-5")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=pots.PROHIBITIONS.at("THO-DEF-5")
    )
