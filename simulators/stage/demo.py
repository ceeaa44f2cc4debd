"""Part `demo` of the stage, `tablectl demo`: a simulated table, the real controller and its screens, in one command."""

from __future__ import annotations

import argparse
import signal
import socket
import sys
import threading
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.fault_plan import Level, wire_faults
from simulators.stage.game_rotation import GameRotation
from simulators.stage.games import FIRST, SMALLEST_CHIP, table_of
from simulators.stage.handover import tables_at
from simulators.stage.hands import Stuck
from simulators.stage.people import VISITOR, WHO, Secrets
from simulators.stage.readers import Reading
from simulators.stage.screens import NoScreens, Screens
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check, summary
from tablectl.api.client import NoController
from tablectl.api.stage import FreeTable, ServeTable, StageBroken
from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.core.os_error_text import told
from tablectl.games.registry import RULEBOOKS, trackings
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.texts import load_texts
from tablectl.people import demo_pin

#: The chips of the demo's house, in cents.
_DENOMINATIONS = (SMALLEST_CHIP, 500, 2500, 10_000, 50_000)
#: How long the demo's pit boss leaves an alert to a visitor, in seconds at speed 1.
PIT_BOSS_S = 60.0
PORT = 8420
#: With it a visitor's second hand, of either game, has a card that was drawn too early and seen: the pit boss is asked.
SEED = 660
PORT_MOST = 65535
SLOWEST, FASTEST = 0.1, 100.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """See the interface document."""
    parser.add_argument("--rulebook", default=FIRST, choices=tuple(RULEBOOKS), help="which game")
    parser.add_argument("--hands", type=int, metavar="N", help="end after so many hands (default: go on)")
    parser.add_argument(
        "--seed", type=int, default=SEED, metavar="S", help="cards, players and mistakes (default %(default)s)"
    )
    levels, all_trackings = [level.value for level in Level], [tracking.value for tracking in Tracking]
    parser.add_argument("--faults", default=Level.SOME.value, choices=levels, help="what goes wrong")
    parser.add_argument("--speed", type=float, metavar="X", help="1: a croupier's pace; headless, 0: no pace at all")
    parser.add_argument("--headless", action="store_true", help="no screens; a summary at the end")
    parser.add_argument("--port", type=int, metavar="P", help=f"of the screens (default {PORT}, or any free one)")
    parser.add_argument(
        "--tracking", default=Tracking.AMOUNTS.value, choices=all_trackings, help="how much of the bets is entered"
    )
    parser.add_argument(
        "--equipment",
        default=Equipment.SHOE.value,
        choices=[equipment.value for equipment in Equipment],
        help="what reads cards",
    )
    parser.add_argument("--switch", action="store_true", help="every game in turn, changed between two hands")
    parser.add_argument("--rfid-shoe", action="store_true", help="the shoe is a reader of tags")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep journal, key and log in this new folder")


