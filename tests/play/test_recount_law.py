"""A law over any story of a game: what is stored equals a recount, and points add up by chair."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from league.errors import Refused
from league.play.actions import (
    abandon_game,
    adjust_score,
    call_time,
    concede,
    correct_hand,
    record_hand,
    recount_table,
    resume,
    rule_penalty,
    settle_game,
    strike_hand,
    undo_last_hand,
    withdraw_ruling,
)
from league.play.models import Game, Result
from league.play.recount import differences, with_everything
from league.seating.actions import substitute, undo_substitute
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_game_table, members_of
from tests.play.hands import log_of, made, passed_out

ORDERS = st.lists(
    st.tuples(
        st.sampled_from(
            ["hand"] * 8
            + ["undo", "correct", "correct", "strike", "rule", "withdraw", "substitute", "unseat"]
            + ["adjust", "concede", "time", "resume", "stands", "play_on", "abandon"]
        ),
        st.integers(0, 3),
        st.integers(0, 5),
    ),
    max_size=25,
)


class Story:
    """One game told order by order; orders that are refused simply do not happen."""

    def __init__(self, preset, players):
        self.table = a_game_table(preset, players=players)
        self.spare = members_of(self.table.session.club, players + 3)[players:]
        for member in self.spare:
            arrive(self.table.session, member, by=TEST, at=EIGHT)
        self.players, self.count = players, 0

    def tell(self, order, seat, number):
        self.count += 1
        self.seat, self.number = seat % self.players, number
        self.log = log_of(self.table)
        with contextlib.suppress(Refused):
            getattr(self, order)()

    @property
    def who(self):
        return {"by": TEST, "at": EIGHT}

    @property
    def key(self):
        return f"order-{self.count:05}"

    def record(self, dealer):
        if self.number == 0 and self.seat == 0:
            return passed_out(dealer)
        return made(self.seat, self.number, dealer)

    def hand(self):
        dealer = self.log.state.next_dealer if self.log else 0
        record_hand(
            self.table,
            self.record(dealer),
            client_id=self.key,
            confirm_unlikely=True,
            **self.who,
        )

    def chosen(self):
        if not self.log or not self.log.hands:
            raise Refused("nothing", "nothing")
        return self.log.hands[self.number % len(self.log.hands)]

    def undo(self):
        self.chosen()
        last = self.log.hands[-1]
        undo_last_hand(self.table, number=last.number, version=last.version, **self.who)

    def correct(self):
        old = self.chosen()
        correct_hand(
            self.table,
            old.number,
            self.record(old.record["dealer"]),
            reason="told later",
            expected_version=old.version,
            client_id=self.key,
            confirm_unlikely=True,
            as_organiser=True,
            **self.who,
        )

    def strike(self):
        old = self.chosen()
        strike_hand(
            self.table,
            old.number,
            reason="never played",
            expected_version=old.version,
            client_id=self.key,
            as_organiser=True,
            **self.who,
        )

    def rule(self):
        rule_penalty(self.table, by_seat=self.seat, client_id=self.key, **self.who)

    def withdraw(self):
        if self.log and self.log.rulings:
            withdraw_ruling(self.table, self.log.rulings[0].pk, **self.who)

    def adjust(self):
        points = [self.number - 2] + [0] * (len(self.log.rules.sides) - 1) if self.log else []
        adjust_score(self.table, points, reason="ruled", client_id=self.key, **self.who)

    def substitute(self):
        first = self.number + 1
        substitute(self.table, self.seat, self.spare[self.number % 3], by=TEST, from_hand=first)
        recount_table(self.table, at=EIGHT)

    def unseat(self):
        for _earlier, seat in self.table.substitutions()[:1]:
            undo_substitute(self.table, seat.member, by=TEST)
            recount_table(self.table, at=EIGHT)

    def concede(self):
        concede(self.table, self.seat, **self.who)

    def time(self):
        call_time(self.table, **self.who)

    def resume(self):
        resume(self.table, as_organiser=True, **self.who)

    def stands(self):
        settle_game(self.table, "stands", reason="so be it", **self.who)

    def play_on(self):
        settle_game(self.table, "play_on", reason="go on", **self.who)

    def abandon(self):
        if self.number == 0:
            abandon_game(self.table, reason="fire alarm", **self.who)


class TestAnyStory(TestCase):
    @pytest.mark.django_db
    @settings(max_examples=10, suppress_health_check=list(HealthCheck))
    @given(ORDERS)
    def test_of_four_players_is_stored_as_a_recount_would_have_it(self, orders):
        self.check_story(Story("standard-four-handed", 4), orders)

    @pytest.mark.django_db
    @settings(max_examples=10, suppress_health_check=list(HealthCheck))
    @given(ORDERS)
    def test_of_three_players_is_stored_as_a_recount_would_have_it(self, orders):
        self.check_story(Story("keller-1887-three-handed", 3), orders)

    def check_story(self, story, orders):
        for order in orders:
            story.tell(*order)
            games = with_everything(Game.objects.all())
            assert [d.what for d in differences(games)] == []
        for game in Game.objects.exclude(state="abandoned"):
            if not game.hands_played or any(r.after_hand == 0 for r in game.rulings.all()):
                continue
            for seat in range(story.players):
                rows = Result.objects.filter(game=game, position=seat)
                assert sum(row.points for row in rows) == game.score[seat % len(game.score)]
