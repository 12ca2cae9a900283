"""Fixed pairs: the round robin's fixtures and the Swiss draw, put to the pure formats."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from league.pairing.formats import EntryId, Pairing, PlayedMatch, Rounds, swiss_round
from league.pairing.formats import round_robin as fixtures
from league.ranking.match_facts import MatchFacts
from league.tournaments.draws.progressive import refuse_after_the_last
from league.tournaments.stage_state import (
    Drawn,
    DrawnTable,
    Sizes,
    StageState,
    no_more_rounds,
    redrawn_rounds,
)
from league.tournaments.standing import standing_of, struck_out


def round_robin(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the fixtures; anyone who would meet a pair that has left gets the match."""
    rounds = fixtures_of(state)
    number = len(state.published)
    if number >= len(rounds):
        raise no_more_rounds(_("Every round has been played. Close the tournament."))
    return round_of_fixtures(state, rounds[number], struck_out(state))


def round_of_fixtures(
    state: StageState, pairings: Sequence[Pairing], struck: frozenset[int]
) -> Drawn:
    """A round of fixtures with the walk-overs and byes of those who have left."""
    tables, byes = [], []
    for pairing in pairings:
        table = _fixture(state, pairing)
        here = [one for one in _both(pairing) if one in state.playing]
        if table is not None and not struck & set(_both(pairing)):
            tables.append(table)
        else:
            byes += here
    return Drawn(tuple(tables), tuple(byes))


def rounds_of(state: StageState) -> int:
    """How many rounds the fixtures have."""
    return len(fixtures_of(state))


def fixtures_of(state: StageState) -> Rounds:
    """The fixtures by the Berger tables; of those redrawn only the rounds since then."""
    return redrawn_rounds(state) or fixtures(numbered(state), double=state.chosen.twice)


def swiss(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """The nearest in match points meet, nobody twice while it can be helped."""
    refuse_after_the_last(state)
    pairings = swiss_round(
        tuple(state.entries),
        [met_in(match) for match in state.matches if len(match.sides) == 2],
        byes=dict[EntryId, int](state.byes_had().items()),
        withdrawn=[key for key in state.entries if key not in state.playing],
        apart=[frozenset[EntryId](both) for both in state.apart],
        places={line.who: line.rank for line in standing_of(state).lines},
        seed=seed,
    )
    tables = (meeting(pairing) for pairing in pairings if pairing.second is not None)
    byes = (int(pairing.first) for pairing in pairings if pairing.second is None)
    return Drawn(tuple(tables), tuple(byes))


def meeting(pairing: Pairing) -> DrawnTable:
    """Two pairs at a table."""
    assert pairing.second is not None
    return DrawnTable(((0, int(pairing.first)), (1, int(pairing.second))))


def met_in(match: MatchFacts) -> PlayedMatch:
    """A match as the formats know it."""
    first, second = match.sides[0], match.sides[1]
    return PlayedMatch(
        first=first,
        second=second,
        first_points=match.points(0),
        second_points=match.points(1),
        winner=None if match.first is None else match.sides[match.first],
        walkover=not match.games,
    )


def numbered(state: StageState) -> list[int]:
    """Everybody who ever entered, in the order of the draw."""
    entries = sorted(state.entries.values(), key=lambda one: (one.number or 0, one.pk))
    return [entry.pk for entry in entries]


def _both(pairing: Pairing) -> list[int]:
    return [int(one) for one in (pairing.first, pairing.second) if one is not None]


def _fixture(state: StageState, pairing: Pairing) -> DrawnTable | None:
    """The match of a fixture: a walk-over where one has left; None where nobody can win it."""
    if pairing.second is None:
        return None
    here = [place for place, one in enumerate(_both(pairing)) if one in state.playing]
    if not here:
        return None
    group = int(pairing.label) if pairing.label else None
    winner = here[0] if len(here) == 1 else None
    return replace(meeting(pairing), group=group, winner=winner)
