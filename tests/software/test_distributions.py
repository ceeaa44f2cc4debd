"""What tablectl depends on: the same that `importlib.metadata` finds, and every file of it with its hash."""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
from pathlib import Path

import pytest

from tablectl.ops.software.distributions import Recorded, Unreadable, needed, own_version, recorded
from tablectl.ops.software.survey import here
from tests.software.machine import install, machine

LINE = "one.py,sha256=LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ,5\n"


def required_by(name: str, found: dict[str, str], extras: frozenset[str] = frozenset()) -> None:
    """The closure as the standard library tells it. It looks where packages are installed, and not on the whole path:
    what an earlier build left beside the sources may say what was required then.
    """
    sites = [str(site) for site in here().sites]
    distribution = next(iter(importlib.metadata.distributions(name=name, path=sites)), None)
    if distribution is None or (distribution.metadata["Name"] in found and not extras):
        return
    found[distribution.metadata["Name"]] = distribution.version
    for require in distribution.requires or []:
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[([^]]*)\])?", require)
        of_extra = re.search(r"extra == [\"']([^\"']+)[\"']", require)
        if match is not None and (of_extra is None or of_extra[1] in extras):
            required_by(match[1], found, frozenset((match[2] or "").replace(" ", "").split(",")) - {""})


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_distributions_of_this_installation_are_those_that_the_standard_library_finds() -> None:
    expected: dict[str, str] = {}
    required_by("tablectl", expected)
    assert own_version(here().sites) == expected.pop("tablectl")
    told = [path.name.removesuffix(".dist-info").partition("-") for path in needed(here().sites)]
    assert {normal(name): version for name, _, version in told} == {
        normal(name): version for name, version in expected.items()
    }
    assert {"cryptography", "cffi", "uvicorn", "h11"} <= set(map(normal, expected))


def test_the_lines_of_every_record_of_this_installation_are_understood() -> None:
    for info in needed(here().sites):
        lines = [*recorded(info)]
        assert [line.file for line in lines if line.sha256 is None and not line.file.endswith(".pyc")] == [
            f"{info.name}/RECORD"
        ]
        assert all(len(line.sha256) == 64 for line in lines if line.sha256 is not None)


def test_a_record_has_its_hashes_in_hex(tmp_path: Path) -> None:
    (tmp_path / "RECORD").write_text(LINE + 'RECORD,,\n"a,b.py",sha256=!,1\n', encoding="utf-8")
    assert [*recorded(tmp_path)] == [
        Recorded(file="one.py", sha256=hashlib.sha256(b"hello").hexdigest()),
        Recorded(file="RECORD", sha256=None),
        Recorded(file="a,b.py", sha256=""),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one.py\n", "found the line 'one.py'; would be right: FILE,HASH,SIZE"),
        ("\n", "found the line ''; would be right"),
        ("one.py,md5=abc,5\n", "one.py has a hash of kind 'md5'; only sha256 is known"),
        ("one.py,abc,5\n", "one.py has a hash of kind 'abc'"),
    ],
)
def test_a_record_that_is_none_is_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "RECORD").write_text(LINE + text, encoding="utf-8")
    with pytest.raises(Unreadable, match=re.escape(told)):
        [*recorded(tmp_path)]


def test_a_distribution_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    table = machine(tmp_path)
    (table.site / "beta-2.0.dist-info" / "METADATA").write_bytes(b"\xff")
    with pytest.raises(Unreadable, match=r"beta-2\.0\.dist-info/METADATA: cannot be read \(it is not UTF-8 text\)"):
        needed(table.places.sites)


def test_where_tablectl_is_not_installed_nobody_can_say_what_it_depends_on(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"tablectl is not installed in .*; install it with pip"):
        own_version((tmp_path, tmp_path / "none"))


def test_of_two_distributions_of_a_name_the_one_counts_that_python_finds_first(tmp_path: Path) -> None:
    one, other = machine(tmp_path / "one"), machine(tmp_path / "other")
    install(other, "beta-9.0", (), {})
    assert "beta-2.0.dist-info" in [path.name for path in needed((one.site, other.site))]


def test_distributions_that_require_each_other_are_each_found_once(tmp_path: Path) -> None:
    table = machine(tmp_path)
    install(table, "beta-2.0", ("Alpha_Wire",), {})
    assert [path.name for path in needed(table.places.sites)] == ["alpha_wire-1.0.dist-info", "beta-2.0.dist-info"]
