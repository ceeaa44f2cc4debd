"""From a table to the pit server through Debian's Mosquitto, which keeps nothing and may die at any time."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from simulators import processes
from simulators.fleet.debian import Mosquitto, free_port
from tablectl.cli.main import main
from tablectl.core.public_table.table_state import TableState
from tablectl.fleet.certificates import client_context
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.epochs import parse as parse_epoch
from tablectl.fleet.last_values import LastValues, encoded
from tablectl.fleet.pit import presence
from tablectl.fleet.topics import PIT, Asked, Here, answer, ask, asked_in, permissions
from tablectl.fleet.uplink import identity
from tablectl.fleet.uplink.mqtt import Mqtt
from tablectl.fleet.uplink.state import Link
from tablectl.fleet.uplink.transport import PitAway, PitRefuses
from tablectl.journal.clock import now_us
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, have_the_same, kept, running
from tests.fleet.pits import Pit
from tests.waiting import PATIENCE_S, until

MOSQUITTO: Final = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
VALUES: Final = LastValues(epoch="-.0", seq=1, state=TableState.PLAYING, at="2026-11-28T10:00:00.000000Z", hand=7)
system = pytest.mark.system
needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="Mosquitto is not installed: apt install mosquitto")


class Broker:
    """Mosquitto with the configuration that `tablectl pit broker` makes, on a port of its own."""

    def __init__(self, pit: Pit) -> None:
        self.port = free_port()
        self.url = f"mqtts://127.0.0.1:{self.port}"
        self.pit = pit
        self._mosquitto = Mosquitto(pit.folder / "broker")

    def configure(self) -> None:
        folder = self.pit.folder
        names = f'broker_certificate = "{PIT}.pem"\nbroker_key = "{PIT}.key"\n'
        (folder / "pit.toml").write_text(f'[pit]\nbroker = "{self.url}"\n{names}', encoding="utf-8")
        assert main(["pit", "broker", str(folder / "pit.toml"), str(folder / "broker"), "--name", "127.0.0.1"]) == 0

    def start(self) -> None:
        self._mosquitto.start()

    def kill(self) -> None:
        self._mosquitto.kill()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    pit = Pit(tmp_path)
    made = Broker(pit)
    pit.broker = made.url
    yield made
    made.kill()


@pytest.fixture
def pit(broker: Broker) -> Iterator[Pit]:
    made = broker.pit
    yield made
    made.stop()


def begin(table: Desk, pit: Pit, broker: Broker) -> None:
    """The table is known to both, and both run."""
    enrol(table, pit)
    broker.configure()
    broker.start()
    pit.start()
    until(lambda: pit.door is not None and pit.door.is_listening)


def through(broker: Broker) -> partial[Mqtt]:
    return partial(Mqtt, broker.url, table=NAME, lane="records")


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_what_happens_at_a_table_arrives_through_a_broker_as_it_is_in_the_journal(
    table: Desk, pit: Pit, broker: Broker
) -> None:
    begin(table, pit, broker)
    table.open_hand()
    with running(table, pit, connect=through(broker)) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
        table.play_on()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


@system
@needs_broker
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("clock", [now_us, lambda: 3600 * 1_000_000], ids=["right", "in-1970"])
def test_an_expired_certificate_is_renewed_at_the_pit_server_and_the_broker_lets_the_table_in(
    table: Desk, pit: Pit, broker: Broker, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F7 with a broker, which refuses it without a word."""
    monkeypatch.setattr(identity, "EXPIRED_AGAIN_S", 0.2)
    pit.new_certificate(NAME, datetime.now(UTC) - timedelta(days=120))
    begin(table, pit, broker)
    pit.stop()
    with running(table, pit, connect=through(broker), clock=clock) as uplink:
        table.open_hand()
        until(lambda: uplink.status.link is Link.AWAY)
        pit.start()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


