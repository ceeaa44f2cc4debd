"""Time stamps for heads of the journal, from an independent service: OpenSSL's, behind a web address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, Self

import pytest

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.config.table_file import BadConfig, load
from tablectl.config.witness import TimestampSettings
from tablectl.notifications.appending import NotKept
from tablectl.notifications.timestamps import ANSWER_BYTES, TimestampPlace, stamped_in
from tests.notifications.test_witness import NOON_US, head

CONFIG: Final = """
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[leaf]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = service
[service]
serial = {folder}/serial
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
signer_digest = sha256
"""


def openssl(*words: object) -> None:
    processes.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Authority:
    """An authority, and the certificate of the service below it."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir()
        self.folder = folder
        self.config = folder / "openssl.cnf"
        self.config.write_text(CONFIG.format(folder=folder, name=name))
        (folder / "serial").write_text("01")
        new = ("req", "-config", self.config, "-newkey", "rsa:2048", "-nodes")
        root = ("-keyout", folder / "ca.key", "-out", self.root)
        openssl(*new, "-x509", "-days", 2, "-extensions", "ca", *root)
        openssl(*new, "-subj", f"/CN={name} service", "-keyout", folder / "tsa.key", "-out", folder / "tsa.csr")
        signed = ("-CA", self.root, "-CAkey", folder / "ca.key", "-CAcreateserial", "-days", 2)
        extensions = ("-extfile", self.config, "-extensions", "leaf")
        openssl("x509", "-req", "-in", folder / "tsa.csr", *signed, *extensions, "-out", folder / "tsa.pem")

    @property
    def root(self) -> Path:
        return self.folder / "ca.pem"

    def answer(self, question: bytes) -> bytes:
        """What `openssl ts` says to it."""
        (self.folder / "q.tsq").write_bytes(question)
        who = ("-signer", self.folder / "tsa.pem", "-inkey", self.folder / "tsa.key")
        where = ("-queryfile", self.folder / "q.tsq", "-out", self.folder / "a.tsr")
        openssl("ts", "-reply", "-config", self.config, *who, *where)
        return (self.folder / "a.tsr").read_bytes()


class Service:
    """Answers with what it is told to; by itself, with the authority's time stamps. Use as a context."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority
        self.status = 200
        self.instead: bytes | None = None
        self.answers: list[bytes] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                question = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.headers["Content-Type"] == "application/timestamp-query"
                body = service.authority.answer(question) if service.instead is None else service.instead
                service.answers.append(body)
                self.send_response(service.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/tsr"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tsa") / "ours", "Ours")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tsa") / "theirs", "Theirs")


@pytest.fixture
def service(authority: Authority) -> Iterator[Service]:
    with Service(authority) as made:
        yield made


def place_of(service: Service, folder: Path, authority: Path) -> TimestampPlace:
    return TimestampPlace(TimestampSettings(url=service.url, authority=authority, path=folder / "stamps"), "Mesa 1")


def test_a_head_is_stamped_and_both_our_command_and_openssl_find_the_stamp_good(
    service: Service, authority: Authority, tmp_path: Path
) -> None:
    place_of(service, tmp_path, authority.root).keep(head(3), NOON_US)
    text = (tmp_path / "stamps").read_text()
    (stamped,) = stamped_in(text, authority.root)
    assert (stamped.head, stamped.why) == (head(3), "")
    assert stamped.at[:2] == "20", "the time of the service, and not of the table"
    (tmp_path / "line").write_bytes(head(3).line.encode())
    (tmp_path / "answer.tsr").write_bytes(service.answers[0])
    asked = ("-data", tmp_path / "line", "-in", tmp_path / "answer.tsr", "-CAfile", authority.root)
    openssl("ts", "-verify", *asked)


def test_a_stamp_of_a_stranger_is_not_kept(service: Service, stranger: Authority, tmp_path: Path) -> None:
    with pytest.raises(NotKept, match="no good time stamp"):
        place_of(service, tmp_path, stranger.root).keep(head(3), NOON_US)
    assert not (tmp_path / "stamps").exists()


def test_a_stamp_that_was_given_for_something_else_or_before_is_not_kept(
    service: Service, authority: Authority, tmp_path: Path
) -> None:
    place = place_of(service, tmp_path, authority.root)
    place.keep(head(3), NOON_US)
    before = (tmp_path / "stamps").read_bytes()
    service.instead = service.answers[0]
    for seq in (3, 4):
        with pytest.raises(NotKept, match="no good time stamp"):
            place.keep(head(seq), NOON_US)
    assert (tmp_path / "stamps").read_bytes() == before


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((503, None), "refused with 503"),
        ((200, b"no time stamp"), "no good time stamp"),
        ((200, b""), "no good time stamp"),
        ((200, bytes(ANSWER_BYTES + 1)), "never ends"),
    ],
)
def test_an_answer_that_is_none_is_not_kept(
    service: Service, authority: Authority, tmp_path: Path, answer: tuple[int, bytes | None], why: str
) -> None:
    service.status, service.instead = answer
    with pytest.raises(NotKept, match=why):
        place_of(service, tmp_path, authority.root).keep(head(3), NOON_US)


def test_nobody_there_and_no_certificates_are_said(service: Service, authority: Authority, tmp_path: Path) -> None:
    gone = TimestampSettings(url="http://127.0.0.1:9/tsr", authority=authority.root, path=tmp_path / "stamps")
    with pytest.raises(NotKept, match=r"127\.0\.0\.1:9"):
        TimestampPlace(gone, "Mesa 1").keep(head(3), NOON_US)
    with pytest.raises(NotKept, match=r"none\.pem"):
        place_of(service, tmp_path, tmp_path / "none.pem").keep(head(3), NOON_US)
    (tmp_path / "bad.pem").write_text("no certificate")
    with pytest.raises(NotKept, match="no certificates"):
        place_of(service, tmp_path, tmp_path / "bad.pem").keep(head(3), NOON_US)


def test_a_stamp_that_stands_beside_another_head_is_found(
    service: Service, authority: Authority, tmp_path: Path
) -> None:
    place_of(service, tmp_path, authority.root).keep(head(3), NOON_US)
    text = (tmp_path / "stamps").read_text().replace(head(3).line, head(4).line)
    (stamped,) = stamped_in(text, authority.root)
    assert stamped.why


def test_a_service_and_its_authority_go_together(tmp_path: Path, authority: Authority) -> None:
    config = tmp_path / "table.toml"
    text = config_text(Scene(), tmp_path)
    for line, missing in (
        ('timestamp_url = "http://tsa.example/tsr"', "witness.timestamp_authority"),
        (f'timestamp_authority = "{authority.root}"', "witness.timestamp_url"),
        ('timestamp_url = "ftp://tsa.example"', "witness.timestamp_url"),
    ):
        config.write_text(f"{text}\n[witness]\n{line}\n", encoding="utf-8")
        with pytest.raises(BadConfig) as wrong:
            load(config)
        assert missing in {mistake.key for mistake in wrong.value.mistakes}
