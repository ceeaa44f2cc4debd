"""The catalogue as Markdown pages, one a rulebook, in Spanish and English side by side.

Made of what changes with the rules: clauses, choices, state machine, and the modules that enforce a clause. Functions
and tests, which change every day, are told only if `tests` are given; `tablectl rules` always tells them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from typing import Final

from tablectl.i18n.clauses.catalogue import Ambiguity, Clause, Document, HouseChoices, Kind, Phase
from tablectl.i18n.clauses.labels import DEADLINES, DEFINITION, KINDS, PHASES, REMEDIES, Label, in_order, runs

INDEX: Final = "README.md"
_MADE: Final = "<!-- Made by `make docs`; do not edit. -->"
_LEFT: Final = "|:--|:--|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One rulebook and what is known about it. `diagram`: lines of Mermaid, none if it cannot be played yet.

    `enforced_in` and `tests` as in `Evidence`; `root`: the way from the page to the sources, with a slash at its end.
    """

    document: Document
    clauses: tuple[Clause, ...]
    choices: HouseChoices
    diagram: tuple[str, ...]
    enforced_in: Mapping[str, tuple[str, ...]]
    root: str
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def open(self) -> tuple[Clause, ...]:
        """What asks something of somebody and is enforced nowhere."""
        return tuple(each for each in self.clauses if not each.definition and not self.enforced_in.get(each.id))

    @property
    def order(self) -> tuple[Phase, ...]:
        """The phases that its clauses name, as a hand goes through them."""
        return in_order(self.clauses)


def pages(chapters: Iterable[Chapter]) -> dict[str, str]:
    """Every page by the name of its file: one a rulebook, and the index."""
    made = tuple(chapters)
    written = {f"{each.document.rulebook}.md": _text(_page(each)) for each in made}
    return {INDEX: _text(_index(made)), **written}


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


# --- the index --------------------------------------------------------------------------------------------------------


def _index(chapters: tuple[Chapter, ...]) -> Iterator[str]:
    yield from (_MADE, "", "# Reglamentos · Rulebooks", "")
    yield "Cada cláusula de los documentos, con nuestras palabras: qué pide, hasta cuándo, qué remedio tiene, qué deja"
    yield "abierto, qué programa la aplica."
    yield ""
    yield "Every clause of the documents, in our own words: what it asks, until when, what its remedy is, what it"
    yield "leaves open, which code enforces it."
    yield ""
    yield "| | documento · document | cláusulas · clauses | sin aplicar · not enforced | se juega · playable |"
    yield "|:--|:--|--:|--:|:--|"
    for each in chapters:
        name = each.document.rulebook
        yield (
            f"| [`{name}`]({name}.md) | {each.document.number} · {each.document.title_es} | {len(each.clauses)} "
            f"| {len(each.open)} | {'sí · yes' if each.diagram else 'todavía no · not yet'} |"
        )
    yield ""
    yield "```"
    yield "tablectl rules texas-bonus            # the same with every function and every test that shows a clause"
    yield "tablectl rules THL-PLE-6 AMB-50       # clauses by their ids, of any rulebook; those of an open point"
    yield "tablectl rules texas-bonus --json     # for programs"
    yield "tablectl rules --pages DIR --tests    # these pages with the tests folded in"
    yield "make docs                             # these pages"
    yield "```"


# --- one rulebook -----------------------------------------------------------------------------------------------------


def _page(chapter: Chapter) -> Iterator[str]:
    document = chapter.document
    yield from (_MADE, "", f"# {document.title_es} · {document.title_en}", "")
    yield f"`{document.rulebook}` · documento · document {document.number} · [índice · index]({INDEX})"
    yield ""
    if document.borrowed is not None:
        lender = document.borrowed.rulebook
        yield f"{document.borrowed.es} · {document.borrowed.en} [`{lender}`]({lender}.md)"
        yield ""
    yield from _summary(chapter)
    sections = [(name, tuple(each)) for name, each in groupby(chapter.clauses, key=lambda clause: clause.section)]
    yield from ("", "## Apartados · Sections", "")
    for number, (section, clauses) in enumerate(sections, start=1):
        yield f"{number}. [{section}](#s{number}) · {_first_to_last(clauses)}"
    yield from _states(chapter)
    yield from _house(chapter)
    for number, (section, clauses) in enumerate(sections, start=1):
        yield from ("", f'<a id="s{number}"></a>', "", f"## {section}")
        for clause in clauses:
            yield from _clause(clause, chapter)


def _summary(chapter: Chapter) -> Iterator[str]:
    yield (
        "| Cómo consta · How it becomes known | | cláusulas · clauses | definiciones · definitions "
        "| en el código · in code |"
    )
    yield "|:--|:--|--:|--:|--:|"
    kinds = Counter(each.kind for each in chapter.clauses)
    definitions = Counter(each.kind for each in chapter.clauses if each.definition)
    enforced = Counter(each.kind for each in chapter.clauses if chapter.enforced_in.get(each.id))
    for kind in Kind:
        yield (
            f"| {KINDS[kind].es} · {KINDS[kind].en} | `{kind}` "
            f"| {kinds[kind]} | {definitions[kind]} | {enforced[kind]} |"
        )
    yield f"| | | **{kinds.total()}** | **{definitions.total()}** | **{enforced.total()}** |"
    yield ""
    if chapter.open:
        named = ", ".join(_link(each) for each in chapter.open)
        yield f"**Todavía no se aplican · Not enforced yet** ({len(chapter.open)}): {named}."
    else:
        yield "Se aplican todas las que piden algo · All of them that ask something are enforced."
    yield ""
    yield (
        "Funciones que aplican cada cláusula y pruebas que la muestran · Functions that enforce each clause and tests"
        f" that show it: `tablectl rules {chapter.document.rulebook}`"
    )


