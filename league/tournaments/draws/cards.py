"""Movement cards drawn up before play: kept as what they are made from, made again when needed."""

from dataclasses import dataclass
from typing import Any

from league.tournaments.picture import Picture


@dataclass(frozen=True, slots=True)
class Card:
    """What a card is made from: for whom, from which round to which, by which seed."""

    first: int
    last: int
    players: tuple[int, ...]
    seed: int
    is_new: bool = False

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1

    @property
    def stored(self) -> dict[str, Any] | None:
        """What to keep of a new card; None of one kept already."""
        if not self.is_new:
            return None
        return {
            "from": self.first,
            "to": self.last,
            "players": list(self.players),
            "seed": self.seed,
        }


def card_for(picture: Picture, number: int, seed: int) -> Card:
    """The card that round `number` is read from: a new one when the field has changed."""
    players = tuple(sorted(picture.playing))
    kept: dict[str, Any] | None = picture.cards[-1] if picture.cards else None
    last = picture.chosen.rounds
    if kept is not None and tuple(kept["players"]) == players and kept["to"] == last:
        return Card(kept["from"], last, players, kept["seed"])
    return Card(number, last, players, seed, is_new=True)
