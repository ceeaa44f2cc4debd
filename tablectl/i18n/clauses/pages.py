"""The catalogue as Markdown pages, one a rulebook, in every language side by side.

Made of what changes with the rules: clauses, choices, state machine, and the modules that enforce a clause. Functions
and tests, which change every day, are told only if `tests` are given; `tablectl rules` always tells them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from typing import Final

from tablectl.i18n.clauses.catalogue import Ambiguity, Clause, Document, HouseChoices, Kind
from tablectl.i18n.clauses.phases import in_order, runs
from tablectl.i18n.languages import LANGUAGES, name_of
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import Texts, load_texts

INDEX: Final = "README.md"
_MADE: Final = "<!-- Made by `make docs`; do not edit. -->"
#: The table of the sentences that stand on these pages alone.
_PAGE: Final = "rules-page"
_DEFINITION: Final = "definition"


def texts_of_pages() -> Texts:
    """Everything that is read on them."""
    return load_texts("tablectl.i18n.clauses")


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
    #: all phases of the rulebook, as a hand goes through them
    phases: tuple[str, ...] = ()
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Texts = field(default_factory=texts_of_pages)

    @property
    def table_texts(self) -> tuple[TableTexts, ...]:
        """Every language, for this game."""
        return tuple(
            TableTexts(language=language, texts=self.texts, rulebook=self.document.rulebook) for language in LANGUAGES
        )

    def say(self, key: str) -> str:
        """A sentence of the pages in every language, in one line."""
        return _in_one_line(texts.say(_PAGE, key) for texts in self.table_texts)

    def row(self, text: Callable[[TableTexts], str]) -> str:
        """A line of a table with a text in every language, a column each."""
        return "| " + " | ".join(text(texts).replace("|", "\\|") for texts in self.table_texts) + " |"

    @property
    def open(self) -> tuple[Clause, ...]:
        """What asks something of somebody and is enforced nowhere."""
        return tuple(clause for clause in self.clauses if not clause.definition and not self.enforced_in.get(clause.id))

    @property
    def order(self) -> tuple[str, ...]:
        """The phases that its clauses name, as a hand goes through them."""
        return in_order(self.clauses, self.phases)


def pages(chapters: Iterable[Chapter]) -> dict[str, str]:
    """Every page by the name of its file: one a rulebook, and the index."""
    made = tuple(chapters)
    written = {f"{chapter.document.rulebook}.md": _text(_page(chapter)) for chapter in made}
    return {INDEX: _text(_index(made)), **written}


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _in_one_line(texts: Iterable[str]) -> str:
    return " · ".join(texts)


# --- the index --------------------------------------------------------------------------------------------------------


def _index(chapters: tuple[Chapter, ...]) -> Iterator[str]:
    texts, say = texts_of_pages(), chapters[0].say
    yield from (_MADE, "", f"# {say('rulebooks')}", "")
    for language in LANGUAGES:
        yield from (*texts.lines(_PAGE, "intro", language), "")
    yield f"| | {say('document')} | {say('clauses')} | {say('not-enforced')} | {say('playable')} |"
    yield "|:--|:--|--:|--:|:--|"
    for chapter in chapters:
        name = chapter.document.rulebook
        title = chapter.table_texts[0].word("document", name)
        yield (
            f"| [`{name}`]({name}.md) | {chapter.document.number} · {title} | {len(chapter.clauses)} "
            f"| {len(chapter.open)} | {say('yes' if chapter.diagram else 'not-yet')} |"
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
    document, say = chapter.document, chapter.say
    name = document.rulebook
    yield from (_MADE, "", f"# {_in_one_line(texts.word('document', name) for texts in chapter.table_texts)}", "")
    yield f"`{name}` · {say('document')} {document.number} · [{say('index')}]({INDEX})"
    yield ""
    if document.borrows is not None:
        said = _in_one_line(texts.word("borrowed", name) for texts in chapter.table_texts)
        yield f"{said} [`{document.borrows}`]({document.borrows}.md)"
        yield ""
    yield from _summary(chapter)
    sections = [(name, tuple(members)) for name, members in groupby(chapter.clauses, key=lambda clause: clause.section)]
    yield from ("", f"## {say('sections')}", "")
    for number, (section, clauses) in enumerate(sections, start=1):
        yield f"{number}. [{section}](#s{number}) · {_first_to_last(clauses)}"
    yield from _states(chapter)
    yield from _house(chapter)
    for number, (section, clauses) in enumerate(sections, start=1):
        yield from ("", f'<a id="s{number}"></a>', "", f"## {section}")
        for clause in clauses:
            yield from _clause(clause, chapter)


def _summary(chapter: Chapter) -> Iterator[str]:
    say = chapter.say
    yield f"| {say('how-known')} | | {say('clauses')} | {say('definitions')} | {say('in-code')} |"
    yield "|:--|:--|--:|--:|--:|"
    kinds = Counter(clause.kind for clause in chapter.clauses)
    definitions = Counter(clause.kind for clause in chapter.clauses if clause.definition)
    enforced = Counter(clause.kind for clause in chapter.clauses if chapter.enforced_in.get(clause.id))
    for kind in Kind:
        called = _in_one_line(texts.word("clause-kind", kind) for texts in chapter.table_texts)
        yield f"| {called} | `{kind}` | {kinds[kind]} | {definitions[kind]} | {enforced[kind]} |"
    yield f"| | | **{kinds.total()}** | **{definitions.total()}** | **{enforced.total()}** |"
    yield ""
    if chapter.open:
        named = ", ".join(_link(clause) for clause in chapter.open)
        yield f"**{say('open')}** ({len(chapter.open)}): {named}."
    else:
        yield say("none-open")
    yield ""
    yield f"{say('shown-by')}: `tablectl rules {chapter.document.rulebook}`"


def _languages() -> str:
    return " | ".join(name_of(language) for language in LANGUAGES)


def _states(chapter: Chapter) -> Iterator[str]:
    yield from ("", f"## {chapter.say('phases')}", "")
    if chapter.diagram:
        yield from ("```mermaid", *chapter.diagram, "```", "")
    else:
        yield from (chapter.say("cannot-be-played"), "")
    yield from (f"| | {_languages()} |", _left(1 + len(LANGUAGES)))
    for phase in chapter.order:
        yield f"| `{phase}` | {' | '.join(texts.word('clause-phase', phase) for texts in chapter.table_texts)} |"


def _left(columns: int) -> str:
    return f"|{':--|' * columns}"


def _house(chapter: Chapter) -> Iterator[str]:
    if not chapter.choices:
        return
    yield from ("", f"## {chapter.say('choices')}", "")
    yield chapter.say("in-bold")
    yield ""
    yield from (f"| | {_languages()} | {chapter.say('values')} |", _left(2 + len(LANGUAGES)))
    for key, choice in chapter.choices.items():
        clause = f"[{choice.clause}](#{choice.clause.lower()})"
        decides = " | ".join(texts.choice(key) for texts in chapter.table_texts)
        yield f"| `{key}`<br>{clause} | {decides} | {_values(choice.values, choice.default)} |"


def _clause(clause: Clause, chapter: Chapter) -> Iterator[str]:
    yield from ("", f"### {clause.id}", "", chapter.row(lambda t: t.clause(clause.id)), _left(len(LANGUAGES)))
    yield chapter.row(lambda t: _when(t, clause, chapter.order))
    if clause.deadline:
        until = clause.deadline
        yield chapter.row(lambda t: t.say(_PAGE, "until", deadline=t.word("clause-deadline", until)))
    if clause.remedy:
        yield chapter.row(lambda t: t.say(_PAGE, "remedy", remedies="; ".join(_remedies(t, clause))))
    for point in clause.ambiguity:
        yield from _open_point(point, chapter)
    yield ""
    yield f"`{clause.kind}` · {_where(clause, chapter)}"
    yield from _shown(clause, chapter)


def _remedies(t: TableTexts, clause: Clause) -> Iterator[str]:
    return (t.word("clause-remedy", remedy) for remedy in clause.remedy)


def _when(t: TableTexts, clause: Clause, order: Iterable[str]) -> str:
    kind = t.word("clause-kind", _DEFINITION if clause.definition else clause.kind)
    told = (" → ".join(t.word("clause-phase", phase) for phase in run) for run in runs(clause.phases, order))
    return f"{kind}: {', '.join(told)}."


def _open_point(point: Ambiguity, chapter: Chapter) -> Iterator[str]:
    yield chapter.row(lambda t: f"{point.id}: {t.open_point(point.id)}")
    if point.profile_key is not None and point.profile_key in chapter.choices:
        choice = chapter.choices[point.profile_key]
        values = f"`{point.profile_key}`: {_values(choice.values, choice.default)}."
        yield chapter.row(lambda t: t.say(_PAGE, "house-chooses", values=values))


def _path_of(module: str) -> str:
    spec = find_spec(module)
    is_package = spec is not None and spec.submodule_search_locations is not None
    return f"{module.replace('.', '/')}{'/__init__' if is_package else ''}.py"


def _where(clause: Clause, chapter: Chapter) -> str:
    modules = sorted({place.partition(":")[0] for place in chapter.enforced_in.get(clause.id, ())})
    paths = [_path_of(module) for module in modules]
    if paths:
        return f"{chapter.say('enforced-in')} " + ", ".join(f"[{path}]({chapter.root}{path})" for path in paths)
    if clause.definition:
        return chapter.say("asks-nothing")
    return f"**{chapter.say('not-enforced-yet')}**"


def _shown(clause: Clause, chapter: Chapter) -> Iterator[str]:
    tests = chapter.tests.get(clause.id, ())
    if tests:
        yield from ("", f"<details><summary>{chapter.say('tests')}: {len(tests)}</summary>", "")
        for text in tests:
            path = text.partition("::")[0]
            yield f"- [`{text}`]({chapter.root}{path})"
        yield from ("", "</details>")


def _values(values: Iterable[str], default: str) -> str:
    return " · ".join(f"**`{value}`**" if value == default else f"`{value}`" for value in values)


def _first_to_last(clauses: tuple[Clause, ...]) -> str:
    first, last = clauses[0], clauses[-1]
    return _link(first) if first is last else f"{_link(first)} … {_link(last)}"


def _link(clause: Clause) -> str:
    return f"[{clause.id}](#{clause.id.lower()})"
