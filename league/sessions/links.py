"""Links that need no account: the code at the door, and the wall screen's address.

Each is signed (HMAC-SHA256) over the session and a version; raising the version revokes it. They
reach one page of one session and die when it closes.
"""

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from league.sessions.models import Session

_door = Signer(salt="league.sessions.door")
_wall = Signer(salt="league.sessions.wall")


def door_link(club_session: Session) -> str:
    """The address behind the code at the door, without the host."""
    return reverse(
        "door", args=[_door.sign(f"{club_session.public_id}.{club_session.door_version}")]
    )


def wall_link(club_session: Session) -> str:
    """The address of the wall screen that needs no account, without the host."""
    code = _wall.sign(f"{club_session.public_id}.{club_session.wall_version}")
    return reverse("wall_shown", args=[code])


def session_at_door(code: str) -> Session | None:
    """The open session this door code is for; None for a forged, revoked or late one."""
    return _session(_door, code, "door_version")


def session_on_wall(code: str) -> Session | None:
    """The session this wall link is for; None for a forged or revoked one, or a closed session."""
    return _session(_wall, code, "wall_version")


def _session(signer: Signer, code: str, version_field: str) -> Session | None:
    try:
        public_id, _dot, version = signer.unsign(code).rpartition(".")
    except BadSignature:
        return None
    return (
        Session.objects.select_related("club")
        .filter(
            public_id=public_id,
            state=Session.State.OPEN,
            **{version_field: int(version)},
        )
        .first()
    )
