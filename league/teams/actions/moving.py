"""Actions that move a match, or a whole round, to another day."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.labels import as_partners
from league.members.audit import Actor, club_language, log_action
from league.members.languages import clock, dated
from league.members.models import Club
from league.sessions.queries import local_date
from league.teams.actions.leagues import actor_name, lock_league
from league.teams.breaks import is_in_break
from league.teams.fixtures import starts_at
from league.teams.models import MatchMessage, TeamLeague, TeamMatch
from league.teams.validators import fixture_rules_from


@transaction.atomic
def move_match(
    match: TeamMatch,
    *,
    held_on: date | None,
    venue: str,
    reason: str,
    by: Actor,
    begins_at: time | None = None,
    anyway: bool = False,
    at: datetime | None = None,
) -> TeamMatch:
    """Move a match to another venue, start time or day; None for a day still to be agreed, or for
    the league's start time.

    With `at`, a message on the match brings what is new to its captains.

    Unless `anyway` is set, refuses a day after the league's limit for postponed matches
    (`too-late`), before today (`day-past`, with `at`), outside the season (`out-of-season`), in a
    week without matches (`in-break`) or on which a team has another match to play (`two-matches`).
    """
    fresh = lock_league(match.league)
    match.refresh_from_db()
    if match.session_id is not None or match.card:
        message = _("This match has been played, so its day can't change.")
        raise Refused("played-already", message, status=409)
    old = _place_and_time(match)
    is_new_day = held_on != match.held_on
    if is_new_day:
        if not reason:
            message = _("Add the reason for the new day.")
            raise Refused("no-reason", message, fields={"reason": [message]})
        faults = [] if held_on is None or anyway else day_faults(fresh, match, held_on, at)
        if faults:
            code, message = faults[0]
            sentences = [sentence for _code, sentence in faults]
            raise Refused(code, message, fields={"held_on": sentences}, status=409)
        _set_day(match, held_on, reason)
    match.begins_at, match.venue = begins_at, venue
    match.revision += 1
    match.save(update_fields=PLACE_AND_TIME)
    new = _place_and_time(match)
    logged = new | {"reason": reason, "in_league": fresh.public_id}
    log_action(fresh.club, by, "move team match", match, old=old, new=logged)
    if new != old and at is not None:
        changed = {name for name, value in new.items() if value != old[name]}
        _send_messages([match], changed, reason, club=fresh.club, by=by, at=at)
    return match


@transaction.atomic
def move_round(
    league: TeamLeague,
    number: int,
    *,
    first_day: date,
    later: bool,
    reason: str,
    by: Actor,
    at: datetime,
    anyway: bool = False,
) -> list[TeamMatch]:
    """Move the matches to play of a round so that the first of them is on `first_day`, the others
    by as many days; `later`: those of all later rounds too. Return the matches moved.

    A message on each match brings its new day to its captains. Unless `anyway` is set, refuses
    (`odd-days`) days as `move_match` does.
    """
    fresh = lock_league(league)
    matches = matches_to_move(fresh, number, later=later)
    first_days = [match.held_on for match in matches if match.held_on and match.round == number]
    if not first_days:
        raise Refused("nothing-to-move", _("This round has no match to move."), status=409)
    old_day = min(first_days)
    if first_day == old_day:
        message = _("The round is on this day now. Choose another day.")
        raise Refused("same-day", message, fields={"first_day": [message]})
    _shift(matches, first_day - old_day, reason)
    if not anyway:
        _refuse_odd_days(fresh, matches, at)
    _send_messages(matches, {"held_on"}, reason, club=fresh.club, by=by, at=at)
    last = matches[-1].round
    rounds = {"rounds": f"{number}–{last}"} if last > number else {"round": number}
    named = [str(match) for match in matches if match.round == number]
    new = {**rounds, "matches": named, "held_on": str(first_day), "reason": reason}
    log_action(fresh.club, by, "move league round", fresh, old={"held_on": str(old_day)}, new=new)
    return matches


def matches_to_move(league: TeamLeague, number: int, *, later: bool = False) -> list[TeamMatch]:
    """The matches to play of a round that have a day; with `later` those of all later ones too."""
    rounds = {"round__gte" if later else "round": number}
    to_play = TeamMatch.UNTOUCHED | {"home__withdrawn_at": None, "away__withdrawn_at": None}
    matches = league.matches.filter(cup=None, held_on__isnull=False, **rounds, **to_play)
    return list(matches.select_related("home", "away").order_by("round", "number"))


def _shift(matches: Sequence[TeamMatch], distance: timedelta, reason: str) -> None:
    """Move matches by as many days."""
    for match in matches:
        if match.held_on:
            _set_day(match, match.held_on + distance, reason)
        match.revision += 1
    TeamMatch.objects.bulk_update(matches, PLACE_AND_TIME)


def _refuse_odd_days(league: TeamLeague, matches: Iterable[TeamMatch], at: datetime) -> None:
    """Refuse the days that these matches have by now, if any is odd: each with its matches."""
    odd: dict[tuple[date, str], list[str]] = defaultdict(list)
    for match in matches:
        day = match.held_on or date.min
        for _code, sentence in day_faults(league, match, day, at):
            odd[day, sentence].append(str(match))
    if not odd:
        return
    sentences = [
        _("%(day)s, %(matches)s: %(what)s")
        % {"day": dated(day, _("l j F")), "matches": ", ".join(listed), "what": sentence}
        for (day, sentence), listed in odd.items()
    ]
    fields = {"first_day": sentences}
    raise Refused("odd-days", sentences[0], fields=fields, status=409, asks="anyway")


def _set_day(match: TeamMatch, held_on: date | None, reason: str) -> None:
    """Give a match another day; on the day first planned it is no longer postponed."""
    match.first_date = match.first_date or match.held_on
    match.held_on, match.postponed_reason = held_on, reason
    if match.held_on == match.first_date:
        match.first_date, match.postponed_reason = None, ""


PLACE_AND_TIME = [
    "held_on", "begins_at", "first_date", "postponed_reason", "venue", "revision",
]  # fmt: skip


def _place_and_time(match: TeamMatch) -> dict[str, str]:
    """When and where a match is played, for the log."""
    start = f"{match.begins_at:%H:%M}" if match.begins_at else ""
    return {"held_on": str(match.held_on or ""), "begins_at": start, "venue": match.venue}


def _send_messages(
    matches: Sequence[TeamMatch],
    changed: Collection[str],
    reason: str,
    *,
    club: Club,
    by: Actor,
    at: datetime,
) -> None:
    """Leave a message about what has changed on each match, the first match's as the newest."""
    said_as, today = actor_name(by, club), local_date(club, at)
    with club_language(club):
        MatchMessage.objects.bulk_create(
            MatchMessage(
                match=match,
                text=_move_text(match, changed, reason, today=today)[:300],
                said_as=said_as,
                at=at,
            )
            for match in reversed(matches)
        )


