"""People in templates."""

from typing import Any

from django import template

from league.members import public
from league.members.models import Club, Member

register = template.Library()


@register.simple_tag(takes_context=True)
def public_name(context: dict[str, Any], member: Member, club: Club | None = None) -> str:
    """`{% public_name member %}`: the name as this page's viewer may read it.

    Takes the club from the page, unless given, and the viewer's rank from the request.
    """
    request = context.get("request")
    rank = getattr(request, "rank", None)
    return public.public_name(member, club or context["club"], rank)
