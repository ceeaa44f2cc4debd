"""A one-time code proves what both ends say, and nothing that was changed on the way."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.fleet import codes, signed_times
from tablectl.fleet.codes import BadCode
from tablectl.fleet.enrolment import Enrol, Enrolled
from tablectl.fleet.signed_times import SignedTime
from tablectl.journal.signing import Signer, Witness

CODE: Final = "7K2M-9QXD-B4TV"
SECRET: Final = codes.secret_of(CODE, "mesa-1")
AT: Final = "2026-11-28T10:00:00.000000Z"


def asked() -> Enrol:
    made = Enrol(name="mesa-1", request="-----BEGIN\nabc\n", key="0f" * 32, nonce="1a" * 16)
    return msgspec.structs.replace(made, proof=codes.proof(SECRET, made.text()))


def answered(to: Enrol) -> Enrolled:
    made = Enrolled(certificate="-----BEGIN\nfor it\n", authority="-----BEGIN\nours\n", pit_key="7e" * 32, at=AT)
    return msgspec.structs.replace(made, proof=codes.proof(SECRET, made.text(to)))


def changed(body: bytes) -> list[bytes]:
    """With one bit of one byte changed, for each byte."""
    return [bytes([*body[:at], body[at] ^ 1, *body[at + 1 :]]) for at in range(len(body))]


def test_a_code_has_sixty_bits_in_three_groups_without_look_alikes() -> None:
    assert len(codes.ALPHABET) ** codes.LENGTH == 2**60
    assert not set("ILOU") & set(codes.ALPHABET)
    found = {codes.new_code() for _ in range(200)}
    assert len(found) == 200
    assert {len(group) for code in found for group in code.split("-")} == {4}
    assert {letter for code in found for letter in code.replace("-", "")} == set(codes.ALPHABET)


@pytest.mark.parametrize("text", [CODE, "7k2m9qxdb4tv", " 7K2M 9QXD B4TV \n"])
def test_a_code_may_be_typed_in_any_usual_way(text: str) -> None:
    assert codes.typed(text) == "7K2M9QXDB4TV"


def test_what_looks_like_another_letter_is_that() -> None:
    assert codes.typed("IlO0-1111-2222") == "110011112222"


@pytest.mark.parametrize("text", ["", "7K2M-9QXD", "7K2M-9QXD-B4TU", "7K2M-9QXD-B4TV-7", "7K2M-9QXD-B4T\u0663"])
def test_what_is_no_code_is_told(text: str) -> None:
    with pytest.raises(BadCode, match="7K2M-9QXD-B4TV"):
        codes.typed(text)


def test_another_code_or_another_table_has_another_secret() -> None:
    assert codes.secret_of("7k2m 9qxd b4tv", "mesa-1") == SECRET
    assert codes.secret_of("7K2M-9QXD-B4TW", "mesa-1") != SECRET
    assert codes.secret_of(CODE, "mesa-2") != SECRET


def test_whatever_byte_of_a_request_is_changed_its_proof_is_none() -> None:
    good = asked()
    body = msgspec.json.encode(good)
    assert codes.is_proven(SECRET, good.text(), good.proof)
    for other in changed(body):
        try:
            found = msgspec.json.decode(other, type=Enrol)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        assert not codes.is_proven(SECRET, found.text(), found.proof), other


def test_whatever_byte_of_an_answer_is_changed_its_proof_is_none() -> None:
    question = asked()
    good = answered(question)
    assert codes.is_proven(SECRET, good.text(question), good.proof)
    for other in changed(msgspec.json.encode(good)):
        try:
            found = msgspec.json.decode(other, type=Enrolled)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        assert not codes.is_proven(SECRET, found.text(question), found.proof), other


def test_an_answer_to_another_question_is_none() -> None:
    question = asked()
    good = answered(question)
    for other in ({"name": "mesa-2"}, {"nonce": "2b" * 16}):
        assert not codes.is_proven(SECRET, good.text(msgspec.structs.replace(question, **other)), good.proof)
    assert not codes.is_proven(SECRET, question.text(), good.proof)


def test_the_proof_of_another_code_is_none() -> None:
    good = asked()
    other = codes.secret_of("7K2M-9QXD-B4TW", "mesa-1")
    assert not codes.is_proven(other, good.text(), good.proof)
    assert not codes.is_proven(SECRET, good.text(), "")
    assert not codes.is_proven(SECRET, good.text(), "é")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "mesa 1"},
        {"name": "mesa-1\n"},
        {"name": ""},
        {"key": "0F" * 32},
        {"key": "0f" * 31},
        {"nonce": "1a"},
        {"request": "x" * 9_000},
    ],
)
def test_what_would_make_two_texts_of_a_proof_the_same_is_no_request(change: dict[str, str]) -> None:
    body = msgspec.json.encode(msgspec.structs.replace(asked(), **change))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=Enrol)


def test_a_time_is_good_as_it_was_signed_and_for_its_question_alone() -> None:
    signer, nonce = Signer(Ed25519PrivateKey.generate()), signed_times.new_nonce()
    witness, good = Witness(signer.public), signed_times.signed(signer, nonce, AT)
    assert signed_times.is_good(witness, good, nonce)
    assert not signed_times.is_good(witness, good, signed_times.new_nonce())
    assert not signed_times.is_good(Witness(Signer(Ed25519PrivateKey.generate()).public), good, nonce)
    for other in changed(msgspec.json.encode(good)):
        try:
            found = msgspec.json.decode(other, type=SignedTime)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        assert not signed_times.is_good(witness, found, nonce), other
