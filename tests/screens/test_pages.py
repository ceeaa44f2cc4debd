"""What the parts of a page say at one moment of a hand, in both languages. Records are made by the real engine."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.vocabulary import Key, Question, Tracking
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.families.pots.rulebook import PotRulebook
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.texts import load_texts
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import PARTS, Pages
from tablectl.web.screens.viewer import Viewer
from tests.screens import hands
from tests.screens.controller import Bench, setup
from tests.screens.signed_on import shown_to

PAGES = Pages()


def part(page: str, name: str, lines: str, language: str = "es", bench: Bench | None = None) -> str:
    """One part of a page after these lines, its blanks made one."""
    bench = Bench() if bench is None else bench
    bench.lines(lines)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    picture = Picture(view=view, table=table_info(bench.greeting), connected=True)
    return " ".join(PAGES.parts(page, language, picture)[name].split())


def plain(html: str) -> str:
    """What a person reads of it."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize(("language", "quiet"), [("es", "Todo en orden"), ("en", "All in order")])
def test_all_is_in_order_only_while_the_table_is_not_held(language: str, quiet: str) -> None:
    playing = hands.BETS + hands.HOLE_CARDS
    assert quiet in part("croupier", "side", playing, language)
    for question in ("press wrong-count", "press wrong-count\npress seat-1"):
        assert quiet not in part("croupier", "side", playing + question, language)


def label(html: str, key: str) -> str:
    """What is written on a key."""
    found = re.search(rf'<button[^>]* data-key="{key}"[^>]*>(.*?)</button>', html)
    assert found is not None
    return plain(found[1])


def aloud(html: str, key: str) -> str:
    """What a screen reader says of a seat key."""
    found = re.search(rf'data-key="{key}"[^>]* aria-label="([^"]*)"', html)
    assert found is not None
    return found[1]


def test_a_seat_key_takes_nothing_back_while_the_bonus_is_entered() -> None:
    adding = part("croupier", "keys", "press new-hand\nbet 1 ante 1000 bonus 500\npress bonus")
    assert label(adding, "seat-1") == "1"


def test_what_a_key_for_several_seats_did_is_undone_by_their_numbers() -> None:
    betting = part("croupier", "keys", hands.WHOLE + "press new-hand\npress all-bet")
    assert re.search(r"↶ «Todos apuestan»: puestos \d, \d", label(betting, "cancel"))


def test_a_card_drawn_too_early_is_asked_about_by_its_number_and_how_many_wait() -> None:
    early = hands.BETS + hands.HOLE_CARDS
    drawn = part("croupier", "prompt", early + "draw 9c", "en")
    number = re.search(r"Was card (\d+) seen", drawn)
    assert number is not None
    assert "after this one" not in drawn
    two = part("croupier", "prompt", early + "draw 9c\ndraw 9d", "en")
    assert f"Was card {number[1]} seen" in two
    assert "One more card after this one." in two
    after = part("croupier", "prompt", early + "draw 9c\ndraw 9d\npress not-seen", "en")
    assert f"Was card {int(number[1]) + 1} seen" in after
    assert "after this one" not in after


def test_who_does_not_deal_has_no_live_key_and_is_told_why() -> None:
    lines = "croupier ana\npress new-hand\nbet 1 ante 1000\n"
    for name, is_his in (("ana", True), ("luis", False)):
        with shown_to(Viewer(name=name)):
            keys = part("croupier", "keys", lines, bench=Bench(setup(staff=True)))
            staff = part("croupier", "staff", lines, bench=Bench(setup(staff=True)))
            entry = part("croupier", "entry", lines, bench=Bench(setup(staff=True)))
        assert ('aria-disabled="false"' in keys) is is_his
        assert ("data-form" in entry) is is_his
        assert ('data-act="take-table"' in staff) is not is_his
    with shown_to(Viewer(name="trainee", is_trainee=True)):
        assert 'aria-disabled="false"' in part("croupier", "keys", lines, bench=Bench(setup(staff=True)))


