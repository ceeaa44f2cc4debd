"""What a record says, against what this program concludes from the same facts.

A record says with which rules and prompts it was made. Where they are this program's, everything has to be the same.
Where they are others', cards, commitments, money and phases have to be; whatever else differs is told as a change of
the program, and is no fault of the record. A hand in which other rules find another error, or ask another question,
takes another course from there on: what follows is not comparable, and is told as a change as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine.versions import PROMPTS, RULES
from tablectl.core.events.codec import UnreadableRecord, decode_carry, to_plain
from tablectl.core.events.stream import Conclusion, PublicRecord, RecordedVersions, Reveal
from tablectl.core.records import kind_of, record

#: What a replay compares whatever the version: where cards lie, in which phase a hand is, what was bet, paid and kept.
#: A new version has to leave these as they were recorded.
_CARDS: Final = (d.CardPlaced, d.CardTurned, d.StubMade, d.Discards, d.Exchanges)
_PHASES: Final = (d.HandOpened, d.PhaseEntered, d.HandVoided, d.SeatVoided, d.HandClosed)
_MONEY: Final = (
    d.BetTaken,
    d.BetsReturned,
    d.Refund,
    d.BetReversed,
    d.BetSettled,
    d.StackNow,
    d.Bought,
    d.Account,
    d.Spoke,
    d.PotCarried,
    d.Uncalled,
    d.PotMade,
    d.Awarded,
)
#: Where rules of another version can take a hand another way.
_ERRORS: Final = frozenset(map(kind_of, (d.IncidentRaised, d.Asked, d.Refused)))
_KEPT_KINDS: Final = frozenset(map(kind_of, (*_CARDS, *_PHASES, *_MONEY)))
_KEPT_CARRY: Final = frozenset(("hand", "previous", "kept", "stacks", "bought", "carried", "is_pot_waiting"))
#: What a hand did to the float nobody had worked out when the first records were written.
_FLOAT: Final = "float_change"


@record
class Versions:
    """Of rules and prompts. `is_said`: a record says them; otherwise they are those of version 0.1.0, and a member that
    a record does not have was not there yet."""

    rules: int
    prompts: int
    is_said: bool = True


#: Of records without a word about it.
UNSAID: Final = Versions(rules=1, prompts=1, is_said=False)


@record
class Difference:
    """One thing that differs: in which record, what, and both sides. `since`: the version of rules or prompts, another
    one than this program's, by which the record was made, which then is not at fault; None: the record is wrong."""

    seq: int
    what: str
    recorded: object
    now: object
    since: str | None = None

    def __str__(self) -> str:
        if self.since is not None:
            return f"record {self.seq}, {self.what}: changed since version {self.since}"
        return f"record {self.seq}, {self.what}: recorded {self.recorded}, this program decides {self.now}"


#: This program's, as a record says them.
OURS: Final = RecordedVersions(rules=RULES, prompts=PROMPTS)


def versions_of(told: PublicRecord, before: Versions, *, is_due: bool, software: str = "") -> Versions:
    """Those that hold from this record on. `is_due`: the first record of each hand and of each start has to say them.
    `software`: this program; what it wrote itself was made by its own rules, said or not. Raises `ValueError`."""
    if told.versions is not None:
        return Versions(rules=told.versions.rules, prompts=told.versions.prompts)
    if told.software is None:
        return before
    if is_due:
        raise ValueError("it does not say with which rules it was made")
    return Versions(rules=RULES, prompts=PROMPTS, is_said=False) if software and told.software == software else UNSAID


def decisions_differ(
    seq: int, recorded: Sequence[Conclusion], decided: Sequence[Conclusion], versions: Versions
) -> Difference | None:
    """The first decision that is another one; a fault before a change."""
    fault = _first(seq, recorded, decided, is_same)
    if fault is None or versions.rules == RULES:
        return fault
    was, now = ([conclusion for conclusion in told if conclusion.kind in _KEPT_KINDS] for told in (recorded, decided))
    return _first(seq, was, now, _is_as_recorded) or Difference(
        seq=seq,
        what="decisions",
        recorded=[conclusion.members for conclusion in recorded],
        now=[conclusion.members for conclusion in decided],
        since=f"{versions.rules} of the rules",
    )


