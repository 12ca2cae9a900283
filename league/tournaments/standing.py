"""The standings of a stage: ranked entries, tied matches, places after a seeding round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.pairing import Rng
from league.pairing.formats import Picking
from league.pairing.formats.knockout import State
from league.pairing.movements import preset
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
    Faced,
    Finish,
    How,
    PairTally,
    Unplayed,
    meetings,
    opposition_scores,
)
from league.tournaments.models import Entry, Match, Stage, Tournament
from league.tournaments.parameters import CUT, StageOptions, read_options
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
    player's average round at tables of four instead. `best_game` is each entry's highest single
    game; `struck` are entries whose matches count for nobody.
    """

    lines: list[Line]
    measures: tuple[Measure, ...]
    tallies: dict[int, Sequence[Tally]]
    small_table_points: dict[int, int] = field(default_factory=dict)
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
    for entry, points in _made_up_points(state).items() if is_split else ():
        tallies[entry].append(Tally(points=points, against=points))
    measures = measures_of(state.stage)
    sums: dict[int, Sequence[Tally]] = {entry: merged(rows) for entry, rows in tallies.items()}
    head_to_head = meetings(_game_finishes(state)) if MEASURES["head_to_head"] in measures else {}
    return Standing(
        rank(sums, measures, met=head_to_head), measures, sums, small_table_points, best_game
    )


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
    opposition = opposition_scores(
        _faced_by_entry(state, struck_entries), Unplayed(state.options.unplayed)
    )
    sums: dict[int, Sequence[Tally]] = {
        entry: [PairTally.of(_entry_tally(entry, matches, state.options), opposition[entry])]
        for entry in state.entries
    }
    head_to_head = meetings(
        [Finish(e, p, m.won(p)) for p, e in m.sides.items()] for m in matches if m.over and m.played
    )
    measures = measures_of(state.stage)
    return Standing(rank(sums, measures, met=head_to_head), measures, sums, struck=struck_entries)


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


def open_ties(state: StageState) -> list[MatchFacts]:
    """The tied matches of the last round on whose winner the next round depends."""
    if state.last is None or not (state.in_bracket or moves_by_results(state)):
        return []
    return [match for match in state.last.matches if match.tied]


def ties_to_decide(state: StageState) -> list[MatchFacts]:
    """The open ties without which no round can be drawn; none where the draw cuts for them."""
    return [] if _may_cut(state) else open_ties(state)


def contenders(match: MatchFacts) -> list[int]:
    """The positions that share the win of a tied match, one of which wins the deciding hand.

    At a table of four individuals each pair is named by the first of its positions.
    """
    if match.of_pairs:
        return sorted(match.sides)
    game = match.played[-1]
    return sorted(game.winning_sides or range(game.sides))


def refuse_ties(state: StageState) -> None:
    """Refuse (`tie-open`) to draw a round while a tie waits for its deciding hand."""
    if ties_to_decide(state):
        message = _("A table is tied. Choose who won its deciding hand first.")
        raise Refused("tie-open", message, status=409)


def cut_ties(state: StageState, *, seed: int, by: Actor) -> int:
    """Cut for the undecided ties, by the seed of the draw. Returns their number."""
    ties = open_ties(state)
    rng = Rng(seed)
    for tie in ties:
        positions = contenders(tie)
        winner = positions[rng.below(len(positions))]
        Match.objects.filter(pk=tie.key).update(
            winner=winner, decided_by=Match.By.CUT, decided_as=by.label[:80]
        )
        tournament = state.stage.tournament
        names = state.names_by_side(tie)
        new = {"match": " – ".join(names.values()), "winner": names[winner], "seed": seed}
        log_action(
            tournament.club, by, "cut for a tie", tournament, session=tournament.session, new=new
        )
    return len(ties)


def moves_by_results(state: StageState) -> bool:
    """Whether it is a progressive in which the results say who moves where."""
    progressive = state.stage.format == Stage.Format.PROGRESSIVE
    return progressive and preset(state.options.movement).next_round is not None


def _may_cut(state: StageState) -> bool:
    """Whether ties may be cut: in Progressive, if the organiser chose so or forced the round."""
    if state.stage.format != Stage.Format.PROGRESSIVE:
        return False
    return state.options.tie == CUT or bool(state.last and state.last.is_forced)


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
