"""Games written as a score sheet has them, turned into what the pure table ranks by."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from league.members.models import ClubRuleset, Member
from league.play.models import Game, Result
from league.ranking.measures import Tally
from league.ranking.tie_breaks import Finish
from league.seating.models import Round, Table
from league.sessions.models import Session

GAMES = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "standard-four-handed"}


@dataclass(frozen=True)
class Sheet:
    """One finished game: who sat where, the score by seat, the target, how many hands; where
    they matter, the euchres and the lone marches by seat."""

    seats: tuple[str, ...]
    score: tuple[int, ...]
    target: int = 10
    hands: int = 10
    euchres: tuple[int, ...] = ()
    lone_marches: tuple[int, ...] = ()
    preset: str = ""

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(i % 2 if len(self.seats) == 4 else i for i in range(len(self.seats)))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Each seat's share of the win; co-winning sides share it."""
        best = max(self.score)
        winners = {
            side for side, score in zip(self.sides, self.score, strict=True) if score == best
        }
        return tuple(Fraction(s in winners, len(winners)) for s in self.sides)

    def against(self, seat: int) -> Fraction:
        others = [p for s, p in zip(self.sides, self.score, strict=True) if s != self.sides[seat]]
        return Fraction(sum(others), len(others))


def tallies_of(sheets: list[Sheet], keys: dict[str, int]) -> dict[int, list[Tally]]:
    tallies: dict[int, list[Tally]] = defaultdict(list)
    for sheet in sheets:
        for seat, name in enumerate(sheet.seats):
            tallies[keys[name]].append(
                Tally(
                    target=sheet.target,
                    games=1,
                    hands=sheet.hands,
                    won=sheet.shares[seat],
                    expected=Fraction(1, 3 if len(sheet.seats) == 3 else 2),
                    points=sheet.score[seat],
                    in_finished=sheet.score[seat],
                    against=sheet.against(seat),
                    euchres=sheet.euchres[seat] if sheet.euchres else 0,
                    lone_marches=sheet.lone_marches[seat] if sheet.lone_marches else 0,
                )
            )
    return dict(tallies)


def chairs_of(sheets: list[Sheet], keys: dict[str, int]) -> list[list[Finish]]:
    return [
        [
            Finish(keys[n], side, won)
            for n, side, won in zip(s.seats, s.sides, s.shares, strict=True)
        ]
        for s in sheets
    ]


def recorded(club_session: Session, sheets: list[Sheet], *, round_number: int = 1) -> list[Game]:
    """The same games as result rows in the database, as play would leave them."""
    people = {m.name: m for m in Member.objects.filter(club=club_session.club)}
    seating = Round.objects.create(
        session=club_session, number=round_number, seed=1, state=Round.State.PUBLISHED
    )
    return [
        _recorded(club_session, seating, number, sheet, people)
        for number, sheet in enumerate(sheets, 1)
    ]


def _recorded(
    club_session: Session, seating: Round, number: int, sheet: Sheet, people: dict[str, Member]
) -> Game:
    players = len(sheet.seats)
    preset = sheet.preset or GAMES[players]
    ruleset, _ = ClubRuleset.objects.get_or_create(
        club=club_session.club, name=preset, players=players, body={"extends": preset}
    )
    table = Table.objects.create(
        session=club_session, round=seating, number=number, players=players, ruleset=ruleset
    )
    sides = sheet.sides
    game = Game.objects.create(
        session=club_session,
        table=table,
        ruleset=ruleset,
        state=Game.State.CONFIRMED,
        hands_played=sheet.hands,
        score=[sheet.score[sides.index(side)] for side in sorted(set(sides))],
        winners=[seat for seat, share in enumerate(sheet.shares) if share],
        finished_at=datetime(2026, 11, 19, 21, tzinfo=UTC),
    )
    for seat, name in enumerate(sheet.seats):
        Result.objects.create(
            session=club_session,
            game=game,
            member=people[name],
            position=seat,
            players=players,
            hands=sheet.hands,
            finished=True,
            win_share=float(sheet.shares[seat]),
            expected=1 / 3 if players == 3 else 1 / 2,
            points=sheet.score[seat],
            points_against=float(sheet.against(seat)),
            target=sheet.target,
        )
    return game
