"""Seating in templates: the price of a swap, figures of the certificate."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from django import template
from django.utils.formats import number_format

from league.members.models import Member
from league.seating.text import Verdict

register = template.Library()

MOST_WRITTEN_OUT = 4


@register.simple_tag
def price_of(prices: Mapping[int, Verdict], member: Member) -> Verdict | None:
    """`{% price_of prices member as price %}`: what changing places with this person would do."""
    return prices.get(member.pk)


@register.filter
def tables(sizes: Iterable[int]) -> str:
    """Sizes of tables as people write them: "4 + 4 + 3", and "9 × 4 + 3 + 2" for a big room."""
    counted = sorted(Counter(sizes).items(), reverse=True)
    if sum(many for _size, many in counted) <= MOST_WRITTEN_OUT:
        return " + ".join(str(size) for size, many in counted for _one in range(many))
    return " + ".join(f"{many} × {size}" if many > 1 else str(size) for size, many in counted)


@register.filter
def figure(value: Fraction | int, places: int = 2) -> str:
    """A figure of the certificate, whole where it is whole."""
    exact = Fraction(value)
    return number_format(float(exact), 0 if exact.denominator == 1 else places)
