"""No sealed card leaves the controller: hands with known cards, and every byte of every place searched for them."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, redirect_stderr, redirect_stdout, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from zipfile import ZipFile

import pytest

from drivers.angel_eye.messages import Code, Report, card_payload, encode_report
from simulators import processes
from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.games import Band
from simulators.stage.stage import SHOE_BAUD, Scene, Stage, temporary_folder
from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.i18n.languages import DEFAULT
from tablectl.journal.clock import now_us
from tablectl.journal.evidence.verifier.page import verifier_page
from tablectl.journal.handfile.file import parse
from tablectl.journal.keys import load_sealing
from tablectl.journal.lines import line as public_line
from tablectl.journal.lines import line_with_box
from tablectl.journal.sealed_card_request import signed
from tablectl.journal.store import Store, Stored
from tablectl.journal.writer import sealed_card
from tablectl.ops.trace.file import SUFFIX
from tablectl.table.controller.controller import EXIT_TILT
from tests.desk import BY, LONG_S, REASON, desk
from tests.journal.journals import NEVER_SHOWN, SIGNER, WHOLE_HAND, Writer, keep_keys
from tests.screens import signed_on
from tests.secrecy import BINARY, DECK, PLACES, Hit, cards_in, cores, salts_in, tags_in
from tests.test_tilt import breaks_at_the_decisions

pytestmark = pytest.mark.system

LANGUAGES: Final = ("es", "en")
LOGS: Final = ("controller.log", "screens.log")
#: The page that checks a bundle: the same bytes at a table that never dealt, so it tells no card.
OF_NO_HAND: Final = verifier_page(DEFAULT).encode()
#: What people sign on with, and what their browsers send.
SECRETS: Final = (
    signed_on.PASSWORD,
    signed_on.PIN,
    *(secret for name in signed_on.ROLES for secret in signed_on.headers(name).values()),
    *(signed_on.token_of(name) for name in signed_on.ROLES),
)
PAGES: Final = ("croupier", "pit", "technician")
#: More than a needle can be long.
OVERLAP_BYTES: Final = 256


class Tap:
    """Keeps what goes over a wire."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._data = bytearray()

    def keep(self, data: bytes) -> None:
        with self._changed:
            self._data += data
            self._changed.notify_all()

    def taken(self) -> bytes:
        with self._changed:
            return bytes(self._data)

    def until(self, needle: bytes) -> bool:
        """Wait until this came; whether it did within `LONG_S`."""
        with self._changed:
            return self._changed.wait_for(lambda: needle in self._data, LONG_S)


class TappedShoe(AngelEyeSimulator):
    wire: Tap

    def received(self, data: bytes) -> None:
        self.wire.keep(data)
        super().received(data)


class TappedPanel(XKeysSimulator):
    wire: Tap

    def written(self, data: bytes) -> None:
        self.wire.keep(data)
        super().written(data)


class TappedLight(PatliteSimulator):
    wire: Tap

    def written(self, data: bytes) -> None:
        self.wire.keep(data)
        super().written(data)


