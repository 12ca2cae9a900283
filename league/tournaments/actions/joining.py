"""Somebody joins when the draw is full: the rounds to come are drawn anew, as they were seen."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.sessions.actions import bump
from league.tournaments.actions.drawing import clear_draft
from league.tournaments.actions.entering import admit, refuse_entering
from league.tournaments.actions.setup import locked
from league.tournaments.draws.late import drawn_anew
from league.tournaments.draws.redrawn import NEWCOMER, stored
from league.tournaments.models import Entry, Tournament
from league.tournaments.picture import picture_of


@transaction.atomic
def enter_drawn_anew(
    tournament: Tournament,
    member: Member,
    *,
    partner: Member,
    seed: int,
    seen: str,
    by: Actor,
    at: datetime,
) -> Entry:
    """A pair joins a full round robin, or group: the rounds to come are drawn anew by the seed.

    What is published stands; a draft is thrown away. `seen` is the mark of the draw the organiser
    has looked at: refuses (`plan_changed`) where it would be another now.
    """
    fresh = locked(tournament)
    refuse_entering(fresh, member, partner)
    stage = fresh.stages.get(number=1)
    stage.tournament = fresh
    clear_draft(fresh)
    stage.refresh_from_db()
    picture = picture_of(stage)
    plan = drawn_anew(picture, seed)
    if plan.seen != seen:
        message = _("Something has changed in the meantime. Look at the draw again.")
        raise Refused("plan_changed", message, status=409)
    numbers = {key: entry.number or 0 for key, entry in picture.entries.items()}
    numbers[NEWCOMER] = max(numbers.values()) + 1
    made = admit(fresh, member, partner, number=numbers[NEWCOMER], late=True, by=by, at=at)
    kept = stored(
        plan.rounds,
        numbers,
        late=numbers[NEWCOMER],
        group=plan.group,
        after=plan.after,
        seed=seed,
    )
    stage.redrawn = [*stage.redrawn, kept]
    stage.save(update_fields=["redrawn"])
    new = {"after": plan.after, "rounds": len(plan.rounds), "more": plan.more, "seed": seed}
    note(fresh.club, by, "draw anew for a late entry", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made
