"""A match's card: the card as it is filled in, and the saved games that belong to it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby, zip_longest
from typing import Any

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Member
from league.play.models import Game
from league.ranking.team_league import PairGame
from league.ranking.team_league.match import AWAY, HOME, LeagueMatch, card_games
from league.seating.models import Seat, Table
from league.standings.queries import order_of_play
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import PLANNER, MatchRecord, rules_of

Pairs = Sequence[tuple[Member, Member] | None]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player who replaces another (`out`) from a turn on: side (0 at home), pair, and seat in the
    pair, from 0."""

    side: int
    pair: int
    seat: int
    turn: int
    member: Member
    out: Member


@dataclass(frozen=True, slots=True)
class Card:
    """A filled-in card: the day, the pairs of both sides in order, the scores.

    A pair that did not come is None, and its games are awarded. `scores` are (home points, away
    points) by (turn, home pair), for the games that were played. `received`: when the paper card
    arrived, if that was earlier. `substitutes` are in the order of turns.
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
        """All players of a side, substitutes last."""
        starters = [member for pair in (self.home, self.away)[side] for member in pair or ()]
        return starters + [
            substitute.member for substitute in self.substitutes if substitute.side == side
        ]

    def pair_at(self, side: int, pair: int, turn: int) -> tuple[Member, Member] | None:
        """The players of a pair in a turn; None if the pair did not come."""
        starters = (self.home, self.away)[side][pair - 1]
        if starters is None:
            return None
        seats = list(starters)
        for substitute in self.substitutes:
            if (substitute.side, substitute.pair) == (side, pair) and substitute.turn <= turn:
                seats[substitute.seat] = substitute.member
        return seats[0], seats[1]

    def mark(self, home_pair: int, away_pair: int) -> str | None:
        """The mark of a game with a missing pair: awarded to the other, void without both."""
        home, away = self.home[home_pair - 1], self.away[away_pair - 1]
        if home is None:
            return "void" if away is None else "away"
        return "home" if away is None else None


def card_of(match: TeamMatch, league: TeamLeague) -> Card:
    """The saved card of a match."""
    lines = [line for line in game_line_ups(match, league) if line.points is not None]
    (home, away), substitutes = line_ups_on(lines, league)
    scores = {(line.turn, line.home_pair): line.points for line in lines if line.points is not None}
    assert match.held_on is not None
    return Card(match.held_on, home, away, scores, match.received_at, substitutes)


def line_ups_on(
    lines: "Iterable[GameLineUp]", league: TeamLeague
) -> tuple[tuple[Pairs, Pairs], tuple[Substitute, ...]]:
    """Read these games in order: the pairs of both sides as they started, and the substitutes."""
    first_pairs: dict[tuple[int, int], tuple[Member, Member]] = {}
    current_pairs: dict[tuple[int, int], tuple[Member, Member]] = {}
    substitutes = []
    for line in lines:
        for side, pair, people in (
            (HOME, line.home_pair, line.home),
            (AWAY, line.away_pair, line.away),
        ):
            if len(people) != 2:
                continue
            players = people[0], people[1]
            first_pairs.setdefault((side, pair), players)
            for seat, (old, new) in enumerate(
                zip(current_pairs.get((side, pair), players), players, strict=True)
            ):
                if old != new:
                    substitutes.append(Substitute(side, pair, seat, line.turn, new, old))
            current_pairs[side, pair] = players
    numbers = range(1, league.pairs + 1)
    home, away = ([first_pairs.get((side, pair)) for pair in numbers] for side in (HOME, AWAY))
    return (home, away), tuple(substitutes)


def decided_games(match: TeamMatch, league: TeamLeague) -> dict[int, str]:
    """The marks ("home", "away" or "void") that an organiser gave to games, by place from 0.
    Games with a mark because a pair did not come are left out."""
    if not match.card_note or match.held_on is None:
        return {}
    card = card_of(match, league)
    return {
        number: match.card[number]
        for number, meeting in enumerate(meetings_of(league))
        if number < len(match.card)
        and isinstance(match.card[number], str)
        and card.mark(meeting.home_pair, meeting.away_pair) is None
    }


def swap_sides(card: Card, league: TeamLeague) -> Card:
    """The card with the sides swapped, each game at the turn in which these pairs meet."""
    if card.substitutes:
        message = _(
            "That match swaps home and away, and this card has substitutes. Fill in the card there."
        )
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
class GameLineUp:
    """A game of a card: which pairs meet, who they are, and the game itself, if it was played."""

    turn: int
    home_pair: int
    away_pair: int
    home: tuple[Member, ...] = ()
    away: tuple[Member, ...] = ()
    game: Game | None = None
    entry: Any = None
    """The entry in `TeamMatch.card`, for a game without a table."""

    @property
    def points(self) -> tuple[int, int] | None:
        """The points, home first; None if the game was not played."""
        game = self.game
        if game is None or game.totals is None or game.state == Game.State.ABANDONED:
            return None
        return int(game.score[0]), int(game.score[1])


def meetings_of(league: TeamLeague) -> list[GameLineUp]:
    """Which pairs meet in each game, turn by turn: the visitors move one pair on each turn."""
    return [
        GameLineUp(turn, pair, (pair + turn - 2) % league.pairs + 1)
        for turn in range(1, league.turns + 1)
        for pair in range(1, league.pairs + 1)
    ]


def game_line_ups(match: TeamMatch, league: TeamLeague) -> list[GameLineUp]:
    """Every game of the match, with players and score if it has been entered; three queries."""
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
    line_ups = []
    for number, meeting in enumerate(meetings_of(league)):
        entry = match.card[number] if number < len(match.card) else None
        table = tables.get((meeting.turn, meeting.home_pair))
        if table is None:
            line_ups.append(replace(meeting, entry=entry))
            continue
        seats = seated[table.pk]
        home, away = ((seats[0], seats[2]), (seats[1], seats[3])) if len(seats) == 4 else ((), ())
        line_ups.append(
            replace(meeting, home=home, away=away, game=games.get(table.pk), entry=entry)
        )
    return line_ups


def played_games(
    league: TeamLeague, *, void: Collection[int] = ()
) -> tuple[list[PairGame], dict[int, Member], dict[int, int]]:
    """All games of the league's matches in order of play, their players, and a team that each has
    played for; two queries.

    Leaves out the sessions in `void` and games that were awarded to a side or declared void. A slam
    counts as two games won, and carried points may have won a game without a hand.
    """
    games = Game.objects.filter(
        session__team_match__league=league,
        session__team_match__cup=None,
        table__round__planner=PLANNER,
    ).exclude(totals=None)
    games = games.exclude(state=Game.State.ABANDONED).exclude(session__in=void)
    games = games.select_related("table__round", "session__team_match")
    listed = list(games.order_by(*order_of_play()))
    position = {game.pk: n for n, game in enumerate(listed)}
    tables = [game.table_id for game in listed]
    seated: dict[int, dict[int, Member]] = {}
    for seat in Seat.objects.filter(table__in=tables, until_hand=None).select_related("member"):
        seated.setdefault(seat.table_id, {})[seat.position] = seat.member
    pair_games: list[tuple[int, PairGame]] = []
    members: dict[int, Member] = {}
    played_for: dict[int, int] = {}
    rules = rules_of(league)
    by_session = sorted(listed, key=lambda game: game.session_id)
    for _session, group in groupby(by_session, lambda game: game.session_id):
        by_place = {place_of(game.table, league.pairs): game for game in group}
        entries = [_score(by_place.get(place)) for place in range(rules.games)]
        match = next(iter(by_place.values())).session.team_match
        decided = {n: entry for n, entry in enumerate(match.card) if isinstance(entry, str)}
        for counted in card_games([decided.get(n, x) for n, x in enumerate(entries)], rules):
            if counted.place in decided:
                continue
            game = by_place[counted.place]
            seats = seated[game.table_id]
            for side, team in ((HOME, match.home_id), (AWAY, match.away_id)):
                pair = seats[side], seats[side + 2]
                members |= {member.pk: member for member in pair}
                played_for |= dict.fromkeys((pair[0].pk, pair[1].pk), team)
                share = PairGame((pair[0].pk, pair[1].pk), counted.score.share(side))
                pair_games.append((position[game.pk], share))
    pair_games.sort(key=lambda placed: placed[0])
    return [game for _position, game in pair_games], members, played_for


def place_of(table: Table, pairs: int) -> int:
    """The place of a table's game on its card, from 0."""
    return (table.round.number - 1) * pairs + table.number - 1


