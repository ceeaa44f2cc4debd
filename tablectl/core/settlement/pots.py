"""Who competes for which money in a circle game, and who gets it (THL-END, THL-SDN, THO-ALL, THO-SDN, FCD-WIN).

Money is an integer of the smallest unit. Every pot lies in a layer: from one height of stake to the next, and only
seats whose stake reaches through the layer compete for it. Thus a player wins from each other player at most what he
put in himself (THO-ALL-12), and the order in which players went all-in is that of their stakes (THO-ALL-9, AMB-59).

What a seat put in is of two kinds. A bet counts towards what the others have to match. Dead money does not: a dead
blind, the second half of a dealer's double ante, a pot carried over from hands that nobody opened (FCD-WIN-5). It lies
at the bottom, in the main pot, and everybody who is still in and put anything in competes for all of it. An ante that
everybody pays can be counted either way; only where somebody cannot pay his whole ante does it matter, and a bet then
means that he competes for as much of the others' antes.

Cards speak: a hand's strength decides and nothing that was said (THL-SDN-2, THO-SDN-3, FCD-WIN-4). Who threw his cards
away without showing them counts as folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from operator import attrgetter

from tablectl.core.records import record
from tablectl.core.settlement.pot_rules import OddChip, PotRules, Rake, RakeFrom
from tablectl.core.settlement.ranking import Strength


@record
class Stake:
    """What one seat put in during the hand, and whether it is still in.

    `strength` is needed only where two seats or more compete for a pot: a sole remaining player wins without showing
    (THL-END-2, FCD-ENV-8, FCD-WIN-1).
    """

    seat: int
    #: what others had to match, blinds in play and uncalled parts included
    bets: int
    dead: int = 0
    folded: bool = False
    strength: Strength | None = None

    @property
    def put_in(self) -> int:
        """Bets and dead money together."""
        return self.bets + self.dead


@record
class Amount:
    """Money that goes to a seat."""

    seat: int
    amount: int


@record
class Pot:
    """One pot, the main pot first, and the seats that compete for it, by number (THL-END-4)."""

    amount: int
    eligible: tuple[int, ...]


@record
class Division:
    """All the money of a hand: what lies in pots, and what goes back to whom because nobody could match it."""

    pots: tuple[Pot, ...]
    returned: tuple[Amount, ...]


@record
class PotResult:
    """A pot that was paid: `rake` and `awards` add up to `amount`. An award is given for every winner, by seat."""

    amount: int
    eligible: tuple[int, ...]
    rake: int
    winners: tuple[int, ...]
    awards: tuple[Amount, ...]


@record
class PotSettlement:
    """A hand that was paid, and the stakes that it was paid by."""

    stakes: tuple[Stake, ...]
    pots: tuple[PotResult, ...]
    returned: tuple[Amount, ...]

    @property
    def nets(self) -> tuple[Amount, ...]:
        """What each seat, in the order given, won or (negative) lost."""
        gets: dict[int, int] = {}
        for awards in (self.returned, *[pot.awards for pot in self.pots]):
            for award in awards:
                gets[award.seat] = gets.get(award.seat, 0) + award.amount
        return tuple([Amount(seat=stake.seat, amount=gets.get(stake.seat, 0) - stake.put_in) for stake in self.stakes])

    @property
    def rake(self) -> int:
        """What the table keeps (THL-DEF-7)."""
        return sum([pot.rake for pot in self.pots])


def divide(stakes: Sequence[Stake], *, carried: int = 0) -> Division:
    """The pots as they stand, from the main pot outwards (THL-END-3, THL-END-4, THO-ALL-4, THO-ALL-5, THO-ALL-8).

    `carried` is dead money that no seat put in during this hand. What only one seat put in goes back to it, folded or
    not (THO-ALL-12). So does, to each his own, what several seats put in of whom none is still in and that lies above
    everybody who is: nobody all-in may win it. Where somebody is left alone who is not all-in, he has the pot
    (THL-END-2), and what the others lost above his own stake is told as dead money.

    Raises `ValueError` for an amount below 0, a seat that comes twice, or if nobody is still in.
    """
    return _layers(stakes, carried)[0]


def _layers(stakes: Sequence[Stake], carried: int) -> tuple[Division, tuple[int, ...]]:
    """The pots, and the smallest unit that lies in each: every amount that was put into it is a multiple of that."""
    by_seat = sorted(stakes, key=attrgetter("seat"))
    bets = {stake.seat: stake.bets for stake in by_seat}
    live = [stake for stake in by_seat if not stake.folded]
    if carried < 0 or [stake for stake in by_seat if stake.bets < 0 or stake.dead < 0]:
        raise ValueError("an amount below 0")
    if len(bets) < len(by_seat):
        raise ValueError("a seat comes twice")
    if not live:
        raise ValueError("nobody is still in")
    # What lies above the second highest stake, or above everybody who is still in, nobody could match.
    matched = min(sorted((0, *bets.values()))[-2], max([stake.bets for stake in live]))
    pots: list[Pot] = []
    units: list[int] = []
    amount = carried + sum([stake.dead for stake in by_seat])
    unit = gcd(carried, *[stake.dead for stake in by_seat])
    eligible = _seats([stake for stake in live if stake.put_in] or live) if amount else ()
    below = 0
    for height in sorted({min(stake.bets, matched) for stake in live} - {0}):
        competing = _seats([stake for stake in live if stake.bets >= height])
        if competing != eligible:
            if eligible:
                pots.append(Pot(amount=amount, eligible=eligible))
                units.append(unit)
            amount, unit, eligible = 0, 0, competing
        put_in = [min(bet, height) - below for bet in bets.values() if bet > below]
        amount, unit = amount + sum(put_in), gcd(unit, *put_in)
        below = height
    if eligible:
        pots.append(Pot(amount=amount, eligible=eligible))
        units.append(unit)
    returned = tuple([Amount(seat=seat, amount=bet - matched) for seat, bet in bets.items() if bet > matched])
    return Division(pots=tuple(pots), returned=returned), tuple(units)


def settle(
    stakes: Sequence[Stake],
    *,
    button: int,
    last_aggressor: int | None,
    smallest_chip: int,
    rules: PotRules,
    carried: int = 0,
) -> PotSettlement:
    """Pay every pot to the best hands that compete for it (THL-SDN-2, -3, THO-SDN-3, -4, THO-ALL-6 to -11, FCD-WIN-4).

    Of two equal hands the one that competes for more pots gets more (THO-ALL-13): 100, 150 and 150, where the 100 and
    one 150 tie with the best hand, are a pot of 300, shared, and one of 100 for the 150 alone (THO-ALL-14, -15).

    `button` is the number of the seat with the button (it may be empty; seats are numbered clockwise),
    `last_aggressor` the seat that made the last bet or raise of the hand, None if there was none (AMB-30: a blind or a
    call is none). Equal hands share a pot equally in chips of `smallest_chip`; `rules` says who gets the odd ones. A
    pot that is no multiple of that chip, after an all-in of an odd stack, is shared in the smallest unit that lies in
    it (ruling "smallest chip").

    Raises `ValueError` as `divide` does, for a smallest chip below 1, and where two seats compete and one of their
    strengths is not given.
    """
    if smallest_chip < 1:
        raise ValueError(f"the smallest chip is worth 1 or more, not {smallest_chip}")
    division, units = _layers(stakes, carried)
    strengths = {stake.seat: stake.strength for stake in stakes if not stake.folded}
    line = _Line(
        button=button,
        first=None if rules.odd_chip is OddChip.CLOCKWISE else last_aggressor,
        is_always=rules.odd_chip is OddChip.LAST_BETTOR_ALWAYS and last_aggressor in strengths,
    )
    fees = _fees(division.pots, rules.rake, smallest_chip)
    pots = tuple(
        [
            _paid(pot, fee, _winners(pot, strengths), line, _shared_in(pot.amount - fee, unit, smallest_chip))
            for pot, fee, unit in zip(division.pots, fees, units, strict=True)
        ]
    )
    return PotSettlement(stakes=tuple(stakes), pots=pots, returned=division.returned)


@record
class _Line:
    """Who comes first for odd chips: `first` if he shares the pot, or `is_always`; then clockwise from the button."""

    button: int
    first: int | None
    is_always: bool


def _in_line(winners: Iterable[int], line: _Line) -> list[int]:
    there = {*winners, *((line.first,) if line.is_always and line.first is not None else ())}
    return sorted(there, key=lambda seat: (seat != line.first, seat <= line.button, seat))


def _seats(stakes: Iterable[Stake]) -> tuple[int, ...]:
    return tuple([stake.seat for stake in stakes])


def _by_seat(amounts: Mapping[int, int]) -> tuple[Amount, ...]:
    return tuple([Amount(seat=seat, amount=amounts[seat]) for seat in sorted(amounts)])


def _fees(pots: Sequence[Pot], rake: Rake, smallest_chip: int) -> Sequence[int]:
    """The fee of each pot, in their order."""
    if not rake.rate:
        return (0,) * len(pots)
    fees: list[int] = []
    left = rake.of(sum(part.amount for part in pots), smallest_chip=smallest_chip)
    for pot in pots:
        if rake.taken_from is RakeFrom.EACH_POT:
            fees.append(rake.of(pot.amount, smallest_chip=smallest_chip))
        else:
            fees.append(min(left, pot.amount))
            left -= fees[-1]
    return fees


def _winners(pot: Pot, strengths: Mapping[int, Strength | None]) -> tuple[int, ...]:
    if len(pot.eligible) == 1:
        return pot.eligible
    shown = {seat: strengths[seat] for seat in pot.eligible}
    known = {seat: strength for seat, strength in shown.items() if strength is not None}
    if len(known) < len(shown):
        missing = ", ".join(str(seat) for seat in shown if seat not in known)
        raise ValueError(f"a pot is competed for: the cards of seat {missing} are needed")
    best = max(known.values())
    return tuple(seat for seat in pot.eligible if known[seat] == best)


def _shared_in(to_share: int, unit: int, smallest_chip: int) -> int:
    """What a pot is shared in: the smallest chip, or where that does not go into it the smallest unit that lies
    there."""
    return gcd(smallest_chip, unit, to_share) if to_share % smallest_chip else smallest_chip


def _paid(pot: Pot, fee: int, winners: tuple[int, ...], line: _Line, chip: int) -> PotResult:
    """The pot less the fee, in equal parts of whole chips; then the odd chips, one each (AMB-31)."""
    to_share = pot.amount - fee
    part = to_share // len(winners) // chip * chip
    odd_chips = (to_share - part * len(winners)) // chip
    awards = dict.fromkeys(winners, part)
    for seat in _in_line(winners, line)[:odd_chips]:
        awards[seat] = awards.get(seat, 0) + chip
    return PotResult(amount=pot.amount, eligible=pot.eligible, rake=fee, winners=winners, awards=_by_seat(awards))
