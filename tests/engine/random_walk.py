"""A walk at random through hands of any game: people, cards and devices that do what can be done at this moment, and
often enough what cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import antennas
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.previews import preview, waiting
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import (
    Action,
    Declaration,
    Equipment,
    Key,
    Question,
    Remedy,
    SeatChange,
    Strange,
    Tracking,
)
from tablectl.core.options.choices import choices
from tablectl.core.settlement.pot_rules import Rake, RakeFrom
from tablectl.families.banked.state import BankedState
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import CIRCLE_GAMES, PROFILES, rulebook_of, trackings
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import fact_line, parse_fact
from tests.engine.accounts import Accounts
from tests.engine.tables import LIMITS, fingerprint, fresh_card, next_fact, on_the_felt
from tests.families.draw.tables import next_of
from tests.families.pots.any_order import onward, ordinary

GAMES: Final = ("texas-poker", "texas-bonus", "circle-holdem", "open-holdem", "draw-poker")
_CIRCLE_LIMITS: Final = {"bet": f.Limits(least=200, most=100_000)}
_ANTE: Final = {"ante": f.Limits(least=50, most=50)}
_FEES: Final = (
    Rake(rate=500, taken_from=RakeFrom.EACH_POT, cap=1_000),
    Rake(rate=1_000, taken_from=RakeFrom.WHOLE_HAND, cap=100_000),
)
_STACKS: Final = (150, 900, 5_000, 20_000)
#: A good player needs no more steps than this to end a hand.
_MOST: Final = 600
_CARD: Final = re.compile(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])")

Maker: TypeAlias = Callable[["Walk"], f.Fact]


def setup_of(random: Random, rulebook: str) -> f.Setup:
    """A table of this game, with choices of the house at random."""
    is_circle = rulebook in CIRCLE_GAMES
    keys = choices(PROFILES[rulebook])
    least = {**_CIRCLE_LIMITS, **(_ANTE if rulebook == "draw-poker" else {})} if is_circle else LIMITS
    profile = {key: random.choice(choice.values) for key, choice in keys.items() if random.random() < 0.5}
    fee = random.choice(_FEES)
    return f.Setup(
        table="t",
        rulebook=rulebook,
        seats=10 if is_circle else random.choice([3, 1, 9]),
        tracking=random.choice([*trackings(rulebook), Tracking.AMOUNTS]),
        limits=least,
        profile=profile,
        fee=fee if profile.get("fee") == "from-the-pot" else None,
        equipment=random.choice(list(Equipment)),
        chip=50 if is_circle else 1,
        staff=random.random() < 0.3,
    )


def opened(random: Random, setup: f.Setup) -> Table:
    """The table before the walk, with people at it where the game needs them."""
    table = Table(setup, rulebook_of)
    if setup.rulebook in CIRCLE_GAMES:
        seats = sorted(random.sample(range(1, 11), random.choice([2, 3, 3, 4, 6, 10])))
        table.seat_players(tuple(seats))
        if setup.tracking is Tracking.AMOUNTS:
            for seat in seats:
                table.apply(f.Stacked(at_us=0, seat=seat, amount=random.choice(_STACKS)))
    return Table.resume(table.carry(), rulebook_of)


class Checked:
    """A table, all that it was told, and what must hold after every fact."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.begins = table.carry()
        self.facts: list[f.Fact] = []
        self.decisions: list[tuple[d.Decision, ...]] = []
        self.accounts = Accounts()

    def tell(self, fact: f.Fact, *, is_tried: bool = False) -> tuple[d.Decision, ...]:
        """`is_tried`: a copy of the table is told the same first, and must come to the same."""
        self.facts.append(fact)
        table, chips = self.table, chips_of(self.table)
        # What a reader says of a card that was put right the table alone knows to mean another one.
        is_step = not isinstance(fact, f.Corrected | f.Seen | f.Gone)
        trial = table.trial() if is_tried and is_step else None
        order = table.state.order
        untouched = fingerprint(table.state) if trial is not None else None
        tried = trial.step(fact) if trial is not None else ()
        if trial is not None:
            assert fingerprint(table.state) == untouched, "a trial reaches the table"
        if is_tried and isinstance(fact, f.Ruled):
            self._foretell(fact)
        decisions = table.apply(fact)
        self.decisions.append(decisions)
        self.accounts.add(decisions)
        is_played_again = any(isinstance(decision, d.Withdrawn) for decision in decisions)
        if trial is not None and not is_played_again:
            assert decisions == tried, ("a copy of the table comes to something else", tried, decisions)
        table.prompt()
        if is_tried:
            table.moves()
        lines = decision_lines(fact, decisions, last_draw=len(table.state.deal.draws))
        self._shows_no_card(fact, lines)
        self.check(fact, chips if order == table.state.order or not table.state.in_play else None, decisions)
        return decisions

    def _foretell(self, fact: f.Ruled) -> None:
        """What the pit boss is shown before he chooses can be shown."""
        for incident in waiting(self.table.state):
            if incident.number == fact.incident and fact.remedy in incident.remedies:
                preview(self.table, incident, fact.remedy)

    def _shows_no_card(self, fact: f.Fact, lines: Iterable[str]) -> None:
        """Decisions carry no card, but what a person said himself."""
        said = fact_line(fact) if not isinstance(fact, f.GameChosen) else ""
        for line in lines:
            for card in _CARD.findall(line):
                assert card in said, ("a card is told", line)

    def check(self, fact: f.Fact, chips: int | None, decisions: tuple[d.Decision, ...]) -> None:
        state, accounts = self.table.state, self.accounts
        if not decisions:
            return
        accounts.check_incidents()
        waits = {*state.ruling, *state.requests, *(() if state.shoe_lost is None else (state.shoe_lost.number,))}
        waits |= {pending.incident.number for pending in state.asking if pending.incident is not None}
        known = {number for number in waits if number > self.begins.n_incidents}
        open_now = accounts.open_incidents()
        assert known <= {
            said.decision.incident for said in accounts.said if isinstance(said.decision, d.IncidentRaised)
        }, ("waits for an incident that was never told", waits, fact)
        assert not (set(state.ruling) | set(state.requests)) - open_now, (
            "waits for a closed incident",
            waits,
            open_now,
        )
        if any(isinstance(decision, d.HandClosed) for decision in decisions):
            left = open_now - waits
            assert not left, ("left open for ever", left)
        if state.phase.kind is Kind.SETTLING and not (state.held or state.unnamed or state.is_to_settle):
            self._is_settled_by_what_lies_there()
        if isinstance(state, PotGameState):
            accounts.check_pots()
            self._chips_are_conserved(chips, fact, decisions)
        else:
            accounts.check_bank()

    def _is_settled_by_what_lies_there(self) -> None:
        """What was said of the money follows from the cards and bets as they are now."""
        trial = self.table.trial().state
        before = _settled(trial)
        if isinstance(trial, PotGameState):
            trial.won, trial.house_won = {}, 0
        elif isinstance(trial, BankedState):
            trial.settled = []
        trial.family.settle(trial)
        assert _settled(trial) == before, ("settled by other cards or bets", before, _settled(trial))

    def _chips_are_conserved(self, before: int | None, fact: f.Fact, decisions: tuple[d.Decision, ...]) -> None:
        state = self.table.state
        assert isinstance(state, PotGameState)
        if before is None or isinstance(fact, f.Stacked | f.Corrected):
            return
        if any(isinstance(decision, d.Withdrawn) for decision in decisions):
            return
        after = chips_of(self.table)
        closed = [decision for decision in decisions if isinstance(decision, d.HandClosed)]
        if closed:
            paid = [decision.amount for decision in decisions if isinstance(decision, d.StackNow)]
            kept = carried = 0
            if isinstance(state, DrawState):
                carried = state.carried or 0
                kept = sum(amount or 0 for bets in state.kept.values() for amount in bets.values())
            if paid:
                found = sum(paid) + carried + kept + (closed[0].float_change or 0)
                assert found == before, ("chips come or go at the end", before, found, decisions)
        elif after is not None and state.phase.kind is not Kind.VOIDED:
            assert after == before, ("chips come or go", before, after)

    def end(self) -> None:
        """Do what the prompt says until the hand is over and nothing waits."""
        for number in range(_MOST):
            state = self.table.state
            if not state.in_play and not state.held:
                return
            self.tell(good(self.table, 0 if number < _MOST // 2 else number))
        raise AssertionError(f"the hand does not end: {self.table.prompt()}")


def _settled(state: State) -> object:
    """What is to be paid to whom, as it was said."""
    if isinstance(state, PotGameState):
        return dict(state.won), state.house_won
    assert isinstance(state, BankedState)
    return sorted((bet.seat, bet.bettor, bet.bet, bet.outcome, bet.pays or 0, bet.clause) for bet in state.settled)


def chips_of(table: Table) -> int | None:
    """All the chips of a hand between players; None where nobody knows."""
    state = table.state
    rounds = state.rounds if isinstance(state, PotGameState) else None
    pot = None if rounds is None else rounds.pot
    if rounds is None or pot is None:
        return None
    stacks = [stack for seat in rounds.order if (stack := rounds.stack(seat)) is not None]
    carried = state.carried if isinstance(state, DrawState) else 0
    return pot + sum(stacks) + carried if len(stacks) == len(rounds.order) else None


def good(table: Table, choice: int) -> f.Fact:
    """What happens next where everybody does what is to be done."""
    state = table.state
    if not state.held and state.phase.kind is Kind.VOIDED and antennas.still_there(state):
        # Whatever is still seen is lifted; what a reader will not let go of, the pit boss looks at.
        lifted = on_the_felt(state, choice)
        return lifted if lifted is not None and not choice else f.Called(at_us=0, by="ana", reason="x")
    if state.asking and state.asking[0].question is Question.PUT_AWAY and not choice:
        return f.Pressed(at_us=0, key=Key.CONFIRM)
    if state.ruling and not state.asking:
        number = min(state.ruling)
        remedies = state.ruling[number].remedies
        remedy = remedies[choice // 3 % len(remedies)]
        return f.Ruled(at_us=0, incident=number, remedy=remedy, by="ana", second="luis", reason="x")
    if isinstance(state, DrawState):
        return _with_reason(next_of(table, choice))
    if isinstance(state, PotGameState):
        return _with_reason(onward(table, choice))
    return _with_reason(next_fact(table, choice))


def _with_reason(fact: f.Fact) -> f.Fact:
    """Whatever the pit boss may choose, he may with another person and a reason."""
    return replace(fact, second="luis", reason="x") if isinstance(fact, f.Ruled) else fact


# --- what may happen --------------------------------------------------------------------------------------------------


class Walk:
    """One walk. Each has its own weights, so that some are full of corrections and others have none at all."""

    def __init__(self, seed: int, rulebook: str | None = None) -> None:
        self.random = Random(seed)
        self.setup = setup_of(self.random, rulebook or self.random.choice(GAMES))
        self.checked = Checked(opened(self.random, self.setup))
        self.now_us = 0
        #: how often the pit boss looks for something else than to annul the hand
        self.mildness = self.random.choice([0.5, 0.9, 1])
        rare = [maker for maker in _RARE if self.random.random() < 0.6]
        self.makers = [*_USUAL, *rare]
        self.weights = [
            *(weight * self.random.choice([0.3, 1, 1, 3]) for weight in _USUAL.values()),
            *(_RARE[maker] * self.random.choice([0.3, 1, 4]) for maker in rare),
        ]

    @property
    def table(self) -> Table:
        return self.checked.table

    def go(self, steps: int) -> None:
        """So many facts, and then the way to the end of the hand."""
        for _ in range(steps):
            self.step()
        self.checked.end()

    def step(self) -> None:
        (maker,) = self.random.choices(self.makers, self.weights)
        fact = maker(self)
        if isinstance(fact, f.TimePassed):
            self.now_us = max(self.now_us, fact.at_us)
        elif self.random.random() < 0.1:
            self.now_us += self.random.choice([100_000, 400_000, 1_600_000])
        self.checked.tell(replace(fact, at_us=self.now_us), is_tried=self.random.random() < 0.06)

    # --- choices ---

    def card(self) -> Card | None:
        return fresh_card(self.table.state, self.random.randrange(52))

    def out(self) -> Card | None:
        """A card that is out."""
        known = [draw.card for draw in self.table.state.deal.draws if draw.card is not None]
        return self.random.choice(known) if known else None

    def any_card(self) -> Card:
        return self.random.choice([self.card, self.card, self.out])() or self.random.choice(DECK)

    def seat(self) -> int:
        order = self.table.state.order
        return self.random.choice(order) if order and self.random.random() < 0.85 else self.random.randint(1, 10)

    def spot(self) -> str:
        spots = [f"seat-{seat}" for seat in self.table.state.order] * 2 or [f"seat-{self.seat()}"]
        return self.random.choice([*spots, "house", "board", "board", "burn", "discard"])

    def amount(self) -> int:
        return self.random.choice([50, 100, 100, 200, 400, 500, 1_000, 1_000, 2_000, 5_000])


def _go_on(walk: Walk) -> f.Fact:
    state, choice = walk.table.state, walk.random.randrange(64)
    if state.ruling and not state.asking:
        return _rule(walk)
    if isinstance(state, DrawState):
        return _with_reason(next_of(walk.table, choice))
    if isinstance(state, PotGameState):
        return _with_reason(ordinary(walk.table, choice))
    return _with_reason(next_fact(walk.table, choice))


def _go_plainly(walk: Walk) -> f.Fact:
    state = walk.table.state
    return _rule(walk) if state.ruling and not state.asking else good(walk.table, 0)


def _key(walk: Walk) -> f.Fact:
    keys = walk.table.prompt().keys or (Key.CONFIRM,)
    return f.Pressed(at_us=0, key=walk.random.choice(keys))


def _answer(walk: Walk) -> f.Fact:
    """Where something is asked, any answer; or whatever goes on."""
    keys = [key for key in walk.table.prompt().keys if key is not Key.INCIDENT]
    return f.Pressed(at_us=0, key=walk.random.choice(keys)) if walk.table.state.asking and keys else _go_on(walk)


def _rule(walk: Walk) -> f.Fact:
    open_ones = [*walk.table.state.ruling.values(), *walk.table.state.requests.values()]
    if not open_ones:
        return _go_on(walk)
    incident = walk.random.choice(open_ones)
    mild = [remedy for remedy in incident.remedies if remedy is not Remedy.VOID_HAND]
    remedy = walk.random.choice(mild if mild and walk.random.random() < walk.mildness else incident.remedies)
    return f.Ruled(at_us=0, incident=incident.number, remedy=remedy, by="ana", second="luis", reason="x")


def _move(walk: Walk) -> f.Fact:
    """Any entry that can be made, with whatever it needs."""
    found = [
        move for move in walk.table.moves() if not move.entry.startswith(("game", "limits", "correct", "transfer"))
    ]
    move, words = walk.random.choice(found), list[str]()
    for need in move.needs:
        match need:
            case "name":
                words = [*words[:-1], "ana+luis"] if words[-1:] == ["ana"] else [*words, "ana"]
            case "reason":
                words.append("x")
            case "draw":
                words.append(f"draw={walk.random.randint(1, len(walk.table.state.deal.draws) + 1)}")
            case "card":
                words.append(f"{walk.any_card().code} by")
            case "amount":
                least, most = move.least or 0, move.most if move.most is not None else (move.least or 0) + 1_000
                words.append(str(walk.random.choice([least, most, walk.random.randint(least, max(least, most))])))
            case "minutes":
                words.append("5 by")
            case "cards":
                words.append(str(walk.random.randint(0, 5)))
            case "action":
                words.append(walk.random.choice(list(Action)))
            case _:
                words.append(need)
    text = " ".join([move.entry, *words])
    if move.cards and walk.random.random() < 0.5:
        text += f" draw={walk.random.choice(move.cards).draw}"
    try:
        return parse_fact(text, 0, walk.table.state.setup)
    except ValueError as wrong:
        raise AssertionError(f"a move that nobody can enter: {text} ({wrong})") from None


def _declare(walk: Walk) -> f.Fact:
    words = [move.entry for move in walk.table.moves() if move.entry.startswith("declare ")]
    random = walk.random
    what = Declaration(random.choice(words).split()[1]) if words and random.random() < 0.85 else None
    spot = walk.spot() if random.random() < 0.8 else None
    return f.Declared(
        at_us=0,
        what=what or random.choice(list(Declaration)),
        spot=spot,
        other=walk.spot() if spot is not None and random.random() < 0.4 else None,
        cards=random.randint(0, 6) if random.random() < 0.5 else None,
        lap=random.choice([None, None, 1, 2]),
        drawn=random.randint(0, len(walk.table.state.deal.draws) + 1) if random.random() < 0.35 else None,
    )


def _drawn(walk: Walk) -> f.Fact:
    """One more card: the next one or one that comes too soon, seldom one that was out, or that nobody can read."""
    chance = walk.random.random()
    card = None if chance < 0.1 else walk.out() if chance < 0.16 else walk.card()
    return f.Drawn(at_us=0, card=card)


def _seen(walk: Walk) -> f.Fact:
    """Where it belongs, or elsewhere."""
    state, random = walk.table.state, walk.random
    chance = random.random()
    draws = [draw for draw in state.deal.draws if draw.card is not None]
    if draws and chance < 0.75:
        draw = random.choice(draws[-4:] if random.random() < 0.7 else draws)
        at = draw.slot.spot if draw.slot is not None and random.random() < 0.5 else walk.spot()
        return f.Seen(at_us=0, spot=at, card=draw.card, position=random.choice([None, None, None, 1, 2]))
    due = state.deal.due
    spot = due.spot if due is not None and random.random() < 0.6 else walk.spot()
    return f.Seen(at_us=0, spot=spot, card=None if chance > 0.95 else walk.card())


def _gone(walk: Walk) -> f.Fact:
    there = list(walk.table.state.felt.seen_at.items())
    if not there:
        return _seen(walk)
    number, spot = walk.random.choice(there)
    return f.Gone(at_us=0, spot=spot, card=walk.table.state.deal.draws[number - 1].card)


def _carried(walk: Walk) -> f.Fact:
    """What antennas tell of an ordinary hand; of one that is void, cards that are collected."""
    state = walk.table.state
    if state.phase.kind is Kind.VOIDED and antennas.still_there(state):
        return _gone(walk)
    return _seen(walk) if state.has_antennas else _drawn(walk)


def _wait(walk: Walk) -> f.Fact:
    wake = walk.table.wake_us
    return f.TimePassed(at_us=wake if wake is not None else walk.now_us + walk.random.choice([200_000, 2_000_000]))


def _unread(walk: Walk) -> f.Fact:
    if walk.table.state.setup.equipment is Equipment.ANTENNAS:
        return f.Seen(at_us=0, spot=walk.spot(), card=None)
    return f.Drawn(at_us=0, card=None)


def _name(walk: Walk) -> f.Fact:
    slots = [slot.name for slot, draw in walk.table.state.deal.at.items() if draw.card is None or draw.named]
    return f.Named(at_us=0, slot=walk.random.choice(slots or ["board.1"]), card=walk.any_card(), by="ana")


def _undo(walk: Walk) -> f.Fact:
    if walk.table.state.last_entry is None or Key.CANCEL not in walk.table.prompt().keys:
        return _key(walk)
    return f.Pressed(at_us=0, key=Key.CANCEL)


def _correct(walk: Walk) -> f.Fact:
    state, random = walk.table.state, walk.random
    number = random.randint(2, max((2, *state.entries))) + random.choice([0, 0, 0, 1, 2])
    instead: f.Entry | None = None
    card, spot = None, None
    chance = random.random()
    if chance < 0.45:
        made = random.choice([_declare, _bet, _key, _move, _go_on])(walk)
        instead = made if isinstance(made, f.Entry) else None
    elif chance < 0.6:
        card = walk.any_card()
    elif chance < 0.7:
        spot = walk.spot()
    return f.Corrected(
        at_us=0, number=number, by="ana", second="luis", reason="x", instead=instead, card=card, spot=spot
    )


def _bet(walk: Walk) -> f.Fact:
    state, random = walk.table.state, walk.random
    amounts = state.amounts

    def some() -> int | None:
        return walk.amount() if amounts else None

    if isinstance(state, PotGameState):
        action = random.choice(list(Action))
        chance = random.random()
        if isinstance(state, DrawState) and chance < 0.3:
            return f.AsksFor(at_us=0, cards=random.randint(0, 5), seat=random.choice([None, walk.seat()]))
        if chance < 0.6:
            seat = random.choice([None, None, state.turn, walk.seat()])
            to = walk.amount() if amounts and action in (Action.BET, Action.RAISE, Action.ALL_IN) else None
            return f.Acted(at_us=0, action=action, seat=seat, to=to, is_all_in=random.random() < 0.1)
        said = random.choice([None, None, action])
        return f.PutIn(
            at_us=0,
            seat=state.turn or walk.seat() if random.random() < 0.7 else walk.seat(),
            chips=walk.amount(),
            is_single=random.random() < 0.4,
            said=said,
            said_to=walk.amount() if said and random.random() < 0.4 else None,
        )
    side = "bonus" if state.rulebook.id == "texas-bonus" else "txb"
    names = random.choice([["ante"], ["ante", side], [side], ["flop"], ["turn"], ["river"], ["second"]])
    bets = {name: some() for name in names}
    chance = random.random()
    if chance < 0.55:
        return f.Bets(at_us=0, seat=walk.seat(), amounts=bets)
    if chance < 0.8:
        return f.StandingBet(at_us=0, seat=walk.seat(), amounts=bets, consent=random.random() < 0.9)
    if chance < 0.9:
        return f.Removed(at_us=0, seat=walk.seat(), bettor=random.choice([1, 1, 2, 3]))
    return f.StandsOut(at_us=0, seat=walk.seat(), bettor=random.choice([2, 2, 3]))


def _device(walk: Walk) -> f.Fact:
    role = "antennas" if walk.table.state.setup.equipment is Equipment.ANTENNAS else "shoe"
    if walk.random.random() < 0.3:
        role = walk.random.choice(["shoe", "antennas", "panel"])
    away = sorted(name for text, name in walk.table.state.lost if text == role)
    if away:
        return f.DeviceBack(at_us=0, device=away[0], role=role)
    return f.DeviceLost(at_us=0, device="reader", role=role, reason="x")


def _restart(walk: Walk) -> f.Fact:
    return f.Opened(at_us=0, setup=walk.table.state.setup)


def _other_game(walk: Walk) -> f.Fact:
    """The house wants other rules of this game, or another game of its kind, from the next hand on."""
    now = walk.table.state.setup
    banked = [game for game in GAMES if game not in CIRCLE_GAMES]
    games = banked if now.rulebook in banked else [now.rulebook]
    new = setup_of(walk.random, walk.random.choice([now.rulebook, *games]))
    return f.GameChosen(at_us=0, setup=replace(new, seats=now.seats, staff=now.staff), by="ana")


def _strange(walk: Walk) -> f.Fact:
    return f.StrangeTag(at_us=0, spot=walk.random.choice([walk.spot(), "shoe"]), what=walk.random.choice(list(Strange)))


def _people(walk: Walk) -> f.Fact:
    random, seat = walk.random, walk.seat()
    if not isinstance(walk.table.state, PotGameState):
        return f.Acknowledged(at_us=0, incident=random.randint(1, 4), by="ana")
    told: tuple[f.Fact, ...] = (
        f.Moved(at_us=0, seat=seat, what=random.choice(list(SeatChange))),
        f.Stacked(at_us=0, seat=seat, amount=random.choice(_STACKS)),
        f.ButtonPlaced(at_us=0, seat=seat),
    )
    upheld = walk.table.state.upheld
    if upheld and random.random() < 0.7:
        amount = random.choice([50, 100, 1_000])
        return f.Transferred(
            at_us=0, incident=upheld[-1], giver=seat, taker=walk.seat(), amount=amount, by="ana", second="luis"
        )
    return random.choice(told)


#: What happens in every walk, and how often.
_USUAL: Final[dict[Maker, float]] = {_go_on: 6, _go_plainly: 6, _answer: 3, _rule: 2, _drawn: 1}
#: What happens in some.
_RARE: Final[dict[Maker, float]] = {
    _key: 1.5,
    _move: 1.5,
    _declare: 1.5,
    _seen: 1,
    _gone: 0.5,
    _carried: 1,
    _wait: 0.7,
    _unread: 0.3,
    _name: 0.2,
    _undo: 0.5,
    _correct: 0.4,
    _bet: 1,
    _device: 0.15,
    _restart: 0.15,
    _other_game: 0.05,
    _strange: 0.1,
    _people: 0.2,
    lambda walk: f.Called(at_us=0, by="ana", reason="x"): 0.15,
    lambda walk: f.Pressed(at_us=0, key=Key.INCIDENT): 0.4,
    lambda walk: f.Pressed(at_us=0, key=walk.random.choice(list(Key))): 0.2,
    lambda walk: f.Counted(at_us=0, cards=walk.random.choice([52, 51])): 0.05,
    lambda walk: f.OnFelt(at_us=0, spots=walk.random.choice([(), ("board",)])): 0.05,
}
