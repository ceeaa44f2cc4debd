"""`tablectl rules [RULEBOOK|CLAUSE…] [--language LANGUAGE | --json | --pages DIR [--tests]]`: clauses, what enforces
them, which tests show them.

`--json` prints one JSON array, a row a clause: `id`, `kind`, `phases`, `es`, `en`, `enforced_in` (module:name), `tests`
(pytest ids and hand files), `rulebook`, `section` (the document's heading), `deadline` and `profile_key` (text or
null; the first one, if several settle it), `remedy` (a list), `ambiguity` (a list of `id`, `es`, `en`, `profile_key`)
and `definition` (true: it asks nothing of anybody). All clauses of a RULEBOOK; a CLAUSE by its id (`THL-PLE-6`), of
whichever rulebook; those of an open point of a document (`AMB-50`). Without any, every rulebook's. `--pages` writes
Markdown pages with the state diagrams. Otherwise a list for people in one language; the headings of a document are its
own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, TextIO

from tablectl.cli.commands.diagram import mermaid
from tablectl.cli.status import Status
from tablectl.core.os_error_text import told
from tablectl.games.registry import GAMES, RULEBOOKS, choices_of
from tablectl.i18n.clauses.catalogue import Ambiguity, BadCatalogue, Clause, UnknownRulebook, document, load
from tablectl.i18n.clauses.evidence import Evidence, gather, source_root
from tablectl.i18n.clauses.lacks import lacks
from tablectl.i18n.clauses.pages import Chapter, pages, texts_of_pages
from tablectl.i18n.clauses.phases import in_order, runs
from tablectl.i18n.languages import DEFAULT, LANGUAGES
from tablectl.i18n.mistakes import in_language
from tablectl.i18n.table_texts import TableTexts

_WIDTH: Final = 110
#: An id of a clause or of an open point, or what was meant as one.
_ID: Final = re.compile(r"[A-Z]{3}(?:-[A-Z][A-Z0-9]{2})?-[0-9]+[A-Z]?")
_INDENT: Final = " " * 12
_HANGING: Final = _INDENT + "  "
#: The table of the sentences of this list.
_LIST: Final = "rules-list"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    rulebook: str
    clause: Clause
    order: tuple[str, ...]
    evidence: Evidence

    @property
    def enforced_in(self) -> tuple[str, ...]:
        return self.evidence.enforced_in.get(self.clause.id, ())

    @property
    def tests(self) -> tuple[str, ...]:
        return self.evidence.tests.get(self.clause.id, ())

    @property
    def open(self) -> bool:
        return not self.clause.definition and not self.enforced_in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: perhaps ids of rulebooks or clauses, perhaps another form than a list for people."""
    what = f"a rulebook ({', '.join(GAMES)}), or a clause by its id, such as THL-PLE-6"
    parser.add_argument("wanted", metavar="RULEBOOK|CLAUSE", nargs="*", help=what)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON array, a row a clause")
    form.add_argument("--pages", metavar="DIR", type=Path, help="write Markdown pages there, one a rulebook")
    form.add_argument("--language", choices=LANGUAGES, help=f"of the list for people (default: {DEFAULT})")
    parser.add_argument("--tests", action="store_true", help="with --pages: name the tests that show each clause")


