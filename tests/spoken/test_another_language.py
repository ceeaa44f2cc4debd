"""A further language, begun as docs/languages.md says: a copy of the program with a generated one in it still runs."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from tests.tools.messages import opened

pytestmark = [pytest.mark.wide, pytest.mark.system]
ROOT: Final = Path(__file__).parents[2]
#: The name of no language.
PSEUDO: Final = "qa"
EXERCISE: Final = "texas-bonus/face-up-in-the-shoe"
START_S: Final = 60.0


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in a folder of its own, with the language begun by the documented command and half translated."""
    folder = tmp_path_factory.mktemp("program")
    shutil.copytree(ROOT / "tablectl", folder / "tablectl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("drivers", "simulators", "tests", "config"):
        (folder / name).symlink_to(ROOT / name)
    assert run(folder, "tests.tools.messages", "--begin", PSEUDO).stderr == ""
    for path in (folder / "tablectl/i18n/locale" / PSEUDO).rglob("*.po"):
        translate(path)
    assert run(folder, "tests.tools.messages").stderr == ""
    return folder


def translate(path: Path) -> None:
    """Every other message, as nobody would say it: so it is seen where it is said, and where English is."""
    catalogue = opened(path)
    for entry in list(catalogue)[::2]:
        if entry.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, marked(entry.msgid_plural))
        else:
            entry.msgstr = marked(entry.msgid)
    catalogue.save()


def marked(sentence: str) -> str:
    return f"«{sentence}»"


def environment(folder: Path) -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(folder: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)


@contextmanager
def training(folder: Path) -> Iterator[str]:
    """The training pages of the copy, at an exercise; gives their address."""
    command = [sys.executable, "-m", "tablectl", "train", "--port", "0", "--exercise", EXERCISE]
    process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert select.select([process.stdout], [], [], START_S)[0], "it does not start"
        said = process.stdout.readline()
        assert "http://" in said, said
        yield said.split()[1].rstrip("/")
    finally:
        process.terminate()
        process.wait(START_S)
        process.stdout.close()


def test_the_exercises_can_be_listed(copy: Path) -> None:
    listed = run(copy, "tablectl", "train", "--exercise", "list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert EXERCISE in listed.stdout


def test_the_pages_of_a_training_table_speak_it_and_english_where_it_is_not_translated(copy: Path) -> None:
    with training(copy) as url, httpx2.Client(base_url=url, timeout=60, headers={"Origin": url}) as client:
        for path in ("/", "/training", "/training/result", "/croupier", "/pit", "/technician"):
            answer = client.get(path, params={"lang": PSEUDO})
            assert answer.status_code == 200, path
            assert f'<html lang="{PSEUDO}">' in answer.text, path
            assert "«" in answer.text, path
        exercise = client.get("/training", params={"lang": PSEUDO}).text
        assert "A card face up in the shoe" in exercise
        assert client.post(f"/training/hint?lang={PSEUDO}", json={}).json()["ok"]
        assert "Nobody has decided yet: declare it at once" in client.get("/training", params={"lang": PSEUDO}).text


def test_a_table_may_name_it(copy: Path, tmp_path: Path) -> None:
    shipped = (ROOT / "config" / "mesa-1.toml").read_text(encoding="utf-8")
    file = tmp_path / "mesa-1.toml"
    file.write_text(shipped.replace('["es", "en"]', f'["{PSEUDO}", "en"]'), encoding="utf-8")
    checked = run(copy, "tablectl", "check-config", str(file))
    assert (checked.returncode, "table.languages" in checked.stdout + checked.stderr) == (0, False), checked.stderr
    file.write_text(shipped.replace('["es", "en"]', '["qb", "en"]'), encoding="utf-8")
    refused = run(copy, "tablectl", "check-config", str(file))
    assert refused.returncode != 0
    assert f"es, en, {PSEUDO}" in refused.stdout + refused.stderr
