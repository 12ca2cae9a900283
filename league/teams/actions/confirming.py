"""Confirm or dispute a match's card; a second captain's copy."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.labels import as_partners
from league.members.audit import Actor, club_language, log_action
from league.members.models import Club, Member
from league.play.actions import await_confirmation, confirm_game, dispute_game, settle_game
from league.play.actions.confirm import STANDS
from league.play.models import Game
from league.seating.models import Table
from league.teams.actions.leagues import actor_name, as_player, lock_league
from league.teams.card import Card, card_entries, card_of, changed_games
from league.teams.models import CardCopy, MatchMessage, TeamLeague, TeamMatch
from league.teams.queries import PLANNER, match_records

State = Game.State


@transaction.atomic
def confirm_card(
    match: TeamMatch, *, side: int | None, by: Actor, at: datetime, seen: int | None = None
) -> TeamMatch:
    """Confirm a card as the other captain, or as an organiser (`side` None).

    A captain whose own copy differs may agree with the first card after all. `seen` is the revision
    of the match that was looked at; refuses (`stale`) if it has changed. The winners of a closed
    league wait for it, so it needs no reopening.
    """
    league = lock_league(match.league, must_be_open=False)
    match.refresh_from_db()
    _refuse_no_card(match)
    if seen is not None:
        refuse_stale(match, seen)
    if side is not None:
        if league.confirms == Club.Confirm.ORGANISER:
            message = _("In this club an organiser confirms results.")
            raise Refused("organiser-confirms", message, status=403)
        if match.written_by_id == (match.home_id, match.away_id)[side]:
            raise own_card_refusal()
        if not _withdraw_copy(match, side):
            refuse_closed_card(match)
        else:
            side = None  # they agree: accept the disputed games too
    accept_card(match, by=by, at=at, side=side)
    log_confirmed(match, league, by=by)
    return match


def log_confirmed(match: TeamMatch, league: TeamLeague, *, by: Actor) -> None:
    """Log that a card is confirmed, with its result."""
    new = {"games": match_result(match, league)}
    log_action(league.club, by, "confirm match card", match, session=match.session, new=new)


def match_result(match: TeamMatch, league: TeamLeague) -> str:
    """The result of a card for the log: the games won at home and away."""
    (record,) = match_records([match], league)
    return "–".join(str(won) for won in record.met.won)


def refuse_stale(match: TeamMatch, seen: int) -> None:
    """Refuse if the card has changed since it was looked at."""
    if seen != match.revision:
        raise Refused("stale", _("The card has changed. Check it again."), status=409)


def own_card_refusal() -> Refused:
    """The refusal for captains who try to confirm their own card."""
    message = _("You entered this card, so the other captain confirms it.")
    return Refused("own-card", message, status=409)


@transaction.atomic
def dispute_card(
    match: TeamMatch, *, reason: str, side: int | None, by: Actor, at: datetime
) -> TeamMatch:
    """Dispute a card as the other side, with a reason; an organiser decides."""
    league = lock_league(match.league, must_be_open=side is None)
    if league.is_closed:
        message = _(
            "This league is closed. Leave a message below: an organiser can reopen it and decide."
        )
        raise Refused("league-closed", message, status=409)
    match.refresh_from_db()
    _refuse_no_card(match)
    if not reason:
        message = _("Say what is wrong.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    match.league = league
    had_counted, captain = may_object_later(match, side), as_player(by, league.club)
    states = (State.FINISHED, State.CONFIRMED) if had_counted else (State.FINISHED,)
    for table in game_tables(match, *states):
        dispute_game(
            table,
            reason=reason,
            by=captain,
            at=at,
            seat=side,
            of_card=True,
            counted=had_counted,
        )
    log_action(league.club, by, "dispute match card", match, session=match.session, new=reason)
    return match


def may_object_later(match: TeamMatch, side: int | None) -> bool:
    """Whether a captain may still object to a card that counts already.

    They may if the league's cards count without confirmation and the other captain wrote it, until
    a decision is made about the match.
    """
    if side is None or match.session_id is None or match.is_given:
        return False
    wrote = match.written_by_id == (match.home_id, match.away_id)[side]
    return (
        match.league.confirms == Club.Confirm.NONE
        and match.league.state == TeamLeague.State.RUNNING
        and not wrote
        and not match.decisions.filter(at__gte=card_since(match)).exists()
    )


def _withdraw_copy(match: TeamMatch, side: int) -> bool:
    """Delete a captain's own copy of a disputed card. Return whether there was one."""
    if not game_tables(match, State.DISPUTED):
        return False
    deleted, _rows = match.copies.filter(team=(match.home, match.away)[side]).delete()
    return bool(deleted)


def game_tables(match: TeamMatch, *states: str) -> list[Table]:
    """The tables of a match whose games are in these states."""
    tables = Table.objects.filter(
        session=match.session_id, round__planner=PLANNER, games__state__in=states
    )
    return list(tables.select_related("session__club", "ruleset", "round").order_by("pk"))


