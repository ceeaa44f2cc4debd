"""The fold: one public record after another becomes what a page shows. Pure: no clock, no I/O, no sealed card.

`fold(view, record)` gives the view after `record`. A stream may begin at any hand's opening. Kinds of facts and
decisions that this version does not know are passed over: a newer controller may say more than a screen shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from tablectl.engine.keys import PICKS
from tablectl.engine.slots import BY_NAME, Face
from tablectl.screens import device_notes
from tablectl.screens.model import (
    SEATED,
    TAKEN,
    ClosedHand,
    DeviceState,
    DeviceView,
    IncidentState,
    IncidentView,
    Lying,
    OfferView,
    PromptView,
    RefundView,
    RefusalView,
    SeatView,
    SettledView,
    Span,
    StandingView,
    TableInfo,
    TableView,
)

#: How many closed hands a page lists, and how many incidents it keeps at most.
HANDS_KEPT: Final = 10
INCIDENTS_KEPT: Final = 60

_PIT_BOSS: Final = "pit-boss"
#: In this phase bets are paid and collected before the hand goes on; when it ends, they lie no more on the table.
_PAYS: Final = "txb-payment"
#: Two cards that are in no line of the bonus table lose it (THB-BON-9).
_NO_LINE: Final = "THB-BON-9"
_JACKS: Final = "JJ"
#: The bet that a standing bettor takes back when he does not go on (AMB-41).
_ADDED: Final = "second"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Record:
    """What a decision stands in: its fact, its time, and how this table tracks bets."""

    seq: int
    at: str
    fact: Mapping[str, Any]
    decisions: tuple[Mapping[str, Any], ...]
    reveals: tuple[Mapping[str, Any], ...]
    presence: bool


_Step: TypeAlias = Callable[[TableView, Mapping[str, Any], _Record], TableView]


def table_info(greeting: Mapping[str, Any]) -> TableInfo:
    """The controller's greeting as a value. Raises `KeyError`, `TypeError` or `ValueError` for one that is none."""
    table = greeting["table"]
    return TableInfo(
        name=str(table["name"]),
        rulebook=str(table["rulebook"]),
        seats=int(table["seats"]),
        tracking=str(table["tracking"]),
        limits={name: _span(each) for name, each in table.get("limits", {}).items()},
        languages=tuple(table.get("languages", ("es", "en"))),
        currency=str(table.get("currency", "EUR")),
        currency_exponent=int(table.get("currency_exponent", 2)),
        demo_key=table.get("demo_key") is True,
    )


def _span(limits: Mapping[str, Any]) -> Span:
    return Span(least=int(limits["least"]), most=int(limits["most"]))


def fold(view: TableView, record: Mapping[str, Any], *, tracking: str = "amounts") -> TableView:
    """The view after one more public record."""
    this = _Record(
        seq=int(record["seq"]),
        at=str(record["at"]),
        fact=record["fact"],
        decisions=tuple(record.get("decisions", ())),
        reveals=tuple(record.get("reveals", ())),
        presence=tracking == "presence",
    )
    view = replace(view, seq=this.seq, at=this.at, refusal=_still(view.refusal, this))
    view = _step(_FACTS, this.fact["kind"])(view, this.fact, this)
    for decision in this.decisions:
        view = _step(_DECISIONS, decision["kind"])(view, decision, this)
    for reveal in this.reveals:
        view = _know(view, int(reveal["draw"]), str(reveal["card"]))
    view = _jacks(view)
    if (carry := record.get("carry")) is not None:
        view = replace(view, carried=tuple(sorted(int(seat) for seat in carry["previous"])))
        view = _under(view, carry.get("setup"))
    if (keys := record.get("keys")) is not None:
        view = replace(view, demo_key=bool(keys["demo"]))
    if "prompt" not in record:
        return view  # a fact that is none of the engine's: what the croupier was told before still holds
    return replace(view, prompt=_prompt(record["prompt"]))


def _step(steps: Mapping[str, _Step], kind: str) -> _Step:
    return steps.get(kind, _nothing)


def _nothing(view: TableView, _said: Mapping[str, Any], _record: _Record) -> TableView:
    return view


