"""What pages ask about a club's seasons."""

from django.db.models import Count, Prefetch, Q, QuerySet

from league.members.models import Club, Member
from league.seasons.models import Champion, Placement, Season


def seasons_of(club: Club) -> QuerySet[Season]:
    """The club's seasons, latest first: how many sessions each has (`nights`, cancelled ones not
    counted) and who won those that are closed."""
    nights = Count("sessions", filter=~Q(sessions__state="cancelled"))
    champions = Prefetch(
        "champions", queryset=Champion.objects.select_related("member__club", "division")
    )
    return club.seasons.annotate(nights=nights).prefetch_related(champions)


def people_to_place(season: Season) -> list[tuple[Member, str]]:
    """Who may play in a division, by name: the club's members, and whoever is in one already;
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
