"""`tablectl languages [LANGUAGE]`: the languages that are installed, and what each has not translated yet.

Without a LANGUAGE a line for each: how many sentences are untranslated, whose English is said until they are. With one
a line for each of those: the catalogue, the context by which it is found there, and the English. docs/languages.md says
how a language is begun and translated.
"""

from __future__ import annotations

import argparse

from tablectl.cli.status import Status, WrongUsage
from tablectl.i18n.languages import LANGUAGES, SOURCE, name_of
from tablectl.i18n.pluralize import pluralize
from tablectl.i18n.untranslated import sentences, untranslated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Perhaps a language."""
    parser.add_argument("language", metavar="LANGUAGE", nargs="?", help="list what it has not translated, such as fr")


def main(args: argparse.Namespace) -> int:
    """Exit status 0: what was asked for is translated, or all languages were told; 1: sentences are untranslated; 2:
    there is no such language."""
    if args.language is None:
        n_sentences = sum(1 for _ in sentences())
        for language in LANGUAGES:
            print(f"{language}  {name_of(language)}: {_state(language, n_sentences)}")
        return Status.GOOD
    if args.language not in LANGUAGES:
        raise WrongUsage(
            f"{args.language}: there is no such language; installed: {', '.join(LANGUAGES)}. docs/languages.md says how"
            " one is begun"
        )
    lacking = untranslated(args.language)
    for sentence in lacking:
        print(f"{sentence.catalogue}\t{sentence.context}\t{sentence.english}")
    return Status.NOT_DONE if lacking else Status.GOOD


def _state(language: str, n_sentences: int) -> str:
    if language == SOURCE:
        return f"{pluralize(n_sentences, 'sentence')}, which the others translate"
    n_lacking = len(untranslated(language))
    if not n_lacking:
        return "all translated"
    return f"{n_lacking} of {n_sentences} untranslated: `tablectl languages {language}` lists them"