def _states(chapter: Chapter) -> Iterator[str]:
    yield from ("", "## Fases · Phases", "")
    if chapter.diagram:
        yield from ("```mermaid", *chapter.diagram, "```", "")
    else:
        yield from ("Este juego todavía no se juega en una mesa · This game cannot be played at a table yet.", "")
    yield from ("| | Español | English |", "|:--|:--|:--|")
    for phase in chapter.order:
        yield f"| `{phase}` | {PHASES[phase].es} | {PHASES[phase].en} |"


def _house(chapter: Chapter) -> Iterator[str]:
    if not chapter.choices:
        return
    yield from ("", "## Lo que elige la casa · What the house chooses", "")
    yield "En negrita, lo que vale si la casa no dice nada · In bold, what holds if the house says nothing."
    yield ""
    yield from ("| | Español | English | valores · values |", "|:--|:--|:--|:--|")
    for key, choice in chapter.choices.items():
        clause = f"[{choice.clause}](#{choice.clause.lower()})"
        yield f"| `{key}`<br>{clause} | {choice.es} | {choice.en} | {_values(choice.values, choice.default)} |"


def _clause(clause: Clause, chapter: Chapter) -> Iterator[str]:
    yield from ("", f"### {clause.id}", "", _row(Label(clause.es, clause.en)), _LEFT)
    yield _row(_when(clause, chapter))
    if clause.deadline:
        until = DEADLINES[clause.deadline]
        yield _row(Label(f"Hasta {until.es}.", f"Until {until.en}."))
    if clause.remedy:
        remedies = [REMEDIES[each] for each in clause.remedy]
        es, en = ("; ".join(each[language] for each in remedies) for language in (0, 1))
        yield _row(Label(f"Remedio: {es}.", f"Remedy: {en}."))
    for point in clause.ambiguity:
        yield from _open_point(point, chapter)
    yield ""
    yield f"`{clause.kind}` · {_where(clause, chapter)}"
    yield from _shown(clause, chapter)


def _when(clause: Clause, chapter: Chapter) -> Label:
    kind = DEFINITION if clause.definition else KINDS[clause.kind]
    told = tuple(runs(clause.phases, chapter.order))
    es, en = (", ".join(" → ".join(PHASES[each][language] for each in run) for run in told) for language in (0, 1))
    return Label(f"{kind.es}: {es}.", f"{kind.en}: {en}.")


def _open_point(point: Ambiguity, chapter: Chapter) -> Iterator[str]:
    yield _row(Label(f"{point.id}: {point.es}", f"{point.id}: {point.en}"))
    if point.profile_key is not None and point.profile_key in chapter.choices:
        choice = chapter.choices[point.profile_key]
        values = f"`{point.profile_key}`: {_values(choice.values, choice.default)}."
        yield _row(Label(f"Lo elige la casa, {values}", f"The house chooses, {values}"))


def _path_of(module: str) -> str:
    spec = find_spec(module)
    is_package = spec is not None and spec.submodule_search_locations is not None
    return f"{module.replace('.', '/')}{'/__init__' if is_package else ''}.py"


def _where(clause: Clause, chapter: Chapter) -> str:
    modules = sorted({place.partition(":")[0] for place in chapter.enforced_in.get(clause.id, ())})
    paths = [_path_of(module) for module in modules]
    if paths:
        return "aplicada en · enforced in " + ", ".join(f"[{each}]({chapter.root}{each})" for each in paths)
    if clause.definition:
        return "no pide nada a nadie · asks nothing of anybody"
    return "**todavía no se aplica · not enforced yet**"


def _shown(clause: Clause, chapter: Chapter) -> Iterator[str]:
    tests = chapter.tests.get(clause.id, ())
    if tests:
        yield from ("", f"<details><summary>pruebas · tests: {len(tests)}</summary>", "")
        for each in tests:
            path = each.partition("::")[0]
            yield f"- [`{each}`]({chapter.root}{path})"
        yield from ("", "</details>")


def _values(values: Iterable[str], default: str) -> str:
    return " · ".join(f"**`{each}`**" if each == default else f"`{each}`" for each in values)


def _first_to_last(clauses: tuple[Clause, ...]) -> str:
    first, last = clauses[0], clauses[-1]
    return _link(first) if first is last else f"{_link(first)} … {_link(last)}"


def _link(clause: Clause) -> str:
    return f"[{clause.id}](#{clause.id.lower()})"


def _row(label: Label) -> str:
    return "| " + " | ".join(each.replace("|", "\\|") for each in label) + " |"
