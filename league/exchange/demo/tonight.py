"""The evening that is on: one round played, the second half way, with all that organisers meet."""

from datetime import datetime, timedelta

from league.exchange.demo.nights import open_night, seat
from league.exchange.demo.people import Cast
from league.exchange.demo.tables import Play, accept, play, sit_down
from league.members.audit import Actor
from league.members.models import Member
from league.play.actions import correct_hand, dispute_game
from league.sessions.actions import arrive, start_clock
from league.sessions.models import Session

OPENED, FIRST, SECOND = timedelta(minutes=95), timedelta(minutes=80), timedelta(minutes=26)
CAME = 25
ROUND_MINUTES = 45


def evening_that_is_on(cast: Cast, *, now: datetime) -> Session:
    """Tonight's session as an organiser finds it when she comes back from the bar."""
    night = open_night(cast, at=now - OPENED, came=CAME, guests=("Paula Ortiz",))
    _first_round(night, cast, now - FIRST, until=now - SECOND)
    _second_round(night, cast, now - SECOND, now)
    _somebody_late(night, cast.by, now - timedelta(minutes=4))
    return start_clock(night, minutes=ROUND_MINUTES, by=cast.by, at=now - SECOND)


def _first_round(night: Session, cast: Cast, at: datetime, *, until: datetime) -> None:
    """All tables done and accepted, one hand put right afterwards."""
    ended = []
    for table in seat(night, cast, at=at):
        going = sit_down(table, cast.skills, at)
        play(going, cast.chance, until=at + timedelta(hours=5), pace=0.7)
        going.at = min(going.at, until - timedelta(minutes=1))
        ended.append(going)
    for going in ended:
        accept(going)
    _put_right(ended[0], cast.by, until)


def _put_right(going: Play, by: Actor, at: datetime) -> None:
    """A trick counted wrong in an early hand: the points, and so the game, stay as they are."""
    for hand in going.table.games.get().hands.filter(current=True):
        makers = (hand.record.get("tricks_won") or {}).get("makers")
        other = {1: 2, 2: 1, 3: 4, 4: 3}.get(makers or 0)
        if other is not None:
            correct_hand(
                going.table,
                hand.number,
                {**hand.record, "tricks_won": {"makers": other}},
                reason="The last trick was counted for the wrong side.",
                expected_version=hand.version,
                client_id=f"demo-{going.table.public_id}-right",
                by=by,
                at=at,
                as_organiser=True,
            )
            return


def _second_round(night: Session, cast: Cast, at: datetime, now: datetime) -> None:
    """A game accepted, one disputed, one waiting, others under way, the last not begun."""
    tables = [sit_down(table, cast.skills, at) for table in seat(night, cast, at=at)]
    accepted, disputed, waiting, *others = tables
    for going in (accepted, disputed, waiting):
        play(going, cast.chance, until=now + timedelta(hours=5), pace=0.5)
        going.at = min(going.at, now - timedelta(minutes=2))
    accept(accepted)
    dispute_game(
        disputed.table,
        reason="Hand 4 was a march, not four tricks.",
        by=disputed.by,
        at=now - timedelta(minutes=1),
        seat=1,
    )
    for number, going in enumerate(others[:-1]):
        play(going, cast.chance, until=now, most=4 + number)


def _somebody_late(night: Session, by: Actor, at: datetime) -> None:
    there = night.attendances.values("member")
    late = Member.objects.filter(club=night.club, is_guest=False).exclude(pk__in=there).first()
    if late is not None:
        arrive(night, late, by=by, at=at)
