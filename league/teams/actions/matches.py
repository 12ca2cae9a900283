"""Actions on one match: moving its card, awarding games, decisions, messages, photographs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, club_language, log_action
from league.play.actions import abandon_game
from league.play.models import Game
from league.sessions.models import Attendance
from league.teams.actions.cards import write_card
from league.teams.actions.confirming import (
    accept_card,
    game_tables,
    log_confirmed,
    match_result,
    own_card_refusal,
    refuse_stale,
)
from league.teams.actions.cups import update_cup
from league.teams.actions.leagues import actor_name, lock_league
from league.teams.actions.moving import move_match
from league.teams.card import Card, card_of, changed_games, meetings_of, swap_sides
from league.teams.models import (
    CardCopy,
    CardPhotograph,
    LeagueDecision,
    MatchMessage,
    TeamLeague,
    TeamMatch,
)
from league.teams.queries import match_records

MOVED_FIELDS = ("session", "written_by", "written_as", "received_at", "card", "card_note")


@transaction.atomic
def move_card(match: TeamMatch, to: TeamMatch, *, by: Actor, at: datetime) -> TeamMatch:
    """Move a card that was filled in for the wrong fixture to another one of the same two teams.

    The sides are swapped if the other fixture has them the other way round. The games, players and
    time of arrival stay the same. Refuses if the other fixture has a card already, or if a decision
    was made about this card.
    """
    league = lock_league(match.league)
    for fixture in (match, to):
        fixture.refresh_from_db()
        fixture.league = league
    _refuse_move(match, to)
    card = card_of(match, league)
    if to.home_id != match.home_id:
        card = swap_sides(card, league)
    for name in MOVED_FIELDS:
        setattr(to, name, getattr(match, name))
    match.session, match.written_by, match.received_at = None, None, None
    match.written_as, match.card = "", []
    if match.first_date and not match.postponed_reason:  # only the card changed its day
        match.held_on, match.first_date = match.first_date, None
    match.revision += 1
    match.save(update_fields=[*MOVED_FIELDS, "held_on", "first_date", "revision"])
    to.save(update_fields=MOVED_FIELDS)
    match.photographs.exclude(team__in=to.photographs.values("team")).update(match=to)
    update_cup(match)
    write_card(to, card, side=None, by=by, at=at, anyway=True, is_moved=True)
    old = {"was": str(match)}
    log_action(league.club, by, "move match card", to, session=to.session, old=old)
    return to


def _refuse_move(match: TeamMatch, to: TeamMatch) -> None:
    if match.session is None or match.card_note:
        message = _("A decision was made about this card, so it can't be moved.")
        if match.session is None:
            message = _("This match has no card yet.")
        raise Refused("no-card", message, status=409)
    if not to.is_untouched:
        message = _("That match has a card or is awarded already.")
        raise Refused("card-known", message, fields={"to": [message]}, status=409)
    if {to.home_id, to.away_id} != {match.home_id, match.away_id}:
        message = _("Choose a match of the same two teams.")
        raise Refused("other-teams", message, fields={"to": [message]})


@transaction.atomic
def leave_message(match: TeamMatch, *, text: str, by: Actor, at: datetime) -> MatchMessage:
    """Leave a message about a match, from a captain or an organiser."""
    league = lock_league(match.league, must_be_open=False)
    message = MatchMessage.objects.create(
        match=match, text=text, said_as=actor_name(by, league.club), at=at
    )
    new = {"in_league": league.public_id}
    log_action(league.club, by, "leave match message", match, new=new)
    return message


@transaction.atomic
def record_decision(
    league: TeamLeague, text: str, *, match: TeamMatch | None = None, by: Actor, at: datetime
) -> LeagueDecision:
    """Record a decision of the committee, for everyone to read."""
    fresh = lock_league(league, must_be_open=False)
    decision = LeagueDecision.objects.create(
        league=fresh, match=match, text=text, said_as=actor_name(by, league.club), at=at
    )
    log_action(fresh.club, by, "decide in league", match or fresh, new={"text": text})
    return decision


@transaction.atomic
def give_games(
    match: TeamMatch,
    marks: Mapping[int, str | None],
    *,
    reason: str,
    by: Actor,
    at: datetime,
) -> TeamMatch:
    """Award games to a side ("home" or "away"), make them "void", or let the score count (None).

    `marks` is by game number, from 0. The reason is recorded as a decision. Ends any dispute of the
    card. Refuses (`undecided`) if the games that are left don't decide the match.
    """
    league = lock_league(match.league)
    match.refresh_from_db()
    if match.is_given or (match.session_id is None and not match.card):
        raise Refused("no-card", _("This match has no card yet."), status=409)
    if match.totals_only:
        message = _("Only the totals of this match are known. Fill in its card first.")
        raise Refused("totals-only", message, status=409)
    match.league = league
    before = _entries(match)
    card = [*match.card, *([None] * (league.games - len(match.card)))]
    for number, mark in marks.items():
        if not 0 <= number < league.games:
            message = _("The card has no such game.")
            raise Refused("no-game", message, fields={"number": [message]})
        card[number] = mark
    match.card, match.card_note = card, reason
    match.revision += 1
    match.save(update_fields=["card", "card_note", "revision"])
    _refuse_undecided(match)
    _record_change(match, before, reason, by=by, at=at)
    if game_tables(match, Game.State.DISPUTED):
        accept_card(match, by=by, at=at)
    old, new = changed_games(before, _entries(match))
    teams = {"home": match.home.name, "away": match.away.name}
    new = {game: teams.get(result, result) for game, result in new.items()} | {"why": reason}
    log_action(league.club, by, "give games", match, session=match.session, old=old, new=new)
    return match


def _refuse_undecided(match: TeamMatch) -> None:
    (record,) = match_records([match], match.league)
    if not record.met.over:
        message = _(
            "The games left don't decide the match. Use “Play it again” or “Award the match”."
        )
        raise Refused("undecided", message, fields={"number": [message]}, status=409)


@transaction.atomic
def play_again(
    match: TeamMatch,
    *,
    held_on: date | None,
    reason: str,
    by: Actor,
    at: datetime,
    anyway: bool = False,
) -> TeamMatch:
    """Order a replay on another day; None for a day still to be agreed.

    The card no longer counts and stays in the activity log, with its games as not played. The
    reason is recorded as a decision. Refuses a day as `move_match` does.
    """
    league = lock_league(match.league)
    match.refresh_from_db()
    match.league = league
    session = match.session
    if match.is_given or (session is None and not match.card):
        raise Refused("no-card", _("This match has no card yet."), status=409)
    old = {"games": match_result(match, league)}
    for table in game_tables(match, *Game.State.values):
        abandon_game(table, reason=reason, by=by, at=at)
    Attendance.objects.filter(session=session).delete()
    match.copies.all().delete()
    for name, value in NO_CARD.items():
        setattr(match, name, value)
    match.card_note = reason
    match.save(update_fields=[*NO_CARD, "card_note"])
    new = {"why": reason, "match": match.public_id, "in_league": league.public_id}
    log_action(league.club, by, "order replay", match, session=session, old=old, new=new)
    move_match(
        match, held_on=held_on, begins_at=match.begins_at, venue=match.venue, reason=reason,
        by=by, at=at, anyway=anyway,
    )  # fmt: skip
    update_cup(match)
    with club_language(league.club):
        text = _("To be played again: %(reason)s") % {"reason": reason}
    record_decision(league, text[:300], match=match, by=by, at=at)
    return match


NO_CARD: dict[str, Any] = {
    "session": None,
    "written_by": None,
    "written_as": "",
    "received_at": None,
    "card": [],
    "totals_only": False,
    "late_lifted": "",
    "decider": [],
}


def _entries(match: TeamMatch) -> Sequence[Any]:
    """The games of a match's card as they count now."""
    (record,) = match_records([match], match.league)
    return record.entries


