"""Standings and games as django-tables2 tables: columns, cells, and the players of each side."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.models import Member
from league.members.names import sort_key
from league.play.models import Game, Result
from league.play.results import as_of
from league.play.sheet import extra_hands, round_titles, tournament_titles
from league.ranking import Line
from league.ranking.measures import HEAD_TO_HEAD, LOT, MEASURES, Measure, total
from league.ranking.tie_breaks import PAIR_MEASURES
from league.sessions.models import Session
from league.standings.labels import LABELS, Text, figure
from league.standings.queries import Standings, with_co_winners
from league.standings.text import counted_sentences, decided_by, explained, tie_break
from league.standings.tournament_text import reason_by_tournaments

NUMBER = {"th": {"class": "number"}, "td": {"class": "number"}}
KEY_NUMBER = {"th": {"class": "number in-view"}, "td": {"class": "number in-view"}}
PAIR = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One line for display: the name as the viewer may see it, reasons as sentences. `unseen`:
    a phone has no column for the measure that decided the place."""

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
    unseen: bool = False
    figures: tuple[tuple[Text, str], ...] = ()
    missing: int = 0
    still_in: bool = False
    withdrawn: bool = False
    tournament: str = ""

    @property
    def off_columns(self) -> bool:
        """Whether this place was decided by something without a column: head-to-head or a draw."""
        return self.deciding in (HEAD_TO_HEAD.code, LOT.code)

    @property
    def reason(self) -> str:
        """What decided this place, as it is said below a player. Without a figure: it was not
        compared with the row above or below alone."""
        name = LABELS[self.deciding].short or LABELS[self.deciding].name
        return gettext("on %(measure)s") % {"measure": name}

    @property
    def evenings_counted(self) -> str:
        """The number of evenings, as "1 of 2" if not all of them count."""
        if self.counted >= self.evenings:
            return str(self.evenings)
        values = {"counted": self.counted, "all": self.evenings}
        return gettext("%(counted)d of %(all)d") % values

    @property
    def steps(self) -> int:
        """The number of places up or down."""
        return abs(self.climbed or 0)


def rows_of(standings: Standings, names: dict[int, str]) -> list[Row]:
    """The lines of a table with everything that a page shows about them; ties are by name."""
    still_in = players_still_in(standings)
    in_view = {"", *(measure.code for measure in key_columns(standings))}
    rows = [
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
            counted=_evenings_counted(standings, line.who),
            open_games=standings.open_games.get(line.who, 0),
            climbed=_places_gained(standings, line.who, line.rank),
            values=line.values,
            decided=decided_by(line),
            why=_reasons(standings, line, names, still_in),
            tie_break=tie_break(line),
            deciding=line.deciding,
            unseen=line.deciding not in in_view,
            figures=_named_figures(standings, line),
            missing=standings.season[line.who].missing if standings.season else 0,
            still_in=line.who in still_in,
            withdrawn=line.who in standings.ranking.withdrawn,
            tournament=standings.ranking.placed_by.get(line.who, "–"),
        )
        for line in standings.lines
    ]
    by_place = groupby(rows, key=lambda row: (row.rank, row.shared))
    return [
        row
        for (_rank, is_shared), level in by_place
        for row in (sorted(level, key=attrgetter("key")) if is_shared else level)
    ]


def players_still_in(standings: Standings) -> frozenset[int]:
    """The players whose place a bracket has not decided yet: more than one pair shares the best
    place not taken. Only a bracket gives places without figures, and it decides its first two
    places for one pair each."""
    if not standings.places or standings.measures:
        return frozenset()
    for place in (1, 2):
        sharing = [player for player, given in standings.places.items() if given == place]
        if len(sharing) > PAIR:
            return frozenset(sharing)
    return frozenset()


def _reasons(
    standings: Standings, line: Line, names: dict[int, str], still_in: frozenset[int]
) -> tuple[str, ...]:
    """The reasons for a player's place, as sentences."""
    if line.who in still_in:
        return (gettext("The tournament hasn't decided this place."),)
    if standings.places:
        return (reason_by_tournaments(standings, line.who),)
    season = counted_sentences(standings.season[line.who]) if standings.season else []
    return (*explained(line, names.__getitem__), *season)


