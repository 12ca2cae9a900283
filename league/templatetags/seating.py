"""Seating in templates: the price of a swap, figures of the certificate."""

from collections.abc import Mapping
from fractions import Fraction

from django import template
from django.utils.formats import number_format

from league.members.models import Member
from league.seating.words import Verdict

register = template.Library()


@register.simple_tag
def price_of(prices: Mapping[int, Verdict], member: Member) -> Verdict | None:
    """`{% price_of prices member as price %}`: what changing places with this person would do."""
    return prices.get(member.pk)


@register.filter
def figure(value: Fraction | int, places: int = 2) -> str:
    """A figure of the certificate, whole where it is whole."""
    exact = Fraction(value)
    return number_format(float(exact), 0 if exact.denominator == 1 else places)
