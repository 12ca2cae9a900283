"""A team: entered, changed, withdrawn and back again; its players and captain; points deducted."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import add_member, return_member
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.members.names import lookalike_key, name_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people, was_erased
from league.ranking.team_league.squads import SquadRules, registration_faults
from league.sessions.queries import local_date
from league.teams.actions.cups import take_back_stale_matches
from league.teams.actions.leagues import locked, name_of
from league.teams.eligibility import squad_rules_of
from league.teams.models import (
    Deduction,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
    TeamPlayer,
)


@transaction.atomic
def save_team(
    league: TeamLeague,
    team: Team | None,
    *,
    by: Actor,
    name: str,
    venue: str,
    roomy: bool,
    names: Sequence[str],
    captain: str = "",
    same_name: bool = False,
    division: TeamDivision | None = None,
    house: str = "",
    at: datetime | None = None,
    late: bool = False,
) -> Team:
    """A new team, or one changed: its name, its venue, the whole list of its people by name.

    One that is new when the fixtures stand has no matches yet (`join_fixtures` makes them).
    A name the club does not know becomes a member's. Refuses (`names`) two members of one name,
    and somebody who plays for another team; `captain` has to be one of the names. A new name that
    looks like another team's or player's needs `same_name`, said on purpose. With `at` new players
    are registered on that day, and refused after the last one (`registration-closed`) unless they
    may be `late`.
    """
    fresh = locked(league)
    team = team or Team(league=fresh)
    _refuse_name(fresh, team, name, house, same_name=same_name)
    old = _team_audit_data(team) if team.pk else None
    if division != team.division and team.pk and _is_drawn(team):
        message = _("The team is in the fixtures, so its division can't change.")
        raise Refused("fixtures-made", message, fields={"division": [message]})
    team.name, team.venue, team.roomy = name, venue, roomy
    team.division, team.house = division, house
    team.save()
    people = players_named(fresh, names, by=by, same_name=same_name)
    save_players(team, people, on=local_date(fresh.club, at) if at else None, late=late)
    team.captain = captain_among(people, captain)
    team.save(update_fields=["captain"])
    log_action(fresh.club, by, "save team", team, old=old, new=_team_audit_data(team))
    return team


@transaction.atomic
def drop_team(team: Team, *, by: Actor) -> None:
    """Take a team off before it has any match, as if it had not been entered."""
    fresh = locked(team.league)
    if _is_drawn(team):
        message = _("The team is in the fixtures or in a cup. Withdraw it instead.")
        raise Refused("fixtures-made", message, status=409)
    log_action(fresh.club, by, "drop team", team, old=_team_audit_data(team))
    team.delete()


@transaction.atomic
def withdraw_team(team: Team, *, by: Actor, at: datetime) -> None:
    """A team leaves; the day of `at` and the league's rule say which of its matches count. In a cup
    its next opponent goes on."""
    fresh = locked(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        team.withdrawn_at = at
        team.save(update_fields=["withdrawn_at"])
        _raise_revisions(team)
        log_action(fresh.club, by, "withdraw team", team)


@transaction.atomic
def return_team(team: Team, *, by: Actor) -> None:
    """Take a team's leaving back; in a cup, what its opponents were drawn for meanwhile goes.

    Refuses (`joined-since`) when another has joined in the meantime: its matches may be in the
    weeks of this one, and the two have none against each other.
    """
    fresh = locked(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        return
    since = fresh.teams.filter(joined_at__gte=team.withdrawn_at, withdrawn_at=None).first()
    if since is not None:
        message = _("%(team)s has joined since, and plays in some of the same weeks.")
        raise Refused("joined-since", message % {"team": since.name}, status=409)
    team.withdrawn_at = None
    team.save(update_fields=["withdrawn_at"])
    for cup in fresh.cups.all():
        cup.league = fresh
        take_back_stale_matches(cup)
    _raise_revisions(team)
    log_action(fresh.club, by, "return team", team)


def _raise_revisions(team: Team) -> None:
    """Its matches to come are off, or on again: calendars take that over by the number."""
    matches = TeamMatch.objects.filter(Q(home=team) | Q(away=team))
    matches.filter(**TeamMatch.UNTOUCHED).update(revision=F("revision") + 1)


@transaction.atomic
def deduct(team: Team, points: Decimal | int, *, reason: str, by: Actor, at: datetime) -> Deduction:
    """Take points off a team in the table; below nought they are given to it."""
    fresh = locked(team.league)
    made = Deduction.objects.create(
        team=team, points=points, reason=reason, said_as=name_of(by, fresh.club), at=at
    )
    new = {"points": str(points), "reason": reason}
    log_action(fresh.club, by, "deduct points", team, new=new)
    return made


@transaction.atomic
def give_back(deduction: Deduction, *, by: Actor, at: datetime) -> None:
    """Take a deduction back; it stays for the record and counts for nothing."""
    team = deduction.team
    fresh = locked(team.league)
    deduction.withdrawn_at, deduction.withdrawn_as = at, name_of(by, fresh.club)
    deduction.save(update_fields=["withdrawn_at", "withdrawn_as"])
    old = {"points": f"{deduction.points:.2f}", "reason": deduction.reason}
    log_action(fresh.club, by, "give back points", team, old=old)


def _is_drawn(team: Team) -> bool:
    return team.at_home.exists() or team.away.exists() or team.cup_places.exists()


def _refuse_name(fresh: TeamLeague, team: Team, name: str, house: str, *, same_name: bool) -> None:
    others = fresh.teams.exclude(pk=team.pk)
    if others.filter(name__iexact=name).exists():
        message = _("Another team already has this name.")
        raise Refused("team-known", message, fields={"name": [message]})
    if not same_name and team.name != name:
        _ask_about_look(name, others)
    if house and fresh.squad_rules.get("house_letters"):
        _refuse_without_letters(house, name, others)


def _ask_about_look(name: str, others: QuerySet[Team]) -> None:
    seen = lookalike_key(name)
    like = next((one.name for one in others if lookalike_key(one.name) == seen), None)
    if like is not None:
        message = _("Looks like %(name)s. Same team?") % {"name": like}
        fields = {"name": [message]}
        raise Refused("team-name-like", message, fields=fields, status=409, asks="same_name")


def _refuse_without_letters(house: str, name: str, others: QuerySet[Team]) -> None:
    """Teams of one house differ by a letter at the end of their names."""
    same = list(others.filter(house__iexact=house).values_list("name", flat=True))
    bare = next((one for one in (*same, name) if not LETTERED.search(one)), None)
    if same and bare is not None:
        message = _("Teams of one house are named A, B, C. Add a letter to %(team)s.")
        message %= {"team": bare}
        raise Refused("house-letters", message, fields={"name": [message]})


LETTERED = re.compile(r"\s[A-Z]$")


def _team_audit_data(team: Team) -> dict[str, Any]:
    names = team.players.order_by("member__sort_key").values_list("member__name", flat=True)
    return {
        "name": team.name,
        "venue": team.venue,
        "roomy": team.roomy,
        "players": list(names),
        "captain": team.captain.name if team.captain else "",
    }


def players_named(
    fresh: TeamLeague, names: Sequence[str], *, by: Actor, same_name: bool
) -> list[Member]:
    """The members of these names, each once; new ones are added, inactive ones are active again."""
    if not same_name:
        _ask_about_names(fresh.club, names)
    known = people_by_name(fresh.club)
    players: dict[int, Member] = {}
    for name in names:
        same = known.get(name_key(name), [])
        if len(same) > 1:
            message = _("Two players are called %(name)s. Change one of the names first.")
            raise _at_names("two-of-the-name", message % {"name": name})
        member = same[0] if same else add_member(fresh.club, name=name, by=by, same_name=True)
        if member.retired_at is not None:
            member = return_member(member, by=by)
        known[member.name_key] = [member]
        players[member.pk] = member
    return list(players.values())


def people_by_name(club: Club) -> dict[str, list[Member]]:
    """Whom each name may mean, by its key: active players, else inactive ones. One query."""
    current: dict[str, list[Member]] = {}
    inactive: dict[str, list[Member]] = {}
    for member in Member.objects.filter(club=club, merged_into=None, erased_at=None):
        group = current if member.retired_at is None else inactive
        group.setdefault(member.name_key, []).append(member)
    return inactive | current


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


def save_players(
    team: Team, people: Sequence[Member], *, on: date | None = None, late: bool = False
) -> None:
    """These are the team's people from now on; new ones are registered `on` a day,
    once the season is on. Refuses who
    plays for another team, new players after the last day for them unless they may be `late`, and,
    once there are fixtures, a squad that gets smaller than the league's rules say."""
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
    for person in people:
        if person.pk not in there and on and not late and registration_faults(person.pk, on, rules):
            message = _("The last day for new players has passed.")
            fields = {"names": [message]}
            raise Refused("registration-closed", message, fields=fields, asks="late")
    if len(people) < len(there):
        refuse_smaller(team, len(people), rules)
    team.players.exclude(member__in=people).delete()
    since = on if team.league.matches.exists() else None  # who began the season has played it all
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league_id=team.league_id, team=team, member=person, registered_on=since)
        for person in people
        if person.pk not in there
    )


