"""The results of games as lines of a sheet, in the columns that the import reads."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Prefetch, QuerySet

from league.exchange.game_files import Namer
from league.exchange.results_rules import word_of
from league.exchange.results_sheet import TIME
from league.play.book import rules_of
from league.play.derived import ENDED
from league.play.models import Game
from league.play.results import winners_of_totals
from league.seating.models import Seat
from league.sessions.models import Session
from scoring import Ruleset

CHAIRS = 4


def ended_games(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of `games` that have come to a result, evening by evening, round by round; with all
    that a line says of them. Two queries."""
    last = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    games = games.filter(state__in=ENDED, reopened=False)
    games = games.exclude(session__state=Session.State.CANCELLED)
    games = games.select_related("session__season", "table__round", "ruleset")
    games = games.prefetch_related(Prefetch("table__seats", queryset=last, to_attr="chairs"))
    order = ("session__held_on", "session", "table__round__number", "table__number", "pk")
    return games.order_by(*order)


def result_rows(games: Iterable[Game], name: Namer) -> Iterator[list[object]]:
    """A line for every game, under its people at the end and its score by chair."""
    listed = [game for game in games if game.table.players <= CHAIRS]
    blurred = _blurred(listed)
    for game in listed:
        rules = rules_of(game.ruleset.body)
        yield [
            game.session.held_on.isoformat(),
            game.session.name,
            game.session.season.name if game.session.season else "",
            "" if game.session_id in blurred else game.table.round.number,
            game.public_id,
            game.table.number,
            *_to_four(name(seat.member) for seat in game.table.chairs),
            *_to_four(game.score[seat % len(game.score)] for seat in range(rules.players)),
            *_ending(rules, game),
        ]


def _ending(rules: Ruleset, game: Game) -> tuple[str, str]:
    """The words under `ended` and `winners`; no winners where the score says them."""
    word = word_of(rules, game.score, game.winners)
    highest = game.winners == winners_of_totals(game.score, rules.sides)
    reached = [points for points in game.score if points >= (rules.target or points)]
    alone = rules.target is None or len(reached) == 1
    if highest and (word == TIME or (not word and alone)):
        return word, ""
    return word, " & ".join(str(seat + 1) for seat in game.winners)


def _to_four(cells: Iterable[object]) -> list[object]:
    told = list(cells)
    return [*told, *[""] * (CHAIRS - len(told))]


def _blurred(games: Sequence[Game]) -> set[int]:
    """The evenings whose rounds are mere numbers: somebody, or a table, is twice in one."""
    told: Counter[tuple[int, int, str, int]] = Counter()
    for game in games:
        where = (game.session_id, game.table.round.number)
        told[*where, "table", game.table.number] += 1
        for seat in game.table.chairs:
            told[*where, "person", seat.member_id] += 1
    return {session for (session, *_rest), times in told.items() if times > 1}
