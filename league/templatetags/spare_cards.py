"""Where two spare cards lie to show a number of points: pure geometry, no Django.

Euchre keeps its score with two cards nobody plays with. Up to the pips of one card, the other
lies face down over those that do not count yet; beyond them it turns face up and covers part of
the first. American players keep two fives for a game of ten, others a six and a four.
Lengths are in units of which a card is 40 wide and 56 high.
"""

from dataclasses import dataclass
from math import cos, radians, sin

WIDTH, HEIGHT = 40.0, 56.0
BACK = 0
Point = tuple[float, float]

PIPS: dict[int, tuple[Point, ...]] = {
    4: ((10, 12), (30, 12), (10, 44), (30, 44)),
    5: ((10, 12), (30, 12), (20, 28), (10, 44), (30, 44)),
    6: ((10, 12), (30, 12), (10, 28), (30, 28), (10, 44), (30, 44)),
}

# How the upper card lies (x, y, turn in degrees) to leave so many pips of the lower card to be
# seen: turned across a corner, pushed aside, or laid sideways.
BESIDE = (44.0, 0.0, 0.0)
CORNER = (26.4, 0.7, 31.0)
COVERS: dict[int, dict[int, tuple[float, float, float]]] = {
    4: {1: CORNER, 2: (20, 0, 0), 3: (20, 60, -90), 4: BESIDE},
    5: {1: CORNER, 2: (15.2, 0, 0), 3: (25.2, 0, 0), 4: (25.2, 58, -90), 5: BESIDE},
    6: {
        1: (29.1, 0.9, 45),
        2: (-8, 60, -90),
        3: (20, 0, 0),
        4: (20, 60, -90),
        5: (61.3, 4.7, 45),
        6: BESIDE,
    },
}
FACE_DOWN = (9.0, 4.0, 12.0)
LARGEST = 12


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table. `rank` 0 shows its back; `numeral` replaces pips where there are
    too many to count."""

    rank: int
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    numeral: str = ""

    @property
    def pips(self) -> tuple[Point, ...]:
        return PIPS.get(self.rank, ())

    def place(self, point: Point) -> Point:
        """Where a point of the card lies on the table."""
        x, y = point
        turned = radians(self.turn)
        return (
            self.x + x * cos(turned) - y * sin(turned),
            self.y + x * sin(turned) + y * cos(turned),
        )

    def covers(self, point: Point) -> bool:
        """Whether a point of the table lies under this card."""
        dx, dy = point[0] - self.x, point[1] - self.y
        turned = radians(self.turn)
        across, down = dx * cos(turned) + dy * sin(turned), -dx * sin(turned) + dy * cos(turned)
        return 0 <= across <= WIDTH and 0 <= down <= HEIGHT


def pair_for(target: int, *, american: bool = True) -> tuple[int, int] | None:
    """The two ranks kept for a game to `target`; None where pips would not reach."""
    if target > LARGEST:
        return None
    if target > 10:
        return (6, 6) if target == 12 else (6, 5)
    return (5, 5) if american else (6, 4)


def lay(points: int, target: int, *, american: bool = True) -> tuple[LaidCard, ...]:
    """The two cards, the lower one first, as they lie for `points` in a game to `target`.

    Points below nought show as none and points over all the pips as all of them: the numeral
    beside the drawing tells the rest. Targets above 12 are shown as numerals on two cards.

    >>> [card.rank for card in lay(7, 10)]
    [5, 5]
    >>> [card.numeral for card in lay(38, 52)]
    ['3', '8']
    """
    pair = pair_for(target, american=american)
    if pair is None:
        tens, units = divmod(min(max(points, 0), 99), 10)
        return (
            LaidCard(0, numeral=str(tens)) if tens else LaidCard(BACK),
            LaidCard(0, *BESIDE, numeral=str(units)),
        )
    lower, upper = pair
    shown = min(max(points, 0), lower + upper)
    if shown == 0:
        return LaidCard(BACK), LaidCard(BACK, *FACE_DOWN)
    if shown <= lower:
        return LaidCard(lower), LaidCard(BACK, *COVERS[lower][shown])
    return LaidCard(lower), LaidCard(upper, *COVERS[lower][shown - upper])


def reach(cards: tuple[LaidCard, ...]) -> tuple[float, float]:
    """How far the cards reach to the left and to the right, with room for their edges."""
    corners = ((0.0, 0.0), (WIDTH, 0.0), (0.0, HEIGHT), (WIDTH, HEIGHT))
    across = [card.place(corner)[0] for card in cards for corner in corners]
    return min(across) - 1, max(across) + 1


def visible_pips(cards: tuple[LaidCard, ...]) -> int:
    """How many pips a player counts: those no later card lies over."""
    seen = 0
    for index, card in enumerate(cards):
        above = cards[index + 1 :]
        spots = [card.place(pip) for pip in card.pips]
        seen += sum(not any(other.covers(spot) for other in above) for spot in spots)
    return seen
