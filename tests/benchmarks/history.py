"""Years of a club, written straight into the database: no game in them is like another.

python -m tests.benchmarks.history 100000      so many hands into the database of the environment

Most games are ordinary; in some a hand was corrected, undone or struck, somebody stood in for
another, a penalty was ruled, a side gave up. What is derived is derived as the site does it.
"""

import os
import sys
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    import django

    django.setup()

from django.db import transaction

from league.exchange.demo_club import random_record
from league.members.models import Club, ClubRuleset, Member
from league.play.game_log import GameLog
from league.play.models import Game, Hand, Result, Ruling
from league.play.results import derived_results, figures
from league.seasons.models import Season
from league.seating.models import Round, Seat, Table
from league.sessions.models import Session
from scoring import Ruleset, check_hand, ruleset
from scoring.endings import Standing
from scoring.games import step

FIRST = date(2016, 1, 7)
TABLES, ROUNDS = 12, 4  # of an evening
EVENINGS = 40  # of a season
LONGEST = 60  # hands of a game
SKILLS = (0.5, 0.5, 0.5, 0.5)
EVENING = datetime(2016, 1, 7, 19, tzinfo=UTC)
ODD = ("corrected", "undone", "struck", "substitute", "renege", "conceded")
ODDITY = 0.06  # of games
IN_DETAIL, ALONE = 0.1, 0.1  # of hands


