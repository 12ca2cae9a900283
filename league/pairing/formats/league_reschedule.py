"""A league's rounds to come redrawn for a team that joins: fewest rounds, homes level."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from league.pairing.formats.late_team import Fixed, Week, weeks_after
from league.pairing.formats.league_fixtures import Team
from league.pairing.formats.pack_rounds import Wants, fewest, pack_rounds
from league.pairing.formats.pairings import EntryId
from league.pairing.rng import Rng, in_order

Key = int | None
LOOKS = 20
"""How often all pairs of teams are looked at, at most, to level homes and aways."""
UNEVEN = 10
"""What a match more at home than away costs, or the other way round, next to a third in a row."""


@dataclass(frozen=True, slots=True)
class Moving:
    """A match that stands but may be moved to another round; `key` finds it again."""

    key: int
    fixed: Fixed


@dataclass(slots=True)
class Rescheduled:
    """A match in its round as redrawn; no `key` for one of the newcomer's."""

    key: Key
    number: int
    day: date
    home: EntryId
    away: EntryId


def reschedule(
    newcomer: Team,
    others: Sequence[Team],
    moving: Sequence[Moving],
    standing: Collection[Fixed],
    *,
    after: date,
    days_between: int,
    double: bool = True,
    parallel_venues: Collection[str] = (),
    seed: int = 0,
) -> tuple[Rescheduled, ...]:
    """The matches that may move, and the newcomer's against every other team, in the fewest rounds
    after a day that are found. What is `standing` stays and keeps its teams, and its venue, busy.

    Nobody plays twice in a round; a venue has one match in it unless it is one of the
    `parallel_venues`. Two teams that meet twice keep one match at home each; where only one match
    of them may move it keeps its side. Within that homes and aways are level, and three in a row
    are avoided.
    """
    venues = {one.key: one.venue for one in (*others, newcomer) if one.venue not in parallel_venues}
    matches = [Rescheduled(one.key, 0, after, one.fixed.home, one.fixed.away) for one in moving]
    matches += _of_newcomer(newcomer.key, others, double, seed)
    late = sum(one.day is not None and one.day > after for one in standing)
    weeks = weeks_after(
        standing,
        after,
        timedelta(days_between),
        more=len(matches) + late,
        moving=[one.fixed for one in moving],
    )
    wants = [_wants(one, venues) for one in matches]
    closed = [week.playing | {("venue", place) for place in week.hosting} for week in weeks]
    least = _least(wants, closed, at_once=(len(others) + 1) // 2)
    place = pack_rounds(wants, least=least, most=len(weeks), seed=seed, taken=closed)
    assert place is not None, "a week for each match, and for each that stands, is always enough"
    for one, where in zip(matches, place, strict=True):
        one.number, one.day = weeks[where].number, weeks[where].day
    _HomeBalance(matches, standing, weeks, venues, double).level()
    return tuple(sorted(matches, key=lambda one: (one.day, one.number, one.key is None, one.key)))


def _of_newcomer(
    newcomer: EntryId, others: Sequence[Team], double: bool, seed: int
) -> list[Rescheduled]:
    drawn = list(in_order({one.key: one for one in others}))
    Rng(seed).shuffle(drawn)
    made = []
    for place, other in enumerate(drawn):
        if double or place % 2 == 0:
            made.append(Rescheduled(None, 0, date.min, newcomer, other))
        if double or place % 2:
            made.append(Rescheduled(None, 0, date.min, other, newcomer))
    return made


def _wants(match: Rescheduled, venues: Mapping[EntryId, str | None]) -> Wants:
    place = venues.get(match.home)
    sides = (match.home, match.away)
    return sides if place is None else (*sides, ("venue", place))


def _least(wants: Sequence[Wants], closed: Sequence[Collection[object]], *, at_once: int) -> int:
    """No fewer rounds can do: each side, and each venue, needs one free for each of its matches."""
    least = fewest(wants, at_once)
    for want, many in Counter(want for one in wants for want in one).items():
        free = [number for number, taken in enumerate(closed, 1) if want not in taken]
        least = max(least, free[many - 1])
    return least


@dataclass
class _HomeBalance:
    """Sides changed, pair of teams by pair of teams, while that levels homes and aways."""

    matches: Sequence[Rescheduled]
    standing: Collection[Fixed]
    weeks: Sequence[Week]
    venues: Mapping[EntryId, str | None]
    double: bool

    def level(self) -> None:
        """Until nothing gets better."""
        self.hosting = {week.number: Counter(week.hosting) for week in self.weeks}
        for one in self.matches:
            self._host(one, 1)
        self.of_team: dict[EntryId, list[Rescheduled]] = defaultdict(list)
        pairs: dict[frozenset[EntryId], list[Rescheduled]] = defaultdict(list)
        for one in self.matches:
            pairs[frozenset((one.home, one.away))].append(one)
            self.of_team[one.home].append(one)
            self.of_team[one.away].append(one)
        self.fixed: dict[EntryId, list[tuple[date, int]]] = defaultdict(list)
        for other in self.standing:
            if other.number and (day := other.day or other.meant) is not None:
                self.fixed[other.home].append((day, 1))
                self.fixed[other.away].append((day, -1))
        free = [both for both in pairs.values() if len(both) == 1 + self.double]
        for _look in range(LOOKS):
            if not any([self._turned(both) for both in free]):  # noqa: C419 - all of them
                return

    def _turned(self, both: Sequence[Rescheduled]) -> bool:
        """The matches of two teams with sides changed, where that is better."""
        teams = (both[0].home, both[0].away)
        before = sum(map(self._cost, teams))
        self._turn(both)
        clash = any(self.hosting[one.number][self._venue(one)] > 1 for one in both)
        if not clash and sum(map(self._cost, teams)) < before:
            return True
        self._turn(both)
        return False

    def _turn(self, both: Sequence[Rescheduled]) -> None:
        for one in both:
            self._host(one, -1)
            one.home, one.away = one.away, one.home
            self._host(one, 1)

    def _host(self, match: Rescheduled, by: int) -> None:
        if place := self._venue(match):
            self.hosting[match.number][place] += by

    def _venue(self, match: Rescheduled) -> str:
        return self.venues.get(match.home) or ""

    def _cost(self, team: EntryId) -> int:
        """How far from level a team's homes and aways are, and how often three are in a row."""
        own = [(one.day, 1 if one.home == team else -1) for one in self.of_team[team]]
        sides = [side for _day, side in sorted(self.fixed[team] + own)]
        thirds = sum(abs(sum(sides[n : n + 3])) == 3 for n in range(len(sides) - 2))
        return UNEVEN * max(0, abs(sum(sides)) - 1) + thirds
