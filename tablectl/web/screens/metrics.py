"""What Prometheus reads at `/metrics`: one answer of the controller, in its text format. What to watch: docs/health.md.

Counts of devices and incidents begin at the controller's start, as Prometheus expects of a counter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from drivers.health import DeviceState
from tablectl.core.disk_room import Space, Urgency
from tablectl.core.events.notes import MissingHead
from tablectl.ops.connections import NetworkListener
from tablectl.web.screens.health import DeviceRow, Health
from tablectl.web.screens.uplink_state import UplinkNow, UplinkStanding, seconds_of

_FOLDER: Final = ("holds", "path")
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_DEVICE: Final = ("role", "device", "driver")
#: What is counted of a device: name, meaning, and where it stands; None where nobody counts.
_COUNTS: Final[tuple[tuple[str, str, Callable[[DeviceRow], int | None]], ...]] = (
    ("received_bytes", "Bytes read from it.", lambda device: device.bytes_in),
    ("sent_bytes", "Bytes written to it.", lambda device: device.bytes_out),
    ("garbage_bytes", "Bytes read that were no message.", lambda device: device.garbage_bytes),
    ("frames", "Messages that were whole and good.", lambda device: device.frames),
    ("facts", "Facts that followed from them.", lambda device: device.facts),
    ("retries", "Commands that were sent once more.", lambda device: device.retries),
    ("reconnects", "Times it was opened anew.", lambda device: device.reconnects),
)


class _Once(Collector):
    """Gives what there is to tell, this once."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = tuple(metrics)

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def metrics_text(
    health: Health | None, uplink: UplinkNow | None = None, *, missing: MissingHead | None = None
) -> bytes:
    """The whole page; without an answer of the controller, that it is not up, and what is known without it. `missing`:
    what the table signed and its journal does not have."""
    return written((*_all(health), refused_connections("tablectl_screens"), _missing(missing), *_of_uplink(uplink)))


def written(metrics: Iterable[Metric]) -> bytes:
    """These in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Once(metrics))
    text: bytes = generate_latest(registry)
    return text


def _all(health: Health | None) -> Iterator[Metric]:
    yield GaugeMetricFamily("tablectl_controller_up", "The controller answers.", value=float(health is not None))
    if health is None:
        return
    started = GaugeMetricFamily("tablectl_controller_start_time_seconds", "When it was started, since the epoch.")
    started.add_metric((), _epoch_s(health.started))
    yield started
    yield GaugeMetricFamily(
        "tablectl_threads_in_trouble", "Threads that ended or do not move.", value=len(health.troubles)
    )
    yield GaugeMetricFamily(
        "tablectl_controller_memory_bytes", "What the controller has in memory.", value=health.memory_bytes
    )
    yield from _of_disks(health.disks)
    yield CounterMetricFamily("tablectl_journal_records", "Position of the journal.", value=health.records)
    yield CounterMetricFamily("tablectl_hands", "Hands that are over, since the journal began.", value=health.hands)
    incidents = CounterMetricFamily("tablectl_incidents", "Incidents, by clause.", labels=("clause",))
    for clause, count in health.incidents.items():
        incidents.add_metric((clause,), count)
    yield incidents
    yield from _of_devices(health.devices)


def _missing(missing: MissingHead | None) -> Metric:
    what = "1 while the journal lacks what the table signed, until two persons accept it."
    return GaugeMetricFamily("tablectl_journal_head_missing", what, value=float(missing is not None))


def refused_connections(server: str) -> Metric:
    """How many connections this process did not let in over the network. `server`: what its name begins with."""
    made = CounterMetricFamily(f"{server}_refused_connections", "Connections that were not let in.", labels=("limit",))
    for limit, count in NetworkListener.refused.items():
        made.add_metric((limit,), count)
    return made


def _of_uplink(uplink: UplinkNow | None) -> Iterator[Metric]:
    """Nothing of a table without one."""
    if uplink is None:
        return
    link = GaugeMetricFamily("tablectl_uplink_link", "1 for the state it is in.", labels=("state",))
    for state in UplinkStanding:
        link.add_metric((state.value,), float(uplink.standing is state))
    yield link
    told = (
        ("behind_records", "Records that the pit server does not have yet.", uplink.behind),
        ("last_ack_timestamp_seconds", "When it acknowledged last, since the epoch.", seconds_of(uplink.acked_at)),
        ("certificate_end_timestamp_seconds", "When the certificate ends.", seconds_of(uplink.certificate_until)),
    )
    for name, what, value in told:
        if value is not None:
            yield GaugeMetricFamily(f"tablectl_uplink_{name}", what, value=value)


def _of_disks(disks: tuple[Space, ...]) -> Iterator[Metric]:
    free = GaugeMetricFamily("tablectl_disk_free_bytes", "Room that is left on its disk.", labels=_FOLDER)
    days = GaugeMetricFamily("tablectl_disk_full_days", "Dealing days until that disk is full.", labels=_FOLDER)
    urgency = GaugeMetricFamily("tablectl_disk_urgency", "0 none, 1 notice, 2 alarm.", labels=_FOLDER)
    for space in disks:
        free.add_metric((space.holds, space.path), space.free_bytes)
        urgency.add_metric((space.holds, space.path), list(Urgency).index(space.urgency))
        if space.days is not None:
            days.add_metric((space.holds, space.path), space.days)
    yield from (free, days, urgency)


def _of_devices(devices: tuple[DeviceRow, ...]) -> Iterator[Metric]:
    state = GaugeMetricFamily("tablectl_device_state", "1 for the state it is in.", labels=(*_DEVICE, "state"))
    since = GaugeMetricFamily("tablectl_device_state_since_seconds", "Since when, since the epoch.", labels=_DEVICE)
    for device in devices:
        for one in DeviceState:
            state.add_metric((*_labels(device), one.value), float(device.state is one))
        since.add_metric(_labels(device), _epoch_s(device.since))
    yield state
    yield since
    for name, what, of in _COUNTS:
        counter = CounterMetricFamily(f"tablectl_device_{name}", what, labels=_DEVICE)
        for device in devices:
            if (count := of(device)) is not None:
                counter.add_metric(_labels(device), count)
        yield counter


def _labels(device: DeviceRow) -> tuple[str, ...]:
    return device.role, device.name, device.driver


def _epoch_s(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
