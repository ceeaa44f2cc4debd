"""The address follows from the table's file, and what cannot be shown says why."""

from __future__ import annotations

import base64
import hashlib
import socket
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.ops.kiosk.place import NotShown, Place, place_of
from tests.screens.test_tls import certificate

TABLE = '[table]\nname = "Mesa 1"\nrulebook = "texas-bonus"\nseats = 7\ntracking = "presence"\n'


def written(folder: Path, screens: str) -> Path:
    path = folder / "mesa-1.toml"
    path.write_text(f"{TABLE}[screens]\n{screens}", encoding="utf-8")
    return path


def placed(folder: Path, screens: str) -> Place:
    return place_of(load(written(folder, screens)))


@pytest.mark.parametrize(
    ("screens", "url"),
    [
        ("port = 8421\n", "http://127.0.0.1:8421/croupier"),
        ('host = "localhost"\n', "http://127.0.0.1:8420/croupier"),
        ('host = "::1"\nbehind_proxy = true\n', "http://[::1]:8420/croupier"),
    ],
)
def test_the_address_is_the_tables(tmp_path: Path, screens: str, url: str) -> None:
    assert placed(tmp_path, screens).url == url


def test_a_certificate_of_the_house_is_known_by_its_key(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    place = placed(tmp_path, f'host = "0.0.0.0"\ncertificate = "{cert}"\nkey = "{key}"\n')
    assert place.url == "https://127.0.0.1:8420/croupier"
    public = processes.run(
        ["openssl", "pkey", "-in", str(key), "-pubout", "-outform", "DER"], capture_output=True, check=True
    ).stdout
    assert place.pin() == base64.b64encode(hashlib.sha256(public).digest()).decode()


def test_what_cannot_be_shown_says_what_would_be_right(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    tls = f'certificate = "{cert}"\nkey = "{key}"\n'
    with pytest.raises(NotShown, match=r"would be right: .*0\.0\.0\.0"):
        placed(tmp_path, f'host = "192.0.2.7"\n{tls}')
    with pytest.raises(NotShown, match="port is 0"):
        placed(tmp_path, "port = 0\n")
    place = placed(tmp_path, f'host = "0.0.0.0"\n{tls}')
    cert.write_text("no certificate", encoding="utf-8")
    with pytest.raises(NotShown, match="a PEM file"):
        place.pin()
    cert.unlink()
    with pytest.raises(NotShown, match=r"screens\.crt"):
        place.pin()


def test_the_command_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["kiosk", str(written(tmp_path, "port = 8420\n"))]
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert main(words) == 2
    assert "a compositor's client" in capsys.readouterr().err
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for scale in ("9", "much", "nan"):
        monkeypatch.setenv("TABLECTL_KIOSK_SCALE", scale)
        assert main(words) == 2
        assert "0.5 to 4" in capsys.readouterr().err
    assert main(["kiosk", str(tmp_path / "none.toml")]) == 2


def test_a_port_at_which_somebody_else_answers_is_none_for_pages_through_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["kiosk", str(written(tmp_path, f"port = {port}\n")), "--through", str(tmp_path / "pages")]
        assert main(words) == 2
    said = capsys.readouterr().err
    assert f"kiosk: 127.0.0.1 port {port}: found somebody who listens there already" in said
    assert "would be right: a network of its own" in said
