"""Exports and imports game results as lines of a sheet, and checks them by the rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from league.exchange.game_files import DECISION, TIME, Namer, blurred_sessions, rules_cell
from league.exchange.games_import import GamesPreview, import_games, preview_games
from league.exchange.past_games import (
    ClubData,
    PastGame,
    game_cell_troubles,
    game_code,
    game_fields,
    players_of,
    winners_in,
    winners_troubles,
)
from league.exchange.sheet_import import Trouble
from league.exchange.sheet_reading import Row
from league.exchange.sheets import FOUR, POINTS, cell_label, column_label, to_eight
from league.members.audit import Actor
from league.members.models import Club, Member
from league.members.names import name_key
from league.play.actions.persistence import ImportedGame, imported_totals
from league.play.final_scores import (
    possible_winners,
    reached,
    score_faults,
    winners_of_totals,
)
from league.play.game_log import rules_of
from league.play.models import Game, Result
from league.play.results import ENDED
from league.seating.models import Seat, Table
from league.sessions.models import Session
from scoring import Ruleset

WAYS_TO_END = ("", TIME, DECISION)
SCORE = re.compile(r"-?[0-9]{1,3}", re.ASCII)


@dataclass
class ResultGame(PastGame):
    """One game with its final score by seat (None: the partner's cell has it), and how it ended.

    `is_whole` is false for a line whose score cannot be read: then only where and by whom the game
    was played is checked. `ended` is "" (the target was reached), `time` or `decision`; `winners`
    are seats from 0, empty where the score decides.
    """

    points: tuple[int | None, ...] = ()
    ended: str = ""
    winners: tuple[int, ...] = ()
    is_whole: bool = True

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint} {(self.points, self.ended, self.winners)!r}"

    @property
    def score(self) -> str:
        """The score as text, with one figure for partners."""
        figures = list(self.points)
        if (
            len(figures) == FOUR
            and figures[2] in (None, figures[0])
            and figures[3] in (None, figures[1])
        ):
            figures = figures[: FOUR // 2]
        return " – ".join(str(points) for points in figures)


def results_on(rows: Sequence[Row]) -> tuple[list[ResultGame], list[Trouble]]:
    """The games of a sheet, and every invalid cell."""
    games: list[ResultGame] = []
    troubles: list[Trouble] = []
    lines: dict[tuple[str, str, str], int] = {}
    for row in rows:
        game_troubles = list(game_cell_troubles(row))
        row_troubles = [*game_troubles, *_score_cell_troubles(row, game_troubles)]
        first = lines.setdefault((row["date"], row["session"], row["game"]), row.line)
        if first != row.line:
            sentence = _("This game is already on line %(line)d.") % {"line": first}
            row_troubles.append(Trouble(row.line, "game", sentence))
        troubles += row_troubles
        if not game_troubles:
            games.append(_game(row) if not row_troubles else _game_without_score(row))
    troubles += _round_troubles(game for game in games if game.is_whole)
    return games, troubles


def _game(row: Row) -> ResultGame:
    return ResultGame(
        **game_fields(row),
        totals_only=True,
        points=tuple(int(row[c]) if row[c] else None for c in POINTS[: len(players_of(row))]),
        ended=row["ended"].casefold(),
        winners=winners_in(row),
    )


def _game_without_score(row: Row) -> ResultGame:
    return ResultGame(**game_fields(row), is_whole=False)


def _score_cell_troubles(row: Row, game_troubles: Sequence[Trouble]) -> Iterator[Trouble]:
    """What is wrong with the cells of the score; `game_troubles` are about the other cells."""
    has_players = all(trouble.column != "player 1" for trouble in game_troubles)
    seats = len(players_of(row)) if has_players else len(POINTS)
    for place, column in enumerate(POINTS):
        if row[column] and (place >= seats or not SCORE.fullmatch(row[column])):
            sentence = _("Enter the score as a whole number, for a seat with a player.")
            yield Trouble(row.line, column, sentence)
    if row["ended"].casefold() not in WAYS_TO_END:
        labels = ", ".join(cell_label("ended", word) for word in (TIME, DECISION))
        sentence = _("Enter one of: %(words)s.") % {"words": labels}
        yield Trouble(row.line, "ended", sentence)
    yield from winners_troubles(row, seats)


def _round_troubles(games: Iterable[ResultGame]) -> Iterator[Trouble]:
    """A session gives the round on every line or on none; in a round each table plays once, and
    no one sits at two tables."""
    nights: dict[tuple[date, str], list[ResultGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    for night in nights.values():
        if any(game.round for game in night):
            yield from _round_troubles_of_night(night)


def _round_troubles_of_night(night: Iterable[ResultGame]) -> Iterator[Trouble]:
    seen: set[tuple[int, int | str]] = set()
    for game in night:
        if game.round is None:
            yield Trouble(game.line, "round", _("Enter the round on every line of a session."))
            continue
        if (game.round, game.table) in seen:
            yield Trouble(game.line, "table", _("This table already has a game in this round."))
        for name in game.players:
            if (game.round, name_key(name)) in seen:
                sentence = _("%(name)s is at another table in this round.") % {"name": name}
                yield Trouble(game.line, "player 1", sentence)
        seen |= {(game.round, game.table)} | {(game.round, name_key(n)) for n in game.players}


@dataclass(frozen=True, slots=True)
class Ending:
    """A score by side and the seats that won by it."""

    totals: list[int]
    winners: list[int]


def totals_of(game: ResultGame, rules: Ruleset) -> list[int] | None:
    """The score by side; None where a side has none. A partner's cell may be empty."""
    totals: list[int] = []
    for side in rules.sides:
        points = [game.points[seat] for seat in side]
        total = next((figure for figure in points if figure is not None), None)
        if total is None:
            return None
        totals.append(total)
    return totals


def ending_of(game: ResultGame, rules: Ruleset, totals: list[int]) -> Ending:
    """Who won a game whose score is valid."""
    if not game.winners:
        possible = [] if game.ended else possible_winners(rules, totals)
        if len(possible) == 1:
            return Ending(totals, _seats(rules, possible[0]))
        return Ending(totals, winners_of_totals(rules, totals))
    won = [side for side in rules.sides if set(side) & set(game.winners)]
    return Ending(totals, sorted(seat for side in won for seat in side))


def score_troubles(game: ResultGame, rules: Ruleset) -> Iterator[Trouble]:
    """Where a score and the way the game ended break the rules."""
    missing = [side for side in rules.sides if all(game.points[seat] is None for seat in side)]
    for side in missing:
        yield Trouble(game.line, POINTS[side[0]], _("Every side needs a score."))
    totals = totals_of(game, rules)
    if totals is None:
        return
    for seat, points in enumerate(game.points):
        if points not in (None, totals[seat % len(totals)]):
            yield Trouble(game.line, POINTS[seat], _("Partners must have the same score."))
    if game.ended == DECISION:
        if not game.winners:
            yield Trouble(game.line, "winners", _("Choose who won."))
        return
    impossible = dict(score_faults(rules, totals))
    for number, sentence in impossible.items():
        yield Trouble(game.line, POINTS[number], sentence)
    if impossible:
        return
    if game.ended == TIME or rules.target is None:
        yield from _highest_score_troubles(game, rules, totals)
    else:
        yield from _target_troubles(game, rules, totals, rules.target)


def _highest_score_troubles(
    game: ResultGame, rules: Ruleset, totals: Sequence[int]
) -> Iterator[Trouble]:
    """When time or a fixed number of hands ends the game, the highest score wins."""
    ending = ending_of(game, rules, list(totals))
    if ending.winners != winners_of_totals(rules, totals):
        sentence = _("The highest score wins, unless you enter “%(decision)s” under “%(ended)s”.")
        yield Trouble(game.line, "winners", sentence % _ways_to_end())


def _target_troubles(
    game: ResultGame, rules: Ruleset, totals: Sequence[int], target: int
) -> Iterator[Trouble]:
    """A side must have reached the target; where several did, the line says who won."""
    possible = [_seats(rules, sides) for sides in possible_winners(rules, totals)]
    values = {"target": target} | _ways_to_end()
    if not possible:
        sentence = _(
            "No one has reached %(target)d. Enter “%(time)s” or “%(decision)s” under “%(ended)s”."
        )
        yield Trouble(game.line, "points 1", sentence % values)
    elif len(possible) > 1 and not game.winners:
        sentence = _("More than one side has reached %(target)d. Enter who won.") % values
        yield Trouble(game.line, "winners", sentence)
    elif ending_of(game, rules, list(totals)).winners not in possible:
        sentence = _(
            "By these rules another side wins with this score. Fix it, or enter “%(decision)s” "
            "under “%(ended)s”."
        )
        yield Trouble(game.line, "winners", sentence % values)


def _ways_to_end() -> dict[str, str]:
    """The words for how a game ended and their column's heading, in the reader's language."""
    labels = {word: cell_label("ended", word) for word in (TIME, DECISION)}
    return {"ended": column_label("ended"), **labels}


def _seats(rules: Ruleset, sides: Sequence[int]) -> list[int]:
    return sorted(seat for side in sides for seat in rules.sides[side])


def ended_cell(rules: Ruleset, totals: Sequence[int], winners: Sequence[int]) -> str:
    """What a line must say under `ended` so that its score can be imported again."""
    is_highest = list(winners) == winners_of_totals(rules, totals)
    target = rules.target
    if target is None:
        return "" if is_highest else DECISION
    if any(score_faults(rules, totals)):
        return DECISION
    if list(winners) in [_seats(rules, sides) for sides in possible_winners(rules, totals)]:
        return ""
    return TIME if is_highest else DECISION


def ended_games(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of `games` that have a result, by session and round, with the related rows that a
    line needs. Three queries."""
    results = Result.objects.filter(finished=True).select_related("member")
    seats = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    games = games.filter(state__in=ENDED, reopened=False)
    games = games.exclude(session__state=Session.State.CANCELLED)
    games = games.select_related("session__season", "table__round", "ruleset")
    games = games.prefetch_related(
        Prefetch("table__seats", queryset=seats, to_attr="current_seats"),
        Prefetch("results", queryset=results, to_attr="counted_results"),
    )
    order = ("session__held_on", "session", "table__round__number", "table__number", "pk")
    return games.order_by(*order)


def played_to_the_end(game: Game) -> list[Member]:
    """The players who get the result of a game of `ended_games`, by seat: those who played its
    last hand, even where a substitute took the seat afterwards."""
    seats = [(seat.position, seat.member) for seat in game.table.current_seats]
    rows = [(row.position, row.member) for row in game.counted_results]  # type: ignore[attr-defined]
    by_position = dict(seats) | dict(rows)
    return [by_position[position] for position in sorted(by_position)]


def result_rows(games: Iterable[Game], name: Namer) -> Iterator[list[object]]:
    """A line for every game, with its players at the end and its score by seat."""
    all_games = list(games)
    blurred = blurred_sessions(
        (game.table, [member.pk for member in played_to_the_end(game)]) for game in all_games
    )
    for game in all_games:
        rules = rules_of(game.ruleset.body)
        names = to_eight(name(member) for member in played_to_the_end(game))
        points = to_eight(game.score[seat % len(game.score)] for seat in range(rules.players))
        yield [
            game.session.held_on.isoformat(),
            game.session.name,
            game.session.season.name if game.session.season else "",
            "" if game.session_id in blurred else game.table.round.number,
            game.public_id,
            game.table.number,
            *names[:FOUR],
            *points[:FOUR],
            *_ending(rules, game),
            rules_cell(game.ruleset.body),
            " ".join(map(str, game.table.carried)),
            *names[FOUR:],
            *points[FOUR:],
        ]


def _ending(rules: Ruleset, game: Game) -> tuple[str, str]:
    """The cells under `ended` and `winners`; winners are empty where the score decides."""
    word = ended_cell(rules, game.score, game.winners)
    is_highest = game.winners == winners_of_totals(rules, game.score)
    is_only_one = rules.target is None or len(reached(rules, game.score)) == 1
    if is_highest and (word == TIME or (not word and is_only_one)):
        return word, ""
    return word, " & ".join(str(seat + 1) for seat in game.winners)


class ExistingResults:
    """The club's data, and those games of the sheet that it already has. Four queries.

    A game is found by its code on this site (our own export), or by the code it got when this
    sheet was imported before.
    """

    def __init__(self, club: Club, games: Sequence[ResultGame], today: date) -> None:
        self.club_data = ClubData(club, today)
        self.codes = {game.line: game_code(club, game) for game in games}
        codes = [*self.codes.values(), *(game.game for game in games)]
        games_by_code = Game.objects.filter(session__club=club, public_id__in=codes)
        known_games = list(games_by_code.select_related("ruleset"))
        self.known_results = {
            game.public_id: (game.score, game.winners, game.ruleset) for game in known_games
        }
        self.club_data.allow_more_games(game.session_id for game in known_games)

    @property
    def facts(self) -> tuple[object, ...]:
        results = {
            code: (score, winners) for code, (score, winners, _rules) in self.known_results.items()
        }
        return *self.club_data.facts, results

    def code_of(self, game: ResultGame) -> str:
        return game.game if game.game in self.known_results else self.codes[game.line]

    def has(self, game: ResultGame) -> bool:
        return self.code_of(game) in self.known_results

    def difference_troubles(self, game: ResultGame) -> Iterator[Trouble]:
        """A game that the club already has must have the same result."""
        if not game.is_whole:
            return
        score, winners, ruleset = self.known_results[self.code_of(game)]
        rules = rules_of(ruleset.body)
        totals = totals_of(game, rules) if rules.players == len(game.players) else None
        if totals is None or totals != score or ending_of(game, rules, totals).winners != winners:
            sentence = _("This game is already here, with a different result.")
            yield Trouble(game.line, "points 1", sentence)

    def new_game_troubles(self, game: ResultGame) -> Iterator[Trouble]:
        """Why a new game cannot be imported."""
        yield from self.club_data.new_game_troubles(game)
        ruleset = self.club_data.rules_for(game)
        if ruleset is not None and game.is_whole and ruleset.players == len(game.players):
            yield from score_troubles(game, rules_of(ruleset.body))

    def make_game(
        self, game: ResultGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> ImportedGame:
        rules = rules_of(table.ruleset.body)
        ending = ending_of(game, rules, totals_of(game, rules) or [])
        code = self.codes[game.line]
        return imported_totals(table, seats, ending.totals, ending.winners, code=code, by=by, at=at)


def preview_results(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What importing the sheet would do; games the club already has stay as they are."""
    games, troubles = results_on(rows)
    return preview_games(ExistingResults(club, games, club.local(at).date()), games, troubles)


def import_results(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Save every new result, or nothing; see `games_import.import_games`."""
    games, troubles = results_on(rows)
    today = club.local(at).date()
    return import_games(
        club, lambda: ExistingResults(club, games, today), games, troubles, agreed=agreed, by=by
    )
