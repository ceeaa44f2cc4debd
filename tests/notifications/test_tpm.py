"""The TPM of a table's PC as a witness, against swtpm: whatever is put back on the disk, it is found; whatever the TPM
does, there is a sentence, and no TPM holds anybody up."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from pytest_mock import MockerFixture

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.config.sections import TPM_INDEX
from tablectl.config.table_file import BadConfig, load
from tablectl.config.witness import TpmSettings
from tablectl.core.timestamps import time_text
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.notifications import tpm as tpm_module
from tablectl.notifications.appending import NotKept
from tablectl.notifications.tpm import Tpm
from tablectl.notifications.tpm_place import EVERY_S, TpmPlace
from tablectl.notifications.witness import Witness
from tablectl.notifications.witness_state import Kept as KeptHead
from tablectl.notifications.witness_state import WitnessState, read_state, write_state
from tests.desk import KeptLog
from tests.handbook.commands import blocks
from tests.handbook.pages import ROOT
from tests.journal.test_known_heads import THEIRS, accepted, known, line
from tests.notifications.running import Clock
from tests.notifications.test_witness import NOON_US, head, settings
from tests.notifications.tpms import FOLD, NEWEST, RIGHTS, SoftTpm, needs_swtpm
from tests.wide import once

pytestmark = needs_swtpm


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[SoftTpm]:
    made = SoftTpm(tmp_path / "chip")
    yield made
    made.end()


@pytest.fixture
def told(chip: SoftTpm, tmp_path: Path) -> TpmSettings:
    """Of a TPM on which everything was defined."""
    chip.define()
    return TpmSettings(tcti=chip.tcti, index=TPM_INDEX, path=tmp_path / "heads.tpm")


class Life:
    """The process that keeps heads, from one start to the next."""

    def __init__(self, told: TpmSettings) -> None:
        self.heads = KnownHeads(None)
        self.now_s = 0.0
        self.place = TpmPlace(Tpm(told), told.path, "Mesa 1", self.heads, lambda: self.now_s)

    def keep(self, *seqs: int) -> None:
        for seq in seqs:
            self.place.keep(head(seq), NOON_US)

    @property
    def asked_about(self) -> set[int]:
        return {question["head"]["seq"] for question in self.heads.questions().values()}


def held(told: TpmSettings) -> bytes:
    return Tpm(told).fold()


def lines(told: TpmSettings) -> list[int]:
    return [found.seq for found in heads_in(told.path.read_text())]


def test_what_the_tpm_holds_is_the_fold_of_all_heads_and_the_newest_one_over_starts_of_both(
    chip: SoftTpm, told: TpmSettings
) -> None:
    Life(told).keep(3, 4)
    chip.lose_power()
    chip.switch_on()
    life = Life(told)
    assert life.place.trouble() == ""
    life.keep(5)
    assert lines(told) == [3, 4, 5]
    expected = bytes(32)
    for seq in (3, 4, 5):
        expected = hashlib.sha256(expected + hashlib.sha256(head(seq).line.encode()).digest()).digest()
    assert chip.do("nvread", "-C", FOLD, FOLD) == expected
    assert Tpm(told).newest() == head(5)
    assert life.asked_about == {4}, "the controller is asked about the newest one that was known at the last look"


class PowerCut(Exception):
    pass


class Cut(Tpm):
    """A machine that goes dark at one of its steps."""

    def __init__(self, told: TpmSettings, at: str) -> None:
        super().__init__(told)
        self._at = at

    def extend(self, head: SignedHead) -> None:
        if self._at == "before extending":
            raise PowerCut
        super().extend(head)
        if self._at == "after extending":
            raise PowerCut

    def write(self, head: SignedHead) -> None:
        super().write(head)
        raise PowerCut


@pytest.mark.parametrize("seqs", [(3,), (3, 4)], ids=["the first head", "a later one"])
@pytest.mark.parametrize("at", once(["before extending", "after extending", "after writing"], "after extending"))
def test_a_power_cut_heals_wherever_it_comes(chip: SoftTpm, told: TpmSettings, at: str, seqs: tuple[int, ...]) -> None:
    Life(told).keep(*seqs[:-1])
    with pytest.raises(PowerCut):
        TpmPlace(Cut(told, at), told.path, "Mesa 1", KnownHeads(None)).keep(head(seqs[-1]), NOON_US)
    chip.lose_power()
    chip.switch_on()
    life = Life(told)
    assert life.place.trouble() == ""
    life.keep(seqs[-1], 9)
    assert lines(told) == [*seqs, 9]
    assert Life(told).place.trouble() == ""


def test_a_line_that_a_power_cut_tore_heals_too(told: TpmSettings) -> None:
    Life(told).keep(3)
    with told.path.open("a") as file:
        file.write(f"2026-11-21T11:00:00.000000Z Mesa 1: {head(4).line[:200]}")
    life = Life(told)
    assert life.place.trouble() == ""
    life.keep(4)
    assert lines(told) == [3, 4]


# --- what somebody with the disk does ---------------------------------------------------------------------------------


def shortened(path: Path) -> None:
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def without_its_middle(path: Path) -> None:
    first, _, last = path.read_text().splitlines(keepends=True)
    path.write_text(first + last)


def swapped(path: Path) -> None:
    first, second, last = path.read_text().splitlines(keepends=True)
    path.write_text(second + first + last)


def one_for_another(path: Path) -> None:
    path.write_text(path.read_text().replace(head(4).line, head(2).line))


def emptied(path: Path) -> None:
    path.write_text("")


FORGERIES: Final[dict[str, Callable[[Path], None]]] = {
    "shortened": shortened,
    "gone": Path.unlink,
    "empty": emptied,
    "without its middle": without_its_middle,
    "swapped": swapped,
    "another head": one_for_another,
}


@pytest.mark.parametrize("forgery", once(FORGERIES))
def test_a_file_that_was_changed_does_not_fit_and_the_head_that_the_tpm_names_is_asked_about(
    told: TpmSettings, forgery: str
) -> None:
    Life(told).keep(3, 4, 5)
    before = held(told)
    FORGERIES[forgery](told.path)
    found = told.path.read_bytes() if told.path.exists() else None
    life = Life(told)
    assert "other heads" in life.place.trouble()
    assert 5 in life.asked_about
    with pytest.raises(NotKept):
        life.keep(6)
    assert held(told) == before
    assert (told.path.read_bytes() if told.path.exists() else None) == found, "evidence stays as it is"


def test_a_table_that_has_its_own_newest_head_overwritten_by_an_older_one_is_found_all_the_same(
    told: TpmSettings, tmp_path: Path
) -> None:
    """By root, who put the file back as well: what can only be extended does not fit any more."""
    Life(told).keep(3)
    shutil.copy(told.path, tmp_path / "older")
    Life(told).keep(4, 5)
    shutil.copy(tmp_path / "older", told.path)
    Tpm(told).write(head(3))
    assert "other heads" in Life(told).place.trouble()


def test_an_older_head_that_is_kept_after_a_newer_one_hides_nothing(told: TpmSettings) -> None:
    """Root extends file and TPM with a genuine head of the older journal: the newer one stands before it."""
    Life(told).keep(3, 5)
    life = Life(told)
    life.keep(4)
    life = Life(told)
    assert life.place.trouble() == ""
    assert life.asked_about == {4, 5}


def test_rubbish_in_the_tpm_is_told_and_stays(chip: SoftTpm, told: TpmSettings) -> None:
    Life(told).keep(3)
    chip.do("nvextend", "-C", FOLD, "-i", "-", FOLD, said=b"rubbish")
    chip.do("nvwrite", "-C", NEWEST, "-i", "-", NEWEST, said=b"rubbish " * 17)
    life = Life(told)
    assert "other heads" in life.place.trouble()
    with pytest.raises(NotKept):
        life.keep(4)


def test_a_head_in_the_tpm_that_nobody_signed_is_shown_to_nobody(told: TpmSettings) -> None:
    tpm = Tpm(told)
    forged = replace_key(head(9))
    tpm.write(forged)
    assert tpm.newest() is None


def replace_key(found: SignedHead) -> SignedHead:
    return SignedHead(seq=found.seq, hash=found.hash, signature=found.signature, key=THEIRS.public.hex())


def cleared(chip: SoftTpm) -> None:
    chip.do("clear", "-c", "l")


def cleared_and_defined(chip: SoftTpm) -> None:
    cleared(chip)
    chip.define()


@pytest.mark.parametrize(
    ("how", "said"), [(cleared, "it was cleared, or is another TPM"), (cleared_and_defined, "defined anew")]
)
def test_a_tpm_that_was_cleared_is_told(
    chip: SoftTpm, told: TpmSettings, how: Callable[[SoftTpm], None], said: str
) -> None:
    Life(told).keep(3, 4)
    how(chip)
    life = Life(told)
    assert said in life.place.trouble()
    with pytest.raises(NotKept, match=said):
        life.keep(5)
    assert lines(told) == [3, 4]


def test_nobody_takes_the_place_away_without_the_owners_password(chip: SoftTpm, told: TpmSettings) -> None:
    """What the passwords that docs/journal.md asks for are good for."""
    Life(told).keep(3, 4)
    assert not Tpm(told).is_locked()
    chip.do("changeauth", "-c", "owner", "the auditor's")
    assert not Tpm(told).is_locked()
    chip.do("changeauth", "-c", "lockout", "the auditor's, too")
    assert Tpm(told).is_locked()
    for command in (("nvundefine", "-C", "o", FOLD), ("clear", "-c", "l")):
        with pytest.raises(AssertionError):
            chip.do(*command)
    Life(told).keep(5)
    assert Life(told).place.trouble() == ""


def test_the_commands_of_the_page_define_it_with_both_passwords(chip: SoftTpm, tmp_path: Path) -> None:
    page = ROOT / "docs" / "journal.md"
    (block,) = (found for found in blocks(page, page.read_text(encoding="utf-8")) if found.how == "a TPM")
    for name in ("lockout", "owner"):
        (tmp_path / f"{name}.auth").write_text(f"of the {name}")
    environment = {"PATH": "/usr/bin:/bin", "TPM2TOOLS_TCTI": chip.tcti}
    processes.run(["bash", "-e", "-c", block.text], check=True, capture_output=True, cwd=tmp_path, env=environment)
    told = TpmSettings(tcti=chip.tcti, index=TPM_INDEX, path=tmp_path / "heads.tpm")
    Tpm(told).check()
    assert Tpm(told).is_locked()
    Life(told).keep(3, 4)
    assert Life(told).place.trouble() == ""


def test_who_begins_again_after_an_acceptance_defines_the_index_anew_and_takes_the_file_away(
    chip: SoftTpm, told: TpmSettings
) -> None:
    Life(told).keep(3, 4, 5)
    shortened(told.path)
    assert Life(told).place.trouble()
    chip.do("nvundefine", "-C", "o", FOLD)
    chip.do("nvundefine", "-C", "o", NEWEST)
    chip.define()
    told.path.rename(told.path.with_suffix(".old"))
    life = Life(told)
    assert life.place.trouble() == ""
    life.keep(4)
    assert lines(told) == [4]


# --- what a TPM does --------------------------------------------------------------------------------------------------


def test_one_that_does_not_answer_is_given_up_and_takes_the_next_head_when_it_does(
    chip: SoftTpm, told: TpmSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = Life(told)
    life.keep(3)
    monkeypatch.setattr(tpm_module, "ANSWER_S", 0.2)
    with chip.silent():
        begun = time.monotonic()
        with pytest.raises(NotKept, match="did not answer"):
            life.keep(4)
        assert "did not answer" in Life(told).place.trouble()
        assert time.monotonic() - begun < 30
        assert lines(told) == [3]
    monkeypatch.undo()
    life.keep(4)
    assert lines(told) == [3, 4]
    assert Life(told).place.trouble() == ""


class SilentInTheMiddle(Tpm):
    """It answers until it is to be extended; whether it was is not known then."""

    def __init__(self, told: TpmSettings, chip: SoftTpm) -> None:
        super().__init__(told)
        self._chip = chip

    def extend(self, head: SignedHead) -> None:
        with self._chip.silent():
            super().extend(head)


def test_one_that_falls_silent_between_line_and_tpm_goes_on_afterwards(
    chip: SoftTpm, told: TpmSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    Life(told).keep(3)
    monkeypatch.setattr(tpm_module, "ANSWER_S", 0.5)
    with pytest.raises(NotKept):
        TpmPlace(SilentInTheMiddle(told, chip), told.path, "Mesa 1", KnownHeads(None)).keep(head(4), NOON_US)
    monkeypatch.undo()
    life = Life(told)
    life.keep(5)
    assert lines(told) == [3, 4, 5]
    assert life.place.trouble() == ""


class Unkillable:
    """A program that the kernel holds."""

    def poll(self) -> None:
        return None


def test_while_one_program_hangs_in_the_kernel_no_other_is_started(told: TpmSettings, mocker: MockerFixture) -> None:
    tpm = Tpm(told)
    mocker.patch.object(tpm, "_stuck", Unkillable())  # no test can hold a process in the kernel
    with pytest.raises(tpm_module.TpmTrouble, match="cannot be ended"):
        tpm.fold()


def test_programs_that_are_not_installed_are_named(
    told: TpmSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing here"))
    life = Life(told)
    assert "package tpm2-tools" in life.place.trouble()
    with pytest.raises(NotKept, match="package tpm2-tools"):
        life.keep(3)
    assert not told.path.exists()


def test_a_tpm_that_is_not_there_is_told_and_looked_for_again(chip: SoftTpm, told: TpmSettings) -> None:
    Life(told).keep(3)
    chip.lose_power()
    life = Life(told)
    assert life.place.trouble()
    assert not told.path.read_text().count(head(4).line)
    chip.switch_on()
    assert life.place.trouble(), "not every second"
    life.now_s += 60
    assert life.place.trouble() == ""


@pytest.mark.parametrize(
    "words",
    [
        ("-g", "sha256", "-a", f"{RIGHTS}|nt=counter"),
        ("-s", "32", "-a", RIGHTS),  # could be set back
        ("-g", "sha384", "-a", f"{RIGHTS}|nt=extend"),
    ],
)
def test_an_index_of_another_kind_is_not_taken(chip: SoftTpm, tmp_path: Path, words: tuple[str, ...]) -> None:
    chip.do("nvdefine", "-C", "o", *words, FOLD)
    chip.do("nvdefine", "-C", "o", "-s", "136", "-a", RIGHTS, NEWEST)
    told = TpmSettings(tcti=chip.tcti, index=TPM_INDEX, path=tmp_path / "heads.tpm")
    with pytest.raises(NotKept, match="of another kind or size"):
        Life(told).keep(3)


# --- among the other places -------------------------------------------------------------------------------------------


def test_the_memory_of_the_tpm_is_spared_but_at_the_end_of_a_shift_and_after_an_acceptance(
    told: TpmSettings, tmp_path: Path
) -> None:
    clock = Clock(NOON_US)  # a shift begins at 13:00 UTC
    heads = known(None, line(3))
    place = TpmPlace(Tpm(told), told.path, "Mesa 1", heads)
    witness = Witness(settings(tmp_path), [place], heads, clock, KeptLog())
    witness.step()
    heads.saw(line(4))
    clock.pass_s(EVERY_S - 1)
    witness.step()
    assert lines(told) == [3]
    clock.pass_s(1)
    witness.step()
    assert lines(told) == [3, 4]
    heads.saw(line(5))
    clock.pass_s(EVERY_S)
    witness.step()
    heads.answered(head(5).hash, {"ok": True, "has": False, "records": 2})
    heads.saw(accepted(6, 5))
    witness.step()
    assert lines(told) == [3, 4, 5, 6]


def test_a_file_that_was_put_back_is_told_at_the_next_start_without_a_new_head(
    told: TpmSettings, tmp_path: Path
) -> None:
    """State and heads of the process were put back with it."""
    Life(told).keep(3)
    shutil.copy(told.path, tmp_path / "older")
    Life(told).keep(4)
    shutil.copy(tmp_path / "older", told.path)
    heads, log = known(None, line(3)), KeptLog()
    place = TpmPlace(Tpm(told), told.path, "Mesa 1", heads)
    noon = time_text(NOON_US)
    kept = KeptHead(seq=3, hash=head(3).hash, at=noon, tried=noon)
    write_state(tmp_path / "state", WitnessState(at=noon, places={"tpm": kept}))
    Witness(settings(tmp_path), [place], heads, Clock(NOON_US), log).step()
    assert "record 4" in read_state(tmp_path / "state").places["tpm"].why
    assert {question["head"]["seq"] for question in heads.questions().values()} == {3, 4}
    assert len(log.events("head not witnessed")) == 1


def test_the_page_says_what_is_wrong_now_and_since_when_something_is(
    chip: SoftTpm, told: TpmSettings, tmp_path: Path
) -> None:
    """A TPM that was not there at first, and then does not know the file that was put back meanwhile."""
    Life(told).keep(3, 4)
    shortened(told.path)
    life, clock = Life(told), Clock(NOON_US)
    witness = Witness(settings(tmp_path), [life.place], life.heads, clock, KeptLog())
    chip.lose_power()
    witness.step()
    away = read_state(tmp_path / "state").places["tpm"]
    chip.switch_on()
    life.now_s += 60
    clock.pass_s(60)
    witness.step()
    unlike = read_state(tmp_path / "state").places["tpm"]
    assert away.why
    assert "other heads" not in away.why
    assert "other heads" in unlike.why
    assert away.since == unlike.since == time_text(NOON_US)


def test_a_share_and_the_tpm_know_nothing_of_each_other(chip: SoftTpm, told: TpmSettings, tmp_path: Path) -> None:
    config = configured(tmp_path, chip, f'file = "{tmp_path}/share.heads"\n')
    known(tmp_path / "out.db.heads", line(3)).keep()
    chip.lose_power()
    assert main(["notifications", str(config), "--once"]) == 0
    assert list(heads_in((tmp_path / "share.heads").read_text())) == [head()]
    assert not told.path.exists()
    assert read_state(tmp_path / "out.db.witness").places["tpm"].why


# --- the configuration ------------------------------------------------------------------------------------------------


def configured(folder: Path, chip: SoftTpm, more: str = "") -> Path:
    config = folder / "table.toml"
    told = f'[witness]\ntpm = "{chip.tcti}"\n{more}[notifications]\npath = "{folder}/out.db"\n'
    config.write_text(f"{config_text(Scene(), folder)}\n{told}", encoding="utf-8")
    return config


def test_a_table_whose_only_witness_is_the_tpm_has_a_process_that_gives_heads_to_it(
    chip: SoftTpm, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chip.define()
    config = configured(tmp_path, chip)
    known(tmp_path / "out.db.heads", line(3)).keep()
    assert main(["notifications", str(config), "--once"]) == 0
    assert list(heads_in((tmp_path / "out.db.tpm").read_text())) == [head()]
    capsys.readouterr()
    assert main(["notifications", str(config), "--status"]) == 0
    assert "witness tpm: has record 3 since" in capsys.readouterr().out


def checked(config: Path, capsys: pytest.CaptureFixture[str], language: str) -> str:
    capsys.readouterr()
    assert main(["check-config", str(config), "--language", language]) == 0
    return "\n".join(found for found in capsys.readouterr().out.splitlines() if "witness.tpm" in found)


def test_check_config_says_what_is_wrong_with_the_tpm_in_each_language(
    chip: SoftTpm, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path, chip)
    for language, undefined, is_open in (
        ("en", "is defined once", "no password"),
        ("es", "una sola vez", "contraseña"),
    ):
        assert undefined in checked(config, capsys, language)
        chip.define()
        assert is_open in checked(config, capsys, language)
        for index in (FOLD, NEWEST):
            chip.do("nvundefine", "-C", "o", index)
    chip.define()
    chip.do("changeauth", "-c", "owner", "x")
    chip.do("changeauth", "-c", "lockout", "y")
    assert checked(config, capsys, "en") == ""
    chip.lose_power()
    assert "does nothing for this user" in checked(config, capsys, "en")
    assert "no hace nada para este usuario" in checked(config, capsys, "es")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "install the package tpm2-tools" in checked(config, capsys, "en")
    assert "instale el paquete tpm2-tools" in checked(config, capsys, "es")


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ('tpm = "the chip"', "witness.tpm"),
        ('tpm = "device:/dev/tpmrm0"\ntpm_index = 1', "witness.tpm_index"),
        ('tpm = "device:/dev/tpmrm0"\ntpm_index = "0x01800100"', "witness.tpm_index"),
    ],
)
def test_what_is_wrong_with_the_settings_is_said(tmp_path: Path, told: str, key: str) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f"{config_text(Scene(), tmp_path)}\n[witness]\n{told}\n", encoding="utf-8")
    with pytest.raises(BadConfig) as wrong:
        load(config)
    assert [mistake.key for mistake in wrong.value.mistakes] == [key]
