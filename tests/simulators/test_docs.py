"""The page on simulators names every kind of fault with an example that works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulators.devices.faults import FaultKind, FaultPlan, TagFaultKind, load_faults

PAGE = (Path(__file__).parents[2] / "docs" / "simulators.md").read_text(encoding="utf-8")


def plan_of(example: str, table: str, tmp_path: Path) -> FaultPlan:
    file = tmp_path / "plan.toml"
    file.write_text(f"[[{table}]]\n" + "\n".join(re.findall("`([^`]+)`", example)) + "\n", encoding="utf-8")
    return load_faults(file)


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_of_the_wire_has_an_example_that_is_a_plan(kind: FaultKind, tmp_path: Path) -> None:
    [example] = re.findall(rf"^\| `{kind}` \| ([^|]+) \|", PAGE, re.MULTILINE)
    [fault] = plan_of(example, "fault", tmp_path).faults
    assert fault.kind is kind


@pytest.mark.parametrize("kind", TagFaultKind)
def test_every_fault_of_a_field_has_an_example_that_is_a_plan(kind: TagFaultKind, tmp_path: Path) -> None:
    [example] = re.findall(rf"^\| `{kind}` \| ([^|]+) \|", PAGE, re.MULTILINE)
    [fault] = plan_of(example, "tag-fault", tmp_path).tag_faults
    assert fault.kind is kind
