"""`tablectl deck`: every word as somebody at the table uses it, and what it says; a tag's number is never among it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators import processes
from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.field import Field
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader import ReaderSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, PhysicalCard, World, iso15693_tag, type_a_tag
from tablectl.cli.main import main
from tablectl.core.cards import DECK
from tablectl.journal.deck_register import Register
from tablectl.journal.keys import load_sealing
from tablectl.table.decks import at_reader
from tablectl.table.decks.enrolment import NEW_PACK
from tests.decks.decks import BLUE, RED
from tests.desk import LONG_S

Captured = pytest.CaptureFixture[str]
TABLE = """
[table]
name = "Mesa 1"
rulebook = "texas-bonus"
seats = 7
tracking = "presence"
"""
FEIG = """
[[device]]
name = "tray"
driver = "feig"
[device.settings]
port = "{folder}/tray"
pause_s = 0.001
[device.spots]
stub = 1
"""
PN532 = FEIG.replace("feig", "pn532")
RACK = FEIG.replace("tray", "rack")
SHOE = """
[[device]]
name = "sabot"
driver = "angel-eye"
[device.settings]
port = "/dev/null"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table without any device: its decks come from the maker's lists."""
    return written(tmp_path, "")


def written(folder: Path, devices: str) -> Path:
    path = folder / "mesa.toml"
    path.write_text(TABLE + devices.format(folder=folder), encoding="utf-8")
    return path


def listed(folder: Path, tags: dict[str, str], name: str = "list.csv") -> Path:
    path = folder / name
    path.write_text("".join(f"{tag},{code}\n" for tag, code in tags.items()), encoding="utf-8")
    return path


RED_LIST = {tag: card.code for tag, card in RED.items()}
BLUE_LIST = {tag: card.code for tag, card in BLUE.items()}


def deck(*words: str | Path) -> int:
    return main(["deck", *map(str, words)])


def enrol(config: Path, name: str = "red 7", tags: dict[str, str] = RED_LIST) -> int:
    return deck("enroll", config, name, "--by", "Ana", "--from", listed(config.parent, tags))


def registered(config: Path) -> list[tuple[str, str]]:
    vault, _ = load_sealing(config.with_name("table.key"))
    with Register(config.with_name("decks.db"), vault) as register:
        return [(known_deck.name, known_deck.state.value) for known_deck in register.decks]


# --- from the maker's list --------------------------------------------------------------------------------------------


def test_a_deck_goes_its_way_from_the_makers_list_to_the_bin(config: Path, capsys: Captured) -> None:
    assert enrol(config) == 0
    assert enrol(config, "blue 7", BLUE_LIST) == 0
    assert capsys.readouterr().out.splitlines() == [
        "red 7: all 52 cards are registered; it is ready",
        "blue 7: all 52 cards are registered; it is ready",
    ]
    for word, state in (
        ("play", "in play"),
        ("quarantine", "in quarantine"),
        ("release", "ready"),
        ("retire", "retired"),
    ):
        assert deck(word, config, "red 7", "--by", "Ana", "--reason", "a nick in a card") == 0
        assert capsys.readouterr().out == f"red 7 is {state}; where the table plays, it knows before its next hand\n"
        assert deck("list", config) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert re.fullmatch(rf"red 7 +{state} +since 2[-0-9]+ [:0-9]+ UTC, by Ana: a nick in a card", first)
        assert re.fullmatch(r"blue 7 +ready +since 2[-0-9]+ [:0-9]+ UTC, by Ana", second)


