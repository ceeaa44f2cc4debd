"""`tablectl journal open`: the sealed cards of a hand that is over, for the auditor; the asking is recorded first."""

from __future__ import annotations

import argparse
import json
import sys
from getpass import getpass
from pathlib import Path
from typing import Any

from tablectl.api.client import NoController, ask
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import Config, load
from tablectl.core.os_error_text import told
from tablectl.games.registry import rulebook_of
from tablectl.journal.clock import now_us
from tablectl.journal.copy import CopyDiffers, check_joins
from tablectl.journal.journal import Journal
from tablectl.journal.keys import load_signer
from tablectl.journal.public_keys import load_public
from tablectl.journal.sealed_card_request import BadRequest, parse, signed, without_witness
from tablectl.journal.tilt import Tilt, TiltKind, find
from tablectl.ops.software.identity import identity
from tablectl.ops.unsealing import Judge, catch_up, is_witnessed, unseal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who wants to see what, and why."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("--hand", type=int, required=True, metavar="N", help="a hand that is over")
    parser.add_argument("--auditor-key", type=Path, required=True, metavar="PEM", help="the auditor's private key")
    parser.add_argument("--by", required=True, metavar="NAME", help="who asks")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why; it goes on record with the name")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where it was refused (which is on record too); 2 where nobody could be asked; 3 for a tilt."""
    try:
        args.auditor_key.read_bytes()
    except OSError as wrong:
        right = "the auditor's own private key (PEM)"
        raise WrongUsage(f"{told(wrong, right, args.auditor_key)}") from None
    try:
        config = load(args.config)
        auditor, _ = load_signer(args.auditor_key, passphrase=lambda: getpass(f"passphrase of {args.auditor_key}: "))
        request = signed(
            table=config.setup.table, hand=args.hand, by=args.by, reason=args.reason, now_us=now_us(), auditor=auditor
        )
        if not config.journal.exists():
            raise WrongUsage(f"{config.journal}: there is no journal yet")
        reply = _asked(config, request)
    except (BadRequest, NoController) as wrong:
        raise WrongUsage(str(wrong)) from None
    if args.json:
        print(json.dumps(reply))
    elif not reply["ok"]:
        on_record = f" (record {reply['seq']} says that you asked)" if "seq" in reply else ""
        sys.stderr.write(f"refused: {reply['error']}{on_record}\n")
    else:
        print(f"hand {args.hand}, opened for {args.by}; record {reply['seq']} says so")
        for card in reply["cards"]:
            other = ": what the shoe said as well of its last card" if card["is_other_reading"] else ""
            print(f"  draw {card['draw'] or '-':>2}  {card['card']}  (record {card['seq']}{other})")
    return 0 if reply["ok"] else 1


def _asked(config: Config, request: dict[str, str]) -> dict[str, Any]:
    """By the controller where it runs, since there is one writer; otherwise here."""
    try:
        journal = Journal.open(config.places, software=identity(config).hash)
    except Tilt as tilt:
        if tilt.kind is not TiltKind.TWO_CONTROLLERS:
            raise
        return ask(config.socket, {"unseal": request})
    try:
        mark = journal.standing_tilt() or find(config.marks)
        if mark is not None:
            raise Tilt(mark.kind, f"the table is tilted ({mark.reason}); clear that first, nothing is opened meanwhile")
        table = journal.recover(rulebook_of)
        check_joins(config.copy, journal.store)
        last_closed = 0 if table is None else table.state.hand - table.state.in_play
        public = load_public(config.auditor) if config.auditor is not None else None
        judge = Judge(config.setup.table, public)
        reply = unseal(journal, judge, parse(request), now_us=now_us(), last_closed=last_closed)
        catch_up(config.places)
        is_seen = not reply["ok"] or is_witnessed(config.copy, reply["seq"], within_s=0.0)
        return reply if is_seen else without_witness(reply)
    except CopyDiffers as wrong:
        raise Tilt(TiltKind.COPY, str(wrong)) from None
    finally:
        journal.close()
