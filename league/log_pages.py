"""The pages, and the leagues, that entries of the activity log are about."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db.models import F, Q, QuerySet
from django.db.models.fields.json import KT
from django.urls import reverse

from league.members.audit import name_in_log
from league.members.audit_changes import LEAGUE_FINDERS, PAGE_FINDERS, LeagueInLog
from league.members.models import AuditEntry, Club
from league.seasons.models import Season
from league.teams.models import Team, TeamLeague, TeamMatch

LEAGUE_ACTIONS = (
    *("make team league", "change team league", "change league rules", "import team league"),
    *("close team league", "call off team league", "reopen team league", "turn team league"),
    "decide in league",
    *("start next league", "start second competition", "make fixtures", "discard fixtures"),
    "move league round",
    *("record play-off", "take back play-off"),
)
TEAM_ACTIONS = (
    *("save team", "withdraw team", "return team", "deduct points", "give back points"),
    *("sign player on", "transfer player", "join fixtures", "join fixtures drawn anew"),
)
CUP_ACTIONS = (
    *("draw cup", "fix cup matches", "draw pairs cup", "fix pairs matches"),
    "record pairs result",
)
BETWEEN_TEAMS = " – "
PAGE_OF_ACTION = {
    "change settings": "club_settings",
    **dict.fromkeys(("add people", "import people"), "members"),
    **dict.fromkeys(("make token", "revoke token"), "tokens"),
    **dict.fromkeys(
        (
            *("give role", "change role", "remove role", "invite", "withdraw invitation"),
            *("accept invitation", "decline invitation", "join by link"),
            *("open club link", "close club link"),
        ),
        "roles",
    ),
}
MEMBER_ACTIONS = (
    *("add member", "add guest", "edit member", "retire member", "return member"),
    *("link account", "merge members"),
)
RULESET_ACTIONS = (
    *("take up ruleset", "change ruleset", "rename ruleset", "set default ruleset"),
    *("retire ruleset", "return ruleset"),
)
SEASON_ACTIONS = (
    *("add season", "change season", "close season", "reopen season", "start next season"),
    *("set divisions", "place members", "choose outcomes"),
)


def match_pages(club: Club, entries: Sequence[AuditEntry]) -> dict[int, str]:
    """The page of the league's match that an entry is about: of its session, or else the only match
    with this name."""
    about = [entry for entry in entries if entry.session is None and BETWEEN_TEAMS in entry.subject]
    sessions = {
        entry.session_id for entry in entries if entry.session and entry.session.of_team_match
    }
    if not about and not sessions:
        return {}
    home_names = {entry.subject.partition(BETWEEN_TEAMS)[0] for entry in about}
    rows = TeamMatch.objects.filter(Q(session__in=sessions) | Q(home__name__in=home_names))
    rows = rows.filter(league__club=club).select_related("league", "home", "away")
    pages: dict[int | str | None, list[str]] = defaultdict(list)
    for match in rows:
        page = reverse("team_match", args=[club.slug, match.league.public_id, match.public_id])
        pages[str(match)].append(page)
        if match.session_id:
            pages[match.session_id].append(page)
    found = {entry.pk: pages[entry.session_id or entry.subject] for entry in entries}
    return {key: all_pages[0] for key, all_pages in found.items() if len(all_pages) == 1}


def team_pages(club: Club, entries: Sequence[AuditEntry]) -> dict[int, str]:
    """The page of the team that an entry is about, where only one has this name."""
    names = {entry.subject for entry in entries if entry.action in TEAM_ACTIONS}
    if not names:
        return {}
    pages: dict[str, list[str]] = defaultdict(list)
    for team in Team.objects.filter(league__club=club, name__in=names).select_related("league"):
        ids = [club.slug, team.league.public_id, team.public_id]
        pages[team.name].append(reverse("team", args=ids))
    found = {entry.pk: pages[entry.subject] for entry in entries if entry.action in TEAM_ACTIONS}
    return {key: all_pages[0] for key, all_pages in found.items() if len(all_pages) == 1}


def pages_by_action(club: Club, entries: Sequence[AuditEntry]) -> dict[int, str]:
    """The page of entries whose action has one page for all subjects, such as the roles."""
    return {
        entry.pk: reverse(PAGE_OF_ACTION[entry.action], args=[club.slug])
        for entry in entries
        if entry.action in PAGE_OF_ACTION
    }


def _finder_by_name(
    actions: Sequence[str], page: str, rows: Callable[[Club, set[str]], Iterable[object]]
) -> Callable[[Club, Sequence[AuditEntry]], dict[int, str]]:
    """A finder of the page of the only row that has the name of an entry's subject."""

    def find(club: Club, entries: Sequence[AuditEntry]) -> dict[int, str]:
        named = {
            entry.pk: entry.subject
            for entry in entries
            if entry.action in actions and entry.session is None
        }
        pages: dict[str, list[str]] = defaultdict(list)
        for row in rows(club, set(named.values())) if named else ():
            ids = [club.slug, row.public_id]  # type: ignore[attr-defined]
            pages[name_in_log(club, row)].append(reverse(page, args=ids))
        return {key: pages[name][0] for key, name in named.items() if len(pages[name]) == 1}

    return find


