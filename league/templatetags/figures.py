"""Filters and tags for figures, times and names, available in every template (`builtins`).

Figures of standings by measure; table sizes, swaps and fairness of seating. `{{ at|clock }}`,
`{{ at|moment }}`, `{{ at|ago }}`, and `{{ held_on|date_beside:name }}` for the day of a session;
Django's own `date` filter, with the first of a month as the language writes it: "1er novembre". A
label with its colon is `{{ name|as_label }}`, and "Rose & Ann" is `{{ names|as_partners }}`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date as day
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.defaultfilters import date as plain_date
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, override, pgettext

from league.labels import as_label, as_partners
from league.members.fields import name_trouble
from league.members.languages import (
    clock,
    dated,
    dated_near,
    moment,
    money,
    with_first_day,
    zone_place,
)
from league.members.models import Club, Member
from league.play.text import side_name
from league.ranking.rating import Rating
from league.ranking.statistics import Rate
from league.seating.models import Table
from league.seating.planner_adapter import Verdict
from league.sessions.models import Session
from league.sessions.queries import end_of
from league.standings import labels
from league.standings.pot_sheet import Sheets
from league.standings.pot_text import (
    account_text,
    cash_text,
    shared_prizes_text,
    short_box_text,
    signed_up_text,
    unclaimed_text,
)
from league.standings.pot_totals import brought_text, brought_texts
from league.standings.text import ordinal

register = template.Library()
register.filter("ordinal", ordinal)
register.filter("clock", clock)
register.filter("moment", moment)
register.filter("as_label", as_label)
register.filter("name_trouble", name_trouble)
register.filter("as_partners", as_partners)
register.filter("zone_place", zone_place)
register.filter("account_text", account_text)
register.filter("cash_text", cash_text)
register.filter("signed_up_text", signed_up_text)
register.filter("unclaimed_text", unclaimed_text)
register.filter("shared_prizes", shared_prizes_text)
register.filter("short_box_text", short_box_text)
register.filter("bookable", Sheets.bookable)
register.simple_tag(brought_text, name="brought")


@register.filter
def of(texts: Mapping[int, str], club_session: Session) -> str:
    """`{{ fees|of:club_session }}`: what a tag has found for this session of a list; "" if none."""
    return texts.get(club_session.pk, "") if texts else ""


@register.simple_tag
def brought_to(nights: Iterable[Any]) -> dict[int, str]:
    """`{% brought_to nights as fees %}`: what each player brings to the sessions of a list, or to
    those of these sign-ups."""
    return brought_texts([getattr(night, "club_session", night) for night in nights])


register.simple_tag(money)
SMALLER_LETTERS = {"tiny": 16, "longest": 13, "long": 10}
"""CSS classes for names with a part that has more letters than this."""


@register.filter
def ago(at: datetime) -> SafeString:
    """`{{ made_at|ago }}`: "3 minutes ago", with the exact time as its title."""
    html = '<time datetime="{}" title="{}">{}</time>'
    return format_html(html, at.isoformat(), moment(at), naturaltime(at))


@register.simple_tag
def figure(code: str, number: Fraction) -> str:
    """`{% figure "above" value %}`: a measure's figure, formatted."""
    return labels.figure(code, number)


@register.simple_tag
def money_amount(amount: Decimal, club: Club) -> str:
    """`{% money_amount pot.amount club %}`: a decimal amount, formatted like `money`."""
    return money(int(amount * 100), club)


@register.filter
def plain_money(cents: int) -> str:
    """`{{ row.balance.to_pay|plain_money }}`: "12.50", as the value of a form field."""
    return f"{Decimal(cents) / 100:.2f}"


@register.simple_tag
def value(values: Mapping[str, Fraction | None], code: str) -> str:
    """`{% value row.values "won" %}`: one of a row's figures, formatted."""
    return labels.figure(code, values[code])


FEWEST_FOR_PERCENT = 5


@register.simple_tag
def rate(counted: Rate) -> str:
    """`{% rate career.habits.made %}`: "62 % (8 of 13)"; "1 of 2" if these are too few for a
    percentage; a dash for none."""
    if counted.share is None:
        return "–"
    count = labels.figure("won", counted.count)
    if counted.of < FEWEST_FOR_PERCENT:
        return gettext("%(made)s of %(calls)s") % {"made": count, "calls": counted.of}
    words = {"share": labels.figure("share", counted.share), "count": count, "of": counted.of}
    return gettext("%(share)s (%(count)s of %(of)s)") % words


@register.simple_tag
def wins(rating: Rating) -> str:
    """`{% wins row.rating %}`: the share of games won that belongs to a rating."""
    return rate(Rate(rating.won, rating.games))


@register.simple_tag
def mean(mean_rate: Rate, signed: bool = True) -> str:
    """`{% mean career.habits.difference %}`: "+0.67 (+27 in 40 hands)"; without plus signs if not
    `signed`."""
    if mean_rate.share is None:
        return "–"
    kind = "difference" if signed else "points"
    words = ngettext(
        "%(mean)s (%(sum)s in %(of)s hand)", "%(mean)s (%(sum)s in %(of)s hands)", mean_rate.of
    )
    return words % {
        "mean": labels.figure(kind, mean_rate.share),
        "sum": labels.figure(kind, mean_rate.count),
        "of": mean_rate.of,
    }


