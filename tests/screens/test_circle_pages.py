"""What croupier and pit boss see of a circle game, in every phase, in each language and at every tracking level."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.recall import recalled
from tablectl.web.screens.render import Pages
from tests.screens import circle_hands as hands
from tests.screens.controller import Bench

PAGES: Final = Pages()
TEXTS: Final = load_texts("tablectl.web.screens")
PRE: Final = hands.BLINDS + hands.CARDS
RAISED: Final = PRE + "press call\npress fold\nact raise 800\n"
#: Keys that declare what only a person sees: live whenever something can be declared.
DECLARE: Final = {"incident", "face-up", "wrong-count"}
#: Every phase of a hand, with something to see in it.
PHASES: Final = {
    "closed": "",
    "blinds": hands.BLINDS,
    "dealing": hands.BLINDS + "press no-more-bets\ndraw As\n",
    "pre-flop-betting": RAISED,
    "flop": PRE + hands.PRE_FLOP + "draw 3c\n",
    "flop-betting": hands.TO_THE_FLOP + "press check\nact bet 2000\n",
    "turn": hands.TO_THE_FLOP + hands.FLOP_BETS,
    "turn-betting": hands.TO_THE_FLOP + hands.FLOP_BETS + hands.TURN,
    "river": hands.TO_THE_FLOP + hands.FLOP_BETS + hands.TURN + hands.TURN_BETS,
    "river-betting": hands.TO_THE_FLOP + hands.FLOP_BETS + hands.TURN + hands.TURN_BETS + hands.RIVER,
    "showdown": hands.SHOWDOWN + "press show\n",
    "settlement": hands.SHOWN,
    "voided": PRE + "call by croupier\nrule 1 void-hand by ana misdeal\n",
}
#: Without amounts, as the keys have it.
KEYED: Final = {name: re.sub(r"act (bet|raise) \d+", r"press \1", lines) for name, lines in PHASES.items()}


def picture(bench: Bench) -> Picture:
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return Picture(view=view, table=table_info(bench.greeting), connected=True)


def parts(
    page: str, lines: str, language: str = "es", *, tracking: Tracking = Tracking.AMOUNTS, places: int = 10
) -> dict[str, str]:
    return PAGES.parts(page, language, picture(hands.table(lines, tracking=tracking, places=places)))


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def live(html: str) -> set[str]:
    """The keys that light."""
    return set(re.findall(r'data-key="([\w-]+)" aria-disabled="false"', html))


# --- every phase ------------------------------------------------------------------------------------------------------


def test_there_is_something_to_see_of_every_phase_but_the_draw_for_the_button() -> None:
    assert {picture(hands.table(lines)).view.phase for lines in PHASES.values()} == set(PHASES)
    assert set(RULEBOOKS["circle-holdem"]({}).phases) - set(PHASES) == {"seating"}


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", PHASES)
def test_every_page_of_every_phase_can_be_drawn_and_says_what_to_do(phase: str, language: str, rulebook: str) -> None:
    seen = picture(hands.table(PHASES[phase], rulebook=rulebook))
    t = PAGES.texts(language, seen)
    assert t.instruction(seen.view) not in ("", t.say("instruction", "none"))
    for page in ("croupier", "pit"):
        assert t.word("phase", phase) in PAGES.page(page, language, seen)
    assert PAGES.page("technician", language, seen)
    assert t.instruction(seen.view) in PAGES.page("croupier", language, seen)


@pytest.mark.parametrize("tracking", [Tracking.ROUNDS, Tracking.ACTIONS])
@pytest.mark.parametrize("phase", ["closed", "blinds", "dealing", "pre-flop-betting"])
def test_without_amounts_no_page_has_a_field_or_a_word_for_them(phase: str, tracking: Tracking) -> None:
    for page in ("croupier", "pit"):
        shown = " ".join(parts(page, KEYED[phase], tracking=tracking).values())
        assert "€" not in shown
        assert 'inputmode="decimal"' not in shown


def test_rounds_show_folds_and_the_close_of_the_round_and_no_other_action() -> None:
    shown = parts("croupier", PRE + "press seat-6\n", tracking=Tracking.ROUNDS)
    assert live(shown["keys"]) - DECLARE == {"fold", "confirm", "cancel"}
    assert "Ronda cerrada" in plain(shown["keys"])
    assert live(shown["seats"]) == {f"seat-{seat}" for seat in (1, 2, 4, 6, 8)}
    folded = parts("croupier", PRE + "press seat-6\npress fold\n", tracking=Tracking.ROUNDS)
    assert 'data-seat="6" data-state="folded"' in folded["seats"]


def test_at_actions_an_action_with_the_last_chips_has_a_button_of_its_own() -> None:
    entry = parts("croupier", PRE, tracking=Tracking.ACTIONS)["entry"]
    assert re.findall(r'data-act="act" data-action="(\w+)"', entry) == ["call", "raise"]
    assert 'data-form="act"' not in entry


# --- whose turn it is, and what he may do -----------------------------------------------------------------------------


def test_THL_RD1_2_the_keys_say_what_the_seat_in_turn_may_do_and_for_how_much() -> None:
    shown = parts("croupier", RAISED)
    assert live(shown["keys"]) - DECLARE == {"fold", "call", "raise", "all-in", "cancel"}
    keys = plain(shown["keys"])
    for words in ("Iguala 7 €", "Sube 16 – 200 €", "Resto 200 €", "Corregir lo último"):
        assert words in keys
    assert "Puesto 1: habla" in shown["prompt"]
    assert "Puede igualar 7 €, subir hasta un total de 16 a 200 €, o retirarse." in shown["prompt"]
    assert 'data-seat="1" data-state="turn"' in shown["seats"]
    assert 'data-pot-total="1300"' in shown["prompt"]


def test_the_amount_field_has_the_quick_sizes_that_are_legal() -> None:
    entry = parts("croupier", RAISED)["entry"]
    assert re.findall(r'data-amount="([\d,]+)" data-size="([\w-]+)"', entry) == [
        ("16", "least"),
        ("18", "half-pot"),
        ("28", "whole-pot"),
        ("200", "all-in"),
    ]
    assert re.findall(r'name="action" value="(\w+)"', entry) == ["raise"]


def test_where_nothing_may_be_raised_there_is_no_amount_field() -> None:
    # Everybody else has folded or is all-in: seat 2 can call, and nobody could answer a raise.
    shown = parts("croupier", PRE + "press fold\npress fold\npress all-in\npress fold\n")
    assert live(shown["keys"]) - DECLARE - {"cancel"} == {"fold", "call"}
    assert "Puesto 2: habla" in shown["prompt"]
    assert 'data-form="act"' not in shown["entry"]
    assert "with-all-in" not in shown["entry"]


def test_another_seat_can_be_chosen_and_stands_as_out_of_turn() -> None:
    shown = parts("croupier", PRE + "press seat-8\n")
    assert "Puesto 8: fuera de turno" in shown["prompt"]
    assert 'data-form="act" autocomplete="off" data-seat="8"' in shown["entry"]
    assert re.findall(r'name="action" value="(\w+)"', shown["entry"]) == ["bet", "raise"]
    assert "Fuera de turno" in plain(shown["seats"])
    assert 'class="size"' not in shown["keys"]


def test_chips_can_be_entered_as_they_were_seen() -> None:
    entry = parts("croupier", RAISED)["entry"]
    form = entry[entry.index('data-form="chips"') :]
    for name in ("amount", "single", "said", "said_to"):
        assert f'name="{name}"' in form
    assert 'data-form="chips" data-seat="1"' in entry


def test_an_illegal_action_says_what_would_be_legal() -> None:
    shown = plain(parts("croupier", PRE + "act raise 300\n")["prompt"])
    assert "No vale subir ahora: puede igualar 2 €, subir hasta un total de 4 a 300 €, o retirarse THL-RD1-4" in shown
    shown = plain(parts("croupier", PRE + "act raise 300\n", "en")["prompt"])
    assert "It is not legal to raise now: he may call €2, raise to a total between €4 and €300, or fold" in shown


def test_a_stored_action_is_shown_at_its_seat() -> None:
    seen = picture(hands.table(PRE))
    record = dict(hands.table(PRE).records[-1])
    record["decisions"] = [{"kind": "stored", "seat": 8, "action": "raise", "to": 800}]
    stored = Picture(view=fold(seen.view, decode_record(record)), table=seen.table, connected=True)
    assert 'data-stored="8">⏳ subir 8' in PAGES.parts("croupier", "es", stored)["seats"]
    assert "⏳ raise 8" in PAGES.parts("pit", "en", stored)["felt"]


# --- the felt ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_the_felt_has_all_seats_the_button_the_stakes_and_the_pots(page: str) -> None:
    felt = parts(page, PHASES["flop-betting"])["felt"]
    assert re.findall(r'data-seat="(\d+)"', felt) == [str(seat) for seat in range(1, 11)]
    assert re.findall(r'data-button="(\d+)"', felt) == ["8"]
    assert re.findall(r'data-stake="(\d+)"', felt) == ["2"]
    assert ">Bote 80 €<" in felt
    several = parts(page, PHASES["turn-betting"])["felt"]
    assert re.findall(r'data-pot="(\d)"', several) == ["1", "2"]
    assert "2 · 4 · 6" in several


def test_THL_END_4_side_pots_are_listed_with_the_seats_that_compete() -> None:
    for page, part in (("croupier", "side"), ("pit", "settlement")):
        told = plain(parts(page, PHASES["turn-betting"])[part])
        assert "Bote principal Compiten 2 · 4 · 6 60 €" in told
        assert "Bote lateral 1 Compiten 2 · 4 80 €" in told
        assert "140 €" in told


def test_the_bank_of_a_banked_game_is_not_on_the_felt() -> None:
    assert 'class="house"' not in parts("pit", PRE)["felt"]


# --- the end ----------------------------------------------------------------------------------------------------------


def test_THL_SDN_5_at_the_showdown_a_seat_shows_or_gives_up() -> None:
    shown = parts("croupier", PHASES["showdown"])
    assert "Puesto 4: ¿descubre o entrega?" in shown["prompt"]
    assert live(shown["keys"]) - DECLARE == {"show", "show-all", "fold"}
    assert "Entrega sin ver" in plain(shown["keys"])


def test_THL_SDN_6_the_pot_is_delivered_and_agreed() -> None:
    shown = parts("croupier", PHASES["settlement"])
    assert "Entregado y conforme" in plain(shown["keys"])
    side = plain(shown["side"])
    assert "4 trío el bote 180 THL-SDN-2 180 €" in side
    assert "Entregado y conforme" not in plain(parts("croupier", PHASES["voided"])["keys"])


def test_what_nobody_called_is_on_the_list() -> None:
    side = plain(parts("croupier", PRE + "act raise 800\npress fold\npress fold\npress fold\npress fold\n")["side"])
    assert "Devolver: nadie igualó 6" in side


def test_THL_MIS_9_of_a_void_hand_everything_that_was_put_in_goes_back() -> None:
    side = plain(parts("croupier", RAISED + "call by croupier\nrule 1 void-hand by ana misdeal")["side"])
    for words in ("Puesto 1 Lo puesto en el bote 1 1 €", "Puesto 8 Lo puesto en el bote 8 8 €", "Recoger 10 cartas"):
        assert words in side


def test_the_last_hands_say_who_won_and_how_much() -> None:
    told = plain(parts("pit", hands.SHOWN + "press confirm")["hands"])
    assert "Gana el puesto 4 180 € Bote" in told


# --- between hands ----------------------------------------------------------------------------------------------------


def test_between_hands_people_come_and_go_and_chips_are_entered() -> None:
    shown = parts("croupier", "")
    assert re.findall(r'data-act="player" data-what="(\w+)"', shown["entry"]) == ["takes", "away", "back", "leaves"]
    assert 'data-form="people"' in shown["entry"]
    assert 'data-act="button"' in shown["entry"]
    assert live(shown["seats"]) == {f"seat-{seat}" for seat in range(1, 11)}
    means = dict(re.findall(r'data-key="(seat-\d+)"[^>]*aria-label="([^"]+)"', shown["seats"]))
    assert means["seat-1"] == "Puesto 1: se ausenta"
    assert means["seat-3"] == "Puesto 3: lo toma un jugador"
    assert means["seat-9"] == "Puesto 9: ha vuelto"
    tiles = plain(shown["seats"])
    for tile in ("Presente 200 → ausente", "Libre → entra", "→ vuelve"):
        assert tile in tiles


def test_before_the_blinds_the_button_is_not_laid_by_hand() -> None:
    entry = parts("croupier", hands.BLINDS)["entry"]
    assert 'data-act="player"' in entry
    assert 'data-act="button"' not in entry


def test_the_draw_for_the_button_deals_a_card_face_up_to_everybody() -> None:
    bench = Bench(hands.table().setup)
    bench.lines("player 2 takes\nplayer 4 takes\nstack 2 5000\nstack 4 5000\npress new-hand\ndraw 5h\n")
    felt = PAGES.parts("pit", "es", picture(bench))["felt"]
    assert 'data-slot="seat-2.up" data-card="5h"' in felt
    assert 'data-due="seat-4.up"' in felt
    bench.line("draw Kc")
    drawn = picture(bench)
    assert drawn.view.circle.button == 4
    assert drawn.view.cards == {}


def test_a_smaller_table_has_its_seats_and_no_others() -> None:
    for page, part in (("croupier", "seats"), ("pit", "felt")):
        assert len(set(re.findall(r'data-seat="(\d+)"', parts(page, "", places=9)[part]))) == 9


# --- questions, incidents, resuming -----------------------------------------------------------------------------------


def test_a_held_table_waits_for_the_pit_boss_as_in_every_game() -> None:
    croupier, pit = (parts(page, RAISED + "call by croupier") for page in ("croupier", "pit"))
    assert "MESA DETENIDA" in croupier["prompt"]
    assert "MESA DETENIDA" in pit["prompt"]
    assert 'data-remedy="void-hand"' in pit["alerts"]
    assert live(croupier["keys"]) == set()


def test_a_resumed_hand_lists_what_lies_before_each_seat() -> None:
    told = plain(parts("croupier", PHASES["flop-betting"] + "restart\n")["resume"])
    assert "Puesto 2 2 cartas En la ronda 20 Fichas 115" in told
    assert "Banca" not in told


# --- secrecy ----------------------------------------------------------------------------------------------------------

#: Seat 1 and 8 folded, 6 gave his hand up; three cards were burned.
HIDDEN: Final = ("As", "Ad", "Qs", "Qd", "7c", "2d", "3c", "5s", "6s")


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_no_folded_or_mucked_card_is_on_any_part_of_a_page_at_any_moment(page: str) -> None:
    bench, view, shown = hands.table(), PublicTable(), ""
    done = 0
    for line in filter(None, map(str.strip, (hands.SHOWN + "press confirm").splitlines())):
        bench.line(line)
        for record in bench.stream[done:]:
            view = fold(view, record)
        done = len(bench.records)
        seen = Picture(view=view, table=table_info(bench.greeting), connected=True)
        for language in LANGUAGES:
            t = PAGES.texts(language, seen)
            shown = " ".join(PAGES.parts(page, language, seen).values())
            assert not any(f'"{code}"' in shown or t.card(code) in shown for code in HIDDEN), line
        if view.phase == "settlement":
            assert set(re.findall(r'data-card="(\w\w)"', shown)) == {
                "9d",
                "Ts",
                "4h",
                "8d",
                "2c",
                "Kd",
                "Kh",
                "9h",
                "9c",
            }
    assert view.phase == "closed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hand_can_be_looked_at_again_and_its_hidden_cards_stay_sealed(language: str) -> None:
    bench = hands.table(hands.SHOWN + "press confirm")
    records = [decode_record(record) for record in bench.records if record["hand"] == 1]
    hand = recalled(1, table_info(bench.greeting), records)
    seen = picture(bench)
    for step in hand.steps:
        shown = PAGES.hand(language, seen, hand, step)
        t = PAGES.texts(language, seen)
        assert not any(f'"{code}"' in shown or t.card(code) in shown for code in HIDDEN), step.number
    told = plain(PAGES.hand(language, seen, hand, hand.steps[-1]))
    for words in {
        "es": ("Puesto 8 se retira.", "Puesto 1 sube a 8 € (añade 7 €).",
               "Puesto 6 entrega sus cartas sin descubrirlas.", "Puesto 4 gana bote principal: 180 €."),
        "en": ("Seat 8 folds.", "Seat 1 raises to €8 (adds €7).", "Seat 6 gives its hand up unseen.",
               "Seat 4 wins main pot: €180."),
    }[language]:  # fmt: skip
        assert words in told


# --- the fee ----------------------------------------------------------------------------------------------------------


def with_fee(page: str, lines: str, language: str = "es") -> str:
    return plain(" ".join(PAGES.parts(page, language, picture(hands.table(lines, fee="250 each-pot 500"))).values()))


def test_thl_def_7_the_fee_stands_beside_the_pot_and_on_the_pit_bosss_page() -> None:
    said = "2,5 % de cada bote, como mucho 5 €"
    assert "Bote · tasa 2,5 % 13 €" in with_fee("croupier", RAISED)
    assert said in with_fee("pit", "")
    assert "2.5 % of each pot, €5 at most" in with_fee("pit", "", "en")


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_thl_def_7_at_the_end_the_croupier_is_told_what_to_take_out_of_the_pot(page: str) -> None:
    bench = hands.table(hands.SHOWN, fee="250 each-pot 500")
    html = " ".join(PAGES.parts(page, "es", picture(bench)).values())
    (kept,) = re.findall(r'data-fee="(\d+)"', html)
    bench.lines("press confirm")
    closed = next(decision for decision in bench.records[-1]["decisions"] if decision["kind"] == "hand-closed")
    assert int(kept) == closed["float_change"] > 0


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_thl_def_7_a_table_that_takes_no_fee_says_nothing_of_one(page: str) -> None:
    for lines in ("", RAISED, hands.SHOWN):
        assert "tasa" not in plain(" ".join(parts(page, lines).values())).lower()


@pytest.mark.parametrize(
    ("language", "asking", "ending"),
    [
        (
            "es",
            ("Motivo (queda en el registro)", "propuesto", "Sin reconocer"),
            ("Seguir la mano", "Decidido por ana"),
        ),
        (
            "en",
            ("Reason (goes on record)", "proposed", "Not acknowledged"),
            ("Go on with the hand", "Decided by ana"),
        ),
    ],
)
def test_an_alert_is_told_from_its_reason_to_who_decided(
    language: str, asking: tuple[str, ...], ending: tuple[str, ...]
) -> None:
    asked = PRE + "call by croupier\n"
    waiting = plain(parts("pit", asked, language)["alerts"])
    assert all(words in waiting for words in asking)
    decided = plain(parts("pit", asked + "rule 1 continue by ana\nacknowledge 1 by ana\n", language)["alerts"])
    assert all(words in decided for words in ending)


def test_thl_ple_6_the_list_open_over_a_question_says_that_the_question_comes_again() -> None:
    asked = PRE + "press seat-8\npress call\n"
    for language, words in (("es", "Después se vuelve a preguntar esto."), ("en", "After it this is asked again.")):
        t = PAGES.texts(language, picture(hands.table(asked)))
        seen = picture(hands.table(asked)).view
        assert seen.incident is not None
        assert t.steps(seen.incident, seen) == TEXTS.lines("steps-asked", "out-of-turn", language)
        seen = picture(hands.table(asked + "press incident\n")).view
        assert seen.incident is not None
        assert t.steps(seen.incident, seen)[-1] == words


def test_a_question_that_waits_after_a_lost_shoe_does_not_speak_of_the_shoe() -> None:
    seen = picture(hands.table(PRE + "press seat-8\npress call\nlost shoe angel-eye\n"))
    t = PAGES.texts("es", seen)
    told = {incident.clause: t.steps(incident, seen.view) for incident in seen.view.incidents.values()}
    assert told["THL-PLE-6"] == TEXTS.lines("steps-asked", "later", "es")
    assert TEXTS.lines("steps-asked", "none", "es") in told.values()
