"""Whole tournaments over HTTP: an organiser at the desk, and a phone at every table."""

from dataclasses import dataclass
from random import Random

from django.test import Client
from django.urls import reverse

from league.play.book import game_of, new_game, open_book
from league.play.links import table_code
from league.seating.models import Table
from league.tournaments.draws import rounds_due
from league.tournaments.standing import standing_of
from tests.builders import rulesets_of
from tests.tournaments.playing import picture, tables
from tests.tournaments.test_play_through import Organiser

OUTCOMES = {"euchred": 2, "made": 3, "march": 5}
PROGRESSIVE = {
    "movement": "winners-up",
    "rounds": 3,
    "unit": "hands",
    "hands": 1,
    "bell_points": 5,
    "tie": "extra_hand",
}
FORMATS = {
    "progressive": PROGRESSIVE,
    "rotation": {"rounds": 3},
    "round_robin": {"games": 1},
    "swiss": {"rounds": 4, "games": 1},
    "knockout": {"games": 1, "third_place": "on", "consolation": "on"},
    "double": {"games": 1},
    "groups": {"groups": 2, "through": 2, "games": 1},
}
SINGLE = ("progressive", "rotation")


class Phone:
    """A phone at a table, come in by its code; it knows nothing but the table's pages."""

    def __init__(self, table: Table) -> None:
        self.table, self.client = table, Client()
        answer = self.client.post(reverse("table_door"), {"code": table_code(table)})
        assert answer.status_code == 302

    def plays(self, chance: Random) -> int:
        """Hands until the game is over; how many they were."""
        sent = 0
        while not (book := self._book()).state.over:
            dealer = book.state.next_dealer
            dealer = self.table.first_dealer if dealer is None else dealer
            self._send(book.next_number, dealer, chance)
            sent += 1
        return sent

    def _send(self, number: int, dealer: int, chance: Random) -> None:
        outcome = chance.choice(list(OUTCOMES))
        answer = self.client.post(
            reverse("save_hand", args=[self.table.public_id]),
            {
                "client_id": f"{self.table.public_id}-{number}",
                "number": number,
                "dealer": dealer,
                "maker": chance.randrange(self.table.players),
                "outcome": outcome,
                "tricks": OUTCOMES[outcome],
                "confirm_unlikely": "on",
            },
        )
        assert answer.status_code == 302, answer.content.decode()[-3000:]

    def _book(self):
        game = game_of(self.table) or new_game(self.table)
        return open_book(self.table, game)


@dataclass(frozen=True)
class Seen:
    """What came of an evening, for the table of figures."""

    rounds: int
    matches: int
    hands: int
    gone: int


class Hall(Organiser):
    """An organiser, and players whose hands come over their tables' phones."""

    def __init__(self, client: Client, people: int) -> None:
        super().__init__(client, people)
        self.hands = 0
        self.club.rulesets.all().delete()
        rulesets_of(self.club, target=2)

    def plays(self, chance: Random) -> None:
        while (last := picture(self.cup).last).open or self._ties(last):
            for table in tables(self.cup).filter(games=None):
                self.hands += Phone(table).plays(chance)
            for match in picture(self.cup).last.matches:
                if match.needs_another:
                    self.orders("game", match=match.key)
            for match in self._ties(picture(self.cup).last):
                self.orders("decide", match=match.key, winner=0, how="extra_hand")

    def corrects(self, table: Table) -> None:
        """An organiser puts the first hand of a finished game right: the others had made it."""
        book = open_book(table, game_of(table))
        hand = book.hand(1)
        record = {**hand.record}
        maker = (record["contract"]["seat"] + 1) % table.players
        answer = self.client.post(
            reverse("table_correct", args=[table.public_id, 1]),
            {
                "client_id": f"{table.public_id}-put-right",
                "number": 1,
                "version": hand.version,
                "dealer": record["dealer"],
                "maker": maker,
                "outcome": "march",
                "tricks": 5,
                "reason": "The other side had called.",
                "confirm_unlikely": "on",
            },
        )
        assert answer.status_code == 302, answer.content.decode()[-3000:]
        assert open_book(table, game_of(table)).hand(1).version == hand.version + 1


def evening(client: Client, format: str, entrants: int, seed: int = 1) -> Seen:
    """A tournament from its set-up to its close: in round 2 an entry withdraws, and after it a
    hand of round 1 is put right. Everything that must hold is asserted on the way."""
    single, chance = format in SINGLE, Random(seed)
    hall = Hall(client, entrants if single else 2 * entrants)
    hall.sets_up(format, **FORMATS[format])
    if not single:
        hall.entry("partners")
    entered = set(picture(hall.cup).entries)
    assert len(entered) == entrants
    gone = None
    while not over(hall):
        hall.publishes()
        seated_once(hall, gone)
        if len(picture(hall.cup).published) == 2:
            gone = picture(hall.cup).last.matches[0].entries[0]
            hall.entry("withdraw", entry=gone)
        hall.plays(chance)
        if len(picture(hall.cup).published) == 2:
            hall.corrects(first_table(hall))
            hall.sees("tournament", "tournament_standings", "tournament_print")
    assert {line.who for line in standing_of(picture(hall.cup)).lines} == entered
    hall.orders("finish")
    hall.sees("tournament", "tournament_standings", "tournament_print", "tournament_entries")
    played = picture(hall.cup)
    return Seen(len(played.published), len(played.matches), hall.hands, gone or 0)


def over(hall: Hall) -> bool:
    """Whether every round the format has is played."""
    now = picture(hall.cup)
    if now.last is None or now.last.open:
        return False
    due = rounds_due(now)
    return due is not None and len(now.published) >= due


def first_table(hall: Hall) -> Table:
    """A table of the first round at which a game was played."""
    match = next(m for m in picture(hall.cup).published[0].matches if m.games)
    tables_ = Table.objects.select_related("session__club", "ruleset", "round")
    return tables_.get(pk=match.games[0].table)


def seated_once(hall: Hall, gone: int | None) -> None:
    """Everybody still in it is drawn once at most, with a bye or at a table; who left is not."""
    last = picture(hall.cup).last
    drawn = [one for match in last.matches if match.games for one in match.entries]
    assert len(drawn) == len(set(drawn))
    assert not set(drawn) & set(last.byes)
    assert gone not in drawn
