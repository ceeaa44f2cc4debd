"""Who may look from elsewhere, and where the overview refuses to answer at all."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final

import httpx2
import pytest

from tablectl.web.overview.app import COOKIE
from tablectl.web.overview.server import Door
from tablectl.web.overview.viewers import BadViewers, Viewers, add_viewer
from tablectl.web.screens.server import NotSafe
from tests.fleet.pits import Pit
from tests.overview.halls import Hall, served

#: Not told to be this machine by its looks, and this machine all the same.
ELSEWHERE: Final = "127.1"


@pytest.fixture
def files(tmp_path: Path) -> Pit:
    """The authority and the certificate of a pit server; it is not started."""
    return Pit(tmp_path)


def door(files: Pit, *, host: str = ELSEWHERE, authority: Path | None = None) -> Door:
    return Door(
        host=host,
        port=0,
        certificate=files.folder / "pit.pem",
        key=files.folder / "pit.key",
        viewer_tokens=files.folder / "viewers",
        authority=authority,
    )


def client(files: Pit, certificate: str = "") -> httpx2.Client:
    context = ssl.create_default_context(cafile=str(files.folder / "authority.pem"))
    if certificate:
        context.load_cert_chain(str(files.folder / f"{certificate}.pem"), str(files.folder / f"{certificate}.key"))
    return httpx2.Client(verify=context)


def test_from_elsewhere_nobody_looks_before_there_is_a_viewer(files: Pit) -> None:
    with (
        pytest.raises(NotSafe, match=r"anybody in the network.*tablectl pit viewer"),
        served(Hall(1).floor, door=door(files)),
    ):
        pass
    door(files, host="127.0.0.1").check()
    door(files, authority=files.folder / "authority.pem").check()


def test_a_viewer_says_his_token_once_and_looks_until_it_is_taken_away(files: Pit) -> None:
    token = add_viewer(files.folder / "viewers", "wall-1")
    with served(Hall(2).floor, door=door(files)) as url, client(files) as browser:
        assert url.startswith("https:")
        turned_away = browser.get(f"{url}/?lang=en")
        assert (turned_away.status_code, turned_away.headers["location"]) == (303, "/entry?lang=en")
        assert browser.get(f"{url}/events").status_code == 403
        kept = browser.get(f"{url}/?lang=en&tables=Mesa+1*").headers["location"]
        assert kept == "/entry?lang=en&tables=Mesa+1%2A"
        assert 'action="/entry?lang=en&amp;tables=Mesa%201%2A"' in browser.get(f"{url}{kept}").text
        entry = browser.get(f"{url}/entry?lang=en")
        assert "Viewer's token" in entry.text.replace("&#39;", "'")
        assert "form-action 'self'" in entry.headers["content-security-policy"]
        own = {"Origin": url}
        wrong = browser.post(f"{url}/entry", data={"token": "guess"}, headers=own)
        assert wrong.status_code == 403
        assert browser.post(f"{url}/entry", data={"token": token}).status_code == 403, "of another page"
        answer = browser.post(f"{url}/entry", data={"token": token}, headers=own)
        assert answer.status_code == 303
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in (COOKIE, "HttpOnly", "Secure", "SameSite=strict"))
        page = browser.get(f"{url}/")
        assert "Mesa 2" in page.text
        assert "max-age" in page.headers["strict-transport-security"]
        (files.folder / "viewers").write_text("", encoding="utf-8")
        assert browser.get(f"{url}/").status_code == 303


def test_whoever_shows_a_certificate_of_the_viewers_authority_needs_no_token(files: Pit) -> None:
    files.certificate_for("wall-1")
    with served(Hall(1).floor, door=door(files, authority=files.folder / "authority.pem")) as url:
        with client(files, "wall-1") as browser:
            assert "Mesa 1" in browser.get(f"{url}/").text
            assert browser.get(f"{url}/entry").headers["location"].startswith("/?")
        with client(files) as browser, pytest.raises(httpx2.TransportError):
            browser.get(f"{url}/")


def test_a_token_is_kept_as_its_hash_and_a_name_once(tmp_path: Path) -> None:
    path = tmp_path / "viewers"
    token = add_viewer(path, "wall-1")
    other = add_viewer(path, "desk")
    text = path.read_text(encoding="utf-8")
    assert token not in text
    assert path.stat().st_mode & 0o777 == 0o600
    viewers = Viewers(path)
    assert (viewers.name_of(token), viewers.name_of(other), viewers.name_of("")) == ("wall-1", "desk", None)
    assert viewers.names() == ("wall-1", "desk")
    with pytest.raises(BadViewers, match="already"):
        add_viewer(path, "desk")
    with pytest.raises(BadViewers, match="letters, digits"):
        add_viewer(path, "two words")
    path.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(BadViewers, match="line 1"):
        viewers.names()
    assert Viewers(path).name_of(token) is None
    path.unlink()
    assert viewers.name_of(token) is None
