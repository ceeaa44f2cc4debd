"""The methods of the controller's interface: who may call each, its arguments as a struct, and its answer.

A request is a JSON object; the first of its members that is the name of a method says which one is called. Members that
the method's struct does not know are refused. `docs/api.md` is made from the table `METHODS` and from what stands here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType, inspect

from tablectl.api.commands import (
    AcceptRollback,
    DeviceTest,
    EnterFact,
    OpenSealedCards,
    PreviewCorrection,
    RecordAccess,
    RecordFloat,
    RecordMissingHead,
    RecordProof,
    RecordReceipt,
    SeenPrompt,
    StartDeviceTest,
)
from tablectl.api.context import ApiContext, Topic
from tablectl.api.protocol import VERSION
from tablectl.core.access import AccessKind, NotTaken
from tablectl.core.engine.facts import Corrected, Fact, GameChosen, SignedOff, SignedOn
from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.events.codec import to_plain
from tablectl.core.events.notes import Access, ChipCount, Proven, RollbackAccepted
from tablectl.core.public_table.chip_float import COUNTS, TrayAct, TrayEntry, entry_refusal, total_of
from tablectl.core.roles import NAME, SYSTEM, Role
from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.challenge import challenge_of
from tablectl.journal.lines import line
from tablectl.journal.recall import HANDS_MOST, UNKNOWN_HAND, carried_into, is_opened, last_hands
from tablectl.journal.receipts import BadReceipt, Receipt
from tablectl.journal.rollback import BadHead, Found, HeadRefusal
from tablectl.journal.sealed_card_request import BadRequest, parse, without_witness
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.store import JournalUnusable, Position
from tablectl.journal.volumes import VolumeSet

#: How often a follower to whom nothing is told is looked at, whether it is still there, in seconds.
LOOK_S: Final = 0.5
#: The last position that a journal can have: SQLite's greatest integer.
POSITION_MOST: Final = 2**63 - 1
#: Words of the hand-file grammar that a person may enter; cards and devices speak for themselves.
ENTERED: Final = frozenset(
    {
        "press",
        "bet",
        "standing",
        "remove",
        "out",
        "declare",
        "rule",
        "acknowledge",
        "name",
        "correct",
        "transfer",
        "call",
    }
    | {"act", "asks", "chips", "player", "stack", "button", "croupier", "croupier-off"}
    | {"limits", "shelve", "unshelve", "transfer"}
)

#: Why an entry was not taken: its line names somebody else than who enters it.
NOT_SIGNED: Final = "not-signed"
#: Why a proof was not taken.
PROOF_OVER: Final = "proof-over"
PROOF_BAD: Final = "proof-bad"
#: The longest action that is signed.
_ACTION_MOST: Final = 1_000

#: One line of an answer: a value, or a public record as it is stored. None: nothing to say, but the caller may be gone.
Answer: TypeAlias = Mapping[str, Any] | bytes | None
Answers: TypeAlias = Iterator[Answer]


class HangUp(Exception):
    """What the caller was told does not hold any more: it is hung up, and asks again."""


# -- arguments: what each member is stands in its description ----------------------------------------------------------

_TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z\Z"
_Text: TypeAlias = Annotated[str, Meta(description="text")]
_Line: TypeAlias = Annotated[str, Meta(max_length=200, description="a line of text")]
_Name: TypeAlias = Annotated[str, Meta(pattern=rf"^{NAME.pattern}\Z", description="a name")]
_NoName: TypeAlias = Annotated[str, Meta(pattern=rf"^(?:{NAME.pattern})?\Z", description='a name or ""')]
_Role: TypeAlias = Annotated[str, Meta(pattern=rf"^(?:{'|'.join(Role)})?\Z", description='a role or ""')]
_Record: TypeAlias = Annotated[int, Meta(gt=0, le=POSITION_MOST, description="the number of a record")]
_After: TypeAlias = Annotated[int, Meta(ge=0, le=POSITION_MOST, description="the number of a record, or 0")]
_Hand: TypeAlias = Annotated[int, Meta(gt=0, le=POSITION_MOST, description="the number of a hand")]
_Amount: TypeAlias = Annotated[
    int, Meta(ge=0, le=AMOUNT_MOST, description=f"a whole number in the smallest unit, to {AMOUNT_MOST}")
]


class Arguments(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The members of a request. A proof of who asks would be one more member, of all methods that change something."""


