"""The demo club: its people, the evenings played hand by hand, the one that is on, and the next."""

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
from league.sessions.actions import (
    add_guest,
    arrive,
    close_session,
    sign_up,
    start_clock,
    start_session,
)
from league.sessions.models import Session
from scoring import GameState, Ruleset, check_hand, play_game, ruleset
from scoring.playouts import random_hand, thinned

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
PRESETS = {**DEFAULT_PRESETS, 4: "nanaimo-four-handed-standard"}
WORDS = ("felt", "brass", "paper", "bower", "trump", "march", "kitty", "loner", "spade", "heart")
DEMO = Actor("Demo", source="command line")


def password_of(username: str) -> str:
    """The same on every start of one installation, and nobody else's: made from its secret key."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"demo {username}".encode(), "sha256")
    words = [WORDS[byte % len(WORDS)] for byte in digest[:3]]
    return "-".join([*words, str(int.from_bytes(digest[3:6], "big") % 9000 + 1000)])


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays in the demo, how well (0 to 1, by member), by whose hand and random numbers."""

    club: Club
    season: Season
    skills: dict[int, float]
    rng: Random
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


def skills_of(members: list[Member], rng: Random) -> dict[int, float]:
    """How well each plays, 0 to 1: what a season's table should bring to light."""
    return {member.pk: rng.betavariate(2.5, 2.5) for member in members}


# How much a table writes down: mostly the tricks, now and then the calls or every card.
LEVELS = {"counts": 0.6, "auction": 0.2, "outcome": 0.12, "cards": 0.08}
TRIES = 50
ALONE = 0.12
CALLED_AFTER_ALL = 0.85  # people pass less than the play-outs do


def a_hand(rng: Random, rules: Ruleset, *, dealer: int, skills: Sequence[float]) -> dict[str, Any]:
    """One hand that the rules allow and nobody would ask about.

    `skills` by seat, 0 to 1: of the euchres the better makers would suffer, some are dealt away.
    """
    for _ in range(TRIES):
        hand = random_hand(rules, rng.getrandbits(32), dealer=dealer)
        answer = check_hand(hand, rules)
        if answer.outcome == "thrown-in" and rng.random() < CALLED_AFTER_ALL:
            continue
        makers = [skills[seat] for seat in answer.makers or ()]
        if answer.outcome == "euchred" and rng.random() < sum(makers) / len(makers) - 0.2:
            continue
        level = rng.choices(list(LEVELS), weights=list(LEVELS.values()))[0]
        record = _bolder(rng, rules, thinned(hand, rules, level).to_json())
        answer = check_hand(record, rules)
        if answer.valid and not answer.warnings:
            return record
    raise ValueError(f"No hand found for {rules.id} in {TRIES} tries.")


def _bolder(rng: Random, rules: Ruleset, record: dict[str, Any]) -> dict[str, Any]:
    """People go alone more often than the play-outs do: some counted hands become lone ones."""
    won, contract = record.get("tricks_won"), record.get("contract")
    if rules.players != 4 or not isinstance(won, list) or not contract or rng.random() > ALONE:
        return record
    maker = contract["seat"]
    partner = (maker + 2) % 4
    counted = [*won]
    counted[maker], counted[partner] = won[maker] + won[partner], 0
    return {**record, "contract": {**contract, "alone": True}, "tricks_won": counted}


BETWEEN_HANDS = (70, 130)  # seconds: a hand of Euchre takes about a minute and a half


@dataclass
class Play:
    """One table's game as it goes on: what has been sent, and the time on the wall."""

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


def sit_down(table: Table, skills: dict[int, float], at: datetime) -> Play:
    """A table whose first hand is about to be dealt."""
    seats = table.seats.filter(until_hand=None).order_by("position")
    by_seat = [skills.get(seat.member_id, 0.5) for seat in seats]
    return Play(table, ruleset(table.ruleset.body), by_seat, [], at)


def play(
    going: Play,
    rng: Random,
    *,
    until: datetime,
    most: int | None = None,
    pace: float = 1.0,
) -> bool:
    """Play on until the game is won, the clock shows `until`, or `most` hands are played; whether
    it was won. A `pace` under 1 is a quicker table's."""
    state = going.state
    while not state.over:
        spent = timedelta(seconds=pace * rng.randint(*BETWEEN_HANDS))
        if going.at + spent > until or (most is not None and len(going.records) >= most):
            return False
        going.at += spent
        dealer = going.table.first_dealer if state.next_dealer is None else state.next_dealer
        record = a_hand(rng, going.rules, dealer=dealer, skills=going.skills)
        going.records.append(record)
        record_hand(
            going.table,
            record,
            client_id=f"demo-{going.table.public_id}-{len(going.records)}",
            by=going.by,
            at=going.at,
        )
        state = going.state
    return True


