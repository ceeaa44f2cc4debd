"""The search for cards in whatever leaves the controller, in every notation that is in use.

Two characters occur by chance in random bytes. So that a hit is a leak and nothing else:

- A code (`As`, `AS`, `SA`, `10s`) counts where no letter and no digit stands beside it. Runs of hexadecimal digits have
  no such borders inside, so chance finds nothing in a hash, a salt or a signature.
- The tags of headings (`<h2>`) are renamed before.
- The base64 of a sealed box in the second copy (`"box":"…"`) and of PEM keys is taken out before codes are looked for;
  base64 of what a box holds, opened, is looked for before that.
- In binary files (database, write-ahead log, traces) what is random by nature is taken out first, each as the very
  bytes that are stored: hashes, signatures, sealed boxes, salts and checksums of a write-ahead log and of its index,
  and blocks of a trace, these only where the key opens them.
  Codes are then looked for in whatever is at least twelve readable characters long. The other columns are numbers that
  the chain checks.

Not looked for: lower-case codes of court cards outside quotes (`as` is a word of two languages), and the memory of the
controller, which has to know the cards. Core dumps are switched off by the units (`LimitCORE=0`).
"""

from __future__ import annotations

import html
import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from drivers.angel_eye.messages import card_of
from tablectl.core.cards import RANKS, SUITS

DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)

#: Every place that is searched, and what it is.
PLACES: Final = {
    "stream": "what a follower of the control socket gets, from the first record on",
    "replies": "what the control socket answers to entries, to nonsense and to a refused request for cards",
    "health": "what it answers to how the devices are",
    "pages": "index, croupier's, pit boss's and technician's page over HTTP, Spanish and English",
    "events": "server-sent events of these pages, Spanish and English, from their beginning",
    "metrics": "what Prometheus reads",
    "to the shoe": "every byte sent to the shoe",
    "to the panel": "every byte sent to the panel",
    "to the light": "every byte sent to the tower light",
    "controller.log": "standard output and standard error of the controller, tracebacks included",
    "screens.log": "standard output and standard error of the screens",
    "table.db": "the journal's database file",
    "table.db-wal": "its write-ahead log, as it lies there while the table runs and after a kill",
    "table.db-shm": "its shared memory file",
    "table.copy": "the second copy",
    "people.db": "the file of accounts, with its write-ahead log and shared memory file",
    "other files": "the rest of the folder, as `demo --keep` keeps it: locks, reserve, marks, keys, configuration",
    "processes": "command line and environment of the controller, of its watch and of the screens",
    "journal show": "`tablectl journal show` and `show --json`",
    "journal verify": "`tablectl journal verify`, `volumes` and `replay`",
    "traces": "what is recorded of the wires of every device, sealed, as it lies there while the table runs",
    "trace tools": "`tablectl trace list`, and `show` and `replay` with the key but without `--unseal`",
    "devices": "`tablectl devices` with the table's configuration, with its controller and without",
}
#: Where tags are looked for besides, at a table with a reader (`test_decks_at_a_table.py`).
TAG_PLACES: Final = {
    "decks.db": "the deck register, as it lies there while the table runs",
    "deck list": "`tablectl deck list` and `list --json`",
    "deck enroll": "`tablectl deck enroll` from a list with mistakes; card by card: `commands/test_deck.py`",
    **{name: PLACES[name] for name in ("stream", "health", "pages", "events", "metrics", "other files")},
    "log": "what the controller logs",
    "journal show": PLACES["journal show"],
    "devices": PLACES["devices"],
}
#: Files that hold random bytes beside text.
BINARY: Final = ("table.db", "table.db-wal", "table.db-shm", "traces", "people.db")

