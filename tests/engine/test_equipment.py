"""The same hands with each of the three kinds of equipment: the same decisions, where the clause can be decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.cards import Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.decisions import WHO, decision_lines
from tablectl.journal.handfile.file import HandFile, Step
from tablectl.journal.handfile.playing import opening
from tests.engine.numbering import Numbering
from tests.engine.putting_away import PuttingAway
from tests.journal.journals import hand_files

HANDS: Final = Path(__file__).parents[1] / "hands"
NAMES: Final = tuple(str(path.relative_to(HANDS).with_suffix("")) for path in sorted(HANDS.rglob("*.hand")))

#: Hands in which a count is put right: a shoe knows the order of drawing, antennas where the cards lie.
_COUNTS: Final = (
    "circle-holdem/THL-MIS-2-count-rounds-fewer",
    "circle-holdem/THL-MIS-2-extra-card-not-seen",
    "circle-holdem/THL-MIS-2-extra-card-seen",
    "circle-holdem/THL-MIS-2-extra-not-seen",
    "circle-holdem/THL-MIS-2-extra-seen",
    "circle-holdem/THL-MIS-2-extra-when-all-is-dealt",
    "circle-holdem/THL-MIS-2-missing-card",
    "circle-holdem/THL-MIS-2-missing-lap-asked",
    "circle-holdem/THL-MIS-2-missing-when-all-is-dealt",
    "circle-holdem/THL-MIS-2-missing-while-dealt",
    "circle-holdem/THL-MIS-2-no-cards-without-a-blind",
    "circle-holdem/THL-MIS-2-no-forced-bet-and-no-cards",
    "circle-holdem/THL-MIS-2-turned-while-asked",
    "circle-holdem/THL-PLE-11-said-in-time",
    "open-holdem/THO-DEA-1-a-card-too-few-before-two-actions",
)
#: Hands of a shoe alone in which a card came to another place than the plan has it: what antennas see is assigned to no
#: other place (ruling THB-ERR-5).
_STAYS: Final = (
    "texas-bonus/THB-ERR-5-everybody-void",
    "texas-bonus/THB-ERR-5-extra-card-in-lap-1-later",
    "texas-bonus/THB-ERR-5-extra-card-in-lap-2-later",
    "texas-bonus/THB-ERR-5-missing-card-in-lap-1-later",
    "texas-bonus/THB-ERR-5-three-cards-here-and-one-there",
    "texas-bonus/THB-ERR-5-after-a-decision",
    "texas-bonus/THB-ERR-5-after-everybody-folded",
    "texas-bonus/THB-ERR-5-the-whole-table",
    "texas-bonus/THB-ERR-6-extra-card-later",
    "draw-poker/FCD-OPN-3-a-wrong-order-before-the-next-card",
)
_SEEN: Final = "what antennas see contradicts the declaration; a hand with what they would see has a file of its own"
#: Hands of a shoe and antennas, and of antennas alone: what is seen where stands in them.
_OF_BOTH: Final = (
    "texas-poker/TPC-MIS-1-three-cards-in-a-wrong-order-are-overruled",
    "texas-bonus/THB-DEV-7-the-other-card-of-the-two-is-not-told-again",
    "texas-poker/TPC-MIS-1-one-card-after-the-other-comes-to-a-wrong-seat",
    "texas-poker/TPC-MIS-1-two-cards-at-each-others-seats-and-the-pit-boss-overrules",
    "texas-poker/TPC-MIS-1-two-cards-at-each-others-seats-are-carried-back",
    "texas-poker/TPC-MIS-1-two-cards-at-each-others-seats-are-one-error",
    "texas-bonus/THB-DEV-7-accepted-once-for-two-cards",
    "texas-bonus/THB-DEV-7-the-croupier-tells-the-order-before-the-antennas",
    "texas-bonus/THB-DEV-7-two-cards-at-each-others-seats-are-put-right",
    "circle-holdem/THL-MIS-1-two-cards-at-each-others-seats-are-reconstructed",
    "circle-holdem/THL-MIS-6-readers-tell-the-order-before-the-button",
    "draw-poker/FCD-DSC-4-an-entry-comes-before-the-card-at-another-seat-counts",
    "draw-poker/FCD-DSC-4-the-next-card-comes-before-the-one-at-another-seat-counts",
    "draw-poker/FCD-DSC-4-the-next-card-waits-for-what-is-said-of-the-one-before",
    "draw-poker/FCD-IRR-12-croupier-and-readers-say-the-same-order",
    "draw-poker/FCD-IRR-12-readers-tell-the-order-while-he-chooses",
    "draw-poker/FCD-IRR-12-readers-see-that-two-have-each-others-cards",
    "draw-poker/FCD-OPN-3-a-card-of-the-draw-is-carried-back-and-the-next-one-waits",
    "draw-poker/FCD-OPN-3-readers-see-that-two-have-each-others-cards",
    "draw-poker/FCD-DSC-4-nobody-sees-whether-he-keeps-it",
    "draw-poker/FCD-DSC-4-the-seat-that-waits-is-completed-already",
    "circle-holdem/THL-MIS-1-readers-after-one-action",
    "circle-holdem/THL-MIS-1-readers-after-two-actions",
    "circle-holdem/THL-MIS-1-shoe-and-antennas",
    "circle-holdem/THL-GEN-8-a-card-of-the-deal-passes-by-the-discards",
    "texas-poker/TPC-CRE-1-shoe-and-antenna-disagree-and-a-person-reads-it",
    "texas-poker/TPC-DEV-4-readers-disagree-about-a-card-of-a-void-hand",
    "texas-poker/TPC-CRE-1-shoe-and-antenna-disagree-and-the-hand-is-folded",
    "texas-poker/TPC-MIS-1-a-card-of-seat-2-stays-at-seat-3-and-is-carried-back",
    "texas-poker/TPC-MIS-1-a-house-with-a-longer-dwell-time",
    "draw-poker/FCD-OPN-3-the-next-card-says-that-only-the-order-was-wrong",
    "draw-poker/FCD-DSC-2-a-card-of-the-draw-at-another-seat-was-seen",
    "draw-poker/FCD-IRR-9-the-next-card-says-that-nobody-else-lacks-one",
    "draw-poker/FCD-IRR-8-the-next-card-says-that-a-seat-was-left-out",
    "draw-poker/FCD-IRR-5-the-next-card-says-where-the-deal-began",
    "draw-poker/FCD-IRR-10-the-next-card-lies-there-already",
    "texas-poker/TPC-MIS-1-readers-say-the-order-and-the-card-is-carried-back",
    "texas-poker/TPC-MIS-1-readers-say-the-order-and-the-croupier-confirms",
    "texas-poker/TPC-MIS-1-readers-say-the-order-and-the-croupier-finds-none",
    "texas-poker/TPC-MIS-1-readers-say-the-order-and-the-pit-boss-overrules",
    "texas-bonus/THB-ERR-4-a-burn-comes-to-a-seat",
    "texas-bonus/THB-ERR-5-a-burn-comes-to-a-seat-and-he-looks",
    "texas-poker/TPC-MIS-2-antennas-see-a-third-card-before-the-flop",
)
_OF_ANTENNAS: Final = (
    "draw-poker/FCD-DSC-2-the-one-that-came-too-soon-is-no-wrong-count",
    "draw-poker/FCD-DSC-4-a-second-card-at-another-seat",
    "draw-poker/FCD-DSC-4-he-puts-it-away-and-says-servido",
    "draw-poker/FCD-DSC-4-the-one-that-came-too-soon-is-all-that-he-puts-away",
    "circle-holdem/THL-CRE-2-an-empty-seat-as-antennas-alone-see-it",
    "texas-poker/TPC-MIS-2-third-card-before-the-flop-antennas",
    "circle-holdem/THL-CRE-2-seen-by-antennas",
    "circle-holdem/THL-MIS-1-croupier-alone",
    "circle-holdem/THL-MIS-1-readers-agree",
    "circle-holdem/THL-MIS-1-readers-disagree",
    "circle-holdem/THL-RD3-2-two-burns-seen-by-antennas",
    "draw-poker/FCD-DSC-2-antennas-one-too-many-in-the-draw",
    "draw-poker/FCD-DSC-2-it-came-too-soon-and-he-changes-none",
    "draw-poker/FCD-DSC-4-a-card-of-the-next-player-comes-too-soon",
    "draw-poker/FCD-DSC-4-he-puts-away-the-one-that-came-too-soon",
    "draw-poker/FCD-DSC-4-it-is-carried-to-the-seat-that-waits-for-it",
    "draw-poker/FCD-DSC-4-it-is-the-only-one-that-he-changes",
    "draw-poker/FCD-IRR-10-antennas-count",
    "draw-poker/FCD-IRR-10-dealt-on-while-it-is-asked",
    "draw-poker/FCD-IRR-10-the-deal-comes-round-to-a-card-that-no-antenna-reads",
    "draw-poker/FCD-IRR-8-the-deal-comes-round-to-a-seat-that-was-left-out",
    "draw-poker/FCD-IRR-7-a-card-came-to-him-while-it-was-asked",
    "circle-holdem/THL-CRE-6-seen-by-antennas",
    "circle-holdem/THL-MIS-2-antennas-one-more",
    "circle-holdem/THL-MIS-2-antennas-one-more-after-one-action",
    "circle-holdem/THL-MIS-2-antennas-one-more-seen",
    "circle-holdem/THL-PLE-11-antennas-see-a-third-card-and-the-croupier-counts-two",
    "circle-holdem/THL-PLE-12-antennas-see-a-third-card-after-two-actions",
    "circle-holdem/THL-PLE-12-antennas-see-a-third-card-and-the-croupier-counts-one",
    "circle-holdem/THL-MIS-1-a-card-that-no-antenna-reads",
    "circle-holdem/THL-DLG-3-a-card-of-the-deal-is-put-away",
    "circle-holdem/THL-DLG-3-two-cards-exchange-places-they-passed-by",
    "circle-holdem/THL-DLG-3-two-cards-pass-by-each-others-places",
    "circle-holdem/THL-MIS-3-a-card-that-lay-at-its-place-is-not-exchanged",
    "circle-holdem/THL-RD2-2-no-burn-face-down-seen-by-antennas",
    "circle-holdem/THL-RD2-2-no-burn-seen-by-antennas",
    "texas-bonus/THB-DEV-13-no-burn-seen-by-antennas",
    "texas-bonus/THB-DEV-7-a-card-that-no-antenna-reads",
    "texas-bonus/THB-ERR-5-third-card-in-the-deal-seen-antennas",
    "texas-poker/TPC-DEV-17-a-burn-after-the-last-decision-antennas",
    "texas-poker/TPC-MIS-2-third-card-in-the-deal-antennas",
    "texas-poker/TPC-MIS-2-third-card-in-the-deal-seen-antennas",
)
#: Hands of five-card draw in which a shoe alone does not know any more which card lies where.
_MIXED: Final = (
    "draw-poker/FCD-DSC-2-three-cards-when-the-hands-lie-open",
    "draw-poker/FCD-OPN-5-named-at-the-showdown",
    "draw-poker/FCD-OPN-3-a-wrong-order-after-a-look",
    "draw-poker/FCD-OPN-3-a-wrong-order-at-the-settlement",
    "draw-poker/FCD-IRR-6-it-shows-when-the-hands-lie-open",
    "draw-poker/FCD-DSC-2-at-the-showdown",
    "draw-poker/FCD-DSC-2-six-and-four-show-when-the-hands-lie-open",
    "draw-poker/FCD-DSC-10-one-of-the-discards-lies-at-a-seat",
    "draw-poker/FCD-DSC-3-from-the-same-stub",
    "draw-poker/FCD-DSC-3-kept-card-not-his",
    "draw-poker/FCD-IRR-7-when-it-is-his-turn",
    "draw-poker/FCD-IRR-8-completed-from-the-stub",
    "draw-poker/FCD-IRR-9-it-is-the-last-of-the-stub",
    "draw-poker/FCD-IRR-9-under-the-stub",
    "draw-poker/FCD-IRR-10-a-card-passes",
    "draw-poker/FCD-IRR-11-another-player-has-looked",
    "draw-poker/FCD-DSC-2-completed-after-the-round",
    "draw-poker/FCD-WIN-2-what-they-kept-is-named",
    "draw-poker/FCD-WIN-4-a-kept-card-is-named-anew",
)
#: Hands in which only the croupier can say where a card lies that is one too many.
_OF_A_SHOE: Final = (
    "circle-holdem/THL-PLE-11-the-number-is-right-after-the-river",
    "circle-holdem/THL-PLE-11-the-number-is-right-when-a-card-comes-too-soon",
    "circle-holdem/THL-PLE-12-a-folded-seat-is-not-asked-about-after-the-river",
    "circle-holdem/THL-CRE-2-an-empty-seat-shows-with-the-last-card",
    "texas-bonus/THB-ERR-7-bank-has-three-since-lap-1",
    "texas-bonus/THB-ERR-7-bank-has-three-since-lap-2",
    "draw-poker/FCD-IRR-7-an-early-card-at-a-seat",
    "draw-poker/FCD-IRR-9-an-early-card-at-a-seat",
    "draw-poker/FCD-IRR-9-an-early-card-elsewhere",
    "draw-poker/FCD-IRR-9-the-last-card-only-shows-it",
    "draw-poker/FCD-IRR-7-those-after-it-lie-one-place-further-on",
    "draw-poker/FCD-IRR-9-those-after-it-lie-one-place-further-on",
    "texas-bonus/THB-DEV-22-two-burns-show-when-the-river-comes",
    "texas-bonus/THB-ERR-4-a-third-card-instead-of-the-burn",
    "texas-bonus/THB-ERR-5-a-third-card-shows-when-the-deal-is-over",
    "texas-bonus/THB-ERR-5-an-early-card-at-a-seat",
    "texas-bonus/THB-ERR-5-both-seats-at-the-settlement",
    "texas-bonus/THB-ERR-5-counted-when-the-hands-are-turned",
    "texas-bonus/THB-ERR-5-on-the-turn-with-nobody-left",
    "texas-bonus/THB-ERR-5-three-cards-here-and-one-there-on-the-flop",
    "texas-poker/TPC-DEV-17-a-burn-shows-when-the-river-comes",
    "texas-poker/TPC-MIS-2-third-card-shows-at-the-flop",
    "texas-bonus/THB-DEV-13-a-burn-while-the-pit-boss-is-called",
    "texas-bonus/THB-ERR-5-the-hand-is-void-and-no-card-is-laid-anew",
    "texas-bonus/THB-ERR-5-the-pit-boss-has-the-stub-shuffled",
    "texas-poker/TPC-DEV-17-a-burn-shows-at-the-settlement",
    "texas-poker/TPC-MIS-2-a-count-with-a-burn-before-the-flop",
    "circle-holdem/THL-PLE-12-the-last-one-has-a-card-too-many",
    "circle-holdem/THL-RD3-2-a-burn-too-soon-and-only-one-is-left",
    "open-holdem/THL-DLG-3-two-cards-after-the-river",
    "draw-poker/FCD-IRR-7-a-card-in-question-lies-with-a-player-who-is-out",
)
#: Hands in which a card comes while the betting is open, and a shoe alone does not tell whether it is the burn.
_EARLY_BURN: Final = (
    "circle-holdem/THL-CRE-5-a-burnt-card-in-the-shuffled-stub",
    "circle-holdem/THL-CRE-5-all-in-after-it",
    "circle-holdem/THL-CRE-5-at-once",
    "circle-holdem/THL-CRE-5-before-anybody-spoke",
    "circle-holdem/THL-CRE-5-betting-ends-by-a-fold",
    "circle-holdem/THL-CRE-5-counted-by-the-shoe",
    "circle-holdem/THL-CRE-5-counted-one-too-few",
    "circle-holdem/THL-CRE-5-everybody-folds-before-the-new-turn",
    "circle-holdem/THL-CRE-5-everybody-folds-before-the-river",
    "circle-holdem/THL-CRE-5-laid-aside-and-shuffled-back",
    "circle-holdem/THL-CRE-5-not-burnt-before",
    "circle-holdem/THL-CRE-5-only-the-burn-came-early",
    "circle-holdem/THL-CRE-5-rounds-alone",
    "circle-holdem/THL-CRE-5-then-the-hand-is-void",
    "circle-holdem/THL-CRE-5-turn-shown-while-the-flop-is-bet",
    "circle-holdem/THL-CRE-6-at-once",
    "circle-holdem/THL-CRE-6-after-a-premature-turn",
    "circle-holdem/THL-CRE-6-dead-cards-too",
    "circle-holdem/THL-CRE-6-everybody-folds",
    "circle-holdem/THL-CRE-6-only-the-burn-came-early",
    "circle-holdem/THL-CRE-6-river-shown-while-the-turn-is-bet",
    "circle-holdem/THL-CRE-6-shuffled-back",
    "circle-holdem/THL-CRE-6-stub-alone",
    "circle-holdem/THL-CRE-7-among-themselves",
    "circle-holdem/THL-CRE-7-at-a-table-with-amounts",
    "circle-holdem/THL-CRE-7-corrected-across-the-round",
    "circle-holdem/THL-CRE-7-flop-while-the-first-round-is-open",
    "circle-holdem/THL-CRE-7-no-burn-before-an-early-flop",
    "circle-holdem/THL-CRE-7-one-card-of-the-flop",
    "circle-holdem/THL-CRE-7-one-card-of-the-flop-as-read",
    "circle-holdem/THL-CRE-7-one-card-of-the-flop-stands",
    "circle-holdem/THL-CRE-7-turn-and-river-together-as-read",
    "circle-holdem/THL-CRE-7-turn-and-river-with-a-shoe",
    "circle-holdem/THL-CRE-7-two-cards-of-the-flop",
    "circle-holdem/THL-END-1-not-before-the-last-call",
    "circle-holdem/THL-MIS-2-an-early-card-at-a-seat-shoe",
    "circle-holdem/THL-MIS-5-two-persons-play-with-a-deck-that-was-counted-short",
    "circle-holdem/THL-MIS-9-an-early-card-at-a-seat-after-one-action-shoe",
    "circle-holdem/THL-RD2-2-burn-drawn-early",
    "circle-holdem/THL-RD2-3-flop-of-four-seen",
    "circle-holdem/THL-RD2-3-flop-of-four-shuffled",
    "circle-holdem/THL-RD2-3-flop-of-four-told-by-the-croupier",
    "circle-holdem/THL-RD2-3-flop-of-four-unseen",
    "circle-holdem/THL-RD3-2-two-burns-and-the-turn-up",
    "circle-holdem/THL-RD3-2-two-burns-show-when-the-turn-comes",
    "circle-holdem/THL-RD3-3-the-turn-is-the-fourth-common-card",
    "circle-holdem/THL-RD4-2-card-after-the-river",
    "circle-holdem/THL-RD4-2-two-burns-show-when-the-river-comes",
    "circle-holdem/THL-RD4-3-the-river-is-the-fifth-common-card",
    "open-holdem/THO-FLP-1-flop-while-the-first-round-is-open",
    "open-holdem/THO-RIV-1-river-while-the-turn-is-bet",
    "open-holdem/THO-TRN-1-turn-while-the-flop-is-bet",
)
_TOLD: Final = "antennas tell where each card lies: the croupier is not asked for it, and an error shows at once"
_KNOWN: Final = "antennas know which card lies where: an opening is checked, and nobody has to name what is shown"
_ASKED: Final = "the antennas must agree that it was put right, and no lap is asked for"
_WRITTEN: Final = "written for other equipment: what is seen where stands in it"

#: The file says at a start, within the hand, which table it is.
SAYS_ITS_SETUP: Final[dict[str, str]] = dict.fromkeys(
    (
        "texas-bonus/THB-LIM-2-the-file-wins-where-it-has-changed",
        "texas-bonus/THB-STF-1-a-restart-takes-no-card-off-a-void-felt",
    ),
    "the start in the middle of it is that of a table with the equipment of the file",
)
MISSED: Final[dict[str, str]] = dict.fromkeys(
    (
        "circle-holdem/THL-PLE-11-an-antenna-sees-the-card-at-last",
        "circle-holdem/THL-PLE-11-no-antenna-saw-a-card-before-the-first-action",
        "circle-holdem/THL-PLE-11-no-antenna-saw-the-cards-of-a-seat",
    ),
    "the antennas of the file miss a card; here each one is seen",
)
CORRECTED: Final[dict[str, str]] = {
    "draw-poker/FCD-DSC-4-the-number-of-cards-is-put-right": "antennas saw two cards put away where one is said now",
    "texas-bonus/THB-DEV-14-a-name-is-put-right": "what a shoe could not read is to an antenna a tag of no card",
    "texas-bonus/THB-ERR-5-the-seat-of-a-wrong-count-is-put-right": "antennas know whether there is one too many",
}
#: With antennas alone.
DIFFERS_WITH_ANTENNAS: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "texas-bonus/THB-CRD-1-named-as-a-hidden-card",
            "texas-bonus/THB-CRD-1-the-same-card-twice-in-one-hand",
            "texas-bonus/THB-DEV-14-named-twice",
            "texas-bonus/THB-DEV-14-named-wrongly-and-corrected",
            "texas-bonus/THB-DEV-14-unread-cards",
            "texas-bonus/THB-ERR-5-counted-while-a-card-is-to-be-named",
            "texas-bonus/THB-BON-1-one-person-names-the-card-that-decides",
            "texas-bonus/THB-STF-1-names-are-rejected-and-given-anew",
            "texas-poker/TPC-DEV-14-a-named-flop-card-is-confirmed-before-the-txb-is-paid",
            "circle-holdem/THL-CRE-1-a-name-is-rejected-and-the-pot-awarded-anew",
            "circle-holdem/THL-CRE-1-an-unread-card-is-named",
            "circle-holdem/THL-CRE-1-an-unread-card-is-seen-in-time",
            "texas-poker/TPC-DEV-11-an-unread-card-is-seen-in-time",
            "circle-holdem/THL-INI-2-an-unread-card-is-named",
            "circle-holdem/THL-INI-2-the-draw-is-made-again",
            "draw-poker/FCD-DSC-14-all-five-one-of-them-unread",
            "draw-poker/FCD-OPN-3-an-unread-card-of-a-folded-hand-is-not-asked-for",
            "draw-poker/FCD-OPN-5-a-card-not-read",
            "draw-poker/FCD-OPN-5-all-in-not-checked",
            "draw-poker/FCD-OPN-5-found-out-and-nobody-opened",
            "draw-poker/FCD-OPN-5-jacks-among-the-cards-that-were-read",
            "draw-poker/FCD-SEA-2-a-run-of-consecutive-ranks",
        ),
        "what a shoe could not read is to an antenna a tag of no card: the pit boss has it",
    ),
    **dict.fromkeys(
        (
            "texas-bonus/THB-ERR-4-between-hands",
            "texas-bonus/THB-ERR-4-between-hands-seen",
            "texas-poker/TPC-DEV-3-card-between-hands-not-seen",
            "circle-holdem/THL-GEN-13-card-after-the-hand",
        ),
        "between two hands the deck is gathered over the antennas; they are asked again before the deal",
    ),
    **dict.fromkeys(
        (
            "circle-holdem/THL-CRE-5-turn-drawn-early-and-not-seen",
            "circle-holdem/THL-CRE-6-river-drawn-early-and-not-seen",
            "circle-holdem/THL-CRE-7-flop-drawn-early-and-not-seen",
            "circle-holdem/THL-END-1-a-turn-that-was-out-has-come",
        ),
        "where the early card lies is seen, so the croupier is not asked for it",
    ),
    **dict.fromkeys(_COUNTS, _ASKED),
    **dict.fromkeys(
        (
            *_STAYS,
            "texas-bonus/THB-ERR-7-not-seen-then-counted",
        ),
        _SEEN,
    ),
    "circle-holdem/THL-MIS-2-shoe-and-antennas-a-third-card-after-one-action": _TOLD,
    **dict.fromkeys(_MIXED, _KNOWN),
    **dict.fromkeys(_OF_BOTH, _WRITTEN),
    **dict.fromkeys(
        (
            "draw-poker/FCD-DSC-2-the-card-before-it-only-passed-by-another-seat",
            "draw-poker/FCD-DSC-3-the-card-before-it-only-passed-by-another-seat",
        ),
        _WRITTEN,
    ),
    **dict.fromkeys((*_OF_A_SHOE, *_EARLY_BURN), _TOLD),
    **dict.fromkeys(
        (
            "texas-bonus/THB-SAB-1-shoe-lost-and-back",
            "texas-bonus/THB-SAB-1-shoe-switched-on-anew",
            "texas-bonus/THB-STF-1-a-lost-device-is-acknowledged",
            "texas-bonus/THB-STF-1-what-holds-the-table-is-not-put-aside",
        ),
        "there is no shoe to be lost; the antennas are (a test of its own)",
    ),
    **dict.fromkeys(
        (
            "texas-bonus/THB-ERR-5-a-card-is-carried-while-a-count-is-asked",
            "circle-holdem/THL-MIS-9-a-card-in-question-is-seen-when-the-hand-is-void",
            "draw-poker/FCD-OPN-3-a-card-lies-elsewhere-after-one-that-was-too-many",
            "draw-poker/FCD-WIN-4-an-antenna-says-which-card-lies-open",
        ),
        _WRITTEN,
    ),
    "texas-poker/TPC-DEV-17-an-unread-card-was-the-burn": "what a shoe cannot read is to an antenna a tag of no card",
    "circle-holdem/THL-CRE-8-a-card-that-nobody-reported-after-it": "antennas see where the others lie",
    **SAYS_ITS_SETUP,
    "texas-bonus/THB-SAB-1-card-drawn-while-the-shoe-was-away": "no shoe repeats its last report",
    **CORRECTED,
    **MISSED,
    "texas-bonus/THB-SAB-1-unreported-before-others": "antennas see where the others lie: none came before them",
    "texas-bonus/THB-STF-1-fault-on-a-card-that-is-the-next-one": "what is seen is the card itself, where it lies",
    "texas-poker/TPC-MIS-5-the-same-card-twice-after-the-river": "no card is due: it may be the first one, moved",
    **dict.fromkeys(
        (
            "circle-holdem/THL-CRE-5-shoe-and-antennas",
            "circle-holdem/THL-MIS-2-shoe-and-antennas-a-third-card-before-the-first-action",
            "circle-holdem/THL-MIS-2-shoe-and-antennas-a-third-card-that-was-seen",
            "circle-holdem/THL-RD2-2-no-reader-tells-of-a-burn-in-time",
            "circle-holdem/THL-RD2-2-no-reader-tells-of-a-burn-too-soon",
            "circle-holdem/THL-RD2-2-a-burn-too-soon-while-the-felt-is-looked-at",
            "circle-holdem/THL-RD2-3-flop-of-four-with-shoe-and-antennas",
            "draw-poker/FCD-OPN-5-an-antenna-reads-it-later",
            "draw-poker/FCD-DSC-6-his-own-stay-apart",
            "draw-poker/FCD-DSC-14-blind",
        ),
        _WRITTEN,
    ),
    "circle-holdem/THL-MIS-5-the-same-card-twice-in-the-deal": "at another seat: it may be the first one, moved",
    "draw-poker/FCD-DSC-6-his-own-discard-comes-out": "it is seen at a seat again: a discard, not a second card",
}
#: With a shoe and antennas.
DIFFERS_WITH_BOTH: Final[dict[str, str]] = {
    **CORRECTED,
    **MISSED,
    **SAYS_ITS_SETUP,
    "texas-bonus/THB-DEV-13-no-burn-seen-by-antennas": "the shoe says before that a card came, which is the burn",
    "circle-holdem/THL-RD2-2-no-burn-face-down-seen-by-antennas": "the shoe says before that a card came: the burn",
    "texas-bonus/THB-SAB-1-unreported-before-others": "antennas see where the others lie: none came before them",
    **dict.fromkeys(
        (
            "texas-bonus/THB-CRD-1-the-same-card-twice-in-one-hand",
            "texas-bonus/THB-DEV-14-named-wrongly-and-corrected",
            "texas-bonus/THB-DEV-14-unread-cards",
            "texas-bonus/THB-ERR-4-an-early-card-is-uncertain",
            "texas-bonus/THB-ERR-5-counted-while-a-card-is-to-be-named",
            "texas-bonus/THB-BON-1-one-person-names-the-card-that-decides",
            "texas-bonus/THB-STF-1-names-are-rejected-and-given-anew",
            "texas-poker/TPC-DEV-14-a-named-flop-card-is-confirmed-before-the-txb-is-paid",
            "circle-holdem/THL-CRE-1-a-name-is-rejected-and-the-pot-awarded-anew",
            "circle-holdem/THL-CRE-1-an-unread-card-is-named",
        ),
        "nothing has read the card: whether it lies at its place is asked before the next street",
    ),
    "texas-bonus/THB-ERR-5-a-card-is-carried-while-a-count-is-asked": _WRITTEN,
    "texas-poker/TPC-DEV-17-an-unread-card-was-the-burn": "nothing has read the card: it is asked where it lies",
    "circle-holdem/THL-CRE-8-a-card-that-nobody-reported-after-it": "antennas see where the others lie",
    "circle-holdem/THL-CRE-5-turn-drawn-early-and-not-seen": _TOLD,
    "circle-holdem/THL-CRE-6-river-drawn-early-and-not-seen": _TOLD,
    "circle-holdem/THL-CRE-7-flop-drawn-early-and-not-seen": _TOLD,
    "circle-holdem/THL-END-1-a-turn-that-was-out-has-come": _TOLD,
    "circle-holdem/THL-CRE-8-then-the-flop-too-soon": _TOLD,
    "open-holdem/THO-FLP-1-flop-too-soon-and-no-burns": _TOLD,
    "open-holdem/THO-TRN-1-turn-too-soon-and-no-burns": _TOLD,
    **dict.fromkeys(_COUNTS, _ASKED),
    **dict.fromkeys(_STAYS, _SEEN),
    **dict.fromkeys(_MIXED, _KNOWN),
    **dict.fromkeys((*_OF_BOTH, *_OF_ANTENNAS), _WRITTEN),
    **dict.fromkeys((*_OF_A_SHOE, *_EARLY_BURN), _TOLD),
    **dict.fromkeys(
        ("draw-poker/FCD-IRR-9-antennas-see-which-card", "draw-poker/FCD-IRR-9-it-comes-before-its-time"),
        "a card that leaves the shoe while players bet is one before its time, wherever it comes to lie",
    ),
    "circle-holdem/THL-MIS-2-cards-to-an-empty-seat-while-asked": _ASKED,
    "texas-bonus/THB-ERR-2-the-face-up-card-stays-at-the-seat": "here it is put away at once, and nobody is reminded",
    "draw-poker/FCD-SEA-3-antennas-see-whose-card-it-is": "a shoe tells whose card it is by the order of drawing",
}


def spots_of(hand: HandFile) -> dict[int, list[str]]:
    """By step: where the cards drawn there come to lie, as the shoe alone has it."""
    table = table_with(hand, Equipment.SHOE)
    drawn_in: dict[int, int] = {}
    found: dict[int, list[str]] = {}
    for number, step in enumerate(hand.steps):
        before = len(table.state.deal.draws)
        decisions = table.apply(step.fact)
        if len(table.state.deal.draws) > before:
            drawn_in[len(table.state.deal.draws)] = number
            found[number] = []
        for decision in decisions:
            if isinstance(decision, d.CardPlaced):
                found[drawn_in[decision.draw]].append(decision.slot.spot)
    return found


def table_with(hand: HandFile, equipment: Equipment) -> Table:
    return numbered(hand, equipment)[0]


def numbered(hand: HandFile, equipment: Equipment) -> tuple[Table, Numbering]:
    table = Table.resume(replace(hand.carry, setup=replace(hand.carry.setup, equipment=equipment)), rulebook_of)
    numbering = Numbering()
    for fact in opening(hand):
        numbering.apply(table, fact)
    return table, numbering


def cleared(table: Table, numbering: Numbering) -> None:
    """The croupier collects the cards of a void hand."""
    for number, spot in list(table.state.felt.seen_at.items()):
        assert numbering.apply(table, f.Gone(at_us=0, spot=spot, card=table.state.deal.draws[number - 1].card)) == ()


def put_aside(table: Table, numbering: Numbering) -> None:
    """The croupier puts away what has to leave its place."""
    for leaving in list(table.state.felt.leaving.values()):
        assert leaving.draw.slot is not None
        assert numbering.apply(table, f.Seen(at_us=0, spot=leaving.draw.slot.spot, card=leaving.draw.card)) == ()


def as_antennas_see_it(hand: HandFile) -> list[str]:
    """What differs where antennas alone read the cards: each card is seen where it comes to lie."""
    table, numbering = numbered(hand, Equipment.ANTENNAS)
    spots, differences = spots_of(hand), []
    putting_away = PuttingAway(hand)
    for number, step in enumerate(hand.steps):
        fact = step.fact
        if isinstance(fact, f.Drawn):
            there, due = [spot for spot in spots.get(number, []) if spot != "discard"], table.state.deal.due
            spot = there[0] if there else due.spot if due is not None else "board"
            fact = f.Seen(at_us=fact.at_us, spot=spot, card=fact.card)
        elif table.state.phase.name == "voided":
            cleared(table, numbering)
        if isinstance(fact, f.Opened):
            fact = replace(fact, setup=table.state.setup)
        numbering.begin_step()
        found: list[str] = []
        for told in putting_away.facts(number, fact, table.state):
            found += applied(table, told, numbering)[1]
        differences += compared(step, number, found, putting_away)
        if hand.setup.equipment is Equipment.SHOE:
            put_aside(table, numbering)
    return differences


def with_both(hand: HandFile) -> list[str]:
    """What differs where each card is drawn from the shoe and then seen at the place that the plan has for it, or where
    a file that was written for antennas alone has it seen."""
    table, numbering = numbered(hand, Equipment.BOTH)
    differences: list[str] = []
    putting_away, is_of_antennas = PuttingAway(hand), hand.setup.equipment is Equipment.ANTENNAS
    for number, step in enumerate(hand.steps):
        if table.state.phase.name == "voided":
            cleared(table, numbering)
        fact = step.fact
        if isinstance(fact, f.Opened):
            fact = replace(fact, setup=table.state.setup)
        numbering.begin_step()
        found: list[str] = []
        placed: list[d.CardPlaced] = []
        if is_of_antennas and isinstance(fact, f.Seen) and comes_out_of_the_shoe(table, fact):
            found += applied(table, f.Drawn(at_us=fact.at_us, card=fact.card), numbering)[1]
        for told in putting_away.facts(number, fact, table.state):
            decisions, lines = applied(table, told, numbering)
            found += lines
            seen = told.card if isinstance(told, f.Seen) else None
            placed += [one for one in decisions if isinstance(one, d.CardPlaced) and card_of(table, one) is not seen]
        differences += compared(step, number, found, putting_away)
        for one in placed:
            card = card_of(table, one)
            if card is not None:
                _, more = applied(table, f.Seen(at_us=0, spot=one.slot.spot, card=card), numbering)
                differences += [f"line {step.line}: seen at {one.slot.spot}, found {more}"] if more else []
    return differences


def card_of(table: Table, placed: d.CardPlaced) -> Card | None:
    return table.state.deal.draws[placed.draw - 1].card


def comes_out_of_the_shoe(table: Table, fact: f.Seen) -> bool:
    """Whether the card that is seen first had to be drawn."""
    number = table.lying(fact)
    lies = None if number is None else table.state.deal.draws[number - 1]
    return fact.card is not None and fact.spot != "discard" and (lies is None or lies.is_back)


def applied(table: Table, fact: f.Fact, numbering: Numbering) -> tuple[tuple[d.Decision, ...], list[str]]:
    """What the table decides, and as lines."""
    decisions = numbering.apply(table, fact)
    return decisions, decision_lines(fact, decisions, last_draw=len(table.state.deal.draws))


def compared(step: Step, number: int, found: list[str], putting_away: PuttingAway) -> list[str]:
    expected = putting_away.comparable(number, [text.partition(WHO)[0] for _, text in step.expected])
    found = putting_away.comparable(number, found)
    return [] if expected == found else [f"line {step.line}: expected {expected}, found {found}"]


def differing(game: str, differences: Callable[[HandFile], list[str]]) -> dict[str, list[str]]:
    """The hands of a game in which something differs, by name, with what does."""
    named = zip(NAMES, hand_files(), strict=True)
    hands = [(name, hand) for name, (_, hand) in named if name.startswith(f"{game}/")]
    assert hands
    return {name: found for name, hand in hands if (found := differences(hand))}


# Thousands of hands, of a few milliseconds each: a test for each of them would cost as much again.


@pytest.mark.parametrize("game", RULEBOOKS)
def test_antennas_alone_give_the_same_decisions(game: str) -> None:
    found = differing(game, as_antennas_see_it)
    assert found.keys() == {name for name in DIFFERS_WITH_ANTENNAS if name.startswith(f"{game}/")}, found


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_shoe_and_antennas_together_give_the_same_decisions(game: str) -> None:
    found = differing(game, with_both)
    assert found.keys() == {name for name in DIFFERS_WITH_BOTH if name.startswith(f"{game}/")}, found


def test_every_hand_that_differs_is_there() -> None:
    assert {*DIFFERS_WITH_ANTENNAS, *DIFFERS_WITH_BOTH} <= set(NAMES)
