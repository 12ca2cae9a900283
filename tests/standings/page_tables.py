"""Tables of figures as a page shows them: who stands in each row, and what its cells say."""

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from django.test.html import Element, parse_html

OF_A_PLAYER = re.compile(r"/members/([\w-]+)/record/$")


def rows(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Each row of a player: the id in the link to the player's page, or on paper the name; and the
    cells by their columns."""
    for table in _all(parse_html(page), "table"):
        heads = [_text(head) for part in _all(table, "thead") for head in _all(part, "th")]
        for body in _all(table, "tbody"):
            for row in _all(body, "tr"):
                who = next(filter(None, map(_player, _all(row, "a"))), None)
                cells = [_text(cell) for cell in row.children if _is_cell(cell)]
                if len(cells) == len(heads) and {"Player", "Pair"} & {*heads}:
                    shown = dict(zip(heads, cells, strict=True))
                    names = shown.get("Player") or shown["Pair"]
                    names = names.removesuffix(" *")  # not final
                    for one in [who] if who else names.split(" & "):
                        yield one, shown


def says(shown: str, value: Fraction | None) -> bool:
    """Whether a cell is this figure, to the decimals it has, halves away from nought."""
    number = re.fullmatch(r"([+−]?)([\d,]+(?:\.\d+)?)(%)?", shown)
    if value is None or number is None:
        return value is None and shown == "–"
    sign, digits, percent = number.groups()
    exact = abs(value) * (100 if percent else 1)
    decimals = Decimal(digits.replace(",", ""))
    one = Decimal(1).scaleb(decimals.as_tuple().exponent)
    rounded = (Decimal(exact.numerator) / exact.denominator).quantize(one, ROUND_HALF_UP)
    return rounded == decimals and (sign == "−") == (value < 0)


def _player(link: Element) -> str | None:
    found = OF_A_PLAYER.search(dict(link.attributes).get("href") or "")
    return found[1] if found else None


def _is_cell(part: Element | str) -> bool:
    return isinstance(part, Element) and part.name in ("td", "th")


def _all(part: Element, name: str) -> Iterator[Element]:
    for child in part.children:
        if isinstance(child, Element):
            if child.name == name:
                yield child
            else:
                yield from _all(child, name)


def _text(part: Element | str) -> str:
    if not isinstance(part, Element):
        return part
    return " ".join(" ".join(map(_text, part.children)).split())
