"""The standings of a stage: ranked entries, tied matches, places after a seeding round."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from league.pairing import Rng
from league.pairing.formats import Picking
from league.pairing.formats.knockout import State
from league.ranking import Line, rank
from league.ranking.match_facts import GameFacts, MatchFacts
from league.ranking.measures import (
    MEASURES,
    SUMMED,
    Measure,
    Tally,
    has_credit,
    merged,
    points_made_up,
    total,
)
from league.ranking.tie_breaks import (
    BUCHHOLZ,
    BUCHHOLZ_CUT1,
    MATCH_POINTS,
    PAIR_MEASURES,
    SONNEBORN_BERGER,
    WITHOUT_BYES,
    Faced,
    Finish,
    How,
    Meetings,
    PairTally,
    Unplayed,
    meetings,
    opposition_scores,
)
from league.tournaments.models import Entry, Match, Stage, Tournament
from league.tournaments.parameters import StageOptions, read_options
from league.tournaments.stage_state import RoundFacts, StageState, load_stage

INDIVIDUAL = tuple(MEASURES[code] for code in ("points", "won", "lone_marches"))
ROUND_ROBIN = (
    MATCH_POINTS,
    MEASURES["head_to_head"],
    SONNEBORN_BERGER,
    MEASURES["difference"],
    MEASURES["points"],
)
SWISS = (
    MATCH_POINTS,
    WITHOUT_BYES,
    BUCHHOLZ,
    BUCHHOLZ_CUT1,
    SONNEBORN_BERGER,
    MEASURES["difference"],
    MEASURES["points"],
)
BRACKET = (MATCH_POINTS, MEASURES["difference"], MEASURES["points"])
ROTATION = tuple(MEASURES[code] for code in ("won", "above", "share", "points"))
BY_FORMAT: dict[str, tuple[Measure, ...]] = {
    Stage.Format.PROGRESSIVE: INDIVIDUAL,
    Stage.Format.ROTATION: ROTATION,
    Stage.Format.ROUND_ROBIN: ROUND_ROBIN,
    Stage.Format.SWISS: SWISS,
    Stage.Format.KNOCKOUT: BRACKET,
    Stage.Format.GROUPS: BRACKET,
    Stage.Format.DOUBLE: BRACKET,
}


RANKED = (
    Stage.Format.PROGRESSIVE,
    Stage.Format.ROTATION,
    Stage.Format.ROUND_ROBIN,
    Stage.Format.SWISS,
    Stage.Format.GROUPS,
)
"""Formats whose ranking the organiser may choose; a bracket ranks by the round of elimination."""


def measures_of(stage: Stage) -> tuple[Measure, ...]:
    """The measures by which a stage is ranked, the most important first."""
    codes = read_options(stage.parameters).measures if stage.format in RANKED else ()
    named = PAIR_MEASURES | MEASURES
    return tuple(named[code] for code in codes) or BY_FORMAT[stage.format]


@dataclass(frozen=True, slots=True)
class Standing:
    """A ranked stage.

    `small_table_points` are points made at tables of two or three where those are ranked by a
    player's average round at tables of four instead, and `made_up` what they are given for these.
    `best_game` is each entry's highest single game; `struck` are entries whose matches count for
    nobody.
    """

    lines: list[Line]
    measures: tuple[Measure, ...]
    tallies: dict[int, Sequence[Tally]]
    small_table_points: dict[int, int] = field(default_factory=dict)
    made_up: dict[int, Fraction] = field(default_factory=dict)
    best_game: dict[int, int] = field(default_factory=dict)
    struck: frozenset[int] = frozenset()

    @property
    def credits_in_full(self) -> bool:
        """Whether players who win a game together are credited with a whole game each."""
        return has_credit(self.tallies)


def standing_of(state: StageState) -> Standing:
    """All entries, ranked; entries level on every measure share their rank."""
    if state.of_pairs:
        return _rank_pairs(state)
    return _rank_individuals(state)


def _rank_individuals(state: StageState) -> Standing:
    tallies: dict[int, list[Tally]] = {entry: [] for entry in state.entries}
    is_split = _is_split(state)
    small_table_points = dict.fromkeys(state.entries, 0)
    best_game = dict.fromkeys(state.entries, 0)
    for entry, game, tally in _game_tallies(state):
        if is_split and game.players < 4:
            small_table_points[entry] += int(tally.points)
            tally = replace(tally, points=0, in_finished=0, against=0)
        best_game[entry] = max(best_game[entry], int(tally.points))
        tallies[entry].append(tally)
    made_up = _made_up_points(state) if is_split else {}
    for entry, points in made_up.items():
        tallies[entry].append(Tally(points=points, against=points))
    measures = measures_of(state.stage)
    sums: dict[int, Sequence[Tally]] = {entry: merged(rows) for entry, rows in tallies.items()}
    head_to_head = meetings(_game_finishes(state)) if MEASURES["head_to_head"] in measures else {}
    lines = rank(sums, measures, met=head_to_head)
    return Standing(lines, measures, sums, small_table_points, made_up, best_game)


def _is_split(state: StageState) -> bool:
    """Whether points of small tables have their own column: if so chosen and there are tables of
    four."""
    is_chosen = state.stage.format == Stage.Format.PROGRESSIVE and state.options.short_apart
    return is_chosen and any(game.players == 4 for match in state.matches for game in match.played)


def _game_tallies(state: StageState) -> Iterator[tuple[int, GameFacts, Tally]]:
    """The tally of each entry in every game that counts."""
    for match in state.matches:
        games = [game for game in match.games if game.counts and game.over and game.score]
        for position, entry in match.sides.items():
            yield from ((entry, game, match.tally(game, position)) for game in games)


def _made_up_points(state: StageState) -> dict[int, Fraction]:
    """The points each entry is given for rounds at small tables and rounds it sat out."""
    points_at_four: dict[int, list[Fraction]] = {entry: [] for entry in state.entries}
    other_rounds = dict.fromkeys(state.entries, 0)
    for entry, game, tally in _game_tallies(state):
        if game.players == 4:
            points_at_four[entry].append(Fraction(tally.points))
        else:
            other_rounds[entry] += 1
    for facts in state.published:
        for entry in facts.byes:
            other_rounds[entry] = other_rounds.get(entry, 0) + 1
    return points_made_up(points_at_four, other_rounds)


def _game_finishes(state: StageState) -> Iterable[list[Finish]]:
    """For every game of individuals that counts, each entry's side and its share of the win."""
    for match in state.matches:
        for game in match.played:
            yield [
                Finish(entry, p % game.sides, game.share(p) + game.credit.get(p, 0))
                for p, entry in match.sides.items()
            ]


