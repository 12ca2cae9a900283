"""Evenings of which only the scores are known, brought in as a sheet: a line a game."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from django.utils.translation import gettext as _

from league.exchange.games_import import GamesPreview, look, order
from league.exchange.past_games import ClubHere, game_code
from league.exchange.reading import Row
from league.exchange.results_sheet import (
    ResultGame,
    ending_of,
    results_on,
    score_troubles,
    totals_of,
)
from league.exchange.sheet_text import Trouble
from league.members.audit import Actor
from league.members.models import Club
from league.play.actions.persistence import ImportedGame, imported_totals
from league.play.game_log import rules_of
from league.play.models import Game
from league.seating.models import Seat, Table
from league.sessions.models import Session


class ResultsHere:
    """What the club has, and the games of the sheet that were written down before. Four queries.

    A game is known by its code on this site (our own export), or by the code that this sheet
    gave it when it came.
    """

    def __init__(self, club: Club, games: Sequence[ResultGame], today: date) -> None:
        self.now = ClubHere(club, today)
        self.codes = {game.line: game_code(club, game) for game in games}
        codes = [*self.codes.values(), *(game.game for game in games)]
        written = Game.objects.filter(session__club=club, public_id__in=codes)
        recorded = list(written.select_related("ruleset"))
        self.known = {one.public_id: (one.score, one.winners, one.ruleset) for one in recorded}
        self.now.goes_on(one.session_id for one in recorded)

    @property
    def facts(self) -> tuple[object, ...]:
        known = {code: (score, winners) for code, (score, winners, _rules) in self.known.items()}
        return *self.now.facts, known

    def _code(self, game: ResultGame) -> str:
        return game.game if game.game in self.known else self.codes[game.line]

    def has(self, game: ResultGame) -> bool:
        return self._code(game) in self.known

    def differs(self, game: ResultGame) -> Iterator[Trouble]:
        """A game that is here already has to have come to the same."""
        if not game.is_whole:
            return
        score, winners, ruleset = self.known[self._code(game)]
        rules = rules_of(ruleset.body)
        totals = totals_of(game, rules) if rules.players == len(game.players) else None
        if totals is None or totals != score or ending_of(game, rules, totals).winners != winners:
            sentence = _("This game is already here, with a different result.")
            yield Trouble(game.line, "points 1", sentence)

    def cannot(self, game: ResultGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        yield from self.now.cannot(game)
        ruleset = self.now.rules_for(game)
        if ruleset is not None and game.is_whole and ruleset.players == len(game.players):
            yield from score_troubles(game, rules_of(ruleset.body))

    def bring(
        self, game: ResultGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> ImportedGame:
        rules = rules_of(table.ruleset.body)
        ending = ending_of(game, rules, totals_of(game, rules) or [])
        code = self.codes[game.line]
        return imported_totals(table, seats, ending.totals, ending.winners, code=code, by=by, at=at)


def preview_results(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = results_on(rows)
    return look(ResultsHere(club, games, club.local(at).date()), games, troubles)


def import_results(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new result down, or nothing; see `games_import.order`."""
    games, troubles = results_on(rows)
    today = club.local(at).date()
    return order(
        club, lambda: ResultsHere(club, games, today), games, troubles, agreed=agreed, by=by
    )
