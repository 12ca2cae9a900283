"""Progressive Euchre: the chosen movement seats the next round, by results or by a card."""

from django.utils.translation import gettext as _

from league.pairing.movements import Finished, Moment, Order, Seated, preset
from league.pairing.rng import Rng
from league.pairing.seating import PlayedRound, PlayerId
from league.ranking.match import MatchFacts
from league.seating.asking import planner_refusals
from league.tournaments.draws.cards import card_for
from league.tournaments.draws.drawn import Drawn, DrawnTable, Sizes, no_more_rounds
from league.tournaments.draws.sitting_out import who_sits_out
from league.tournaments.picture import Picture, RoundFacts
from league.tournaments.standing import standing_of


def progressive(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of everybody still in it; who is one too many sits out in turn."""
    refuse_after_the_last(picture)
    if preset(picture.chosen.movement).card is not None:
        return _by_card(picture, seed)
    return _by_results(picture, seed, sizes)


def refuse_after_the_last(picture: Picture) -> None:
    if len(picture.published) >= picture.chosen.rounds:
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


def _by_results(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    chance = Rng(seed)
    rule = sizes(len(picture.playing))
    out = who_sits_out(picture, rule.out, chance)
    moment = Moment(
        players=tuple(one for one in picture.playing if one not in out),
        seed=seed,
        last=tuple(_finished(m) for m in picture.last.matches) if picture.last else (),
        history=tuple(played(one) for one in picture.published),
        standing=tuple(line.who for line in standing_of(picture).lines),
        sizes=rule.sizes,
    )
    seated = (preset(picture.chosen.movement).next_round)(moment)  # type: ignore[misc]
    turned = tuple(_turned(seats, chance) for seats in seated.tables)
    return at_tables(Seated(turned, out))


def _finished(match: MatchFacts) -> Finished:
    """How a table ended: the deciding hand or cut counts before the score."""
    if match.winner is not None:
        winners = {p for p in match.sides if (p - match.winner) % 2 == 0}
    elif match.tied and match.players == 4:
        winners = set()
    else:
        winners = {p for p in match.sides for game in match.played if p in game.winners}
    return Finished(match.entries, tuple(match.sides[p] for p in sorted(winners)))


def _turned(seats: tuple[PlayerId, ...], chance: Rng) -> tuple[PlayerId, ...]:
    """The same table turned by lot, so that winners do not always deal first."""
    first = chance.below(len(seats))
    return (*seats[first:], *seats[:first])


def _by_card(picture: Picture, seed: int) -> Drawn:
    """A round of the card drawn up before play; of a new one when the field has changed."""
    number = len(picture.published) + 1
    card = card_for(picture, number, seed)
    order = Order(card.players, card.rounds, card.seed)
    with planner_refusals():
        seated = (preset(picture.chosen.movement).card)(order)  # type: ignore[misc]
    drawn = at_tables(seated[number - card.first])
    return Drawn(drawn.tables, drawn.byes, card=card.stored)
