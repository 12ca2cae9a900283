"""Evenings with hands written down, for tests of what leaves and enters the site."""

from league.play.actions import record_hand
from league.play.game_log import open_game_log
from league.play.models import Game
from league.seating.models import Table
from scoring import ruleset
from scoring.playouts import random_game
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write


def a_game_of_cards(*, only: int | None = None, **options: object) -> Game:
    """A game at a table of four, every hand with all its cards; `only` so many hands of it."""
    table = a_game_table(may_discard_upcard=True, **options)
    hands = random_game(ruleset(table.ruleset.body), seed=5)[:only]
    for number, hand in enumerate(hands, 1):
        record = {k: v for k, v in hand.to_json().items() if k not in ("ruleset", "options")}
        record_hand(
            table,
            record,
            client_id=f"hand-{number:04}",
            by=TEST,
            at=EIGHT,
            confirm_unlikely=True,
        )
    return game_at_table(table)


def a_game_of_counts(*hands: tuple[int, int], players: int = 4, **options: object) -> Game:
    """A game at a table that writes down who called and how many tricks they took."""
    preset = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed"}
    table = a_game_table(preset.get(players, "standard-four-handed"), players=players, **options)
    write(table, *hands)
    return game_at_table(table)


def game_at_table(table: Table) -> Game:
    return open_game_log(table).game
