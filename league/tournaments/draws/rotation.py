"""Individual rotation: the planner's evening, on which everybody partners everybody in time."""

from league.seating.movements import Seated
from league.seating.plan import plan_evening
from league.tournaments.draws.cards import card_for
from league.tournaments.draws.drawn import Drawn, Sizes
from league.tournaments.draws.progressive import at_tables, played, refuse_after_the_last
from league.tournaments.picture import Picture


def rotation(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the evening planned; the rest is planned anew when the field changes."""
    refuse_after_the_last(picture)
    number = len(picture.published) + 1
    card = card_for(picture, number, seed)
    evening = plan_evening(
        card.players,
        card.rounds,
        seed=card.seed,
        history=[played(one) for one in picture.published if one.number < card.first],
        table={len(card.players): sizes(len(card.players)).sizes},
    )
    plan = evening.rounds[number - card.first]
    drawn = at_tables(Seated(plan.tables, plan.out))
    return Drawn(drawn.tables, drawn.byes, card=card.stored)
