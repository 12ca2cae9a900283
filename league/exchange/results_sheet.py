"""Results of games as lines of a sheet, out and in: what a line says, and what its rules allow."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from league.exchange.game_files import DECISION, TIME, Namer, blurred_sessions, rules_cell
from league.exchange.games_import import GamesPreview, look, order
from league.exchange.past_games import (
    ClubHere,
    PastGame,
    game_code,
    players_of,
    where_of,
    where_troubles,
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
    """One game with its final score by seat (None: left to the partner's), and how it ended.

    `is_whole` is false for a line whose other cells cannot be read: then only where and by whom
    it was played is looked at. `ended` is "" where the target was reached, `time` or `decision`;
    `winners` are seats from 0, none where the score says it.
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
        """The score as it is written down, partners' once."""
        figures = list(self.points)
        if (
            len(figures) == FOUR
            and figures[2] in (None, figures[0])
            and figures[3] in (None, figures[1])
        ):
            figures = figures[: FOUR // 2]
        return " – ".join(str(points) for points in figures)


def results_on(rows: Sequence[Row]) -> tuple[list[ResultGame], list[Trouble]]:
    """The games of a sheet, and every cell of it that cannot be."""
    games: list[ResultGame] = []
    troubles: list[Trouble] = []
    lines: dict[tuple[str, str, str], int] = {}
    for row in rows:
        where = list(where_troubles(row))
        in_row = [*where, *_troubles(row, where)]
        first = lines.setdefault((row["date"], row["session"], row["game"]), row.line)
        if first != row.line:
            sentence = _("This game is already on line %(line)d.") % {"line": first}
            in_row.append(Trouble(row.line, "game", sentence))
        troubles += in_row
        if not where:
            games.append(_game(row) if not in_row else _half(row))
    troubles += _rounds(game for game in games if game.is_whole)
    return games, troubles


def _game(row: Row) -> ResultGame:
    return ResultGame(
        **where_of(row),
        totals_only=True,
        points=tuple(int(row[c]) if row[c] else None for c in POINTS[: len(players_of(row))]),
        ended=row["ended"].casefold(),
        winners=winners_in(row),
    )


def _half(row: Row) -> ResultGame:
    return ResultGame(**where_of(row), is_whole=False)


def _troubles(row: Row, where: Sequence[Trouble]) -> Iterator[Trouble]:
    """What is wrong with the cells about the score; `where` is wrong with the others."""
    known = all(trouble.column != "player 1" for trouble in where)
    seats = len(players_of(row)) if known else len(POINTS)
    for place, column in enumerate(POINTS):
        if row[column] and (place >= seats or not SCORE.fullmatch(row[column])):
            sentence = _("Enter the score as a whole number, for a seat with a player.")
            yield Trouble(row.line, column, sentence)
    if row["ended"].casefold() not in WAYS_TO_END:
        labels = ", ".join(cell_label("ended", word) for word in (TIME, DECISION))
        sentence = _("Enter one of: %(words)s.") % {"words": labels}
        yield Trouble(row.line, "ended", sentence)
    yield from winners_troubles(row, seats)


def _rounds(games: Iterable[ResultGame]) -> Iterator[Trouble]:
    """An evening has a round in every line or in none; in a round each table plays once, and
    nobody sits twice."""
    nights: dict[tuple[date, str], list[ResultGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    for night in nights.values():
        if any(game.round for game in night):
            yield from _of_one_night(night)


def _of_one_night(night: Iterable[ResultGame]) -> Iterator[Trouble]:
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
    """The score by side; None where a side has none. A partner's cell may stay empty."""
    by_side = [[game.points[seat] for seat in side] for side in rules.sides]
    totals = [next((one for one in side if one is not None), None) for side in by_side]
    return None if None in totals else [one for one in totals if one is not None]


def ending_of(game: ResultGame, rules: Ruleset, totals: list[int]) -> Ending:
    """Who won a game whose score is good."""
    if not game.winners:
        possible = [] if game.ended else possible_winners(rules, totals)
        if len(possible) == 1:
            return Ending(totals, _seats(rules, possible[0]))
        return Ending(totals, winners_of_totals(rules, totals))
    won = [side for side in rules.sides if set(side) & set(game.winners)]
    return Ending(totals, sorted(seat for side in won for seat in side))


def score_troubles(game: ResultGame, rules: Ruleset) -> Iterator[Trouble]:
    """What the rules say against a score and the word beside it."""
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
        yield from _highest(game, rules, totals)
    else:
        yield from _reached(game, rules, totals, rules.target)


def _highest(game: ResultGame, rules: Ruleset, totals: Sequence[int]) -> Iterator[Trouble]:
    """After time, or a fixed number of hands, the highest has won."""
    ending = ending_of(game, rules, list(totals))
    if ending.winners != winners_of_totals(rules, totals):
        sentence = _("The highest score wins, unless you enter “%(decision)s” under “%(ended)s”.")
        yield Trouble(game.line, "winners", sentence % _ways_to_end())


def _reached(
    game: ResultGame, rules: Ruleset, totals: Sequence[int], target: int
) -> Iterator[Trouble]:
    """Somebody came to the target; where several did, the line says who won."""
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
    """The words of how a game ended, and the heading of their column, as the reader has them."""
    labels = {word: cell_label("ended", word) for word in (TIME, DECISION)}
    return {"ended": column_label("ended"), **labels}


def _seats(rules: Ruleset, sides: Sequence[int]) -> list[int]:
    return sorted(seat for side in sides for seat in rules.sides[side])


def word_of(rules: Ruleset, totals: Sequence[int], winners: Sequence[int]) -> str:
    """What a line has to say under `ended` so that its score can be read again."""
    highest = list(winners) == winners_of_totals(rules, totals)
    target = rules.target
    if target is None:
        return "" if highest else DECISION
    if any(score_faults(rules, totals)):
        return DECISION
    if list(winners) in [_seats(rules, sides) for sides in possible_winners(rules, totals)]:
        return ""
    return TIME if highest else DECISION


def ended_games(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of `games` that have come to a result, evening by evening, round by round; with all
    that a line says of them. Three queries."""
    counted = Result.objects.filter(finished=True).select_related("member")
    last = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    games = games.filter(state__in=ENDED, reopened=False)
    games = games.exclude(session__state=Session.State.CANCELLED)
    games = games.select_related("session__season", "table__round", "ruleset")
    games = games.prefetch_related(
        Prefetch("table__seats", queryset=last, to_attr="current_seats"),
        Prefetch("results", queryset=counted, to_attr="counted_results"),
    )
    order = ("session__held_on", "session", "table__round__number", "table__number", "pk")
    return games.order_by(*order)


def played_to_the_end(game: Game) -> list[Member]:
    """Those whose result a game of `ended_games` is, by seat: who played its last hand, also where
    somebody sat down for them after it."""
    seats = [(seat.position, seat.member) for seat in game.table.current_seats]
    rows = [(row.position, row.member) for row in game.counted_results]  # type: ignore[attr-defined]
    by_position = dict(seats) | dict(rows)
    return [by_position[position] for position in sorted(by_position)]


def result_rows(games: Iterable[Game], name: Namer) -> Iterator[list[object]]:
    """A line for every game, under its people at the end and its score by seat."""
    listed = list(games)
    blurred = blurred_sessions(
        (game.table, [member.pk for member in played_to_the_end(game)]) for game in listed
    )
    for game in listed:
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
    """The words under `ended` and `winners`; no winners where the score says them."""
    word = word_of(rules, game.score, game.winners)
    highest = game.winners == winners_of_totals(rules, game.score)
    alone = rules.target is None or len(reached(rules, game.score)) == 1
    if highest and (word == TIME or (not word and alone)):
        return word, ""
    return word, " & ".join(str(seat + 1) for seat in game.winners)


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

    def code_of(self, game: ResultGame) -> str:
        return game.game if game.game in self.known else self.codes[game.line]

    def has(self, game: ResultGame) -> bool:
        return self.code_of(game) in self.known

    def differs(self, game: ResultGame) -> Iterator[Trouble]:
        """A game that is here already has to have come to the same."""
        if not game.is_whole:
            return
        score, winners, ruleset = self.known[self.code_of(game)]
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
