"""The documents: every link between them leads somewhere, and a reader of README comes to each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = sorted((ROOT / "docs").rglob("*.md"))
PAGES: Final = [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS, *sorted((ROOT / "tests").rglob("*.md"))]
NAMES: Final = [str(page.relative_to(ROOT)) for page in PAGES]
#: Where sources send a reader to a document.
SOURCES: Final = [
    *(path for folder in ("tablectl", "drivers", "simulators") for path in sorted((ROOT / folder).rglob("*.py"))),
    *sorted((ROOT / "config").glob("*.toml")),
]
#: Documents of others that a driver names as its source.
OF_OTHERS: Final = {"docs/blink1-hid-commands.md"}


def prose(page: Path) -> str:
    """The text without its blocks of commands and code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The files that a page links to, and the place in each; what lies on other machines is left out."""
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page))):
        path, _, place = link.partition("#")
        if not re.match(r"[a-z]+:", path):
            yield (page if not path else page.parent / unquote(path)).resolve(), place


def places(page: Path) -> set[str]:
    """What a link into a page can name: its headings, as they are shortened for links, and its anchors."""
    text = prose(page)
    heads = (re.sub(r"[^\w\- ]", "", head.lower()) for head in re.findall(r"^#+ (.+?) *$", text, re.MULTILINE))
    return {head.replace(" ", "-") for head in heads} | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_to_a_file_and_a_place_that_there_is(name: str) -> None:
    found = list(links(ROOT / name))
    assert [str(path) for path, _ in found if not path.exists()] == []
    known = {path: places(path) for path, place in found if place}
    assert [(path.name, place) for path, place in found if place and place not in known[path]] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_document_that_a_document_names_is_there(name: str) -> None:
    documents = {page.name for page in PAGES}
    assert {Path(match).name for match in re.findall(r"[\w./-]+\.md\b", prose(ROOT / name))} <= documents


def test_every_document_that_the_sources_name_is_there() -> None:
    named = {
        match for path in SOURCES for match in re.findall(r"docs/[\w./-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert named > OF_OTHERS
    assert [name for name in sorted(named - OF_OTHERS) if not (ROOT / name).exists()] == []


def test_a_reader_of_the_first_page_comes_to_every_document() -> None:
    reached: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached:
            reached.add(page)
            ahead += [path for path, _ in links(page) if path.suffix == ".md" and path.exists()]
    assert [
        str(document) for document in PAGES if document not in reached and document.is_relative_to(ROOT / "docs")
    ] == []


def test_every_picture_is_shown_somewhere() -> None:
    shown = {path for page in PAGES for path, _ in links(page)}
    pictures = [file for file in sorted((ROOT / "docs" / "images").rglob("*")) if file.is_file()]
    assert [picture.name for picture in pictures if picture not in shown] == []
