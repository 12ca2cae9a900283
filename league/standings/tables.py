"""Standings and games as django-tables2 tables: their columns, how a cell reads, who played."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, Member
from league.members.names import sort_key
from league.members.public import namer
from league.play.models import Game
from league.play.results import as_of
from league.ranking import Line
from league.ranking.measures import HEAD_TO_HEAD, LOT, MEASURES, Measure, total
from league.ranking.tie_breaks import PAIR_MEASURES
from league.sessions.models import Session
from league.standings.labels import LABELS, Text, figure
from league.standings.queries import Standings
from league.standings.text import counted_words, decided_by, explained, tie_break

NUMBER = {"th": {"class": "number"}, "td": {"class": "number"}}
KEY_NUMBER = {"th": {"class": "number in-view"}, "td": {"class": "number in-view"}}


@dataclass(frozen=True, slots=True)
class Row:
    """One line as it is read: names as the viewer may see them, reasons as sentences."""

    who: int
    public_id: str
    name: str
    key: str
    is_guest: bool
    rank: int
    shared: bool
    games: Fraction
    evenings: int
    counted: int
    open_games: int
    climbed: int | None
    values: dict[str, Fraction | None]
    decided: str
    why: tuple[str, ...]
    tie_break: Text = ""
    deciding: str = ""
    figures: tuple[tuple[Text, str], ...] = ()
    missing: int = 0

    @property
    def off_columns(self) -> bool:
        """Whether what decided this place is no column: head-to-head, or a random draw."""
        return not self.shared and self.deciding in (HEAD_TO_HEAD.code, LOT.code)

    @property
    def evenings_counted(self) -> str:
        """How many evenings, and how many of them count where that is not all: "1 of 2"."""
        if self.counted >= self.evenings:
            return str(self.evenings)
        words = {"counted": self.counted, "all": self.evenings}
        return gettext("%(counted)d of %(all)d") % words

    @property
    def steps(self) -> int:
        """How many places up or down, without the direction."""
        return abs(self.climbed or 0)


def rows_of(standings: Standings, names: dict[int, str]) -> list[Row]:
    """The lines of a table, with everything a page says about each."""
    return [
        Row(
            who=line.who,
            public_id=standings.people[line.who].public_id,
            name=names[line.who],
            key=sort_key(names[line.who]),
            is_guest=standings.people[line.who].is_guest,
            rank=line.rank,
            shared=line.shared,
            games=total(standings.tallies[line.who], "games"),
            evenings=standings.evenings.get(line.who, 0),
            counted=_counted(standings, line.who),
            open_games=standings.open_games.get(line.who, 0),
            climbed=_climbed(standings, line.who, line.rank),
            values=line.values,
            decided=decided_by(line),
            why=_why(standings, line, names),
            tie_break=tie_break(line),
            deciding=line.decisions[-1].measure if line.decisions else "",
            figures=_figures(standings, line),
            missing=standings.season[line.who].missing if standings.season else 0,
        )
        for line in standings.lines
    ]


def _why(standings: Standings, line: Line, names: dict[int, str]) -> tuple[str, ...]:
    """Why somebody stands where they do, in sentences."""
    if standings.places:
        if line.who in standings.places:
            return (gettext("The place in the tournament of this session."),)
        return (gettext("Did not play in the tournament: ranks below everyone who did."),)
    return (*explained(line, names.__getitem__), *_season_words(standings, line.who))


def key_columns(standings: Standings) -> list[Measure]:
    """The figures that a phone has room for: what ranks first, games won, and points; where
    different games were played, whose points are not added up, what decides next. Match points are
    matches won: what decides between equal ones stands beside them."""
    first, won, third = standings.columns[:1], MEASURES["won"], MEASURES["points"]
    if PAIR_MEASURES["match_points"] in first:
        first, won = standings.columns[:2], third
    if third not in standings.columns:
        others = (measure for measure in standings.measures if measure not in (*first, won))
        third = next(others, third)
    return [one for one in dict.fromkeys([*first, won, third]) if one in standings.columns]


def _figures(standings: Standings, line: Line) -> tuple[tuple[Text, str], ...]:
    """Every figure of a line with its name, in the order of the columns."""
    return tuple(
        (LABELS[column.code].name, figure(column.code, line.values[column.code]))
        for column in standings.columns
    )


def _counted(standings: Standings, who: int) -> int:
    """How many evenings of a season count; all where games are counted one by one."""
    one = standings.season.get(who)
    return standings.evenings.get(who, 0) if one is None or one.games else one.counted


def _climbed(standings: Standings, who: int, now: int) -> int | None:
    """Places gained since before the latest round; None where there is nothing to compare."""
    before = standings.before.get(who)
    return None if before is None else before - now


def _season_words(standings: Standings, who: int) -> list[str]:
    """Which evenings count, where not simply all of them do."""
    return counted_words(standings.season[who]) if standings.season else []


class FigureColumn(tables.Column):
    """One measure: the figure as people write it; the best first at the first tap."""

    def __init__(self, measure: Measure, *, key: bool = False) -> None:
        label = LABELS[measure.code]
        self.code = measure.code
        self.brief = label.brief
        super().__init__(
            verbose_name=label.column,
            accessor=f"values__{measure.code}",
            attrs=KEY_NUMBER if key else NUMBER,
            default="–",
            initial_sort_descending=True,
        )

    def render(self, value: Fraction) -> str:
        return figure(self.code, value)


class StandingsTable(tables.Table):
    """A ranked table. `table_of` adds a column for every measure it shows."""

    rank = tables.Column(
        verbose_name=_("Place"), attrs={"th": {"class": "rank"}, "td": {"class": "rank"}}
    )
    name = tables.Column(verbose_name=_("Player"), order_by=("key", "rank"))
    evenings = tables.Column(verbose_name=_("Sessions"), attrs=NUMBER, initial_sort_descending=True)
    games = tables.Column(verbose_name=_("Games"), attrs=NUMBER, initial_sort_descending=True)

    class Meta:
        template_name = "standings/_table.html"
        attrs = {"class": "standings"}
        order_by = ("rank",)

    def render_rank(self, record: Row) -> str:
        if record.missing:
            return format_html('<abbr title="{}">–</abbr>', gettext("Not ranked yet"))
        if not record.shared:
            return str(record.rank)
        return format_html('<abbr title="{}">={}</abbr>', gettext("Tied"), record.rank)

    def render_evenings(self, record: Row) -> str:
        return record.evenings_counted

    def render_games(self, value: Fraction) -> str:
        return figure("points", Fraction(value))


def table_of(
    standings: Standings, rows: Sequence[Row], *, caption: Any = "", order_by: str = ""
) -> StandingsTable:
    """The table of these rows, with the columns that say something here."""
    hidden = [] if standings.evenings else ["evenings"]
    keys = key_columns(standings)
    table = StandingsTable(
        rows,
        exclude=hidden,
        extra_columns=[(m.code, FigureColumn(m, key=m in keys)) for m in standings.columns],
        sequence=["rank", "name", *(m.code for m in standings.columns), "..."],
        order_by=order_by or "rank",
    )
    table.caption = caption
    return table


SORTABLE = frozenset({"rank", "name", "evenings", "games", *LABELS})
"""The only names a page may be asked to sort by; a column that is not there sorts nothing."""


class GamesTable(tables.Table):
    """The games of a session: who sat where, the score, how it ended."""

    table = tables.Column(verbose_name=_("Table"), accessor="table__number", attrs=NUMBER)
    round = tables.Column(verbose_name=_("Round"), accessor="table__round__number", attrs=NUMBER)
    sides = tables.TemplateColumn(
        verbose_name=_("Players"),
        template_name="standings/_sides.html",
        orderable=False,
        attrs={"td": {"class": "sides"}},
    )
    score = tables.TemplateColumn(
        verbose_name=_("Score"),
        template_name="standings/_score.html",
        orderable=False,
        attrs=NUMBER,
    )
    hands_played = tables.Column(verbose_name=_("Hands"), attrs=NUMBER)
    state = tables.TemplateColumn(
        verbose_name=_("State"), template_name="standings/_state.html", order_by=("state", "pk")
    )

    class Meta:
        template_name = "parts/table.html"
        attrs = {"class": "games stack"}
        order_by = ("-round", "table")
        empty_text = gettext_lazy("No games match.")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game: its people as the viewer may read them, its points, whether it won."""

    names: tuple[str, ...]
    points: int
    won: bool


