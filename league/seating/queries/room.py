"""The room as it is now: live tables, who sits there, who waits, which tables are done.

Games lie to the right of seating; they are asked for by the names of their fields alone.
"""

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from league.members.models import Member
from league.seating.models import Seat, Table
from league.sessions.models import Session
from league.sessions.queries import ready

ENTERED = (
    Q(games__hands__current=True)
    | Q(games__totals__isnull=False)
    | Q(games__rulings__isnull=False, games__rulings__withdrawn_at=None)
    | Q(games__state__in=("finished", "disputed", "confirmed", "abandoned"))
)
"""Something was entered at the table: a hand, a total, a ruling, or the game was ended."""


def seated() -> Prefetch:
    """Who sits on the chairs now, as `table.chairs`, in order round the table."""
    now = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    return Prefetch("seats", queryset=now, to_attr="chairs")


def with_progress(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Tables that know whether play has `begun` there and whether it is `done`."""
    same = Table.objects.filter(pk=OuterRef("pk"))
    return tables.annotate(
        begun=Exists(same.filter(ENTERED)),
        done=Exists(same.filter(games__isnull=False).exclude(games__state="playing")),
    )


def live_tables(club_session: Session) -> QuerySet[Table]:
    """The tables with people at them, by number, with `chairs`, `begun` and `done`."""
    live = club_session.tables.filter(is_live=True).select_related("round", "ruleset")
    return with_progress(live).prefetch_related(seated()).order_by("number")


def ready_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game is over: their people may be seated anew."""
    return live_tables(club_session).filter(done=True)  # type: ignore[misc]


def has_begun(table: Table) -> bool:
    """Whether anything that counts was entered at this table."""
    return Table.objects.filter(ENTERED, pk=table.pk).exists()


def waiting(club_session: Session) -> QuerySet[Member]:
    """Who is here, wants to play, and sits at no table, by name."""
    at_tables = Seat.objects.filter(session=club_session, seated=True).values("member")
    return ready(club_session).exclude(pk__in=at_tables)
