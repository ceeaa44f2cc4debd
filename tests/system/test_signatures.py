"""A machine that has the release key takes no package that the key did not sign: from apt, dpkg, and no older one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.system.machine import why_not
from tests.system.table_pc import CONTROLLER, TablePC
from tests.system.test_repository import MISSING, House

pytestmark = [
    pytest.mark.machine,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}"),
]

KEY: Final = "/usr/share/keyrings/tablectl-archive-keyring.asc"
NEXT: Final = "/root/next.deb"
KEPT: Final = "/var/lib/tablectl-packages/previous.deb"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("house") / "keys")
    yield made
    made.close()


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("stranger") / "keys")
    yield made
    made.close()


def trust(pc: TablePC, house: House) -> None:
    """The technician compares the fingerprint, and puts the key in place."""
    pc.machine.write(KEY, house.gpg("--armor", "--export", house.key))


def sign(house: House, package: Path, folder: Path) -> Path:
    signature = folder / f"{package.name}.asc"
    signature.unlink(missing_ok=True)
    house.gpg("--armor", "--output", str(signature), "--detach-sign", str(package))
    return signature


def refused(pc: TablePC, *command: str, says: str = "is not signed by the release key") -> None:
    """It is, and nothing was changed: the table runs, and so does the version that was there."""
    before = pc.machine.said("dpkg-query", "--show", "tablectl")
    done = pc.machine.run(*command, DEBIAN_FRONTEND="noninteractive")
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    assert says in said
    assert "nothing was changed" in said
    assert pc.machine.said("dpkg-query", "--show", "tablectl") == before
    assert pc.machine.said("systemctl", "is-active", CONTROLLER) == "active\n"


def version(pc: TablePC) -> str:
    return pc.machine.said("dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Abbrev}", "tablectl").strip()


def test_a_machine_without_a_release_key_says_that_nobody_knows_who_made_the_package(
    pc: TablePC, next_package: Path
) -> None:
    done = pc.install(next_package)
    assert done.returncode == 0, done.stderr
    assert "there is no release key on this machine" in done.stderr
    assert version(pc) == "0.2.1 ii"


def test_nothing_that_the_key_did_not_sign_is_put_in_place(
    pc: TablePC, house: House, stranger: House, next_package: Path, tmp_path: Path
) -> None:
    trust(pc, house)
    pc.machine.put(next_package, NEXT)
    for command in (("dpkg", "--install", NEXT), ("dpkg", "-iR", "/root"), ("apt-get", "install", "--yes", NEXT)):
        refused(pc, *command)
    pc.machine.put(sign(stranger, next_package, tmp_path), f"{NEXT}.asc")
    refused(pc, "dpkg", "--install", NEXT)
    pc.machine.put(sign(house, next_package, tmp_path), f"{NEXT}.asc")
    changed = tmp_path / "changed.deb"
    shutil.copyfile(next_package, changed)
    with changed.open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last[0] ^ 1]))
    pc.machine.put(changed, NEXT)
    refused(pc, "dpkg", "--unpack", NEXT)
    # Whoever takes the key away gets nothing for it.
    (pc.machine.root / KEY.lstrip("/")).unlink()
    refused(pc, "dpkg", "--install", NEXT, says="the release key that was on this machine is gone")


def test_what_the_key_signed_is_put_in_place_and_what_it_replaced_comes_back_signed_alone(
    pc: TablePC, house: House, package: Path, next_package: Path, tmp_path: Path
) -> None:
    trust(pc, house)
    older = "/root/older.deb"
    pc.machine.put(package, older)
    pc.machine.put(sign(house, package, tmp_path), f"{older}.asc")
    pc.machine.put(next_package, NEXT)
    pc.machine.put(sign(house, next_package, tmp_path), f"{NEXT}.asc")
    first = version(pc)
    pc.machine.said("apt-get", "install", "--yes", NEXT, DEBIAN_FRONTEND="noninteractive")
    assert version(pc) == "0.2.1 ii"
    # It came without a signature, so what is kept of it has none; the release's own package has.
    refused(pc, "tablectl-rollback", says="Bring the release's package of")
    pc.machine.said("tablectl-rollback", older)
    assert version(pc) == first
    # From now on each version came signed.
    pc.machine.said("dpkg", "--install", NEXT, DEBIAN_FRONTEND="noninteractive")
    pc.machine.said("tablectl-rollback")
    assert version(pc) == first
    pc.machine.said("tablectl-rollback")
    assert version(pc) == "0.2.1 ii"
    with (pc.machine.root / KEPT.lstrip("/")).open("ab") as file:
        file.write(b"x")
    refused(pc, "tablectl-rollback")


def test_a_package_of_a_repository_that_the_key_signed_needs_no_signature_beside_it(
    pc: TablePC, house: House, next_package: Path, tmp_path: Path
) -> None:
    trust(pc, house)
    repository = tmp_path / "repository"
    assert house.publish(repository, next_package).returncode == 0
    shutil.copytree(repository, pc.machine.root / "srv/repository")
    pc.machine.write("/etc/apt/sources.list", f"deb [signed-by={KEY} arch=amd64] file:/srv/repository stable main\n")
    pc.machine.said("apt-get", "update")
    pc.machine.said("apt-get", "install", "--yes", "tablectl", DEBIAN_FRONTEND="noninteractive")
    assert version(pc) == "0.2.1 ii"
