"""The table's vocabulary as closed sets. Every word is lower case with hyphens, in journal and hand files alike."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Key(StrEnum):
    """What a croupier can press, on the panel or on the screen. Annex of every document: what a person declares."""

    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    SEAT_5 = "seat-5"
    SEAT_6 = "seat-6"
    SEAT_7 = "seat-7"
    SEAT_8 = "seat-8"
    SEAT_9 = "seat-9"
    SEAT_10 = "seat-10"
    NEW_HAND = "new-hand"
    NO_MORE_BETS = "no-more-bets"
    BONUS = "bonus"
    BET = "bet"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all-in"
    ALL_BET = "all-bet"
    ALL_CHECK = "all-check"
    BANK = "bank"
    SHOW = "show"
    SHOW_ALL = "show-all"
    CONFIRM = "confirm"
    FACE_UP = "face-up"
    BANK_EXPOSED = "bank-exposed"
    WRONG_COUNT = "wrong-count"
    SEEN = "seen"
    NOT_SEEN = "not-seen"
    INCIDENT = "incident"
    CANCEL = "cancel"


SEAT_KEYS: Final[tuple[Key, ...]] = tuple(Key(f"seat-{seat}") for seat in range(1, 11))
SEAT_OF: Final[dict[Key, int]] = {key: seat for seat, key in enumerate(SEAT_KEYS, start=1)}


#: The keys that choose from the list of what can be declared, in its order: those that a panel of the game has.
PICKS: Final[tuple[Key, ...]] = (
    *SEAT_KEYS[:9],
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK, Key.BANK),
)
CIRCLE_PICKS: Final[tuple[Key, ...]] = (
    *SEAT_KEYS,
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN, Key.ALL_CHECK),
)


class Tracking(StrEnum):
    """How much of the bets is entered at this table. A game against the bank has presence or amounts, a circle game
    rounds (each is closed, and no more), actions (who did what) or amounts."""

    ROUNDS = "rounds"
    PRESENCE = "presence"
    ACTIONS = "actions"
    AMOUNTS = "amounts"


class Action(StrEnum):
    """What a player can do when it is his turn to speak."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all-in"


class SeatChange(StrEnum):
    """What a player does between hands: takes a seat, leaves it, goes away for a while, is back."""

    TAKES = "takes"
    LEAVES = "leaves"
    AWAY = "away"
    BACK = "back"


class Equipment(StrEnum):
    """What reads the cards: a shoe as they are drawn, antennas under the felt where they lie, or both."""

    SHOE = "shoe"
    ANTENNAS = "antennas"
    BOTH = "both"


class Strange(StrEnum):
    """What is wrong with a tag that is no card of the deck in play, or not the only one of its kind."""

    FOREIGN = "foreign-card"
    UNKNOWN = "unknown-tag"
    CLONED = "cloned-tag"


