"""`tablectl check-config CONFIG`: every mistake at once."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tablectl.config import BadConfig, load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 with one line a mistake: file, key, what was found, what would be right."""
    try:
        config = load(args.config)
    except BadConfig as wrong:
        sys.stderr.write(f"{wrong}\n")
        count = len(wrong.mistakes)
        sys.stderr.write(f"{count} mistake{'s' if count > 1 else ''}; nothing would start.\n")
        return 2
    setup = config.setup
    print(f"{args.config}: good: {setup.table}, {setup.rulebook}, {setup.seats} seats, tracking {setup.tracking}")
    for device in config.devices:
        print(f"  {device.role:6} {device.name} ({device.driver})")
    for missing in sorted({"shoe", "panel", "light"} - {device.role for device in config.devices}):
        print(f"  {missing:6} none configured")
    for notice in config.notices:
        print(f"notice: {notice}")
    return 0
