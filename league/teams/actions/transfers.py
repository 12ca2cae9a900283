"""Transfer a player from one team of a league to another."""

from datetime import date, datetime

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.ranking.team_league.squads import SquadRules
from league.teams.actions.leagues import actor_name, lock_league
from league.teams.actions.matches import record_decision
from league.teams.eligibility import appearances, squad_rules_of, transfer_sentences
from league.teams.models import Team, TeamPlayer, Transfer


@transaction.atomic
def transfer_player(
    member: Member,
    target: Team,
    *,
    day: date,
    agreed: bool,
    by: Actor,
    at: datetime,
    anyway: bool = False,
    reason: str = "",
) -> Transfer:
    """Transfer a player on a day; earlier games still count for the old team.

    `agreed`: both captains have agreed, which some leagues require (`captains-agree`). Unless
    `anyway` is set, asks first about what the rules don't allow (`transferred-often`,
    `transfer-late`) and about what would be left behind (`team-left-short`): the old team too small
    or without its captain, or games played for it after that day. A transfer against the rules
    needs a `reason`, which is recorded as a decision of the league.
    """
    league = lock_league(target.league)
    place = TeamPlayer.objects.filter(league=league, member=member).select_related("team").first()
    if place is None or place.team_id == target.pk:
        message = _("%(name)s isn't in another team of this league.") % {"name": member.name}
        raise Refused("no-transfer", message, status=409, fields={"member": [message]})
    if league.squad_rules.get("captains_agree") and not agreed:
        message = _("Both captains have to agree to a transfer.")
        raise Refused("captains-agree", message, fields={"agreed": [message]})
    source, objections = place.team, transfer_sentences(league, member, day)
    source.league = league
    if not anyway:
        code = objections[0][0] if objections else "team-left-short"
        consequences = _consequences(source, member, day, squad_rules_of(league))
        _ask_first(code, [sentence for _code, sentence in objections] + consequences)
    if objections and not reason:
        message = _("Add the reason why the rules are set aside.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    transfer = Transfer.objects.create(
        league=league, member=member, source=source, target=target, day=day,
        said_as=actor_name(by, league.club), at=at,
    )  # fmt: skip
    if source.captain_id == member.pk:
        Team.objects.filter(pk=source.pk).update(captain=None)
    place.team, place.registered_on = target, day
    place.save(update_fields=["team", "registered_on"])
    new = {"player": member.name, "from": source.name, "day": str(day)}
    log_action(league.club, by, "transfer player", target, new=new)
    if reason:
        record_decision(league, f"{member.name} → {target.name}: {reason}", by=by, at=at)
    return transfer


def _consequences(source: Team, member: Member, day: date, rules: SquadRules) -> list[str]:
    """Warnings before a player leaves a team: the squad becomes too small, the team loses its
    captain, or the player has played for it on or after the day."""
    count, sentences = source.players.count(), []
    words = {"name": member.name, "team": source.name, "n": count - 1, "least": rules.least}
    if count - 1 < rules.least <= count:
        text = _("Players left in %(team)s: %(n)d. A squad needs at least %(least)d.")
        sentences.append(text % words)
    if source.captain_id == member.pk:
        sentences.append(
            _("%(name)s is the captain of %(team)s, which is left without one.") % words
        )
    days_played = [
        appearance.day
        for appearance in appearances(source.league)
        if (appearance.player, appearance.team) == (member.pk, source.pk) and appearance.day >= day
    ]
    if days_played:
        words["day"] = date_format(max(days_played), _("j F"))
        text = _(
            "%(name)s played for %(team)s on %(day)s. That result stands unless the league decides"
            " otherwise."
        )
        sentences.append(text % words)
    return sentences


def _ask_first(code: str, questions: list[str]) -> None:
    if questions:
        questions = [*questions, _("Tick the box to transfer the player anyway.")]
        raise Refused(code, " ".join(questions), status=409, fields={"anyway": questions})
