"""A record in plain words, for the time line of a hand: what happened, and what the table concluded from it. Pure.

Only what stands in the public record is told. A card has a name here where a person named it, or where the caller says
that it lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.cable_faults import cited
from tablectl.core.events import notes as n
from tablectl.core.events.stream import PublicRecord, Unknown
from tablectl.core.public_table.chip_float import act_of, chips_of, difference
from tablectl.core.records import kind_of
from tablectl.i18n import describe_pots
from tablectl.i18n.describe_pots import Values, at_seat
from tablectl.i18n.table_texts import TableTexts

_Device: TypeAlias = f.DeviceLost | f.DeviceBack | f.DeviceSaid


def describe_fact(t: TableTexts, record: PublicRecord) -> str:
    """What happened, in one sentence."""
    event = record.event
    values = _FACTS.get(type(event))
    if values is None:
        return t.say("fact", "other", kind=record.kind)
    return _sentence(t.say("fact", _fact_key(record), **values(t, event), **_added(t, record)))


def describe_decision(t: TableTexts, said: d.Decision | Unknown, *, entry: str = "", card: str | None = None) -> str:
    """What the table concluded from a fact, in one sentence. `entry`: that of its record, for an entry that was
    refused; `card`: the code of the card that it is about, if open."""
    if isinstance(said, Unknown):
        return t.say("decision", "other", kind=said.kind)
    if isinstance(said, d.Refused):
        why = t.refusal(said.why, entry=entry, detail=said.detail, clause=said.clause)
        return _sentence(t.say("decision", "refused", why=why))
    name = "" if card is None else f", {t.card(card)}"
    kind = kind_of(type(said))
    return _sentence(t.say("decision", kind, **_DECISIONS[type(said)](t, said), card=name))


def conclusions(record: PublicRecord) -> tuple[d.Decision | Unknown, ...]:
    """The decisions of a record that say more than its fact does."""
    if not isinstance(record.event, f.Bets):
        return record.decisions
    return tuple(decision for decision in record.decisions if not isinstance(decision, d.BetTaken))


def clause_of(said: d.Decision | Unknown) -> str | None:
    """The clause that a decision is told with; None where it is about none, or about a device or a cable."""
    if isinstance(said, d.IncidentRaised):
        return cited(said.clause, said.observed) or None
    return getattr(said, "clause", None)


def _sentence(text: str) -> str:
    plain = text.strip()
    return plain[:1].upper() + plain[1:]


# --- facts ------------------------------------------------------------------------------------------------------------


def _fact_key(record: PublicRecord) -> str:
    """Which of the sentences of a kind says it."""
    key = record.kind
    match record.event:
        case f.Drawn() if record.draw is None:
            key = "drawn-again"
        case f.Drawn() if record.commitment is None:
            key = "drawn-unread"
        case f.Pressed() if record.panel is not None:
            key = "pressed-panel"
        case n.Unsealed(granted=False):
            key = "unsealed-refused"
        case n.Access(granted=False):
            key = "access-refused"
        case n.Restored(by=""):
            key = "restored-by-nobody"
        case n.FloatCounted(expected=None):
            key = "float-counted-unknown"
        case f.Acknowledged(alarm=alarm) if alarm:
            key = "acknowledged-alarm"
    return key


def _added(t: TableTexts, record: PublicRecord) -> Values:
    """What the journal adds to the fact: the panel of a key; the card of the hand by its number, where an antenna sees
    one that is known."""
    match record.event:
        case f.Drawn():
            return {"draw": record.draw}
        case f.Pressed():
            return {"panel": record.panel}
        case f.Seen() | f.Gone() if record.lies is None:
            return {"what": t.word("word", "unknown-card")}
        case f.Seen() | f.Gone():
            return {"what": t.say("word", "card-number", draw=record.lies)}
        case _:
            return {}


def _quoted(text: str) -> str:
    return f" «{text}»" if text else ""


def _nothing(_t: TableTexts, _event: object) -> Values:
    return {}


def _pressed(t: TableTexts, fact: f.Pressed) -> Values:
    return {"key": t.spot(fact.key) if fact.key.startswith("seat-") else t.word("key", fact.key)}


def _bets(t: TableTexts, fact: f.Bets | f.StandingBet) -> Values:
    bets = (f"{t.bet(bet)} {t.money(amount)}".strip() for bet, amount in fact.amounts.items())
    return {**at_seat(t, fact), "bets": ", ".join(bets)}


def _standing(t: TableTexts, fact: f.StandingBet) -> Values:
    return {**_bets(t, fact), "consent": t.word("word", "consents") if fact.consent else ""}


def _antenna(t: TableTexts, fact: f.Seen | f.Gone) -> Values:
    return {"spot": t.spot(fact.spot)}


def _declared(t: TableTexts, fact: f.Declared) -> Values:
    where = "".join(f", {t.spot(spot)}" for spot in (fact.spot, fact.other) if spot is not None)
    count = "" if fact.cards is None else f" ({t.cards(fact.cards)})"
    return {"what": t.word("declaration", fact.what), "where": f"{where}{count}"}


def _ruled(t: TableTexts, fact: f.Ruled) -> Values:
    return {
        "by": t.persons(fact.by, fact.second),
        "reason": _quoted(fact.reason),
        "incident": fact.incident,
        "remedy": t.word("remedy", fact.remedy),
    }


def _asked_by(t: TableTexts, event: f.Called | n.Cleared) -> Values:
    return {"by": t.person(event.by), "reason": _quoted(event.reason)}


def _acknowledged(t: TableTexts, fact: f.Acknowledged) -> Values:
    alarm = {"alarm": t.alarm(fact.alarm)} if fact.alarm else {}
    return {"by": t.person(fact.by), "incident": fact.incident, **alarm}


def _unsealed(t: TableTexts, note: n.Unsealed) -> Values:
    return {"by": t.person(note.by), "reason": _quoted(note.reason), "of_hand": note.of_hand}


def _float(t: TableTexts, note: n.FloatNote) -> Values:
    expected = note.expected if isinstance(note, n.FloatCounted) else None
    more = difference(note.amount, expected)
    chips = ", ".join(f"{chip.count} × {t.money(chip.value)}" for chip in chips_of(note))
    return {
        "by": t.persons(note.by, note.second),
        "form": t.word("float-form", act_of(note)),
        "amount": f"{t.money(note.amount)} ({chips})" if chips else t.money(note.amount),
        "expected": t.money(expected),
        "more": "" if more is None else t.gain(more),
    }


def _who(
    t: TableTexts, said: f.SignedOn | f.SignedOff | d.CroupierAtTable | d.CroupierWaits | d.CroupierLeft
) -> Values:
    return {"who": t.person(said.croupier)}


def _limits(t: TableTexts, said: f.LimitsSet | d.LimitsWait | d.LimitsInForce) -> Values:
    by = {"by": t.persons(said.by, said.second)} if isinstance(said, f.LimitsSet) else {}
    return {"limits": t.limits(said.limits), **by}


def _alarm(t: TableTexts, said: f.Shelved | f.Unshelved | d.AlarmShelved | d.AlarmUnshelved | d.AlarmSeen) -> Values:
    reason = _quoted(said.reason) if isinstance(said, f.Shelved | d.AlarmShelved) else ""
    minutes = {"minutes": said.minutes} if isinstance(said, f.Shelved) else {}
    return {"alarm": t.alarm(said.alarm), "by": t.person(said.by), "reason": reason, **minutes}


def _named(t: TableTexts, fact: f.Named) -> Values:
    return {"by": t.person(fact.by), "place": t.place(fact.slot), "card": t.card(fact.card.code)}


def _device(t: TableTexts, fact: _Device) -> Values:
    return {"role": t.word("role", fact.role), "device": fact.device}


def _device_lost(t: TableTexts, fact: f.DeviceLost) -> Values:
    return {**_device(t, fact), "reason": _quoted(fact.reason)}


def _device_said(t: TableTexts, fact: f.DeviceSaid) -> Values:
    code = "" if fact.code is None else f" {fact.code}"
    return {**_device(t, fact), "what": f"{t.word('said', fact.what)}{code}"}


def _corrected(t: TableTexts, fact: f.Corrected) -> Values:
    entry = fact.instead
    if fact.card is not None:
        instead = t.say("word", "is-card", card=t.card(fact.card.code))
    elif fact.spot is not None:
        instead = t.say("word", "lies-at", spot=t.spot(fact.spot))
    elif entry is None:
        instead = t.word("word", "was-mistake")
    else:
        instead = t.say("fact", kind_of(type(entry)), **_FACTS[type(entry)](t, entry))
    return {
        "by": t.persons(fact.by, fact.second),
        "number": fact.number,
        "instead": _sentence(instead),
        "reason": _quoted(fact.reason),
    }


def _topology(t: TableTexts, fact: f.TopologyChanged) -> Values:
    foreign = "" if fact.is_allowed else t.word("word", "foreign")
    return {"change": t.word("plug", fact.change), "what": fact.what, "foreign": foreign}


def _tilted(t: TableTexts, note: n.Tilted) -> Values:
    return {"tilt": t.word("tilt", note.tilt), "reason": _quoted(note.reason)}


def _deck(t: TableTexts, note: n.DeckMoved) -> Values:
    return {"deck": note.deck, "what": t.word("deck-state", note.state), "by": note.by.capitalize()}


def _approval(t: TableTexts, note: n.SoftwareApproval) -> Values:
    if note.approved:
        return {"what": t.word("word", "software-approved")}
    return {"what": t.say("word", "software-not-approved", until=f"{note.until[:16].replace('T', ' ')} UTC")}


def _access(t: TableTexts, note: n.Access) -> Values:
    role = f" ({t.word('person-role', note.role)})" if note.role else ""
    who = note.who.capitalize() or t.word("word", "nobody-named")
    about = f", {note.about}" if note.about else ""
    return {"who": f"{who}{role}", "what": t.word("access", note.what), "about": about}


def _on_felt(t: TableTexts, fact: f.OnFelt) -> Values:
    return {"spots": ", ".join(map(t.spot, fact.spots)) or t.word("word", "nowhere")}


_FACTS: Final[Mapping[type[Any], Callable[[TableTexts, Any], Values]]] = {
    f.Opened: _nothing,
    f.GameChosen: lambda t, fact: {"game": t.word("game", fact.setup.rulebook), "by": t.person(fact.by)},
    f.Drawn: _nothing,
    f.Pressed: _pressed,
    f.Bets: _bets,
    f.Removed: at_seat,
    f.StandingBet: _standing,
    f.StandsOut: at_seat,
    f.Seen: _antenna,
    f.Gone: _antenna,
    f.StrangeTag: lambda t, fact: {"what": t.word("word", fact.what), "spot": t.spot(fact.spot)},
    f.TimePassed: _nothing,
    f.OnFelt: _on_felt,
    f.Counted: lambda t, fact: {"cards": t.cards(fact.cards)},
    f.Shuffled: lambda t, fact: {"cards": t.cards(fact.cards)},
    f.Declared: _declared,
    f.Ruled: _ruled,
    f.Acknowledged: _acknowledged,
    f.Named: _named,
    f.Corrected: _corrected,
    f.Called: _asked_by,
    f.DeviceLost: _device_lost,
    f.DeviceBack: _device,
    f.DeviceSaid: _device_said,
    f.TopologyChanged: _topology,
    f.Failed: lambda _t, fact: {"error": fact.error},
    f.SignedOn: _who,
    f.SignedOff: _who,
    f.LimitsSet: _limits,
    f.Shelved: _alarm,
    f.Unshelved: _alarm,
    n.Stopped: lambda _t, note: {"why": note.why},
    n.Tilted: _tilted,
    n.Cleared: _asked_by,
    n.Unsealed: _unsealed,
    n.DeckMoved: _deck,
    n.Access: _access,
    n.BadgeShown: lambda _t, note: {"badge": note.badge[:8]},
    n.Tested: lambda t, note: {"by": t.person(note.by), "what": t.word("test", note.what)},
    n.Restored: lambda t, note: {"records": note.records, "by": t.person(note.by)},
    n.FloatCounted: _float,
    n.FloatFilled: _float,
    n.FloatCredited: _float,
    n.ClockStepped: lambda _t, note: {"seconds": f"{round(note.by_us / 1_000_000):+d}"},
    n.HeadMissing: lambda _t, note: {"seq": note.to_seq},
    n.RollbackAccepted: lambda t, note: {
        "seq": note.to_seq,
        "who": t.persons(note.by, note.second),
        "reason": _quoted(note.reason),
    },
    n.OpenEnd: lambda _t, note: {"first": note.first, "last": note.last},
    n.Receipted: lambda _t, note: {"last": note.to_seq},
    n.Proven: lambda t, note: {"who": t.person(note.by), "action": _quoted(note.action)},
    n.Security: lambda t, note: {
        "what": t.word("attempted", note.cause),
        "count": note.count,
        "source": note.source,
    },
    n.SoftwareApproval: _approval,
    n.Format: lambda _t, note: {"needs": note.needs},
    n.VolumeOpened: lambda _t, note: {"volume": note.volume},
    n.VolumeClosed: lambda _t, note: {"volume": note.volume},
    **describe_pots.FACTS,
}
#: The kinds of facts that have words; a test holds them against those there are.
DESCRIBED_FACTS: Final = frozenset(kind_of(fact) for fact in _FACTS)


# --- decisions --------------------------------------------------------------------------------------------------------


def _hand_closed(t: TableTexts, said: d.HandClosed) -> Values:
    gain = "" if said.float_change is None else t.say("word", "float", gain=t.gain(said.float_change))
    drawn, presses = t.pluralize("word", "drawn", said.drawn), t.pluralize("word", "pressed", said.presses)
    return {"hand": said.hand, "drawn": drawn, "presses": presses, "float": gain}


def _opened(t: TableTexts, said: d.HandOpened) -> Values:
    return {"hand": said.hand, "game": t.word("game", said.rulebook), "version": said.version}


def _bet(t: TableTexts, said: d.BetTaken | d.Refund) -> Values:
    return {**at_seat(t, said), "bet": f"{t.bet(said.bet)} {t.money(said.amount)}".strip()}


def _placed(t: TableTexts, said: d.CardPlaced | d.CardTurned) -> Values:
    return {"draw": said.draw, "place": t.place(said.slot.name)}


def _raised(t: TableTexts, said: d.IncidentRaised) -> Values:
    return {
        "incident": said.incident,
        "title": t.incident_title(said.expected, said.observed, said.remedies),
        "expected": t.observed(said.expected),
        "observed": t.observed(said.observed),
    }


def _closed(t: TableTexts, said: d.IncidentClosed) -> Values:
    return {"incident": said.incident, "remedy": t.word("remedy", said.remedy), "by": t.word("chooser", said.by)}


def _settled(t: TableTexts, said: d.BetSettled) -> Values:
    return {
        **at_seat(t, said),
        "bet": t.bet(said.bet),
        "outcome": t.outcome(said.outcome, said.odds),
        "pays": f" ({t.gain(said.pays)})" if said.pays else "",
    }


def _reversed(t: TableTexts, said: d.BetReversed) -> Values:
    return {**at_seat(t, said), "bet": t.bet(said.bet), "pays": f" ({t.gain(-said.pays)})" if said.pays else ""}


_DECISIONS: Final[Mapping[type[Any], Callable[[TableTexts, Any], Values]]] = {
    d.HandOpened: _opened,
    d.PhaseEntered: lambda t, said: {"phase": t.word("phase", said.phase)},
    d.Withdrawn: lambda _t, said: {"number": said.number},
    d.Again: lambda _t, said: {"number": said.number},
    d.BetTaken: _bet,
    d.BetsReturned: at_seat,
    d.Folded: at_seat,
    d.Checked: at_seat,
    d.LeftToBoxes: lambda t, said: {"bet": t.bet(said.bet)},
    d.CardPlaced: _placed,
    d.CardTurned: _placed,
    d.IncidentRaised: _raised,
    d.Asked: lambda t, said: {"question": t.question(said.question, said.about)},
    d.IncidentEscalated: lambda t, said: {"incident": said.incident, "remedies": t.remedies(said.remedies)},
    d.IncidentClosed: _closed,
    d.IncidentSeen: lambda t, said: {"incident": said.incident, "by": t.person(said.by)},
    d.SeatVoided: at_seat,
    d.SeatWithdrawn: at_seat,
    d.SeatExpelled: at_seat,
    d.HandVoided: _nothing,
    d.Refund: _bet,
    d.BetReversed: _reversed,
    d.Ranked: lambda t, said: {"spot": t.spot(said.spot), "category": t.word("category", said.category)},
    d.BetSettled: _settled,
    d.HandClosed: _hand_closed,
    d.CroupierAtTable: _who,
    d.CroupierWaits: _who,
    d.CroupierLeft: _who,
    d.LimitsWait: _limits,
    d.LimitsInForce: _limits,
    d.AlarmShelved: _alarm,
    d.AlarmUnshelved: _alarm,
    d.AlarmSeen: _alarm,
    **describe_pots.DECISIONS,
}
#: The kinds of decisions that have words; a test holds them against those there are.
DESCRIBED_DECISIONS: Final = frozenset({kind_of(d.Refused), *map(kind_of, _DECISIONS)})
