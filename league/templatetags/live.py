"""The line on a page that says it is live, and makes it so."""

from typing import Any

from django import template

from league.live.revision import revision_url
from league.sessions.models import Session

register = template.Library()


@register.inclusion_tag("parts/_live.html", takes_context=True)
def live_status(context: dict[str, Any], club_session: Session) -> dict[str, Any]:
    """`{% live_status club_session %}`: watches the session; elements marked `data-live` follow.

    Use it only on pages whose reader was let in: the address it carries needs no sign-in.
    """
    role = getattr(context.get("request"), "role_id", None) or 0
    return {"revision_url": revision_url(club_session, role), "revision": club_session.revision}