def main(args: argparse.Namespace) -> int:
    """As the command line runs it."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """Print the catalogue or write its pages. Exit status 0, or 2 for a wrong rulebook, clause, option or folder."""
    try:
        wanted = _wanted(args.wanted)
        if args.pages is not None:
            return _write_pages(args, stdout)
    except OSError as error:
        stderr.write(f"rules: {told(error, 'a folder in which this user can write')}\n")
        return Status.WRONG_USAGE
    except (BadCatalogue, UnknownRulebook, _UnknownClause) as error:
        stderr.write(f"rules: {error}\n")
        return Status.WRONG_USAGE
    if args.tests:
        stderr.write("rules: --tests goes with --pages; the list names the tests anyway\n")
        return Status.WRONG_USAGE
    evidence = gather()
    orders = {rulebook: in_order(load(rulebook), game.as_shipped.phases) for rulebook, game in GAMES.items()}
    rows = [
        _Row(rulebook=rulebook, clause=clause, order=orders[rulebook], evidence=evidence)
        for rulebook in GAMES
        for clause in load(rulebook)
        if (rulebook, clause.id) in wanted
    ]
    if args.json:
        stdout.write(json.dumps([_as_json(row) for row in rows], ensure_ascii=False, indent=1) + "\n")
    else:
        stdout.writelines(f"{line}\n" for line in _for_people(rows, evidence, args.language or DEFAULT))
    return Status.GOOD


def _wanted(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Rulebook and id of each clause that is meant. Raises `UnknownRulebook`, `_UnknownClause`."""
    every = {(rulebook, entry.id): entry for rulebook in GAMES for entry in load(rulebook)}
    found: set[tuple[str, str]] = set() if words else set(every)
    for word in words:
        clause = word.upper()
        if _ID.fullmatch(clause) is None:
            found |= {(word, entry.id) for entry in load(word)}
        elif of_id := {
            key
            for key, entry in every.items()
            if clause in (entry.id.upper(), *(point.id for point in entry.ambiguity))
        }:
            found |= of_id
        else:
            raise _UnknownClause(clause, sorted({text for _, text in every}))
    return frozenset(found)


class _UnknownClause(Exception):
    """An id that no clause has. The text names near ones."""

    def __init__(self, clause: str, known: Sequence[str]) -> None:
        near = ", ".join(get_close_matches(clause, known, n=4, cutoff=0.7))
        right = f"an id such as {near}" if near else "an id that `tablectl rules RULEBOOK` lists"
        super().__init__(f"there is no clause {clause}; would be right: {right}")


# --- pages ------------------------------------------------------------------------------------------------------------


def made_pages(folder: Path, *, tests: bool = False) -> dict[str, str]:
    """The text of every page as it should stand in `folder`, by file name."""
    evidence = gather()
    root = Path(os.path.relpath(source_root(), folder.resolve())).as_posix() + "/"
    return pages(
        Chapter(
            document=document(rulebook),
            clauses=load(rulebook),
            choices=choices_of(rulebook),
            phases=tuple(GAMES[rulebook].as_shipped.phases),
            diagram=tuple(mermaid(RULEBOOKS[rulebook]({}))) if rulebook in RULEBOOKS else (),
            enforced_in=evidence.enforced_in,
            root=root,
            tests=evidence.tests if tests else {},
        )
        for rulebook in GAMES
    )


def _write_pages(args: argparse.Namespace, stdout: TextIO) -> int:
    """All pages, whatever rulebook was asked for: the index names every one."""
    folder: Path = args.pages
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made_pages(folder, tests=args.tests).items():
        (folder / name).write_text(text, encoding="utf-8")
        stdout.write(f"{folder / name}\n")
    return Status.GOOD


def _texts_in(rulebook: str, language: str) -> TableTexts:
    return TableTexts(language=language, texts=texts_of_pages(), rulebook=rulebook)


def _table_texts(rulebook: str) -> tuple[TableTexts, ...]:
    return tuple(_texts_in(rulebook, language) for language in LANGUAGES)


# --- JSON -------------------------------------------------------------------------------------------------------------


def _texts(rulebook: str, text: Callable[[TableTexts], str]) -> dict[str, str]:
    """A member for each language, called by its code."""
    return {texts.language: text(texts) for texts in _table_texts(rulebook)}


def _point(point: Ambiguity) -> Callable[[TableTexts], str]:
    return lambda t: t.open_point(point.id)


def _as_json(row: _Row) -> dict[str, Any]:
    clause = row.clause
    return {
        "id": clause.id,
        "kind": clause.kind,
        "phases": list(clause.phases),
        **_texts(row.rulebook, lambda t: t.clause(clause.id)),
        "enforced_in": list(row.enforced_in),
        "tests": list(row.tests),
        "rulebook": row.rulebook,
        "section": clause.section,
        "deadline": clause.deadline,
        "remedy": list(clause.remedy),
        "ambiguity": [
            {"id": ambiguity.id, **_texts(row.rulebook, _point(ambiguity)), "profile_key": ambiguity.profile_key}
            for ambiguity in clause.ambiguity
        ],
        "profile_key": clause.profile_key,
        "definition": clause.definition,
    }


# --- people -----------------------------------------------------------------------------------------------------------


