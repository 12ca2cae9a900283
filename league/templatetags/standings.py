"""Template tags of standings: figures and column heads by measure."""

from collections.abc import Mapping
from fractions import Fraction

from django import template

from league.standings import labels

register = template.Library()


@register.simple_tag
def figure(code: str, number: Fraction) -> str:
    """`{% figure "above" value %}`: a measure's figure as people write it."""
    return labels.figure(code, number)


@register.simple_tag
def value(values: Mapping[str, Fraction], code: str) -> str:
    """`{% value row.values "won" %}`: one figure out of a row's."""
    return labels.figure(code, values[code])


@register.simple_tag
def column(code: str) -> str:
    """`{% column "won" %}`: a measure's column head."""
    return str(labels.LABELS[code].column)
