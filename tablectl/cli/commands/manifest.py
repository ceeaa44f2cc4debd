"""`tablectl manifest make|check|show CONFIG`: which software this is, who approved it, and whether it still is that."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from tablectl.config.table_file import BadConfig, Config, load
from tablectl.journal.whole_file import write_whole
from tablectl.ops.software.check import Difference, Identity, approved, differences, inconsistencies, unsigned, way_out
from tablectl.ops.software.distributions import Unreadable
from tablectl.ops.software.manifest import (
    KeyUnusable,
    Manifest,
    ManifestRefused,
    ManifestUnreadable,
    load_approver,
    load_signing_key,
    raw_hex,
    signed_text,
)
from tablectl.ops.software.survey import NO_FILE, Places, Survey, here, survey


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Three tools."""
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    for name, text in (
        ("make", "sign the software that is installed here, and this configuration, as approved"),
        ("check", "compare every file with what was approved: each difference is a line"),
        ("show", "the identity of the software, who approved it, and every file with its hash"),
    ):
        tool = tools.add_parser(name, help=text, description=text)
        tool.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
        if name == "make":
            tool.add_argument("--key", metavar="PEM", type=Path, required=True, help="the approver's private key")
            tool.add_argument("--out", metavar="FILE", type=Path, help="where to (default: CONFIG's, or beside it)")
        if name == "check":
            tool.add_argument("--json", action="store_true", help="one JSON object instead of lines")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where the software is not the approved one, 2 for wrong usage or what cannot be read."""
    return run(args, here())


def run(args: argparse.Namespace, places: Places) -> int:
    """The same, of the software in given places."""
    try:
        config = load(args.config)
        match args.tool:
            case "make":
                return _make(args, config, places)
            case "check":
                return _check(args, config, places)
            case _:
                return _show(args, config, places)
    except (ManifestRefused, ManifestUnreadable) as wrong:
        sys.stderr.write(f"{wrong}. {way_out(args.config)}\n")
        return 1 if isinstance(wrong, ManifestRefused) else 2
    except (BadConfig, KeyUnusable, Unreadable) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2


def _make(args: argparse.Namespace, config: Config, places: Places) -> int:
    key = load_signing_key(args.key)
    ours = raw_hex(key.public_key())
    if config.approver is not None and (theirs := raw_hex(load_approver(config.approver))) != ours:
        sys.stderr.write(
            f"manifest: {args.key} is not the key that {args.config} trusts: its public key is {ours}, "
            f"that in {config.approver} is {theirs}; sign with the approver's key, or change software.public_key\n"
        )
        return 2
    found = survey(places, args.config)
    if faults := [*_unsignable(found), *map(str, inconsistencies(places))]:
        print("\n".join(faults))
        sys.stderr.write("manifest: nothing was signed: no table could start with this; install the software anew\n")
        return 1
    made = Manifest(version=found.version, made=datetime.now(UTC).isoformat(timespec="seconds"), files=found.files)
    beside = f"{args.config.stem}.manifest-{{version}}.json"
    out = args.out or config.manifest or args.config.with_name(beside.format(version=found.version))
    try:
        write_whole(out, signed_text(made, key).encode())
    except OSError as wrong:
        sys.stderr.write(f"manifest: {out}: cannot be written ({wrong.strerror}); name another place with --out FILE\n")
        return 2
    print(f"{out}: identity {made.identity}, signed by {ours}")
    if config.manifest is None:
        print(
            f"{args.config} names no manifest yet. Add these lines and make it again: they are part of what is signed\n"
            f'[software]\nmanifest = "{out.name if args.out else beside}"\npublic_key = "{args.key.stem}.pub.pem"   # '
            f"openssl pkey -in {args.key} -pubout -out {args.key.stem}.pub.pem"
        )
    return 0


def _unsignable(found: Survey) -> Iterable[str]:
    """What cannot have a hash, so that no manifest can hold it."""
    for group, files in found.files.items():
        yield from (f"unknown: {group}: {file} ({NO_FILE})" for file, value in files.items() if value == NO_FILE)


def _check(args: argparse.Namespace, config: Config, places: Places) -> int:
    identity = approved(config)
    found = [*differences(identity, args.config, places)]
    if args.json:
        print(_json(identity, found))
    else:
        for difference in found:
            print(difference)
        verdict = f"NOT THE APPROVED SOFTWARE: {len(found)} differences" if found else "as approved"
        print(f"{args.config}: {verdict}: identity {identity.hash}, signed by {identity.signed_by}")
    if found:
        sys.stderr.write(f"{way_out(args.config)}\n")
    return 1 if found else 0


def _json(identity: Identity, found: list[Difference]) -> str:
    told = [
        {"what": difference.what, "group": difference.group, "file": difference.file, "detail": difference.detail}
        for difference in found
    ]
    return json.dumps(
        {"identity": identity.hash, "signed_by": identity.signed_by, "differences": told}, ensure_ascii=False
    )


def _show(args: argparse.Namespace, config: Config, places: Places) -> int:
    identity = unsigned(args.config, places) if config.manifest is None else approved(config)
    print(f"identity   {identity.hash}")
    print(f"signed by  {identity.signed_by or 'nobody: no manifest is configured, this is what is there now'}")
    for group, files in identity.files.items():
        print(f"\n{group}")
        for file, value in files.items():
            print(f"{value}  {file}")
    return 0