def games_of(club_session: Session) -> QuerySet[Game]:
    """The session's games with their tables and everybody who played, latest round first."""
    return (
        club_session.games.select_related("table", "table__round")
        .prefetch_related("results__member")
        .order_by("-table__round__number", "table__number", "number")
    )


def with_sides(games: Iterable[Game], club: Club, viewer_rank: str | None) -> list[Any]:
    """The games as a list, each with its `sides`."""
    now = timezone.now()
    listed: list[Any] = [as_of(game, now) for game in games]
    people = [row.member for game in listed for row in game.results.all()]
    name_of = namer(people, club, viewer_rank)
    for game in listed:
        game.sides = sides_of(game, name_of)
    return listed


def as_seen_by(member: Member, games: Iterable[Any]) -> list[Any]:
    """Games with their `sides`, this player's own side first, and whether it is `decided`."""
    listed = list(games)
    for game in listed:
        seat = next(row.position for row in game.results.all() if row.member_id == member.pk)
        game.sides.insert(0, game.sides.pop(seat % len(game.sides)))
        game.decided = any(side.won for side in game.sides)
    return listed


def sides_of(game: Any, name_of: Callable[[Member], str]) -> list[Side]:
    """The sides in seat order. A substitute stands beside the player she took over from."""
    results = sorted(game.results.all(), key=lambda r: (r.position, r.pk))
    count = len(game.score) or game.table.players
    sides = []
    for side in range(count):
        seats = [r for r in results if r.position % count == side]
        names = tuple(name_of(r.member) for r in seats)
        points = game.score[side] if side < len(game.score) else 0
        sides.append(Side(names, points, bool({r.position for r in seats} & set(game.winners))))
    return sides
