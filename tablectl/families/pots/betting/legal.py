"""What a seat may do in its turn, what an action came to, and why one was not legal."""

from __future__ import annotations

from enum import StrEnum

from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action
from tablectl.core.records import record


@record
class Done:
    """What an action came to."""

    seat: int
    #: what it amounted to, so never `ALL_IN`
    action: Action
    #: the whole stake of the seat in this round after it; None where amounts are not entered
    to: int | None
    #: chips that it added
    added: int | None
    is_all_in: bool = False
    #: a bet or raise that is not short of the least one; without amounts each counts as such
    is_full: bool = False
    #: because of it seats that had acted may raise again, if there are any (THL-RD1-6); not each of them need to
    #: face as much as that takes, see `BettingRules.reopened`
    reopens: bool = False


class Reason(StrEnum):
    """Why an action is not legal."""

    NO_TURN = "no-turn"
    #: nobody checks while a bet is outstanding, and blinds are bets (THO-ACT-3)
    BET_OUTSTANDING = "bet-outstanding"
    NOTHING_TO_CALL = "nothing-to-call"
    #: a call is exactly what is missing, or the whole stack (THO-ACT-5, THL-PLE-4)
    NOT_THE_CALL = "not-the-call"
    NO_AMOUNT = "no-amount"
    #: an amount was entered where the table enters none
    AMOUNT_NOT_ENTERED = "amount-not-entered"
    #: below the least bet or raise (THL-RD1-4, THO-ACT-6)
    BELOW_LEAST = "below-least"
    #: no multiple of the smallest chip, and not all-in (ruling "smallest chip")
    NOT_IN_CHIPS = "not-in-chips"
    ABOVE_STACK = "above-stack"
    ABOVE_POT = "above-pot"
    ABOVE_UNIT = "above-unit"
    #: above the table's maximum; or the least raise would be
    ABOVE_TABLE = "above-table"
    #: nobody has made a full raise since he acted (AMB-03, AMB-91)
    NOT_REOPENED = "not-reopened"
    #: fixed limit: the bet and its raises were made (THO-LIM-1, -2)
    RAISES_USED_UP = "raises-used-up"
    #: nobody else has chips to call a raise with
    NOBODY_TO_ANSWER = "nobody-to-answer"
    #: he is said to be all-in, and his stack holds another amount
    NOT_HIS_STACK = "not-his-stack"
    #: an all-in whose amount nobody enters must be said to be a call or a raise
    CALL_OR_RAISE = "call-or-raise"


@record
class Wrong:
    """An action that is not legal; nothing changed."""

    reason: Reason
    #: the amount that was broken, where the reason is one of amounts
    limit: int | None = None
    #: what would be legal; None where nobody has the turn
    legal: Legal | None = None