def _prompt(prompt: Mapping[str, Any] | None) -> PromptView | None:
    if prompt is None:
        return None
    return PromptView(
        instruction=prompt["instruction"],
        about=prompt["about"],
        keys=tuple(prompt["keys"]),
        question=prompt.get("question"),
        incident=prompt.get("incident"),
        held=bool(prompt.get("held", False)),
        offers=tuple(_offers(prompt)),
    )


def _offers(prompt: Mapping[str, Any]) -> Iterator[OfferView]:
    """The list of what can be declared, each with its key: the live ones of those that choose, in their order."""
    picks = [key for key in PICKS if key in prompt["keys"]]
    for key, said in zip(picks, prompt.get("offers", ()), strict=False):
        yield OfferView(
            key=key,
            what=said["what"],
            clause=said["clause"],
            remedies=tuple(said["remedies"]),
            chooser=said["chooser"],
        )


def _under(view: TableView, setup: Mapping[str, Any] | None) -> TableView:
    """What the house chose, as far as a screen shows it."""
    if setup is None:
        return view
    return replace(view, profile=dict(setup.get("profile", {})), equipment=str(setup.get("equipment", "shoe")))


def _opened(view: TableView, fact: Mapping[str, Any], _record: _Record) -> TableView:
    return _under(view, fact.get("setup"))


def _still(refusal: RefusalView | None, record: _Record) -> RefusalView | None:
    """A refusal stays on the screen until somebody does something else; a device's report does not clear it."""
    return refusal if str(record.fact["kind"]).startswith("device-") else None


# --- cards ------------------------------------------------------------------------------------------------------------


def _drawn(view: TableView, fact: Mapping[str, Any], _record: _Record) -> TableView:
    draw = fact.get("draw")
    if draw is None or draw in view.cards:
        return view  # a report the shoe repeated: no card left it
    return _lay(view, Lying(draw=int(draw), readable=fact["card"] is not None))


def _declared(view: TableView, fact: Mapping[str, Any], _record: _Record) -> TableView:
    """A card that the shoe did not report is the next one all the same; nobody has read it."""
    draw = fact.get("draw")
    return view if draw is None else _lay(view, Lying(draw=int(draw), readable=False))


def _lay(view: TableView, card: Lying) -> TableView:
    return replace(view, cards={**view.cards, card.draw: card})


