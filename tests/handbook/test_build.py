"""`make handbook`: every page, in a folder that needs no server and fetches nothing; and what makes it fail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from simulators import processes
from tests.handbook.pages import ROOT
from tests.tools.handbook import DOCS

pytestmark = pytest.mark.slow  # half a minute, most of it the rulebooks

_ADDRESS: Final = re.compile(r'\b(?:src|href)="([^"]*)"')


def built(docs: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """As the Makefile does it."""
    recipe = re.search(r"^\t@\$\(BIN\)/python (-m sphinx .*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe is not None
    words = recipe[1].replace("build/doctrees", f"{out}.trees").replace("build/docs", str(out)).split()
    assert words[-2:] == ["docs", str(out)]
    return processes.run([sys.executable, *words[:-2], docs, out], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "docs"
    made = built(DOCS, out)
    assert (made.returncode, made.stderr) == (0, "")
    return out


def test_every_page_is_there(site: Path) -> None:
    made = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    assert {path.relative_to(DOCS) for path in DOCS.rglob("*.md")} <= made


def test_every_link_of_every_page_leads_to_a_file_beside_it(site: Path) -> None:
    """And nothing is fetched from elsewhere: no style, script, font or picture."""
    elsewhere = set()
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for address in map(unescape, _ADDRESS.findall(text)):
            if re.match(r"[a-z]+:", address):
                elsewhere.add(address)
            elif path := unquote(address.partition("#")[0].partition("?")[0]):
                assert (page.parent / path).exists(), f"{page.relative_to(site)}: {address}"
    fetched = [
        match
        for page in [*site.rglob("*.html"), *site.rglob("*.css")]
        for match in re.findall(
            r'<(?:script|img|link)[^>]*(?:src|href)="https?://[^"]*|(?:@import |url\()["\']?(?:https?:)?//[^)]*',
            page.read_text(encoding="utf-8"),
        )
    ]
    assert fetched == []
    assert all(word.startswith("https://") for word in elsewhere)


def test_every_picture_is_shown(site: Path) -> None:
    pictures = {path.name for path in (DOCS / "images").rglob("*.png")}
    assert pictures - {"croupier.png", "croupier-tilt.png", "pit-held.png", "pit-recall.png"} <= {
        path.name for path in (site / "_images").iterdir()
    }


def test_the_search_knows_the_words_of_the_screens(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for word in ("sabot", "mezcladora", "cuarentena", "disk"):
        assert word in index


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("# A\n\n[nowhere](no-such-page.md)\n", "no-such-page"),
        ("# A\n\n[nowhere](tilts.md#no-such-tilt)\n", "no-such-tilt"),
        ("# A\n\n![none](images/none.png)\n", "images/none.png"),
    ],
    ids=["link", "anchor", "picture"],
)
def test_what_leads_nowhere_fails_the_build(page: str, said: str, tmp_path: Path) -> None:
    docs = small(tmp_path)
    (docs / "handbook" / "logs.md").write_text(page.replace("(tilts", "(../tilts"), encoding="utf-8")
    made = built(docs, tmp_path / "out")
    assert made.returncode != 0
    assert said in made.stderr


def test_a_page_that_is_in_no_contents_fails_the_build(tmp_path: Path) -> None:
    docs = small(tmp_path)
    (docs / "orphan.md").write_text("# Nobody comes here\n", encoding="utf-8")
    made = built(docs, tmp_path / "out")
    assert made.returncode != 0
    assert "orphan.md" in made.stderr


def small(folder: Path) -> Path:
    """The pages without what takes long, each with its title alone; they build."""
    docs = folder / "docs"
    for path in DOCS.rglob("*.md"):
        there = docs / path.relative_to(DOCS)
        there.parent.mkdir(parents=True, exist_ok=True)
        heads = re.findall(r"^#+ .*$", path.read_text(encoding="utf-8"), re.MULTILINE)
        there.write_text("\n\n".join(heads[:1]) + "\n", encoding="utf-8")
    shutil.copy(DOCS / "conf.py", docs)
    shutil.copytree(DOCS / "_static", docs / "_static")
    return docs


def test_these_pages_build_as_they_are(tmp_path: Path) -> None:
    made = built(small(tmp_path), tmp_path / "out")
    assert (made.returncode, made.stderr) == (0, "")
