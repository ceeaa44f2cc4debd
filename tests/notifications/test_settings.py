"""`[[notify]]`: what is right, what is a mistake, and that an address is never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.config.notifications import NoAddress, Target
from tablectl.config.sections import What
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.engine.vocabulary import Severity

SECRET = "hunter2-token"
GOOD = f"""
[notifications]
path = "messages.db"
controller_gone_s = 60

[[notify]]
name = "chef"
url = "ntfy://{SECRET}@ntfy.example.com/mesa-1"
what = ["incident", "tilt"]
severities = ["alert"]
languages = ["es"]
group = "pit"

[[notify]]
name = "boss"
url = "env:BOSS_URL"
after_s = 300
timeout_s = 30
"""


def read(folder: Path, text: str, *, mode: int = 0o600) -> Config:
    file = folder / "table.toml"
    file.write_text(f"{config_text(Scene(), folder)}\n{text}", encoding="utf-8")
    file.chmod(mode)
    return load(file)


def test_a_file_says_who_is_told_what(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD).notifications
    assert found is not None
    assert (found.path, found.gone_s) == (tmp_path / "messages.db", 60)
    chef, boss = found.targets
    assert (set(chef.what), set(chef.severities)) == ({What.INCIDENT, What.TILT}, {Severity.ALERT})
    assert (chef.languages, chef.group, chef.after_s) == (("es",), "pit", 0)
    assert (set(boss.what), boss.languages, boss.after_s, boss.timeout_s) == (set(What) - {What.HEAD}, ("es",), 300, 30)


def test_a_file_without_targets_tells_nobody(tmp_path: Path) -> None:
    assert read(tmp_path, "").notifications is None


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('name = "chef"', 'name = "Chef!"', "notify[1].name"),
        ('name = "boss"', 'name = "chef"', "notify.name: found 'chef' twice"),
        ('name = "boss"', 'name = "pit"', "notify.group: found 'pit', which is a target's name"),
        ('name = "boss"', "", "notify[2].name: found nothing"),
        ('["incident", "tilt"]', '["incidents"]', "did you mean 'incident'?"),
        ('["alert"]', '["loud"]', "notify[1].severities"),
        ('["es"]', '["fr"]', "notify[1].languages"),
        ("after_s = 300", "after_s = -1", "a whole number from 0 to 86400"),
        ("timeout_s = 30", "timeout_s = 0", "a whole number from 1 to 300"),
        ("controller_gone_s = 60", "controller_gone_s = 0", "notifications.controller_gone_s"),
        ('"messages.db"', '"table.db"', "notifications.path: found "),
        ('"env:BOSS_URL"', '"env:"', "notify[2].url: found 'env:'"),
        ('"env:BOSS_URL"', '"credential:../x"', "notify[2].url"),
        ('url = "env:BOSS_URL"', "", "notify[2].url: found nothing"),
        ("group =", "grupo =", "notify[1].grupo: found a key that is not known here"),
    ],
)
def test_a_mistake_is_named_with_its_key(before: str, after: str, told: str, tmp_path: Path) -> None:
    assert before in GOOD
    with pytest.raises(BadConfig) as wrong:
        read(tmp_path, GOOD.replace(before, after, 1))
    assert told in str(wrong.value)
    assert SECRET not in str(wrong.value)


@pytest.mark.parametrize("written", [f'["ntfy://{SECRET}@x"]', f'"ntfy://{SECRET}@x"', "{ name = 'chef' }", "5"])
def test_whoever_writes_something_else_than_targets_is_told_how_without_an_address(
    written: str, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"notify = {written}\n{config_text(Scene(), tmp_path)}", encoding="utf-8")
    with pytest.raises(BadConfig) as wrong:
        load(file)
    assert [mistake.key for mistake in wrong.value.mistakes] == ["notify"]
    assert "tables [[notify]], one a target" in str(wrong.value)
    assert SECRET not in str(wrong.value)


def test_names_that_are_wrong_are_told_each_once_and_not_compared(tmp_path: Path) -> None:
    text = GOOD.replace('name = "chef"', "").replace('name = "boss"', "").replace('"pit"', '"The pit"')
    with pytest.raises(BadConfig) as wrong:
        read(tmp_path, text)
    assert [mistake.key for mistake in wrong.value.mistakes] == ["notify[1].name", "notify[1].group", "notify[2].name"]


def test_an_address_that_is_wrong_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(BadConfig) as wrong:
        read(tmp_path, GOOD.replace("ntfy://", "ntfy//"))
    assert "notify[1].url" in str(wrong.value)
    assert SECRET not in str(wrong.value)


def test_an_address_in_a_file_that_everybody_can_read_is_a_notice(tmp_path: Path) -> None:
    notices = read(tmp_path, GOOD, mode=0o644).notices
    (said,) = [notice.said("en") for notice in notices if notice.name == "readable-address"]
    assert "chef" in said
    assert "boss" not in said, "its address stands elsewhere"
    assert SECRET not in said
    assert not [notice for notice in read(tmp_path, GOOD).notices if notice.name == "readable-address"]


def test_no_word_that_is_made_of_a_target_has_its_address(tmp_path: Path) -> None:
    config = read(tmp_path, GOOD)
    assert SECRET not in repr(config)
    assert config.notifications is not None
    assert [target.kind for target in config.notifications.targets] == ["ntfy://…", "env:BOSS_URL"]


def test_an_address_is_found_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "boss").write_text("json://there\n", encoding="utf-8")
    credentials = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert Target(name="a", url="json://here").address({}) == "json://here"
    assert Target(name="a", url="env:X").address({"X": "json://there"}) == "json://there"
    assert Target(name="a", url="credential:boss").address(credentials) == "json://there"
    for url in ("env:X", "credential:nobody"):
        with pytest.raises(NoAddress, match="a: "):
            Target(name="a", url=url).address(credentials)


MISSING = "no-public-url"


def test_who_is_told_without_an_address_of_the_pages_is_noticed(tmp_path: Path) -> None:
    assert [notice for notice in read(tmp_path, GOOD).notices if notice.name == MISSING]


def test_nobody_is_asked_for_an_address_of_the_pages_where_nobody_is_told(tmp_path: Path) -> None:
    assert not [notice for notice in read(tmp_path, "").notices if notice.name == MISSING]


def with_address(folder: Path, address: str) -> Config:
    text = f"{config_text(Scene(), folder)}\n{GOOD}"
    file = folder / "table.toml"
    if "[screens]\n" not in text:
        text = f"{text}\n[screens]\n"
    file.write_text(text.replace("[screens]\n", f'[screens]\npublic_url = "{address}"\n'), encoding="utf-8")
    file.chmod(0o600)
    return load(file)


def test_messages_link_to_the_address_of_the_pages(tmp_path: Path) -> None:
    config = with_address(tmp_path, "https://mesa-1.example:8443/")
    assert config.notifications is not None
    assert config.notifications.public_url == "https://mesa-1.example:8443"
    assert not [notice for notice in config.notices if notice.name == MISSING]


@pytest.mark.parametrize(
    "address", ["http://mesa-1.example", "mesa-1.example", "https://a/pit", "https://a?b", "https://"]
)
def test_an_address_that_no_phone_can_use_is_a_mistake(tmp_path: Path, address: str) -> None:
    with pytest.raises(BadConfig, match=r"screens\.public_url"):
        with_address(tmp_path, address)