class Declaration(StrEnum):
    """What only a person can see."""

    FACE_UP_IN_SHOE = "face-up-in-shoe"
    TURNED_WHILE_DEALT = "turned-while-dealt"
    BANK_CARD_EXPOSED = "bank-card-exposed"
    WRONG_COUNT = "wrong-count"
    WRONG_ORDER = "wrong-order"
    BURNED = "burned"
    CARDS_IN_CONTACT = "cards-in-contact"
    OWN_CARDS_SHOWN = "own-cards-shown"
    SHOWED_CARDS = "showed-cards"
    COMMENTED = "commented"
    TWO_BOXES = "two-boxes"
    NOT_CHIPS = "not-chips"
    MISSING_CARD = "missing-card"
    DEFECTIVE_DECK = "defective-deck"
    #: a person sees what readers call foreign, unknown or cloned: a card that is double, or of another deck
    NOT_OF_DECK = "card-not-of-deck"
    UNREPORTED_CARD = "unreported-card"
    STANDING_BET = "standing-bet"
    # of a circle game: the deal
    MISDEAL = "misdeal"
    FALLEN_CARD = "fallen-card"
    OTHERS_CARD_SEEN = "others-card-seen"
    CARDS_TO_EMPTY_SEAT = "cards-to-empty-seat"
    WRONG_BUTTON = "wrong-button"
    CARD_SEEN_AT_CUT = "card-seen-at-cut"
    NO_BURN = "no-burn"
    DOUBLE_BURN = "double-burn"
    FLOP_COUNT = "flop-count"
    # hands that were taken away, thrown, or that nobody plays
    ABSENT_AT_TURN = "absent-at-turn"
    PROTECTED_TAKEN = "protected-taken"
    UNPROTECTED_TAKEN = "unprotected-taken"
    RETRIEVE_UNCALLED = "retrieve-uncalled"
    RETRIEVE_ALL_IN = "retrieve-all-in"
    RETRIEVE_MISLED = "retrieve-misled"
    # the betting
    SKIPPED = "skipped"
    STRING_BET = "string-bet"
    WRONG_AMOUNT = "wrong-amount"
    # the end of a hand
    OBJECTION = "objection"
    CLAIM = "claim"
    # what players may not do
    JOINT_POT = "joint-pot"
    SHARED_POT = "shared-pot"
    COLLUSION = "collusion"
    CHIPS_ADDED = "chips-added"
    LOAN = "loan"
    CHIPS_POCKETED = "chips-pocketed"
    CARDS_OUT_OF_SIGHT = "cards-out-of-sight"
    LOOKED_AT_CARDS = "looked-at-cards"
    SEATS_EXCHANGED = "seats-exchanged"
    ALL_IN_SHOWN = "all-in-shown"
    CHIPS_HIDDEN = "chips-hidden"
    DISCARDS_SEEN = "discards-seen"
    STUB_SHOWN = "stub-shown"
    # of a game with discards
    REDEAL_DEMANDED = "redeal-demanded"
    WRONG_DEALER = "wrong-dealer"
    LOOKED_AT_HAND = "looked-at-hand"
    FALSE_OPENING = "false-opening"
    DISCARDED_EARLY = "discarded-early"
    CLOSING_TIME = "closing-time"
    SEAT_DRAW = "seat-draw"
    PIT_BOSS = "pit-boss"
    CARD_ELSEWHERE = "card-elsewhere"
    #: what was entered earlier and is wrong: two persons correct it (ruling "Who confirms")
    WRONG_KEY = "wrong-key"


class Remedy(StrEnum):
    """What a clause prescribes, or what the pit boss may choose."""

    VOID_HAND = "void-hand"
    VOID_SEAT = "void-seat"
    DISCARD = "discard"
    NEXT_CARD = "next-card"
    CORRECT = "correct"
    CONTINUE = "continue"
    APPROVE = "approve"
    REJECT = "reject"
    LOSE_BETS = "lose-bets"
    REFUND_BETS = "refund-bets"
    REFUND_SIDE_BET = "refund-side-bet"
    REVERSE = "reverse"
    WARN = "warn"
    EXPEL = "expel"
    RESHUFFLE = "reshuffle"
    SHOW_TO_ALL = "show-to-all"
    BURN_IT_INSTEAD = "burn-it-instead"
    SET_ASIDE = "set-aside"
    RETURN_AND_RESHUFFLE = "return-and-reshuffle"
    NO_BURN = "no-burn"
    REVIVE = "revive"
    BIND = "bind"
    AS_CALL = "as-call"
    COMPLETE_CALL = "complete-call"
    RETURN_EXCESS = "return-excess"
    CHOOSE_AGAIN = "choose-again"
    TAKE_BACK = "take-back"
    NEW_DECK = "new-deck"
    # of a game with discards
    REDEAL = "redeal"
    REDEAL_ON_DEMAND = "redeal-on-demand"
    NEW_STUB = "new-stub"
    COMPLETE_FROM_STUB = "complete-from-stub"
    UNDER_THE_STUB = "under-the-stub"
    PASS_CARD = "pass-card"


class Chooser(StrEnum):
    """Who decides on the remedy of an incident."""

    RULE = "rule"
    CROUPIER = "croupier"
    PIT_BOSS = "pit-boss"


class Severity(StrEnum):
    """How loud an incident is: a notice stays in the list, an alert calls the pit boss."""

    NOTICE = "notice"
    ALERT = "alert"


class Plug(StrEnum):
    """What became of a USB device; `present`: it was there when the controller began to look."""

    PRESENT = "present"
    PLUGGED = "plugged"
    UNPLUGGED = "unplugged"


