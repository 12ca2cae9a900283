"""Plain builders of what tests need: short to call, no surprises, every choice an argument."""

from datetime import date

from league.members.audit import Actor
from league.members.models import Club, ClubRuleset, Member, Role, User
from league.sessions.models import Attendance, Session

TEST = Actor("Test", source="test")
NAMES = ("Rose", "Ann", "Ted", "Bill", "Joan", "Gus", "Sam", "Dee", "Lou", "Kit", "May", "Pat")


def a_club(name: str = "Thursday Euchre", slug: str = "thursday", **fields: object) -> Club:
    return Club.objects.create(name=name, slug=slug, **fields)


def a_user(username: str = "olive", *, club: Club | None = None, rank: str = "organiser") -> User:
    user = User.objects.create_user(username, password="correct horse battery")
    if club is not None:
        Role.objects.create(club=club, user=user, rank=rank)
    return user


def members_of(club: Club, count: int) -> list[Member]:
    names = [NAMES[i] if i < len(NAMES) else f"Player {i + 1}" for i in range(count)]
    return [Member.objects.create(club=club, name=name) for name in names]


def a_session(club: Club, members: list[Member] | None = None, **fields: object) -> Session:
    fields.setdefault("name", "Thursday night")
    fields.setdefault("held_on", date(2026, 11, 19))
    session = Session.objects.create(club=club, **fields)
    for member in members or []:
        Attendance.objects.create(session=session, member=member)
    return session


def rulesets_of(club: Club, *, first_dealer: str = "random") -> list[ClubRuleset]:
    """One default ruleset for each size of table, by names only: enough to seat people by."""
    return [
        ClubRuleset.objects.create(
            club=club,
            name=f"{players}-handed",
            players=players,
            is_default=True,
            body={"first_dealer": first_dealer, "deck": 24},
        )
        for players in (2, 3, 4)
    ]