def _move_text(match: TeamMatch, changed: Collection[str], reason: str, *, today: date) -> str:
    """The message to the captains about the new day, start time or venue, whichever changed."""
    day, venue = match.held_on, match.venue or match.home.venue if "venue" in changed else ""
    if "held_on" in changed and day is None:
        return _("The day is still to be agreed: %(reason)s") % {"reason": reason}
    start = clock(match.begins_at or starts_at(match.league)) if "begins_at" in changed else ""
    if day and "held_on" in changed:
        shown = dated(day, _("l j F") if day.year == today.year else _("l j F Y"))
        when = ", ".join(filter(None, [shown, start or clock(match.begins_at), venue]))
        return _("New day, %(day)s: %(reason)s") % {"day": when, "reason": reason}
    if start:
        when = ", ".join(filter(None, [start, venue]))
        return _("New start time: %(time)s") % {"time": when}
    if venue:
        return _("New venue: %(venue)s") % {"venue": venue}
    return _("The start time is still to be agreed.")


def day_faults(
    league: TeamLeague, match: TeamMatch, held_on: date, at: datetime | None
) -> list[tuple[str, str]]:
    """The code and sentence of all that is odd about moving the match to this day."""
    faults = (
        _odd_day(league, held_on, at),
        _break(league, held_on),
        _too_late(league, match, held_on),
        _second_match(league, match, held_on),
    )
    return [fault for fault in faults if fault is not None]


def _odd_day(league: TeamLeague, held_on: date, at: datetime | None) -> tuple[str, str] | None:
    season = league.season
    if at is not None and held_on < local_date(league.club, at):
        return "day-past", _("This day is in the past. Tick below to use it anyway.")
    if season and not season.starts_on <= held_on <= (season.ends_on or held_on):
        return "out-of-season", _("This day is outside the season. Tick below to use it anyway.")
    return None


def _break(league: TeamLeague, held_on: date) -> tuple[str, str] | None:
    if not is_in_break(league, held_on):
        return None
    return "in-break", _("No matches are planned in this week. Tick below to use it anyway.")


def _too_late(league: TeamLeague, match: TeamMatch, held_on: date) -> tuple[str, str] | None:
    first = match.first_date or match.held_on
    if first is None or match.cup_id is not None:
        return None
    fixtures = league.matches.filter(cup=None)
    last = fixtures.aggregate(last=Max(Coalesce("first_date", "held_on")))["last"]
    limit = fixture_rules_from(league.fixture_rules).latest(first, last)
    if limit is None or held_on <= limit:
        return None
    message = _("Play this match by %(day)s, or tick below to allow a later day.")
    return "too-late", message % {"day": dated(limit, _("j F"))}


def _second_match(league: TeamLeague, match: TeamMatch, held_on: date) -> tuple[str, str] | None:
    """The fault of a day on which a team of the match has another one to play."""
    that_day = league.matches.filter(held_on=held_on, **TeamMatch.UNTOUCHED).exclude(pk=match.pk)
    that_day = that_day.filter(home__withdrawn_at=None, away__withdrawn_at=None)
    playing = {team for sides in that_day.values_list("home", "away") for team in sides}
    names = [team.name for team in (match.home, match.away) if team.pk in playing]
    if not names:
        return None
    message = ngettext(
        "%(teams)s has another match that day. Tick below to use it anyway.",
        "%(teams)s have another match that day. Tick below to use it anyway.",
        len(names),
    )
    return "two-matches", message % {"teams": as_partners(names)}
