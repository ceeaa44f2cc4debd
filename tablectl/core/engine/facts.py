"""What the world can tell the engine. Time is a field; nothing here knows a device, a byte or a screen.

Every fact has `at_us`: microseconds since the Unix epoch, UTC. The engine never compares it with a clock, only with the
time of another fact: since when a card lies where it was seen, until when an alarm is put aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, TypeAlias

from tablectl.core.cards import Card
from tablectl.core.engine.vocabulary import (
    Action,
    Declaration,
    Equipment,
    Key,
    Plug,
    Remedy,
    SeatChange,
    Strange,
    Tracking,
)
from tablectl.core.records import event, record
from tablectl.core.settlement.pot_rules import Rake


@record
class Limits:
    """Least and greatest amount of a bet, both allowed, in the smallest unit of money."""

    least: int
    most: int


@record
class Setup:
    """Everything a house chose for this table. In force from the next hand on, journalled with it."""

    table: str
    rulebook: str
    seats: int
    tracking: Tracking
    limits: Mapping[str, Limits]
    profile: Mapping[str, str] = field(default_factory=dict)
    equipment: Equipment = Equipment.SHOE
    #: the smallest chip in play, in the smallest unit of money: a pot is divided in it (AMB-31)
    chip: int = 1
    #: what the table takes out of a pot before it is paid (THL-DEF-7, AMB-37); None where the house takes nothing
    fee: Rake | None = None
    #: at a game with discards, what every player begins with (FCD-RST-2, -3); 0 where amounts are not entered
    resto: int = 0
    #: the authorised band of each bet: inside it the limits may be set at the table
    bands: Mapping[str, Limits] = field(default_factory=dict)
    #: whether the house knows its people: no hand begins without a croupier, and some rulings take two persons
    staff: bool = False


@record
class SetLimits:
    """Limits of a game that were set at its table, and those that its file had then."""

    file: Mapping[str, Limits]
    limits: Mapping[str, Limits]


@record
class OnShelf:
    """An alarm that is put aside: until when, by whom and why."""

    until_us: int
    by: str
    reason: str


@event
class Opened:
    """The controller started with this setup. With a hand unfinished, the croupier has to confirm the felt first."""

    at_us: int
    setup: Setup


@event
class GameChosen:
    """The house wants another of its table's games: it is played from the next hand on (TPC-TAB-3)."""

    at_us: int
    setup: Setup
    by: str


@event
class Drawn:
    """One physical card left the shoe. `card` is None where the reader could not read it."""

    at_us: int
    card: Card | None


@event
class Seen:
    """An antenna sees a card at a spot (`seat-3`, `house`, `board`, `burn`, `discard`) where it was not before.

    `card` is None for a tag that belongs to no card of this deck. `position`: where an antenna is for one place of its
    spot only, which one, from 1.
    """

    at_us: int
    spot: str
    card: Card | None
    position: int | None = None


@event
class TimePassed:
    """The moment has come for which the engine asked (`Table.wake_us`): nothing else happened until then."""

    at_us: int


@event
class Gone:
    """A card that an antenna saw at a spot lies there no more."""

    at_us: int
    spot: str
    card: Card | None


@event
class StrangeTag:
    """A reader sees a tag at a spot (as in `Seen`, or `shoe`) that should not be: of another deck, of no deck that is
    registered, or one that is at two places at once."""

    at_us: int
    spot: str
    what: Strange


@event
class Counted:
    """So many different cards of the deck in play have been seen by the antennas since the hand before was closed:
    those that were dealt and those that remained. Told before the next hand, where an antenna sees what remains."""

    at_us: int
    cards: int


@event
class OnFelt:
    """Before the deal of a hand: the spots at which antennas see cards that lie there since before it began."""

    at_us: int
    spots: tuple[str, ...]


@event
class Shuffled:
    """A shuffle came to its end in the shoe or in a shuffler, which counted so many cards."""

    at_us: int
    cards: int


