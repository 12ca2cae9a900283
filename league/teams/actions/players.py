"""The players of a team: found by name, registered, signed on, transferred; its captain."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import add_member
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.members.names import name_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people, was_erased
from league.ranking.team_league.squads import SquadRules, registration_faults
from league.sessions.queries import local_date
from league.teams.actions.leagues import locked
from league.teams.eligibility import squad_rules_of, transfer_sentences
from league.teams.models import Team, TeamLeague, TeamPlayer, Transfer


def players_named(
    fresh: TeamLeague, names: Sequence[str], *, by: Actor, same_name: bool
) -> list[Member]:
    """The members of these names, each once; new ones are added."""
    if not same_name:
        _ask_about_names(fresh.club, names)
    known: dict[str, list[Member]] = {}
    for member in Member.objects.current().filter(club=fresh.club_id):
        known.setdefault(member.name_key, []).append(member)
    found: dict[int, Member] = {}
    for name in names:
        same = known.get(name_key(name), [])
        if len(same) > 1:
            message = _("Two players are called %(name)s. Change one of the names first.")
            raise _at_names("two-of-the-name", message % {"name": name})
        member = same[0] if same else add_member(fresh.club, name=name, by=by, same_name=True)
        known[member.name_key] = [member]
        found[member.pk] = member
    return list(found.values())


def _ask_about_names(club: Club, names: Sequence[str]) -> None:
    """Ask once about all names of the list that are new and look like somebody's."""
    lines = read_list("\n".join(names), known_people(club), is_erased=was_erased(club))
    like = [
        _("%(name)s looks like %(other)s.") % {"name": x.name, "other": ", ".join(x.like[:3])}
        for x in lines
        if x.verdict == Verdict.LIKE
    ]
    like += [
        _("%(name)s: someone with this name asked to be erased.") % {"name": x.name}
        for x in lines
        if x.verdict == Verdict.ERASED
    ]
    if like:
        fields = {"names": like}
        raise Refused("name-like", like[0], fields=fields, status=409, asks="same_name")


def save_players(team: Team, people: Sequence[Member], *, on: date | None = None) -> None:
    """These are the team's people from now on; new ones are registered `on` a day,
    once the season is on. Refuses who
    plays for another team, new players after the last day for them, and, once there are fixtures,
    a squad that gets smaller than the league's rules say."""
    elsewhere = (
        TeamPlayer.objects.filter(league=team.league_id, member__in=people)
        .exclude(team=team)
        .select_related("member", "team")
        .first()
    )
    if elsewhere is not None:
        words = {"name": elsewhere.member.name, "team": elsewhere.team.name}
        raise _at_names("other_team", _("%(name)s plays for %(team)s.") % words)
    there = set(team.players.values_list("member", flat=True))
    rules = squad_rules_of(team.league)
    for one in people:
        if one.pk not in there and on and registration_faults(one.pk, on, rules):
            raise _at_names("registration-closed", _("The last day for new players has passed."))
    if len(people) < len(there):
        refuse_smaller(team, len(people), rules)
    team.players.exclude(member__in=people).delete()
    since = on if team.league.matches.exists() else None  # who began the season has played it all
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league_id=team.league_id, team=team, member=one, registered_on=since)
        for one in people
        if one.pk not in there
    )


def refuse_smaller(team: Team, after: int, rules: SquadRules) -> None:
    """Refuse to take a squad of a season that is on below what the league's rules say."""
    if after < rules.least <= team.players.count() and team.league.matches.exists():
        message = _("A squad needs at least %(n)d players.") % {"n": rules.least}
        raise _at_names("squad-small", message)


@transaction.atomic
def sign_on(
    team: Team, *, name: str, by: Actor, at: datetime, same_name: bool = False
) -> TeamPlayer:
    """A new player of a team, registered today; a name the club does not know becomes a member's.

    Refuses as `save_players` does, each sentence at the name.
    """
    fresh = locked(team.league)
    team.league = fresh
    try:
        (member,) = players_named(fresh, [name], by=by, same_name=same_name)
        there = [one.member for one in team.players.select_related("member")]
        if member in there:
            message = _("%(name)s is in this team already.")
            raise _at_names("in-team", message % {"name": member.name})
        save_players(team, [*there, member], on=local_date(fresh.club, at))
    except Refused as refused:  # here it is about one name
        refused.fields = {"name": refused.fields.get("names", [refused.message])}
        raise
    log_action(fresh.club, by, "sign player on", team, new={"player": member.name})
    return team.players.get(member=member)


def captain_among(people: Sequence[Member], captain: str) -> Member | None:
    if not captain:
        return None
    found = next((one for one in people if one.name_key == name_key(captain)), None)
    if found is None:
        message = _("The captain must be one of the team.")
        raise Refused("not-in-team", message, fields={"captain": [message]})
    return found


def _at_names(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"names": [message]})


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