@pytest.mark.wide
@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_a_broker_that_dies_and_keeps_nothing_loses_no_record(table: Desk, pit: Pit, broker: Broker) -> None:
    begin(table, pit, broker)
    with running(table, pit, connect=through(broker)) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        for _ in range(3):
            broker.kill()
            table.open_hand()
            until(lambda: uplink.status.link is Link.AWAY)
            broker.start()
            table.play_on()
            until(lambda: uplink.status.acked == table.newest)
            table.world.replace()
    have_the_same(table, pit)


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_a_broker_without_a_pit_server_acknowledges_nothing(table: Desk, pit: Pit, broker: Broker) -> None:
    """The broker takes the message, and says so: it is not an acknowledgement."""
    begin(table, pit, broker)
    pit.stop()
    with running(table, pit, connect=through(broker)) as uplink:
        until(lambda: uplink.status.link is Link.AWAY)
        assert "no pit server listens" in uplink.status.why
        assert uplink.status.acked == 0
        pit.start()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_a_revoked_table_is_refused_whatever_the_broker_still_lets_it_do(table: Desk, pit: Pit, broker: Broker) -> None:
    begin(table, pit, broker)
    with running(table, pit, connect=through(broker)) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        with pit.store() as store:
            store.revoke(NAME, "2026-11-28T10:00:00.000000Z")
        before = len(kept(pit))
        table.open_hand()
        until(lambda: uplink.status.link is Link.NOT_ADMITTED)
        assert "was revoked" in uplink.status.why
    assert len(kept(pit)) == before


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_a_table_speaks_and_hears_under_its_own_name_alone(table: Desk, pit: Pit, broker: Broker) -> None:
    pit.enrol("mesa-2", bytes(range(32)))
    begin(table, pit, broker)
    heard: list[str] = []
    listener = Client(CallbackAPIVersion.VERSION2, "listener", protocol=MQTTv5)
    listener.tls_set_context(pit.context_of("mesa-2"))
    listener.on_message = lambda _client, _data, message: heard.append(message.topic)
    listener.on_connect = lambda client, *_: client.subscribe("tablectl/#", 1)
    listener.connect("127.0.0.1", broker.port)
    listener.loop_start()
    stolen = Mqtt(broker.url, pit.context_of("mesa-2"), NAME, lane="records")
    with pytest.raises(PitRefuses, match="`tablectl pit broker`") as refused:
        stolen.head()
    assert refused.value.why == "not-admitted"
    stolen.close()
    for name in (NAME, "mesa-2"):
        own = Mqtt(broker.url, pit.context_of(name), name, lane="records")
        assert own.head().table == name
        own.close()
    until(lambda: heard != [])
    listener.disconnect()
    listener.loop_stop()
    assert set(heard) == {answer("mesa-2")}, "each certificate hears its own answers"


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_who_has_no_certificate_of_this_casino_is_not_let_in(table: Desk, pit: Pit, broker: Broker) -> None:
    begin(table, pit, broker)
    (pit.folder / "other").mkdir()
    other = Pit(pit.folder / "other")
    other.certificate_for(NAME)
    stranger = Mqtt(broker.url, other.context_of(NAME, pit.folder / "authority.pem"), NAME, lane="records")
    with pytest.raises(PitAway):
        stranger.head()
    believes_another = Mqtt(broker.url, other.context_of(NAME), NAME, lane="records")
    with warnings.catch_warnings():
        # The library leaves the socket of a handshake that failed to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        with pytest.raises(PitRefuses) as refused:
            believes_another.head()
        assert refused.value.why == "unknown-server"
        del believes_another, refused
        gc.collect()


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_what_a_table_is_doing_is_heard_through_a_broker(table: Desk, pit: Pit, broker: Broker) -> None:
    begin(table, pit, broker)
    lane = Mqtt(broker.url, pit.certificate_for(NAME), NAME, lane="now")
    lane.tell(encoded(VALUES))
    until(lambda: [one.values.hand for one in pit.floor.picture.tables if one.values is not None] == [7])
    with pytest.raises(PitRefuses) as refused:
        lane.tell(b"nonsense")
    assert refused.value.why == "values"
    lane.close()