def _rank_pairs(state: StageState) -> Standing:
    struck_entries = struck_out(state)
    matches = [match for match in state.matches if not struck_entries & set(match.entries)]
    faced = _faced_by_entry(state, struck_entries)
    opposition = opposition_scores(faced, Unplayed(state.options.unplayed))
    tallies = {entry: _entry_tally(entry, matches, state.options) for entry in state.entries}
    sums: dict[int, Sequence[Tally]] = {
        entry: [PairTally.of(tally, opposition[entry], faced[entry])]
        for entry, tally in tallies.items()
    }
    head_to_head = meetings(
        [Finish(e, p, m.won(p)) for p, e in m.sides.items()] for m in matches if m.over and m.played
    )
    measures = measures_of(state.stage)
    if not state.byes_had():
        measures = tuple(measure for measure in measures if measure is not WITHOUT_BYES)
    lines = _rank_struck_last(sums, measures, head_to_head, struck_entries)
    return Standing(lines, measures, sums, struck=struck_entries)


def _rank_struck_last(
    sums: Mapping[int, Sequence[Tally]],
    measures: Sequence[Measure],
    head_to_head: Meetings,
    struck: Collection[int],
) -> list[Line]:
    """The ranked entries, those whose results are void after all others."""
    counted = {entry: tallies for entry, tallies in sums.items() if entry not in struck}
    lines = rank(counted, measures, met=head_to_head)
    void = rank({entry: sums[entry] for entry in sorted(struck)}, measures)
    return lines + [replace(line, rank=line.rank + len(lines)) for line in void]


def struck_out(state: StageState) -> frozenset[int]:
    """Entries that left a round robin before half their matches, which then count for nobody."""
    if state.stage.format != Stage.Format.ROUND_ROBIN:
        return frozenset()
    withdrawn = (key for key, entry in state.entries.items() if entry.withdrawn_at is not None)
    return frozenset(e for e in withdrawn if 2 * matches_played(state, e) < matches_due(state))


def matches_due(state: StageState) -> int:
    """The number of matches a round robin has for each entry."""
    return (len(state.entries) - 1) * (2 if state.options.twice else 1)


def matches_played(state: StageState, entry: int) -> int:
    return sum(entry in match.entries and bool(match.played) for match in state.matches)


