"""Actions during play: the bell, ties, walk-overs, withdrawals, forced ends, corrections."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.people import read_line
from league.members.audit import Actor, log_action
from league.play.actions import (
    abandon_game,
    call_time,
    concede,
    concede_instead,
    resume,
    walk_over,
)
from league.play.models import Game
from league.ranking.match_facts import BREAK_TIES, GameFacts, MatchFacts
from league.seating.actions import end_table
from league.seating.models import Table
from league.tournaments.actions.entering import names_of
from league.tournaments.actions.redraw import reseat_matches
from league.tournaments.actions.setup import label_in_log, locked, touch
from league.tournaments.draws.knockout import being_played, corrections, undone_by
from league.tournaments.models import Entry, Match, StageRound, Tournament
from league.tournaments.stage_state import RoundFacts, StageState, load_stage
from league.tournaments.ties import contenders


@transaction.atomic
def ring_bell(tournament: Tournament, *, by: Actor, at: datetime) -> int:
    """End every game that has hands at its score, as the head table is done. Returns their number.

    Tables of which nothing was entered wait for their final scores.
    """
    fresh = locked(tournament)
    _state, last = latest_round(fresh)
    begun = (match for match in last.matches if match.has_hands_in_play)
    stopped = _stop_games((game for match in begun for game in match.games), by=by, at=at)
    log_action(fresh.club, by, "ring bell", fresh, session=fresh.session, new={"tables": stopped})
    touch(fresh)
    return stopped


@transaction.atomic
def force_round(tournament: Tournament, *, reason: str, by: Actor, at: datetime) -> StageRound:
    """End the round before every match is decided: open games end at their score."""
    reason = read_line(reason, field="reason")
    if not reason:
        message = _("Add the reason for ending the round.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    fresh = locked(tournament)
    _state, last = latest_round(fresh)
    games = (game for match in last.matches for game in match.games)
    stopped = _stop_games(games, by=by, at=at)
    row = last.row
    row.forced_reason, row.forced_as, row.forced_at = reason, by.label[:80], at
    row.save(update_fields=["forced_reason", "forced_as", "forced_at"])
    name = label_in_log(row, fresh.club) or row.number
    new = {"round": name, "reason": row.forced_reason, "tables": stopped}
    log_action(fresh.club, by, "force tournament round", fresh, session=fresh.session, new=new)
    touch(fresh)
    return row


@transaction.atomic
def decide_match(
    tournament: Tournament,
    match: Match,
    winner: int,
    *,
    how: str,
    by: Actor,
    at: datetime,
    reason: str = "",
) -> Match:
    """Decide what the games do not: a tie, by one more hand or a cut, or a walk-over.

    Refuses (`round-gone`) unless its round is the latest. A walk-over needs a reason, and ends the
    match's table: a game that is on is conceded.
    """
    reason = read_line(reason, field="reason")
    fresh = locked(tournament)
    state, last = latest_round(fresh)
    message = _("The next round is already drawn, so this match can't change.")
    facts = _facts_in(last, match, message)
    if not _is_side(facts, winner):
        raise _no_such_side()
    if how == Match.By.WALKOVER:
        _end_tables(facts, winner, reason, by=by, at=at)
    elif how not in (Match.By.EXTRA_HAND, Match.By.CUT) or not _may_decide(facts):
        raise Refused("not-tied", _("This match is not tied."), status=409)
    elif facts.tied and facts.players == 3 and winner not in contenders(facts):
        raise _no_such_side()
    match.winner, match.decided_by = winner, how
    match.reason, match.decided_as = reason, by.label[:80]
    match.save(update_fields=["winner", "decided_by", "reason", "decided_as"])
    new = _sides_in_log(state, facts, winner) | {"how": how, "reason": match.reason}
    log_action(fresh.club, by, "decide match", fresh, session=fresh.session, new=new)
    touch(fresh)
    return match


def _sides_in_log(state: StageState, facts: MatchFacts, winner: int | None) -> dict[str, Any]:
    """The match and its winner by the names of its sides, for the log."""
    names = state.names_by_side(facts)
    data: dict[str, Any] = {"match": " – ".join(names.values())}
    return data if winner is None else data | {"winner": names[winner]}


def match_facts(match: Match) -> MatchFacts:
    """The facts of one match, read with its stage."""
    state = load_stage(match.stage_round.stage)
    return next(m for facts in state.rounds for m in facts.matches if m.key == match.pk)


def latest_round(fresh: Tournament) -> tuple[StageState, RoundFacts]:
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.last is None:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    return state, state.last


def _facts_in(last: RoundFacts, match: Match, message: str) -> MatchFacts:
    """The facts of a match of the latest round; refuses (`round-gone`) one of an earlier round."""
    for facts in last.matches:
        if facts.key == match.pk:
            return facts
    raise Refused("round-gone", message, status=409)


def _stop_games(games: Iterable[GameFacts], *, by: Actor, at: datetime) -> int:
    """Call time at the tables of those games that are not over. Returns their number."""
    keys = [game.table for game in games if not game.over]
    tables = Table.objects.filter(pk__in=keys).select_related("session__club", "ruleset")
    for table in tables.order_by("number"):
        call_time(table, by=by, at=at)
    return len(keys)


def _no_such_side() -> Refused:
    message = _("Choose who won.")
    return Refused("no-such-side", message, fields={"winner": [message]})


def _may_decide(facts: MatchFacts) -> bool:
    """Whether the match is tied, or was decided already and may be decided differently."""
    return facts.tied or facts.winner is not None


def _is_side(facts: MatchFacts, winner: int) -> bool:
    """Whether `winner` is the position of an entry."""
    return winner in facts.sides


def _end_tables(facts: MatchFacts, winner: int, reason: str, *, by: Actor, at: datetime) -> None:
    """End the open table of a match that is given to a side."""
    _refuse_without_reason(reason)
    for game in facts.games:
        if game.over:
            continue
        table, loser = _table_of(game), _losing_seat(game, winner)
        if game.hands:
            concede(table, loser, by=by, at=at)
        else:
            walk_over(table, loser, reason=reason, by=by, at=at)


def _table_of(game: GameFacts) -> Table:
    return Table.objects.select_related("session__club", "ruleset").get(pk=game.table)


def _losing_seat(game: GameFacts, winner: int) -> int:
    """A seat that is not of the side of `winner`."""
    winning_side = winner % game.sides
    return next(seat for seat in range(game.players) if seat % game.sides != winning_side)


def _refuse_without_reason(reason: str) -> None:
    if not reason.strip():
        message = _("Add the reason for the walk-over.")
        raise Refused("no-reason", message, fields={"reason": [message]})


@transaction.atomic
def turn_walkover(
    tournament: Tournament, match: Match, *, reason: str, by: Actor, at: datetime
) -> list[int]:
    """Give the walk-over of an earlier round to the other pair, and let the bracket follow.

    Matches that relied on the old winner are undone and drawn again. Returns their keys. Refuses
    while a match is on (`round-open`) or the next round is a draft (`draft-open`).
    """
    reason = read_line(reason, field="reason")
    _refuse_without_reason(reason)
    fresh = locked(tournament)
    stage = match.stage_round.stage
    stage.tournament = fresh
    state = load_stage(stage)
    facts = next((facts for facts in state.matches if facts.key == match.pk), None)
    if facts is None or not facts.games or facts.decided_by != Match.By.WALKOVER:
        raise Refused("no-walk-over", _("This match is not a walk-over."), status=409)
    old = _sides_in_log(state, facts, match.winner) | {"reason": match.reason}
    winner = next(position for position in facts.sides if position != facts.winner)
    undone = undone_by(state, facts, winner) if facts.place else ()
    _refuse_while_on(state, [m for m in state.last.open_matches if m.games] if state.last else [])
    game = facts.games[-1]
    concede_instead(_table_of(game), _losing_seat(game, winner), reason=reason, by=by, at=at)
    match.winner, match.reason, match.decided_as = winner, reason, by.label[:80]
    match.save(update_fields=["winner", "reason", "decided_as"])
    void = _update_later_matches(state, undone, by=by, at=at)
    new = _sides_in_log(state, facts, winner) | {"how": match.decided_by, "reason": reason}
    log_action(fresh.club, by, "decide match", fresh, session=fresh.session, old=old, new=new)
    touch(fresh)
    return void


@transaction.atomic
def take_back_walkover(tournament: Tournament, match: Match, *, by: Actor, at: datetime) -> None:
    """Take back a walk-over: its table plays again.

    Refuses (`round-gone`, `draft-open`) once a later round is drawn, and (`no-walk-over`) a match
    that is none, or has no table.
    """
    fresh = locked(tournament)
    state, last = latest_round(fresh)
    message = _("The next round is already drawn: unpublish it first.")
    facts = _facts_in(last, match, message)
    if state.draft is not None:
        message = _("Discard the draft of the next round first.")
        raise Refused("draft-open", message, status=409)
    if facts.decided_by != Match.By.WALKOVER or not facts.games:
        raise Refused("no-walk-over", _("This match is not a walk-over."), status=409)
    old = _sides_in_log(state, facts, match.winner) | {"reason": match.reason}
    _clear_decision(match)
    _reopen_table(facts, by=by, at=at)
    log_action(fresh.club, by, "take back walk-over", fresh, session=fresh.session, old=old)
    touch(fresh)


@transaction.atomic
def take_back_decision(tournament: Tournament, match: Match, *, by: Actor) -> None:
    """Undo who won the deciding hand or the cut of a tied match: it is tied again.

    Refuses (`round-gone`, `draft-open`) once a later round is drawn, and (`not-tied`) a match that
    was not decided so.
    """
    fresh = locked(tournament)
    state, last = latest_round(fresh)
    message = _("The next round is already drawn, so this match can't change.")
    facts = _facts_in(last, match, message)
    _refuse_while_on(state, ())
    if facts.decided_by not in BREAK_TIES:
        raise Refused("not-tied", _("This match is not tied."), status=409)
    old = _sides_in_log(state, facts, facts.winner) | {"how": facts.decided_by}
    _clear_decision(match)
    log_action(fresh.club, by, "take back decision", fresh, session=fresh.session, old=old)
    touch(fresh)


def _clear_decision(match: Match) -> None:
    match.winner, match.decided_by, match.reason, match.decided_as = None, Match.By.PLAY, "", ""
    match.save(update_fields=["winner", "decided_by", "reason", "decided_as"])


def _reopen_table(facts: MatchFacts, *, by: Actor, at: datetime) -> None:
    """Let the table go on that a walk-over has ended."""
    table = _table_of(facts.games[-1])
    game = table.games.order_by("-pk").first()
    was_ended = game is not None and (game.is_called_off or game.ended_by == Game.EndedBy.CONCEDED)
    if was_ended and table.is_live:
        resume(table, by=by, at=at, as_organiser=True)


@transaction.atomic
def follow_correction(
    tournament: Tournament, match: Match, *, by: Actor, at: datetime
) -> list[int]:
    """Make the winner of a bracket's match follow its corrected games.

    Matches that relied on the old result are undone and drawn again; of one that has not begun, the
    right pair takes the table. Returns the keys of those undone. Refuses while one of them is on.
    """
    fresh = locked(tournament)
    stage = match.stage_round.stage
    stage.tournament = fresh
    state = load_stage(stage)
    correction = next((c for c in corrections(state) if c.key == match.pk), None)
    if correction is None:
        raise Refused("not-corrected", _("This match already agrees with its games."), status=409)
    _refuse_while_on(state, being_played(state, correction.undone))
    match.winner, match.decided_by = correction.winner, Match.By.PLAY
    match.save(update_fields=["winner", "decided_by"])
    void = _update_later_matches(state, correction.undone, by=by, at=at)
    facts = next(facts for facts in state.matches if facts.key == match.pk)
    new: dict[str, Any] = _sides_in_log(state, facts, correction.winner)
    new |= {"void matches": len(void)} if void else {}
    log_action(fresh.club, by, "follow correction", fresh, session=fresh.session, new=new)
    touch(fresh)
    return void


def _refuse_while_on(state: StageState, playing: Collection[object]) -> None:
    """Refuse to change an earlier round while the next one is a draft or these matches are on."""
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    if playing:
        text = ngettext(
            "%(n)d table is still playing. Finish the round, or unpublish it.",
            "%(n)d tables are still playing. Finish the round, or unpublish it.",
            len(playing),
        )
        raise Refused("round-open", text % {"n": len(playing)}, status=409)


def _update_later_matches(
    state: StageState, undone: Collection[int], *, by: Actor, at: datetime
) -> list[int]:
    """Undo the matches that relied on an old result, except those that have not begun and whose
    table the right pair can take. Returns the keys of those undone."""
    unbegun = state.unbegun.intersection(undone)
    void = [key for key in undone if key not in unbegun]
    _undo_matches(void, by=by, at=at)
    waiting = reseat_matches(state.stage, unbegun)
    _undo_matches(waiting, by=by, at=at)
    return void + waiting


def _undo_matches(keys: Collection[int], *, by: Actor, at: datetime) -> None:
    """Take these matches out of the bracket, end their tables, and mark their games as not played:
    they count nowhere any more, but their hands stay on record."""
    matches = Match.objects.filter(pk__in=keys)
    matches.update(place="", winner=None, decided_by=Match.By.PLAY)
    reason = _("A correction in the bracket made this match void.")
    tables = Table.objects.filter(match_game__match__in=matches)
    for table in tables.select_related("session__club", "ruleset").order_by("pk"):
        abandon_game(table, reason=reason, by=by, at=at)
        if table.is_live:
            end_table(table, by=by)


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: Actor, at: datetime) -> Entry:
    """Withdraw an entry after play has begun: its results stay, later rounds leave it out.

    Its table in the current round goes on with a substitute, or the organiser decides the match.
    """
    fresh = locked(entry.tournament)
    entry.refresh_from_db()
    if entry.withdrawn_at is None:
        entry.withdrawn_at = at
        entry.save(update_fields=["withdrawn_at"])
        log_action(
            fresh.club, by, "withdraw entry", fresh, session=fresh.session, new=names_of(entry)
        )
        touch(fresh)
    return entry


@transaction.atomic
def return_entry(entry: Entry, *, by: Actor) -> Entry:
    """Undo a withdrawal, unless a round has been drawn since (`drawn-since`)."""
    fresh = locked(entry.tournament)
    entry.refresh_from_db()
    if entry.withdrawn_at is None:
        return entry
    drawn = fresh.last_drawn()
    if drawn and drawn > entry.withdrawn_at:
        sentence = _("A round was drawn after this withdrawal. Discard that draft first.")
        raise Refused("drawn-since", sentence, status=409)
    entry.withdrawn_at = None
    entry.save(update_fields=["withdrawn_at"])
    log_action(fresh.club, by, "return entry", fresh, session=fresh.session, new=names_of(entry))
    touch(fresh)
    return entry
