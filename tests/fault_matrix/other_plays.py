"""Faults of the deal that are rarer than those of `deal_plays.py`, as the model plays them: two cards that were seen, a
seat that was left out, cards that were carried, and what is found when the pot is delivered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Declaration, Refusal, Remedy
from tests.fault_matrix import deal_plays
from tests.fault_matrix.felt_model import FeltModel, Physical, Truth
from tests.fault_matrix.hand_plans import Step, reached
from tests.fault_matrix.plays import Play, Plays, claim_of, clean, index_of, one_card
from tests.fault_matrix.reading_plays import folding

_ONE, _TWO, _THREE = "seat-1", "seat-2", "seat-3"
_CIRCLE: Final = ("circle-holdem", "open-holdem")


def _nothing(model: FeltModel) -> None:
    """Nobody does anything."""


def _lying(model: FeltModel, spot: str) -> Physical:
    return next(lies for lies in model.cards if lies.spot == spot)


def _by_hand(model: FeltModel, word: str) -> str:
    """Where no reader tells, the croupier who sees it puts it right himself."""
    is_told = word != "none" and not word.startswith("refused")
    return word if is_told or model.equipment != "shoe" else Remedy.CORRECT


def _no_fault(entry: Mapping[str, Any]) -> Play:
    """No fault in this game."""
    return Play(clean(entry), min(index_of(entry), len(clean(entry)) - 1), "", Truth())


# --- cards that were seen ---------------------------------------------------------------------------------------------


def _what(entry: Mapping[str, Any]) -> Declaration:
    return Declaration.FACE_UP_IN_SHOE if entry["fault"] == "face-up" else Declaration.TURNED_WHILE_DEALT


def _shown(model: FeltModel, spot: str) -> None:
    model.draw(spot).is_seen = True


def _exchanged(model: FeltModel) -> None:
    """Seat 2 gets another card, and the one that was seen is laid down as the first burn (THL-CRE-8)."""
    model.draw(_TWO)
    model.follow()


def _two_seen(entry: Mapping[str, Any]) -> Play:
    """The card of seat 2 in the second lap is seen, which is said at once, and then that of seat 3."""
    game, steps, index = entry["game"], clean(entry), index_of(entry)
    what = _what(entry)

    def first(model: FeltModel) -> None:
        _shown(model, _TWO)
        if game == "texas-poker":
            return  # both are seen together
        model.enter(f"declare {what}")
        model.settle()
        model.follow()
        model.forget_told()
        if game == "texas-bonus":
            model.draw(_TWO)  # in place of the one that is not used (THB-ERR-2)

    steps[index], steps[index + 1] = first, partial(_shown, spot=_THREE)
    if game in _CIRCLE:
        # THL-CRE-8: the next card goes to seat 2 when the deal is over, and the one that was seen is the first burn.
        steps[reached(game, "before-flop")] = _nothing
        steps.insert(reached(game, "deal-ended"), _exchanged)
    is_last = entry["noticed"] == "before-next-card"
    declares = f"declare {what}" if is_last else f"declare {what} {_THREE} lap=2"
    return Play(steps, index + 1, declares, Truth(is_seen=True, spot=_THREE))


def _second_in_a_row(entry: Mapping[str, Any]) -> Play | None:
    """A burn or a common card lies face up in the deck, and so does the one that takes its place."""
    found = one_card(entry)
    if found is None:
        return None
    steps, index, spot = found

    def both(model: FeltModel) -> None:
        _shown(model, spot)
        model.enter(f"declare {_what(entry)}")
        model.settle()
        model.follow()
        model.forget_told()
        _shown(model, spot)

    steps[index] = both
    return Play(steps, index, f"declare {_what(entry)}", Truth(is_seen=True, spot=spot))


def _turned_later(entry: Mapping[str, Any]) -> Play:
    """A card that lies there already is turned: the player's own word, or the croupier's."""
    steps, index = clean(entry), index_of(entry)
    what = Declaration.OWN_CARDS_SHOWN if entry["variant"] == "by-the-player" else Declaration.TURNED_WHILE_DEALT
    steps.insert(index, _nothing)
    return Play(steps, index, f"declare {what} {_TWO}", Truth(is_seen=True, spot=_TWO))


def _bank_seen(entry: Mapping[str, Any]) -> Play:
    """A card of the bank is seen: when it is turned, or on its way to another place and back."""
    steps, index = clean(entry), index_of(entry)
    if entry["at"] == "during-the-deal":
        index = reached(entry["game"], "deal-ended") - 1

    def seen(model: FeltModel) -> None:
        if entry["fault"] == "moved-and-back":
            lies = _lying(model, "house")
            model.carry(lies, "board")
            model.carry(lies, "house")

    steps.insert(index, seen)
    return Play(steps, index, f"declare {Declaration.BANK_CARD_EXPOSED}", Truth(is_seen=True, spot="house"))


def _fell(entry: Mapping[str, Any]) -> Play:
    """The card of seat 2 in the second lap falls off the table, and is put back in its place."""
    steps, index = clean(entry), index_of(entry)

    def falls(model: FeltModel) -> None:
        model.draw(_TWO).is_seen = entry["seen"]

    steps[index] = falls
    declares = f"declare {Declaration.FALLEN_CARD} {_TWO} lap=2"
    return Play(steps, index, declares, Truth(is_seen=entry["seen"], spot=_TWO))


def _at_the_cut(entry: Mapping[str, Any]) -> Play:
    steps = clean(entry)
    steps.insert(0, _nothing)
    return Play(steps, 0, f"declare {Declaration.CARD_SEEN_AT_CUT}", Truth(is_seen=True))


# --- numbers of cards -------------------------------------------------------------------------------------------------


def _looked_after_all(entry: Mapping[str, Any]) -> Play:
    """A third card at seat 1: first nobody has seen it, then the player looks."""
    steps, index = clean(entry), index_of(entry)

    def extra(model: FeltModel) -> None:
        model.draw(_ONE)
        model.wait()
        model.settle()
        model.forget_told()
        model.truth.is_seen = True

    steps.insert(index, extra)
    return Play(steps, index, f"declare {Declaration.WRONG_COUNT} {_ONE} cards=3", Truth(spot=_ONE))


def _skipped(entry: Mapping[str, Any]) -> Play:
    """Seat 2 is left out in the second lap, and seat 3 gets its card."""
    steps, index = clean(entry), index_of(entry)
    del steps[index]
    steps.insert(index, _nothing)
    truth = Truth(is_seen=entry["seen"], spot=_THREE, too_few=_TWO)
    return Play(steps, index, f"declare {Declaration.WRONG_ORDER}", truth)


def _bank_skipped(entry: Mapping[str, Any]) -> Play:
    """The bank is left out in the first lap."""
    steps, begins = clean(entry), reached(entry["game"], "during-the-deal")
    steps[begins + 3] = _nothing
    truth = Truth(is_seen=entry["seen"], spot=_ONE, too_few="house", lap=1)
    return Play(steps, begins + 3, f"declare {Declaration.WRONG_ORDER}", truth)


def _bank_swapped(entry: Mapping[str, Any]) -> Play:
    """The first card of the bank lies on the right and the second one on the left; where no reader tells, the croupier
    sees it and moves them."""
    steps, begins = clean(entry), reached(entry["game"], "during-the-deal")

    def laid(position: int) -> Callable[[FeltModel], None]:
        def comes(model: FeltModel) -> None:
            lies = model.draw("house", by_antenna=None)
            if model.equipment != "shoe":
                lies.tag = lies.card
                model.tell(f.Seen(at_us=model.now(), spot="house", card=lies.card, position=position))

        return comes

    steps[begins + 3], steps[begins + 7] = laid(2), laid(1)
    return Play(steps, begins + 3, "", Truth(spot="house"), judge=_by_hand)


def _no_cards(entry: Mapping[str, Any]) -> Play:
    """The player of the small blind gets no card at all."""
    steps, begins = clean(entry), reached(entry["game"], "during-the-deal")
    for lap in (0, 3):
        steps[begins + lap] = _nothing
    declares = f"declare {Declaration.WRONG_COUNT} {_ONE} cards=0"
    return Play(steps, begins, declares, Truth(spot=_ONE))


def _two_flop_cards(entry: Mapping[str, Any]) -> Play | None:
    """The croupier stops after two; whatever the hour, the table waits for the third."""
    if entry["noticed"] != entry["at"]:
        return None
    return Play(clean(entry), index_of(entry), "", Truth(is_due=True))


def _off_the_table(entry: Mapping[str, Any]) -> Play:
    """A player takes a card off the table and brings it back."""
    steps, index = clean(entry), index_of(entry)

    def taken(model: FeltModel) -> None:
        lies = _lying(model, _ONE)
        model.carry(lies, "deck")
        model.wait()
        model.carry(lies, _ONE)

    steps.insert(index, taken)
    return Play(steps, index, "", Truth(is_at_fault=False), judge=_by_hand)


def _two_too_early(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)

    def come(model: FeltModel) -> None:
        for _ in range(2):
            model.draw("board").is_seen = entry["seen"]

    steps.insert(index, come)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], spot="board"))


def _before_the_side_bet(entry: Mapping[str, Any]) -> Play:
    """The turn is drawn while it is still open whether the TXB of seat 2 was won."""
    steps, index = clean(entry), index_of(entry)
    steps[1] = Step("bet 2 ante 1000 txb 500", "")

    def comes(model: FeltModel) -> None:
        model.draw("board").is_seen = entry["seen"]

    steps.insert(index, comes)
    return Play(steps, index, "", Truth(is_seen=entry["seen"], spot="board"))


def _burn_after_an_exchange(entry: Mapping[str, Any]) -> Play:
    """A card of the deal was exposed and is the first burn (THL-CRE-8); the croupier burns another one."""
    steps, index = clean(entry), reached(entry["game"], "during-the-deal") + 4
    ended, burn = reached(entry["game"], "deal-ended"), reached(entry["game"], "before-flop")

    def exposed(model: FeltModel) -> None:
        _shown(model, _TWO)
        model.enter(f"declare {Declaration.TURNED_WHILE_DEALT}")
        model.settle()

    def burned(model: FeltModel) -> None:
        model.forget_told()
        model.draw("burn")

    steps[index], steps[burn] = exposed, burned
    steps.insert(ended, _exchanged)
    declares = f"declare {Declaration.DOUBLE_BURN}"
    return Play(steps, burn + 1, declares, Truth(spot="burn"), judge=_counted_as_due)


#: At which moment the cards of the next street are shown too soon, and which of them: of two or more the street comes
#: anew without a burn (THL-CRE-7, ruling 20), and so does a river (THL-CRE-6).
_SHOWN_BEFORE: Final = {
    "before-flop": ("after-one-action", ("burn", "board", "board")),
    "before-turn": ("flop-out", ("burn", "board", "burn", "board")),
    "before-river": ("turn-out", ("burn", "board")),
}


def _burn_after_a_redeal(entry: Mapping[str, Any]) -> Play:
    """A street was shown too soon and comes anew without a burn; the croupier burns all the same."""
    steps, index = clean(entry), reached(entry["game"], entry["at"])
    moment, spots = _SHOWN_BEFORE[entry["at"]]
    drawn: list[Physical] = []

    def shown(model: FeltModel) -> None:
        model.truth.is_seen = True
        before = len(model.cards)
        for spot in spots:
            model.draw(spot).is_seen = spot == "board"
        model.wait()
        model.settle()
        for lies in model.cards[before:]:
            if lies.spot == "board":
                model.carry(lies, "deck")
        model.settle()
        model.truth.is_seen = False

    def burned(model: FeltModel) -> None:
        model.forget_told()
        drawn.append(model.draw("burn"))

    def judge(model: FeltModel, word: str) -> str:
        draw = next(draw for draw in model.table.state.deal.draws if draw.card is drawn[0].card)
        is_board = draw.slot is not None and draw.slot.spot == "board"
        return Remedy.NEXT_CARD if word == f"refused ({Refusal.NO_CARD})" and is_board else word

    steps[index] = burned
    at = reached(entry["game"], moment)
    steps.insert(at, shown)
    truth = Truth(spot="burn")
    return Play(steps, index + 1, f"declare {Declaration.DOUBLE_BURN}", truth, judge=judge)


def _counted_as_due(model: FeltModel, word: str) -> str:
    """A shoe has counted the card where the next one was due, and a burn that is not due is none."""
    draw = next(draw for draw in model.table.state.deal.draws if draw.card is model.cards[7].card)
    is_board = draw.slot is not None and draw.slot.spot == "board"
    return Remedy.NEXT_CARD if word == f"refused ({Refusal.NO_CARD})" and is_board else word


# --- cards at other places --------------------------------------------------------------------------------------------


def _at_an_empty_seat(entry: Mapping[str, Any]) -> Play:
    """After seat 3 the croupier deals to a seat at which nobody sits."""
    steps, index = clean(entry), reached(entry["game"], "during-the-deal") + 3

    def comes(model: FeltModel) -> None:
        model.draw("seat-4").is_seen = entry["seen"]

    steps.insert(index, comes)
    is_circle = entry["game"] in _CIRCLE
    declares = f"{Declaration.CARDS_TO_EMPTY_SEAT} seat-4 lap=2" if is_circle else f"{Declaration.WRONG_ORDER} seat-4"
    # The question where the last card lies is answered by that: it lies where it belongs, and another one does not.
    is_said_first = entry["noticed"] not in ("during-the-deal", "before-next-card")
    truth = Truth(is_seen=entry["seen"], spot="seat-4")
    return Play(steps, index, f"declare {declares}", truth, is_said_first=is_said_first)


def _carried(entry: Mapping[str, Any]) -> Play:
    """A card of seat 1 is laid to those of seat 2, and stays there."""
    steps, index = clean(entry), index_of(entry)

    def carried(model: FeltModel) -> None:
        model.carry(_lying(model, _ONE), _TWO)

    steps.insert(index, carried)
    is_order = entry["at"] == "deal-ended"
    declares = Declaration.WRONG_ORDER if is_order else f"{Declaration.CARD_ELSEWHERE} {_TWO} draw=1"
    truth = Truth(is_seen=entry["seen"], spot=_TWO, too_few=_ONE)
    return Play(steps, index, f"declare {declares}", truth)


def _seen_elsewhere(entry: Mapping[str, Any]) -> Play:
    """A card of seat 1 is laid to those of seat 2, who looks at it, and then it is carried back."""
    steps, index = clean(entry), index_of(entry)

    def carried(model: FeltModel) -> None:
        lies = _lying(model, _ONE)
        model.carry(lies, _TWO)
        model.wait()
        model.settle()
        model.carry(lies, _ONE)

    steps.insert(index, carried)
    is_circle = entry["game"] in _CIRCLE
    declares = f"{Declaration.OTHERS_CARD_SEEN} {_TWO}" if is_circle else Declaration.WRONG_ORDER
    return Play(steps, index, f"declare {declares}", Truth(is_seen=True, spot=_TWO, too_few=_ONE))


def _away_for_the_entry(entry: Mapping[str, Any]) -> Play:
    """A card of seat 1 lies at seat 2 when the next entry is made, and is back within the dwell time."""
    steps, index = clean(entry), reached(entry["game"], "deal-ended")

    def away(model: FeltModel) -> None:
        model.carry(_lying(model, _ONE), _TWO)

    def back(model: FeltModel) -> None:
        model.carry(model.cards[0], _ONE)

    steps[index : index + 1] = [away, steps[index], back]
    return Play(steps, index + 2, "", Truth(is_at_fault=False))


def _on_another_spot(entry: Mapping[str, Any]) -> Play | None:
    """A common card is laid on the burn spot; where no reader tells, the croupier sees it and moves it."""
    found = one_card(entry)
    if found is None:
        return None
    steps, index, spot = found

    def comes(model: FeltModel) -> None:
        model.draw("burn").is_seen = entry["seen"]

    def moved(model: FeltModel) -> None:
        if model.equipment == "shoe":
            model.cards[-1].spot = spot

    steps[index : index + 1] = [comes, moved]
    return Play(steps, index + 1, "", Truth(is_seen=entry["seen"], spot=spot), judge=_by_hand)


def _bank_on_another_spot(entry: Mapping[str, Any]) -> Play:
    """A card of the bank is carried to the burn spot, and stays there."""
    steps, index = clean(entry), index_of(entry)

    def carried(model: FeltModel) -> None:
        model.carry(_lying(model, "house"), "burn")

    steps.insert(index, carried)
    declares = f"declare {Declaration.BANK_CARD_EXPOSED}" if entry["seen"] else ""
    truth = Truth(is_seen=entry["seen"], spot="house")
    return Play(steps, index, declares, truth, judge=_by_hand)


def _seat_card_at_the_bank(entry: Mapping[str, Any]) -> Play:
    """The card of seat 2 in the second lap lies at the bank."""
    steps, index = clean(entry), reached(entry["game"], "during-the-deal") + 5

    def comes(model: FeltModel) -> None:
        model.draw("house").is_seen = entry["seen"]

    steps[index] = comes
    is_order = entry["noticed"] in ("during-the-deal", "before-next-card")
    declares = Declaration.WRONG_ORDER if is_order else f"{Declaration.WRONG_COUNT} house cards=3"
    truth = Truth(is_seen=entry["seen"], spot="house", too_few=_TWO)
    return Play(steps, index, f"declare {declares}", truth)


def _one_has_folded(entry: Mapping[str, Any]) -> Play:
    """Seat 3 has the card of seat 2, which has folded."""
    play = deal_plays.to_another_seat(entry)
    folding(entry["game"], play.steps, 2)
    return replace(play, declares=f"declare {Declaration.WRONG_COUNT} {_THREE} cards=3")


def _burn_at_a_seat(entry: Mapping[str, Any]) -> Play:
    steps, index = clean(entry), index_of(entry)
    if entry["game"] == "texas-poker":
        return Play(steps, index, "", Truth())  # nothing is burned in this game

    def carried(model: FeltModel) -> None:
        lies = _lying(model, "burn")
        model.carry(lies, _TWO)
        model.wait()
        if entry["fault"] == "moved-and-back":
            model.carry(lies, "burn")

    def says(model: FeltModel) -> str:
        first = next(draw for slot, draw in model.table.state.deal.at.items() if slot.spot == "burn")
        return f"declare {Declaration.CARD_ELSEWHERE} {_TWO} draw={first.number}"

    steps.insert(index, carried)
    return Play(steps, index, says, Truth(spot=_TWO))


# --- the order --------------------------------------------------------------------------------------------------------


def _not_reconstructable(entry: Mapping[str, Any]) -> Play:
    """Nobody can say any more which card should have gone where."""
    play = (deal_plays.swapped if entry["fault"] == "swapped-order" else deal_plays.to_another_seat)(entry)
    truth = replace(play.truth, is_reconstructable=False)
    return replace(play, declares=f"declare {Declaration.WRONG_ORDER}", truth=truth)


def _bank_before_the_last_seat(entry: Mapping[str, Any]) -> Play:
    """In the second lap the bank gets its card before seat 3."""
    steps, index = clean(entry), reached(entry["game"], "during-the-deal") + 6

    def bank(model: FeltModel) -> None:
        model.draw("house").is_seen = entry["seen"]
        model.wait()

    steps[index], steps[index + 1] = bank, steps[index]
    truth = Truth(is_seen=entry["seen"], spot="house", too_few=_THREE)
    return Play(steps, index, f"declare {Declaration.WRONG_ORDER}", truth)


def _between_folded(entry: Mapping[str, Any]) -> Play | None:
    """Seats 2 and 3 have each other's card, and both have folded: they decide last."""
    play = deal_plays.swapped(entry)
    declares = f"declare {Declaration.WRONG_ORDER} {_TWO} {_THREE}"
    if entry["noticed"] == "while-a-decision-is-pending":
        # They decide before seat 1, which is still asked.
        decides = reached(entry["game"], "flop-out")
        chosen = [Step(f"press {line}", "") for line in (_TWO, "fold", _THREE, "fold")]
        return replace(play, steps=[*play.steps[:decides], *chosen], declares=declares, until=decides + len(chosen))
    for seat in (2, 3):
        folding(entry["game"], play.steps, seat)
    return replace(play, declares=declares)