@event
class Pressed:
    """A key, wherever it is: panel or screen."""

    at_us: int
    key: Key


@event
class Bets:
    """Chips of one seat, by name of the bet. Amounts are None at tracking level presence."""

    at_us: int
    seat: int
    amounts: Mapping[str, int | None]


@event
class Removed:
    """Bets are taken back before "no va más": a standing bettor's, or with `bettor` 1 all of the box."""

    at_us: int
    seat: int
    bettor: int = 1


@event
class StandingBet:
    """Somebody who stands wants to bet on a seat's hand; `consent`: the seated player agrees (TPC-PLY-2)."""

    at_us: int
    seat: int
    amounts: Mapping[str, int | None]
    consent: bool


@event
class StandsOut:
    """A standing bettor does not add the second bet of his own (AMB-41). `bettor` counts from 2."""

    at_us: int
    seat: int
    bettor: int


@event
class Acted:
    """What a player does when he speaks, as the croupier understood it. `seat` None: whose turn it is. `to` is the
    whole stake of the seat in this round after a bet or a raise (or an all-in of unknown size); `is_all_in`: a call or
    a raise took his last chips, where no amounts are entered."""

    at_us: int
    action: Action
    seat: int | None = None
    to: int | None = None
    is_all_in: bool = False


@event
class PutIn:
    """Chips that crossed a player's line, as they were seen and heard; what they are the rules say (THL-GEN-2, -5, -6,
    THL-PLE-3 to -9). `is_single`: one chip. `said`: the action announced before, `said_to` the amount said with it."""

    at_us: int
    seat: int
    chips: int
    is_single: bool = False
    said: Action | None = None
    said_to: int | None = None


@event
class AsksFor:
    """How many cards a player changes, as he said it: 0 is "servido" (FCD-DSC-4, -13 to -15). `seat` None: whose turn
    it is."""

    at_us: int
    cards: int
    seat: int | None = None


@event
class Moved:
    """A player of a circle game takes a seat, leaves it, goes away for a while or is back (THL-INI-4 to -10)."""

    at_us: int
    seat: int
    what: SeatChange


@event
class Stacked:
    """So many chips lie before a player, between two hands (THL-PRO-4, -6)."""

    at_us: int
    seat: int
    amount: int


@event
class ButtonPlaced:
    """The croupier laid the button before this seat: drawn by lot, or where he says that it belongs (THL-MIS-6)."""

    at_us: int
    seat: int


@event
class Declared:
    """Something only a person can see. `spot` is `seat-3` or `house`, `other` a second one where two are concerned;
    `cards` what lies there; `lap` 1 or 2. `drawn`: the number of the card that it is about, in the order of drawing.
    `entry`: the number of the entry that it is about among the facts of the hand, the one that opened it being 1.
    """

    at_us: int
    what: Declaration
    spot: str | None = None
    cards: int | None = None
    lap: int | None = None
    other: str | None = None
    drawn: int | None = None
    entry: int | None = None


@event
class Ruled:
    """The pit boss chose the remedy of an incident (THB-STF-1). `second`: who stands for it with him."""

    at_us: int
    incident: int
    remedy: Remedy
    by: str
    reason: str = ""
    second: str = ""


@event
class SignedOn:
    """A croupier takes the table: at once between two hands, otherwise when the hand in play is over."""

    at_us: int
    croupier: str


@event
class SignedOff:
    """A croupier leaves the table, or does not want it any more."""

    at_us: int
    croupier: str


@event
class LimitsSet:
    """The house sets limits of the game that is played, inside the authorised band; each bet that is named."""

    at_us: int
    limits: Mapping[str, Limits]
    by: str
    second: str = ""


@event
class Shelved:
    """An alarm is put aside for so many minutes: `incident-12`, or `device-light`."""

    at_us: int
    alarm: str
    minutes: int
    by: str
    reason: str


@event
class Unshelved:
    """An alarm that was put aside is to be seen again."""

    at_us: int
    alarm: str
    by: str


