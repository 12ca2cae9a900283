"""After a seeding round: everybody enters again, and partners are picked, drawn or folded."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.members.audit import Actor, note
from league.pairing.formats.partners import drawn_partners, folded_partners
from league.sessions.actions import bump
from league.tournaments.actions.entering import join, refuse_drawn
from league.tournaments.actions.setup import finish_tournament, locked, start_tournament
from league.tournaments.models import Entry, Tournament
from league.tournaments.parameters import DRAWN, FOLDED, Chosen, chosen
from league.tournaments.picture import OF_PAIRS, picture_of
from league.tournaments.seeding import picking_of, placed


@transaction.atomic
def play_on_as_pairs(
    seeding: Tournament,
    *,
    name: str,
    format: str,
    choice: Chosen,
    seed: int,
    by: Actor,
    at: datetime,
) -> Tournament:
    """Close the seeding round and begin a tournament of pairs with the people still in it.

    They enter alone, in the order of its standings; `choice.partners` says how they find their
    partners. Refuses while a round of it is on, and for one that was of pairs itself.
    """
    fresh = locked(seeding, on=False)
    stage = fresh.stages.order_by("number").last()
    picture = picture_of(stage) if stage else None
    if picture is None or picture.of_pairs or format not in OF_PAIRS:
        raise Refused("of-pairs", _("A seeding round is played by individuals."), status=409)
    if picture.draft is not None or picture.last is None or picture.last.open:
        raise Refused("round-open", _("A round is still on. Finish it first."), status=409)
    finish_tournament(fresh, by=by, at=at)
    made = start_tournament(
        fresh.session, name=name, format=format, choice=choice, seed=seed, by=by
    )
    made.follows = fresh
    made.save(update_fields=["follows"])
    Entry.objects.bulk_create(
        Entry(tournament=made, member_id=entry.member_id, entered_at=at)
        for entry in picture.playing.values()
    )
    new = {"follows": fresh.name, "people": len(picture.playing), "partners": choice.partners}
    note(made.club, by, "play on as pairs", made, session=made.session, new=new)
    return made


@transaction.atomic
def pick_partner(tournament: Tournament, partner: Entry, *, by: Actor) -> Entry:
    """Whoever's turn it is picks a partner."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = placed(fresh)
    picking = picking_of(fresh, places)
    with pairing_refusals():
        picked = picking.with_pick(partner.pk).pairs[-1]
    made = _pair(fresh, picked, places)
    names = [member.name for member in made.people]
    note(fresh.club, by, "pick partner", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return made


@transaction.atomic
def pair_by_places(tournament: Tournament, *, seed: int, by: Actor) -> list[Entry]:
    """Make all pairs at once by the seeding round: upper half with lower half by lot, or the first
    with the last. An odd one out stays alone."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = placed(fresh)
    left = picking_of(fresh, places).left
    way = chosen(fresh.stages.get(number=1).parameters).partners
    if way not in (DRAWN, FOLDED):
        raise Refused("picked", _("Here the best placed pick their partners."), status=409)
    found = drawn_partners(left, seed=seed) if way == DRAWN else folded_partners(left)
    made = [_pair(fresh, pair, places) for pair in found.pairs]
    names = [[member.name for member in one.people] for one in made]
    new = {"seed": seed, "way": way, "pairs": names}
    note(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


def _pair(fresh: Tournament, pair: tuple[int | str, int | str], places: dict[int, int]) -> Entry:
    """Two entries become one, seeded by the better place of the two."""
    one, other = (fresh.entries.select_related("member").get(pk=key) for key in pair)
    one.seed = places.get(one.member_id)
    one.save(update_fields=["seed"])
    return join(one, other)
