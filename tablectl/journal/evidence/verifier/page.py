"""The page with which anybody checks the records of a hand in a browser and reads the hand out of them.

It is a second implementation on purpose, in another language: scripts beside this module read the records, and share
nothing with the program but its sentences. The page loads nothing and sends nothing; its policy forbids both, and names
its one script by its hash. It is the same file for every hand, table and house, so that its own hash can be published.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

from babel.numbers import get_decimal_symbol, get_group_symbol
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tablectl.games.registry import CIRCLE_GAMES, PROFILES, choices_of
from tablectl.i18n.languages import locale_of
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import MissingText, Texts, load_texts
from tablectl.journal.evidence.style import record_style

_EVIDENCE: Final = "tablectl.journal.evidence"
_SCRIPTS: Final = ("checks.js", "hand.js", "words.js", "show.js")
#: What the page's scripts can do without its files being opened: what a test calls.
_OFFERED: Final = "checkRecords, abilities, handsOf, readHand, handShown, setupOf, asTheyStand"
#: Whose sentences the page has with it: those that tell a hand, and its own.
TABLES: Final = (
    *(
        "access",
        "action",
        "action-may",
        "attempted",
        "bet",
        "card",
        "card-name",
        "category",
        "chooser",
        "clause",
        "decision",
    ),
    *("deck-state", "declaration", "entry", "fact", "fee", "float-form", "game", "house-choice", "key", "move"),
    *("number", "outcome", "page", "person", "person-role", "phase", "place", "plug", "question", "rank", "refusal"),
    *("remedy", "role", "said", "spot", "suit", "test", "tilt", "title", "tracking", "verifier", "word"),
)
#: So many numbers tell which form of a language each number has: none looks further than at the last two digits.
_COUNTED: Final = 200


@cache
def verifier_page(language: str) -> str:
    """The whole page, in one language."""
    folder = files(_EVIDENCE).joinpath("verifier")
    templates = Environment(loader=FileSystemLoader(str(folder)), autoescape=True, undefined=StrictUndefined)
    style = record_style() + Markup(folder.joinpath("verify.css").read_text(encoding="utf-8"))
    sources = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS)
    offered = f"globalThis.verifier = Object.freeze({{ {_OFFERED} }});"
    script = Markup(f'"use strict";\n(() => {{\n{sources}\n{offered}\n}})();\n')
    texts = load_texts(_EVIDENCE)
    said = json.dumps(_said(texts, language), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return templates.get_template("verify.html").render(
        t=TableTexts(language=language, texts=texts, rulebook=""),
        program=f"tablectl {version('tablectl')}",
        policy=_policy(script, style),
        style=style,
        script=script,
        texts=Markup(said.replace("<", "\\u003c")),
    )


def _policy(script: str, style: str) -> str:
    """Nothing is loaded and nothing is sent; one script and one style sheet, by their hashes."""
    own = f"script-src {_hash(script)}; style-src {_hash(style)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _hash(source: str) -> str:
    """How a policy names a script or a style sheet (Content Security Policy Level 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _said(texts: Texts, language: str) -> Mapping[str, Any]:
    """What the scripts say, and what they have to know of languages and games to say it."""
    locale = locale_of(language)
    pattern = locale.currency_formats["standard"]
    counting = {(table, key): forms(texts, table, key, language) for table, key in _sentences(texts)}
    return {
        "texts": {
            table: {
                key: texts.text(table, key, language) for key in sorted(texts.keys(table)) if not counting[table, key]
            }
            for table in TABLES
        },
        "counting": {
            table: {key: counting[table, key] for key in sorted(texts.keys(table)) if counting[table, key]}
            for table in TABLES
        },
        "money": {
            "before": pattern.prefix[0],
            "after": pattern.suffix[0],
            "grouping": pattern.grouping,
            "group": get_group_symbol(locale),
            "decimal": get_decimal_symbol(locale),
            "symbols": dict(locale.currency_symbols),
        },
        "circle": sorted(CIRCLE_GAMES),
        "choices": {
            rulebook: {key: choice.clause for key, choice in choices_of(rulebook).items()}
            for rulebook in sorted(PROFILES)
        },
    }


def _sentences(texts: Texts) -> Iterator[tuple[str, str]]:
    return ((table, key) for table in TABLES for key in texts.keys(table))


def forms(texts: Texts, table: str, key: str, language: str) -> Mapping[str, Any] | None:
    """The forms of a sentence that counts, and for each number which one it has; None for one that does not count."""
    try:
        said = [texts.form(table, key, language, number) for number in range(_COUNTED)]
    except MissingText:
        return None
    different = list(dict.fromkeys(said))
    return {"forms": different, "which": [different.index(text) for text in said]}
