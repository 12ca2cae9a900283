"""The rules of a team league as data: points, walk-overs, late cards, tie-breaks, moves. Pure.

The rules are read from JSON and written back to it, so a club's rules, a preset and a league file
share one format. Numbers are whole numbers, or strings like "1/2".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any

from league.ranking.measures import RankingError

__all__ = [
    "TIE_BREAKS",
    "Bonus",
    "Border",
    "LateCard",
    "LeagueRules",
    "number_from",
    "plain",
    "rules_from_json",
    "rules_to_json",
]

TIE_BREAKS = (
    "games_won",
    "game_difference",
    "points_difference",
    "points_for",
    "matches_won",
    "away_wins",
    "fewest_walkovers",
    "head_to_head",
    "head_to_head_games",
    "head_to_head_points",
    "play_off",
    "lot",
)
WITHDRAWALS = ("void", "stand", "half_played", "halves")
SPLITS = ("same", "next", "first")
SIDES = ("winner", "loser", "any")
PAYERS = ("winner", "home", "away", "both")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_POINTS, MOST_GAMES = 1000, 9
MOST_TARGET = 500  # the highest that a ruleset can have
LONGEST_NUMBER = 12
NUMBER = re.compile(r"[+-]?[0-9]+([./][0-9]+)?")


@dataclass(frozen=True, slots=True)
class Bonus:
    """Extra points for the winner, the loser or `any` side with at least `games` games won."""

    side: str
    games: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class WalkOver:
    """What a match that was not played counts: league points, games and game points.

    `games` and `points` are (own, theirs) for the side given the match.
    """

    win: Fraction = Fraction(2)
    loss: Fraction = Fraction(0)
    games: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    points: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class LateCard:
    """The deadline of a match card, on the first such `weekday` (0 is Monday) after the day of
    play, and the points that a late card costs the `payer`."""

    weekday: int
    time: time
    points: Fraction
    payer: str = "winner"

    def deadline(self, played: date) -> datetime:
        """The last minute in time for the card of a match played on this day."""
        days = (self.weekday - played.weekday() - 1) % 7 + 1
        return datetime.combine(played + timedelta(days=days), self.time)

    def is_late(self, played: date, received: datetime) -> bool:
        """Whether the card is late. `received` is local time of the league; a card received in the
        minute of the deadline is in time."""
        return received.replace(second=0, microsecond=0) > self.deadline(played)


@dataclass(frozen=True, slots=True)
class Border:
    """The number of teams that go up from `lower`, down from `upper`, and play off for a place."""

    upper: str
    lower: str
    up: int = 0
    down: int = 0
    play_off: int = 0


@dataclass(frozen=True, slots=True)
class SectionPlayOff:
    """The first `places` of each of these sections qualify for the play-off."""

    divisions: tuple[str, ...]
    places: int


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """All rules that determine a table. `laps`: where two pairs meet several times in a match,
    points above the target count towards their next game. `slam`: a game won with the losers at 0
    counts as two."""

    pairs: int = 3
    games_each: int = 3
    target: int | None = None
    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)
    game: Fraction = Fraction(0)
    bonus: tuple[Bonus, ...] = ()
    given_game: tuple[int, int] = (0, 0)
    walkover: WalkOver = field(default_factory=WalkOver)
    late: LateCard | None = None
    withdrawal: str = "half_played"
    tie_breaks: tuple[str, ...] = ("games_won", "head_to_head", "points_difference", "points_for")
    after_split: str = "same"
    moves: tuple[Border, ...] = ()
    sections: SectionPlayOff | None = None
    laps: bool = False
    slam: bool = False

    @property
    def repeats(self) -> bool:
        """Whether every two pairs of a match meet at least twice."""
        return self.games_each >= 2 * self.pairs

    @property
    def by_game(self) -> "LeagueRules":
        """The same rules with every game counting one, for a card that only records totals."""
        return replace(self, laps=False, slam=False)

    @property
    def games(self) -> int:
        """The number of games in a match."""
        return self.pairs * self.games_each

    def earned(self, own: Fraction, theirs: Fraction) -> Fraction:
        """The points of a side that won `own` games of a match and lost `theirs`."""
        result = self.draw if own == theirs else self.win if own > theirs else self.loss
        sides = {"any", "any" if own == theirs else "winner" if own > theirs else "loser"}
        extra = (b.points for b in self.bonus if b.side in sides and own >= b.games)
        return result + self.game * own + sum(extra, Fraction(0))


def rules_from_json(body: Mapping[str, Any]) -> LeagueRules:
    """The rules in a JSON object. Raises `RankingError` with a sentence naming the faulty part."""
    read = _Reader(body, "rules")
    points, defaults = read.part("points", {"win", "draw", "loss", "game"}), LeagueRules()
    target = read.whole("target", 1, MOST_TARGET, default=None)
    rules = LeagueRules(
        pairs=read.whole("pairs", 1, 6, default=defaults.pairs) or 0,
        games_each=read.whole("games_each", 1, MOST_GAMES, default=defaults.games_each) or 0,
        target=target,
        win=points.number("win", defaults.win),
        draw=points.number("draw", defaults.draw),
        loss=points.number("loss", defaults.loss),
        game=points.number("game", defaults.game),
        bonus=tuple(_bonus_from(part) for part in read.parts("bonus", {"side", "games", "points"})),
        given_game=_two_whole(read, "given_game", (target or 0, 0)),
        walkover=_walkover_from(read.part("walkover", {"win", "loss", "games", "points"}), points),
        late=_late_card_from(read) if body.get("late") is not None else None,
        withdrawal=read.choice("withdrawal", WITHDRAWALS, defaults.withdrawal),
        tie_breaks=_tie_breaks_from(read),
        after_split=read.choice("after_split", SPLITS, defaults.after_split),
        moves=tuple(_border_from(part) for part in read.parts("moves", MOVES)),
        sections=_sections_from(read),
        laps=read.tick("laps"),
        slam=read.tick("slam"),
    )
    read.refuse_others(KNOWN)
    return rules


KNOWN = {
    "pairs", "games_each", "target", "points", "bonus", "given_game", "walkover", "late",
    "withdrawal", "tie_breaks", "after_split", "moves", "section_play_off",
    "laps", "slam",
}  # fmt: skip
MOVES = {"upper", "lower", "up", "down", "play_off"}


def rules_to_json(rules: LeagueRules) -> dict[str, Any]:
    """The rules as a JSON object; `laps` and `slam` appear only where they are on."""
    walkover, late, sections = rules.walkover, rules.late, rules.sections
    in_matches = {name: True for name in ("laps", "slam") if getattr(rules, name)}
    return in_matches | {
        "pairs": rules.pairs,
        "games_each": rules.games_each,
        "target": rules.target,
        "points": {name: plain(getattr(rules, name)) for name in ("win", "draw", "loss", "game")},
        "bonus": [
            {"side": bonus.side, "games": bonus.games, "points": plain(bonus.points)}
            for bonus in rules.bonus
        ],
        "given_game": list(rules.given_game),
        "walkover": {
            "win": plain(walkover.win),
            "loss": plain(walkover.loss),
            "games": [plain(game) for game in walkover.games],
            "points": list(walkover.points),
        },
        "late": late
        and {
            "weekday": WEEKDAYS[late.weekday],
            "time": f"{late.time:%H:%M}",
            "points": plain(late.points),
            "from": late.payer,
        },
        "withdrawal": rules.withdrawal,
        "tie_breaks": list(rules.tie_breaks),
        "after_split": rules.after_split,
        "moves": [
            {
                "upper": move.upper,
                "lower": move.lower,
                "up": move.up,
                "down": move.down,
                "play_off": move.play_off,
            }
            for move in rules.moves
        ],
        "section_play_off": sections
        and {"divisions": list(sections.divisions), "places": sections.places},
    }


def plain(value: Fraction | int) -> int | str:
    """A number for JSON: a whole number, or a string like "1/2"."""
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else str(exact)


def number_from(value: Any, where: str) -> Fraction:
    """A number from JSON. Raises `RankingError` where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise RankingError(f'{where}: a whole number, or a text like "1/2".')
    if len(str(value)) > LONGEST_NUMBER or "e" in str(value).lower():  # "1e999999999" takes hours
        raise RankingError(f"{where}: this number is too large.")
    try:
        number = Fraction(value if NUMBER.fullmatch(str(value)) else "")
    except (ValueError, ZeroDivisionError) as bad:
        raise RankingError(f'{where}: a whole number, or a text like "1/2".') from bad
    if abs(number) > MOST_POINTS or number.denominator > MOST_POINTS:
        raise RankingError(f"{where}: this number is too large.")
    return number


