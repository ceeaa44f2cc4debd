"""The wall between the process that faces the network and the one that keeps the accounts, at a table that plays."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from simulators.stage.stage import Scene
from tablectl.journal.search import Wanted, walk
from tablectl.people.service import questions as q
from tablectl.people.service.remote import RemoteAccounts
from tests.desk import Desk, desk
from tests.other_user import OTHER_USER, READERS, OtherUser, only_root
from tests.people.service.attacker import attack
from tests.people.service.houses import AT_TABLE
from tests.people.service.process import AccountsProcess
from tests.screens.signed_on import EVERYBODY, ROLES, staffed, token_of

T = TypeVar("T")

pytestmark = pytest.mark.system

#: Facts that people sign, and notes of what they did.
SIGNED: Final = frozenset(
    {"ruled", "limits-set", "corrected", "transferred", "acknowledged", "shelved", "unshelved", "named", "called"}
    | {"signed-on", "signed-off", "game-chosen", "float-counted", "float-filled", "float-credited", "tested"}
)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A table with a controller, and the process that keeps its accounts."""

    table: Desk
    accounts: AccountsProcess
    listen: Path

    def ask(self, question: q.Question[T]) -> T:
        return asyncio.run(RemoteAccounts(self.listen).ask(question))

    def acts(self, name: str, line: str) -> dict[str, Any]:
        act = q.Act(token=token_of(name), request={"enter": line}, source=AT_TABLE)
        said: dict[str, Any] = self.ask(act)
        return said

    def on_record(self) -> list[tuple[str, str]]:
        """Every fact that somebody signed, and who."""
        facts = [json.loads(hit.public)["fact"] for page in walk(self.table.journal, Wanted()) for hit in page]
        found = [(fact["kind"], fact.get("by") or fact.get("croupier", "")) for fact in facts]
        return [(kind, who) for kind, who in found if kind in SIGNED]


@contextmanager
def running() -> Iterator[Place]:
    with desk(scene=Scene(staff=True)) as table:
        people, listen = staffed(table.folder / "people.db"), table.folder / "accounts.sock"
        table.start()
        with AccountsProcess(table.config, people, listen, table.folder / "log") as accounts:
            yield Place(table=table, accounts=accounts, listen=listen)


def test_who_signed_on_takes_the_table_and_deals_through_another_process() -> None:
    with running() as place:
        assert place.acts("croupier", "croupier croupier")["ok"] is True
        assert place.acts("croupier", "press new-hand")["refused"] is None
        assert place.acts("pit-boss", "call by pit-boss")["ok"] is True
        assert place.on_record() == [("signed-on", "croupier"), ("called", "pit-boss")]
        with pytest.raises(q.NotYours, match="not-at-table"):
            place.acts(EVERYBODY, "press deal")
        place.ask(q.SignOff(token=token_of("pit-boss")))
        with pytest.raises(q.NotYours, match="not-yours"):
            place.acts("pit-boss", "call by pit-boss")


def test_a_name_in_the_line_that_is_not_the_sessions_is_refused_by_the_controller() -> None:
    with running() as place:
        said = place.acts("pit-boss", "limits ante=500..600 by ghosta+ghostb")
        assert (said["ok"], said["why"]) == (False, "not-signed")
        said = place.acts("croupier", "croupier eva")
        assert (said["ok"], said["why"]) == (False, "not-signed")
        assert place.on_record() == []


def test_killed_it_is_missed_by_nobody_at_the_table_and_sessions_go_on_after_it() -> None:
    with running() as place:
        assert place.acts("croupier", "croupier croupier")["ok"] is True
        place.accounts.kill()
        with pytest.raises(q.NoAccounts):
            place.acts("croupier", "press new-hand")
        place.accounts.start()
        assert place.acts("croupier", "press new-hand")["ok"] is True


@pytest.mark.wide
def test_started_again_after_some_hands_it_knows_who_deals() -> None:
    """Between two hands nothing of the hand in play says so, and in one what was before it does."""
    with running() as place:
        assert place.acts("croupier", "croupier croupier")["ok"] is True
        place.table.world.replace()
        for _ in range(2):
            place.table.open_hand()
            place.table.play_on()
        place.accounts.kill()
        place.accounts.start()
        assert place.acts("croupier", "press new-hand")["refused"] is None
        place.accounts.kill()
        place.accounts.start()
        with pytest.raises(q.NotYours, match="not-at-table"):
            place.acts(EVERYBODY, "press deal")
        assert place.acts("croupier", "press no-more-bets")["ok"] is True


def attacked(place: Place, lines: int) -> None:
    """Somebody with the user of the screens sends these while a hand is dealt."""
    os.chown(place.table.folder, 0, READERS)
    place.table.folder.chmod(0o2750)
    for path in (place.table.socket, place.listen):
        os.chown(path, 0, READERS)
        path.chmod(0o660)
    with OtherUser(OTHER_USER, READERS) as other_user:
        assert place.acts("croupier", "croupier croupier")["ok"] is True
        stolen = token_of("manager")
        place.ask(q.SignOff(token=stolen))
        before = place.on_record()
        came = other_user.does(attack, place.table.socket, place.listen, stolen, 25, lines)
    assert set(came) <= {"refused", "not-yours", "weak-secret", "denied", "bad-question", "nothing"}, came
    assert came.total() >= lines - 100
    assert place.on_record() == before == [("signed-on", "croupier")]
    people = q.AskRegister(token=token_of(EVERYBODY))
    assert {account.name for account in place.ask(people).accounts} == set(ROLES)
    assert place.acts("croupier", "press new-hand")["refused"] is None


@only_root
def test_a_compromised_web_server_acts_as_nobody_and_the_deal_goes_on() -> None:
    with running() as place:
        attacked(place, 4_000)


@only_root
@pytest.mark.wide
def test_a_hundred_thousand_lines_of_a_compromised_web_server_act_as_nobody() -> None:
    with running() as place:
        attacked(place, 100_000)
