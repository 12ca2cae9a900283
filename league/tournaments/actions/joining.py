"""Somebody joins when the draw is full, as the organiser has seen what that costs.

The rounds to come are drawn anew, or all of a bracket nobody has played in, or the newcomer plays
somebody before that one's first match.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.seating.actions import publish
from league.seating.models import Table
from league.sessions.actions import bump
from league.tournaments.actions.drawing import (
    clear_draft,
    draw_round,
    new_round,
    people_at,
    seat_table,
)
from league.tournaments.actions.entering import admit, refuse_entering
from league.tournaments.actions.setup import locked
from league.tournaments.actions.undoing import take_draw_back
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.knockout import play_in_number
from league.tournaments.draws.late import drawn_anew
from league.tournaments.draws.late_bracket import PlayIn, into_full_bracket
from league.tournaments.draws.redrawn import NEWCOMER, stored
from league.tournaments.models import Bye, Entry, Match, MatchGame, MatchSide, Tournament
from league.tournaments.picture import Picture, picture_of


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
    fresh, picture = _without_draft(tournament, member, partner)
    plan = drawn_anew(picture, seed)
    _refuse_other(plan.seen, seen)
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
    stage = picture.stage
    stage.redrawn = [*stage.redrawn, kept]
    stage.save(update_fields=["redrawn"])
    new = {"after": plan.after, "rounds": len(plan.rounds), "more": plan.more, "seed": seed}
    note(fresh.club, by, "draw anew for a late entry", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


@transaction.atomic
def enter_larger_bracket(
    tournament: Tournament,
    member: Member,
    *,
    partner: Member,
    seed: int,
    seen: str,
    by: Actor,
    at: datetime,
) -> Entry:
    """A pair comes into a full bracket in which nobody has played: its draw is taken back, and all
    are drawn anew by the seed. That draw is a draft, as `seen`, to be published."""
    fresh, picture = _without_draft(tournament, member, partner)
    plan = into_full_bracket(picture, seed)
    _refuse_other(plan.seen, seen)
    take_draw_back(fresh, by=by, at=at)
    clear_draft(fresh)
    made = admit(fresh, member, partner, number=None, late=False, by=by, at=at)
    draw_round(fresh, by=by, seed=seed)
    return made


@transaction.atomic
def enter_by_play_in(
    tournament: Tournament,
    member: Member,
    *,
    partner: Member,
    seed: int,
    seen: str,
    by: Actor,
    at: datetime,
) -> Entry:
    """A pair comes into a full bracket whose first matches have begun: at a table at which nobody
    has played yet it meets one of the two, and whoever wins plays the other in the next round."""
    fresh, picture = _without_draft(tournament, member, partner)
    plan = into_full_bracket(picture, seed)
    _refuse_other(plan.seen, seen)
    assert isinstance(plan, PlayIn)
    number = play_in_number(picture, plan.opponent)
    made = admit(fresh, member, partner, number=number, late=True, by=by, at=at)
    match = Match.objects.select_related("stage_round").get(pk=plan.match)
    before = picture.entries | {made.pk: made}
    label = f"P1-{1 + sum(one.label.startswith('P') for one in picture.matches)}"
    _seat_play_in(fresh, match, label, [before[plan.opponent], made], seed=seed, by=by, at=at)
    Bye.objects.create(stage_round=match.stage_round, entry_id=plan.waits)
    names = [one.name for key in (plan.opponent, plan.waits) for one in before[key].people]
    new = {"match": match.number, "against": names[:2], "then": names[2:]}
    note(fresh.club, by, "play in", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


def _without_draft(
    tournament: Tournament, member: Member, partner: Member
) -> tuple[Tournament, Picture]:
    """The tournament under its lock, its draft thrown away, and its picture."""
    fresh = locked(tournament)
    refuse_entering(fresh, member, partner)
    clear_draft(fresh)
    stage = fresh.stages.get(number=1)
    stage.tournament = fresh
    return fresh, picture_of(stage)


def _seat_play_in(
    fresh: Tournament,
    match: Match,
    label: str,
    sides: list[Entry],
    *,
    seed: int,
    by: Actor,
    at: datetime,
) -> None:
    """The match is that of these two from now on, at the table it has."""
    old = Table.objects.get(match_game__match=match)
    match.games.all().delete()
    match.sides.all().delete()
    match.label = label
    match.save(update_fields=["label"])
    match.stage_round.label = ""  # no longer matches of one main round alone
    match.stage_round.save(update_fields=["label"])
    MatchSide.objects.bulk_create(
        MatchSide(match=match, entry=one, position=place) for place, one in enumerate(sides)
    )
    round_ = new_round(fresh, seed, [old])
    drawn = DrawnTable(tuple((place, one.pk) for place, one in enumerate(sides)))
    people = people_at(drawn, {one.pk: one for one in sides})
    stage = match.stage_round.stage
    stage.tournament = fresh
    table = seat_table(stage, round_, old.number, people, head=False)
    MatchGame.objects.create(match=match, table=table)
    publish(round_, by=by, at=at, of_tournament=True)


def _refuse_other(plan: str, seen: str) -> None:
    if plan != seen:
        message = _("Something has changed in the meantime. Look at the draw again.")
        raise Refused("plan_changed", message, status=409)
