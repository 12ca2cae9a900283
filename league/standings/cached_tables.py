"""Rendered standings, cached by the parameters in the address, the names shown and the revision."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar, cast

from django.core.cache import caches
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count, Max, Q, Sum
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from league.compiled_sql import read_values
from league.labels import as_partners
from league.members.models import Club, ClubRuleset, Member, has_public_page
from league.play.models import Game
from league.ranking.statistics import beaten_word
from league.seasons.models import Division, Season
from league.sessions.models import Session, turned_up
from league.standings import season_queries
from league.standings import text as texts
from league.standings.labels import LABELS, Text
from league.standings.queries import Standings, names, results_of, with_end
from league.standings.tables import Row, key_columns, rows_of, table_of

LONGEST_SEARCH = 60


GROUPS = ("", "members", "guests")


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of a table: sort column ("-" before it for descending), page, search, `who`
    (members or guests); for a season also the mean evening instead of its own rule (`by`), the last
    day that counts, and the division (its number, "all", or "" for the default)."""

    sort: str = "rank"
    page: int = 1
    search: str = ""
    who: str = ""
    by: str = ""
    upto: date | None = None
    division: str = ""

    def query(self) -> QueryDict:
        """The same as a query string, from which the links of a table are built."""
        values = {"sort": self.sort, "page": str(self.page), "q": self.search}
        values |= {"who": self.who, "by": self.by}
        values |= {"upto": self.upto.isoformat() if self.upto else ""}
        values |= {"division": self.division}
        defaults = dict.fromkeys(values, "") | {"sort": "rank", "page": "1"}
        return QueryDict(
            urlencode({name: value for name, value in values.items() if value != defaults[name]})
        )


def params_of(query: QueryDict, sortable: Set[str]) -> Params:
    """The parameters in a query. Values that are unknown, too long or out of range are ignored."""
    sort = query.get("sort", "rank")
    page = query.get("page", "1")
    return Params(
        sort=sort if sort.removeprefix("-") in sortable else "rank",
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 5 and int(page) else 1,
        search=query.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH],
        who=query.get("who", "") if query.get("who", "") in GROUPS else "",
        by="average" if query.get("by") == "average" else "",
        upto=_parse_day(query.get("upto", "")),
        division=_parse_division(query.get("division", "")),
    )


def _parse_division(text: str) -> str:
    is_known = text == "all" or (text.isascii() and text.isdigit() and len(text) < 4)
    return text if is_known else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


# In the order of the model, as `from_db` requires.
FIELDS = ("id", "public_id", "name", "is_guest", "is_minor", "shown", "user_id", "erased_at")
# The only query for a cached table; through Django's models it would take ten times as long.
PLAYED_IN_SESSION = """id IN (SELECT member_id FROM league_result WHERE session_id = %s
    UNION SELECT member_id FROM league_sessionplace WHERE session_id = %s)"""
PLAYED_IN_SEASON = """
    club_id = %s AND EXISTS (
        SELECT 1 FROM league_result JOIN league_session night ON night.id = session_id
        WHERE member_id = league_member.id AND night.season_id = %s
    )
"""


@dataclass(frozen=True, slots=True)
class VisibleMembers:
    """Members with a result, even of a game not played, or a place, as `rows` of fields shown."""

    rows: tuple[tuple[Any, ...], ...]

    def people(self) -> dict[int, Member]:
        """The members as model instances, for a table that is not cached."""
        return {row[0]: Member.from_db(DEFAULT_DB_ALIAS, FIELDS, row) for row in self.rows}

    def player(self, user: Any) -> int | None:
        """The id of the member with this account, if any."""
        if not user.is_authenticated:
            return None
        account, user_id = FIELDS.index("user_id"), user.pk
        return next((row[0] for row in self.rows if row[account] == user_id), None)


def visible_in_session(club_session: Session) -> VisibleMembers:
    return _visible_members(PLAYED_IN_SESSION, club_session.pk, club_session.pk)


def visible_in_season(season: Season) -> VisibleMembers:
    return _visible_members(PLAYED_IN_SEASON, season.club_id, season.pk)


def visible_in_club(club: Club) -> VisibleMembers:
    """All members of the club, with or without a result, without merged duplicates."""
    return _visible_members("club_id = %s AND merged_into_id IS NULL", club.pk)


def _visible_members(condition: str, *values: int) -> VisibleMembers:
    clauses = f"FROM league_member WHERE {condition} ORDER BY league_member.id"
    return VisibleMembers(tuple(read_values(Member, FIELDS, clauses, *values)))


PER_PAGE = 60
CACHED_SECONDS = 3600
Cached = TypeVar("Cached")


