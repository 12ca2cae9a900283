"""Checks derived data: recomputes games from their hands and compares with what is stored."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.functions import Cast

from league.members.models import ClubRuleset
from league.play.actions.persistence import lock_game_log, save_results
from league.play.game_log import GameLog, answer_of, rules_of
from league.play.models import Game, Hand, Result, Ruling
from league.play.results import Sitting, derived_results, figures, rows_of, win_shares
from league.seating.models import Seat
from league.sessions.models import Session
from scoring import Answer, Ruleset, Standing, play_game, step

# Many hands of a club are identical, so the engine judges each once. Its answer is cached by the
# text of the hand, with the results of a game of that one hand. An ordinary game is then a fold of
# cached answers and a sum. Games that are not ordinary (rulings, substitutes, deleted hands, ended
# other than by hands) or not equal are left to `differing`, which checks everything. Rows are plain
# tuples: model instances would take longer than all the rest.

CHECKED_AT_A_TIME = 1_000  # games in memory
REMEMBERED = 50_000  # cached hands of one ruleset
SUMMED = ("hands", "points", "points_against", "calls", "calls_made", "euchred", "euchres",
          "marches", "lone_tried", "lone_marches")  # fmt: skip


class JudgedHand(NamedTuple):
    """A judged hand: `shares` is what it adds to the `SUMMED` figures of seat 0, 1 and so on."""

    answer: Answer
    dealer: int
    shares: tuple[float, ...]


class HandCache:
    """The hands of one ruleset that have been judged."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._cached: dict[tuple[str, str, str], JudgedHand | None] = {}

    def judged_hand(self, record: str, points: str, outcome: str) -> JudgedHand | None:
        """A stored hand (in JSON), judged; None where the engine gives a different result."""
        key = record, points, outcome
        if key not in self._cached:
            if len(self._cached) >= REMEMBERED:  # hands with every card are all different
                self._cached.clear()
            self._cached[key] = self._judge(json.loads(record), json.loads(points), outcome)
        return self._cached[key]

    def _judge(self, record: Any, points: Any, outcome: str) -> JudgedHand | None:
        state = play_game(self.rules, [record])
        answer = state.answers[0]
        if not answer.valid or [*(answer.points or ())] != points or answer.outcome != outcome:
            return None
        seats = [Sitting(seat, seat, 1) for seat in range(self.rules.players)]
        rows = rows_of(state, [record], seats)
        shares = tuple(getattr(row, name) for row in rows for name in SUMMED)
        return JudgedHand(answer, record["dealer"], shares)


def needing_full_recount(games: QuerySet[Game]) -> Iterator[int]:
    """The ids, in order, of the games that the fast recount cannot confirm."""
    caches: dict[int, HandCache] = {}
    ids = games.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=CHECKED_AT_A_TIME)
    while batch := list(islice(ids, CHECKED_AT_A_TIME)):
        confirmed = _confirmed_games(batch[0], batch[-1], caches)
        yield from (game for game in batch if game not in confirmed)


def _confirmed_games(first_id: int, last_id: int, caches: dict[int, HandCache]) -> set[int]:
    """The ids of the games between these two that are certainly right."""
    id_range = (first_id, last_id)
    games = _ordinary_games(id_range)
    for ruleset_id in {row[2] for row in games} - caches.keys():
        caches[ruleset_id] = HandCache(rules_of(ClubRuleset.objects.get(pk=ruleset_id).body))
    hands, seats, results = (
        _group_by_game(rows)
        for rows in (_hands_of(id_range), _seats_of(id_range), _results_of(id_range))
    )
    return {
        row[0]
        for row in games
        if _is_right(row, caches[row[2]], hands[row[0]], seats[row[0]], results[row[0]])
    }


def _is_right(
    game: Sequence[Any],
    cache: HandCache,
    hands: list[tuple[Any, ...]],
    seats: list[tuple[Any, ...]],
    results: list[tuple[Any, ...]],
) -> bool:
    _id, session, _ruleset, first_dealer, state, reopened, score, winners, played, written = game
    judged = _judge_hands(hands, cache) if len(hands) == written else None
    if (
        cache.rules.start
        or judged is None
        or len(judged) != played
        or not _has_no_substitutes(seats, cache.rules.players)
    ):
        return False
    standing = _final_standing(cache.rules, judged, first_dealer)
    if standing is None or list(standing.score) != score:
        return False
    expected_winners = standing.winners if standing.over else ()
    provisional = state != Game.State.CONFIRMED or reopened
    common = (session, cache.rules.players, cache.rules.target or 0, provisional)
    return list(expected_winners) == winners and results == _expected_results(
        cache.rules, judged, standing, seats, common
    )


