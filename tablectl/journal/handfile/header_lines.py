"""The header of a hand file as `header.py` reads it, out of what a table knew when one of its hands began."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.journal.handfile.header import NO_LIMITS
from tablectl.journal.handfile.settings import game_of, settings_words
from tablectl.journal.handfile.tokens import joined


def header_lines(carry: Carry) -> Iterator[str]:
    """What the table knew, as the header of that hand's file."""
    yield from _setup_lines(carry.setup, carry.hand + 1)
    yield from _circle_lines(carry)
    if carry.previous:
        yield f"seats {_listed(carry.previous)}"
    yield from _bet_lines("previous", carry.previous)
    yield from _bet_lines("kept", carry.kept)
    for key, times in carry.conduct.items():
        yield f"conduct {key.removeprefix('seat-')} {times}"
    yield from _open_lines(carry)


def _setup_lines(setup: f.Setup, hand: int) -> Iterator[str]:
    yield f"rulebook {setup.rulebook}"
    yield f"table {setup.table}"
    yield f"hand {hand}"
    yield f"places {setup.seats}"
    if setup.tracking is not Tracking.AMOUNTS:
        yield f"tracking {setup.tracking}"
    if setup.equipment is not Equipment.SHOE:
        yield f"equipment {setup.equipment}"
    for bet, limits in setup.limits.items():
        if limits != NO_LIMITS:
            yield f"limits {bet} {limits.least}..{limits.most}"
    for bet, band in setup.bands.items():
        yield f"band {bet} {band.least}..{band.most}"
    for key, value in setup.profile.items():
        yield f"profile {key}={value}"
    if setup.chip != 1:
        yield f"chip {setup.chip}"
    if setup.fee is not None:
        yield f"fee {setup.fee.rate} {setup.fee.taken_from} {setup.fee.cap}"
    if setup.resto:
        yield f"resto {setup.resto}"
    if setup.staff:
        yield "staff"


def _circle_lines(carry: Carry) -> Iterator[str]:
    """What only a circle game remembers."""
    for line in carry.players:
        yield f"player {line}"
    for seat, amount in carry.stacks.items():
        yield f"stack {seat} {amount}"
    for seat, amount in carry.bought.items():
        yield f"bought {seat} {amount}"
    if carry.carried:
        yield f"carried {carry.carried}"
    elif carry.is_pot_waiting:
        yield "carried"
    if carry.is_closing:
        yield "closing"
    if carry.next_setup is not None:
        rulebook = carry.next_setup.rulebook
        yield joined("next-game", rulebook, *settings_words(game_of(rulebook, carry.setup), carry.next_setup))
    if carry.markers is not None:
        yield f"markers {carry.markers}"


def _open_lines(carry: Carry) -> Iterator[str]:
    """What was not over when the hand began."""
    if carry.n_incidents:
        yield f"incidents {carry.n_incidents}"
    if carry.unseen:
        yield f"unseen {_listed(carry.unseen)}"
    if carry.shoe_lost is not None:
        yield f"shoe-lost {carry.shoe_lost}"
    if carry.needs_deck:
        yield "needs-deck"
    if carry.is_shuffled:
        yield "shuffled"
    for device in carry.lost:
        yield f"away {device}"
    for device in carry.unseen_devices:
        yield f"unseen-device {device}"
    if carry.croupier:
        yield f"croupier {carry.croupier}"
    if carry.next_croupier:
        yield f"next-croupier {carry.next_croupier}"
    for game, limit in carry.limits_set.items():
        for bet, now in limit.limits.items():
            file = limit.file[bet]
            yield f"limits-set {game} {bet} {now.least}..{now.most} file {file.least}..{file.most}"
    for alarm, shelf in carry.shelved.items():
        yield f"shelved {alarm} {shelf.until_us} by {shelf.by} {shelf.reason}"


def _bet_lines(word: str, of_seats: Mapping[int, Mapping[str, int | None]]) -> Iterator[str]:
    for seat, bets in of_seats.items():
        if bets:
            yield f"{word} {seat} {_listed(item for item in chain.from_iterable(bets.items()) if item is not None)}"


def _listed(words: Iterable[object]) -> str:
    return " ".join(map(str, words))
