"""A pseudo-language: every catalogue translated letter by letter, so that what stands in none of them is seen."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from os import environ
from pathlib import Path
from typing import Final

from simulators import processes
from tests.tools.messages import opened

ROOT: Final = Path(__file__).parents[2]
#: The names of no languages: one whose every sentence is translated, and one of which every other sentence is.
PSEUDO: Final = "qa"
HALF: Final = "qb"
#: English itself stands in no catalogue; the copy has one of it, so that English that is written into the code is seen.
SOURCE: Final = "en"
_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTS: Final = "àƀçðēƒĝĥîĵķļɱŋôþɋŕšţûṽŵẋýžÀƁÇÐĒƑĜĤÎĴĶĻṀŊÔÞɊŔŠŢÛṼŴẊÝŽ"
_ACCENTED: Final = str.maketrans(_PLAIN, _ACCENTS)
#: What is filled in, how a date is written, and tags: as they are in every language.
_KEPT: Final = re.compile(r"\{[^}]*\}|%[A-Za-z]|<[^>]*>|&\w+;")
#: A sentence of an exercise, in English.
_SENTENCE: Final = re.compile(rf"(?m)^(?P<key>#: (?:title|question|hint)) {SOURCE} (?P<said>.*)$")
_WORD: Final = re.compile(r"[A-Za-zÁÉÍÓÚÑáéíóúñ]{2,}")
#: Clauses, ids of games, names of files, and digests: the same in every language.
_CODES: Final = re.compile(
    r"\b[A-Z]{3}-[A-Z][A-Z0-9]{2}-\d+\w?|\btexas-bonus\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}"
    r"|[\w*-]+\.(?:html|json|jsonl|hand|pem|db)\b"
)
_DIGEST: Final = re.compile(r"[0-9a-f\s:…]*")
#: Attributes that a person reads or hears.
_READ: Final = frozenset({"title", "alt", "aria-label", "aria-description", "placeholder"})
_NO_WORDS: Final = frozenset({"style", "script"})


def accented(sentence: str) -> str:
    """A sentence with an accent on every letter, and what is filled in as it was."""
    made, at = [], 0
    for kept in _KEPT.finditer(sentence):
        made += [sentence[at : kept.start()].translate(_ACCENTED), kept[0]]
        at = kept.end()
    return "".join([*made, sentence[at:].translate(_ACCENTED)])


def copy_with(folder: Path, *languages: str) -> None:
    """The program in a folder, with languages that are begun by the documented command."""
    shutil.copytree(ROOT / "tablectl", folder / "tablectl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("drivers", "simulators", "tests", "config"):
        (folder / name).symlink_to(ROOT / name)
    begun = [word for language in languages for word in ("--begin", language)]
    assert run(folder, "tests.tools.messages", *begun).stderr == ""


def copy_of_the_program(folder: Path) -> None:
    """The program in a folder, with the pseudo-languages begun and translated."""
    copy_with(folder, PSEUDO, HALF)
    for path in (folder / "tablectl").rglob("LC_MESSAGES/*.po"):
        if (language := path.parent.parent.name) in (PSEUDO, HALF):
            translate(path, every=1 if language == PSEUDO else 2)
    # The second language is left half translated: it is still being begun, or the command names what is missing.
    assert run(folder, "tests.tools.messages", "--begin", HALF).stderr == ""
    for path in (folder / "tablectl").glob("games/*/exercises/*.hand"):
        translate_exercise(path)
    for path in (folder / "tablectl").rglob(f"{PSEUDO}/LC_MESSAGES/*.mo"):
        english = path.parents[2] / SOURCE / "LC_MESSAGES"
        english.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, english / path.name)


def translate_exercise(path: Path) -> None:
    """Every sentence of an exercise, which stands in its own file; its English, too."""
    text = path.read_text(encoding="utf-8")
    path.write_text(_SENTENCE.sub(_in_both, text), encoding="utf-8")


def _in_both(found: re.Match[str]) -> str:
    said = accented(found["said"])
    return f"{found['key']} {SOURCE} {said}\n{found['key']} {PSEUDO} {said}"


def translate(path: Path, *, every: int) -> None:
    """Each message of a catalogue, or every so many."""
    catalogue = opened(path)
    for entry in list(catalogue)[::every]:
        if entry.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, accented(entry.msgid_plural))
        else:
            entry.msgstr = accented(entry.msgid)
    catalogue.save()


def environment(folder: Path) -> Mapping[str, str]:
    """Of a process that runs the copy."""
    return {**environ, "PYTHONPATH": str(folder)}


def run(folder: Path, module: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A module of the copy, to its end."""
    command = [sys.executable, "-m", module, *words]
    return processes.run(
        command, cwd=folder, env=environment(folder), input=given, capture_output=True, text=True, check=False
    )


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _NO_WORDS
        self.texts += [value or "" for name, value in attrs if name in _READ]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _NO_WORDS

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def read_there(html: str) -> list[str]:
    """Every text of a page that a person reads or hears."""
    read = _Read()
    read.feed(html)
    return read.texts


def untranslated(html: str, names: frozenset[str]) -> Iterator[str]:
    """Every word that a person reads there and that no catalogue says, but these names."""
    for text in read_there(html):
        if _DIGEST.fullmatch(text) is None:
            yield from (word for word in _WORD.findall(_CODES.sub("", text)) if word not in names)
