"""Which remedies take two persons, where the house knows its people: reversals, void hands, what overrules a device.

To overrule is to let the table go on as if a device had not reported what must not be: a tag, a card that comes twice,
a card that no shoe gave, a deck that is short, an error that readers alone report and that voids the hand, a fact on
which the controller broke. It is no overrule to put a card where the rules have it, or to choose among the remedies of
an error of the deal: then the report is believed. What the croupier is asked about a report (a
card that lies elsewhere, a deck to be counted, a shoe that was away) is looked at and answered by him, and nobody
rules; what comes and goes on USB is an alert, and nobody rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.vocabulary import Chooser, Declaration, Remedy, Strange


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What a device said that must not be, by the words in which an incident tells it, and what sets it aside.

    `keeps_hand`: remedies that set it aside only where the hand could be voided instead, and goes on by them.
    """

    observed: tuple[str, ...] = ()
    expected: str = ""
    aside: frozenset[Remedy]
    keeps_hand: frozenset[Remedy] = frozenset()
    #: only where a device said it: a person can declare the same
    of_device: bool = False


_GO_ON: Final = frozenset({Remedy.CONTINUE})
_USE_IT: Final = frozenset({Remedy.CONTINUE, Remedy.NEXT_CARD})
_PUT_AWAY: Final = frozenset({Remedy.DISCARD})

#: The controller broke on what a device told: nobody knows what would have followed. That overrules no reader, and no
#: reason is asked for.
CONTROLLER_FAULT: Final = Report(observed=("controller-fault",), aside=_USE_IT, keeps_hand=_PUT_AWAY)
#: Whatever devices report. A pit boss who wants a card away that no hand depends on needs nobody.
REPORTS: Final = (
    # A reader saw a tag of no card in play, or one tag at two places (THB-CRD-1, TPC-MIS-5, THL-MIS-5, FCD-IRR-4).
    Report(observed=tuple(Strange), aside=_GO_ON),
    # Shoe or antennas read one card twice, or a person named a card that was read elsewhere: one of two is not what it
    # is said to be, and the hand is played with it.
    Report(observed=("same-card-again",), aside=_USE_IT, keeps_hand=_PUT_AWAY),
    # An antenna sees a card that the shoe did not give (THB-SAB-1).
    Report(expected="card-from-the-shoe", aside=_GO_ON),
    # Shoe or shuffler counted less or more than 52, or the antennas did and the croupier after them (TPC-MIS-4).
    Report(observed=(Declaration.MISSING_CARD,), aside=_GO_ON, of_device=True),
    CONTROLLER_FAULT,
    # A claim on the hand before is upheld, and money moves between stacks (THL-SDN-8: pit boss and croupier).
    Report(observed=(Declaration.CLAIM,), aside=frozenset({Remedy.CORRECT})),
)
#: Cards of a void hand still lie on the felt, as antennas see it, and a person says that they do not: the pit boss was
#: called, and no word of the incident tells it.
CARDS_ON_FELT: Final = Report(aside=_GO_ON)
#: Readers alone say what voids the hand, and the pit boss lets it go on as if they had not.
READERS_ALONE: Final = Report(aside=_USE_IT)
#: Antennas saw other cards come on top of a thrown hand, and the pit boss gives it back (THL-PLE-2a).
CARDS_MIXED: Final = Report(aside=frozenset({Remedy.REVIVE}))
#: They take two persons whatever was reported: what was paid comes back (TPC-MIS-0).
_ALWAYS: Final = frozenset({Remedy.REVERSE})
#: What annuls a hand, or that of one seat: at the settlement what was paid comes back with it.
VOIDS: Final = frozenset({Remedy.VOID_HAND, Remedy.VOID_SEAT})
#: The same by a clause that leaves no choice, wherever the bets go.
ENDS: Final = VOIDS | {Remedy.LOSE_BETS}
#: What takes two persons in any phase, where the pit boss chooses it (ruling "Who confirms").
_CHOSEN: Final = frozenset({Remedy.VOID_HAND})


def report_of(*, expected: str, observed: str, is_told_by_device: bool) -> Report | None:
    """The report that an incident tells; None where it tells none."""
    for report in REPORTS:
        if report.of_device and not is_told_by_device:
            continue
        is_it = any(observed == word or observed.startswith(f"{word}-") for word in report.observed)
        if is_it or (report.expected and expected == report.expected):
            return report
    return None


def needed(
    report: Report | None, remedies: tuple[Remedy, ...], chooser: Chooser, *, at_settlement: bool
) -> tuple[Remedy, ...]:
    """Those of the remedies that take two persons, where the pit boss chooses. `at_settlement`: what everybody wins and
    loses is said already."""
    if chooser is not Chooser.PIT_BOSS:
        return ()
    found = _ALWAYS | _CHOSEN
    if at_settlement:
        # Where the bets may go back as well he chooses between two; otherwise he confirms what the clause says.
        found |= VOIDS if Remedy.REFUND_BETS in remedies else ENDS
    if report is not None:
        found |= report.aside | (report.keeps_hand if Remedy.VOID_HAND in remedies else frozenset())
    return tuple(remedy for remedy in remedies if remedy in found)


def are_two(by: str, second: str) -> bool:
    """Whether these names are of two persons."""
    return bool(by and second) and by.casefold() != second.casefold()
