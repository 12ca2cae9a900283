"""The next games of matches of several: seated when a game counts, unseated after a correction."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import PROGRAM, Actor, log_action
from league.play.actions import recount_table
from league.play.models import Game
from league.seating.actions import publish, take_back
from league.seating.models import Table
from league.seating.queries import draft_of
from league.tournaments.actions.deciding import latest_round, match_facts
from league.tournaments.actions.drawing import free_numbers, new_round, people_at, seat_tables
from league.tournaments.actions.setup import locked, save_session_places, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.models import Match, MatchGame, Tournament
from league.tournaments.parameters import read_options
from league.tournaments.stage_state import OF_PAIRS, load_stage


@transaction.atomic
def next_game(tournament: Tournament, match: Match, *, by: Actor, at: datetime, seed: int) -> Table:
    """Seat the two pairs of a match for their next game, at the same table if it is free."""
    fresh = locked(tournament)
    state, last = latest_round(fresh)
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
    state = load_stage(match.stage_round.stage)
    new = {"match": " – ".join(state.names_by_side(facts).values())}
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