def takes_another_course(recorded: Sequence[Conclusion], decided: Sequence[Conclusion], versions: Versions) -> bool:
    """Whether the rules of this version find another error here, ask another question, or refuse what was taken."""
    if versions.rules == RULES:
        return False
    was, now = ([_error(one) for one in told if one.kind in _ERRORS] for told in (recorded, decided))
    return was != now


def as_changed(difference: Difference, versions: Versions) -> Difference:
    """The same as a change of the program."""
    return replace(difference, since=f"{versions.rules} of the rules")


def _error(said: Conclusion) -> tuple[object, ...]:
    told = said.members
    return (said.kind, told.get("clause"), told.get("question"), told.get("why"))


def _first(
    seq: int,
    recorded: Sequence[Conclusion],
    decided: Sequence[Conclusion],
    is_one: Callable[[Conclusion, Conclusion], bool],
) -> Difference | None:
    for number, (was, now) in enumerate(zip_longest(recorded, decided), 1):
        if was is None or now is None or not is_one(was, now):
            return Difference(seq=seq, what=f"decision {number}", recorded=_members(was), now=_members(now))
    return None


def _members(said: Conclusion | None) -> Mapping[str, Any] | None:
    return None if said is None else said.members


def is_same(recorded: Conclusion, decided: Conclusion) -> bool:
    """Whether a record says this decision, also one that was written before there was more to say."""
    now = decided.value
    if isinstance(now, d.HandClosed) and _FLOAT not in recorded.members:
        now = replace(now, float_change=None)
    return recorded.value == now


def _is_as_recorded(recorded: Conclusion, decided: Conclusion) -> bool:
    """A later version may say more."""
    now = decided.members
    return all(name in now and now[name] == value for name, value in recorded.members.items())


def prompt_differs(
    seq: int, recorded: Mapping[str, Any] | None, now: Mapping[str, Any], versions: Versions
) -> Difference | None:
    """What the croupier was told after a record."""
    if recorded == now:
        return None
    number = versions.prompts
    if not versions.is_said and {*(recorded or {})} != {*now}:
        number = 0  # before version 0.1.0: the prompt did not have all its members yet
    ours = (versions.rules, number) == (RULES, PROMPTS)
    since = None if ours else f"{number} of the prompts"
    return Difference(seq=seq, what="prompt", recorded=recorded, now=now, since=since)


def carry_differs(
    seq: int, recorded: Mapping[str, Any], now: Mapping[str, Any], versions: Versions
) -> Difference | None:
    """What the next hand gets from this one."""
    try:
        # As this version would have written it: members that were not there yet have their empty values.
        told = dict(recorded) if versions.is_said else to_plain(decode_carry(recorded))
    except UnreadableRecord:
        return Difference(seq=seq, what="carry", recorded=recorded, now=now)
    names = sorted({*told, *now} if versions.is_said else {*recorded})
    other = [name for name in names if told.get(name) != now.get(name)]
    if not other:
        return None
    is_fault = versions.rules == RULES or not _KEPT_CARRY.isdisjoint(other)
    return Difference(
        seq=seq,
        what=f"carry ({', '.join(other)})",
        recorded={name: told.get(name) for name in other},
        now={name: now.get(name) for name in other},
        since=None if is_fault else f"{versions.rules} of the rules",
    )


def reveals_differ(seq: int, recorded: tuple[Reveal, ...], now: tuple[Reveal, ...]) -> Difference | None:
    """Which cards were turned up, with code and salt: as they were committed to, whatever the version.

    The difference names draws only: a salt is of no use to whoever reads this, and a card of another draw is nobody's
    to read.
    """
    if recorded == now:
        return None
    return Difference(
        seq=seq,
        what="cards turned up",
        recorded=[reveal.draw for reveal in recorded],
        now=[reveal.draw for reveal in now],
    )


def faults(differences: tuple[Difference, ...]) -> Iterator[Difference]:
    """Those for which no change of the program accounts."""
    return (difference for difference in differences if difference.since is None)
