"""A sheet of results beside what its club has: what is here already, and what cannot be."""

import base64
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.exchange.club_here import ClubHere
from league.exchange.results_rules import ending_of, score_troubles, totals_of
from league.exchange.results_sheet import ResultGame
from league.exchange.sheet_trouble import Trouble
from league.members.audit import Actor
from league.members.models import Club
from league.members.models.ids import RANDOM_BYTES
from league.play.actions.bring_in import Brought, judged_totals
from league.play.book import rules_of
from league.play.models import Game
from league.seating.models import Seat, Table


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
        told = written.select_related("ruleset")
        self.kept = {one.public_id: (one.score, one.winners, one.ruleset) for one in told}

    @property
    def facts(self) -> tuple[object, ...]:
        kept = {code: (score, winners) for code, (score, winners, _rules) in self.kept.items()}
        return *self.now.facts, kept

    def _code(self, game: ResultGame) -> str:
        return game.game if game.game in self.kept else self.codes[game.line]

    def has(self, game: ResultGame) -> bool:
        return self._code(game) in self.kept

    def differs(self, game: ResultGame) -> Iterator[Trouble]:
        """A game that is here already has to have come to the same."""
        if not game.is_whole:
            return
        score, winners, ruleset = self.kept[self._code(game)]
        rules = rules_of(ruleset.body)
        totals = totals_of(game, rules) if rules.players == len(game.players) else None
        if totals is None or totals != score or ending_of(game, rules, totals).winners != winners:
            sentence = _("This game is here already, with another result.")
            yield Trouble(game.line, "points 1", sentence)

    def cannot(self, game: ResultGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        yield from self.now.cannot(game)
        ruleset = self.now.rules.get(len(game.players))
        if ruleset is not None and game.is_whole:
            yield from score_troubles(game, rules_of(ruleset.body))

    def bring(
        self, game: ResultGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> Brought:
        rules = rules_of(table.ruleset.body)
        ending = ending_of(game, rules, totals_of(game, rules) or [])
        code = self.codes[game.line]
        return judged_totals(table, seats, ending.totals, ending.winners, code=code, by=by, at=at)


def game_code(club: Club, game: ResultGame) -> str:
    """The code of a game brought in: the same sheet again finds what it wrote before, whatever
    its evening is called by then. Without the server's secret it cannot be worked out, so that
    codes still cannot be counted through."""
    told = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    digest = salted_hmac("league.results", told, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:RANDOM_BYTES]).decode()
