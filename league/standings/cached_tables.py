"""Standings rendered once and cached, by the parameters in the address, the names and revision."""

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
from django.utils.translation import get_language

from league.compiled_sql import read_values
from league.members.models import Club, ClubRuleset, Member
from league.play.models import Game
from league.ranking.statistics import beaten_word
from league.seasons.models import Division, Season
from league.sessions.models import Session
from league.standings import season_queries
from league.standings.labels import LABELS, Text, rule
from league.standings.queries import Standings, names, results_of, with_end
from league.standings.tables import Row, key_columns, rows_of, table_of
from league.standings.text import not_counted, points_that_do_not_count, ranked_by

LONGEST_SEARCH = 60


WHO = ("", "members", "guests")


@dataclass(frozen=True, slots=True)
class Params:
    """Sort (a column, "-" before it for the other way), page, search, who, and of a season: the
    mean evening instead of its own rule, the last day that counts, and the division (its number,
    "all", or "" for the one that is shown first)."""

    sort: str = "rank"
    page: int = 1
    search: str = ""
    who: str = ""
    by: str = ""
    upto: date | None = None
    division: str = ""

    def query(self) -> QueryDict:
        """The same as the query of an address: what the links of a table are made from."""
        given = {"sort": self.sort, "page": str(self.page), "q": self.search}
        given |= {"who": self.who, "by": self.by}
        given |= {"upto": self.upto.isoformat() if self.upto else ""}
        given |= {"division": self.division}
        usual = dict.fromkeys(given, "") | {"sort": "rank", "page": "1"}
        return QueryDict(urlencode({k: v for k, v in given.items() if v != usual[k]}))


def params_of(query: QueryDict, sortable: Set[str]) -> Params:
    """Anything unknown, too long or out of range is as if it had not been said."""
    sort = query.get("sort", "rank")
    page = query.get("page", "1")
    return Params(
        sort=sort if sort.removeprefix("-") in sortable else "rank",
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 5 and int(page) else 1,
        search=query.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH],
        who=query.get("who", "") if query.get("who", "") in WHO else "",
        by="average" if query.get("by") == "average" else "",
        upto=_day(query.get("upto", "")),
        division=_division(query.get("division", "")),
    )


def _division(text: str) -> str:
    known = text == "all" or (text.isascii() and text.isdigit() and len(text) < 4)
    return text if known else ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


# In the order of the model: `from_db` wants them so.
FIELDS = ("id", "public_id", "name", "is_guest", "is_minor", "shown", "user_id", "erased_at")
# A table that was seen before asks for nothing else: Django would take ten times as long.
PLAYED_IN_SESSION = "id IN (SELECT member_id FROM league_result WHERE session_id = %s)"
PLAYED_IN_SEASON = """
    club_id = %s AND EXISTS (
        SELECT 1 FROM league_result JOIN league_session night ON night.id = session_id
        WHERE member_id = league_member.id AND night.season_id = %s
    )
"""


@dataclass(frozen=True, slots=True)
class VisibleMembers:
    """Everybody with a result, those of a game called off too: `rows` of what is shown of them."""

    rows: tuple[tuple[Any, ...], ...]

    def people(self) -> dict[int, Member]:
        """The same as objects, for a table that has to be made."""
        return {row[0]: Member.from_db(DEFAULT_DB_ALIAS, FIELDS, row) for row in self.rows}

    def player(self, user: Any) -> int | None:
        """Which of these people has this account."""
        if not user.is_authenticated:
            return None
        account, wanted = FIELDS.index("user_id"), user.pk
        return next((row[0] for row in self.rows if row[account] == wanted), None)


def visible_in_session(club_session: Session) -> VisibleMembers:
    return _visible(PLAYED_IN_SESSION, club_session.pk)


def visible_in_season(season: Season) -> VisibleMembers:
    return _visible(PLAYED_IN_SEASON, season.club_id, season.pk)


def visible_in_club(club: Club) -> VisibleMembers:
    """Everybody who ever came, with or without a result."""
    return _visible("club_id = %s", club.pk)


def _visible(where: str, *values: int) -> VisibleMembers:
    rest = f"FROM league_member WHERE {where} ORDER BY league_member.id"
    return VisibleMembers(tuple(read_values(Member, FIELDS, rest, *values)))


PER_PAGE = 60
CACHED_SECONDS = 3600
Made = TypeVar("Made")


class Place(NamedTuple):
    """What is said of a line outside the table: on the podium, or as the reader's own.

    A plain tuple, because a page that was kept unpacks one for everybody.
    """

    who: int
    rank: int
    name: str
    missing: int
    decided: str
    why: tuple[str, ...]
    figures: tuple[tuple[str, str, str], ...]
    """Each by its name, by the head of its column on a phone, and as it is written."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rendered table, every line's place for what stands outside it, and what it ranks by: in
    a line, in another what it only shows, and in full (`rule`, rendered).

    It is good `until` the moment when silence accepts a game that is open in it.
    """

    html: str
    places: tuple[Place, ...]
    provisional: bool
    by_tournament: bool = False
    measures: tuple[str, ...] = ()
    until: datetime | None = None
    ranked_by: str = ""
    not_counted: str = ""
    rule: str = ""

    def place_of(self, who: int | None) -> Place | None:
        return next((place for place in self.places if place.who == who), None)

    @property
    def podium(self) -> list[Place]:
        """Anyone who has one of the first three ranks."""
        return [place for place in self.places if place.rank <= 3]


