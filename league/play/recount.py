"""Proving what is stored for speed: every game derived anew from its hands, and compared."""

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

# A club's hands are much alike: each is judged by the engine once and remembered by its text, with
# its share of everybody's result, which is what a game of that one hand would leave. An ordinary
# game is then a fold of remembered answers and a sum. Whatever is not ordinary (rulings,
# substitutes, struck hands, games ended from outside) or not equal is left for `differing`, which
# looks at everything. Rows come as plain tuples: objects would take longer than all the rest.

CHECKED_AT_A_TIME = 1_000  # games in memory
REMEMBERED = 50_000  # hands of one ruleset
SUMMED = ("hands", "points", "points_against", "calls", "calls_made", "euchred", "euchres",
          "marches", "lone_tried", "lone_marches")  # fmt: skip


class Weighed(NamedTuple):
    """A hand judged: `shares` are what it adds to the `SUMMED` figures of seat 0, 1 and so on."""

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
        seats = [Sitting(seat, seat, 1) for seat in range(self.rules.players)]
        rows = rows_of(state, [record], seats)
        shares = tuple(getattr(row, name) for row in rows for name in SUMMED)
        return Weighed(answer, record["dealer"], shares)


def needing_full_recount(games: QuerySet[Game]) -> Iterator[int]:
    """The ids of the games that are not plainly what their hands say, in order."""
    scales: dict[int, Scales] = {}
    ids = games.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=CHECKED_AT_A_TIME)
    while part := list(islice(ids, CHECKED_AT_A_TIME)):
        sure = _sure(part[0], part[-1], scales)
        yield from (game for game in part if game not in sure)


def _sure(first: int, last: int, scales: dict[int, Scales]) -> set[int]:
    """Which of the games between these ids are right beyond doubt."""
    span = (first, last)
    games = _ordinary_games(span)
    for missing in {row[2] for row in games} - scales.keys():
        scales[missing] = Scales(rules_of(ClubRuleset.objects.get(pk=missing).body))
    hands, seats, results = (
        _by_game(rows) for rows in (_hands_of(span), _seats_of(span), _results_of(span))
    )
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
    _id, session, _ruleset, first_dealer, state, reopened, score, winners, played, written = game
    weighed = _weighed(hands, scales) if len(hands) == written else None
    if (
        scales.rules.start
        or weighed is None
        or len(weighed) != played
        or not _stayed(seats, scales.rules.players)
    ):
        return False
    standing = _folded(scales.rules, weighed, first_dealer)
    if standing is None or list(standing.score) != score:
        return False
    won = standing.winners if standing.over else ()
    provisional = state != Game.State.CONFIRMED or reopened
    common = (session, scales.rules.players, scales.rules.target or 0, provisional)
    return list(won) == winners and results == _results(
        scales.rules, weighed, standing, seats, common
    )


def _weighed(hands: Iterable[Sequence[Any]], scales: Scales) -> list[Weighed] | None:
    """The hands that count, judged; None where one is missing, struck, or not as the engine says.

    Numbers and versions leave no gap, whatever was undone or corrected.
    """
    counted: list[Weighed] = []
    before, latest = 0, 0
    for number, version, current, struck, *answer in hands:
        if (number, version) not in ((before, latest + 1), (before + 1, 1)):
            return None
        before, latest = number, version
        if current:
            weighed = None if struck else scales.weigh(*answer)
            if weighed is None or number != len(counted) + 1:
                return None
            counted.append(weighed)
    return counted


