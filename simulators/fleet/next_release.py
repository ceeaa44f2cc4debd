"""The release after this one, as far as its store goes: one more column."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import ClassVar

from tablectl.fleet.pit.schema import OURS, Release
from tablectl.fleet.pit.sqlite_store import SqliteStore, Upgrades

_MIGRATION = '''"""A column that nobody reads yet."""

from alembic import op

revision = "{next}"
down_revision = "{ours}"


def upgrade() -> None:
    op.execute("ALTER TABLE records ADD COLUMN later int4")
'''


class NextSqliteStore(SqliteStore):
    """Its file of SQLite."""

    upgrades: ClassVar[Upgrades] = (*SqliteStore.upgrades, ("ALTER TABLE records ADD COLUMN later INTEGER",))


def next_release(folder: Path) -> Release:
    """Its migrations of PostgreSQL, in this folder, which is made."""
    shutil.copytree(OURS.migrations, folder)
    made = Release(migrations=folder, schema=f"{int(OURS.schema) + 1:04}")
    text = _MIGRATION.format(ours=OURS.schema, next=made.schema)
    (folder / "versions" / f"v{made.schema}_later.py").write_text(text, encoding="utf-8")
    return made
