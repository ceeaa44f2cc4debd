"""`tablectl run CONFIG`: the controller of one table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from tablectl.config.table_file import BadConfig, load
from tablectl.ops.first_run import missing_folders
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told
from tablectl.ops.runtime_state import write_runtime_state
from tablectl.ops.software.identity import identity
from tablectl.ops.software.required import unapproved
from tablectl.table.controller.controller import Controller
from tablectl.table.synchronised import synchronised

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")


def main(args: argparse.Namespace) -> int:
    """Until it is stopped. Exit status 0, 2 for a wrong configuration and for a table that was not set up yet, or
    whose software nobody approved yet (nothing was started, and no tilt is left), 3 for a tilt."""
    try:
        config = load(args.config)
    except BadConfig as wrong:
        if not mistakes_told(Process.CONTROLLER, wrong.mistakes, sys.stderr):
            sys.stderr.write(f"{wrong}\nNothing was started. Mend the file and try again.\n")
        return 2
    if missing := [*missing_folders(config), *unapproved(config)]:
        if not mistakes_told(Process.CONTROLLER, missing, sys.stderr):
            told = "\n".join(map(str, missing))
            sys.stderr.write(f"{told}\nNothing was started, and this is no tilt: there is nothing to clear.\n")
        return 2
    log = begin(Process.CONTROLLER, table=config.setup.table)
    try:
        write_runtime_state(config)
    except OSError as wrong:
        # Where this folder takes no file, the socket will not be made there either; that is for the start to judge.
        _LOG.warning("whereabouts not left", reason=f"{wrong.filename}: {wrong.strerror}")
    controller = Controller(config, _LOG, software=lambda: identity(config).hash, synchronised=synchronised)
    controller.stop_on_signals()
    status = controller.run()
    log.close()
    return status
