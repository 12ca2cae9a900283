"""Random evenings: whatever people do, nobody sits twice and nobody is lost."""

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from league.errors import Refused
from league.members.models import Member
from league.seating.actions import (
    depart,
    draft_round,
    join,
    publish,
    redraw,
    substitute,
    swap,
    take_back,
)
from league.seating.models import Seat
from league.seating.queries import draft_of, latest_published, live_tables, waiting
from league.sessions.attendance import arrive, play_again, rest
from league.sessions.queries import present
from tests.builders import TEST
from tests.seating.nights import AT, a_game, a_night, published

PEOPLE = st.integers(0, 10)
SEEDS = st.integers(0, 1000)


class Evening(RuleBasedStateMachine):
    """Arrive, leave, rest, draft, swap, publish, take back, stand in, join, in any order.

    An order may be refused; after every order the room is checked. Every evening is undone.
    """

    def __init__(self):
        super().__init__()
        self.whole = transaction.atomic()
        self.whole.__enter__()
        self.night, self.people = a_night(7)
        self.people += [
            Member.objects.create(club=self.night.club, name=f"Late {n}") for n in range(4)
        ]
        published(self.night)

    def teardown(self):
        transaction.set_rollback(True)
        self.whole.__exit__(None, None, None)

    def attempt(self, order, *arguments, **more):
        try:
            return order(*arguments, by=TEST, **more)
        except Refused:
            return None

    def tables(self):
        return list(live_tables(self.night))

    @rule(who=PEOPLE)
    def arrives(self, who):
        self.attempt(arrive, self.night, self.people[who], at=AT)

    @rule(who=PEOPLE)
    def leaves(self, who):
        self.attempt(depart, self.night, self.people[who], at=AT)

    @rule(who=PEOPLE)
    def rests(self, who):
        self.attempt(rest, self.night, self.people[who])

    @rule(who=PEOPLE)
    def plays_again(self, who):
        self.attempt(play_again, self.night, self.people[who])

    @rule(seed=SEEDS)
    def drafts(self, seed):
        self.attempt(draft_round, self.night, seed=seed)

    @precondition(lambda self: draft_of(self.night))
    @rule(seed=SEEDS)
    def draws_again(self, seed):
        self.attempt(redraw, draft_of(self.night), seed=seed)

    @precondition(lambda self: draft_of(self.night))
    @rule(one=PEOPLE, other=PEOPLE)
    def swaps(self, one, other):
        self.attempt(swap, draft_of(self.night), self.people[one], self.people[other])

    @precondition(lambda self: draft_of(self.night))
    @rule()
    def publishes(self):
        self.attempt(publish, draft_of(self.night), at=AT)

    @precondition(lambda self: latest_published(self.night))
    @rule()
    def takes_back(self):
        self.attempt(take_back, latest_published(self.night), at=AT)

    @precondition(lambda self: self.tables())
    @rule(which=st.integers(0, 4), over=st.booleans())
    def plays(self, which, over):
        table = self.tables()[which % len(self.tables())]
        if not table.games.exists():
            a_game(table, state="playing", hands=2)
        if over:
            table.games.update(state="confirmed")

    @precondition(lambda self: self.tables())
    @rule(which=st.integers(0, 4), seat=st.integers(0, 3), who=PEOPLE)
    def stands_in(self, which, seat, who):
        table = self.tables()[which % len(self.tables())]
        self.attempt(substitute, table, seat, self.people[who])

    @precondition(lambda self: self.tables())
    @rule(which=st.integers(0, 4), who=PEOPLE)
    def joins(self, which, who):
        table = self.tables()[which % len(self.tables())]
        self.attempt(join, table, self.people[who])

    @invariant()
    def nobody_sits_twice(self):
        seated = list(
            Seat.objects.filter(session=self.night, seated=True).values_list("member", flat=True)
        )
        assert len(seated) == len(set(seated))

    @invariant()
    def everybody_here_sits_or_waits_or_rests_exactly_once(self):
        seated = set(
            Seat.objects.filter(session=self.night, seated=True).values_list("member", flat=True)
        )
        waits = set(waiting(self.night).values_list("pk", flat=True))
        rests = set(
            self.night.attendances.filter(resting=True, left_at=None).values_list(
                "member", flat=True
            )
        )
        here = set(present(self.night).values_list("pk", flat=True))
        assert not seated & waits
        assert not waits & rests
        assert here <= seated | waits | rests

    @invariant()
    def every_live_table_is_full(self):
        for table in self.tables():
            assert [seat.position for seat in table.current_seats] == list(range(table.players))
            assert all(seat.seated for seat in table.current_seats)
            assert table.ruleset.players == table.players

    @invariant()
    def a_draft_names_everybody_once(self):
        drawn = draft_of(self.night)
        if drawn:
            people = list(
                Seat.objects.filter(table__round=drawn).values_list("member", flat=True)
            ) + list(drawn.sits_out.values_list("pk", flat=True))
            assert len(people) == len(set(people))


@pytest.mark.django_db
@pytest.mark.usefixtures("short_search")
def test_nobody_sits_twice_and_nobody_is_lost():
    quiet = settings(max_examples=3, stateful_step_count=24, deadline=None)
    run_state_machine_as_test(Evening, settings=quiet)
