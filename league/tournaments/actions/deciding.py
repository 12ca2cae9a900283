"""Actions during play: the bell, ties, withdrawals, next games, forced ends, corrections."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.people import read_line
from league.members.audit import PROGRAM, Actor, log_action
from league.play.actions import abandon_game, call_time, concede, recount_table
from league.play.models import Game
from league.ranking.match_facts import MatchFacts
from league.seating.actions import end_table, publish, take_back
from league.seating.models import Table
from league.seating.queries import draft_of
from league.tournaments.actions.drawing import free_numbers, new_round, people_at, seat_tables
from league.tournaments.actions.entering import names_of
from league.tournaments.actions.setup import label_in_log, locked, save_session_places, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.knockout import corrections
from league.tournaments.models import Entry, Match, MatchGame, StageRound, Tournament
from league.tournaments.parameters import read_options
from league.tournaments.stage_state import OF_PAIRS, RoundFacts, StageState, load_stage
from league.tournaments.standing import contenders


@transaction.atomic
def ring_bell(tournament: Tournament, *, by: Actor, at: datetime) -> int:
    """End every open game at its score, as the head table is done. Returns their number."""
    fresh = locked(tournament)
    _state, last = _latest_round(fresh)
    stopped = _stop_games(last, by=by, at=at)
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
    _state, last = _latest_round(fresh)
    stopped = _stop_games(last, by=by, at=at)
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

    Refuses (`round-gone`) unless its round is the latest. A walk-over needs a reason, and concedes
    a game that is still on.
    """
    reason = read_line(reason, field="reason")
    fresh = locked(tournament)
    _state, last = _latest_round(fresh)
    facts = next((facts for facts in last.matches if facts.key == match.pk), None)
    if facts is None:
        message = _("The next round is already drawn, so this match can't change.")
        raise Refused("round-gone", message, status=409)
    if not _is_side(facts, winner):
        raise _no_such_side()
    if how == Match.By.WALKOVER:
        _concede_games(facts, winner, reason, by=by, at=at)
    elif how not in (Match.By.EXTRA_HAND, Match.By.CUT) or not _may_decide(facts):
        raise Refused("not-tied", _("This match is not tied."), status=409)
    elif facts.tied and facts.players == 3 and winner not in contenders(facts):
        raise _no_such_side()
    match.winner, match.decided_by = winner, how
    match.reason, match.decided_as = reason, by.label[:80]
    match.save(update_fields=["winner", "decided_by", "reason", "decided_as"])
    new = {"match": match.number, "winner": winner, "how": how, "reason": match.reason}
    log_action(fresh.club, by, "decide match", fresh, session=fresh.session, new=new)
    touch(fresh)
    return match


@transaction.atomic
def next_game(tournament: Tournament, match: Match, *, by: Actor, at: datetime, seed: int) -> Table:
    """Seat the two pairs of a match for their next game, at the same table if it is free."""
    fresh = locked(tournament)
    state, last = _latest_round(fresh)
    facts = next((facts for facts in last.matches if facts.key == match.pk), None)
    if facts is None or not facts.needs_another:
        raise Refused("no-next-game", _("This match has no more games."), status=409)
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    old_tables = list(Table.objects.filter(match_game__match=match, is_live=True))
    round_ = new_round(fresh, seed, old_tables)
    members = people_at(DrawnTable(tuple(facts.sides.items())), state.entries)
    number = old_tables[0].number if old_tables else free_numbers(fresh, old_tables, 1)[0]
    (table,) = seat_tables(state.stage, round_, {number: members})
    table.carried = list(facts.carried)
    table.save(update_fields=["carried"])
    MatchGame.objects.create(match=match, table=table, number=len(facts.games) + 1)
    publish(round_, by=by, at=at, of_tournament=True, deals_by_lot=True)
    return Table.objects.get(pk=table.pk)


def follow_game(table: Table) -> None:
    """Update what follows from a game that has ended, or has changed after its end.

    Stores the session's places. Once the game is accepted, seats the next game of its match; if the
    game goes on again, unseats that next game.
    """
    link = MatchGame.objects.filter(table=table).select_related("match__stage_round__stage").first()
    if link is None:
        if table.players == 3 and table.session.player_places.exists():
            save_session_places(table.session)  # the co-winners' shares of a game may change
        return
    save_session_places(table.session)
    stage = link.match.stage_round.stage
    choice = read_options(stage.parameters)
    if choice.games > 1 and stage.format in OF_PAIRS:
        _seat_next_game(link, table)
        _unseat_next_game(link, table)
        if choice.laps:
            _carry_over(link)


def _carry_over(link: MatchGame) -> None:
    """Update the points that the next game begins with, which a correction may have changed."""
    next_links = MatchGame.objects.filter(match=link.match, number=link.number + 1)
    next_link = next_links.select_related("table").first()
    if next_link is None:
        return
    facts = match_facts(link.match)
    game = next(game for game in facts.games if game.table == next_link.table_id)
    if game.start != facts.begins_at(game):
        next_link.table.carried = list(facts.begins_at(game))
        next_link.table.save(update_fields=["carried"])
        recount_table(next_link.table, at=timezone.now())


