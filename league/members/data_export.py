"""What the site keeps of one person, as they may take it away: their own and nobody else's."""

from typing import Any

from league.members.models import Member, User

RESULT = (
    "session__name",
    "session__held_on",
    "game__public_id",
    "players",
    "hands",
    "win_share",
    "points",
    "points_against",
    "calls",
    "calls_made",
    "lone_tried",
    "lone_marches",
)


def data_of(user: User) -> dict[str, Any]:
    """Account, roles, and for each club the person, the sessions and the results. JSON-ready."""
    return {
        "account": {
            "username": user.username,
            "display_name": user.display_name,
            "email": user.email,
            "joined": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "roles": [
            {"club": role.club.name, "rank": role.rank, "since": role.given_at}
            for role in user.roles.select_related("club").order_by("club__name")
        ],
        "plays_as": [_person(m) for m in user.players.select_related("club").order_by("pk")],
    }


def _person(member: Member) -> dict[str, Any]:
    attended = member.attendances.order_by("session__held_on")
    return {
        "club": member.club.name,
        "name": member.name,
        "former_names": member.former_names,
        "email": member.email,
        "shown_in_public": member.shown,
        "reminded_by_email": member.reminders,
        "agreed_to_mail_at": member.confirmed_email,
        "under_age": member.is_minor,
        "guest": member.is_guest,
        "since": member.joined_at,
        "signed_up": list(
            member.sign_ups.values("session__name", "session__held_on", "made_at", "placed_at")
        ),
        "reminders_sent": list(member.reminded_of.values("session__name", "sent_at")),
        "teams": list(member.team_places.order_by("pk").values("league__name", "team__name")),
        "sessions": list(attended.values("session__name", "session__held_on", "arrived_at")),
        "payments": list(
            member.payments.values("pot__name", "out", "amount", "entered_at", "withdrawn_at")
        ),
        "divisions": list(member.placements.values("season__name", "division__name", "outcome")),
        "results": list(member.results.order_by("session__held_on", "game_id").values(*RESULT)),
    }