def _faced_by_entry(state: StageState, struck_entries: frozenset[int]) -> dict[int, list[Faced]]:
    """Each entry's rounds: the opponent and the score against it.

    In a Swiss, once a round is over, a bye is a win and an entry that is not drawn is absent. In a
    round robin, where everybody has a bye, byes do not count.
    """
    is_swiss = state.stage.format == Stage.Format.SWISS
    faced: dict[int, list[Faced]] = {entry: [] for entry in state.entries}
    for facts in state.published:
        for match in facts.matches:
            is_out = match.undone or struck_entries & set(match.entries)
            awaits_winner = match.tied and match.place
            if match.over and not is_out and not awaits_winner:
                for position, entry in match.sides.items():
                    faced[entry].append(_faced_in(match, position, state.options))
        is_under_way = facts is state.last and facts.open_matches
        for entry in state.entries if is_swiss and not is_under_way else ():
            faced[entry] += _faced_without_match(facts, entry)
    for entry in _walkover_winners(state):
        faced[entry].append(Faced(None, Fraction(1), How.WALKED_OVER))
    return faced


def _walkover_winners(state: StageState) -> list[int]:
    """The winner of each match of a bracket that was not drawn as the opponents have withdrawn."""
    from league.tournaments.draws.knockout import bracket_of  # the draws rank by this module

    if not state.in_bracket:
        return []
    drawn = {match.place for match in state.matches}
    return [
        int(match.winner)
        for match in bracket_of(state).matches.values()
        if match.state is State.WALKOVER and match.key not in drawn
        if match.winner in state.active_entries
    ]


def _faced_without_match(facts: RoundFacts, entry: int) -> list[Faced]:
    """The record of a Swiss round for an entry without a match in it; empty if it has one."""
    if entry in facts.byes:
        return [Faced(None, Fraction(1), How.BYE)]
    is_drawn = any(entry in match.entries for match in facts.matches)
    return [] if is_drawn else [Faced(None, Fraction(0), How.AWAY)]


def _faced_in(match: MatchFacts, position: int, choice: StageOptions) -> Faced:
    score = match.won(position)
    if _is_given(match, choice):
        return Faced(None, score, How.WALKED_OVER if score else How.ABSENT)
    opponent = next((entry for p, entry in match.sides.items() if p != position), None)
    return Faced(opponent, score)


def _given_tally(match: MatchFacts, position: int, choice: StageOptions) -> Tally:
    """The tally of a given match for the pair at a position: the games needed to win, and the
    points that the organiser chose."""
    won = bool(match.won(position))
    games, points = (choice.games + 1) // 2, choice.given_points
    return Tally(
        games=games,
        won=games if won else 0,
        expected=Fraction(games, 2),
        points=points if won else 0,
        in_finished=points if won else 0,
        against=0 if won else points,
    )


def _is_given(match: MatchFacts, choice: StageOptions) -> bool:
    """Whether a match counts as given rather than played: none of its games counts, or it was given
    while it was on and the organiser chose points for that."""
    if not match.over or len(match.entries) < 2:
        return False
    is_walkover = match.decided_by == Match.By.WALKOVER
    return match.is_unplayed_walkover or (is_walkover and choice.given_points > 0)


def _entry_tally(entry: int, matches: Iterable[MatchFacts], choice: StageOptions) -> Tally:
    rows = []
    for match in matches:
        position = next((p for p, key in match.sides.items() if key == entry), None)
        if position is None:
            continue
        if _is_given(match, choice):
            rows.append(_given_tally(match, position, choice))
        else:
            games = (game for game in match.played if game.score)
            rows += [match.tally(game, position) for game in games]
    return Tally(0, *(total(rows, name) for name in SUMMED))


def seeding_places(tournament: Tournament) -> dict[int, int]:
    """The place of every member in the seeding round this tournament follows, from 1.

    Ties are broken at random by the seed of the stage, so that no place is shared. Members who
    left the seeding round have none.
    """
    seeding = tournament.follows
    stage = seeding.stages.order_by("number").last() if seeding else None
    if seeding is None or stage is None:
        return {}
    stage.tournament = seeding
    state = load_stage(stage)
    lines = [line for line in standing_of(state).lines if line.who in state.active_entries]
    Rng(tournament.stages.get(number=1).seed).shuffle(lines)
    lines.sort(key=lambda line: line.rank)
    members = [state.entries[line.who].member_id for line in lines]
    return {member: place for place, member in enumerate(members, 1)}


def unpaired_entries(tournament: Tournament, places: dict[int, int]) -> list[Entry]:
    """The entries without a partner, best placed first; those not in the seeding round last."""
    entries = tournament.entries.filter(partner=None, withdrawn_at=None).select_related("member")
    last_place = len(places) + 1
    return sorted(entries, key=lambda e: (places.get(e.member_id, last_place), e.pk))


def picking_of(tournament: Tournament, places: dict[int, int]) -> Picking:
    """The picking of partners: whose turn it is and who can be picked, by keys of entries."""
    return Picking(tuple(entry.pk for entry in unpaired_entries(tournament, places)))
