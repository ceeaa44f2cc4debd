"""No sealed card in anything that the screens send to anybody: every route there is, asked by nobody, by each role and
by somebody who has them all, while hands with known cards are played."""

from __future__ import annotations

import io
import json
import re
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile, is_zipfile

import httpx2
import pytest

from simulators.stage.stage import Scene, temporary_folder
from tablectl.api.client import ask
from tablectl.core.roles import Person
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.clock import now_us
from tablectl.journal.evidence.verifier.page import verifier_page
from tablectl.journal.keys import load_sealing
from tablectl.journal.public_keys import public_pem
from tablectl.journal.sealed_card_request import signed
from tablectl.journal.store import Store, Stored
from tablectl.journal.writer import sealed_card
from tablectl.people.people import People
from tablectl.web.screens.app import all_guarded_routes, make_shared
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.watching import WATCHERS
from tests.desk import LONG_S, REASON
from tests.journal.journals import NEVER_SHOWN, SIGNER, WHOLE_HAND
from tests.screens import signed_on
from tests.screens.process import ScreensProcess
from tests.secrecy import cards_in, salts_in
from tests.test_secrecy import OVERLAP_BYTES, Listener, TappedStage
from tests.waiting import until

pytestmark = pytest.mark.system

NOBODY: Final = "nobody"
WHO: Final = (NOBODY, *signed_on.ROLES)
#: The page that checks a bundle: the same bytes at a table that never dealt, so it tells no card.
OF_NO_HAND: Final = tuple(verifier_page(language).encode() for language in LANGUAGES)
#: Ends the session: asked last.
LAST: Final = "/sign-off"
#: Waits for a badge as long as nobody shows one: asked once, beside the hands.
WAITS: Final = "/sign-on/badge"
#: Is looked at while it goes on, from the first record to the last.
STREAM: Final = "/events"
#: No ace of spades: its code is a word that English sentences begin with.
FIRST_HAND: Final = WHOLE_HAND.replace("draw As", "draw Ad")
#: Followed apart; and a trace is given out once nothing is recorded into it (`test_secrecy.py` reads them as they are).
UNOPENED: Final = {STREAM, "/technician/traces/{name}"}
#: The second hand, and what is told of it at its end; none of its cards is ever shown.
SECOND_HAND: Final = """
press new-hand
bet 1 ante 1000
press no-more-bets
draw Ac
draw Kc
draw Qc
draw Jc
draw Tc
press seen
"""
#: Where everything is asked for: dealt, at the flop, shown, and in a hand that is held after one that is over.
SEARCHED_AFTER: Final = ("draw Js", "draw 5h", "press bank", "press seen")
#: Open from the flop on.
FLOP: Final = {"3c", "4h", "5h"}
#: What tells the pages of two people apart: the token of each session.
OWN: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
STYLE: Final = re.compile(rb"<style[^>]*>.*?</style>", re.DOTALL)
PACK: Final = re.compile(rb'<ol class="pack".*?</ol>', re.DOTALL)
CARDS_OF_PACK: Final = re.compile(rb'data-card="(..)"')
WHOLE_PACK: Final = [f"{rank}{suit}".encode() for suit in "shcd" for rank in "A23456789TJQK"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """What is posted, as a page of ours does."""

    json: Mapping[str, Any] | None = None
    form: Mapping[str, str] | None = None


def posts(hand: int) -> dict[str, tuple[Body, ...]]:
    """What each route is sent, good or nonsense; signed by the auditor, and by somebody who is none."""
    request = signed(table="Mesa 1", hand=hand, by="auditor", reason=REASON, now_us=now_us(), auditor=SIGNER)
    forged = {**request, "signature": "00" * 64}
    press = {
        "act": "press",
        "key": "not-seen",
        "prompt": {"since": 1, "seat": None},
    }  # never the right one where it is asked
    return {
        "/enter": (
            Body(json={"page": "croupier", **press}),
            Body(json={"page": "pit", "act": "acknowledge", "incident": 99}),
            Body(json={"page": "pit", "act": "draw As"[:4]}),
        ),
        "/correction": (
            Body(json={"act": "correct", "number": 2, "card": "As", "reason": REASON}),
            Body(json={"act": "correct", "number": 3, "spot": "seat-1", "reason": REASON}),
            Body(json={"act": "correct"}),
        ),
        "/sign-on": (Body(form={"name": "croupier", "secret": "wrong", "way": "pin"}),),
        "/account": (Body(form={"old": "wrong", "new": "x", "again": "y"}),),
        "/people": (Body(form={"do": "add", "name": "No Name", "display": "", "roles": "croupier"}),),
        "/auditor/verify/start": (Body(json={}),),
        "/auditor/verify/stop": (Body(json={}),),
        "/auditor/open/{hand:int}/request": (Body(json={"reason": REASON}), Body(json={"reason": ""})),
        "/auditor/open/{hand:int}/cards": (Body(json=forged), Body(json={"request": 1})),
        "/auditor/export/start": (Body(json={"first": 1}), Body(json={"first": 0})),
        "/auditor/export/stop": (Body(json={}),),
        "/technician/test/begin": (Body(json={"what": "lamps"}), Body(json={"what": "over"})),
        "/technician/enrolment": (Body(json={"deck": "red", "reader": "none"}),),
        "/technician/enrolment/say": (Body(json={"what": "back"}),),
    }


class Asking:
    """Everything that can be asked for, and what each person got."""

    def __init__(self, url: str, routes: tuple[GuardedRoute, ...], traces: Callable[[], list[Path]]) -> None:
        self._url, self._traces = url, traces
        self.routes = routes
        self._client = httpx2.Client(base_url=url, timeout=LONG_S, verify=False)
        #: what each person was sent since `taken`, by where it came from
        self._got: dict[str, dict[str, bytes]] = defaultdict(dict)
        #: the routes that opened to somebody
        self.opened: set[str] = set()

    def close(self) -> None:
        self._client.close()

    def taken(self) -> dict[str, dict[str, bytes]]:
        got, self._got = self._got, defaultdict(dict)
        return got

    def everything(self, hand: int, *, is_first: bool) -> None:
        """Each route: the first time asked by everybody; later on by those to whom it opens, and what they post by
        whoever has all roles."""
        for who in WHO:
            for route in self.routes:
                asks = route.opens_to(person(who)) and ("GET" in route.methods or who == signed_on.EVERYBODY)
                if route.path in (LAST, WAITS, STREAM) or not (is_first or asks):
                    continue
                for method in route.methods:
                    self.ask(who, method, route, hand)

    def ask(self, who: str, method: str, route: GuardedRoute, hand: int) -> None:
        language = "en" if who == signed_on.EVERYBODY else "es"
        bodies = (Body(),) if method == "GET" or route.path == LAST else posts(hand)[route.path]
        for path in self.paths(route.path, hand):
            for number, body in enumerate(bodies):
                answer = self.send(who, method, f"{path}?lang={language}", body)
                self.keep(who, f"{method} {path} {number}", answer)
                if answer.status_code == httpx2.codes.OK:
                    self.opened.add(route.path)

    def archive(self) -> None:
        """Of the hand that is over, as the auditor takes it away."""
        self.send("auditor", "POST", "/auditor/export/start", Body(json={"first": 1}))
        until(lambda: not self.send("auditor", "GET", "/auditor/export/state", Body()).json()["running"])
        answer = self.send("auditor", "GET", "/auditor/export/archive", Body())
        assert answer.status_code == httpx2.codes.OK
        self.opened.add("/auditor/export/archive")
        self.keep("auditor", "archive", answer)

    def keep(self, who: str, place: str, answer: httpx2.Response) -> None:
        self._got[who][place] = said(answer)

    def send(self, who: str, method: str, path: str, body: Body) -> httpx2.Response:
        sent = {} if who == NOBODY else signed_on.headers(who)
        origin = {} if method == "GET" else {"Origin": self._url}
        csrf = {"csrf": sent.get("X-Tablectl", "")}
        form = None if body.form is None else {**body.form, **csrf}
        return self._client.request(method, path, headers={**sent, **origin}, json=body.json, data=form)

    def paths(self, path: str, hand: int) -> list[str]:
        """With whatever its parameters can be; a new one has to be named here."""
        name = re.search(r"\{(\w+)(?::int)?\}", path)
        if name is None:
            return [path]
        values: dict[str, list[str]] = {
            "/pit/hands/{hand}": [str(number) for number in range(1, hand + 1)],
            "/auditor/open/{hand:int}": [str(number) for number in range(1, hand + 1)],
            "/auditor/open/{hand:int}/request": [str(hand)],
            "/auditor/open/{hand:int}/cards": [str(hand)],
            "/technician/traces/{name}": [trace.name for trace in self._traces()],
            "/pit/float/{seq:int}": ["1"],
            "/pit/statistics/{what}.csv": ["hands", "incidents"],
        }
        return [path.replace(name[0], value) for value in values[path]]


def said(answer: httpx2.Response) -> bytes:
    """An answer with its headers; of an archive, what is in it too."""
    head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items() if name != "etag")
    body = answer.content
    if is_zipfile(io.BytesIO(body)):
        with ZipFile(io.BytesIO(body)) as files:
            names = {*files.namelist()} - {"verify.html"}
            if len(names) < len(files.namelist()):
                assert files.read("verify.html") in OF_NO_HAND
            body = b"\n".join(files.read(name) for name in sorted(names))
    return head.encode() + b"\n\n" + body


