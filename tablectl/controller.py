"""The one writer of a table: device, engine, journal, and only then lamps, locks and readers.

One thread, one queue. A fact and its decisions are durable before anything happens because of them.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers.facts import DeviceFact
from drivers.port import Log
from tablectl.config import Config
from tablectl.control import ControlSocket, Entry, Newest
from tablectl.devices import Devices, LastReport
from tablectl.engine import facts as f
from tablectl.engine.decisions import Decision, IncidentRaised, Refused
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.table import Table
from tablectl.engine.words import Key
from tablectl.journal.ledger import Ledger
from tablectl.journal.record import canonical, public_fact
from tablectl.journal.recovery import ReplayDiffers, last_report, recover
from tablectl.journal.seal import BadKey, Vault, load_key, make_key
from tablectl.journal.store import JournalUnusable, Store
from tablectl.outputs import DARK, OFF, outputs
from tablectl.rulebooks.registry import rulebook_of

EXIT_OK: Final = 0
EXIT_TILT: Final = 3
#: How long a key that was pressed in vain blinks, in seconds.
REFUSAL_S: Final = 1.0


class Tilt(Exception):
    """The table cannot be trusted: no dealing. The text says what happened and what to do."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody wants the controller to end."""

    why: str


Item: TypeAlias = DeviceFact | Entry | Stop


def now_us() -> int:
    """Wall clock, microseconds since the epoch."""
    return time.time_ns() // 1000


