"""`tablectl demo`: simulated devices, the real controller and the screens. It comes with the simulators."""

from __future__ import annotations

import argparse

from tablectl.api.stage import NoStage, demo
from tablectl.web.training.server import serving_beside


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of the demo. Ends with status 2 where the simulators are not installed."""
    try:
        demo().add_arguments(parser)
    except NoStage as wrong:
        parser.error(str(wrong))


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where the journal is not intact or the table got stuck; 2 for wrong usage."""
    return demo().main(args, serving_beside)
