"""Which sentences the code and the templates ask for, and what templates say without asking: read, not run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from jinja2 import Environment, nodes

#: Methods of `TableTexts` and `Texts` that take a table and a key; `page` takes a key of the table "page".
_WITH_TABLE: Final = frozenset({"say", "word", "text", "lines", "has", "pluralize", "form"})
_PAGE: Final = "page"
#: Attributes that a person reads or hears.
_READ: Final = frozenset({"title", "alt", "aria-label", "aria-description", "placeholder", "content"})
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@dataclass(kw_only=True)
class Asked:
    """`exact`: table and key, as they are written down; `composed`: tables whose keys are put together when it runs;
    `literals`: every string that could be a key or a part of one."""

    exact: set[tuple[str, str]] = field(default_factory=set)
    composed: set[str] = field(default_factory=set)
    literals: set[str] = field(default_factory=set)

    def might_ask(self, table: str, key: str) -> bool:
        """Whether somebody asks for it, as far as that can be read."""
        return (table, key) in self.exact or (table in self.composed and self._can_be_made(key))

    def _can_be_made(self, key: str) -> bool:
        """Out of strings that stand in the code, with hyphens between them; numbers, ranks and suits
        are counted, not written."""
        if key in self.literals or key.isdecimal() or len(key) == 1:
            return True
        return any(
            self._can_be_made(key[:at]) and self._can_be_made(key[at + 1 :])
            for at, sign in enumerate(key)
            if sign == "-"
        )


def asked_in(modules: Iterable[Path], templates: Iterable[Path], scripts: Iterable[Path] = ()) -> Asked:
    """What these ask for."""
    asked = Asked()
    for path in modules:
        _read_module(ast.parse(path.read_text(encoding="utf-8")), asked)
    for path in templates:
        _read_template(Environment().parse(path.read_text(encoding="utf-8")), asked)
    for path in scripts:
        _read_script(path.read_text(encoding="utf-8"), asked)
    return asked


#: A script that has the catalogues with it asks as the code does: `say("table", "key")`, `page("key")`.
_ASKED_BY_NAME: Final = re.compile(r'\b(say|word|pluralize)\(\s*"([a-z-]+)", (?:"([a-z-]+)"|[^")])')
_ASKED_OF_PAGE: Final = re.compile(r'\bpage\("([a-z-]+)"')


def _read_script(source: str, asked: Asked) -> None:
    for _, table, key in _ASKED_BY_NAME.findall(source):
        if key:
            asked.exact.add((table, key))
        else:
            asked.composed.add(table)
    asked.exact |= {(_PAGE, key) for key in _ASKED_OF_PAGE.findall(source)}
    asked.literals |= {part for word in re.findall(r"[a-z][a-z-]*", source) for part in _parts(word)}


def _read_module(tree: ast.Module, asked: Asked) -> None:
    constants = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None
        for target in ([node.target] if isinstance(node, ast.AnnAssign) else node.targets)
        if isinstance(target, ast.Name)
    }

    def choices(node: ast.expr) -> set[str] | None:
        match node:
            case ast.Constant(value=str(value)):
                return {value}
            case ast.IfExp(body=one, orelse=other):
                found = choices(one), choices(other)
                return None if found[0] is None or found[1] is None else found[0] | found[1]
            case ast.Name(id=name) if name in constants and isinstance(constants[name], ast.Constant):
                return choices(constants[name])
        return None

    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            asked.literals |= _parts(node.value)
        elif isinstance(node, ast.Call):
            keywords = {keyword.arg: keyword.value for keyword in node.keywords}
            if isinstance(node.func, ast.Attribute):
                _note(asked, node.func.attr, [choices(arg) for arg in node.args])
            if "table" in keywords:
                asked.composed |= choices(keywords["table"]) or set()
        elif isinstance(node, ast.FunctionDef):
            for name, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if name.arg == "table" and default is not None:
                    asked.composed |= choices(default) or set()


def _read_template(tree: nodes.Template, asked: Asked) -> None:
    def choices(node: nodes.Node) -> set[str] | None:
        match node:
            case nodes.Const(value=str(value)):
                return {value}
            case nodes.CondExpr(expr1=one, expr2=other) if other is not None:
                found = choices(one), choices(other)
                return None if found[0] is None or found[1] is None else found[0] | found[1]
        return None

    for const in tree.find_all(nodes.Const):
        if isinstance(const.value, str):
            asked.literals |= _parts(const.value)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr):
            _note(asked, call.node.attr, [choices(arg) for arg in call.args])


def _parts(text: str) -> set[str]:
    """What a string gives to a key: itself, as a key is written, without its last sign, and what was of a seat."""
    return {text, text.replace(" ", "-"), text.strip("-=.+:"), text.partition("-seat-")[0]}


def _note(asked: Asked, method: str, given: list[set[str] | None]) -> None:
    if method == _PAGE:
        given = [{_PAGE}, *given]
    elif method not in _WITH_TABLE:
        # a method of our own that hands a table on: `incident_key("steps", …)`
        asked.composed |= {text for choice in given[:1] for text in choice or ()}
        return
    if len(given) < 2 or given[0] is None:
        return
    for table in given[0]:
        if given[1] is None:
            asked.composed.add(table)
        else:
            asked.exact |= {(table, key) for key in given[1]}


# --- what a template says by itself -----------------------------------------------------------------------------------


#: What is in these is for no person, or is typed as it stands.
_NO_WORDS: Final = ("style", "script", "code")


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _NO_WORDS
        named = dict(attrs)
        is_read = tag != "meta" or named.get("name") == "description"
        self.texts += [value or "" for name, value in attrs if name in _READ and is_read]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _NO_WORDS

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def words_in_template(source: str) -> Iterator[str]:
    """Every word that a person would read and that no catalogue says."""
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|&amp;\w+=", "", source, flags=re.DOTALL)
    read = _Read()
    read.feed(re.sub(r"\{\{.*?\}\}", "0", bare, flags=re.DOTALL))
    for text in read.texts:
        yield from _WORD.findall(text)


#: Two words and a blank between them: what a script says to a person, and no selector or header has.
_SENTENCE: Final = re.compile(r"[^\W\d_]{2,}[,:]? [^\W\d_]{2,}")
#: Selectors, queries of the screen and names of classes: said to the page, and to nobody.
_FOR_THE_PAGE: Final = re.compile(
    r"(?:querySelector(?:All)?|closest|matches|matchMedia)\(\s*(?:\"[^\"]*\"|'[^']*'|`[^`]*`)"
)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"' + r"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`")


def sentences_in_script(source: str) -> Iterator[str]:
    """Every string of a script that reads like a sentence."""
    bare = re.sub(r"(?m)(?:^|\s)//.*$", "", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL))
    bare = _FOR_THE_PAGE.sub("", bare)
    for found in _QUOTED.finditer(bare):
        text = next(group for group in found.groups() if group is not None)
        yield from (text for _ in range(1) if _SENTENCE.search(re.sub(r"\$\{.*?\}", "0", text)))