class _OneOf(Arguments):
    """One of its members, and no other."""

    def __post_init__(self) -> None:
        given = [name for name in self.__struct_fields__ if getattr(self, name) is not UNSET]
        if len(given) != 1:
            raise ValueError(f"one of {', '.join(self.__struct_fields__)}")


class StreamStart(_OneOf):
    """After a record, or with the opening of one of the last hands."""

    after: _After | UnsetType = UNSET
    hands: Annotated[int, Meta(gt=0, le=POSITION_MOST, description="how many hands")] | UnsetType = UNSET


class PastHands(_OneOf):
    """One hand, or the list of the last ones."""

    hand: _Hand | UnsetType = UNSET
    hands: Annotated[int, Meta(gt=0, le=HANDS_MOST, description=f"how many, to {HANDS_MOST}")] | UnsetType = UNSET


class RecordHash(Arguments):
    """A record, and the hash that somebody found for it."""

    seq: _Record
    hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 hexadecimal digits")]


class KnownHead(RecordHash):
    """A record that the table signed, as its line in the stream has it."""

    signature: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z", description="128 hexadecimal digits")]


class SignedRequest(Arguments):
    """As `tablectl journal open` makes it."""

    request: _Text
    signature: Annotated[str, Meta(description="128 hexadecimal digits")]


class NewDeck(Arguments):
    """A deck that is to be registered."""

    deck: _Text
    reader: Annotated[str, Meta(description="the name of a reader")]
    by: _Line
    reason: _Line = ""

    def __post_init__(self) -> None:
        if not self.by.strip() or not f"{self.by}{self.reason}".isprintable():
            raise ValueError("by and reason are a line of text each, and by is not empty")


class AccessNote(Arguments):
    """What somebody did with the screens, numbered by who keeps the accounts."""

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z", description="32 hexadecimal digits")]
    number: Annotated[int, Meta(gt=0, le=2**53, description="a number from 1")]
    at: Annotated[str, Meta(pattern=_TIME, description="a time such as 2026-11-21T20:00:00Z")]
    what: AccessKind
    who: _NoName
    role: _Role
    about: Annotated[str, Meta(max_length=500, description="printable text")]
    granted: bool

    def __post_init__(self) -> None:
        if not self.about.isprintable():
            raise ValueError("about is printable text")


class PitReceipt(Arguments):
    """As the pit server signed it (docs/fleet.md)."""

    table: Annotated[str, Meta(max_length=200, description="the name of this table")]
    epoch: Annotated[str, Meta(pattern=r"^[0-9a-f-]{1,64}\.[0-9]{1,10}\Z", description="ORIGIN.RESTORES")]
    seq: _Record
    hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 hexadecimal digits")]
    at: Annotated[str, Meta(pattern=_TIME, description="a time such as 2026-11-21T20:00:00Z")]
    signature: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z", description="128 hexadecimal digits")]


_Action: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=_ACTION_MOST, description="an action, in a line of text")
]
_Base64: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,4096}\Z", description="base64url")]


class PasskeyProof(Arguments):
    """As an authenticator and a browser gave it (docs/accounts.md)."""

    by: _Name
    action: _Action
    nonce: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z", description="as it was given")]
    rp: Annotated[str, Meta(pattern=r"^[a-z0-9.-]{1,253}\Z", description="a host name")]
    credential: _Base64
    key: _Base64
    client_data: _Base64
    authenticator_data: _Base64
    signature: _Base64


class _Follow(Arguments):
    follow: StreamStart


class _Recall(Arguments):
    recall: PastHands


class _Ask(Arguments):
    ask: Topic
    before: (
        Annotated[int, Meta(gt=0, le=POSITION_MOST, description="of the float, the number of a record")] | UnsetType
    ) = UNSET

    def __post_init__(self) -> None:
        if self.before is not UNSET and self.ask is not Topic.FLOAT:
            raise ValueError("only the float has entries before a record")


class _Confirm(Arguments):
    confirm: RecordHash


class _Head(Arguments):
    head: KnownHead


class _Accept(Arguments):
    accept: RecordHash
    by: _Name
    second: _NoName = ""
    reason: _Line = ""

    def __post_init__(self) -> None:
        if not self.reason.isprintable():
            raise ValueError("reason is a line of text")


class _Enter(Arguments):
    enter: Annotated[str, Meta(description="a line of a hand file")]
    by: _Text = ""
    prompt: SeenPrompt | UnsetType = UNSET


class _Preview(Arguments):
    preview: Annotated[str, Meta(description="a `correct` line of a hand file")]


class _Use(Arguments):
    use: Annotated[str, Meta(description="a game of this table")]
    by: Annotated[str, Meta(description="a name in one word")]