def _score(game: Game | None) -> list[int] | None:
    return [int(game.score[HOME]), int(game.score[AWAY])] if game else None


def start_scores(card: Card, league: TeamLeague) -> dict[tuple[int, int], tuple[int, int]]:
    """The points at which each game started, by (turn, home pair)."""
    meetings = meetings_of(league)
    return {
        (meetings[game.place].turn, meetings[game.place].home_pair): game.start
        for game in card_games(card_entries(card, league), rules_of(league))
        if not game.carried
    }


def is_decided(card: Card, league: TeamLeague) -> bool:
    """Whether the games of a card decide the match."""
    return _match_of(card_entries(card, league), league).over


def games_won(entries: Sequence[Any], league: TeamLeague) -> tuple[Fraction, Fraction]:
    """The games won at home and away by the entries of a card."""
    return _match_of(entries, league).won


def _match_of(entries: Sequence[Any], league: TeamLeague) -> LeagueMatch:
    games = tuple(game.score for game in card_games(entries, rules_of(league)))
    return LeagueMatch(HOME, AWAY, league.games, games, void=entries.count("void"))


def seats_on(card: Card, league: TeamLeague) -> dict[tuple[int, int], tuple[Member, ...]]:
    """The players in the four seats of each game on the card, by (turn, home pair)."""
    seated: dict[tuple[int, int], tuple[Member, ...]] = {}
    for turn, pair in card.scores:
        home = card.pair_at(HOME, pair, turn)
        away = card.pair_at(AWAY, (pair + turn - 2) % league.pairs + 1, turn)
        if home is None or away is None:
            message = _("A pair that didn't come has no scores.")
            raise Refused("missing-pair", message)
        seated[turn, pair] = (home[0], away[0], home[1], away[1])
    return seated