class Writer:
    """Fills one club, evening by evening, until it has enough hands."""

    def __init__(self, club: Club, rulesets: list[ClubRuleset], people: list[Member], seed: int):
        self.club, self.people, self.chance = club, people, Random(seed)
        self.rulesets = rulesets
        self.hands = 0
        self.season: Season | None = None

    def evening(self, number: int, most: int) -> None:
        """One club night with its seats, games, hands and results; no more hands than `most`."""
        held_on = FIRST + timedelta(days=7 * number)
        if number % EVENINGS == 0:
            name = f"Season {number // EVENINGS + 1}"
            self.season = Season.objects.create(club=self.club, name=name, starts_on=held_on)
        self.night = Session.objects.create(
            club=self.club,
            season=self.season,
            name=f"Night {number}",
            held_on=held_on,
            state="closed",
        )
        books: list[GameLog] = []
        for place in range(ROUNDS):
            round_ = Round.objects.create(
                session=self.night, number=place + 1, state="published", seed=number
            )
            people = self.chance.sample(self.people, 4 * TABLES)
            for table in range(TABLES):
                if self.hands < most:
                    books.append(self.book(round_, table + 1, people[4 * table : 4 * table + 4]))
        self.keep(books)

    def book(self, round_: Round, number: int, people: list[Member]) -> GameLog:
        """One table's game, played to its end, not stored."""
        rules = self.chance.choices(self.rulesets, weights=(16, 3, 1))[0]
        table = Table(
            session=self.night, round=round_, number=number, players=rules.players, ruleset=rules
        )
        game = Game(session=self.night, table=table, ruleset=rules, state="confirmed")
        game.started_at = game.finished_at = EVENING
        seats = [
            Seat(session=self.night, table=table, position=seat, member=member)
            for seat, member in enumerate(people[: rules.players])
        ]
        book = GameLog(table, game, [], [], seats)
        odd = self.chance.choice(ODD) if self.chance.random() < ODDITY else ""
        self.play(book, odd)
        if odd == "substitute" and len(book.hands) > 3:
            self.substitute(book)
        for name, value in figures(book).items():
            setattr(game, name, value)
        return book

    def play(self, book: GameLog, odd: str) -> None:
        """Hand after hand until somebody has won."""
        rules = ruleset(book.game.ruleset.body)
        standing = Standing(score=(0,) * len(rules.sides), next_dealer=0)
        while not standing.over and len(book.versions) < LONGEST:
            dealer = standing.next_dealer or 0
            record = self.record(rules, dealer)
            answer = check_hand(record, rules)
            standing, _faults = step(rules, standing, answer, dealer=dealer)
            hand = _hand(book, len(book.versions) + 1, record)
            hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
            book.versions.append(hand)
            if odd == "conceded" and len(book.versions) == 4 and not standing.over:
                break
        self.hands += len(book.versions)
        self.oddly(book, odd)
        book.changed()

    def oddly(self, book: GameLog, odd: str) -> None:
        """What makes some games no ordinary ones."""
        if odd in ("corrected", "struck"):
            self.replaced(book, struck=odd == "struck")
        if odd == "undone":
            last = book.versions[-1]
            gone = _hand(book, last.number, last.record, current=False)
            last.version = 2
            book.versions.insert(len(book.versions) - 1, gone)
        if odd == "renege":
            book.rulings.append(
                Ruling(game=book.game, after_hand=2, kind="renege", by_seat=1, about_hand=2,
                       client_id=f"{self.chance.getrandbits(64):x}", entered_as="Olive")
            )  # fmt: skip
        if odd == "conceded":
            book.game.ended_by, book.game.ended_seat = "conceded", 1
            book.game.ended_after = len(book.hands)

    def record(self, rules: Ruleset, dealer: int) -> dict[str, Any]:
        """A hand as a table's phone sends it; now and then one with its calls or its cards."""
        if self.chance.random() < IN_DETAIL:
            return random_record(self.chance, rules, dealer=dealer, skills=SKILLS)
        while True:
            contract: dict[str, Any] = {"seat": self.chance.randrange(rules.players)}
            contract["trump"] = self.chance.choice("shdc")
            if self.chance.random() < ALONE:
                contract["alone"] = True
            outcome = self.chance.choices(("made", "march", "euchred"), weights=(6, 2, 2))[0]
            hand = {"dealer": dealer, "outcome": outcome, "contract": contract}
            if check_hand(hand, rules).valid:
                return hand

    def replaced(self, book: GameLog, *, struck: bool) -> None:
        """A hand was written down wrongly first, or counts for nothing in the end."""
        old = self.chance.choice(book.versions)
        new = _hand(book, old.number, old.record)
        new.version, new.points, new.outcome = 2, old.points, old.outcome
        if struck:
            new.struck, new.outcome, new.points = True, "struck", [0] * book.rules.players
        old.current = False
        book.versions.insert(book.versions.index(old) + 1, new)

    def substitute(self, book: GameLog) -> None:
        """Somebody takes a chair after the second hand."""
        there = {seat.member_id for seat in book.seats}
        newcomer = next(one for one in self.people if one.pk not in there)
        place = self.chance.choice(book.seats)
        place.until_hand = 2
        later = Seat(session=self.night, table=book.table, position=place.position, member=newcomer)
        later.from_hand = 3
        book.seats.insert(book.seats.index(place) + 1, later)

    def keep(self, books: list[GameLog]) -> None:
        """Store an evening, everything of one kind in one statement."""
        Table.objects.bulk_create(book.table for book in books)
        for book in books:
            book.game.table_id = book.table.pk
        Game.objects.bulk_create(book.game for book in books)
        parts: tuple[list[Any], ...] = ([], [], [], [])
        for book in books:
            for seat in book.seats:
                seat.table_id = book.table.pk
            for entry in (*book.versions, *book.rulings):
                entry.game_id = book.game.pk
            for part, more in zip(parts, _parts(book), strict=True):
                part += more
        for model, part in zip((Seat, Hand, Ruling, Result), parts, strict=True):
            model.objects.bulk_create(part)


def _parts(book: GameLog) -> tuple[list[Any], ...]:
    return book.seats, book.versions, book.rulings, derived_results(book)


def _hand(book: GameLog, number: int, record: dict[str, Any], *, current: bool = True) -> Hand:
    client_id = f"{book.table.number}-{number}-{len(book.versions)}"
    return Hand(
        game=book.game,
        number=number,
        client_id=client_id,
        current=current,
        record=record,
        points=[],
        entered_as="Table 1",
        entered_at=EVENING,
    )


def written(hands: int, *, seed: int = 1, slug: str = "years") -> Club:
    """A club with so many hands."""
    from tests.builders import a_club, a_ruleset, members_of

    club = a_club("Years of Euchre", slug)
    presets = ("standard-four-handed", "nanaimo-three-handed", "nanaimo-two-handed")
    writer = Writer(club, [a_ruleset(club, one) for one in presets], members_of(club, 60), seed)
    number = 0
    while writer.hands < hands:
        with transaction.atomic():
            writer.evening(number, hands)
        number += 1
    return club


if __name__ == "__main__":
    written(int(sys.argv[1]))
