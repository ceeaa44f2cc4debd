"""A small installation to change: two packages of ours, what they depend on, a configuration, an approver."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tablectl.config.table_file import Config, load
from tablectl.ops.software.check import Identity, identify
from tablectl.ops.software.manifest import Manifest, signed_text
from tablectl.ops.software.survey import Places, survey

APPROVER: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
MADE: Final = "2026-11-21T04:35:58+00:00"
TABLE: Final = '[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n'
SIGNED: Final = TABLE + '[software]\nmanifest = "approved.json"\npublic_key = "approver.pem"\n'

OURS: Final = {
    "tablectl/__init__.py": "",
    "tablectl/core/cards.py": "SUITS = 4\n",
    "tablectl/web/screens/page.html": "<p>\n",
    "tablectl/games/game.py": "SEATS = 9\n",
    "tablectl/core/settlement/banked.py": "PAYS = 10\n",
    "tablectl/config/limits.py": "MOST = 1\n",
    "drivers/registry.py": "DRIVERS = 3\n",
}
#: by distribution: its requirements and its files
OTHERS: Final = {
    "tablectl-0.1.0": (("Alpha.Wire>=1", 'delta; extra == "dev"'), {}),
    "alpha_wire-1.0": (
        ('beta[fast]>=2; python_version > "3"',),
        {"alpha/__init__.py": "", "alpha/wire.py": "BAUD = 1\n", "../bin/wire": "#!python\n"},
    ),
    "beta-2.0": (('gamma; extra == "fast"', 'delta; extra == "slow"', "not-there"), {"beta.py": "BETA = 2\n"}),
    "gamma-3.0": ((), {"gamma/one.py": "ONE = 1\n", "gamma/_wire.abi3.so": "machine code"}),
    "delta-4.0": ((), {"delta.py": "DELTA = 4\n"}),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Machine:
    """Where all of it lies."""

    root: Path
    site: Path
    places: Places

    @property
    def config_file(self) -> Path:
        """The configuration's file."""
        return self.root / "mesa.toml"

    @property
    def config(self) -> Config:
        """The configuration, read now."""
        return load(self.config_file)

    def approve(self, key: Ed25519PrivateKey = APPROVER) -> None:
        """Sign what is there."""
        found = survey(self.places, self.config_file)
        manifest = Manifest(version=found.version, made=MADE, files=found.files)
        (self.root / "approved.json").write_text(signed_text(manifest, key), encoding="utf-8")

    def identify(self) -> Identity:
        """The check at a start."""
        return identify(self.config, self.config_file, places=self.places)

    def write(self, file: str, text: str) -> Path:
        """A file below the folder of the installation."""
        path = self.site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def machine(root: Path, *, config: str = SIGNED) -> Machine:
    """An installation below `root`, approved where the configuration asks for it."""
    site = root / "site"
    made = Machine(
        root=root,
        site=site,
        places=Places(
            packages={name: site / name for name in ("tablectl", "drivers")}, sites=(site,), path=(root / "none", site)
        ),
    )
    for file, text in OURS.items():
        made.write(file, text)
    for name, (requires, files) in OTHERS.items():
        install(made, name, requires, files)
    made.write("extra.pth", "import extra\n")
    made.config_file.write_text(config, encoding="utf-8")
    public_key_file(root / "approver.pem")
    if config == SIGNED:
        made.approve()
    return made


def install(made: Machine, name: str, requires: tuple[str, ...], files: dict[str, str]) -> None:
    """A distribution, as pip leaves it."""
    metadata = "".join(
        ["Metadata-Version: 2.4\n", *(f"Requires-Dist: {require}\n" for require in requires), "\nRequires-Dist: no\n"]
    )
    lines = [f"{name}.dist-info/RECORD,,"]
    for file, text in {**files, f"{name}.dist-info/METADATA": metadata}.items():
        data = made.write(file, text).read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{len(data)}")
    made.write(f"{name}.dist-info/RECORD", "".join(f"{line}\n" for line in lines))


def public_key_file(path: Path, key: Ed25519PrivateKey = APPROVER) -> Path:
    """The public part, as a table has it."""
    path.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return path


def private_key_file(path: Path, key: Ed25519PrivateKey = APPROVER) -> Path:
    """The key as `openssl genpkey -algorithm ed25519` writes it, readable for its owner only."""
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path
