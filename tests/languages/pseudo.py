"""A language that nobody speaks: the source with every letter changed, and 40 % longer.

What a page shows in plain letters is then no translated text, and a page that has no room for a
longer language shows it here first.
"""

import re
from collections.abc import Iterable
from importlib.resources import files
from math import ceil
from pathlib import Path

import polib

from tests.languages.extracting import Text

CODE = "zz"
MIRRORED = "zy"
"""The same, written from right to left."""
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ȧƀċḋėḟġḣïĵḳŀṁṅȯṗɋṙṡṫůṽẇẋẏżȦƁĊḊĖḞĠḢÏĴḲĿṀṄȮṖɊṘṠṪŮṼẆẊẎŻ",
)
# Placeholders, markup and web addresses stay as they are.
AS_THEY_ARE = re.compile(
    r"%\(\w+\)[sd]|%[sd%]|\{\w*\}|<[^>]+>|&#?\w+;|https?://\S+|[\w-]+\.(?:com|html|csv|xlsx)"
)
DATE = re.compile(r"(D |l )?j [FM]( Y)?")
WORD = re.compile(r"[A-Za-z]+")
# Packages that pages show texts of, by where their catalogues are.
PACKAGES = {
    "django": ("conf/locale", "contrib/auth/locale", "contrib/humanize/locale"),
    "allauth": ("locale",),
    "django_tables2": ("locale",),
    "django_filters": ("locale",),
}


def longer(text: str) -> str:
    """The text in the language: "Save" is "Ṡȧṽėėė"; a pattern of a date stays."""
    if DATE.fullmatch(text):
        return text
    parts, end = [], 0
    for kept in AS_THEY_ARE.finditer(text):
        parts += [WORD.sub(_word, text[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join([*parts, WORD.sub(_word, text[end:])])


def _word(found: re.Match[str]) -> str:
    word = found[0]
    return word.translate(LETTERS) + "ė" * ceil(0.4 * len(word))


def write(folder: Path, texts: Iterable[Text]) -> None:
    """Put the language's catalogue into a folder, for `LOCALE_PATHS`."""
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for text in dict.fromkeys([*texts, *of_packages()]):
        plural = {0: longer(text.one), 1: longer(text.many)} if text.many else {}
        catalogue.append(
            polib.POEntry(
                msgctxt=text.context,
                msgid=text.one,
                msgid_plural=text.many,
                msgstr="" if text.many else longer(text.one),
                msgstr_plural=plural,
            )
        )
    for code in (CODE, MIRRORED):
        place = folder / code / "LC_MESSAGES"
        place.mkdir(parents=True)
        (place / "django.mo").write_bytes(catalogue.to_binary())


def of_packages() -> Iterable[Text]:
    """What Django and other packages say on our pages, by what they have in German."""
    for package, places in PACKAGES.items():
        for place in places:
            path = files(package) / place / "de" / "LC_MESSAGES" / "django.mo"
            for entry in polib.mofile(str(path)):
                yield Text(entry.msgctxt, entry.msgid, entry.msgid_plural)
