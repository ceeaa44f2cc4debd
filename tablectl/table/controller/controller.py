"""The one writer of a table: device, engine, journal, and only then lamps, locks and readers.

One thread, one queue. A fact and its decisions are durable before anything happens because of them.
"""

from __future__ import annotations

import errno
import queue
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import msgspec

from drivers.facts import DeviceFact, KeyDown
from drivers.health import DeviceState
from drivers.heartbeat import Heartbeat
from drivers.port import Log
from drivers.thread_name import show_name
from tablectl.api.commands import (
    AcceptRollback,
    AskChoices,
    Command,
    EnterFact,
    OpenSealedCards,
    PreviewCorrection,
    RecordAccess,
    RecordFloat,
    RecordMissingHead,
    RecordProof,
    RecordReceipt,
    StartDeviceTest,
)
from tablectl.api.context import ApiContext, Topic
from tablectl.api.server import AllowedWriters, ApiServer
from tablectl.config.table_file import Config
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision, IncidentRaised, Refused
from tablectl.core.engine.outputs import DARK, OFF, Outputs, outputs
from tablectl.core.engine.previews import TrialBroke
from tablectl.core.engine.rulebook import Kind, Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.core.engine.whose_turn import REPEATED_KEY
from tablectl.core.events.codec import encode_fact, encode_json, to_plain
from tablectl.core.events.corrections import first_told
from tablectl.core.events.notes import (
    Access,
    ClockStepped,
    FloatCounted,
    FloatFilled,
    FloatNote,
    HeadMissing,
    MissingHead,
    Note,
    OpenEnd,
    RollbackAccepted,
    Stopped,
    Tested,
    Tilted,
)
from tablectl.core.public_table.chip_float import ABOVE_TRAY, has_new_members, without_new_members
from tablectl.core.security import SecurityCause
from tablectl.core.timestamps import time_text
from tablectl.games.registry import rulebook_of
from tablectl.i18n.languages import SOURCE
from tablectl.journal import restored
from tablectl.journal.clock import TableClock, now_us
from tablectl.journal.copy import CopyDiffers, SecondCopy, check_joins
from tablectl.journal.deck_register import Register, RegisterUnusable
from tablectl.journal.journal import Journal
from tablectl.journal.log_head import LogHead
from tablectl.journal.receipts import note_of
from tablectl.journal.rollback import HeadRefusal
from tablectl.journal.store import JournalUnusable, Stored, kind_of, tell_holder
from tablectl.journal.tilt import Mark, Tilt, TiltKind, find, leave
from tablectl.journal.writer import format_begun
from tablectl.ops.software.required import how
from tablectl.ops.systemd_notify import ALIVE, READY, STOPPING, notify
from tablectl.ops.trace.kept import traces_answer
from tablectl.ops.unsealing import WITNESS_S, Judge, auditor_of, is_witnessed, unseal
from tablectl.table.approval import ApprovalWatch, approval_of, check_in_time
from tablectl.table.controller.between_hands import BetweenHands, NotNow, is_free
from tablectl.table.controller.enrolling import Session
from tablectl.table.controller.present_choices import PresentChoices
from tablectl.table.controller.present_prompt import PresentPrompt
from tablectl.table.controller.running import Running
from tablectl.table.decks.at_table import DecksAtTable
from tablectl.table.decks.enrolment_at_table import (
    EnrolmentAtTable,
    LendReader,
    NoRegister,
    ReturnReader,
    decks_answer,
)
from tablectl.table.devices.devices import Devices
from tablectl.table.devices.last_report import LastReport
from tablectl.table.devices.repeated_keys import RepeatedKeys
from tablectl.table.integrity_supervisor import DEFAULT_ROUNDS, IntegritySupervisor, Rounds
from tablectl.table.memory import MEMORY_ALARM_BYTES, resident_bytes
from tablectl.table.report import report
from tablectl.table.security_watch import SecurityWatch
from tablectl.table.synchronised import Synchronised
from tablectl.table.threads import watched_threads
from tablectl.table.watchdog import Watchdog

EXIT_OK: Final = 0
EXIT_TILT: Final = 3
#: How long a key that was pressed in vain blinks, in seconds.
REFUSAL_S: Final = 1.0
#: How often the clock is looked at when nothing happens, in seconds.
CLOCK_LOOK_S: Final = 5.0
#: How often it is asked whether the clock is synchronised, in seconds: while a start waits for it, and afterwards.
SYNC_LOOK_S: Final = 0.5
SYNC_AGAIN_S: Final = 5.0
#: Then the journal itself is the evidence: nothing is added to it, and the mark alone says that the table is tilted.
JOURNAL_IN_DOUBT: Final = frozenset({TiltKind.CHAIN, TiltKind.COPY, TiltKind.DAMAGED})
#: After these nothing more is dealt.
NOTHING_BEHIND: Final = (Tilt, JournalUnusable, RegisterUnusable)
#: How long the end waits for the second copy, in seconds.
COPY_S: Final = 5.0


