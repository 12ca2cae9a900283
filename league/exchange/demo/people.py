"""The demo club's people and accounts, founded by the same actions as any club."""

import hmac
from dataclasses import dataclass
from pathlib import Path
from random import Random

from django.conf import settings

from league.members.actions import (
    add_member,
    change_settings,
    create_club,
    link_account,
)
from league.members.actions.clubs import USUAL
from league.members.actions.roles import give_role
from league.members.audit import Actor
from league.members.models import Club, Member, Role, User
from league.seasons.models import Season

NAMES = Path(__file__).with_name("members.txt")
SLUG = "harbour-lights"
# Accounts: user name, rank, and the member they play as.
ACCOUNTS = (
    ("rose", Role.Rank.OWNER, "Rose Whitfield"),
    ("bill", Role.Rank.ORGANISER, "Bill Okafor"),
    ("ann", Role.Rank.SCOREKEEPER, "Ann Leclerc"),
    ("ted", Role.Rank.MEMBER, "Ted Marsh"),
)
# A march with a partner pays 2 and alone 4, so that going alone is worth trying.
PRESETS = {**USUAL, 4: "nanaimo-four-handed-standard"}
WORDS = ("felt", "brass", "paper", "bower", "trump", "march", "kitty", "loner", "spade", "heart")
DEMO = Actor("Demo", source="command line")


def password_of(username: str) -> str:
    """The same on every start of one installation, and nobody else's: made from its secret key."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"demo {username}".encode(), "sha256")
    words = [WORDS[byte % len(WORDS)] for byte in digest[:3]]
    return "-".join([*words, str(int.from_bytes(digest[3:6], "big") % 9000 + 1000)])


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays in the demo, how well (0 to 1, by member), under whose hand, by which chance."""

    club: Club
    season: Season
    skills: dict[int, float]
    chance: Random
    by: Actor = DEMO


def found_club() -> Club:
    """The club with its rulesets, forty members and an account for each role."""
    for username, _rank, name in ACCOUNTS:
        _account(username, name)
    owner = User.objects.get(username=ACCOUNTS[0][0])
    by = Actor(str(owner), owner, "command line")
    club = create_club(
        name="Harbour Lights Euchre Club",
        slug=SLUG,
        time_zone="America/Toronto",
        by=by,
        presets=PRESETS,
    )
    club = change_settings(
        club,
        by=by,
        confirm=Club.Confirm.OPPONENT,
        auto_accept_minutes=30,
        visibility=Club.Visibility.STANDINGS,
    )
    for name in NAMES.read_text().splitlines():
        add_member(club, name=name, by=by)
    for username, rank, name in ACCOUNTS:
        if rank != Role.Rank.OWNER:
            give_role(club, username=username, rank=rank, by=by)
        link_account(Member.objects.get(club=club, name=name), username=username, by=by)
    return club


def _account(username: str, name: str) -> None:
    user, made = User.objects.get_or_create(username=username, defaults={"display_name": name})
    if made:
        user.set_password(password_of(username))
        user.save()


def skills_of(members: list[Member], chance: Random) -> dict[int, float]:
    """How well each plays, 0 to 1: what a season's table should bring to light."""
    return {member.pk: chance.betavariate(2.5, 2.5) for member in members}
