"""`make bench`: how fast the table is, as ratios measured in one run, printed and written as JSON.

Times on one machine say little to another; the reaction therefore stands beside its floor, measured card by card in
turn with it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from simulators.stage.bench import antennas, circle, phh
from simulators.stage.bench.journal import long_journal, measure_appends, verified_a_second
from simulators.stage.bench.published import published
from simulators.stage.bench.reaction import QUIET_S, Samples, measure, ready_s
from simulators.stage.bench.replay import hands, hands_a_second

#: What is to be reached.
RATIO_P50: Final = 1.5
RATIO_P99: Final = 2.0
HANDS_A_SECOND: Final = 3000.0
CIRCLE_HANDS_A_SECOND: Final = 2000.0
RESIDENT_MB: Final = 60.0
READY_S: Final = 0.5
APPEND_RATIO: Final = 1.5
VERIFIED_A_SECOND: Final = 100_000.0
RESUMED_S: Final = 1.0
IDLE_PERCENT: Final = 1.0
SWEEP_S: Final = 0.25
ALERT_MS: Final = 250.0
PIXELS_MS: Final = 100.0

STARTS: Final = 7
REPLAYS: Final = 9
REPLAYED_HANDS: Final = 500
PLAYERS: Final = 5
APPENDED_HANDS: Final = 100
MILLION: Final = 1_000_000
VERIFIED_TIMES: Final = 3
PHH_RUNS: Final = 7
RANDOM_HANDS: Final = 100
ALERTS: Final = 30
SHOWN_HANDS: Final = 15


def main() -> int:
    """Exit status 0, or 1 where a figure was not reached."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--hands", type=int, default=100, help="hands over the wires (default 100)")
    parser.add_argument("--records", type=int, default=MILLION, help="of the long journal (default a million)")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="where the figures go")
    parser.add_argument(
        "--python",
        default=sys.executable,
        help="runs the controllers: a table has no packages of developers (default: the one that runs this)",
    )
    parser.add_argument(
        "--pause-ms",
        type=float,
        default=QUIET_S * 1000,
        help=f"before a card that is measured (default {QUIET_S * 1000:g}): a shared machine forgets us meanwhile",
    )
    args = parser.parse_args()
    figures = {**_replay(), **_ready(args.python), **_appends(), **_long_journal(args.records, args.python)}
    figures |= _reaction(args.hands, args.python, args.pause_ms / 1000)
    figures |= _antennas() | _hand_histories() | _in_a_browser()
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    reached = [
        _line("reaction p50 / floor p50", figures["reaction_p50_ratio"], "at most", RATIO_P50),
        _line("reaction p99 / floor p99", figures["reaction_p99_ratio"], "at most", RATIO_P99),
        _line("hands a second in replay", figures["hands_a_second"], "at least", HANDS_A_SECOND),
        _line(
            "hands a second in replay, circle game", figures["circle_hands_a_second"], "at least", CIRCLE_HANDS_A_SECOND
        ),
        _line("resident memory, MB", figures["resident_mb"], "at most", RESIDENT_MB),
        _line("start to ready, s", figures["ready_s"], "at most", READY_S),
        _line("append p50 / bare p50", figures["append_p50_ratio"], "at most", APPEND_RATIO),
        _line("append p99 / bare p99", figures["append_p99_ratio"], "at most", APPEND_RATIO),
        _line("records verified a second", figures["verified_a_second"], "at least", VERIFIED_A_SECOND),
        _line(f"ready with {args.records} records, s", figures["resumed_s"], "at most", RESUMED_S),
        _line("eleven antennas and nobody plays, % of a core", figures["idle_percent"], "at most", IDLE_PERCENT),
        _line("one sweep of all antennas, s", figures["sweep_s"], "at most", SWEEP_S),
    ]
    for figure, what, most in (
        ("alert_p95_ms", "a card too soon to the pit boss's alert, p95 ms", ALERT_MS),
        ("pixels_p95_ms", "a card or key to the croupier's page, p95 ms", PIXELS_MS),
    ):
        if figure in figures:
            reached.append(_line(what, figures[figure], "at most", most))
    print(f"written to {args.json}")
    return 0 if all(reached) else 1


def _replay() -> dict[str, float]:
    facts = hands(REPLAYED_HANDS, seats=PLAYERS, seed=1)
    runs = [hands_a_second(facts, REPLAYED_HANDS) for _ in range(REPLAYS)]
    print(
        f"replay: {REPLAYED_HANDS} hands of {PLAYERS} players, {len(facts) / REPLAYED_HANDS:.0f} facts a hand: "
        f"median {median(runs):.0f} hands/s, best {max(runs):.0f}"
    )
    return {"hands_a_second": median(runs), "hands_a_second_best": max(runs), **_circle()}


def _circle() -> dict[str, float]:
    facts = circle.hands(REPLAYED_HANDS, seats=PLAYERS, seed=1)
    runs = [hands_a_second(facts, REPLAYED_HANDS, circle.SETUP) for _ in range(REPLAYS)]
    print(
        f"replay, circle game: {REPLAYED_HANDS} hands of {PLAYERS} players, {len(facts) / REPLAYED_HANDS:.0f} facts a "
        f"hand: median {median(runs):.0f} hands/s, best {max(runs):.0f}"
    )
    return {"circle_hands_a_second": median(runs), "circle_hands_a_second_best": max(runs)}