class TappedStage(Stage):
    """A stage that keeps every byte the devices are sent."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        super().__init__(scene, folder)
        self.shoe.close()
        shoe = TappedShoe(PtyEnd(link=folder / "sabot", baud=SHOE_BAUD, speed_factor=None), self.world)
        panel, light = TappedPanel(), TappedLight()
        shoe.wire, panel.wire, light.wire = self.taps = (Tap(), Tap(), Tap())
        self.shoe, self.panel, self.light = shoe, panel, light

    def configure(self, scene: Scene) -> None:
        """As `Stage.configure`, with everything that goes over the wires recorded."""
        super().configure(scene)
        with self.config.open("a", encoding="utf-8") as config:
            config.write(f'\n[trace]\nfolder = "{self.folder}/traces"\n')

    @property
    def traces(self) -> list[Path]:
        return sorted((self.folder / "traces").glob(f"*{SUFFIX}"))


class Listener:
    """Keeps what comes in, in a thread, until the other end hangs up."""

    def __init__(self, receive: Callable[[], bytes], close: Callable[[], object]) -> None:
        self.tap = Tap()
        self._receive, self._close = receive, close
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with suppress(OSError, ValueError, AttributeError):
            while data := self._receive():
                self.tap.keep(data)

    def until(self, needle: bytes) -> None:
        assert self.tap.until(needle), f"{needle!r} does not come"

    def close(self) -> None:
        self._close()
        self._thread.join(LONG_S)


def follower(stage: Stage) -> Listener:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(str(stage.socket))
    line.sendall(b'{"follow": {"after": 0}}\n')

    def close() -> None:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        line.close()

    return Listener(lambda: line.recv(65536), close)


def _asked(url: str) -> urllib.request.Request:
    """As somebody asks who has all roles."""
    return urllib.request.Request(url, headers=signed_on.headers())


class Screens:
    """The screens as a process of their own, everything that they say kept."""

    def __init__(self, folder: Path, socket: Path) -> None:
        self.log = folder / "screens.log"
        command = [sys.executable, "-u", "-m", "tablectl", "screens", "--socket", str(socket), "--port", "0"]
        command += ["--people", str(signed_on.staffed(folder / "people.db"))]
        self.process = processes.start(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )
        self._said = Listener(self._hear, lambda: None)
        self._said.until(b"\n")
        self.url = self._said.tap.taken().decode().split()[1].rstrip("/")
        self.events = [self._events(page, language) for page in PAGES for language in LANGUAGES]

    def _hear(self) -> bytes:
        """What the process says, into its log as well."""
        assert self.process.stdout is not None
        data: bytes = self.process.stdout.read(65536)
        with self.log.open("ab") as log:
            log.write(data)
        return data

    def _events(self, page: str, language: str) -> Listener:
        answer = urllib.request.urlopen(_asked(f"{self.url}/events?page={page}&lang={language}"), timeout=LONG_S)
        return Listener(answer.readline, lambda: None)

    def pages(self) -> bytes:
        found = b""
        for language in LANGUAGES:
            for page in ("", *PAGES):
                with urllib.request.urlopen(_asked(f"{self.url}/{page}?lang={language}"), timeout=LONG_S) as answer:
                    found += answer.read()
        return found

    def metrics(self) -> bytes:
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=LONG_S) as answer:
            found: bytes = answer.read()
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(LONG_S)
        for event in (self._said, *self.events):
            event.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


def said_by(*command: str) -> bytes:
    """What a command of ours prints."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        main(list(command))
    return out.getvalue().encode()


def of_process(pid: int) -> bytes:
    """Command line and environment, of its children too; without what was in our own environment before any card."""
    found, before = b"", {f"{name}={value}".encode() for name, value in os.environ.items()}
    for number in (pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())):
        with suppress(OSError):
            words = [Path(f"/proc/{number}/{name}").read_bytes().split(b"\0") for name in ("cmdline", "environ")]
            found += b"\0".join(word for word in chain.from_iterable(words) if word not in before)
    return found


