"""Who vouches for a piece of evidence, and when and by which program it was made."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.i18n.languages import DEFAULT


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """`public_key` signed the journal (`public_pem` is the same in PEM, `fingerprint` what people compare); `is_demo`:
    nobody guarded it. `exported_at` is RFC 3339, UTC; `timezone` is the house's, by its name in the tz
    database: in it the page says times. `language` is the page's."""

    public_key: bytes
    public_pem: bytes
    fingerprint: str
    is_demo: bool
    exported_at: str
    tool: str
    timezone: str = "UTC"
    language: str = DEFAULT
