"""Hand histories that we read, played in PokerKit, and paid by our own pots."""

from __future__ import annotations

from typing import Final, assert_never

from pokerkit import Automation, BettingStructure, FixedLimitTexasHoldem, Mode, NoLimitTexasHoldem, State

from tablectl.core.settlement.pot_rules import OddChip, PotRules
from tablectl.core.settlement.pots import Stake, settle
from tablectl.core.settlement.ranking import Strength, strength
from tablectl.phh.actions import BetOrRaise, BoardDealt, Cards, CheckOrCall, Fold, HoleDealt, Muck, Show, Written
from tablectl.phh.hand import Hand, Variant

_AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
#: What stands for a stack that nobody knows.
DEEP: Final = 10**12


class _PotLimitTexasHoldem(NoLimitTexasHoldem):
    """PokerKit has no class for it; the rule of the limit is its own."""

    betting_structure = BettingStructure.POT_LIMIT


def stacks_of(hand: Hand) -> tuple[int, ...]:
    return tuple(DEEP if stack is None else stack for stack in hand.starting_stacks)


def by_pokerkit(hand: Hand) -> State:
    """The hand played action by action; PokerKit refuses what is not legal."""
    state = _begun(hand)
    for action in hand.actions:
        while state.can_burn_card("??"):
            state.burn_card("??")
        _play(action, state)
    return state


def _begun(hand: Hand) -> State:
    players, stacks = len(hand.starting_stacks), stacks_of(hand)
    if hand.variant is Variant.FIXED_LIMIT:
        assert hand.small_bet is not None
        assert hand.big_bet is not None
        return FixedLimitTexasHoldem.create_state(
            _AUTOMATIONS, hand.ante_trimming, hand.antes, hand.blinds_or_straddles, hand.small_bet, hand.big_bet,
            stacks, players, mode=Mode.CASH_GAME,
        )  # fmt: skip
    assert hand.min_bet is not None
    game = NoLimitTexasHoldem if hand.variant is Variant.NO_LIMIT else _PotLimitTexasHoldem
    return game.create_state(
        _AUTOMATIONS, hand.ante_trimming, hand.antes, hand.blinds_or_straddles, hand.min_bet, stacks, players,
        mode=Mode.CASH_GAME,
    )  # fmt: skip


def _play(action: Written, state: State) -> None:
    match action:
        case HoleDealt(player=player, cards=cards):
            assert state.hole_dealee_index == player - 1
            state.deal_hole(text(cards))
        case BoardDealt(cards=cards):
            state.deal_board(text(cards))
        case Show(player=player, cards=cards):
            state.show_or_muck_hole_cards(True if cards is None else text(cards), player - 1)
        case Muck(player=player):
            state.show_or_muck_hole_cards(False, player - 1)
        case Fold(player=player) | CheckOrCall(player=player) | BetOrRaise(player=player):
            assert state.actor_index == player - 1, action
            _act(action, state)
        case _:
            assert_never(action)


def _act(action: Fold | CheckOrCall | BetOrRaise, state: State) -> None:
    match action:
        case Fold():
            state.fold()
        case CheckOrCall():
            state.check_or_call()
        case BetOrRaise(to=amount):
            state.complete_bet_or_raise_to(amount)


def text(cards: Cards) -> str:
    return "".join("??" if card is None else card.code for card in cards)


def by_our_pots(hand: Hand) -> tuple[int, ...]:
    """The stacks at the end, if every action is taken for legal: what each put in, paid under open-holdem's rules.

    Who mucked counts as folded; the button is the last player's. Uniform antes are bets, others are dead money.
    """
    stacks = stacks_of(hand)
    antes = [min(ante, stack) for ante, stack in zip(hand.posted_antes, stacks, strict=True)]
    uniform = len(set(hand.posted_antes)) == 1
    bets = [min(blind, stack - ante) for blind, stack, ante in zip(hand.posted_blinds, stacks, antes, strict=True)]
    before = [0] * len(stacks)
    out: set[int] = set()
    for action in hand.actions:
        match action:
            case BoardDealt():
                before = [was + now for was, now in zip(before, bets, strict=True)]
                bets = [0] * len(stacks)
            case Fold(player=player) | Muck(player=player):
                out.add(player)
            case CheckOrCall(player=player):
                left = stacks[player - 1] - antes[player - 1] - before[player - 1]
                # a blind that its player could not pay in full has to be matched in full all the same
                due = max(*bets, *(() if any(before) else hand.posted_blinds))
                bets[player - 1] = min(due, left)
            case BetOrRaise(player=player, to=amount):
                bets[player - 1] = amount
            case HoleDealt() | Show():
                pass
            case _:
                assert_never(action)
    stakes = [
        Stake(
            seat=player,
            bets=was + now + (ante if uniform else 0),
            dead=0 if uniform else ante,
            folded=player in out,
            strength=_strength(hand, player),
        )
        for player, (was, now, ante) in enumerate(zip(before, bets, antes, strict=True), start=1)
    ]
    settled = settle(
        stakes, button=len(stakes), last_aggressor=None, smallest_chip=1, rules=PotRules(odd_chip=OddChip.CLOCKWISE)
    )
    return tuple(stack + net.amount for stack, net in zip(stacks, settled.nets, strict=True))


def _strength(hand: Hand, player: int) -> Strength | None:
    cards = [card for card in (*hand.board, *hand.hole_cards(player)) if card is not None]
    return strength(cards) if len(cards) == 7 else None
