"""What the handbook says of the program's own words is what the program says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.handbook import PAGES, PARTS, made

STALE = "a driver, a choice or a sentence changed: run `make docs` and commit the pages"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_what_would_be_made_now(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert made(text) == text, STALE


def test_every_part_that_can_be_made_is_on_a_page_and_every_part_has_its_end() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    for part in PARTS:
        assert sum(text.count(f"<!-- made: {part} -->") for text in texts) == 1, part
    for text in texts:
        assert text.count("<!-- made: ") == text.count("<!-- end -->")


def test_a_part_is_put_between_its_marks_and_the_rest_is_left() -> None:
    page = "before\n<!-- made: states -->\nold\n<!-- end -->\nafter\n"
    text = made(page)
    assert text.startswith("before\n<!-- made: states -->\n\n| state |")
    assert text.endswith("|\n\n<!-- end -->\nafter\n")
    assert made(text) == text


def test_a_part_of_no_known_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        made("<!-- made: nothing -->\n<!-- end -->\n")