def _ready(python: str) -> dict[str, float]:
    times = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
            times.append(ready_s(Path(folder), python))
    print(f"start to ready: median {median(times):.3f} s of {', '.join(f'{number:.2f}' for number in sorted(times))}")
    return {"ready_s": median(times), "ready_best_s": min(times)}


def _reaction(count: int, python: str, pause_s: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        samples: Samples = measure(Path(folder), count, python, pause_s=pause_s)
    figures: dict[str, float] = {"cards": len(samples.floor_s), "resident_mb": samples.resident_kb / 1024}
    for name, values in (
        ("floor", samples.floor_s),
        ("reaction", samples.first_lamp_s),
        ("all_lamps", samples.all_lamps_s),
    ):
        cuts = quantiles(values, n=100)
        figures[f"{name}_p50_us"], figures[f"{name}_p99_us"] = median(values) * 1e6, cuts[98] * 1e6
        print(f"{name:>10}: p50 {median(values) * 1e6:6.0f} us, p99 {cuts[98] * 1e6:6.0f} us")
    figures["reaction_p50_ratio"] = figures["reaction_p50_us"] / figures["floor_p50_us"]
    figures["reaction_p99_ratio"] = figures["reaction_p99_us"] / figures["floor_p99_us"]
    print(f"reaction / floor: p50 {figures['reaction_p50_ratio']:.2f}, p99 {figures['reaction_p99_ratio']:.2f}")
    return figures


def _appends() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        measured = measure_appends(Path(folder), APPENDED_HANDS)
    figures = {}
    for name, values in (("append", measured.journal_s), ("bare", measured.bare_s)):
        cuts = quantiles(values, n=100)
        figures[f"{name}_p50_us"], figures[f"{name}_p99_us"] = median(values) * 1e6, cuts[98] * 1e6
        print(f"{name:>10}: p50 {median(values) * 1e6:6.0f} us, p99 {cuts[98] * 1e6:6.0f} us, {len(values)} records")
    for cut in ("p50", "p99"):
        figures[f"append_{cut}_ratio"] = figures[f"append_{cut}_us"] / figures[f"bare_{cut}_us"]
    return figures


def _long_journal(n_records: int, python: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        path = long_journal(Path(folder), n_records)
        verified = [verified_a_second(path) for _ in range(VERIFIED_TIMES)]
        resumed = [ready_s(Path(folder), python) for _ in range(STARTS)]
    print(
        f"{n_records} records: verified {', '.join(f'{number:.0f}' for number in verified)} a second, "
        f"ready in {', '.join(f'{number:.2f}' for number in sorted(resumed))} s"
    )
    return {
        "verified_a_second": median(verified),
        "verified_a_second_best": max(verified),
        "resumed_s": median(resumed),
        "resumed_best_s": min(resumed),
    }


def _antennas() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        cost = antennas.measure(Path(folder))
    print(
        f"{cost.antennas} antennas: {cost.idle_percent:.2f} % of a core while nobody plays, {cost.in_hand_percent:.1f}"
        f" % in a hand; the slowest is swept every {cost.sweep_s * 1000:.0f} ms"
    )
    return {"idle_percent": cost.idle_percent, "in_hand_percent": cost.in_hand_percent, "sweep_s": cost.sweep_s}


def _hand_histories() -> dict[str, float]:
    sets = {
        "published": published(),
        "two_players": phh.random_hands(RANDOM_HANDS, players=2, seed=1),
        "six_players": phh.random_hands(RANDOM_HANDS, players=6, seed=1),
        "ten_players": phh.random_hands(RANDOM_HANDS, players=10, seed=1),
    }
    figures: dict[str, float] = {}
    for name, texts in sets.items():
        found = phh.compare(texts, runs=PHH_RUNS)
        figures[f"phh_{name}_ratio"], figures[f"phh_{name}_a_second"] = found.ratio, found.ours
        print(
            f"hand histories, {name.replace('_', ' ')}: {found.hands} hands, {found.ours:.0f} a second, PokerKit"
            f" {found.theirs:.0f}: {found.ratio:.1f} times as many"
        )
    return figures


def _in_a_browser() -> dict[str, float]:
    """Nothing where there is no browser: it comes with the development dependencies and the system's Chromium."""
    figures: dict[str, float] = {}
    for name, what, count in (("alert", "alerts", ALERTS), ("pixels", "events", SHOWN_HANDS)):
        try:
            browser = importlib.import_module("simulators.stage.bench.browser")
            bench = importlib.import_module(f"simulators.stage.bench.{name}")
        except ImportError as wrong:
            print(f"{what} in a browser: not measured: {wrong}")
            return {}
        with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
            try:
                found: list[float] = bench.measure(Path(folder), count)
            except browser.NoBrowser as wrong:
                print(f"{what} in a browser: not measured: {wrong}")
                return {}
        p50, p95, most = median(found), quantiles(found, n=20)[18], max(found)
        print(f"{what} in a browser: {len(found)}, p50 {p50:.0f} ms, p95 {p95:.0f} ms, max {most:.0f} ms")
        figures |= {f"{name}_p50_ms": p50, f"{name}_p95_ms": p95, f"{name}_max_ms": most}
    return figures


def _line(what: str, found: float, how: str, wanted: float) -> bool:
    good = found <= wanted if how == "at most" else found >= wanted
    print(f"{'reached    ' if good else 'NOT REACHED'} {what}: {found:.2f} ({how} {wanted:g})")
    return good


if __name__ == "__main__":
    sys.exit(main())