def _stayed(seats: Iterable[Sequence[Any]], players: int) -> bool:
    """Whether one person sat on each seat from the first hand on."""
    return [(seat, start, end) for seat, _who, start, end in seats] == [
        (seat, 1, None) for seat in range(players)
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
    common: tuple[Any, ...],
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
    for seat, who, _start, _end in seats:
        share = shares.get(seat, 0.0) if over else 0.0
        own = sums[wide * seat : wide * (seat + 1)]
        rows.append((seat, who, *common, over, int(over), share, expected, *own))
    return rows


def _ordinary_games(span: tuple[int, int]) -> list[tuple[Any, ...]]:
    """The games without rulings, conflicts or an end from outside."""
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
    """Each version of each hand, its record and points as text, by which it is remembered."""
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


def _by_game(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    by_game: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for game, *rest in rows:
        by_game[game].append(tuple(rest))
    return by_game


# `differing` looks thoroughly only at games that the fast recount has not found right.

AT_A_TIME = 500  # games in memory

COMPARED = ("session_id", "provisional", *(
    name.name
    for name in Result._meta.concrete_fields
    if name.name not in ("id", "session", "game", "member", "position", "provisional")
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One game whose stored figures are not what its hands say. `lost`: hands are missing, so
    that nobody can say what the figures should be."""

    game: Game
    what: list[str] = field(default_factory=list)
    lost: bool = False


def differing(games: QuerySet[Game], *, deep: bool = False) -> Iterator[Difference]:
    """The games that differ from a recount. `deep`: look thoroughly at every one.

    A hand may be written down between two of our questions, so a game that seems to differ is
    looked at once more while nobody can write in its session.
    """
    every = games.order_by("pk").values_list("pk", flat=True)
    ids = every.iterator(chunk_size=AT_A_TIME) if deep else needing_full_recount(games)
    while part := list(islice(ids, AT_A_TIME)):
        for difference in differences(
            with_everything(Game.objects.filter(pk__in=part).order_by("pk"))
        ):
            yield from _looked_at_again(difference.game)


@transaction.atomic
def _looked_at_again(game: Game) -> list[Difference]:
    Session.objects.select_for_update().get(pk=game.session_id)
    return list(differences(with_everything(Game.objects.filter(pk=game.pk))))


def differences(games: Iterable[Game]) -> Iterator[Difference]:
    """The games that differ from a recount, each with what differs."""
    for game in games:
        log = prefetched_game_log(game)
        missing = missing_hands(log)
        if missing:
            yield Difference(game, missing, lost=True)
            continue
        what = [*_hands(log), *_figures(log), *_rows(log)]
        if what:
            yield Difference(game, what)


def missing_hands(log: GameLog) -> list[str]:
    """Gaps that no order leaves behind: a hand or a version of one that somebody deleted."""
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
    """Store what the hands say. The way a game was ended stays: that is no derived figure.

    Raises the session's revision, so that no page keeps showing what was wrong.
    """
    log = lock_game_log(game.table, open_only=False)
    derived = figures(log)
    for name, value in derived.items():
        setattr(log.game, name, value)
    log.game.save(update_fields=list(derived))
    for hand in log.hands:
        hand.points, hand.outcome = worth(log, hand)
        hand.save(update_fields=["points", "outcome"])
    save_results(log)


def with_everything(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games with all that their figures follow from and all that is stored, in few queries."""
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
    """The log of a game that came `with_everything`: no query."""
    return GameLog(
        game.table,
        game,
        list(game.hands.all()),
        list(game.rulings.all()),
        list(game.table.seats.all()),
    )


def worth(log: GameLog, hand: Hand) -> tuple[list[int], str]:
    """What a hand is to have stored: its points by seat and its outcome."""
    if hand.struck:
        return [0] * log.rules.players, "struck"
    answer = answer_of(log.state, hand.number)
    return list(answer.points or ()), answer.outcome or ""


def _hands(log: GameLog) -> Iterator[str]:
    for hand in log.hands:
        counted = worth(log, hand)
        if (hand.points, hand.outcome) != counted:
            stored = f"{hand.outcome} {hand.points}"
            yield f"hand {hand.number}: stored {stored}, counted {counted[1]} {counted[0]}"


def _figures(log: GameLog) -> Iterator[str]:
    for name, value in figures(log).items():
        stored = getattr(log.game, name)
        if stored != value:
            yield f"{name}: stored {stored}, counted {value}"


def _rows(log: GameLog) -> Iterator[str]:
    counted = {(row.member_id, row.position): row for row in derived_results(log)}
    stored = {(row.member_id, row.position): row for row in log.game.results.all()}
    for key in counted.keys() | stored.keys():
        yield from _row(key, stored.get(key), counted.get(key))


def _row(key: tuple[int, int], stored: Result | None, counted: Result | None) -> Iterator[str]:
    where = f"member {key[0]} on seat {key[1]}"
    if stored is None or counted is None:
        yield f"{where}: {'no row is stored' if stored is None else 'a row too many'}"
        return
    for name in COMPARED:
        was, now = getattr(stored, name), getattr(counted, name)
        if was != now:
            yield f"{where}, {name}: stored {was}, counted {now}"
