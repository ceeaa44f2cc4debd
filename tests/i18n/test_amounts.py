"""What a person typed as an amount: each language reads its own numbers, and no other's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.i18n.amounts import NotAnAmount, example, parse
from tablectl.i18n.languages import LANGUAGES
from tablectl.ops.setup.money import Amount
from tablectl.ops.setup.questions import Refused
from tablectl.web.screens import money


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("20", 2000),
        (" 20 ", 2000),
        ("2,50", 250),
        ("2,5", 250),
        ("1.000", 100_000),
        ("1000", 100_000),
        ("1.000,50", 100_050),
        ("12.345.678,90", 1_234_567_890),
        ("0", 0),
    ],
)
def test_in_spanish_a_point_stands_between_thousands(text: str, cents: int) -> None:
    assert parse(text, exponent=2, language="es") == cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [("20", 2000), ("2.50", 250), ("2.5", 250), ("1,000", 100_000), ("1,000.50", 100_050), ("0.05", 5)],
)
def test_in_english_a_comma_does(text: str, cents: int) -> None:
    assert parse(text, exponent=2, language="en") == cents


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "1,000"),
        ("es", "2.50"),
        ("es", "1.00"),
        ("es", "1.0000"),
        ("es", "10.00,5"),
        ("es", "1.000.00"),
        ("en", "1.000"),
        ("en", "2,50"),
        ("en", "1,00"),
        ("en", "1,0000"),
        ("en", "10,00.5"),
        *(
            (language, text)
            for language in LANGUAGES
            for text in ("", " ", "-5", "+5", "1e3", "ten", "٣", "٣x", "1_000")
        ),
        *((language, text) for language in LANGUAGES for text in ("1 000", "5 €", "NaN", "9" * 30, "1.2.3", "1,2,3")),
        *(
            (language, text)
            for language in LANGUAGES
            for text in (".5", ",5", "5.", "5,", "5,005.1.1", "\u00a05\u00a01")
        ),
    ],
)
def test_everything_else_is_refused_with_an_example(language: str, text: str) -> None:
    with pytest.raises(NotAnAmount) as wrong:
        parse(text, exponent=2, language=language)
    written = {"es": "1.250,50", "en": "1,250.50"}
    assert wrong.value.example == written.get(language, wrong.value.example)
    assert parse(wrong.value.example, exponent=2, language=language) == 125_050


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("exponent", [0, 2, 3])
def test_an_example_is_an_amount_itself(exponent: int, language: str) -> None:
    read = parse(example(exponent=exponent, language=language), exponent=exponent, language=language)
    assert read == 1250 * 10**exponent + (5 * 10 ** (exponent - 1) if exponent else 0)


def test_a_currency_without_decimals_has_none() -> None:
    assert parse("1.250", exponent=0, language="es") == 1250
    for text in ("1,5", "1,0"):
        with pytest.raises(NotAnAmount):
            parse(text, exponent=0, language="es")


def test_of_a_currency_with_three_decimals_three_are_read() -> None:
    assert parse("1.000", exponent=3, language="en") == 1000
    assert parse("1.000", exponent=3, language="es") == 1_000_000


@pytest.mark.parametrize("language", LANGUAGES)
@given(amount=st.integers(min_value=0, max_value=AMOUNT_MOST))
def test_what_is_typed_as_it_is_shown_is_the_same_amount(language: str, amount: int) -> None:
    assert parse(money.short(amount, exponent=2, language=language), exponent=2, language=language) == amount


@given(st.text(alphabet="0123456789.,", max_size=9))
def test_no_text_is_two_amounts(text: str) -> None:
    read = set()
    for language in LANGUAGES:
        try:
            read.add(parse(text, exponent=2, language=language, grouped=False))
        except NotAnAmount:
            continue
    assert len(read) <= 1, "without anything between thousands, both languages mean the same"


def test_the_first_steps_of_a_table_in_both_languages_take_no_signs_between_thousands() -> None:
    amount = Amount(exponent=2)
    assert (amount.read("5"), amount.read("5,00"), amount.read("5.00")) == (500, 500, 500)
    for text in ("1.000", "1,000", "1.000,50"):
        with pytest.raises(Refused):
            amount.read(text)
