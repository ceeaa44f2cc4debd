"""The demo's players at five-card draw, and their cards: openings, how many each one changes, new stubs, kept cards.

Which of his cards a player puts away only he knows where a shoe alone reads them; where they really are the simulated
world knows, and no card is in two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from simulators.devices.world import AWAY, SHOE, PhysicalCard
from simulators.stage.circle import CircleTable
from simulators.stage.fault_plan import Level
from simulators.stage.hands import LAID_S, Hands
from simulators.stage.players import Players, Temper
from simulators.stage.stage import Scene
from tablectl.core.cards import card
from tablectl.core.engine.prompt import Instruction, Legal
from tablectl.core.engine.vocabulary import SEAT_KEYS, Equipment, Key
from tablectl.core.settlement.ranking import CARDS_IN_A_HAND, strength
from tablectl.games.registry import RULEBOOKS

_RANKS: Final = "23456789TJQKA"
#: The weakest hand that may open (FCD-OPN-5).
_OPENERS: Final = strength([card(code) for code in ("Jc", "Jd", "4s", "3h", "2c")])
#: How often a player who may open does, and one who may not tries where people make mistakes.
_OPENS: Final = 0.75
_OPENS_FALSELY: Final = 0.02
#: How often everybody after him passes in one press.
_ALL_PASS: Final = 0.05
#: So many cards of one suit, or of a pair and more, are worth keeping.
_OF_A_FLUSH: Final = 4
_HOPELESS_KEEPS: Final = 2
_DISCARD: Final = "discard"


class DrawTable(CircleTable):
    """What the croupier does there beside what he does in every circle game."""

    def __init__(
        self, hands: Hands, players: Players, scene: Scene, *, seed: int, temper: Temper, level: Level
    ) -> None:
        super().__init__(hands, players, scene, seed=seed, temper=temper, level=level)
        self._resto, self._chip = scene.resto, scene.chip
        self._phases = RULEBOOKS[scene.rulebook](scene.profile).phases
        self.does = {
            **self.does,
            Instruction.OFFER_CUT: lambda: hands.press(Key.CONFIRM),
            Instruction.POST_ANTES: lambda: hands.press(Key.NO_MORE_BETS),
            Instruction.ASK_CARDS: self._how_many,
            Instruction.PUT_AWAY: self._put_away,
        }
        self._begin()

    def _begin(self) -> None:
        #: what each player wants to put away, what he has put away, and what went into a new stub: by number of draw
        self._wants: dict[int, list[int]] = {}
        self._gone: dict[int, list[int]] = {}
        self._named: set[str] = set()
        self._stubs = 0

    def before_a_hand(self) -> None:
        """Nothing lies among the discards."""
        self._begin()
        super().before_a_hand()

    def _needs_chips(self, seat: int) -> bool:
        return super()._needs_chips(seat) or seat not in self._felt.begun

    def _buys(self, seat: int) -> int:
        """Everybody begins with the same resto, and fills up to it again (FCD-RST-3, -6); who comes later has what the
        others have on average, in whole chips (FCD-RST-11)."""
        felt = self._felt
        others = [felt.stacks.get(number, 0) for number in felt.begun]
        if seat in felt.begun or all(chips == self._resto for chips in others):
            return self._resto
        average = sum(others) // len(others)
        return max(average - average % self._chip, self._chip)

    # -- cards ---------------------------------------------------------------------------------------------------------

    def held(self, seat: int) -> list[int]:
        """The draws that a player has in his hand."""
        gone = self._gone.get(seat, [])
        dealt = self._felt.dealt_to(seat)
        return [draw for draw in dealt if draw not in gone and 0 < draw <= len(self._hands.cards)]

    def _cards(self, draws: Iterable[int]) -> list[PhysicalCard]:
        return [self._hands.cards[draw - 1] for draw in draws]

    def go_on(self) -> None:
        """Whoever has changed cards put away those that lie among the discards; where nobody moved a card, what a
        sensible player would have."""
        world = self._hands.stage.world
        for seat, player in self._felt.table.circle.players.items():
            changed, held = player.changes or 0, self.held(seat)
            if self._gone.get(seat) or not changed or len(held) <= CARDS_IN_A_HAND - changed:
                continue
            old = held[:CARDS_IN_A_HAND]
            moved = [draw for draw in old if world.where(self._hands.cards[draw - 1]) == _DISCARD]
            sensible = useless(dict(zip(old, self._cards(old), strict=True)))
            self._gone[seat] = list(dict.fromkeys([*moved, *sensible, *reversed(old)]))[:changed]

    def keep_up(self) -> None:
        """A new stub is made when the table says so: these discards and whatever has no place are shuffled into it."""
        felt, hands = self._felt, self._hands
        for said in felt.stubs[self._stubs :]:
            draws = [draw for seat in said.seats for draw in self._gone.get(seat, [])]
            draws += [draw for draw in range(1, len(hands.cards) + 1) if draw not in felt.lies]
            hands.reshuffle(draws, self._dice.getrandbits(31))
        self._stubs = len(felt.stubs)

    # -- openings ------------------------------------------------------------------------------------------------------

    def _wants_to_bet(self, legal: Legal) -> bool:
        """In the first round a player looks at his cards first."""
        if not self._is_first_round() or not legal.is_bet:
            return super()._wants_to_bet(legal)
        falsely = 0.0 if self._level is Level.NONE else _OPENS_FALSELY
        return self._dice.random() < (_OPENS if self._may_open(legal.seat) else falsely)

    def _is_first_round(self) -> bool:
        phase = self._phases.get(self._felt.phase)
        return phase is not None and phase.round == 0

    def _may_open(self, seat: int) -> bool:
        faces = {physical_card.face for physical_card in self._cards(self.held(seat))}
        return len(faces) == CARDS_IN_A_HAND and strength(map(card, faces)) >= _OPENERS

    def _all_check(self) -> bool:
        if self._is_first_round():
            return self._dice.random() < _ALL_PASS
        return super()._all_check()

    def _close_round(self) -> None:
        """Only rounds are entered: now and then nobody opens."""
        if Key.ALL_CHECK in self._felt.keys and self._dice.random() < _ALL_PASS:
            self._hands.press(Key.ALL_CHECK)
        else:
            super()._close_round()

    # -- the draw ------------------------------------------------------------------------------------------------------

    def _seat_asked(self) -> int:
        return int(self._felt.prompt.about.removeprefix("seat-"))

    def _how_many(self) -> None:
        seat, felt = self._seat_asked(), self._felt
        most = sum(key in felt.keys for key in SEAT_KEYS)
        wants = useless(dict(zip(draws := self.held(seat), self._cards(draws), strict=True)))[:most]
        self._wants[seat] = wants
        self._hands.press(SEAT_KEYS[len(wants) - 1] if wants else Key.CHECK)

    def _put_away(self) -> None:
        """As many as the table heard, if that was another number; readers see them, or the croupier says it."""
        seat, hands = self._seat_asked(), self._hands
        asked = self._felt.prompt.cards
        held = self.held(seat)
        first = [draw for draw in self._wants.get(seat, []) if draw in held]
        gone = [*first, *(draw for draw in reversed(held) if draw not in first)][:asked]
        if self._hands.stage.scene.equipment is Equipment.SHOE:
            self._gone.setdefault(seat, []).extend(gone)
            hands.press(Key.CONFIRM)
            return
        there = [
            physical_card
            for physical_card in self._cards(gone)
            if hands.stage.world.where(physical_card) not in (_DISCARD, AWAY, SHOE)
        ]
        for physical_card in there:
            hands.stage.world.put(physical_card, _DISCARD)
        self._gone.setdefault(seat, []).extend(gone)
        # The last one that a reader sees there is all that the table waits for.
        hands.look(lambda _: self._felt.prompt.instruction != Instruction.PUT_AWAY, patience_s=len(there) * LAID_S)
        if self._felt.prompt.instruction == Instruction.PUT_AWAY and Key.CONFIRM in self._felt.keys:
            hands.press(Key.CONFIRM)

    # -- the showdown --------------------------------------------------------------------------------------------------

    def name_card(self, faces: Callable[[str], list[str]]) -> None:
        """A card that nobody read, or one of those that a player kept: he shows them, and the croupier says which they
        are. One that the table knows to lie elsewhere is not named twice."""
        felt, hands = self._felt, self._hands
        slot = felt.prompt.about
        seat = int(slot.partition(".")[0].removeprefix("seat-"))
        own = [physical_card.face for physical_card in self._cards(self.held(seat))]
        # A new card lies where it was laid; the others in any order.
        new = faces(slot) if felt.draw_at.get(slot, 0) > felt.dealt else []
        rest = [physical_card.face for physical_card in hands.cards]
        for face in dict.fromkeys([*new, *own, *rest]):
            if face in self._named:
                continue
            self._named.add(face)
            hands.enter(f"name {slot} {face} by croupier")
            if felt.prompt.about != slot or felt.prompt.instruction != Instruction.NAME_CARD:
                return


def useless(hand: dict[int, PhysicalCard]) -> list[int]:
    """What a sensible player puts away: nothing of a straight or better, all beside pairs, the fifth of four of a suit,
    and of a hopeless hand all but the two highest. By number of draw."""
    faces = {draw: physical_card.face for draw, physical_card in hand.items()}
    if len(set(faces.values())) != CARDS_IN_A_HAND:
        return []
    ranks, suits = Counter(face[0] for face in faces.values()), Counter(face[1] for face in faces.values())
    if len(ranks) < CARDS_IN_A_HAND:
        return [draw for draw, face in faces.items() if ranks[face[0]] == 1]
    suit, number = suits.most_common(1)[0]
    if number >= _OF_A_FLUSH:
        return [draw for draw, face in faces.items() if face[1] != suit]
    places = sorted(_RANKS.index(rank) for rank in ranks)
    if places[-1] - places[0] == CARDS_IN_A_HAND - 1:
        return []
    by_height = sorted(faces, key=lambda draw: _RANKS.index(faces[draw][0]), reverse=True)
    return by_height[_HOPELESS_KEEPS:]
