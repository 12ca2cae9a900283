"""League fixtures of teams with venues: two teams of one venue are never both at home."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from league.pairing.errors import PairingRefused
from league.pairing.formats.berger_tables import Rounds, berger, round_robin
from league.pairing.formats.pairings import EntryId, gettext_noop
from league.pairing.rng import Rng, in_order

TEAMS_OF_A_VENUE = 2


@dataclass(frozen=True, slots=True)
class Team:
    """A team and where it plays at home; None when it has a place of its own."""

    key: EntryId
    venue: str | None = None


def fixtures(
    teams: Sequence[Team],
    *,
    double: bool = True,
    parallel_venues: Collection[str] = (),
    seed: int | None = None,
) -> Rounds:
    """All rounds of the league, by Berger tables; the first of a pairing is at home.

    In a Berger table of N the numbers k and k + N/2 are at home in turn: when one is at home, the
    other is away, unless they meet. So the two teams of a venue get such numbers. More than two of
    one venue cannot be kept apart and are refused, unless it is one of the `parallel_venues`: it
    can take any number of matches at once. Teams keep their order as far as venues allow, or are
    drawn at random with a `seed`.
    """
    drawn = list(teams)
    if seed is not None:
        by_key = {team.key: team for team in teams}
        drawn = [by_key[one] for one in in_order(by_key)]
        Rng(seed).shuffle(drawn)
    return round_robin(_numbered(drawn, parallel_venues), double=double)


def _numbered(drawn: Sequence[Team], parallel_venues: Collection[str]) -> list[EntryId]:
    """The teams in the order of their Berger numbers."""
    apart = (len(drawn) + 1) // 2
    numbers: list[EntryId | None] = [None] * len(drawn)
    couples, singles = _by_venue(drawn, parallel_venues)
    for number, (one, other) in enumerate(couples):
        numbers[number], numbers[number + apart] = one, other
    rest = iter(singles)
    return [next(rest) if one is None else one for one in numbers]


def _by_venue(
    drawn: Sequence[Team], parallel_venues: Collection[str]
) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId]]:
    """Those who share a venue, two by two, and the others."""
    shared: dict[str, list[EntryId]] = defaultdict(list)
    for team in drawn:
        if team.venue is not None and team.venue not in parallel_venues:
            shared[team.venue].append(team.key)
    crowded = sorted(v for v, teams in shared.items() if len(teams) > TEAMS_OF_A_VENUE)
    if crowded:
        sentence = gettext_noop(
            "More than two teams play at %(venues)s: some would be at home on the same day. "
            "Let one play elsewhere, or allow several matches at once at the venue."
        )
        raise PairingRefused("venue-crowded", sentence, values={"venues": ", ".join(crowded)})
    couples = [(one[0], one[1]) for one in shared.values() if len(one) == TEAMS_OF_A_VENUE]
    paired = {key for couple in couples for key in couple}
    return couples, [team.key for team in drawn if team.key not in paired]


TRIES, STEPS = 6, 400


def division_fixtures(
    divisions: Sequence[Sequence[Team]],
    *,
    double: bool = True,
    parallel_venues: Collection[str] = (),
    seed: int,
) -> list[Rounds]:
    """The rounds of several divisions that share venues: each drawn as `fixtures` draws it, then
    teams of a division change numbers until no venue has two of them at home in one round.

    In divisions of one size two teams of a venue can always be kept apart; in others as far as it
    goes: `venue_clashes` counts what is left. More than two of one venue are refused.
    """
    by_key = {team.key: team for teams in divisions for team in teams}
    _couples, _singles = _by_venue(list(by_key.values()), parallel_venues)
    shared = _shared_by(divisions, parallel_venues)
    best: list[list[EntryId]] = []
    least = None
    for attempt in range(TRIES):
        orders = [_order(teams, parallel_venues, seed + attempt) for teams in divisions]
        clashes = _part_venues(orders, shared, double=double, rng=Rng(seed + attempt))
        if least is None or clashes < least:
            best, least = orders, clashes
        if not least:
            break
    return [round_robin(order, double=double) for order in best]


def venue_clashes(
    divisions: Sequence[Rounds], venues: Mapping[EntryId, str | None]
) -> Counter[tuple[int, str]]:
    """Where a venue has more than one match: by round, from 1, and venue, how many."""
    count: Counter[tuple[int, str]] = Counter()
    for rounds in divisions:
        for number, pairings in enumerate(rounds, 1):
            homes = (venues.get(one.first) for one in pairings if one.second is not None)
            count.update((number, venue) for venue in homes if venue is not None)
    return Counter({at: many for at, many in count.items() if many > 1})


@dataclass(frozen=True, slots=True)
class HomesAndAways:
    """How evenly a division's teams are at home: `breaks` are two matches running at home, or
    away, `bound` the fewest any fixtures of its kind can have, `longest` the longest such run."""

    breaks: int
    bound: int
    longest: int


def homes_and_aways(rounds: Rounds, *, double: bool) -> HomesAndAways:
    """Breaks and runs of one division; a bye is passed over.

    The bounds: a single round robin of n teams has at least n - 2 breaks (n even) or none (odd); a
    mirrored double one 3n - 6, or n.
    """
    patterns: dict[EntryId, list[bool]] = defaultdict(list)
    for pairing in (one for pairings in rounds for one in pairings if one.second is not None):
        patterns[pairing.first].append(True)
        if pairing.second is not None:
            patterns[pairing.second].append(False)
    runs = [[len(list(run)) for _at, run in groupby(one)] for one in patterns.values()]
    teams = len(patterns)
    if teams % 2:
        bound = teams if double else 0
    else:
        bound = max(0, 3 * teams - 6 if double else teams - 2)
    breaks = sum(length - 1 for many in runs for length in many)
    return HomesAndAways(breaks, bound, max((max(many) for many in runs if many), default=0))


Shared = Sequence[tuple[tuple[int, EntryId], tuple[int, EntryId]]]
"""Two teams of one venue, each with its division."""


def _shared_by(divisions: Sequence[Sequence[Team]], parallel: Collection[str]) -> Shared:
    at: dict[str, list[tuple[int, EntryId]]] = defaultdict(list)
    for number, teams in enumerate(divisions):
        for team in teams:
            if team.venue is not None and team.venue not in parallel:
                at[team.venue].append((number, team.key))
    return [(many[0], many[1]) for many in at.values() if len(many) == TEAMS_OF_A_VENUE]


def _order(teams: Sequence[Team], parallel: Collection[str], seed: int) -> list[EntryId]:
    drawn = [{team.key: team for team in teams}[key] for key in in_order([t.key for t in teams])]
    Rng(seed).shuffle(drawn)
    return _numbered(drawn, parallel)


def _homes(teams: int, *, double: bool) -> list[int]:
    """The rounds in which each number is at home, as bits."""
    found = [0] * teams
    for number, meetings in enumerate(berger(teams, double=double)):
        for home, away in meetings:
            if max(home, away) <= teams:
                found[home - 1] |= 1 << number
    return found


def _part_venues(orders: list[list[EntryId]], shared: Shared, *, double: bool, rng: Rng) -> int:
    """Let teams change numbers within their division, the best change first; the clashes left."""
    bits = [_homes(len(order), double=double) for order in orders]
    places = [{key: place for place, key in enumerate(order)} for order in orders]
    of: dict[tuple[int, EntryId], list[tuple[int, EntryId]]] = defaultdict(list)
    for one, other in shared:
        of[one].append(other)
        of[other].append(one)

    def clashing(team: tuple[int, EntryId], place: int) -> int:
        mine = bits[team[0]][place]
        return sum((mine & bits[d][places[d][key]]).bit_count() for d, key in of[team])

    def cost() -> int:
        return sum(clashing(one, places[one[0]][one[1]]) for one, _other in shared)

    now = cost()
    for _step in range(STEPS):
        if not now:
            break
        wrong = [at for both in shared for at in both if clashing(at, places[at[0]][at[1]])]
        division, key = wrong[rng.below(len(wrong))]
        found = []
        for rival in orders[division]:
            _swap(places[division], key, rival)
            found.append((cost(), rival))
            _swap(places[division], key, rival)
        least = min(value for value, rival in found if rival != key)
        options = [rival for value, rival in found if value == least and rival != key]
        _swap(places[division], key, options[rng.below(len(options))])
        now = least
    for order, place in zip(orders, places, strict=True):
        order.sort(key=place.__getitem__)
    return now


def _swap(places: dict[EntryId, int], one: EntryId, other: EntryId) -> None:
    places[one], places[other] = places[other], places[one]
