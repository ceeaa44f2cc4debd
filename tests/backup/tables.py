"""Tables for tests of backups: all that a table has, in a folder of its own, and what of it can be compared."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path
from typing import Final

from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.core.cards import DECK
from tablectl.journal.deck_register import Register
from tablectl.journal.seal import Vault
from tablectl.journal.store import Position, Stored
from tablectl.journal.volumes import VolumeSet
from tablectl.notifications.outbox import Outbox
from tablectl.people.file import PeopleFile
from tests.journal.journals import KEY, WHOLE_HAND, Sitting, keep_keys, places, sat

#: Two whole hands, and one that is not over: two cards have left the shoe.
HANDS: Final = WHOLE_HAND * 2 + WHOLE_HAND.partition("draw Qh")[0]
#: Small enough that these hands are three volumes.
VOLUME_RECORDS: Final = 20
TITLE: Final = "Mesa de prueba"
_NOTIFY: Final = '\n[[notify]]\nname = "chef"\nurl = "json://127.0.0.1:9/"\n'


class Table:
    """All that a table has. Its configuration is `mesa-1.toml`."""

    def __init__(self, folder: Path, *, title: str = TITLE, volume_records: int = VOLUME_RECORDS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.config = folder / "mesa-1.toml"
        self.places = places(folder, volume_records=volume_records)
        self._text = config_text(Scene(table=title, staff=False), folder) + _NOTIFY

    def configured(self) -> None:
        """The configuration alone."""
        self.config.write_text(self._text, encoding="utf-8")

    def furnished(self, hands: str = HANDS) -> None:
        """Everything that a table has after some hands."""
        self.configured()
        keep_keys(self.folder)
        sat(self.places, hands)
        with Register(self.folder / "decks.db", Vault(KEY)) as register:
            tags = {f"04{number:012x}": card for number, card in enumerate(DECK)}
            register.enrol("rojo 1", tags, by="ana", reason="new", at_us=1)
        with closing(PeopleFile(self.folder / "people.db")) as people:
            people.begin_series(1)
        Outbox(self.folder / "notifications.db").close()

    def plays(self, hands: str = WHOLE_HAND) -> None:
        """More of the same."""
        with Sitting(self.places) as sitting:
            sitting.lines(hands)

    def records(self) -> list[Stored]:
        return records_in(self.places.journal)

    @property
    def end(self) -> Position:
        """The newest record."""
        last = self.records()[-1]
        return Position(last.seq, last.hash)

    def back_up(self, folder: Path, *options: str) -> Path:
        """The newest archive."""
        before = set(folder.glob("*.zip"))
        assert main(["backup", str(self.config), str(folder), *options]) == 0
        (made,) = set(folder.glob("*.zip")) - before
        return made


#: What SQLite, a lock or the disk's reserve leave beside; no part of what a table is.
BESIDE: Final = ("-wal", "-shm", ".lock", ".reserve")


def seen(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a table with its bytes and mode."""
    return {
        path.name: (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in folder.iterdir()
        if path.is_file() and not path.name.endswith(BESIDE)
    }


def records_in(journal: Path) -> list[Stored]:
    """Through all volumes."""
    with closing(VolumeSet(journal)) as volume_set:
        return list(volume_set.records())


def flip(path: Path, at: int) -> None:
    """One bit of one byte is another one."""
    text = bytearray(path.read_bytes())
    text[at] ^= 0x10
    path.write_bytes(text)