def person(who: str) -> Person | None:
    return None if who == NOBODY else Person(name=who, roles=signed_on.ROLES[who])


def streams(url: str) -> Iterator[tuple[str, Listener]]:
    """The events of each page, for everybody who may look at it."""
    for who in signed_on.ROLES:
        for page, roles in WATCHERS.items():
            if signed_on.ROLES[who] & roles:
                asked = urllib.request.Request(f"{url}{STREAM}?page={page}&lang=es", headers=signed_on.headers(who))
                answer = urllib.request.urlopen(asked, timeout=LONG_S)
                yield f"{who} {page}", Listener(answer.readline, lambda: None)


class AuditedStage(TappedStage):
    """A stage whose house named an auditor."""

    def configure(self, scene: Scene) -> None:
        super().configure(scene)
        (self.folder / "auditor.pem").write_bytes(public_pem(SIGNER.public))
        with self.config.open("a", encoding="utf-8") as config:
            config.write('\n[journal]\nauditor = "auditor.pem"\n')


class Table:
    """A table, its screens, and the search of all that they send."""

    def __init__(self, stage: AuditedStage, screens: ScreensProcess, routes: tuple[GuardedRoute, ...]) -> None:
        self.stage = stage
        self.asking = Asking(screens.url, routes, lambda: stage.traces)
        self.streams = dict(streams(screens.url))
        #: open cards that each person was sent: what is found is no leak, and shows that the search finds
        self.found: dict[str, set[str]] = defaultdict(set)
        self._dealt: set[str] = set()
        self._revealed: set[str] = set()
        self._salts: list[bytes] = []
        #: the cards that stand in what was searched when even more cards were sealed
        self._hits: dict[bytes, set[str]] = {}
        self._heard: dict[str, int] = defaultdict(int)

    def close(self) -> None:
        self.asking.close()
        for stream in self.streams.values():
            stream.close()

    def line(self, text: str) -> None:
        """One line of a hand, at the shoe or over the socket."""
        word, _, rest = text.partition(" ")
        before = self.stage.newest
        if word != "draw":
            reply = ask(self.stage.socket, {"enter": text})
            assert reply["ok"], reply
            assert not reply["refused"], reply
            return
        self._dealt.add(rest)
        self.stage.world.stack([rest])
        self.stage.shoe.draw()
        with self.stage.reader(after=before) as reader:
            while (record := reader.next(LONG_S)) is not None and record["fact"]["kind"] != "drawn":
                pass
        assert record is not None

    def search(self, *, is_first: bool = False) -> None:
        """Ask for everything; nothing that is sealed now stands in it."""
        stored = self._records()
        hand = json.loads(stored[-1].public)["hand"]
        self.asking.everything(hand, is_first=is_first)
        self.judge()
        newest = self.stage.newest
        for name, stream in self.streams.items():
            stream.until(f'"seq": {newest}'.encode())
            data, since = stream.tap.taken(), max(0, self._heard[name] - OVERLAP_BYTES)
            self._look_into(name.partition(" ")[0], f"events of {name}", data[since:])
            self._heard[name] = len(data)

    def judge(self) -> None:
        """Nothing sealed stands in the answers since the last time."""
        stored = self._records()
        self._revealed |= {reveal["card"] for one in stored for reveal in json.loads(one.public).get("reveals", ())}
        self._salts = self._sealed_salts(stored)
        for who, sent in self.asking.taken().items():
            for place, data in sent.items():
                self._look_into(who, place, data)

    def _look_into(self, who: str, place: str, data: bytes) -> None:
        alike = sha256(OWN.sub(b"", data).replace(who.encode(), b"")).digest()
        if alike not in self._hits:
            hits = list(cards_in(without_what_is_no_card(data)))
            leaks = [hit for hit in hits if hit.card in self._dealt - self._revealed]
            assert leaks == [], f"{who}: {place}: {leaks}"
            assert list(salts_in(data, self._salts)) == [], f"{who}: {place}"
            self._hits[alike] = {hit.card for hit in hits}
        self.found[who] |= self._hits[alike] & self._revealed

    def _records(self) -> list[Stored]:
        with closing(Store.read(self.stage.journal)) as store:
            return list(store.records())

    def _sealed_salts(self, stored: list[Stored]) -> list[bytes]:
        vault, _ = load_sealing(self.stage.journal.with_suffix(".key"))
        opened = [sealed_card(vault, record, record.decoded()) for record in stored]
        return [opening.salt for opening in opened if opening is not None and opening.card.code not in self._revealed]


