"""The release after this one, as far as its database goes: one more migration."""

from __future__ import annotations

import shutil
from pathlib import Path

from tablectl.fleet.pit.schema import OURS, Release

_MIGRATION = '''"""A column that nobody reads yet."""

from alembic import op

revision = "{next}"
down_revision = "{ours}"


def upgrade() -> None:
    op.execute("ALTER TABLE records ADD COLUMN later int4")
'''


def next_release(folder: Path) -> Release:
    """Its migrations, in this folder, which is made."""
    shutil.copytree(OURS.migrations, folder)
    made = Release(migrations=folder, schema=f"{int(OURS.schema) + 1:04}")
    text = _MIGRATION.format(ours=OURS.schema, next=made.schema)
    (folder / "versions" / f"v{made.schema}_later.py").write_text(text, encoding="utf-8")
    return made
