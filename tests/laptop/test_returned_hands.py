"""Hands of tables that a restored club does not have: their phones still have them."""

import importlib
import json

import pytest
from django.apps import apps
from django.utils import timezone

from league.errors import Refused
from league.members.audit import log_action
from league.play.auth import receipt, table_code
from league.play.models import Hand, ReturnedHand
from league.play.returned_hands import enter_returned_hands, returned_tables
from tests.builders import TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of
from tests.play.hands import write, write_records

pytestmark = pytest.mark.django_db


class Evening:
    """A table whose phone came in before the laptop was lost, and which the backup has not."""

    def __init__(self, phone):
        self.club = a_club()
        a_user("ruth", club=self.club, rank="owner")
        self.people = members_of(self.club, 4)
        self.rules = a_ruleset(self.club)
        self.club.rulesets.update(is_default=True)
        self.night = a_session(self.club, self.people)
        self.phone, table = phone, self.table()
        self.id = table.public_id
        phone.post("/t/", {"code": table_code(table)})
        table.delete()

    def table(self, people=None):
        return a_table(self.night, people or self.people, self.rules)

    def report(self, hands, **more):
        people = " ".join(member.public_id for member in self.people)
        sent = {"session": self.night.public_id, "number": 1, "people": people}
        sent |= {"hands": json.dumps(hands)} | more
        return self.phone.post(f"/t/{self.id}/copies", sent)


def a_hand(number, maker=0, outcome="made"):
    answers = {"number": number, "dealer": (number - 1) % 4, "maker": maker, "outcome": outcome}
    texts = {name: str(value) for name, value in answers.items()}
    return {"client_id": f"client-id-{number}"} | texts


@pytest.fixture
def evening(phone):
    return Evening(phone)


def test_the_organiser_sees_which_hands_of_which_table_only_a_phone_has(evening, at_it):
    hands = [a_hand(2, maker=1, outcome="march"), a_hand(1)]
    for _ in range(2):  # a phone asks again whenever its page is loaded
        assert evening.report(hands).json() == {"noted": 2}
    at_it.force_login(evening.club.roles.get(rank="owner").user)
    page = " ".join(at_it.get("/computer/").content.decode().split())
    first, second = evening.people[:2]
    assert "Hands that only phones have" in page
    assert page.index(f"Hand 1 · {first.name}") < page.index(f"Hand 2 · {second.name}")
    assert page.count("Hand 2 ·") == 1
    assert "Enter these hands" not in page


def test_they_are_entered_where_the_same_players_have_the_same_seats_again(evening, at_it):
    evening.report([a_hand(2, maker=1, outcome="march"), a_hand(1)])
    table = evening.table()
    at_it.force_login(evening.club.roles.get(rank="owner").user)
    assert "Enter these hands at table" in at_it.get("/computer/").content.decode()
    for _ in range(2):
        at_it.post(f"/computer/hands/{evening.id}/")
    found = Hand.objects.filter(game__table=table).order_by("number")
    assert [hand.client_id for hand in found] == ["client-id-1", "client-id-2"]
    assert [hand.record["contract"]["seat"] for hand in found] == [0, 1]
    assert returned_tables(at=timezone.now()) == []


def test_nothing_is_entered_at_a_table_of_others_or_one_that_has_hands(evening):
    evening.report([a_hand(1)])
    (lost,) = returned_tables(at=timezone.now())
    others = [evening.people[1], evening.people[0], *evening.people[2:]]
    evening.table(others)
    assert returned_tables(at=timezone.now())[0].target is None
    with pytest.raises(Refused, match="same seats"):
        enter_returned_hands(lost, by=TEST, at=timezone.now())


def owners_page(evening, browser):
    browser.force_login(evening.club.roles.get(rank="owner").user)
    return " ".join(browser.get("/computer/").content.decode().split())


def test_a_table_made_again_that_has_hands_is_opened_to_compare_them(evening, at_it):
    evening.report([a_hand(1)])
    table = evening.table()
    write(table, (3, 5))
    page = owners_page(evening, at_it)
    assert "Other hands were entered at table 1 instead." in page
    assert f'href="/t/{table.public_id}/"' in page
    assert "Make the round again" not in page
    assert "Enter these hands" not in page


@pytest.mark.parametrize("maker", [0, 3], ids=["another hand", "the same hand"])
def test_the_organiser_sees_a_hand_that_came_back_where_another_is_now(
    evening, phone, at_it, maker
):
    table = evening.table()
    phone.post("/t/", {"code": table_code(table)})
    write_records(table, {"contract": {"seat": 3}, "outcome": "march"})
    hand = a_hand(1, maker=maker, outcome="march")
    headers = {"Accept": "application/json", "X-Receipt": receipt(table, hand["client_id"])}
    for _ in range(2):  # a phone sends it again whenever its page is loaded
        assert phone.post(f"/t/{table.public_id}/hand", hand, headers=headers).status_code == 409
    page = owners_page(evening, at_it)
    is_another = maker == 0
    assert page.count(f"Hand 1 · {evening.people[0].name}") == is_another
    assert ("Other hands were entered at table 1 instead." in page) == is_another


def test_a_hand_that_is_new_and_clashes_is_its_tables_own_affair(evening, phone, at_it):
    table = evening.table()
    phone.post("/t/", {"code": table_code(table)})
    write(table, (3, 5))
    answer = phone.post(f"/t/{table.public_id}/hand", a_hand(1), headers={"X-Receipt": ""})
    assert answer.status_code == 409
    assert returned_tables(at=timezone.now()) == []


def test_only_the_phone_of_that_table_is_heard(evening, at_it, client, settings):
    assert evening.report([a_hand(1)], session="somebodyelse").status_code == 404
    for nonsense in ("no hand", {"number": "1"}, a_hand(1) | {"maker": "<b>Ruth</b>"}):
        assert evening.report([nonsense]).status_code == 404
    evening.phone.cookies.clear()
    assert evening.report([a_hand(1)]).status_code == 404
    assert returned_tables(at=timezone.now()) == []


def test_a_server_takes_no_copies(evening, settings):
    settings.LAPTOP = ""
    assert evening.report([a_hand(1)]).status_code == 404


def test_each_is_stored_once_and_the_activity_log_has_one_line_for_all(evening):
    evening.report([a_hand(1), a_hand(2), a_hand(2)])
    evening.report([a_hand(1), a_hand(2), a_hand(3)])
    assert list(ReturnedHand.objects.values_list("number", flat=True)) == [1, 2, 3]
    lines = evening.club.audit.filter(action="keep unplaced hand").order_by("pk")
    assert [line.new for line in lines] == [{"hands": 2}, {"hands": 1}]


def test_those_of_an_older_version_come_over_from_the_activity_log(evening):
    hand = a_hand(7)
    people = [member.public_id for member in evening.people]
    new = {"table": evening.id, "number": 3, "people": people, "hand": hand}
    for _ in range(2):
        log_action(
            evening.club, TEST, "keep unplaced hand", "table 3", session=evening.night, new=new
        )
    migration = importlib.import_module("league.migrations.0022_returned_hands")
    migration.from_activity_log(apps, None)
    (lost,) = returned_tables(at=timezone.now())
    assert (lost.id, lost.number, lost.people) == (evening.id, 3, people)
    assert [(one.number, one.answers) for one in lost.hands] == [(7, hand)]