class Place(NamedTuple):
    """A line as shown outside the table: on the podium, or as the reader's own.

    A plain tuple, because a cached page unpickles one for every player.
    """

    who: int
    rank: int
    name: str
    missing: int
    decided: str
    why: tuple[str, ...]
    figures: tuple[tuple[str, str, str], ...]
    """Each figure as its name, its column heading on a phone, and its text."""
    shared: bool = False
    still_in: bool = False
    public_id: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A rendered table, the places of all its lines, and its ranking: in one line (`ranked_by`),
    the columns that do not count (`not_counted`), and in full (`rule`, rendered).

    Valid `until` the next open game is confirmed because nobody disputed it.
    """

    html: str
    places: tuple[Place, ...]
    provisional: bool
    by_tournament: bool = False
    outdated: bool = False
    measures: tuple[str, ...] = ()
    until: datetime | None = None
    ranked_by: str = ""
    not_counted: str = ""
    rule: str = ""

    def place_of(self, player: int | None) -> Place | None:
        return next((place for place in self.places if place.who == player), None)

    def html_for(self, own: Place | None) -> str:
        """The table with the reader's own row marked; it is cached for all readers alike."""
        if own is None:
            return self.html
        row = f'<tr data-player="{own.public_id}"'
        return mark_safe(self.html.replace(row, f'{row} class="mine"'))  # noqa: S308 - our own page

    @property
    def podium(self) -> list[Place]:
        """The places with one of the first three ranks; partners, who have one together, as one.
        Empty if a bracket was not played to its end, or does not follow a correction yet."""
        podium: list[Place] = []
        if self.outdated or any(place.still_in for place in self.places):
            return podium
        for place in (place for place in self.places if place.rank <= 3):
            if podium and podium[-1].rank == place.rank and not place.shared:
                place = place._replace(name=as_partners([podium.pop().name, place.name]))
            podium.append(place)
        return podium


def part_for(
    key_parts: Iterable[object],
    club: Club,
    rank: str | None,
    visible: VisibleMembers,
    params: Params,
    standings: Callable[[dict[int, Member]], Standings],
    caption: str,
    *,
    at: datetime,
) -> Part:
    """The table for these parameters, from the cache if possible.

    `key_parts` identify the session or season and its revision. Everything that names depend on is
    part of the key, so a changed or hidden name disappears at once. Searches are not cached,
    because their number is unlimited.
    """
    key_parts = (*key_parts, caption, naming(club, rank), visible.rows, params)

    def build_part() -> Part:
        table = standings(people := visible.people())
        linked = {pk for pk, person in table.people.items() if has_public_page(person, club, rank)}
        return _build_part(table, names(people, club, rank), params, club, caption, linked)

    if params.search:
        return build_part()

    def is_current(part: Part) -> bool:
        return part.until is None or part.until > at

    return cached("standings", key_parts, build_part, is_valid=is_current)


def season_part(
    rank: str | None,
    season: Season,
    params: Params,
    division: Division | None,
    visible: VisibleMembers,
    revision: tuple[int, int],
) -> Part:
    """The table of a season, or of one of its divisions."""
    rules, now = season_queries.season_rules(season, params.by), timezone.now()
    members, measures = season_queries.members_of(division), season.measures or season.club.measures
    return part_for(
        ("season", season.pk, revision, measures, rules, members),
        season.club,
        rank,
        visible,
        params,
        lambda people: season_queries.season_standings(
            season, at=now, by=params.by, upto=params.upto, division=division, people=people
        ),
        f"{season.name} · {division.name}" if division else season.name,
        at=now,
    )


def naming(club: Club, rank: str | None) -> tuple[str, ...]:
    """The settings of a club that affect how a viewer of this role sees names and their links."""
    return (club.slug, "" if rank else f"{club.visibility} {club.names_in_public}")


def cached(
    kind: str,
    key_parts: Iterable[object],
    build: Callable[[], Cached],
    *,
    is_valid: Callable[[Cached], bool] = bool,
) -> Cached:
    """The result of `build` in the current language, from the cache if possible.

    The `repr` of `key_parts` must identify everything that the result depends on. A result that is
    not `is_valid` any more is rebuilt; by default, one that is empty.
    """
    key_text = repr((*key_parts, get_language()))
    key = f"{kind}:{hashlib.sha256(key_text.encode()).hexdigest()}"
    stored: Cached | None = caches["pages"].get(key)
    if stored is None or not is_valid(stored):
        stored = build()
        caches["pages"].set(key, stored, CACHED_SECONDS)
    return stored


