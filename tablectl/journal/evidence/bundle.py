"""One archive with everything about a hand that somebody outside needs, and the way to check it without us.

The same hand of the same journal, exported at the same time, gives the same bytes: nothing is compressed, every file
has the same date, and their order is fixed.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from tablectl.journal.evidence.hand import Hand
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.evidence.origin import Origin
from tablectl.journal.evidence.page import page
from tablectl.journal.evidence.verifier.page import verifier_page
from tablectl.journal.lines import line

#: The oldest date that a zip archive can hold.
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_MODE: Final = 0o100644 << 16


def bundle(hand: Hand, origin: Origin) -> bytes:
    """The archive. Raises `UnreadableRecord`."""
    return _packed(contents(hand, origin))


def bundles(hands: Sequence[Hand], origin: Origin) -> bytes:
    """An archive with one for each hand, and how to check all of them. Raises `UnreadableRecord`."""
    told = files("tablectl.journal.evidence").joinpath("check-all.txt").read_text(encoding="utf-8")
    made = {f"hand-{hand.number}.zip": bundle(hand, origin) for hand in hands}
    return _packed({"CHECK.txt": told.encode(), **made})


def _packed(contents: Mapping[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as target:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = _UNIX, _MODE
            target.writestr(info, content)
    return archive.getvalue()


def contents(hand: Hand, origin: Origin) -> dict[str, bytes]:
    """The files of the archive by name, in order."""
    return {
        "CHECK.txt": _check(hand, origin).encode(),
        "verify.html": verifier_page(origin.language).encode(),
        f"hand-{hand.number}.html": page(hand, origin).encode(),
        f"hand-{hand.number}.hand": hand_file(hand).encode(),
        "records.jsonl": b"".join(line(recorded.stored) + b"\n" for recorded in hand.chain),
        "public-key.pem": origin.public_pem,
        "about.json": (json.dumps(_about(hand, origin), ensure_ascii=False, indent=2) + "\n").encode(),
    }


def _about(hand: Hand, origin: Origin) -> dict[str, Any]:
    setup, chain, currency = hand.setup, hand.chain, hand.currency
    return {
        "table": setup.table,
        "rulebook": setup.rulebook,
        "rulebook_version": hand.version,
        "tracking": setup.tracking.value,
        "limits": {bet: {"least": limit.least, "most": limit.most} for bet, limit in setup.limits.items()},
        "currency": None if currency is None else currency.code,
        "currency_exponent": None if currency is None else currency.exponent,
        "profile": dict(setup.profile),
        "software": hand.software,
        "hand": hand.number,
        "closed": hand.is_closed,
        "unfinished": not hand.is_closed,
        "first_seq": chain[0].stored.seq,
        "last_seq": chain[-1].stored.seq,
        "last_signed_seq": hand.last_signed.stored.seq if hand.last_signed is not None else None,
        "hash_before": hand.hash_before.hex(),
        "hash_last": chain[-1].stored.hash.hex(),
        "public_key": origin.public_key.hex(),
        "public_key_fingerprint": origin.fingerprint,
        "public_key_sha256": hashlib.sha256(origin.public_key).hexdigest(),
        "demo": origin.is_demo,
        "tool": origin.tool,
        "exported_at": origin.exported_at,
    }


@cache
def _template() -> Template:
    text = files("tablectl.journal.evidence").joinpath("check.txt").read_text(encoding="utf-8")
    return Environment(undefined=StrictUndefined, keep_trailing_newline=True).from_string(text)


def _check(hand: Hand, origin: Origin) -> str:
    chain = hand.chain
    before_last = chain[-2].stored.hash if len(chain) > 1 else hand.hash_before
    signed = [recorded.stored.seq for recorded in chain if recorded.signature is not None]
    last, unsigned = chain[-1].stored.seq, open_end(hand)
    if not unsigned:
        signed_en, signed_es = "The last record here is signed.", "El último registro de aquí está firmado."
    else:
        signed_en = f"The hand is not over: the records after {unsigned[0] - 1} are not signed yet."
        signed_es = f"La mano no ha terminado: los registros posteriores al {unsigned[0] - 1} aún no están firmados."
    demo = "DEMONSTRATION KEY: THIS PROVES NOTHING      CLAVE DE DEMOSTRACIÓN: ESTO NO PRUEBA NADA\n\n"
    unfinished = "UNFINISHED: THE HAND IS NOT OVER              SIN TERMINAR: LA MANO SIGUE ABIERTA\n\n"
    return _template().render(
        banner=(unfinished if not hand.is_closed else "") + (demo if origin.is_demo else ""),
        unfinished=not hand.is_closed,
        unfinished_words=unfinished_words(hand),
        signed=signed,
        key_sha256=hashlib.sha256(origin.public_key).hexdigest(),
        # A name on one line: what is indented here is a command.
        table=" ".join(hand.setup.table.split()),
        hand=hand.number,
        first=chain[0].stored.seq,
        first_of_hand=hand.records[0].stored.seq,
        last=last,
        fingerprint=origin.fingerprint,
        hash_before=hand.hash_before.hex(),
        hash_last=chain[-1].stored.hash.hex(),
        octal_before_last="".join(f"\\0{byte:03o}" for byte in before_last),
        signed_en=signed_en,
        signed_es=signed_es,
        verifier_sha256=hashlib.sha256(verifier_page(origin.language).encode()).hexdigest(),
        shown=sum(len(told.record.reveals) for told in hand.records),
    )


def open_end(hand: Hand) -> tuple[int, ...]:
    """The numbers of the records after the last signature, in order; they are all of a hand that is not over."""
    signed = hand.last_signed.stored.seq if hand.last_signed is not None else 0
    return tuple(recorded.stored.seq for recorded in hand.chain if recorded.stored.seq > signed)


def _unsigned_words(unsigned: tuple[int, ...]) -> str:
    """Which records nobody has signed yet, as a part of a sentence."""
    if not unsigned:
        return "its records so far are signed"
    which = f"record {unsigned[0]} is" if len(unsigned) == 1 else f"records {unsigned[0]} to {unsigned[-1]} are"
    return f"{which} not signed yet"


def unfinished_words(hand: Hand) -> str:
    """What is said of the bundle of a hand that is not over; empty for one that is."""
    return "" if hand.is_closed else f"UNFINISHED: hand {hand.number} is not over; {_unsigned_words(open_end(hand))}"