class _Reader:
    """Reads typed parts of a JSON object; raises `RankingError` naming a part of the wrong type."""

    def __init__(self, body: Any, where: str) -> None:
        if not isinstance(body, Mapping):
            raise RankingError(f"{where}: an object with names and values.")
        self.body, self.where = body, where

    def part(self, name: str, known: set[str]) -> "_Reader":
        return self._part_reader(self.body.get(name, {}), name, known)

    def parts(self, name: str, known: set[str]) -> "list[_Reader]":
        return [self._part_reader(body, name, known) for body in self.list_of(name)]

    def _part_reader(self, body: Any, name: str, known: set[str]) -> "_Reader":
        reader = _Reader(body, f"{self.where}, {name}")
        reader.refuse_others(known)
        return reader

    def list_of(self, name: str, default: Sequence[Any] = ()) -> list[Any]:
        value = self.body.get(name, list(default))
        if not isinstance(value, list) or len(value) > MOST_POINTS:
            raise RankingError(f"{self.where}, {name}: a list.")
        return value

    def number(self, name: str, default: Fraction) -> Fraction:
        return number_from(self.body.get(name, plain(default)), f"{self.where}, {name}")

    def whole(self, name: str, least: int, most: int, *, default: int | None) -> int | None:
        value = self.body.get(name, default)
        if value is None and default is None:
            return None
        if type(value) is not int or not least <= value <= most:
            raise RankingError(f"{self.where}, {name}: a whole number from {least} to {most}.")
        return value

    def choice(self, name: str, among: Sequence[str], default: str) -> str:
        value = self.body.get(name, default)
        if value not in among:
            raise RankingError(f"{self.where}, {name}: one of {', '.join(among)}.")
        return str(value)

    def tick(self, name: str) -> bool:
        value = self.body.get(name, False)
        if type(value) is not bool:
            raise RankingError(f"{self.where}, {name}: true or false.")
        return value

    def text(self, name: str) -> str:
        value = self.body.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= 40:
            raise RankingError(f"{self.where}, {name}: a short text.")
        return value

    def refuse_others(self, known: set[str]) -> None:
        for name in sorted(set(self.body) - known):
            raise RankingError(f"{self.where}: there is no rule called {name!s:.40}.")


