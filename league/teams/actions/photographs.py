"""Photographs of signed cards: sent by a captain, gone when the league is closed."""

from datetime import datetime

from django.db import transaction

from league.members.audit import Actor, log_action
from league.teams.actions.leagues import locked
from league.teams.models import CardPhotograph, TeamMatch


@transaction.atomic
def send_photograph(
    match: TeamMatch, image: bytes, *, side: int, by: Actor, at: datetime
) -> CardPhotograph:
    """Save a captain's photograph of the card, in place of the one their team sent before.

    `image` as `small_photograph` makes it; `side`: 0 for the home team's captain, 1 the visitors'.
    Refuses (`league-closed`) once the league is closed.
    """
    league = locked(match.league)
    team = (match.home, match.away)[side]
    made, _new = CardPhotograph.objects.update_or_create(
        match=match,
        team=team,
        defaults={"image": image, "said_as": by.label[:80], "at": at},
    )
    log_action(league.club, by, "send card photograph", match)
    return made