@register.simple_tag
def column(code: str, brief: object = False) -> str:
    """`{% column "won" %}`: a measure's column heading; with `brief` its short form, if it has
    one, for screens with little room."""
    label = labels.LABELS[code]
    if brief and label.brief:
        heading = re.sub(r"^([±%]) ", "\\1\N{NO-BREAK SPACE}", str(label.brief))
        return format_html('<abbr title="{}">{}</abbr>', label.column, heading)
    return str(label.column)


MOST_WRITTEN_OUT = 8


@register.simple_tag
def price_of(prices: Mapping[int, Verdict], member: Member) -> Verdict | None:
    """`{% price_of prices member as price %}`: the effect of a swap with this player."""
    return prices.get(member.pk)


@register.filter
def at_table(titles: Mapping[int, str], table: Table) -> str:
    """The one of these titles, by the tables' keys, that belongs to a table; empty for none."""
    return titles.get(table.pk, "")


@register.filter
def sides(table: Table) -> str:
    """The sides at a table, in the order of the score: "Ann & Bill – Rose & Ted"."""
    return " – ".join(side_at(table, side) for side in range(table.ruleset.sides))


@register.filter
def side_at(table: Table, seat: int) -> str:
    """The side of a seat at a table: "Ann & Bill"."""
    count = table.ruleset.sides
    seats = [one for one in table.current_seats if one.position % count == seat % count]
    return side_name([one.member.label for one in seats])


@register.filter
def fit(name: str) -> str:
    """The CSS class of a name on a seat or a key: the longer its longest part, the smaller the
    font ("long", "longest", "tiny"), so that no word is broken."""
    longest = max(map(len, re.split(r"\s+|(?<=-)", str(name))))
    return next((size for size, most in SMALLER_LETTERS.items() if longest > most), "")


@register.filter
def whole_brackets(name: str) -> str:
    """A name whose bracket stays on one line: "(four players)"."""
    return re.sub(r"\(.*?\)", lambda bracket: bracket[0].replace(" ", "\u00a0"), name)


@register.filter
def tables(sizes: Iterable[int]) -> str:
    """Table sizes as a sum: "4 + 4 + 3", or "9 × 4 + 3 + 2" for many tables."""
    counts = sorted(Counter(sizes).items(), reverse=True)
    if sum(count for _size, count in counts) <= MOST_WRITTEN_OUT:
        return " + ".join(str(size) for size, count in counts for _table in range(count))
    return " + ".join(f"{count} × {size}" if count > 1 else str(size) for size, count in counts)


@register.filter("figure")
def exact_figure(value: Fraction | int, places: int = 2) -> str:
    """A figure of the seating certificate, without decimals if it is a whole number."""
    exact = Fraction(value)
    decimal = Decimal(exact.numerator) / exact.denominator
    rounded = decimal.quantize(Decimal(10) ** -places, ROUND_HALF_UP)  # Django would cut it off
    return number_format(rounded, 0 if exact.denominator == 1 else places)


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, pattern: str | None = None) -> Any:
    """A date or time in a format: `{{ held_on|date:_("j F Y") }}`."""
    if pattern and isinstance(value, day):
        pattern = with_first_day(value, pattern)
    return plain_date(value, pattern)


@register.filter
def date_near(value: day | None, pattern: str) -> str:
    """The same, with the year only if it is not the current one."""
    return dated_near(value, pattern) if value else ""


@register.filter
def date_beside(held_on: day, name: str) -> str:
    """A session's day to show beside its name: "" if the name already has it, and with the year
    only if it is not the current one."""
    if held_on.year != timezone.localdate().year:
        return dated(held_on, gettext("j F Y"))
    codes = tuple(code for code, _name in settings.LANGUAGES)
    if any(text in name for text in _spellings(held_on, codes)):
        return ""
    return dated(held_on, gettext("l j F"))


@register.filter
def times(club_session: Session) -> str:
    """When a session begins and is due to end, "7:30 p.m. – 10:30 p.m."; of a closed one only the
    start, and "" without a start time."""
    start, end = clock(club_session.begins_at), end_of(club_session)
    if end is None or club_session.state == Session.State.CLOSED:
        return start
    params = {"start": start, "end": clock(end.time())}
    return pgettext("times of a session", "%(start)s – %(end)s") % params


@register.filter
def evening_of(club_session: Session) -> str:
    """The heading above an open session: "Tonight" or "Today", or its day if that is another."""
    held_on, today = club_session.held_on, club_session.club.local(timezone.now()).date()
    if held_on != today:
        return date_beside(held_on, "")
    return gettext("Tonight") if club_session.is_in_the_evening else gettext("Today")


@lru_cache(maxsize=512)
def _spellings(held_on: day, languages: tuple[str, ...]) -> frozenset[str]:
    """The day as the site writes it in any language: the name may be in another than the page."""
    spellings = set()
    for code in languages:
        with override(code):
            spellings |= {dated(held_on, gettext("l j F")), dated(held_on, gettext("j F"))}
    return frozenset(spellings)
