"""The verifier page in Chromium, opened from its file as anybody opens it; and what it finds of many records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tablectl.i18n.languages import DEFAULT
from tablectl.journal.evidence.bundle import contents
from tablectl.journal.evidence.hand import Hand
from tablectl.journal.evidence.origin import Origin
from tablectl.journal.evidence.verifier.page import verifier_page
from tests.screens.browsing import Tabs

#: What the page shows of a hand, as `hand.html` shows it: each part's text without blanks, and each of its cards.
_PARTS: Final = """
(root) => {
  const bare = (node) => node.textContent.replace(/\\s/g, "");
  const cards = [...root.querySelectorAll(".card")].map((card) => `${card.className} ${card.title}`);
  const facts = new Map([...root.querySelectorAll("dl.facts dt")].map((dt) => [bare(dt), bare(dt.nextElementSibling)]));
  const parts = ["header", ".felt", ".seats", ".pots", ".float", ".incident", ".line", ".glossary", ".banner", ".note"];
  const found = parts.map((part) => [part, [...root.querySelectorAll(part)].map(bare)]);
  const classes = [...root.querySelectorAll("tr.alert, li.hot")].map(bare);
  return { cards, facts: Object.fromEntries(facts), classes, ...Object.fromEntries(found) };
}
"""
#: Each hand read out of its records by the page, and out of the page that the program made of them: where they differ.
_COMPARED: Final = f"""
(hands) => {{
  const said = JSON.parse(document.getElementById("texts").textContent);
  const parts = {_PARTS};
  return hands.map(({{ number, records, html }}) => {{
    const told = records.trimEnd().split("\\n").map(JSON.parse);
    const hand = verifier.handsOf(told).find((found) => found.number === number);
    const signed = new Set(told.filter((record) => "signature" in record).map((record) => record.seq));
    const ours = parts(verifier.handShown(hand, signed, "UTC", said));
    const body = new DOMParser().parseFromString(html, "text/html").body;
    for (const other of body.querySelectorAll("footer, .not-evidence, .banner.demo")) other.remove();
    const theirs = parts(body);
    for (const name of Object.keys(theirs.facts)) if (!(name in ours.facts)) delete theirs.facts[name];
    return Object.keys(ours)
      .filter((part) => JSON.stringify(ours[part]) !== JSON.stringify(theirs[part]))
      .map((part) => `${{part}}: ${{JSON.stringify(ours[part])}} is not ${{JSON.stringify(theirs[part])}}`);
  }});
}}
"""
#: The verdict of each set of records, and the keys of what its checks found.
_JUDGED: Final = """
async (cases) => {
  const can = await verifier.abilities();
  const found = [];
  for (const { records, given } of cases) {
    const bytes = Uint8Array.from(atob(records), (sign) => sign.charCodeAt(0));
    const { verdict, checks } = await verifier.checkRecords(bytes, given, can);
    found.push({ verdict, keys: Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check.key])) });
  }
  return found;
}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """What the page finds of records: the verdict, and by the name of each check the key of its sentence."""

    verdict: str
    keys: dict[str, str]


class VerifierPage:
    """The page, open in a browser."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.path = path
        #: whatever it asked for from elsewhere
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(path.as_uri())

    def differences(self, hands: Sequence[tuple[int, str, str]]) -> list[list[str]]:
        """Of each hand (number, records, the page that the program made of it) what this page shows otherwise."""
        plain = [  # the policy of the page holds for another one's style sheet too
            {"number": number, "records": records, "html": re.sub("<style>.*?</style>", "", html, flags=re.DOTALL)}
            for number, records, html in hands
        ]
        found: list[list[str]] = self.page.evaluate(_COMPARED, plain)
        return found

    def judged(self, cases: Sequence[tuple[str, dict[str, Any]]]) -> list[Judged]:
        """Of each set of records (in base64), with what somebody was given, what the page finds."""
        found = self.page.evaluate(_JUDGED, [{"records": records, "given": given} for records, given in cases])
        return [Judged(verdict=one["verdict"], keys=one["keys"]) for one in found]

    def give(self, *paths: Path, **fields: str) -> None:
        """Somebody chooses these files, and enters what he was given."""
        self.page.set_input_files("#files", [str(path) for path in paths])
        for name, text in fields.items():
            self.page.fill(f"#{name.replace('_', '-')}", text)


@contextmanager
def opened(tabs: Tabs, folder: Path, language: str = DEFAULT) -> Iterator[VerifierPage]:
    """The page in a language, as a file in this folder."""
    path = folder / f"verify-{language}.html"
    path.write_text(verifier_page(language), encoding="utf-8")
    page = tabs.browser.new_page(viewport={"width": 900, "height": 1300})
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
    yield VerifierPage(page, path)
    page.close()


def given_of(hand: Hand, origin: Origin) -> dict[str, Any]:
    """Everything that somebody can be given with a hand, separately and beside its records."""
    last = hand.chain[-1].stored
    about = json.loads(contents(hand, origin)["about.json"])
    return {
        "fingerprint": about["public_key_sha256"],
        "lastSeq": str(last.seq),
        "lastHash": last.hash.hex(),
        "key": origin.public_key.hex(),
        "about": about,
    }
