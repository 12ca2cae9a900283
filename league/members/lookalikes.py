"""Names that are read as one another although they are spelled with other characters. Pure.

`оlive` with a Cyrillic о, `R0se`, `rnary`, `Ｏｌｉｖｅ` and `Olive.` have the `look` of what they
imitate. Which characters are confused is Unicode's table (UTS 39, confusables.txt).
"""

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.utils import load

MARKS = "\u200e"  # the package puts them around letters that are written from the right
# A small i is taken for an l as the table takes a capital one and the 1; two v stand as a w.
_CLOSE = (("i", "l"), ("vv", "w"))
_BETWEEN = re.compile(r"[\W_]+")


def look(name: str) -> str:
    """What stays of a name when it is seen from afar: equal for names that look the same."""
    seen = unicodedata.normalize("NFKC", name)
    for _twice in range(2):  # a capital letter looks like something else than its small one
        seen = seen.translate(_prototypes()).casefold()
    letters = unicodedata.normalize("NFKD", seen)
    seen = "".join(sign for sign in letters if not unicodedata.category(sign).startswith("M"))
    for sign, other in _CLOSE:
        seen = seen.replace(sign, other)
    return _BETWEEN.sub("", seen)


@cache
def _prototypes() -> dict[int, str]:
    """Of each character that may be taken for another, the one that stands for all of them.

    The table names the prototype alone beside such a character, and all of them beside the
    prototype; of only two, the first stands for both.
    """
    table = {
        sign.strip(MARKS): [other["c"].strip(MARKS) for other in others]
        for sign, others in load("confusables.json").items()
    }
    return {
        ord(sign): others[0]
        for sign, others in table.items()
        if len(sign) == 1
        and len(others) == 1
        and (len(table.get(others[0], ())) > 1 or others[0] < sign)
    }
