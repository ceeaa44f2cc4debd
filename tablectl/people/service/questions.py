"""What the pages ask of whoever keeps the accounts: a struct a question, with the type of its answer.

The process that faces the network asks; it holds no account, no session and no right of its own. `AccountsService`
answers, in a process of its own (`tablectl accounts`), or in the same one where a demonstration or a test needs no
more.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from enum import StrEnum
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, get_args

import msgspec

from tablectl.api.client import NoController
from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.people.accounts import Account, UnknownAccount
from tablectl.people.administration import NotPossible
from tablectl.people.people import Denial, Denied, SignedOn
from tablectl.people.rules import Weakness, WeakSecret
from tablectl.people.sessions import AlarmView
from tablectl.people.source import Source

T = TypeVar("T")


class Question(msgspec.Struct, Generic[T], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask"):
    """Something to be answered with a `T`, or refused with one of the exceptions of `REFUSALS`."""

    def __repr__(self) -> str:
        """Its kind alone: most have a secret or a token."""
        return type(self).__name__


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a question or an answer."""

    def __repr__(self) -> str:
        """Its kind alone, as above."""
        return type(self).__name__


# -- who is asking -----------------------------------------------------------------------------------------------------


class Seen(_Value, frozen=True):
    """Whose session a browser has; or what alarms are left to it; and the language that this person chose, or ""."""

    signed_on: SignedOn | None = None
    alarm_view: AlarmView | None = None
    language: str = ""


class Who(Question[Seen], tag="who", frozen=True):
    """Whose session this is. `is_activity`: its person did something, no page by itself."""

    token: str
    is_activity: bool = False


class ChooseLanguage(Question[bool], tag="choose-language", frozen=True):
    """Keep this language for whoever is signed on; answered with False where nobody is."""

    token: str
    language: str


class IsGone(Question[bool], tag="is-gone", frozen=True):
    """Whether a person has an account, and no session that holds."""

    name: str


# -- signing on and off ------------------------------------------------------------------------------------------------


class TableReply(_Value, frozen=True):
    """What the controller said when it was told who deals, or who leaves; `is_reached`: whether it said anything."""

    is_reached: bool = True
    ok: bool = True
    error: str = ""
    refused: str = ""


class Opened(_Value, frozen=True):
    """A new session: its token; what a browser keeps by which it is known, where the way of signing on makes it so;
    and what the table said, where somebody left it or takes it now."""

    token: str
    browser: str = ""
    left: TableReply | None = None
    taken: TableReply | None = None


class SignOn(Question[Opened], tag="sign-on", frozen=True):
    """With a password, or at the table with a PIN. `replaces`: the token that this browser had, "" for none."""

    name: str
    secret: str
    way: Literal["password", "pin"]
    source: Source
    replaces: str = ""


class SignOnByBadge(Question[Opened | None], tag="sign-on-by-badge", frozen=True):
    """At the table, with the badge that its reader saw just now; None where it saw none within `wait_s`."""

    source: Source
    wait_s: float
    replaces: str = ""


class SignOff(Question[TableReply | None], tag="sign-off", frozen=True):
    """End a session, or what is left of one; a croupier leaves the table."""

    token: str


class ChangeSecret(Question[str], tag="change-secret", frozen=True):
    """Another secret of one's own. All sessions of this person end; the token of a new one."""

    token: str
    way: Literal["password", "pin"]
    old: str
    new: str
    source: Source


# -- a second person --------------------------------------------------------------------------------------------------


class Assertion(_Value, frozen=True):
    """What a passkey signed for an action, in base64url; `nonce` as it was asked."""

    nonce: str
    credential: str
    client_data: str
    authenticator_data: str
    signature: str


class Second(_Value, frozen=True):
    """Who signs beside somebody: with his password, or with a passkey."""

    name: str
    secret: str = ""
    passkey: Assertion | None = None


# -- who there is ------------------------------------------------------------------------------------------------------


