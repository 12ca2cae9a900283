"""A sheet of hands beside what its club has: what is here already, and what cannot be."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from django.utils.translation import gettext as _

from league.exchange.club_here import ClubHere
from league.exchange.hands_sheet import HandsGame
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import POINTS
from league.members.audit import Actor
from league.members.models import Club, ClubRuleset
from league.play.actions.bring_in import Brought, judged
from league.play.book import rules_of
from league.play.models import Game, Hand
from league.seating.models import Seat, Table
from scoring import play_game


class HandsHere:
    """What the club has, and the games of the sheet that were written down before. A fixed number
    of queries."""

    def __init__(self, club: Club, games: Sequence[HandsGame], today: date) -> None:
        self.now = ClubHere(club, today)
        ids = [hand_id(club, game, 1) for game in games]
        codes = [game.game for game in games]
        ours = Hand.objects.filter(game__session__club=club, current=True, struck=False)
        written = Game.objects.filter(session__club=club)
        self.by_code = {g.public_id: g.pk for g in written.filter(public_id__in=codes)}
        # Whatever has become of its first hand since, the game is known by it.
        first = Hand.objects.filter(game__session__club=club, number=1, client_id__in=ids)
        self.by_id = dict(first.values_list("client_id", "game"))
        self.kept: dict[int, dict[int, object]] = {}
        known = [*self.by_code.values(), *self.by_id.values()]
        for pk, number, record in ours.filter(game__in=known).values_list(
            "game", "number", "record"
        ):
            self.kept.setdefault(pk, {})[number] = record

    @property
    def facts(self) -> tuple[object, ...]:
        return *self.now.facts, self.by_code, self.by_id, self.kept

    def _pk(self, game: HandsGame) -> int | None:
        return self.by_code.get(game.game) or self.by_id.get(hand_id(self.now.club, game, 1))

    def has(self, game: HandsGame) -> bool:
        return self._pk(game) is not None

    def differs(self, game: HandsGame) -> Iterator[Trouble]:
        """A game that is here already has to be the same one."""
        kept = self.kept.get(self._pk(game) or 0, {})
        for row, record in zip(game.rows, game.records, strict=True):
            if kept.get(int(row["hand"])) != record:
                yield Trouble(row.line, "hand", _("This hand is here already, and is another."))

    def cannot(self, game: HandsGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        yield from self.now.cannot(game)
        rules = self.now.rules.get(len(game.players))
        if rules is not None:
            yield from _folded(game, rules)

    def bring(
        self, game: HandsGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> Brought:
        ids = [hand_id(self.now.club, game, place) for place in range(1, len(game.records) + 1)]
        return judged(table, seats, game.records, ids, by=by, at=at)


def hand_id(club: Club, game: HandsGame, place: int) -> str:
    """The client id of an imported hand: the same sheet again finds what it wrote before."""
    told = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    return f"import-{hashlib.sha256(told.encode()).hexdigest()[:24]}-{place}"


def _folded(game: HandsGame, rules: ClubRuleset) -> Iterator[Trouble]:
    """What the club's rules say of the hands, and of the points beside them."""
    state = play_game(rules_of(rules.body), game.records, first_dealer=game.first_dealer)
    for found in state.faults:
        row = game.rows[(found.hand or 1) - 1]
        yield Trouble(row.line, "record", found.message)
    for row, answer in zip(game.rows, state.answers, strict=False):
        told = [row[column] for column in POINTS if row[column]]
        if told and answer.points is not None and told != [str(p) for p in answer.points]:
            paid = ", ".join(map(str, answer.points))
            sentence = _("By the club's rules this hand pays %(points)s.") % {"points": paid}
            yield Trouble(row.line, "points 1", sentence)
    if not state.over:
        yield Trouble(game.rows[-1].line, "hand", _("After this hand the game is not over."))
