"""A match's card: what is written on it before it is saved, and the games that are on it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Member
from league.play.models import Game
from league.ranking.team_league import PairGame
from league.ranking.team_league.match import AWAY, HOME, LeagueMatch, card_games
from league.seating.models import Seat, Table
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import PLANNER, rules_of

Pairs = Sequence[tuple[Member, Member] | None]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player who takes the place of another from a turn on: their side (0 at home), pair, and
    seat in it from 0."""

    side: int
    pair: int
    seat: int
    turn: int
    member: Member
    out: Member


@dataclass(frozen=True, slots=True)
class Card:
    """What is written on a card: the day, the pairs of both sides in order, the scores.

    A pair that did not come is None: its games are given. `scores` are the points of the home pair
    and of the visitors by (turn, home pair); a game that was not played is not among them.
    `received`: when the card arrived, where that was before it was written down here.
    `substitutes`: who takes a place later, in the order of turns.
    """

    held_on: date
    home: Pairs
    away: Pairs
    scores: Mapping[tuple[int, int], tuple[int, int]]
    received: datetime | None = None
    substitutes: tuple[Substitute, ...] = ()

    @property
    def people(self) -> list[Member]:
        return [*self.line_up(HOME), *self.line_up(AWAY)]

    def line_up(self, side: int) -> list[Member]:
        """Everybody who played for a side, substitutes last."""
        first = [one for pair in (self.home, self.away)[side] for one in pair or ()]
        return first + [
            substitute.member for substitute in self.substitutes if substitute.side == side
        ]

    def pair_at(self, side: int, pair: int, turn: int) -> tuple[Member, Member] | None:
        """Who is a pair in a turn."""
        there = (self.home, self.away)[side][pair - 1]
        if there is None:
            return None
        seats = list(there)
        for substitute in self.substitutes:
            if (substitute.side, substitute.pair) == (side, pair) and substitute.turn <= turn:
                seats[substitute.seat] = substitute.member
        return seats[0], seats[1]

    def mark(self, home_pair: int, away_pair: int) -> str | None:
        """What a game comes to when a pair is missing: given to the other, void without both."""
        home, away = self.home[home_pair - 1], self.away[away_pair - 1]
        if home is None:
            return "void" if away is None else "away"
        return "home" if away is None else None


def card_of(match: TeamMatch, league: TeamLeague) -> Card:
    """What is written on the card of a match, as it was brought in."""
    lines = [one for one in lined_up(match, league) if one.points is not None]
    (home, away), substitutes = line_ups_on(lines, league)
    scores = {(line.turn, line.home_pair): line.points for line in lines if line.points is not None}
    assert match.held_on is not None
    return Card(match.held_on, home, away, scores, match.received_at, substitutes)


def line_ups_on(
    lines: "Iterable[LinedUp]", league: TeamLeague
) -> tuple[tuple[Pairs, Pairs], tuple[Substitute, ...]]:
    """The pairs of both sides as they began these games, turn by turn, and who came in later."""
    first: dict[tuple[int, int], tuple[Member, Member]] = {}
    now: dict[tuple[int, int], tuple[Member, Member]] = {}
    substitutes = []
    for line in lines:
        for side, pair, people in (
            (HOME, line.home_pair, line.home),
            (AWAY, line.away_pair, line.away),
        ):
            if len(people) != 2:
                continue
            there = people[0], people[1]
            first.setdefault((side, pair), there)
            for seat, (old, new) in enumerate(
                zip(now.get((side, pair), there), there, strict=True)
            ):
                if old != new:
                    substitutes.append(Substitute(side, pair, seat, line.turn, new, old))
            now[side, pair] = there
    numbers = range(1, league.pairs + 1)
    home, away = ([first.get((side, pair)) for pair in numbers] for side in (HOME, AWAY))
    return (home, away), tuple(substitutes)


def decided_games(match: TeamMatch, league: TeamLeague) -> dict[int, str]:
    """The games of a match that somebody decided, by their numbers from 0: "home", "away" or
    "void". What follows from a pair that did not come is none of them."""
    if not match.card_note or match.held_on is None:
        return {}
    card = card_of(match, league)
    return {
        number: match.card[number]
        for number, one in enumerate(meetings_of(league))
        if number < len(match.card)
        and isinstance(match.card[number], str)
        and card.mark(one.home_pair, one.away_pair) is None
    }


def turned(card: Card, league: TeamLeague) -> Card:
    """The card with home and visitors changed: each game at the turn in which these pairs meet."""
    if card.substitutes:
        message = _("A card with substitutes does not change home and visitors. Fill it in there.")
        raise Refused("substitutes", message, fields={"to": [message]})
    turns = {
        (meeting.home_pair, meeting.away_pair): meeting.turn for meeting in meetings_of(league)
    }
    scores = {}
    for meeting in meetings_of(league):
        score = card.scores.get((meeting.turn, meeting.home_pair))
        if score is None:
            continue
        turn = turns.get((meeting.away_pair, meeting.home_pair))
        if turn is None:
            message = _("The pairs of this card don't meet in the other match. Fill it in there.")
            raise Refused("no-turn", message, fields={"to": [message]})
        scores[turn, meeting.away_pair] = (score[1], score[0])
    return Card(card.held_on, card.away, card.home, scores, card.received)