class _Chips(Arguments):
    value: Annotated[int, Meta(ge=1, le=AMOUNT_MOST)]
    count: Annotated[int, Meta(ge=0, le=AMOUNT_MOST)]


class _Float(Arguments):
    """Either the chips of each denomination, and nobody types their total; or the total alone."""

    act: TrayAct = msgspec.field(name="float")
    by: _Name
    amount: _Amount | UnsetType = UNSET
    chips: (
        Annotated[
            tuple[_Chips, ...],
            Meta(description='instead of an amount [{"value": a denomination, "count": how many chips}, ...]'),
        ]
        | UnsetType
    ) = UNSET
    second: _NoName = ""

    def __post_init__(self) -> None:
        if (self.amount is UNSET) is (self.chips is UNSET):
            raise ValueError("either an amount or chips")
        values = [chip.value for chip in self.chips or ()]
        if len(set(values)) < len(values):
            raise ValueError("a denomination stands there twice")
        if self.entry.amount > AMOUNT_MOST:
            raise ValueError(f"chips worth more than {AMOUNT_MOST}")
        if self.entry.amount == 0 and self.act not in COUNTS:
            raise ValueError("nobody fills or credits 0")

    @property
    def entry(self) -> TrayEntry:
        """What they say."""
        chips = tuple(
            ChipCount(value=chip.value, count=chip.count)
            for chip in sorted(self.chips or (), key=lambda chip: chip.value)
            if chip.count
        )
        amount = total_of(chips) if self.amount is UNSET else self.amount
        return TrayEntry(act=self.act, amount=amount, by=self.by, second=self.second, chips=chips)


class _Unseal(Arguments):
    unseal: SignedRequest


class _Test(Arguments):
    test: Literal["lamps", "panel", "over"]
    by: _NoName = ""

    def __post_init__(self) -> None:
        if self.test != "over" and not self.by:
            raise ValueError("by is missing")


class _Enrol(Arguments):
    enrol: NewDeck | Literal["back", "over"]


class _Access(Arguments):
    access: AccessNote


class _Receipt(Arguments):
    receipt: PitReceipt


class _Challenge(Arguments):
    challenge: _Action


class _Prove(Arguments):
    prove: PasskeyProof


# -- answers -----------------------------------------------------------------------------------------------------------


def follow(context: ApiContext, asked: _Follow) -> Answers:
    """The greeting, then every public record from there on, stored ones and live ones, until the caller hangs up."""
    greeting, head = context.greeting, context.log_head
    yield {"api": VERSION, **greeting}
    with closing(VolumeSet(context.journal)) as volume_set:
        start = asked.follow
        seq = start.after if start.after is not UNSET else volume_set.last_boundary(start.hands or 1)
        while True:
            if head.wait_after(seq, LOOK_S):
                for stored in volume_set.records(after=seq):
                    seq = stored.seq
                    yield line(stored)
            elif head.is_closed:
                return  # and everything that there was is told
            else:
                yield None
            # A record can be read before it is published, so this is asked even where nothing came.
            if context.greeting is not greeting:
                raise HangUp


def recall(context: ApiContext, asked: _Recall) -> Answers:
    """One line with the last hands, newest first; or a greeting with the seats that the hand before left, that hand's
    public records, and a line that it ends."""
    with closing(VolumeSet(context.journal)) as volume_set:
        if asked.recall.hands is not UNSET:
            yield {"hands": [to_plain(row) for row in last_hands(volume_set, asked.recall.hands)]}
            return
        hand = asked.recall.hand or 0
        records = list(volume_set.records(hand=hand))
        if not is_opened(records):
            yield _no(f"there is no hand {hand} in this journal", UNKNOWN_HAND)
            return
        carried = carried_into(volume_set, records[0])
    yield {"api": VERSION, **context.greeting, "carried": carried}
    yield from (stored.public for stored in records)
    yield {"end": True}


def ask(context: ApiContext, asked: _Ask) -> Answers:
    """How everything is; what a technician tries; what the table runs with; its decks, its traces, its float, or with
    `before` the entries of the float before a record; what each choice of the pit boss would do."""
    yield context.topics[asked.ask]() if asked.before is UNSET else context.chip_float.older(asked.before)


def confirm(context: ApiContext, asked: _Confirm) -> Answers:
    """Whether the one writer wrote this record, from its memory: for who verifies an end that is not signed yet."""
    position = Position(asked.confirm.seq, bytes.fromhex(asked.confirm.hash))
    yield {"ok": True, "confirms": context.log_head.confirms(position, LOOK_S), "records": context.log_head.seq}