class Tiles(_Value, frozen=True):
    """The croupiers who sign on at the table with a PIN; a demonstration's PIN and the address at which one deals
    there oneself, "" at a real table."""

    croupiers: tuple[Account, ...]
    demo_pin: str = ""
    demo_dealing: str = ""


class AskTiles(Question[Tiles], tag="tiles", frozen=True):
    """Who signs on at the table's own screen."""


class Register(_Value, frozen=True):
    """All accounts, and the names of those that are locked for a while."""

    accounts: tuple[Account, ...]
    locked: frozenset[str]


class AskRegister(Question[Register], tag="register", frozen=True):
    """Of a manager."""

    token: str


class Administer(Question[str], tag="administer", frozen=True):
    """One change of an account, by a manager, and a second person where an auditor is made; the one-time password that
    was made, or ""."""

    token: str
    do: Literal["add", "reset", "disable", "enable", "roles", "badge", "no-badge"]
    name: str
    display: str = ""
    roles: tuple[Role, ...] = ()
    second: Second | None = None
    source: Source = Source()


class RefusedRow(_Value, frozen=True):
    """A row of the record of people that the controller never took, and why."""

    row: dict[str, Any]
    why: str


class AskRefusedRows(Question[tuple[RefusedRow, ...]], tag="refused-rows", frozen=True):
    """Of an auditor."""

    token: str


class PasskeyShown(_Value, frozen=True):
    """A passkey, as its person sees it; `added_us`: microseconds since the epoch."""

    credential: str
    label: str
    added_us: int


class AskPasskeys(Question[tuple[PasskeyShown, ...] | None], tag="passkeys", frozen=True):
    """One's own; None where this house has none (`people.passkey_host`)."""

    token: str


class BeginPasskey(Question[dict[str, Any]], tag="begin-passkey", frozen=True):
    """What a browser needs to make one (`PublicKeyCredentialCreationOptionsJSON`), by whoever proves his password."""

    token: str
    password: str
    source: Source


class AddPasskey(Question[None], tag="add-passkey", frozen=True):
    """The one that a browser made (`RegistrationResponseJSON`) within two minutes after it was begun."""

    token: str
    label: str
    made: dict[str, Any]


class RemovePasskey(Question[None], tag="remove-passkey", frozen=True):
    """A passkey of one's own that is lost, or not wanted any more."""

    token: str
    password: str
    credential: str
    source: Source


# -- on record ---------------------------------------------------------------------------------------------------------

#: What pages put on record of those who read: all else is put on record by whoever does it.
LOOKS: Final = frozenset(
    {
        AccessKind.PAGE_REFUSED,
        AccessKind.READ_HAND,
        AccessKind.READ_RECORDS,
        AccessKind.VERIFIED,
        AccessKind.OPENED_SEALED,
        AccessKind.EXPORTED,
        AccessKind.READ_TRACE,
        AccessKind.READ_STATISTICS,
        AccessKind.DOWNLOADED,
    }
)


class Look(Question[None], tag="look", frozen=True):
    """Put on record what somebody looks at, or was not let look at; when it is answered it is on the disk. `once`:
    however often it is shown, once a minute."""

    token: str
    kind: AccessKind
    role: str
    about: str
    granted: bool = True
    once: bool = False


# -- acting ------------------------------------------------------------------------------------------------------------


class Act(Question[dict[str, Any]], tag="act", frozen=True):
    """A request to the controller, by whoever is signed on; its answer. The names that go with it are put in by whoever
    keeps the accounts, and no page is believed them. `as_croupier`: from the croupier's page."""

    token: str
    request: dict[str, Any]
    source: Source
    second: Second | None = None
    as_croupier: bool = False


class AskToSign(Question[dict[str, Any]], tag="ask-to-sign", frozen=True):
    """What a second person's browser has to let him sign (`PublicKeyCredentialRequestOptionsJSON`, and the `nonce`)
    before this request of two is sent."""

    token: str
    request: dict[str, Any]
    second: str


