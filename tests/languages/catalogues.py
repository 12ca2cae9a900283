"""The catalogues: bringing them up to date with the texts, compiling them, what they miss."""

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

import polib

from tests.languages.extracting import LOCALE, Text
from tests.languages.pseudo import DATE

WIDTH = 100
ABOUT_DATES = (
    "How a date is written: l Thursday, D Thu, j 19, F November, M Nov, Y 2026. "
    "A letter that is to stay a letter has a backslash before it."
)


def path_of(language: str) -> Path:
    """The catalogue of a language's folder: "fr_CA"."""
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def languages() -> list[str]:
    """The folders of all languages but the source."""
    return sorted(
        path.parts[-3] for path in LOCALE.glob("*/LC_MESSAGES/django.po") if "en" not in path.parts
    )


def read(language: str) -> polib.POFile:
    return polib.pofile(str(path_of(language)), wrapwidth=WIDTH)


def key_of(entry: polib.POEntry) -> Text:
    return Text(entry.msgctxt, entry.msgid, entry.msgid_plural)


def updated(old: polib.POFile, texts: dict[Text, list[str]]) -> polib.POFile:
    """The catalogue with exactly these texts, in their order, and what was translated of them.

    A new text that is much like one which is gone gets its translation, marked as a guess (fuzzy).
    """
    new = polib.POFile(wrapwidth=WIDTH)
    new.header, new.metadata, new.metadata_is_fuzzy = old.header, old.metadata, False
    known = {key_of(entry): entry for entry in old if not entry.obsolete}
    gone = {key.one: entry for key, entry in known.items() if key not in texts}
    for text, files in texts.items():
        was = known.get(text)
        guess = None if was else _like(text, gone)
        new.append(_entry(text, files, was or guess, fuzzy=bool(guess)))
    return new


def _like(text: Text, gone: dict[str, polib.POEntry]) -> polib.POEntry | None:
    near = get_close_matches(text.one, gone, n=1, cutoff=0.8)
    found = gone[near[0]] if near else None
    return found if found and bool(found.msgid_plural) == bool(text.many) else None


def _entry(
    text: Text, files: Iterable[str], was: polib.POEntry | None, *, fuzzy: bool
) -> polib.POEntry:
    entry = polib.POEntry(
        msgctxt=text.context,
        msgid=text.one,
        msgid_plural=text.many,
        msgstr=was.msgstr if was else "",
        msgstr_plural=was.msgstr_plural if was else ({0: "", 1: ""} if text.many else {}),
        comment=ABOUT_DATES if DATE.fullmatch(text.one) else "",
        tcomment=was.tcomment if was else "",
        occurrences=[(name, "") for name in files],
        flags=["python-format"] if "%(" in text.one + text.many else [],
    )
    if fuzzy or (was and was.fuzzy):
        entry.flags.insert(0, "fuzzy")
        entry.previous_msgid = was.previous_msgid or was.msgid if was else None
    return entry


def missing(catalogue: polib.POFile) -> list[polib.POEntry]:
    """The texts without a translation, or with one that is only a guess."""
    return [entry for entry in catalogue if not entry.obsolete and not entry.translated()]


def missing_by_file(catalogue: polib.POFile) -> Counter[str]:
    """How many texts are missing of each page, most first."""
    return Counter(entry.occurrences[0][0] for entry in missing(catalogue))


def compiled(catalogue: polib.POFile) -> bytes:
    """What the site reads, the same for the same catalogue."""
    return bytes(catalogue.to_binary())