class House:
    """A table with screens and followers, and all that ever left it."""

    def __init__(self, stage: TappedStage, screens: Screens) -> None:
        self.stage, self.screens = stage, screens
        self.followers = [follower(stage)]
        self.replies = b""
        self.revealed: set[str] = set()
        self.searched: set[str] = set()
        self.n_sealed_blocks = 0
        self._known: dict[str, list[bytes]] = {}

    def close(self) -> None:
        for listener in self.followers:
            listener.close()

    # -- play --------------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One line of a hand, through the devices or the socket."""
        word, _, rest = text.partition(" ")
        before = self.stage.newest
        if word != "draw":
            self.replies += json.dumps(ask(self.stage.socket, {"enter": text})).encode()
            return
        self.stage.world.stack([rest])
        self.stage.shoe.draw()
        with self.stage.reader(after=before) as reader:
            while (record := reader.next(LONG_S)) is not None and record["fact"]["kind"] != "drawn":
                pass
        assert record is not None

    def nonsense(self) -> None:
        """What else the socket is asked while cards are sealed."""
        request = signed(table="Mesa 1", hand=1, by=BY, reason=REASON, now_us=now_us(), auditor=SIGNER)
        for question in ({"unseal": request}, {"unseal": 1}, {"enter": "draw As"[:4]}, {"what": "cards"}):
            self.replies += json.dumps(ask(self.stage.socket, question)).encode()

    # -- search ------------------------------------------------------------------------------------------------------

    def records(self) -> list[Stored]:
        with closing(Store.read(self.stage.journal)) as store:
            return list(store.records())

    def captured(self) -> Iterator[tuple[str, bytes]]:
        """Each place, as it is now."""
        stage, newest = self.stage, self.records()[-1]
        if stage.socket.exists():
            self.followers[-1].until(newest.hash.hex().encode())
            for event in self.screens.events:
                event.until(f'"seq": {newest.seq}'.encode())
            yield "health", json.dumps(ask(stage.socket, {"ask": "devices"}), ensure_ascii=False).encode()
            yield "devices", said_by("devices", str(stage.config))
            yield "processes", of_process(stage.controller.pid) + of_process(self.screens.process.pid)
        yield "stream", b"".join(listener.tap.taken() for listener in self.followers)
        yield "replies", self.replies
        yield "pages", self.screens.pages()
        yield "metrics", self.screens.metrics()
        yield "events", b"\n".join(event.tap.taken() for event in self.screens.events)
        for name, tap in zip(("to the shoe", "to the panel", "to the light"), stage.taps, strict=True):
            yield name, tap.taken()
        for path in sorted(stage.folder.rglob("*")):
            if path.is_file():
                name = "traces" if path.suffix == SUFFIX else path.name
                name = "people.db" if name.startswith("people.db") else name
                yield name if name in PLACES else "other files", path.read_bytes()
        yield "trace tools", self.trace_tools()
        shown = said_by("journal", "show", str(stage.journal))
        yield "journal show", shown + said_by("journal", "show", "--json", str(stage.journal))
        tools = [said_by("journal", tool, str(stage.journal)) for tool in ("verify", "volumes", "replay")]
        yield "journal verify", b"".join(tools)

    def trace_tools(self) -> bytes:
        """What a technician with the key sees who does not unseal."""
        found, key = said_by("trace", "list", str(self.stage.folder / "traces")), str(self.stage.folder / "table.key")
        for path in self.stage.traces:
            for tool in ("show", "replay"):
                found += said_by("trace", tool, str(path), "--key", key)
        return found

    def sealed_blocks(self, data: bytes) -> Iterator[bytes]:
        """The blocks of a trace that the table's key opens, as they are stored."""
        lines = data[: data.index(b"\n", data.index(b"\n") + 1) + 1]
        vault, _ = load_sealing(self.stage.journal.with_suffix(".key"))
        bound = f"trace {sha256(lines).hexdigest()}"
        size = json.loads(lines.splitlines()[1])["block_bytes"]
        for number, at in enumerate(range(len(lines), len(data) - size + 1, size)):
            vault.open_part(f"{bound} block {number}", data[at : at + size])
            yield data[at : at + size]

    def search(self) -> None:
        """Nothing that is sealed now stands anywhere."""
        stored = self.records()
        self.revealed |= {
            reveal["card"] for record in stored for reveal in json.loads(record.public).get("reveals", ())
        }
        random = [
            blob for record in stored for blob in (record.hash, record.signature, record.sealed) if blob is not None
        ]
        salts = self._sealed_salts(stored)
        for place, data in self.captured():
            self.searched.add(place)
            if place in LOGS:
                assert not any(secret.encode() in data for secret in SECRETS), place
            self.look_into(place, data, random, salts)

    def look_into(self, place: str, data: bytes, random: list[bytes], salts: list[bytes]) -> None:
        if place == "traces":
            random = [*self.sealed_blocks(data)]
            self.n_sealed_blocks += len(random)
        since = self._searched_before(place, data)
        leaks = [hit for hit in self.hits(place, data, random, since) if hit.card not in self.revealed]
        assert leaks == [], f"{place}: {leaks}"
        assert list(salts_in(data[since:], salts)) == [], place

    def _searched_before(self, place: str, data: bytes) -> int:
        """So many bytes were searched when even more cards were sealed: places that only grow are searched once."""
        known = self._known.setdefault(place, [])
        before = max((len(prefix) for prefix in known if data.startswith(prefix)), default=0)
        known.append(data)
        return max(0, before - OVERLAP_BYTES)

    def hits(self, place: str, data: bytes, random: list[bytes], since: int) -> Iterator[Hit]:
        is_binary = place in BINARY
        return cards_in(data, binary=is_binary, random=random if is_binary else (), since=since)

    def _sealed_salts(self, stored: list[Stored]) -> list[bytes]:
        vault, _ = load_sealing(self.stage.journal.with_suffix(".key"))
        opened = [sealed_card(vault, record, record.decoded()) for record in stored]
        return [opening.salt for opening in opened if opening is not None and opening.card.code not in self.revealed]