class NotYours(Exception):
    """This person may not do that. `why` has a sentence on the screens."""

    def __init__(self, why: str, **values: str) -> None:
        super().__init__(why)
        self.why = why
        self.values = values


class NoAccounts(ConnectionError):
    """Whoever keeps the accounts does not answer."""


class House(Protocol):
    """Whoever keeps the accounts, as the pages know it."""

    def now_us(self) -> int:
        """The time by which sessions end, in microseconds since the epoch."""

    async def ask(self, question: Question[T]) -> T:
        """The answer. Raises one of `REFUSALS`, `NoAccounts`, and for `Act` the `NoController` of the API's client."""

    def progress(self, act: Act) -> AsyncGenerator[Mapping[str, Any]]:
        """Every line of the controller's answer, as it comes. Raises as `ask`."""


# -- how it goes over a socket -----------------------------------------------------------------------------------------


class RefusalKind(StrEnum):
    """Which exception it is."""

    DENIED = "denied"
    WEAK_SECRET = "weak-secret"
    NOT_POSSIBLE = "not-possible"
    UNKNOWN_ACCOUNT = "unknown-account"
    NOT_YOURS = "not-yours"
    NO_CONTROLLER = "no-controller"
    BAD_QUESTION = "bad-question"


class Refused(_Value, frozen=True):
    """An exception, as it goes over a socket."""

    kind: RefusalKind
    why: str
    pause_s: int = 0
    values: dict[str, str] = {}


#: What may come instead of an answer; besides these, that the controller does not answer.
REFUSALS: Final = (Denied, WeakSecret, NotPossible, UnknownAccount, NotYours)


def refused(wrong: Exception) -> Refused:
    """One of `REFUSALS`, to be sent."""
    match wrong:
        case Denied():
            return Refused(kind=RefusalKind.DENIED, why=wrong.why, pause_s=wrong.pause_s)
        case WeakSecret():
            return Refused(kind=RefusalKind.WEAK_SECRET, why=wrong.why)
        case NotPossible():
            return Refused(kind=RefusalKind.NOT_POSSIBLE, why=wrong.why)
        case UnknownAccount():
            return Refused(kind=RefusalKind.UNKNOWN_ACCOUNT, why=str(wrong))
        case NotYours():
            return Refused(kind=RefusalKind.NOT_YOURS, why=wrong.why, values=wrong.values)
        case _:
            return Refused(kind=RefusalKind.NO_CONTROLLER, why=str(wrong))


def raised(said: Refused) -> Exception:
    """The same again."""
    match said.kind:
        case RefusalKind.DENIED:
            return Denied(Denial(said.why), said.pause_s)
        case RefusalKind.WEAK_SECRET:
            return WeakSecret(Weakness(said.why))
        case RefusalKind.NOT_POSSIBLE:
            return NotPossible(said.why)
        case RefusalKind.UNKNOWN_ACCOUNT:
            return UnknownAccount(said.why)
        case RefusalKind.NOT_YOURS:
            return NotYours(said.why, **said.values)
        case RefusalKind.NO_CONTROLLER:
            return NoController(said.why)
        case RefusalKind.BAD_QUESTION:
            return NoAccounts(f"another version keeps the accounts: {said.why}")


QUESTIONS: Final[tuple[type[Question[Any]], ...]] = (
    *(Who, ChooseLanguage, IsGone, SignOn, SignOnByBadge, SignOff, ChangeSecret),
    *(AskTiles, AskRegister, Administer, AskRefusedRows, Look, Act),
    *(AskPasskeys, BeginPasskey, AddPasskey, RemovePasskey, AskToSign),
)


def answer_from(question: Question[T], said: object) -> T:
    """An answer, as it came over a socket, of the type that the question's class says. Raises `ValidationError`."""
    answer: T = msgspec.convert(said, get_args(vars(type(question))["__orig_bases__"][0])[0])
    return answer
