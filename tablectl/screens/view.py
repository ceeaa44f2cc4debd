"""The fold: one public record after another becomes what a page shows. Pure: no clock, no I/O, no sealed card.

`fold(view, record)` gives the view after `record`. A stream may begin at any hand's opening. Kinds of facts and
decisions that this version does not know are passed over: a newer controller may say more than a screen shows. What
they do stands in `folding/`, by idea.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.engine.words import PICKS
from tablectl.screens.circle_model import FeeView, LegalView
from tablectl.screens.folding import banked, cards, circle, devices, draw, hand, house, incidents, people, shelves
from tablectl.screens.folding.incidents import ENTERED_AT_TABLE
from tablectl.screens.folding.step import Record, Step, nothing
from tablectl.screens.guidance import calls
from tablectl.screens.incident_model import OfferView, RefusalView
from tablectl.screens.model import PromptView, TableInfo, TableView
from tablectl.spoken.times import NO_ZONE, is_zone


def table_info(greeting: Mapping[str, Any]) -> TableInfo:
    """The controller's greeting as a value. Raises `KeyError`, `TypeError` or `ValueError` for one that is none."""
    table = greeting["table"]
    zone = str(table.get("timezone", NO_ZONE))
    return TableInfo(
        name=str(table["name"]),
        rulebook=str(table["rulebook"]),
        seats=int(table["seats"]),
        tracking=str(table["tracking"]),
        limits=house.spans(table.get("limits", {})),
        languages=tuple(table.get("languages", ("es", "en"))),
        currency=str(table.get("currency", "EUR")),
        currency_exponent=int(table.get("currency_exponent", 2)),
        demo_key=table.get("demo_key") is True,
        clock_synchronised=table.get("clock_synchronised", True) is True,
        bands=house.spans(table.get("bands", {})),
        staff=table.get("staff") is True,
        timezone=zone if is_zone(zone) else NO_ZONE,
        repeat_ms=int(table.get("repeat_ms", 0)),
    )


def fold(view: TableView, record: Mapping[str, Any], *, tracking: str = "amounts") -> TableView:
    """The view after one more public record."""
    this = Record(
        seq=int(record["seq"]),
        at=str(record["at"]),
        fact=record["fact"],
        decisions=tuple(record.get("decisions", ())),
        reveals=tuple(record.get("reveals", ())),
        back=frozenset((record.get("prompt") or {}).get("back", ())),
        presence=tracking == "presence",
    )
    view = replace(view, seq=this.seq, at=this.at, refusal=_still(view.refusal, this))
    view = _step(_FACTS, this.fact["kind"])(cards.came(view, this.fact), this.fact, this)
    for decision in this.decisions:
        view = _step(_DECISIONS, decision["kind"])(view, decision, this)
    view = replace(view, aloud=calls(this.decisions) or view.aloud)
    for reveal in this.reveals:
        view = cards.know(view, int(reveal["draw"]), str(reveal["card"]))
    view = banked.jacks(view)
    if (carry := record.get("carry")) is not None:
        view = replace(view, carried=tuple(sorted(int(seat) for seat in carry["previous"])))
        view = devices.carried(view, carry, this.at)
        view = shelves.carried(people.carried(circle.carried(_under(view, carry.get("setup")), carry), carry), carry)
    if (keys := record.get("keys")) is not None:
        view = replace(view, demo_key=bool(keys["demo"]))
    if "prompt" not in record:
        return view  # a fact that is none of the engine's: what the croupier was told before still holds
    prompt = record["prompt"]
    return _asking(cards.went_back(view, this.back), _prompt(prompt), this)


def _step(steps: Mapping[str, Step], kind: str) -> Step:
    return steps.get(kind, nothing)


def _asking(view: TableView, prompt: PromptView | None, record: Record) -> TableView:
    """With this prompt, which began when it became another one; a start begins it anew."""
    if prompt == view.prompt and record.fact["kind"] != "opened":
        return view
    return replace(view, prompt=prompt, prompt_since=record.seq)


def _prompt(prompt: Mapping[str, Any] | None) -> PromptView | None:
    if prompt is None:
        return None
    return PromptView(
        instruction=prompt["instruction"],
        about=prompt["about"],
        keys=tuple(prompt["keys"]),
        question=prompt.get("question"),
        incident=prompt.get("incident"),
        held=bool(prompt.get("held", False)),
        offers=tuple(_offers(prompt)),
        legal=_legal(prompt.get("legal")),
        pot=prompt.get("pot"),
        cards=prompt.get("cards"),
        left=prompt.get("left"),
        gather=tuple(prompt.get("gather", ())),
        cases=tuple(prompt.get("cases", ())),
        back=tuple(prompt.get("back", ())),
    )


def _offers(prompt: Mapping[str, Any]) -> Iterator[OfferView]:
    """The list of what can be declared, each with its key; of a record that did not say it yet, the live ones of those
    that choose, in their order."""
    picks = [key for key in PICKS if key in prompt["keys"]]
    for place, said in enumerate(prompt.get("offers", ())):
        yield OfferView(
            key=said.get("key") or picks[min(place, len(picks) - 1)],
            what=said["what"],
            clause=said["clause"],
            remedies=tuple(said["remedies"]),
            chooser=said["chooser"],
        )


def _legal(legal: Mapping[str, Any] | None) -> LegalView | None:
    """What the seat in turn may do, in a circle game."""
    if legal is None:
        return None
    return LegalView(
        seat=legal["seat"],
        may_check=legal["may_check"],
        call=legal["call"],
        may_call=legal["may_call"],
        may_raise=legal["may_raise"],
        raise_from=legal["raise_from"],
        raise_to=legal["raise_to"],
        is_bet=legal["is_bet"],
        all_in=legal["all_in"],
        may_go_all_in=legal["may_go_all_in"],
    )


def _under(view: TableView, setup: Mapping[str, Any] | None) -> TableView:
    """What the house chose, as far as a screen shows it."""
    if setup is None:
        return view
    return replace(
        view,
        profile=dict(setup.get("profile", {})),
        equipment=str(setup.get("equipment", "shoe")),
        chip=int(setup.get("chip", 1)),
        fee=_fee(setup.get("fee")),
        limits=house.spans(setup.get("limits", {})),
    )


def _fee(fee: Mapping[str, Any] | None) -> FeeView | None:
    return None if fee is None else FeeView(rate=fee["rate"], taken_from=fee["taken_from"], cap=fee["cap"])


def _opened(view: TableView, fact: Mapping[str, Any], _record: Record) -> TableView:
    return _under(view, fact.get("setup"))


def _still(refusal: RefusalView | None, record: Record) -> RefusalView | None:
    """A refusal stays on the screen until the next entry of the table's people is taken, or the controller starts."""
    return None if record.fact["kind"] in (*ENTERED_AT_TABLE, "opened") else refusal


_FACTS: Final[Mapping[str, Step]] = {"opened": _opened, "game-chosen": _opened, **devices.FACTS}
_DECISIONS: Final[Mapping[str, Step]] = {
    **hand.DECISIONS,
    **banked.DECISIONS,
    **circle.DECISIONS,
    **draw.DECISIONS,
    **cards.DECISIONS,
    **incidents.DECISIONS,
    **people.DECISIONS,
    **house.DECISIONS,
    **shelves.DECISIONS,
    **devices.DECISIONS,
}
#: The kinds of decisions that have a place on the screens; a test holds it against those there are.
DECISIONS_SHOWN: Final = frozenset(_DECISIONS)
