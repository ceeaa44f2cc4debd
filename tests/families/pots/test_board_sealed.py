"""A card that goes back into the stub, in the real journal: shown where everybody saw it, never again by mistake."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablectl.games.registry import rulebook_of
from tablectl.journal.evidence.hand import read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import play
from tablectl.journal.recovery import recover, replay
from tablectl.journal.seal import Vault
from tablectl.journal.store import Store
from tablectl.journal.verify import verify
from tablectl.journal.volumes import VolumeSet
from tablectl.journal.writer import Openings
from tests.families.pots.board_hands import FLOP, PRE_FLOP, TURN, up_to
from tests.families.pots.board_hands import hand_file as table_file
from tests.journal.journals import KEY, Writer, in_memory, records

SEATED = ("restart", "player 1 takes", "player 2 takes", "player 3 takes", "button 3", "press new-hand")
#: The croupier says that a round is closed; or that the stub is shuffled.
CLOSED = SHUFFLED = "press confirm"
END = (CLOSED, "press show-all", "press confirm")
BEFORE = {betting: tuple(up_to(betting, tracking="rounds")) for betting in (PRE_FLOP, FLOP, TURN)}
#: The turn shown too soon lies aside; the river shown too soon comes again as the river.
SET_ASIDE = (*BEFORE[FLOP], "draw 2d", "draw Qs", "press seen", CLOSED, "draw 3d", "draw 6d")
RIVER_BACK = (*BEFORE[TURN], "draw 2d", "draw Qs", "press seen", SHUFFLED, CLOSED, "draw Qs", *END)
#: Drawn too soon, seen by nobody, and shuffled into the stub with the turn that lay aside.
UNSEEN_BACK = (*SET_ASIDE, "draw Qd", "press not-seen", CLOSED, SHUFFLED, "draw Td", *END)
FLOP_BACK = (*BEFORE[PRE_FLOP], "draw 2d", "draw Qs", "draw Qd", "draw Qc", "press seen", SHUFFLED)
DEAD_BACK = (*BEFORE[TURN], "act 3 fold", "draw 2d", "draw Qs", "press seen", SHUFFLED, CLOSED, "draw 2c")


@pytest.fixture
def path() -> Iterator[Path]:
    with in_memory() as folder:
        yield Path(folder) / "a.db"


def written(path: Path, *lines: str, **profile: str) -> list[dict[str, Any]]:
    """A journal of these facts; its public records."""
    with Writer(path, table_file(tracking="rounds", **profile).setup) as writer:
        for line in (*SEATED, *lines):
            writer.line(line)
    return [json.loads(record.public) for record in records(path)]


def shown(public: list[dict[str, Any]]) -> list[str]:
    """The cards that are revealed, in order."""
    return [reveal["card"] for record in public for reveal in record.get("reveals", ())]


def told(public: list[dict[str, Any]], code: str) -> bool:
    """Whether a card is told anywhere."""
    return f'"{code}"' in json.dumps(public)


@pytest.mark.parametrize(
    ("lines", "profile"),
    [
        (SET_ASIDE, {}),
        (RIVER_BACK, {}),
        (UNSEEN_BACK, {}),
        (FLOP_BACK, {}),
        (DEAD_BACK, {"reshuffled_stub": "dead-cards-too"}),
    ],
)
def test_thl_cre_5_6_7_such_a_hand_is_intact_and_replays(
    path: Path, lines: tuple[str, ...], profile: dict[str, str]
) -> None:
    written(path, *lines, **profile)
    assert verify(records(path)).fault is None
    with closing(Store.read(path)) as store:
        assert [replayed.stored.seq for replayed in replay(store, Vault(KEY), rulebook_of) if replayed.differs] == []
        found = recover(store, Openings(Vault(KEY)), rulebook_of)
    assert found is not None


def test_thl_gen_14_a_card_shown_too_soon_is_on_record_and_stays_there(path: Path) -> None:
    public = written(path, *SET_ASIDE)
    assert "Qs" in shown(public)
    assert not told(public, "2d"), "the burn before it"


def test_thl_cre_6_the_same_card_again_is_another_draw_and_revealed_for_itself(path: Path) -> None:
    public = written(path, *RIVER_BACK)
    assert shown(public).count("Qs") == 2
    draws = [reveal["draw"] for record in public for reveal in record.get("reveals", ()) if reveal["card"] == "Qs"]
    assert len(set(draws)) == 2


def test_thl_cre_5_a_card_that_nobody_saw_and_that_went_back_is_never_told(path: Path) -> None:
    public = written(path, *UNSEEN_BACK)
    assert not told(public, "Qd")
    assert {"Qs", "Td"} <= {*shown(public)}


def test_thl_cre_6_burns_and_folded_hands_that_went_back_are_told_only_where_they_come_again_face_up(
    path: Path,
) -> None:
    public = written(path, *DEAD_BACK, reshuffled_stub="dead-cards-too")
    # The first burn comes again as the river; the other burns, and the hand of seat 3, stay sealed.
    assert shown(public).count("2c") == 1
    assert not [code for code in ("4c", "2d", "9c", "8c") if told(public, code)]


def test_thl_cre_7_a_flop_shown_too_soon_is_revealed_card_by_card(path: Path) -> None:
    public = written(path, *FLOP_BACK)
    assert shown(public) == ["Qs", "Qd", "Qc"]


def test_thl_cre_6_the_hand_leaves_the_journal_as_a_file_that_comes_out_the_same(path: Path) -> None:
    written(path, *RIVER_BACK)
    with closing(VolumeSet(path)) as journal:
        text = hand_file(read(journal, 1))
    assert [str(difference) for difference in play(parse(text), rulebook_of)] == []
    assert "2d" not in text