def _bonus_from(read: _Reader) -> Bonus:
    side = read.choice("side", SIDES, "")
    return Bonus(side, read.whole("games", 0, 99, default=0) or 0, read.number("points", _NONE))


_NONE = Fraction(0)


def _walkover_from(read: _Reader, points: _Reader) -> WalkOver:
    """The rules of walk-overs; without numbers of their own they count as a win and a loss."""
    defaults = LeagueRules()
    games = read.list_of("games", [0, 0])
    if len(games) != 2:
        raise RankingError(f"{read.where}, games: two numbers.")
    own, theirs = (number_from(game, f"{read.where}, games") for game in games)
    return WalkOver(
        read.number("win", points.number("win", defaults.win)),
        read.number("loss", points.number("loss", defaults.loss)),
        (own, theirs),
        _two_whole(read, "points", (0, 0)),
    )


def _two_whole(read: _Reader, name: str, default: tuple[int, int]) -> tuple[int, int]:
    value = read.list_of(name, default)
    if len(value) != 2 or any(
        type(number) is not int or not 0 <= number < 10_000 for number in value
    ):
        raise RankingError(f"{read.where}, {name}: two whole numbers.")
    return value[0], value[1]


def _late_card_from(rules: _Reader) -> LateCard:
    read = rules.part("late", {"weekday", "time", "points", "from"})
    time_text = read.body.get("time")
    try:
        hour = time.fromisoformat(time_text if isinstance(time_text, str) else "")
    except ValueError as bad:
        raise RankingError(f"{read.where}, time: an hour like 12:00.") from bad
    weekday = WEEKDAYS.index(read.choice("weekday", WEEKDAYS, ""))
    payer = read.choice("from", PAYERS, "winner")
    return LateCard(weekday, hour.replace(second=0, microsecond=0, tzinfo=None),
                    read.number("points", _NONE), payer)  # fmt: skip


def _tie_breaks_from(read: _Reader) -> tuple[str, ...]:
    codes = read.list_of("tie_breaks", LeagueRules().tie_breaks)
    for code in codes:
        if code not in TIE_BREAKS:
            raise RankingError(f"{read.where}, tie_breaks: there is none called {code!s:.40}.")
    return tuple(dict.fromkeys(codes))


def _border_from(read: _Reader) -> Border:
    up, down, play_off = (read.whole(n, 0, 99, default=0) or 0 for n in ("up", "down", "play_off"))
    return Border(read.text("upper"), read.text("lower"), up, down, play_off)


def _sections_from(read: _Reader) -> SectionPlayOff | None:
    if read.body.get("section_play_off") is None:
        return None
    part = read.part("section_play_off", {"divisions", "places"})
    names = part.list_of("divisions")
    if not all(isinstance(name, str) and name for name in names):
        raise RankingError(f"{part.where}, divisions: a list of short texts.")
    return SectionPlayOff(tuple(names), part.whole("places", 1, 99, default=1) or 1)
