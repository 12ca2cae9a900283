"""Stages without a database: the same facts as a state read from it, played by chance."""

from dataclasses import dataclass, field
from functools import partial
from random import Random

from league.members.models import Member
from league.pairing.seating import composition
from league.ranking.match_facts import GameFacts, MatchFacts
from league.seating.models import Round
from league.tournaments.draws import FORMATS
from league.tournaments.models import Entry, Stage, StageRound, Tournament
from league.tournaments.parameters import StageOptions
from league.tournaments.stage_state import OF_PAIRS, RoundFacts, StageState


@dataclass
class Simulated:
    """A stage that is drawn, played by chance and drawn on; no row is ever stored."""

    format: str
    count: int
    seed: int
    options: StageOptions = field(default_factory=StageOptions)
    policy: str = "club"

    def __post_init__(self):
        self.chance = Random(self.seed)
        self.stage = Stage(pk=1, format=self.format, tournament=Tournament(pk=1), cards=[])
        self.entries = {key: self._entry(key) for key in range(1, self.count + 1)}
        self.rounds = []

    def _entry(self, key):
        member = Member(pk=2 * key, name=f"Player {key}")
        partner = Member(pk=2 * key + 1, name=f"Partner {key}")
        with_partner = partner if self.format in OF_PAIRS else None
        return Entry(pk=key, member=member, partner=with_partner, number=key)

    @property
    def state(self):
        return StageState(self.stage, self.options, dict(self.entries), tuple(self.rounds))

    def leaves(self, key):
        self.entries[key].withdrawn_at = self.chance.random()

    def comes(self):
        key = max(self.entries) + 1
        self.entries[key] = self._entry(key)

    def draws(self):
        """The next round drawn and played; what was drawn."""
        state = self.state
        sizes = partial(composition, policy=self.policy)
        drawn = FORMATS[self.format](state, self.chance.randrange(2**31), sizes)
        if drawn.card is not None:
            self.stage.cards = [*self.stage.cards, drawn.card]
        row = StageRound(number=len(self.rounds) + 1, seating=Round(state="published"))
        matches = tuple(self._played(n, table) for n, table in enumerate(drawn.tables, 1))
        self.rounds.append(RoundFacts(row, matches, drawn.byes))
        return drawn

    def _played(self, number, table):
        key = 1000 * (len(self.rounds) + 1) + number
        of_pairs = self.format in OF_PAIRS
        if table.winner is not None:
            return MatchFacts(
                key,
                number,
                dict(table.sides),
                winner=table.winner,
                decided_by="walkover",
                of_pairs=of_pairs,
                group=table.group,
                place=table.place,
            )
        sides = 2 if table.players == 4 else table.players
        score = self.chance.sample(range(11), sides)
        best = score.index(max(score))
        winners = tuple(seat for seat in range(table.players) if seat % sides == best)
        game = GameFacts(key, table.players, True, True, tuple(score), winners, hands=8)
        return MatchFacts(
            key,
            number,
            dict(table.sides),
            (game,),
            of_pairs=of_pairs,
            group=table.group,
            place=table.place,
        )