def _record_change(
    match: TeamMatch, before: Sequence[Any], reason: str, *, by: Actor, at: datetime
) -> None:
    """Record the decision that has changed a card: its reason, and the scores that it replaced."""
    old, _new = changed_games(before, _entries(match))
    with club_language(match.league.club):
        scores = [
            _("game %(n)s was %(score)s") % {"n": key.split()[1], "score": score}
            for key, score in old.items()
            if score[:1].isdigit()
        ]
    text = f"{reason} ({', '.join(scores)})" if scores else reason
    record_decision(match.league, text[:300], match=match, by=by, at=at)


@transaction.atomic
def settle_dispute(
    match: TeamMatch,
    copy: CardCopy | None,
    *,
    reason: str,
    by: Actor,
    at: datetime,
    seen: int | None = None,
) -> TeamMatch:
    """Decide a disputed card as an organiser: let it stand, or replace it with a captain's `copy`.
    The reason is recorded as a decision. Refuses (`not-disputed`) a card that is not disputed, and
    (`stale`) one that has changed since its revision `seen`."""
    league = lock_league(match.league)
    match.refresh_from_db()
    match.league = league
    if not game_tables(match, Game.State.DISPUTED):
        raise Refused("not-disputed", _("This card is not disputed any more."), status=409)
    if seen is not None:
        refuse_stale(match, seen)
    before = _entries(match)
    if copy is not None:
        _write_copy(match, copy, league, by=by, at=at)
    accept_card(match, by=by, at=at)
    _record_change(match, before, reason, by=by, at=at)
    new = {"games": match_result(match, league), "why": reason}
    log_action(league.club, by, "settle disputed card", match, session=match.session, new=new)
    return match