def test_a_list_for_a_program_has_one_object_a_line(config: Path, capsys: Captured) -> None:
    assert deck("list", config, "--json") == 0
    assert capsys.readouterr().out == ""
    enrol(config, "roja nº 7")
    capsys.readouterr()
    assert deck("list", config, "--json") == 0
    (said,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert said.pop("since").endswith("Z")
    assert said == {"deck": "roja nº 7", "state": "ready", "by": "Ana", "reason": ""}


def test_before_the_first_deck_a_list_says_how_to_enrol_one_and_makes_no_key(config: Path, capsys: Captured) -> None:
    assert deck("list", config) == 0
    assert f"tablectl deck enroll {config} DECK --by NAME" in capsys.readouterr().out
    assert deck("play", config, "red 7", "--by", "Ana") == 1
    assert "no such deck; registered are: none yet" in capsys.readouterr().err
    assert {path.name for path in config.parent.iterdir()} == {"mesa.toml"}


MISTAKES = {
    "card twice": ({**RED_LIST, next(iter(RED_LIST)): DECK[1].code}, "line 2: this card stands there twice"),
    "no card": ({**RED_LIST, next(iter(RED_LIST)): "1x"}, "line 1: a card is a rank of A K Q J T 9"),
    "no tag": ({"E004-1": "As"}, "line 1: a tag is 4 to 10 bytes in hexadecimal"),
    "three words": ({"E0040102": "As,red"}, "line 1: it is not TAG,CARD as in"),
}


@pytest.mark.parametrize(("tags", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_list_with_a_mistake_is_refused_whole_with_the_line(
    config: Path, capsys: Captured, tags: dict[str, str], said: str
) -> None:
    assert enrol(config, tags=tags) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{config.parent}/list.csv: nothing is registered\n")
    assert said in told
    assert registered(config) == []


def test_every_wrong_line_of_a_list_is_named_and_no_tag(config: Path, capsys: Captured) -> None:
    text = "# red 7\n\nE0040101,As\ne0040101,Ks\nE0040102,ZZ\n"
    path = config.with_name("list.csv")
    path.write_text(text, encoding="utf-8")
    assert deck("enroll", config, "red 7", "--by", "Ana", "--from", path) == 2
    told = capsys.readouterr().err
    assert re.findall(r"line (\d)", told) == ["4", "5"]
    assert "this tag stands there twice" in told
    assert "E00401" not in told.upper()


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"\xff\xfe\0,", "no text of lines TAG,CARD")])
def test_a_list_that_cannot_be_read_is_wrong_usage(
    config: Path, capsys: Captured, content: bytes | None, said: str
) -> None:
    path = config.with_name("list.csv")
    if content is not None:
        path.write_bytes(content)
    assert deck("enroll", config, "red 7", "--by", "Ana", "--from", path) == 2
    assert f"{path}: {said}" in capsys.readouterr().err


def test_a_list_as_a_spreadsheet_saves_it_is_read(config: Path) -> None:
    path = listed(config.parent, {tag.lower(): f" {code} " for tag, code in RED_LIST.items()})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert deck("enroll", config, "red 7", "--by", "Ana", "--from", path) == 0


def test_what_the_register_does_not_take_is_said_and_ends_with_one(config: Path, capsys: Captured) -> None:
    enrol(config)
    refused = [
        (enrol(config), "a deck of this name is registered already"),
        (enrol(config, "other"), "a card of it belongs to red 7 already"),
        (enrol(config, "short", dict(list(BLUE_LIST.items())[1:])), "51 different cards on 51 tags"),
        (deck("play", config, "green", "--by", "Ana"), "no such deck; registered are: red 7"),
        (deck("release", config, "red 7", "--by", "Ana"), "red 7 is ready; only a deck that is"),
    ]
    said = capsys.readouterr().err.splitlines()
    for (status, why), told in zip(refused, said, strict=True):
        assert status == 1
        assert told.startswith("deck: ")
        assert why in told
    assert registered(config) == [("red 7", "ready")]


def test_wrong_usage_and_what_cannot_be_read_end_with_two(config: Path, tmp_path: Path, capsys: Captured) -> None:
    with pytest.raises(SystemExit, match="2"):
        deck("play", config, "red 7")
    assert deck("play", config, "red 7", "--by", " ") == 2
    assert "--by in words" in capsys.readouterr().err
    assert deck("list", tmp_path / "none.toml") == 2
    enrol(config)
    config.with_name("table.key").rename(config.with_name("table.key.away"))
    assert deck("list", config) == 2
    assert "the deck register is sealed with the table's key" in capsys.readouterr().err
    config.with_name("table.key.away").rename(config.with_name("table.key"))
    config.with_name("decks.db").write_bytes(b"nothing")
    assert deck("list", config) == 2
    assert "no deck register that can be read" in capsys.readouterr().err


# --- card by card -----------------------------------------------------------------------------------------------------


class Pack:
    """A deck with tags in its box, a reader on a wire, and who lays one on the other."""

    def __init__(self, folder: Path, model: str) -> None:
        tag_of, baud = (iso15693_tag, 38400) if model == "feig" else (type_a_tag, 115200)
        self.config = written(folder, SHOE + (FEIG if model == "feig" else PN532))
        self.world = World([], tag_of=tag_of)
        self.cards = {card.code: self.world.bring(card.code, AWAY) for card in NEW_PACK}
        self.field = field = Field(self.world, "tray")
        end = PtyEnd(link=folder / "tray", baud=baud, speed_factor=None)
        protocol = FeigProtocol(field) if model == "feig" else ChipProtocol([field])
        self.reader = ReaderSimulator(end, protocol)
        self.reader.start()
        self.process: subprocess.Popen[str] | None = None
        self.said = ""

    def start(self) -> None:
        """Until the first card is asked for."""
        command = [sys.executable, "-m", "tablectl", "deck", "enroll", str(self.config), "red 7", "--by", "Ana"]
        pipe = subprocess.PIPE
        self.process = processes.start(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.until("1/52  A♠")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.reader.close()

    def until(self, *words: str) -> str:
        """The next line that has one of these words."""
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if any(word in line for word in words):
                return line
        raise AssertionError(f"{words} is never said; it ends with {self.process.wait()}:\n{self.said}")

    def lay(self, *cards: PhysicalCard) -> None:
        """All at once."""
        self.field.deaf |= {card.tag for card in cards}
        for card in cards:
            self.world.put(card, "tray")
        self.field.deaf.clear()

    def press_enter(self) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def take_all_away(self) -> None:
        for card in self.world.at("tray"):
            self.world.put(card, AWAY)

    def enrol(self, *codes: str) -> None:
        """Card by card, each laid when it is asked for."""
        for code in codes:
            self.lay(self.cards[code])
            self.until("registered; take it away")
            self.take_all_away()
            if code != NEW_PACK[-1].code:
                self.until("/52  ")

    def ended(self) -> tuple[int, str]:
        """Exit status, and what was said as an error."""
        assert self.process is not None
        said, wrong = self.process.communicate(timeout=LONG_S)
        self.said += said
        return self.process.returncode, wrong


@pytest.fixture(params=["feig", "pn532"])
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pack]:
    made = Pack(tmp_path, str(request.param))
    yield made
    made.stop()


