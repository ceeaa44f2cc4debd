"""What a trainee reached is kept, and can be read by a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tablectl.web.training.progress import NoName, Progress, Result, name_of


def result(trainee: str = "Ana", points: int = 4) -> Result:
    return Result(
        at="2026-01-02T03:04:05.000000Z",
        trainee=trainee,
        rulebook="texas-bonus",
        exercise="texas-bonus/shoe-lost",
        clause="THB-SAB-1",
        points=points,
        most=5,
        hints=1,
        seconds=77,
    )


def test_results_are_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "progress.csv"
    Progress(path).add(result())
    Progress(path).add(result("Íñigo", 5))
    assert Progress(path).results() == (result(), result("Íñigo", 5))


def test_a_spreadsheet_reads_it_with_a_head(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "progress.csv")
    assert progress.text().strip().startswith("at,trainee,")
    progress.add(result())
    (row,) = csv.DictReader(io.StringIO(progress.text()))
    assert (row["trainee"], row["points"], row["most"]) == ("Ana", "4", "5")


def test_a_spoilt_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "progress.csv"
    Progress(path).add(result())
    with path.open("a", encoding="utf-8") as file:
        file.write("half,a,line\n")
    Progress(path).add(result(points=2))
    assert [exercise_result.points for exercise_result in Progress(path).results()] == [4, 2]


@pytest.mark.parametrize("typed", ["Ana", " Íñigo  Ruiz ", "ana-2", "O'Brien", "a"])
def test_a_name_is_letters_first(typed: str) -> None:
    assert name_of(typed) == " ".join(typed.split())


@pytest.mark.parametrize("typed", ["", " ", "=1+1", "+34", "@ana", "-ana", "1ana", "a" * 41, "ana\x00", "a,b"])
def test_nothing_that_a_spreadsheet_could_run_is_a_name(typed: str) -> None:
    with pytest.raises(NoName):
        name_of(typed)
