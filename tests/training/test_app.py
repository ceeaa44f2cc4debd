"""The training pages over a real port, with a whole table behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest

from simulators.devices.world import DECK
from tablectl.api.stage import Act
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.render import Pages
from tests.training.serving import training

pytestmark = [pytest.mark.wide, pytest.mark.system]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with training(tmp_path_factory.mktemp("keep"), "texas-bonus/face-up-in-the-shoe") as found:
        yield found


@pytest.fixture
def client(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, headers={"Origin": url}, timeout=40, verify=False) as made:
        yield made


def act(client: httpx2.Client, **asked: str) -> list[str]:
    answer = client.post("/training/act", json=asked)
    assert answer.status_code == 200, answer.text
    cards: list[str] = answer.json()["cards"]
    return cards


@pytest.mark.parametrize("path", ["/", "/training", "/training/result", "/croupier", "/pit", "/technician"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_that_it_is_training(client: httpx2.Client, path: str, language: str) -> None:
    answer = client.get(path, params={"lang": language})
    assert answer.status_code == 200
    texts = Pages().texts(language, Picture())
    assert "TRAINING" in answer.text
    assert texts.say("training", "not-for-play") in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?! src=)", answer.text)


@pytest.mark.parametrize(
    ("accepted", "spoken"), [("en-GB,en;q=0.9", "en"), ("es-ES,en;q=0.5", "es"), ("xx", LANGUAGES[0])]
)
def test_a_page_speaks_the_language_of_the_browser_until_somebody_chooses(url: str, accepted: str, spoken: str) -> None:
    headers = {"Accept-Language": accepted}
    with httpx2.Client(base_url=url, headers=headers, timeout=40, verify=False) as browser:
        assert f'<html lang="{spoken}">' in browser.get("/training").text
        for chosen in LANGUAGES:
            assert f'<html lang="{chosen}">' in browser.get("/training", params={"lang": chosen}).text
            assert f'<html lang="{chosen}">' in browser.get("/training").text


def test_the_journal_has_the_name_of_a_training_table(client: httpx2.Client) -> None:
    assert ">TRAINING<small" in client.get("/croupier").text


def test_a_face_is_sent_only_after_the_card_was_flipped(client: httpx2.Client) -> None:
    client.post("/training/begin", json={"exercise": "texas-bonus/early-card"})
    (card,) = act(client, do="draw")
    closed = client.get("/training").text
    assert f'data-card="{card}"' in closed
    assert "data-face" not in closed
    act(client, do="flip", card=card)
    opened = re.findall(r'data-face="(\w\w)"', client.get("/training").text)
    assert len(opened) == 1
    assert opened[0] in DECK
    act(client, do="flip", card=card)
    assert client.get("/training").text.count("data-face") == 0


def test_the_name_of_a_card_does_not_tell_which_it_is(client: httpx2.Client) -> None:
    """A card that goes back and comes again has another one; and names count the draws, whatever the cards."""
    client.post("/training/begin", json={"exercise": ""})
    names = [act(client, do="draw-unreported")[0] for _ in range(5)]
    assert names == ["c1", "c2", "c3", "c4", "c5"]
    act(client, do="put-back", card="c5")
    assert act(client, do="draw-unreported") == ["c6"]


def test_two_cards_come_out_at_once_and_lie_where_they_are_put(client: httpx2.Client) -> None:
    client.post("/training/begin", json={"exercise": ""})
    act(client, do="shuffle")
    first, second = act(client, do="draw-two")
    act(client, do="place", card=first, spot="seat-3")
    page = client.get("/training").text
    assert re.search(rf'data-card="{first}" data-at="seat-3"', page)
    assert re.search(rf'data-card="{second}" data-at="hand"', page)
    act(client, do="touch", spot="seat-3", other="seat-4")
    assert 'class="contact"' in client.get("/training").text
    act(client, do="gather")
    assert re.search(rf'data-card="{first}" data-at="discard"', client.get("/training").text)
    assert 'class="contact"' not in client.get("/training").text


def test_an_unplugged_panel_is_dark_and_takes_no_key(client: httpx2.Client) -> None:
    client.post("/training/begin", json={"exercise": ""})
    act(client, do="unplug", device="panel")
    refused = client.post("/training/act", json={"do": "press", "key": "new-hand"})
    assert (refused.status_code, len(refused.json()["says"])) == (409, 1)
    assert "xkeys unplugged" in client.get("/training").text
    act(client, do="plug", device="panel")
    act(client, do="press", key="new-hand")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"do": "dance"}, 400),
        ({"do": "place", "card": "c1"}, 400),
        ({"do": "place", "card": "c999", "spot": "seat-1"}, 409),
        ({"do": "place", "card": 5, "spot": "seat-1"}, 400),
        ({"do": "discard", "spot": "/etc"}, 409),
        ({"do": "press", "key": "rm"}, 400),
        ({"do": "plug", "device": "panel"}, 409),
        ({"do": "unplug", "device": "power"}, 409),
    ],
)
def test_what_cannot_be_done_is_refused(client: httpx2.Client, asked: dict[str, object], status: int) -> None:
    assert client.post("/training/act", json=asked).status_code == status


def test_every_act_of_the_page_is_one_that_there_is(client: httpx2.Client) -> None:
    client.post("/training/begin", json={"exercise": "texas-bonus/early-card"})
    shown = acts_shown(client)
    assert shown <= set(Act)
    # Done by tap, drag or form, by plugging what is unplugged, and at the free table, where somebody else can deal.
    assert set(Act) - shown == {"draw", "place", "touch", "press", "plug", "take-over", "hand-back"}
    client.post("/training/begin", json={"exercise": ""})
    assert acts_shown(client) - shown == {"hand-back"}
    act(client, do="hand-back")
    assert acts_shown(client) - shown == {"take-over"}


def acts_shown(client: httpx2.Client) -> set[str]:
    """What the page offers to do."""
    return set(re.findall(r'data-do="([\w-]+)"', client.get("/training").text))


@pytest.mark.parametrize("path", ["act", "begin", "hint", "finish", "name"])
def test_no_other_page_may_act(url: str, path: str) -> None:
    with httpx2.Client(base_url=url, timeout=10, verify=False) as other_client:
        assert other_client.post(f"/training/{path}", json={}).status_code == 403
        other = {"Origin": "http://evil.example"}
        assert other_client.post(f"/training/{path}", json={}, headers=other).status_code == 403
        host = {"Host": "evil.example", "Origin": "http://evil.example"}
        assert other_client.post(f"/training/{path}", json={}, headers=host).status_code == 421


def test_a_given_up_exercise_is_kept_under_the_name_and_shown(client: httpx2.Client) -> None:
    assert client.post("/training/name", json={"name": "=1+1"}).status_code == 400
    assert client.post("/training/name", json={"name": "Ana"}).status_code == 200
    assert client.post("/training/begin", json={"exercise": "no/such"}).status_code == 404
    client.post("/training/begin", json={"exercise": "texas-bonus/face-up-in-the-shoe"})
    client.post("/training/hint", json={})
    assert 'class="hint"><i' in client.get("/training").text
    client.post("/training/finish", json={})
    page = client.get("/training/result").text
    assert 'data-points="0" data-most="6"' in page
    assert "THB-ERR-2" in page
    csv = client.get("/training/progress.csv")
    assert csv.headers["content-disposition"].startswith("attachment")
    assert ",Ana,texas-bonus,texas-bonus/face-up-in-the-shoe,THB-ERR-2,0,6,1," in csv.text
    assert '<b class="best">0/6</b>' in client.get("/").text
