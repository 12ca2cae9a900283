"""What pages ask about a club's seasons."""

from django.db.models import Count, Prefetch, Q, QuerySet

from league.members.models import Club
from league.seasons.models import Champion, Season


def seasons_of(club: Club) -> QuerySet[Season]:
    """The club's seasons, latest first: how many sessions each has (`nights`, cancelled ones not
    counted) and who won those that are closed."""
    nights = Count("sessions", filter=~Q(sessions__state="cancelled"))
    champions = Prefetch("champions", queryset=Champion.objects.select_related("member"))
    return club.seasons.annotate(nights=nights).prefetch_related(champions)
