"""Individual rotation: the planner's evening, on which everybody partners everybody in time."""

from collections import Counter
from collections.abc import Iterable, Mapping

from league.pairing.movements import Seated
from league.pairing.rng import Rng
from league.pairing.seating import plan_evening
from league.tournaments.draws.cards import Card, card_for
from league.tournaments.draws.drawn import Drawn, Sizes
from league.tournaments.draws.progressive import at_tables, played, refuse_after_the_last
from league.tournaments.draws.sitting_out import who_sits_out
from league.tournaments.picture import Picture


def rotation(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the evening planned; the rest is planned anew when the field changes.

    Where somebody sits out and the evening would have one do so twice before another has once, who
    sits out is drawn among those who have done so least, and the others are planned round by round.
    """
    refuse_after_the_last(picture)
    number = len(picture.published) + 1
    card = card_for(picture, number, seed)
    rule = sizes(len(card.players))
    before = [one for one in picture.published if one.number < card.first]
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
        return _one_round(picture, card, rule.out, rule.sizes, seed)
    plan = evening.rounds[number - card.first]
    drawn = at_tables(Seated(plan.tables, plan.out))
    return Drawn(drawn.tables, drawn.byes, card=card.stored)


def takes_turns(
    rounds: Iterable[Iterable[int]], players: Iterable[int], had: Mapping[int, int]
) -> bool:
    """Whether in every round nobody sits out who has done so more often than one who plays."""
    count = {one: had.get(one, 0) for one in players}
    for out in (set(one) for one in rounds):
        play = [times for one, times in count.items() if one not in out]
        if out and play and max(count[one] for one in out) > min(play):
            return False
        count.update((one, count[one] + 1) for one in out)
    return True


def _one_round(picture: Picture, card: Card, out: int, sizes: tuple[int, ...], seed: int) -> Drawn:
    byes = who_sits_out(picture, out, Rng(seed))
    there = [one for one in card.players if one not in byes]
    history = [played(one) for one in picture.published]
    plan = plan_evening(there, 1, seed=seed, history=history, table={len(there): sizes}).rounds[0]
    drawn = at_tables(Seated(plan.tables, byes))
    return Drawn(drawn.tables, drawn.byes, card=card.stored)
