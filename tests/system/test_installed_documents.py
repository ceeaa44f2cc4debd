"""The pages that the package installs: every link leads somewhere, also on a table PC without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.system.machine import why_not
from tests.test_links import links, places

pytestmark = [pytest.mark.machine, pytest.mark.skipif(bool(why_not()), reason=why_not() or "none")]
DOCUMENTS: Final = "usr/share/doc/tablectl"
#: Fewer would mean that the pages are not where this test looks.
LINKS_LEAST: Final = 500


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the package."""
    folder = tmp_path_factory.mktemp("installed")
    processes.run(["dpkg-deb", "--extract", str(package), str(folder)], check=True)
    return folder


def linked(tree: Path) -> Iterator[tuple[Path, Path, str]]:
    """Each link of each installed page: the page, the file, and the place in it."""
    for page in sorted((tree / DOCUMENTS).rglob("*.md")):
        for path, place in links(page):
            # A link of the file system leads from the root of the table PC, not of this computer.
            yield page, path if path.is_relative_to(tree) else tree / path.relative_to("/"), place


def test_every_link_of_every_installed_page_leads_somewhere(tree: Path) -> None:
    found = list(linked(tree))
    assert len(found) >= LINKS_LEAST
    dead = [
        f"{page.relative_to(tree / DOCUMENTS)}: {path.relative_to(tree)}"
        for page, path, _ in found
        if not path.exists()
    ]
    assert dead == []
    known = {path: places(path) for _, path, place in found if place}
    assert [(page.name, path.name, place) for page, path, place in found if place and place not in known[path]] == []


def test_a_unit_names_a_page_that_is_installed(tree: Path) -> None:
    named = {
        line.removeprefix("Documentation=file://").strip()
        for unit in sorted((tree / "usr/lib/systemd/system").rglob("*"))
        if unit.is_file()
        for line in unit.read_text(encoding="utf-8").splitlines()
        if line.startswith("Documentation=file://")
    }
    assert named
    assert [text for text in sorted(named) if not (tree / text.lstrip("/")).exists()] == []