_ALONE, _END = r"(?<![^\W_])", r"(?![^\W_])"
_RANK: Final = r"(10|[2-9TJQKA])"
_SIGNS: Final = {"♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c"}
_SIGN: Final = f"([{''.join(_SIGNS)}])"
_RANK_WORDS: Final = {
    "A": "as ace",
    "K": "rey king",
    "Q": "dama reina queen",
    "J": "jota jack",
    "T": "diez ten 10",
    "9": "nueve nine 9",
    "8": "ocho eight 8",
    "7": "siete seven 7",
    "6": "seis six 6",
    "5": "cinco five 5",
    "4": "cuatro four 4",
    "3": "tres three 3",
    "2": "dos two deuce 2",
}
_SUIT_WORDS: Final = {"s": "picas spades", "h": "corazones hearts", "d": "diamantes diamonds", "c": "tréboles clubs"}
_RANK_OF: Final = {word: rank for rank, words in _RANK_WORDS.items() for word in words.split()}
_SUIT_OF: Final = {word: suit for suit, words in _SUIT_WORDS.items() for word in words.split()}

# These two begin with what they look for, and look after it then: the search is several times as quick so.
_CODE: Final = re.compile(rf"([1-9TJQKA](?<![^\W_][\s\S])(?:(?<=1)0|(?<!1)))([cdhsCDHS]){_END}")
_SUIT_FIRST: Final = re.compile(rf"([cdhsCDHS])(?<![^\W_][\s\S]){_RANK}{_END}")
_QUOTED: Final = re.compile(r"""["'=]([2-9tjqka])([cdhs])["'&]""")
_SIGNED: Final = re.compile(f"{_RANK}{_SIGN}")
_SIGN_FIRST: Final = re.compile(f"{_SIGN}{_RANK}")
_SIGN_APART: Final = re.compile(rf"{_ALONE}{_RANK}\s*{_SIGN}")
_WORDS: Final = re.compile(rf"{_ALONE}({'|'.join(_RANK_OF)})\s+(?:of|de)\s+({'|'.join(_SUIT_OF)})", re.IGNORECASE)
#: Without one of these, no words are a card: quickly looked for.
_OF_SUIT: Final = re.compile(rf"\s(?:of|de)\s+(?:{'|'.join(_SUIT_OF)})", re.IGNORECASE)
_INDEX: Final = re.compile(r"""["'](?:card|index|card_index)["']\s*:\s*(\d{1,2})(?![0-9a-fA-F])""")
_GLYPH: Final = re.compile("[\U0001f0a1-\U0001f0de]")
_GLYPH_SUITS, _GLYPH_RANKS = "shdc", "A23456789TJ_QK"

_WIRE: Final = re.compile(rb"[DdR]([\x80-\xff][\x80-\xff])\x03")
_WIRE_HEX: Final = re.compile(r"(?:44|64|52)[ :]?([89a-f][0-9a-f])[ :]?([89a-f][0-9a-f])[ :]?03", re.IGNORECASE)
_WIRE_REPR: Final = re.compile(r"[DdR]\\+x([89a-f][0-9a-f])\\+x([89a-f][0-9a-f])\\+x03", re.IGNORECASE)

