"""The evening that is on: one round played, the second half way, with all that organisers meet."""

from datetime import datetime, timedelta
from typing import Any

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
    """A trick written down for the wrong partner: the points, and so the game, stay as they are."""
    for hand in going.table.games.get().hands.filter(current=True):
        counted = _other_partner(hand.record)
        if counted is not None:
            correct_hand(
                going.table,
                hand.number,
                {**hand.record, "tricks_won": counted},
                reason="One trick was written down for the wrong partner.",
                expected_version=hand.version,
                client_id=f"demo-{going.table.public_id}-right",
                by=by,
                at=at,
                as_organiser=True,
            )
            return


def _other_partner(record: dict[str, Any]) -> list[int] | None:
    """The tricks with one moved between partners; None where the hand does not count them so."""
    won = record.get("tricks_won")
    lone = (record.get("contract") or {}).get("alone")
    if not isinstance(won, list) or len(won) != 4 or lone or record.get("auction"):
        return None
    giver = next(seat for seat in range(4) if won[seat])
    return [n - (s == giver) + (s == (giver + 2) % 4) for s, n in enumerate(won)]


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