PAGE_FINDERS += [
    match_pages,
    team_pages,
    pages_by_action,
    _finder_by_name(
        MEMBER_ACTIONS,
        "member_edit",
        lambda club, names: club.members.filter(name__in=names, erased_at=None),
    ),
    _finder_by_name(RULESET_ACTIONS, "ruleset", lambda club, _names: club.rulesets.all()),
    _finder_by_name(
        SEASON_ACTIONS,
        "season_standings",
        lambda club, names: Season.objects.filter(club=club, name__in=names),
    ),
]


def leagues_of(club: Club, entries: Sequence[AuditEntry]) -> dict[int, list[LeagueInLog]]:
    """The leagues that an entry may be about: that of its match's session, else those with a team,
    match, cup or league of its name, or that once had it. Of several it is the one that was open at
    the time."""
    sessions = {
        entry.session_id for entry in entries if entry.session and entry.session.of_team_match
    }
    about = [
        entry
        for entry in entries
        if (entry.session is None or entry.session.of_team_match) and _is_in_league(entry)
    ]
    if not about and not sessions:
        return {}
    leagues = {
        league.pk: league
        for league in club.team_leagues.prefetch_related("teams", "cups", "pairs_cups")
    }
    matches = TeamMatch.objects.filter(session__in=sessions).select_related("home", "away")
    found: dict[tuple[str, int | None], list[tuple[TeamLeague, list[str]]]] = {
        ("session", match.session_id): [(leagues[match.league_id], [str(match)])]
        for match in matches
    }
    names = _names_by_league(club, leagues.values())
    for entry in about:
        if _key(entry) in found:
            continue
        possible = _in_its_league(entry, _leagues_with(_names_of(entry), names))
        found[_key(entry)] = [one for one in possible if _was_open(one[0], entry)] or possible
    return {
        entry.pk: [
            LeagueInLog(
                league.name, reverse("team_league", args=[club.slug, league.public_id]), now
            )
            for league, now in found.get(_key(entry), ())
        ]
        for entry in entries
    }


def _names_by_league(club: Club, leagues: Iterable[TeamLeague]) -> dict[TeamLeague, dict[str, str]]:
    """The names of each league and its parts, also earlier ones: each with the name of today."""
    names = {league: _names_in(league) for league in leagues}
    for was, became in _renamed(club):
        for has in names.values():
            if became in has:
                has.setdefault(was, has[became])
    return names


def _leagues_with(
    wanted: set[str], names: Mapping[TeamLeague, Mapping[str, str]]
) -> list[tuple[TeamLeague, list[str]]]:
    """The leagues that have all these names, each with the names of today."""
    return [
        (league, [has[name] for name in wanted])
        for league, has in names.items()
        if wanted <= has.keys()
    ]


def _in_its_league(
    entry: AuditEntry, leagues: list[tuple[TeamLeague, list[str]]]
) -> list[tuple[TeamLeague, list[str]]]:
    """Of leagues with equal names the one that the entry was written in, where it says so."""
    written_in = entry.new.get("in_league") if isinstance(entry.new, dict) else None
    return [one for one in leagues if one[0].public_id == written_in] or leagues


def _renamed(club: Club) -> QuerySet[AuditEntry, tuple[str, str]]:
    """The earlier names of teams and leagues, each with the name that followed, latest first."""
    saved = club.audit.filter(action__in=("save team", "change team league"), old__has_key="name")
    named = saved.annotate(was=KT("old__name"), became=KT("new__name")).exclude(was=F("became"))
    return named.order_by("-pk").values_list("was", "became")


def _key(entry: AuditEntry) -> tuple[str, int | None]:
    return ("session", entry.session_id) if entry.session_id else ("entry", entry.pk)


def _is_in_league(entry: AuditEntry) -> bool:
    actions = LEAGUE_ACTIONS + TEAM_ACTIONS + CUP_ACTIONS
    return entry.action in actions or BETWEEN_TEAMS in entry.subject


def _names_of(entry: AuditEntry) -> set[str]:
    """The names in an entry's subject: both teams of a match, else a team, a cup or a league."""
    has_name = entry.action in TEAM_ACTIONS + CUP_ACTIONS
    return {entry.subject} if has_name else {*entry.subject.split(BETWEEN_TEAMS)}


def _names_in(league: TeamLeague) -> dict[str, str]:
    """The names of a league, its teams and cups: each with the name that it has today."""
    parts = [league, *league.teams.all(), *league.cups.all(), *league.pairs_cups.all()]
    return {str(part): str(part) for part in parts}


def _was_open(league: TeamLeague, entry: AuditEntry) -> bool:
    is_finished = league.finished_at is not None and league.finished_at < entry.at
    return league.made_at <= entry.at and not is_finished


LEAGUE_FINDERS.append(leagues_of)
