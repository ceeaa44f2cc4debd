"""`tablectl train` as people call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.cli.main import main
from tablectl.games.registry import RULEBOOKS
from tablectl.web.training.exercise import exercises_of

Captured = pytest.CaptureFixture[str]


def test_it_lists_every_exercise(capsys: Captured) -> None:
    assert main(["train", "--exercise", "list"]) == 0
    said = capsys.readouterr().out
    for game in RULEBOOKS:
        for name, exercise in exercises_of(game).items():
            assert f"{name:38} {exercise.title['en']}\n" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--exercise", "dance"], "--exercise texas-bonus/dance"),
        (["--rulebook", "draw-poker", "--exercise", "shoe-lost"], "--exercise draw-poker/shoe-lost"),
        (["--port", "70000"], "--port 70000"),
    ],
)
def test_wrong_usage_says_what_would_be_right(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["train", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["train", "--keep", str(file)]) == 2
    assert str(file) in capsys.readouterr().err