_BOX: Final = re.compile(r'"box":"[A-Za-z0-9+/=]+"')
_PEM: Final = re.compile(r"-----BEGIN [A-Z ]+-----[A-Za-z0-9+/=\s]+-----END [A-Z ]+-----")
#: A clause of a rulebook may end in what looks like a card (`THL-PLE-2c`).
_CLAUSE: Final = re.compile(rf"{_ALONE}[A-Z]{{3}}-[A-Z]{{3}}-\d+[a-z]?{_END}")
#: Salt and hash of a password in the form of PHC strings (16 bytes; 32 or, in tests, 16).
_PASSWORD: Final = re.compile(
    r"\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{22}(?:[A-Za-z0-9+/]{21})?"
)
#: Salts, hashes, commitments, keys and signatures: looked at as what they are, not for frames of a shoe.
_KNOWN_HEX: Final = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})(?![0-9a-f])")
#: A time in seconds has so many digits that now and then some of them make a frame.
_DECIMAL: Final = re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]\d+)?(?![\w.])")
_READABLE: Final = re.compile(
    rb"(?:[\x20-\x7e\t\r\n]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){12,}"
)
#: Stands after the checksums of a log, which are random, and would make a readable run of their last letters.
_FIRST_PAGE: Final = b"SQLite format 3\0"
#: Where a write-ahead log begins: magic and version ("The Write-Ahead Log" of SQLite's file format). Of its header, 32
#: bytes, and of that of each page, 24 bytes, the last 16 are salts and checksums.
_LOG_BEGINS: Final = re.compile(rb"\x37\x7f\x06[\x82\x83]\x00\x2d\xe2\x18")
#: Where the index of a write-ahead log begins, as this machine orders bytes ("The WAL-Index File Format"), twice: of
#: 48 bytes the last 24 are a checksum of the log, its salts and a checksum of the header.
_INDEX_BEGINS: Final = re.compile(re.escape((3007000).to_bytes(4, sys.byteorder) + bytes(4)))
_INDEX_HEADER: Final = 48
_INDEX_NUMBERS: Final = 24
_LOG_HEADER: Final = 32
_PAGE_HEADER: Final = 24
_SALTS_AND_SUMS: Final = 16
_HEADING: Final = re.compile(r"(</?)h[1-6](?=[ >])")
_TAG: Final = re.compile(r"<[^<>]*>")
_ESCAPED: Final = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|([nrt\"'/]))")


@dataclass(frozen=True, slots=True)
class Hit:
    """A card that stands somewhere: which one, how it was written, and what is around it."""

    card: str
    notation: str
    around: str


def cores(plain: bytes) -> Iterator[str]:
    """What base64 makes of these bytes, wherever they stand in what was encoded."""
    for shift in range(3):
        left = (8 * shift + 5) // 6
        whole = b64encode(bytes(shift) + plain).decode().rstrip("=")
        end = len(whole) if (shift + len(plain)) % 3 == 0 else len(whole) - 1
        yield whole[left:end]


_OPENED: Final = {
    text: card
    for card in DECK
    for plain in (f'"card":"{card}"', f'"card": "{card}"')
    for text in (*cores(plain.encode()), plain.encode().hex())
}
#: One of these stands in each of them: quickly looked for.
_BEGINNINGS: Final = tuple(
    text for plain in ('"card":"', '"card": "') for text in (*cores(plain.encode()), plain.encode().hex())
)
_OPENED_RE: Final = re.compile("|".join(map(re.escape, _OPENED)))


def _without_log_numbers(data: bytes) -> bytes:
    """The same without the salts and checksums of the write-ahead logs in it and of their indexes: they are random."""
    left = bytearray(data)
    for beginning in _LOG_BEGINS.finditer(data):
        at = beginning.start()
        page_bytes = int.from_bytes(data[at + 8 : at + 12])
        for end in (at + _LOG_HEADER, *range(at + _LOG_HEADER + _PAGE_HEADER, len(data), _PAGE_HEADER + page_bytes)):
            left[end - _SALTS_AND_SUMS : end] = bytes(_SALTS_AND_SUMS)
    for beginning in _INDEX_BEGINS.finditer(data):
        end = beginning.start() + _INDEX_HEADER
        left[end - _INDEX_NUMBERS : end] = bytes(_INDEX_NUMBERS)
    return bytes(left)


def cards_in(data: bytes, *, binary: bool = False, random: Iterable[bytes] = (), since: int = 0) -> Iterator[Hit]:
    """Every card in these bytes. `random`: what is random by nature in a binary file, to be taken out. `since`: so many
    bytes need no search; they are cut off after that, or half of something random would be left."""
    for taken_out in random:
        data = data.replace(taken_out, b"\0" * len(taken_out))
    if binary:
        data = _without_log_numbers(data)
    data = data[since:]
    for hit in _WIRE.finditer(data):
        if (card := card_of(hit[1])) is not None:
            yield Hit(card, "wire", repr(data[max(0, hit.start() - 20) : hit.end() + 20]))
    if binary:
        data = data.replace(_FIRST_PAGE, b"\0" * len(_FIRST_PAGE))
        for run in _READABLE.finditer(data):
            yield from _cards_in_text(run[0].decode("utf-8", "replace"))
    else:
        yield from _cards_in_text(data.decode("utf-8", "replace"))


def _cards_in_text(raw: str) -> Iterator[Hit]:
    for hit in _OPENED_RE.finditer(raw) if any(beginning in raw for beginning in _BEGINNINGS) else ():
        yield _hit(raw, hit, _OPENED[hit[0]], "opened box, encoded")
    text = _HEADING.sub(r"\1heading", _PASSWORD.sub("", _PEM.sub("", _BOX.sub('"box":""', _CLAUSE.sub("", raw)))))
    unknown = _DECIMAL.sub("", _KNOWN_HEX.sub("", text))
    for wire in (_WIRE_HEX, _WIRE_REPR):
        for hit in wire.finditer(unknown):
            if (card := card_of(bytes.fromhex(hit[1] + hit[2]))) is not None:
                yield _hit(unknown, hit, card, "wire, written out")
    plain = html.unescape(_unescaped(text))
    for variant in {text, plain}:
        yield from _codes(variant)
    bare = _TAG.sub(" ", plain)
    for hit in _SIGN_APART.finditer(bare) if any(sign in bare for sign in _SIGNS) else ():
        yield _hit(bare, hit, _code(hit[1], _SIGNS[hit[2]]), "sign, apart")


def _codes(text: str) -> Iterator[Hit]:
    for hit in _CODE.finditer(text):
        yield _hit(text, hit, _code(hit[1], hit[2]), "code")
    for hit in _SUIT_FIRST.finditer(text):
        yield _hit(text, hit, _code(hit[2], hit[1]), "suit first")
    for hit in _QUOTED.finditer(text):
        yield _hit(text, hit, _code(hit[1], hit[2]), "quoted")
    if not text.isascii():
        yield from _signs(text)
    for hit in _WORDS.finditer(text) if _OF_SUIT.search(text) else ():
        yield _hit(text, hit, _RANK_OF[hit[1].lower()] + _SUIT_OF[hit[2].lower()], "words")
    for hit in _INDEX.finditer(text):
        if int(hit[1]) < len(DECK):
            yield _hit(text, hit, DECK[int(hit[1])], "index")


def _signs(text: str) -> Iterator[Hit]:
    """What no text of letters and digits alone can hold."""
    for hit in _SIGNED.finditer(text):
        yield _hit(text, hit, _code(hit[1], _SIGNS[hit[2]]), "sign")
    for hit in _SIGN_FIRST.finditer(text):
        yield _hit(text, hit, _code(hit[2], _SIGNS[hit[1]]), "sign first")
    for hit in _GLYPH.finditer(text):
        suit, rank = divmod(ord(hit[0]) - 0x1F0A0, 16)
        if 0 < rank <= len(_GLYPH_RANKS) and _GLYPH_RANKS[rank - 1] != "_":
            yield _hit(text, hit, _GLYPH_RANKS[rank - 1] + _GLYPH_SUITS[suit], "playing card")


def _hit(text: str, hit: re.Match[str], card: str, notation: str) -> Hit:
    return Hit(card, notation, text[max(0, hit.start() - 40) : hit.end() + 40])


def _code(rank: str, suit: str) -> str:
    return ("T" if rank == "10" else rank.upper()) + suit.lower()


def _unescaped(text: str) -> str:
    """Escapes of JSON as what they stand for, however often it was put into JSON."""

    def plain(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else {"n": "\n", "r": "\r", "t": "\t"}.get(found[2], found[2])

    return _ESCAPED.sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def tags_in(data: bytes, tags: Iterable[str]) -> Iterator[str]:
    """The tags of cards that stand here: with one of them and a reader, a card is known by its back. As text in either
    case, apart or not, as bytes in either order (ISO 15693 sends the lowest first), and in base64."""
    for tag in tags:
        raw = bytes.fromhex(tag)
        apart = [raw.hex(sign) for sign in " :-"]
        texts = [tag, tag.lower(), *apart, *map(str.upper, apart), *cores(raw), *cores(tag.encode())]
        if any(needle in data for needle in (raw, raw[::-1], raw[::-1].hex().encode(), *map(str.encode, texts))):
            yield tag


def salts_in(data: bytes, salts: Iterable[bytes]) -> Iterator[str]:
    """The salts of sealed cards that stand here: with one of them, 52 attempts find its card."""
    for salt in salts:
        for needle in (salt, salt.hex().encode(), salt.hex().upper().encode(), *map(str.encode, cores(salt))):
            if needle in data:
                yield salt.hex()
