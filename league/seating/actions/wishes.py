"""The club's standing wishes about who sits with whom."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Club, Member
from league.seating.models import Wish


@transaction.atomic
def add_wish(
    club: Club, kind: str, first: Member, second: Member | None = None, *, by: Actor
) -> Wish:
    """Write a wish down. Every kind but "does not move" is about two people."""
    Club.objects.select_for_update().get(pk=club.pk)
    if kind not in Wish.Kind.values:
        raise Refused("unknown-wish", _("There is no such wish."), fields={"kind": []})
    if kind == Wish.Kind.STAYS:
        second = None
    elif second is None or second == first:
        message = _("Choose two different people.")
        raise Refused("two-people", message, fields={"second": [message]})
    people = [one for one in (first, second) if one is not None]
    if any(one.club_id != club.pk for one in people):
        raise Refused("unknown-member", _("There is no such member."), status=404)
    if _same(club, kind, first, second).exists():
        raise Refused("wish-known", _("This wish is written down already."), status=409)
    wish = Wish.objects.create(club=club, kind=kind, first=first, second=second)
    note(club, by, "add wish", wish.get_kind_display(), new=[one.name for one in people])
    return wish


@transaction.atomic
def drop_wish(wish: Wish, *, by: Actor) -> None:
    """Forget a wish."""
    people = [one.name for one in (wish.first, wish.second) if one is not None]
    note(wish.club, by, "drop wish", wish.get_kind_display(), old=people)
    wish.delete()


def _same(club: Club, kind: str, first: Member, second: Member | None) -> QuerySet[Wish]:
    either = Q(first=first, second=second) | Q(first=second, second=first)
    if second is None:
        either = Q(first=first, second=None)
    return Wish.objects.filter(either, club=club, kind=kind)
