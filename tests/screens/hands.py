"""Hands for the tests of the screens, in the grammar of hand files."""

from __future__ import annotations

from typing import Final

#: Two seats, both stay to the end; seat 1 with a bonus.
BETS: Final = """
press new-hand
bet 1 ante 1000 bonus 500
bet 3 ante 2000
press no-more-bets
"""
HOLE_CARDS: Final = """
draw As
draw 7d
draw Qd
draw Ah
draw 7h
draw Qh
"""
FLOP: Final = """
press all-bet
draw 4d
draw Kd
draw Ts
draw 6h
"""
TO_THE_RIVER: Final = """
press bet
press check
draw 2c
draw 2d
press all-check
draw 8c
draw 8h
"""
WHOLE: Final = BETS + HOLE_CARDS + FLOP + TO_THE_RIVER + "press bank\npress confirm\n"
#: Five seats mid-hand, after the flop; seat 5 is asked.
MID_HAND: Final = """
press new-hand
bet 1 ante 1000 bonus 500
bet 2 ante 2500
bet 3 ante 500 bonus 100
bet 5 ante 10000 bonus 1250
bet 6 ante 1500
press no-more-bets
draw As
draw 7d
draw Kc
draw 2h
draw 9s
draw Qd
draw Ah
draw 7h
draw Tc
draw 3h
draw 9d
draw Qh
press bet
press bet
press fold
press all-bet
draw 4d
draw Kd
draw Ts
draw 6h
press bet
press check
"""
VOID: Final = """
press new-hand
bet 1 ante 1000 bonus 500
press no-more-bets
draw 5s
draw 7d
press bank-exposed
press confirm
acknowledge 1 by pit-boss
press confirm
"""
DEVICES: Final = """
back shoe angel-eye
back panel xkeys
back light tower
"""

#: Texas Poker: four seats, two people behind seat 3. Seat 1 has the pair of aces that the Texas Bonus pays.
POKER_BETS: Final = """
press new-hand
bet 1 ante 1000 txb 500
bet 3 ante 2000
bet 4 ante 500 txb 100
bet 6 ante 2500
"""
STANDING: Final = """
standing 3 ante 500 txb 200 consent
rule 1 approve by ana
standing 3 ante 1000 consent
rule 2 approve by ana
"""
POKER_DEAL: Final = """
press no-more-bets
draw As
draw 9c
draw 5h
draw 2d
draw Qh
draw Ac
draw 9d
draw 5d
draw 2h
draw Js
draw 4s
draw 8h
draw Kc
"""
#: Seat 4 goes first and folds; the others stay.
POKER_DECISIONS: Final = """
press seat-4
press fold
press bet
press all-bet
"""
POKER_END: Final = """
press confirm
press confirm
draw 2c
draw 3c
press bank
"""
