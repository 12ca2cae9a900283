"""What `right-bower` says in a terminal, in the language of this computer. Without Django."""

import gettext
import locale
import os
import sys
from pathlib import Path

CATALOGUES = Path(__file__).resolve().parents[1] / "locale"


def wished_languages() -> list[str]:
    """The languages of this computer, the first before the next: `["de_AT", "fr"]`."""
    if sys.platform == "win32":
        import ctypes

        code = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return [locale.windows_locale.get(code, "")]
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wished = next(filter(None, map(os.environ.get, names)), "")
    return [one.partition(".")[0].partition("@")[0] for one in wished.split(":")]


def catalogue_for(wished: list[str]) -> str | None:
    """The folder of the first language that the site has: its own, or one of another country."""
    have = sorted(path.parent.parent.name for path in CATALOGUES.glob("*/*/django.mo"))
    for one in wished:
        language = one.partition("_")[0]
        if language in ("C", "POSIX") or (language == "en" and one not in have):
            return None  # as it stands in the source
        near = [name for name in have if name.partition("_")[0] == language]
        for name in (one, language, *near):
            if name in have:
                return name
    return None


def sentences(wished: list[str]) -> gettext.NullTranslations:
    """The catalogue to say things by."""
    found = catalogue_for(wished)
    return gettext.translation("django", CATALOGUES, [found] if found else [], fallback=True)


_ = sentences(wished_languages()).gettext
