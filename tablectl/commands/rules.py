"""`tablectl rules [RULEBOOK] [--json]`: the clause catalogue, with what enforces each clause and which tests show it.

`--json` prints one JSON array, a row a clause: `id`, `kind`, `phases`, `es`, `en`, `enforced_in` (module:name), `tests`
(pytest ids and hand files), `rulebook`, `section` (the document's heading), `deadline` and `profile_key` (text or
null; the first one, if several settle it), `remedy` (a list), `ambiguity` (a list of `id`, `es`, `en`, `profile_key`)
and `definition` (true: it asks nothing of anybody). Without RULEBOOK, every rulebook's clauses. Otherwise a list for
people, in both languages.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final, TextIO

from tablectl.catalogue.catalogue import CATALOGUES, Clause, UnknownRulebook, load
from tablectl.catalogue.evidence import Evidence, gather

OK: Final = 0
WRONG_USAGE: Final = 2
_WIDTH: Final = 110
_INDENT: Final = " " * 13


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    rulebook: str
    clause: Clause
    evidence: Evidence

    @property
    def enforced_in(self) -> tuple[str, ...]:
        return self.evidence.enforced_in.get(self.clause.id, ())

    @property
    def tests(self) -> tuple[str, ...]:
        return self.evidence.tests.get(self.clause.id, ())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: perhaps a rulebook's id, perhaps `--json`."""
    parser.add_argument("rulebook", metavar="RULEBOOK", nargs="?", help="one of: " + ", ".join(CATALOGUES))
    parser.add_argument("--json", action="store_true", help="one JSON array, a row a clause")


def main(args: argparse.Namespace) -> int:
    """As the command line runs it."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """Print the catalogue. Exit status 0, or 2 for a rulebook that does not exist."""
    wanted = tuple(CATALOGUES) if args.rulebook is None else (args.rulebook,)
    try:
        clauses = [(rulebook, clause) for rulebook in wanted for clause in load(rulebook)]
    except UnknownRulebook as error:
        stderr.write(f"rules: {error}\n")
        return WRONG_USAGE
    evidence = gather()
    rows = [_Row(rulebook=rulebook, clause=clause, evidence=evidence) for rulebook, clause in clauses]
    if args.json:
        stdout.write(json.dumps([_as_json(each) for each in rows], ensure_ascii=False, indent=1) + "\n")
    else:
        stdout.writelines(f"{line}\n" for each in rows for line in _for_people(each))
        stdout.write(_summary(rows, evidence))
    return OK


def _as_json(row: _Row) -> dict[str, Any]:
    clause = row.clause
    return {
        "id": clause.id,
        "kind": clause.kind,
        "phases": list(clause.phases),
        "es": clause.es,
        "en": clause.en,
        "enforced_in": list(row.enforced_in),
        "tests": list(row.tests),
        "rulebook": row.rulebook,
        "section": clause.section,
        "deadline": clause.deadline,
        "remedy": list(clause.remedy),
        "ambiguity": [
            {"id": each.id, "es": each.es, "en": each.en, "profile_key": each.profile_key} for each in clause.ambiguity
        ],
        "profile_key": clause.profile_key,
        "definition": clause.definition,
    }


def _for_people(row: _Row) -> Iterator[str]:
    clause = row.clause
    until = f", until {clause.deadline}" if clause.deadline else ""
    remedy = f", remedy {' + '.join(clause.remedy)}" if clause.remedy else ""
    yield f"{clause.id:<12} {clause.kind}: {', '.join(clause.phases)}{until}{remedy} [{clause.section}]"
    yield from _indented(clause.es)
    yield from _indented(clause.en)
    for each in clause.ambiguity:
        key = f" (profile: {each.profile_key})" if each.profile_key else ""
        yield from _indented(f"{each.id}: {each.en}{key}")
    nowhere = "nowhere, it only says what a word means" if clause.definition else "nowhere"
    yield from _indented(f"enforced in: {', '.join(row.enforced_in) or nowhere}")
    yield from _indented(f"tests: {', '.join(row.tests) or 'none'}")


def _indented(text: str) -> list[str]:
    return wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT + "  ", break_long_words=False)


def _summary(rows: list[_Row], evidence: Evidence) -> str:
    enforced = sum(bool(each.enforced_in) for each in rows)
    shown = sum(bool(each.tests) for each in rows)
    tests = f"{shown} shown by tests" if evidence.tests_found else "tests are not installed here"
    return f"{len(rows)} clauses, {enforced} enforced in code, {tests}\n"
