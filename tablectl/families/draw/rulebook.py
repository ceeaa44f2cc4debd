"""The shape of a game with antes and discards, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tablectl.core.options import draw as draw_options
from tablectl.core.options.shared import AnnulledBets
from tablectl.families.pots.rulebook import House, PotRulebook


class DrawHouse(House, Protocol):
    """Those of a game with antes and discards."""

    @property
    def dealer_ante(self) -> draw_options.DealerAnte: ...
    @property
    def most_discards(self) -> draw_options.MostDiscards: ...
    @property
    def false_opening(self) -> draw_options.FalseOpening: ...
    @property
    def second_round(self) -> draw_options.SecondRound: ...
    @property
    def all_pass(self) -> draw_options.AllPass: ...
    @property
    def above_resto(self) -> draw_options.AboveResto: ...
    @property
    def new_stub(self) -> draw_options.NewStub: ...
    @property
    def draw_count(self) -> draw_options.DrawCount: ...
    @property
    def refill(self) -> draw_options.Refill: ...
    @property
    def refill_until(self) -> draw_options.RefillUntil: ...
    @property
    def leaving_ahead(self) -> draw_options.LeavingAhead: ...
    @property
    def redeal_until(self) -> draw_options.RedealUntil: ...
    @property
    def annulled_bets(self) -> AnnulledBets: ...
    @property
    def deck_fault(self) -> draw_options.DeckFaultDrawn: ...
    @property
    def unlooked_count(self) -> draw_options.UnlookedCount: ...
    @property
    def six_and_four(self) -> draw_options.SixAndFour: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRulebook(PotRulebook):
    """One game with discards."""

    house: DrawHouse
