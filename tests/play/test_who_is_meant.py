"""Sentences at the end of a game and between games name those whom they mean."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member
from league.play.game_over import GameOver
from league.play.queries import table_state
from league.seating.actions import depart
from league.seating.models import Round, Seat, Table
from league.seating.queries import live_tables
from tests.builders import TEST, a_game_table, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, draft, published

pytestmark = pytest.mark.django_db
PLAYER = "The player in front wins; equal scores share the win."
SIDE = "The side in front wins; equal scores share the win."


@pytest.mark.parametrize(
    ("preset", "players", "sentence"),
    [("nanaimo-three-handed", 3, PLAYER), ("standard-four-handed", 4, SIDE)],
)
def test_time_called_names_a_player_where_nobody_has_a_partner(client, preset, players, sentence):
    table = a_game_table(preset, players=players)
    write(table, (0, 3), at=timezone.now())
    client.force_login(a_user(club=table.session.club))
    night = table.session
    desk = reverse("table_desk", args=[night.club.slug, night.public_id, table.public_id])
    game = reverse("game", args=[night.club.slug, table.games.get().public_id])
    for address in (reverse("table_entry", args=[table.public_id]), desk, game):
        assert sentence in squeezed(client.get(address).text)


def test_only_a_table_without_a_hand_is_offered_to_be_broken_up(client):
    night, _members = a_night(8)
    published(night)
    one, other = live_tables(night)
    a_game(one)
    client.force_login(a_user(club=night.club))

    def desk(table):
        place = [night.club.slug, night.public_id, table.public_id]
        return client.get(reverse("table_desk", args=place)).text

    assert "Break up this table" not in desk(one)
    assert "Break up this table" in desk(other)


def test_a_draft_lists_who_has_left_and_says_what_to_do(client):
    night, members = a_night(8)
    draft(night)
    client.force_login(a_user(club=night.club))
    for member in members[:2]:
        depart(night, member, by=TEST, at=AT)
    page = squeezed(client.get(reverse("seating", args=[night.club.slug, night.public_id])).text)
    one, other = sorted(members[:2], key=lambda member: page.index(f"{member.name}"))
    left = "have left. Redraw the tables to leave them out."
    names = {
        f"{one.name} &amp; {other.name} {left}",
        f"{other.name} &amp; {one.name} {left}",
    }
    assert any(name in page for name in names)


def test_where_everyone_plays_next_names_those_who_stay_as_well():
    table = a_game_table()
    write(table, *[(0, 5)] * 5)
    session = table.session
    rose, *others = [seat.member for seat in table.seats.order_by("position")]
    table.seats.update(seated=False)
    Table.objects.filter(pk=table.pk).update(is_live=False)
    next_round = Round.objects.create(session=session, number=2, state="published", seed=2)
    seated = {1: [rose, *(Member.objects.create(club=session.club, name=n) for n in "UVW")]}
    seated[2] = [*others, Member.objects.create(club=session.club, name="X")]
    for number, members in seated.items():
        place = Table.objects.create(
            session=session, round=next_round, number=number, players=4, is_live=True,
            ruleset=table.ruleset,
        )  # fmt: skip
        for position, member in enumerate(members):
            Seat.objects.create(
                session=session, table=place, position=position, member=member, seated=True
            )
    table.refresh_from_db()
    state = table_state(table)
    _welcome, text = GameOver(state.log, state.sides).arrival(
        Table.objects.get(number=1, round=next_round)
    )
    stays, *moves = [
        f"{member.name}, table {n}" for member, n in zip([rose, *others], [1, 2, 2, 2], strict=True)
    ]
    assert text == f"Where everyone plays next: {' · '.join([stays, *moves])}"