class StandingTilt(Tilt):
    """A tilt of an earlier run that nobody cleared."""

    def __init__(self, mark: Mark) -> None:
        super().__init__(mark.kind, mark.reason)
        self.mark = mark


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody wants the controller to end."""

    why: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """Somebody who watches the journal found a fault."""

    tilt: Tilt


@dataclass(frozen=True, slots=True)
class ClockIsRight:
    """A time server has set the clock, after the start no longer waited for it."""


Item: TypeAlias = DeviceFact | Command | Stop | Alarm | ClockIsRight


class Controller:
    """One table, from its configuration to its last record."""

    def __init__(
        self,
        config: Config,
        log: Log,
        *,
        rulebooks: Callable[[f.Setup], Rulebook] = rulebook_of,
        on_ready: Callable[[], None] = lambda: None,
        clock: TableClock | None = None,
        software: Callable[[], str] = lambda: "",
        rounds: Rounds = DEFAULT_ROUNDS,
        synchronised: Callable[[], Synchronised] = lambda: Synchronised.YES,
    ) -> None:
        """`software` says which program this is, or raises `Tilt`; without it every record says that nobody asked.
        `synchronised` says whether a time server set the clock; any thread may ask."""
        self._config = config
        self._log = log
        self._rulebooks = rulebooks
        self._on_ready = on_ready
        self._software = software
        self._clock = clock if clock is not None else TableClock()
        self._rounds = rounds
        self._synchronised = synchronised
        self._is_synchronised = True
        self._has_much_memory = False
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._security = SecurityWatch(self._clock.now_us)
        self._devices = Devices(
            config,
            self._items.put,
            log,
            self._clock.now_us,
            on_usb_flood=lambda what: self._security.tried(SecurityCause.USB, what),
        )
        self._present = PresentPrompt()
        self._choices = PresentChoices(self._preview_broke)
        self._repeated_keys = RepeatedKeys(config.repeat_ms)
        self._refused_until_s: float | None = None
        self._takes_notes = False
        #: the record that says that a backup was put in place at this start
        self._restored_seq = 0
        self._decks: DecksAtTable | None = None
        self._between_hands = BetweenHands(config.devices, log)
        self._tried: Outputs | None = None
        self._log_head = LogHead()
        self._started_us = self._clock.now_us()
        self._incidents: Counter[str] = Counter()
        self._approval: ApprovalWatch | None = None
        self._heartbeat = Heartbeat("controller")
        self._watchdog: Watchdog | None = None

    def stop(self, why: str) -> None:
        """End after the item in hand; any thread, or a signal."""
        self._items.put(Stop(why))

    def run(self) -> int:
        """Until somebody stops it. Returns the exit status: 0, or 3 for a tilt (said in the log and on the lamps)."""
        with ExitStack() as self._open:
            try:
                return self._live()
            except Tilt as why:
                return self._tilted(why)
            except JournalUnusable as wrong:
                return self._tilted(Tilt(wrong.kind, str(wrong)))
            except RegisterUnusable as wrong:
                return self._tilted(Tilt(TiltKind.REGISTER, str(wrong)))

    def _live(self) -> int:
        try:
            self._start()
            return self._serve()
        except NOTHING_BEHIND:
            raise
        except Exception as bug:
            raise Tilt(TiltKind.PROGRAM, f"the controller broke: {_where(bug)}; what is recorded is good") from bug

    def stop_on_signals(self) -> None:
        """SIGTERM and SIGINT end the controller in order. Call it before `run`, from the main thread.

        They are blocked in every thread and waited for in one of their own: a handler would run in the main thread
        only, and that one sleeps on the queue when the kernel hands the signal to a reader of a port.
        """
        wanted = {signal.SIGTERM, signal.SIGINT}
        signal.pthread_sigmask(signal.SIG_BLOCK, wanted)

        def wait() -> None:
            show_name()
            self.stop(signal.Signals(signal.sigwait(wanted)).name)

        threading.Thread(target=wait, name="signals", daemon=True).start()

    # -- life --------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        config = self._config
        mark = find(config.marks)
        if mark is not None:
            raise StandingTilt(mark)
        self._wait_for_the_clock()
        software = self._software()
        self._running = Running(config, software)
        journal = self._journal = Journal.open(
            config.places,
            software=software,
            currency=config.table_currency,
        )
        self._open.callback(journal.close)
        self._check(journal)
        self._recover()
        self._go_on_after_the_newest_record(journal)
        self._approval = approval_of(config, journal, self._clock.now_us())
        self._look_at_the_clock()
        last = journal.last_report()
        same_hand = last is not None and self._table.state.in_play and last.hand == self._table.state.hand
        self._last_report = LastReport(
            last.drawn if last is not None else None,
            same_hand=same_hand,
            is_uncertain=last is not None and last.is_uncertain,
        )
        log_head = self._log_head
        log_head.publish(journal.store.end)
        control = self._bound(log_head)
        open_end = journal.open_end(self._clock.now_us())
        self._apply(f.Opened(at_us=self._clock.now_us(), setup=self._game()), None)
        self._decks = self._devices.open_decks(
            journal.keys.vault, on_record=journal.last_deck, is_in_hand=self._table.state.is_dealt_from
        )
        self._devices.open_badges(journal.keys.vault)
        if self._decks is not None and self._table.state.needs_deck:
            self._decks.withdraw("withdrawn by the rules, before the controller started")
        self._note_decks()
        self._note_restore()
        self._note_open_end(open_end)
        self._judge = Judge(config.setup.table, auditor_of(config))
        self._open.callback(self._devices.close)
        self._watch(log_head, software)
        self._open.callback(control.close)  # once more, and before what it serves: nobody enters meanwhile
        control.start()
        self._devices.start()
        self._watch_threads(control)
        self._watch_the_clock()
        for notice in config.notices:
            self._log.warning("notice", text=notice.said(SOURCE))
        if journal.keys.is_demo:
            self._log.warning("DEMO KEY", text="whoever has it reads every sealed card and can sign; not for play")
        self._log.info("ready", hand=self._table.state.hand, records=journal.store.newest)
        notify(READY)
        self._on_ready()

    def _check(self, journal: Journal) -> None:
        """What a start looks at besides the hand itself. Raises `Tilt`."""
        mark = journal.standing_tilt()
        if mark is not None:
            raise StandingTilt(mark)
        try:
            check_joins(self._config.copy, journal.store)
        except CopyDiffers as wrong:
            raise Tilt(TiltKind.COPY, str(wrong)) from None
        # Not before: a note would stand where the copy still has what the journal lost.
        self._takes_notes = True

    def _look_at_approval(self) -> None:
        """Between two hands: on record whether somebody approved the software; where nobody did in time, no other hand
        is opened. Raises `JournalUnusable`, `Tilt`."""
        approval, hand, at_us = self._approval, self._table.state.hand, self._clock.now_us()
        if approval is None or self._table.state.in_play:
            return
        if self._journal.takes_new and (note := approval.due(hand, at_us)) is not None:
            if not note.approved:
                self._log.warning("software not approved", until=note.until, way_out=how(self._config))
            self._note(note)
        check_in_time(approval, self._config, at_us)

    def _wait_for_the_clock(self) -> None:
        """Until a time server has set it, as long as the file says, or until somebody wants the controller to end: a
        clock that is set a moment after the first hand began would stop the table."""
        until_s = time.monotonic() + self._config.clock_wait_s
        known = self._synchronised()
        while known is Synchronised.NOT_YET and (left_s := until_s - time.monotonic()) > 0:
            try:
                self._items.put(self._items.get(timeout=min(SYNC_LOOK_S, left_s)))
                break
            except queue.Empty:
                known = self._synchronised()
        self._is_synchronised = known is Synchronised.YES
        self._clock.take_over()  # how far it was set meanwhile is no concern of the table's
        self._started_us = self._clock.now_us()
        if not self._is_synchronised:
            what = "no time service runs" if known is Synchronised.NOBODY else "no time server answered yet"
            self._log.warning("clock not synchronised", what=what, waited_s=self._config.clock_wait_s)

    def _go_on_after_the_newest_record(self, journal: Journal) -> None:
        """Nothing is written before what is there, where the wall clock was set back while the table was off: its time
        goes on from the newest record until the wall clock can be taken over, between two hands. Raises `Tilt`."""
        behind_us = journal.clock_behind_us(self._clock.now_us())
        if behind_us:
            self._clock.put_forward(behind_us)
            self._log.warning("clock behind", by_s=round(behind_us / 1_000_000, 1))

    def _watch_the_clock(self) -> None:
        """Ask again and again, beside the card's path, until a time server has set the clock."""
        if self._is_synchronised:
            return
        ended = threading.Event()

        def ask() -> None:
            show_name()
            while not ended.wait(SYNC_AGAIN_S):
                if self._synchronised() is Synchronised.YES:
                    self._items.put(ClockIsRight())
                    return

        threading.Thread(target=ask, name="clock", daemon=True).start()
        self._open.callback(ended.set)

    def _watch(self, log_head: LogHead, software: str) -> None:
        """The second copy, and the integrity check of both: neither is on the card's path."""
        config = self._config
        copy = self._copy = SecondCopy(config.places, log_head, self._log)
        copy.start()
        self._open.callback(copy.close, COPY_S)
        supervisor = self._supervisor = IntegritySupervisor(config.file, software, self._alarm, self._log, self._rounds)
        supervisor.start()
        self._open.callback(supervisor.close)

    def _watch_threads(self, control: ApiServer) -> None:
        """From now on every thread has to move: this one, those of the ports, and the others."""
        self._heartbeat.begin()
        threads = watched_threads(
            loop=self._heartbeat,
            api=control.heartbeat,
            copy=self._copy.heartbeat,
            integrity=self._supervisor.heartbeat,
            ports=self._devices.ports,
            beside=self._devices.heartbeats,
            tilt=self._alarm,
        )
        self._watchdog = Watchdog(threads, self._log, lambda: notify(ALIVE))
        self._watchdog.start()
        self._open.callback(self._watchdog.close)  # first of all: what ends now ends because we want it

    def _alarm(self, tilt: Tilt) -> None:
        self._items.put(Alarm(tilt))

    def _report(self) -> dict[str, Any]:
        """How everything is; any thread."""
        return report(
            self._config.devices,
            self._devices.health(),
            now_us=self._clock.now_us(),
            started_us=self._started_us,
            troubles=self._watchdog.troubles if self._watchdog is not None else (),
            disks=self._supervisor.spaces,
            memory_bytes=resident_bytes(),
            records=self._log_head.seq,
            hands=self._hand() - 1,
            play=self._play(),
            incidents=self._incidents.copy(),
        )

    def _play(self) -> dict[str, Any]:
        """Which hand is open, or comes next; any thread."""
        state = self._table.state
        phase, is_open = state.phase.name, state.in_play
        return {"hand": state.hand if is_open else state.hand + 1, "is_open": is_open, "phase": phase}

    def _bound(self, log_head: LogHead) -> ApiServer:
        """The interface, before the first record: where somebody has its socket, nothing is written."""
        config = self._config
        readers = tuple(device.name for device in config.devices if device.spots)
        enrolment = EnrolmentAtTable(register=self._register, submit=self._items.put, now_us=self._clock.now_us)
        context = self._context = ApiContext(
            journal=config.journal,
            log_head=log_head,
            greeting=self._greeting(),
            setup=config.setup,
            games=config.games,
            denominations=config.denominations,
            submit=self._items.put,
            now_us=self._clock.now_us,
            is_witnessed=lambda seq: is_witnessed(config.copy, seq, within_s=WITNESS_S),
            topics={
                Topic.DEVICES: self._report,
                Topic.TEST: self._between_hands.told,
                Topic.RUNNING: self._running.told,
                Topic.DECKS: lambda: decks_answer(self._register, readers),
                Topic.TRACES: lambda: traces_answer(None if config.trace is None else config.trace.folder),
                Topic.FLOAT: lambda: context.chip_float.answer(context.setup.chip),
                Topic.CHOICES: lambda: context.do(AskChoices()),
                Topic.RECEIPT: lambda: {"ok": True, "receipt": msgspec.to_builtins(context.receipts.newest())},
            },
            enrol=enrolment.run,
            tell_enrolment=enrolment.tell,
            pit_key=None if config.uplink is None else config.uplink.pit_key,
            own_key=self._journal.keys.signer.public,
        )
        writers = AllowedWriters(
            config.allowed_writers,
            uplink=config.uplink_users,
            on_refused=lambda who: self._security.tried(SecurityCause.WRITES, who),
        )
        for name in writers.unknown:
            self._log.warning("no such user", name=name, key="control.speakers, uplink.user")
        control = ApiServer(config.socket, context, config.control_readers, writers)
        try:
            control.bind()
        except OSError as wrong:
            control.close()
            reason = wrong.strerror or str(wrong)
            if wrong.errno == errno.EADDRINUSE:
                raise Tilt(TiltKind.TWO_CONTROLLERS, f"{config.socket}: another controller listens there") from None
            text = f"{config.socket}: no socket can be made ({reason}); check control.socket, its folder and its owner"
            raise Tilt(kind_of(wrong), text) from None
        self._open.callback(control.close)
        return control

    def _register(self) -> Register:
        """Opened by whoever serves a connection. Raises `RegisterUnusable`."""
        if not any(device.spots for device in self._config.devices):
            raise NoRegister("this table has no register of decks")
        return Register(self._config.deck.register, self._journal.keys.vault)

    def _greeting(self) -> dict[str, object]:
        """Told to whoever follows, from now on."""
        setup = self._setup_told = self._table.state.setup
        return greeting(
            self._config,
            setup,
            demo_key=self._journal.keys.is_demo,
            is_synchronised=self._is_synchronised,
            signing_key=self._journal.keys.signer.public.hex(),
            missing=self._journal.missing,
        )

    def _game(self) -> f.Setup:
        """What the table plays, as the file has it now: the game that was chosen last, where it still is one of the
        table's; otherwise the one that the file begins with."""
        state = self._table.state
        last = state.next_setup or state.setup
        return self._config.games.get(last.rulebook, self._config.setup)

    def _recover(self) -> None:
        table = self._journal.recover(self._rulebooks)
        self._table = table if table is not None else Table(self._config.setup, self._rulebooks)

    def _serve(self) -> int:
        while True:
            self._heartbeat.beat()
            try:
                item = self._items.get(timeout=self._patience_s())
            except queue.Empty:
                self._look_at_the_clock()
                self._look_at_security()
                self._look_at_approval()
                self._look_at_memory()
                self._tell_overdue()
                self._refused_until_s = None
                self._show(None)
                continue
            self._look_at_the_clock()
            if isinstance(item, Stop):
                self._look_at_security()
                return self._stopped(item)
            if isinstance(item, Alarm):
                raise item.tilt
            if isinstance(item, ClockIsRight):
                self._clock_is_right()
                continue
            self._look_at_approval()
            try:
                self._take(item)
                self._try_on()
                if self._items.empty():
                    self._tell_overdue()  # and not before: what is waiting may be that the tag has left
                self._look_at_security()  # and not before: no card waits for it
            except NOTHING_BEHIND:
                raise
            except Exception as bug:
                what = f"the controller broke on a {type(item).__name__}: {_where(bug)}"
                raise Tilt(TiltKind.PROGRAM, f"{what}; what is recorded is good") from bug

    def _look_at_the_clock(self) -> None:
        """A hand goes on in the time in which it began. Between two hands the wall clock is taken over, and by how much
        it was set is on record: not before the journal takes that. Raises `JournalUnusable`."""
        if self._table.state.in_play or not self._journal.takes_new or not (by_us := self._clock.take_over()):
            return
        self._log.warning("clock set", by_s=round(by_us / 1_000_000, 1))
        if self._approval is not None:
            self._approval.clock_set(by_us)
        self._note(ClockStepped(at_us=self._clock.now_us(), by_us=by_us))

    def _look_at_security(self) -> None:
        """Put on record what was tried that may not be: a count for each cause, and never one record for each attempt.
        Raises `JournalUnusable`."""
        for who in self._journal.store.refused_writers():
            self._security.tried(SecurityCause.SECOND_CONTROLLER, who)
        if not self._journal.takes_new:
            return  # what was tried is counted on, and on record once the journal takes it
        for note in self._security.due():
            self._log.warning("attempts", cause=note.cause.value, count=note.count, source=note.source)
            self._note(note)

    def _look_at_memory(self) -> None:
        """Say once that it is much, until it is less again."""
        has_bytes = resident_bytes()
        if has_bytes <= MEMORY_ALARM_BYTES:
            self._has_much_memory = False
        elif not self._has_much_memory:
            self._has_much_memory = True
            self._log.error("much memory", bytes=has_bytes, most=MEMORY_ALARM_BYTES)

    def _clock_is_right(self) -> None:
        """Whoever follows the table is told."""
        self._is_synchronised = True
        self._log.info("clock synchronised")
        self._context.play(self._greeting(), self._table.state.setup)

    # -- ends --------------------------------------------------------------------------------------------------------

    def _stopped(self, item: Stop) -> int:
        notify(STOPPING)
        self._devices.show(OFF)
        self._journal.note(Stopped(at_us=self._clock.now_us(), why=item.why))
        self._log_head.publish(self._journal.store.end)
        self._log.info("stopped", why=item.why)
        return EXIT_OK

    def _tilted(self, why: Tilt) -> int:
        """Say it everywhere: log, journal where that still can be written, marks, lamps. Nothing more is dealt."""
        if why.kind is TiltKind.TWO_CONTROLLERS:
            self._log.error("tilt", kind=why.kind.value, reason=str(why))
            tell_holder(self._config.journal)
            return EXIT_TILT  # the other one plays on: its journal, its lamps, its mark
        since = {"since": why.mark.at} if isinstance(why, StandingTilt) else {}
        way = f"docs/tilts.md#{why.kind.value}, then: tablectl clear {self._config.file} --by NAME --reason TEXT"
        self._log.error("tilt", kind=why.kind.value, reason=str(why), **since, way_out=way)
        standing = isinstance(why, StandingTilt)
        mark = why.mark if isinstance(why, StandingTilt) else _mark(why)
        if not standing:
            self._record(why)
        if not leave(mark, self._config.marks, self._config.control_readers):
            self._log.error("tilt not marked", what="no mark could be left at any of its places")
        self._devices.show_at_last(DARK)
        self._devices.close()
        return EXIT_TILT

    def _record(self, why: Tilt) -> None:
        """The tilt's own record, where the journal is open and still takes one."""
        if not self._takes_notes or why.kind in JOURNAL_IN_DOUBT:
            return
        try:
            self._journal.note(Tilted(at_us=self._clock.now_us(), tilt=why.kind.value, reason=str(why)))
        except JournalUnusable as wrong:
            self._log.error("tilt not recorded", reason=str(wrong))
            return
        self._log_head.publish(self._journal.store.end)

    def _take(self, item: DeviceFact | Command) -> None:
        if isinstance(item, Command):
            if not item.take():
                return
            self._do(item)
        else:
            if self._between_hands.hears(item):
                return
            self._note(self._devices.badge_shown(item))
            for fact in self._devices.table_facts(item):
                self._hear_device(fact, item)
        self._note_decks()  # a card at the stub is none of the table's facts, and may have put its deck in play

    def _do(self, command: Command) -> None:
        match command:
            case OpenSealedCards():
                self._unseal(command)
            case RecordAccess():
                self._put_on_record(command)
            case RecordFloat():
                self._count(command)
            case RecordReceipt() | RecordMissingHead() | AcceptRollback() | RecordProof():
                self._take_signed(command)
            case AskChoices():
                command.reply(self._choices.told(self._table))
            case StartDeviceTest():
                self._try(command)
            case LendReader():
                self._enrol(command)
            case ReturnReader():
                self._hear_again(self._between_hands.end_enrolling(command.heard))
            case PreviewCorrection():
                command.answer(self._table.preview(command.fact))
            case EnterFact():
                self._enter(command)
            case _:
                raise TypeError(f"nobody does a {type(command).__name__}")

    def _enter(self, entry: EnterFact) -> None:
        """What a person entered, unless it was meant for a prompt that is over: then it changes nothing at all."""
        refusal = None if entry.seen is None else self._present.refusal(entry.seen)
        if refusal is not None:
            entry.reply(refusal)
        else:
            self._hear(entry.fact, entry)

    def _hear_device(self, fact: f.Fact, told: DeviceFact) -> None:
        """What a device told; a key that bounced is on record as that, and is no press."""
        if not isinstance(fact, f.Pressed) or not isinstance(told, KeyDown):
            self._hear(fact, None)
        elif self._repeated_keys.repeats(fact, self._table.prompt()):
            self._log.info("key repeated", device=told.device, what="the same key again at once; it is no other press")
            self._hear(self._devices.said(told, REPEATED_KEY, told.key), None)
            self._blink(fact.key)
        else:
            self._hear(fact, None, panel=told.device)

    def _hear(self, fact: f.Fact, entry: EnterFact | None, *, panel: str | None = None) -> None:
        self._note_decks()
        self._take_fact(fact, entry, panel=panel)

    def _take_fact(self, fact: f.Fact, entry: EnterFact | None, *, panel: str | None = None) -> None:
        if self._last_report.repeats(fact):
            self._log.info("report repeated", what="the shoe's last card before the start; it is no new one")
            return
        if self._decks is None:
            self._apply(fact, entry, panel=panel)
            return
        if self._decks.says_again(fact, self._table.may_come):
            what = "its tag was drawn in this hand already; no other card is"
            self._log.info("card past the mouth again", what=what)
            return
        self._decks.heard(fact)
        try:
            for told in self._before(fact, self._decks):
                self._note_decks()
                self._apply(told, None)
        except RegisterUnusable:
            if entry is not None:
                entry.fail("the deck register cannot be read; nothing is dealt")
            raise
        needed_a_deck, hand = self._table.state.needs_deck, self._hand()
        self._apply(fact, entry, panel=panel)
        if self._table.state.needs_deck and not needed_a_deck:
            self._decks.withdraw(f"withdrawn by the rules, for an error of hand {hand}")
        self._decks.hand_is(is_open=self._table.state.is_dealt_from, may_come=self._table.may_come)
        self._note_decks()

    def _before(self, fact: f.Fact, decks: DecksAtTable) -> Iterator[f.Fact]:
        """What the readers under the felt have to say before a key opens a hand, or its deal."""
        state = self._table.state
        match fact:
            case f.Pressed(key=Key.NEW_HAND) if not state.in_play:
                yield from decks.before_hand()
            case f.Pressed(key=Key.NO_MORE_BETS) if state.phase.kind is Kind.BETTING:
                yield from decks.before_deal(state.deal, state.felt.before)

    def _tell_overdue(self) -> None:
        """What follows because time has passed: a tag that is in two places for too long; a card that lies where it was
        only passing by. A journal that an older version must still read holds no such fact yet."""
        for fact in self._decks.overdue() if self._decks is not None else ():
            self._take_fact(fact, None)
        at_us, wake_us = self._clock.now_us(), self._wake_us()
        if wake_us is not None and wake_us <= at_us:
            self._apply(f.TimePassed(at_us=at_us), None)

    def _wake_us(self) -> int | None:
        return self._table.wake_us if self._journal.takes_new else None

    def _note_restore(self) -> None:
        """That this journal came from a backup is on record before anything is dealt. Raises `Tilt`."""
        try:
            note = restored.waiting(self._config.journal, at_us=self._clock.now_us())
            if note is not None:
                self._note(note)
                self._restored_seq = self._journal.store.newest
                restored.on_record(self._config.journal)
        except OSError as wrong:
            raise Tilt(kind_of(wrong), f"{wrong.filename}: {wrong.strerror}; it says what `restore` did") from None

    def _note_open_end(self, found: OpenEnd | None) -> None:
        """That records were not signed when this controller started; in the log alone before the `format` note. Raises
        `JournalUnusable`."""
        if found is None:
            return
        self._log.warning("open end", first=found.first, last=found.last)
        if self._journal.takes_new:
            self._note(found)

    def _note_decks(self) -> None:
        """What became of decks is on record before anything is dealt from one."""
        for moved in self._decks.take_moved() if self._decks is not None else ():
            self._note(moved)

    def _patience_s(self) -> float:
        waits_s = [CLOCK_LOOK_S]
        tried_s = self._between_hands.wait_s()
        if tried_s is not None:
            waits_s.append(tried_s)
        if self._refused_until_s is not None:
            waits_s.append(self._refused_until_s - time.monotonic())
        wake_us = self._wake_us()
        if wake_us is not None:
            waits_s.append((wake_us - self._clock.now_us()) / 1_000_000)
        overdue_s = self._decks.wait_s() if self._decks is not None else None
        if overdue_s is not None:
            waits_s.append(overdue_s)
        return max(0.0, min(waits_s))

    def _note(self, note: Note | None) -> None:
        """On record, and told. Raises `JournalUnusable`."""
        if note is not None:
            self._journal.note(note)
            self._log_head.publish(self._journal.store.end)

    # -- between two hands -------------------------------------------------------------------------------------------

    def _is_free(self) -> bool:
        return is_free(self._table.prompt(), in_play=self._table.state.in_play)

    def _try(self, command: StartDeviceTest) -> None:
        """A test begins, on record, or the one that runs ends. Raises `JournalUnusable`."""
        if command.test is None:
            self._between_hands.end_test()
        else:
            try:
                self._between_hands.begin_test(command.test, command.by, is_free=self._is_free())
            except NotNow as why:
                command.reply({"ok": False, "why": "not-now", "error": str(why)})
                return
            self._note(Tested(at_us=self._clock.now_us(), what=command.test.value, by=command.by))
        self._show(None)
        command.reply({"ok": True, "seq": self._journal.store.newest})

    def _enrol(self, lend: LendReader) -> None:
        """A reader is a deck's until that is enrolled, or given up."""
        health = next(
            (device_health for device_health in self._devices.health() if device_health.device == lend.reader), None
        )
        session = Session(lend.reader, lend.by, lend.heard)
        try:
            self._between_hands.begin_enrolling(session, is_free=self._is_free())
        except NotNow as why:
            lend.fail(str(why))
            return
        if health is None or health.state is not DeviceState.READY:
            self._between_hands.end_enrolling(lend.heard)
            lend.fail(f"{lend.reader}: it does not answer; see how the devices are")
            return
        self._log.info("deck enrolled at", device=lend.reader, by=lend.by)
        lend.reply({"ok": True, "identity": health.answered or health.identity})

    def _hear_again(self, facts: Iterable[DeviceFact]) -> None:
        """What a reader told while it was a deck's, and that still holds."""
        for fact in facts:
            self._items.put(fact)

    def _try_on(self) -> None:
        """A test goes on, also where facts come so quickly that nobody ever waits."""
        wanted = self._between_hands.wanted()
        if wanted != self._tried:
            self._show(None)

    def _show(self, refused: Key | None) -> None:
        """What the table wants, or what is tried between two hands."""
        self._hear_again(self._between_hands.looks(is_free=self._is_free()))
        self._tried = self._between_hands.wanted()
        if self._tried is not None:
            self._devices.try_out(self._tried)
        else:
            self._devices.show(outputs(self._table.prompt(), refused=refused))

    def _blink(self, key: Key) -> None:
        """A key that was pressed in vain, for a moment."""
        self._refused_until_s = time.monotonic() + REFUSAL_S
        self._show(key)

    def _put_on_record(self, command: RecordAccess) -> None:
        """Who signed on, or read what. Raises `JournalUnusable`."""
        try:
            reply = self._context.accesses.take(command.access, self._access)
        except JournalUnusable:
            command.fail("the controller could not record this")
            raise
        self._log_head.publish(self._journal.store.end)
        command.reply(reply)

    def _access(self, access: Access) -> Stored:
        """On record; what was refused counts among the attempts. Raises `JournalUnusable`."""
        stored = self._journal.note(access)
        self._security.on_record(access)
        return stored

    def _count(self, command: RecordFloat) -> None:
        """The tray was counted, filled or credited; a count with what was expected. Raises `JournalUnusable`."""
        note = self._of_this_format(command.note)
        if not isinstance(note, FloatFilled):
            try:
                expected = self._context.chip_float.now()[0].expected
            except JournalUnusable as wrong:  # a volume is away: the table plays on without it
                command.fail(str(wrong))
                return
            if isinstance(note, FloatCounted):
                note = replace(note, expected=expected)
            elif expected is not None and note.amount > expected:
                error = f"{note.amount} is more than the {expected} that should lie there; correct the count first"
                command.reply({"ok": False, "why": ABOVE_TRAY, "error": error})
                return
        self._note_for(command, note)
        told = note.expected if isinstance(note, FloatCounted) else None
        command.reply({"ok": True, "seq": self._journal.store.newest, "expected": told})

    def _of_this_format(self, note: FloatNote) -> FloatNote:
        """The note as the journal takes it. In one without any hand there is nothing that an older version would have
        to go on with: its format begins with the tray that is counted before the first hand. In one that goes on from
        an older version the denominations are not on record before a hand was closed. Raises `JournalUnusable`."""
        if self._journal.takes_new or not has_new_members(note):
            return note
        if self._table.state.hand:
            return without_new_members(note)
        self._note(format_begun(note.at_us))
        return note

    def _take_signed(self, command: RecordReceipt | RecordMissingHead | AcceptRollback | RecordProof) -> None:
        """What somebody outside signed. Raises `JournalUnusable`."""
        match command:
            case RecordReceipt():
                self._take_receipt(command)
            case RecordProof():
                self._take_proof(command)
            case RecordMissingHead() | AcceptRollback():
                self._take_rollback(command)

    def _take_receipt(self, command: RecordReceipt) -> None:
        """A receipt of the pit server. Raises `JournalUnusable`."""
        if not self._journal.takes_new:
            command.fail("the journal takes receipts after the first hand that this version closes; hand it in later")
            return
        self._note_for(command, note_of(command.receipt, self._clock.now_us()))
        self._context.receipts.take(command.receipt)
        command.reply({"ok": True, "seq": self._journal.store.newest})

    def _take_proof(self, command: RecordProof) -> None:
        """Raises `JournalUnusable`."""
        if not self._journal.takes_new:
            command.fail("the journal takes proofs after the first hand that this version closes; sign with a password")
            return
        self._note_for(command, command.note)
        command.reply({"ok": True, "seq": self._journal.store.newest})

    def _note_for(self, command: Command, note: Note) -> None:
        """On record, or whoever asked for it is told that it is not. Raises `JournalUnusable`."""
        try:
            self._note(note)
        except JournalUnusable:
            command.fail("the controller could not record this")
            raise

    def _take_rollback(self, command: RecordMissingHead | AcceptRollback) -> None:
        """Raises `JournalUnusable`."""
        if isinstance(command, AcceptRollback):
            self._accept(command)
        else:
            self._note_missing(command)

    def _note_missing(self, command: RecordMissingHead) -> None:
        """The journal does not have what this table signed. On record once: where a newer head is missing already, that
        note stands for both; and from the first hand on that this version closed. Raises `JournalUnusable`."""
        head, missing = command.head, self._journal.missing
        if (missing is None or missing.to_seq < head.seq) and self._journal.takes_new:
            self._log.error("head missing", seq=head.seq, records=self._journal.store.newest)
            note = HeadMissing(
                at_us=self._clock.now_us(),
                to_seq=head.seq,
                to_hash=head.hash,
                signature=head.signature,
                restored=self._restored_seq,
            )
            self._note_rollback(command, note)
        command.reply({"ok": True})

    def _accept(self, command: AcceptRollback) -> None:
        """Two persons accept that it does not: of several heads that are missing the newest one, which stands for all.
        Raises `JournalUnusable`."""
        note, missing = command.note, self._journal.missing
        if missing is not None and missing.to_hash != note.to_hash:
            error = f"record {missing.to_seq} is missing as well; look at the page again"
            command.reply({"ok": False, "why": HeadRefusal.ANOTHER, "error": error})
        elif not self._journal.takes_new:
            command.fail("the journal takes it after the first hand that this version closes; say it again then")
        else:
            self._note_rollback(command, note)
            self._log.warning("rollback accepted", seq=note.to_seq, by=note.by, second=note.second)
            command.reply({"ok": True, "seq": self._journal.store.newest})

    def _note_rollback(self, command: Command, note: HeadMissing | RollbackAccepted) -> None:
        """On record, and told to whoever connects from now on. Raises `JournalUnusable`."""
        self._note_for(command, note)
        self._context.play(self._greeting(), self._table.state.setup)

    def _unseal(self, command: OpenSealedCards) -> None:
        """The asking is on record, granted or not, before anything is shown."""
        request = command.request
        try:
            reply = unseal(
                self._journal, self._judge, request, now_us=self._clock.now_us(), last_closed=self._hand() - 1
            )
        except Exception:
            command.reply({"ok": False, "error": "the asking could not be recorded, so nothing is shown"})
            raise
        self._log_head.publish(self._journal.store.end)
        self._log.warning("sealed cards asked for", hand=request.hand, by=request.by, granted=reply["ok"])
        command.reply(reply)

    # -- the card's path ---------------------------------------------------------------------------------------------

    def _apply(self, fact: f.Fact, entry: EnterFact | None, *, panel: str | None = None) -> None:
        drawn_before = len(self._table.state.deal.draws)
        hand = self._hand()
        try:
            decisions = self._table.apply(fact)
            self._write(fact, decisions, self._table.draw_of(fact, drawn_before), hand, panel)
        except JournalUnusable:
            if entry is not None:
                entry.fail("the controller could not record this entry; nothing is dealt")
            raise
        except Exception as bug:
            if entry is not None:
                entry.fail("the controller broke on this entry; the table is held")
            what = f"the engine broke on a {type(fact).__name__} fact: {_where(bug)}"
            self._keep(fact, bug, what)
            raise Tilt(TiltKind.PROGRAM, f"{what}; the fact is kept, the table resumes held") from bug
        if self._journal.is_reserve_spent:
            if entry is not None:
                entry.answer(self._journal.store.newest, None)
            what = "the disk is full; the last fact is kept, make room"
            raise Tilt(TiltKind.DISK_FULL, f"{self._config.journal}: {what}")
        self._release(fact, decisions, entry)
        if self._hand() != hand:
            self._log.info("hand over", hand=hand, records=self._journal.store.newest)

    def _write(
        self, fact: f.Fact, decisions: tuple[Decision, ...], draw: int | None, hand: int, panel: str | None = None
    ) -> None:
        between = not self._table.state.in_play
        closed = between and hand == self._table.state.hand
        prompt, after = self._table.prompt(), self._journal.store.newest
        self._journal.write(
            fact,
            decisions,
            prompt=prompt,
            hand=hand if closed else self._hand(),
            draw=draw,
            carry=self._table.carry() if closed else None,
            lies=self._table.lying(fact),
            panel=panel,
        )
        self._present.told(prompt, after=after, newest=self._journal.store.newest, anew=isinstance(fact, f.Opened))
        self._choices.concluded(decisions)

    def _hand(self) -> int:
        """The hand a record belongs to: between two hands already the next one."""
        state = self._table.state
        return state.hand if state.in_play else state.hand + 1

    def _release(self, fact: f.Fact, decisions: tuple[Decision, ...], entry: EnterFact | None) -> None:
        """Everything below happens because of a record that is durable."""
        refused = next((decision for decision in decisions if isinstance(decision, Refused)), None)
        if refused is not None and isinstance(fact, f.Pressed):
            self._blink(fact.key)
        else:
            self._show(None)
        newest = self._journal.store.end
        if self._table.state.setup != self._setup_told:
            # Before anybody sees the record by which it changed: then whoever follows can tell.
            self._context.play(self._greeting(), self._table.state.setup)
        self._log_head.publish(newest)
        if entry is not None:
            entry.answer(newest.seq, refused)
        for decision in first_told(decisions):
            if isinstance(decision, IncidentRaised):
                self._incidents[decision.clause] += 1
                self._log.info(
                    "incident", number=decision.incident, clause=decision.clause, severity=decision.severity.value
                )

    def _preview_broke(self, wrong: TrialBroke) -> None:
        """The pit boss sees no preview of that choice, and the table plays on."""
        cause = wrong.__cause__
        where = _where(cause) if isinstance(cause, Exception) else ""
        self._log.warning("preview broke", incident=wrong.incident, remedy=wrong.remedy.value, where=where)

    def _keep(self, fact: f.Fact, bug: Exception, what: str) -> None:
        """A bug: the half-done table is thrown away, the fact is kept, and the table resumes held."""
        self._recover()
        kept = encode_json(encode_fact(fact, None)).decode()
        card = fact.card if isinstance(fact, f.Drawn | f.Seen | f.Gone) else None
        failed = f.Failed(at_us=fact.at_us, fact=kept, error=_where(bug), card=card)
        hand, drawn_before = self._hand(), len(self._table.state.deal.draws)
        try:
            decisions = self._table.apply(failed)
            self._write(failed, decisions, self._table.draw_of(failed, drawn_before), hand)
        except JournalUnusable:
            raise
        except Exception as worse:
            raise Tilt(TiltKind.PROGRAM, f"{what}; it could not even be kept: {_where(worse)}") from worse
        self._log_head.publish(self._journal.store.end)


