"""`tablectl pit broker CONFIG FOLDER`: what Mosquitto needs to carry messages between tables and the pit server."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec

from tablectl.cli.status import Status, WrongUsage
from tablectl.fleet.batches import BODY_BYTES_MOST
from tablectl.fleet.certificates import new_key, read_key, request_of, write_key
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.topics import PIT, permissions, place_of

#: mosquitto.conf(5). Nothing is kept there: what a table was not acknowledged by the pit server it sends again.
_CONFIG: Final = """\
# Made by `tablectl pit broker`. Run it again after a table was enrolled or revoked, then reload the broker.
per_listener_settings false
listener {port}
cafile {folder}/authority.pem
certfile {folder}/broker.pem
keyfile {folder}/broker.key
tls_version tlsv1.3
require_certificate true
use_identity_as_username true
allow_anonymous false
acl_file {folder}/permissions
persistence false
message_size_limit {most}
max_queued_messages 1000
"""
#: Beside a batch a message has its topic and properties.
_BESIDE_BYTES: Final = 4_096


def broker(settings: PitSection, args: argparse.Namespace) -> Status:
    """Certificates that are there are kept; configuration and permissions are written anew. Raises `OSError`,
    `ValueError`, `StoreUnusable`."""
    if not settings.broker:
        raise WrongUsage(f'{args.config}: it names no broker; add broker = "mqtts://NAME:8883" to [pit]')
    folder: Path = args.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    host, port = place_of(settings.broker)
    authority = Authority.read(settings.authority, settings.authority_key)
    now = datetime.now(UTC)
    certificate = folder / "broker.pem"
    if not certificate.exists():
        certificate.write_bytes(authority.for_server(args.name or [host], _key(folder / "broker.key"), now))
    if not settings.broker_certificate.exists():
        _key(settings.broker_key)
        request = request_of(read_key(settings.broker_key), PIT)
        settings.broker_certificate.write_bytes(authority.for_table(PIT, request, now))
    (folder / "authority.pem").write_bytes(settings.authority.read_bytes())
    with opened(settings) as store:
        tables = tuple(table.name for table in store.tables() if not table.revoked)
    (folder / "permissions").write_text(permissions(tables), encoding="utf-8")
    config = folder / "mosquitto.conf"
    config.write_text(_CONFIG.format(port=port, folder=folder, most=BODY_BYTES_MOST + _BESIDE_BYTES), encoding="utf-8")
    print(f"{config}: for {len(tables)} tables and this pit server; `mosquitto -c {config}`, or reload the running one")
    return Status.GOOD


def _key(path: Path) -> ec.EllipticCurvePublicKey:
    key = new_key()
    write_key(path, key)
    return key.public_key()
