"""Draws of individuals: movements by result or card, the rotation, and whose bye it is."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.pairing import PlayerId, Rng
from league.pairing.movements import Finished, Moment, Order, Seated, preset
from league.pairing.seating import PlayedRound, plan_evening
from league.ranking.match_facts import MatchFacts
from league.seating.planner_adapter import planner_refusals
from league.tournaments.stage_state import (
    Drawn,
    DrawnTable,
    RoundFacts,
    Sizes,
    StageState,
    no_more_rounds,
)
from league.tournaments.standing import standing_of


@dataclass(frozen=True, slots=True)
class Card:
    """What a card is made from: for whom, from which round to which, by which seed."""

    first: int
    last: int
    players: tuple[int, ...]
    seed: int
    is_new: bool = False

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1

    @property
    def stored(self) -> dict[str, Any] | None:
        """What to store of a new card; None of one stored already."""
        if not self.is_new:
            return None
        return {
            "from": self.first,
            "to": self.last,
            "players": list(self.players),
            "seed": self.seed,
        }


def card_for(state: StageState, number: int, seed: int) -> Card:
    """The card that round `number` is read from: a new one when the field has changed."""
    players = tuple(sorted(state.playing))
    card: dict[str, Any] | None = state.cards[-1] if state.cards else None
    last = state.chosen.rounds
    if card is not None and tuple(card["players"]) == players and card["to"] == last:
        return Card(card["from"], last, players, card["seed"])
    return Card(number, last, players, seed, is_new=True)


def who_sits_out(state: StageState, count: int, rng: Rng) -> tuple[int, ...]:
    """So many entries of those playing: who has had fewest byes, by lot among equals."""
    had = state.byes_had()
    people = sorted(state.playing)
    rng.shuffle(people)
    return tuple(sorted(people, key=lambda one: had.get(one, 0))[:count])


def progressive(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """The next round of everybody still in it; who is one too many sits out in turn."""
    refuse_after_the_last(state)
    if preset(state.chosen.movement).card is not None:
        return _by_card(state, seed)
    return _by_results(state, seed, sizes)


def refuse_after_the_last(state: StageState) -> None:
    if len(state.published) >= state.chosen.rounds:
        raise no_more_rounds(_("Every round has been played. Close the tournament."))


def played(one: RoundFacts) -> PlayedRound:
    """A round as the planner's history: entries in seat order."""
    tables = tuple(match.entries for match in one.matches if len(match.entries) > 1)
    return PlayedRound(tables, one.byes)


def at_tables(seated: Seated) -> Drawn:
    """Individuals where a movement has put them."""
    tables = (
        DrawnTable(tuple((place, int(one)) for place, one in enumerate(seats)), len(seats))
        for seats in seated.tables
    )
    return Drawn(tuple(tables), tuple(int(one) for one in seated.out))


def _by_results(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    rng = Rng(seed)
    rule = sizes(len(state.playing))
    out = who_sits_out(state, rule.out, rng)
    moment = Moment(
        players=tuple(one for one in state.playing if one not in out),
        seed=seed,
        last=tuple(_finished(m) for m in state.last.matches) if state.last else (),
        history=tuple(played(one) for one in state.published),
        standing=tuple(line.who for line in standing_of(state).lines),
        sizes=rule.sizes,
    )
    seated = (preset(state.chosen.movement).next_round)(moment)  # type: ignore[misc]
    turned = tuple(_turned(seats, rng) for seats in seated.tables)
    return at_tables(Seated(turned, out))


def _finished(match: MatchFacts) -> Finished:
    """How a table ended: the deciding hand or cut counts before the score."""
    if match.winner is not None:
        sides = 2 if match.players == 4 else match.players
        winners = {p for p in match.sides if (p - match.winner) % sides == 0}
    elif match.tied:
        winners = set()
    else:
        winners = {p for p in match.sides for game in match.played if p in game.winners}
    return Finished(match.entries, tuple(match.sides[p] for p in sorted(winners)))


def _turned(seats: tuple[PlayerId, ...], rng: Rng) -> tuple[PlayerId, ...]:
    """The same table turned by lot, so that winners do not always deal first."""
    first = rng.below(len(seats))
    return (*seats[first:], *seats[:first])


def _by_card(state: StageState, seed: int) -> Drawn:
    """A round of the card drawn up before play; of a new one when the field has changed."""
    number = len(state.published) + 1
    card = card_for(state, number, seed)
    order = Order(card.players, card.rounds, card.seed)
    with planner_refusals():
        seated = (preset(state.chosen.movement).card)(order)  # type: ignore[misc]
    drawn = at_tables(seated[number - card.first])
    return Drawn(drawn.tables, drawn.byes, card=card.stored)


def rotation(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the evening planned; the rest is planned again when the field changes.

    Where somebody sits out and the evening would have one do so twice before another has once, who
    sits out is drawn among those who have done so least, and the others are planned round by round.
    """
    refuse_after_the_last(state)
    number = len(state.published) + 1
    card = card_for(state, number, seed)
    rule = sizes(len(card.players))
    before = [one for one in state.published if one.number < card.first]
    evening = plan_evening(
        card.players,
        card.rounds,
        seed=card.seed,
        history=[played(one) for one in before],
        table={len(card.players): rule.sizes},
    )
    had = Counter(entry for one in before for entry in one.byes)
    outs = [[int(one) for one in plan.out] for plan in evening.rounds]
    if rule.out and not takes_turns(outs, card.players, had):
        return _one_round(state, card, rule.out, rule.sizes, seed)
    plan = evening.rounds[number - card.first]
    drawn = at_tables(Seated(plan.tables, plan.out))
    return Drawn(drawn.tables, drawn.byes, card=card.stored)


def takes_turns(
    rounds: Iterable[Iterable[int]], players: Iterable[int], had: Mapping[int, int]
) -> bool:
    """Whether in every round nobody sits out who has done so more often than one who plays."""
    count = {player: had.get(player, 0) for player in players}
    for out in (set(one) for one in rounds):
        play = [times for one, times in count.items() if one not in out]
        if out and play and max(count[one] for one in out) > min(play):
            return False
        count.update((one, count[one] + 1) for one in out)
    return True


def _one_round(state: StageState, card: Card, out: int, sizes: tuple[int, ...], seed: int) -> Drawn:
    byes = who_sits_out(state, out, Rng(seed))
    there = [player for player in card.players if player not in byes]
    history = [played(one) for one in state.published]
    plan = plan_evening(there, 1, seed=seed, history=history, table={len(there): sizes}).rounds[0]
    drawn = at_tables(Seated(plan.tables, byes))
    return Drawn(drawn.tables, drawn.byes, card=card.stored)
