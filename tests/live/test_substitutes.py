"""Substitutes: from which hand they play, at the table's page and on its phone, and undoing one."""

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.models import AuditEntry, Member
from league.play.actions import undo_last_hand
from league.play.models import Result
from league.seating.actions import substitute, undo_substitute
from league.seating.models import Seat
from league.seating.queries import live_tables, waiting
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_night, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night, _members = a_night(8)
    published(night)
    return night


@pytest.fixture
def table(night):
    table = live_tables(night)[0]
    write(table, (0, 3))
    return table


@pytest.fixture
def con(night):
    con = Member.objects.create(club=night.club, name="Con")
    arrive(night, con, by=TEST, at=AT)
    return con


@pytest.fixture
def desk(client, night, table):
    """Sends a form of the table's page, as an organiser."""
    client.force_login(a_user(club=night.club))

    def send(name, **data):
        address = reverse(name, args=[night.club.slug, night.public_id, table.public_id])
        answer = client.post(address, data, follow=True) if data else client.get(address)
        return answer.status_code, squeezed(answer.content.decode())

    return send


def spans(table):
    seats = Seat.objects.filter(table=table, position=0).order_by("from_hand")
    return [(seat.from_hand, seat.until_hand, seat.seated) for seat in seats]


def test_a_substitute_s_hand_later_than_the_next_is_refused_at_its_field(desk, table, con):
    sent = {"position": "1", "member": con.public_id, "from_hand": "9"}
    status, page = desk("table_substitute", **sent)
    assert status == 422
    sentence = "Hand 2 is next. Enter that hand or an earlier one."
    assert f'<ul class="errorlist" id="why-from-hand"><li>{sentence}' in page
    assert 'value="9" autofocus' in page
    assert '<option value="1" selected>' in page
    assert f'<option value="{con.public_id}" selected>' in page
    assert not Seat.objects.filter(member=con).exists()


def test_the_page_of_a_table_undoes_a_substitute(desk, night, table, con):
    paddy = table.current_seats[0].member
    substitute(table, 0, con, by=TEST)
    write(table, (0, 3))
    _status, page = desk("table_desk")
    assert f"Con plays for {paddy.name} from hand 2." in page
    _status, page = desk("table_substitute_undo", member=con.public_id)
    assert f"All hands of this seat since then count for {paddy.name}." in page
    assert "Con plays for" not in page
    assert spans(table) == [(1, None, True)]
    assert waiting(night).contains(con)
    assert Result.objects.get(position=0).hands == 2
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.old) == ("undo substitute", {"name": "Con", "from_hand": 2})


def test_a_substitute_s_first_hand_is_put_right_after_the_game(desk, night, table, con):
    paddy = table.current_seats[0].member
    write(table, *[(0, 3)] * 7)
    substitute(table, 0, con, by=TEST)
    write(table, (0, 5))
    assert "Undo substitute" in desk("table_desk")[1]
    desk("table_substitute_undo", member=con.public_id)
    desk("table_substitute", position="0", member=con.public_id, from_hand="2")
    assert spans(table) == [(1, 1, False), (2, None, True)]
    credit = {row.member: (row.hands, row.games) for row in Result.objects.filter(position=0)}
    assert credit == {paddy: (1, 0), con: (8, 1)}


def test_a_substitute_is_not_undone_twice_nor_for_who_sits_elsewhere(night, table, con):
    paddy = table.current_seats[0].member
    substitute(table, 0, con, by=TEST)
    other = live_tables(night)[1]
    substitute(other, 0, paddy, by=TEST)
    with pytest.raises(Refused) as refused:
        undo_substitute(table, con, by=TEST)
    assert refused.value.code == "seated-elsewhere"
    Seat.objects.filter(table=other, member=paddy).update(seated=False)
    undo_substitute(table, con, by=TEST)
    with pytest.raises(Refused) as refused:
        undo_substitute(table, con, by=TEST)
    assert refused.value.code == "no-substitute"


def test_the_phone_seats_no_substitute_before_their_first_hand(client, table, con):
    client.force_login(a_user(club=table.session.club))
    paddy = table.current_seats[1].member
    substitute(table, 1, con, by=TEST)
    undo_last_hand(table, number=1, version=1, by=TEST, at=EIGHT)
    page = client.get(reverse("table_entry", args=[table.public_id]))
    assert page.context["keypad"].shorts[1] == paddy.name
    assert "Con plays from hand 2." in squeezed(page.content.decode())