def head(context: ApiContext, asked: _Head) -> Answers:
    """Whether the journal has a record that the table signed. Where it has not, it was put back to an older state or
    written anew, and that is on record when this is answered, whoever asks: the signature is all that is believed."""
    known = SignedHead(**msgspec.structs.asdict(asked.head), key=context.rollbacks.key)
    try:
        found = context.rollbacks.check(known)
        if found.is_there is not False or found.is_accepted or found.is_noted:
            yield _told(context, found)
            return
        context.rollbacks.admit()
    except BadHead as no:
        yield _no(str(no), no.why)
        return
    reply = context.do(RecordMissingHead(head=known))
    yield reply if not reply["ok"] else _told(context, found)


def _told(context: ApiContext, found: Found) -> Mapping[str, Any]:
    accepted = {"accepted": True} if found.is_accepted else {}
    return {"ok": True, "has": found.is_there, **accepted, "records": context.log_head.seq}


def accept(context: ApiContext, asked: _Accept) -> Answers:
    """The journal does not have a record that the table signed, and the table goes on with it as it is: two different
    names where the house knows its people."""
    if (context.setup.staff or asked.second) and not are_two(asked.by, asked.second):
        yield _no("two different persons accept it at this table: by and second", Refusal.SECOND_PERSON)
        return
    missing = asked.accept
    if context.rollbacks.look_up(missing.seq, missing.hash).is_there:
        yield _no(f"the journal has record {missing.seq} with this hash", HeadRefusal.PRESENT)
        return
    note = RollbackAccepted(
        at_us=context.now_us(),
        to_seq=missing.seq,
        to_hash=missing.hash,
        by=asked.by,
        second=asked.second,
        reason=asked.reason.strip(),
    )
    yield context.do(AcceptRollback(note=note))


def enter(context: ApiContext, asked: _Enter) -> Answers:
    """One fact in the words of a hand file; with `by` (`ana`, or `ana+luis`), only where the line names nobody else;
    with `prompt`, only as long as that is asked."""
    word = asked.enter.split(" ", 1)[0]
    if word not in ENTERED:
        yield _no(f"{word!r} is not one of {', '.join(sorted(ENTERED))}")
        return
    # Loaded at the first entry: a start is in a hurry.
    parse_fact = importlib.import_module("tablectl.journal.handfile.facts").parse_fact
    try:
        fact = parse_fact(asked.enter, context.now_us(), context.setup)
    except ValueError as wrong:
        yield _no(f"expected {wrong}")
        return
    if asked.by not in ("", SYSTEM) and (names := _signed_by(fact)) not in ("", asked.by):
        yield _no(f"by is {asked.by}, and the line is signed by {names}", NOT_SIGNED)
        return
    yield context.do(EnterFact(fact=fact, seen=None if asked.prompt is UNSET else asked.prompt))


def _signed_by(fact: Fact) -> str:
    """Whose fact it is: `ana`, of two persons `ana+luis`, or "" for one that carries no name."""
    if isinstance(fact, (SignedOn, SignedOff)):
        return fact.croupier
    return "+".join(name for name in (getattr(fact, "by", ""), getattr(fact, "second", "")) if name)


def preview(context: ApiContext, asked: _Preview) -> Answers:
    """What would follow if an entry of the hand were put right; nothing is put right by it. Of another identity of a
    card nothing is told before: nobody finds out by trying which cards lie hidden."""
    parse_fact = importlib.import_module("tablectl.journal.handfile.facts").parse_fact
    try:
        fact = parse_fact(asked.preview, context.now_us(), context.setup)
    except ValueError as wrong:
        yield _no(f"expected {wrong}")
        return
    if isinstance(fact, Corrected):
        yield context.do(PreviewCorrection(fact=fact))
    else:
        yield _no("expected a line that begins with 'correct'")


def use(context: ApiContext, asked: _Use) -> Answers:
    """Another of the table's games from the next hand on."""
    setup = context.games.get(asked.use)
    if setup is None:
        yield _no(f"{asked.use!r} is none of this table's games: {', '.join(sorted(context.games))}")
    elif asked.by.split() != [asked.by] or not asked.by.isprintable():
        yield _no("expected a name in one word")
    else:
        yield context.do(EnterFact(fact=GameChosen(at_us=context.now_us(), setup=setup, by=asked.by)))


