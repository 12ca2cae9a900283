"""`{% first_night %}`: the next step of a new club's first night, for its organisers."""

from typing import Any

from django import template

from league.access import reaches
from league.live.first_night import next_step
from league.members.models import Club

register = template.Library()


@register.inclusion_tag("parts/_first_night.html", takes_context=True)
def first_night(context: dict[str, Any]) -> dict[str, Any]:
    """Nothing for a club that is not new, for visitors and members, and once it is hidden."""
    club, request = context.get("club"), context.get("request")
    if not isinstance(club, Club) or not club.guided:
        return {}
    if not reaches(getattr(request, "rank", None), "organiser"):
        return {}
    match = getattr(request, "resolver_match", None)
    return {
        "step": next_step(club),
        "club": club,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "at": match.url_name if match else "",
    }
