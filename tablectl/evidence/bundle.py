"""One archive with everything about a hand that somebody outside needs, and the way to check it without us.

The same hand of the same journal, exported at the same time, gives the same bytes: nothing is compressed, every file
has the same date, and their order is fixed.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from tablectl.evidence.hand import Hand
from tablectl.evidence.handfile import hand_file
from tablectl.evidence.origin import Origin
from tablectl.evidence.page import page
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
    told = files("tablectl.evidence").joinpath("check-all.txt").read_text(encoding="utf-8")
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
        f"hand-{hand.number}.html": page(hand, origin).encode(),
        f"hand-{hand.number}.hand": hand_file(hand).encode(),
        "records.jsonl": b"".join(line(each.stored) + b"\n" for each in hand.chain),
        "public-key.pem": origin.public_pem,
        "about.json": (json.dumps(_about(hand, origin), ensure_ascii=False, indent=2) + "\n").encode(),
    }


def _about(hand: Hand, origin: Origin) -> dict[str, Any]:
    setup, chain = hand.setup, hand.chain
    return {
        "table": setup.table,
        "rulebook": setup.rulebook,
        "rulebook_version": hand.version,
        "tracking": setup.tracking.value,
        "limits": {bet: {"least": each.least, "most": each.most} for bet, each in setup.limits.items()},
        "profile": dict(setup.profile),
        "software": hand.software,
        "hand": hand.number,
        "closed": hand.is_closed,
        "first_seq": chain[0].stored.seq,
        "last_seq": chain[-1].stored.seq,
        "last_signed_seq": hand.last_signed.stored.seq if hand.last_signed is not None else None,
        "hash_before": hand.hash_before.hex(),
        "hash_last": chain[-1].stored.hash.hex(),
        "public_key": origin.public_key.hex(),
        "public_key_fingerprint": origin.fingerprint,
        "demo": origin.is_demo,
        "tool": origin.tool,
        "exported_at": origin.exported_at,
    }


@cache
def _template() -> Template:
    text = files("tablectl.evidence").joinpath("check.txt").read_text(encoding="utf-8")
    return Environment(undefined=StrictUndefined, keep_trailing_newline=True).from_string(text)


def _check(hand: Hand, origin: Origin) -> str:
    chain = hand.chain
    before_last = chain[-2].stored.hash if len(chain) > 1 else hand.hash_before
    signed = hand.last_signed.stored.seq if hand.last_signed is not None else 0
    last = chain[-1].stored.seq
    if signed == last:
        signed_en, signed_es = "The last record here is signed.", "El último registro de aquí está firmado."
    else:
        signed_en = f"The hand is not over: the records behind {signed} are not signed yet."
        signed_es = f"La mano no ha terminado: los registros posteriores al {signed} aún no están firmados."
    banner = "DEMONSTRATION KEY: THIS PROVES NOTHING      CLAVE DE DEMOSTRACIÓN: ESTO NO PRUEBA NADA\n\n"
    return _template().render(
        banner=banner if origin.is_demo else "",
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
        shown=sum(len(each.public.get("reveals", ())) for each in hand.records),
    )
