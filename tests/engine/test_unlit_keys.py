"""What is lit is what acts, in all five games: at every step of the hand files, every key that is not lit is pressed.
Each is refused, also where the list of what can be declared is open, and the hand goes on as it is written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key, Refusal
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tests.engine.tables import setup
from tests.journal.journals import facts_of, files_of


def unlit_keys_that_act(hand: HandFile) -> Iterator[str]:
    """After which step which key that is not lit does something."""
    table = Table(hand.setup, rulebook_of)
    for number, fact in enumerate(facts_of(hand)):
        table.apply(fact)
        prompt = table.prompt()
        dark = [unlit for unlit in Key if unlit not in prompt.keys]
        for key in dark:
            decisions = table.apply(f.Pressed(at_us=0, key=key))
            if not decisions or not all(isinstance(decision, d.Refused) for decision in decisions):
                yield f"fact {number} ({fact}): {key}: {decisions}"
                return
        if (after := table.prompt()) != prompt:
            yield f"fact {number} ({fact}): one of {', '.join(dark)} changed the prompt to {after}"
            return


@pytest.mark.parametrize("with_all", [False, pytest.param(True, marks=pytest.mark.wide)], ids=["various", "all"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_key_that_is_not_lit_changes_nothing(rulebook: str, *, with_all: bool) -> None:
    hands = {path.stem: parse(path.read_text(encoding="utf-8")) for path in files_of(rulebook, with_all=with_all)}
    found = {name: list(unlit_keys_that_act(hand)) for name, hand in hands.items()}
    assert {name: said for name, said in found.items() if said} == {}


def test_an_entry_that_is_refused_leaves_the_list_open() -> None:
    table = Table(setup(), rulebook_of)
    table.apply(f.Pressed(at_us=0, key=Key.NEW_HAND))
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    before = table.prompt()
    assert before.offers
    (refused,) = table.apply(f.Pressed(at_us=0, key=Key.ALL_BET))
    assert refused == d.Refused(why=Refusal.NOT_LIVE, detail=Key.ALL_BET)
    (refused,) = table.apply(f.Bets(at_us=0, seat=12, amounts={"ante": 1000}))
    assert isinstance(refused, d.Refused)
    assert table.prompt() == before
    table.apply(f.Pressed(at_us=0, key=Key.CANCEL))
    assert not table.prompt().offers
