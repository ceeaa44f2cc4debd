"""What of a record is worth telling somebody: each of its incidents by itself."""

from __future__ import annotations

from tablectl.core.events.stream import decode_record
from tablectl.notifications.alerts import alerts_of
from tablectl.notifications.outbox import identity
from tests.screens.controller import Bench

#: A bank card was seen: an incident, to which the test adds a second one in the same record.
TWICE = """
press new-hand
bet 1 ante 1000
press no-more-bets
draw 5s
draw 7d
press bank-exposed
press confirm
"""


def test_one_record_with_two_incidents_gives_two_messages() -> None:
    bench = Bench()
    bench.lines(TWICE)
    record, raised = next(
        (record, decision)
        for record in bench.records
        for decision in record["decisions"]
        if decision["kind"] == "incident-raised"
    )
    both = {**record, "decisions": [*record["decisions"], {**raised, "incident": raised["incident"] + 1}]}
    told = list(alerts_of(decode_record(both)))
    assert [alert.subject for alert in told] == ["incident-1", "incident-2"]
    assert len({identity("hash of the record", alert.subject, alert.kind, "chief") for alert in told}) == 2
