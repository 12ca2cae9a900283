"""The next season: the rules of the one before it, and its people where its end has put them."""

from datetime import date

from django.db import transaction

from league.members.audit import Actor, note
from league.seasons.actions.divisions import refuse_undecided
from league.seasons.actions.seasons import lock_season
from league.seasons.models import Division, Placement, Season

KEPT = (
    "counts",
    "counted_number",
    "minimum_evenings",
    "guests_count",
    "attendance_points",
    "place_points",
    "moving",
)
STEPS = {Placement.Outcome.UP: -1, Placement.Outcome.STAY: 0, Placement.Outcome.DOWN: 1}


@transaction.atomic
def start_next_season(season: Season, *, name: str, starts_on: date, by: Actor) -> Season:
    """Begin the season after a closed one: same rules, same divisions, people moved as decided.

    Who has retired or leaves is not placed. Refuses what `refuse_undecided` refuses.
    """
    before = lock_season(season)
    refuse_undecided(before)
    rules = {field: getattr(before, field) for field in KEPT}
    after = Season.objects.create(
        club=before.club, name=name, starts_on=starts_on, follows=before, **rules
    )
    divisions = {
        one.number: Division.objects.create(season=after, number=one.number, name=one.name)
        for one in before.divisions.all()
    }
    placed = before.placements.filter(outcome__in=STEPS, member__retired_at=None)
    Placement.objects.bulk_create(
        Placement(
            season=after,
            member_id=one.member_id,
            division=divisions[one.division.number + STEPS[Placement.Outcome(one.outcome)]],
        )
        for one in placed.select_related("division")
    )
    note(before.club, by, "start next season", after, old={"name": before.name})
    return after