def accept_card(match: TeamMatch, *, by: Actor, at: datetime, side: int | None = None) -> None:
    """Let the card count. Without a `side`, disputed games are settled too."""
    by = as_player(by, match.league.club)
    for table in game_tables(match, State.FINISHED):
        confirm_game(table, by=by, at=at, seat=side, any_side=True, of_card=True)
    if side is None:
        for table in game_tables(match, State.DISPUTED):
            settle_game(table, STANDS, reason=_("as on the card"), by=by, at=at)


def may_correct(match: TeamMatch, league: TeamLeague, side: int | None) -> bool:
    """Whether the captain of this side wrote the card that the other one disputes, and may send a
    corrected one: until an organiser decides about the match, who has the last word."""
    return (
        side is not None
        and league.confirms == Club.Confirm.OPPONENT
        and match.written_by_id == (match.home_id, match.away_id)[side]
        and bool(game_tables(match, State.DISPUTED))
        and not match.decisions.filter(at__gte=card_since(match)).exists()
    )


def card_since(match: TeamMatch) -> datetime:
    """When the card was first saved; earlier decisions are about one that was played again."""
    return match.session.made_at if match.session else match.made_at


def answer_dispute(match: TeamMatch, league: TeamLeague, *, by: Actor, at: datetime) -> None:
    """Let a disputed card that its captain has corrected wait to be confirmed again. A card of the
    other captain's own confirms it if it has the same scores; else it stays disputed."""
    disputed, copy_there = game_tables(match, State.DISPUTED), match.copies.first()
    if copy_there is None:
        for table in disputed:
            await_confirmation(table, at=at)
        return
    (record,) = match_records([match], league)
    if copy_there.games == list(record.entries):
        match.copies.all().delete()
        accept_card(match, by=by, at=at)


def save_second_copy(
    match: TeamMatch, league: TeamLeague, card: Card, *, side: int, by: Actor, at: datetime
) -> TeamMatch:
    """Save the other captain's copy, or a new version of it: equal scores confirm the first card
    and end any dispute, others dispute it."""
    (record,) = match_records([match], league)
    games = card_entries(card, league)
    _report_other_pairs(match, league, card, side, by=by, at=at)
    if games == list(record.entries):
        match.copies.all().delete()
        accept_card(match, by=by, at=at, side=None if record.is_disputed else side)
        log_confirmed(match, league, by=by)
        return match
    match.revision += 1  # a decision between the cards is about the copy that was looked at
    match.save(update_fields=["revision"])
    team = (match.home, match.away)[side]
    CardCopy.objects.update_or_create(
        match=match,
        team=team,
        defaults={"games": games, "said_as": actor_name(by, match.league.club), "at": at},
    )
    reason, by = _("The captains' cards differ."), as_player(by, match.league.club)
    for table in game_tables(match, State.FINISHED):
        dispute_game(table, reason=reason, by=by, at=at, seat=side, of_card=True)
    old, new = changed_games(record.entries, games)
    new = {"why": reason, **new}
    action, session = "dispute match card", match.session
    log_action(league.club, by, action, match, session=session, old=old, new=new)
    return match


def _report_other_pairs(
    match: TeamMatch, league: TeamLeague, card: Card, side: int, *, by: Actor, at: datetime
) -> None:
    """Leave a message with a captain's pairs if their copy has other pairs than the card."""

    def pairs_on(card: Card) -> set[frozenset[Member]]:
        pairs = [frozenset(pair) for pair in (card.home, card.away)[side] if pair]
        return {*pairs, frozenset(card.line_up(side))}

    if pairs_on(card) == pairs_on(card_of(match, league)):
        return
    team = (match.home, match.away)[side].name
    with club_language(league.club):
        pairs = ", ".join(as_partners(pair) for pair in (card.home, card.away)[side] if pair)
        words = {"team": team, "pairs": pairs}
        text = (_("Pairs of %(team)s on our card: %(pairs)s") % words)[:300]
    said = {"text": text, "said_as": actor_name(by, league.club)}
    MatchMessage.objects.get_or_create(match=match, **said, defaults={"at": at})


def refuse_closed_card(match: TeamMatch) -> None:
    """Refuse a captain's action once the card counts or is disputed."""
    if match.session_id is None and not match.card:
        return
    states = set(Game.objects.filter(session=match.session_id).values_list("state", flat=True))
    if State.DISPUTED in states:
        message = _("This card is disputed; an organiser decides.")
        raise Refused("disputed", message, status=409)
    if State.CONFIRMED in states or match.session_id is None:
        message = _("This card is confirmed. Ask an organiser to fix it.")
        raise Refused("confirmed", message, status=409)


def _refuse_no_card(match: TeamMatch) -> None:
    if match.session_id is None:
        raise Refused("no-card", _("This match has no card yet."), status=409)