def _from_a_wrong_button(entry: Mapping[str, Any]) -> Play:
    """The deal begins left of seat 1, as if the button lay there."""
    steps, begins = clean(entry), reached(entry["game"], "during-the-deal")
    for nth in range(6):
        steps[begins + nth] = Step(f"deal {(_TWO, _THREE, _ONE)[nth % 3]}", "")
    # THL-MIS-6: a reader only sees that the first card lies at another seat; that it is the marker, people say.
    declares, truth = f"declare {Declaration.WRONG_BUTTON} {_ONE}", Truth(is_seen=entry["seen"])
    return Play(steps, begins, declares, truth, is_said_first=True)


def after_the_award(entry: Mapping[str, Any]) -> Play:
    """The fault was made in the deal, and nobody noticed it before the pot was delivered."""
    is_order = entry["fault"] == "swapped-order"
    play = (deal_plays.swapped if is_order else deal_plays.to_another_seat)(entry)
    # Each of the two has as many cards as he should: the hand stands.
    return replace(play, declares=claim_of(entry["game"]), is_old=True, truth=replace(play.truth, stands=is_order))


PLAYS: Final[Plays] = {
    **{
        (fault, "seat", how): _two_seen
        for fault in ("face-up", "turned")
        for how in ("second-card-of-the-hand", "two-cards")
    },
    **{("face-up", place, "second-card-of-the-hand"): _second_in_a_row for place in ("board", "burn")},
    **{(fault, "seat", "told-after-the-first-burn"): deal_plays.exposed for fault in ("face-up", "turned")},
    ("face-up", "burn", "card-exposed-at-the-cut"): _at_the_cut,
    **{("turned", "seat", how): _turned_later for how in ("by-the-player", "by-the-croupier-after-the-deal")},
    **{("turned", "bank", how): _bank_seen for how in ("after-all-decided", "shown-early-told-late")},
    ("turned", "bank", "at-the-reveal"): _no_fault,
    ("turned", "seat", "fell-off-the-table"): _fell,
    ("moved-and-back", "bank", "seen-on-its-way"): _bank_seen,
    **{
        ("one-too-many", "seat", how): deal_plays.one_too_many
        for how in ("card-came-later", "drawn-before-no-va-mas", "drawn-before-the-blinds", "further-cards-drawn")
    },
    ("one-too-many", "seat", "not-seen-first-then-looked"): _looked_after_all,
    ("one-too-many", "board", "two-or-more-too-early"): _two_too_early,
    ("one-too-many", "board", "before-txb-was-settled"): _before_the_side_bet,
    ("one-too-few", "seat", "seat-skipped"): _skipped,
    ("one-too-few", "bank", "first-lap"): _bank_skipped,
    ("wrong-seat", "bank", "bank-left-and-right-swapped"): _bank_swapped,
    ("one-too-few", "seat", "blind-poster-without-cards"): _no_cards,
    ("one-too-few", "seat", "taken-off-the-table"): _off_the_table,
    ("one-too-few", "board", "two-flop-cards"): _two_flop_cards,
    ("double-burn", "burn", "although-the-exposed-card-is-the-burn"): _burn_after_an_exchange,
    ("forgotten-burn", "burn", ""): _no_fault,
    ("wrong-seat", "seat", "card-to-an-empty-seat"): _at_an_empty_seat,
    ("wrong-seat", "seat", "carried-after-the-deal"): _carried,
    ("wrong-seat", "seat", "one-of-the-two-has-folded"): _one_has_folded,
    **{
        ("wrong-seat", "board", how): _on_another_spot
        for how in ("flop-card-on-the-burn-spot", "turn-or-river-on-a-wrong-spot")
    },
    ("wrong-seat", "bank", "bank-card-on-another-spot"): _bank_on_another_spot,
    ("wrong-seat", "bank", "card-of-a-seat-at-the-bank"): _seat_card_at_the_bank,
    ("wrong-seat", "burn", "burn-card-at-a-seat"): _burn_at_a_seat,
    ("moved-and-back", "burn", "to-a-seat-longer-than-dwell-time"): _burn_at_a_seat,
    ("moved-and-back", "seat", "seen-at-the-other-seat"): _seen_elsewhere,
    ("moved-and-back", "seat", "away-when-the-first-entry-arrives"): _away_for_the_entry,
    **{(fault, "seat", "not-reconstructable"): _not_reconstructable for fault in ("wrong-seat", "swapped-order")},
    ("swapped-order", "bank", "bank-before-the-last-seat"): _bank_before_the_last_seat,
    ("swapped-order", "seat", "between-two-folded-hands"): _between_folded,
    ("swapped-order", "seat", "dealt-from-a-wrong-button"): _from_a_wrong_button,
    ("double-burn", "burn", "although-the-redealt-street-has-none"): _burn_after_a_redeal,
    **{(fault, "seat", "found-after-the-award"): after_the_award for fault in ("wrong-seat", "swapped-order")},
}