def logs_say_all(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Controller, watch and screens say whatever they say at all."""
    monkeypatch.setenv("TABLECTL_LOG", "debug")
    monkeypatch.setenv("TABLECTL_LOG_FORMAT", form)


#: Where the places are searched in `WHOLE_HAND`: after the deal, the fold, each street, the reveal and the end.
SEARCHED_AFTER: Final = ("draw Js", "press fold", "draw 5h", "draw 7d", "draw Th", "press bank", "press confirm")
#: The second hand's, none of which is ever shown.
SECOND: Final = ("Ac", "Kc", "Qc", "Jc", "Tc")


def test_no_sealed_card_stands_in_any_byte_that_leaves_the_controller(monkeypatch: pytest.MonkeyPatch) -> None:
    logs_say_all(monkeypatch, "json")
    with ExitStack() as house_rules:
        folder = Path(house_rules.enter_context(temporary_folder()))
        stage = house_rules.enter_context(TappedStage(Scene(staff=False), folder))
        house = House(stage, house_rules.enter_context(Screens(stage.folder, stage.socket)))
        house_rules.callback(house.close)
        for line in filter(None, WHOLE_HAND.splitlines()):
            house.line(line)
            if line == "draw Js":
                house.nonsense()
            if line in SEARCHED_AFTER:
                house.search()
        assert set(NEVER_SHOWN).isdisjoint(house.revealed)
        assert house.revealed

        for line in ("press new-hand", "bet 1 ante 1000", "bet 2 ante 1000", "press no-more-bets"):
            house.line(line)
        for card in SECOND[:3]:
            house.line(f"draw {card}")
        house.search()
        stage.kill_controller()
        stage.socket.unlink()
        house.search()
        assert house.n_sealed_blocks > 20
        assert house.trace_tools().count("= card-out card=▒▒".encode()) > 10, "nobody holds the traces any more"

        stage.start_controller()
        house.followers.append(follower(stage))
        house.line("press confirm")
        log_bytes = stage.journal.with_name("table.db-wal").stat().st_size
        resource.prlimit(stage.controller.pid, resource.RLIMIT_FSIZE, (log_bytes, log_bytes))
        stage.world.stack(SECOND[3:])
        stage.shoe.draw()
        assert stage.controller.wait(LONG_S) == EXIT_TILT
        assert '"event": "tilt"' in stage.log.read_text(encoding="utf-8")
        house.search()
        house.look_into("devices", said_by("devices", str(stage.config)), [], [])
        assert house.searched == set(PLACES)


#: The second game: seat 1 claims its TXB, seat 2 loses its own and folds, seat 3 has none and folds.
TXB_HAND: Final = """
press new-hand
bet 1 ante 1000 txb 500
bet 2 ante 1000 txb 500
bet 3 ante 1000
bet 4 ante 1
bet 4 txb 500
press incident
press cancel
press no-more-bets
draw As
draw 9c
draw Td
draw Qh
draw Ac
press incident
declare commented seat-2
draw Jd
draw 9h
draw Js
draw 4s
draw 8h
draw Kc
press bet
press incident
press cancel
press fold
press fold
press seat-2
press seat-1
press confirm
press confirm
draw 2d
draw 3c
press bank
press confirm
"""
#: Where the places are searched in it, and what nobody may ever see of it.
TXB_SEARCHED_AFTER: Final = ("draw Js", "press incident", "press seat-1", "draw 3c", "press bank")
TXB_NEVER_SHOWN: Final = ("9c", "Jd", "Td", "9h")
TXB_SCENE: Final = Scene(
    staff=False,
    rulebook="texas-poker",
    limits={bet: Band(least=500, most=10_000, authorised=(500, 10_000)) for bet in ("ante", "txb")},
)


@pytest.mark.wide
def test_of_a_txb_nothing_is_shown_but_the_cards_of_who_claims_or_wins_it(monkeypatch: pytest.MonkeyPatch) -> None:
    logs_say_all(monkeypatch, "text")
    with ExitStack() as house_rules:
        folder = Path(house_rules.enter_context(temporary_folder()))
        stage = house_rules.enter_context(TappedStage(TXB_SCENE, folder))
        house = House(stage, house_rules.enter_context(Screens(stage.folder, stage.socket)))
        house_rules.callback(house.close)
        for line in filter(None, TXB_HAND.splitlines()):
            house.line(line)
            if line in TXB_SEARCHED_AFTER:
                house.search()
            if line == "draw Kc":
                assert house.revealed == set(), "nothing was searched after the flop yet"
        house.search()
        assert set(TXB_NEVER_SHOWN).isdisjoint(house.revealed)
        assert {"As", "Ac", "Kc", "3c", "Qh"} < house.revealed
        assert house.searched == set(PLACES)


#: A circle game: seat 3 folds. Burn and river are drawn too soon: everybody sees the river, and it goes back into the
#: deck. At the showdown seat 2 gives its hand up and seat 1 shows.
CIRCLE_HAND: Final = """
player 1 takes
player 2 takes
player 3 takes
stack 1 20000
stack 2 20000
stack 3 20000
button 3
press new-hand
press no-more-bets
draw As
draw 9d
draw Td
draw Ac
draw 9h
draw 4s
act raise 600
act call
act 3 fold
press cancel
act call
draw 3c
draw Qh
draw Jd
draw 5s
act check
act bet 600
act fold
press incident
press cancel
declare commented seat-1
act call
draw 6c
draw 7h
press check
draw 8c
draw Kd
press seen
press confirm
press check
draw 2h
press all-check
press seat-2
press fold
press show
press confirm
"""
CIRCLE_SEARCHED_AFTER: Final = (
    "draw 4s",
    "draw 5s",
    "declare commented seat-1",
    "draw Kd",
    "draw 2h",
    "press fold",
)
#: The hands of those who folded and of who gave his up, and the burns.
CIRCLE_NEVER_SHOWN: Final = ("Td", "4s", "9d", "9h", "3c", "6c", "8c")
CIRCLE_SCENE: Final = Scene(
    staff=False, rulebook="circle-holdem", limits={"bet": Band(least=200, most=100_000, authorised=(200, 100_000))}
)


@pytest.mark.wide
def test_of_a_circle_hand_nothing_is_shown_but_the_board_what_was_exposed_and_who_shows() -> None:
    with ExitStack() as house_rules:
        folder = Path(house_rules.enter_context(temporary_folder()))
        stage = house_rules.enter_context(TappedStage(CIRCLE_SCENE, folder))
        house = House(stage, house_rules.enter_context(Screens(stage.folder, stage.socket)))
        house_rules.callback(house.close)
        for line in filter(None, CIRCLE_HAND.splitlines()):
            house.line(line)
            if line == "draw 4s":
                house.nonsense()
            if line in CIRCLE_SEARCHED_AFTER:
                house.search()
            if line == "draw 5s":
                assert house.revealed == {"Qh", "Jd", "5s"}
        house.search()
        assert set(CIRCLE_NEVER_SHOWN).isdisjoint(house.revealed)
        assert house.revealed == {"Qh", "Jd", "5s", "7h", "Kd", "2h", "As", "Ac"}
        assert house.searched == set(PLACES)

        journal, bundle = str(stage.journal), folder / "hand.zip"
        house.look_into("history", said_by("journal", "export", journal, "--hand", "1", "--phh"), [], [])
        said_by("journal", "export", journal, "--hand", "1", "--bundle", str(bundle))
        with ZipFile(bundle) as files:
            assert len(files.namelist()) > 3
            assert files.read("verify.html") == OF_NO_HAND
            for name in sorted({*files.namelist()} - {"verify.html"}):
                # What a style sheet calls a heading is no three of hearts.
                plain = re.sub(rb"<style>.*</style>", b"", files.read(name), flags=re.DOTALL)
                house.look_into(f"bundle {name}", plain, [], [])


#: Antennas beside the shoe: confirmed, lifted, unread and identified, a foreign tag, a card of nobody's, a fault.
FELT_HAND: Final = """
restart
press new-hand
bet 1 ante 1000
bet 2 ante 1000
standing 1 ante 500
press no-more-bets
draw As
seen seat-1 As at=1
gone seat-1 As
draw ??
seen seat-2 9c
draw Qh
seen house Qh
draw Ac
seen seat-1 Ac
fault card=Jd ZeroDivisionError at seen, line 7
rule 1 next-card by ana as he saw it
seen seat-2 Jd
seen seat-2 ??
rule 2 continue by ana
seen seat-1 5s
rule 3 continue by ana
gone board 6s
"""


def test_what_antennas_see_stands_sealed_in_every_file_and_in_what_every_tool_says() -> None:
    setup = parse("# t\nrulebook texas-poker\nequipment both\n").setup
    with temporary_folder() as name:
        folder = Path(name)
        keep_keys(folder)
        with Writer(folder / "table.db", setup) as writer:
            writer.lines(FELT_HAND)
            stored = list(writer.store.records())
            copy = b"".join(line_with_box(record) for record in stored)
            everything = {
                "stream": b"".join(map(public_line, stored)),
                "table.copy": copy,
                **{path.name: path.read_bytes() for path in folder.glob("table.db*")},
            }
            for tool in ("verify", "replay", "show"):
                # Without the name of the folder, which is random and may look like a card.
                said = said_by("journal", tool, str(folder / "table.db"))
                everything[f"journal {tool}"] = said.replace(bytes(folder), b"")
            everything["json"] = said_by("journal", "show", "--json", str(folder / "table.db"))
            everything["export"] = said_by("journal", "export", str(folder / "table.db"), "--hand", "1")
            assert b"seen seat-1 draw-1 at=1" in everything["export"]
            random = [
                blob for record in stored for blob in (record.hash, record.signature, record.sealed) if blob is not None
            ]
            vault, _ = load_sealing(folder / "table.key")
            opened = [sealed_card(vault, record, record.decoded()) for record in stored]
            salts = [opening.salt for opening in opened if opening is not None]
        assert len(salts) == 12
        for place, data in everything.items():
            is_binary = place in BINARY
            assert list(cards_in(data, binary=is_binary, random=random if is_binary else ())) == [], place
            assert list(salts_in(data, salts)) == [], place


def test_a_card_on_which_the_engine_broke_stands_in_no_log_mark_or_record() -> None:
    with desk() as table:
        table.start(breaks_at_the_decisions)
        table.open_hand()
        table.deal("As", "Kd", "Qh", "9c", "9d")
        table.world.stack(["Js"])
        table.shoe.draw()
        assert table.ended() == EXIT_TILT
        everything = repr(table.log.said).encode() + said_by("journal", "show", "--json", str(table.journal))
        everything += b"".join(path.read_bytes() for path in table.folder.glob("table.[cts]*") if path.is_file())
        assert b"ZeroDivisionError" in everything
        assert list(cards_in(everything)) == []


# --- the searcher itself --------------------------------------------------------------------------------------------


def notations(card: str) -> dict[str, bytes]:
    """A card in every way in which it could be written."""
    rank, suit = card[0], card[1]
    sign = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[suit]
    word = {"A": "ace", "T": "ten", "7": "seven"}[rank], {"s": "spades", "h": "hearts", "d": "diamonds"}[suit]
    palabra = {"A": "As", "T": "diez", "7": "Siete"}[rank], {"s": "picas", "h": "corazones", "d": "diamantes"}[suit]
    glyph = chr(0x1F0A0 + 16 * "shdc".index(suit) + "A23456789TJ_QK".index(rank) + 1)
    frame = encode_report(Report(seq=0x31, code=Code.CARD_IN_GAME, payload=card_payload(card, target=1, index=2)))
    box = json.dumps({"card": card, "salt": "ab" * 16}, separators=(",", ":")).encode()
    texts = {
        "code": card,
        "upper": card.upper(),
        "suit first": card[::-1].upper(),
        "two digits": card.replace("T", "10"),
        "sign": rank + sign,
        "sign first": sign + rank,
        "sign in JSON": json.dumps(rank + sign),
        "sign in JSON in JSON": json.dumps(json.dumps(rank + sign)),
        "sign as entity": f"{rank}&{ {'s': 'spades', 'h': 'hearts', 'd': 'diams'}[suit] };",
        "sign in tags": f"<text>{rank.replace('T', '10')}</text>\n <text>{sign}</text>",
        "words": " of ".join(word),
        "palabras": " de ".join(palabra),
        "glyph": glyph,
        "glyph in JSON": json.dumps(glyph),
        "glyph as entity": f"&#{ord(glyph)};",
        "quoted": f'"{card.lower()}"',
        "seen, as a file has it": f"> seen seat-1 {card} at=2",
        "gone, as a file has it": f"> gone seat-1 {card}",
        "seen, as Python says it": f"Seen(at_us=1, spot='seat-1', card=Card({card}), position=None)",
        "seen, in a record": json.dumps({"fact": {"kind": "seen", "spot": "seat-1", "card": card, "lies": 3}}),
        "a draw by its card": f"draw-{card}",
        "after a line's end in JSON": json.dumps(f"x\n{card}\ny"),
        "index": json.dumps({"card": DECK.index(card)}),
        "frame in hex": frame.hex(),
        "frame in hex, apart": frame.hex(" "),
        "frame as Python says it": repr(frame),
        "box": box.decode(),
        "box in hex": box.hex(),
        **{f"box in base64, {n}": b64encode(b"x" * n + box).decode() for n in range(3)},
    }
    return {name: text.encode() for name, text in texts.items()} | {"frame": frame}


@pytest.mark.parametrize("card", ["As", "Th", "7d"])
@pytest.mark.parametrize("place", PLACES)
def test_a_card_that_is_planted_is_found_in_every_place_in_every_notation(card: str, place: str) -> None:
    for name, needle in notations(card).items():
        around = b'{"note": "' + needle + b'"}' if name != "frame" else b"\0\0" + needle + b"\0\0"
        if place == "table.copy":
            around = b'{"seq":1,"hash":"' + b"ab" * 32 + b'","box":"QXMr/As+Kd=="}\n' + around
        found = cards_in(around, binary=place in BINARY, random=[bytes(32)])
        assert card in {hit.card for hit in found}, name


def test_a_checksum_of_a_log_that_looks_like_a_card_is_none_and_the_same_bytes_in_a_page_are_one() -> None:
    looks_like_a_card, page = b"D\xad\xad\x03", bytes(512)
    begins = bytes.fromhex("377f0682 002de218 00000200 00000000") + bytes(12) + looks_like_a_card
    log = begins + 2 * (bytes(20) + looks_like_a_card + page)
    assert list(cards_in(log, binary=True)) == []
    leak = log[: -len(looks_like_a_card)] + looks_like_a_card
    assert [hit.card for hit in cards_in(leak, binary=True)] == ["Kc"]


def test_a_salt_in_the_index_of_a_log_that_looks_like_a_card_is_none_and_the_same_bytes_elsewhere_are_one(
    tmp_path: Path,
) -> None:
    looks_like_a_card, path = b"D\xad\xad\x03", tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE a (b)")
        salt = path.with_name("a.db-wal").read_bytes()[16:20]
        index = path.with_name("a.db-shm").read_bytes()
    assert index.count(salt) == 2, "SQLite keeps its header twice"
    index = index.replace(salt, looks_like_a_card)
    assert list(cards_in(index, binary=True)) == []
    assert [hit.card for hit in cards_in(index + looks_like_a_card, binary=True)] == ["Kc"]


@pytest.mark.parametrize("shift", range(3))
def test_a_salt_that_is_planted_is_found(shift: int) -> None:
    salt = bytes(range(200, 216))
    for needle in (salt, salt.hex().encode(), salt.hex().upper().encode(), b64encode(bytes(shift) + salt + b"xyz")):
        assert list(salts_in(b"x" + needle + b"y", [salt])), needle
    assert not list(salts_in(bytes(100), [salt]))


@pytest.mark.parametrize("tag", ["E00401AA00000007", "04A1B2C3D4E580", "04112233"])
def test_a_tag_that_is_planted_is_found_in_every_notation(tag: str) -> None:
    raw = bytes.fromhex(tag)
    texts = (tag, tag.lower(), raw.hex(":"), raw.hex(" ").upper(), raw[::-1].hex(), f"xyz{tag}")
    needles = [raw, raw[::-1], *(text.encode() for text in texts)]
    needles += [b64encode(bytes(shift) + data + b"xyz") for shift in range(3) for data in (raw, tag.encode())]
    for needle in needles:
        assert list(tags_in(b"x" + needle + b"y", [tag])) == [tag], needle
    assert not list(tags_in(bytes(100) + b"E004", [tag]))


def test_what_is_random_by_nature_is_no_card() -> None:
    quiet = (
        b'{"hash":"' + b"5c" * 32 + b'","box":"As+Kd/Qh==","at":"2026-11-21T05:11:25.000007Z","seq":51,"draw":3}',
        b"-----BEGIN PUBLIC KEY-----\nMCow/As+BQ/Kd=\n-----END PUBLIC KEY-----\n",
        b"\x00As\x00\xffKd\x01",
        b"croupier$argon2id$v=19$m=8,t=1,p=1$8s/znNIjca2jaIPRV9zotA$G5LndcXW6jpwsziY7Hs/Kd\x00",
        b"\x00\x12|ST/BLSQLite format 3\x00",
        b"> seen seat-1 draw-2 at=2\n> gone seat-2 stray\n< card seat-3.2\n> out 3/2\n> shuffled 52\n",
        b'{"fact":{"kind":"seen","card":null,"lies":3,"position":2,"spot":"seat-3"},"bettor":2}',
        b'tablectl_device_state_since_seconds{device="tray"} 1.795280960336202e+09\n',
        b'{"clause":"THL-PLE-2c"} (THL-PLE-2c) THL-PLE-2c.',
    )
    for data in quiet:
        assert list(cards_in(data, binary=True)) == []
    assert [hit.card for hit in cards_in(b"THL-PLE-2c: 2c, THL-2c, PLE-Kd-2")] == ["2c", "2c", "Kd"]


def test_what_is_random_is_none_either_where_it_was_searched_to_its_middle() -> None:
    block = bytes(200) + notations("As")["frame"] + bytes(20)
    assert {hit.card for hit in cards_in(block, binary=True, since=150)} == {"As"}
    assert list(cards_in(block, binary=True, random=[block], since=150)) == []


def test_each_core_stands_in_the_base64_of_what_holds_it() -> None:
    plain = b'"card":"As"'
    for ahead in range(6):
        encoded = b64encode(b"x" * ahead + plain + b"yz").decode()
        assert any(core in encoded for core in cores(plain))
