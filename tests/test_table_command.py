"""`tablectl table use`: a running controller goes from game to game between hands, and remembers which one it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from simulators.stage.stage import Scene
from simulators.stage.summary import check
from tablectl.api.client import NoController, Subscription, ask
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.core.engine.vocabulary import Action
from tablectl.games.registry import CIRCLE_GAMES, LIMIT_RULES, RULEBOOKS
from tests.desk import LONG_S, SHORT_S, Desk, desk

pytestmark = pytest.mark.system

Captured = pytest.CaptureFixture[str]

_BANDS: Final = {"ante": (500, 5_000), "bonus": (500, 2_500), "txb": (500, 2_500), "bet": (200, 20_000)}
_CARDS: Final = ["2c", "3c", "4d", "5d", "6h", "7h", "8s", "9s", "Tc", "Jd"]


def games() -> str:
    """Every other game there is, below `[games]`."""
    lines = []
    for rulebook in (text for text in RULEBOOKS if text != "texas-bonus"):
        lines += [f"[games.{rulebook}]", *(["resto = 2000"] if rulebook == "draw-poker" else [])]
        for bet in LIMIT_RULES[rulebook].bets:
            least, most = (100, 100) if (rulebook, bet) == ("draw-poker", "ante") else _BANDS[bet]
            authorised = f"[{least}, {most}]"
            lines += [f"[games.{rulebook}.limits.{bet}]", f"least = {least}", f"most = {most}"]
            lines += [f"authorised = {authorised}"]
    return "\n".join(lines)


@contextmanager
def five_games() -> Iterator[Desk]:
    with desk() as made:
        text = made.config.read_text(encoding="utf-8")
        made.config.write_text(f"{games()}\n{text}", encoding="utf-8")
        assert load(made.config).games.keys() == RULEBOOKS.keys()
        made.start()
        yield made


@pytest.fixture(scope="module")
def table() -> Iterator[Desk]:
    with five_games() as made:
        yield made


def use(table: Desk, game: str) -> int:
    return main(["table", "use", str(table.config), game, "--by", "ana"])


def played_now(table: Desk) -> str:
    """What a reader is told first."""
    with table.reader(table.newest) as reader:
        return str(reader.table["rulebook"])


def enter(table: Desk, *texts: str) -> None:
    for text in texts:
        reply = table.enter(text)
        assert reply["ok"], (text, reply)
        assert reply["refused"] is None, (text, reply)


def begin(table: Desk, game: str) -> None:
    """As far as the first card."""
    if game in CIRCLE_GAMES:
        enter(table, *(f"stack {seat} 2000" for seat in (1, 2)))
    enter(table, "press new-hand")
    if game not in CIRCLE_GAMES:
        enter(table, "bet 1 ante 500")
    enter(table, "press no-more-bets")


def void(table: Desk) -> None:
    """The hand is annulled, whatever it is."""
    enter(table, "call by ana")
    incident = table.records(table.newest - 1)[0]["decisions"][0]["incident"]
    enter(table, f"rule {incident} void-hand by ana misdeal", "press confirm")


def test_tpc_tab_3_a_running_table_plays_all_its_games_one_after_the_other(table: Desk, capsys: Captured) -> None:
    order = ["circle-holdem", "draw-poker", "open-holdem", "texas-poker", "draw-poker", "texas-bonus"]
    for game in order:
        before = table.newest
        assert use(table, game) == 0
        assert f"{game} from the next hand on" in capsys.readouterr().out
        assert played_now(table) == game
        with table.reader(before) as reader:
            record = reader.next(LONG_S)
        assert record is not None
        assert (record["fact"]["kind"], record["fact"]["by"]) == ("game-chosen", "ana")
        if game in CIRCLE_GAMES and not carried_players(table):
            enter(table, "player 1 takes", "player 2 takes", "button 2")
        begin(table, game)
        void(table)
    opened = [
        decision["rulebook"]
        for record in table.records()
        for decision in record["decisions"]
        if decision["kind"] == "hand-opened"
    ]
    assert opened[-len(order) :] == order
    checked = check(table.journal)
    assert checked.good, checked.text


def until_hung_up(reader: Subscription) -> None:
    while reader.next(LONG_S) is not None:
        pass


def carried_players(table: Desk) -> bool:
    carried = [record["carry"] for record in table.records() if "carry" in record]
    return bool(carried) and bool(carried[-1]["players"])


def test_a_game_that_was_chosen_is_played_on_after_a_restart() -> None:
    with five_games() as table:
        assert use(table, "draw-poker") == 0
        enter(table, "player 1 takes", "player 2 takes", "button 2")
        begin(table, "draw-poker")
        void(table)
        table.stop()
        table.start()
        assert played_now(table) == "draw-poker"
        enter(table, "press new-hand")
        carry = [record["carry"] for record in table.records() if "carry" in record][-1]
        assert carry["bought"] == {"1": 2000, "2": 2000}
        assert table.stop() == 0
        assert check(table.journal).good


def test_fcd_win_5_a_pot_that_waits_keeps_the_game_through_a_restart() -> None:
    with five_games() as table:
        assert use(table, "draw-poker") == 0
        enter(table, "player 1 takes", "player 2 takes", "button 2")
        begin(table, "draw-poker")
        table.deal(*_CARDS)
        enter(table, "press check", "press check", "press confirm")
        assert use(table, "circle-holdem") == 0
        waits = table.records(table.newest - 1)[0]["decisions"]
        assert waits == [{"kind": "game-waits", "rulebook": "circle-holdem", "clause": "FCD-WIN-5"}]
        assert played_now(table) == "draw-poker"
        table.stop()
        table.start()
        assert played_now(table) == "draw-poker"
        enter(table, "press new-hand", "press no-more-bets")
        table.deal("Kc", "Qd", "Kd", "Jc", "5s", "4h", "7c", "6s", "9h", "8c")
        enter(table, f"act 2 {Action.BET} 200", "act 1 fold", "press confirm")
        assert played_now(table) == "circle-holdem"
        assert table.stop() == 0
        assert check(table.journal).good


def test_fcd_sea_3_a_draw_for_seats_goes_on_after_a_restart_and_is_on_record_card_by_card() -> None:
    with five_games() as table:
        assert use(table, "draw-poker") == 0
        enter(
            table, "player 1 takes", "player 4 takes", "button 4", "stack 1 2000", "stack 4 2000", "declare seat-draw"
        )
        table.deal("9c", "Tc", "Td")
        table.stop()
        table.start()
        table.deal("9d")
        enter(table, "press confirm", "press new-hand", "press no-more-bets")
        table.deal("2c")
        told = table.records()
        moved = [decision for record in told for decision in record["decisions"] if decision["kind"] == "seat-drawn"]
        assert [(fact["seat"], fact["place"]) for fact in moved] == [(1, 4), (4, 1)]
        cards = [
            [reveal["card"] for reveal in record.get("reveals", ())]
            for record in told
            if record["fact"]["kind"] == "drawn"
        ]
        assert cards == [["9c"], ["Tc"], ["Td"], ["9d"], []], "the first card of the hand is sealed"
        assert table.stop() == 0
        assert check(table.journal).good


def test_who_follows_is_hung_up_when_the_game_has_changed_and_not_when_it_was_only_chosen() -> None:
    with five_games() as table:
        table.open_hand()
        with table.reader(table.newest) as reader:
            assert use(table, "texas-poker") == 0
            record = reader.next(LONG_S)
            assert record is not None
            assert record["decisions"] == [{"kind": "game-waits", "rulebook": "texas-poker", "clause": "TPC-TAB-3"}]
            assert reader.next(SHORT_S) is None
            assert reader.table["rulebook"] == "texas-bonus"
            void(table)
            with pytest.raises(NoController, match="hung up"):
                until_hung_up(reader)
        assert played_now(table) == "texas-poker"


# --- what it does not do --------------------------------------------------------------------------------------------


def test_a_game_that_the_table_does_not_have(table: Desk, capsys: Captured) -> None:
    table_toml = table.config.read_text(encoding="utf-8")
    alone = table.folder / "alone.toml"
    alone.write_text(table_toml.partition("[games.")[0] + table_toml[table_toml.index("[table]") :], encoding="utf-8")
    assert main(["table", "use", str(alone), "draw-poker", "--by", "ana"]) == 2
    assert "draw-poker is none of this table's games: texas-bonus; see [games]" in capsys.readouterr().err
    before = table.newest
    assert ask(table.socket, {"use": "stud", "by": "ana"}) == {
        "ok": False,
        "error": f"'stud' is none of this table's games: {', '.join(sorted(RULEBOOKS))}",
    }
    assert table.newest == before


@pytest.mark.parametrize("by", ["", "ana maria", " ana", "ana\n", "a\x00"])
def test_whoever_wants_it_has_a_name_in_one_word(table: Desk, by: str) -> None:
    before = table.newest
    reply = ask(table.socket, json.loads(json.dumps({"use": "texas-poker", "by": by})))
    assert reply == {"ok": False, "error": "expected a name in one word"}
    assert table.newest == before


def test_without_a_controller_nothing_is_chosen(capsys: Captured) -> None:
    with desk() as made:
        assert use(made, "texas-bonus") == 2
    assert "no controller" in capsys.readouterr().err


def test_a_wrong_configuration_is_told(table: Desk, capsys: Captured) -> None:
    wrong = table.folder / "wrong.toml"
    wrong.write_text("[table]\n", encoding="utf-8")
    assert main(["table", "use", str(wrong), "draw-poker", "--by", "ana"]) == 2
    assert "table.rulebook" in capsys.readouterr().err


def set_limits(table: Desk, *words: str) -> int:
    return main(["table", "limits", str(table.config), *words])


def test_limits_are_set_within_the_band_and_every_reader_learns_them(capsys: Captured) -> None:
    with desk(scene=Scene()) as table:
        table.start()
        low, high = (table_limits(table)["ante"][end] for end in ("least", "most"))
        said = f"ante={low + 100}..{high}"
        assert set_limits(table, said, "--by", "ana") == 1
        told = capsys.readouterr().err
        assert told.startswith("nothing changes: It takes two different persons: ")
        assert told.endswith("; would be right: --second NAME, of another person who stands for them\n")
        assert set_limits(table, said, "--by", "ana", "--second", "luis") == 0
        told = capsys.readouterr().out
        assert f"{said} from the next hand on" in told
        assert told.endswith(f"; ante €{(low + 100) / 100:.2f} to €{high / 100:.2f}\n"), "as the screens show them"
        assert table_limits(table)["ante"] == {"least": low + 100, "most": high}
        table.stop()
        table.start()
        assert table_limits(table)["ante"] == {"least": low + 100, "most": high}, "the file is what it was"
        assert set_limits(table, f"ante=1..{high}", "--by", "ana", "--second", "luis") == 1
        told = capsys.readouterr().err
        assert told.startswith("nothing changes: These limits are not authorised: Ante · ")
        assert "(THB-LIM-3: The management chooses the table's limits within what the authority allows); " in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ante",), "ante: would be right: BET=LEAST..MOST"),
        (("ante=5",), "ante=5: would be right: BET=LEAST..MOST"),
        (("ante=5.00..100",), "ante=5.00..100: would be right: BET=LEAST..MOST"),
        (("ante=1..1_000",), "ante=1..1_000: would be right: BET=LEAST..MOST"),
        (("ante=1..1000000000001",), "ante=1..1000000000001: would be right: BET=LEAST..MOST"),
        (("ante=500..100",), "ante=500..100: the least is more than the most"),
        (("ante=1..2", "ante=1..3"), "ante=1..2: would be right: each bet once"),
        (("ante=1..2", "--second", "luis m"), "--second 'luis m': would be right: a name in one word"),
    ],
)
def test_what_is_mistyped_is_said_in_words_before_anybody_is_asked(
    words: tuple[str, ...], told: str, capsys: Captured
) -> None:
    with desk() as made:
        assert set_limits(made, *words, "--by", "ana") == 2
    assert capsys.readouterr().err.startswith(f"table limits: {told}")


def table_limits(table: Desk) -> dict[str, dict[str, int]]:
    with table.reader(table.newest) as reader:
        limits: dict[str, dict[str, int]] = reader.table["limits"]
        return limits


def test_without_a_controller_no_limits_are_set(capsys: Captured) -> None:
    with desk() as made:
        assert set_limits(made, "ante=1..2", "--by", "ana") == 2
    assert "no controller" in capsys.readouterr().err
