"""`make messages`: the gettext catalogues brought in step with each other and compiled. docs/languages.md says when.

The Spanish catalogue is where sentences are written, English and Spanish side by side; every further language follows
it: what is new there stands untranslated, what has another English is fuzzy with the English before, what is gone there
is obsolete.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polib

import tablectl

PROGRAM: Final = Path(tablectl.__file__).parent
LOCALE: Final = PROGRAM / "i18n" / "locale"
#: The folders of catalogues: that of the program, and that of each of its games.
FOLDERS: Final = (LOCALE, *sorted(PROGRAM.glob("games/*/locale")))
#: The language whose catalogue the others follow.
MODEL: Final = "es"
_FUZZY: Final = "fuzzy"
#: A sentence is one line: it can be searched for, and a change of it is one line, too.
_WRAP_COLUMNS: Final = 1_000_000


def opened(path: Path) -> polib.POFile:
    """A catalogue as it stands. Raises `ValueError` where a message stands twice, `OSError` where it cannot be read."""
    return polib.pofile(str(path), wrapwidth=_WRAP_COLUMNS, check_for_duplicates=True)


def compiled(catalogue: polib.POFile) -> bytes:
    """What the program reads of it: the same bytes whenever and wherever it is made."""
    return catalogue.to_binary()


def in_step(model: polib.POFile, other: polib.POFile, language: str) -> polib.POFile:
    """Another language's catalogue with the messages of the model, in its order."""
    made = polib.POFile(wrapwidth=_WRAP_COLUMNS)
    made.header = other.header
    made.metadata = {**model.metadata, **other.metadata, "Language": language}
    known = {entry.msgctxt: entry for entry in other}
    for wanted in model:
        if wanted.obsolete:
            continue
        found = known.pop(wanted.msgctxt, None)
        entry = polib.POEntry(
            msgid=wanted.msgid, msgid_plural=wanted.msgid_plural, msgctxt=wanted.msgctxt, comment=wanted.comment
        )
        made.append(entry)
        if wanted.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(wanted.msgstr_plural, "")
        if found is None:
            continue
        entry.msgstr, entry.tcomment = found.msgstr, found.tcomment
        if wanted.msgid_plural and found.msgid_plural:
            entry.msgstr_plural = found.msgstr_plural
        if (found.msgid, found.msgid_plural) == (wanted.msgid, wanted.msgid_plural):
            entry.flags, entry.previous_msgid = found.flags, found.previous_msgid
        elif found.msgstr or any(found.msgstr_plural.values()):
            entry.flags, entry.previous_msgid = [_FUZZY], found.previous_msgid or found.msgid
    for gone in known.values():
        if gone.msgstr:
            gone.obsolete = 1
            made.append(gone)
    return made


def bring_in_step(locale: Path, begin: Sequence[str] = ()) -> list[Path]:
    """Every catalogue below `locale`, and those of the languages to begin; what was written, in order."""
    written: list[Path] = []
    languages = {folder.name for folder in locale.iterdir() if folder.is_dir()} | set(begin)
    for model_path in sorted((locale / MODEL / "LC_MESSAGES").glob("*.po")):
        model = opened(model_path)
        for language in sorted(languages):
            path = locale / language / "LC_MESSAGES" / model_path.name
            if language == MODEL:
                catalogue = model
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                other = opened(path) if path.exists() else polib.POFile(wrapwidth=_WRAP_COLUMNS)
                catalogue = in_step(model, other, language)
            catalogue.save(str(path))
            path.with_suffix(".mo").write_bytes(compiled(catalogue))
            written.append(path)
    return written


def main(arguments: Sequence[str], folders: Sequence[Path] = FOLDERS) -> int:
    """Write and compile all, and say what is left to translate; 1 where something is in a language that was not just
    begun. Every folder has the languages of the first one."""
    parser = argparse.ArgumentParser(prog="make messages", description=__doc__)
    parser.add_argument(
        "--begin", action="append", default=[], metavar="LANGUAGE", help="a further language, such as fr"
    )
    begun = set(parser.parse_args(arguments).begin)
    languages = sorted(
        begun | {language_folder.name for language_folder in folders[0].iterdir() if language_folder.is_dir()}
    )
    left: Counter[str] = Counter()
    for folder in folders:
        for path in bring_in_step(folder, languages):
            catalogue = opened(path)
            to_do = len(catalogue.untranslated_entries()) + len(catalogue.fuzzy_entries())
            left[path.relative_to(folder).parts[0]] += to_do
            sys.stdout.write(f"{path.relative_to(_root(folders))}: {len(catalogue)} messages, {to_do} to translate\n")
    for language in sorted(begun):
        sys.stdout.write(f"{language}: {left[language]} sentences to translate; until then their English is said\n")
    unfinished = sorted(language for language, to_do in left.items() if to_do and language not in begun)
    for language in unfinished:
        sys.stderr.write(
            f"{language}: {left[language]} sentences are still to be translated, in the catalogues named above (an"
            f" empty msgstr, or marked fuzzy); while you are at it: make messages ARGS='--begin {language}'\n"
        )
    return 1 if unfinished else 0


def _root(folders: Sequence[Path]) -> Path:
    """What all of them are in, so that a catalogue is named the same on every machine."""
    return Path(os.path.commonpath(folders)) if len(folders) > 1 else folders[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
