"""The walk over all pages at all sizes, and the table of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tablectl.i18n.languages import LANGUAGES
from tests.overview.halls import evening
from tests.screens.browsing import Tabs
from tests.screens.shown import Shown
from tests.screens.sizes.legibility import SCREENS, Screen
from tests.screens.sizes.measuring import Finding, Frames, Kind, measure
from tests.screens.sizes.pages import Measured, checks_of, of_overview, of_tables
from tests.screens.sizes.states import TableState
from tests.screens.stages import Stages


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Something that is wrong on a page in a state, at a size."""

    page: str
    of: str
    language: str
    size: str
    finding: Finding

    def __str__(self) -> str:
        where = f"{self.page} {self.of} ({self.language}, {self.size})"
        return f"{where}: {self.finding.kind}: {self.finding.where}: {self.finding.more}"


@dataclass(slots=True)
class Walk:
    """What was walked so far, and what was found. `states`: how many of each page, `checks`: how many looks at one at a
    size in a language."""

    problems: list[Problem] = field(default_factory=list)
    states: dict[str, set[str]] = field(default_factory=dict)
    checks: Counter[str] = field(default_factory=Counter)

    def saw(self, page: str, of: str, language: str, found: Iterable[tuple[Screen, Finding]]) -> None:
        """A page in a state was looked at, at every size."""
        self.states.setdefault(page, set()).add(of)
        self.checks[page] += len(SCREENS)
        self.problems.extend(
            Problem(page=page, of=of, language=language, size=screen.name, finding=finding) for screen, finding in found
        )

    def table(self) -> str:
        """The counts, a line each page and size."""
        kinds = list(Kind)
        rows = [f"{'page':<34}{'size':<11}{'states':>7}{'looks':>7}" + "".join(f"{kind:>11}" for kind in kinds)]
        found = Counter((problem.page, problem.size, problem.finding.kind) for problem in self.problems)
        for page in sorted(self.states):
            for screen in SCREENS:
                counts = "".join(f"{found[page, screen.name, kind]:>11}" for kind in kinds)
                looks = self.checks[page] // len(SCREENS)
                rows.append(f"{page:<34}{screen.name:<11}{len(self.states[page]):>7}{looks:>7}{counts}")
        n_states = sum(map(len, self.states.values()))
        rows.append(f"{n_states} states, {sum(self.checks.values())} looks, {len(self.problems)} problems")
        return "\n".join(rows)


def walk_tables(frames: Frames, states: Sequence[TableState], walk: Walk) -> None:
    """The croupier's and the pit boss's page of every state, in every language."""
    _walk_made(frames, of_tables(states, LANGUAGES), walk)


def walk_overview(frames: Frames, walk: Walk) -> None:
    """The overview of few tables and of many, in every language."""
    for n_tables in (6, 12, 30):
        _walk_made(frames, of_overview(evening(n_tables), LANGUAGES), walk)


def _walk_made(frames: Frames, made: Iterator[Measured], walk: Walk) -> None:
    for page in made:
        walk.saw(page.page, page.of, page.language, frames.measure(page.html, checks_of(page.page)))


def walk_shown(tabs: Tabs, stages: Stages, shown: Shown, walk: Walk) -> None:
    """A page in a state as a server shows it, in every language."""
    with shown.opened(tabs, stages) as page_in:
        for language in LANGUAGES:
            page = page_in(language)
            found: list[tuple[Screen, Finding]] = []
            for check in checks_of(shown.path.removeprefix("/")):
                page.set_viewport_size({"width": check.screen.width, "height": check.screen.height})
                found.extend((check.screen, finding) for finding in measure(page, check))
            walk.saw(shown.path, shown.state, language, found)
