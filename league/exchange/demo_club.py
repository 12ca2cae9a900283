"""The demo club: its players, past sessions played hand by hand, one under way, and the next."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings

from league.members.actions import (
    add_member,
    change_settings,
    create_club,
    link_account,
)
from league.members.actions.roles import give_role
from league.members.audit import Actor
from league.members.models import Club, Member, Role, User
from league.members.presets import DEFAULT_PRESETS
from league.play.actions import confirm_game, correct_hand, dispute_game, record_hand
from league.seasons.models import Season
from league.seating.actions import draft_round, publish
from league.seating.models import Table
from league.sessions.actions import close_session, start_clock, start_session
from league.sessions.attendance import add_guest, arrive, sign_up
from league.sessions.models import Session
from scoring import GameState, Ruleset, check_hand, play_game, ruleset
from scoring.playouts import random_hand, thinned

NAMES = Path(__file__).with_name("demo_members.txt")
SLUG = "harbour-lights"
# Accounts: user name, rank, and the member they play as.
ACCOUNTS = (
    ("rose", Role.Rank.OWNER, "Rose Whitfield"),
    ("bill", Role.Rank.ORGANISER, "Bill Okafor"),
    ("ann", Role.Rank.SCOREKEEPER, "Ann Leclerc"),
    ("ted", Role.Rank.MEMBER, "Ted Marsh"),
)
# A march scores 2 with a partner and 4 alone, so that going alone is worth trying.
PRESETS = {**DEFAULT_PRESETS, 4: "nanaimo-four-handed-standard"}
WELCOME = """\
Forty of us play Euchre for fun, once a week.
Everyone may come, beginners too: be there fifteen minutes early.
If the list is full, ask us all the same: somebody often withdraws.
An evening is $4, tea and biscuits included.
Questions? Write to euchre@harbour-lights.example, or ask at the scorer's table."""
WORDS = ("felt", "brass", "paper", "bower", "trump", "march", "kitty", "loner", "spade", "heart")
DEMO = Actor("Demo", source="command line")


def password_of(username: str) -> str:
    """A password derived from the secret key, so that it is always the same on one installation
    and different on others."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"demo {username}".encode(), "sha256")
    words = [WORDS[byte % len(WORDS)] for byte in digest[:3]]
    return "-".join([*words, str(int.from_bytes(digest[3:6], "big") % 9000 + 1000)])


@dataclass(frozen=True, slots=True)
class Cast:
    """The demo's club and season, the skills of its members (0 to 1, by id), a random number
    generator, and the actor of all actions."""

    club: Club
    season: Season
    skills: dict[int, float]
    rng: Random
    by: Actor = DEMO


def make_club() -> Club:
    """Create the club with its rulesets, forty members and an account for each role."""
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
        venue="Harbour Hall, Quay Street",
        welcome=WELCOME,
    )
    for name in NAMES.read_text().splitlines():
        add_member(club, name=name, by=by)
    for username, rank, name in ACCOUNTS:
        if rank != Role.Rank.OWNER:
            give_role(club, username=username, rank=rank, by=by)
        link_account(Member.objects.get(club=club, name=name), username=username, by=by)
    return club


def _account(username: str, name: str) -> None:
    user, is_new = User.objects.get_or_create(username=username, defaults={"display_name": name})
    if is_new:
        user.set_password(password_of(username))
        user.save()


def skills_of(members: list[Member], rng: Random) -> dict[int, float]:
    """Random skills by member id, 0 to 1, which the season's standings should reflect."""
    return {member.pk: rng.betavariate(2.5, 2.5) for member in members}


# How detailed a hand's record is: mostly the tricks, sometimes the bidding or every card.
LEVELS = {"counts": 0.6, "auction": 0.2, "outcome": 0.12, "cards": 0.08}
TRIES = 50
ALONE = 0.12
CALL_INSTEAD = 0.85  # people pass less often than the play-outs


def random_record(
    rng: Random, rules: Ruleset, *, dealer: int, skills: Sequence[float]
) -> dict[str, Any]:
    """The record of a random hand without faults or warnings.

    `skills` are by seat, 0 to 1: the more skilful the makers, the more of their euchres are dealt
    again.
    """
    for _ in range(TRIES):
        hand = random_hand(rules, rng.getrandbits(32), dealer=dealer)
        answer = check_hand(hand, rules)
        if answer.outcome == "thrown-in" and rng.random() < CALL_INSTEAD:
            continue
        makers = [skills[seat] for seat in answer.makers or ()]
        if answer.outcome == "euchred" and rng.random() < sum(makers) / len(makers) - 0.2:
            continue
        level = rng.choices(list(LEVELS), weights=list(LEVELS.values()))[0]
        record = _maybe_alone(rng, rules, thinned(hand, rules, level).to_json())
        answer = check_hand(record, rules)
        if answer.valid and not answer.warnings:
            return record
    raise ValueError(f"No hand found for {rules.id} in {TRIES} tries.")


