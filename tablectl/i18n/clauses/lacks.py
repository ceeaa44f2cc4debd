"""What a game lacks to be whole, and nobody would see before a table runs into it. Of our own games the tests say it; a
game of another package has `tablectl rules <game>` for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from tablectl.core.engine.machine import BrokenTable, PhaseMachine
from tablectl.core.engine.rulebook import Kind, Rulebook
from tablectl.core.options.choices import choices
from tablectl.core.validation import Sentence, sentence
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.games.game import Game
from tablectl.i18n.clauses.catalogue import document, load
from tablectl.i18n.texts import Texts

_CATALOGUE: Final = sentence("{folder}, compiled to texts.mo", folder="locale/es/LC_MESSAGES/texts.po")


def lacks(game: Game, *, cited: Iterable[tuple[str, str]], texts: Texts) -> Iterator[Sentence]:
    """A line for each thing that is missing or does not fit. `cited`: clauses with the places of the sources that name
    them. Raises `BadCatalogue` where its clauses cannot be read."""
    book = game.as_shipped
    yield from _clauses(game, cited)
    if game.options.rulebook != book.id:
        other = game.options.rulebook
        yield sentence("options: they are those of {other!r}, and the rulebook is {book!r}", other=other, book=book.id)
    limits = sentence("limits.bets of the rulebook")
    yield from _different("proposal.limits", game.proposal.limits, limits, book.limits.bets)
    yield from _table(book)
    if isinstance(book, BankedRulebook):
        yield from _bets(game, book)
    yield from _words(game, book, texts.has)


def _clauses(game: Game, cited: Iterable[tuple[str, str]]) -> Iterator[Sentence]:
    known = {clause.id for clause in load(game.id)}
    prefixes = {_prefix(clause) for clause in known}
    borrowed = document(game.id).borrows
    known |= {clause.id for clause in load(borrowed)} if borrowed is not None else set()
    for clause, place in sorted(set(cited)):
        if _prefix(clause) in prefixes and clause not in known:
            yield sentence("clauses.toml: no clause {clause}, which {place} names", clause=clause, place=place)


def _prefix(clause: str) -> str:
    return clause.partition("-")[0]


def _table(book: Rulebook) -> Iterator[Sentence]:
    try:
        PhaseMachine(book.phases, book.transitions, book.initial)
    except BrokenTable as broken:
        yield sentence("transitions: {why}", why=broken)


def _bets(game: Game, book: BankedRulebook) -> Iterator[Sentence]:
    limited = [name for name, bet in book.bets.items() if bet.multiple_of is None]
    yield from _different("boxes", game.boxes, sentence("bets of the rulebook"), book.bets)
    without = sentence("bets of the rulebook without `multiple_of`")
    yield from _different("limits.bets", book.limits.bets, without, limited)
    voided = {line.source for line in book.transitions if line.trigger == "void"}
    for name, phase in book.phases.items():
        if phase.kind not in (Kind.IDLE, Kind.VOIDED) and name not in voided:
            yield sentence(
                "transitions: none by the trigger 'void' from the phase {phase}: a hand could not be annulled there",
                phase=name,
            )


def _different(what: str, found: Iterable[str], other: str, wanted: Iterable[str]) -> Iterator[Sentence]:
    said, right = sorted(map(str, found)), sorted(map(str, wanted))
    if said != right:
        yield sentence(
            "{what}: {found}; the {other}: {right}",
            what=what,
            found=", ".join(said) or sentence("none"),
            other=other,
            right=", ".join(right) or sentence("none"),
        )


def _words(game: Game, book: Rulebook, has: Callable[[str, str], bool]) -> Iterator[Sentence]:
    bets = tuple(book.bets) if isinstance(book, BankedRulebook) else ()
    wanted = [("game", book.id), ("document", book.id)]
    wanted += [("phase", phase) for phase in book.phases]
    wanted += [(table, str(bet)) for bet in bets for table in ("bet", "bet-letter")]
    wanted += [
        ("house-choice", f"{book.id}-{option}") for option in choices(game.options) if not has("house-choice", option)
    ]
    for table, key in wanted:
        if not has(table, key):
            yield sentence("{table}.{key}: no such message in {catalogue}", table=table, key=key, catalogue=_CATALOGUE)
