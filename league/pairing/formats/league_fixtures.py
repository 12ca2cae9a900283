"""League fixtures of teams with venues: two teams of one venue are never both at home."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from league.pairing.errors import PairingRefused
from league.pairing.formats.berger_tables import Rounds, round_robin
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
            "More than two teams play at %(venues)s: they cannot all be kept from being at home on"
            " the same day. Let one play elsewhere, or say that the venue takes several matches"
            " at once."
        )
        raise PairingRefused("venue-crowded", sentence, values={"venues": ", ".join(crowded)})
    couples = [(one[0], one[1]) for one in shared.values() if len(one) == TEAMS_OF_A_VENUE]
    paired = {key for couple in couples for key in couple}
    return couples, [team.key for team in drawn if team.key not in paired]