def refuse_smaller(team: Team, after: int, rules: SquadRules) -> None:
    """Refuse to take a squad of a season that is on below what the league's rules say."""
    if after < rules.least <= team.players.count() and team.league.matches.exists():
        message = _("A squad needs at least %(n)d players.") % {"n": rules.least}
        raise _at_names("squad-small", message)


@transaction.atomic
def sign_on(
    team: Team,
    *,
    name: str,
    by: Actor,
    at: datetime,
    same_name: bool = False,
    late: bool = False,
) -> TeamPlayer:
    """A new player of a team, registered today; a name the club does not know becomes a member's.

    Refuses as `save_players` does, each sentence at the name.
    """
    fresh = locked(team.league)
    team.league = fresh
    try:
        (member,) = players_named(fresh, [name], by=by, same_name=same_name)
        there = [player.member for player in team.players.select_related("member")]
        if member in there:
            message = _("%(name)s is in this team already.")
            raise _at_names("in-team", message % {"name": member.name})
        save_players(team, [*there, member], on=local_date(fresh.club, at), late=late)
    except Refused as refused:  # here it is about one name
        refused.fields = {"name": refused.fields.get("names", [refused.message])}
        raise
    log_action(fresh.club, by, "sign player on", team, new={"player": member.name})
    return team.players.get(member=member)


def captain_among(people: Sequence[Member], captain: str) -> Member | None:
    if not captain:
        return None
    player = next((person for person in people if person.name_key == name_key(captain)), None)
    if player is None:
        message = _("The captain must be one of the team.")
        raise Refused("not-in-team", message, fields={"captain": [message]})
    return player


def _at_names(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"names": [message]})
