"""A penalty on the phone: its points before it is applied, its place in the list, its undo."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.play.auth import table_link
from league.play.models import Hand, Ruling
from tests.builders import a_game_table
from tests.play.hands import log_of, write, write_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_link(table)})
    write(table, (0, 5), at=timezone.now())
    return client


def at(name, table, *more):
    return reverse(name, args=[table.public_id, *more])


def renege(phone, table, name="table_ruling"):
    return phone.post(at(name, table), {"by_seat": "1", "form": "", "client_id": "a-penalty-1"})


def test_a_penalty_says_its_points_before_it_is_applied(phone, table):
    said = renege(phone, table, "preview_ruling").content.decode()
    assert "Rose &amp; Ted +2" in said
    assert "4\u2009–\u20090" in said
    assert not Ruling.objects.exists()
    answer = phone.post(at("preview_ruling", table), {"client_id": "a-penalty-1"})
    assert "Tap who reneged" in answer.content.decode()


@pytest.mark.parametrize(("preset", "is_shown"), [("pepper", False), ("bid-six-handed", True)])
def test_whether_somebody_was_alone_is_asked_where_somebody_can_be(client, preset, is_shown):
    table = a_game_table(preset, players=6 if is_shown else 4, slug=preset)
    client.post(reverse("table_door"), {"code": table_link(table)})
    write_records(table, {"contract": {"seat": 0, "tricks": 3}, "tricks_won": {"makers": 3}},
                  at=timezone.now())  # fmt: skip
    assert (
        "A player was alone" in client.get(at("table_entry", table)).content.decode()
    ) is is_shown


def test_a_penalty_stands_among_the_earlier_hands_and_is_undone_by_itself(phone, table):
    renege(phone, table)
    page = phone.get(at("table_entry", table)).content.decode()
    assert page.count("Renege by Ann") == 2  # in the box of what was entered last, and in the list
    assert log_of(table).state.score == (4, 0)
    phone.post(at("undo_ruling", table, Ruling.objects.get().pk))
    assert log_of(table).state.score == (2, 0)
    assert Hand.objects.get().current
    assert "Renege by Ann" not in phone.get(at("table_entry", table)).content.decode()


def test_undoing_a_penalty_or_a_misdeal_is_answered_with_a_sentence(phone, table):
    renege(phone, table)
    undone = phone.post(at("undo_ruling", table, Ruling.objects.get().pk), follow=True)
    assert "Penalty undone." in undone.content.decode()
    phone.post(at("table_misdeal", table), {"client_id": "a-misdeal-1"})
    undone = phone.post(at("undo_ruling", table, Ruling.objects.latest("pk").pk), follow=True)
    assert "Misdeal undone." in undone.content.decode()


def test_an_organisers_own_adjustment_is_not_the_tables_to_undo(phone, table):
    renege(phone, table)
    Ruling.objects.update(kind=Ruling.Kind.ADJUSTMENT, by_seat=None, points=[1, 0])
    assert phone.post(at("undo_ruling", table, Ruling.objects.get().pk)).status_code == 404
    assert Ruling.objects.get().withdrawn_at is None


@pytest.mark.parametrize(
    ("how", "said"), [("table_concede", "conceded."), ("table_time", "Time was called.")]
)
def test_undo_after_a_game_was_ended_takes_that_back_and_not_what_was_entered_before(
    phone, table, how, said
):
    def last():
        page = phone.get(at("table_entry", table)).content.decode()
        return page.split('id="last-hand"')[1].split("</div>")[0]

    phone.post(at("table_misdeal", table), {"client_id": "misdeal-1"})
    phone.post(at(how, table), {"seat": "0"})
    assert said in last()
    assert f'action="{at("table_resume", table)}"' in last()
    phone.post(at("table_resume", table))
    assert "Misdeal" in last()


@pytest.mark.parametrize(
    ("preset", "players", "what"),
    [
        ("standard-four-handed", 4, "The game ends here, and the other side wins."),
        ("five-hundred-three", 3, "The game ends for everyone. Of the others, the one in front"),
    ],
)
def test_conceding_says_what_happens_before_the_tap(client, preset, players, what):
    table = a_game_table(preset, players=players, slug=preset)
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = client.get(at("table_entry", table)).content.decode()
    assert what in page.partition("Who concedes?")[0]
