"""What a language lacks: the sentences of which its catalogues have no translation, so that their English is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from tablectl.games.registry import GAMES
from tablectl.i18n.languages import DEFAULT, SOURCE, catalogues
from tablectl.i18n.texts import Catalogue


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """`catalogue`: its file without the ending, with the game before it where it is one's own: `screens`,
    `circle_holdem/texts`."""

    catalogue: str
    context: str
    english: str


def sentences() -> Iterator[Sentence]:
    """All that can be translated."""
    for name, folder in _folders():
        for file in sorted(folder.joinpath(DEFAULT, "LC_MESSAGES").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".mo"):
                stem = f"{name}{file.name.removesuffix('.mo')}"
                for context, english in _said(file).items():
                    yield Sentence(catalogue=stem, context=context, english=english)


def untranslated(language: str) -> tuple[Sentence, ...]:
    """Those that this language lacks, or has in another sense than the English of now."""
    if language == SOURCE:
        return ()
    there = {
        f"{name}{file.name.removesuffix('.mo')}": _said(file)
        for name, folder in _folders()
        if folder.joinpath(language).is_dir()
        for file in folder.joinpath(language, "LC_MESSAGES").iterdir()
        if file.name.endswith(".mo")
    }
    return tuple(found for found in sentences() if there.get(found.catalogue, {}).get(found.context) != found.english)


def _folders() -> Iterator[tuple[str, Traversable]]:
    """The folders of catalogues, with what stands before the names of theirs."""
    yield "", catalogues()
    for game in GAMES.values():
        locale = game.folder.joinpath("locale")
        if locale.joinpath(DEFAULT).is_dir():
            yield f"{game.folder.name}/", locale


def _said(file: Traversable) -> dict[str, str]:
    """By its context the English of each sentence that is translated there."""
    with file.open("rb") as opened:
        catalogue = Catalogue(opened)
    counting = {context: forms[0] for context, forms, said in catalogue.counting() if all(said)}
    return {**{context: english for context, english, _ in catalogue.messages()}, **counting}
