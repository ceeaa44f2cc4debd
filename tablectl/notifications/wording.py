"""An alert in words, short enough for a phone: in each language what happened, the rule, and what is asked of whom.

Everything comes from the public record; cards are not in it until they are shown, and no sentence here names one. What
a person typed, file names and a device's own error stay at the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tablectl.config.sections import What
from tablectl.core.disk_room import Space
from tablectl.core.engine.cable_faults import cited
from tablectl.core.engine.decisions import IncidentEscalated, IncidentRaised
from tablectl.core.engine.facts import DeviceLost
from tablectl.core.engine.vocabulary import Chooser
from tablectl.core.events.notes import DeckMoved, Security
from tablectl.i18n.disks import room
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts
from tablectl.journal.signed_head import SignedHead
from tablectl.notifications.alerts import Alert

PACKAGE: Final = "tablectl.notifications"
#: The longest that a rule's text may be in a message, in characters; the screen has all of it.
RULE_CHARS: Final = 320
_TOLD: Final = "told"
_CHOOSERS: Final = {
    Chooser.RULE: "by-rule",
    Chooser.CROUPIER: "by-croupier",
    Chooser.PIT_BOSS: "by-pit-boss",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """Where it happened. `timezone`: an IANA name; empty where the table names none, and times are UTC. `public_url`:
    where people reach the table's pages; empty: the message links to none."""

    table: str
    rulebook: str = ""
    timezone: str = ""
    public_url: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """What is sent, but for what is only known when it is."""

    title: str
    body: str


def worded(alert: Alert, scene: Scene, languages: tuple[str, ...]) -> Text:
    """The message. An alert that this version has no words for is told all the same, without them."""
    try:
        text = _text(alert, scene, languages)
    except (AttributeError, LookupError, TypeError, ValueError):
        text = _plain("unknown", alert.at, scene, languages)
    has_page = scene.public_url and alert.what is not What.HEAD
    return text if not has_page else replace(text, body=f"{text.body}\n\n{_link(alert, scene)}")


def _link(alert: Alert, scene: Scene) -> str:
    """The page where somebody decides about it, at the alarm that it is about; in the language of whoever opens it."""
    return f"{scene.public_url}/pit#{quote(alert.subject)}"


def sample_message(at: str, scene: Scene, languages: tuple[str, ...]) -> Text:
    """What a target is sent to see whether it works."""
    return _plain("test", at, scene, languages)


def last_lines(identity: str, late_s: int, languages: tuple[str, ...]) -> str:
    """What stands below a message: how late it is, if it is, and its id. `late_s` in seconds; 0: in time."""
    table_texts = [_texts_in(language, "") for language in languages]
    late = [texts.say(_TOLD, "late", ago=_span(late_s)) for texts in table_texts] if late_s else []
    return "\n".join([*late, table_texts[0].say(_TOLD, "id", id=identity)])


def time_at(at: str, timezone: str) -> str:
    """Day, hour and zone, as every language reads them: `21/11 23:45:03`, or `21/11 22:45:03 UTC`."""
    moment = datetime.fromisoformat(at)
    try:
        if timezone:
            return f"{moment.astimezone(ZoneInfo(timezone)):%d/%m %H:%M:%S}"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass  # a zone that this machine does not know
    return f"{moment.astimezone(UTC):%d/%m %H:%M:%S} UTC"


def _text(alert: Alert, scene: Scene, languages: tuple[str, ...]) -> Text:
    at = time_at(alert.at, scene.timezone)
    table_texts = [_texts_in(language, scene.rulebook) for language in languages]
    titles = dict.fromkeys(_title(texts, alert) for texts in table_texts)
    bodies = ["\n".join(_lines(texts, alert, at)) for texts in table_texts]
    if isinstance(alert.said, SignedHead):
        bodies.append(alert.said.line)
    return Text(title=f"{scene.table} · {' / '.join(titles)}", body="\n\n".join(bodies))


