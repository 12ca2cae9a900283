"""Cups of teams and of pairs beside a league, and play-offs: drawn, played on, decided."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.languages import dated
from league.pairing import Rng
from league.teams.actions.leagues import locked, name_of
from league.teams.cups import bracket_of, drawn_cup, next_matches
from league.teams.models import (
    CupPair,
    CupPlace,
    PairsCup,
    PairsMatch,
    PlayOff,
    PlayOffPlace,
    Team,
    TeamCup,
    TeamLeague,
    TeamMatch,
)
from league.teams.pairs import Entered, clashes, pairs_bracket, ready_matches
from league.teams.play_offs import DuePlayOff, due_play_offs, matches_of
from league.teams.queries import cup_matches_of, played


@transaction.atomic
def make_cup(
    league: TeamLeague,
    *,
    name: str,
    third_place: bool,
    seed: int,
    by: Actor,
    held_on: date | None = None,
    best: int | None = None,
    seen: str | None = None,
) -> TeamCup:
    """A knock-out of the league's teams, drawn by lot with the seed, or of the `best` of its table,
    seeded by place; with a day its first matches are fixed too.

    `seen`: the mark of the draw the organiser has looked at; refuses (`plan-changed`) where teams
    or matches have changed since.
    """
    fresh = locked(league)
    _refuse_known(fresh, name)
    draw = drawn_cup(fresh, seed=seed, third_place=third_place, held_on=held_on, best=best)
    if seen is not None and seen != draw.seen:
        message = _("Something has changed. Check the draw again.")
        raise Refused("plan-changed", message, status=409)
    made = TeamCup.objects.create(league=fresh, name=name, third_place=third_place, seed=seed)
    CupPlace.objects.bulk_create(
        CupPlace(cup=made, team=team, number=number) for number, team in enumerate(draw.teams, 1)
    )
    if held_on is not None:
        for match in draw.matches:
            match.cup = made
        TeamMatch.objects.bulk_create(draw.matches)
    new = {"teams": len(draw.teams), "third_place": third_place, "seed": seed}
    log_action(fresh.club, by, "draw cup", made, new=new | {"held_on": str(held_on or "")})
    return made


def make_cup_of(
    fresh: TeamLeague,
    teams: Sequence[Team],
    *,
    name: str,
    held_on: date | None,
    venue: str,
    by: Actor,
) -> TeamCup:
    """A cup of these teams in this order, with its first matches at a venue. Refuses a name that
    another cup has; the caller has locked the league."""
    _refuse_known(fresh, name)
    made = TeamCup.objects.create(league=fresh, name=name)
    CupPlace.objects.bulk_create(
        CupPlace(cup=made, team=team, number=number) for number, team in enumerate(teams, 1)
    )
    made.league = fresh
    first = next_matches(fresh, made, bracket_of(made), frozenset(), held_on)
    for match in first:
        match.venue = venue
    TeamMatch.objects.bulk_create(first)
    log_action(fresh.club, by, "draw cup", made, new={"teams": len(teams), "venue": venue})
    return made


def _refuse_known(league: TeamLeague, name: str) -> None:
    if league.cups.filter(name=name).exists():
        message = _("There is already a cup of this name.")
        raise Refused("cup-known", message, fields={"name": [message]}, status=409)


@transaction.atomic
def draw_cup_matches(
    cup: TeamCup, *, held_on: date | None, by: Actor, venue: str = ""
) -> list[TeamMatch]:
    """Fix the next round's matches, for a day; the side drawn first is at home, unless its venue
    has a match on that day and the other's has none, or they are at a neutral `venue`. Where all
    are fixed, those of which nothing is written down get the day and the venue.

    Refuses (`too-early`) a day before the round before, and (`nothing-ready`) where every match is
    played that can be.
    """
    fresh = locked(cup.league)
    cup.league = fresh
    there = set(cup.matches.values_list("place", flat=True))
    now = bracket_of(cup)
    ready = next_matches(fresh, cup, now, there, held_on)
    open_ones = [] if held_on is None else _last_open(cup)  # no press takes a day away
    if not ready and (now.over or not open_ones):
        message = (
            _("All matches of the cup are played.")
            if now.over
            else _("Every match that can have a day has one.")
        )
        raise Refused("nothing-ready", message, status=409)
    made = ready or open_ones
    _refuse_too_early(cup, min(one.round for one in made), held_on)
    for match in made:
        match.held_on, match.venue = held_on, venue
    if ready:
        made = TeamMatch.objects.bulk_create(ready)
    else:
        for match in made:
            match.revision += 1
        TeamMatch.objects.bulk_update(made, ["held_on", "venue", "revision"])
    new = {"matches": len(made), "held_on": str(held_on or "")}
    log_action(fresh.club, by, "fix cup matches", cup, new=new)
    return made


def _last_open(cup: TeamCup) -> list[TeamMatch]:
    """The matches of the last round that is fixed of which nothing is written down."""
    playing = {"home__withdrawn_at": None, "away__withdrawn_at": None, **TeamMatch.UNTOUCHED}
    matches = list(cup.matches.filter(**playing).order_by("round", "number"))
    return [match for match in matches if match.round == matches[-1].round]


def _refuse_too_early(cup: TeamCup, round_: int, held_on: date | None) -> None:
    """Refuse a day before that of a match of an earlier round."""
    earlier = cup.matches.filter(round__lt=round_).order_by("-held_on")
    last = earlier.exclude(held_on=None).values_list("held_on", flat=True).first()
    if last is not None and held_on is not None and held_on < last:
        words = {"day": dated(last, _("j F Y"))}
        message = _("The round before is on %(day)s. Choose no earlier day.") % words
        raise Refused("too-early", message, fields={"held_on": [message]}, status=409)


@transaction.atomic
def drop_cup(cup: TeamCup, *, by: Actor) -> None:
    """Throw a cup away while no match of it has been played."""
    fresh = locked(cup.league)
    if cup.matches.exclude(**TeamMatch.UNTOUCHED).exists():
        message = _("A match has already been played, so the cup can't be deleted.")
        raise Refused("played-already", message, status=409)
    log_action(fresh.club, by, "drop cup", cup)
    cup.matches.all().delete()
    cup.delete()


def update_cup(match: TeamMatch) -> None:
    """Take back the matches drawn from this one that now have other sides."""
    if match.cup is not None:
        match.cup.league = match.league
        take_back_stale_matches(match.cup)


def take_back_stale_matches(cup: TeamCup) -> None:
    """Take back the matches whose sides are no longer those of the bracket.

    Refuses (`played-on`) when one of them has been played: then its sides stand.
    """
    drawn = cup_matches_of(cup)
    now = bracket_of(cup, drawn).matches
    for one in drawn:
        if set(one.met.teams) == set(now[one.match.place].sides):
            continue
        if not one.match.is_untouched:
            message = _("A later match of this cup has been played, so this winner can't change.")
            raise Refused("played-on", message, status=409)
        one.match.delete()


@transaction.atomic
def decide_cup_match(match: TeamMatch, *, home: int, away: int, by: Actor) -> TeamMatch:
    """The one game more after a drawn cup match, between pairs that the captains named;
    its winner goes on. Refuses a match that is not a drawn one of a cup, and a drawn game."""
    league = locked(match.league)
    match.refresh_from_db()
    match.league = league
    (now,) = played([match], league)
    if match.cup_id is None or now.met.won[0] != now.met.won[1] or not now.met.over:
        message = _("Only a drawn cup match has a deciding game.")
        raise Refused("not-drawn", message, status=409)
    if home == away:
        message = _("The deciding game has a winner.")
        raise Refused("undecided", message, fields={"away": [message]})
    match.decider = [home, away]
    match.revision += 1
    match.save(update_fields=["decider", "revision"])
    update_cup(match)
    log_action(league.club, by, "decide cup match", match, new={"points": f"{home}–{away}"})
    return match


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
    ready = ready_matches(cup, now, {match.place for match in matches}, held_on)
    open_ones = [] if ready else [match for match in matches if match.winner_id is None]
    if not ready and not open_ones:
        message = _("Every match that can have a day has one.")
        raise Refused("nothing-ready", message, status=409)
    team = {pair.pk: pair.team_id for pair in pairs}
    teams = {team[side] for one in (*ready, *open_ones) for side in one.sides}
    clash = next(iter(clashes(fresh, teams, [held_on])), None)
    if clash is not None:
        words = {"match": clash, "day": dated(held_on, _("j F Y"))}
        message = _("%(match)s is on %(day)s. Choose a day without a match of these teams.") % words
        raise Refused("clash", message, fields={"held_on": [message]}, status=409)
    made = PairsMatch.objects.bulk_create(ready) or open_ones
    for one in open_ones:
        one.held_on = held_on
    PairsMatch.objects.bulk_update(open_ones, ["held_on"])
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
    if any(match.winner_id is not None for match in cup.matches.all()):
        message = _("A match has already been played, so the cup can't be deleted.")
        raise Refused("played-already", message, status=409)
    log_action(fresh.club, by, "drop cup", cup)
    cup.delete()


@transaction.atomic
def record_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """The result of a play-off that is due, the winner first. Refuses (`not-due`) any other."""
    fresh = locked(league, on=False)
    _due(fresh, kind, order)
    made = save_play_off(fresh, kind, order, by=by, at=at)
    log_action(league.club, by, "record play-off", league, new={"order": [t.name for t in order]})
    return made


@transaction.atomic
def take_back_play_off(play_off: PlayOff, *, by: Actor) -> None:
    """A play-off that was recorded by mistake: its teams are level again, or wait for it."""
    fresh = locked(play_off.league, on=False)
    names = [place.team.name for place in play_off.places.select_related("team")]
    play_off.delete()
    log_action(fresh.club, by, "take back play-off", fresh, old={"order": names})


@transaction.atomic
def make_play_off_match(
    league: TeamLeague,
    kind: str,
    teams: Sequence[Team],
    *,
    held_on: date | None,
    venue: str,
    by: Actor,
) -> TeamCup:
    """A play-off of two teams as a match of its own, with a day, a place and a card: a cup of the
    two. Where the best of several counts, each is one, at home in turn. The winner is recorded
    when it is played (`record_play_off`)."""
    fresh = locked(league)
    due = _due(fresh, kind, teams)
    before = len(matches_of(fresh, due))
    name = (_("Play-off %(teams)s") % {"teams": due.name})[:74]
    name = f"{name} ({before + 1})" if before else name
    sides = due.teams[::-1] if before % 2 else due.teams
    return make_cup_of(fresh, sides, name=name, held_on=held_on, venue=venue, by=by)


def _due(league: TeamLeague, kind: str, teams: Sequence[Team]) -> DuePlayOff:
    """The play-off of these teams, which is due; refuses one that is not."""
    there = due_play_offs(league)
    for one in there:
        if (one.kind, set(one.teams)) == (kind, set(teams)) and len(one.teams) == len(teams):
            return one
    if there:
        message = _("This play-off isn't due. Due: %(due)s.")
        message %= {"due": ", ".join(one.name for one in there)}
    else:
        message = _("No play-off is due.")
    raise Refused("not-due", message, status=409)


def save_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """The result of a play-off as it is, the winner first."""
    made = PlayOff.objects.create(league=league, kind=kind, said_as=name_of(by, league.club), at=at)
    PlayOffPlace.objects.bulk_create(
        PlayOffPlace(play_off=made, team=team, number=number)
        for number, team in enumerate(order, 1)
    )
    return made
