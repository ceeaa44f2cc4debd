"""Who may follow a table besides the controller's user, as a configuration says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.config.table_file import BadConfig, Config
from tablectl.journal.readers import Readers
from tests.config.files import written

TABLE = '[table]\nname = "Mesa 1"\nrulebook = "texas-bonus"\nseats = 7\ntracking = "presence"\n'


def read(folder: Path, text: str) -> Config:
    return written(folder, f"{TABLE}{text}")


def test_journal_and_socket_are_the_owners_alone_unless_the_configuration_says_otherwise(tmp_path: Path) -> None:
    config = read(tmp_path, "")
    assert (config.places.readers, config.control_readers) == (Readers.OWNER, Readers.OWNER)


def test_journal_and_socket_have_readers_of_their_own(tmp_path: Path) -> None:
    config = read(tmp_path, '[journal]\nreaders = "group"\n')
    assert (config.places.readers, config.control_readers) == (Readers.GROUP, Readers.OWNER)
    config = read(tmp_path, '[control]\nreaders = "group"\n')
    assert (config.places.readers, config.control_readers) == (Readers.OWNER, Readers.GROUP)


@pytest.mark.parametrize("section", ["journal", "control"])
@pytest.mark.parametrize("found", ['"everybody"', "true", '["group"]'])
def test_other_readers_than_these_are_a_mistake(tmp_path: Path, section: str, found: str) -> None:
    with pytest.raises(BadConfig) as caught:
        read(tmp_path, f"[{section}]\nreaders = {found}\n")
    mistakes = {mistake.key: mistake.right for mistake in caught.value.mistakes}
    assert "owner, group" in mistakes[f"{section}.readers"]


def test_the_key_of_the_screens_can_be_given_by_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/credentials/tablectl-screens@mesa-1.service")
    config = read(tmp_path, '[screens]\ncertificate = "mesa-1.crt"\nkey = "credential:screens.key"\n')
    assert config.screens_key == Path("/run/credentials/tablectl-screens@mesa-1.service/screens.key")
    assert config.screens_certificate == tmp_path / "mesa-1.crt"
