"""The quick half of a recount: which games are plainly what their hands say.

A club's hands are much alike: each is judged by the engine once and remembered by its text, with
its share of everybody's result, which is what a game of that one hand would leave. An ordinary
game is then a fold of remembered answers and a sum. Whatever is not ordinary (rulings,
substitutes, struck hands, games ended from outside) or not equal is left for `recounting`, which
looks at everything. Rows come as plain tuples: objects would take longer than all the rest.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from league.members.models import ClubRuleset
from league.play.book import rules_of
from league.play.models import Game
from league.play.results import Sitting, rows_of, win_shares
from scoring import Answer, Ruleset, play_game
from scoring.endings import Standing
from scoring.games import step

AT_A_TIME = 1_000  # games in memory
REMEMBERED = 50_000  # hands of one ruleset
GAMES = """
    SELECT id, session_id, ruleset_id, first_dealer, state <> 'confirmed' OR reopened,
           score, winners, hands_played, hands_written
    FROM league_game
    WHERE id >= %s AND id <= %s AND totals IS NULL AND ended_by = '' AND state <> 'abandoned'
          AND rulings_written = 0 AND misfits = 0
          AND NOT EXISTS (SELECT 1 FROM league_ruling WHERE game_id = league_game.id)
"""
HANDS = """
    SELECT game_id, number, version, current, struck, record, points, outcome FROM league_hand
    WHERE game_id >= %s AND game_id <= %s ORDER BY game_id, number, version
"""
SEATS = """
    SELECT game.id, seat.position, seat.member_id, seat.from_hand, seat.until_hand
    FROM league_game game JOIN league_seat seat ON seat.table_id = game.table_id
    WHERE game.id >= %s AND game.id <= %s ORDER BY game.id, seat.position
"""
RESULTS = """
    SELECT game_id, position, member_id, session_id, players, target, provisional,
           finished, games, win_share, expected,
           hands, points, points_against, calls, calls_made, euchred, euchres, marches,
           lone_tried, lone_marches
    FROM league_result WHERE game_id >= %s AND game_id <= %s ORDER BY game_id, position
"""
SUMMED = ("hands", "points", "points_against", "calls", "calls_made", "euchred", "euchres",
          "marches", "lone_tried", "lone_marches")  # fmt: skip


class Weighed(NamedTuple):
    """A hand judged: `shares` are what it adds to the `SUMMED` figures of chair 0, 1 and so on."""

    answer: Answer
    dealer: int
    shares: tuple[float, ...]


class Scales:
    """One ruleset, and every hand that was weighed by it."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._known: dict[tuple[str, str, str], Weighed | None] = {}

    def weigh(self, record: str, points: str, outcome: str) -> Weighed | None:
        """A hand as it is stored, in JSON; None where the engine says anything else of it."""
        key = record, points, outcome
        if key not in self._known:
            if len(self._known) >= REMEMBERED:  # hands with every card are all different
                self._known.clear()
            self._known[key] = self._judged(json.loads(record), json.loads(points), outcome)
        return self._known[key]

    def _judged(self, record: Any, points: Any, outcome: str) -> Weighed | None:
        state = play_game(self.rules, [record])
        answer = state.answers[0]
        if not answer.valid or [*(answer.points or ())] != points or answer.outcome != outcome:
            return None
        chairs = [Sitting(chair, chair, 1) for chair in range(self.rules.players)]
        rows = rows_of(state, [record], chairs)
        shares = tuple(getattr(row, name) for row in rows for name in SUMMED)
        return Weighed(answer, record["dealer"], shares)


def unproved(games: QuerySet[Game]) -> Iterator[int]:
    """The ids of the games that are not plainly what their hands say, in order."""
    scales: dict[int, Scales] = {}
    ids = games.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=AT_A_TIME)
    while part := list(islice(ids, AT_A_TIME)):
        proved = _proved(part[0], part[-1], scales)
        yield from (game for game in part if game not in proved)


