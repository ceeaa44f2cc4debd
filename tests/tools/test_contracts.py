"""The contracts of the imports speak of modules that there are: one about a module that is gone forbids nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
CONFIG: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS: Final[Sequence[Mapping[str, Any]]] = CONFIG["contracts"]


def named(contract: Mapping[str, Any]) -> Iterator[str]:
    """Every module of ours that a contract names, with its wildcards."""
    lines = [*contract.get("source_modules", ()), *contract.get("forbidden_modules", ()), *contract.get("layers", ())]
    lines += [end for line in contract.get("ignore_imports", ()) for end in line.split(" -> ")]
    for line in lines:
        for name in line.replace("|", ":").split(":"):
            module = name.strip(" ()")
            if module.partition(".")[0] in CONFIG["root_packages"]:
                yield module


def is_there(module: str) -> bool:
    path = module.removesuffix(".**").replace(".", "/")
    return any((*ROOT.glob(path), *ROOT.glob(f"{path}.py")))


def test_every_module_that_a_contract_names_is_there() -> None:
    asked = {(contract["id"], module) for contract in CONTRACTS for module in named(contract)}
    assert len(asked) > 50
    assert {asked_for for asked_for in asked if not is_there(asked_for[1])} == set()
