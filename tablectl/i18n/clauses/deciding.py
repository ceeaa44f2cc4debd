"""What decides about an incident beside its clause: a choice of the house with its key and value, or our ruling on a
point that the document leaves open. Pure.

The catalogue says which points a clause leaves open; which of them decides in a case depends on what was observed and
on the remedy. A test holds it against the engine: with another value of the key another remedy follows, or another sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from tablectl.games.registry import RULEBOOKS, choices_of
from tablectl.i18n.clauses.catalogue import Clause, load
from tablectl.i18n.clauses.catalogue import Remedy as Named


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """What an incident is told by. `remedies`: those to choose from, or the one that was chosen; `was_seen`: what the
    croupier answered, who was asked."""

    clause: str
    observed: str
    remedies: tuple[str, ...]
    was_seen: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Deciding:
    """An open point that decides: by the id of our register, with the house's key and its value where it has a choice;
    `rulebook`: in whose words it is said."""

    rulebook: str
    point: str
    key: str = ""
    value: str = ""


_Applies = Callable[[Case], bool]
#: A deck that is not whole.
_DECKS: Final = ("missing-card", "defective-deck")
#: A burn that was left out, or made twice.
_BURNS: Final = ("no-burn", "double-burn")
_VOID_HAND: Final = "void-hand"


def _always(_case: Case) -> bool:
    return True


def _observed(*words: str) -> _Applies:
    return lambda case: case.observed in words


def _at(*clauses: str) -> _Applies:
    return lambda case: case.clause in clauses


def _but_at(*clauses: str) -> _Applies:
    return lambda case: case.clause not in clauses


def _is_incident(case: Case) -> bool:
    """It is no call for the pit boss, and no card that somebody named."""
    return case.observed not in ("called", "named-cards")


def _bets_of_void(case: Case) -> bool:
    return case.remedies[:1] == (_VOID_HAND,) or case.observed == "txb-settled"


def _board(case: Case) -> bool:
    is_reshuffled = case.observed == "early-turn" and "return-and-reshuffle" in case.remedies
    return is_reshuffled or case.observed in ("early-board", "early-flop")


def _exposed_count(case: Case) -> bool:
    return case.observed == "fallen-card" or (case.clause, case.observed) == ("THL-CRE-8", "face-up-in-shoe")


def _redeal_until(case: Case) -> bool:
    if case.observed == "redeal-demanded":
        return case.clause == "FCD-IRR-1"
    is_late = case.observed in ("card-seen-at-cut", "turned-while-dealt")
    return is_late and "redeal-on-demand" in case.remedies


def _two_actions(case: Case) -> bool:
    """It is over, or the deck is found not to be whole: before, each value says the same."""
    if case.clause == "THL-MIS-5":
        return case.observed in _DECKS
    is_over = case.clause in ("THL-MIS-0", "THL-MIS-7", "THL-MIS-8", "THL-MIS-9", "THL-PLE-12")
    return is_over and (case.clause, case.observed) != ("THL-MIS-8", "turned-while-dealt")


def _turned(case: Case) -> bool:
    is_shown = case.observed == "face-up-card" and case.clause == "THB-ERR-2"
    return is_shown or case.observed == "turned-while-dealt"


#: The choices that can decide about an incident, and in which of the cases of a clause that leaves them open.
CHOICES: Final[Mapping[str, _Applies]] = {
    "all_in_shown": _always,
    "annulled_bets": _bets_of_void,
    "bank_exposed_until": _always,
    "blind_without_cards": _at("THL-MIS-7"),
    "burn_fault": _observed(*_BURNS),
    "contact_bets": lambda case: "lose-bets" in case.remedies,
    "deck_fault": _observed(*_DECKS),
    "draw_count": _always,
    "early_board": _board,
    "early_card_seen": lambda case: case.was_seen is True,
    "early_river": _always,
    "early_turn": _always,
    "exposed_count": _exposed_count,
    "false_opening": _observed("opening", "not-checked"),
    "flop_count": _always,
    "folded_cards": _but_at("THL-PLE-1c", "THL-PLE-2a"),
    "last_bet": _but_at("THO-SDN-1"),
    "leaving_ahead": _observed("leaves-ahead"),
    "missing_card_late": lambda case: case.clause == "THL-MIS-5" and case.observed in _DECKS,
    "objection": _always,
    "prohibitions": _always,
    "protected_hand": _is_incident,
    "reconstruction": lambda case: case.observed != "wrong-order",
    "redeal_until": _redeal_until,
    "reshuffled_stub": lambda case: (case.clause, case.observed) == ("THL-CRE-7", "early-board"),
    "short_raise": _at("THL-GEN-6", "THL-PLE-3"),
    "several_chips": _always,
    "six_and_four": lambda case: "redeal" not in case.remedies,
    "skipped_late": lambda case: len(case.remedies) > 1,
    "turned_while_dealt": _turned,
    "two_actions": _two_actions,
    "unlooked_count": lambda case: "redeal" in case.remedies,
    "wrong_amount_until": _always,
    "wrong_count_seat": _always,
    "wrong_count_until": _always,
    "wrong_order": lambda case: case.observed != "burn",
}
#: Choices of what is played, or of who may play and for how much: none of them says what is done about an incident.
OF_PLAY: Final = frozenset(
    {"above_resto", "absence", "all_pass", "ante_below_straight", "ante_without_bank", "bank_card", "burn"}
    | {"dealer_ante", "exposed_card", "face_up_scope", "fee", "first_button", "minimum_raise", "most_discards"}
    | {"new_stub", "odd_chip", "out_of_turn", "pair_of_jacks_bonus", "refill", "refill_until"}
    | {"second_bet", "second_round", "short_all_in", "shuffle", "standing_bets", "structure"}
    | {"tie", "two_players", "txb_aces", "vacated_blind"}
)
#: Our rulings on what is left to no house, where they decide.
RULINGS: Final[Mapping[tuple[str, str], _Applies]] = {
    ("THB-DEV-13", "AMB-22"): _observed(*_BURNS),
    ("THB-DEV-17", "AMB-22"): _observed(*_BURNS),
    ("THB-DEV-22", "AMB-22"): _observed(*_BURNS),
    ("THL-RD2-2", "AMB-94"): _observed("early-burn"),
    ("THL-RD3-2", "AMB-94"): _observed("early-burn"),
    ("THL-RD4-2", "AMB-94"): _observed("early-burn"),
    ("THL-PLE-13", "AMB-90"): _always,
    ("FCD-IRR-3", "AMB-17"): _observed("face-up-in-shoe"),
    ("FCD-IRR-6b", "AMB-17"): _always,
    ("FCD-IRR-7", "AMB-12"): _always,
    ("FCD-IRR-9", "AMB-77"): lambda case: "under-the-stub" in case.remedies,
}


#: What a clause calls a remedy that has another name at the table.
_NAMED: Final[Mapping[str, tuple[Named, ...]]] = {
    "lose-bets": (Named.LOSE,),
    "refund-bets": (Named.REFUND,),
    "refund-side-bet": (Named.REFUND,),
    "redeal": (Named.REDEAL_ON_DEMAND,),
    "approve": (Named.REJECT,),
}


def deciding(rulebook: str, case: Case, profile: Mapping[str, str]) -> tuple[Deciding, ...]:
    """What decides beside the clause at a table of this game, whose house chose so; nothing for what no document
    knows."""
    return tuple(_deciding(rulebook, case, profile))


def supports(case: Case) -> bool:
    """Whether the text of the clause speaks for the remedy that is proposed: it names it, or leaves it to the pit
    boss."""
    found = _clauses().get(case.clause)
    if found is None:
        return False
    named = set(found[1].remedy)
    proposed = case.remedies[0]
    return Named.PIT_BOSS in named or proposed in named or not named.isdisjoint(_NAMED.get(proposed, ()))


def _deciding(rulebook: str, case: Case, profile: Mapping[str, str]) -> Iterator[Deciding]:
    found = _clauses().get(case.clause)
    if found is None:
        return
    owner, clause = found
    choices = choices_of(rulebook) if rulebook in RULEBOOKS else {}
    for point in clause.ambiguity:
        key = point.profile_key
        if key is None and RULINGS.get((clause.id, point.id), _never)(case):
            yield Deciding(rulebook=owner, point=point.id)
        elif key is not None and key in choices and _applies(key)(case):
            yield Deciding(rulebook=rulebook, point=point.id, key=key, value=profile.get(key, choices[key].default))


def _applies(key: str) -> _Applies:
    """When a choice decides. A key that only a game of another package has does where a clause leaves it open: which
    cases of that clause it is about nobody can say for it."""
    return _never if key in OF_PLAY else CHOICES.get(key, _always)


def _never(_case: Case) -> bool:
    return False


@cache
def _clauses() -> Mapping[str, tuple[str, Clause]]:
    """Every clause by its id, with the game of whose document it is."""
    return {clause.id: (rulebook, clause) for rulebook in RULEBOOKS for clause in load(rulebook)}