def test_all_bet_is_the_same_bets_while_bets_are_taken() -> None:
    betting = part("croupier", "keys", hands.WHOLE + "press new-hand")
    deciding = part("croupier", "keys", hands.BETS + hands.HOLE_CARDS)
    assert label(betting, "all-bet") == "Repetir apuestas"
    assert label(deciding, "all-bet") == "Todos apuestan"


def test_an_empty_seat_whose_key_is_live_repeats_its_bets_and_one_in_the_hand_takes_them_back() -> None:
    keys = part("croupier", "keys", hands.WHOLE + "press new-hand\nbet 1 ante 1000")
    assert [label(keys, f"seat-{seat}") for seat in (1, 2, 3)] == ["1 retirar", "2", "3 repetir"]
    assert [aloud(keys, f"seat-{seat}") for seat in (1, 3)] == [
        "Puesto 1: retirar sus apuestas",
        "Puesto 3: repetir apuestas",
    ]


def test_without_amounts_a_seat_key_only_brings_the_seat_in() -> None:
    bench = Bench(setup(tracking=Tracking.PRESENCE))
    keys = part("croupier", "keys", "press new-hand", bench=bench)
    assert label(keys, "seat-3") == "3"


def said_at_the_top(picture: Picture, language: str) -> list[str]:
    """What each page says of a demonstration's keys, and of the clock."""
    pages = [PAGES.page(name, language, picture) for name in PARTS]
    pages += [PAGES.hands(language, picture, ()), PAGES.no_hand(language, picture, why="no-answer")]
    found = [re.findall(r'<p class="demo-key".*?</p>', page, re.DOTALL) for page in pages]
    return [plain(sentence) for on_page in found for sentence in on_page]


@pytest.mark.parametrize(
    ("language", "notice"),
    [
        ("es", "CLAVE DE DEMOSTRACIÓN no apta para jugar"),
        ("en", "DEMO KEY not for play"),
    ],
)
def test_a_demo_key_is_said_on_every_page_by_the_start_record_or_the_greeting(language: str, notice: str) -> None:
    bench, table = Bench(demo=True), table_info(Bench().greeting)
    started = fold(PublicTable(), bench.stream[0])
    assert said_at_the_top(Picture(view=started, table=table), language) == [notice] * 5
    greeted = table_info(bench.greeting)
    assert said_at_the_top(Picture(table=greeted), language) == [notice] * 5, "the stream began after the start"
    assert said_at_the_top(Picture(view=fold(PublicTable(), Bench().stream[0]), table=greeted), language) == []
    assert said_at_the_top(Picture(table=table), language) == said_at_the_top(Picture(), language) == []


NO_CLOCK = "RELOJ SIN SINCRONIZAR las horas del registro pueden no ser exactas; avise al técnico"
NO_CLOCK_EN = "CLOCK NOT SYNCHRONISED times on record may be wrong; tell the technician"


@pytest.mark.parametrize(("language", "notice"), [("es", NO_CLOCK), ("en", NO_CLOCK_EN)])
def test_a_clock_that_is_not_synchronised_is_said_on_every_page_until_it_is(language: str, notice: str) -> None:
    greeting = Bench().greeting["table"]
    for is_synchronised, said in ((False, [notice] * 5), (True, [])):
        table = table_info({"table": {**greeting, "clock_synchronised": is_synchronised}})
        assert said_at_the_top(Picture(table=table), language) == said
    assert said_at_the_top(Picture(table=table_info({"table": greeting})), language) == [], "an older controller"


COUNTING = hands.BETS + hands.HOLE_CARDS + "press wrong-count\n"
LAP = COUNTING + "press seat-1\npress seat-1"


def test_numbers_are_cards_while_cards_are_counted() -> None:
    asked = part("croupier", "keys", COUNTING)
    assert [label(asked, f"seat-{seat}") for seat in (1, 3)] == ["1", "3"]
    counted = part("croupier", "keys", COUNTING + "press seat-1")
    assert [label(counted, f"seat-{seat}") for seat in (1, 2, 7)] == ["1 carta", "2 cartas", "7"]
    assert [aloud(counted, f"seat-{seat}") for seat in (1, 2, 7)] == ["1 carta", "2 cartas", "Puesto 7"]