def _judge_hands(hands: Iterable[Sequence[Any]], cache: HandCache) -> list[JudgedHand] | None:
    """The hands that count, judged; None where one is missing, deleted or judged differently.

    Numbers and versions have no gaps, even after hands were undone or corrected.
    """
    judged_hands: list[JudgedHand] = []
    previous_number, previous_version = 0, 0
    for number, version, current, struck, *answer in hands:
        if (number, version) not in (
            (previous_number, previous_version + 1),
            (previous_number + 1, 1),
        ):
            return None
        previous_number, previous_version = number, version
        if current:
            judged = None if struck else cache.judged_hand(*answer)
            if judged is None or number != len(judged_hands) + 1:
                return None
            judged_hands.append(judged)
    return judged_hands


def _has_no_substitutes(seats: Iterable[Sequence[Any]], players: int) -> bool:
    """Whether each seat was taken by one player from the first hand to the last."""
    return [(seat, start, end) for seat, _who, start, end in seats] == [
        (seat, 1, None) for seat in range(players)
    ]


def _final_standing(
    rules: Ruleset, hands: Iterable[JudgedHand], first_dealer: int
) -> Standing | None:
    """The standing after all hands; None where a hand does not fit."""
    standing = Standing(score=(0,) * len(rules.sides), next_dealer=first_dealer)
    for hand in hands:
        standing, faults = step(rules, standing, hand.answer, dealer=hand.dealer)
        if faults:
            return None
    return standing


def _expected_results(
    rules: Ruleset,
    hands: Sequence[JudgedHand],
    standing: Standing,
    seats: Iterable[Sequence[Any]],
    common: tuple[Any, ...],
) -> list[tuple[Any, ...]] | None:
    """The result rows in the order they are read; None where the points do not add up to the score,
    as under a rule that a score cannot fall below a floor."""
    if not hands:
        return []
    sums = [sum(column) for column in zip(*(hand.shares for hand in hands), strict=True)]
    width = len(SUMMED)
    points = sums[SUMMED.index("points") :: width]
    if points[: len(rules.sides)] != list(standing.score):
        return None
    over, shares = standing.over, win_shares(rules.sides, standing.winners)
    expected = 1 / len(rules.sides) if over else 0.0
    rows = []
    for seat, member, _start, _end in seats:
        share = shares.get(seat, 0.0) if over else 0.0
        own_sums = sums[width * seat : width * (seat + 1)]
        rows.append((seat, member, *common, over, int(over), share, expected, *own_sums))
    return rows


def _ordinary_games(span: tuple[int, int]) -> list[tuple[Any, ...]]:
    """The games without rulings or conflicts that were ended by their hands."""
    games = Game.objects.filter(
        pk__range=span, totals__isnull=True, ended_by="", rulings_written=0, misfits=0, rulings=None
    ).exclude(state=Game.State.ABANDONED)
    return list(
        games.values_list(
            "pk", "session_id", "ruleset_id", "first_dealer", "state", "reopened",
            "score", "winners", "hands_played", "hands_written",
        )
    )  # fmt: skip


def _hands_of(span: tuple[int, int]) -> QuerySet[Any, Any]:
    """All versions of all hands, with record and points as text, the key of the cache."""
    hands = Hand.objects.filter(game__id__range=span).order_by("game", "number", "version")
    return hands.values_list(
        "game_id", "number", "version", "current", "struck",
        Cast("record", TextField()), Cast("points", TextField()), "outcome",
    )  # fmt: skip


def _seats_of(span: tuple[int, int]) -> QuerySet[Any, Any]:
    seats = Seat.objects.filter(table__games__id__range=span).order_by("table__games", "position")
    return seats.values_list("table__games", "position", "member_id", "from_hand", "until_hand")


def _results_of(span: tuple[int, int]) -> QuerySet[Any, Any]:
    results = Result.objects.filter(game__id__range=span).order_by("game", "position")
    return results.values_list(
        "game_id", "position", "member_id", "session_id", "players", "target", "provisional",
        "finished", "games", "win_share", "expected", *SUMMED,
    )  # fmt: skip


