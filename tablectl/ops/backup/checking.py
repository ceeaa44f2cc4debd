"""Is a copy of a table good? Its journal from end to end, with signatures; the databases; whether the keys are its own.

The same is asked of a backup that was just made and of one that is to be restored.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tablectl.core.events.codec import UnreadableRecord
from tablectl.journal.deck_register import Register, RegisterUnusable
from tablectl.journal.keys import load_sealing, load_signer
from tablectl.journal.public_keys import fingerprint
from tablectl.journal.sqlite_file import SqliteError, connect_for_reading, damage
from tablectl.journal.store import JournalUnusable
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import VolumeSet
from tablectl.ops.backup.inventory import KINDS, What
from tablectl.ops.backup.manifest import Chain
from tablectl.ops.backup.wrong import NotIntact


def check_copy(base: Path, files: Mapping[What, Path], *, key: bytes | None) -> Chain:
    """The journal with this first volume, and these other files of its table; what the journal is. `key` has to have
    signed it. Raises `NotIntact`, `BadKey`."""
    chain = _chain_of(base, key)
    _check_databases(files)
    sealing = files.get(What.SEALING_KEY)
    _check_keys(base, chain, sealing=sealing, signing=files.get(What.SIGNING_KEY))
    _check_register(files.get(What.REGISTER), sealing)
    return chain


def _chain_of(base: Path, key: bytes | None) -> Chain:
    """The journal with this first volume, all of it checked. Raises `NotIntact`."""
    try:
        with closing(VolumeSet(base)) as volume_set:
            for store in volume_set.stores:
                damage = store.damage()
                if damage is not None:
                    raise NotIntact(f"{store.path}: {damage}")
            verdict = verify_all(volume_set, key=key)
            if verdict.fault is not None:
                raise NotIntact(f"{base}: the journal is not intact: {verdict.fault}")
            return Chain(
                volumes=len(volume_set.stores),
                follows=volume_set.stores[0].follows.seq,
                newest=verdict.end.seq,
                hash=verdict.end.hash.hex(),
                hand=volume_set.stores[-1].newest_hand,
                closed_hands=verdict.hands,
                signing_key=verdict.public_key.hex() if verdict.public_key is not None else "",
                signed_to=verdict.signed_to,
            )
    except JournalUnusable as wrong:
        raise NotIntact(str(wrong)) from None


def _check_databases(files: Mapping[What, Path]) -> None:
    """What SQLite itself finds wrong in the others. Raises `NotIntact`."""
    for what, path in files.items():
        if not KINDS[what].is_database or what is What.JOURNAL:
            continue
        try:
            with closing(connect_for_reading(path)) as base:
                found = damage(base)
        except SqliteError as wrong:
            found = f"the database is damaged: {wrong}"
        if found is not None:
            raise NotIntact(f"{path}: {found}")


def _check_keys(journal: Path, chain: Chain, *, sealing: Path | None, signing: Path | None) -> None:
    """Keys that are there are those with which this journal was written. Raises `NotIntact`, `BadKey`."""
    if signing is not None:
        signer, _ = load_signer(signing)
        if signer.public.hex() != chain.signing_key:
            signed = fingerprint(bytes.fromhex(chain.signing_key))
            raise NotIntact(
                f"{signing}: the key {fingerprint(signer.public)}, the journal was signed with {signed}: another"
                " table's key"
            )
    if sealing is not None and (named := _sealing_of(journal)) is not None:
        vault, _ = load_sealing(sealing)
        if vault.fingerprint != named:
            raise NotIntact(f"{sealing}: not the key with which this journal's cards were sealed: another table's key")


def _check_register(register: Path | None, sealing: Path | None) -> None:
    """The register of decks, where its key is there to read it. Raises `NotIntact`, `BadKey`."""
    if register is None or sealing is None:
        return
    vault, _ = load_sealing(sealing)
    try:
        Register(register, vault).close()
    except RegisterUnusable as wrong:
        raise NotIntact(str(wrong)) from None


def _sealing_of(journal: Path) -> str | None:
    """The fingerprint of the sealing key that the newest start names."""
    try:
        with closing(VolumeSet(journal)) as volume_set:
            stored = volume_set.newest_with(b'"keys":{')
        keys = stored.decoded().keys if stored is not None else None
        return keys.sealing if keys is not None else None
    except (JournalUnusable, UnreadableRecord) as wrong:
        raise NotIntact(f"{journal}: what it says of its keys cannot be read ({wrong})") from None