def _plain(key: str, at: str, scene: Scene, languages: tuple[str, ...]) -> Text:
    when = time_at(at, scene.timezone)
    table_texts = [_texts_in(language, "") for language in languages]
    titles = [texts.say(_TOLD, f"{key}-title") for texts in table_texts]
    return Text(
        title=f"{scene.table} · {' / '.join(titles)}",
        body="\n\n".join(texts.say(_TOLD, key, at=when) for texts in table_texts),
    )


def _texts_in(language: str, rulebook: str) -> TableTexts:
    return TableTexts(language=language, texts=load_texts(PACKAGE), rulebook=rulebook)


def _title(t: TableTexts, alert: Alert) -> str:
    match alert.said:
        case IncidentRaised(expected=expected, observed=observed, remedies=remedies):
            return t.incident_title(expected, observed, remedies)
        case IncidentEscalated(incident=number):
            return t.say(_TOLD, f"{alert.kind}-title", incident=number)
        case str(tilt):
            return t.say(_TOLD, "tilt-title", tilt=t.word("tilt", tilt))
        case DeviceLost(role=role):
            return t.say(_TOLD, "device-lost-title", role=t.word("role", role))
        case Security(cause=cause):
            return t.say(_TOLD, f"{cause}-title")
        case _:
            return t.say(_TOLD, f"{alert.kind}-title")


def _lines(t: TableTexts, alert: Alert, at: str) -> Iterator[str]:
    match alert.said:
        case IncidentRaised(incident=number) as raised:
            expected, observed = t.observed(raised.expected), t.observed(raised.observed)
            hand = alert.hand
            yield t.say(_TOLD, "incident", incident=number, hand=hand, at=at, expected=expected, observed=observed)
            yield _rule(t, raised)
            yield _asked(t, raised, raised.chooser)
        case IncidentEscalated(incident=number) as escalated:
            yield t.say(_TOLD, alert.kind, incident=number, hand=alert.hand, at=at)
            yield _asked(t, escalated, Chooser.PIT_BOSS)
        case DeviceLost(role=role, device=device):
            yield t.say(_TOLD, alert.kind, role=t.word("role", role), device=device, at=at)
        case DeckMoved(deck=deck):
            yield t.say(_TOLD, alert.kind, at=at, deck=deck)
        case Security(cause=cause, count=count):
            yield t.say(_TOLD, alert.kind, what=t.word("attempted", cause), count=count, at=at)
            yield t.say(_TOLD, f"{cause}-do")
        case SignedHead(seq=seq):
            yield t.say(_TOLD, alert.kind, seq=seq, at=at)
        case Space() as disk:
            yield t.say(_TOLD, alert.kind, room=room(t, disk), at=at)
        case _:
            yield t.say(_TOLD, alert.kind, at=at)


def _rule(t: TableTexts, raised: IncidentRaised) -> str:
    clause = cited(raised.clause, raised.observed)
    if not clause:
        return t.word("word", "no-rule")
    text = t.clause(clause)
    if len(text) > RULE_CHARS:
        text = f"{text[:RULE_CHARS].rsplit(' ', 1)[0]}…"
    return f"{clause}: {text}" if text else clause


def _asked(t: TableTexts, incident: IncidentRaised | IncidentEscalated, chooser: Chooser) -> str:
    """What may be done about it, and who says so. A record may say which remedies take two persons."""
    names = [
        t.say(_TOLD, "two-persons", remedy=t.word("remedy", remedy))
        if remedy in incident.two_persons
        else t.word("remedy", remedy)
        for remedy in incident.remedies
    ]
    return t.say(_TOLD, _CHOOSERS[chooser], remedies=" / ".join(names))


def _span(seconds: int) -> str:
    """How long, as every language reads it: `4 min`, `3 h 12 min`."""
    hours, minutes = divmod(max(1, seconds // 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
