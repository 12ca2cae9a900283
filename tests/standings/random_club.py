"""Random clubs with everything that counts somewhere, made by the actions that pages call."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random

from league.errors import Refused
from league.exchange.demo_club import random_record
from league.members.actions import adopt_preset
from league.members.models import Club, Member
from league.play.actions import (
    abandon_game,
    adjust_score,
    call_time,
    confirm_game,
    correct_hand,
    record_hand,
    settle_game,
    strike_hand,
    write_totals,
)
from league.play.game_log import open_game_log
from league.play.models import Hand
from league.seasons.models import Season
from league.seating.actions import draft_round, publish, substitute
from league.seating.models import Table
from league.sessions.actions import cancel_session, start_session
from league.sessions.attendance import add_guest, arrive, leave
from league.sessions.models import Session
from league.sessions.queries import present
from league.standings.actions import add_pot, hold_standings, record_payment, save_places
from league.standings.models import GivenPlace
from league.teams.actions import write_card
from league.tournaments import actions as tournaments
from league.tournaments.models import Match, Tournament
from league.tournaments.parameters import StageOptions
from tests.builders import PRESETS, TEST, a_club, a_ruleset, members_of, rulesets_of
from tests.teams.leagues import a_card, matches, with_fixtures

PLAIN = ("won", "above", "share", "points", "difference", "difference_a_hand", "win_rate",
         "euchres", "lone_marches")  # fmt: skip
FIRST = datetime(2026, 9, 1, 18, tzinfo=UTC)


class RandomClub:
    """One club; `chance` decides all of it, so a seed makes the same club again."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.club = a_club(
            slug=f"club-{seed}",
            measures=self.chance.sample(PLAIN, self.chance.choice([0, 1, 2, 4])),
            keeps_pots=True,
            shows_ratings=True,
            confirm="opponent",
            co_winners_credit=self.chance.choice(["games", "games", "shared", "full"]),
            auto_accept_minutes=self.chance.choice([30, 100_000]),
        )
        rulesets_of(self.club, target=self.chance.choice([3, 5]))
        keller, short = "keller-1887-three-handed", {"target": 3}
        adopt_preset(self.club, preset=keller, options=short, by=TEST, default=True)
        self.pepper = a_ruleset(self.club, "pepper", target=8)
        for preset in ("bid-hoosier-five-player", "bid-racehorse-six"):
            large = a_ruleset(self.club, preset, target=20)
            self.club.rulesets.filter(pk=large.pk).update(is_default=True)
        self.people = members_of(self.club, 12)
        self.season = self.a_season()
        self.at = FIRST
        nights = [self.an_evening(number) for number in range(3)]
        self.a_tournament()
        self.a_bracket()
        self.a_league()
        for scope in (self.season, *nights):
            self.a_pot(scope)

    def a_season(self) -> Season:
        chance = self.chance
        counts = chance.choice(["total", "average", "best", "best_games", "drop"])
        points = chance.choice([[], ["10", "7", "5", "4", "2.5", "1"]])
        return Season.objects.create(
            club=self.club,
            name="Autumn",
            starts_on=date(2026, 9, 1),
            counts=counts,
            counted_number=chance.randint(1, 3),
            minimum_evenings=chance.randint(0, 2),
            guests_count=chance.random() < 0.5,
            place_points=[] if counts == "best_games" else points,
            measures=chance.choice([[], [], chance.sample(PLAIN, 2)]),
            attendance_points=chance.choice([Decimal(0), Decimal("1.5")]),
        )

    def an_evening(self, number: int) -> Session:
        """The first two on one day, the second entered first; one in four is cancelled."""
        chance, begins = self.chance, FIRST + timedelta(hours=(5, 0, 170)[number])
        night = start_session(
            self.club, by=TEST, at=begins, season=self.season, name=f"Evening {number}"
        )
        self.choose_rules(night)
        for member in chance.sample(self.people, 7 if number else chance.randint(5, 9)):
            arrive(night, member, by=TEST, at=begins, even_if_elsewhere=True)
        if chance.random() < 0.7:
            add_guest(night, f"Guest {number}", by=TEST, at=begins)
        for round_ in range(chance.randint(1, 2)):
            self.play_round(night, begins + timedelta(hours=round_), pepper=number == 2)
            for gone in list(present(night)) if round_ == 0 else ():
                if chance.random() < 0.15:
                    leave(night, gone, by=TEST, at=begins + timedelta(minutes=50))
        if chance.random() < 0.25:
            given = list(Member.objects.filter(results__session=night).distinct())
            chance.shuffle(given)
            places = given[: chance.randint(1, len(given))] if given else []
            save_places(night, {one.pk: GivenPlace(1 + n // 2) for n, one in enumerate(places)})
        if chance.random() < 0.15:
            hold_standings(night, by=TEST)
        if chance.random() < 0.15:
            with suppress(Refused):
                cancel_session(night, by=TEST, at=begins + timedelta(hours=4))
        return night

    def choose_rules(self, night: Session) -> None:
        """One in three ranks by measures of its own; one in three has tables of five and six."""
        if self.chance.random() < 0.3:
            night.measures = self.chance.sample(PLAIN, 2)
        if self.chance.random() < 0.3:
            night.seating_policy = "fives_sixes"
        night.save()

    def play_round(self, night: Session, at: datetime, *, pepper: bool = False) -> None:
        if len(present(night)) < 2:
            return  # the others have left
        draft = draft_round(night, by=TEST, seed=self.chance.randrange(2**31))
        tables = list(publish(draft, by=TEST, at=at).tables.select_related("ruleset", "session"))
        self.chance.shuffle(tables)
        for table in tables:
            others = {4: self.pepper, 3: self.club.rulesets.get(body__extends=PRESETS[1])}
            if pepper and table.players in others and self.chance.random() < 0.4:
                Table.objects.filter(pk=table.pk).update(ruleset=others[table.players])
                table.refresh_from_db()
            if self.chance.random() < (0.6 if table.players == 3 else 0.2):
                self.score_alone(table, at)
            else:
                self.hand_by_hand(table, at)
                at += timedelta(minutes=1)

    def score_alone(self, table: Table, at: datetime) -> None:
        Table.objects.filter(pk=table.pk).update(totals_only=True)
        table.refresh_from_db()
        rules = open_rules(table)
        totals = [self.chance.randint(0, 2) for _side in rules.sides]
        totals[self.chance.randrange(len(totals))] = rules.target
        if rules.options["tie_rule"] == "co_winners" and rules.players == 3:
            totals = self.chance.sample([rules.target + 1, rules.target, 1], 3)
        write_totals(table, totals, by=TEST, at=at)
        self.end(table, at)

    def hand_by_hand(self, table: Table, at: datetime) -> None:
        chance, written, most = self.chance, 0, self.chance.choice([4, 40, 40, 40])
        while written < most:
            log = open_game_log(table)
            if log and log.state.over:
                break
            rules = log.rules if log else open_rules(table)
            dealer = log.state.next_dealer if log and log.hands else table.first_dealer
            record = random_record(chance, rules, dealer=dealer, skills=[0.5] * table.players)
            at += timedelta(seconds=90)
            key = f"{table.public_id}-{written}"
            record_hand(table, record, client_id=key, confirm_unlikely=True, by=TEST, at=at)
            written += 1
            with suppress(Refused):
                self.something_else(table, at)
        with suppress(Refused):
            self.end(table, at)

    def something_else(self, table: Table, at: datetime) -> None:
        """Now and then a correction, a hand taken out, points given, somebody who takes over."""
        what, say = self.chance.random(), {"by": TEST, "at": at}
        hands = Hand.objects.filter(game__table=table, current=True, struck=False)
        hand, key = self.chance.choice(list(hands)), f"{table.public_id}-x{at.timestamp()}"[:40]
        if what < 0.06:
            log = open_game_log(table)
            record = random_record(
                self.chance, log.rules, dealer=hand.record["dealer"], skills=[0.5] * table.players
            )
            correct_hand(table, hand.number, record, reason="Misread",
                         expected_version=hand.version, client_id=key, confirm_unlikely=True,
                         as_organiser=True, **say)  # fmt: skip
        elif what < 0.09:
            strike_hand(table, hand.number, reason="Not dealt", expected_version=hand.version,
                        client_id=key, as_organiser=True, **say)  # fmt: skip
        elif what < 0.12:
            points = [0] * len(open_rules(table).sides)
            points[self.chance.randrange(len(points))] = 1
            adjust_score(table, points, reason="Agreed", client_id=key, **say)
        elif what < 0.2:
            late = [one for one in self.people if not one.attendances.filter(session=table.session)]
            if late:
                someone = self.chance.choice(late)
                arrive(table.session, someone, even_if_elsewhere=True, **say)
                substitute(table, self.chance.randrange(table.players), someone, by=TEST)

    def end(self, table: Table, at: datetime) -> None:
        """Mostly confirmed; some wait, some are called off or stopped by the clock."""
        what = self.chance.random()
        log = open_game_log(table)
        if not log.state.over and log.game.totals is None and what < 0.5:
            call_time(table, by=TEST, at=at)
        if what < 0.07:
            abandon_game(table, reason="Power cut", by=TEST, at=at)
        elif what < 0.85:
            for seat in range(table.players):
                with suppress(Refused):
                    confirm_game(table, seat=seat, by=TEST, at=at)

    def a_tournament(self) -> None:
        at = FIRST + timedelta(days=9)
        night = start_session(self.club, by=TEST, at=at, season=self.season, name="Cup day")
        of_pairs = self.chance.random() < 0.6
        for member in self.people[: self.chance.choice([6, 10]) if of_pairs else 8]:
            arrive(night, member, by=TEST, at=at)
        cup = tournaments.start_tournament(
            night, name="Cup", format="swiss" if of_pairs else "progressive",
            choice=StageOptions(hands=2, rounds=2), seed=self.chance.randrange(999), by=TEST,
        )  # fmt: skip
        tournaments.enter_present(cup, by=TEST, at=at)
        if of_pairs:
            tournaments.draw_partners(cup, seed=1, by=TEST)
        with suppress(Refused):
            for _round in range(2):
                tournaments.draw_round(cup, by=TEST, seed=self.chance.randrange(999))
                tournaments.publish_draw(cup, by=TEST, at=at)
                for table in Table.objects.filter(session=night, is_live=True).select_related(
                    "session__club", "ruleset"
                ):
                    self.hand_by_hand(table, at)
                at += timedelta(hours=1)
        self.a_pot(night)

    def a_bracket(self) -> None:
        """A semi-final is corrected when all is played: the matches after it are undone, and mostly
        played again."""
        at = FIRST + timedelta(days=10)
        night = start_session(self.club, by=TEST, at=at, season=self.season, name="Knock-out day")
        for member in self.people[:8]:
            arrive(night, member, by=TEST, at=at)
        cup = tournaments.start_tournament(
            night, name="Knock-out", format="knockout", seed=1, by=TEST,
            choice=StageOptions(third_place=True),
        )  # fmt: skip
        tournaments.enter_present(cup, by=TEST, at=at)
        tournaments.draw_partners(cup, seed=1, by=TEST)
        first = self.bracket_round(cup, at)[0]
        self.bracket_round(cup, at)
        losers = [seat for seat in range(4) if seat not in first.games.get().winners]
        settle_game(first, "decided", winners=losers, reason="Mixed up", by=TEST, at=at)
        match = Match.objects.get(games__table=first)
        tournaments.follow_correction(cup, match, by=TEST, at=at)
        if self.chance.random() < 0.7:
            self.bracket_round(cup, at)

    def bracket_round(self, cup: Tournament, at: datetime) -> list[Table]:
        tournaments.draw_round(cup, by=TEST, seed=self.chance.randrange(999))
        tournaments.publish_draw(cup, by=TEST, at=at)
        tables = list(
            Table.objects.filter(session=cup.session, is_live=True)
            .select_related("session__club", "ruleset")
            .order_by("number")
        )
        for table in tables:
            self.score_alone(table, at)
            settle_game(table, "stands", reason="Seen", by=TEST, at=at)
        return tables

    def a_league(self) -> None:
        league = with_fixtures(4, club=self.club, pairs=1, turns=2, season=self.season)
        for number, match in enumerate(matches(league)[: self.chance.randint(1, 2)]):
            day = FIRST.date() + timedelta(days=self.chance.choice([5, 9]))
            card = a_card(match, self.chance.randint(0, 2), held_on=day)
            at = FIRST + timedelta(days=12, minutes=number)
            write_card(match, card, side=None, by=TEST, at=at)

    def a_pot(self, scope: Session | Season) -> None:
        chance = self.chance
        payout = chance.choice(
            ["places", "amounts", "most_loners", "each_loner", "most_euchres", "kept"]
        )
        is_late = isinstance(scope, Season) and chance.random() < 0.7
        pot = add_pot(
            scope, name="Pot", source=chance.choice(["entry", "once", "euchred", "sum"]),
            amount=Decimal(chance.randint(50, 900)) / 100,
            payout=payout, shares=["2.5", "1", "4"] if payout == "amounts" else ["50", "0", "20"],
            counts_from=date(2026, 9, 8) if is_late else None,
            rounded_to=chance.choice([1, 1, 5, 50, 100]), by=TEST, at=self.at,
        )  # fmt: skip
        for member in chance.sample(self.people, 2):
            kind = "prize" if chance.random() < 0.3 else "stake"
            paid = {"kind": kind, "amount": Decimal("1.25"), "anyway": True}
            record_payment(pot, member, **paid, by=TEST, at=self.at)


def open_rules(table: Table):
    from scoring import ruleset

    return ruleset(table.ruleset.body)


def the_club(seed: int) -> Club:
    return RandomClub(seed).club
