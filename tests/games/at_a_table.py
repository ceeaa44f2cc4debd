"""A program that a test runs where a game of another package is announced: sets up a table of that game as it is
proposed, deals a hand of it, and prints what a house would see of it, as JSON.

    python -m tests.games.at_a_table caribbean-stud HAND FILE
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import GAMES
from tablectl.journal.evidence.page import page
from tablectl.journal.evidence.result import result
from tablectl.ops.setup.answers_file import answers_in
from tablectl.ops.setup.config_text import config_text
from tablectl.ops.setup.writing import checked
from tablectl.statistics.folding import Totals, fold_all
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import Pages
from tests.evidence.test_betting import hands_in
from tests.evidence.test_page import ORIGIN
from tests.screens.controller import Bench
from tests.setup.tables import BY_ID, task, toml


def proposed(game: str, folder: Path) -> str:
    """The configuration of a table for which the house took every proposal."""
    limits = GAMES[game].proposal.limits.items()
    said: dict[str, object] = {
        "table.name": "Mesa 9",
        "table.games": [game],
        "table.equipment": "shoe",
        **{f"{game}.{bet}.authorised": list(band) for bet, (band, _) in limits},
        **{f"{game}.{bet}.limits": list(table) for bet, (_, table) in limits},
        "shoe.driver": "angel-eye",
        "shoe.port": f"{BY_ID}0",
        "panel.driver": "xkeys-xk24",
        "light.driver": "patlite-lr6",
    }
    (folder / "answers.toml").write_text(toml(said), encoding="utf-8")
    of = task()
    return config_text(answers_in(folder / "answers.toml", of), of.places)


def pages(bench: Bench, hand: str) -> Iterator[tuple[str, dict[str, str]]]:
    """By phase, page and language: each part of the page as it was when the phase was last seen."""
    drawn, view, folded = Pages(), PublicTable(), 0
    for line in ["croupier ana", "press new-hand", *(text[2:] for text in hand.splitlines() if text.startswith("> "))]:
        bench.line(line)
        stream = bench.stream
        for record in stream[folded:]:
            view = fold(view, record)
        folded = len(stream)
        seen = Picture(view=view, table=table_info(bench.greeting), connected=True)
        for screen in ("croupier", "pit"):
            for language in ("es", "en"):
                yield f"{view.phase} {screen} {language}", drawn.parts(screen, language, seen)


def read(html: str) -> str:
    """What a person reads of it."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def main(game: str, hand: Path, folder: Path) -> dict[str, Any]:
    """All of it."""
    text = proposed(game, folder)
    (folder / "mesa.toml").write_text(text, encoding="utf-8")
    config = checked(text, folder / "mesa.toml")
    bench = Bench(config.setup)
    text_of_hand = hand.read_text(encoding="utf-8")
    seen = dict(pages(bench, text_of_hand))
    (closed,) = hands_in(folder, text_of_hand)
    _, changes = fold_all(Totals(), bench.records)
    return {
        "prompts": {moment: read(parts["prompt"]) for moment, parts in seen.items() if "prompt" in parts},
        "keys": {moment: read(parts["keys"]) for moment, parts in seen.items() if "keys" in parts},
        "lists": {moment: read(parts["side"]) for moment, parts in seen.items() if "side" in parts},
        "alarms": {moment: read(parts["alerts"]) for moment, parts in seen.items() if "alerts" in parts},
        "felt": {moment: parts["felt"] for moment, parts in seen.items()},
        "evidence": {
            player.name: [player.net, [prize.bet for prize in player.prizes]] for player in result(closed).bettors
        },
        "page": read(page(closed, ORIGIN)),
        "statistics": {number: (row.game, row.cards, row.bank_net) for number, row in changes.hands.items()},
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