def key_columns(standings: Standings) -> list[Measure]:
    """The columns that a phone has room for, three at most: the first measure, games won, what
    decided next between players who are level on these, and points (or the next measure, where
    different games were played and points are not added up). With match points, which stand for
    matches won, the measure that follows them replaces games won."""
    all_columns, games_won, points = standings.shown_columns, MEASURES["won"], MEASURES["points"]
    leading_columns = all_columns[:1]
    if PAIR_MEASURES["match_points"] in leading_columns:
        leading_columns, games_won = all_columns[:2], points
    shown = [*leading_columns, games_won]
    following = [measure for measure in standings.measures if measure not in shown]
    if points not in all_columns:
        points = next(iter(following), points)
    elif points not in shown:
        shown += list(filter(_has_decided(standings), following))[:1]
    return [column for column in dict.fromkeys([*shown, points]) if column in all_columns][:3]


def _has_decided(standings: Standings) -> Callable[[Measure], bool]:
    """Whether a measure has a column and decided a place."""
    decisive = {decision.measure for line in standings.lines for decision in line.decisions}
    return lambda measure: measure.code in decisive and measure in standings.shown_columns


def _named_figures(standings: Standings, line: Line) -> tuple[tuple[Text, str], ...]:
    """Every figure of a line as name and text, in the order of the columns."""
    return tuple(
        (LABELS[column.code].name, figure(column.code, line.values[column.code]))
        for column in standings.columns
    )


def _evenings_counted(standings: Standings, player: int) -> int:
    """The number of evenings that count in a season; all of them if its best games count."""
    entrant = standings.season.get(player)
    if entrant is None or entrant.games:
        return standings.evenings.get(player, 0)
    return entrant.counted


def _places_gained(standings: Standings, player: int, rank: int) -> int | None:
    """The places gained in the latest round or evening; None without an earlier one."""
    previous_rank = standings.before.get(player)
    is_unranked = bool(standings.season) and standings.season[player].missing > 0
    return None if previous_rank is None or is_unranked else previous_rank - rank


class FigureColumn(tables.Column):
    """A column of one measure, sorted from best to worst at the first tap."""

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
    """A ranked table. `table_of` adds a column for each measure."""

    rank = tables.Column(
        verbose_name=_("Place"), attrs={"th": {"class": "rank"}, "td": {"class": "rank"}}
    )
    name = tables.Column(verbose_name=_("Player"), order_by=("key", "rank"))
    evenings = tables.Column(verbose_name=_("Sessions"), attrs=NUMBER, initial_sort_descending=True)
    games = tables.Column(verbose_name=_("Games"), attrs=NUMBER, initial_sort_descending=True)
    tournament = tables.Column(verbose_name=_("Tournament"))

    class Meta:
        template_name = "standings/_table.html"
        attrs = {"class": "standings"}
        order_by = ("rank",)

    def render_rank(self, record: Row) -> str:
        if record.missing or record.still_in:
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
    """The table of these rows, with the columns that apply."""
    hidden = [] if standings.evenings else ["evenings"]
    hidden.append("tournament" if standings.shown_columns else "games")
    keys = key_columns(standings)
    table = StandingsTable(
        rows,
        exclude=hidden,
        extra_columns=[
            (measure.code, FigureColumn(measure, key=measure in keys))
            for measure in standings.shown_columns
        ],
        sequence=["rank", "name", *(measure.code for measure in standings.shown_columns), "..."],
        order_by=order_by or "rank",
    )
    table.caption = caption
    return table


SORTABLE = frozenset({"rank", "name", "evenings", "games", "tournament", *LABELS})
"""The columns that a page may be sorted by; one that a table lacks is ignored."""


