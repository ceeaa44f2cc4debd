"""Which names and secrets are taken, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.people.rules import Weakness, WeakSecret, check_password, check_pin, is_name, normal


@pytest.mark.parametrize("name", ["ana", "a", "ana.garcia-2", "a" * 32])
def test_a_name_is_one_small_word(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", "Ana", "ana+luis", "ana luis", "ana\n", "1ana", "ñ", "a" * 33, ".a", "console", "unknown", "system"]
)
def test_what_could_be_mistaken_in_a_record_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("eleven-char", Weakness.TOO_SHORT),
        ("", Weakness.TOO_SHORT),
        ("x" * 64 + "abcde" * 20, Weakness.TOO_LONG),
        ("Maria Teresa", Weakness.IS_NAME),
        ("MARIATERESA1", Weakness.IS_NAME),
        ("maite-maite-maite", Weakness.IS_NAME),
        ("abababababababab", Weakness.TOO_PLAIN),
        ("aaaaaaaaaaaaaaaaaaa", Weakness.TOO_PLAIN),
        ("half a char \ud800 in it", Weakness.NOT_TEXT),
    ],
)
def test_a_weak_password_is_refused_with_its_reason(password: str, why: Weakness) -> None:
    with pytest.raises(WeakSecret) as caught:
        check_password(password, name="maite", display="Maria Teresa")
    assert caught.value.why is why
    assert password not in str(caught.value) or not password


@pytest.mark.parametrize(
    "password", ["twelve-chars", "maite likes long sentences", "la ñ también vale", "🂡🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂬"]
)
def test_length_is_enough(password: str) -> None:
    check_password(password, name="maite", display="Maria Teresa")


def test_a_password_is_the_same_from_any_keyboard() -> None:
    assert normal("contrase\u00f1a") == normal("contrasen\u0303a")


@pytest.mark.parametrize(
    "pin",
    ["000000", "123456", "654321", "901234", "121212", "123123", "112233", "102201", "135791", "777778"],
)
def test_a_pin_that_is_tried_first_is_refused(pin: str) -> None:
    with pytest.raises(WeakSecret) as caught:
        check_pin(pin)
    assert caught.value.why is Weakness.PIN_GUESSABLE


@pytest.mark.parametrize("pin", ["", "12345", "1234567", "12345a", "２７１８２８", "27 828", "-71828"])
def test_a_pin_has_six_digits(pin: str) -> None:
    with pytest.raises(WeakSecret) as caught:
        check_pin(pin)
    assert caught.value.why is Weakness.PIN_FORM


def test_nearly_all_pins_can_be_chosen() -> None:
    refused = 0
    for number in range(0, 1_000_000, 7):
        try:
            check_pin(f"{number:06}")
        except WeakSecret:
            refused += 1
    assert 100 < refused < 1_500


@given(st.text(max_size=40))
def test_any_text_is_a_password_or_not_and_nothing_else(text: str) -> None:
    try:
        check_password(text, name="ana", display="Ana")
    except WeakSecret:
        return
    assert len(normal(text)) >= 12