class Posted(StrEnum):
    """What is put in before the deal, where players bet against each other."""

    SMALL_BLIND = "small-blind"
    BIG_BLIND = "big-blind"
    #: as much as the big blind (THL-INI-7, -9)
    ENTRY = "entry"
    #: as much as the small blind (THL-INI-8)
    SMALL_ENTRY = "small-entry"
    #: of every player, where there are no blinds (FCD-OPN-2), and what the nominal dealer adds to it (FCD-OPN-4)
    ANTE = "ante"
    DEALER_ANTE = "dealer-ante"


class Question(StrEnum):
    """What the croupier is asked before the table goes on."""

    SEEN = "seen"
    PUT_AWAY = "put-away"
    MOVED = "moved"
    COUNT_SPOT = "count-spot"
    COUNT_CARDS = "count-cards"
    COUNT_LAP = "count-lap"
    TOO_FEW_SPOT = "too-few-spot"
    NOTHING_DRAWN = "nothing-drawn"
    FELT = "felt"
    WHICH_SEAT = "which-seat"
    OTHER_SEAT = "other-seat"
    NEXT_SEAT = "next-seat"
    NEW_DECK = "new-deck"
    RESHUFFLED = "reshuffled"
    AT_ITS_SPOT = "at-its-spot"
    CARDS_THERE = "cards-there"
    LIES_THERE = "lies-there"
    UNREAD_THERE = "unread-there"
    DECK_COUNT = "deck-count"
    OUT_OF_TURN = "out-of-turn"
    TWO_ACTIONS = "two-actions"
    PROTECTED = "protected"
    MIXED = "mixed"
    RECONSTRUCTED = "reconstructed"
    LOOKED = "looked"
    REDEAL_OR_CORRECT = "redeal-or-correct"
    NEW_STUB = "new-stub"
    PLACE_CARD = "place-card"
    PLAYER_CARD = "player-card"


#: An incident says so where two readers read one card differently.
READERS_DISAGREE: Final = "readers-disagree"
#: And so where cards that a person named decide money.
NAMED_CARDS: Final = "named-cards"


class Refusal(StrEnum):
    """Why an entry changed nothing."""

    NOT_LIVE = "not-live"
    HELD = "held"
    NO_BETS = "no-bets"
    UNKNOWN_SEAT = "unknown-seat"
    UNKNOWN_BET = "unknown-bet"
    NO_ANTE = "no-ante"
    NO_AMOUNT = "no-amount"
    AMOUNT_AT_PRESENCE = "amount-at-presence"
    OUTSIDE_LIMITS = "outside-limits"
    WRONG_MULTIPLE = "wrong-multiple"
    BETS_CLOSED = "bets-closed"
    NOT_IN_TURN = "not-in-turn"
    NO_PREVIOUS_BET = "no-previous-bet"
    NO_CARD = "no-card"
    COUNT_IS_RIGHT = "count-is-right"
    UNKNOWN_INCIDENT = "unknown-incident"
    NOT_A_CHOICE = "not-a-choice"
    CARD_KNOWN = "card-known"
    CARD_ELSEWHERE = "card-elsewhere"
    NO_CONSENT = "no-consent"
    BOX_FULL = "box-full"
    STANDING_BET = "standing-bet"
    NOT_OFFERED = "not-offered"
    TAKEN_BACK = "taken-back"
    NOT_SHUFFLED = "not-shuffled"
    CARDS_ON_FELT = "cards-on-felt"
    DEVICES_MISSING = "devices-missing"
    HAND_IN_PLAY = "hand-in-play"
    NO_PLAYERS = "no-players"
    ILLEGAL_ACTION = "illegal-action"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    SEAT_TAKEN = "seat-taken"
    NO_STACK = "no-stack"
    MUST_SHOW = "must-show"
    BETS_OPEN = "bets-open"
    TOO_MANY_CARDS = "too-many-cards"
    WRONG_NUMBER = "wrong-number"
    WRONG_STACK = "wrong-stack"
    LEAVES_AHEAD = "leaves-ahead"
    WRONG_CARD = "wrong-card"
    NO_CROUPIER = "no-croupier"
    NOT_AT_TABLE = "not-at-table"
    SECOND_PERSON = "second-person"
    NOT_CALLED = "not-called"
    NO_REASON = "no-reason"
    LIMITS = "limits"
    NOT_SHELVED = "not-shelved"
    UNKNOWN_ALARM = "unknown-alarm"
    NO_HAND = "no-hand"
    NO_ENTRY = "no-entry"
    NOT_OPEN = "not-open"
    NO_CLAIM = "no-claim"