def _where(bug: Exception) -> str:
    """What broke and where, without values: they could be cards."""
    frames = traceback.extract_tb(bug.__traceback__)
    last = f" at {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(bug).__name__}{last}"


def _mark(why: Tilt) -> Mark:
    return Mark(kind=why.kind, reason=str(why), at=time_text(now_us()))


def _spans(limits: Mapping[str, f.Limits]) -> dict[str, dict[str, int]]:
    return {bet: {"least": limit.least, "most": limit.most} for bet, limit in limits.items()}


def greeting(
    config: Config,
    setup: f.Setup,
    *,
    demo_key: bool,
    is_synchronised: bool = True,
    signing_key: str = "",
    missing: MissingHead | None = None,
) -> dict[str, object]:
    """What a reader of the public stream is told first: the table, and the game that is played now. `missing`: what the
    table signed and its journal does not have."""
    return {
        "table": {
            "name": setup.table,
            "rulebook": setup.rulebook,
            "seats": setup.seats,
            "tracking": setup.tracking.value,
            "limits": _spans(setup.limits),
            "bands": _spans(setup.bands),
            "staff": setup.staff,
            "timezone": config.timezone,
            "languages": list(config.languages),
            "second_language": config.second_language,
            "currency": config.currency,
            "currency_exponent": config.currency_exponent,
            "demo_key": demo_key,
            "clock_synchronised": is_synchronised,
            "repeat_ms": config.repeat_ms,
            "denominations": list(config.denominations),
            "signing_key": signing_key,
            "missing": None if missing is None else to_plain(missing),
        }
    }