def enter_float(context: ApiContext, asked: _Float) -> Answers:
    """The croupier's tray was counted, filled or credited: at any time, also in a hand, since no dealing rule depends
    on it. Who may say so is decided as for limits: two different names where the house knows its people."""
    refusal = entry_refusal(context.setup, asked.entry, context.denominations)
    if refusal is not None:
        yield _no(refusal.error, refusal.why)
        return
    if asked.act is not TrayAct.FILL:
        context.chip_float.now()  # what takes long is read here, and not by the one writer
    yield context.do(RecordFloat(note=asked.entry.note(context.now_us())))


def unseal(context: ApiContext, asked: _Unseal) -> Answers:
    """The sealed cards of a hand that is over; nothing where no other file has the record of the asking."""
    try:
        request = parse(msgspec.to_builtins(asked.unseal))
    except BadRequest as wrong:
        yield _no(f"expected {wrong}")
        return
    reply = context.do(OpenSealedCards(request=request))
    yield reply if not reply["ok"] or context.is_witnessed(reply["seq"]) else without_witness(reply)


def test(context: ApiContext, asked: _Test) -> Answers:
    """Begin a test of lamps or keys between two hands, or end the one that runs."""
    yield context.do(StartDeviceTest(test=None if asked.test == "over" else DeviceTest(asked.test), by=asked.by))


def enrol(context: ApiContext, asked: _Enrol) -> Answers:
    """Lines of progress until the deck is registered; or what there is to say to it from another connection."""
    if isinstance(asked.enrol, str):
        yield {"ok": True} if context.tell_enrolment(asked.enrol) else _no("no deck is being enrolled")
    else:
        new = asked.enrol
        yield from context.enrol(new.deck, new.reader, new.by.strip(), new.reason.strip())


def enter_access(context: ApiContext, asked: _Access) -> Answers:
    """Who signed on, or who read what, is on record when this is answered. The screens number what they have to tell
    and repeat it until it is answered: the same number of the same accounts file makes no second record."""
    told = asked.access
    members = {name: getattr(told, name) for name in ("id", "number", "what", "who", "role", "about", "granted")}
    access = Access(at_us=context.now_us(), when=told.at, **members)
    yield context.accesses.known(access) or context.do(RecordAccess(access=access))


def enter_receipt(context: ApiContext, asked: _Receipt) -> Answers:
    """What the pit server signed for the records that it has, put on record: its signature and the record that it is
    about are checked first. At most one a minute, and each has to reach farther than the one before."""
    receipt = Receipt(**msgspec.structs.asdict(asked.receipt))
    try:
        context.receipts.check(receipt)
    except BadReceipt as no:
        yield _no(str(no), no.why)
        return
    yield context.do(RecordReceipt(receipt=receipt))


def give_challenge(context: ApiContext, asked: _Challenge) -> Answers:
    """What somebody signs with a passkey before this action is entered: a hash of the table, its newest record, a nonce
    and the action. Good once, for two minutes."""
    end, table = context.log_head.end, context.setup.table
    nonce = context.challenges.give(asked.challenge, end.seq, end.hash.hex())
    challenge = challenge_of(table=table, seq=end.seq, link=end.hash.hex(), nonce=nonce, action=asked.challenge)
    yield {"ok": True, "nonce": nonce, "seq": end.seq, "hash": end.hash.hex(), "challenge": challenge.hex()}


def prove(context: ApiContext, asked: _Prove) -> Answers:
    """A passkey signed a challenge of this controller: checked, and on record when this is answered. What was signed is
    entered after it, and by nothing else than this record does somebody find out who signed."""
    told = asked.prove
    given = context.challenges.take(told.nonce)
    if given is None or given.action != told.action:
        yield _no(
            "this challenge was not given for this action, was used already, or is older than two minutes", PROOF_OVER
        )
        return
    members = {name: getattr(told, name) for name in told.__struct_fields__}
    note = Proven(
        at_us=context.now_us(),
        table=context.setup.table,
        head_seq=given.seq,
        head_hash=given.link,
        **members,
    )
    passkeys = importlib.import_module("tablectl.journal.passkeys")  # loaded at the first one: a start is in a hurry
    try:
        passkeys.check(note)
    except ValueError as bad:
        yield _no(f"no proof: {bad}", PROOF_BAD)
        return
    yield context.do(RecordProof(note=note))


def _no(error: str, why: str | None = None) -> Mapping[str, Any]:
    """Why nothing was done: a sentence, and a word for programs where there is one."""
    return {"ok": False, "error": error} if why is None else {"ok": False, "why": str(why), "error": error}


