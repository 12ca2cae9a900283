"""One person's play in figures: out of recorded hands and finished games alone. Pure and exact.

A figure is a count out of a count, so that a page can always say from how many it is.
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
    """One hand as a person on `seat` had it.

    `caller` is who made trump or won the bid (None: passed out), `round` the round of bidding in
    which they did, where it was written down; `sides` is how many the table has. `bid`: of a bid
    game, which has no marches; a lone bid there is made with all the tricks. `lone`: of a game in
    which one may play alone.
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
        """Where the person sat, seen from the dealer; "other" for opponents not next to them."""
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
    """One finished game of a person: with and against whom, and the share of the win they took;
    `credit` is what games won count beyond that, where each co-winner has the whole game.

    `hands` are those written down, and `difference` their own points minus the other side's in
    them, at a table of single players minus the mean of the others.
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

    @property
    def games_won(self) -> Fraction:
        return self.won + self.credit


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many."""

    count: Fraction
    of: int

    @property
    def share(self) -> Fraction | None:
        """None where there is nothing to divide by: no figure out of nothing."""
        return self.count / self.of if self.of else None


def beaten_word(bids: Iterable[bool]) -> str:
    """What a failed call is in games of which each is of bidding or not: "set" in those, "euchred"
    in others, "both" where there are both."""
    kinds = set(bids)
    return "both" if len(kinds) > 1 else "set" if True in kinds else "euchred"


def rate(those: Iterable[Deal], *outcomes: str) -> Rate:
    """How many of those hands ended in one of these outcomes."""
    hands = list(those)
    return Rate(Fraction(sum(hand.outcome in outcomes for hand in hands)), len(hands))


def habits(deals: Sequence[Deal]) -> dict[str, Rate]:
    """The figures of play, each from how many hands."""
    own = [deal for deal in deals if deal.own_call]
    lone = [deal for deal in own if deal.alone]
    side = [deal for deal in deals if deal.own_side_called]
    defended = [deal for deal in deals if deal.caller is not None and not deal.own_side_called]
    return {
        "called": Rate(Fraction(len(own)), len(deals)),
        "made": rate(own, *MADE),
        "euchred": rate(own, *BEATEN),
        "euchres": rate(defended, *BEATEN),
        "marches": rate((deal for deal in side if not deal.bid), "march"),
        "lone_tried": Rate(Fraction(len(lone)), sum(deal.lone for deal in own)),
        "lone_marches": Rate(Fraction(sum(deal.lone_march for deal in lone)), len(lone)),
    }


@dataclass(frozen=True, slots=True)
class Calls:
    """A person's calls of one kind: from one place at the table, or in one round of bidding."""

    kind: str
    hands: int
    made: Rate


def calls_by_place(deals: Sequence[Deal]) -> list[Calls]:
    """Calls by where the person sat, in order round the table; places never sat in are left out."""
    calls = []
    for place in PLACES:
        here = [deal for deal in deals if deal.place == place]
        if here:
            calls.append(Calls(place, len(here), rate((d for d in here if d.own_call), *MADE)))
    return calls


def calls_by_round(deals: Sequence[Deal]) -> list[Calls]:
    """Own calls by round of bidding; hands that do not tell the round are in none."""
    own = [deal for deal in deals if deal.own_call and deal.round]
    rounds = sorted({deal.round for deal in own if deal.round})
    by_round = {number: [deal for deal in own if deal.round == number] for number in rounds}
    return [Calls(str(n), len(hands), rate(hands, *MADE)) for n, hands in by_round.items()]


@dataclass(frozen=True, slots=True)
class Company:
    """What a person took with somebody as partner, and against them."""

    who: int
    together: Rate
    against: Rate


def company(games: Iterable[PlayedGame]) -> list[Company]:
    """Everybody met, most games first."""
    together: dict[int, list[Fraction]] = defaultdict(list)
    against: dict[int, list[Fraction]] = defaultdict(list)
    for game in games:
        for who in game.partners:
            together[who].append(game.games_won)
        for who in game.opponents:
            against[who].append(game.games_won)
    met = [
        Company(who, _won_of(together.get(who, [])), _won_of(against.get(who, [])))
        for who in together.keys() | against.keys()
    ]
    return sorted(met, key=lambda one: (-(one.together.of + one.against.of), one.who))


def _won_of(games: Sequence[Fraction]) -> Rate:
    return Rate(sum(games, Fraction(0)), len(games))


@dataclass(frozen=True, slots=True)
class Runs:
    """Longest rows of games won and not won; the present one, below 0 for games not won.

    A shared win goes on with a row of wins.
    """

    won: int
    lost: int
    now: int


def runs(games: Iterable[PlayedGame]) -> Runs:
    """The runs over games in the order in which they were played."""
    best = worst = now = 0
    for game in games:
        now = max(now, 0) + 1 if game.won else min(now, 0) - 1
        best, worst = max(best, now), max(worst, -now)
    return Runs(best, worst, now)


@dataclass(frozen=True, slots=True)
class Step:
    """One evening of a person; `above` are the wins above average from the first one on."""

    session: int
    held_on: date
    won: Rate
    above: Fraction
    a_hand: Rate


def trend(games: Iterable[PlayedGame]) -> list[Step]:
    """Evening by evening, in the order of the games."""
    by_evening: dict[int, list[PlayedGame]] = defaultdict(list)
    for game in games:
        by_evening[game.session].append(game)
    above, steps = Fraction(0), []
    for session, played in by_evening.items():
        above += sum((game.won - game.expected for game in played), Fraction(0))
        with_hands = [game for game in played if game.hands]
        difference = sum((game.difference for game in with_hands), Fraction(0))
        a_hand = Rate(difference, sum(game.hands for game in with_hands))
        won = _won_of([game.games_won for game in played])
        steps.append(Step(session, played[0].held_on, won, above, a_hand))
    return steps


@dataclass(frozen=True)
class Career:
    """A player's finished games and recorded hands in the order they were played, in figures."""

    games: Sequence[PlayedGame]
    deals: Sequence[Deal]

    @cached_property
    def won(self) -> Rate:
        return _won_of([game.games_won for game in self.games])

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
        return company(self.games)

    @cached_property
    def runs(self) -> Runs:
        return runs(self.games)

    @cached_property
    def trend(self) -> list[Step]:
        return trend(self.games)
