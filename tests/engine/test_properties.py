"""What holds for any facts in any order: nonsense, repetitions and mistakes among the steps of real hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tablectl.cards import DECK
from tablectl.engine import decisions as d
from tablectl.engine import facts as f
from tablectl.engine.rulebook import Kind
from tablectl.engine.slots import BY_NAME
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.table import Table
from tablectl.engine.words import Declaration, Key, Question, Refusal, Remedy, Tracking
from tablectl.profile.choices import choices
from tablectl.profile.texas_bonus import TexasBonusProfile
from tablectl.rulebooks.registry import rulebook_of
from tablectl.settlement.banked import Outcome
from tests.engine.tables import fingerprint, next_fact, play_on, replay, setup, table_of

# --- any facts at all -----------------------------------------------------------------------------------------------

NUMBERS = st.one_of(st.integers(-1, 14), st.sampled_from([-(10**9), 2**31, 10**12]))
SETUPS = st.builds(
    setup,
    seats=st.sampled_from([1, 3, 9]),
    tracking=st.sampled_from(Tracking),
    profile=st.fixed_dictionaries(
        {}, optional={key: st.sampled_from(each.values) for key, each in choices(TexasBonusProfile).items()}
    ),
)
SPOTS = st.one_of(
    st.none(), st.sampled_from(["house", *(f"seat-{seat}" for seat in range(11)), "seat-x", "seat-²", "board", ""])
)
BET_NAMES = st.sampled_from(["ante", "bonus", "flop", "turn", "river", "txb", ""])
AMOUNTS = st.one_of(st.none(), st.sampled_from([0, 100, 500, 1000, 2000, -1000, 10**12]))
CARDS = st.one_of(st.none(), st.sampled_from(DECK))
ROLES = st.sampled_from(["shoe", "panel", "light", "kettle"])
AT = st.just(0)

ANY_FACT: st.SearchStrategy[f.Fact] = st.one_of(
    st.builds(f.Opened, at_us=AT, setup=SETUPS),
    st.builds(f.Drawn, at_us=AT, card=CARDS),
    st.builds(f.Pressed, at_us=AT, key=st.sampled_from(Key)),
    st.builds(f.Bets, at_us=AT, seat=NUMBERS, amounts=st.dictionaries(BET_NAMES, AMOUNTS, max_size=3)),
    st.builds(f.Removed, at_us=AT, seat=NUMBERS),
    st.builds(
        f.Declared,
        at_us=AT,
        what=st.sampled_from(Declaration),
        spot=SPOTS,
        cards=st.one_of(st.none(), NUMBERS),
        lap=st.one_of(st.none(), NUMBERS),
    ),
    st.builds(f.Ruled, at_us=AT, incident=NUMBERS, remedy=st.sampled_from(Remedy), by=st.just("ana")),
    st.builds(f.Acknowledged, at_us=AT, incident=NUMBERS, by=st.just("ana")),
    st.builds(
        f.Named,
        at_us=AT,
        slot=st.sampled_from([*BY_NAME, "board.99", "nowhere"]),
        card=st.sampled_from(DECK),
        by=st.just("ana"),
    ),
    st.builds(f.Called, at_us=AT, by=st.just("luis"), reason=st.just("")),
    st.builds(f.DeviceLost, at_us=AT, device=st.just("shoe-1"), role=ROLES, reason=st.just("")),
    st.builds(f.DeviceBack, at_us=AT, device=st.just("shoe-1"), role=ROLES),
    st.builds(f.DeviceSaid, at_us=AT, device=st.just("shoe-1"), role=ROLES, what=st.just("error"), code=NUMBERS),
    st.builds(f.Failed, at_us=AT, fact=st.just("?"), error=st.just("broken"), card=CARDS),
)


@dataclass(frozen=True)
class Go:
    """So many steps of an ordinary hand, with so much variety."""

    steps: int
    choice: int


#: The questions during which the shoe may still report what it could not before.
AFTER_A_GAP = frozenset({Question.NOTHING_DRAWN, Question.FELT})

#: What happens at a table: long stretches that go as they should, and in between anything.
MOVES = st.lists(st.one_of(ANY_FACT, st.builds(Go, steps=st.integers(1, 12), choice=st.integers(0, 7))), max_size=25)


@dataclass(frozen=True)
class Glance:
    """The part of a table that the properties below speak of, as it was at one moment."""

    kind: Kind
    #: what the table waits for
    holding: frozenset[Pending | Incident]
    gap: bool
    #: how many places each card of the hand has, and whether it lies in a slot, in order of drawing
    places: tuple[int, ...]
    laid: tuple[bool, ...]
    stakes: Mapping[tuple[int, str], int | None]

    @staticmethod
    def at(state: State) -> Glance:
        lost = () if state.shoe_lost is None else (state.shoe_lost,)
        return Glance(
            kind=state.phase.kind,
            holding=frozenset((*state.asking, *state.ruling.values(), *lost)),
            gap=bool(state.asking) and all(pending.question in AFTER_A_GAP for pending in state.asking),
            places=tuple(places(state)),
            laid=tuple(draw.slot is not None for draw in state.deal.draws),
            stakes={(seat, bet): amount for seat, held in state.seats.items() for bet, amount in held.bets.items()},
        )


def places(state: State) -> list[int]:
    at = state.deal.at
    assert len({id(draw) for draw in at.values()}) == len(at), "no card lies in two slots"
    assert all(draw.slot is slot for slot, draw in at.items()), "a slot and its card know each other"
    questions = [pending.incident for pending in state.asking if pending.incident is not None]
    asked = {id(incident.draw) for incident in (*questions, *state.ruling.values())}
    return [
        sum(
            (
                draw.slot is not None and (draw.slot.spot == "discard" or at.get(draw.slot) is draw),
                sum(each is draw for each in state.deal.waiting),
                draw.slot is None and id(draw) in asked,
            )
        )
        for draw in state.deal.draws
    ]


@dataclass(frozen=True)
class Look:
    """One fact, what it met, what followed and what it left behind."""

    before: Glance
    fact: f.Fact
    decisions: tuple[d.Decision, ...]
    after: Glance


class Story:
    """What a table was told, and what it concluded."""

    def __init__(self, chosen: f.Setup, moves: list[f.Fact | Go]) -> None:
        self.chosen = chosen
        self.table = table_of(chosen)
        self.looks: list[Look] = []
        for move in moves:
            if isinstance(move, Go):
                for _ in range(move.steps):
                    self.tell(next_fact(self.table, move.choice))
            else:
                self.tell(move)

    def tell(self, fact: f.Fact) -> None:
        before = Glance.at(self.table.state)
        decisions = self.table.apply(fact)
        self.looks.append(Look(before, fact, decisions, Glance.at(self.table.state)))

    @property
    def facts(self) -> list[f.Fact]:
        return [look.fact for look in self.looks]

    @property
    def decisions(self) -> list[d.Decision]:
        return [decision for look in self.looks for decision in look.decisions]


STORIES = st.builds(Story, SETUPS, MOVES)


# --- what holds -----------------------------------------------------------------------------------------------------


@given(STORIES)
def test_no_fact_in_any_state_raises_and_every_hand_can_be_ended(story: Story) -> None:
    play_on(story.table)
    assert not story.table.state.in_play
    assert not story.table.state.held


@given(STORIES)
def test_the_same_facts_give_the_same_decisions(story: Story) -> None:
    again = table_of(story.chosen)
    assert [again.apply(fact) for fact in story.facts] == [look.decisions for look in story.looks]
    assert fingerprint(again.state) == fingerprint(story.table.state)


@given(STORIES)
def test_nothing_is_dealt_while_the_table_is_held(story: Story) -> None:
    """Held throughout a fact: no card finds a slot, but the discard rack; cards that lie already may be laid anew.
    What the shoe reports late, while the croupier is only asked about the gap, is dealt (`dealing.drawn`)."""
    for look in story.looks:
        throughout = look.before.holding & look.after.holding
        late_report = look.before.gap and is_draw(look.fact)
        if not throughout or late_report:
            continue
        for decision in look.decisions:
            if isinstance(decision, d.CardPlaced) and decision.slot.spot != "discard":
                assert decision.draw <= len(look.before.laid), "a new card was dealt"
                assert look.before.laid[decision.draw - 1], "a waiting card was dealt"


def is_draw(fact: f.Fact) -> bool:
    unreported = isinstance(fact, f.Declared) and fact.what is Declaration.UNREPORTED_CARD
    return unreported or isinstance(fact, f.Drawn)


@given(STORIES)
def test_whatever_a_person_declares_is_answered(story: Story) -> None:
    for look in story.looks:
        if isinstance(look.fact, f.Declared):
            assert look.decisions, look.fact


@given(STORIES)
def test_every_card_is_in_exactly_one_place(story: Story) -> None:
    """In a slot, waiting to be the next, or in question. Of a void hand the croupier collects whatever is out."""
    for look in story.looks:
        if look.after.kind is not Kind.VOIDED:
            assert set(look.after.places) <= {1}
        else:
            assert set(look.after.places) <= {0, 1}


@given(STORIES)
def test_thb_crd_1_a_card_that_comes_twice_never_goes_unnoticed(story: Story) -> None:
    again = sum(
        isinstance(decision, d.IncidentRaised) and decision.clause == "THB-CRD-1" for decision in story.decisions
    )
    out = Counter(draw.card for draw in story.table.state.deal.draws if draw.card is not None)
    assert sum(count - 1 for count in out.values()) <= again


@given(STORIES)
def test_every_bet_of_a_hand_is_returned_or_settled_once(story: Story) -> None:
    """Money is conserved: what was staked is refunded in full, or is decided by a clause, and nothing else moves."""
    play_on(story.table, story.tell)
    hand: list[d.Decision] = []
    for look in story.looks:
        hand += look.decisions
        if any(isinstance(decision, d.HandClosed) for decision in look.decisions):
            assert_accounted(look.before.stakes, hand)
            hand = []


def assert_accounted(stakes: Mapping[tuple[int, str], int | None], hand: list[d.Decision]) -> None:
    void = any(isinstance(decision, d.HandVoided) for decision in hand)
    refunds = [decision for decision in hand if isinstance(decision, d.Refund)]
    settled = [] if void else [decision for decision in hand if isinstance(decision, d.BetSettled)]
    accounted = [((each.seat, each.bet), each.amount) for each in refunds]
    accounted += [((each.seat, each.bet), each.stake) for each in settled]
    assert sorted(accounted) == sorted(stakes.items())
    for each in settled:
        if each.stake is None:
            assert each.pays is None
        elif each.outcome is Outcome.WIN:
            assert each.odds is not None
            assert each.pays == each.stake * each.odds[0] // each.odds[1] > 0
        else:
            assert each.pays == (0 if each.outcome is Outcome.PUSH else -each.stake)
    taken: dict[tuple[int, str], int | None] = {}
    for decision in hand:
        if isinstance(decision, d.BetTaken):
            taken[decision.seat, decision.bet] = decision.amount
        elif isinstance(decision, d.BetsReturned):
            taken = {key: amount for key, amount in taken.items() if key[0] != decision.seat}
    assert taken.items() <= stakes.items()


@given(STORIES)
def test_live_keys_do_something_and_all_others_change_nothing(story: Story) -> None:
    live = story.table.prompt().keys
    before = fingerprint(story.table.state)
    for key in Key:
        table = replay(story.chosen, story.facts)
        decisions = table.apply(f.Pressed(at_us=0, key=key))
        if key in live:
            refusals = {decision.why for decision in decisions if isinstance(decision, d.Refused)}
            assert not refusals & {Refusal.NOT_LIVE, Refusal.HELD}, key
            assert decisions or fingerprint(table.state) != before, key
        else:
            (only,) = decisions
            assert isinstance(only, d.Refused), key
            assert fingerprint(table.state) == before, key


@given(SETUPS, MOVES, MOVES)
def test_a_hand_needs_of_the_hands_before_it_only_what_is_carried_over(
    chosen: f.Setup, first: list[f.Fact | Go], then: list[f.Fact | Go]
) -> None:
    story = Story(chosen, first)
    play_on(story.table)
    for fact in (f.Pressed(at_us=0, key=Key.NEW_HAND), f.Called(at_us=0, by="ana")):
        story.table.apply(fact)
    incident = story.table.prompt().incident
    assert incident is not None
    story.table.apply(f.Ruled(at_us=0, incident=incident, remedy=Remedy.VOID_HAND, by="ana"))
    story.table.apply(f.Pressed(at_us=0, key=Key.CONFIRM))
    resumed = Table.resume(story.table.carry(), rulebook_of)
    assert fingerprint(resumed.state) == fingerprint(story.table.state)
    for move in then:
        if not isinstance(move, Go):
            assert resumed.apply(move) == story.table.apply(move)
