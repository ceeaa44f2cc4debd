"""What Prometheus reads of the pit server, at `/metrics` of the overview: docs/health.md says what to watch.

Counts begin at the server's start, but for what was not taken, which the store counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from tablectl.fleet.heads import Case
from tablectl.fleet.pit.ingest_counts import BUCKETS_S, REFUSED, IngestCounts
from tablectl.fleet.pit.scopes import FloorPicture
from tablectl.web.overview.tiles import Shown, Tiles
from tablectl.web.screens.metrics import refused_connections, written


def pit_metrics(picture: FloorPicture, counts: IngestCounts, *, certificate_end_s: float | None = None) -> bytes:
    """The whole page. `certificate_end_s`: when the server's own certificate ends, where that is known."""
    refused = refused_connections("tablectl_pit")
    return written((*_of_tables(picture), *_of_ingest(counts), refused, *_of_certificate(certificate_end_s)))


def _of_tables(picture: FloorPicture) -> Iterator[Metric]:
    tiles = Tiles().of(picture)
    states = Counter(tile.shown for tile in tiles)
    tables = GaugeMetricFamily("tablectl_pit_tables", "How many tables are so.", labels=("state",))
    for shown in Shown:
        tables.add_metric((shown.value,), states[shown])
    yield tables
    late_us = max((picture.at_us - tile.delay_us for tile in tiles if tile.delay_us), default=0)
    yield GaugeMetricFamily(
        "tablectl_pit_records_late_seconds", "How late the records of the latest table are.", value=late_us / 1_000_000
    )
    not_taken = Counter({table.name: 0 for table in picture.tables})
    for found in picture.not_taken:
        not_taken[found.table] += found.count
    quarantined = CounterMetricFamily("tablectl_pit_quarantined", "What was not taken, by table.", labels=("table",))
    for name, count in not_taken.items():
        quarantined.add_metric((name,), count)
    yield quarantined
    yield GaugeMetricFamily("tablectl_pit_rows", "About how many records are not packed yet.", value=picture.rows)


def _of_ingest(counts: IngestCounts) -> Iterator[Metric]:
    yield CounterMetricFamily("tablectl_pit_records", "Records appended.", value=counts.records)
    batches = CounterMetricFamily("tablectl_pit_batches", "Batches, by what became of them.", labels=("case",))
    for case in (*Case, REFUSED):
        batches.add_metric((str(case),), counts.batches.get(case, 0))
    yield batches
    took = HistogramMetricFamily("tablectl_pit_transaction_seconds", "How long a transaction took to be durable.")
    bounds = (*map(str, BUCKETS_S), "+Inf")
    took.add_metric((), list(zip(bounds, accumulate(counts.transactions), strict=True)), counts.seconds)
    yield took
    yield GaugeMetricFamily(
        "tablectl_pit_store_writable", "The last transaction was kept.", value=float(counts.is_writable)
    )


def _of_certificate(end_s: float | None) -> Iterator[Metric]:
    if end_s is not None:
        yield GaugeMetricFamily(
            "tablectl_pit_certificate_end_timestamp_seconds", "When the server's certificate ends.", value=end_s
        )