class GamesTable(tables.Table):
    """The games of a session: players, score and state."""

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

    def __init__(self, games: Sequence[Game], **kwargs: Any) -> None:
        super().__init__(games, **kwargs)
        self.round_titles = round_titles(game.table for game in games)

    def render_round(self, value: int, record: Game) -> int | str:
        """A round of the session goes by its number, one of a tournament by its title."""
        is_own = record.table.round.by_tournament
        return self.round_titles[record.table.pk] if is_own else value

    def render_hands_played(self, value: int) -> str:
        return str(value or "–")  # only the final score was entered


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game: its players as the viewer may see them, its points, whether it won, and
    whether it shares the win of a game that ended early at equal scores (`tied`)."""

    names: tuple[str, ...]
    points: int
    won: bool
    tied: bool = False


def games_of(club_session: Session) -> QuerySet[Any]:
    """The session's games with their tables and players, latest round first."""
    return (
        with_co_winners(club_session.games.all())
        .select_related("table", "table__round")
        .prefetch_related("results__member")
        .order_by("-table__round__number", "table__number", "number")
    )


def with_sides(games: Iterable[Game], names: Mapping[int, str]) -> list[Any]:
    """The games as a list, each with its `sides`, named from `names` by member."""
    now = timezone.now()
    games_with_sides: list[Any] = [as_of(game, now) for game in games]
    for game in games_with_sides:
        game.sides = sides_of(game, names)
    return games_with_sides


def as_seen_by(member: Member, games: Iterable[Any], names: Mapping[int, str]) -> list[Any]:
    """Games with `sides`, with this player's side moved to the front and `decided` set. `left`: the
    game was ended by a substitute in the player's seat, so that it is not the player's to win.
    `round_title` names the round of a tournament, and says how one more hand ended a tied match."""
    own_games = list(games)
    titles = tournament_titles(game.table for game in own_games)
    tied = {game.table_id for game in own_games if any(side.tied for side in game.sides)}
    winners = extra_hands(tied & titles.keys())
    for game in own_games:
        game.round_title = titles.get(game.table_id, "")
        rows = [row for row in game.results.all() if row.member_id == member.pk]
        own_row = max(rows, key=attrgetter("finished"))
        own_side = game.sides.pop(own_row.position % len(game.sides))
        game.left = _left(own_row, game, names)
        game.sides.insert(0, replace(own_side, won=False, tied=False) if game.left else own_side)
        game.decided = not game.left and any(side.won or side.tied for side in game.sides)
        if game.table_id in winners and not game.left:
            texts = gettext("won by one more hand"), gettext("lost by one more hand")
            decision = texts[(own_row.position - winners[game.table_id]) % len(game.sides) > 0]
            game.round_title = f"{game.round_title} · {decision}"
    return own_games


def _left(own_row: Result, game: Any, names: Mapping[int, str]) -> tuple[int, str] | None:
    """The hands a player had of a game, and who ended it in the same seat; None if they did."""
    same_seat = [row for row in game.results.all() if row.position == own_row.position]
    last = next((row for row in same_seat if row.finished and row is not own_row), None)
    return None if own_row.finished or last is None else (own_row.hands, names[last.member_id])


def _in_turn(names: Sequence[str]) -> str:
    """Those who had one seat, one after the other: "Dorothy F., then Vera L."."""
    first, *others = names
    for name in others:
        first = gettext("%(first)s, then %(second)s") % {"first": first, "second": name}
    return first


def sides_of(game: Any, names: Mapping[int, str]) -> list[Side]:
    """The sides in seat order. A substitute is listed after the player they replaced."""
    results = sorted(game.results.all(), key=lambda result: (result.position, result.pk))
    count = len(game.score) or game.table.players
    sides = []
    for side in range(count):
        seats = [result for result in results if result.position % count == side]
        in_seats = [[*seat] for _position, seat in groupby(seats, key=attrgetter("position"))]
        side_names = tuple(_in_turn([names[r.member_id] for r in seat]) for seat in in_seats)
        points = game.score[side] if side < len(game.score) else 0
        in_front = any(result.position in game.winners for result in seats)
        sides.append(Side(side_names, points, in_front))
    if game.co_won or sum(side.won for side in sides) == 1:
        return sides
    return [replace(side, won=False, tied=side.won) for side in sides]
