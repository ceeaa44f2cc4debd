"""What a table waits for, with no more of the table than it takes to say so in words. Pure."""

from __future__ import annotations

import msgspec

from tablectl.core.public_table.table import PublicTable


class Waits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The instruction that the croupier has, or the question that he is asked, and what the sentence about it depends
    on; all of it empty before there is one. `about`: a slot, a seat or what is declared, as in a prompt; `cards`: how
    many a seat changes; `shuffle`: how the house shuffles, empty where it did not choose."""

    instruction: str = ""
    question: str = ""
    about: str = ""
    cards: int | None = None
    phase: str = ""
    is_out_of_turn: bool = False
    is_pot_carried: bool = False
    shuffle: str = ""
    equipment: str = ""


def waits_of(view: PublicTable) -> Waits:
    """What this table waits for."""
    prompt = view.prompt
    if prompt is None:
        return Waits()
    return Waits(
        instruction=prompt.instruction,
        question=prompt.question or "",
        about=prompt.about,
        cards=prompt.cards,
        phase=view.phase,
        is_out_of_turn=view.is_out_of_turn,
        is_pot_carried=view.circle.is_carried,
        shuffle=view.profile.get("shuffle", ""),
        equipment=view.equipment,
    )
