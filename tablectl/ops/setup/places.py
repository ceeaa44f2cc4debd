"""Where the things of a table stand on an installed machine, and whose they are (docs/adr/0009-a-table-pc.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CONTROLLER: Final = "tablectl"
#: Under whom the accounts are kept; called so since the screens kept them.
ACCOUNTS: Final = "tablectl-screens"
NOTIFY: Final = "tablectl-notify"
READERS: Final = "tablectl-readers"
ROOT: Final = "root"


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """A folder with its owner, its group and its mode."""

    path: Path
    user: str
    group: str
    mode: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """All of them below `root`: `/`, or a folder where a table is tried that is none of this machine's."""

    root: Path = Path("/")

    @property
    def is_installed(self) -> bool:
        """Whether these are the machine's own."""
        return self.root == Path("/")

    @property
    def tables(self) -> Path:
        """The folder of the configurations."""
        return self.root / "etc/tablectl"

    @property
    def backups(self) -> Path:
        """Proposed for the backups."""
        return self.root / "var/backups/tablectl"

    @property
    def units(self) -> Path:
        """What this machine adds to the units of a package."""
        return self.root / "etc/systemd/system"

    @property
    def shipped_units(self) -> Path:
        """The units that the package brings."""
        return self.root / "usr/lib/systemd/system"

    def config(self, name: str) -> Path:
        """A table's configuration."""
        return self.tables / f"{name}.toml"

    def state(self, name: str) -> Path:
        """Journal, keys, deck register, traces."""
        return self.root / "var/lib/tablectl" / name

    def accounts(self, name: str) -> Path:
        """Accounts; the screens see a folder of their own there, with the statistics."""
        return self.root / "var/lib/tablectl-screens" / name

    def outbox(self, name: str) -> Path:
        """Messages that wait."""
        return self.root / "var/lib/tablectl-notify" / name

    def run(self, name: str) -> Path:
        """The socket."""
        return self.root / "run/tablectl" / name

    def folders(self, name: str, backups: Path, *, notifies: bool) -> Iterator[Folder]:
        """What a table needs, each with its owner. `backups`: where all tables have theirs, each in its own folder."""
        yield Folder(path=self.state(name), user=CONTROLLER, group=READERS, mode=0o2750)
        yield Folder(path=self.accounts(name), user=ACCOUNTS, group=ACCOUNTS, mode=0o700)
        if notifies:
            yield Folder(path=self.outbox(name), user=NOTIFY, group=READERS, mode=0o750)
        yield Folder(path=self.run(name), user=CONTROLLER, group=READERS, mode=0o750)
        yield Folder(path=backups / name, user=ROOT, group=ROOT, mode=0o700)
