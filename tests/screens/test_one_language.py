"""Every page in every state says its sentences in one language: none of another one stands on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest

from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import Texts, load_texts
from tests.i18n.pseudo import read_there
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.shown import SHOWN, Shown, each_page_and_language
from tests.screens.stages import Stages

browser = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}")
PACKAGES: Final = ("tablectl.web.screens",)
#: A part of a sentence that is as long as this stands in no other language by chance.
_LONG: Final = 12
_BRACES: Final = re.compile(r"\{[^}]*\}")
#: Where a person chooses a language, each is named in itself.
_NAMES: Final = frozenset({"language-name"})
#: What a table, a person, a device or an account is called on the stage, and what somebody looked at as it lies in the
#: journal: each is a word of one language as well.
_CALLED: Final = frozenset({"Mesa", "Technician", "sabot", "panel", "manager", "technician", "auditor", "access"})


def _lines(texts: Texts, language: str) -> Iterator[tuple[str, str, str | None]]:
    """Each sentence of the other languages, with its key and what it is in this one."""
    for _, key, entry in texts:
        for other in LANGUAGES:
            if other != language and key not in _NAMES:
                yield from ((key, line, own) for line, own in zip_longest(entry[other], entry[language]) if line)


@cache
def foreign(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Whole sentences that no page in this language says, and parts of those that are filled in."""
    whole: set[str] = set()
    parts: set[str] = set()
    texts = [load_texts(package) for package in PACKAGES]
    own = {line for found in texts for _, _, entry in found for line in entry[language]}
    for found in texts:
        for _, line, here in _lines(found, language):
            if line in own or line == here or line in _CALLED or not re.search(r"[^\W\d_]{3}", line):
                continue
            if "{" not in line:
                whole.add(line)
                continue
            longest = max(map(str.strip, _BRACES.split(line)), key=len)
            if len(longest) >= _LONG and not any(longest in said for said in own):
                parts.add(longest)
    return frozenset(whole), frozenset(parts)


def of_another_language(html: str, language: str) -> list[str]:
    """What stands there and is said in another language alone."""
    whole, parts = foreign(language)
    read = [" ".join(text.split()) for text in read_there(html)]
    return [text for text in read if text in whole or any(part in text for part in parts)]


@browser
@pytest.mark.wide
@pytest.mark.browser
@pytest.mark.parametrize(("shown", "languages"), each_page_and_language(SHOWN))
def test_no_page_says_a_sentence_of_another_language(
    tabs: Tabs, stages: Stages, shown: Shown, languages: tuple[str, ...]
) -> None:
    with shown.opened(tabs, stages) as page_in:
        for language in languages:
            assert of_another_language(page_in(language).content(), language) == []


# --- that it would be seen --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "other"), [("es", "en"), ("en", "es")])
def test_a_sentence_of_another_language_is_seen_as_text_aloud_and_filled_in(language: str, other: str) -> None:
    texts = load_texts(PACKAGES[0])
    own, whole = (texts.text("page", "no-connection", spoken) for spoken in (language, other))
    filled = texts.text("denied", "not-at-table", other).format(croupier="ana")
    assert of_another_language(f"<h1>{own}</h1><p>{whole}</p>", language) == [whole]
    assert of_another_language(f'<p title="{whole}">x</p><p>{filled}</p>', language) == [whole, filled]
