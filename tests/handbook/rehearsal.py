"""Where the commands of the pages are run: a folder with the tables that they name, simulated, as the shipped examples
describe them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from contextlib import ExitStack, redirect_stdout
from typing import Final, Self

from simulators import processes
from simulators.devices.world import iso15693_tag
from simulators.stage.stage import Scene
from tablectl.cli.main import main
from tablectl.journal.tilt import Mark, TiltKind, leave
from tests.desk import Desk, desk
from tests.handbook.pages import ROOT

_CARDS: Final = [rank + suit for suit in "shcd" for rank in "A23456789TJQK"]
_DECK: Final = "red 7"
_PLAIN: Final = re.compile(r"tablectl [^|<>&;*]*")


class Rehearsal:
    """From entering to leaving the `with` block. `folder`: where commands run, that of table `mesa-1`."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._tables: dict[str, Desk] = {}
        self._running: set[str] = set()
        self._has_deck = False

    def __enter__(self) -> Self:
        self.folder = self._table("mesa-1").folder
        (self.folder / "medium").mkdir()
        (self.folder / "red-7.csv").write_text(
            "".join(f"{iso15693_tag(number)},{face}\n" for number, face in enumerate(_CARDS)), "utf-8"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def run(self, line: str, state: str) -> int:
        """One line, beside tables in this state; its exit status."""
        if state and "tablectl" in line:
            for name in sorted(set(re.findall(r"mesa-\d", line))) or ["mesa-1"]:
                self._bring(name, state)
        here = self._placed(line)
        if _PLAIN.fullmatch(here):
            try:
                return main(shlex.split(here, comments=True)[1:])
            except SystemExit as ended:
                return ended.code if isinstance(ended.code, int) else 1
        return processes.run(["bash", "-c", here], env=self._environment(), check=False).returncode

    # -- parts -------------------------------------------------------------------------------------------------------

    def _table(self, name: str) -> Desk:
        if name not in self._tables:
            made = self._tables[name] = self._open.enter_context(desk(scene=Scene(staff=True)))
            text = (ROOT / "config" / f"{name}.toml").read_text(encoding="utf-8")
            text = re.sub(rf"/(var/lib|run)/tablectl/{name}/", f"{made.folder}/", text)
            text = re.sub(r'^port = "/dev/[^"]*"', f'port = "{made.folder}/sabot"', text, flags=re.MULTILINE)
            # There is an XK-24 here: of a larger panel it has the first keys.
            text = re.sub(r'"xkeys-xk\d+"', '"xkeys-xk24"', text)
            text = re.sub(r"^[a-z-]+ = (2[4-9]|[3-9]\d)$", "", text, flags=re.MULTILINE)
            made.config.write_text(f'{text}\n[usb]\nbus = "unix:{made.folder}/usb.sock"\n', encoding="utf-8")
        return self._tables[name]

    def _bring(self, name: str, state: str) -> None:
        """A table into a state; what runs goes on."""
        table = self._table(name)
        if name not in self._running:
            if (self.folder / "auditor.pub").exists():
                text = table.config.read_text(encoding="utf-8")
                named = f'[journal]\nauditor = "{self.folder}/auditor.pub"\n'
                table.config.write_text(text.replace("[journal]\n", named), encoding="utf-8")
            table.start()
            self._running.add(name)
            if name == "mesa-1":
                self._play(table)
        if state == "table with a deck" and not self._has_deck:
            assert main(["deck", "enroll", str(table.config), _DECK, "--by", "Ana", "--from", "red-7.csv"]) == 0
            self._has_deck = True
        elif state == "tilted table":
            table.stop()
            leave(Mark(kind=TiltKind.DISK_FULL, reason="no room", at="2026-03-01T12:00:00+00:00"), table.marks)
            self._running.discard(name)

    def _play(self, table: Desk) -> None:
        """Two hands, and what somebody keeps of them."""
        assert table.enter("croupier ana")["refused"] is None
        for _ in range(2):
            table.open_hand()
            table.play_on()
        table.until_copied()
        shutil.copy(self.folder / "table.pub", self.folder / "published.pem")
        with (self.folder / "stream.jsonl").open("w", encoding="utf-8") as kept, redirect_stdout(kept):
            assert main(["journal", "show", str(table.journal), "--json"]) == 0

    def _placed(self, line: str) -> str:
        """A line with the places of this folder."""
        for name, table in self._tables.items():
            for there in (f"config/{name}.toml", f"/etc/tablectl/{name}.toml"):
                line = line.replace(there, str(table.config))
            line = line.replace(f"/var/lib/tablectl/{name}/", f"{table.folder}/")
        line = line.replace("/var/backups/tablectl", f"{self.folder}/backups")
        line = line.replace(" tests/hands/", f" {ROOT}/tests/hands/")
        line = line.replace("/mnt/", f"{self.folder}/medium/")
        for placeholder, name in (("CONFIG", "table.toml"), ("DB", "table.db"), ("COPY", "table.copy")):
            line = re.sub(rf"(?<= ){placeholder}\b", str(self.folder / name), line)
        return line

    def _environment(self) -> dict[str, str]:
        """That of a machine where tablectl is installed."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        for name, words in (("tablectl", "-m tablectl"), ("python", "")):
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
            (programs / name).chmod(0o755)
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
        return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": paths}
