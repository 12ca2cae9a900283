"""Exports: what is in their files, written at once for a small club, else beside the pages."""

import gzip
import json
from datetime import datetime

from django.utils import timezone
from django_tasks import task

from league import worker
from league.access import rank_in, reaches
from league.exchange.archive.writing import archive_of
from league.exchange.results_sheet import ended_games, result_rows
from league.exchange.sheets import RESULTS, sheet
from league.members.actions.jobs import Outcome, actor_of_job, run_job
from league.members.audit import Actor, log_action
from league.members.models import Club, Job, Role
from league.members.public import namer
from league.play.models import Game
from league.standings.queries import HELD

AT_ONCE_GAMES = 500
WRITE_ARCHIVE = "league.exchange.export_jobs.write_archive"
WRITE_RESULTS = "league.exchange.export_jobs.write_results"


def is_small(club: Club) -> bool:
    """Whether everything of a club is written in a moment."""
    return Game.objects.filter(session__club=club)[: AT_ONCE_GAMES + 1].count() <= AT_ONCE_GAMES


def archive_file(club: Club, *, by: Actor, at: datetime) -> bytes:
    """The whole club as JSON, and the entry that somebody took it."""
    data = archive_of(club, at=at)
    worker.begin("writing")
    content = json.dumps(data, ensure_ascii=False).encode()
    log_action(club, by, "export club", club.slug)
    return content


def archive_name(club: Club, at: datetime) -> str:
    """What the file is called."""
    return f"{club.slug} {club.local(at).date()}"


def results_file(club: Club, games: list[Game], rank: str | None, kind: str) -> bytes:
    """The results of games as a sheet, with the names that this rank may see."""
    people = (seat.member for game in games for seat in game.table.current_seats)
    return sheet(RESULTS, result_rows(games, namer(people, club, rank)), kind=kind)


def results_of(club: Club, rank: str | None) -> list[Game]:
    """Every game of the club that has come to a result, for somebody of this rank: of sessions
    whose standings are held back only organisers get them."""
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
