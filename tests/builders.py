"""Plain builders of what tests need: short to call, no surprises, every choice an argument."""

from datetime import UTC, date, datetime

from league.members.audit import Actor
from league.members.models import Club, ClubRuleset, Member, Role, User
from league.play.game_log import open_game_log
from league.play.models import Game
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session
from scoring import ruleset

TEST = Actor("Test", source="test")
EIGHT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
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
    members = [Member(club=club, name=name) for name in names]
    for member in members:
        member.set_keys()
    return Member.objects.bulk_create(members)


def a_session(club: Club, members: list[Member] | None = None, **fields: object) -> Session:
    fields.setdefault("name", "Thursday night")
    fields.setdefault("held_on", date(2026, 11, 19))
    session = Session.objects.create(club=club, **fields)
    Attendance.objects.bulk_create(
        Attendance(session=session, member=member) for member in members or []
    )
    return session


PRESETS = ("nanaimo-two-handed", "nanaimo-three-handed", "standard-four-handed")


def rulesets_of(club: Club, **options: object) -> list[ClubRuleset]:
    """A default ruleset for each size of table, so that people can be seated."""
    made = [a_ruleset(club, preset, **options) for preset in PRESETS]
    club.rulesets.filter(pk__in=[one.pk for one in made]).update(is_default=True)
    return made


def a_ruleset(club: Club, preset: str = "standard-four-handed", **options: object) -> ClubRuleset:
    """A club's ruleset after a preset of the engine, with options of its own."""
    body = {"extends": preset, "options": options} if options else {"extends": preset}
    number = ClubRuleset.objects.filter(club=club).count()
    players = ruleset(body).players
    return ClubRuleset.objects.create(
        club=club, name=f"{preset} {number}", players=players, body=body
    )


def a_table(
    club_session: Session, members: list[Member], rules: ClubRuleset, **fields: object
) -> Table:
    """A live table of a published round, its members on the chairs in order; Rose deals first."""
    number = club_session.tables.count() + 1
    round_, _made = Round.objects.get_or_create(
        session=club_session, number=1, defaults={"state": "published", "seed": 1}
    )
    fields = {"number": number, "players": len(members), "ruleset": rules, **fields}
    table = Table.objects.create(session=club_session, round=round_, is_live=True, **fields)
    Seat.objects.bulk_create(
        Seat(session=club_session, table=table, position=place, member=member, seated=True)
        for place, member in enumerate(members)
    )
    return table


def a_game_table(
    preset: str = "standard-four-handed", *, players: int = 4, slug: str = "thursday", **options
) -> Table:
    """A club with one session and one table of people who can begin to play at once."""
    club = a_club(slug=slug)
    members = members_of(club, players)
    rules = a_ruleset(club, preset, **options)
    return a_table(a_session(club, members), members, rules)


def game_at(table: Table) -> Game:
    """The table's game, stored though nothing is entered yet."""
    game = open_game_log(table).game
    if game.pk is None:
        game.save()
    game.table = table
    return game