def _maybe_alone(rng: Random, rules: Ruleset, record: dict[str, Any]) -> dict[str, Any]:
    """Turn some records with counted tricks into lone hands: people go alone more often than the
    play-outs."""
    tricks, contract = record.get("tricks_won"), record.get("contract")
    if rules.players != 4 or not isinstance(tricks, list) or not contract or rng.random() > ALONE:
        return record
    maker = contract["seat"]
    partner = (maker + 2) % 4
    lone_tricks = [*tricks]
    lone_tricks[maker], lone_tricks[partner] = tricks[maker] + tricks[partner], 0
    return {**record, "contract": {**contract, "alone": True}, "tricks_won": lone_tricks}


BETWEEN_HANDS = (70, 130)  # seconds: a hand of Euchre takes about a minute and a half


@dataclass
class TablePlay:
    """A game in progress at a table: the records sent so far, and the current time."""

    table: Table
    rules: Ruleset
    skills: list[float]
    records: list[dict]
    at: datetime

    @property
    def by(self) -> Actor:
        return Actor(f"phone at table {self.table.number}", source="demo")

    @property
    def state(self) -> GameState:
        return play_game(self.rules, self.records, first_dealer=self.table.first_dealer)


def start_table(table: Table, skills: dict[int, float], at: datetime) -> TablePlay:
    """The game of a table before its first hand."""
    seats = table.seats.filter(until_hand=None).order_by("position")
    by_seat = [skills.get(seat.member_id, 0.5) for seat in seats]
    return TablePlay(table, ruleset(table.ruleset.body), by_seat, [], at)


def play(
    table_play: TablePlay,
    rng: Random,
    *,
    until: datetime,
    most: int | None = None,
    pace: float = 1.0,
) -> bool:
    """Play until the game is won, the time is `until`, or `most` hands are played; return whether
    it was won. A `pace` below 1 is faster."""
    state = table_play.state
    while not state.over:
        duration = timedelta(seconds=pace * rng.randint(*BETWEEN_HANDS))
        has_played_most = most is not None and len(table_play.records) >= most
        if table_play.at + duration > until or has_played_most:
            return False
        table_play.at += duration
        dealer = table_play.table.first_dealer if state.next_dealer is None else state.next_dealer
        record = random_record(rng, table_play.rules, dealer=dealer, skills=table_play.skills)
        table_play.records.append(record)
        record_hand(
            table_play.table,
            record,
            client_id=f"demo-{table_play.table.public_id}-{len(table_play.records)}",
            by=table_play.by,
            at=table_play.at,
        )
        state = table_play.state
    return True


def accept(table_play: TablePlay) -> None:
    """Let a side that did not win confirm the score; any side after a draw."""
    seats = range(table_play.rules.players)
    loser = next((seat for seat in seats if seat not in table_play.state.winners), 0)
    table_play.at += timedelta(seconds=20)
    confirm_game(table_play.table, by=table_play.by, at=table_play.at, seat=loser)


ROUNDS = 2  # more rounds would make loading the demo slower
ROUND = timedelta(minutes=50)
# The attendance of each past session; together they need every combination of table sizes.
PAST_ATTENDANCE = (20, 17, 22, 15, 19, 18, 21, 14)
GUESTS = {2: ("Marie Lund",), 4: ("Chuck Ferris",), 6: ("Marie Lund",)}


def past_evenings(cast: Cast, *, now: datetime) -> None:
    """Play one session a week, up to last week."""
    for index, attendance in enumerate(PAST_ATTENDANCE):
        opens = at_the_door(cast.club, now - timedelta(weeks=len(PAST_ATTENDANCE) - index))
        play_evening(cast, at=opens, attendance=attendance, guests=GUESTS.get(index, ()))


def at_the_door(club: Club, moment: datetime) -> datetime:
    """When a past session of that day opened: a quarter past seven in the evening."""
    return club.local(moment).replace(hour=19, minute=15, second=0, microsecond=0)


def play_evening(
    cast: Cast, *, at: datetime, attendance: int, guests: tuple[str, ...] = (), rounds: int = ROUNDS
) -> Session:
    """Play a whole session: check-in, all rounds with their results confirmed, and its end."""
    night = open_session(cast, at=at, attendance=attendance, guests=guests)
    for number in range(rounds):
        at += ROUND if number else timedelta(minutes=15)
        for table in seat_round(night, cast, at=at):
            table_play = start_table(table, cast.skills, at)
            if play(table_play, cast.rng, until=at + timedelta(hours=3)):
                accept(table_play)
    return close_session(night, by=cast.by, at=at + ROUND)


def open_session(
    cast: Cast, *, at: datetime, attendance: int, guests: tuple[str, ...] = ()
) -> Session:
    """Open a session, and check in guests and random members, `attendance` players in all."""
    begins_at = start_time(cast.club, at)
    night = start_session(cast.club, by=cast.by, at=at, season=cast.season, begins_at=begins_at)
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for member in cast.rng.sample(members, attendance - len(guests)):
        arrive(night, member, by=cast.by, at=at)
    for name in guests:
        guest = Member.objects.filter(club=cast.club, name=name).first()
        if guest is None:
            add_guest(night, name, by=cast.by, at=at)
        else:
            arrive(night, guest, by=cast.by, at=at)
    return night


