"""Commands in the pages: where they stand, what is said of running them, and whether they can be what they say.

Every block of commands is fenced as `sh` and has, on the line before, a comment that readers do not see:

    <!-- run -->                      runs anywhere
    <!-- run: table -->               runs beside a simulated table (`STATES` says which there are)
    <!-- needs: REASON -->            is looked at and not run here
    <!-- script: tests/… -->          is run by that test
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

from tablectl.cli.main import COMMANDS
from tests.handbook.pages import ROOT

PAGES: Final = sorted(
    [
        ROOT / "README.md",
        *(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name not in ("adr", "rulebooks")),
    ]
)
#: How a table is that commands run beside.
STATES: Final = ("", "table", "table with a deck", "tilted table")
#: What a Debian has, or gets with the package, by who brings it.
PROGRAMS: Final = {
    "apt": "apt",
    "cat": "coreutils",
    "chronyc": "chrony",
    "df": "coreutils",
    "chmod": "coreutils",
    "chown": "coreutils",
    "cp": "coreutils",
    "dmesg": "util-linux",
    "echo": "bash",
    "findmnt": "mount",
    "fuser": "psmisc",
    "journalctl": "systemd",
    "ls": "coreutils",
    "mkdir": "coreutils",
    "msgfmt": "gettext",
    "mount": "mount",
    "mv": "coreutils",
    "nfc-list": "libnfc-bin",
    "openssl": "openssl",
    "poweroff": "systemd-sysv",
    "ps": "procps",
    "runuser": "util-linux",
    "gpg": "gpg",
    "gpgv": "gpgv",
    "install": "coreutils",
    "sha256sum": "coreutils",
    "shred": "coreutils",
    "socat": "socat",
    "systemctl": "systemd",
    "systemd-creds": "systemd",
    "tpm2_changeauth": "tpm2-tools",
    "tpm2_nvdefine": "tpm2-tools",
    "tpm2_nvundefine": "tpm2-tools",
    "systemd-run": "systemd",
    "tablectl-rollback": "tablectl",
    "udevadm": "udev",
}
#: Words of systemctl that pages use.
_VERBS: Final = ("disable", "edit", "enable", "is-active", "list-timers", "restart", "start", "status", "stop")
#: Units of a table that are shipped, or are to be.
_UNITS: Final = frozenset(
    {
        "tablectl@.service",
        "tablectl@.target",
        "tablectl-accounts@.service",
        "tablectl-screens@.service",
        "tablectl-notifications@.service",
        "tablectl-uplink@.service",
        "tablectl-pit@.service",
        "tablectl-backup@.service",
        "tablectl-backup@.timer",
        "tablectl-display@.service",
        "tablectl-kiosk@.service",
    }
)
_FENCE: Final = re.compile(
    r"^(?P<indent> *)```(?P<language>[a-z]*)\n(?P<text>.*?)^(?P=indent)```", re.DOTALL | re.MULTILINE
)
_MARK: Final = re.compile(r"^ *<!-- (?P<what>run|needs|script)(?:: (?P<how>[^\n]*?))? -->$")
#: Languages of a block that may be commands all the same; none is named where the text is.
_PLAIN: Final = ("", "bash", "console", "shell", "text")
#: How a line of commands begins.
_BEGINS: Final = frozenset({"$", "tablectl", "make", "python", "python3"}) | PROGRAMS.keys() - {"echo", "mount"}
_OPERATORS: Final = frozenset({"|", "||", "&&", ";", "&"})
_INTO: Final = frozenset({">", ">>", "<", "2>"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """Commands that stand together. `line`: of the page, from 1. `what`: run, needs or script; `how` is after it."""

    page: Path
    line: int
    what: str
    how: str
    text: str

    @property
    def name(self) -> str:
        """The page and the line."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """One a line; lines that go on are joined, comments stay."""
        return [line for line in self.text.replace("\\\n", " ").splitlines() if line.strip()]


def blocks(page: Path, text: str) -> list[Block]:
    """Every block of commands of a page. A mark that says nothing of its kind is an empty `what`."""
    found = []
    for fence in _FENCE.finditer(text):
        if fence["language"] == "sh":
            before = text[: fence.start()].removesuffix("\n").rpartition("\n")[2]
            mark = _MARK.match(before)
            found.append(
                Block(
                    page=page,
                    line=text.count("\n", 0, fence.start()) + 1,
                    what=mark["what"] if mark is not None else "",
                    how=(mark["how"] or "") if mark is not None else "",
                    text=re.sub(rf"^{fence['indent']}", "", fence["text"], flags=re.MULTILINE),
                )
            )
    return found


def marks(text: str) -> int:
    """How many there are on a page, whatever follows them."""
    return sum(_MARK.match(line) is not None for line in text.splitlines())


def hidden(text: str) -> list[str]:
    """Commands that stand in a block that is not fenced as `sh`."""
    plain = [fence["text"] for fence in _FENCE.finditer(text) if fence["language"] in _PLAIN]
    indented = [line for line in _FENCE.sub("", text).splitlines() if line.startswith("    ")]
    lines = [line.strip() for line in [*"".join(plain).splitlines(), *indented]]
    return [line for line in lines if line.split(" ")[0] in _BEGINS and " " in line]


def spans(text: str) -> list[str]:
    """What stands in a sentence as code and begins with one of our programs."""
    rest = _FENCE.sub("", text)
    return [" ".join(match.split()) for match in re.findall(r"`((?:tablectl|make|python -m) [^`]+)`", rest)]


# --- whether a command can be what it says ----------------------------------------------------------------------------


def simple(line: str) -> list[list[str]]:
    """The simple commands of a line, word by word, without what they read and write. Raises `ValueError`."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found: list[list[str]] = [[]]
    words = iter(lexer)
    for word in words:
        if word in _OPERATORS:
            found.append([])
        elif word in _INTO:
            next(words)
        elif found[-1] or not re.match(r"[A-Z_]+=", word):
            found[-1].append(word)
    return [words for words in found if words]


