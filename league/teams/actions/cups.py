"""Actions on a league's cups, of teams and of pairs, and on its play-offs."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.languages import dated
from league.pairing import Rng
from league.teams.actions.leagues import actor_name, lock_league
from league.teams.cups import (
    PairEntry,
    bracket_of,
    clashes,
    drawn_cup,
    next_matches,
    pairs_bracket,
    ready_matches,
)
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
from league.teams.promotion import DuePlayOff, due_play_offs, play_off_matches
from league.teams.queries import card_play_offs, cup_matches_of, match_records


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
    """Create a knock-out cup of the league's teams, drawn at random with the seed, or of the `best`
    teams of its table, seeded by rank. With a day, its first matches are created too.

    `seen` is the digest of the draw that the organiser has looked at. Refuses (`plan-changed`) if
    teams or matches have changed since.
    """
    fresh = lock_league(league)
    _refuse_taken_name(fresh, name)
    draw = drawn_cup(fresh, seed=seed, third_place=third_place, held_on=held_on, best=best)
    if seen is not None and seen != draw.seen:
        message = _("Something has changed. Check the draw again.")
        raise Refused("plan-changed", message, status=409)
    cup = TeamCup.objects.create(league=fresh, name=name, third_place=third_place, seed=seed)
    CupPlace.objects.bulk_create(
        CupPlace(cup=cup, team=team, number=number) for number, team in enumerate(draw.teams, 1)
    )
    if held_on is not None:
        for match in draw.matches:
            match.cup = cup
        TeamMatch.objects.bulk_create(draw.matches)
    new = {"teams": len(draw.teams), "third_place": third_place, "seed": seed}
    log_action(fresh.club, by, "draw cup", cup, new=new | {"held_on": str(held_on or "")})
    return cup


def make_cup_of(
    fresh: TeamLeague,
    teams: Sequence[Team],
    *,
    name: str,
    held_on: date | None,
    venue: str,
    by: Actor,
) -> TeamCup:
    """Create a cup of these teams in this order, with its first matches at a venue. Refuses a name
    that is taken. The caller has locked the league."""
    _refuse_taken_name(fresh, name)
    cup = TeamCup.objects.create(league=fresh, name=name)
    CupPlace.objects.bulk_create(
        CupPlace(cup=cup, team=team, number=number) for number, team in enumerate(teams, 1)
    )
    cup.league = fresh
    first_matches = next_matches(fresh, cup, bracket_of(cup), frozenset(), held_on)
    for match in first_matches:
        match.venue = venue
    TeamMatch.objects.bulk_create(first_matches)
    log_action(fresh.club, by, "draw cup", cup, new={"teams": len(teams), "venue": venue})
    return cup


def _refuse_taken_name(league: TeamLeague, name: str) -> None:
    if league.cups.filter(name=name).exists() or league.pairs_cups.filter(name=name).exists():
        message = _("There is already a cup of this name.")
        raise Refused("cup-known", message, fields={"name": [message]}, status=409)


@transaction.atomic
def draw_cup_matches(
    cup: TeamCup, *, held_on: date | None, by: Actor, venue: str = ""
) -> list[TeamMatch]:
    """Create the next round's matches, or, if they exist, move the untouched ones to this day and
    venue.

    The side drawn first is at home, unless only its venue has another match that day. Without a
    neutral `venue` the match is at the home side's. Refuses a day before the previous round
    (`too-early`), and a cup in which no match can be created or moved (`nothing-ready`).
    """
    fresh = lock_league(cup.league)
    cup.league = fresh
    drawn_places = set(cup.matches.values_list("place", flat=True))
    cup_bracket = bracket_of(cup)
    ready = next_matches(fresh, cup, cup_bracket, drawn_places, held_on)
    # Without a day there is nothing to move: matches keep the days they have.
    open_matches = [] if held_on is None else _latest_open_matches(cup)
    if not ready and (cup_bracket.over or not open_matches):
        message = (
            _("All matches of the cup are played.")
            if cup_bracket.over
            else _("Every match that can have a day has one.")
        )
        raise Refused("nothing-ready", message, status=409)
    matches = ready or open_matches
    _refuse_too_early(cup, min(match.round for match in matches), held_on)
    for match in matches:
        if match.held_on != held_on:
            match.begins_at = None
        match.held_on, match.venue = held_on, venue
    if ready:
        matches = TeamMatch.objects.bulk_create(ready)
    else:
        for match in matches:
            match.revision += 1
        TeamMatch.objects.bulk_update(matches, ["held_on", "begins_at", "venue", "revision"])
    new = {"matches": len(matches), "held_on": str(held_on or "")}
    log_action(fresh.club, by, "fix cup matches", cup, new=new)
    return matches


def _latest_open_matches(cup: TeamCup) -> list[TeamMatch]:
    """The untouched matches of the last round that has any."""
    open_filter = {"home__withdrawn_at": None, "away__withdrawn_at": None, **TeamMatch.UNTOUCHED}
    matches = list(cup.matches.filter(**open_filter).order_by("round", "number"))
    return [match for match in matches if match.round == matches[-1].round]


def _refuse_too_early(cup: TeamCup, round_: int, held_on: date | None) -> None:
    """Refuse a day before any match of an earlier round."""
    earlier = cup.matches.filter(round__lt=round_).order_by("-held_on")
    last = earlier.exclude(held_on=None).values_list("held_on", flat=True).first()
    if last is not None and held_on is not None and held_on < last:
        words = {"day": dated(last, _("j F Y"))}
        message = _("The round before is on %(day)s. Choose no earlier day.") % words
        raise Refused("too-early", message, fields={"held_on": [message]}, status=409)


@transaction.atomic
def drop_cup(cup: TeamCup, *, by: Actor) -> None:
    """Delete a cup in which no match has been played."""
    fresh = lock_league(cup.league)
    if cup.matches.exclude(**TeamMatch.UNTOUCHED).exists():
        message = _("A match has already been played, so the cup can't be deleted.")
        raise Refused("played-already", message, status=409)
    log_action(fresh.club, by, "drop cup", cup, old={"league": fresh.name})
    cup.matches.all().delete()
    cup.delete()


def update_cup(match: TeamMatch) -> None:
    """Delete later matches of the cup whose sides have changed with this result."""
    if match.cup is not None:
        match.cup.league = match.league
        take_back_stale_matches(match.cup)


def take_back_stale_matches(cup: TeamCup) -> None:
    """Delete the matches whose sides are no longer those of the bracket.

    Refuses (`played-on`) if one of them has been played.
    """
    records = cup_matches_of(cup)
    bracket_matches = bracket_of(cup, records).matches
    for record in records:
        if set(record.met.teams) == set(bracket_matches[record.match.place].sides):
            continue
        if not record.match.is_untouched:
            message = _("A later match of this cup has been played, so this winner can't change.")
            raise Refused("played-on", message, status=409)
        record.match.delete()


@transaction.atomic
def decide_cup_match(match: TeamMatch, *, home: int, away: int, by: Actor) -> TeamMatch:
    """Record the deciding game of a drawn cup match, played by pairs that the captains named; its
    winner goes through. Refuses any match but a drawn cup match, and a drawn game."""
    league = lock_league(match.league)
    match.refresh_from_db()
    match.league = league
    (record,) = match_records([match], league)
    if match.cup_id is None or record.met.won[0] != record.met.won[1] or not record.met.over:
        message = _("Only a tied cup match has a deciding game.")
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
    league: TeamLeague, *, name: str, pairs: Sequence[PairEntry], seed: int, by: Actor
) -> PairsCup:
    """Create a knock-out cup of these pairs, drawn at random. Refuses a name that is taken."""
    fresh = lock_league(league)
    _refuse_taken_name(fresh, name)
    entries = list(pairs)
    Rng(seed).shuffle(entries)
    cup = PairsCup.objects.create(league=fresh, name=name, seed=seed)
    CupPair.objects.bulk_create(
        CupPair(cup=cup, number=number, team=entry.team, first=entry.first, second=entry.second)
        for number, entry in enumerate(entries, 1)
    )
    log_action(fresh.club, by, "draw pairs cup", cup, new={"pairs": len(entries), "seed": seed})
    return cup


@transaction.atomic
def set_pairs_day(cup: PairsCup, *, held_on: date, by: Actor) -> list[PairsMatch]:
    """Give the next round its day. Refuses a day on which a team of these pairs has a match
    (`clash`), and a cup in which no match needs a day (`nothing-ready`)."""
    fresh = lock_league(cup.league)
    pairs = list(cup.pairs.select_related("team"))
    matches = list(cup.matches.all())
    cup_bracket = pairs_bracket(pairs, matches)
    ready = ready_matches(cup, cup_bracket, {match.place for match in matches}, held_on)
    open_matches = [] if ready else [match for match in matches if match.winner_id is None]
    if not ready and not open_matches:
        message = _("Every match that can have a day has one.")
        raise Refused("nothing-ready", message, status=409)
    team_of_pair = {pair.pk: pair.team_id for pair in pairs}
    teams = {team_of_pair[side] for match in (*ready, *open_matches) for side in match.sides}
    clash = next(iter(clashes(fresh, teams, [held_on])), None)
    if clash is not None:
        words = {"match": clash, "day": dated(held_on, _("j F Y"))}
        message = _("%(match)s is on %(day)s. Choose a day without a match of these teams.") % words
        raise Refused("clash", message, fields={"held_on": [message]}, status=409)
    changed = PairsMatch.objects.bulk_create(ready) or open_matches
    for match in open_matches:
        match.held_on = held_on
    PairsMatch.objects.bulk_update(open_matches, ["held_on"])
    new = {"matches": len(changed), "held_on": str(held_on)}
    log_action(fresh.club, by, "fix pairs matches", cup, new=new)
    return changed


@transaction.atomic
def record_pairs_result(
    match: PairsMatch,
    *,
    home: int | None,
    away: int | None,
    through: CupPair | None,
    by: Actor,
) -> PairsMatch:
    """Record the final score, or the pair that goes through without a game. A later match that now
    has another side is deleted; refuses (`played-on`) if it has been played."""
    fresh = lock_league(match.cup.league)
    match.refresh_from_db()
    match.home_points, match.away_points, match.through = home, away, through
    if match.winner_id is None:
        message = _("Enter two different scores, or choose who goes through.")
        raise Refused("undecided", message)
    match.save(update_fields=["home_points", "away_points", "through"])
    cup = match.cup
    matches = list(cup.matches.all())
    bracket_matches = pairs_bracket(list(cup.pairs.select_related("team")), matches).matches
    for later_match in matches:
        place = bracket_matches.get(later_match.place)
        if place is None or set(later_match.sides) == set(place.sides):
            continue
        if later_match.winner_id is not None:
            message = _("A later match of this cup has been played, so this winner can't change.")
            raise Refused("played-on", message, status=409)
        later_match.delete()
    score = "" if home is None or away is None else f"{home}–{away}"
    new = {"match": f"{match.home} – {match.away}", "score": score}
    log_action(fresh.club, by, "record pairs result", cup, new=new)
    return match


@transaction.atomic
def drop_pairs_cup(cup: PairsCup, *, by: Actor) -> None:
    """Delete a cup in which no match has a result."""
    fresh = lock_league(cup.league)
    if any(match.winner_id is not None for match in cup.matches.all()):
        message = _("A match has already been played, so the cup can't be deleted.")
        raise Refused("played-already", message, status=409)
    log_action(fresh.club, by, "drop cup", cup, old={"league": fresh.name})
    cup.delete()


@transaction.atomic
def record_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """Record the result of a due play-off, the winner first. Refuses any other (`not-due`)."""
    fresh = lock_league(league, must_be_open=False)
    _due_play_off(fresh, kind, order)
    play_off = save_play_off(fresh, kind, order, by=by, at=at)
    log_action(league.club, by, "record play-off", league, new={"order": [t.name for t in order]})
    return play_off


@transaction.atomic
def take_back_play_off(play_off: PlayOff, *, by: Actor) -> None:
    """Delete a play-off that was recorded by mistake: it is due again. Refuses (`league-closed`)
    once the league is closed, because its winners would no longer be certain."""
    fresh = lock_league(play_off.league)
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
    best_of: int = 1,
) -> TeamCup:
    """Create a match for a play-off of two teams: a cup of the two, with a day, a venue and a card.

    In a best-of series each match is such a cup; only the first has the day, and the teams are at
    home in turn. Confirmed cards decide the play-off (`card_play_offs`). Return the first cup.
    """
    fresh = lock_league(league)
    due = _due_play_off(fresh, kind, teams)
    n_before = len(play_off_matches(fresh, due))
    name = (_("Play-off %(teams)s") % {"teams": due.name})[:74]
    cups: list[TeamCup] = []
    for n in range(n_before, n_before + best_of):
        sides, day = due.teams[::-1] if n % 2 else due.teams, None if cups else held_on
        own = f"{name} ({n + 1})" if n else name
        cups.append(make_cup_of(fresh, sides, name=own, held_on=day, venue=venue, by=by))
    return cups[0]


def _due_play_off(league: TeamLeague, kind: str, teams: Sequence[Team]) -> DuePlayOff:
    """The due play-off of these teams. Refuses (`not-due`) if there is none, and
    (`card-decides`) if a card has decided it."""
    keys = {team.pk for team in teams}
    if any(set(one.order) == keys for one in card_play_offs(league)):
        message = _("The confirmed card decides this play-off. If it is wrong, fix the card.")
        raise Refused("card-decides", message, status=409)
    due = due_play_offs(league)
    for play_off in due:
        same_size = len(play_off.teams) == len(teams)
        if same_size and (play_off.kind, set(play_off.teams)) == (kind, set(teams)):
            return play_off
    if due:
        message = _("This play-off isn't due. Due: %(due)s.")
        message %= {"due": ", ".join(play_off.name for play_off in due)}
    else:
        message = _("No play-off is due.")
    raise Refused("not-due", message, status=409)


def save_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """Save the result of a play-off without checks, the winner first."""
    play_off = PlayOff.objects.create(
        league=league, kind=kind, said_as=actor_name(by, league.club), at=at
    )
    PlayOffPlace.objects.bulk_create(
        PlayOffPlace(play_off=play_off, team=team, number=number)
        for number, team in enumerate(order, 1)
    )
    return play_off
