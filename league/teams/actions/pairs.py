"""A pairs cup beside a league: drawn, its rounds given a day, results written down."""

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.languages import dated
from league.pairing import Rng
from league.teams.actions.leagues import locked
from league.teams.models import CupPair, PairsCup, PairsMatch, TeamLeague
from league.teams.pairs import Entered, clashes, pairs_bracket, ready_matches


@transaction.atomic
def make_pairs_cup(
    league: TeamLeague, *, name: str, pairs: Sequence[Entered], seed: int, by: Actor
) -> PairsCup:
    """A knock-out of these pairs, drawn by lot with the seed. Refuses a name that is taken."""
    fresh = locked(league)
    if fresh.pairs_cups.filter(name=name).exists() or fresh.cups.filter(name=name).exists():
        message = _("There is already a cup of this name.")
        raise Refused("cup-known", message, fields={"name": [message]}, status=409)
    drawn = list(pairs)
    Rng(seed).shuffle(drawn)
    made = PairsCup.objects.create(league=fresh, name=name, seed=seed)
    CupPair.objects.bulk_create(
        CupPair(cup=made, number=number, team=one.team, first=one.first, second=one.second)
        for number, one in enumerate(drawn, 1)
    )
    log_action(fresh.club, by, "draw pairs cup", made, new={"pairs": len(drawn), "seed": seed})
    return made


@transaction.atomic
def set_pairs_day(cup: PairsCup, *, held_on: date, by: Actor) -> list[PairsMatch]:
    """Give the next round its day. Refuses (`clash`) a day on which a team of these pairs has a
    match, and (`nothing-ready`) where every match has a day that can have one."""
    fresh = locked(cup.league)
    pairs = list(cup.pairs.select_related("team"))
    matches = list(cup.matches.all())
    now = pairs_bracket(pairs, matches)
    ready = ready_matches(cup, now, {one.place for one in matches}, held_on)
    if not ready:
        message = _("Every match that can have a day has one.")
        raise Refused("nothing-ready", message, status=409)
    team = {pair.pk: pair.team_id for pair in pairs}
    teams = {team[side] for one in ready for side in one.sides}
    clash = next(iter(clashes(fresh, teams, [held_on])), None)
    if clash is not None:
        words = {"match": clash, "day": dated(held_on, _("j F Y"))}
        message = _("%(match)s is on %(day)s. Choose a day without a match of these teams.") % words
        raise Refused("clash", message, fields={"held_on": [message]}, status=409)
    made = PairsMatch.objects.bulk_create(ready)
    new = {"matches": len(made), "held_on": str(held_on)}
    log_action(fresh.club, by, "fix pairs matches", cup, new=new)
    return made


@transaction.atomic
def record_pairs_result(
    match: PairsMatch,
    *,
    home: int | None,
    away: int | None,
    through: CupPair | None,
    by: Actor,
) -> PairsMatch:
    """The final score, or who goes through without a game. A later match that now has another
    side loses its day; refuses (`played-on`) where it has been played."""
    fresh = locked(match.cup.league)
    match.refresh_from_db()
    match.home_points, match.away_points, match.through = home, away, through
    if match.winner_id is None:
        message = _("Enter two different scores, or choose who goes through.")
        raise Refused("undecided", message)
    match.save(update_fields=["home_points", "away_points", "through"])
    cup = match.cup
    matches = list(cup.matches.all())
    now = pairs_bracket(list(cup.pairs.select_related("team")), matches).matches
    for one in matches:
        if one.place not in now or set(one.sides) == set(now[one.place].sides):
            continue
        if one.winner_id is not None:
            message = _("A later match of this cup has been played, so this winner can't change.")
            raise Refused("played-on", message, status=409)
        one.delete()
    score = "" if home is None or away is None else f"{home}–{away}"
    log_action(fresh.club, by, "record pairs result", cup, new={"score": score})
    return match


@transaction.atomic
def drop_pairs_cup(cup: PairsCup, *, by: Actor) -> None:
    """Throw a cup away while no match of it has a result."""
    fresh = locked(cup.league)
    if any(one.winner_id is not None for one in cup.matches.all()):
        message = _("A match has already been played, so the cup can't be deleted.")
        raise Refused("played-already", message, status=409)
    log_action(fresh.club, by, "drop cup", cup)
    cup.delete()
