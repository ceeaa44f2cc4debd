"""What a house may choose at `draw-poker` (document 004, FCD-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tablectl.core.options import draw, pots
from tablectl.core.options.choices import Profile
from tablectl.core.options.shared import AnnulledBets, ContactBets, Prohibitions, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPokerProfile(Profile):
    """The choices of a house for `draw-poker` (document 004). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "draw-poker"

    dealer_ante: draw.DealerAnte = field(
        default=draw.DealerAnte.SAME,
        metadata={
            "clause": "FCD-OPN-4",
            "ambiguity": "AMB-95",
            "es": "Quien da pone el mismo ante que los demás, o el doble.",
            "en": "The nominal dealer's ante is that of the others, or twice as much.",
        },
    )
    most_discards: draw.MostDiscards = field(
        default=draw.MostDiscards.FIVE,
        metadata={
            "clause": "FCD-DSC-8",
            "ambiguity": "AMB-96",
            "es": "Se cambian como mucho cinco cartas, o cuatro, o tres.",
            "en": "Five cards are changed at most, or four, or three.",
        },
    )
    false_opening: draw.FalseOpening = field(
        default=draw.FalseOpening.REFUSED,
        metadata={
            "clause": "FCD-OPN-5",
            "ambiguity": "AMB-68",
            "es": "Una apertura sin pareja de jotas no se admite, según las cartas selladas; o no se comprueba.",
            "en": "An opening without a pair of jacks is refused upon the sealed cards; or it is not checked.",
        },
    )
    second_round: draw.SecondRound = field(
        default=draw.SecondRound.LEFT_OF_DEALER,
        metadata={
            "clause": "FCD-ENV-1",
            "ambiguity": "AMB-66",
            "es": "Tras el descarte habla primero quien sigue al que da, o quien abrió.",
            "en": "After the draw the player left of the nominal dealer speaks first, or the one who opened.",
        },
    )
    all_pass: draw.AllPass = field(
        default=draw.AllPass.FIRST_ROUND,
        metadata={
            "clause": "FCD-WIN-5",
            "ambiguity": "AMB-67",
            "es": "Si todos pasan, el bote pasa a la mano siguiente solo en la primera ronda, o en cualquiera.",
            "en": "If everybody passes, the pot waits for the next hand in the first round alone, or in either.",
        },
    )
    above_resto: draw.AboveResto = field(
        default=draw.AboveResto.ALL_IN,
        metadata={
            "clause": "FCD-RST-1",
            "ambiguity": "AMB-69",
            "es": "Ante un envite mayor que su resto, el jugador puede jugarlo todo, o ha de retirarse.",
            "en": "Against a bet above his resto a player may go all-in, or has to fold.",
        },
    )
    minimum_raise: pots.MinimumRaise = field(
        default=pots.MinimumRaise.ANY_GREATER_AMOUNT, metadata=pots.MINIMUM_RAISE.at("FCD-ENV-5")
    )
    short_all_in: pots.ShortAllIn = field(
        default=pots.ShortAllIn.FULL_RAISE_ONLY, metadata=pots.SHORT_ALL_IN.at("FCD-RST-1")
    )
    short_raise: pots.ShortRaise = field(
        default=pots.ShortRaise.WORD_COMPLETES, metadata=pots.SHORT_RAISE.at("FCD-ENV-3")
    )
    several_chips: pots.SeveralChips = field(
        default=pots.SeveralChips.RAISE_IF_ENOUGH, metadata=pots.SEVERAL_CHIPS.at("FCD-ENV-5")
    )
    out_of_turn: pots.OutOfTurn = field(default=pots.OutOfTurn.MAY_FOLD, metadata=pots.OUT_OF_TURN.at("FCD-ENV-1"))
    skipped_late: pots.SkippedLate = field(
        default=pots.SkippedLate.LOSES_THE_ROUND, metadata=pots.SKIPPED_LATE.at("FCD-ENV-1")
    )
    wrong_amount_until: pots.WrongAmountUntil = field(
        default=pots.WrongAmountUntil.NEXT_ACTION, metadata=pots.WRONG_AMOUNT_UNTIL.at("FCD-ENV-3")
    )
    new_stub: draw.NewStub = field(
        default=draw.NewStub.ALL_DISCARDS,
        metadata={
            "clause": "FCD-DSC-5",
            "ambiguity": "AMB-65",
            "es": "El mazo nuevo se hace con todos los descartes, o solo con los de quienes aún esperan cartas.",
            "en": "The new stub is made of all discards, or of those of the players who still lack cards.",
        },
    )
    draw_count: draw.DrawCount = field(
        default=draw.DrawCount.AS_IN_THE_DEAL,
        metadata={
            "clause": "FCD-DSC-2",
            "ambiguity": "AMB-73",
            "es": "Un número de cartas incorrecto al cambiar se trata como en el reparto, o anula la mano.",
            "en": "A wrong number of cards at the draw is treated as in the deal, or voids the hand.",
        },
    )
    last_bet: pots.LastBet = field(default=pots.LastBet.WHOLE_HAND, metadata=pots.LAST_BET.at("FCD-WIN-3"))
    odd_chip: pots.OddChip = field(default=pots.OddChip.CLOCKWISE, metadata=pots.ODD_CHIP.at("FCD-WIN-4"))
    refill: draw.Refill = field(
        default=draw.Refill.AMOUNT_AND_STACK,
        metadata={
            "clause": "FCD-RST-6",
            "ambiguity": "AMB-78",
            "es": "La reposición se mide por lo añadido y por el resto que queda, o solo por uno de los dos.",
            "en": "A refill is held to what is added and to the stack it makes, or to one of the two.",
        },
    )
    refill_until: draw.RefillUntil = field(
        default=draw.RefillUntil.FIRST_CARD,
        metadata={
            "clause": "FCD-RST-10",
            "ambiguity": "AMB-79",
            "es": "El resto se repone hasta la primera carta de la mano, o mientras no se hayan mirado las cartas.",
            "en": "A resto is refilled until the first card of the hand, or as long as no cards were looked at.",
        },
    )
    leaving_ahead: draw.LeavingAhead = field(
        default=draw.LeavingAhead.PIT_BOSS,
        metadata={
            "clause": "FCD-RST-8",
            "ambiguity": "AMB-80",
            "es": "A quien se va ganando antes de hora se le avisa y decide el jefe de mesa, o no se admite.",
            "en": "A winner who leaves early is warned and the pit boss decides, or it is refused.",
        },
    )
    shuffle: Shuffle = field(default=Shuffle.BY_HAND, metadata=pots.SHUFFLE.at("FCD-IRR-1"))
    redeal_until: draw.RedealUntil = field(
        default=draw.RedealUntil.FIRST_BET,
        metadata={
            "clause": "FCD-IRR-0",
            "ambiguity": "AMB-74",
            "es": "Donde no se fija fin, se exige volver a dar hasta el primer envite, o hasta entregar el bote.",
            "en": "Where no end is set, a new deal is demanded until the first bet, or until the pot is delivered.",
        },
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.STAY,
        metadata={
            "clause": "FCD-IRR-0",
            "ambiguity": "AMB-46",
            "es": "Si se vuelve a dar, los antes se quedan y los envites se devuelven, o se devuelve todo.",
            "en": "When the cards are dealt again the antes stay and the bets go back, or everything goes back.",
        },
    )
    deck_fault: draw.DeckFaultDrawn = field(
        default=draw.DeckFaultDrawn.ON_DEMAND,
        metadata={
            "clause": "FCD-IRR-4",
            "ambiguity": "AMB-13",
            "es": "Una baraja defectuosa anula la mano si un jugador lo exige, o siempre.",
            "en": "A defective deck voids the hand if a player demands it, or always.",
        },
    )
    unlooked_count: draw.UnlookedCount = field(
        default=draw.UnlookedCount.REDEAL,
        metadata={
            "clause": "FCD-IRR-12",
            "ambiguity": "AMB-75",
            "es": "Si nadie ha mirado, un error de número propone volver a dar, o corregir en el sitio.",
            "en": "While nobody has looked, a wrong count proposes a new deal, or to put it right.",
        },
    )
    six_and_four: draw.SixAndFour = field(
        default=draw.SixAndFour.UNLOOKED_AND_NO_BET,
        metadata={
            "clause": "FCD-IRR-11",
            "ambiguity": "AMB-76",
            "es": "Una carta pasa de la mano de seis a la de cuatro sin mirar y sin envites, o basta una cosa.",
            "en": "A card goes from six to four if nobody looked and nobody bet, or if either is so.",
        },
    )
    contact_bets: ContactBets = field(default=ContactBets.LOST, metadata=pots.CONTACT_BETS.at("FCD-IRR-0"))
    protected_hand: pots.ProtectedHand = field(
        default=pots.ProtectedHand.OWN_STAKE, metadata=pots.PROTECTED_HAND.at("FCD-IRR-0")
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS, metadata=pots.PROHIBITIONS.at("FCD-DSC-11")
    )
