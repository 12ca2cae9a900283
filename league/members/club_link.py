"""A club's one invitation link: whoever has it can join as a member, until it is replaced.

Signed (HMAC-SHA256) over the club and its `link_version`; nothing of it is stored.
"""

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from league.members.models import Club

IN_SESSION = "club_link"
"""Where the browser's session keeps the code it came with."""
_signer = Signer(salt="league.members.club_link")


def club_link(club: Club) -> str:
    """The link's address, without the host."""
    return reverse("club_link", args=[_signer.sign(f"{club.pk}.{club.link_version}")])


def club_of_link(code: str) -> Club | None:
    """The club this code invites to; None for a forged or replaced one, or where it is off."""
    try:
        pk, _dot, version = _signer.unsign(code).partition(".")
    except BadSignature:
        return None
    found = Club.objects.filter(pk=int(pk), link_version=int(version), joins_by_link=True)
    return found.first()