def _placed(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    draw, slot = int(said["draw"]), str(said["slot"])
    card = view.cards.get(draw, Lying(draw=draw))
    slots = {name: at for name, at in view.slots.items() if at != draw}
    cards = dict(view.cards)
    if (other := slots.get(slot)) is not None:
        cards[other] = replace(cards[other], slot=None)  # laid anew by a later decision, or beyond the plan
    slots[slot] = draw
    cards[draw] = replace(card, slot=slot, up=BY_NAME[slot].face is Face.UP)
    return _dealt_in(replace(view, cards=cards, slots=slots), slot)


def _dealt_in(view: TableView, slot: str) -> TableView:
    seat = BY_NAME[slot].seat
    if seat is None or view.seat(seat).in_hand:
        return view
    return _sit(view, replace(view.seat(seat), in_hand=True))


def _turned(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    draw = int(said["draw"])
    card = view.cards.get(draw, Lying(draw=draw, slot=said["slot"]))
    view = _lay(view, replace(card, up=True))
    named = record.fact
    if named["kind"] == "named" and named["slot"] == said["slot"]:
        return _know(view, draw, str(named["card"]))
    return view


def _know(view: TableView, draw: int, code: str) -> TableView:
    card = view.cards.get(draw)
    return view if card is None else _lay(view, replace(card, code=code))


# --- seats and bets ---------------------------------------------------------------------------------------------------


def _sit(view: TableView, seat: SeatView) -> TableView:
    return replace(view, seats={**view.seats, seat.seat: seat})


def _stand(view: TableView, number: int, made: StandingView | None, bettor: int) -> TableView:
    """A standing bettor as he is now; None where he is gone."""
    seat = view.seat(number)
    others = {other: each for other, each in seat.standing.items() if other != bettor}
    standing = others if made is None else {**others, bettor: made}
    return _sit(view, replace(seat, standing=dict(sorted(standing.items()))))


def _bettor(said: Mapping[str, Any]) -> int:
    return int(said.get("bettor", SEATED))


def _bet_taken(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    seat, bettor = view.seat(said["seat"]), _bettor(said)
    if bettor != SEATED:
        stands = seat.standing.get(bettor, StandingView(bettor=bettor))
        made = replace(stands, bets={**stands.bets, said["bet"]: said["amount"]})
        return _stand(view, seat.seat, made, bettor)
    return _sit(view, replace(seat, bets={**seat.bets, said["bet"]: said["amount"]}, in_hand=True, decided=True))


def _bets_returned(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    if _bettor(said) != SEATED:
        return _stand(view, said["seat"], None, _bettor(said))
    return replace(view, seats={number: seat for number, seat in view.seats.items() if number != said["seat"]})


def _folded(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    bettor = _bettor(said)
    if bettor != SEATED:
        stands = view.seat(said["seat"]).standing.get(bettor, StandingView(bettor=bettor))
        bets = {name: amount for name, amount in stands.bets.items() if name != _ADDED}
        return _stand(view, said["seat"], replace(stands, bets=bets, out=True), bettor)
    return _sit(view, replace(view.seat(said["seat"]), folded=True, decided=True))


def _checked(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    return _sit(view, replace(view.seat(said["seat"]), decided=True))


def _left_to_boxes(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    """Without amounts: each of those who were asked may have bet, and the croupier sees in the boxes who did."""
    bet = said["bet"]
    seats = {
        number: seat
        if seat.decided or seat.folded or seat.void or seat.withdrawn
        else replace(seat, bets={**seat.bets, bet: None}, decided=True)
        for number, seat in view.seats.items()
    }
    return replace(view, seats=seats)


def _seat_voided(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    return _sit(view, replace(view.seat(said["seat"]), void=True))


def _seat_withdrawn(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    """TPC-PLE-1: its cards lie no more before it."""
    number = said["seat"]
    gone = {slot: draw for slot, draw in view.slots.items() if BY_NAME[slot].seat == number}
    cards = {draw: replace(card, slot=TAKEN) if draw in gone.values() else card for draw, card in view.cards.items()}
    slots = {slot: draw for slot, draw in view.slots.items() if slot not in gone}
    return _sit(replace(view, cards=cards, slots=slots), replace(view.seat(number), withdrawn=True))


def _seat_expelled(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    return _sit(view, replace(view.seat(said["seat"]), expelled=True))


def _refund(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    made = RefundView(seat=said["seat"], bet=said["bet"], amount=said["amount"], bettor=_bettor(said))
    return replace(view, refunds=(*view.refunds, made))


# --- the hand ---------------------------------------------------------------------------------------------------------


def _hand_opened(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    seats = {seat: SeatView(seat=seat, bets={"ante": None}, in_hand=True) for seat in view.carried}
    return replace(
        view,
        hand=said["hand"],
        rulebook=said["rulebook"],
        version=said["version"],
        seats=seats if record.presence else {},
        refunds=(),
        settled=(),
        paid=(),
        reversals=(),
        ranks={},
        void=None,
    )


def _phase_entered(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    seats = {number: replace(seat, decided=False) for number, seat in view.seats.items()}
    if view.phase == _PAYS:
        view = replace(view, settled=(), paid=view.settled)
        seats = {number: _without(seat, view.paid) for number, seat in seats.items()}
    return replace(view, phase=said["phase"], seats=seats)


def _without(seat: SeatView, paid: tuple[SettledView, ...]) -> SeatView:
    """Bets that were paid or collected lie no more in their box."""

    def left(bettor: int, bets: Mapping[str, int | None]) -> dict[str, int | None]:
        gone = {each.bet for each in paid if (each.seat, each.bettor) == (seat.seat, bettor)}
        return {name: amount for name, amount in bets.items() if name not in gone}

    standing = {number: replace(each, bets=left(number, each.bets)) for number, each in seat.standing.items()}
    return replace(seat, bets=left(SEATED, seat.bets), standing=standing)


def _hand_voided(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    return replace(view, void=said["clause"])


def _ranked(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    return replace(view, ranks={**view.ranks, said["spot"]: said["category"]})


def _bet_reversed(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    """TPC-MIS-0: what had been paid comes back, what had been collected goes back."""
    key = (said["seat"], _bettor(said), said["bet"])
    undone = tuple(each for each in view.paid if (each.seat, each.bettor, each.bet) == key)
    return replace(
        view,
        paid=tuple(each for each in view.paid if each not in undone),
        reversals=(*view.reversals, *undone),
    )


def _bet_settled(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    odds = said["odds"]
    made = SettledView(
        seat=said["seat"],
        bet=said["bet"],
        outcome=said["outcome"],
        odds=None if odds is None else (odds[0], odds[1]),
        stake=said["stake"],
        pays=said["pays"],
        clause=said["clause"],
        bettor=_bettor(said),
    )
    return replace(view, settled=(*view.settled, made))


def _hand_closed(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    closed = ClosedHand(
        hand=said["hand"],
        closed_at=record.at,
        void=view.void,
        house_rank=view.ranks.get("house"),
        house_net=_house_net(view, said),
        drawn=said["drawn"],
        presses=said["presses"],
        incidents=tuple(each.number for each in view.incidents.values() if each.hand == said["hand"]),
    )
    return replace(
        view,
        history=(closed, *view.history)[:HANDS_KEPT],
        carried=tuple(sorted(view.seats)) if view.seats else view.carried,
        notes=device_notes.hand_closed(view.notes),
        cards={},
        slots={},
        seats={},
        refunds=(),
        settled=(),
        paid=(),
        reversals=(),
        ranks={},
        void=None,
    )


def _house_net(view: TableView, said: Mapping[str, Any]) -> int | None:
    """What the float should have changed by; of a void hand only where something had been paid."""
    change: int | None = said.get("float_change")
    return None if view.void is not None and not change else change


def _jacks(view: TableView) -> TableView:
    """A pair of jacks stands in no line of the bonus table: said once, when it loses one for the first time."""
    if view.jacks_hand is not None:
        return view
    lost = (each.seat for each in view.settled if (each.bet, each.clause) == ("bonus", _NO_LINE))
    return replace(view, jacks_hand=view.hand) if any(_holds_jacks(view, seat) for seat in lost) else view


def _holds_jacks(view: TableView, seat: int) -> bool:
    codes = [card.code for card in view.at_spot(f"seat-{seat}")]
    return len(codes) == len(_JACKS) and all(code is not None and code[0] == "J" for code in codes)


# --- incidents --------------------------------------------------------------------------------------------------------


def _incident_raised(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    made = IncidentView(
        number=said["incident"],
        hand=view.hand,
        at=record.at,
        clause=said["clause"],
        severity=said["severity"],
        expected=said["expected"],
        observed=said["observed"],
        chooser=said["chooser"],
        remedies=tuple(said["remedies"]),
        draw=said["draw"],
        told=str(record.fact.get("reason", "")) if record.fact["kind"] == "called" else "",
        device=str(record.fact["what"]) if record.fact["kind"] == "topology-changed" else "",
        about=_about(said),
        bets=dict(record.fact["amounts"]) if record.fact["kind"] == "standing-bet" else {},
        state=IncidentState.RULING if said["chooser"] == _PIT_BOSS else IncidentState.ASKED,
    )
    incidents = {number: each for number, each in view.incidents.items() if number != made.number}
    return replace(view, incidents=_kept({**incidents, made.number: made}))


def _about(said: Mapping[str, Any]) -> str:
    """Which of two seats a ruling is about: of cards in contact each of the two is ruled on (TPC-PLE-1), of two boxes
    the second one (THB-PLY-2)."""
    seats = said.get("seats", ())
    return f"seat-{seats[0]}" if len(seats) == 1 and "+" in str(said["observed"]) else ""


def _kept(incidents: dict[int, IncidentView]) -> dict[int, IncidentView]:
    """The newest ones; an older one stays as long as it is open or nobody has acknowledged it."""
    surplus = len(incidents) - INCIDENTS_KEPT
    done = [number for number, each in sorted(incidents.items()) if each.normal][: max(0, surplus)]
    return {number: each for number, each in incidents.items() if number not in done}


def _change(view: TableView, number: int, change: Callable[[IncidentView], IncidentView]) -> TableView:
    incident = view.incidents.get(number)
    if incident is None:
        return view  # raised before the stream began
    return replace(view, incidents={**view.incidents, number: change(incident)})


def _incident_escalated(view: TableView, said: Mapping[str, Any], _record: _Record) -> TableView:
    remedies = tuple(said["remedies"])
    return _change(
        view,
        said["incident"],
        lambda incident: replace(incident, remedies=remedies, chooser=_PIT_BOSS, state=IncidentState.RULING),
    )


def _incident_closed(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    fact, number = record.fact, said["incident"]
    ruled = fact["kind"] == "ruled" and fact["incident"] == number
    return _change(
        view,
        number,
        lambda incident: replace(
            incident,
            state=IncidentState.CLOSED,
            remedy=said["remedy"],
            closed_by=said["by"],
            closed_at=record.at,
            ruled_by=fact["by"] if ruled else None,
            reason=fact["reason"] if ruled else "",
        ),
    )


def _incident_seen(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    return _change(view, said["incident"], lambda incident: replace(incident, seen_by=said["by"], seen_at=record.at))


# --- refusals and devices ---------------------------------------------------------------------------------------------


def _refused(view: TableView, said: Mapping[str, Any], record: _Record) -> TableView:
    if record.fact["kind"] == "drawn":
        return view  # a report the shoe repeated: nobody entered anything
    made = RefusalView(
        seq=record.seq,
        why=said["why"],
        clause=said["clause"],
        detail=said["detail"],
        entry=str(record.fact.get("key") or record.fact["kind"]),
    )
    return replace(view, refusal=made)


def _device(view: TableView, made: DeviceView) -> TableView:
    return replace(view, devices={**view.devices, made.device: made})


def _device_lost(view: TableView, fact: Mapping[str, Any], record: _Record) -> TableView:
    return _device(
        replace(view, notes=device_notes.lost(view.notes, fact["device"])),
        DeviceView(
            device=fact["device"],
            role=fact["role"],
            state=DeviceState.LOST,
            since=record.at,
            reason=fact["reason"],
        ),
    )


def _device_back(view: TableView, fact: Mapping[str, Any], record: _Record) -> TableView:
    made = DeviceView(device=fact["device"], role=fact["role"], state=DeviceState.BACK, since=record.at)
    return _device(view, made)


def _device_said(view: TableView, fact: Mapping[str, Any], record: _Record) -> TableView:
    before = view.devices.get(fact["device"])
    if before is None:
        before = DeviceView(device=fact["device"], role=fact["role"], state=DeviceState.BACK, since=record.at)
    code = "" if fact["code"] is None else f" {fact['code']}"
    view = replace(view, notes=device_notes.said(view.notes, fact, record.at))
    return _device(view, replace(before, said=f"{fact['what']}{code}"))


def _shuffled(view: TableView, fact: Mapping[str, Any], _record: _Record) -> TableView:
    return replace(view, notes=device_notes.shuffled(view.notes, int(fact["cards"])))


_FACTS: Final[Mapping[str, _Step]] = {
    "opened": _opened,
    "drawn": _drawn,
    "declared": _declared,
    "device-lost": _device_lost,
    "device-back": _device_back,
    "device-said": _device_said,
    "shuffled": _shuffled,
}
_DECISIONS: Final[Mapping[str, _Step]] = {
    "hand-opened": _hand_opened,
    "phase-entered": _phase_entered,
    "bet-taken": _bet_taken,
    "bets-returned": _bets_returned,
    "folded": _folded,
    "checked": _checked,
    "left-to-boxes": _left_to_boxes,
    "refused": _refused,
    "card-placed": _placed,
    "card-turned": _turned,
    "incident-raised": _incident_raised,
    "asked": _nothing,  # the prompt says what is asked first
    "incident-escalated": _incident_escalated,
    "incident-closed": _incident_closed,
    "incident-seen": _incident_seen,
    "seat-voided": _seat_voided,
    "seat-withdrawn": _seat_withdrawn,
    "seat-expelled": _seat_expelled,
    "hand-voided": _hand_voided,
    "refund": _refund,
    "bet-reversed": _bet_reversed,
    "ranked": _ranked,
    "bet-settled": _bet_settled,
    "hand-closed": _hand_closed,
}
#: The kinds of decisions that have a place on the screens; a test holds it against those there are.
DECISIONS_SHOWN: Final = frozenset(_DECISIONS)
