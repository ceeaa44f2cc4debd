"""Keys are files of their owner, or credentials of a service; each says what it is, and a demo's says so loudly."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from simulators import processes
from tablectl.journal.keys import load_keys, load_sealing, load_signer, make_keys, publish
from tablectl.journal.public_keys import BadKey, fingerprint, load_public, public_pem
from tests.journal.journals import KEYS, keep_keys

NAMES = ("table.key", "table.sign")


def both(folder: Path) -> tuple[Path, Path]:
    return folder / NAMES[0], folder / NAMES[1]


def test_keys_are_made_whole_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    made = make_keys(*both(tmp_path), demo=False)
    assert not made.is_demo
    for path in both(tmp_path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = load_keys(*both(tmp_path))
    assert again.public() == made.public()
    assert again.vault.open(3, made.vault.seal(3, b"As")) == b"As"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(NAMES), "nothing unfinished is left"


def test_two_tables_never_have_the_same_keys(tmp_path: Path) -> None:
    one, other = (make_keys(tmp_path / f"{name}.key", tmp_path / f"{name}.sign", demo=False) for name in "ab")
    assert one.public().signing != other.public().signing
    assert one.public().sealing != other.public().sealing


def test_keys_that_are_there_are_never_made_anew(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    assert make_keys(*both(tmp_path), demo=True).public() == KEYS.public()


def test_a_demo_key_says_loudly_what_it_is(tmp_path: Path) -> None:
    made = make_keys(*both(tmp_path), demo=True)
    assert made.is_demo
    assert made.public().demo is True
    for path in both(tmp_path):
        assert path.read_text(encoding="ascii").startswith("tablectl DEMO ")
        assert "not for play" in path.read_text(encoding="ascii")
    assert load_signer(tmp_path / "table.sign")[1]
    assert load_sealing(tmp_path / "table.key")[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o777])
def test_a_key_that_others_can_reach_is_refused_with_advice(tmp_path: Path, name: str, mode: int) -> None:
    keep_keys(tmp_path)
    path = tmp_path / name
    path.chmod(mode)
    with pytest.raises(BadKey, match=f"others can read it .mode {mode:04o}.; run: chmod 0600 {path}"):
        load_keys(*both(tmp_path))
    path.chmod(0o400)
    assert load_keys(*both(tmp_path)).public() == KEYS.public()


def test_a_credential_of_the_service_is_guarded_by_systemd_and_not_by_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_keys(tmp_path)
    for path in both(tmp_path):
        path.chmod(0o440)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert load_keys(*both(tmp_path)).public() == KEYS.public()


@pytest.mark.parametrize(
    "text",
    [b"", bytes(32), b"tablectl sealing key", b"tablectl sealing key " + 62 * b"0", b"\xff"],
)
def test_what_is_no_sealing_key_is_refused(tmp_path: Path, text: bytes) -> None:
    keep_keys(tmp_path)
    (tmp_path / "table.key").write_bytes(text)
    with pytest.raises(BadKey, match="no sealing key of tablectl; restore the key from its backup"):
        load_keys(*both(tmp_path))


def test_what_is_no_signing_key_is_refused(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    path = tmp_path / "table.sign"
    rsa = processes.run(["openssl", "genpkey", "-algorithm", "X25519"], check=True, capture_output=True).stdout
    for text in (b"", b"x", path.read_bytes()[:80], public_pem(KEYS.signer.public), rsa):
        path.write_bytes(text)
        with pytest.raises(BadKey, match="no Ed25519 private key in PEM; restore the key from its backup"):
            load_keys(*both(tmp_path))


@pytest.mark.parametrize("name", NAMES)
def test_a_key_that_is_missing_is_asked_back_from_its_copy(tmp_path: Path, name: str) -> None:
    keep_keys(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(BadKey, match=r"cannot be read \(No such file or directory\); bring the journal's own key back"):
        load_keys(*both(tmp_path))


def test_keys_without_a_folder_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match=r"cannot be made .No such file or directory."):
        make_keys(tmp_path / "none" / "table.key", tmp_path / "none" / "table.sign", demo=False)


def test_a_key_that_openssl_made_is_as_good(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    path = tmp_path / "table.sign"
    path.unlink()
    processes.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(path)], check=True)
    path.chmod(0o600)
    signer, is_demo = load_signer(path)
    assert not is_demo
    told = processes.run(["openssl", "pkey", "-in", str(path), "-pubout"], check=True, capture_output=True).stdout
    assert told == public_pem(signer.public)


def test_openssl_confirms_what_the_table_signed(tmp_path: Path) -> None:
    publish(KEYS, tmp_path / "table.pub")
    link = bytes(range(32))
    (tmp_path / "signature").write_bytes(KEYS.signer.sign(7, link))
    check = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "table.pub", "-rawin", "-in", "text"]
    for seq, good in ((7, True), (8, False)):
        (tmp_path / "text").write_text(f"tablectl record {seq} {link.hex()}\n", encoding="ascii")
        done = processes.run([*check, "-sigfile", "signature"], cwd=tmp_path, check=False, capture_output=True)
        assert (done.returncode == 0) is good


def test_the_public_key_is_published_once_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "table.pub"
    publish(KEYS, path)
    assert load_public(path) == KEYS.signer.public
    path.chmod(0o400)
    before = path.stat().st_mtime_ns
    publish(KEYS, path)
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("text", [b"", b"x", b"-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"])
def test_what_is_no_public_key_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a.pub"
    with pytest.raises(BadKey, match=r"found no such file; would be right: the path of a public key|no Ed25519"):
        load_public(path)
    path.write_bytes(text)
    with pytest.raises(BadKey, match="no Ed25519 public key in PEM"):
        load_public(path)


def test_two_persons_can_compare_a_key_by_reading_it_aloud() -> None:
    assert fingerprint(KEYS.signer.public) == fingerprint(bytes(KEYS.signer.public))
    assert len(fingerprint(KEYS.signer.public).split()) == 4
    assert fingerprint(KEYS.signer.public) != fingerprint(bytes(32))


def test_what_a_killed_maker_left_is_removed_and_nothing_else_of_the_folder(tmp_path: Path) -> None:
    left = ("table.key.1.new", "table.key.4711.new", "table.sign.4711.new")
    others = ("table.key.new", "table.key.mine.new", "other.key.4711.new", "table.key.4711.new.txt", "table.key.bak")
    for name in (*left, *others):
        (tmp_path / name).write_bytes(b"half a key")
    made = make_keys(*both(tmp_path), demo=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((*NAMES, *others))
    (tmp_path / left[0]).write_bytes(b"half a key")
    assert make_keys(*both(tmp_path), demo=False).public() == made.public()
    assert (tmp_path / left[0]).exists(), "where no key has to be made, nothing is touched"