def card_entries(card: Card, league: TeamLeague) -> list[Any]:
    """The games of a card in the format of `MatchRecord.entries`."""
    entries: list[Any] = []
    for meeting in meetings_of(league):
        score = card.scores.get((meeting.turn, meeting.home_pair))
        mark = card.mark(meeting.home_pair, meeting.away_pair)
        entries.append(mark or (None if score is None else list(score)))
    return entries


def changed_games(
    before: Sequence[Any], after: Sequence[Any]
) -> tuple[dict[str, str], dict[str, str]]:
    """The games that differ in two lists of entries, as the activity log has them: old and new."""
    differing = [
        (f"game {number}", *map(_entry_text, pair))
        for number, pair in enumerate(zip_longest(before, after), 1)
        if pair[0] != pair[1]
    ]
    return {key: old for key, old, _new in differing}, {key: new for key, _old, new in differing}


def _entry_text(entry: Any) -> str:
    """An entry of a card in the activity log: "21–15", or a mark."""
    return "–".join(map(str, entry)) if isinstance(entry, list) else entry or ""


def filled_in_by(match: TeamMatch) -> str:
    """Who filled in the card; empty if it came without a name, as from a file."""
    if not match.written_as:
        return ""
    words = {"who": match.written_as}
    for team in (match.home, match.away):
        if team.pk == match.written_by_id:
            return _("Filled in by %(who)s of %(team)s.") % {**words, "team": team.name}
    return _("Filled in by %(who)s, who runs the league, so it counts at once.") % words


@dataclass(frozen=True, slots=True)
class GameDifference:
    """A game whose score differs between two cards: its number from 1, and the score on each."""

    number: int
    first: str
    team: str
    copy: str


def differing_games(match: TeamMatch, record: MatchRecord) -> list[GameDifference]:
    """The games in which a captain's own card differs from the card on the page."""
    return [
        GameDifference(number, _score_text(entry), copy.team.name, _score_text(game))
        for copy in match.copies.select_related("team")
        for number, (entry, game) in enumerate(zip(record.entries, copy.games, strict=False), 1)
        if entry != game
    ]


def _score_text(entry: Any) -> str:
    """The points of a game on a card; a dash if it was not played."""
    return f"{entry[0]}–{entry[1]}" if isinstance(entry, list) else "–"