@dataclass(frozen=True, slots=True)
class LinedUp:
    """A game's table: which pairs meet at it and who they are."""

    turn: int
    home_pair: int
    away_pair: int
    home: tuple[Member, ...] = ()
    away: tuple[Member, ...] = ()
    game: Game | None = None
    entry: Any = None
    """What the card says of a game that no table has, as `TeamMatch.card`."""

    @property
    def points(self) -> tuple[int, int] | None:
        """The points at its table, home first; None where the game was not played."""
        game = self.game
        if game is None or game.totals is None or game.state == Game.State.ABANDONED:
            return None
        return int(game.score[0]), int(game.score[1])


def meetings_of(league: TeamLeague) -> list[LinedUp]:
    """Which pairs meet in each game, turn by turn: the visitors move on by one pair a turn."""
    return [
        LinedUp(turn, pair, (pair + turn - 2) % league.pairs + 1)
        for turn in range(1, league.turns + 1)
        for pair in range(1, league.pairs + 1)
    ]


def lined_up(match: TeamMatch, league: TeamLeague) -> list[LinedUp]:
    """Every game of the match with its people and its score, as far as it is written down; three
    queries."""
    tables = {
        (table.round.number, table.number): table
        for table in Table.objects.filter(
            session=match.session_id, round__planner=PLANNER
        ).select_related("round")
    }
    keys = [table.pk for table in tables.values()]
    games = {game.table_id: game for game in Game.objects.filter(table__in=keys)}
    seated: dict[int, dict[int, Member]] = defaultdict(dict)
    for seat in Seat.objects.filter(table__in=keys, until_hand=None).select_related("member"):
        seated[seat.table_id][seat.position] = seat.member
    players = []
    for number, one in enumerate(meetings_of(league)):
        entry = match.card[number] if number < len(match.card) else None
        table = tables.get((one.turn, one.home_pair))
        if table is None:
            players.append(replace(one, entry=entry))
            continue
        at = seated[table.pk]
        home, away = ((at[0], at[2]), (at[1], at[3])) if len(at) == 4 else ((), ())
        players.append(replace(one, home=home, away=away, game=games.get(table.pk), entry=entry))
    return players


def played_games(
    league: TeamLeague, *, void: Collection[int] = ()
) -> tuple[list[PairGame], dict[int, Member]]:
    """Every game at a table of the league's matches, match by match, and who played; two queries.
    The sessions of matches that are `void` are left out, and so are games that were decided in
    spite of what was played: given to a side, or void.

    A slam is two games won, and points carried over may have won one without a hand.
    """
    games = Game.objects.filter(
        session__team_match__league=league,
        session__team_match__cup=None,
        table__round__planner=PLANNER,
    ).exclude(totals=None)
    games = games.exclude(state=Game.State.ABANDONED).exclude(session__in=void)
    games = games.select_related("table__round", "session__team_match")
    games = games.order_by("session__held_on", "session")
    listed = list(games)
    tables = [game.table_id for game in listed]
    seated: dict[int, dict[int, Member]] = {}
    for seat in Seat.objects.filter(table__in=tables, until_hand=None).select_related("member"):
        seated.setdefault(seat.table_id, {})[seat.position] = seat.member
    of_team: list[PairGame] = []
    members: dict[int, Member] = {}
    rules = rules_of(league)
    for _session, many in groupby(listed, lambda game: game.session_id):
        at_place = {place_of(game.table, league.pairs): game for game in many}
        entries = [_score(at_place.get(place)) for place in range(rules.games)]
        decided = {n: x for n, x in enumerate(_card_of(at_place)) if isinstance(x, str)}
        for one in card_games([decided.get(n, x) for n, x in enumerate(entries)], rules):
            if one.place in decided:
                continue
            at = seated[at_place[one.place].table_id]
            for side in (HOME, AWAY):
                pair = at[side], at[side + 2]
                members |= {member.pk: member for member in pair}
                of_team.append(PairGame((pair[0].pk, pair[1].pk), one.score.share(side)))
    return of_team, members


def _card_of(games: dict[int, Game]) -> list[Any]:
    return next(iter(games.values())).session.team_match.card


def place_of(table: Table, pairs: int) -> int:
    """Where on a card the game of a table stands, from 0."""
    return (table.round.number - 1) * pairs + table.number - 1


def _score(game: Game | None) -> list[int] | None:
    return [int(game.score[HOME]), int(game.score[AWAY])] if game else None


def starts_of(card: Card, league: TeamLeague) -> dict[tuple[int, int], tuple[int, int]]:
    """The points that both pairs of each game began with, by (turn, home pair)."""
    meetings = meetings_of(league)
    return {
        (meetings[game.place].turn, meetings[game.place].home_pair): game.start
        for game in card_games(entries_on(card, league), rules_of(league))
        if not game.carried
    }


def is_decided(card: Card, league: TeamLeague) -> bool:
    """Whether the games of a card end the match."""
    entries = entries_on(card, league)
    games = tuple(game.score for game in card_games(entries, rules_of(league)))
    return LeagueMatch(HOME, AWAY, league.games, games, void=entries.count("void")).over


def entries_on(card: Card, league: TeamLeague) -> list[Any]:
    """The games of a card as `MatchRecord.entries` has them."""
    marks = [(card.mark(o.home_pair, o.away_pair), o) for o in meetings_of(league)]
    keys = [(mark, (one.turn, one.home_pair)) for mark, one in marks]
    return [m or (list(card.scores[k]) if k in card.scores else None) for m, k in keys]
