"""The demo's croupier does what the prompt says, in whichever game; errs as planned; and has players and a pit boss.

They know what people know: the public records, and the cards in their own hands. What they do goes over the wires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from simulators.devices.world import PhysicalCard
from simulators.stage.chip_ledger import ChipLedger
from simulators.stage.circle import CircleTable
from simulators.stage.dealing import Dealing
from simulators.stage.draw import DrawTable
from simulators.stage.fault_injection import FaultInjection
from simulators.stage.fault_plan import NOTHING_PLANNED, Level, plan_of
from simulators.stage.felt import Felt
from simulators.stage.games import changes_cards, possible, table_of
from simulators.stage.hands import Hands, Stuck
from simulators.stage.pit_boss import PitBoss
from simulators.stage.players import Players, Temper
from simulators.stage.stage import Stage
from tablectl.core.engine.facts import Gone
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import SEAT_KEYS, SEAT_OF, Key, Tracking
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.families.pots.rulebook import PotRulebook
from tablectl.games.registry import RULEBOOKS

#: A hand of the demo's croupier never needs so many actions: whoever gets there is stuck.
ACTIONS_MAX: Final = 400
#: Who he says that he is.
NAME: Final = "ana"
#: How long he looks at what a person does before he lays what was drawn, in seconds.
_LOOK_S: Final = 0.1
_FLOP: Final = ("board.1", "board.2", "board.3")


#: The bets that follow from another one's amount, of whichever game.
_FOLLOWING: Final = frozenset(
    name
    for make in RULEBOOKS.values()
    for book in [make({})]
    if isinstance(book, BankedRulebook)
    for name, bet in book.bets.items()
    if bet.multiple_of is not None
)


class Croupier:
    """Deals hand after hand. `pause(seconds)` is called between two actions, with a person's pace in mind. `felt`: what
    was seen of the table before. `dealing`: whether a person deals in his place; `helps_persons`: whether the
    demo's pit boss rules then, too, and somebody shuffles."""

    def __init__(
        self,
        stage: Stage,
        *,
        seed: int,
        level: Level,
        pause: Callable[[float], object],
        pit_boss_waits_s: float,
        temper: Temper = Temper.MIXED,
        felt: Felt | None = None,
        dealing: Dealing | None = None,
        helps_persons: bool = True,
    ) -> None:
        scene = stage.scene
        self._dealing = Dealing() if dealing is None else dealing
        self._helps_persons, self._persons_dealt = helps_persons, False
        self._stage = stage
        self._seed = seed
        self._level = level
        self._game = table_of(scene.rulebook)
        self._rulebook = RULEBOOKS[scene.rulebook](scene.profile)
        self._amounts = scene.tracking == Tracking.AMOUNTS
        self.felt = felt if felt is not None else Felt(ledger=ChipLedger(following=_FOLLOWING))
        self._hands = Hands(stage, self.felt, self._unhurried(pause))
        self._players = Players(
            self._rulebook, scene.bands, seats=scene.seats, seed=seed, temper=temper, is_full=self._game.is_full
        )
        self._faults = FaultInjection(
            self._hands, self._players, seed=seed, amounts=self._amounts, own_cards=self._rulebook.places.player
        )
        self._circle = (
            (DrawTable if changes_cards(self._rulebook) else CircleTable)(
                self._hands, self._players, scene, seed=seed, temper=temper, level=level
            )
            if isinstance(self._rulebook, PotRulebook)
            else None
        )
        self._pit_boss = PitBoss(self._hands, seed=seed, waits_s=pit_boss_waits_s, dealing=self._dealing)
        self._does: Mapping[str, Callable[[], None]] = {
            Instruction.SIGN_ON: lambda: self._hands.enter(f"croupier {NAME}"),
            Instruction.NEW_HAND: self._new_hand,
            Instruction.TAKE_BETS: self._take_bets,
            Instruction.DEAL: self._deal,
            Instruction.ASK_SEAT: self._ask_seat,
            Instruction.ASK_CLAIMS: self._ask_claims,
            Instruction.PAY_CLAIMS: self._confirm,
            Instruction.DECLARE: self._faults.choose,
            Instruction.REVEAL_BANK: lambda: self._hands.press(Key.BANK),
            Instruction.SETTLE: self._confirm,
            Instruction.COLLECT: self._collect,
            Instruction.NAME_CARD: self._name_card,
            Instruction.ANSWER: self._faults.answer,
            **(self._circle.does if self._circle is not None else {}),
        }
        self._forget()

    def _forget(self) -> None:
        self._choices: dict[str, dict[int, bool]] = {}
        self._claims: dict[int, bool] = {}
        self._has_bets = self._has_standing = False
        self._in_any_order = False
        self._asked: set[tuple[int, int]] = set()
        self._has_bet: frozenset[int] = frozenset()

    def _unhurried(self, pause: Callable[[float], object]) -> Callable[[float], object]:
        """Nobody who takes over waits for the pauses of the one before him."""
        return lambda seconds: None if self._dealing.is_persons else pause(seconds)

    @property
    def cards(self) -> tuple[PhysicalCard, ...]:
        """The cards of this hand, or of the last one, in the order in which they were dealt."""
        return tuple(self._hands.cards)

    def has_none(self) -> None:
        """A person put all cards back and shuffled them."""
        self._hands.cards.clear()

    def took(self, card: PhysicalCard) -> None:
        """A person who deals in his place drew this card."""
        self._hands.cards.append(card)

    # -- hands -------------------------------------------------------------------------------------------------------

    def play(self, hands: int | None) -> None:
        """So many hands in all, or for ever. Raises `Stuck`, `NoController`.

        May be called again when there is a controller again: the croupier looks at the new records and goes on.
        """
        with self._hands.at_the_table():
            actions, hand = 0, 0
            while not self._dealing.is_over and (hands is None or self.felt.hands < hands):
                actions = actions + 1 if hand == self.felt.hands and not self._dealing.is_persons else 0
                hand = self.felt.hands
                if actions > ACTIONS_MAX:
                    raise Stuck(f"hand {hand + 1}, {self.felt.phase}: {self.felt.prompt}")
                self._look_or_act()
            self._pit_boss.acknowledge()
        self._faults.join()

    def _look_or_act(self) -> None:
        """One action, if it is his to act; the pit boss is another person, whoever deals."""
        with self._dealing.motion() as is_his:
            if is_his and self._persons_dealt:
                self._go_on()
            self._persons_dealt = not is_his
            if is_his and self._acts():
                return
        if not is_his:
            self._watch()
        else:
            self._pit_boss.rule()

    def _acts(self) -> bool:
        """What the croupier does now; False where he waits for the pit boss."""
        self._pit_boss.acknowledge()
        if self._circle is not None:
            self._circle.keep_up()
        instruction = self.felt.prompt.instruction
        # Before the deal the bets come first: `_take_bets` has its own moment for what goes wrong.
        if instruction != Instruction.TAKE_BETS and self._faults.happens():
            return True
        if instruction == Instruction.WAIT_PIT_BOSS:
            return False
        self._does.get(instruction, self._hands.look)()
        return True

    # -- when a person deals -----------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """A person deals. Where he is helped, what he draws lies where the table has it, and somebody shuffles between
        two hands."""
        felt = self.felt
        if not self._helps_persons:
            self._hands.look(patience_s=_LOOK_S)
            return
        if felt.waiting:
            self._pit_boss.rule()
        elif not (felt.requests and self._pit_boss.approve()):
            self._hands.look(patience_s=_LOOK_S)
        self._hands.lay()
        if felt.prompt.instruction == Instruction.NEW_HAND and self._hands.cards:
            self._between_hands()

    def _go_on(self) -> None:
        """A person handed back: what he has entered stands, and nothing more is planned to go wrong in this hand."""
        self._forget()
        self._faults.plan(NOTHING_PLANNED)
        self._has_bet, self._has_standing = frozenset(self.felt.bets), True
        if self._circle is not None:
            self._circle.go_on()
        if self.felt.prompt.instruction == Instruction.DECLARE:
            self._hands.press(Key.CANCEL)

    def _between_hands(self) -> None:
        """The deck is shuffled, and players come and go."""
        self._hands.shuffle(hash((self._seed, self.felt.hands + 1)) & 0x7FFFFFFF)
        self._hands.cards.clear()
        if self._circle is not None:
            self._circle.before_a_hand()

    def _confirm(self) -> None:
        self._hands.press(Key.CONFIRM)

    def _collect(self) -> None:
        """The antennas, where there are any, have to see that no card is left on the felt."""
        self._hands.collect()
        self._hands.press(Key.CONFIRM)
        if self.felt.prompt.instruction == Instruction.COLLECT:
            self._hands.look(lambda record: isinstance(record.event, Gone))

    def _name_card(self) -> None:
        if self._circle is not None:
            self._circle.name_card(self._hands.faces)
            return
        slot = self.felt.prompt.about
        (face,) = self._hands.faces(slot)
        self._hands.enter(f"name {slot} {face} by croupier")

    # -- before the deal ---------------------------------------------------------------------------------------------

    def _new_hand(self) -> None:
        number = self.felt.hands + 1
        self._forget()
        self._in_any_order = self._players.in_any_order()
        self._faults.plan(
            plan_of(
                number,
                seed=self._seed,
                level=self._level,
                human_errors=possible(self._game.human_errors, has_shoe=self._stage.scene.has_shoe),
            )
        )
        self._between_hands()
        self._hands.press(Key.NEW_HAND)

    def _take_bets(self) -> None:
        felt = self.felt
        if not self._has_bets or not felt.bets:
            self._has_bets = True
            if self._amounts:
                self._take_amounts()
            else:
                self._take_seats()
        elif not self._has_standing:
            self._has_standing = True
            for said in self._players.standing_bets(sorted(felt.bets), amounts=self._amounts):
                self._hands.enter(said)
                self._hands.pause(0.3)
        elif not self._pit_boss.approve() and not self._faults.happens():
            self._hands.press(Key.NO_MORE_BETS)

    def _take_seats(self) -> None:
        """Who plays, by key; side bets again as in the hand before, or those that are new."""
        hands, felt = self._hands, self.felt
        for seat in self._players.seats:
            if seat not in felt.bets:
                hands.press(SEAT_KEYS[seat - 1])
        if Key.ALL_BET in felt.keys and not self._players.changes_bets():
            hands.press(Key.ALL_BET)
        elif Key.ALL_BET not in felt.keys and Key.BONUS in felt.keys:
            for seat in self._players.who_adds_a_side_bet():
                hands.press(Key.BONUS)
                hands.press(SEAT_KEYS[seat - 1])

    def _take_amounts(self) -> None:
        """Every chip: who is new or bets otherwise is entered, all others bet as in the hand before."""
        hands, felt, players = self._hands, self.felt, self._players
        for seat in players.seats:
            if seat not in self._has_bet and (seat not in felt.before or players.changes_bets()):
                hands.enter(f"bet {seat} {players.bets()}")
                hands.pause(0.3)
        if Key.ALL_BET in felt.keys:
            hands.press(Key.ALL_BET)
        for seat in players.seats:
            if seat not in felt.bets:
                hands.enter(f"bet {seat} {players.bets()}")

    # -- cards and decisions -----------------------------------------------------------------------------------------

    def _deal(self) -> None:
        self._faults.trouble()
        self._hands.draw()

    def _ask_seat(self) -> None:
        hands, felt = self._hands, self.felt
        may_fold = Key.FOLD in felt.keys
        choices = self._choices.setdefault(
            felt.phase, {seat: self._players.goes(self._own(seat), may_fold=may_fold) for seat in felt.staying}
        )
        turn = int(felt.prompt.about.removeprefix("seat-"))
        waiting = self._undecided()
        left = [choices.get(seat, True) for seat in waiting]
        if self._somebody_stands_out():
            return
        if (first := self._who_speaks_first(turn, [seat for seat in waiting if not choices.get(seat, True)])) != turn:
            hands.press(SEAT_KEYS[first - 1])
        elif Key.CONFIRM in felt.keys:
            hands.press(Key.CONFIRM)
        elif all(left) and len(left) > 1:
            hands.press(Key.ALL_BET)
        elif not may_fold and not any(left) and len(left) > 1:
            hands.press(Key.ALL_CHECK)
        elif choices.get(turn, True):
            hands.press(Key.BET)
        else:
            hands.press(Key.FOLD if may_fold else Key.CHECK)

    def _undecided(self) -> list[int]:
        felt, choice = self.felt, self._rulebook.phases[self.felt.phase].choice
        bet = choice.bet if choice is not None else ""
        return [seat for seat in felt.staying if seat not in felt.decided and bet not in felt.bets[seat]]

    def _who_speaks_first(self, turn: int, folding: list[int]) -> int:
        """Where decisions come in any order, those who do not go may say so first: the others are then one press."""
        is_free = any(key in self.felt.keys for key in SEAT_OF if SEAT_OF[key] != turn)
        return folding[-1] if self._in_any_order and is_free and folding and turn not in folding else turn

    def _somebody_stands_out(self) -> bool:
        """Those who stand behind a seat are asked once for their second bet."""
        for seat, bettor in sorted(self.felt.standing - self._asked):
            self._asked.add((seat, bettor))
            if self._players.stands_out():
                self._hands.enter(f"out {seat}/{bettor}")
                return True
        return False

    def _ask_claims(self) -> None:
        for key in SEAT_KEYS:
            seat = SEAT_OF[key]
            if key in self.felt.keys and seat not in self._claims:
                cards = [*self._own(seat), *self._hands.faces(*_FLOP)]
                self._claims[seat] = self._players.claims(cards)
                if self._claims[seat]:
                    self._hands.press(key)
                    return
        self._confirm()

    def _own(self, seat: int) -> list[str]:
        """A player's cards, which he and the croupier's hands know."""
        return self._hands.faces(*(slot.name for slot in self._rulebook.places.of_seat(seat)))
