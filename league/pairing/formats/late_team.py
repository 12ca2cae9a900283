"""A team that joins a league whose fixtures stand: its matches, and no other match is touched."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from league.pairing.formats.league_fixtures import Team
from league.pairing.formats.pairings import EntryId
from league.pairing.rng import Rng, in_order

HOME, AWAY = 1, -1
Meeting = tuple[EntryId, int]
"""An opponent, and the side on which the newcomer meets it: 0 where either will do."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A match that stands. `number` is its round, 0 for one of a cup; `meant` the day of that
    round, `day` the one it is played on now (None: to be agreed), `venue` where, if shared."""

    number: int
    home: EntryId
    away: EntryId
    meant: date | None
    day: date | None
    venue: str | None = None


@dataclass(slots=True)
class Week:
    """A round from its day until the next one's: who plays in it, and which venues are taken."""

    number: int
    day: date
    added: bool = False
    playing: set[EntryId] = field(default_factory=set)
    hosting: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Placed:
    """A match of the newcomer; `added` in a round that was not there before."""

    number: int
    day: date
    home: EntryId
    away: EntryId
    added: bool


def late_team_matches(
    newcomer: Team,
    others: Sequence[Team],
    standing: Collection[Fixed],
    *,
    after: date,
    days_between: int,
    double: bool = True,
    parallel_venues: Collection[str] = (),
    seed: int = 0,
) -> tuple[Placed, ...]:
    """The newcomer's matches against every other team, at home and away if `double`.

    As many of them as can be are in weeks after the day `after` in which the opponent is free; the
    rest are in rounds added at the end, one each. Nobody plays twice in a week: a match put off
    counts in the week it was meant for and in the one it is played in. A venue that has a match in
    that week takes no other, unless it is one of the `parallel_venues`. Within that the newcomer's
    homes and aways stay level, and so do its opponents'; what is left open falls at random with the
    seed.
    """
    meetings: list[Meeting] = [
        (one.key, side) for one in others for side in ((HOME, AWAY) if double else (0,))
    ]
    late = sum(one.day is not None and one.day > after for one in standing)
    more = len(meetings) + late
    weeks = weeks_after(standing, after, timedelta(days_between), more=more)
    venues = {one.key: one.venue for one in others if one.venue not in parallel_venues}
    own = newcomer.venue if newcomer.venue not in parallel_venues else None
    placing = _Placing(newcomer.key, own, venues, _balance(standing), _draw_order(others, seed))
    placing.fill([week for week in weeks if not week.added], meetings)
    placing.add([week for week in weeks if week.added])
    return tuple(sorted(placing.placed, key=lambda one: (one.day, one.number)))


def weeks_after(
    standing: Collection[Fixed],
    after: date,
    rhythm: timedelta,
    *,
    more: int,
    moving: Collection[Fixed] = (),
) -> list[Week]:
    """The rounds after a day, and so many more at the end, with all that is fixed in them.

    Matches that are `moving` say when rounds are, and take nothing in them.
    """
    meant: dict[int, Counter[date]] = defaultdict(Counter)
    for one in (*standing, *moving):
        if one.number and one.meant is not None:
            meant[one.number][one.meant] += 1
    rounds = [Week(n, min(days, key=lambda d: (-days[d], d))) for n, days in meant.items()]
    rounds.sort(key=lambda week: (week.day, week.number))
    number, day = max(meant, default=0), max((week.day for week in rounds), default=after)
    while len(rounds) < len(meant) + more:
        day += rhythm
        if day > after:
            number += 1
            rounds.append(Week(number, day, added=True))
    for one in standing:
        for place, week in enumerate(rounds):
            until = rounds[place + 1].day if place + 1 < len(rounds) else week.day + rhythm
            here = one.day is not None and week.day <= one.day < until
            if here or one.number == week.number:
                week.playing |= {one.home, one.away}
            if here and one.venue is not None:
                week.hosting.add(one.venue)
    return [week for week in rounds if week.day > after]


