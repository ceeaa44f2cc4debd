"""`tablectl pit run CONFIG`: takes records from tables, and shows all of them on a page, until a signal ends it."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Final

from tablectl.cli.status import Status
from tablectl.fleet.certificates import client_context
from tablectl.fleet.pit import identity
from tablectl.fleet.pit.app import make_app
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.broker import BrokerDoor
from tablectl.fleet.pit.floor import Floor
from tablectl.fleet.pit.neighbours import Neighbours
from tablectl.fleet.pit.opening import conninfo, opened
from tablectl.fleet.pit.own_certificate import OwnCertificate
from tablectl.fleet.pit.server import TABLES, server_of
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.settings import PitSection
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_signer
from tablectl.ops.connections import listen
from tablectl.ops.end_in_order import end_in_order
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin
from tablectl.web.overview.pages import House
from tablectl.web.overview.server import Door, Overview
from tablectl.web.screens.server import NotSafe, address

_LOG: Final = LateLog()

#: When garbage is looked for, by generation (gc.set_threshold). What a thousand open connections hold is never garbage,
#: and by Python's own thresholds half of the processor's time went to looking at it again and again.
_GARBAGE: Final = (50_000, 50, 100)
#: How long a thread that computes keeps the others waiting, in seconds (sys.setswitchinterval). By Python's own 5 ms a
#: record, which goes through four threads, may wait four times so long where pages are made.
_TURN_S: Final = 0.001


def run(settings: PitSection, _: argparse.Namespace) -> Status:
    """As the module says. Raises what `tablectl pit` tells of any act."""
    try:
        return _run(settings)
    except NotSafe as no:
        sys.stderr.write(f"pit: {no}\n")
        return Status.NOT_DONE


def _run(settings: PitSection) -> Status:
    signer, _is_demo = load_signer(settings.signing_key)
    log = begin(Process.PIT, table=None)
    gc.set_threshold(*_GARBAGE)
    sys.setswitchinterval(_TURN_S)
    with opened(settings) as keeping, opened(settings) as reading, opened(settings) as enrolling:
        service = PitService(keeping=keeping, reading=reading, signer=signer, now_us=now_us)
        read_authority = partial(Authority.read, settings.authority, settings.authority_key)
        server = server_of(
            make_app(
                service,
                identity.Identity(store=enrolling, authority=read_authority, signer=signer, now_us=now_us),
                _broker(settings, service),
            ),
            certificate=settings.certificate,
            key=settings.key,
            authority=settings.authority,
            own=OwnCertificate(
                certificate=settings.certificate,
                key=settings.key,
                names=settings.names,
                authority=read_authority,
                now_us=now_us,
            ),
        )
        end_in_order(server)
        overview = _overview(settings, service, lambda: server.should_exit)
        neighbours = _neighbours(settings, service.floor)
        with closing(listen(settings.host, settings.port, TABLES)) as bound:
            service.start()
            if neighbours is not None:
                neighbours.start()
            if overview is not None:
                overview.start()
            print(address(settings.host, bound, has_tls=True), flush=True)
            if overview is not None:
                print(address(settings.overview_host, overview.bound, has_tls=overview.has_tls), flush=True)
            _LOG.info("ready", host=settings.host, port=bound.getsockname()[1])
            server.run(sockets=[bound])
            if overview is not None:
                overview.stop()
            if neighbours is not None:
                neighbours.stop()
            service.stop()
    _LOG.info("stopped")
    log.close()
    return Status.GOOD


def _overview(settings: PitSection, service: PitService, is_over: Callable[[], bool]) -> Overview | None:
    """None where it cannot answer: records are more than pages. Raises `NotSafe`, `BadViewers`."""
    house = House(casino=settings.casino, timezone=settings.timezone, language=settings.language)
    door = Door(
        host=settings.overview_host,
        port=settings.overview_port,
        certificate=settings.certificate,
        key=settings.key,
        viewer_tokens=settings.viewer_tokens,
        authority=settings.overview_authority,
    )
    try:
        return Overview(service.floor, house, door, counts=lambda: service.ingest.counts, is_over=is_over)
    except OSError as wrong:
        _LOG.error("no overview", host=door.host, port=door.port, reason=str(wrong))
        return None


def _neighbours(settings: PitSection, floor: Floor) -> Neighbours | None:
    """None where records are kept in a file, which one server alone uses."""
    if not settings.database:
        return None
    made = Neighbours(conninfo(settings), floor.hear_others)
    floor.tell_others(made.tell)
    return made


def _broker(settings: PitSection, service: PitService) -> BrokerDoor | None:
    if not settings.broker:
        return None
    context = client_context(
        authority=settings.authority, certificate=settings.broker_certificate, key=settings.broker_key
    )
    return BrokerDoor(settings.broker, context, service)
