"""`python -m tests.tools.vulnerabilities PIP_AUDIT LOCK...`: known vulnerabilities of the packages in these lock files.

pip-audit ends well where it could ask nobody: it leaves out each package that its index does not know, and without a
network that is all of them. Here that is told, and is no good end.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simulators import processes

#: The exit statuses: nothing known, something known, nobody could be asked about all of them.
GOOD, KNOWN, NOT_ASKED = 0, 1, 2
#: How long one lock file may take.
_PATIENCE_S: Final = 600


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """What an audit found: lines for a person, and how many packages were asked about."""

    known: tuple[str, ...]
    asked: int
    not_asked: tuple[str, ...]

    @property
    def status(self) -> int:
        """What the command ends with; what is known outweighs what is not."""
        if self.known:
            return KNOWN
        return NOT_ASKED if self.not_asked or not self.asked else GOOD

    @property
    def told(self) -> str:
        """Lines that say what was found, what it means and what to do."""
        lines = [*self.known]
        if self.known:
            lines.append("a release waits for this: raise the version in pyproject.toml, then `make lock`")
        if not self.asked:
            lines.append(
                "nothing was checked: no index of vulnerabilities answered; run it where pypi.org is reachable"
            )
        elif self.not_asked:
            lines.append(f"not checked, since the index does not know them: {', '.join(self.not_asked)}")
        return "\n".join([*lines, f"{self.asked} packages checked, {len(self.known)} known vulnerabilities"])


def audited(said: dict[str, Any]) -> Audited:
    """`said`: what pip-audit writes with `--format json`."""
    checked = [one for one in said["dependencies"] if "skip_reason" not in one]
    return Audited(
        known=tuple(
            f"{one['name']} {one['version']}: {flaw['id']}; corrected in {_versions(flaw)}"
            for one in checked
            for flaw in one["vulns"]
        ),
        asked=len(checked),
        not_asked=tuple(one["name"] for one in said["dependencies"] if "skip_reason" in one),
    )


def _versions(flaw: dict[str, Any]) -> str:
    return " ".join(flaw["fix_versions"]) or "no version"


def main(pip_audit: str, *locks: str) -> int:
    """Each lock file, and the worst status of them."""
    worst = GOOD
    for lock in locks:
        words = ("--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off")
        ended = processes.run(
            [pip_audit, *words, "--requirement", lock],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE_S,
        )
        try:
            found = audited(json.loads(ended.stdout))
        except ValueError:  # it could not begin, and says why
            sys.stderr.write(f"{Path(lock).name}: pip-audit did not come to an end: {ended.stderr.strip()}\n")
            worst = max(worst, NOT_ASKED)
            continue
        sys.stdout.write(f"{Path(lock).name}: {found.told}\n")
        worst = max(worst, found.status, key=(GOOD, NOT_ASKED, KNOWN).index)
    return worst


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