def _for_people(rows: list[_Row], evidence: Evidence, language: str) -> Iterator[str]:
    """The clauses under their document's headings; at the end what is missing, and the sum."""
    for rulebook, of_rulebook in groupby(rows, key=lambda row: row.rulebook):
        head, t = document(rulebook), _texts_in(rulebook, language)
        title = t.word("document", rulebook)
        yield t.say(_LIST, "head", rulebook=rulebook, number=head.number, title=title)
        if head.borrows is not None:
            yield f"{t.word('borrowed', rulebook)} tablectl rules {head.borrows}"
        yield ""
        for section, of_section in groupby(of_rulebook, key=lambda row: row.clause.section):
            yield from (f"--- {section} ".ljust(_WIDTH, "-"), "")
            for row in of_section:
                yield from _clause(row, t)
                yield ""
    missing = [clause_row.clause.id for clause_row in rows if clause_row.open]
    t = _texts_in("", language)
    for rulebook in dict.fromkeys(row.rulebook for row in rows):
        for lacking in _lacks(rulebook, evidence):
            yield t.say(_LIST, "not-whole", rulebook=rulebook, text=in_language(lacking, language))
    if missing:
        yield from wrap(t.say(_LIST, "open", clauses=", ".join(missing)), _WIDTH, break_on_hyphens=False)
    yield _sum(rows, evidence, t)


def _lacks(rulebook: str, evidence: Evidence) -> Iterator[str]:
    cited = ((clause, place) for clause, places in evidence.enforced_in.items() for place in places)
    return lacks(GAMES[rulebook], cited=cited, texts=texts_of_pages())


def _clause(row: _Row, t: TableTexts) -> Iterator[str]:
    clause = row.clause
    first, *more = _wrapped(t.clause(clause.id))
    yield f"{clause.id:<11} {first.strip()}"
    yield from more
    how = t.word("clause-kind", "definition" if clause.definition else clause.kind)
    when = ", ".join(
        " → ".join(t.word("clause-phase", phase) for phase in run) for run in runs(clause.phases, row.order)
    )
    yield from _wrapped(f"{how}: {when}.")
    if clause.deadline:
        yield from _wrapped(t.say("rules-page", "until", deadline=t.word("clause-deadline", clause.deadline)))
    if clause.remedy:
        remedies = "; ".join(t.word("clause-remedy", remedy) for remedy in clause.remedy)
        yield from _wrapped(t.say("rules-page", "remedy", remedies=remedies))
    for ambiguity in clause.ambiguity:
        yield from _wrapped(f"{ambiguity.id}: {t.open_point(ambiguity.id)}")
        if ambiguity.profile_key is not None:
            choice = choices_of(row.rulebook)[ambiguity.profile_key]
            others = ", ".join(value for value in choice.values if value != choice.default)
            key, value = ambiguity.profile_key, choice.default
            yield from _wrapped(t.say(_LIST, "house-chooses", key=key, value=value, others=others))
    if clause.definition and not row.enforced_in:
        yield _INDENT + t.say(_LIST, "definition")
    else:
        yield from _listed(t, "enforced-in", row.enforced_in)
    if row.evidence.tests_found and (row.tests or not clause.definition):
        yield from _listed(t, "shown-by", row.tests)


def _wrapped(text: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=_HANGING,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _listed(t: TableTexts, heading: str, names: Iterable[str]) -> Iterator[str]:
    """A name a line, however long: it can be copied."""
    listed = tuple(names)
    how = t.say(_LIST, heading, count=len(listed)) if listed else t.say(_LIST, f"{heading}-nothing")
    yield f"{_INDENT}{how}"
    yield from (f"{_HANGING}{text}" for text in listed)


def _sum(rows: list[_Row], evidence: Evidence, t: TableTexts) -> str:
    enforced = sum(bool(row.enforced_in) for row in rows)
    definitions = sum(row.clause.definition and not row.enforced_in for row in rows)
    shown = sum(bool(row.tests) for row in rows)
    parts = [t.pluralize(_LIST, "clauses", len(rows)), t.say(_LIST, "in-code", count=enforced)]
    if definitions:
        parts.append(t.say(_LIST, "only-define", count=definitions))
    parts.append(t.say(_LIST, "in-tests", count=shown) if evidence.tests_found else t.say(_LIST, "no-tests"))
    return ", ".join(parts)
