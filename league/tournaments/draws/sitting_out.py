"""Who has the bye: nobody has a second before everybody has had a first."""

from league.pairing.rng import Rng
from league.tournaments.picture import Picture


def who_sits_out(picture: Picture, count: int, chance: Rng) -> tuple[int, ...]:
    """So many entries of those playing: who has had fewest byes, by lot among equals."""
    had = picture.byes_had()
    people = sorted(picture.playing)
    chance.shuffle(people)
    return tuple(sorted(people, key=lambda one: had.get(one, 0))[:count])
