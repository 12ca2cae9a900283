"""Actions on a team: saving, withdrawal and return, its players and captain, deductions."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import add_member, return_member
from league.members.audit import Actor, club_language, log_action
from league.members.models import Club, Member
from league.members.names import lookalike_key, name_key, sort_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people, was_erased
from league.ranking.team_league.squads import SquadRules, registration_faults
from league.sessions.queries import local_date
from league.teams.actions.cups import take_back_stale_matches
from league.teams.actions.leagues import actor_name, lock_league
from league.teams.actions.matches import record_decision
from league.teams.eligibility import squad_rules_of
from league.teams.models import (
    Deduction,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
    TeamPlayer,
)
from league.teams.queries import all_matches_of, withdrawal_days
from league.teams.text import listed_twice


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
    """Create or change a team: its name, its venue, and the full list of its players by name.

    A team created after the fixtures has no matches until `join_fixtures` adds them. An unknown
    name becomes a new member of the club. With `at`, new players are registered on that day;
    after the last day for new players they are refused (`registration-closed`) unless `late`.

    Also refuses, at `names`, a name that two members share and a player of another team, and a
    `captain` who is not one of the names. A new name that looks like another team's or player's
    needs `same_name`.
    """
    fresh = lock_league(league)
    team = team or Team(league=fresh)
    _refuse_name(fresh, team, name, house, same_name=same_name)
    _refuse_repeats(names, name)
    old = _team_audit_data(team) if team.pk else None
    if division != team.division and team.pk and _is_drawn(team):
        message = _("The team is in the fixtures, so its division can't change.")
        raise Refused("fixtures-made", message, fields={"division": [message]})
    team.name, team.venue, team.roomy = name, venue, roomy
    team.division, team.house = division, house
    team.save()
    people = players_named(fresh, names, team=name, by=by, same_name=same_name)
    save_players(team, people, registered_on=local_date(fresh.club, at) if at else None, late=late)
    team.captain = captain_among(people, captain)
    team.save(update_fields=["captain"])
    new = _team_audit_data(team) | {"in_league": fresh.public_id}
    log_action(fresh.club, by, "save team", team, old=old, new=new)
    return team


@transaction.atomic
def drop_team(team: Team, *, by: Actor) -> None:
    """Delete a team that has no matches."""
    fresh = lock_league(team.league)
    if _is_drawn(team):
        message = _("The team is in the fixtures or in a cup. Withdraw it instead.")
        raise Refused("fixtures-made", message, status=409)
    old = _team_audit_data(team) | {"league": fresh.name}
    log_action(fresh.club, by, "drop team", team, old=old)
    team.delete()


@transaction.atomic
def withdraw_team(team: Team, *, by: Actor, at: datetime, reason: str = "") -> None:
    """Withdraw a team. The league's rule and the day of `at` decide which of its matches count. In
    a cup its next opponent goes through. It is recorded as a decision of the league."""
    fresh = lock_league(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        team.withdrawn_at = at
        team.save(update_fields=["withdrawn_at"])
        _raise_revisions(team)
        with club_language(fresh.club):
            text = _("%(team)s has left the league.") % {"team": team.name}
        record_decision(fresh, f"{text} {reason}".strip(), by=by, at=at)
        new = _consequences_of_leaving(team, fresh)
        log_action(fresh.club, by, "withdraw team", team, new=new | {"reason": reason})


@transaction.atomic
def return_team(team: Team, *, by: Actor, at: datetime) -> None:
    """Undo a team's withdrawal, and record that as a decision of the league. In cups, matches that
    its opponents were drawn for are deleted.

    Refuses (`joined-since`) if another team has joined in the meantime: their matches may be in the
    same weeks, and the two teams have none against each other.
    """
    fresh = lock_league(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        return
    newer_team = fresh.teams.filter(joined_at__gte=team.withdrawn_at, withdrawn_at=None).first()
    if newer_team is not None:
        message = _("%(team)s has joined since, and plays in some of the same weeks.")
        raise Refused("joined-since", message % {"team": newer_team.name}, status=409)
    old = {"left on": str(local_date(fresh.club, team.withdrawn_at))}
    team.withdrawn_at = None
    team.save(update_fields=["withdrawn_at"])
    for cup in fresh.cups.all():
        cup.league = fresh
        take_back_stale_matches(cup)
    _raise_revisions(team)
    with club_language(fresh.club):
        text = _("%(team)s is back in the league.") % {"team": team.name}
    record_decision(fresh, text, by=by, at=at)
    log_action(fresh.club, by, "return team", team, old=old)


def _consequences_of_leaving(team: Team, league: TeamLeague) -> dict[str, Any]:
    """The day on which a team left, and what became of its matches, for the log."""
    own = [record for record in all_matches_of(league) if team.pk in record.met.teams]
    return {
        "left on": str(withdrawal_days(league, [team])[team.pk]),
        "void matches": [str(record.match) for record in own if record.void],
        "walk-overs": [
            f"{record.unplayed_winner} ({record.match})" for record in own if record.unplayed_winner
        ],
    }


def _raise_revisions(team: Team) -> None:
    """Raise the revision of the team's matches, so that calendars update them."""
    TeamMatch.objects.filter(Q(home=team) | Q(away=team)).update(revision=F("revision") + 1)


