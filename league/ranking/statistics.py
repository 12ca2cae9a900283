"""A player's statistics from recorded hands and finished games. Pure and exact.

Every figure is a count out of a total, so that a page can always show how many it is based on.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property

__all__ = ["Calls", "Career", "Company", "Deal", "PlayedGame", "Rate", "beaten_word"]

MADE = ("made", "march")
BEATEN = ("euchred", "set")
PLACES = ("eldest", "partner", "right", "dealer", "other")


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand from the view of the player on `seat`.

    `caller` is the seat that made trump or won the bid (None: passed out), `round` the round of
    bidding in which it did, where that was recorded; `sides` is the number of sides at the table.
    `bid`: the hand belongs to a bid game, which has no marches and where a lone bid is made with
    all the tricks. `lone`: the game allows playing alone.
    """

    session: int
    players: int
    seat: int
    dealer: int
    caller: int | None
    round: int | None
    alone: bool
    outcome: str
    sides: int
    bid: bool = False
    lone: bool = True

    @property
    def place(self) -> str:
        """The seat relative to the dealer; "other" for opponents not next to the dealer."""
        after = (self.seat - self.dealer) % self.players
        beside = {self.players - 1: "right", 1: "eldest", 0: "dealer"}
        return beside.get(after, "other" if after % self.sides else "partner")

    @property
    def own_call(self) -> bool:
        return self.caller == self.seat

    @property
    def lone_march(self) -> bool:
        return self.alone and self.outcome in (MADE if self.bid else ("march",))

    @property
    def own_side_called(self) -> bool:
        if self.caller is None:
            return False
        return (self.caller - self.seat) % self.sides == 0


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game of a player: partners, opponents, and the share of the win they took.

    `credit` is what the game won counts beyond that share, where each co-winner gets the whole
    game. `hands` is the number of recorded hands, and `difference` the player's points in them
    minus those of the other side (of single players: minus the mean of the others). `tied`: the
    game ended early at equal scores. `left`: a substitute ended the game in the player's seat, so
    that only the hands are the player's.
    """

    session: int
    held_on: date
    players: int
    won: Fraction
    expected: Fraction
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    hands: int = 0
    difference: Fraction = Fraction(0)
    credit: Fraction = Fraction(0)
    tied: bool = False
    left: bool = False

    @property
    def games_won(self) -> Fraction:
        return self.won + self.credit


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` out of `of`."""

    count: Fraction
    of: int

    @property
    def share(self) -> Fraction | None:
        """The quotient; None where there is nothing to divide by."""
        return self.count / self.of if self.of else None


def beaten_word(bids: Iterable[bool]) -> str:
    """The word for a failed call: "set" where all games are bid games, "euchred" where none is,
    "both" where there are both kinds."""
    kinds = set(bids)
    return "both" if len(kinds) > 1 else "set" if True in kinds else "euchred"


def rate(deals: Iterable[Deal], *outcomes: str) -> Rate:
    """How many of the hands ended in one of these outcomes."""
    hands = list(deals)
    return Rate(Fraction(sum(hand.outcome in outcomes for hand in hands)), len(hands))


def habits(deals: Sequence[Deal]) -> dict[str, Rate]:
    """The player's statistics by name, each with the number of hands it is based on."""
    own_calls = [deal for deal in deals if deal.own_call]
    lone = [deal for deal in own_calls if deal.alone]
    side_calls = [deal for deal in deals if deal.own_side_called]
    defended = [deal for deal in deals if deal.caller is not None and not deal.own_side_called]
    return {
        "called": Rate(Fraction(len(own_calls)), len(deals)),
        "made": rate(own_calls, *MADE),
        "euchred": rate(own_calls, *BEATEN),
        "euchres": rate(defended, *BEATEN),
        "marches": rate((deal for deal in side_calls if not deal.bid), "march"),
        "lone_tried": Rate(Fraction(len(lone)), sum(deal.lone for deal in own_calls)),
        "lone_marches": Rate(Fraction(sum(deal.lone_march for deal in lone)), len(lone)),
    }


@dataclass(frozen=True, slots=True)
class Calls:
    """A player's calls of one kind: from one place at the table, or in one round of bidding."""

    kind: str
    hands: int
    made: Rate