def _proved(first: int, last: int, scales: dict[int, Scales]) -> set[int]:
    """Which of the games between these ids are right beyond doubt."""
    games = _rows(GAMES, first, last)
    for missing in {row[2] for row in games} - scales.keys():
        scales[missing] = Scales(rules_of(ClubRuleset.objects.get(pk=missing).body))
    hands, seats, results = (_by_game(sql, first, last) for sql in (HANDS, SEATS, RESULTS))
    return {
        row[0]
        for row in games
        if _is_right(row, scales[row[2]], hands[row[0]], seats[row[0]], results[row[0]])
    }


def _is_right(
    game: Sequence[Any],
    scales: Scales,
    hands: list[tuple[Any, ...]],
    seats: list[tuple[Any, ...]],
    results: list[tuple[Any, ...]],
) -> bool:
    _id, session, _ruleset, first_dealer, provisional, score, winners, played, written = game
    weighed = _weighed(hands, scales) if len(hands) == written else None
    if weighed is None or len(weighed) != played or not _stayed(seats, scales.rules.players):
        return False
    standing = _folded(scales.rules, weighed, first_dealer)
    if standing is None or list(standing.score) != json.loads(score):
        return False
    won = standing.winners if standing.over else ()
    said = (session, scales.rules.players, scales.rules.target or 0, bool(provisional))
    return list(won) == json.loads(winners) and results == _results(
        scales.rules, weighed, standing, seats, said
    )


def _weighed(hands: Iterable[Sequence[Any]], scales: Scales) -> list[Weighed] | None:
    """The hands that count, judged; None where one is missing, struck, or not as the engine says.

    Numbers and versions leave no gap, whatever was undone or corrected.
    """
    counted: list[Weighed] = []
    before, latest = 0, 0
    for number, version, current, struck, *told in hands:
        if (number, version) not in ((before, latest + 1), (before + 1, 1)):
            return None
        before, latest = number, version
        if current:
            weighed = None if struck else scales.weigh(*told)
            if weighed is None or number != len(counted) + 1:
                return None
            counted.append(weighed)
    return counted


def _stayed(seats: Iterable[Sequence[Any]], players: int) -> bool:
    """Whether one person sat on each chair from the first hand on."""
    return [(chair, start, end) for chair, _who, start, end in seats] == [
        (chair, 1, None) for chair in range(players)
    ]


def _folded(rules: Ruleset, hands: Iterable[Weighed], first_dealer: int) -> Standing | None:
    """Where the game stands; None where a hand does not fit in its place."""
    standing = Standing(score=(0,) * len(rules.sides), next_dealer=first_dealer)
    for hand in hands:
        standing, faults = step(rules, standing, hand.answer, dealer=hand.dealer)
        if faults:
            return None
    return standing


def _results(
    rules: Ruleset,
    hands: Sequence[Weighed],
    standing: Standing,
    seats: Iterable[Sequence[Any]],
    said: tuple[Any, ...],
) -> list[tuple[Any, ...]] | None:
    """The result rows in the order they are read; None where points do not simply add up.

    They do not where a rule keeps a score from falling below a floor.
    """
    if not hands:
        return []
    sums = [sum(column) for column in zip(*(hand.shares for hand in hands), strict=True)]
    wide = len(SUMMED)
    points = sums[SUMMED.index("points") :: wide]
    if points[: len(rules.sides)] != list(standing.score):
        return None
    over, shares = standing.over, win_shares(rules.sides, standing.winners)
    expected = 1 / len(rules.sides) if over else 0.0
    rows = []
    for chair, who, _start, _end in seats:
        share = shares.get(chair, 0.0) if over else 0.0
        own = sums[wide * chair : wide * (chair + 1)]
        rows.append((chair, who, *said, over, int(over), share, expected, *own))
    return rows


def _by_game(sql: str, first: int, last: int) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for game, *rest in _rows(sql, first, last):
        found[game].append(tuple(rest))
    return found


def _rows(sql: str, *values: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()