def _group_by_game(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    by_game: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for game, *values in rows:
        by_game[game].append(tuple(values))
    return by_game


# `differing` checks only the games that the fast recount could not confirm, but these thoroughly.

AT_A_TIME = 500  # games in memory

COMPARED = ("session_id", "provisional", *(
    name.name
    for name in Result._meta.concrete_fields
    if name.name not in ("id", "session", "game", "member", "position", "provisional")
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """A game whose stored figures do not follow from its hands. `lost`: hands are missing, so the
    right figures cannot be known."""

    game: Game
    what: list[str] = field(default_factory=list)
    lost: bool = False


def differing(games: QuerySet[Game], *, deep: bool = False) -> Iterator[Difference]:
    """The games that differ from a recount. `deep`: check every game thoroughly.

    A hand may be recorded between two of the queries, so a game that seems to differ is checked
    again while its session is locked.
    """
    all_ids = games.order_by("pk").values_list("pk", flat=True)
    ids = all_ids.iterator(chunk_size=AT_A_TIME) if deep else needing_full_recount(games)
    while batch := list(islice(ids, AT_A_TIME)):
        for difference in differences(
            with_everything(Game.objects.filter(pk__in=batch).order_by("pk"))
        ):
            yield from _recheck_locked(difference.game)


@transaction.atomic
def _recheck_locked(game: Game) -> list[Difference]:
    Session.objects.select_for_update().get(pk=game.session_id)
    return list(differences(with_everything(Game.objects.filter(pk=game.pk))))


def differences(games: Iterable[Game]) -> Iterator[Difference]:
    """The games that differ from a recount, each with what differs."""
    for game in games:
        log = prefetched_game_log(game)
        gaps = missing_hands(log)
        if gaps:
            yield Difference(game, gaps, lost=True)
            continue
        differing_values = [
            *_hand_differences(log),
            *_figure_differences(log),
            *_row_differences(log),
        ]
        if differing_values:
            yield Difference(game, differing_values)


def missing_hands(log: GameLog) -> list[str]:
    """Gaps that no action leaves: hands, or versions of hands, deleted from the database."""
    found_gaps = []
    versions: dict[int, list[int]] = {}
    for hand in log.versions:
        versions.setdefault(hand.number, []).append(hand.version)
    for number in range(1, max(versions, default=0) + 1):
        numbers = sorted(versions.get(number, []))
        if numbers != list(range(1, len(numbers) + 1)) or not numbers:
            found_gaps.append(f"hand {number}: versions {numbers} are there")
    if len(log.versions) != log.game.hands_written:
        found_gaps.append(f"{len(log.versions)} of {log.game.hands_written} entries are there")
    if len(log.rulings) != log.game.rulings_written:
        found_gaps.append(f"{len(log.rulings)} of {log.game.rulings_written} rulings are there")
    current = [hand.number for hand in log.hands]
    if current != list(range(1, len(current) + 1)):
        found_gaps.append(f"the hands that count are {current}")
    return found_gaps


@transaction.atomic
def rebuild(game: Game) -> None:
    """Recompute and store a game from its hands. How it was ended is not derived and stays.

    Raises the session's revision, so that no page keeps showing wrong figures.
    """
    log = lock_game_log(game.table, open_only=False)
    derived = figures(log)
    for name, value in derived.items():
        setattr(log.game, name, value)
    log.game.save(update_fields=list(derived))
    for hand in log.hands:
        hand.points, hand.outcome = expected_hand_values(log, hand)
        hand.save(update_fields=["points", "outcome"])
    save_results(log)


def with_everything(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games with all that their figures follow from, and their results, in a few queries."""
    hands = Hand.objects.order_by("number", "version")
    seats = Seat.objects.select_related("member").order_by("position", "from_hand")
    return games.select_related(
        "table__session__club", "table__ruleset", "ruleset"
    ).prefetch_related(
        Prefetch("hands", queryset=hands),
        Prefetch("rulings", queryset=Ruling.objects.order_by("id")),
        Prefetch("table__seats", queryset=seats),
        "results",
    )


def prefetched_game_log(game: Game) -> GameLog:
    """The log of a game loaded by `with_everything`, without a query."""
    return GameLog(
        game.table,
        game,
        list(game.hands.all()),
        list(game.rulings.all()),
        list(game.table.seats.all()),
    )


def expected_hand_values(log: GameLog, hand: Hand) -> tuple[list[int], str]:
    """The points by seat and the outcome that a hand should have stored."""
    if hand.struck:
        return [0] * log.rules.players, "struck"
    answer = answer_of(log.state, hand.number)
    return list(answer.points or ()), answer.outcome or ""


def _hand_differences(log: GameLog) -> Iterator[str]:
    for hand in log.hands:
        recounted = expected_hand_values(log, hand)
        if (hand.points, hand.outcome) != recounted:
            stored = f"{hand.outcome} {hand.points}"
            yield f"hand {hand.number}: stored {stored}, counted {recounted[1]} {recounted[0]}"


def _figure_differences(log: GameLog) -> Iterator[str]:
    for name, value in figures(log).items():
        stored = getattr(log.game, name)
        if stored != value:
            yield f"{name}: stored {stored}, counted {value}"


def _row_differences(log: GameLog) -> Iterator[str]:
    recounted = {(row.member_id, row.position): row for row in derived_results(log)}
    stored = {(row.member_id, row.position): row for row in log.game.results.all()}
    for key in recounted.keys() | stored.keys():
        yield from _one_row_differences(key, stored.get(key), recounted.get(key))


def _one_row_differences(
    key: tuple[int, int], stored: Result | None, recounted: Result | None
) -> Iterator[str]:
    subject = f"member {key[0]} on seat {key[1]}"
    if stored is None or recounted is None:
        yield f"{subject}: {'no row is stored' if stored is None else 'a row too many'}"
        return
    for name in COMPARED:
        stored_value, recounted_value = getattr(stored, name), getattr(recounted, name)
        if stored_value != recounted_value:
            yield f"{subject}, {name}: stored {stored_value}, counted {recounted_value}"