@transaction.atomic
def deduct(team: Team, points: Decimal | int, *, reason: str, by: Actor, at: datetime) -> Deduction:
    """Deduct points from a team in the table; negative points are added."""
    fresh = lock_league(team.league)
    deduction = Deduction.objects.create(
        team=team, points=points, reason=reason, said_as=actor_name(by, fresh.club), at=at
    )
    action = "add points" if points < 0 else "deduct points"
    log_action(fresh.club, by, action, team, new={"points": str(abs(points)), "reason": reason})
    return deduction


@transaction.atomic
def give_back(deduction: Deduction, *, by: Actor, at: datetime) -> None:
    """Withdraw a deduction; it stays on record but no longer counts."""
    team = deduction.team
    fresh = lock_league(team.league)
    deduction.withdrawn_at, deduction.withdrawn_as = at, actor_name(by, fresh.club)
    deduction.save(update_fields=["withdrawn_at", "withdrawn_as"])
    old = {"points": f"{deduction.points:.2f}", "reason": deduction.reason}
    log_action(fresh.club, by, "give back points", team, old=old)


def _is_drawn(team: Team) -> bool:
    return team.at_home.exists() or team.away.exists() or team.cup_places.exists()


def _refuse_name(fresh: TeamLeague, team: Team, name: str, house: str, *, same_name: bool) -> None:
    other_teams = fresh.teams.exclude(pk=team.pk)
    if other_teams.filter(name__iexact=name).exists():
        message = _("Another team already has this name.")
        raise Refused("team-known", message, fields={"name": [message]})
    if not same_name and team.name != name:
        _ask_about_similar_team(name, other_teams)
    if house and fresh.squad_rules.get("house_letters"):
        _refuse_missing_letters(house, name, other_teams)


def _refuse_repeats(names: Sequence[str], team: str) -> None:
    count = Counter(map(name_key, names))
    repeated = [name for name in names if count[name_key(name)] > 1]
    if repeated:
        raise _names_refusal("listed-twice", listed_twice(repeated[0], team))


def _ask_about_similar_team(name: str, other_teams: QuerySet[Team]) -> None:
    new_look = lookalike_key(name)
    similar = next(
        (team.name for team in other_teams if lookalike_key(team.name) == new_look), None
    )
    if similar is not None:
        message = _("Looks like %(name)s. Same team?") % {"name": similar}
        fields = {"name": [message]}
        raise Refused("team-name-like", message, fields=fields, status=409, asks="same_name")


def _refuse_missing_letters(house: str, name: str, other_teams: QuerySet[Team]) -> None:
    """Refuse if a team of a house with several teams has no letter at the end of its name."""
    house_names = list(other_teams.filter(house__iexact=house).values_list("name", flat=True))
    unlettered = next(
        (team_name for team_name in (*house_names, name) if not LETTERED.search(team_name)), None
    )
    if house_names and unlettered is not None:
        message = _("Teams of one pub or club are named A, B, C. Add a letter to %(team)s.")
        message %= {"team": unlettered}
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
    fresh: TeamLeague, names: Sequence[str], *, by: Actor, same_name: bool, team: str = ""
) -> list[Member]:
    """The members with these names, each once; adds new members and reactivates inactive ones."""
    if not same_name:
        _ask_about_similar_names(fresh.club, names, team)
    members_by_name = people_by_name(fresh.club)
    players: dict[int, Member] = {}
    for name in names:
        matching = members_by_name.get(name_key(name), [])
        if len(matching) > 1:
            message = _("Two players are called %(name)s. Change one of the names first.")
            raise _names_refusal("two-of-the-name", message % {"name": name})
        member = (
            matching[0] if matching else add_member(fresh.club, name=name, by=by, same_name=True)
        )
        if member.retired_at is not None:
            member = return_member(member, by=by)
        members_by_name[member.name_key] = [member]
        players[member.pk] = member
    return list(players.values())


