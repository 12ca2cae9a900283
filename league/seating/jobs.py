"""Drawing a large round in a background job, so that requests are answered while it is planned."""

from django.utils.translation import ngettext
from django_tasks import task

from league import worker
from league.members.actions.jobs import Outcome, Work, actor_of_job, run_job, start_job
from league.members.audit import Actor
from league.members.models import Job, Role
from league.seating.actions import draft_round, redraw
from league.seating.queries import draft_of, live_tables
from league.sessions.models import Session
from league.sessions.queries import ready, session_of

LARGE = 200  # players: planning for more takes over half a second, and one thread serves all
DRAW_ROUND = "league.seating.jobs.draw_round"
DRAWING = Work(Job.Kind.DRAW_ROUND, DRAW_ROUND, Role.Rank.ORGANISER)


def is_large(club_session: Session) -> bool:
    """Whether a round of this session takes too long to plan within a request."""
    return ready(club_session)[: LARGE + 1].count() > LARGE


def start_drawing(
    club_session: Session,
    *,
    by: Actor,
    seed: int,
    sizes: list[int] | None,
    numbers: list[int],
    again: bool = False,
) -> Job:
    """Start a background job that draws a draft, or with `again` redraws the current one.

    It seats the players waiting and those at the tables with these `numbers`; without numbers,
    those at all tables that are done.
    """
    params = {"session": club_session.public_id, "seed": seed, "sizes": sizes}
    return start_job(
        club_session.club, DRAWING, by=by, params={**params, "numbers": numbers, "again": again}
    )


@task()
def draw_round(job: int) -> None:
    """Plan a round and save it as the session's draft."""
    run_job(job, _draw_draft, _outcome)


def _draw_draft(job: Job) -> Outcome:
    params = job.params
    worker.begin("preparing")
    club_session = session_of(job.club, params["session"])
    options = {"by": actor_of_job(job), "seed": params["seed"], "sizes": params["sizes"]}
    draft = draft_of(club_session)
    if params["again"] and draft is not None:
        new_draft = redraw(draft, **options)
    else:
        tables = live_tables(club_session).filter(number__in=params["numbers"])
        new_draft = draft_round(
            club_session, **options, tables=list(tables) if params["numbers"] else None
        )
    return _outcome(job, new_draft.tables.count())


def _outcome(job: Job, tables: int) -> Outcome:
    sentence = ngettext("%(n)d table is drawn.", "%(n)d tables are drawn.", tables) % {"n": tables}
    return Outcome(sentence=sentence, leads_to="seating")
