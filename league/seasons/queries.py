"""What pages ask about a club's seasons."""

from django.db.models import Q, QuerySet

from league.members.models import Member
from league.seasons.models import Placement, Season


def people_to_place(season: Season) -> list[tuple[Member, str]]:
    """Who may play in a division, by name: the club's members, and anyone who is in one already;
    each with the number of their division, or "". Two queries."""
    placed = {one.member_id: one.division.number for one in placements_of(season)}
    members = season.club.members.filter(
        Q(pk__in=placed) | Q(is_guest=False, retired_at=None, merged_into=None)
    )
    return [(one, str(placed.get(one.pk, ""))) for one in members.order_by("sort_key", "pk")]


def placements_of(season: Season) -> QuerySet[Placement]:
    """Who is in which division, the highest first, by name."""
    return season.placements.select_related("division", "member")


def history_of(member: Member) -> QuerySet[Placement]:
    """The divisions somebody has played in, the latest season first."""
    placed = member.placements.select_related("season", "division")
    return placed.order_by("-season__starts_on", "-season")
