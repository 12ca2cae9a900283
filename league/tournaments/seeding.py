"""From a seeding round to pairs: in which order people stand, and whose turn it is to pick."""

from league.pairing.formats.partners import Picking
from league.pairing.rng import Rng
from league.tournaments.models import Entry, Tournament
from league.tournaments.picture import picture_of
from league.tournaments.standing import standing_of


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
    picture = picture_of(stage)
    lines = [line for line in standing_of(picture).lines if line.who in picture.playing]
    Rng(tournament.stages.get(number=1).seed).shuffle(lines)
    lines.sort(key=lambda line: line.rank)
    members = [picture.entries[line.who].member_id for line in lines]
    return {member: place for place, member in enumerate(members, 1)}


def alone_in_order(tournament: Tournament, places: dict[int, int]) -> list[Entry]:
    """Who has no partner yet, the best placed first; who was not in the seeding round last."""
    alone = tournament.entries.filter(partner=None, withdrawn_at=None).select_related("member")
    last = len(places) + 1
    return sorted(alone, key=lambda one: (places.get(one.member_id, last), one.pk))


def picking_of(tournament: Tournament, places: dict[int, int]) -> Picking:
    """Whose turn it is to pick, and who can be picked: keys of entries."""
    return Picking(tuple(one.pk for one in alone_in_order(tournament, places)))