def main(args: argparse.Namespace, serve: ServeTable) -> int:
    """Exit status 0; 1 where the journal is not intact or the table got stuck; 2 for wrong usage."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the parts too, as Ctrl-C does
    try:
        wrong = _wrong(args)
    except OSError as error:
        wrong = f"--keep {told(error, 'a new folder, in one of this user', args.keep)}"
    if wrong is not None:
        sys.stderr.write(f"demo: {wrong}\n")
        return 2
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
        return _play(args, args.keep.absolute(), serve)
    with temporary_folder() as folder:
        return _play(args, Path(folder), serve)


def _wrong_table(args: argparse.Namespace) -> str | None:
    """Of what is to be played, and with what."""
    if args.hands is not None and args.hands < 1:
        return f"--hands {args.hands}: a whole number from 1"
    if args.switch and args.tracking != Tracking.AMOUNTS:
        return f"--tracking {args.tracking}: with --switch amounts are entered, as in every game they can be"
    if args.tracking not in trackings(args.rulebook):
        there = ", ".join(trackings(args.rulebook))
        return f"--tracking {args.tracking}: {args.rulebook} has {there}"
    if args.rfid_shoe and args.equipment == Equipment.ANTENNAS:
        return "--rfid-shoe: with antennas alone there is no shoe"
    return None


def _wrong(args: argparse.Namespace) -> str | None:
    wrong = _wrong_table(args)
    if wrong is not None:
        return wrong
    if args.headless and args.hands is None:
        return "--headless goes with --hands N: somebody has to say when it is enough"
    if args.speed is not None and not SLOWEST <= args.speed <= FASTEST and not (args.headless and args.speed == 0):
        return f"--speed {args.speed:g}: a number from {SLOWEST:g} to {FASTEST:g} (headless also 0: no pace at all)"
    if args.port is not None and not 0 <= args.port <= PORT_MOST:
        return f"--port {args.port}: a whole number from 0 to {PORT_MOST}"
    if args.keep is not None and args.keep.exists() and not args.keep.is_dir():
        return f"--keep {args.keep}: it is a file; name a folder"
    if args.keep is not None and (args.keep / "table.db").exists():
        return f"--keep {args.keep}: there is a journal already; name a new folder"
    return None


def _play(args: argparse.Namespace, folder: Path, serve: ServeTable) -> int:
    speed = args.speed if args.speed is not None else (0.0 if args.headless else 1.0)
    level = Level(args.faults)
    scene = Scene(
        rulebook=args.rulebook,
        seats=table_of(args.rulebook).seats,
        tracking=args.tracking,
        chip=SMALLEST_CHIP,
        seed=args.seed,
        pace=max(speed, 1.0) if speed else None,
        shoe_faults=wire_faults(level),
        equipment=Equipment(args.equipment),
        has_rfid_shoe=args.rfid_shoe,
        reading=Reading() if args.headless else None,
        denominations=_DENOMINATIONS,
    )
    over, dealing = threading.Event(), Dealing()
    began = time.monotonic()
    try:
        with (
            Stage(scene, folder) as stage,
            Screens(stage.config, folder / "people.db", port=None if args.headless else _port(args.port)) as screens,
        ):
            games = GameRotation(
                stage,
                _scenes(scene, switches=args.switch),
                lambda felt: Croupier(
                    stage,
                    seed=args.seed,
                    level=level,
                    pause=lambda seconds: over.wait(seconds / speed) if speed else None,
                    pit_boss_waits_s=0.0 if args.headless else PIT_BOSS_S / (speed or 1.0),
                    felt=felt,
                    dealing=dealing,
                ),
            )
            base = FreeTable(rulebook=scene.rulebook, seed=scene.seed, equipment=scene.equipment)
            tables = tables_at(stage, dealing, lambda: games.croupier)
            with nullcontext("") if args.headless else serve(base, folder, tables) as handover:
                if screens.secrets is not None:
                    demo_pin.keep_dealing(folder / "people.db", handover)
                    addresses = Addresses(screens=screens.address, handover=handover)
                    print(welcome(addresses, args.rulebook, _reads(scene), screens.secrets, args.keep), flush=True)
                try:
                    games.play(args.hands)
                except KeyboardInterrupt:
                    sys.stdout.write("\n")
                except NoController:
                    raise stage.ended() from None
    except NoScreens as wrong:
        sys.stderr.write(f"demo: {wrong}\n")
        return 2
    except (Stuck, StageBroken, NoController) as wrong:
        sys.stderr.write(f"demo: {wrong}\n")
        return 1
    checked = check(stage.journal)
    played = "every game in turn" if args.switch else args.rulebook
    title = f"{played}, seed {args.seed}, faults {args.faults}, tracking {args.tracking}"
    amounts = args.tracking == Tracking.AMOUNTS
    felt = games.croupier.felt
    lines = summary(felt, title=title, seconds=time.monotonic() - began, checked=checked, amounts=amounts)
    print("\n".join(lines))
    return 0 if checked.good and felt.ledger.agrees else 1


def _scenes(first: Scene, *, switches: bool) -> tuple[Scene, ...]:
    """The game that was asked for, and where it is changed the others after it, at the same table."""
    others = (replace(first, rulebook=game) for game in RULEBOOKS if switches and game != first.rulebook)
    return (first, *others)


def _port(wanted: int | None) -> int:
    """The port that was asked for; without one the usual one, or any where somebody has that."""
    if wanted is not None:
        return wanted
    with socket.socket() as knock:
        knock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            knock.bind(("127.0.0.1", PORT))
        except OSError:
            return 0
    return PORT


def _reads(scene: Scene) -> str:
    """What reads the cards at this table, for people."""
    shoe = "a shoe with a reader at its mouth" if scene.has_rfid_shoe else "shoe"
    readers = f"{len(scene.antennas) - scene.has_rfid_shoe} readers of tags"
    return {Equipment.SHOE: shoe, Equipment.ANTENNAS: readers, Equipment.BOTH: f"{shoe}, {readers}"}[scene.equipment]


@dataclass(frozen=True, kw_only=True, slots=True)
class Addresses:
    """Of the demo's pages: the table's screens, and the page on which a visitor deals."""

    screens: str
    handover: str


def welcome(addresses: Addresses, rulebook: str, reads: str, secrets: Secrets, kept: Path | None) -> str:
    """What whoever started it reads first. `kept`: the folder that stays; None where nothing does."""
    game = load_texts().text("game", rulebook, SOURCE)
    others = ", ".join(
        f"{name} ({' and '.join(role.value.replace('-', ' ') for role in sorted(roles))})"
        for name, roles in WHO.items()
        if name != VISITOR
    )
    journal = (
        "Nothing of it stays: --keep DIR keeps the journal" if kept is None else f"Its journal stays: {kept}/table.db"
    )
    address = addresses.screens
    return f"""
  A {game} table is open: simulated {reads}, panel and light, the real controller.

    croupier   {address}/croupier
    pit boss   {address}/pit
    technician {address}/technician
    auditor    {address}/auditor

    deal yourself: touch "Take over" at {addresses.handover}

    sign on as {VISITOR}, who may do everything, PIN {secrets.pin}: the sign-on page shows it
    the others have the same: {others}

  Mistakes will happen. When one needs the pit boss, the table is held and waits for you on his page;
  where nobody rules for a minute, the demo's own pit boss does. Ctrl-C ends it, with a summary.
  {journal}.
"""
