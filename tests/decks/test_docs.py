"""The page on decks: its configuration loads, its commands exist, its words are those of the program."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from tablectl.cli.commands import deck
from tablectl.config.schema import keys
from tablectl.config.sections import DeckSection
from tablectl.config.spots import Spot
from tablectl.config.table_file import load
from tablectl.core.engine.vocabulary import Equipment, Strange
from tablectl.i18n.texts import load_texts
from tablectl.journal.deck_register import DeckState

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "decks.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall("```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
COMMANDS = [line for line in COMMANDS if line.startswith("tablectl ")]


def test_the_configuration_of_twelve_antennas_loads(tmp_path: Path) -> None:
    (text,) = re.findall("```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "mesa.toml"
    path.write_text(text, encoding="utf-8")
    config = load(path)
    assert config.setup.equipment is Equipment.ANTENNAS
    looked_at = [spot for device in config.devices for spot in device.spots.values()]
    assert len(looked_at) == 12
    assert set(looked_at) == {
        Spot(name=name)
        for name in (*(f"seat-{seat}" for seat in range(1, 8)), "house", "board", "burn", "discard", "stub")
    }
    for key in keys(DeckSection):
        assert f"\n{key} = " in text, key


def test_every_word_of_the_command_is_shown_and_every_command_exists() -> None:
    parser = argparse.ArgumentParser()
    deck.add_arguments(parser)
    shown = set()
    for line in COMMANDS:
        program, command, *words = shlex.split(line)
        assert (program, command) == ("tablectl", "deck")
        shown.add(parser.parse_args(words).word)
    assert shown == {"enroll", "list", "play", "release", "quarantine", "retire"}


def test_every_state_and_every_alarm_has_its_row() -> None:
    texts = load_texts()
    for state in DeckState:
        assert f"\n| {texts.text('deck-state', state, 'en')} |" in PAGE
    for what in Strange:
        assert f"\n| {texts.text('title', what, 'en')} |" in PAGE


@pytest.mark.parametrize("name", ["../README.md", "devices/feig.md", "devices/pn532.md", "devices/pepper.md"])
def test_whoever_looks_for_decks_finds_the_page(name: str) -> None:
    assert "decks.md" in (DOCS / name).read_text(encoding="utf-8")
