"""One hand history played again by the engine, action by action, as facts that a table could have sent.

Every action must be legal, whoever acted must be the one whose turn it is, and the stacks at the end those that the
file names. Players sit at seats in the order of the deal. What a file tells otherwise than a table does:

- A table deals one card at a time in two laps, and so the hole cards of a file are dealt before its first action.
- Hands are shown once the last common card lies there, those too that all-in players turned up before. Who shows before
  his turn is chosen by the croupier, who may do that.
- Cards that the file does not tell are cards that no reader could read, which the engine plays on with for as long as
  nobody has to know them: of hands that were folded, or given up at the showdown. Any other cards in their place would
  be a guess. A hand that was given up when no other was left wins the pot, and is shown (THL-SDN-5).
- Antes are dead money of the main pot, which these games have not: each player sits down with so much less, and who
  wins the main pot shares them as he shares that.
- Where only one player has chips left and has matched everything, nobody speaks any more (THL-END-1); files have him
  check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.core.cards import DECK, Card
from tablectl.core.engine.decisions import Awarded, Decision, Refused
from tablectl.core.engine.facts import Acted, ButtonPlaced, Drawn, Fact, Pressed, Shuffled, Stacked
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Action, Key, Refusal
from tablectl.core.settlement.pots import Stake
from tablectl.core.settlement.pots import settle as settle_pots
from tablectl.core.settlement.ranking import Strength
from tablectl.families.pots.awards import last_bettor
from tablectl.families.pots.showdown import next_to_show
from tablectl.families.pots.state import PotGameState
from tablectl.phh.actions import BetOrRaise, BoardDealt, CheckOrCall, Fold, HoleDealt, Muck, Show
from tablectl.phh.hand import HOLE_CARDS, Hand
from tablectl.phh.outcome import Ending, Replayed, Stopped, money

_NEW_HAND: Final = Pressed(at_us=0, key=Key.NEW_HAND)
_NO_MORE_BETS: Final = Pressed(at_us=0, key=Key.NO_MORE_BETS)
_SHOW: Final = Pressed(at_us=0, key=Key.SHOW)
_MUCK: Final = Pressed(at_us=0, key=Key.FOLD)
_CONFIRM: Final = Pressed(at_us=0, key=Key.CONFIRM)
#: The fact that a card was drawn; None is one that no reader could read.
_DRAWN: Final[Mapping[Card | None, Drawn]] = {card: Drawn(at_us=0, card=card) for card in (None, *DECK)}
_SHUFFLED: Final = Shuffled(at_us=0, cards=52)
#: A strength that all winners of a pot have.
_EQUAL: Final = Strength(1)


class Play:
    """One hand at one table. Whatever is different ends it, since the rest would follow from that: `Stopped`."""

    def __init__(self, table: Table, hand: Hand, first_seat: int) -> None:
        """`table`: between two hands, with as many players as the hand has. The first one of the file sits at
        `first_seat`, the others to his left."""
        assert isinstance(table.state, PotGameState), "hand histories are of games between players"
        self._table, self._hand, self._state = table, hand, table.state
        self._before = first_seat - 1
        self._shows: list[Show | Muck] = []
        self._antes = hand.posted_antes
        self._dead = sum(self._antes)
        #: what followed from the fact that was told last
        self._decisions: tuple[Decision, ...] = ()

    def whole(self) -> Replayed:
        """From the chips before the players to those they have afterwards. Raises `Stopped`."""
        self._begin()
        for action in self._hand.actions:
            _PLAYED[type(action)](self, action)
        self._show_down()
        return self._ended()

    # --- as it goes ---------------------------------------------------------------------------------------------------

    def _tell(self, fact: Fact) -> tuple[Decision, ...]:
        self._decisions = self._table.apply(fact)
        return self._decisions

    def _tell_or_stop(self, fact: Fact, what: str) -> None:
        """What is refused is a difference."""
        for refused in self._tell(fact):
            if type(refused) is Refused:
                raise Stopped(Ending.DIFFERS, f"{what}: {_why(refused)}")

    def _begin(self) -> None:
        """Chips, button, blinds, and two cards to everybody."""
        hand, table, before = self._hand, self._table, self._before
        for player, (stack, ante) in enumerate(zip(hand.starting_stacks, self._antes, strict=True), start=1):
            if stack is not None:
                table.apply(Stacked(at_us=0, seat=player + before, amount=stack - ante))
        if not before:
            table.apply(ButtonPlaced(at_us=0, seat=len(hand.starting_stacks)))
        if table.state.rulebook.errors.shuffle_first is not None:
            table.apply(_SHUFFLED)
        self._tell_or_stop(_NEW_HAND, "the hand cannot begin")
        self._tell_or_stop(_NO_MORE_BETS, "the blinds cannot be posted")
        hole = hand.all_hole_cards()
        order = table.state.order
        for lap in range(HOLE_CARDS):
            for seat in order:
                table.apply(_DRAWN[hole[seat - before - 1][lap]])

    def _fold(self, action: Fold) -> None:
        seat = action.player + self._before
        if self._is_his_turn(action, seat):
            self._act(action, Acted(at_us=0, action=Action.FOLD, seat=seat))

    def _check_or_call(self, action: CheckOrCall) -> None:
        seat, rounds = action.player + self._before, self._state.rounds
        assert rounds is not None, "the blinds were posted"
        if self._is_his_turn(action, seat):
            is_check = rounds.stake(seat) == rounds.high
            self._act(action, Acted(at_us=0, action=Action.CHECK if is_check else Action.CALL, seat=seat))

    def _bet_or_raise(self, action: BetOrRaise) -> None:
        seat = action.player + self._before
        if self._is_his_turn(action, seat):
            self._act(action, Acted(at_us=0, action=Action.RAISE, seat=seat, to=action.to))

    def _is_his_turn(self, action: Fold | CheckOrCall | BetOrRaise, seat: int) -> bool:
        """False where he checks although nobody is asked any more. Raises `Stopped` where it is another one's turn."""
        turn = self._state.turn
        if turn == seat:
            return True
        if turn is not None:
            clause = self._table.state.rulebook.errors.out_of_turn
            said = f"{self._said(action)}: turn of {self._player(turn)}: not-in-turn ({clause})"
        elif type(action) is CheckOrCall and self._is_last_with_chips(seat):
            return False
        else:
            said = f"{self._said(action)}: nobody can act now"
        raise Stopped(Ending.DIFFERS, said, action.at)

    def _act(self, action: Fold | CheckOrCall | BetOrRaise, fact: Acted) -> None:
        for refused in self._tell(fact):
            if type(refused) is Refused:
                turn = self._player(self._state.turn)
                raise Stopped(Ending.DIFFERS, f"{self._said(action)}: turn of {turn}: {_why(refused)}", action.at)

    def _is_last_with_chips(self, seat: int) -> bool:
        """Whether nobody but this seat could bet any more, with others who are all-in, so that it is not asked."""
        state, rounds = self._state, self._state.rounds
        assert rounds is not None, "the blinds were posted"
        is_able = seat in state.staying and not rounds.is_all_in(seat)
        return is_able and rounds.no_more_betting and not state.is_one_left

    def _board(self, action: BoardDealt) -> None:
        state = self._table.state
        for card in action.cards:
            while (due := state.deal.due) is not None and due.spot == "burn":
                self._tell(_DRAWN[None])
            if state.machine.phase.kind is not Kind.DEALING:
                turn = self._player(self._state.turn)
                raise Stopped(Ending.DIFFERS, f"a common card is dealt, and it is the turn of {turn}", action.at)
            if card is None:
                raise Stopped(Ending.UNFINISHED, "a common card is not told", action.at)
            self._tell(_DRAWN[card])

    def _shown(self, action: Show | Muck) -> None:
        """Once the last common card lies there."""
        self._shows.append(action)

    def _dealt(self, action: HoleDealt) -> None:
        """That was done at the beginning."""

    def _show_down(self) -> None:
        """In the order of the file."""
        state = self._state
        for shown in self._shows:
            seat = shown.player + self._before
            if self._table.state.machine.phase.kind is not Kind.REVEALING or seat not in state.to_show:
                continue  # who has no part in the showdown may show what he had
            if next_to_show(state) != seat:
                self._table.apply(Pressed(at_us=0, key=SEAT_KEYS[seat - 1]))
            is_last = len(self._table.state.staying) == 1
            self._tell(_SHOW if type(shown) is Show or is_last else _MUCK)

    # --- how it ends --------------------------------------------------------------------------------------------------

    def _ended(self) -> Replayed:
        state, hand = self._table.state, self._hand
        if state.unnamed:
            raise Stopped(Ending.UNFINISHED, "cards that were shown are not told")
        if state.machine.phase.kind is not Kind.SETTLING or state.held:
            raise Stopped(*self._why_no_end())
        shares = self._shares_of_antes() if self._dead else {}
        self._tell_or_stop(_CONFIRM, "the pot cannot be delivered")
        chips = self._state.stacks
        stacks = tuple(
            None if stack is None else chips[seat] + shares.get(seat, 0)
            for seat, stack in enumerate(hand.starting_stacks, start=self._before + 1)
        )
        named = hand.finishing_stacks
        if not named or named == stacks:
            return Replayed(ending=Ending.SAME, stacks=stacks)
        what = tuple(
            f"finishing_stacks[{player}]: {self._money(wanted)} in the file, {self._money(found)} here"
            for player, (wanted, found) in enumerate(zip(named, stacks, strict=True), start=1)
            if found is not None and wanted != found
        )
        return Replayed(ending=Ending.DIFFERS if what else Ending.SAME, what=what, stacks=stacks)

    def _why_no_end(self) -> tuple[Ending, str]:
        """A file that stops is no difference, unless it says how the hand ended."""
        state = self._table.state
        if state.held:
            return Ending.DIFFERS, "the engine asks for the pit boss"
        kind = state.machine.phase.kind
        if kind is Kind.DECIDING:
            missing = f"it is the turn of {self._player(self._state.turn)}"
        elif kind is Kind.REVEALING:
            missing = f"{self._player(next_to_show(self._state))} has to show or to give up"
        else:
            missing = "common cards are to come"
        ending = Ending.UNFINISHED if self._hand.finishing_stacks is None else Ending.DIFFERS
        return ending, f"the actions end, and {missing}"

    def _shares_of_antes(self) -> dict[int, int]:
        """What each winner of the main pot gets of the antes: of both together as of the pot, less the pot's part."""
        state = self._state
        # They follow from the fact that ended the hand, and none was told since.
        main = [decision for decision in self._decisions if type(decision) is Awarded and decision.pot == 1]
        won = {awarded.seat: awarded.amount or 0 for awarded in main} or dict.fromkeys(state.staying, 0)
        settled = settle_pots(
            [Stake(seat=seat, bets=0, strength=_EQUAL) for seat in won],
            button=state.button or 0,
            last_aggressor=last_bettor(state),
            smallest_chip=state.setup.chip,
            rules=state.rulebook.pots,
            carried=self._dead + sum(won.values()),
        )
        return {net.seat: net.amount - won[net.seat] for net in settled.nets}

    def _player(self, seat: int | None) -> str:
        return "nobody" if seat is None else f"p{seat - self._before}"

    def _said(self, action: Fold | CheckOrCall | BetOrRaise) -> str:
        """The action in the notation of the file."""
        match action:
            case Fold():
                return f"p{action.player} f"
            case CheckOrCall():
                return f"p{action.player} cc"
            case BetOrRaise():
                return f"p{action.player} cbr {self._money(action.to)}"

    def _money(self, amount: int) -> str:
        return money(amount, self._hand.decimals)


_PLAYED: Final[Mapping[type, Callable[[Play, Any], None]]] = {
    Fold: Play._fold,
    CheckOrCall: Play._check_or_call,
    BetOrRaise: Play._bet_or_raise,
    BoardDealt: Play._board,
    Show: Play._shown,
    Muck: Play._shown,
    HoleDealt: Play._dealt,
}


def _why(refused: Refused) -> str:
    clause = f" ({refused.clause})" if refused.clause else ""
    # Of an illegal action it is the action and what would be legal; else only whose turn it is, by his seat.
    _, _, legal = refused.detail.partition(" ")
    detail = f": legal: {legal}" if refused.why is Refusal.ILLEGAL_ACTION else ""
    return f"{refused.why}{clause}{detail}"