def _build_part(
    standings: Standings,
    names_by_member: dict[int, str],
    params: Params,
    club: Club,
    caption: str,
    linked: Set[int],
) -> Part:
    """The part, with links to those players whose page the reader may open (`linked`)."""
    rows = rows_of(standings, names_by_member)
    visible_rows = [row for row in rows if fits(row, params)]
    table = table_of(standings, visible_rows, order_by=params.sort, caption=caption)
    pages = max(1, -(-len(visible_rows) // PER_PAGE))
    table.paginate(page=min(params.page, pages), per_page=PER_PAGE)
    context = {"club": club, "caption": caption, "table": table, "standings": standings}
    context["linked"] = linked
    context["ties"] = any(r.shared and not (r.missing or r.still_in) for r in visible_rows)
    context["games_differ"] = not standings.evenings and len({row.games for row in rows}) > 1
    context["moved"] = any(row.climbed for row in visible_rows)
    context["still_in"] = any(row.still_in for row in visible_rows)
    context["idle_points"] = texts.points_that_do_not_count(standings)
    keys = key_columns(standings)
    in_view = [measure.code for measure in standings.shown_columns if measure in keys]
    context["only_on_wider_phones"] = in_view[1] if len(in_view) > 2 else None
    context |= {f"{code}_in_view": code in in_view for code in ("points", "above", "share")}
    context |= {"params": params, "request": SimpleNamespace(GET=params.query())}
    html = render_to_string("standings/_standings.html", context)
    heads = {label.name: label.brief or label.column for label in map(LABELS.__getitem__, in_view)}
    return Part(
        html=html,
        places=tuple(_place_from(row, heads) for row in rows),
        provisional=standings.provisional,
        by_tournament=bool(standings.places),
        outdated=standings.outdated,
        measures=tuple(measure.code for measure in standings.measures),
        until=standings.until,
        ranked_by=texts.ranked_by(standings),
        not_counted=texts.not_counted(standings),
        rule=texts.how_ranking_works(standings),
    )


def _place_from(row: Row, heads: Mapping[Text, Text]) -> Place:
    key_figures = [(name, value) for name, value in row.figures if name in heads]
    figures = tuple((str(name), str(heads[name]), value) for name, value in key_figures)
    texts = (row.name, row.missing, row.decided, row.why)
    return Place(row.who, row.rank, *texts, figures, row.shared, row.still_in, row.public_id)


def fits(row: Row, params: Params) -> bool:
    """Whether a line is shown with these parameters; its rank stays that in the whole table."""
    if params.who and row.is_guest != (params.who == "guests"):
        return False
    return params.search.casefold() in row.key


@dataclass(frozen=True, slots=True)
class Facts:
    """A finished session in numbers. `beaten` is the word for what `euchres` counts;
    `hand_games` games were entered hand by hand."""

    games: int
    hand_games: int
    hands: int
    people: int
    longest: int
    euchres: int
    beaten: str
    lone_tried: int
    lone_marches: int


def session_facts(club_session: Session) -> Facts:
    """The session in numbers, from its finished games; cached by its revision."""
    key = f"facts:{club_session.pk}:{club_session.revision}"
    facts: Any = caches["pages"].get_or_set(key, lambda: _count_facts(club_session))
    return cast(Facts, facts)


def _count_facts(club_session: Session) -> Facts:
    games = club_session.games.filter(finished_at__isnull=False)
    game_sums = games.exclude(state=Game.State.ABANDONED).aggregate(
        games=Count("pk"),
        hand_games=Count("pk", filter=Q(hands_played__gt=0)),
        hands=Sum("hands_played", default=0),
        longest=Max("hands_played"),
    )
    has_ended = Q(game_ended=True)
    result_sums = with_end(results_of(club_session)).aggregate(
        people=Count("member", distinct=True),
        euchres=Sum("euchred", filter=has_ended, default=0),
        tried=Sum("lone_tried", filter=has_ended, default=0),
        lone=Sum("lone_marches", filter=has_ended, default=0),
    )
    rulesets = ClubRuleset.objects.filter(pk__in=games.values("ruleset"))
    without_results = club_session.player_places.filter(turned_up("session", "member")).exclude(
        member__in=results_of(club_session).values("member")
    )
    return Facts(
        games=game_sums["games"],
        hand_games=game_sums["hand_games"],
        hands=game_sums["hands"],
        people=result_sums["people"] + without_results.count(),
        longest=game_sums["longest"] or 0,
        euchres=result_sums["euchres"],
        beaten=beaten_word(ruleset.scale.startswith("bid") for ruleset in rulesets),
        lone_tried=result_sums["tried"],
        lone_marches=result_sums["lone"],
    )
