"""Individual rotation: the planner's evening, on which everybody partners everybody in time."""

from league.seating.movements import Seated
from league.seating.plan import plan_evening
from league.tournaments.draws.drawn import Drawn, Sizes
from league.tournaments.draws.progressive import at_tables, played, refuse_after_the_last
from league.tournaments.picture import Picture


def rotation(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the evening planned; the rest is planned anew when the field changes."""
    refuse_after_the_last(picture)
    players = sorted(picture.playing)
    number = len(picture.published) + 1
    card = next((c for c in reversed(picture.stage.cards) if c["from"] <= number), None)
    fresh = None
    if card is None or card["players"] != players:
        card = fresh = {"from": number, "players": players, "seed": seed}
    evening = plan_evening(
        card["players"],
        picture.chosen.rounds - card["from"] + 1,
        seed=card["seed"],
        history=[played(one) for one in picture.published if one.number < card["from"]],
        table={len(players): sizes(len(players)).sizes},
    )
    plan = evening.rounds[number - card["from"]]
    drawn = at_tables(Seated(plan.tables, plan.out))
    return Drawn(drawn.tables, drawn.byes, card=fresh)
