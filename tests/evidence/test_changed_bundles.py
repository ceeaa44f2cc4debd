"""A bundle that was changed, or somebody who was given something else than its records say: CHECK.txt, `tablectl
journal verify` and the verifier page in Chromium each refuse it."""

from __future__ import annotations

import io
import re
import shutil
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.journal.evidence.bundle import contents
from tablectl.journal.evidence.hand import Hand
from tests.evidence.test_bundle import steps
from tests.evidence.test_handfile import hands_of
from tests.evidence.test_page import ORIGIN
from tests.evidence.verifying import given_of, opened
from tests.journal.journals import WHOLE_HAND, in_memory, written
from tests.journal.mutations import Bundle, BundleChange, at_random, of_ends
from tests.screens.browsing import running

pytestmark = [
    pytest.mark.browser,
    # The Python of CHECK.txt ends, and its files with it.
    pytest.mark.filterwarnings("ignore:unclosed file .*(records.jsonl|signed-):ResourceWarning"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this system: it checks the signatures"),
]
#: How a step of CHECK.txt begins that is a program in Python.
PYTHON: Final = "python3 - <<'END'\n"
#: So many at once go to the page.
BATCH: Final = 500
#: How it is told that something is wrong, by whoever checks; nothing else may be what stopped him.
SAID: Final = r"CHANGED|APPENDED|DROPPED|SIGNATURE REMOVED|ANOTHER KEY|EXCHANGED|Verification Failure"
REFUSED: Final = r"NOT INTACT|NOT WHAT WAS GIVEN|no record in it|this is no journal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A bundle as it was made: its files in a folder, the values that were given with it, the hash before it."""

    folder: Path
    good: Bundle
    hash_before: str
    given: dict[str, Any]


def made(hand: Hand, folder: Path) -> Checked:
    """The bundle of a hand, unpacked."""
    files = contents(hand, ORIGIN)
    for name in ("CHECK.txt", "public-key.pem", "records.jsonl"):
        (folder / name).write_bytes(files[name])
    given = given_of(hand, ORIGIN)
    good = Bundle(
        records=files["records.jsonl"],
        fingerprint=given["fingerprint"],
        last=int(given["lastSeq"]),
        last_hash=given["lastHash"],
    )
    return Checked(folder=folder, good=good, hash_before=hand.hash_before.hex(), given=given)


# --- who checks -------------------------------------------------------------------------------------------------------


def instructions(checked: Checked, bundle: Bundle, folder: Path) -> str:
    """CHECK.txt with what was given in the place of its own values; it and its files lie in the folder."""
    good = checked.good
    text = (checked.folder / "CHECK.txt").read_text(encoding="utf-8")
    text = text.replace(good.fingerprint, bundle.fingerprint).replace(good.last_hash, bundle.last_hash)
    text = re.sub(rf"(first, last, hand, signed = [0-9]+), {good.last},", rf"\1, {bundle.last},", text)
    folder.mkdir(exist_ok=True)
    for left in folder.glob("signed-*"):
        left.unlink()
    (folder / "CHECK.txt").write_text(text, encoding="utf-8")
    (folder / "records.jsonl").write_bytes(bundle.records)
    (folder / "public-key.pem").write_bytes((checked.folder / "public-key.pem").read_bytes())
    return text


def entered(command: str, folder: Path) -> tuple[int, str]:
    """A command in a shell: how it ends, and what it says."""
    process = processes.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    return process.returncode, process.stdout + process.stderr


def by_instructions(checked: Checked, bundle: Bundle, folder: Path) -> tuple[int, str]:
    """CHECK.txt, all at once as it says: how it ends, and what it says."""
    text = instructions(checked, bundle, folder)
    (at_once,) = re.findall("^sed .*$", text, re.MULTILINE)
    return entered(at_once, folder)


class Reader:
    """Somebody who follows the same CHECK.txt step by step, and looks at the same key only once. The steps in Python
    are run in this process, by the letter; all others in a shell."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: how a step about the key alone ended, by its command
        self._keys: dict[str, tuple[int, str]] = {}

    def follow(self, checked: Checked, bundle: Bundle) -> tuple[int, str]:
        """How the first step that stops him ends, otherwise the last one, and what it says."""
        status, said = 0, ""
        for command, _ in steps(instructions(checked, bundle, self._folder)):
            status, said = self._step(command)
            if status:
                break
        return status, said

    def _step(self, command: str) -> tuple[int, str]:
        if command.startswith(PYTHON):
            return self._python(command.removeprefix(PYTHON).removesuffix("END\n"))
        if "pkey -pubin" not in command:
            return entered(command, self._folder)
        if command not in self._keys:
            self._keys[command] = entered(command, self._folder)
        return self._keys[command]

    def _python(self, source: str) -> tuple[int, str]:
        out = io.StringIO()
        with chdir(self._folder), redirect_stdout(out), ThreadPoolExecutor(1) as apart:
            stopped = apart.submit(exec, compile(source, "CHECK.txt", "exec"), {"__name__": "__main__"}).exception()
        if stopped is None:
            return 0, out.getvalue()
        return 1, str(stopped) if isinstance(stopped, SystemExit) else repr(stopped)


def by_command(checked: Checked, bundle: Bundle, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """`tablectl journal verify`, with all that was given: how it ends, and what it says."""
    path = checked.folder / "changed.jsonl"
    path.write_bytes(bundle.records)
    words = ["journal", "verify", str(path), "--key", str(checked.folder / "public-key.pem")]
    words += ["--follows", checked.hash_before, "--fingerprint", bundle.fingerprint]
    words += ["--last", str(bundle.last), "--last-hash", bundle.last_hash]
    status = main(words)
    said = capsys.readouterr()
    return status, said.out + said.err


def for_page(checked: Checked, bundle: Bundle) -> tuple[str, dict[str, Any]]:
    """The same as the page gets it."""
    values = {"fingerprint": bundle.fingerprint, "lastSeq": str(bundle.last), "lastHash": bundle.last_hash}
    return b64encode(bundle.records).decode(), {**checked.given, **values}


def batches(changes: Iterator[BundleChange]) -> Iterator[list[BundleChange]]:
    while batch := list(islice(changes, BATCH)):
        yield batch


def refuse(
    bundles: tuple[Sequence[Checked], Path],
    changes: Callable[[Checked, int], Iterator[BundleChange]],
    capsys: pytest.CaptureFixture[str],
    *,
    entered_every: int,
) -> Counter[str]:
    """Each change of each bundle is refused by all three; how many there were of each kind. One in `entered_every` is
    checked with CHECK.txt in a shell, the others by who follows it step by step."""
    checked, folder = bundles
    found: Counter[str] = Counter()
    reader = Reader(folder / "followed")
    with running() as tabs, opened(tabs, folder) as page:
        for number, one in enumerate(checked):
            assert by_instructions(one, one.good, folder / "entered")[0] == 0
            assert reader.follow(one, one.good)[0] == 0
            assert by_command(one, one.good, capsys)[0] == 0
            assert [judged.verdict for judged in page.judged([for_page(one, one.good)])] == ["good"]
            for batch in batches(changes(one, number)):
                judged = page.judged([for_page(one, change.bundle) for change in batch])
                for at, (change, by_page) in enumerate(zip(batch, judged, strict=True)):
                    assert by_page.verdict == "bad", (change.of, by_page)
                    status, said = by_command(one, change.bundle, capsys)
                    assert status in (1, 2), (change.of, status, said)
                    assert re.search(REFUSED, said), (change.of, said)
                    if at % entered_every:
                        status, said = reader.follow(one, change.bundle)
                    else:
                        status, said = by_instructions(one, change.bundle, folder / "entered")
                    assert status == 1, (change.of, status, said)
                    assert re.search(SAID, said), (change.of, said)
                    found[change.of] += 1
    return found


@pytest.fixture
def bundles() -> Iterator[tuple[list[Checked], Path]]:
    """Those of the first hand of a journal and of the second one, which begins inside it."""
    with in_memory() as place:
        folder = Path(place)
        written(folder / "table.db", WHOLE_HAND * 2)
        checked = []
        for hand in hands_of(folder / "table.db"):
            own = folder / f"hand-{hand.number}"
            own.mkdir()
            checked.append(made(hand, own))
        yield checked, folder


def some(count: int, *, every: int) -> Callable[[Checked, int], Iterator[BundleChange]]:
    """One in `every` of the changes of the end, and so many at random."""
    return lambda checked, seed: chain(
        islice(of_ends(checked.good), 0, None, every), at_random(checked.good, count, seed)
    )


def test_a_few_changes_of_a_bundle_are_refused_by_everybody(
    bundles: tuple[list[Checked], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found = refuse(bundles, some(12, every=100), capsys, entered_every=6)
    assert found.total() >= 24


@pytest.mark.wide
@pytest.mark.timeout(900)
def test_changes_of_a_bundle_are_refused_by_everybody(
    bundles: tuple[list[Checked], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found = refuse(bundles, some(150, every=10), capsys, entered_every=10)
    assert found.total() >= 300


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_thousand_changes_of_a_bundle_are_refused_by_everybody(
    bundles: tuple[list[Checked], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found = refuse(bundles, some(5000, every=1), capsys, entered_every=50)
    assert found.total() >= 10_000
