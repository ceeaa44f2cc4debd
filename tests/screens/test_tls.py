"""Beyond loopback: with a certificate of our own, or behind a proxy of this machine; never in the clear."""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tablectl.config.table_file import BadConfig, load
from tablectl.ops.connections import listen
from tablectl.people.people import COOKIE
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.server import NotSafe, Transport, address, make_server
from tests.screens.controller import AT_FIRST, Bench, Controller
from tests.screens.signed_on import PASSWORD, PIN, headers, house, staffed

DOC = Path(__file__).parents[2] / "docs" / "accounts.md"
PROXIED = {
    "Host": "mesa-1.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "10.0.0.7",
    "Origin": "https://mesa-1.example",
}


def certificate(
    folder: Path, *, begins: timedelta = timedelta(days=-1), ends: timedelta = timedelta(days=1)
) -> tuple[Path, Path]:
    """A self-made one for 127.0.0.1, with its key. `begins` and `ends` are counted from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mesa-1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + begins)
        .not_valid_after(now + ends)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    places = folder / "screens.crt", folder / "screens.key"
    places[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    places[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return places


@contextmanager
def served(folder: Path, transport: Transport) -> Iterator[str]:
    people = house(staffed(folder / "people.db"))
    bound = listen("127.0.0.1", 0)
    server = make_server(folder / "socket", people, transport=transport)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()
    try:
        yield address("127.0.0.1", bound, has_tls=transport.has_tls).rstrip("/")
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()
        people.file.close()


def signed(client: httpx2.Client, way: str = "password", **headers: str) -> httpx2.Response:
    """What a sign-on of the croupier answers."""
    fields = {"name": "croupier", "secret": PIN if way == "pin" else PASSWORD, "way": way, "next": "/croupier"}
    return client.post("/sign-on", data=fields, headers=headers)


def cookie_of(answer: httpx2.Response) -> str:
    return next(text for text in answer.headers.get_list("set-cookie") if text.startswith(COOKIE))


def test_with_a_certificate_of_ones_own_secrets_go_by_tls_alone(tmp_path: Path) -> None:
    crt, key = certificate(tmp_path)
    with served(tmp_path, Transport(certificate=crt, key=key)) as url:
        assert url.startswith("https://")
        trusting = ssl.create_default_context(cafile=str(crt))
        with httpx2.Client(base_url=url, verify=trusting, timeout=10) as client:
            answer = signed(client, Origin=url)
            assert answer.status_code == 303
            assert "Secure" in cookie_of(answer)
            page = client.get("/croupier")
            assert page.status_code == 200
            assert page.headers["strict-transport-security"] == "max-age=31536000"
            assert {name: page.headers.get(name) for name in HEADERS} == HEADERS
            assert client.get("/sign-on", headers={"Host": "mesa-1.example"}).status_code == 200
        plain = httpx2.Client(base_url=url.replace("https", "http"), verify=False, timeout=10)
        with plain, pytest.raises(httpx2.TransportError):
            plain.get("/sign-on")


def test_behind_a_proxy_it_is_believed_who_came_and_how(tmp_path: Path) -> None:
    with (
        served(tmp_path, Transport(behind_proxy=True)) as url,
        httpx2.Client(base_url=url, verify=False, timeout=10) as client,
    ):
        answer = signed(client, **PROXIED)
        assert answer.status_code == 303
        assert "Secure" in cookie_of(answer)
        assert answer.headers["strict-transport-security"]
        assert client.get("/sign-on", headers={"Host": "mesa-1.example"}).status_code == 421, "not by TLS"


@pytest.mark.parametrize(
    "headers",
    [
        PROXIED,
        {**PROXIED, "X-Forwarded-For": "127.0.0.1, 10.0.0.7"},
        {**PROXIED, "X-Forwarded-For": "127.0.0.1"},
        *(
            {"Host": "localhost", "X-Forwarded-Proto": "https", "Origin": "https://localhost", **more}
            for more in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Via": "1.1 proxy"}, {"Forwarded": "for=10.0.0.7"})
        ),
    ],
    ids=["from-the-network", "says-it-is-here", "the-proxys-own-machine", "no-address", "address", "via", "forwarded"],
)
def test_through_a_proxy_there_is_no_pin_no_badge_and_no_names(tmp_path: Path, headers: dict[str, str]) -> None:
    with (
        served(tmp_path, Transport(behind_proxy=True)) as url,
        httpx2.Client(base_url=url, verify=False, timeout=10) as client,
    ):
        assert 'class="tile"' not in client.get("/sign-on", headers=headers).text
        answer = signed(client, "pin", **headers)
        assert (answer.status_code, COOKIE in client.cookies) == (403, False)
        badge = client.post("/sign-on/badge", headers=headers)
        assert (badge.status_code, badge.json()["error"]) == (403, "not-here")
        own = {"Origin": url}
        assert signed(client, "pin", **own).status_code == 200, "the table's own browser comes without the proxy"


PROXYS = (
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Port",
    "Forwarded",
    "Via",
    "X-Real-IP",
)


@pytest.mark.parametrize("header", PROXYS)
def test_whatever_came_by_a_proxy_is_not_at_the_table_though_none_is_believed(tmp_path: Path, header: str) -> None:
    """One that somebody put there and did not say so in the configuration."""
    with served(tmp_path, Transport()) as url, httpx2.Client(base_url=url, verify=False, timeout=10) as client:
        assert signed(client, "pin", Origin=url, **{header: "127.0.0.1"}).status_code == 403
        assert 'class="tile"' not in client.get("/sign-on", headers={header: "127.0.0.1"}).text
        assert signed(client, "pin", Origin=url).status_code == 200


def test_nobody_deals_from_elsewhere_whatever_he_signed_on_with(tmp_path: Path) -> None:
    with (
        Controller(tmp_path / "socket", Bench()),
        served(tmp_path, Transport(behind_proxy=True)) as url,
        httpx2.Client(base_url=url, verify=False, timeout=10) as client,
    ):
        for act in ({"act": "take-table"}, {"act": "press", "key": "new-hand", "prompt": AT_FIRST}, {"act": "call"}):
            sent = {**headers("croupier"), **PROXIED}
            answer = until_connected(client, {"page": "croupier", **act}, sent)
            assert (answer.status_code, answer.json()["error"]) == (403, "not-here")
        here = {**headers("croupier"), "Origin": url}
        answer = until_connected(
            client, {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}, here
        )
        assert answer.status_code == 200


def until_connected(client: httpx2.Client, entry: Mapping[str, object], headers: dict[str, str]) -> httpx2.Response:
    """What is answered once the screens follow the controller."""
    while (answer := client.post("/enter", json=entry, headers=headers)).status_code == 503:
        pass
    return answer


def test_the_lines_for_nginx_take_no_name_from_whoever_asks() -> None:
    text = DOC.read_text(encoding="utf-8")
    lines = re.findall(r"^ *proxy_set_header Host (.*);$", text, re.MULTILINE)
    assert lines == re.findall(r"^ *server_name (.*);$", text, re.MULTILINE)
    assert lines == ["mesa-1.example"]


def test_without_a_proxy_nobody_is_believed_to_come_from_elsewhere(tmp_path: Path) -> None:
    with served(tmp_path, Transport()) as url, httpx2.Client(base_url=url, verify=False, timeout=10) as client:
        assert client.get("/sign-on", headers=PROXIED).status_code == 421
        answer = signed(client, **{**PROXIED, "Host": url.removeprefix("http://"), "Origin": url})
        assert "Secure" not in cookie_of(answer)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.20", "::", "mesa1"])
def test_without_tls_it_answers_on_loopback_alone(host: str) -> None:
    with pytest.raises(NotSafe, match="without TLS"):
        Transport().check(host)
    with pytest.raises(NotSafe, match="on this machine alone"):
        Transport(behind_proxy=True).check(host)
    Transport(certificate=Path("crt"), key=Path("key")).check(host)


@pytest.mark.parametrize(
    "wrong",
    [
        Transport(certificate=Path("crt")),
        Transport(key=Path("key")),
        Transport(certificate=Path("crt"), key=Path("key"), behind_proxy=True),
    ],
)
def test_a_half_given_certificate_is_refused(wrong: Transport) -> None:
    with pytest.raises(NotSafe):
        wrong.check("127.0.0.1")


def config_with(folder: Path, screens: str) -> Path:
    path = folder / "mesa.toml"
    limits = "[limits.ante]\nleast = 500\nmost = 10000\nauthorised = [500, 15000]\n"
    bonus = "[limits.bonus]\nleast = 100\nmost = 5000\nauthorised = [100, 5000]\n"
    light = '[[device]]\nname = "panel"\ndriver = "xkeys-xk24"\n[device.keys]\nnew-hand = 0\n'
    path.write_text(
        f'[table]\nrulebook = "texas-bonus"\n{limits}{bonus}[screens]\n{screens}\n{light}', encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("screens", "key"),
    [
        ('certificate = "a.crt"', "screens.key"),
        ('key = "a.key"', "screens.certificate"),
        ('behind_proxy = "yes"', "screens.behind_proxy"),
        ("host = 7", "screens.host"),
        ("hots = 7", "screens.hots"),
    ],
)
def test_a_mistake_in_the_configuration_is_named(tmp_path: Path, screens: str, key: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(key)):
        load(config_with(tmp_path, screens))


def test_what_the_page_about_accounts_shows_is_what_there_is() -> None:
    """Its proxy passes on what is believed here, and its configuration has no key that there is not."""
    text = DOC.read_text(encoding="utf-8")
    nginx = re.search(r"```nginx\n(.*?)```", text, re.DOTALL)
    assert nginx is not None
    for line in (
        "proxy_set_header Host mesa-1.example;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_buffering off;",
        "proxy_pass http://127.0.0.1:8420;",
    ):
        assert line in nginx.group(1)
    keys = set(re.findall(r"^(\w+) = ", "".join(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)), re.MULTILINE))
    assert {"host", "port", "certificate", "key", "behind_proxy"} <= keys
