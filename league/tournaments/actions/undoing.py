"""Taking things back: a published draw nobody has played in, and what a correction undoes."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor, note
from league.seating.actions import take_back
from league.seating.models import Round, Table
from league.sessions.actions import bump
from league.tournaments.actions.setup import locked
from league.tournaments.corrections import corrections
from league.tournaments.models import Match, MatchGame, StageRound, Tournament
from league.tournaments.picture import picture_of


@transaction.atomic
def take_draw_back(tournament: Tournament, *, by: Actor, at: datetime) -> StageRound:
    """The round published last is a draft again, as it was drawn: nobody has played in it yet.

    Refuses once a hand of it is entered (`hands-entered`) or a match of it is given. Winners that
    its publishing had fixed follow their games again.
    """
    fresh = locked(tournament)
    row = (
        StageRound.objects.filter(stage__tournament=fresh, seating__state=Round.State.PUBLISHED)
        .select_related("seating", "stage")
        .order_by("stage__number", "number")
        .last()
    )
    if row is None:
        raise Refused("not-published", _("No round is published."), status=409)
    _refuse_decided(row)
    draft = take_back(row.seating, by=by, at=at, of_tournament=True)
    _move_to(row, draft)
    Match.objects.filter(
        stage_round__stage=row.stage,
        stage_round__number=row.number - 1,
        decided_by=Match.By.PLAY,
    ).update(winner=None)
    if row.number == 1:
        fresh.state = Tournament.State.SETUP
        fresh.save(update_fields=["state"])
    new = {"round": row.number}
    note(fresh.club, by, "take tournament draw back", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return row


def _refuse_decided(row: StageRound) -> None:
    """Refuse where the organiser has decided something in it, or seated a further game."""
    matches = row.matches.all()
    seated = MatchGame.objects.filter(match__in=matches)
    decided = matches.exclude(decided_by=Match.By.PLAY).filter(games__isnull=False)
    if row.forced_at or decided.exists() or seated.filter(number__gt=1).exists():
        message = _("Something in this round is decided already, so its draw stands.")
        raise Refused("decided-already", message, status=409)
    if any(one["after"] >= row.number for one in row.stage.redrawn):
        message = _("Somebody has joined since, and the rounds after this one were drawn for that.")
        raise Refused("joined-since", message, status=409)


def _move_to(row: StageRound, draft: Round) -> None:
    """The matches are played at the tables of the draft, which are numbered as before."""
    tables = {table.number: table for table in Table.objects.filter(round=draft)}
    games = list(MatchGame.objects.filter(match__stage_round=row).select_related("table"))
    for game in games:
        game.table = tables[game.table.number]
    MatchGame.objects.bulk_update(games, ["table"])
    row.seating = draft
    row.save(update_fields=["seating"])


@transaction.atomic
def follow_correction(tournament: Tournament, match: Match, *, by: Actor) -> list[int]:
    """Let the winner of a bracket's match be who its games say since they were put right.

    What was played on the strength of the old result counts in the bracket no more and is drawn
    again; its games stay on record. The keys of those matches. Refuses while a match is on.
    """
    fresh = locked(tournament)
    stage = match.stage_round.stage
    stage.tournament = fresh
    picture = picture_of(stage)
    found = next((one for one in corrections(picture) if one.key == match.pk), None)
    if found is None:
        raise Refused("not-corrected", _("This match says what its games say."), status=409)
    if picture.draft is not None:
        raise Refused("draft-open", _("The next round is drafted already."), status=409)
    playing = [one for one in (picture.last.open if picture.last else ()) if one.games]
    if playing:
        text = ngettext(
            "%(n)d table is still playing. Finish the round, or take its draw back.",
            "%(n)d tables are still playing. Finish the round, or take its draw back.",
            len(playing),
        )
        raise Refused("round-open", text % {"n": len(playing)}, status=409)
    match.winner, match.decided_by = found.winner, Match.By.PLAY
    match.save(update_fields=["winner", "decided_by"])
    new = {"match": match.number, "winner": found.winner, "undone": list(found.undone)}
    note(fresh.club, by, "follow correction", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return list(found.undone)