def start_time(club: Club, opened: datetime) -> time:
    """When a session begins that was opened then: a quarter of an hour later, at a full quarter."""
    start = club.local(opened + timedelta(minutes=15))
    return time(start.hour, start.minute // 15 * 15)


def seat_round(night: Session, cast: Cast, *, at: datetime) -> list[Table]:
    """Make and publish tables for all free players by the club's rules; return the new tables."""
    draft = draft_round(night, by=cast.by, seed=cast.rng.randrange(2**31))
    published = publish(draft, by=cast.by, at=at)
    return list(published.tables.select_related("ruleset", "session").order_by("number"))


OPENED, FIRST, SECOND = timedelta(minutes=95), timedelta(minutes=80), timedelta(minutes=26)
ATTENDANCE = 25
ROUND_MINUTES = 45


def current_evening(cast: Cast, *, now: datetime) -> Session:
    """Tonight's session, in the middle of its second round."""
    night = open_session(cast, at=now - OPENED, attendance=ATTENDANCE, guests=("Paula Ortiz",))
    _first_round(night, cast, now - FIRST, until=now - SECOND)
    _second_round(night, cast, now - SECOND, now)
    _check_in_late(night, cast.by, now - timedelta(minutes=4))
    return start_clock(night, minutes=ROUND_MINUTES, by=cast.by, at=now - SECOND)


def _first_round(night: Session, cast: Cast, at: datetime, *, until: datetime) -> None:
    """Play all tables to the end, confirm the results, and correct one hand afterwards."""
    finished = []
    for table in seat_round(night, cast, at=at):
        table_play = start_table(table, cast.skills, at)
        play(table_play, cast.rng, until=at + timedelta(hours=5), pace=0.7)
        table_play.at = min(table_play.at, until - timedelta(minutes=1))
        finished.append(table_play)
    for table_play in finished:
        accept(table_play)
    _correct_hand(finished[0], cast.by, until)


def _correct_hand(table_play: TablePlay, by: Actor, at: datetime) -> None:
    """Move a trick that was entered for the wrong partner; the points stay the same."""
    for hand in table_play.table.games.get().hands.filter(current=True):
        tricks = _with_trick_moved(hand.record)
        if tricks is not None:
            correct_hand(
                table_play.table,
                hand.number,
                {**hand.record, "tricks_won": tricks},
                reason="One trick was written down for the wrong partner.",
                expected_version=hand.version,
                client_id=f"demo-{table_play.table.public_id}-right",
                by=by,
                at=at,
                as_organiser=True,
            )
            return


def _with_trick_moved(record: dict[str, Any]) -> list[int] | None:
    """The tricks with one moved between partners; None where the record does not allow it."""
    tricks = record.get("tricks_won")
    is_lone = (record.get("contract") or {}).get("alone")
    if not isinstance(tricks, list) or len(tricks) != 4 or is_lone or record.get("auction"):
        return None
    giver = next(seat for seat in range(4) if tricks[seat])
    return [n - (s == giver) + (s == (giver + 2) % 4) for s, n in enumerate(tricks)]


def _second_round(night: Session, cast: Cast, at: datetime, now: datetime) -> None:
    """Play one game that is confirmed, one disputed and one unconfirmed; of the others all but the
    last are under way."""
    tables = [start_table(table, cast.skills, at) for table in seat_round(night, cast, at=at)]
    accepted, disputed, unconfirmed, *unfinished = tables
    for table_play in (accepted, disputed, unconfirmed):
        play(table_play, cast.rng, until=now + timedelta(hours=5), pace=0.5)
        table_play.at = min(table_play.at, now - timedelta(minutes=2))
    accept(accepted)
    dispute_game(
        disputed.table,
        reason="One of our hands is missing from the sheet.",
        by=disputed.by,
        at=now - timedelta(minutes=1),
        seat=1,
    )
    for number, table_play in enumerate(unfinished[:-1]):
        play(table_play, cast.rng, until=now, most=4 + number)


def _check_in_late(night: Session, by: Actor, at: datetime) -> None:
    present = night.attendances.values("member")
    late = Member.objects.filter(club=night.club, is_guest=False).exclude(pk__in=present).first()
    if late is not None:
        arrive(night, late, by=by, at=at)


PLACES, SIGN_UPS = 24, 26
LAST = "Ted Marsh"
"""A member with an account who is on the waiting list, so that it can be seen moving up."""


def next_evening(cast: Cast, *, now: datetime) -> Session:
    """A session in a week, with sign-ups for more than all places."""
    night = start_session(
        cast.club,
        by=cast.by,
        at=now,
        held_on=(cast.club.local(now) + timedelta(weeks=1)).date(),
        season=cast.season,
        begins_at=time(19, 30),
        places=PLACES,
    )
    members = Member.objects.filter(club=cast.club, is_guest=False).exclude(name=LAST)
    first_members = cast.rng.sample(list(members.order_by("pk")), SIGN_UPS - 1)
    for member in [*first_members, Member.objects.get(club=cast.club, name=LAST)]:
        sign_up(night, member, by=cast.by, at=now)
    return night