def _balance(standing: Collection[Fixed]) -> dict[EntryId, int]:
    """Matches at home less those away, by team."""
    balance: dict[EntryId, int] = defaultdict(int)
    for one in standing:
        if one.number:
            balance[one.home] += 1
            balance[one.away] -= 1
    return balance


def _draw_order(others: Sequence[Team], seed: int) -> dict[EntryId, int]:
    drawn = list(in_order({one.key: one for one in others}))
    Rng(seed).shuffle(drawn)
    return {key: place for place, key in enumerate(drawn)}


@dataclass
class _Placing:
    """The newcomer's matches as they are put into weeks one by one."""

    newcomer: EntryId
    own: str | None
    venues: Mapping[EntryId, str | None]
    balance: dict[EntryId, int]
    draw_order: Mapping[EntryId, int]
    placed: list[Placed] = field(default_factory=list)
    left: set[Meeting] = field(default_factory=set)
    sides: list[int] = field(default_factory=list)

    def fill(self, weeks: Sequence[Week], meetings: Sequence[Meeting]) -> None:
        """Use as many of the weeks as can be used, each for the meeting that levels most."""
        self.left = set(meetings)
        open_to = {place: self._open(week) for place, week in enumerate(weeks)}
        usable = _usable(open_to)
        for place, week in enumerate(weeks):
            del open_to[place]
            for meeting, side in self._by_worth(week):
                rest = {n: [one for one in many if one != meeting] for n, many in open_to.items()}
                if _usable(rest) == usable - 1:
                    self._put(week, meeting, side)
                    open_to, usable = rest, usable - 1
                    break

    def add(self, weeks: Sequence[Week]) -> None:
        """One match a week until none is left; a week that stays empty is no round."""
        number = weeks[0].number if weeks else 0
        for week in weeks:
            for meeting, side in self._by_worth(week)[:1]:
                week.number = number
                self._put(week, meeting, side)
                number += 1

    def _open(self, week: Week) -> list[Meeting]:
        return [m for m in self._in_order() if any(self._fits(week, m[0], s) for s in _sides(m))]

    def _in_order(self) -> list[Meeting]:
        return sorted(self.left, key=lambda one: (self.draw_order[one[0]], one[1]))

    def _fits(self, week: Week, opponent: EntryId, side: int) -> bool:
        venue = self.own if side == HOME else self.venues.get(opponent)
        return opponent not in week.playing and venue not in week.hosting

    def _by_worth(self, week: Week) -> list[tuple[Meeting, int]]:
        """What may be played in a week, what levels homes and aways most first."""
        free = [(m, s) for m in self.left for s in _sides(m) if self._fits(week, m[0], s)]
        return sorted(free, key=lambda one: self._worth(one[0][0], one[1]))

    def _worth(self, opponent: EntryId, side: int) -> tuple[int, ...]:
        third = self.sides[-2:] == [side, side]
        theirs = self.balance.get(opponent, 0)
        return (
            third,
            abs(sum(self.sides) + side),
            abs(theirs - side) - abs(theirs),
            self.draw_order[opponent],
            side,
        )

    def _put(self, week: Week, meeting: Meeting, side: int) -> None:
        opponent = meeting[0]
        home, away = (self.newcomer, opponent)[::side]
        self.placed.append(Placed(week.number, week.day, home, away, week.added))
        self.left.remove(meeting)
        self.sides.append(side)
        self.balance[opponent] = self.balance.get(opponent, 0) - side


def _sides(meeting: Meeting) -> tuple[int, ...]:
    return (meeting[1],) if meeting[1] else (HOME, AWAY)


def _usable(open_to: Mapping[int, Sequence[Meeting]]) -> int:
    """In how many weeks at most a meeting can be played, each meeting once."""
    import networkx

    graph = networkx.Graph(
        (("week", place), meeting) for place, many in open_to.items() for meeting in many
    )
    weeks = [("week", place) for place, many in open_to.items() if many]
    return len(networkx.bipartite.hopcroft_karp_matching(graph, weeks)) // 2
