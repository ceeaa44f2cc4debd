"""The texts of the list of alarms, in one language. Pure."""

from __future__ import annotations

from tablectl.core.engine.preview import Preview
from tablectl.core.public_table.device import DeviceState, DeviceView
from tablectl.core.public_table.incident import IncidentView
from tablectl.i18n.disks import room
from tablectl.web.screens.alarms import Alarm
from tablectl.web.screens.screen_texts import ScreenTexts


def means(t: ScreenTexts, incident: IncidentView, remedy: str) -> str:
    """What a remedy will do, in one sentence: as it is said of what was seen, where there is a sentence for that."""
    candidates = (("offer", f"{incident.observed}-{remedy}"), ("remedy-means", remedy), ("offer", remedy))
    found = next(((table, key) for table, key in candidates if t.texts.has(table, key)), None)
    return t.say("remedy-means", "other") if found is None else t.say(*found)


def becomes(t: ScreenTexts, preview: Preview) -> str:
    """What becomes of the hand."""
    return t.say("preview", preview.fate, seats=", ".join(t.spot(f"seat-{seat}") for seat in preview.out))


def moved(t: ScreenTexts, amount: int | None) -> str:
    """Money that goes back to a seat or comes back from it; a word where no amounts are entered."""
    return t.say("preview", "no-amount") if amount is None else t.money(amount)


def about(t: ScreenTexts, alarm: Alarm) -> str:
    """What it is about that is no incident: which device, or a disk."""
    if alarm.disk is not None:
        return t.say("alarm", "disk")
    device = alarm.notes[0].device if alarm.device is None else alarm.device.device
    return t.say("alarm", "device", device=device)


def wrong(t: ScreenTexts, alarm: Alarm) -> str:
    """What is wrong with a device, or with a disk."""
    if alarm.disk is not None:
        return t.say("disk", alarm.disk.urgency)
    if alarm.device is None:
        return "; ".join(t.noted(note) for note in alarm.notes)
    kind = "lost" if alarm.device.state is DeviceState.LOST else "was-lost"
    return t.say("alarm", kind, role=t.word("role", alarm.device.role), device=alarm.device.device)


def to_do(t: ScreenTexts, alarm: Alarm) -> str:
    """What to do about a device, or a disk: who makes room, and how much there is."""
    if alarm.disk is not None:
        return f"{room(t, alarm.disk)}. {t.say('alarm', 'disk-do')}"
    if alarm.device is not None:
        return t.word("device-hint", "lost") if alarm.device.state is DeviceState.LOST else ""
    return " ".join(t.word("said-do", note.what) for note in alarm.notes)


def seen(t: ScreenTexts, device: DeviceView) -> str:
    """Who knows of it, and since when."""
    return t.page("acknowledged", by=t.person(device.seen_by), at=t.time(device.seen_at))


def shelved(t: ScreenTexts, alarm: Alarm) -> str:
    """Until when it is put aside, and by whom."""
    if alarm.shelf is None:
        return ""
    return t.say("alarm", "shelved", at=t.time(alarm.shelved_until), by=t.person(alarm.shelf.by))