def calls_by_place(deals: Sequence[Deal]) -> list[Calls]:
    """Calls by seat relative to the dealer, in order round the table; places without hands are
    left out."""
    calls = []
    for place in PLACES:
        deals_here = [deal for deal in deals if deal.place == place]
        if deals_here:
            calls.append(
                Calls(
                    place,
                    len(deals_here),
                    rate((deal for deal in deals_here if deal.own_call), *MADE),
                )
            )
    return calls


def calls_by_round(deals: Sequence[Deal]) -> list[Calls]:
    """Own calls by round of bidding; hands recorded without the round are left out."""
    own_calls = [deal for deal in deals if deal.own_call and deal.round]
    rounds = sorted({deal.round for deal in own_calls if deal.round})
    by_round = {number: [deal for deal in own_calls if deal.round == number] for number in rounds}
    return [Calls(str(n), len(hands), rate(hands, *MADE)) for n, hands in by_round.items()]


@dataclass(frozen=True, slots=True)
class Company:
    """A player's results together with another player (`who`) and against them."""

    who: int
    together: Rate
    against: Rate


def company(games: Iterable[PlayedGame]) -> list[Company]:
    """Everyone the player has partnered or opposed, most games first."""
    together: dict[int, list[Fraction]] = defaultdict(list)
    against: dict[int, list[Fraction]] = defaultdict(list)
    for game in games:
        for player in game.partners:
            together[player].append(game.games_won)
        for player in game.opponents:
            against[player].append(game.games_won)
    companions = [
        Company(player, _win_rate(together.get(player, [])), _win_rate(against.get(player, [])))
        for player in together.keys() | against.keys()
    ]
    return sorted(companions, key=lambda c: (-(c.together.of + c.against.of), c.who))


def _win_rate(games: Sequence[Fraction]) -> Rate:
    return Rate(sum(games, Fraction(0)), len(games))


@dataclass(frozen=True, slots=True)
class Runs:
    """The longest runs of games won and lost, and the present run (`now`), negative for games lost.
    A win together with another player continues a winning run; a tied game ends either.
    """

    won: int
    lost: int
    now: int


def runs(games: Iterable[PlayedGame]) -> Runs:
    """The runs over games in the order in which they were played."""
    longest_won = longest_lost = run = 0
    for game in games:
        longer_run = max(run, 0) + 1 if game.won else min(run, 0) - 1
        run = 0 if game.tied else longer_run
        longest_won, longest_lost = max(longest_won, run), max(longest_lost, -run)
    return Runs(longest_won, longest_lost, run)


@dataclass(frozen=True, slots=True)
class Step:
    """One evening of a player; `above` is the running total of wins above average."""

    session: int
    held_on: date
    won: Rate
    above: Fraction
    a_hand: Rate


def trend(games: Iterable[PlayedGame]) -> list[Step]:
    """The player's evenings, in the order of the games."""
    by_evening: dict[int, list[PlayedGame]] = defaultdict(list)
    for game in games:
        by_evening[game.session].append(game)
    wins_above, steps = Fraction(0), []
    for session, evening_games in by_evening.items():
        wins_above += sum((game.won - game.expected for game in evening_games), Fraction(0))
        with_hands = [game for game in evening_games if game.hands]
        difference = sum((game.difference for game in with_hands), Fraction(0))
        a_hand = Rate(difference, sum(game.hands for game in with_hands))
        won = _win_rate([game.games_won for game in evening_games if not game.left])
        steps.append(Step(session, evening_games[0].held_on, won, wins_above, a_hand))
    return steps


@dataclass(frozen=True)
class Career:
    """A player's finished games, those left before the end too, and recorded hands in the order
    they were played, in figures."""

    games: Sequence[PlayedGame]
    deals: Sequence[Deal]

    @cached_property
    def to_the_end(self) -> list[PlayedGame]:
        return [game for game in self.games if not game.left]

    @cached_property
    def won(self) -> Rate:
        return _win_rate([game.games_won for game in self.to_the_end])

    @cached_property
    def habits(self) -> dict[str, Rate]:
        return habits(self.deals)

    @cached_property
    def beaten(self) -> str:
        return beaten_word(deal.bid for deal in self.deals)

    @cached_property
    def by_place(self) -> list[Calls]:
        return calls_by_place(self.deals)

    @cached_property
    def by_round(self) -> list[Calls]:
        return calls_by_round(self.deals)

    @cached_property
    def company(self) -> list[Company]:
        return company(self.to_the_end)

    @cached_property
    def runs(self) -> Runs:
        return runs(self.to_the_end)

    @cached_property
    def trend(self) -> list[Step]:
        return trend(self.games)