class Controller:
    """One table, from its configuration to its last record."""

    def __init__(
        self,
        config: Config,
        log: Log,
        *,
        rulebooks: Callable[[f.Setup], Rulebook] = rulebook_of,
        on_ready: Callable[[], None] = lambda: None,
    ) -> None:
        self._config = config
        self._log = log
        self._rulebooks = rulebooks
        self._on_ready = on_ready
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._devices = Devices(config, self._items.put, log)
        self._refused_until_s: float | None = None

    def stop(self, why: str) -> None:
        """End after the item in hand; any thread, or a signal."""
        self._items.put(Stop(why))

    def run(self) -> int:
        """Until somebody stops it. Returns the exit status: 0, or 3 for a tilt (said in the log and on the lamps)."""
        with ExitStack() as self._open:
            try:
                self._start()
                return self._serve()
            except (Tilt, JournalUnusable, ReplayDiffers, BadKey) as why:
                self._devices.show(DARK)
                self._log.error("tilt", reason=str(why))
                return EXIT_TILT

    def stop_on_signals(self) -> None:
        """SIGTERM and SIGINT end the controller in order. Call it before `run`, from the main thread.

        They are blocked in every thread and waited for in one of their own: a handler would run in the main thread
        only, and that one sleeps on the queue when the kernel hands the signal to a reader of a port.
        """
        wanted = {signal.SIGTERM, signal.SIGINT}
        signal.pthread_sigmask(signal.SIG_BLOCK, wanted)

        def wait() -> None:
            self.stop(signal.Signals(signal.sigwait(wanted)).name)

        threading.Thread(target=wait, name="signals", daemon=True).start()

    # -- life --------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        config = self._config
        self._store = Store.open(config.journal)
        self._open.callback(self._store.close)
        self._vault = Vault(self._key())
        self._recover()
        last = last_report(self._store, self._vault)
        same_hand = last is not None and self._table.state.in_play and last[0] == self._table.state.hand
        self._last_report = LastReport(last[1] if last is not None else None, same_hand=same_hand)
        newest = Newest(self._store.newest)
        self._newest = newest
        self._apply(f.Opened(at_us=now_us(), setup=config.setup), None)
        self._control = ControlSocket(
            config.socket,
            journal=config.journal,
            newest=newest,
            greeting=greeting(config),
            setup=config.setup,
            enter=self._items.put,
            now_us=now_us,
        )
        self._open.callback(self._devices.close)
        self._open.callback(self._control.close)
        try:
            self._control.start()
        except OSError as wrong:
            reason = wrong.strerror or str(wrong)
            raise Tilt(f"{config.socket}: cannot listen there ({reason}); is another controller running?") from None
        self._devices.start()
        for notice in config.notices:
            self._log.warning("notice", text=notice)
        self._log.info("ready", table=config.setup.table, hand=self._table.state.hand, records=self._store.newest)
        self._on_ready()

    def _key(self) -> bytes:
        """The table's key. One is made for a new journal only: what an old one sealed opens with its own key alone."""
        path = self._config.key
        if self._store.newest == 0 and not path.exists():
            return make_key(path)
        if self._store.newest == 0:
            self._log.warning("new journal", text=f"{path} is older than the journal; was a journal moved away?")
        return load_key(path)

    def _recover(self) -> None:
        self._ledger = Ledger(self._store, self._vault)
        table = recover(self._store, self._ledger, self._rulebooks)
        self._table = table if table is not None else Table(self._config.setup, self._rulebooks)

    def _serve(self) -> int:
        while True:
            try:
                item = self._items.get(timeout=self._patience_s())
            except queue.Empty:
                self._refused_until_s = None
                self._devices.show(outputs(self._table.prompt(), refused=None))
                continue
            if isinstance(item, Stop):
                self._devices.show(OFF)
                self._log.info("stopped", why=item.why)
                return EXIT_OK
            try:
                self._take(item)
            except (Tilt, JournalUnusable, ReplayDiffers):
                raise
            except Exception as bug:
                what = f"the controller broke on a {type(item).__name__}: {_where(bug)}"
                raise Tilt(f"{what}; what is recorded is good, a restart resumes from it") from bug

    def _take(self, item: DeviceFact | Entry) -> None:
        entry = item if isinstance(item, Entry) else None
        fact = item.fact if isinstance(item, Entry) else self._devices.table_fact(item)
        if fact is None:
            return
        if self._last_report.repeats(fact):
            self._log.info("report repeated", what="the shoe's last card before the start; it is no new one")
            return
        self._apply(fact, entry)

    def _patience_s(self) -> float | None:
        return None if self._refused_until_s is None else max(0.0, self._refused_until_s - time.monotonic())

    # -- the card's path ---------------------------------------------------------------------------------------------

    def _apply(self, fact: f.Fact, entry: Entry | None) -> None:
        drawn_before = len(self._table.state.deal.draws)
        hand = self._hand()
        try:
            decisions = self._table.apply(fact)
            n_draws = len(self._table.state.deal.draws)
            self._write(fact, decisions, n_draws if n_draws > drawn_before else None, hand)
        except JournalUnusable:
            raise
        except Exception as bug:
            if entry is not None:
                entry.fail("the controller broke on this entry; the table is held")
            what = f"the engine broke on a {type(fact).__name__} fact: {_where(bug)}"
            self._keep(fact, bug, what)
            raise Tilt(f"{what}; the fact is kept, a restart resumes with the table held") from bug
        self._release(fact, decisions, entry)

    def _write(self, fact: f.Fact, decisions: tuple[Decision, ...], draw: int | None, hand: int) -> None:
        between = not self._table.state.in_play
        closed = between and hand == self._table.state.hand
        self._ledger.write(
            fact,
            decisions,
            prompt=self._table.prompt(),
            hand=hand if closed else self._hand(),
            draw=draw,
            carry=self._table.carry() if closed else None,
        )

    def _hand(self) -> int:
        """The hand a record belongs to: between two hands already the next one."""
        state = self._table.state
        return state.hand if state.in_play else state.hand + 1

    def _release(self, fact: f.Fact, decisions: tuple[Decision, ...], entry: Entry | None) -> None:
        """Everything below happens because of a record that is durable."""
        refused = next((each for each in decisions if isinstance(each, Refused)), None)
        blinking: Key | None = None
        if refused is not None and isinstance(fact, f.Pressed):
            blinking = fact.key
            self._refused_until_s = time.monotonic() + REFUSAL_S
        self._devices.show(outputs(self._table.prompt(), refused=blinking))
        self._newest.publish(self._store.newest)
        if entry is not None:
            entry.answer(self._store.newest, refused)
        for each in decisions:
            if isinstance(each, IncidentRaised):
                self._log.warning("incident", number=each.incident, clause=each.clause, severity=each.severity.value)

    def _keep(self, fact: f.Fact, bug: Exception, what: str) -> None:
        """A bug: the half-done table is thrown away, the fact is kept, and the table resumes held."""
        self._recover()
        kept = canonical(public_fact(fact, None)).decode()
        card = fact.card if isinstance(fact, f.Drawn) else None
        failed = f.Failed(at_us=fact.at_us, fact=kept, error=_where(bug), card=card)
        hand, drawn_before = self._hand(), len(self._table.state.deal.draws)
        try:
            decisions = self._table.apply(failed)
            n_draws = len(self._table.state.deal.draws)
            self._write(failed, decisions, n_draws if n_draws > drawn_before else None, hand)
        except JournalUnusable:
            raise
        except Exception as worse:
            raise Tilt(f"{what}; it could not even be kept: {_where(worse)}") from worse
        self._newest.publish(self._store.newest)


def _where(bug: Exception) -> str:
    """What broke and where, without values: they could be cards."""
    frames = traceback.extract_tb(bug.__traceback__)
    last = f" at {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(bug).__name__}{last}"


def greeting(config: Config) -> dict[str, object]:
    """What a reader of the public stream is told first."""
    setup = config.setup
    return {
        "table": {
            "name": setup.table,
            "rulebook": setup.rulebook,
            "seats": setup.seats,
            "tracking": setup.tracking.value,
            "limits": {bet: {"least": each.least, "most": each.most} for bet, each in setup.limits.items()},
            "languages": list(config.languages),
            "currency": config.currency,
            "currency_exponent": config.currency_exponent,
        }
    }
