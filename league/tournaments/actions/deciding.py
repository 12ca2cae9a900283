"""While a round is on: the bell, ties, walk-overs, further games, its forced end, corrections."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.people import read_line
from league.members.audit import PROGRAM, Actor, log_action
from league.play.actions import call_time, concede, recount_table
from league.play.models import Game
from league.ranking.match_facts import MatchFacts
from league.seating.actions import publish, take_back
from league.seating.models import Table
from league.seating.queries import draft_of
from league.tournaments.actions.drawing import free_numbers, new_round, people_at, seat_tables
from league.tournaments.actions.setup import locked, save_session_places, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.knockout import corrections
from league.tournaments.models import Match, MatchGame, StageRound, Tournament
from league.tournaments.parameters import chosen
from league.tournaments.stage_state import OF_PAIRS, RoundFacts, StageState, load_stage
from league.tournaments.standing import contenders


@transaction.atomic
def ring_bell(tournament: Tournament, *, by: Actor, at: datetime) -> int:
    """The head table is done: every game still open ends at its score. How many these were."""
    fresh = locked(tournament)
    _state, last = _last(fresh)
    stopped = _stop(last, by=by, at=at)
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
    _state, last = _last(fresh)
    stopped = _stop(last, by=by, at=at)
    row = last.row
    row.forced_reason, row.forced_as, row.forced_at = reason, by.label[:80], at
    row.save(update_fields=["forced_reason", "forced_as", "forced_at"])
    new = {"round": row.number, "reason": row.forced_reason, "tables": stopped}
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
    """Say who won what the games do not say: a tie by one more hand or a cut, or a walk-over.

    Only while its round is the latest. A walk-over wants a reason; a game still on is conceded.
    """
    reason = read_line(reason, field="reason")
    fresh = locked(tournament)
    _state, last = _last(fresh)
    facts = next((one for one in last.matches if one.key == match.pk), None)
    if facts is None:
        message = _("The next round is already drawn, so this match can't change.")
        raise Refused("round-gone", message, status=409)
    if not _is_side(facts, winner):
        raise _no_such_side()
    if how == Match.By.WALKOVER:
        _walk_over(facts, winner, reason, by=by, at=at)
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
    """Seat the two pairs of a match for their next game, at the same table where it is free."""
    fresh = locked(tournament)
    state, last = _last(fresh)
    facts = next((one for one in last.matches if one.key == match.pk), None)
    if facts is None or not facts.needs_another:
        raise Refused("no-next-game", _("This match has no more games."), status=409)
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    before = list(Table.objects.filter(match_game__match=match, is_live=True))
    round_ = new_round(fresh, seed, before)
    people = people_at(DrawnTable(tuple(facts.sides.items())), state.entries)
    number = before[0].number if before else free_numbers(fresh, before, 1)[0]
    (table,) = seat_tables(state.stage, round_, {number: people})
    table.carried = list(facts.carried)
    table.save(update_fields=["carried"])
    MatchGame.objects.create(match=match, table=table, number=len(facts.games) + 1)
    publish(round_, by=by, at=at, of_tournament=True, deals_by_lot=True)
    return Table.objects.get(pk=table.pk)


def follow_game(table: Table) -> None:
    """A game has ended, or changed after its end: store the places that follow from it, and where
    it is accepted seat the next game of its match; where it goes on, take that game away again."""
    link = MatchGame.objects.filter(table=table).select_related("match__stage_round__stage").first()
    if link is None:
        if table.players == 3 and table.session.player_places.exists():
            save_session_places(table.session)  # what its co-winners have of a game may change
        return
    save_session_places(table.session)
    stage = link.match.stage_round.stage
    choice = chosen(stage.parameters)
    if choice.games > 1 and stage.format in OF_PAIRS:
        _seat_next(link, table)
        _take_next_back(link, table)
        if choice.laps:
            _carry_over(link)


def _carry_over(link: MatchGame) -> None:
    """Let the next game begin with what this one carries over, since a correction may change it."""
    next_one = MatchGame.objects.filter(match=link.match, number=link.number + 1)
    later = next_one.select_related("table").first()
    if later is None:
        return
    facts = match_facts(link.match)
    game = next(one for one in facts.games if one.table == later.table_id)
    if game.start != facts.begins_at(game):
        later.table.carried = list(facts.begins_at(game))
        later.table.save(update_fields=["carried"])
        recount_table(later.table, at=timezone.now())


def _take_next_back(link: MatchGame, table: Table) -> None:
    """Where an undo opened a game again, the next one of its match goes, as long as nobody has
    played in it: the players sit at this table again and play on."""
    game = table.games.order_by("-pk").first()
    later = MatchGame.objects.filter(match=link.match, number=link.number + 1)
    next_one = later.select_related("table__round").first()
    if game is None or not game.reopened or game.winners or next_one is None:
        return
    if draft_of(table.session) is not None:
        return  # the organiser's: taking a seating back would throw it away
    with suppress(Refused), transaction.atomic():
        _unseat(next_one, by=PROGRAM, at=timezone.now())
        recount_table(Table.objects.get(pk=table.pk), at=timezone.now())


def _unseat(link: MatchGame, *, by: Actor, at: datetime) -> None:
    """Take a game that nobody has begun off its table."""
    draft = take_back(link.table.round, by=by, at=at, of_tournament=True)
    draft.delete()
    link.delete()


@transaction.atomic
def unseat_game(tournament: Tournament, match: Match, *, by: Actor, at: datetime) -> None:
    """Take the next game of a match away that a correction has decided (`game-needed` else)."""
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


def _seat_next(link: MatchGame, table: Table) -> None:
    """The next game of a match that needs one, when its last is accepted; where that is refused,
    the organiser seats it."""
    game, at = table.games.order_by("-pk").first(), timezone.now()
    confirmed = game is not None and game.state == Game.State.CONFIRMED
    if not confirmed or draft_of(table.session) is not None:
        return
    tournament = Tournament.objects.select_related("session").get(
        pk=link.match.stage_round.stage.tournament_id
    )
    seed = (table.round.seed + link.number) % 2**31
    with suppress(Refused), transaction.atomic():
        next_game(tournament, link.match, by=PROGRAM, at=at, seed=seed)


def match_facts(match: Match) -> MatchFacts:
    """One match as its stage has it."""
    state = load_stage(match.stage_round.stage)
    return next(one for each in state.rounds for one in each.matches if one.key == match.pk)


def _last(fresh: Tournament) -> tuple[StageState, RoundFacts]:
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.last is None:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    return state, state.last


def _stop(last: RoundFacts, *, by: Actor, at: datetime) -> int:
    """Call time at every table of the round whose game is not over."""
    keys = [game.table for match in last.matches for game in match.games if not game.over]
    tables = Table.objects.filter(pk__in=keys).select_related("session__club", "ruleset")
    for table in tables.order_by("number"):
        call_time(table, by=by, at=at)
    return len(keys)


def _no_such_side() -> Refused:
    message = _("Choose who won.")
    return Refused("no-such-side", message, fields={"winner": [message]})


def _may_decide(facts: MatchFacts) -> bool:
    """Whether it is tied, or was and has been decided already: that may be put right."""
    return facts.tied or facts.winner is not None


def _is_side(facts: MatchFacts, winner: int) -> bool:
    """A position of an entry; at a table of four individuals the first seat of a side."""
    return winner in facts.sides


def _walk_over(facts: MatchFacts, winner: int, reason: str, *, by: Actor, at: datetime) -> None:
    if not reason.strip():
        message = _("Add the reason for the walk-over.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    for game in facts.games:
        if game.over or not Game.objects.filter(table=game.table, state="playing").exists():
            continue
        table = Table.objects.select_related("session__club", "ruleset").get(pk=game.table)
        mine = winner % game.sides
        loser = next(seat for seat in range(game.players) if seat % game.sides != mine)
        concede(table, loser, by=by, at=at)


@transaction.atomic
def follow_correction(tournament: Tournament, match: Match, *, by: Actor) -> list[int]:
    """Let the winner of a bracket's match be who its games say since they were corrected.

    What was played on the strength of the old result counts in the bracket no more and is drawn
    again; its games stay on record. The keys of those matches. Refuses while a match is on.
    """
    fresh = locked(tournament)
    stage = match.stage_round.stage
    stage.tournament = fresh
    state = load_stage(stage)
    correction = next((one for one in corrections(state) if one.key == match.pk), None)
    if correction is None:
        raise Refused("not-corrected", _("This match already agrees with its games."), status=409)
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    playing = [one for one in (state.last.open_matches if state.last else ()) if one.games]
    if playing:
        text = ngettext(
            "%(n)d table is still playing. Finish the round, or unpublish it.",
            "%(n)d tables are still playing. Finish the round, or unpublish it.",
            len(playing),
        )
        raise Refused("round-open", text % {"n": len(playing)}, status=409)
    match.winner, match.decided_by = correction.winner, Match.By.PLAY
    match.save(update_fields=["winner", "decided_by"])
    new = {"match": match.number, "winner": correction.winner, "undone": list(correction.undone)}
    log_action(fresh.club, by, "follow correction", fresh, session=fresh.session, new=new)
    touch(fresh)
    return list(correction.undone)
