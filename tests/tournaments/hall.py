"""An organiser at the desk and a phone at every table: what whole tournaments are played with."""

from random import Random

from django.test import Client
from django.urls import reverse

from league.play.auth import table_code
from league.play.game_log import open_game_log
from league.seating.models import Table
from league.tournaments.ties import contenders
from tests.builders import members_of, rulesets_of
from tests.tournaments.playing import state_of, tables
from tests.tournaments.test_play_through import Organiser

OUTCOMES = {"euchred": 2, "made": 3, "march": 5}


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
        return open_game_log(self.table)


class Hall(Organiser):
    """An organiser, and players whose hands come over their tables' phones."""

    def __init__(self, client: Client, people: int) -> None:
        super().__init__(client, people)
        self.hands = 0
        self.club.rulesets.all().delete()
        rulesets_of(self.club, target=2)

    def plays(self, chance: Random) -> None:
        while (last := state_of(self.cup).last).open_matches or self._ties(last):
            for table in tables(self.cup).filter(games=None):
                self.hands += Phone(table).plays(chance)
            for match in state_of(self.cup).last.matches:
                if match.needs_another:
                    self.presses("game", match=match.key)
            for match in self._ties(state_of(self.cup).last):
                self.presses(
                    "decide", match=match.key, winner=contenders(match)[0], how="extra_hand"
                )

    def comes_late(self, pair: bool) -> str:
        """Somebody, or a pair, enters when a round has been played; why not, where refused."""
        new = members_of(self.club, len(self.members) + 1 + pair)[len(self.members) :]
        self.members += new
        data = dict(zip(("member", "partner"), (one.public_id for one in new), strict=False))
        answer = self.client.post(self.address("tournament_enter"), data)
        if answer.status_code == 302:
            return self._agrees(answer["Location"], data)
        form = answer.context["form"]
        assert answer.status_code == 422, answer
        return " ".join(form.non_field_errors())

    def _agrees(self, url: str, data: dict[str, str]) -> str:
        """Where the draw is full, what it costs is looked at and agreed to; how it was."""
        page = self.client.get(url)
        if url == self.address("tournament_entries"):
            return ""
        if not page.context["plan"] or (
            page.context["missed"] and len(state_of(self.cup).entries) % 4 == 1
        ):
            data = data | {"way": "byes"}
            page = self.client.post(self.address("tournament_enter"), data, follow=True)
            assert page.redirect_chain
            return ""
        plan = page.context["plan"]
        data = data | {"seed": str(plan.seed), "seen": plan.seen, "way": plan.kind}
        page = self.client.post(self.address("tournament_late"), data, follow=True)
        assert [message.level_tag for message in page.context["messages"]] == ["success"]
        return ""

    def corrects(self, table: Table) -> None:
        """An organiser puts the first hand of a finished game right: the others had made it."""
        book = open_game_log(table)
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
        assert open_game_log(table).hand(1).version == hand.version + 1
