"""Every command of README.md and docs/: found, marked, able to be what it says; and run, where it can be."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.cli.main import COMMANDS
from tests.handbook.commands import (
    PAGES,
    STATES,
    Block,
    blocks,
    hidden,
    marks,
    options,
    parser_of,
    simple,
    spans,
    trouble,
)
from tests.handbook.pages import ROOT
from tests.handbook.rehearsal import Rehearsal

TEXTS: Final = {page: page.read_text(encoding="utf-8") for page in PAGES}
BLOCKS: Final = [block for page, text in TEXTS.items() for block in blocks(page, text)]
#: Pages with something to run, each with its blocks.
RUN: Final = {
    str(page.relative_to(ROOT)): found
    for page in PAGES
    if (found := [block for block in BLOCKS if block.page == page and block.what == "run"])
}
#: Why a block is not run here. A reason that is not listed would let one be left out without anybody's noticing.
REASONS: Final = {
    "a file of hands": "of somebody else; tests/commands/test_phh.py runs it",
    "a hand that the auditor asks for": "tests/journal runs it with one",
    "a manifest": "tests/commands/test_manifest.py runs it with one",
    "a package of your own": "tests/games installs one",
    "a reader of tags": "tests/decks runs it with a simulated one",
    "a trace": "tests/commands/test_trace.py runs it with one",
    "an archive": "of a backup",
    "a TPM": "tests/notifications/test_tpm.py runs it with one in software",
    "a file of heads": "tests/api/test_missing_heads.py runs it with one",
    "a language that is not there": "tests/tools/test_messages.py begins one in a folder of its own",
    "half an hour": "tests/mutants runs it on a few lines",
    "minutes": "the program's own tests and checks",
    "root": "changes the machine",
    "somebody to tell": "tests/notifications/test_command.py runs it with a target",
    "systemd": "starts and stops services",
    "the release key": "tests/system/test_repository.py runs it with a key of its own",
    "to be ended by hand": "runs until Ctrl-C",
}


def names(block: Block) -> str:
    return block.name


# --- none is left out -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_commands_says_how_it_is_run_and_every_mark_is_of_one(page: Path) -> None:
    found = [block for block in BLOCKS if block.page == page]
    assert [block.name for block in found if not block.what] == []
    assert marks(TEXTS[page]) == len(found)
    assert hidden(TEXTS[page]) == [], "fence it as sh, with a mark"


def test_what_is_not_run_says_why_and_every_reason_is_somebodys() -> None:
    assert {example.how for example in BLOCKS if example.what == "needs"} == REASONS.keys()
    assert {example.how for example in BLOCKS if example.what == "run"} <= set(STATES)
    for block in (example for example in BLOCKS if example.what == "script"):
        assert block.page.name in (ROOT / block.how).read_text(encoding="utf-8")


def test_most_commands_of_the_handbook_that_need_no_root_are_run() -> None:
    assert len([line for found in RUN.values() for block in found for line in block.commands]) >= 30


# --- each can be what it says -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [example for example in BLOCKS if example.what != "script"], ids=names)
def test_every_program_command_and_option_exists(block: Block) -> None:
    for line in block.commands:
        for words in simple(line):
            assert trouble(words) is None, f"{block.name}: {line}"


@pytest.mark.parametrize("block", BLOCKS, ids=names)
def test_a_shell_reads_it(block: Block) -> None:
    read = processes.run(["bash", "-n"], input=block.text, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_command_in_a_sentence_exists_with_its_options(page: Path) -> None:
    for span in spans(TEXTS[page]):
        program, *words = shlex.split(span)
        if program != "tablectl":
            assert (
                trouble(["python" if program == "python" else program, *(word for word in words if word != "…")])
                is None
            )
        elif words[0] in COMMANDS:
            there = set(options(parser_of(words[0])))
            asked = {word.strip("[]").partition("=")[0] for word in words[1:] if word.strip("[").startswith("--")}
            assert asked <= there, f"{page.name}: {span}"
        else:
            assert re.fullmatch(r"enrol|enrolled|receipt|record|time|trace|--version", words[0]), f"{page.name}: {span}"


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("tablectl check-confg a.toml", "no command 'check-confg'"),
        ("tablectl check-config --jsn a.toml", "unrecognized arguments: --jsn"),
        ("tablectl clear a.toml --by ana", "required: --reason"),
        ("tablectl table use a.toml no-such-game --by ana", "invalid choice: 'no-such-game'"),
        ("echo '{}' | tablectl settle", "required"),
        ("make demmo", "no demmo"),
        ("python -m simulatorz list", "no module simulatorz"),
        ("sytemctl start x", "nobody knows"),
        ("systemctl begin tablectl@mesa-1", "no word"),
        ("systemctl start tablectl-screen@mesa-1", "no unit tablectl-screen@.service"),
    ],
)
def test_a_wrong_one_is_seen(line: str, wrong: str) -> None:
    assert wrong in " ".join(str(trouble(words)) for words in simple(line))


def test_a_command_that_is_hidden_is_seen() -> None:
    assert hidden("Text\n\n    tablectl run x.toml\n\n```\nmake demo\n```\n\n```console\n$ ls x\n```\n") == [
        "make demo",
        "$ ls x",
        "tablectl run x.toml",
    ]
    assert hidden("<!-- run -->\n```sh\ntablectl rules\n```\n") == []


# --- and does it ------------------------------------------------------------------------------------------------------


@pytest.fixture
def rehearsal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rehearsal]:
    with Rehearsal() as made:
        monkeypatch.chdir(made.folder)
        yield made


@pytest.mark.wide
@pytest.mark.system
@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_do_what_it_says(
    page: str, rehearsal: Rehearsal, capfd: pytest.CaptureFixture[str]
) -> None:
    for block in RUN[page]:
        for line in block.commands:
            status = rehearsal.run(line, block.how)
            said = capfd.readouterr()
            assert status == 0, f"{block.name}: {line}\n{said.out}{said.err}"


# --- and on a machine as Debian leaves it -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_command_asks_for_sudo(page: Path) -> None:
    """A Debian that was installed with a password for root has none."""
    assert [line for block in blocks(page, TEXTS[page]) for line in block.commands if "sudo" in line] == []


@pytest.mark.parametrize("name", ["installation", "kiosk"])
def test_packages_are_installed_after_their_lists_were_fetched(name: str) -> None:
    found = [example for example in BLOCKS if example.page.stem == name and "apt install" in example.text]
    assert found
    for block in found:
        assert block.commands[0] == "apt update", block.name


def test_a_credential_is_written_into_a_folder_that_is_made_first() -> None:
    (block,) = (example for example in BLOCKS if "systemd-creds encrypt" in example.text)
    made: set[str] = set()
    for line in block.commands:
        if line.startswith("mkdir"):
            made.add(shlex.split(line)[-1])
        if line.startswith("systemd-creds"):
            assert str(Path(shlex.split(line)[-1]).parent) in made
