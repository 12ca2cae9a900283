"""Every text of the site that can be translated, found in its code, templates and data.

In Python and not with GNU gettext, so that the check of the catalogues runs on any computer.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polib
from django.utils import translation
from django.utils.translation.template import templatize

from league.members.presets import source_note
from league.members.rule_options import plain_choice_note
from league.pairing.movements import PRESETS
from scoring import preset_ids, ruleset
from scoring.sentences import SENTENCES, WORDS

ROOT = Path(__file__).resolve().parent.parent.parent
LOCALE = ROOT / "league" / "locale"
# The site's own English for what allauth says; other languages have these texts as well.
ENGLISH = LOCALE / "en" / "LC_MESSAGES" / "django.po"


class Text(NamedTuple):
    """A text as it stands in the source, with what tells two of its meanings apart."""

    context: str | None
    one: str
    many: str


# Where in a call the text, its plural and its context are.
PLAIN, PLURAL, CONTEXT, BOTH = (0, None, None), (0, 1, None), (1, None, 0), (1, 2, 0)
CALLS = dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "lazy", "_lazy"), PLAIN)
CALLS["Reason"] = PLAIN  # of EGN
CALLS |= dict.fromkeys(("ngettext", "ngettext_lazy"), PLURAL)
CALLS |= dict.fromkeys(("pgettext", "pgettext_lazy"), CONTEXT)
CALLS |= dict.fromkeys(("npgettext", "npgettext_lazy"), BOTH)
QUOTED = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
# To read a file's tree takes long, and every other file has no text.
HAS_TEXTS = re.compile(rf"\b(?:{'|'.join(CALLS)})\(")
IN_TEMPLATES = re.compile(rf"\b(?:n?p?gettext|_)\((?:[^'\"()]|{QUOTED})*\)")


@cache
def texts() -> dict[Text, list[str]]:
    """Every text, with the files it stands in, in the order of the files."""
    found: dict[Text, list[str]] = {}
    with translation.override(None):  # notes of presets are read as the site reads them
        for name, text in _everywhere():
            files = found.setdefault(text, [])
            if name not in files:
                files.append(name)
    return found


def _everywhere() -> Iterator[tuple[str, Text]]:
    for path in sorted(ROOT.glob("templates/**/*")):
        if path.is_file():
            yield from _named(path, in_template(path.read_text("utf-8")))
    for path in sorted([*ROOT.glob("league/**/*.py"), *ROOT.glob("scoring/**/*.py")]):
        if "migrations" not in path.parts and not path.name.startswith("test_"):
            source = path.read_text("utf-8")
            if HAS_TEXTS.search(source):
                yield from _named(path, in_code(source))
    for key in (*SENTENCES.values(), *WORDS.values()):
        yield "scoring/sentences.py", Text(None, key, "")
    yield from _of_presets()
    for movement in PRESETS:
        for words in (movement.name, movement.explanation, movement.odd):
            yield "league/pairing/movements.py", Text(None, words, "")
    for entry in polib.pofile(str(ENGLISH)):
        yield "league/locale/en", Text(entry.msgctxt, entry.msgid, entry.msgid_plural)


def _named(path: Path, found: Iterator[Text]) -> Iterator[tuple[str, Text]]:
    name = path.relative_to(ROOT).as_posix()
    return ((name, text) for text in found)


def _of_presets() -> Iterator[tuple[str, Text]]:
    for preset in preset_ids():
        rules = ruleset(preset)
        notes = [plain_choice_note(choice) for choice in rules.choices.values()]
        for words in (rules.name, source_note(rules), *notes):
            if words:
                yield f"scoring/presets/{preset}.toml", Text(None, words, "")


def in_code(source: str) -> Iterator[Text]:
    """The texts of a Python file: those of calls of gettext's functions with plain texts."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            text = _of_call(node)
            if text:
                yield text


def in_template(source: str) -> Iterator[Text]:
    """The texts of a template, as Django hands them to gettext."""
    for call in IN_TEMPLATES.findall(templatize(source)):
        yield from in_code(call)


def _of_call(node: ast.Call) -> Text | None:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name not in CALLS:
        return None
    words = [_literal(argument) for argument in node.args]
    places = CALLS[name]
    if max(place or 0 for place in places) >= len(words):
        return None
    one, many, context = (words[place] if place is not None else "" for place in places)
    if not one or many is None or context is None:
        return None
    return Text(context or None, one, many)


def _literal(node: ast.expr) -> str | None:
    """The text, or None for what is made when the program runs."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None
