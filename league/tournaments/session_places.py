"""The places that the tournaments of a session give its players, and their names and pairs."""

from collections.abc import Iterator, Sequence
from math import inf
from statistics import fmean
from typing import Any

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

    The first tournament is that of `_rank_order`. Players who only played in one after it there
    follow in its order, without figures, as those of two tournaments do not compare. Empty if none
    has begun, or while all entries are level. Partners share their place.
    """
    places: dict[int, GivenPlace] = {}
    entries_placed = 0
    tournaments = {tournament.pk: tournament for tournament in begun_in(club_session)}
    for tournament in map(tournaments.__getitem__, _rank_order(list(tournaments))):
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


def _rank_order(latest_first: list[int]) -> list[int]:
    """The tournaments of a session, by key, in the order in which they rank its players: the latest
    first. Of brackets for different players after the same tournament, the one for its best ones
    comes first, as a final before a consolation. No query for fewer than three, else one or two."""
    if len(latest_first) < 3:
        return latest_first
    stages = Stage.objects.filter(tournament__in=latest_first, format__in=BRACKETS)
    brackets = set(stages.values_list("tournament", flat=True))
    order: list[int] = []
    run: list[int] = []
    for key in latest_first:
        if key in brackets:
            run.append(key)
        else:
            order += [*_best_first(run, key), key]
            run = []
    return order + run


def _best_first(brackets: list[int], before: int) -> list[int]:
    """The brackets after a tournament, by the mean place of their players in that; unchanged if a
    player is in two of them."""
    if len(brackets) < 2:
        return brackets
    players: dict[int, set[int]] = {key: set() for key in brackets}
    entries = Entry.objects.filter(tournament__in=brackets)
    for key, *pair in entries.values_list("tournament", "member", "partner"):
        players[key].update(player for player in pair if player is not None)
    if sum(map(len, players.values())) > len(set().union(*players.values())):
        return brackets
    before_places = {
        player: given.place
        for members, given in _places_in(Tournament.objects.get(pk=before))
        for player in members
    }
    return sorted(brackets, key=lambda key: _mean_place(players[key], before_places))


def _mean_place(players: set[int], places: dict[int, int]) -> float:
    """Their mean place; behind every other for players of whom none has one."""
    known = [places[player] for player in players if player in places]
    return fmean(known) if known else inf


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
        if entry not in state.never_drawn
    ]


def ranking_tournaments(club_session: Session) -> TournamentRanking:
    """The tournaments that give the session's places, in that order: each ranks the players who are
    in none before it. One query for fewer than three."""
    placed_by: dict[int, str] = {}
    withdrawn: set[int] = set()
    tournaments: dict[str, Sequence[str]] = {}
    pages: dict[str, str] = {}
    fields = ("name", "public_id", "stages__format", "stages__parameters")
    tournament = [f"tournament__{field}" for field in fields]
    rows = _entries_in(club_session, "member", "partner", "withdrawn_at", *tournament)
    for member, partner, withdrawn_at, name, page, format, parameters in rows:
        players = {player for player in (member, partner) if player is not None} - {*placed_by}
        if players and name not in tournaments:
            tournaments[name] = _codes_of(Stage(format=format, parameters=parameters))
            pages[name] = page
        placed_by |= dict.fromkeys(players, name)
        withdrawn |= players if withdrawn_at else set()
    return TournamentRanking(tournaments, frozenset(withdrawn), pages, placed_by)


def _codes_of(stage: Stage) -> list[str]:
    """The codes of the measures that a stage ranks by; none where a bracket does."""
    has_bracket = stage.format in (*BRACKETS, Stage.Format.GROUPS)
    return [] if has_bracket else [measure.code for measure in measures_of(stage)]


def partners_in(club_session: Session) -> dict[int, int]:
    """The partner of the first player of each pair of a session's tournaments, by the first one in
    `_rank_order` in which either plays. One query for fewer than three."""
    pairs: dict[int, int] = {}
    placed: set[int | None] = set()
    for first, second in _entries_in(club_session, "member", "partner"):
        if second is not None and not placed & {first, second}:
            pairs[first] = second
        placed |= {first, second}
    return pairs


def _entries_in(club_session: Session, *fields: str) -> list[list[Any]]:
    """These fields of the entries of the tournaments begun in a session, in `_rank_order`."""
    entries = Entry.objects.filter(tournament__in=begun_in(club_session).order_by())
    entries = entries.order_by("-tournament_id", "pk")
    by_key: dict[int, list[list[Any]]] = {}
    for key, *values in entries.values_list("tournament", *fields):
        by_key.setdefault(key, []).append(values)
    return [values for key in _rank_order(list(by_key)) for values in by_key[key]]


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
