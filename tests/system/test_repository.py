"""A repository of packages that apt takes, and nothing that was changed or signed by somebody else.

The keys are made for the test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes

ROOT: Final = Path(__file__).parents[2]
MAKE: Final = ROOT / ".ci/make-repository"
TOOLS: Final = ("apt-get", "gpg", "gpgv", "dpkg-scanpackages", "dpkg-deb")
MISSING: Final = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [pytest.mark.machine, pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}")]


class House:
    """Who makes releases: a keyring of their own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.environment = {**os.environ, "GNUPGHOME": str(folder)}
        self.gpg("--quick-generate-key", "Test <test@example.invalid>", "ed25519", "sign", "1d")
        listed = self.gpg("--list-secret-keys", "--with-colons")
        self.key = next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr"))

    def gpg(self, *words: str) -> str:
        command = ["gpg", "--batch", "--passphrase", "", "--pinentry-mode", "loopback", *words]
        return processes.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def publish(self, repository: Path, *packages: Path) -> subprocess.CompletedProcess[str]:
        command = [str(MAKE), self.key, str(repository), *map(str, packages)]
        return processes.run(command, env=self.environment, check=False, capture_output=True, text=True)

    def close(self) -> None:
        processes.run(["gpgconf", "--kill", "all"], env=self.environment, check=True)


def package(folder: Path, version: str) -> Path:
    """A small package."""
    tree = folder / f"tree-{version}"
    (tree / "DEBIAN").mkdir(parents=True)
    said = f"Package: tablectl\nVersion: {version}\nArchitecture: amd64\nMaintainer: x <x@example.invalid>\n"
    (tree / "DEBIAN/control").write_text(f"{said}Description: for a test\n", encoding="utf-8")
    made = folder / f"tablectl_{version}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(made)]
    processes.run(command, check=True, stdout=subprocess.DEVNULL)
    return made


class Apt:
    """apt as on a machine that trusts one key, with nothing of this machine's own settings."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self._folder = folder
        for name in ("etc/apt.conf.d", "etc/preferences.d", "state/lists/partial", "cache/archives/partial", "got"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        trusted = folder / "trusted.asc"
        trusted.write_bytes((repository / "tablectl-archive-keyring.asc").read_bytes())
        source = f"deb [signed-by={trusted} arch=amd64] file:{repository} stable main\n"
        (folder / "etc/sources.list").write_text(source, encoding="utf-8")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        options = {
            "Dir::Etc": self._folder / "etc",
            "Dir::Etc::sourceparts": "-",
            "Dir::State": self._folder / "state",
            "Dir::State::status": self._folder / "status",
            "Dir::Cache": self._folder / "cache",
            "APT::Architecture": "amd64",
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
        }
        said = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        got = self._folder / "got"
        return processes.run(["apt-get", "-q", *said, *words], cwd=got, check=False, capture_output=True, text=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "keys")
    yield made
    made.close()


def test_apt_takes_what_the_key_signed_and_nothing_that_was_changed(house: House, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    published = house.publish(repository, package(tmp_path, "1.0"))
    assert (published.returncode, published.stdout) == (0, f"{repository}\n"), published.stderr
    apt = Apt(tmp_path / "apt", repository)
    assert apt.run("update").returncode == 0
    taken = apt.run("download", "tablectl=1.0")
    assert taken.returncode == 0, taken.stderr
    # A newer one beside it.
    assert (
        house.publish(repository, package(tmp_path, "1.1"), repository / "pool/tablectl_1.0_amd64.deb").returncode == 0
    )
    assert apt.run("update").returncode == 0
    # The package is another one than the index says.
    in_pool = repository / "pool/tablectl_1.1_amd64.deb"
    in_pool.write_bytes(in_pool.read_bytes()[:-1] + b"x")
    refused = apt.run("download", "tablectl=1.1")
    assert refused.returncode != 0
    assert "Hash Sum mismatch" in refused.stdout + refused.stderr
    # The index says what the package is now, and nobody signed that.
    index = repository / "dists/stable/main/binary-amd64/Packages"
    index.write_text(index.read_text(encoding="utf-8").replace("Version: 1.1", "Version: 1.2"), encoding="utf-8")
    refused = Apt(tmp_path / "new", repository).run("update")
    assert refused.returncode != 0
    assert "Hash Sum mismatch" in refused.stdout + refused.stderr


def test_apt_takes_nothing_that_another_key_signed(house: House, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    house.publish(repository, package(tmp_path, "1.0"))
    apt = Apt(tmp_path / "apt", repository)
    assert apt.run("update").returncode == 0
    stranger = House(tmp_path / "stranger")
    assert stranger.publish(repository, package(tmp_path, "2.0")).returncode == 0
    stranger.close()
    refused = apt.run("update")
    assert refused.returncode != 0
    assert "NO_PUBKEY" in refused.stdout + refused.stderr


def test_a_package_on_a_stick_is_held_against_its_signature(house: House, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    house.publish(repository, package(tmp_path, "1.0"))
    carried = repository / "pool/tablectl_1.0_amd64.deb"
    house.gpg("--output", str(tmp_path / "trusted.gpg"), "--export", house.key)
    check = ["gpgv", "--keyring", str(tmp_path / "trusted.gpg"), f"{carried}.asc", str(carried)]
    assert processes.run(check, check=False, capture_output=True).returncode == 0
    carried.write_bytes(carried.read_bytes()[:-1] + b"x")
    assert processes.run(check, check=False, capture_output=True).returncode == 1


def test_without_the_key_nothing_is_made(house: House, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    house.publish(repository, package(tmp_path, "1.0"))
    before = (repository / "dists/stable/InRelease").read_bytes()
    refused = processes.run(
        [str(MAKE), "0" * 40, str(repository), str(package(tmp_path, "1.1"))],
        env=house.environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert "docs/releases.md" in refused.stderr
    assert (repository / "dists/stable/InRelease").read_bytes() == before
