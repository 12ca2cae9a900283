"""The table of a stage: entries ranked, ties explained or asked for, seeds. No database."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.pairing import Rng
from league.pairing.formats import Picking
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
from league.tournaments.parameters import CUT, Chosen, chosen
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
"""Formats whose tables rank by what the organiser may choose; a bracket ranks by who went out
when."""


def measures_of(stage: Stage) -> tuple[Measure, ...]:
    """What the table of a stage ranks by, the most important first."""
    codes = chosen(stage.parameters).measures if stage.format in RANKED else ()
    named = PAIR_MEASURES | MEASURES
    return tuple(named[code] for code in codes) or BY_FORMAT[stage.format]


@dataclass(frozen=True, slots=True)
class Standing:
    """A ranked stage. `apart` are points of small tables: a player's mean round at tables of four
    counts in their place;
    `best_game` each one's highest single game, `struck` entries whose matches count for nobody.
    """

    lines: list[Line]
    measures: tuple[Measure, ...]
    tallies: dict[int, Sequence[Tally]]
    apart: dict[int, int] = field(default_factory=dict)
    best_game: dict[int, int] = field(default_factory=dict)
    struck: frozenset[int] = frozenset()

    @property
    def credits_in_full(self) -> bool:
        """Whether players who won a game together have a whole game each."""
        return has_credit(self.tallies)


def standing_of(state: StageState) -> Standing:
    """Everybody who entered, ranked: of those level on everything nobody is put first."""
    if state.of_pairs:
        return _of_pairs(state)
    return _of_individuals(state)


def _of_individuals(state: StageState) -> Standing:
    tallies: dict[int, list[Tally]] = {one: [] for one in state.entries}
    split = _is_split(state)
    apart = dict.fromkeys(state.entries, 0)
    best = dict.fromkeys(state.entries, 0)
    for entry, game, took in _taken(state):
        best[entry] = max(best[entry], int(took.points))
        if split and game.players < 4:
            apart[entry] += int(took.points)
            took = replace(took, points=0, in_finished=0, against=0)
        tallies[entry].append(took)
    for entry, points in _made_up(state).items() if split else ():
        tallies[entry].append(Tally(points=points, against=points))
    measures = measures_of(state.stage)
    sums: dict[int, Sequence[Tally]] = {who: merged(rows) for who, rows in tallies.items()}
    met = meetings(_seats_of(state)) if MEASURES["head_to_head"] in measures else {}
    return Standing(rank(sums, measures, met=met), measures, sums, apart, best)


def _is_split(state: StageState) -> bool:
    """Whether points of small tables stand apart: as chosen, where somebody sat at a table of
    four."""
    chosen = state.stage.format == Stage.Format.PROGRESSIVE and state.chosen.short_apart
    return chosen and any(game.players == 4 for match in state.matches for game in match.played)


def _taken(state: StageState) -> Iterator[tuple[int, GameFacts, Tally]]:
    """What each entry took in every game that counts."""
    for match in state.matches:
        games = [game for game in match.games if game.counts and game.over and game.score]
        for position, entry in match.sides.items():
            yield from ((entry, game, match.tally(game, position)) for game in games)


def _made_up(state: StageState) -> dict[int, Fraction]:
    """What everybody is given for finished rounds at small tables and those they sat out."""
    at_four: dict[int, list[Fraction]] = {one: [] for one in state.entries}
    elsewhere = dict.fromkeys(state.entries, 0)
    for entry, game, took in _taken(state):
        if game.players == 4:
            at_four[entry].append(Fraction(took.points))
        else:
            elsewhere[entry] += 1
    for one in state.published:
        for entry in one.byes:
            elsewhere[entry] = elsewhere.get(entry, 0) + 1
    return points_made_up(at_four, elsewhere)


def _seats_of(state: StageState) -> Iterable[list[Finish]]:
    """Who sat on which side of every game of individuals that counts, and what they won of it."""
    for match in state.matches:
        for game in match.played:
            yield [
                Finish(who, p % game.sides, game.share(p) + game.credit.get(p, 0))
                for p, who in match.sides.items()
            ]


def _of_pairs(state: StageState) -> Standing:
    struck = struck_out(state)
    counted = [m for m in state.matches if not struck & set(m.entries)]
    faced = _faced(state, struck)
    base = {entry: _tally(entry, counted, state.chosen) for entry in state.entries}
    worked_out = opposition_scores(faced, Unplayed(state.chosen.unplayed))
    sums: dict[int, Sequence[Tally]] = {
        who: [PairTally.of(base[who], worked_out[who])] for who in state.entries
    }
    met = meetings(
        [Finish(e, p, m.won(p)) for p, e in m.sides.items()] for m in counted if m.over and m.played
    )
    measures = measures_of(state.stage)
    return Standing(rank(sums, measures, met=met), measures, sums, struck=struck)


def struck_out(state: StageState) -> frozenset[int]:
    """Entries that left a round robin before half their matches: these count for nobody."""
    if state.stage.format != Stage.Format.ROUND_ROBIN:
        return frozenset()
    gone = (one for one, entry in state.entries.items() if entry.withdrawn_at is not None)
    return frozenset(one for one in gone if 2 * matches_played(state, one) < matches_due(state))


def matches_due(state: StageState) -> int:
    """How many matches a round robin has for each entry."""
    return (len(state.entries) - 1) * (2 if state.chosen.twice else 1)


def matches_played(state: StageState, entry: int) -> int:
    return sum(entry in match.entries and bool(match.played) for match in state.matches)


def _faced(state: StageState, struck: frozenset[int]) -> dict[int, list[Faced]]:
    """Each entry's rounds: whom they played and what they took off them.

    In a Swiss a bye is a win and who is not drawn is away, once the round is over; in a round
    robin, where everybody has a bye, it is nothing.
    """
    swiss = state.stage.format == Stage.Format.SWISS
    faced: dict[int, list[Faced]] = {one: [] for one in state.entries}
    for one in state.published:
        for match in one.matches:
            if match.over and not struck & set(match.entries):
                for position, entry in match.sides.items():
                    faced[entry].append(_met(match, position))
        under_way = one is state.last and one.open_matches
        for entry in state.entries if swiss and not under_way else ():
            faced[entry] += _without_match(one, entry)
    return faced


def _without_match(one: RoundFacts, entry: int) -> list[Faced]:
    """What a round of a Swiss counts for an entry that has no match in it; nothing with one."""
    if entry in one.byes:
        return [Faced(None, Fraction(1), How.BYE)]
    drawn = any(entry in match.entries for match in one.matches)
    return [] if drawn else [Faced(None, Fraction(0), How.AWAY)]


def _met(match: MatchFacts, position: int) -> Faced:
    took = match.won(position)
    if not match.games:
        return Faced(None, took, How.WALKED_OVER if took else How.ABSENT)
    other = next((entry for place, entry in match.sides.items() if place != position), None)
    return Faced(other, took)


def _given(match: MatchFacts, position: int, choice: Chosen) -> Tally:
    """What a match given to one of the two counts for the pair at a position: the games needed,
    and the points the organiser chose."""
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


def _is_given(match: MatchFacts, choice: Chosen) -> bool:
    """Whether a match counts as given and not as played: one without a table, and, where the
    organiser chose points for it, also one that was given while it was on."""
    if not match.over or len(match.entries) < 2:
        return False
    walked = match.decided_by == Match.By.WALKOVER
    return not match.games or (walked and choice.given_points > 0)


def _tally(entry: int, matches: Iterable[MatchFacts], choice: Chosen) -> Tally:
    rows = []
    for match in matches:
        position = next((place for place, one in match.sides.items() if one == entry), None)
        if position is None:
            continue
        if _is_given(match, choice):
            rows.append(_given(match, position, choice))
        else:
            games = (game for game in match.played if game.score)
            rows += [match.tally(game, position) for game in games]
    return Tally(0, *(total(rows, name) for name in SUMMED))


def open_ties(state: StageState) -> list[MatchFacts]:
    """The tied matches of the last round on whose winner the next round depends."""
    if state.last is None or not _matters(state):
        return []
    return [match for match in state.last.matches if match.tied]


def contenders(match: MatchFacts) -> list[int]:
    """The positions that share the win of a tied match: one of them wins the deciding hand.

    At a table of four individuals each pair is named by the first of its positions.
    """
    if match.of_pairs:
        return sorted(match.sides)
    game = match.played[-1]
    return sorted(game.winning_sides or range(game.sides))


def refuse_ties(state: StageState) -> None:
    """Refuse (`tie-open`) to draw on where a tie waits for its deciding hand."""
    ties = open_ties(state)
    if ties and not _may_cut(state):
        message = _("A table is tied. Choose who won its deciding hand first.")
        raise Refused("tie-open", message, status=409)


def cut_ties(state: StageState, *, seed: int, by: Actor) -> int:
    """Cut for the ties that are left, by the seed of the draw; how many these were."""
    ties = open_ties(state)
    rng = Rng(seed)
    for tie in ties:
        tied = contenders(tie)
        winner = tied[rng.below(len(tied))]
        Match.objects.filter(pk=tie.key).update(
            winner=winner, decided_by=Match.By.CUT, decided_as=by.label[:80]
        )
        tournament = state.stage.tournament
        what = {"match": tie.number, "winner": winner, "seed": seed}
        log_action(
            tournament.club, by, "cut for a tie", tournament, session=tournament.session, new=what
        )
    return len(ties)


def _matters(state: StageState) -> bool:
    if state.in_bracket:
        return True
    progressive = state.stage.format == Stage.Format.PROGRESSIVE
    return progressive and preset(state.chosen.movement).next_round is not None


def _may_cut(state: StageState) -> bool:
    """Progressive tables are cut where the organiser chose so, or ended the round by force."""
    if state.stage.format != Stage.Format.PROGRESSIVE:
        return False
    return state.chosen.tie == CUT or bool(state.last and state.last.forced)


def placed(tournament: Tournament) -> dict[int, int]:
    """The place of every member in the seeding round this tournament follows, from 1.

    Those level are put in order by lot, with the seed of the stage, so that all have a place of
    their own. Who left the seeding round has none.
    """
    before = tournament.follows
    stage = before.stages.order_by("number").last() if before else None
    if before is None or stage is None:
        return {}
    stage.tournament = before
    state = load_stage(stage)
    lines = [line for line in standing_of(state).lines if line.who in state.active_entries]
    Rng(tournament.stages.get(number=1).seed).shuffle(lines)
    lines.sort(key=lambda line: line.rank)
    members = [state.entries[line.who].member_id for line in lines]
    return {member: place for place, member in enumerate(members, 1)}


def alone_in_order(tournament: Tournament, places: dict[int, int]) -> list[Entry]:
    """Who has no partner yet, the best placed first; who was not in the seeding round last."""
    alone = tournament.entries.filter(partner=None, withdrawn_at=None).select_related("member")
    last = len(places) + 1
    return sorted(alone, key=lambda one: (places.get(one.member_id, last), one.pk))


def picking_of(tournament: Tournament, places: dict[int, int]) -> Picking:
    """Whose turn it is to pick, and who can be picked: keys of entries."""
    return Picking(tuple(one.pk for one in alone_in_order(tournament, places)))
