"""Past evenings of the demo club, from the door to the final standings."""

from datetime import datetime, timedelta

from league.exchange.demo.people import Cast
from league.exchange.demo.tables import accept, play, sit_down
from league.members.models import Member
from league.seating.actions import draft_round, publish
from league.seating.models import Table
from league.sessions.actions import add_guest, arrive, close_session, start_session
from league.sessions.models import Session

ROUNDS = 3
ROUND = timedelta(minutes=50)
# How many came on each evening: together every composition of tables.
CAME = (20, 17, 22, 15, 19, 18, 21, 14)
GUESTS = {2: ("Marie Lund",), 4: ("Chuck Ferris",), 6: ("Marie Lund",)}


def past_evenings(cast: Cast, *, now: datetime) -> None:
    """One evening a week up to last week."""
    for index, came in enumerate(CAME):
        opens = now - timedelta(weeks=len(CAME) - index)
        an_evening(cast, at=opens, came=came, guests=GUESTS.get(index, ()))


def an_evening(
    cast: Cast, *, at: datetime, came: int, guests: tuple[str, ...] = (), rounds: int = ROUNDS
) -> Session:
    """One whole evening: check-in, every round to the end, confirmed, closed."""
    night = open_night(cast, at=at, came=came, guests=guests)
    for number in range(rounds):
        at += ROUND if number else timedelta(minutes=15)
        for table in seat(night, cast, at=at):
            going = sit_down(table, cast.skills, at)
            if play(going, cast.chance, until=at + timedelta(hours=3)):
                accept(going)
    return close_session(night, by=cast.by, at=at + ROUND)


def open_night(cast: Cast, *, at: datetime, came: int, guests: tuple[str, ...] = ()) -> Session:
    """A session with members ticked off and guests noted down, `came` people in all."""
    night = start_session(cast.club, by=cast.by, at=at, season=cast.season)
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for member in cast.chance.sample(members, came - len(guests)):
        arrive(night, member, by=cast.by, at=at)
    for name in guests:
        known = Member.objects.filter(club=cast.club, name=name).first()
        if known is None:
            add_guest(night, name, by=cast.by, at=at)
        else:
            arrive(night, known, by=cast.by, at=at)
    return night


def seat(night: Session, cast: Cast, *, at: datetime) -> list[Table]:
    """Everybody who is free seated by the club's rule and published; the new tables."""
    draft = draft_round(night, by=cast.by, seed=cast.chance.randrange(2**31))
    published = publish(draft, by=cast.by, at=at)
    return list(published.tables.select_related("ruleset", "session").order_by("number"))