def at_the_broker(broker: str, folder: Path, epoch: str) -> None:
    """A table as a process: it says how it is, and stays until somebody ends it."""
    context = client_context(
        authority=folder / "authority.pem", certificate=folder / f"{NAME}.pem", key=folder / f"{NAME}.key"
    )
    lane = Mqtt(broker, context, NAME, lane="now", epoch=parse_epoch(epoch))
    lane.tell(encoded(VALUES))
    sys.stdout.write("told\n")
    sys.stdout.flush()
    sys.stdin.read()
    lane.close()


@contextmanager
def told(broker: Broker, pit: Pit, epoch: Epoch) -> Iterator[subprocess.Popen[str]]:
    """A table as a process that said how it is."""
    program = "import sys; from pathlib import Path; from tests.fleet.test_mqtt import at_the_broker; "
    program += "at_the_broker(sys.argv[1], Path(sys.argv[2]), sys.argv[3])"
    words = [sys.executable, "-c", program, broker.url, str(pit.folder), str(epoch)]
    process = processes.start(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "told\n"
    until(lambda: is_unknown(pit) is False)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def is_unknown(pit: Pit) -> bool | None:
    """None where the table was never heard."""
    picture = pit.floor.picture
    return next((table.is_unknown(picture.at_s) for table in picture.tables if table.values is not None), None)


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_a_table_whose_connection_to_the_broker_breaks_is_unknown_at_once(
    table: Desk, pit: Pit, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its will: the pit server's own timer would not say so before an hour."""
    monkeypatch.setattr(presence, "SILENT_S", 3600.0)
    begin(table, pit, broker)
    epoch = Epoch(origin="ab" * 32, restores=2)
    said: list[Here] = []
    listener = Client(CallbackAPIVersion.VERSION2, "listener", protocol=MQTTv5)
    listener.tls_set_context(pit.context_of(PIT))
    listener.on_message = lambda _client, _data, message: said.append(msgspec.json.decode(message.payload, type=Here))
    listener.on_connect = lambda client, *_: client.subscribe(ask(NAME, Asked.HERE), 1)
    with told(broker, pit, epoch) as process:
        listener.connect("127.0.0.1", broker.port)
        listener.loop_start()
        until(lambda: len(said) == 1)
        process.kill()
        until(lambda: is_unknown(pit) is True)
        until(lambda: len(said) == 2)
    assert [here.is_here for here in said] == [True, False], "birth, which whoever comes later hears too, and will"
    assert {here.epoch for here in said} == {str(epoch)}
    assert len({here.session for here in said}) == 1
    with told(broker, pit, epoch):
        until(lambda: len(said) == 3)
        assert said[2].session != said[1].session
    listener.disconnect()
    listener.loop_stop()


@system
@needs_broker
@pytest.mark.usefixtures("soon")
def test_an_uplink_that_ends_in_order_has_no_will(table: Desk, pit: Pit, broker: Broker) -> None:
    """It may be back in a moment; whether it is, the pit server's timer says."""
    begin(table, pit, broker)
    with told(broker, pit, Epoch()) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
        asks = Mqtt(broker.url, pit.context_of(NAME), NAME, lane="records")
        assert asks.head().seq == 0  # what the broker had to say of the other connection came before
        asks.close()
        assert is_unknown(pit) is False


def test_a_topic_says_which_table_asks_for_what() -> None:
    assert asked_in(ask("mesa-1", Asked.RECORDS)) == ("mesa-1", Asked.RECORDS)
    assert asked_in("tablectl/v1/mesa-1/ask/money") is None
    assert asked_in("tablectl/v1/mesa-1/mesa-2/ask/head") is None
    assert asked_in("tablectl/v1/mesa-1/answer") is None


def test_each_table_may_use_its_own_topics_and_no_table_is_the_pit_server() -> None:
    text = permissions(("mesa-1", "mesa-2"))
    assert text.count("user ") == 3
    assert "user mesa-2\ntopic write tablectl/v1/mesa-2/ask/+\ntopic read tablectl/v1/mesa-2/answer\n" in text
    assert PIT not in ("mesa-1", "mesa-2")
