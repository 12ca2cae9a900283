"""Draws without a bracket: progressive rounds of individuals; round robins and Swiss of pairs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from league.pairing import PlayerId, Rng
from league.pairing.formats import EntryId, Pairing, PlayedMatch, Rounds, swiss_round
from league.pairing.formats import round_robin as fixtures
from league.pairing.movements import Finished, Moment, Order, Seated, preset
from league.pairing.seating import Composition, PlayedRound, plan_evening
from league.ranking.match_facts import MatchFacts
from league.seating.planner_adapter import planner_refusals
from league.tournaments.stage_state import (
    DrawnTable,
    RoundDraw,
    RoundFacts,
    Sizes,
    StageState,
    no_more_rounds,
    redrawn_rounds,
)
from league.tournaments.standing import standing_of, struck_out


@dataclass(frozen=True, slots=True)
class Card:
    """The inputs of a movement card: its players, its first and last round, its seed."""

    first: int
    last: int
    players: tuple[int, ...]
    seed: int
    is_new: bool = False

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1

    @property
    def record(self) -> dict[str, Any] | None:
        """The values to store for a new card; None if the card is stored already."""
        if not self.is_new:
            return None
        return {
            "from": self.first,
            "to": self.last,
            "players": list(self.players),
            "seed": self.seed,
        }


def card_for(state: StageState, number: int, seed: int) -> Card:
    """The card for round `number`: a new one if the players or the last round have changed."""
    players = tuple(sorted(state.active_entries))
    card: dict[str, Any] | None = state.cards[-1] if state.cards else None
    last = state.options.rounds
    if card is not None and tuple(card["players"]) == players and card["to"] == last:
        return Card(card["from"], last, players, card["seed"])
    return Card(number, last, players, seed, is_new=True)


def choose_byes(state: StageState, count: int, rng: Rng) -> tuple[int, ...]:
    """The `count` active entries with the fewest byes so far, drawn at random among equals."""
    byes_had = state.byes_had()
    entries = sorted(state.active_entries)
    rng.shuffle(entries)
    return tuple(sorted(entries, key=lambda entry: byes_had.get(entry, 0))[:count])


def progressive(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """The next round for all active entries; those left over sit out in turn."""
    refuse_after_last_round(state)
    if preset(state.options.movement).card is not None:
        return _draw_from_card(state, seed)
    return _draw_by_results(state, seed, sizes)


def refuse_after_last_round(state: StageState) -> None:
    if len(state.published) >= state.options.rounds:
        raise no_more_rounds(_("Every round has been played. Close the tournament."))


def as_played_round(facts: RoundFacts) -> PlayedRound:
    """A round as the planner's history: entries in seat order."""
    tables = tuple(match.entries for match in facts.matches if len(match.entries) > 1)
    return PlayedRound(tables, facts.byes)


def as_drawn(seated: Seated) -> RoundDraw:
    """The draw that puts individuals on the seats a movement gave them."""
    tables = (
        DrawnTable(tuple((place, int(entry)) for place, entry in enumerate(seats)), len(seats))
        for seats in seated.tables
    )
    return RoundDraw(tuple(tables), tuple(int(entry) for entry in seated.out))


def _draw_by_results(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    rng = Rng(seed)
    rule = sizes(len(state.active_entries))
    byes = choose_byes(state, rule.out, rng)
    moment = Moment(
        players=tuple(entry for entry in state.active_entries if entry not in byes),
        seed=seed,
        last=tuple(_finished_table(m) for m in state.last.matches) if state.last else (),
        history=tuple(as_played_round(facts) for facts in state.published),
        standing=tuple(line.who for line in standing_of(state).lines),
        sizes=rule.sizes,
    )
    seated = (preset(state.options.movement).next_round)(moment)  # type: ignore[misc]
    tables = tuple(_rotate_at_random(seats, rng) for seats in seated.tables)
    return as_drawn(Seated(tables, byes))


def _finished_table(match: MatchFacts) -> Finished:
    """How a table ended; the deciding hand or cut takes precedence over the score."""
    if match.winner is not None:
        sides = 2 if match.players == 4 else match.players
        winners = {p for p in match.sides if (p - match.winner) % sides == 0}
    elif match.tied:
        winners = set()
    else:
        winners = {p for p in match.sides for game in match.played if p in game.winners}
    return Finished(match.entries, tuple(match.sides[p] for p in sorted(winners)))


def _rotate_at_random(seats: tuple[PlayerId, ...], rng: Rng) -> tuple[PlayerId, ...]:
    """The same table rotated at random, so that winners do not always deal first."""
    first = rng.below(len(seats))
    return (*seats[first:], *seats[:first])


def _draw_from_card(state: StageState, seed: int) -> RoundDraw:
    """The next round of the card drawn up before play, or of a new card if the field changed."""
    number = len(state.published) + 1
    card = card_for(state, number, seed)
    order = Order(card.players, card.rounds, card.seed)
    with planner_refusals():
        seated = (preset(state.options.movement).card)(order)  # type: ignore[misc]
    drawn = as_drawn(seated[number - card.first])
    return RoundDraw(drawn.tables, drawn.byes, card=card.record)


def rotation(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """The next round of the planned evening; when the field changes, the rest is planned again.

    The plan may let one player sit out twice before another has once. Then byes go at random to
    those who have had the fewest, and the other players are planned round by round.
    """
    refuse_after_last_round(state)
    number = len(state.published) + 1
    card = card_for(state, number, seed)
    rule = sizes(len(card.players))
    planned = planned_rounds(state, card, rule)
    if not planned:
        return _draw_single_round(state, card, rule.out, rule.sizes, seed)
    return replace(planned[number - card.first], card=card.record)


def planned_rounds(state: StageState, card: Card, rule: Composition) -> list[RoundDraw]:
    """All rounds of a rotation's card; empty if its byes are not fair, so that it is drawn round by
    round."""
    earlier_rounds = [facts for facts in state.published if facts.number < card.first]
    evening = plan_evening(
        card.players,
        card.rounds,
        seed=card.seed,
        history=[as_played_round(facts) for facts in earlier_rounds],
        table={len(card.players): rule.sizes},
    )
    byes_had = Counter(entry for facts in earlier_rounds for entry in facts.byes)
    drawn = [as_drawn(Seated(plan.tables, plan.out)) for plan in evening.rounds]
    is_fair = are_byes_fair((draw.byes for draw in drawn), card.players, byes_had)
    return drawn if is_fair else []


def are_byes_fair(
    byes_by_round: Iterable[Iterable[int]], players: Iterable[int], byes_had: Mapping[int, int]
) -> bool:
    """Whether nobody ever sits out who has done so more often than somebody who plays."""
    count = {player: byes_had.get(player, 0) for player in players}
    for byes in map(set, byes_by_round):
        counts_of_active = [times for player, times in count.items() if player not in byes]
        if byes and counts_of_active and max(count[p] for p in byes) > min(counts_of_active):
            return False
        count.update((player, count[player] + 1) for player in byes)
    return True


def _draw_single_round(
    state: StageState, card: Card, bye_count: int, sizes: tuple[int, ...], seed: int
) -> RoundDraw:
    byes = choose_byes(state, bye_count, Rng(seed))
    players = [player for player in card.players if player not in byes]
    history = [as_played_round(facts) for facts in state.published]
    evening = plan_evening(players, 1, seed=seed, history=history, table={len(players): sizes})
    plan = evening.rounds[0]
    drawn = as_drawn(Seated(plan.tables, byes))
    return RoundDraw(drawn.tables, drawn.byes, card=card.record)


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
        walkover=match.is_unplayed_walkover,
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