def without_what_is_no_card(data: bytes) -> bytes:
    """Styles are full of seconds (`2s`) and headings; and the list that a deck is enrolled by is that of any deck."""
    for pack in PACK.findall(data):
        assert CARDS_OF_PACK.findall(pack) == WHOLE_PACK, "it says nothing of this table's cards"
    return PACK.sub(b"", STYLE.sub(b"", data))


@contextmanager
def table() -> Iterator[Table]:
    with ExitStack() as house:
        folder = Path(house.enter_context(temporary_folder()))
        accounts = signed_on.staffed(folder / "people.db")
        people = People(accounts, parameters=signed_on.CHEAP)
        routes = all_guarded_routes(make_shared(folder / "table.sock", people, None))
        people.file.close()
        stage = house.enter_context(AuditedStage(Scene(), folder))
        at_exit = house.enter_context(ExitStack())  # streams end when the screens do
        screens = house.enter_context(ScreensProcess(stage.config, folder / "screens.log"))
        found = Table(stage, screens, routes)
        at_exit.callback(found.close)
        yield found


@pytest.mark.slow  # half a minute of computing for some nine hundred requests
def test_nobody_is_sent_a_sealed_card_by_any_route_in_whatever_role() -> None:
    with table() as there, ThreadPoolExecutor(1) as beside:
        there.line("croupier croupier")
        (badge,) = (reachable for reachable in there.asking.routes if reachable.path == WAITS)
        waiting = beside.submit(there.asking.send, NOBODY, "POST", badge.path, Body())
        is_first = True
        for line in filter(None, (FIRST_HAND + SECOND_HAND).splitlines()):
            there.line(line)
            if line in SEARCHED_AFTER:
                there.search(is_first=is_first)
                is_first = False
            if line == "draw 5h":
                for who in ("croupier", "pit-boss", "manager", "auditor", signed_on.EVERYBODY):
                    assert there.found[who] == FLOP, f"{who} is sent what lies open, and the search finds it"
                assert there.found[NOBODY] == there.found["technician"] == set()
        there.asking.keep(NOBODY, f"POST {WAITS}", waiting.result())
        there.asking.archive()
        for who in WHO:
            for route in (reachable for reachable in there.asking.routes if reachable.path == LAST):
                there.asking.ask(who, route.methods[0], route, hand=2)
        there.judge()
        assert set(NEVER_SHOWN).isdisjoint(set().union(*there.found.values()))
        assert (
            there.asking.opened
            >= {reachable.path for reachable in there.asking.routes if "GET" in reachable.methods} - UNOPENED
        )