@event
class Acknowledged:
    """A person has seen an incident, or with `alarm` (`device-light`; then `incident` is 0) that a device is away or
    was. It changes nothing at the table."""

    at_us: int
    incident: int
    by: str
    alarm: str = ""


@event
class Named:
    """A person says which card lies at a slot whose card could not be read, after it was turned."""

    at_us: int
    slot: str
    card: Card
    by: str


#: What people enter for the game, and can put right while the hand is not over.
Entry: TypeAlias = (
    Pressed | Bets | Removed | StandingBet | StandsOut | Acted | PutIn | AsksFor | Declared | ButtonPlaced | Named
)


@event
class Corrected:
    """Two persons put right what was told in this hand (rulings, "Corrections"). `number`: which of its facts, the one
    that opened the hand being 1. At most one of the others: `instead`, what should have been entered; `card`, which
    card that fact brought; `spot`, where it lies. With none of them the entry was a mistake, and nothing takes its
    place."""

    at_us: int
    number: int
    by: str
    second: str
    reason: str
    instead: Entry | None = None
    card: Card | None = None
    spot: str | None = None


@event
class Transferred:
    """After a claim on the hand before was upheld, one seat gives another this much of its chips (THL-SDN-8).
    `incident`: the number of the claim."""

    at_us: int
    incident: int
    giver: int
    taker: int
    amount: int
    by: str
    second: str = ""


@event
class Called:
    """Somebody asks for the pit boss (THB-STF-1): whatever it is, it can be voided or continued."""

    at_us: int
    by: str
    reason: str = ""


@event
class DeviceLost:
    """A device is gone. `role` is what it does at the table: shoe, panel, light."""

    at_us: int
    device: str
    role: str
    reason: str


@event
class DeviceBack:
    """A device answers, for the first time or again."""

    at_us: int
    device: str
    role: str


@event
class DeviceSaid:
    """A device said something that is neither card nor key: error, cut card, stand-by. For record and screens.

    `card`: of a shoe not sure of a card (`card-uncertain`), the other one that it said; the rules do not read it.
    """

    at_us: int
    device: str
    role: str
    what: str
    code: int | None = None
    card: Card | None = None


@event
class TopologyChanged:
    """A USB device came or went. `what` names it by what stays the same (`05f3:0405 at 1-2.3`), after the table's own
    name for it where it has one. Whatever the house does not allow is foreign."""

    at_us: int
    change: Plug
    what: str
    is_allowed: bool


@event
class Failed:
    """The engine raised on a fact: a bug. The fact is kept here as text (its card apart, so that it can be sealed); the
    table is held (never a guess)."""

    at_us: int
    fact: str
    error: str
    card: Card | None = None


Fact: TypeAlias = (
    Opened
    | GameChosen
    | Drawn
    | Seen
    | TimePassed
    | Gone
    | StrangeTag
    | Counted
    | OnFelt
    | Shuffled
    | Pressed
    | Bets
    | Removed
    | StandingBet
    | StandsOut
    | Acted
    | PutIn
    | AsksFor
    | Moved
    | Stacked
    | ButtonPlaced
    | Declared
    | Ruled
    | SignedOn
    | SignedOff
    | LimitsSet
    | Shelved
    | Unshelved
    | Acknowledged
    | Named
    | Corrected
    | Transferred
    | Called
    | DeviceLost
    | DeviceBack
    | DeviceSaid
    | TopologyChanged
    | Failed
)

#: What happens beside the game, even where decisions follow from it: whatever the croupier could take back before, he
#: can afterwards. A start of the controller is among them: it is no entry of his.
BESIDE_THE_GAME: Final = frozenset(
    {
        Opened,
        TimePassed,
        GameChosen,
        SignedOn,
        SignedOff,
        LimitsSet,
        Shelved,
        Unshelved,
        Acknowledged,
        DeviceLost,
        DeviceBack,
        DeviceSaid,
        TopologyChanged,
    }
)
