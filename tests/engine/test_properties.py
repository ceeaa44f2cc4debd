"""What holds for any facts in any order: nonsense, repetitions and mistakes among the steps of real hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Offer
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import Face
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_OF, Chooser, Declaration, Key, Question, Refusal, Remedy
from tablectl.core.settlement.banked import Outcome
from tablectl.games.registry import CIRCLE_GAMES, RULEBOOKS, rulebook_of
from tests.engine.scenarios import MOVES, Move, Scenario, ScenarioStep, scenarios, setups
from tests.engine.states import banked
from tests.engine.tables import fingerprint, next_fact, play_on, remembered, replay, table_of
from tests.thorough import ALL_EXAMPLES

#: The games against the bank; the circle games have scenarios of their own (`circle/test_any_order.py`).
BANKED = [game for game in RULEBOOKS if game not in CIRCLE_GAMES]
#: As many examples for the two games together as the profile says.
EXAMPLES = settings(max_examples=settings().max_examples // len(BANKED))

both = pytest.mark.parametrize("rulebook", BANKED)
Stake = tuple[int, int, str]


@both
@EXAMPLES
@given(st.data())
def test_any_facts_in_any_order_raise_nothing_deal_nothing_while_held_and_conserve_cards_and_money(
    rulebook: str, data: st.DataObject
) -> None:
    """And every hand can be ended."""
    assert_conserved(data.draw(scenarios(rulebook)))


@pytest.mark.slow
@both
@settings(max_examples=ALL_EXAMPLES // len(BANKED), derandomize=False)
@given(st.data())
def test_a_hundred_thousand_scenarios_conserve_cards_and_money(rulebook: str, data: st.DataObject) -> None:
    assert_conserved(data.draw(scenarios(rulebook)))


def assert_conserved(scenario: Scenario) -> None:
    """One scenario for all of it, since to make one up takes most of the time."""
    for step in scenario.steps:
        assert_nothing_dealt_while_held(step)
        assert_every_card_in_one_place(step)
    play_on(scenario.table, scenario.tell)
    assert not scenario.table.state.in_play
    assert not scenario.table.state.held
    for hand in hands(scenario):
        assert_accounted(hand)


def assert_nothing_dealt_while_held(step: ScenarioStep) -> None:
    """Held throughout a fact: no card finds a slot, but the discard rack; cards that lie already may be laid anew.
    What the shoe reports late, while the croupier is only asked about the gap, is dealt (`dealing.drawn`)."""
    throughout = step.before.holding & step.after.holding
    late_report = step.before.gap and is_draw(step.fact)
    if not throughout or late_report:
        return
    for decision in step.decisions:
        if isinstance(decision, d.CardPlaced) and decision.slot.spot != "discard":
            assert decision.draw <= len(step.before.laid), "a new card was dealt"
            assert step.before.laid[decision.draw - 1], "a waiting card was dealt"


def assert_every_card_in_one_place(step: ScenarioStep) -> None:
    """In a slot, waiting to be the next, or in question. Of a void hand the croupier collects whatever is out."""
    if step.after.kind is not Kind.VOIDED:
        assert set(step.after.places) <= {1}
    else:
        assert set(step.after.places) <= {0, 1}


@both
@EXAMPLES
@given(st.data())
def test_the_same_facts_give_the_same_decisions(rulebook: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(rulebook))
    again = table_of(scenario.chosen)
    assert [again.apply(fact) for fact in scenario.facts] == [step.decisions for step in scenario.steps]
    assert fingerprint(again.state) == fingerprint(scenario.table.state)


def is_draw(fact: f.Fact) -> bool:
    unreported = isinstance(fact, f.Declared) and fact.what is Declaration.UNREPORTED_CARD
    return unreported or isinstance(fact, f.Drawn)


@both
@EXAMPLES
@given(st.data())
def test_whatever_a_person_declares_is_answered(rulebook: str, data: st.DataObject) -> None:
    for step in data.draw(scenarios(rulebook)).steps:
        bets_nothing = isinstance(step.fact, f.Bets) and not step.fact.amounts
        said = isinstance(step.fact, f.Declared | f.StandingBet | f.StandsOut | f.Bets | f.Removed | f.Ruled)
        if said and not bets_nothing:
            assert step.decisions, step.fact


@both
@EXAMPLES
@given(st.data())
def test_a_card_that_comes_twice_never_goes_unnoticed(rulebook: str, data: st.DataObject) -> None:
    """THB-CRD-1, TPC-MIS-5."""
    scenario = data.draw(scenarios(rulebook))
    clause = scenario.table.state.rulebook.errors.deck.twice
    again = sum(isinstance(decision, d.IncidentRaised) and decision.clause == clause for decision in scenario.decisions)
    out = Counter(draw.card for draw in scenario.table.state.deal.draws if draw.card is not None)
    assert sum(count - 1 for count in out.values()) <= again


# --- money ----------------------------------------------------------------------------------------------------------


def hands(scenario: Scenario) -> Iterator[list[ScenarioStep]]:
    """The steps of each hand that was closed."""
    hand: list[ScenarioStep] = []
    for step in scenario.steps:
        if any(isinstance(decision, d.HandOpened) for decision in step.decisions):
            hand = []
        hand.append(step)
        if any(isinstance(decision, d.HandClosed) for decision in step.decisions):
            yield hand


def assert_accounted(hand: list[ScenarioStep]) -> None:
    """Money is conserved: what was staked is refunded in full, stays in its box, or is decided by a clause."""
    stakes = hand[-1].before.stakes
    said = [decision for step in hand for decision in step.decisions]
    is_void = any(isinstance(decision, d.HandVoided) for decision in said)
    early = [
        bet_settled
        for step in hand
        for bet_settled in step.decisions
        if isinstance(bet_settled, d.BetSettled) and step.before.kind in (Kind.CLAIMING, Kind.PAYING)
    ]
    settled = [bet_settled for bet_settled in said if isinstance(bet_settled, d.BetSettled)]
    # A bet that stays goes back after all where the next hand is at another table: then it is among the refunds.
    kept = hand[-1].after.kept if is_void else {}
    refunds = [refund for refund in said if isinstance(refund, d.Refund)]
    accounted: list[tuple[Stake, int | None]] = [
        ((refund.seat, refund.bettor, refund.bet), refund.amount) for refund in refunds
    ]
    # Where the settlement was taken back, a bet that was to stay in its box goes back where the table is another one.
    taken_back = {stake_of(bet_reversed) for bet_reversed in said if isinstance(bet_reversed, d.BetReversed)}
    went_back = taken_back.intersection(stake for stake, _ in accounted)
    decided = {stake: bet_settled.stake for bet_settled in settled if (stake := stake_of(bet_settled)) not in went_back}
    accounted += decided.items()
    # What the settlement said of a bet that stays in its box was taken back.
    accounted += [(stake, amount) for stake, amount in kept.items() if stake not in decided]
    assert sorted(accounted) == sorted(stakes.items())
    for bet_settled in settled:
        assert_pays(bet_settled)
    assert taken(said).items() <= stakes.items()
    stands = not_taken_back(said)
    if is_void:
        assert set(stands) <= {stake_of(bet_settled) for bet_settled in early}, "a payment of a void hand stands"
    (closed,) = [hand_closed for hand_closed in said if isinstance(hand_closed, d.HandClosed)]
    if None in stakes.values():
        assert closed.float_change is None
    elif stakes:
        assert closed.float_change == -sum(bet.pays or 0 for bet in stands.values())


def stake_of(bet: d.BetSettled | d.BetReversed) -> Stake:
    return bet.seat, bet.bettor, bet.bet


def not_taken_back(said: list[d.Decision]) -> Mapping[Stake, d.BetSettled]:
    """What became of each bet in the end. Each is settled once, unless that was taken back line by line."""
    found: dict[Stake, d.BetSettled] = {}
    for decision in said:
        if isinstance(decision, d.BetSettled):
            assert stake_of(decision) not in found, decision
            found[stake_of(decision)] = decision
        elif isinstance(decision, d.BetReversed):
            undone = found.pop(stake_of(decision))
            assert (decision.stake, decision.pays) == (undone.stake, undone.pays)
    return found


def assert_pays(bet: d.BetSettled) -> None:
    if bet.stake is None:
        assert bet.pays is None
    elif bet.outcome is Outcome.WIN:
        assert bet.odds is not None
        assert bet.pays == bet.stake * bet.odds[0] // bet.odds[1] > 0
    else:
        assert bet.pays == (0 if bet.outcome is Outcome.PUSH else -bet.stake)


def taken(said: list[d.Decision]) -> Mapping[Stake, int | None]:
    """Every bet that was taken and not given back before the deal; a standing bettor who is out takes his second one
    back."""
    found: dict[Stake, int | None] = {}
    for decision in said:
        if isinstance(decision, d.BetTaken):
            found[decision.seat, decision.bettor, decision.bet] = decision.amount
        elif isinstance(decision, d.BetsReturned):
            gone = {key for key in found if key[0] == decision.seat and decision.bettor in (1, key[1])}
            found = {key: amount for key, amount in found.items() if key not in gone}
        elif isinstance(decision, d.Folded) and decision.bettor > 1:
            found.pop((decision.seat, decision.bettor, "second"), None)
    return found


# --- sealed cards ----------------------------------------------------------------------------------------------------


@both
@EXAMPLES
@given(st.data())
def test_a_card_face_down_is_turned_only_by_a_claim_a_winning_side_bet_an_unread_face_or_the_reveal(
    rulebook: str, data: st.DataObject
) -> None:
    """TPC-DEV-13, TPC-DEV-18, THB-DEV-24: and each one once."""
    scenario = data.draw(scenarios(rulebook))
    play_on(scenario.table, scenario.tell)
    for hand in hands(scenario):
        turned = Counter(card_turned.slot.name for step in hand for card_turned in face_up(step))
        assert set(turned.values()) <= {1}, "each one once"
        for step in hand:
            for card_turned in face_up(step):
                assert step.before.kind in (Kind.CLAIMING, Kind.PAYING, Kind.REVEALING), card_turned
                assert step.before.kind is Kind.REVEALING or card_turned.slot.seat in may_show(step), card_turned


def face_up(step: ScenarioStep) -> list[d.CardTurned]:
    """Cards face down that were turned, but for the one that was just given a name."""
    named = step.fact.slot if isinstance(step.fact, f.Named) else None
    turned = [
        decision
        for decision in step.decisions
        if isinstance(decision, d.CardTurned) and decision.slot.face is Face.DOWN
    ]
    return [card_turned for card_turned in turned if card_turned.slot.name != named]


def may_show(step: ScenarioStep) -> set[int | None]:
    """The seats whose cards a side bet turns: who claims it, who wins it, whose card nobody knows."""
    claimed = SEAT_OF.get(step.fact.key) if isinstance(step.fact, f.Pressed) else None
    won = {
        decision.seat
        for decision in step.decisions
        if isinstance(decision, d.BetSettled) and decision.outcome is Outcome.WIN
    }
    asks = isinstance(step.fact, f.Pressed) and step.fact.key is Key.CONFIRM
    seats: set[int | None] = {*won, *(step.before.unread if asks else ()), claimed}
    return seats - {None}


# --- keys and offers -------------------------------------------------------------------------------------------------

#: What a key may change without saying anything: which decision comes next, the list of what can be declared, which bet
#: is being entered, and that what was asked for has been done (a card moved, another deck put in its place, the felt
#: looked at after a start).
_SILENT = frozenset({"chosen", "menu", "modifier", "asking", "needs_deck", "deal", "felt"})


@both
@EXAMPLES
@given(st.data())
def test_live_keys_do_something_and_all_others_change_nothing(rulebook: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(rulebook))
    live = scenario.table.prompt().keys
    before = remembered(scenario.table.state)
    for key in Key:
        table = replay(scenario.chosen, scenario.facts)
        decisions = table.apply(f.Pressed(at_us=0, key=key))
        after = remembered(table.state)
        changed = {name for name, value in after.items() if value != before[name]}
        if key in live:
            refusals = {decision.why for decision in decisions if isinstance(decision, d.Refused)}
            assert not refusals & {Refusal.NOT_LIVE, Refusal.HELD, Refusal.NOT_OFFERED}, key
            assert decisions or changed, key
            assert decisions or changed <= _SILENT, key
        else:
            (only,) = decisions
            assert isinstance(only, d.Refused), key
            assert not changed, key


@both
@EXAMPLES
@given(st.data())
def test_what_an_offer_foretells_is_what_the_incident_says(rulebook: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(rulebook))
    table = replay(scenario.chosen, scenario.facts)
    if Key.INCIDENT not in table.prompt().keys or table.state.menu:
        return
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    for offer in table.prompt().offers:
        other = replay(scenario.chosen, scenario.facts)
        decisions = other.apply(f.Declared(at_us=0, what=offer.what))
        assert_foretold(offer, other, decisions)


#: Answered before the incident is raised; a count is a wrong one, whichever card is taken for it.
_ASKED_FIRST = frozenset(
    {Question.WHICH_SEAT, Question.OTHER_SEAT, Question.COUNT_SPOT, Question.COUNT_CARDS, Question.COUNT_LAP}
)

#: Keys that are live while something is asked, and answer nothing.
_NO_ANSWERS = frozenset({Key.CANCEL, Key.CONFIRM, Key.INCIDENT, Key.FACE_UP, Key.BANK_EXPOSED, Key.WRONG_COUNT})


def assert_foretold(offer: Offer, table: Table, decisions: tuple[d.Decision, ...]) -> None:
    """A person who was asked something first may have named one who did it before: then the pit boss may do more. A
    count depends on where it is wrong."""
    asked = False
    while table.state.asking and table.state.asking[0].question in _ASKED_FIRST and not raised(decisions):
        answers = [key for key in table.prompt().keys if key not in _NO_ANSWERS]
        question = table.state.asking[0].question
        if question is Question.OTHER_SEAT and not answers:
            return
        asked = True
        key = Key.SEAT_5 if question is Question.COUNT_CARDS else answers[-1]
        decisions = table.apply(f.Pressed(at_us=0, key=key))
    for incident in raised(decisions)[:1]:
        found = (incident.clause, incident.remedies, incident.chooser)
        if offer.what is Declaration.WRONG_COUNT:
            count = banked(table).rulebook.errors.count
            assert incident.clause in {offer.clause, count.bank, count.in_place, count.extra}
        elif asked and incident.chooser is not offer.chooser:
            assert found == (offer.clause, (*offer.remedies, Remedy.EXPEL), Chooser.PIT_BOSS), offer.what
        else:
            assert found == (offer.clause, offer.remedies, offer.chooser), offer.what
    assert asked or raised(decisions) or offer.what is Declaration.UNREPORTED_CARD, offer.what


def raised(decisions: tuple[d.Decision, ...]) -> list[d.IncidentRaised]:
    return [decision for decision in decisions if isinstance(decision, d.IncidentRaised)]


# --- from hand to hand -----------------------------------------------------------------------------------------------


@both
@EXAMPLES
@given(st.data())
def test_a_hand_needs_of_the_hands_before_it_only_what_is_carried_over(rulebook: str, data: st.DataObject) -> None:
    scenario = Scenario(data.draw(setups(rulebook)), data.draw(MOVES))
    play_on(scenario.table)
    while scenario.table.state.phase.name != "betting":
        scenario.table.apply(next_fact(scenario.table, 0))
    scenario.table.apply(f.Called(at_us=0, by="ana"))
    while scenario.table.prompt().incident is not None:
        number = scenario.table.prompt().incident
        assert number is not None
        scenario.table.apply(
            f.Ruled(at_us=0, incident=number, remedy=Remedy.VOID_HAND, by="ana", second="luis", reason="so it is")
        )
    scenario.table.apply(f.Pressed(at_us=0, key=Key.CONFIRM))
    resumed = Table.resume(scenario.table.carry(), rulebook_of)
    assert fingerprint(resumed.state) == fingerprint(scenario.table.state)
    then: list[Move] = data.draw(MOVES)
    for fact in Scenario(scenario.table.state.setup, then).facts:
        assert resumed.apply(fact) == scenario.table.apply(fact)
