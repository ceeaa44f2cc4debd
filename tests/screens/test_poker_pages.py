"""What croupier and pit boss see of the errors, of standing bets and of Texas Poker, in each language."""

from __future__ import annotations

import re

import pytest

from tablectl.core.engine.prompt import Offer
from tablectl.core.engine.vocabulary import PICKS, Chooser, Declaration, Key, Remedy
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts
from tests.journal.journals import HANDS
from tests.screens import hands
from tests.screens.controller import Bench, poker, records_of
from tests.wide import once

PAGES = Pages()
TEXTS = load_texts("tablectl.web.screens")
PLAYED = hands.POKER_BETS + hands.STANDING + hands.POKER_DEAL


def picture(lines: str, bench: Bench | None = None) -> Picture:
    bench = Bench(poker()) if bench is None else bench
    bench.lines(lines)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return Picture(view=view, table=table_info(bench.greeting), connected=True)


def parts(page: str, lines: str, language: str = "es", bench: Bench | None = None) -> dict[str, str]:
    """The parts of a page after these lines."""
    return PAGES.parts(page, language, picture(lines, bench))


def plain(html: str) -> str:
    """What a person reads of it."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# --- what to do now ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", once(RULEBOOKS, "texas-bonus"))
def test_THB_STF_3_every_phase_of_every_game_tells_the_croupier_what_to_do(rulebook: str) -> None:
    told: dict[str, set[tuple[str, str]]] = {}
    screen_texts = [ScreenTexts(language=language, texts=TEXTS, rulebook=rulebook) for language in LANGUAGES]
    for path in sorted((HANDS / rulebook).glob("*.hand")):
        view = PublicTable()
        for record in records_of(path.read_text(encoding="utf-8")):
            view = fold(view, decode_record(record))
            if record["fact"]["kind"] == "volume-opened":
                continue  # the first line of a file that goes on: nobody is told anything yet
            es, en = (texts.instruction(view) for texts in screen_texts)
            told.setdefault(view.phase, set()).add((es, en))
    assert set(told) == set(RULEBOOKS[rulebook]({}).phases)
    nothing = TEXTS.text("instruction", "none", "es")
    for phase, sentences in told.items():
        assert all(es and en and es != nothing for es, en in sentences), phase


@pytest.mark.parametrize(
    ("lines", "es", "en"),
    [
        ("press new-hand\nbet 1 ante 1000\npress bonus", "TXB: pulse el puesto", "TXB: press the seat"),
        (PLAYED, "Puesto 1: ¿IR o NO VOY?", "Seat 1: GO or NO GO?"),
        (PLAYED + "press seat-4", "Puesto 4: ¿IR o NO VOY?", "Seat 4: GO or NO GO?"),
        (PLAYED + "press all-bet", "¿Algún ganador del Texas Bonus?", "Any winner of the Texas Bonus?"),
        (PLAYED + "press all-bet\npress confirm", "Retire y pague el Texas Bonus", "Take and pay the Texas Bonus"),
        (PLAYED + "press incident", "¿Qué ha pasado?", "What happened?"),
        (PLAYED + "press bank-exposed", "Carta de la banca a la vista: ¿lo declara?", "Bank card exposed: declare it?"),
        (PLAYED + "declare showed-cards", "¿Qué puesto enseñó sus cartas?", "Which seat showed its cards?"),
    ],
)
def test_instructions_of_texas_poker(lines: str, es: str, en: str) -> None:
    seen = picture(lines)
    assert [PAGES.texts(language, seen).instruction(seen.view) for language in LANGUAGES] == [es, en]


def test_TPC_DEV_8_the_decision_is_ir_or_no_voy_and_any_seat_may_be_first() -> None:
    shown = parts("croupier", PLAYED + "press seat-4\npress fold")
    keys = plain(shown["keys"])
    for word in ("IR", "NO VOY", "Todos IR", "TXB"):
        assert word in keys
    states = dict(re.findall(r'data-seat="(\d)" data-state="(\w+)"', shown["seats"]))
    assert states == {"1": "turn", "2": "free", "3": "asked", "4": "folded", "5": "free", "6": "asked", "7": "free"}


@pytest.mark.parametrize(("profile", "es"), [({}, "20 €"), ({"second_bet": "same-as-ante"}, "10 €")])
def test_TPC_DEV_9_the_second_bet_asked_for_is_the_one_that_the_house_has(profile: dict[str, str], es: str) -> None:
    bench = Bench(poker(profile=profile))
    assert f"La apuesta son {es}." in plain(parts("croupier", PLAYED, bench=bench)["prompt"])


def test_TPC_DEV_13_who_can_claim_the_txb_is_shown_and_whoever_has_claimed_is_not() -> None:
    asked = parts("croupier", PLAYED + hands.POKER_DECISIONS)
    assert re.findall(r'data-seat="(\d)" data-state="asked"', asked["seats"]) == ["1", "3"]
    assert "¿TXB?" in asked["seats"]
    assert "Nadie más" in plain(asked["keys"])
    claimed = parts("croupier", PLAYED + hands.POKER_DECISIONS + "press seat-1")
    assert re.findall(r'data-seat="(\d)" data-state="asked"', claimed["seats"]) == ["3"]


# --- the layout -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "lines",
    ["", "press new-hand", PLAYED, PLAYED + "press incident", PLAYED + hands.POKER_DECISIONS + hands.POKER_END,
     PLAYED + "declare defective-deck", PLAYED + "restart"],
    ids=["closed", "betting", "decision", "list", "settlement", "void", "resuming"],
)  # fmt: skip
@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_TPC_TAB_2_the_sentence_of_the_layout_stands_on_every_table_display(
    page: str, lines: str, language: str
) -> None:
    shown = " ".join(parts(page, lines, language).values())
    sentences = {"es": "La Banca Juega con pareja de 4 ó superior", "en": TEXTS.text("layout", "qualifies", "en")}
    assert {spoken: shown.count(f">{said}<") for spoken, said in sentences.items()} == {
        spoken: int(spoken == language) for spoken in sentences
    }


def test_the_other_game_has_no_such_sentence() -> None:
    assert "La Banca Juega" not in " ".join(parts("pit", hands.BETS, bench=Bench()).values())


# --- the list of what can be declared ---------------------------------------------------------------------------------


def test_whatever_can_be_declared_is_two_presses_away_and_says_what_will_happen() -> None:
    assert 'data-key="incident" aria-disabled="false"' in parts("croupier", PLAYED)["keys"]
    seen = picture(PLAYED + "press incident")
    assert seen.view.prompt is not None
    offers = seen.view.prompt.offers
    shown, english = (PAGES.parts("croupier", language, seen)["keys"] for language in ("es", "en"))
    assert len(offers) > 8
    assert [offer.key for offer in offers] == [key.value for key in PICKS[: len(offers)]]
    buttons = re.findall(r'data-act="press" data-key="([^"]+)" data-what="([^"]+)"', shown)
    assert buttons == [(offer.key, offer.what) for offer in offers]
    for offer in offers:
        for language, keys in (("es", shown), ("en", english)):
            t = PAGES.texts(language, seen)
            assert t.offered(offer) in plain(keys)
            assert t.declaration(offer.what) in plain(keys)
        assert offer.clause in shown
    assert 'data-key="cancel"' in shown


def test_a_key_of_the_list_declares_what_its_button_says() -> None:
    bench = Bench(poker())
    seen = picture(PLAYED + "press incident", bench)
    assert seen.view.prompt is not None
    offer = next(offered for offered in seen.view.prompt.offers if offered.what == "defective-deck")
    assert [entry["clause"] for entry in bench.line(f"press {offer.key}") if entry["kind"] == "hand-voided"] == [
        offer.clause
    ]


def test_the_pit_boss_is_named_where_he_decides() -> None:
    t = PAGES.texts("es", picture(PLAYED))
    offer = Offer(key=Key.SEAT_1, what=Declaration.CARDS_IN_CONTACT, clause="TPC-PLE-1",
                  remedies=(Remedy.LOSE_BETS, Remedy.REFUND_BETS), chooser=Chooser.PIT_BOSS)  # fmt: skip
    assert t.offered(offer) == "Decide el jefe de mesa: pierde sus apuestas / devolver sus apuestas."


#: What a person rules and no rule does.
RULED_ONLY = {
    *(Remedy.APPROVE, Remedy.REJECT, Remedy.LOSE_BETS, Remedy.REVERSE, Remedy.EXPEL, Remedy.RESHUFFLE),
    Remedy.REFUND_SIDE_BET,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("remedy", [offered for offered in Remedy if offered not in RULED_ONLY])
def test_every_remedy_that_can_follow_a_declaration_by_rule_has_its_sentence(remedy: Remedy, language: str) -> None:
    t = ScreenTexts(language=language, texts=TEXTS, rulebook="texas-poker")
    for what in Declaration:
        offer = Offer(key=Key.SEAT_1, what=what, clause="", remedies=(remedy,), chooser=Chooser.RULE)
        assert t.offered(offer).endswith("."), what


# --- people who stand behind a box ------------------------------------------------------------------------------------


def test_TPC_PLY_2_a_standing_bet_is_entered_beside_the_seats_own_with_its_consent() -> None:
    form = parts("croupier", "press new-hand\nbet 1 ante 1000")["entry"]
    assert 'name="consent"' in form
    assert 'name="act" value="standing"' in form
    assert "consent" not in parts("croupier", hands.BETS.split("press no")[0], bench=Bench())["entry"]


def test_TPC_PLY_3_a_request_waits_for_the_pit_boss_and_does_not_hold_the_table() -> None:
    lines = "press new-hand\nbet 3 ante 1000\nstanding 3 ante 500 txb 200 consent"
    croupier, pit = parts("croupier", lines), parts("pit", lines)
    assert "Puesto 3 Ante 5 €, TXB 2 € espera al jefe de mesa" in plain(croupier["side"])
    assert "Hagan juego" in croupier["prompt"]
    assert "MESA DETENIDA" not in croupier["prompt"] + pit["prompt"]
    assert 'class="box incident' not in croupier["side"]
    assert "Ante 5 €, TXB 2 €" in plain(pit["alerts"])
    assert re.findall(r'data-remedy="([\w-]+)"', pit["alerts"]) == ["approve", "reject"]
    rejected = parts("croupier", lines + "\nrule 1 reject by ana")
    assert "Puesto 3 Ante 5 €, TXB 2 € no admitida" in plain(rejected["side"])


def test_TPC_PLY_3_a_request_is_no_reason_to_wait_with_a_resumed_hand() -> None:
    lines = "press new-hand\nbet 3 ante 1000\nstanding 3 ante 500 consent"
    assert not picture(lines).view.ruling
    assert picture(lines + "\ncall by croupier").view.ruling


def test_TPC_PLY_3_an_approved_bet_lies_behind_its_seat_and_can_be_taken_back() -> None:
    lines = hands.POKER_BETS + hands.STANDING
    shown = parts("croupier", lines)
    assert re.findall(r'data-bettor="(3/\d)"', shown["seats"]) == ["3/2", "3/3"]
    assert 'data-act="remove" data-seat="3" data-bettor="2"' in shown["side"]
    assert re.findall(r'data-bettor="(3/\d)"', parts("pit", lines)["felt"]) == ["3/2", "3/3"]
    assert re.findall(r'data-bettor="(3/\d)"', parts("croupier", lines + "remove 3/2")["seats"]) == ["3/3"]


def test_TPC_PLY_6_a_standing_bettor_can_be_left_out_of_the_second_bet_until_the_turn_card() -> None:
    at_the_decision = parts("croupier", PLAYED)["side"]
    assert 'data-act="out" data-seat="3" data-bettor="2"' in at_the_decision
    assert 'data-bettor="2"' not in parts("croupier", PLAYED + "out 3/2")["side"]
    view = picture(PLAYED + "press all-bet\nout 3/2").view
    assert (view.seat(3).standing[2].out, "second" in view.seat(3).standing[2].bets) == (True, False)
    assert view.seat(3).standing[3].bets["second"] == 2000
    ended = PLAYED + hands.POKER_DECISIONS + "press confirm\npress confirm\ndraw 2c"
    assert 'data-act="out"' not in parts("croupier", ended)["side"]


# --- void, new deck, settlement ---------------------------------------------------------------------------------------


def test_TPC_MIS_0_a_void_hand_lists_cards_and_bets_to_give_back() -> None:
    side = parts("croupier", PLAYED + "press bet\ndeclare defective-deck")["side"]
    read = plain(side)
    for words in ("Recoger 13 cartas", "Puesto 1 2", "Banca 2", "Cartas comunes 3",
                  "3/2 De pie Ante 5 TXB 2 7 €"):  # fmt: skip
        assert words in read
    assert side.index("box incident") < side.index("refunds")  # what happened and what to do, then each bet
    assert "Recoja TODAS las cartas: 13 cartas (Puesto 1: 2," in read


def test_TPC_MIS_0_payments_that_are_undone_are_listed_both_ways() -> None:
    lines = PLAYED + hands.POKER_DECISIONS + "press confirm\npress confirm\ndeclare bank-card-exposed\n"
    side = plain(parts("croupier", lines + "rule 4 reverse by ana as he saw it")["side"])
    assert "Puesto 1 TXB recuperar 35 €" in side
    assert "3/2 De pie TXB devolver 2 €" in side


def test_TPC_MIS_4_another_deck_is_asked_for_and_counted() -> None:
    shown = parts("croupier", PLAYED + "declare missing-card\npress confirm")
    assert "Retire la baraja y ponga otra de 52 cartas" in shown["prompt"]
    assert "Cuente las 52 cartas" in shown["prompt"]
    assert "52 contadas" in plain(shown["keys"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settlement_ends_in_what_is_taken_paid_and_given_back_and_in_the_float(language: str) -> None:
    html = parts("croupier", PLAYED + hands.POKER_DECISIONS + hands.POKER_END, language)["side"]
    assert re.findall(r'data-seat="(\d)" data-bettor="(\d)"', html) == [
        ("1", "1"), ("3", "1"), ("3", "2"), ("3", "3"), ("4", "1"), ("6", "1"),
    ]  # fmt: skip
    assert re.findall(r'data-sum="([\w-]+)"', html) == ["take", "pay", "give-back"]
    assert 'data-float="-9700"' in html
    said = {"es": ("Caja de la mesa", "Texas Bonus, ya pagado"), "en": ("Table float", "Texas Bonus, paid already")}
    assert all(words in plain(html) for words in said[language])


def test_THB_BON_9_a_pair_of_jacks_that_loses_its_bonus_is_explained_the_first_time_only() -> None:
    jacks = hands.WHOLE.replace("draw As", "draw Js").replace("draw Ah", "draw Jh")
    bench = Bench()
    first = jacks.removesuffix("press confirm\n")
    words = "Pareja de jotas: no figura en el cuadro, pierde THB-BON-9"
    assert words in plain(parts("croupier", first, bench=bench)["side"])
    assert words in plain(parts("pit", "", bench=bench)["alerts"])
    again = "press confirm\n" + first
    assert "Pareja de jotas" not in " ".join(parts("pit", again, bench=bench).values())


def test_THB_BON_9_other_cards_that_lose_their_bonus_are_not_explained() -> None:
    other = hands.WHOLE.removesuffix("press confirm\n").replace("draw As", "draw Jc").replace("draw Ah", "draw 5h")
    assert "Pareja de jotas" not in " ".join(parts("pit", other, bench=Bench()).values())


def test_THB_BON_9_a_pair_of_jacks_without_a_bonus_bet_is_not_explained() -> None:
    other = hands.WHOLE.removesuffix("press confirm\n").replace("draw 7d", "draw Jd").replace("draw 7h", "draw Jh")
    shown = other.replace("draw As", "draw 5s").replace("draw Ah", "draw 3h")
    assert "THB-BON-9" not in " ".join(parts("pit", shown, bench=Bench()).values())


# --- the pit boss -----------------------------------------------------------------------------------------------------


def test_TPC_PLE_1_each_of_the_two_rulings_says_which_seat_it_is_about() -> None:
    alerts = parts("pit", PLAYED + "declare cards-in-contact seat-3 seat-4")["alerts"]
    titles = re.findall(r'id="incident-(\d)".*?<h3>(.*?)</h3>', alerts, re.DOTALL)
    assert [(number, plain(title)) for number, title in titles[:2]] == [
        ("4", "Cartas en contacto · Puesto 4"),
        ("3", "Cartas en contacto · Puesto 3"),
    ]
    assert re.findall(r'data-incident="3" data-remedy="([\w-]+)"', alerts) == ["lose-bets", "refund-bets"]


def test_TPC_PLE_1_a_seat_without_cards_is_marked_on_the_felt() -> None:
    felt = parts("pit", PLAYED + "declare cards-in-contact seat-3 seat-4")["felt"]
    assert re.findall(r'data-seat="(\d)" data-state="withdrawn"', felt) == ["3", "4"]
    assert 'data-slot="seat-3.1"' not in felt
    assert "Fuera" in felt


def test_TPC_PLE_2_an_expelled_player_is_marked_on_the_felt_and_in_the_strip() -> None:
    lines = PLAYED + "declare commented seat-3\ndeclare commented seat-3\nrule 4 expel by ana"
    assert "Expulsado" in parts("pit", lines)["felt"]
    assert "Expulsado" in parts("croupier", lines)["seats"]


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_no_sealed_card_is_on_any_part_of_a_page_at_any_moment_of_the_hand(page: str) -> None:
    sealed, bench, shown = ("9c", "5h", "2d", "Qh", "9d", "5d", "2h", "Js"), Bench(poker()), ""
    t, u = (PAGES.texts(language, picture("")) for language in LANGUAGES)
    for line in (PLAYED + hands.POKER_DECISIONS + "press seat-1\npress incident\npress cancel").split("\n"):
        shown = " ".join(parts(page, line, bench=bench).values())
        assert not any(f'"{code}"' in shown or t.card(code) in shown or u.card(code) in shown for code in sealed), line
    assert set(re.findall(r'data-card="(\w\w)"', shown)) == {"4s", "8h", "Kc", "As", "Ac"}
