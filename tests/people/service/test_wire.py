"""The accounts at a socket: every question, every refusal, and what is no question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from tablectl.api.client import NoController
from tablectl.api.protocol import REQUEST_BYTES
from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.journal.clock import now_us
from tablectl.people.accounts import UnknownAccount
from tablectl.people.administration import NotPossible
from tablectl.people.people import Denial, Denied
from tablectl.people.rules import Weakness, WeakSecret
from tablectl.people.service import questions as q
from tablectl.people.service.remote import RemoteAccounts
from tablectl.people.service.server import AccountsServer
from tests.people.service.authenticator import Authenticator, coded
from tests.people.service.houses import AT_TABLE, ELSEWHERE, Place
from tests.screens.signed_on import PASSWORD, PIN, token_of

T = TypeVar("T")

#: One of each, answered by the service in a row; `SignOnByBadge` is asked where no badge was shown.
EVERY: Final[tuple[q.Question[Any], ...]] = (
    q.Who(token=token_of("manager"), is_activity=True),
    q.Who(token="nobody's"),
    q.ChooseLanguage(token=token_of("manager"), language="en"),
    q.IsGone(name="croupier"),
    q.SignOn(name="croupier", secret=PIN, way="pin", source=AT_TABLE),
    q.SignOn(name="manager", secret=PASSWORD, way="password", source=ELSEWHERE),
    q.SignOnByBadge(source=AT_TABLE, wait_s=0),
    q.AskTiles(),
    q.AskRegister(token=token_of("manager")),
    q.Administer(token=token_of("manager"), do="add", name="eva", display="Eva", roles=(Role.CROUPIER,)),
    q.AskRefusedRows(token=token_of("auditor")),
    q.Look(token=token_of("auditor"), kind=AccessKind.READ_HAND, role="auditor", about="hand 1"),
    q.Act(token=token_of("everybody"), request={"enter": "call by everybody"}, source=AT_TABLE),
    q.ChangeSecret(token=token_of("croupier"), way="pin", old=PASSWORD, new="918273", source=AT_TABLE),
    q.SignOff(token=token_of("technician")),
)


@contextmanager
def at_socket(place: Place, path: Path) -> Iterator[Callable[[Callable[[RemoteAccounts], Coroutine[Any, Any, T]]], T]]:
    """Runs something beside the server that answers it."""

    def run(work: Callable[[RemoteAccounts], Coroutine[Any, Any, T]]) -> T:
        async def both() -> T:
            server = AccountsServer(path, place.service)
            await server.start()
            try:
                return await work(RemoteAccounts(path))
            finally:
                await server.end()

        return asyncio.run(both())

    yield run


def asked(place: Place, tmp_path: Path, question: q.Question[T]) -> T:
    with at_socket(place, tmp_path / "a.sock") as run:
        answer: T = run(lambda remote: remote.ask(question))
        return answer


def test_every_question_has_its_answer_over_the_socket_as_it_has_without(place: Place, tmp_path: Path) -> None:
    key, own = Authenticator(), token_of("manager")
    begin = q.BeginPasskey(token=own, password=PASSWORD, source=AT_TABLE)
    told: list[object] = []
    answered = place.service.ask

    async def remembering(question: q.Question[T]) -> T:
        answer = await answered(question)
        told.append(answer)
        return answer

    object.__setattr__(place.service, "ask", remembering)
    made = key.made(asked(place, tmp_path, begin))
    passkeys: tuple[q.Question[Any], ...] = (
        q.AddPasskey(token=own, label="key ring", made=made),
        q.AskPasskeys(token=own),
        q.AskToSign(token=token_of("pit-boss"), request={"enter": "limits ante=1..2"}, second="manager"),
        q.RemovePasskey(token=own, password=PASSWORD, credential=coded(key.credential), source=AT_TABLE),
    )
    assert {type(question) for question in (begin, *passkeys, *EVERY)} == set(q.QUESTIONS)
    for question in (*passkeys, *EVERY):
        assert asked(place, tmp_path, question) == told[-1], question
    assert len(told) == 1 + len(passkeys) + len(EVERY)


def test_no_secret_and_no_token_stands_in_what_a_log_would_show() -> None:
    opened = q.Opened(token="the token", browser="the browser")
    second = q.Second(name="manager", secret=PASSWORD)
    act = q.Act(token="the token", request={"enter": "rule 1 void"}, source=AT_TABLE, second=second)
    for value in (*EVERY, opened, second, act, q.Seen()):
        assert repr(value) == type(value).__name__


def test_lines_of_progress_come_one_by_one(place: Place, tmp_path: Path) -> None:
    request = {"enrol": {"deck": "d", "reader": "r", "by": ""}}
    act = q.Act(token=token_of("technician"), request=request, source=AT_TABLE)

    async def lines(remote: RemoteAccounts) -> list[object]:
        return [line async for line in remote.progress(act)]

    with at_socket(place, tmp_path / "a.sock") as run:
        assert run(lines) == [{"read": 1}, {"ok": True}]
    assert place.entered == [{"enrol": {"deck": "d", "reader": "r", "by": "technician"}}]


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        (
            q.SignOn(name="manager", secret="wrong horse battery", way="password", source=ELSEWHERE),
            Denied(Denial.WRONG),
        ),
        (
            q.ChangeSecret(token=token_of("manager"), way="password", old=PASSWORD, new="short", source=ELSEWHERE),
            WeakSecret(Weakness.TOO_SHORT),
        ),
        (q.Administer(token=token_of("manager"), do="badge", name="croupier"), NotPossible("no-badge")),
        (q.Administer(token=token_of("manager"), do="disable", name="ghost"), UnknownAccount("ghost")),
        (q.AskRegister(token=token_of("pit-boss")), q.NotYours("not-yours")),
        (
            q.Act(token=token_of("croupier"), request={"enter": "press fold"}, source=ELSEWHERE),
            q.NotYours("not-here"),
        ),
    ],
)
def test_a_refusal_comes_as_what_it_was(
    place: Place, tmp_path: Path, question: q.Question[Any], refusal: Exception
) -> None:
    with pytest.raises(type(refusal)) as no:
        asked(place, tmp_path, question)
    assert (str(no.value), vars(no.value)) == (str(refusal), vars(refusal))


def test_a_controller_that_does_not_answer_is_told_as_one(place: Place, tmp_path: Path) -> None:
    async def lost(_question: object) -> dict[str, Any]:
        raise NoController("nobody answers there")

    object.__setattr__(place.service, "_ask", lost)
    question = q.Act(token=token_of("pit-boss"), request={"enter": "call by pit-boss"}, source=AT_TABLE)
    with pytest.raises(NoController, match="nobody answers there"):
        asked(place, tmp_path, question)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"ask": "who", "to\xdeken": "x"}',
        b'{"ask": "everything"}',
        b'{"ask": "who"}',
        b'{"ask": "who", "token": 7}',
        b'{"ask": "who", "token": "x", "roles": ["manager"]}',
        b'{"ask": "act", "token": "x", "request": [], "source": {}}',
        b"[" * 5_000,
    ],
)
def test_what_is_no_question_is_refused_and_the_next_one_is_answered(place: Place, tmp_path: Path, line: bytes) -> None:
    async def both(_remote: RemoteAccounts) -> list[dict[str, Any]]:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "a.sock")
        writer.write(line + b"\n" + b'{"ask": "who", "token": "x"}\n')
        found = [json.loads(await reader.readline()) for _ in range(2)]
        writer.close()
        return found

    with at_socket(place, tmp_path / "a.sock") as run:
        wrong, right = run(both)
    assert wrong["refused"]["kind"] == "bad-question"
    assert right["answer"]["signed_on"] is None


def test_a_line_that_never_ends_is_hung_up_on_and_the_others_are_answered(place: Place, tmp_path: Path) -> None:
    async def both(remote: RemoteAccounts) -> tuple[bytes, q.Seen]:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "a.sock")
        writer.write(b"x" * (2 * REQUEST_BYTES + 1))
        said = await reader.read()
        writer.close()
        return said, await remote.ask(q.Who(token=token_of("manager")))

    with at_socket(place, tmp_path / "a.sock") as run:
        said, seen = run(both)
    assert said == b""
    assert seen.signed_on is not None


def test_nobody_there_is_said_as_such(tmp_path: Path) -> None:
    with pytest.raises(q.NoAccounts, match="No such file"):
        asyncio.run(RemoteAccounts(tmp_path / "none.sock").ask(q.AskTiles()))


def test_a_second_one_does_not_take_the_socket_of_the_first(place: Place, tmp_path: Path) -> None:
    async def second(remote: RemoteAccounts) -> None:
        with pytest.raises(OSError, match="in use"):
            await asyncio.to_thread(lambda: asyncio.run(AccountsServer(tmp_path / "a.sock", place.service).start()))
        await remote.ask(q.AskTiles())  # whoever knocked before is seen to by now

    with at_socket(place, tmp_path / "a.sock") as run:
        run(second)


def test_what_an_older_version_does_not_know_is_said_as_another_version(place: Place, tmp_path: Path) -> None:
    class Unknown(q.Question[bool], tag="of-tomorrow", frozen=True):
        """Of a version that is not here yet."""

    with pytest.raises(q.NoAccounts, match="another version"):
        asked(place, tmp_path, Unknown())


def test_time_is_that_of_this_machine(tmp_path: Path) -> None:
    assert abs(RemoteAccounts(tmp_path / "a.sock").now_us() - now_us()) < 60_000_000