def _write_copy(
    match: TeamMatch, copy: CardCopy, league: TeamLeague, *, by: Actor, at: datetime
) -> None:
    """Replace the scores of a match's card with those of a captain's copy."""
    places = [(meeting.turn, meeting.home_pair) for meeting in meetings_of(league)]
    games = zip(places, copy.games, strict=False)
    scores = {place: (game[0], game[1]) for place, game in games if isinstance(game, list)}
    card = replace(card_of(match, league), scores=scores)
    write_card(match, card, side=None, by=by, at=at, anyway=True)


def copy_of(match: TeamMatch, side: int) -> CardCopy | None:
    """A captain's own copy of the card, if it differs from the card saved first."""
    copies = match.copies.filter(team=(match.home, match.away)[side])
    return copies.select_related("team").first()


@transaction.atomic
def agree_with_copy(match: TeamMatch, *, side: int, seen: int, by: Actor, at: datetime) -> None:
    """Accept the other captain's copy, as the captain who wrote the card.

    `seen` is the revision of the match that was looked at. Refuses (`own-card`) without a copy.
    """
    league = lock_league(match.league)
    match.refresh_from_db()
    match.league = league
    refuse_stale(match, seen)
    copy = copy_of(match, 1 - side)
    if copy is None or not game_tables(match, Game.State.DISPUTED):
        raise own_card_refusal()
    _write_copy(match, copy, league, by=by, at=at)
    match.written_by, match.written_as = copy.team, copy.said_as
    match.save(update_fields=["written_by", "written_as"])
    match.copies.all().delete()
    log_confirmed(match, league, by=by)


@transaction.atomic
def correct_disputed_card(
    match: TeamMatch, card: Card, *, reason: str, by: Actor, at: datetime, anyway: bool
) -> TeamMatch:
    """Correct a disputed card as an organiser; the reason is recorded as a decision."""
    before = _entries(match)
    write_card(match, card, side=None, by=by, at=at, anyway=anyway)
    _record_change(match, before, reason, by=by, at=at)
    return match


@transaction.atomic
def lift_late(match: TeamMatch, *, reason: str, by: Actor) -> TeamMatch:
    """Waive the penalty for a late card, with a reason; an empty reason restores it."""
    league = lock_league(match.league)
    match.refresh_from_db()
    old = match.late_lifted
    match.late_lifted = reason
    match.save(update_fields=["late_lifted"])
    action = "lift late card" if reason else "restore late penalty"
    log_action(league.club, by, action, match, old={"reason": old}, new={"reason": reason})
    return match


@transaction.atomic
def send_photograph(
    match: TeamMatch, image: bytes, *, side: int, by: Actor, at: datetime
) -> CardPhotograph:
    """Save a captain's photograph of the card, replacing the one their team sent before.

    `image` comes from `small_photograph`; `side` is 0 for the home captain, 1 for the visitors'.
    Refuses (`league-closed`) once the league is closed.
    """
    league = lock_league(match.league)
    team = (match.home, match.away)[side]
    photograph, _new = CardPhotograph.objects.update_or_create(
        match=match,
        team=team,
        defaults={"image": image, "said_as": actor_name(by, league.club), "at": at},
    )
    log_action(league.club, by, "send card photograph", match)
    return photograph
