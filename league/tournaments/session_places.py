"""The places that the tournaments of a session give its players, and their names and pairs."""

from collections.abc import Iterator, Sequence

from django.db.models import Q, QuerySet

from league.members.models import Club
from league.seating.models import Round
from league.sessions.models import Session
from league.standings.models import GivenPlace, TournamentRanking
from league.standings.queries import given_places
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.queries import entry_places, stage_of
from league.tournaments.stage_state import BRACKETS, load_stage
from league.tournaments.standing import measures_of, standing_of

EntryPlaces = list[tuple[list[int], GivenPlace]]
"""The players of each entry of a tournament, with its place."""


def begun_in(club_session: Session) -> QuerySet[Tournament]:
    """The tournaments of a session with a published round, the latest first."""
    not_cancelled = club_session.tournaments.exclude(state=Tournament.State.CANCELLED)
    begun = not_cancelled.filter(stages__rounds__seating__state=Round.State.PUBLISHED)
    return begun.order_by("-pk").distinct()


def shown_in(club_session: Session, latest: Tournament | None) -> Tournament | None:
    """The tournament whose rounds a session shows: its `latest`, or until that has a published
    round, the one before it, if any."""
    if latest is None or latest.state != Tournament.State.SETUP:
        return latest
    earlier = begun_in(club_session).first()
    if earlier is None:
        return latest
    earlier.club, earlier.session = club_session.club, club_session
    return earlier


def session_places(club_session: Session) -> dict[int, GivenPlace]:
    """Each player's place in a session by its tournaments, with the figures that decide it.

    The latest tournament with a published round comes first. Players who only played in an earlier
    one follow in its order, without figures, as those of two tournaments do not compare. Empty if
    none has begun, or while all entries are level. Partners share their place.
    """
    places: dict[int, GivenPlace] = {}
    entries_placed = 0
    for tournament in begun_in(club_session):
        remaining = [
            (players, given)
            for members, given in _places_in(tournament)
            if (players := [member for member in members if member not in places])
        ]
        if places:
            remaining = _after(entries_placed, remaining)
        places |= {member: given for players, given in remaining for member in players}
        entries_placed += len(remaining)
    return places if len({given.place for given in places.values()}) > 1 else {}


def _after(entries_placed: int, entries: EntryPlaces) -> EntryPlaces:
    """The entries in the same order, with the places after those taken and without figures."""
    order = sorted(given.place for _players, given in entries)
    return [
        (players, GivenPlace(entries_placed + 1 + order.index(given.place)))
        for players, given in entries
    ]


def _places_in(tournament: Tournament) -> EntryPlaces:
    """The place of each entry of a tournament, with its figures. Entries still in a bracket share
    the best place not taken. A bracket has no figures, as it ranks by the round of elimination."""
    state = load_stage(stage_of(tournament))
    standing = standing_of(state)
    places = entry_places(state, standing)
    codes = (
        []
        if state.in_bracket
        else [measure.code for measure in standing.measures if not measure.among]
    )
    figures = {line.who: {code: line.values[code] for code in codes} for line in standing.lines}
    best_left = 2 if 1 in places.values() else 1  # the champion, while third place is open
    return [
        (
            [member.pk for member in state.entries[entry].people],
            GivenPlace(place or best_left, figures[entry]),
        )
        for entry, place in places.items()
    ]


def ranking_tournaments(club_session: Session) -> TournamentRanking:
    """The tournaments that give the session's places, the latest first: each ranks the players who
    are in none before it. One query."""
    placed: set[int] = set()
    withdrawn: set[int] = set()
    tournaments: dict[str, Sequence[str]] = {}
    stage = ("tournament__name", "tournament__stages__format", "tournament__stages__parameters")
    rows = _entries_in(club_session).values_list("member", "partner", "withdrawn_at", *stage)
    for member, partner, withdrawn_at, name, format, parameters in rows:
        players = {player for player in (member, partner) if player is not None} - placed
        if players and name not in tournaments:
            tournaments[name] = _codes_of(Stage(format=format, parameters=parameters))
        placed |= players
        withdrawn |= players if withdrawn_at else set()
    return TournamentRanking(tournaments, frozenset(withdrawn))


def _codes_of(stage: Stage) -> list[str]:
    """The codes of the measures that a stage ranks by; none where a bracket does."""
    has_bracket = stage.format in (*BRACKETS, Stage.Format.GROUPS)
    return [] if has_bracket else [measure.code for measure in measures_of(stage)]


def partners_in(club_session: Session) -> dict[int, int]:
    """The partner of the first player of each pair of a session's tournaments, by the latest one in
    which either plays. One query."""
    pairs: dict[int, int] = {}
    placed: set[int | None] = set()
    for first, second in _entries_in(club_session).values_list("member", "partner"):
        if second is not None and not placed & {first, second}:
            pairs[first] = second
        placed |= {first, second}
    return pairs


def _entries_in(club_session: Session) -> QuerySet[Entry]:
    entries = Entry.objects.filter(tournament__in=begun_in(club_session).order_by())
    return entries.order_by("-tournament_id", "pk")


def wrong_places(
    club: Club,
) -> Iterator[tuple[Session, dict[int, GivenPlace], dict[int, GivenPlace]]]:
    """The club's sessions whose stored places differ from those of their tournament.

    Yields each session with its stored and its computed places.
    """
    ranked = Q(tournaments__isnull=False) | Q(player_places__isnull=False)
    for club_session in club.sessions.filter(ranked).distinct().order_by("pk"):
        stored, computed = given_places(club_session), session_places(club_session)
        if stored != computed:
            yield club_session, stored, computed
