"""`tablectl journal verifier`: the page with which anybody checks the records of a hand in a browser."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from tablectl.cli.commands.journal_export import write_files
from tablectl.i18n.languages import DEFAULT, LANGUAGES
from tablectl.journal.evidence.verifier.page import verifier_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which language, and where it goes."""
    parser.add_argument("--out", type=Path, metavar="FILE", default=Path("verify.html"), help="default: verify.html")
    parser.add_argument("--language", choices=LANGUAGES, default=DEFAULT, help=f"of the page (default: {DEFAULT})")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 2 where there is no place for the file. Says its SHA-256, for the house to publish."""
    page = verifier_page(args.language).encode()
    status = write_files({args.out: page})
    print(f"SHA-256 {hashlib.sha256(page).hexdigest()}")
    return status