CODES = [card.code for card in NEW_PACK]


@pytest.mark.system
def test_a_deck_is_enrolled_card_by_card_whatever_is_laid_beside(pack: Pack) -> None:
    pack.start()
    pack.enrol(*CODES[:3])
    assert " 4/52  4♠  cuatro de picas, four of spades\n" in pack.said

    pack.lay(pack.cards["As"])
    pack.until("that card was laid before; take it away")
    pack.take_all_away()
    assert " 4/52  4♠" in pack.until("/52")

    pack.lay(pack.cards["4s"], pack.cards["5s"])
    pack.until("more than one card lies there, and none counts; take them all away")
    pack.take_all_away()
    assert " 4/52  4♠" in pack.until("/52")

    pack.enrol("9s")
    pack.press_enter()
    pack.until("4♠  cuatro de picas, four of spades: taken back")
    assert " 4/52  4♠" in pack.until("/52")

    pack.enrol(*CODES[3:])
    assert pack.ended() == (0, "")
    assert pack.said.endswith("red 7: all 52 cards are registered; it is ready\n")
    vault, _ = load_sealing(pack.config.with_name("table.key"))
    with Register(pack.config.with_name("decks.db"), vault) as register:
        assert {card.code: tag for tag, card in register.tags("red 7").items()} == {
            code: card.tag for code, card in pack.cards.items()
        }
    assert not [card for card in pack.cards.values() if card.tag in pack.said.upper()]


@pytest.mark.system
def test_a_reader_that_is_unplugged_in_the_middle_registers_nothing(pack: Pack) -> None:
    pack.start()
    pack.enrol(*CODES[:5])
    pack.reader.unplug()
    status, wrong = pack.ended()
    assert status == 1
    assert re.fullmatch("deck: tray: .*; nothing is registered, begin again\n", wrong)
    assert registered(pack.config) == []


@pytest.mark.system
def test_a_card_of_another_deck_and_a_wrong_name_are_said_before_anything_is_bound(pack: Pack) -> None:
    blue = {pack.cards["Ks"].tag: "As", **dict(list(BLUE_LIST.items())[1:])}
    assert enrol(pack.config, "blue 7", dict(zip(blue, RED_LIST.values(), strict=True))) == 0
    assert deck("enroll", pack.config, "blue 7", "--by", "Ana") == 1, "not after 52 cards"
    pack.start()
    pack.lay(pack.cards["Ks"])
    pack.until("that card belongs to another deck; take it away")
    pack.take_all_away()
    assert " 1/52  A♠" in pack.until("/52")


@pytest.mark.parametrize(
    ("devices", "words", "said"),
    [
        ("", (), "Mesa 1 has no reader of tags; --from FILE takes the maker's list instead"),
        (FEIG + RACK, ("--reader", "sabot"), "those of Mesa 1: tray, rack"),
        (FEIG + RACK, (), "those of Mesa 1: tray, rack"),
    ],
)
def test_which_reader_is_asked_where_nobody_can_tell(
    tmp_path: Path, capsys: Captured, devices: str, words: tuple[str, ...], said: str
) -> None:
    shoe = SHOE if devices else ""
    assert deck("enroll", written(tmp_path, shoe + devices), "red 7", "--by", "Ana", *words) == 1
    assert said in capsys.readouterr().err


def test_a_reader_that_does_not_answer_is_named_with_what_to_do(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_reader, "ANSWER_S", 0.2)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert deck("enroll", written(tmp_path, SHOE + FEIG), "red 7", "--by", "Ana") == 1
    said = capsys.readouterr().err
    assert said.startswith("deck: tray: ")
    assert "is it plugged in, and has no other program its port?" in said