def test_numbers_are_rounds_while_the_round_is_asked_for() -> None:
    keys = part("croupier", "keys", LAP, "en")
    assert [label(keys, f"seat-{seat}") for seat in (1, 2, 3)] == ["1 round", "2 round", "3"]
    assert [aloud(keys, f"seat-{seat}") for seat in (1, 2, 3)] == ["Round 1", "Round 2", "Seat 3"]


def test_a_small_table_has_every_number_that_can_be_counted() -> None:
    keys = part("croupier", "keys", COUNTING + "press bank", bench=Bench(setup(seats=3)))
    assert label(keys, "seat-5") == "5 cartas"
    assert 'data-key="seat-6"' not in keys
    assert 'data-key="seat-4"' not in part("croupier", "keys", COUNTING, bench=Bench(setup(seats=3)))


@pytest.mark.parametrize(
    ("question", "key", "es", "en"),
    [
        (Question.COUNT_CARDS, Key.NOT_SEEN, "0 · ninguna", "0 · none"),
        (Question.COUNT_CARDS, Key.CONFIRM, "Nada, volver", "Nothing, go back"),
        (Question.COUNT_SPOT, Key.CONFIRM, "Nada, volver", "Nothing, go back"),
        (Question.SEEN, Key.NOT_SEEN, "No vista", "Not seen"),
        (Question.MOVED, Key.CONFIRM, "Confirmar", "Confirm"),
    ],
)
def test_a_key_says_what_it_answers(question: Question, key: Key, es: str, en: str) -> None:
    prompt = Prompt(instruction=Instruction.ANSWER, about="seat-1", keys=(key,), question=question, held=True)
    view = PublicTable(phase="dealing", prompt=prompt)
    assert [PAGES.texts(language, Picture()).key(key, view) for language in ("es", "en")] == [es, en]
    without = replace(view, prompt=replace(prompt, keys=()))
    assert PAGES.texts("es", Picture()).key(key, without) in ("Confirmar", "No vista"), "only a live key answers"


def test_every_label_is_of_a_question_a_phase_or_a_game_and_a_key() -> None:
    moments = {*Question, *(phase for make in RULEBOOKS.values() for phase in make({}).phases)}
    circle = (make({}) for make in RULEBOOKS.values())
    phases = {f"circle-{phase}" for book in circle if isinstance(book, PotRulebook) for phase in book.phases}
    moments |= set(RULEBOOKS) | {f"{game}-by-hand" for game in RULEBOOKS} | {"circle", "list", "carried"} | phases
    assert load_texts("tablectl.web.screens").keys("key-now") <= {
        f"{moment}-{key}" for moment in moments for key in Key
    }


def test_what_stands_on_a_seat_key_can_be_read_aloud() -> None:
    assert load_texts("tablectl.web.screens").keys("seat-key") == load_texts("tablectl.web.screens").keys(
        "seat-key-aloud"
    )


@pytest.mark.parametrize(
    ("language", "played", "void"),
    [
        ("es", ("pareja", "Banca", "14 cartas", "teclas", "sin incidencias"), ("Anulada", "incidencia n.º 1")),
        ("en", ("pair", "Bank", "14 cards", "keys", "no incidents"), ("Void", "incident no. 1")),
    ],
)
def test_the_last_hands_are_told(language: str, played: tuple[str, ...], void: tuple[str, ...]) -> None:
    told = plain(part("pit", "hands", hands.WHOLE, language))
    for words in played:
        assert words in told
    told = plain(part("pit", "hands", hands.VOID, language))
    for words in ("THB-ERR-1", *void):
        assert words in told


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_pit_sees_what_is_paid_and_taken(language: str) -> None:
    lines = hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER
    assert part("pit", "settlement", lines, language) == ""
    settled = part("pit", "settlement", lines + "press bank", language)
    assert settled in part("croupier", "side", lines + "press bank", language), "it is the croupier's own list"
    assert re.findall(r'data-seat="(\d)"', settled) == ["1", "3"]
    assert part("pit", "settlement", hands.WHOLE, language) == ""
