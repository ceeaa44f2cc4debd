"""One small change of a source file at a time: what a careless edit could do to it, and a test should notice.

A mutant is known by the function it is in, the text that is changed and what it becomes, not by its file or line: moved
code has the mutants that it had.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_COMPARED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_CALCULATED: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
#: Where code stands outside every function.
OUTSIDE: Final = "<module>"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One place of a file and what it becomes. `start` and `end`: bytes; `lines`: from the first to the last one."""

    function: str
    before: str
    after: str
    start: int
    end: int
    lines: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """A change of a file; `key` is what it is known by."""

    key: str
    file: Path
    change: Change


def changes_of(source: str) -> Iterator[Change]:
    """Every change, in the order of the file."""
    begins = [0]
    for line in source.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for node, function, is_condition in _nodes(ast.parse(source), OUTSIDE):
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        negated = [f"not {ast.unparse(node)}"] if is_condition and isinstance(node, _PLAIN) else []
        for after in (*_replaced(node, function), *negated):
            yield Change(
                function=function,
                before=ast.unparse(node),
                after=after,
                start=begins[first - 1] + getattr(node, "col_offset", 0),
                end=begins[last - 1] + getattr(node, "end_col_offset", 0),
                lines=(first, last),
            )


def changed(source: str, change: Change) -> str:
    """The file with that change; in brackets, so that what stands around binds as before."""
    text = source.encode()
    after = change.after if change.after in _STATEMENTS else f"({change.after})"
    if change.after.startswith("return"):
        after = change.after
    return (text[: change.start] + after.encode() + text[change.end :]).decode()


def mutants_of(files: Iterable[tuple[Path, str]]) -> Iterator[Mutant]:
    """Those of several files, each with its text. What is the same change of one function comes with a number."""
    seen = Counter[str]()
    for file, source in files:
        for change in changes_of(source):
            text = f"{change.function}: {change.before} -> {change.after}"
            seen[text] += 1
            yield Mutant(key=text if seen[text] == 1 else f"{text} #{seen[text]}", file=file, change=change)


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """The same ones while their code is there, wherever it stands; what is added or goes changes no other's turn."""
    return sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())[:size]


_STATEMENTS: Final = frozenset({"pass", "break", "continue", "return None"})


#: Conditions that say nothing else that could be turned round.
_PLAIN: Final = ast.Name | ast.Attribute | ast.Call | ast.Subscript


def _nodes(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str, bool]]:
    """What can be changed, with the function it is in and whether it is a condition; no docstring, annotation,
    decorator or text."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom):
                continue
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = child.name if function == OUTSIDE else f"{function}.{child.name}"
                yield from _nodes(child, inside)
                continue
            if _is_docstring(child) or _is_assertion(child):
                continue
            yield child, function, name == "test"
            yield from _nodes(child, function)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_assertion(node: ast.AST) -> bool:
    """What only tells the type checker something, or says which fault of ours it would be."""
    return isinstance(node, ast.Assert | ast.Raise)


def _replaced(node: ast.AST, function: str) -> Iterator[str]:
    """What this becomes, once for each way."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.unparse(ast.BoolOp(op=other, values=node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield ast.unparse(node.operand)
    elif isinstance(node, ast.BinOp):
        yield from _calculated(node, function)
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, ast.IfExp):
        yield ast.unparse(ast.IfExp(test=node.test, body=node.orelse, orelse=node.body))
    elif isinstance(node, ast.Return) and node.value is not None and not _is_plain(node.value):
        yield "return None"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "pass"
    elif isinstance(node, ast.Break):
        yield "continue"
    elif isinstance(node, ast.Continue):
        yield "break"


def _compared(node: ast.Compare) -> Iterator[str]:
    for index, op in enumerate(node.ops):
        made = copy.deepcopy(node)
        made.ops[index] = _COMPARED[type(op)]()
        yield ast.unparse(made)


def _calculated(node: ast.BinOp, function: str) -> Iterator[str]:
    other = _CALCULATED.get(type(node.op))
    is_type = isinstance(node.op, ast.BitOr) and function == OUTSIDE
    is_text = any(isinstance(side, ast.Constant | ast.JoinedStr) and not _is_number(side) for side in _sides(node))
    if other is not None and not is_type and not is_text:
        yield ast.unparse(ast.BinOp(left=node.left, op=other(), right=node.right))


def _sides(node: ast.BinOp) -> tuple[ast.expr, ast.expr]:
    return node.left, node.right


def _constant(node: ast.Constant) -> Iterator[str]:
    if isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node.value, int):
        yield str(node.value + 1)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_plain(node: ast.expr) -> bool:
    """None, or a truth: to whoever asks, none at all is the same as False, and True is turned round by itself."""
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))