def part_for(
    what: Iterable[object],
    club: Club,
    rank: str | None,
    visible: VisibleMembers,
    params: Params,
    standings: Callable[[dict[int, Member]], Standings],
    caption: str,
    *,
    at: datetime,
) -> Part:
    """The table as `params` ask for it: from the cache where the same was shown to somebody before.

    `what` names the thing and its revision. All that names depend on is part of the key, so a
    name that changes or is hidden is gone at once. A search is never kept: there is no end of them.
    """
    what = (*what, caption, naming(club, rank), visible.rows, params)

    def made() -> Part:
        people = visible.people()
        return _part(standings(people), names(people, club, rank), params, club, caption)

    if params.search:
        return made()
    return cached("standings", what, made, good=lambda p: p.until is None or p.until > at)


def season_part(
    rank: str | None,
    season: Season,
    wanted: Params,
    division: Division | None,
    visible: VisibleMembers,
    revision: tuple[int, int],
) -> Part:
    """A season's table, or that of one of its divisions."""
    rules, now = season_queries.season_rules(season, wanted.by), timezone.now()
    members, chosen = season_queries.members_of(division), season.measures or season.club.measures
    return part_for(
        ("season", season.pk, revision, chosen, rules, members),
        season.club,
        rank,
        visible,
        wanted,
        lambda people: season_queries.season_standings(
            season, at=now, by=wanted.by, upto=wanted.upto, division=division, people=people
        ),
        f"{season.name} · {division.name}" if division else season.name,
        at=now,
    )


def naming(club: Club, rank: str | None) -> tuple[str, ...]:
    """What of a club decides how a viewer of this rank reads names, and where their pages are."""
    return (club.slug, "" if rank else f"{club.visibility} {club.names_in_public}")


def cached(
    kind: str,
    what: Iterable[object],
    make: Callable[[], Made],
    *,
    good: Callable[[Made], bool] = bool,
) -> Made:
    """What is made of this, in this language: from the cache where it was made before.

    The `repr` of `what` names whatever the result depends on. What is no
    longer `good` is made again; what is empty always is.
    """
    key_text = repr((*what, get_language()))
    key = f"{kind}:{hashlib.sha256(key_text.encode()).hexdigest()}"
    stored: Made | None = caches["pages"].get(key)
    if stored is None or not good(stored):
        stored = make()
        caches["pages"].set(key, stored, CACHED_SECONDS)
    return stored


def _part(
    standings: Standings, named: dict[int, str], params: Params, club: Club, caption: str
) -> Part:
    rows = rows_of(standings, named)
    wanted = [row for row in rows if fits(row, params)]
    table = table_of(standings, wanted, order_by=params.sort, caption=caption)
    pages = max(1, -(-len(wanted) // PER_PAGE))
    table.paginate(page=min(params.page, pages), per_page=PER_PAGE)
    context = {"club": club, "caption": caption, "table": table, "standings": standings}
    context["ties"] = any(row.shared and not row.missing for row in wanted)
    context["idle_points"] = points_that_do_not_count(standings)
    context |= {"params": params, "request": SimpleNamespace(GET=params.query())}
    html = render_to_string("standings/_standings.html", context)
    labels = {"rule": rule(standings.measures), "other_columns": rule(standings.other_columns)}
    keys = [LABELS[one.code] for one in key_columns(standings)]
    heads = {one.name: one.brief or one.column for one in keys}
    return Part(
        html=html,
        places=tuple(_place(row, heads) for row in rows),
        provisional=standings.provisional,
        by_tournament=bool(standings.places),
        measures=tuple(measure.code for measure in standings.measures),
        until=standings.until,
        ranked_by=ranked_by(standings),
        not_counted=not_counted(standings),
        rule=render_to_string("standings/_ranking.html", {"standings": standings} | labels),
    )


def _place(row: Row, heads: Mapping[Text, Text]) -> Place:
    shown = [(name, value) for name, value in row.figures if name in heads]
    figures = tuple((str(name), str(heads[name]), value) for name, value in shown)
    return Place(row.who, row.rank, row.name, row.missing, row.decided, row.why, figures)


def fits(row: Row, params: Params) -> bool:
    """Whether a line is among those to show; ranks stay those of the whole table."""
    if params.who and row.is_guest != (params.who == "guests"):
        return False
    return params.search.casefold() in row.key


@dataclass(frozen=True, slots=True)
class Facts:
    """What a finished evening came to. `beaten` is the word for what `euchres` counts."""

    games: int
    hands: int
    people: int
    longest: int
    euchres: int
    beaten: str
    lone_tried: int
    lone_marches: int


def session_facts(club_session: Session) -> Facts:
    """The evening in numbers, from its finished games; kept while its revision stands."""
    key = f"facts:{club_session.pk}:{club_session.revision}"
    facts: Any = caches["pages"].get_or_set(key, lambda: _facts(club_session))
    return cast(Facts, facts)


def _facts(club_session: Session) -> Facts:
    games = club_session.games.filter(finished_at__isnull=False)
    counted = games.exclude(state=Game.State.ABANDONED).aggregate(
        games=Count("pk"), hands=Sum("hands_played", default=0), longest=Max("hands_played")
    )
    ended = Q(game_ended=True)
    took = with_end(results_of(club_session)).aggregate(
        people=Count("member", distinct=True),
        euchres=Sum("euchred", filter=ended, default=0),
        tried=Sum("lone_tried", filter=ended, default=0),
        lone=Sum("lone_marches", filter=ended, default=0),
    )
    played = ClubRuleset.objects.filter(pk__in=games.values("ruleset"))
    walked = club_session.player_places.exclude(
        member__in=results_of(club_session).values("member")
    )
    return Facts(
        games=counted["games"],
        hands=counted["hands"],
        people=took["people"] + walked.count(),
        longest=counted["longest"] or 0,
        euchres=took["euchres"],
        beaten=beaten_word(one.scale.startswith("bid") for one in played),
        lone_tried=took["tried"],
        lone_marches=took["lone"],
    )
