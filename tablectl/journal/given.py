"""What somebody was given of a journal on another way than the journal itself: what no file can say of itself, namely
whose key signed it and where it ends."""

from __future__ import annotations

from tablectl.core.records import record
from tablectl.journal.public_keys import whole_fingerprint
from tablectl.journal.verify import Verdict


@record
class Given:
    """Each None where it was not given. `fingerprint`: the whole one of the table's key; `last`, `last_hash`: of the
    last record; `follows`: the hash that the first one has to follow. All but the number in bytes."""

    fingerprint: bytes | None = None
    last: int | None = None
    last_hash: bytes | None = None
    follows: bytes | None = None

    def difference(self, verdict: Verdict) -> str | None:
        """In what records that are good by themselves are not those that it was about; None where they are."""
        key, end = verdict.public_key, verdict.end
        if self.fingerprint is not None and (key is None or whole_fingerprint(key) != self.fingerprint.hex()):
            signed = "no key is named" if key is None else f"they are signed with {whole_fingerprint(key)}"
            return f"another key: {signed}, and {self.fingerprint.hex()} was given"
        if self.last is not None and end.seq != self.last:
            what = "the end is missing" if end.seq < self.last else "something follows it"
            return f"another end: the last record is {end.seq}, and {self.last} was given: {what}"
        if self.last_hash is not None and end.hash != self.last_hash:
            return f"another end: the hash of record {end.seq} is {end.hash.hex()}, and another one was given"
        return None