def trouble(words: list[str]) -> str | None:
    """What is wrong with a simple command, None where nothing is."""
    program, *rest = words
    match program:
        case "tablectl":
            return _of_tablectl(rest)
        case "make":
            return _of_make(rest)
        case "python" | "python3":
            return _of_python(rest)
        case "systemctl" | "journalctl":
            return _of_systemd(program, rest)
    return None if program in PROGRAMS else f"{program}: nobody knows which package has it (PROGRAMS)"


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command of `tablectl`. Raises `KeyError`."""
    parser = argparse.ArgumentParser(prog=f"tablectl {command}")
    importlib.import_module(COMMANDS[command].module).add_arguments(parser)
    return parser


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of a command and of the words below it, and these words."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield word
                yield from options(below)


def _of_tablectl(words: list[str]) -> str | None:
    if words == ["--version"]:
        return None
    command, *rest = words
    if command not in COMMANDS:
        return f"tablectl has no command {command!r}"
    said = StringIO()
    try:
        with redirect_stderr(said):
            parser_of(command).parse_args(rest)
    except SystemExit:
        return said.getvalue().strip().splitlines()[-1]
    return None


def _of_make(words: list[str]) -> str | None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = [word for word in words if "=" not in word]
    missing = [word for word in asked if word not in targets]
    return f"the Makefile has no {', '.join(missing)}" if missing else None


def _of_python(words: list[str]) -> str | None:
    if words[0] != "-m":
        return None
    return None if importlib.util.find_spec(words[1]) is not None else f"there is no module {words[1]}"


def _of_systemd(program: str, words: list[str]) -> str | None:
    if program == "systemctl" and words[0] not in _VERBS:
        return f"systemctl {words[0]} is no word that pages use (_VERBS)"
    for unit in re.findall(r"tablectl[\w-]*@[^ ]*", " ".join(words)):
        name, _, instance = unit.partition("@")
        kind = f".{instance.rpartition('.')[2]}" if "." in instance else ".service"
        if f"{name}@{kind}" not in _UNITS and instance != "*":
            return f"there is no unit {name}@{kind}"
    return None
