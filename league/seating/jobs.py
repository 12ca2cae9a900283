"""A round of a large hall is drawn beside the pages: hands are saved while it is planned."""

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

LARGE = 200  # players: more are planned in over half a second, and one thread serves a whole hall
DRAW_ROUND = "league.seating.jobs.draw_round"
OF_DRAWING = Work(Job.Kind.DRAW_ROUND, DRAW_ROUND, Role.Rank.ORGANISER)


def is_large(club_session: Session) -> bool:
    """Whether a round of this session takes longer to plan than others should wait for."""
    return ready(club_session)[: LARGE + 1].count() > LARGE


def draw_beside(
    club_session: Session,
    *,
    by: Actor,
    seed: int,
    sizes: list[int] | None,
    numbers: list[int],
    again: bool = False,
) -> Job:
    """Start drawing beside the pages: a draft of the tables with these `numbers` and those who
    wait (all that are done when there are none), or `again` the draft there is."""
    params = {"session": club_session.public_id, "seed": seed, "sizes": sizes}
    return start_job(
        club_session.club, OF_DRAWING, by=by, params={**params, "numbers": numbers, "again": again}
    )


@task()
def draw_round(job: int) -> None:
    """Plan a round and save it as the session's draft."""
    run_job(job, _draw, _drawn)


def _draw(job: Job) -> Outcome:
    params = job.params
    worker.begin("preparing")
    club_session = session_of(job.club, params["session"])
    how = {"by": actor_of_job(job), "seed": params["seed"], "sizes": params["sizes"]}
    draft = draft_of(club_session)
    if params["again"] and draft is not None:
        drawn = redraw(draft, **how)
    else:
        chosen = live_tables(club_session).filter(number__in=params["numbers"])
        drawn = draft_round(club_session, **how, tables=list(chosen) if params["numbers"] else None)
    return _drawn(job, drawn.tables.count())


def _drawn(job: Job, tables: int) -> Outcome:
    sentence = ngettext("%(n)d table is drawn.", "%(n)d tables are drawn.", tables) % {"n": tables}
    return Outcome(sentence=sentence, leads_to="seating")
