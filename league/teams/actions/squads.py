"""Transfers between teams, what the committee decides, games given, late cards lifted."""

from collections.abc import Mapping
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.teams.actions.locking import locked
from league.teams.eligibility import transfer_sentences
from league.teams.models import LeagueDecision, Team, TeamLeague, TeamMatch, TeamPlayer, Transfer


@transaction.atomic
def transfer_player(
    member: Member, target: Team, *, day: date, agreed: bool, by: Actor, at: datetime
) -> Transfer:
    """Somebody goes to another team on a day; what was played before stays good.

    `agreed`: both captains have said yes, where the league asks for that. Refuses what its rules
    do not allow (`transferred-often`, `transfer-late`, `captains-agree`).
    """
    league = locked(target.league)
    place = TeamPlayer.objects.filter(league=league, member=member).select_related("team").first()
    if place is None or place.team_id == target.pk:
        raise _at_member("no-transfer", _("%(name)s is in no other team of this league."), member)
    for code, sentence in transfer_sentences(league, member, day):
        raise Refused(code, sentence, status=409, fields={"member": [sentence]})
    if league.squad_rules.get("captains_agree") and not agreed:
        message = _("Both captains have to agree to a transfer.")
        raise Refused("captains-agree", message, fields={"agreed": [message]})
    source = place.team
    made = Transfer.objects.create(
        league=league, member=member, source=source, target=target, day=day,
        said_as=by.label[:80], at=at,
    )  # fmt: skip
    if source.captain_id == member.pk:
        Team.objects.filter(pk=source.pk).update(captain=None)
    place.team, place.registered_on = target, day
    place.save(update_fields=["team", "registered_on"])
    new = {"player": member.name, "from": source.name, "day": str(day)}
    log_action(league.club, by, "transfer player", target, new=new)
    return made


def _at_member(code: str, message: str, member: Member) -> Refused:
    sentence = message % {"name": member.name}
    return Refused(code, sentence, status=409, fields={"member": [sentence]})


@transaction.atomic
def decide(
    league: TeamLeague, text: str, *, match: TeamMatch | None = None, by: Actor, at: datetime
) -> LeagueDecision:
    """Write down what the committee decided; it stays for everybody to read."""
    fresh = locked(league, on=False)
    made = LeagueDecision.objects.create(
        league=fresh, match=match, text=text, said_as=by.label[:80], at=at
    )
    log_action(fresh.club, by, "decide in league", match or fresh, new={"text": text})
    return made


@transaction.atomic
def give_games(
    match: TeamMatch,
    marks: Mapping[int, str | None],
    *,
    reason: str,
    by: Actor,
    at: datetime,
) -> TeamMatch:
    """Give games of a match to a side ("home", "away"), make them void, or let them stand as they
    were played (None); by their numbers from 0. The reason is kept as a decision."""
    league = locked(match.league)
    match.refresh_from_db()
    if match.is_given or (match.session_id is None and not match.card):
        raise Refused("no-card", _("This match has no card yet."), status=409)
    card = [*match.card, *([None] * (league.games - len(match.card)))]
    for number, mark in marks.items():
        if not 0 <= number < league.games:
            message = _("The card has no such game.")
            raise Refused("no-game", message, fields={"number": [message]})
        card[number] = mark
    match.card, match.card_note = card, reason
    match.revision += 1
    match.save(update_fields=["card", "card_note", "revision"])
    match.league = league
    decide(league, reason, match=match, by=by, at=at)
    new = {str(number + 1): mark or "" for number, mark in marks.items()}
    log_action(league.club, by, "give games", match, new=new)
    return match


@transaction.atomic
def lift_late(match: TeamMatch, *, reason: str, by: Actor) -> TeamMatch:
    """A late card costs nothing, for a reason that is kept; an empty reason takes that back."""
    league = locked(match.league)
    match.refresh_from_db()
    old = match.late_lifted
    match.late_lifted = reason
    match.save(update_fields=["late_lifted"])
    log_action(league.club, by, "lift late card", match, old={"was": old}, new={"why": reason})
    return match