def accept(going: Play) -> None:
    """The other side says yes to the score."""
    loser = next(seat for seat in range(going.rules.players) if seat not in going.state.winners)
    going.at += timedelta(seconds=20)
    confirm_game(going.table, by=going.by, at=going.at, seat=loser)


ROUNDS = 2  # a third would make the first start longer by a third
ROUND = timedelta(minutes=50)
# How many came on each evening: together every composition of tables.
CAME_BEFORE = (20, 17, 22, 15, 19, 18, 21, 14)
GUESTS = {2: ("Marie Lund",), 4: ("Chuck Ferris",), 6: ("Marie Lund",)}


def past_evenings(cast: Cast, *, now: datetime) -> None:
    """One evening a week up to last week."""
    for index, came in enumerate(CAME_BEFORE):
        opens = now - timedelta(weeks=len(CAME_BEFORE) - index)
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
            if play(going, cast.rng, until=at + timedelta(hours=3)):
                accept(going)
    return close_session(night, by=cast.by, at=at + ROUND)


def open_night(cast: Cast, *, at: datetime, came: int, guests: tuple[str, ...] = ()) -> Session:
    """A session with members ticked off and guests noted down, `came` people in all."""
    night = start_session(cast.club, by=cast.by, at=at, season=cast.season)
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for member in cast.rng.sample(members, came - len(guests)):
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
    draft = draft_round(night, by=cast.by, seed=cast.rng.randrange(2**31))
    published = publish(draft, by=cast.by, at=at)
    return list(published.tables.select_related("ruleset", "session").order_by("number"))


OPENED, FIRST, SECOND = timedelta(minutes=95), timedelta(minutes=80), timedelta(minutes=26)
CAME_TONIGHT = 25
ROUND_MINUTES = 45


def evening_that_is_on(cast: Cast, *, now: datetime) -> Session:
    """Tonight's session as an organiser finds it when she comes back from the bar."""
    night = open_night(cast, at=now - OPENED, came=CAME_TONIGHT, guests=("Paula Ortiz",))
    _first_round(night, cast, now - FIRST, until=now - SECOND)
    _second_round(night, cast, now - SECOND, now)
    _somebody_late(night, cast.by, now - timedelta(minutes=4))
    return start_clock(night, minutes=ROUND_MINUTES, by=cast.by, at=now - SECOND)


def _first_round(night: Session, cast: Cast, at: datetime, *, until: datetime) -> None:
    """All tables done and accepted, one hand put right afterwards."""
    ended = []
    for table in seat(night, cast, at=at):
        going = sit_down(table, cast.skills, at)
        play(going, cast.rng, until=at + timedelta(hours=5), pace=0.7)
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
        play(going, cast.rng, until=now + timedelta(hours=5), pace=0.5)
        going.at = min(going.at, now - timedelta(minutes=2))
    accept(accepted)
    dispute_game(
        disputed.table,
        reason="One of our hands is missing from the sheet.",
        by=disputed.by,
        at=now - timedelta(minutes=1),
        seat=1,
    )
    for number, going in enumerate(others[:-1]):
        play(going, cast.rng, until=now, most=4 + number)


def _somebody_late(night: Session, by: Actor, at: datetime) -> None:
    there = night.attendances.values("member")
    late = Member.objects.filter(club=night.club, is_guest=False).exclude(pk__in=there).first()
    if late is not None:
        arrive(night, late, by=by, at=at)


PLACES, WANTED = 24, 26
LAST = "Ted Marsh"
"""The member with an account: on the waiting list, to be seen moving up."""


def next_evening(cast: Cast, *, now: datetime) -> Session:
    """An evening a week ahead, with everybody signed up who wants to come."""
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
    wanted = cast.rng.sample(list(members.order_by("pk")), WANTED - 1)
    for member in [*wanted, Member.objects.get(club=cast.club, name=LAST)]:
        sign_up(night, member, by=cast.by, at=now)
    return night