def _unseat_next_game(link: MatchGame, table: Table) -> None:
    """Unseat the next game if an undo has reopened this one and nobody has played in the next.

    The players are back at this table and play on.
    """
    game = table.games.order_by("-pk").first()
    next_links = MatchGame.objects.filter(match=link.match, number=link.number + 1)
    next_link = next_links.select_related("table__round").first()
    if game is None or not game.reopened or game.winners or next_link is None:
        return
    if draft_of(table.session) is not None:
        return  # unpublishing would delete the organiser's draft
    with suppress(Refused), transaction.atomic():
        _unseat(next_link, by=PROGRAM, at=timezone.now())
        recount_table(Table.objects.get(pk=table.pk), at=timezone.now())


def _unseat(link: MatchGame, *, by: Actor, at: datetime) -> None:
    """Remove a game that nobody has begun, with its table."""
    draft = take_back(link.table.round, by=by, at=at, of_tournament=True)
    draft.delete()
    link.delete()


@transaction.atomic
def unseat_game(tournament: Tournament, match: Match, *, by: Actor, at: datetime) -> None:
    """Unseat the next game of a match that a correction has decided.

    Refuses (`game-needed`) if the match still needs that game.
    """
    fresh = locked(tournament)
    facts = match_facts(match)
    if not facts.unneeded:
        message = _("This match still needs its next game.")
        raise Refused("game-needed", message, status=409)
    if draft_of(fresh.session) is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    link = MatchGame.objects.select_related("table__round__session").get(
        match=match, table=facts.games[-1].table
    )
    _unseat(link, by=by, at=at)
    new = {"match": match.number}
    log_action(fresh.club, by, "unseat game", fresh, session=fresh.session, new=new)
    touch(fresh)


def _seat_next_game(link: MatchGame, table: Table) -> None:
    """Seat the next game of a match once its last is accepted; if refused, the organiser does."""
    game, at = table.games.order_by("-pk").first(), timezone.now()
    is_confirmed = game is not None and game.state == Game.State.CONFIRMED
    if not is_confirmed or draft_of(table.session) is not None:
        return
    tournament = Tournament.objects.select_related("session").get(
        pk=link.match.stage_round.stage.tournament_id
    )
    seed = (table.round.seed + link.number) % 2**31
    with suppress(Refused), transaction.atomic():
        next_game(tournament, link.match, by=PROGRAM, at=at, seed=seed)


def match_facts(match: Match) -> MatchFacts:
    """The facts of one match, read with its stage."""
    state = load_stage(match.stage_round.stage)
    return next(m for facts in state.rounds for m in facts.matches if m.key == match.pk)


def _latest_round(fresh: Tournament) -> tuple[StageState, RoundFacts]:
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.last is None:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    return state, state.last


def _stop_games(last: RoundFacts, *, by: Actor, at: datetime) -> int:
    """Call time at every table of the round whose game is not over. Returns their number."""
    keys = [game.table for match in last.matches for game in match.games if not game.over]
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


def _concede_games(facts: MatchFacts, winner: int, reason: str, *, by: Actor, at: datetime) -> None:
    if not reason.strip():
        message = _("Add the reason for the walk-over.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    for game in facts.games:
        if game.over or not Game.objects.filter(table=game.table, state="playing").exists():
            continue
        table = Table.objects.select_related("session__club", "ruleset").get(pk=game.table)
        winning_side = winner % game.sides
        loser = next(seat for seat in range(game.players) if seat % game.sides != winning_side)
        concede(table, loser, by=by, at=at)


@transaction.atomic
def follow_correction(
    tournament: Tournament, match: Match, *, by: Actor, at: datetime
) -> list[int]:
    """Make the winner of a bracket's match follow its corrected games.

    Matches that relied on the old result are undone and drawn again. Returns their keys. Refuses
    while a match is on.
    """
    fresh = locked(tournament)
    stage = match.stage_round.stage
    stage.tournament = fresh
    state = load_stage(stage)
    correction = next((c for c in corrections(state) if c.key == match.pk), None)
    if correction is None:
        raise Refused("not-corrected", _("This match already agrees with its games."), status=409)
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    open_matches = state.last.open_matches if state.last else ()
    playing_count = sum(bool(match.games) for match in open_matches)
    if playing_count:
        text = ngettext(
            "%(n)d table is still playing. Finish the round, or unpublish it.",
            "%(n)d tables are still playing. Finish the round, or unpublish it.",
            playing_count,
        )
        raise Refused("round-open", text % {"n": playing_count}, status=409)
    match.winner, match.decided_by = correction.winner, Match.By.PLAY
    match.save(update_fields=["winner", "decided_by"])
    _undo_matches(correction.undone, by=by, at=at)
    new = {"match": match.number, "winner": correction.winner, "undone": list(correction.undone)}
    log_action(fresh.club, by, "follow correction", fresh, session=fresh.session, new=new)
    touch(fresh)
    return list(correction.undone)


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
