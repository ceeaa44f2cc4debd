"""The texts of the list of alarms, in one language. Pure."""

from __future__ import annotations

from tablectl.core.engine.preview import Preview, SeatMoney
from tablectl.core.engine.vocabulary import Remedy
from tablectl.core.public_table.alarms import Alarm
from tablectl.core.public_table.attempts import AttemptsView
from tablectl.core.public_table.device import DeviceState, DeviceView
from tablectl.core.public_table.incident import IncidentState, IncidentView
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.clauses.deciding import Case, Deciding, deciding, supports
from tablectl.i18n.disks import room
from tablectl.web.screens.screen_texts import ScreenTexts


def means(t: ScreenTexts, incident: IncidentView, remedy: str) -> str:
    """What a remedy will do, in one sentence: as it is said of what was seen, where there is a sentence for that."""
    candidates = (("offer", f"{incident.observed}-{remedy}"), ("remedy-means", remedy), ("offer", remedy))
    found = next(((table, key) for table, key in candidates if t.texts.has(table, key)), None)
    return t.say("remedy-means", "other") if found is None else t.say(*found)


def becomes(t: ScreenTexts, preview: Preview) -> str:
    """What becomes of the hand."""
    return t.say("preview", preview.fate, seats=", ".join(t.spot(f"seat-{seat}") for seat in preview.out))


def paid_back(t: ScreenTexts, result: SeatMoney) -> str:
    """What goes back to a seat; by the names of the bets where no amounts are entered."""
    return _moved(t, result.paid_back, result.bets_back)


def taken_back(t: ScreenTexts, result: SeatMoney) -> str:
    """What comes back from it, the same way."""
    return _moved(t, result.taken_back, result.bets_taken)


def _moved(t: ScreenTexts, amount: int | None, bets: tuple[str, ...]) -> str:
    if amount is not None:
        return t.money(amount)
    return ", ".join(map(t.bet, bets)) or t.say("preview", "no-amount")


def about(t: ScreenTexts, alarm: Alarm) -> str:
    """What it is about that is no incident: which device, a disk, security, or the journal."""
    if alarm.missing is not None:
        return t.say("rolled-back", "title")
    if alarm.disk is not None:
        return t.say("alarm", "disk")
    if alarm.attempts is not None:
        return t.say("alarm", "security")
    if alarm.days is not None:
        return t.say("alarm", "software")
    device = alarm.notes[0].device if alarm.device is None else alarm.device.device
    return t.say("alarm", "device", device=device)


def wrong(t: ScreenTexts, alarm: Alarm) -> str:
    """What is wrong with a device, a disk or the journal, or what somebody tried."""
    if alarm.missing is not None:
        return t.say("rolled-back", "missing", seq=alarm.missing.to_seq)
    if alarm.disk is not None:
        return t.say("disk", alarm.disk.urgency)
    if alarm.attempts is not None:
        return t.say("attempts", alarm.attempts.cause)
    if alarm.days is not None:
        return t.pluralize("alarm", "not-approved", alarm.days)
    if alarm.device is None:
        return "; ".join(t.noted(note) for note in alarm.notes)
    kind = "lost" if alarm.device.state is DeviceState.LOST else "was-lost"
    return t.say("alarm", kind, role=t.word("role", alarm.device.role), device=alarm.device.device)


def to_do(t: ScreenTexts, alarm: Alarm) -> str:
    """What to do about a device, or a disk: who makes room, and how much there is; what attempts mean, too; and about a
    journal that was put back, whether a backup explains it."""
    if alarm.missing is not None:
        explained = t.say("rolled-back", "restored", seq=alarm.missing.restored) if alarm.missing.restored else ""
        return f"{explained} {t.say('rolled-back', 'do')}".strip()
    if alarm.disk is not None:
        return f"{room(t, alarm.disk)}. {t.say('alarm', 'disk-do')}"
    if alarm.attempts is not None:
        return t.say("attempts-do", alarm.attempts.cause)
    if alarm.days is not None:
        return t.say("alarm", "not-approved-do")
    if alarm.device is not None:
        return t.word("device-hint", "lost") if alarm.device.state is DeviceState.LOST else ""
    return " ".join(t.word("said-do", note.what) for note in alarm.notes)


def refunded(t: ScreenTexts, view: PublicTable, incident: IncidentView) -> str:
    """What a hand that is void by this incident gives back, seat by seat; empty where it is another hand, or stands."""
    is_void = incident.remedy == Remedy.VOID_HAND and incident.hand == view.hand
    return t.owed(view) if is_void else ""


def decides(t: ScreenTexts, view: PublicTable, incident: IncidentView) -> tuple[str, ...]:
    """What decides beside the clause: each choice of the house with its key and value, each ruling."""
    if not incident.cited:
        return ()
    chosen = () if incident.remedy is None else (incident.remedy,)
    remedies = tuple(dict.fromkeys((*chosen, *incident.remedies)))
    case = Case(clause=incident.clause, observed=incident.observed, remedies=remedies, was_seen=incident.was_seen)
    points = tuple(_decides(t, point) for point in deciding(t.rulebook, case, view.profile))
    if points or incident.state is not IncidentState.RULING or supports(case):
        return points
    return (t.say("alarm", "decides-nobody"),)


def _decides(t: ScreenTexts, point: Deciding) -> str:
    if point.key:
        return t.say("alarm", "decides-choice", key=point.key, value=point.value, said=t.choice(point.key))
    said = t.word("open-point", f"{point.rulebook}-{point.point}")
    return t.say("alarm", "decides-ruling", point=point.point, said=said)


def responds(t: ScreenTexts, alarm: Alarm) -> str:
    """Who must respond."""
    return t.say("alarm", "responds", role=t.word("person-role", alarm.responder))


def seen(t: ScreenTexts, known: DeviceView | AttemptsView) -> str:
    """Who knows of it, and since when."""
    return t.page("acknowledged", by=t.person(known.seen_by), at=t.time(known.seen_at))


def tried_by(t: ScreenTexts, attempts: AttemptsView) -> str:
    """Who tried, as far as that is known, and when the newest record says so."""
    return t.say("alarm", "tried-by", source=attempts.source, at=t.time(attempts.told_at))


def shelved(t: ScreenTexts, alarm: Alarm) -> str:
    """Until when it is put aside, and by whom."""
    if alarm.shelf is None:
        return ""
    return t.say("alarm", "shelved", at=t.time(alarm.shelved_until), by=t.person(alarm.shelf.by))
