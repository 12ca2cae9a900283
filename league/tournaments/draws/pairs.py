"""Draws of fixed pairs: the fixtures of a round robin, and the Swiss draw."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from league.pairing.formats import EntryId, Pairing, PlayedMatch, Rounds, swiss_round
from league.pairing.formats import round_robin as fixtures
from league.ranking.match_facts import MatchFacts
from league.tournaments.draws.progressive import refuse_after_last_round
from league.tournaments.stage_state import (
    DrawnTable,
    RoundDraw,
    Sizes,
    StageState,
    no_more_rounds,
    redrawn_rounds,
)
from league.tournaments.standing import standing_of, struck_out


def round_robin(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """The next round of fixtures; a pair whose opponents have left wins by walk-over."""
    rounds = fixtures_of(state)
    number = len(state.published)
    if number >= len(rounds):
        raise no_more_rounds(_("Every round has been played. Close the tournament."))
    return round_of_fixtures(state, rounds[number], struck_out(state))


def round_of_fixtures(
    state: StageState, pairings: Sequence[Pairing], struck_entries: frozenset[int]
) -> RoundDraw:
    """A round of fixtures, with walk-overs and byes where pairs have left.

    Matches of `struck_entries` are not drawn; their opponents have a bye.
    """
    tables, byes = [], []
    for pairing in pairings:
        table = _fixture_table(state, pairing)
        entries = _entry_keys(pairing)
        if table is not None and not struck_entries & set(entries):
            tables.append(table)
        else:
            byes += [entry for entry in entries if entry in state.active_entries]
    return RoundDraw(tuple(tables), tuple(byes))


def fixture_round_count(state: StageState) -> int:
    """The number of rounds that the fixtures have."""
    return len(fixtures_of(state))


def fixtures_of(state: StageState) -> Rounds:
    """The fixtures by the Berger tables; after a redraw only the rounds since then."""
    return redrawn_rounds(state) or fixtures(
        entries_in_draw_order(state), double=state.options.twice
    )


def swiss(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """Pairs with similar match points meet, avoiding repeats where possible."""
    refuse_after_last_round(state)
    rounds = [facts.entries for facts in state.published]
    pairings = swiss_round(
        tuple(state.entries),
        [as_played_match(match) for match in state.matches if len(match.sides) == 2],
        byes=dict[EntryId, int](state.byes_had().items()),
        withdrawn=[key for key in state.entries if key not in state.active_entries],
        missed=[key for key in state.entries if any(key not in entries for entries in rounds)],
        apart=[frozenset[EntryId](pair) for pair in state.apart_pairs],
        places={line.who: line.rank for line in standing_of(state).lines},
        seed=seed,
    )
    tables = (table_for(pairing) for pairing in pairings if pairing.second is not None)
    byes = (int(pairing.first) for pairing in pairings if pairing.second is None)
    return RoundDraw(tuple(tables), tuple(byes))


def table_for(pairing: Pairing) -> DrawnTable:
    """The table at which the two pairs of a pairing meet."""
    assert pairing.second is not None
    return DrawnTable(((0, int(pairing.first)), (1, int(pairing.second))))


def as_played_match(match: MatchFacts) -> PlayedMatch:
    """A match in the form that the pairing formats take."""
    first, second = match.sides[0], match.sides[1]
    return PlayedMatch(
        first=first,
        second=second,
        first_points=match.points(0),
        second_points=match.points(1),
        winner=None if match.first is None else match.sides[match.first],
        walkover=not match.games,
    )


def entries_in_draw_order(state: StageState) -> list[int]:
    """The keys of all entries, withdrawn ones too, in the order of the draw."""
    entries = sorted(state.entries.values(), key=lambda entry: (entry.number or 0, entry.pk))
    return [entry.pk for entry in entries]


def _entry_keys(pairing: Pairing) -> list[int]:
    return [int(entry) for entry in (pairing.first, pairing.second) if entry is not None]


def _fixture_table(state: StageState, pairing: Pairing) -> DrawnTable | None:
    """The match of a fixture: a walk-over if one pair has left; None if both have, or for a bye."""
    if pairing.second is None:
        return None
    entries = _entry_keys(pairing)
    active_positions = [n for n, entry in enumerate(entries) if entry in state.active_entries]
    if not active_positions:
        return None
    group = int(pairing.label) if pairing.label else None
    winner = active_positions[0] if len(active_positions) == 1 else None
    return replace(table_for(pairing), group=group, winner=winner)
