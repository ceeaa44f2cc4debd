"""The answers as a configuration, commented as the shipped examples are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tablectl.core.engine.vocabulary import Tracking
from tablectl.games.registry import CIRCLE_GAMES, GAMES, LIMIT_RULES, choices_of, most_seats, trackings
from tablectl.i18n.languages import DEFAULT, NO_SECOND, USUAL
from tablectl.i18n.texts import load_texts
from tablectl.ops.setup.backing_up import by_hand
from tablectl.ops.setup.config_devices import device_lines
from tablectl.ops.setup.interview import languages_of
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.questions import NONE, Answers

#: Where comments begin after a value.
_COLUMN: Final = 38
_TRACKED: Final[Mapping[Tracking, str]] = {
    Tracking.ROUNDS: "each round is closed, no more",
    Tracking.PRESENCE: "who plays, bets, folds",
    Tracking.ACTIONS: "who did what",
    Tracking.AMOUNTS: "every chip, and pots",
}


def config_text(said: Answers, places: Places, usb_bus: str | None = None) -> str:
    """The whole file. `usb_bus`: of simulated devices."""
    return "\n".join(_lines(said, places, usb_bus)) + "\n"


def value(key: str, what: str | int | tuple[int, ...], why: str = "") -> str:
    """A line: key, value, comment."""
    if isinstance(what, tuple):
        said = f"[{', '.join(map(str, what))}]"
    elif isinstance(what, bool):
        said = str(what).lower()
    else:
        said = f'"{what}"' if isinstance(what, str) else str(what)
    line = f"{key} = {said}"
    return f"{line:{_COLUMN - 2}}  # {why}" if why else line


def _lines(said: Answers, places: Places, usb_bus: str | None) -> Iterator[str]:
    name = said["table.file"]
    first, *others = said["table.games"]
    file = places.config(name)
    yield "# One table, written by `tablectl setup`. This command names every mistake after a change:"
    yield f"#   tablectl check-config {file}"
    yield "# The controller reads this file when it starts. Money is a whole number of the currency's smallest unit."
    yield ""
    yield from _table(said, first)
    yield from _limits(said, first, "")
    yield from _profile(said, first, "")
    for game in others:
        yield from _other(said, game)
    yield from _journal(said, places.state(name), places)
    yield from _people(said, places, name)
    yield from _software(said)
    yield from _notifications(said, places, name)
    if usb_bus is not None:
        yield "# Simulated USB devices; not for play."
        yield "[usb]"
        yield value("bus", usb_bus)
        yield ""
    yield from device_lines(said, value)


def _table(said: Answers, first: str) -> Iterator[str]:
    yield "[table]"
    yield value("name", said["table.name"])
    yield value("rulebook", first, _named(first))
    yield value("equipment", said["table.equipment"], "what reads the cards: shoe, antennas or both")
    yield from _own_keys(said, first)
    offered = ", ".join(f'"{language}"' for language in dict.fromkeys((*languages_of(said), *USUAL)))
    yield f"languages = [{offered}]              # those that people can choose; the first one is the table's"
    yield value("second_language", NO_SECOND, "one more, smaller beside it")
    yield value("currency", said["table.currency"])
    yield value("currency_exponent", said["table.currency_exponent"], "digits after the point")
    yield value("timezone", said["table.timezone"], "the house's clock, on the screens; every record has UTC")
    yield ""


def _own_keys(said: Answers, game: str) -> Iterator[str]:
    """Seats, tracking, chip and resto of a game."""
    most = most_seats(game)
    yield value("seats", said[f"{game}.seats"], f"1 to {most}; seat 1 is at the croupier's left")
    levels = "; ".join(f'"{tracking}": {_TRACKED[tracking]}' for tracking in trackings(game))
    yield value("tracking", said[f"{game}.tracking"], levels)
    if game in CIRCLE_GAMES:
        yield value("chip", said[f"{game}.chip"], "the smallest chip in play: a pot is divided in it (AMB-31)")
    if GAMES[game].has_resto and f"{game}.resto" in said:
        yield value("resto", said[f"{game}.resto"], "what everybody begins with, in whole chips (FCD-RST-2, -3)")


def _named(game: str) -> str:
    return load_texts().text("game", game, DEFAULT)


def _limits(said: Answers, game: str, prefix: str) -> Iterator[str]:
    if said[f"{game}.tracking"] != Tracking.AMOUNTS:
        return
    rule = LIMIT_RULES[game]
    yield f"# Limits of the table ({rule.clause}), inside the band that was authorised ({rule.band_clause})."
    for bet in rule.bets:
        least, most = said[f"{game}.{bet}.limits"]
        yield f"[{prefix}limits.{bet}]"
        yield value("least", least)
        yield value("most", most)
        yield value("authorised", said[f"{game}.{bet}.authorised"])
        yield ""


def _profile(said: Answers, game: str, prefix: str) -> Iterator[str]:
    """Every choice of the house, with what else there is; and what its fee is, where it takes one."""
    yield "# What the document leaves open, as the house has it. `tablectl rules` says what each one means."
    yield f"[{prefix}profile]"
    for key, choice in choices_of(game).items():
        taken = said[f"{game}.profile.{key}"]
        instead = ", ".join(f'"{text}"' for text in choice.values if text != taken)
        yield value(key, taken, f"{choice.ambiguity}: or {instead}")
    yield ""
    if f"{game}.fee.rate" in said:
        yield "# What the house takes out of a pot (THL-DEF-7)."
        yield f"[{prefix}fee]"
        yield value("rate", said[f"{game}.fee.rate"], "hundredths of a per cent: 500 is 5 %")
        yield value("cap", said[f"{game}.fee.cap"], "the most that is taken")
        yield value("from", said[f"{game}.fee.from"], "what rate and cap are of")
        yield ""


def _other(said: Answers, game: str) -> Iterator[str]:
    """A game to which the table can change between hands (`tablectl table use`)."""
    yield f"# --- also at this table: {_named(game)} ---"
    yield f"[games.{game}]"
    yield from _own_keys(said, game)
    yield ""
    yield from _limits(said, game, f"games.{game}.")
    yield from _profile(said, game, f"games.{game}.")


def _journal(said: Answers, state: Path, places: Places) -> Iterator[str]:
    yield "[journal]"
    yield value("path", str(state / "table.db"))
    yield "# Keys are made with the journal, readable for the controller only; keep copies in a safe."
    yield '# Or "credential:NAME", given by systemd.'
    yield value("key", str(state / "table.key"), "opens sealed cards")
    yield value("signing_key", str(state / "table.sign"), "signs the journal")
    yield "# Every record once more; better on another disk."
    yield value("copy", str(state / "table.copy"))
    yield value("readers", "group", "screens and notifications may read the sealed journal, and no key")
    if said["house.auditor"] == NONE:
        yield '# auditor = "/etc/tablectl/auditor.pub"  # who may ask for sealed cards (docs/journal.md)'
    else:
        yield "# Who may ask for sealed cards (docs/journal.md)."
        yield value("auditor", said["house.auditor"])
    yield ""
    yield "[control]"
    yield value("socket", str(places.run(said["table.file"]) / "table.sock"))
    yield value("readers", "group", "screens and notifications may ask the controller")
    yield 'speakers = ["tablectl-screens"]          # who of them may enter something too: who keeps the accounts'
    yield ""
    yield "# Which tag is which card, sealed (docs/decks.md)."
    yield "[deck]"
    yield value("register", str(state / "decks.db"))
    yield ""


def _people(said: Answers, places: Places, name: str) -> Iterator[str]:
    accounts = places.accounts(name)
    yield "# The house's people: no hand begins without a croupier, and what overrules a device takes two persons."
    yield "[people]"
    yield value("path", str(accounts / "people.db"))
    yield value("required", True, "false: whoever is at the table deals, for tests")
    if said["badges.driver"] != NONE:
        yield value("badges", "badges", "the reader to which people hold their badges")
    yield ""
    yield "[screens]"
    yield value("port", said["screens.port"], "on loopback")
    yield ""
    yield "# What the pit boss's statistics are made of; made again from the journal whenever it is missing."
    yield "[statistics]"
    yield value("path", str(accounts / "statistics.db"))
    yield ""
    if denominations := said.get("float.denominations", ()):
        yield '# The house\'s chips, by which the tray is counted (docs/pit.md, "Float"); without them a total.'
        yield "[float]"
        yield value("denominations", denominations)
        yield ""
    yield "# Backups (docs/backup.md):"
    yield f"#   {by_hand(name, places.config(name), Path(said['house.backups']))}"
    yield ""


def _software(said: Answers) -> Iterator[str]:
    yield "# Who approves the software; a table is not started before that (docs/software-identity.md)."
    named = value("manifest", f"{said['table.file']}.manifest-{{version}}.json", "what was approved, beside this file")
    if said["house.approver"] == NONE:
        yield from ("# [software]", f"# {named}", '# public_key = "/etc/tablectl/approver.pem"')
    else:
        yield from ("[software]", named, value("public_key", said["house.approver"]))
    yield ""


def _notifications(said: Answers, places: Places, name: str) -> Iterator[str]:
    if not said["house.notifications"]:
        return
    yield "# Who is told what happens here (docs/notifications.md). The address is a secret: it stands among the"
    yield "# credentials of the service, never in this file. A further phone or mailbox is a further [[notify]]."
    yield "[notifications]"
    yield value("path", str(places.outbox(name) / "notifications.db"))
    yield "[[notify]]"
    yield value("name", "chef")
    yield value("url", "credential:chef")
    yield 'what = ["incident", "tilt", "device", "controller", "deck", "disk"]'
    yield ""
