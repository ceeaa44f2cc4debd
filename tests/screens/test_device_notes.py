"""What devices say and a person has to look after: on both pages, with what to do, and gone when it is over."""

from __future__ import annotations

import re

import pytest

from tablectl.core.public_table.device_notes import NOTED
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tests.screens import hands
from tests.screens.controller import Bench
from tests.screens.test_pages import part, plain

TEXTS = load_texts("tablectl.web.screens")


def noted(lines: str) -> list[tuple[str, str]]:
    bench, view = Bench(), PublicTable()
    bench.lines(lines)
    for record in bench.stream:
        view = fold(view, record)
    return [(note.device, note.what) for note in view.notes]


def test_every_note_has_words_and_what_to_do() -> None:
    assert TEXTS.keys("said-do") == NOTED
    assert TEXTS.keys("said") >= NOTED


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_a_jam_is_on_both_pages_with_what_to_do_and_holds_nothing(page: str) -> None:
    lines = hands.BETS + "said shuffler mix jam"
    shown = plain(part(page, "notes", lines, "es"))
    assert shown.startswith("⚠ Barajadora mix · ")
    assert "ATASCO: abrir y barajar de nuevo" in shown
    assert "Abra la barajadora, saque la carta atascada" in shown
    assert "Open the shuffler, free the card" in plain(part(page, "notes", lines, "en"))
    assert "held" not in part("croupier", "prompt", lines)
    assert "Todo en orden" not in part("croupier", "side", lines)


@pytest.mark.parametrize("page", ["croupier", "pit"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_while_no_device_complains_there_is_not_even_an_empty_line(page: str, language: str) -> None:
    assert part(page, "notes", hands.BETS + "said shuffler mix started\nsaid shoe sabot cut-card", language) == ""


def test_a_card_of_which_a_shoe_is_unsure_stays_noted_when_it_is_lost_or_the_controller_starts_again() -> None:
    """Until the end of the hand a person has to look at it, whatever becomes of the shoe."""
    said = hands.BETS + "said shoe sabot card-uncertain\nsaid shoe sabot two-at-mouth\n"
    for after in (
        "",
        "lost shoe sabot silent\nback shoe sabot\n",
        "lost shoe sabot stopped\nrestart\nback shoe sabot\n",
    ):
        assert ("sabot", "card-uncertain") in noted(said + after), after
    assert noted(said + "lost shoe sabot silent\n") == [("sabot", "card-uncertain")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("jam", "said shuffler mix started"),
        ("jam", "shuffled 52"),
        ("door-open", "said shuffler mix door-closed"),
        ("card-missing 51", "said shuffler mix started"),
        ("card-extra 53", "shuffled 52"),
        ("lines-missing", "said shuffler mix started"),
        ("door-open", "lost shuffler mix silent"),
    ],
)
def test_a_note_that_is_over_goes_away(before: str, after: str) -> None:
    said = f"said shuffler mix {before}\nsaid shuffler other {before}\n"
    what = before.split(maxsplit=1)[0]
    assert noted(said) == [("mix", what), ("other", what)]
    assert ("mix", what) not in noted(said + after)
    if not after.startswith("shuffled"):
        assert noted(said + after) == [("other", what)], "each shuffler speaks for itself"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("jam", "said shuffler mix door-closed"),
        ("jam", "shuffled 51"),
        ("card-missing 51", "shuffled 51"),
        ("lines-missing", "shuffled 52"),
        ("door-open", "shuffled 52"),
        ("door-open", hands.WHOLE),
        ("jam", hands.WHOLE),
    ],
)
def test_a_note_that_is_not_over_stays(before: str, after: str) -> None:
    assert noted(f"said shuffler mix {before}\n{after}") == [("mix", before.split(maxsplit=1)[0])]


@pytest.mark.parametrize("role", ["antennas", "shoe"])
def test_what_happened_once_goes_with_the_hand(role: str) -> None:
    playing = hands.WHOLE.removesuffix("press confirm\n") + f"said {role} felt-1 scan-failed 8\n"
    assert noted(playing) == [("felt-1", "scan-failed")]
    assert noted(playing + "press confirm") == []


def test_the_same_of_several_readers_is_one_line_with_their_names() -> None:
    lines = "".join(f"said antennas felt-{number} scan-failed {number}\n" for number in (1, 2, 1, 3))
    html = part("pit", "notes", lines + "said shoe sabot two-at-mouth 2", "en")
    assert re.findall('data-note="([a-z-]+)"', html) == ["scan-failed", "two-at-mouth"]
    assert "Antennas felt-2, felt-1, felt-3 · " in plain(html)
    assert "Reading error 3" in plain(html)
    assert "Several cards at its mouth at once: 2" in plain(html)


def test_a_shoe_that_stands_is_told_until_its_error_is_cancelled() -> None:
    assert noted("said shoe sabot error 5\nsaid shoe sabot error-mode 5") == [("sabot", "error-mode")]
    assert noted("said shoe sabot error-mode 5\nsaid shoe sabot error-cancelled 5") == []


def test_devices_of_one_role_stand_together_and_one_that_is_lost_by_its_name() -> None:
    found = "".join(f"back antennas felt-{number}\n" for number in range(1, 12)) + "back shoe sabot\n"
    assert plain(part("pit", "status", found)).endswith("✓ Antenas 11 ✓ Sabot Español English")
    lost = plain(part("pit", "status", found + "lost antennas felt-7 cable\nlost shoe sabot cable"))
    assert "✓ Antenas 10 ✕ Antenas felt-7 · NO RESPONDE ✕ Sabot · NO RESPONDE" in lost
