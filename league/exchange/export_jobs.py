"""Exports: the content of their files, one's own data included, and the jobs that write them."""

import gzip
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, Q
from django.utils import timezone
from django_tasks import task

from league import worker
from league.access import rank_in, reaches
from league.exchange.archive_writing import archive_of
from league.exchange.results_sheet import ended_games, played_to_the_end, result_rows
from league.exchange.sheets import RESULTS, sheet
from league.members.actions.jobs import Outcome, actor_of_job, run_job
from league.members.audit import Actor, log_action
from league.members.models import Club, Job, Member, Role, User, namer
from league.play.models import Game
from league.standings.queries import HELD
from league.tournaments.models import Entry

AT_ONCE_GAMES = 500
WRITE_ARCHIVE = "league.exchange.export_jobs.write_archive"
WRITE_RESULTS = "league.exchange.export_jobs.write_results"


def is_small(club: Club) -> bool:
    """Whether a club is small enough to export during a request."""
    return Game.objects.filter(session__club=club)[: AT_ONCE_GAMES + 1].count() <= AT_ONCE_GAMES


def archive_file(club: Club, *, by: Actor, at: datetime) -> bytes:
    """The whole club as JSON; logs the export."""
    data = archive_of(club, at=at)
    worker.begin("writing")
    content = json.dumps(data, ensure_ascii=False).encode()
    log_action(club, by, "export club", club)
    return content


def archive_name(club: Club, at: datetime) -> str:
    """The name of the file."""
    return f"{club.slug} {club.local(at).date()}"


def results_file(club: Club, games: list[Game], rank: str | None, kind: str) -> bytes:
    """The results of games as a sheet, with names as this rank may see them."""
    people = (member for game in games for member in played_to_the_end(game))
    name_of = namer(people, club, rank, numbered=False)
    return sheet(RESULTS, result_rows(games, name_of), kind=kind)


def results_of(club: Club, rank: str | None) -> list[Game]:
    """Every game of the club with a result; those of sessions whose standings are held back only
    for organisers."""
    games = Game.objects.filter(session__club=club)
    return list(ended_games(games if reaches(rank, Role.Rank.ORGANISER) else games.exclude(HELD)))


@task()
def write_archive(job: int) -> None:
    """Write the whole club into a file."""
    run_job(job, _archive)


@task()
def write_results(job: int) -> None:
    """Write every result of the club into a file."""
    run_job(job, _results)


def _archive(job: Job) -> Outcome:
    at = timezone.now()
    worker.begin("preparing")
    content = archive_file(job.club, by=actor_of_job(job), at=at)
    return _file(content, archive_name(job.club, at), "json")


def _results(job: Job) -> Outcome:
    worker.begin("preparing")
    rank, kind = rank_in(job.club, job.user), job.params["kind"]
    games = results_of(job.club, rank)
    worker.begin("writing")
    content = results_file(job.club, games, rank, kind)
    return _file(content, f"{job.club.name} results", kind)


def _file(content: bytes, name: str, kind: str) -> Outcome:
    packed = gzip.compress(content, compresslevel=1)
    return Outcome(file=packed, file_name=name[:200], file_kind=kind)


# What the file of one's own data calls a field, instead of its lookup path.
LABELS = {
    "session__name": "session",
    "session__held_on": "date",
    "game__public_id": "game",
    "players": "players at the table",
    "win_share": "share of the win",
    "points_against": "points of the other side",
    "calls_made": "calls made",
    "lone_tried": "lone hands tried",
    "lone_marches": "lone marches",
    "made_at": "signed up at",
    "placed_at": "place given at",
    "sent_at": "sent at",
    "league__name": "league",
    "team__name": "team",
    "arrived_at": "checked in at",
    "left_at": "left at",
    "pot__name": "pot",
    "kind": "kind",
    "entered_at": "recorded at",
    "withdrawn_at": "taken back at",
    "season__name": "season",
    "division__name": "division",
    "tournament__name": "tournament",
    "tournament__session__held_on": "date",
    "table__number": "table",
    "position": "your seat",
    "table__games__public_id": "game",
    "table__games__hands__number": "hand",
    "table__games__hands__record": "record",
    "table__games__hands__outcome": "outcome",
    "table__games__hands__points": "points by seat",
}
HAND = [n for n in LABELS if n.startswith(("table__games", "session__held", "position"))]
RESULT = (
    "session__name",
    "session__held_on",
    "game__public_id",
    "players",
    "hands",
    "win_share",
    "points",
    "points_against",
    "calls",
    "calls_made",
    "lone_tried",
    "lone_marches",
)


def data_of(user: User) -> dict[str, Any]:
    """A user's account, roles, and players in each club with sessions and results, as data for
    JSON."""
    return {
        "account": {
            "username": user.username,
            "name shown to others": user.display_name,
            "email": user.email,
            "language": user.language,
            "joined": user.date_joined,
            "last sign-in": user.last_login,
        },
        "roles": [
            {"club": role.club.name, "rank": role.rank, "since": role.given_at}
            for role in user.roles.select_related("club").order_by("club__name")
        ],
        "plays as": [_person(m) for m in user.players.select_related("club").order_by("pk")],
    }


def _person(member: Member) -> dict[str, Any]:
    attended = member.attendances.order_by("session__held_on")
    return {
        "club": member.club.name,
        "name": member.name,
        "former names": member.former_names,
        "email": member.email,
        "shown in public": member.shown,
        "reminded by email": member.reminders,
        "agreed to mail at": member.confirmed_email,
        "under 18": member.is_minor,
        "guest": member.is_guest,
        "since": member.joined_at,
        "signed up": _labelled(
            member.sign_ups.values("session__name", "session__held_on", "made_at", "placed_at")
        ),
        "reminders sent": _labelled(member.reminded_of.values("session__name", "sent_at")),
        "teams": _labelled(member.team_places.order_by("pk").values("league__name", "team__name")),
        "sessions": _labelled(
            attended.values("session__name", "session__held_on", "arrived_at", "left_at")
        ),
        "payments": _labelled(
            member.payments.values("pot__name", "kind", "amount", "entered_at", "withdrawn_at")
        ),
        "tournaments": _labelled(
            Entry.objects.filter(Q(member=member) | Q(partner=member))
            .order_by("tournament__session__held_on", "pk")
            .values("tournament__name", "tournament__session__held_on", "entered_at")
        ),
        "divisions": _labelled(
            member.placements.values("season__name", "division__name", "outcome")
        ),
        "results": _labelled(
            member.results.order_by("session__held_on", "game_id").values(*RESULT)
        ),
        "hands": _labelled(_hands(member)),
    }


def _hands(member: Member) -> Iterable[Mapping[str, Any]]:
    """Every counted hand that the member played, with seats and cards but without names."""
    until = Q(until_hand=None) | Q(table__games__hands__number__lte=F("until_hand"))
    sat = member.seats.filter(
        until,
        table__games__hands__current=True,
        table__games__hands__struck=False,
        table__games__hands__number__gte=F("from_hand"),
    )
    order = ("session__held_on", "table__games__public_id", "table__games__hands__number")
    return sat.order_by(*order).values(*HAND)


def _labelled(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{LABELS.get(name, name): value for name, value in row.items()} for row in rows]