def people_by_name(club: Club) -> dict[str, list[Member]]:
    """The members with each name, by its key: the active ones, or else the inactive. One query."""
    active: dict[str, list[Member]] = {}
    inactive: dict[str, list[Member]] = {}
    for member in Member.objects.filter(club=club, merged_into=None, erased_at=None):
        group = active if member.retired_at is None else inactive
        group.setdefault(member.name_key, []).append(member)
    return inactive | active


def _ask_about_similar_names(club: Club, names: Sequence[str], team: str) -> None:
    """Ask about all new names that look like an existing player's; about one with the team in
    brackets, as our advice says, only if the other one has it too."""

    def has_team(name: str) -> bool:
        return name.endswith(")") and sort_key(name).endswith(f" {sort_key(team)}")

    lines = read_list("\n".join(names), known_people(club), is_erased=was_erased(club))
    similar = [
        (line.name, [other for other in line.like if has_team(other) or not has_team(line.name)])
        for line in lines
        if line.verdict == Verdict.LIKE
    ]
    questions = [
        _("%(name)s looks like %(other)s.") % {"name": name, "other": ", ".join(others[:3])}
        for name, others in similar
        if others
    ]
    questions += [
        _("%(name)s: someone with this name asked to be erased.") % {"name": line.name}
        for line in lines
        if line.verdict == Verdict.ERASED
    ]
    if questions:
        fields = {"names": questions}
        raise Refused("name-like", questions[0], fields=fields, status=409, asks="same_name")


def save_players(
    team: Team, people: Sequence[Member], *, registered_on: date | None = None, late: bool = False
) -> None:
    """Set the players of a team. Once there are fixtures, new players are `registered_on` a day.

    Refuses a player of another team, new players after the last day for them (unless `late`), and,
    once there are fixtures, a squad that becomes smaller than the league's rules allow.
    """
    elsewhere = (
        TeamPlayer.objects.filter(league=team.league_id, member__in=people)
        .exclude(team=team)
        .select_related("member", "team")
        .first()
    )
    if elsewhere is not None:
        words = {"name": elsewhere.member.name, "team": elsewhere.team.name, "own": team.name}
        message = _("%(name)s plays for %(team)s. Another %(name)s? Write %(name)s (%(own)s).")
        raise _names_refusal("other-team", message % words)
    old_players = set(team.players.values_list("member", flat=True))
    rules = squad_rules_of(team.league)
    for person in people:
        is_new = person.pk not in old_players
        if (
            is_new
            and registered_on
            and not late
            and registration_faults(person.pk, registered_on, rules)
        ):
            message = _("The last day for new players has passed.")
            fields = {"names": [message]}
            raise Refused("registration-closed", message, fields=fields, asks="late")
    if len(people) < len(old_players):
        refuse_smaller(team, len(people), rules)
    team.players.exclude(member__in=people).delete()
    # Players from the start of the season are registered without a day.
    first_day = registered_on if team.league.matches.exists() else None
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league_id=team.league_id, team=team, member=person, registered_on=first_day)
        for person in people
        if person.pk not in old_players
    )


def refuse_smaller(team: Team, after: int, rules: SquadRules) -> None:
    """Refuse to reduce a squad below the league's minimum once there are fixtures."""
    if after < rules.least <= team.players.count() and team.league.matches.exists():
        message = _("A squad needs at least %(n)d players.") % {"n": rules.least}
        raise _names_refusal("squad-small", message)


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
    """Add a player to a team, registered today. An unknown name becomes a new member of the club.

    Refuses as `save_players` does, with all messages at the field `name`.
    """
    fresh = lock_league(team.league)
    team.league = fresh
    try:
        (member,) = players_named(fresh, [name], team=team.name, by=by, same_name=same_name)
        squad = [player.member for player in team.players.select_related("member")]
        if member in squad:
            message = _("%(name)s is in this team already.")
            raise _names_refusal("in-team", message % {"name": member.name})
        save_players(team, [*squad, member], registered_on=local_date(fresh.club, at), late=late)
    except Refused as refused:  # this form has a single name
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


def _names_refusal(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"names": [message]})
