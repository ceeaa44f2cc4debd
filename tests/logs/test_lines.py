"""One event is one line, whatever is in it, and nothing is in it that nobody chose to say."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import warnings
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tablectl.ops.log import LOGGER, LateLog, Said
from tablectl.ops.logs.line import LINE_MOST, STABLE
from tablectl.ops.logs.safe import LEFT_OUT, NEVER_FIELDS, text
from tests.logs.reading import reading

FORMATS = ("json", "text")
#: What ends a line for some reader, or is no character.
ODD = (
    "\n",
    "\r\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u2028",
    "\u2029",
    "\x00",
    "\x1b[31m",
    "\ud800",
    "\udcff",
    "\u202e",
)


def test_every_line_has_the_same_fields_in_front_and_then_its_own() -> None:
    with reading() as read:
        before = datetime.now(UTC)
        read.log.info("device back", device="shoe", identity="usb 1-2")
        read.log.error("tilt", kind="clock")
    back, tilt = read.events
    assert list(back) == [*STABLE, "device", "identity"]
    assert back | {"timestamp": ""} == {
        "event": "device back",
        "level": "info",
        "timestamp": "",
        "table": "mesa 1",
        "process": "controller",
        "device": "shoe",
        "identity": "usb 1-2",
    }
    assert tilt["level"] == "error"
    assert back["timestamp"].endswith("Z")
    assert timedelta() <= datetime.fromisoformat(back["timestamp"]) - before < timedelta(minutes=1)


def test_without_a_table_there_is_a_field_for_it() -> None:
    with reading(table=None) as read:
        read.log.info("ready")
    assert list(read.events[0]) == list(STABLE)
    assert read.events[0]["table"] is None


def test_a_field_cannot_pass_for_what_every_line_has() -> None:
    with reading() as read:
        LateLog().info("ready", level="error", process="screens", timestamp="never", table="mesa 2")
    assert read.events[0]["level"] == "info"
    assert read.events[0]["process"] == "controller"
    assert read.events[0]["table"] == "mesa 1"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("odd", ODD)
def test_one_event_is_one_line_of_characters_that_can_be_shown(form: str, odd: str) -> None:
    with reading({"TABLECTL_LOG_FORMAT": form}) as read:
        fields = {f"na{odd}me": f"a{odd}b", "listed": [odd, {odd: odd}]}
        read.hand_over(LOGGER, Said(event=f"odd{odd}event", fields=fields))
        read.hand_over("some.library", "a%sb", odd)
    assert len(read.lines) == 2
    assert all(line.isprintable() for line in read.lines)
    assert len(read.text.splitlines()) == 2


@pytest.mark.parametrize("form", FORMATS)
def test_a_huge_event_is_cut_and_says_so(form: str) -> None:
    with reading({"TABLECTL_LOG_FORMAT": form}) as read:
        read.log.info("long", reason="x" * 10_000_000)
        read.log.info("wide", **{f"field{number}": "y" * 5000 for number in range(300)})
        read.log.info("many", some=[["z" * 900] * 50] * 50)
    long, wide, many = read.lines
    assert all(len(line) <= LINE_MOST + 200 for line in read.lines)
    assert "(10000000 characters)" in long
    assert "its own fields: " in wide
    assert "its own fields: " in many


def test_text_is_for_people() -> None:
    with reading({"TABLECTL_LOG_FORMAT": "text"}) as read:
        read.log.warning("device lost", device="shoe", reason="no answer")
    (line,) = read.lines
    assert "warning" in line
    assert "device lost" in line
    assert "device=shoe" in line
    assert "reason='no answer'" in line
    assert not line.startswith("{")


# --- what is never in it --------------------------------------------------------------------------------------------


class Card:
    """Says what it is to whoever asks for its text."""

    def __str__(self) -> str:
        return "hidden"

    __repr__ = __str__


def breaks(hidden: str) -> None:
    local = hidden
    raise ValueError(f"no such card: {local}")


def broken() -> ValueError:
    """With a cause that has a text of its own, and a note."""
    try:
        try:
            breaks("hidden")
        except ValueError as cause:
            cause.add_note("hidden")
            raise ValueError("also hidden") from cause
    except ValueError as found:
        return found
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "said",
    [
        Card(),
        [Card()],
        {"a": Card()},
        (1, (2, (3, (4, Card())))),
        b"hidden",
        broken(),
        ExceptionGroup("hidden", [broken()]),
        "posted to mailtos://hidden:hidden@example.com/hidden in vain",
        "Cookie: a=hidden; b=hidden",
        '{"password": "hidden"}',
        "PIN=hidden",
    ],
)
def test_objects_errors_addresses_and_secrets_are_not_put_into_words(said: object, form: str) -> None:
    with reading({"TABLECTL_LOG_FORMAT": form, "TABLECTL_LOG": "debug"}) as read:
        read.log.debug("odd", it=said)
        logging.getLogger("some.library").error("it", exc_info=said if isinstance(said, Exception) else None)
        if isinstance(said, str):
            logging.getLogger("some.library").error("said %s", said)
    assert len(read.lines) >= 2
    assert "hidden" not in read.text


@pytest.mark.parametrize("name", sorted(NEVER_FIELDS))
def test_a_field_that_is_named_like_a_secret_is_left_out(name: str) -> None:
    with reading() as read:
        read.log.info("odd", **{name: "hidden", "inside": {name.upper(): "hidden"}})
    assert read.events[0][name] == LEFT_OUT
    assert read.events[0]["inside"] == {name.upper(): LEFT_OUT}


def test_of_an_error_its_kind_and_where_it_came_from_are_told_and_what_led_to_it() -> None:
    with reading() as read:
        read.log.error("odd", trace=broken())
    outer, inner = read.events[0]["trace"]
    assert outer.startswith(f"ValueError < {__file__}:")
    assert inner.startswith(f"ValueError < {__file__}:")
    assert " in breaks < " in inner
    assert " in broken" in inner


def test_of_a_group_of_errors_each_is_told() -> None:
    with reading() as read:
        read.log.error("odd", trace=ExceptionGroup("", [KeyError("a"), OSError("b")]))
    assert read.events[0]["trace"] == ["ExceptionGroup", "KeyError", "OSError"]


def test_what_says_nothing_secret_stays_as_it_is() -> None:
    for plain in ("/var/lib/tablectl/mesa-1/table.copy: No space left on device", "usb 1-2.4", "16d0:0d12", "ñandú"):
        assert text(plain) == plain
    with reading() as read:
        read.log.info("plain", number=3, share=0.5, none=None, good=True, listed=["a", 1], file=Path("/a"))
    assert {**read.events[0], **dict.fromkeys(STABLE)} == {
        **dict.fromkeys(STABLE),
        "number": 3,
        "share": 0.5,
        "none": None,
        "good": True,
        "listed": ["a", 1],
        "file": "/a",
    }


# --- what others say ------------------------------------------------------------------------------------------------


def test_what_a_library_warns_of_is_an_event_and_what_else_it_says_is_none() -> None:
    with reading({"TABLECTL_LOG": "debug"}) as read:
        library = logging.getLogger("uvicorn.error")
        library.debug("bytes of somebody")
        library.info("Uvicorn running")
        library.warning("Invalid %s request", "HTTP")
        library.critical("no more")
    invalid, no_more = read.events
    assert (invalid["event"], invalid["level"]) == ("a library said", "warning")
    assert (invalid["library"], invalid["said"]) == ("uvicorn.error", "Invalid HTTP request")
    assert no_more["level"] == "error"


def test_a_message_that_a_library_got_wrong_breaks_nothing_and_is_missed() -> None:
    with reading() as read:
        read.hand_over("some.library", "%s and %s", "one")
        read.log.info("ready")
    assert [event["event"] for event in read.events] == ["lines lost", "ready"]
    assert read.events[0]["times"] == 1


def taskless() -> None:
    async def fails() -> None:
        breaks("hidden")

    async def nobody_waits() -> None:
        task = asyncio.create_task(fails())
        await asyncio.wait([task])
        del task

    asyncio.run(nobody_waits())


def threaded() -> None:
    thread = threading.Thread(target=breaks, args=("hidden",), name="reader")
    thread.start()
    thread.join()


def warned() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("odd\nlines", RuntimeWarning, stacklevel=1)


class Unraised:
    def __del__(self) -> None:
        breaks("hidden")


def collected() -> None:
    made = Unraised()
    del made


@pytest.mark.parametrize(
    ("does", "event", "level"),
    [
        (taskless, "a library said", "error"),
        (threaded, "thread broke", "error"),
        (collected, "error without a taker", "warning"),
    ],
)
def test_an_error_that_nobody_took_is_one_line_without_its_text(
    does: Callable[[], None], event: str, level: str
) -> None:
    with reading() as read:
        does()
    assert [(entry["event"], entry["level"]) for entry in read.events] == [(event, level)]
    assert " in breaks" in read.events[0]["trace"][0]
    assert "hidden" not in read.text


def test_a_warning_of_pythons_is_one_line() -> None:
    shown = warnings.showwarning
    with reading() as read:
        hook = warnings.showwarning
        hook("odd\nlines", RuntimeWarning, "file.py", 7)
    assert warnings.showwarning is shown
    (said,) = read.events
    assert (said["event"], said["level"], said["kind"]) == ("python warned", "warning", "RuntimeWarning")
    assert (said["said"], said["where"]) == ("odd\\nlines", "file.py:7")


# --- how much -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "n_lines"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1), ("loud", 4)])
def test_what_is_below_the_level_is_not_said(level: str, n_lines: int) -> None:
    with reading({"TABLECTL_LOG": level}) as read:
        for say in (read.log.debug, read.log.info, read.log.warning, read.log.error):
            say("an event")
    assert len(read.lines) == n_lines


def test_a_wrong_setting_is_told_once() -> None:
    with reading({"TABLECTL_LOG": "loud"}) as read:
        read.log.info("ready")
        read.log.info("stopped")
    first, *others = read.events
    assert first["event"] == "log setting not understood"
    assert (first["setting"], first["found"], first["taken"]) == ("TABLECTL_LOG", "loud", "info")
    assert [other["event"] for other in others] == ["ready", "stopped"]


def test_who_has_set_up_nothing_hears_warnings_in_words(caplog: pytest.LogCaptureFixture) -> None:
    LateLog().warning("second copy lost", reason="no disk", trace=broken())
    assert [record.getMessage() for record in caplog.records] == ["second copy lost reason='no disk' trace=ValueError"]
    assert str(Said(event="ready")) == "ready"


def test_after_its_end_everything_is_as_before() -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, threading.excepthook, warnings.showwarning)
    with reading() as outer:
        with reading() as inner:
            inner.log.info("inside")
        outer.log.info("outside")
    assert [event["event"] for event in outer.events] == ["outside"]
    assert (list(root.handlers), root.level, threading.excepthook, warnings.showwarning) == before


def test_the_fields_can_be_read_by_any_tool() -> None:
    with reading() as read:
        read.log.info("croupier relieved", name="José Núñez")
    assert read.text.isascii()
    assert json.loads(read.text)["name"] == "José Núñez"
