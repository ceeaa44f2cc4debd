"""The only module that uses Apprise, and so the network: a message goes out, and whether its target took it comes back.

Apprise knows the services; when to send and when again is our own affair, so none of its retries, threads and stores
is used. It is told to name no pictures on the web, to follow no redirection, to keep no files and to make no keys. What
it logs may hold an address, so nothing of that is shown but the number with which a server refused.
"""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from apprise import Apprise, AppriseAsset, AppriseResultStatus, NotifyBase, NotifyFormat, NotifyType

from tablectl.core.engine.vocabulary import Severity
from tablectl.core.validation import sentence
from tablectl.i18n.languages import SOURCE

#: Carries the id to a web server: draft-ietf-httpapi-idempotency-key-header.
WEB_HEADER: Final = "Idempotency-Key"
#: The same in a mail; its Message-ID is another one each time.
MAIL_HEADER: Final = "X-Tablectl-Message"
_MAIL: Final = ("mailto", "mailtos")
_REFUSED: Final = re.compile(r"error=(\d{3})\b")
_LEVELS: Final = {Severity.NOTICE: NotifyType.WARNING, Severity.ALERT: NotifyType.FAILURE}


class BadAddress(Exception):
    """An address that cannot be used. `why` repeats nothing of it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """Whether the target said that it has the message; `why` not, as far as that is known."""

    is_taken: bool
    why: str = ""


class Letterbox:
    """One target's address."""

    def __init__(self, address: str, *, timeout_s: int) -> None:
        """Raises `BadAddress`."""
        self._address = address
        self._timeout_s = timeout_s
        service = _service(address)
        #: The least time between two messages that the service asks for, in seconds.
        self.pause_s = float(service.request_rate_per_sec)
        self._header = _header_of(service, address)

    def send(self, identity: str, *, title: str, body: str, severity: Severity | None) -> Outcome:
        """Say it, and wait for the answer for the target's time. `severity`: None for what is no alarm."""
        service = _service(_with_header(self._address, self._header, identity))
        service.socket_connect_timeout = service.socket_read_timeout = float(self._timeout_s)
        # Written into an address, these would send again at once, call a failure a success, and go elsewhere.
        service.retry, service.optional, service.redirects = 0, False, False
        level = NotifyType.INFO if severity is None else _LEVELS[severity]
        began_s = time.monotonic()
        client = Apprise(service, asset=service.asset)
        result = client.notify(body, title=title, notify_type=level, body_format=NotifyFormat.TEXT)
        if result.status is AppriseResultStatus.SUCCESS:
            return Outcome(is_taken=True)
        refused = [number for entry in result.logs() for number in _REFUSED.findall(entry.message)]
        if refused:
            return Outcome(is_taken=False, why=f"refused with {refused[-1]}")
        late = time.monotonic() - began_s >= self._timeout_s
        return Outcome(
            is_taken=False, why="no answer in time" if late else "no connection, or refused without a number"
        )


def trouble_with(address: str) -> str | None:
    """What is wrong with an address, without a word of it; None where Apprise can use it."""
    try:
        _service(address)
    except BadAddress as wrong:
        return wrong.why
    return None


def _asset() -> AppriseAsset:
    return AppriseAsset(
        app_id="tablectl",
        app_desc="tablectl",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        image_path_mask="",
        theme="",
        async_mode=False,
        http_redirects=False,
        pgp_autogen=False,
        pem_autogen=False,
        storage_mode="memory",
        service_timeout=0,  # it would go on in a thread of its own, and might arrive after its own retry
        language=SOURCE,
    )


def _service(address: str) -> NotifyBase:
    _hush()
    made = Apprise.instantiate(address, asset=_asset())
    if not isinstance(made, NotifyBase):
        raise BadAddress(sentence("no address that Apprise knows, or something is missing in it"))
    if not made.verify_certificate:
        raise BadAddress(sentence("verify=no: whoever stands between could read and change messages; take it out"))
    return made


def _header_of(service: NotifyBase, address: str) -> str:
    """The name of the header that carries the id; empty for services that take none."""
    if service.template_kwargs.get("headers", {}).get("prefix") != "+":
        return ""
    return MAIL_HEADER if address.partition("://")[0].lower() in _MAIL else WEB_HEADER


def _with_header(address: str, header: str, identity: str) -> str:
    if not header:
        return address
    return f"{address}{'&' if '?' in address else '?'}+{quote(header)}={quote(identity)}"


def _hush() -> None:
    """Nothing that Apprise or what it uses logs goes any further; may be said again."""
    for name in ("apprise", "urllib3", "requests"):
        log = logging.getLogger(name)
        log.propagate = False
        if not log.handlers:
            log.addHandler(logging.NullHandler())