# -- the table ---------------------------------------------------------------------------------------------------------


class Permission(StrEnum):
    """Who may call a method: whoever may open the socket; or the controller's own user, root, and the users of
    `control.speakers`, since something of the table may change by it; or these and `uplink.user`."""

    READ = "read"
    WRITE = "write"
    RECEIPT = "receipt"


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """What can be asked of the controller. `malformed`: a word for programs where the arguments are wrong."""

    name: str
    permission: Permission
    arguments: type[Arguments]
    call: Callable[[ApiContext, Any], Answers]
    malformed: str | None = None


METHODS: Final = (
    Method(name="follow", permission=Permission.READ, arguments=_Follow, call=follow),
    Method(name="recall", permission=Permission.READ, arguments=_Recall, call=recall),
    Method(name="ask", permission=Permission.READ, arguments=_Ask, call=ask),
    Method(name="confirm", permission=Permission.READ, arguments=_Confirm, call=confirm),
    Method(name="head", permission=Permission.READ, arguments=_Head, call=head),
    Method(name="enter", permission=Permission.WRITE, arguments=_Enter, call=enter),
    Method(name="preview", permission=Permission.WRITE, arguments=_Preview, call=preview),
    Method(name="use", permission=Permission.WRITE, arguments=_Use, call=use),
    Method(name="float", permission=Permission.WRITE, arguments=_Float, call=enter_float),
    Method(name="accept", permission=Permission.WRITE, arguments=_Accept, call=accept),
    Method(name="unseal", permission=Permission.WRITE, arguments=_Unseal, call=unseal),
    Method(name="test", permission=Permission.WRITE, arguments=_Test, call=test),
    Method(name="enrol", permission=Permission.WRITE, arguments=_Enrol, call=enrol),
    Method(name="receipt", permission=Permission.RECEIPT, arguments=_Receipt, call=enter_receipt),
    Method(name="challenge", permission=Permission.WRITE, arguments=_Challenge, call=give_challenge),
    Method(name="prove", permission=Permission.WRITE, arguments=_Prove, call=prove),
    Method(name="access", permission=Permission.WRITE, arguments=_Access, call=enter_access, malformed=NotTaken.SHAPE),
)
_METHODS: Final = {method.name: method for method in METHODS}
#: Made before there is a second thread: `codec._learn` says why.
_DECODERS: Final = {method.name: msgspec.json.Decoder(method.arguments) for method in METHODS}
_NO_METHOD: Final = f"expected an object with one of these methods: {', '.join(_METHODS)}; see docs/api.md"


def answer(context: ApiContext, request: bytes, authorize: Callable[[Method], str | None]) -> Generator[Answer]:
    """Every line that answers a request. `authorize`: why this caller may not call a method, or None."""
    try:
        asked = msgspec.json.decode(request)
    except UNREADABLE:
        asked = None
    name = next((member for member in asked if member in _METHODS), None) if isinstance(asked, dict) else None
    if name is None:
        yield _no(_NO_METHOD)
        return
    method = _METHODS[name]
    if (refusal := authorize(method)) is not None:
        yield _no(refusal)
        return
    try:
        arguments = _DECODERS[name].decode(request)
    except msgspec.ValidationError as wrong:
        yield _no(f"expected {shape(method)}; {wrong}", method.malformed)
        return
    try:
        yield from method.call(context, arguments)
    except JournalUnusable as wrong:
        yield _no(str(wrong))


def shape(method: Method) -> str:
    """What a request looks like, for people."""
    return _shape(inspect.type_info(method.arguments))


_PLAIN: Final[Mapping[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.NoneType: "null",
}


def _shape(of: inspect.Type) -> str:
    match of:
        case inspect.Metadata(extra_json_schema=schema) if schema is not None:
            return str(schema["description"])
        case inspect.StructType(cls=kind, fields=members) if issubclass(kind, _OneOf):
            return " or ".join(f'{{"{member.encode_name}": {_shape(member.type)}}}' for member in members)
        case inspect.StructType(fields=members):
            return f"{{{', '.join(map(_member, members))}}}"
        case inspect.UnionType(types=types):
            return " or ".join(map(_shape, types))
        case inspect.EnumType(cls=kind):
            return f"one of {', '.join(member.value for member in kind)}"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case _:
            return _PLAIN[type(of)]


def _member(of: inspect.Field) -> str:
    return f'"{of.encode_name}": {_shape(of.type)}{"" if of.required else " (may be missing)"}'
