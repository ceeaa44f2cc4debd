"""How `make handbook` builds these pages: static, without a server, without anything that is fetched from elsewhere.

Every page is in `CONTENTS`, in the order of the navigation; one that is not, a link that leads nowhere and an anchor
that there is none of fail the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "tablectl"
author = "tablectl"
project_copyright = ""
language = "en"

extensions = ["myst_parser"]
exclude_patterns = []
nitpicky = True

#: Headings get the anchors that they have where the sources are shown, so that a link is right in both places.
myst_heading_anchors = 4

html_theme = "furo"
html_title = "tablectl"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
#: A summary would be fetched, which no browser does of a page that is a file.
html_show_search_summary = False
html_static_path = ["_static"]
html_css_files = ["handbook.css"]

CONTENTS: Final = {
    "Handbook of a table PC": (
        "handbook/index",
        "handbook/installation",
        "handbook/kiosk",
        "handbook/opening-and-closing",
        "handbook/alerts",
        "handbook/after-a-tilt",
        "handbook/replacing-a-device",
        "handbook/upgrade-and-rollback",
        "handbook/backup-and-restore",
        "handbook/logs",
        "handbook/settings",
        "handbook/choices",
    ),
    "Running a table": (
        "setup",
        "tilts",
        "health",
        "decks",
        "journal",
        "software-identity",
        "traces",
        "logs",
        "backup",
    ),
    "People and screens": (
        "features",
        "screens",
        "pit",
        "accounts",
        "technician",
        "auditor",
        "notifications",
        "training",
        "languages",
    ),
    "Devices": (
        *sorted(f"devices/{page.stem}" for page in Path(__file__).parent.glob("devices/*.md")),
        "simulators",
    ),
    "Rulebooks": (
        "rulebooks/README",
        "rulebooks/texas-bonus",
        "rulebooks/texas-poker",
        "rulebooks/circle-holdem",
        "rulebooks/open-holdem",
        "rulebooks/draw-poker",
        "fault-matrix",
    ),
    "Files and interfaces": ("api", "fleet", "hand-files", "phh", "settle"),
    "How it is built": (
        "adr/0001-shape",
        "adr/0002-libraries",
        "adr/0003-journal",
        "adr/0004-errors-as-data",
        "adr/0005-circle-games",
        "adr/0006-five-card-draw",
        "adr/0007-games-of-one-table",
        "adr/0008-people-and-screens",
        "adr/0009-a-table-pc",
        "adr/0010-structure",
        "adr/0011-api",
        "adr/0012-corrections",
        "adr/0013-many-tables",
        "adr/0014-accounts-process",
        "CONTRIBUTING",
        "add-a-game",
        "add-a-device",
        "add-a-language",
        "add-a-house-option",
        "add-a-remedy",
        "glossary",
        "mutants",
        "releases",
        "design/circle-holdem-betting",
        "design/circle-holdem-errors",
        "design/draw-poker",
    ),
}


def add_contents(_: Sphinx, name: str, source: list[str]) -> None:
    """The navigation stands here and not on the first page, where a reader of the source would see it as text."""
    if name == "index":
        for caption, pages in CONTENTS.items():
            source[0] += "\n".join(("\n```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```\n"))


def name_anchors(_: Sphinx, name: str, source: list[str]) -> None:
    """Anchors of a page's own, as HTML in the source. Here they are names in all pages together, so each gets its
    page's in front."""
    own = f"{name.rpartition('/')[2]}-"
    for anchor in re.findall(r'^<a id="([^"]+)"></a>$', source[0], re.MULTILINE):
        source[0] = source[0].replace(f'<a id="{anchor}"></a>', f"({own}{anchor})=")
        source[0] = source[0].replace(f"](#{anchor})", f"](#{own}{anchor})")


def setup(app: Sphinx) -> None:
    """What Sphinx calls first."""
    # The diagrams of the rulebooks are shown as their text: what draws them would have to be fetched.
    app.add_lexer("mermaid", TextLexer)
    app.add_lexer("transcript", TextLexer)
    app.connect("source-read", add_contents)
    app.connect("source-read", name_anchors)
