"""The glossaries of docs/translating.md, and where a catalogue says a term in another way.

A term's forms are those of its row: the translations, and what stands in quotes in its note. They
are compared by stems, as languages bend their words. A sentence that rightly says a term otherwise
stands in `tests/languages/exceptions/<language>.txt`, a line each.
"""

import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

import polib

from tests.languages.extracting import ROOT

HEADINGS = {"fr_CA": "French (Canada)", "de": "German"}
QUOTED = re.compile(r"[“„«\"]\s*([^“”„»\"]+?)\s*[”“»\"]")
NO_TERMS = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>|Right Bower|[a-z]+=[a-z]+")
LEAST = 3


class Term(NamedTuple):
    """An English term, how to find it, and the stems of each form that may stand for it.

    A word with more than one meaning, said in brackets ("place (in standings)"), is not looked for.
    """

    english: str
    finds: re.Pattern[str]
    forms: tuple[tuple[str, ...], ...]


def terms_of(language: str) -> list[Term]:
    """The rows of a language's table."""
    text = (ROOT / "docs" / "translating.md").read_text("utf-8")
    _before, _heading, rest = text.partition(f"## Glossary: {HEADINGS[language]}\n")
    rows = [
        row.strip("|").split("|") for row in rest.partition("\n## ")[0].splitlines() if "|" in row
    ]
    return [
        _term(english.strip(), f"{words}, {', '.join(QUOTED.findall(note))}")
        for english, words, note in rows[2:]
        if "(" not in english
    ]


def _term(english: str, words: str) -> Term:
    spelled = "|".join(re.escape(one.strip()) for one in english.split(","))
    forms = tuple(
        stems(one) for one in re.split(r"[,:;/]", re.sub(r"[()]", "", words)) if one.strip()
    )
    return Term(english, re.compile(rf"\b(?:{spelled})(?:s|es)?\b", re.IGNORECASE), forms)


def stems(words: str) -> tuple[str, ...]:
    """The words without their endings and accents: German and French bend both."""
    found = re.findall(r"[^\W\d_]+", _flat(words))
    kept = tuple(word[: max(LEAST, len(word) - 3)] for word in found if len(word) >= LEAST)
    return kept or tuple(filter(None, [_flat(words).strip()]))  # "K.-o."


def _flat(text: str) -> str:
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def used_otherwise(entry: polib.POEntry, terms: list[Term]) -> list[str]:
    """The terms of a text that its translation says in none of their forms."""
    if not entry.translated():
        return []
    said = _flat(" ".join([entry.msgstr, *entry.msgstr_plural.values()]))
    text = NO_TERMS.sub("", entry.msgid)
    return [
        term.english
        for term in terms
        if term.finds.search(text)
        and not any(all(stem in said for stem in form) for form in term.forms)
    ]


def exceptions_of(language: str) -> set[str]:
    path = Path(__file__).parent / "exceptions" / f"{language}.txt"
    return set(path.read_text("utf-8").splitlines()) if path.exists() else set()
