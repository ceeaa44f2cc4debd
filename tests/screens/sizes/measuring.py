"""What is wrong with a page at its size: wider than the screen, clipped, overlapping, too small to read or to hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, Route

from tests.screens.sizes.legibility import Reading, Screen

#: The smallest thing that a finger hits, in CSS pixels.
TARGET_PX: Final = 44
_MEASURE: Final = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
_HERE: Final = f"(rules) => ({_MEASURE})(window, rules)"
#: A page in frames of several sizes. Its scripts do not run, and nothing is painted: it lies beside the window. What it
#: says where no script runs is left out, as in a browser where they do. Where the page before has the same style
#: sheets, only its body is changed.
_IN_FRAMES: Final = f"""async ([html, rules]) => {{
    const measure = {_MEASURE};
    const made = new DOMParser().parseFromString(html, "text/html");
    for (const unseen of made.querySelectorAll("noscript")) unseen.remove();
    const sheetsOf = (shown) => [...shown.querySelectorAll("link[rel=stylesheet]")];
    const sheets = (shown) => sheetsOf(shown).map((link) => link.getAttribute("href")).join();
    const found = [];
    for (const frame of document.querySelectorAll("iframe")) {{
        if (sheets(made) === sheets(frame.contentDocument)) {{
            frame.contentDocument.documentElement.lang = made.documentElement.lang;
            frame.contentDocument.body.replaceWith(frame.contentDocument.importNode(made.body, true));
            frame.contentWindow.scrollTo(0, 0);
        }} else {{
            const loaded = new Promise((resolve) => {{ frame.onload = resolve; }});
            frame.srcdoc = `<!doctype html>${{made.documentElement.outerHTML}}`;
            await loaded;
        }}
        found.push(measure(frame.contentWindow, rules[found.length]));
    }}
    return found;
}}"""
#: Tables of data that are moved sideways on a phone.
_SCROLLS_SIDEWAYS: Final = ".scrolls, main.auditor table"
#: What explains an amount or a key, and need not be read from as far.
_BESIDES: Final = ".second, small, .undo"
_ADDRESS: Final = "http://screens.test/"
#: Where the files of pages are, the longer address first.
_STATICS: Final = {
    "/static/overview/": "tablectl.web.overview",
    "/static/training/": "tablectl.web.training",
    "/static/": "tablectl.web.screens",
}


class Kind(StrEnum):
    """What can be wrong."""

    WIDE = "wide"
    CLIPPED = "clipped"
    OVERLAP = "overlap"
    SMALL = "small"
    ILLEGIBLE = "illegible"
    UNSEEN = "unseen"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong: `where` in the page, and what stands there."""

    kind: Kind
    where: str
    more: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What a page has to keep besides what all pages do, as selectors: what has to be legible from `far` and from
    `near` beside all amounts, and what has to be `seen` without a scroll."""

    far: Sequence[str] = ()
    near: Sequence[str] = ()
    seen: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """The rules of a page on a screen."""

    screen: Screen
    rules: Rules


@dataclass(frozen=True, kw_only=True, slots=True)
class _Legible:
    """What has to have a font of so many pixels; `money`: and whatever is said with a currency."""

    what: str
    px: float
    money: bool = False


def measure(page: Page, check: Check) -> list[Finding]:
    """What is wrong with the page that is open, which has the size of the screen."""
    return msgspec.convert(page.evaluate(_HERE, _said(check.screen, check.rules)), list[Finding])


def _said(screen: Screen, rules: Rules) -> Mapping[str, Any]:
    """The rules in numbers."""
    return {
        "legible": [asdict(legible) for legible in _legible(screen, rules)],
        "besides": _BESIDES,
        "seen": list(rules.seen),
        "scrollsSideways": _SCROLLS_SIDEWAYS,
        "target": TARGET_PX,
    }


def _legible(screen: Screen, rules: Rules) -> list[_Legible]:
    """The first one that fits counts."""
    far_px, near_px = screen.font_px(Reading.FAR), screen.font_px(Reading.NEAR)
    found = []
    if far_px is not None and rules.far:
        found.append(_Legible(what=", ".join(rules.far), px=far_px))
    if near_px is not None:
        near = rules.near if far_px is not None else (*rules.near, *rules.far)
        found.append(_Legible(what=", ".join(near) or "no-such-thing", px=near_px, money=True))
    return found


class Frames:
    """Pages of HTML at several sizes at once, without a server."""

    def __init__(self, page: Page, sizes: Sequence[Screen]) -> None:
        self._page = page
        self._sizes = sizes
        page.route(f"{_ADDRESS}**", self._answer)
        page.goto(_ADDRESS)

    def measure(self, html: str, checks: Sequence[Check]) -> list[tuple[Screen, Finding]]:
        """What is wrong with a page on each screen, with the rules there; in the order of the sizes."""
        assert [check.screen.name for check in checks] == [screen.name for screen in self._sizes]
        told = self._page.evaluate(_IN_FRAMES, [html, [_said(check.screen, check.rules) for check in checks]])
        found = msgspec.convert(told, list[list[Finding]])
        return [(check.screen, finding) for check, these in zip(checks, found, strict=True) for finding in these]

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(_ADDRESS.rstrip("/"))
        if path == "/":
            frames = (
                f'<iframe width="{screen.width}" height="{screen.height}" sandbox="allow-same-origin"'
                ' style="position: absolute; left: -9999px; border: 0"></iframe>'
                for screen in self._sizes
            )
            route.fulfill(body=f"<!doctype html><body>{''.join(frames)}", content_type="text/html")
        elif path.endswith(".css"):
            route.fulfill(body=_static(path), content_type="text/css")
        else:
            route.abort()


def _static(path: str) -> str:
    head, package = next((head, package) for head, package in _STATICS.items() if path.startswith(head))
    return files(package).joinpath("static", path.removeprefix(head)).read_text(encoding="utf-8")
