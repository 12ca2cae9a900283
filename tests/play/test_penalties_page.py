"""A penalty on the phone and points by an organiser: what they would do before they are saved,
their place in the list, their undo."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.play.actions import call_time, write_totals
from league.play.auth import table_link
from league.play.models import Game, Hand, Ruling
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.pages import squeezed
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


def renege(phone, table, name="table_ruling", form="add"):
    return phone.post(at(name, table), {"by_seat": "1", "form": form, "client_id": "a-penalty-1"})


def test_a_penalty_says_its_points_before_it_is_applied(phone, table):
    said = renege(phone, table, "preview_ruling").content.decode()
    assert "Ann reneged: Rose &amp; Ted +2" in said
    assert "The score is then" in said
    assert "4\u2009–\u20090" in said
    assert not Ruling.objects.exists()
    answer = phone.post(at("preview_ruling", table), {"client_id": "a-penalty-1"})
    assert "Tap who reneged" in answer.content.decode()


def test_where_a_penalty_is_entered_it_says_what_a_renege_is_and_what_counts_then(phone, table):
    """It said "Tap who reneged to see what it costs" and no more."""
    page = phone.get(at("table_entry", table)).text
    example = "A renege: a player could follow suit and didn't. "
    assert example + "Points of hands already entered stay." in page
    assert example + "Only the penalty counts then, not the tricks." in page


def test_where_the_other_side_chooses_the_payment_nothing_is_chosen_for_it(phone, table):
    """D-24: added to their score or taken from the guilty side, as the claimant chooses."""
    page = phone.get(at("table_entry", table)).text
    assert page.count("The other side chooses: the penalty is") == 2  # after a hand, and with it
    assert "as the rules say" not in page
    choose = "Choose how the renege is paid."
    preview = renege(phone, table, "preview_ruling", form="").text
    ways = "Ann reneged. The other side chooses: Rose &amp; Ted +2, or Ann &amp; Bill −2."
    assert ways in preview
    answer = renege(phone, table, form="")
    assert answer.status_code == 422
    assert choose in answer.text
    assert 'id="corrections" open' in answer.text
    assert re.search(r'name="by_seat" value="1"\s+checked', answer.text)  # who reneged stays chosen
    assert not Ruling.objects.exists()
    assert "Rose &amp; Ted +2" in renege(phone, table, "preview_ruling").text
    assert "Ann &amp; Bill −2" in renege(phone, table, "preview_ruling", form="deduct").text


def test_a_renege_entered_with_its_hand_asks_how_it_is_paid(phone, table):
    hand = {"client_id": "renege-01", "number": 2, "dealer": 1, "maker": 0, "renege_by": 1}
    assert "Choose how the renege is paid." in phone.post(at("preview_hand", table), hand).text
    assert phone.post(at("save_hand", table), hand).status_code == 422
    phone.post(at("save_hand", table), hand | {"renege_form": "deduct"})
    assert log_of(table).state.score == (2, -2)


def test_where_the_rules_fix_the_payment_of_a_renege_no_form_asks_for_it(client):
    table = a_game_table(renege_form="deduct")
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = client.get(at("table_entry", table)).text
    assert "the penalty is" not in page
    assert "Ann &amp; Bill −2" in renege(client, table, "preview_ruling", form="").text


@pytest.mark.parametrize(("preset", "is_shown"), [("pepper", False), ("bid-six-handed", True)])
def test_whether_somebody_was_alone_is_asked_where_somebody_can_be(client, preset, is_shown):
    table = a_game_table(preset, players=6 if is_shown else 4, slug=preset)
    client.post(reverse("table_door"), {"code": table_link(table)})
    write_records(table, {"contract": {"seat": 0, "tricks": 3}, "tricks_won": {"makers": 3}},
                  at=timezone.now())  # fmt: skip
    assert (
        "A player was alone" in client.get(at("table_entry", table)).content.decode()
    ) is is_shown


def test_after_a_lone_hand_the_penalty_does_not_ask_whether_a_player_was_alone(client, table):
    client.post(reverse("table_door"), {"code": table_link(table)})
    alone = {"dealer": 0, "contract": {"seat": 0, "alone": True}, "tricks_won": {"makers": 5}}
    write_records(table, alone, at=timezone.now())
    assert "Rose &amp; Ted +4" in renege(client, table, "preview_ruling").text
    assert "A player was alone" not in client.get(at("table_entry", table)).text
    write(table, (1, 3), at=timezone.now())
    assert "A player was alone" in client.get(at("table_entry", table)).text


def test_a_penalty_stands_among_the_earlier_hands_and_is_undone_by_itself(phone, table):
    renege(phone, table)
    page = phone.get(at("table_entry", table)).content.decode()
    assert page.count("Renege by Ann") == 2  # in the box of what was entered last, and in the list
    assert log_of(table).state.score == (4, 0)
    phone.post(at("undo_ruling", table, Ruling.objects.get().pk))
    assert log_of(table).state.score == (2, 0)
    assert Hand.objects.get().current
    assert "Renege by Ann" not in phone.get(at("table_entry", table)).content.decode()


def test_a_penalty_after_a_lone_hand_says_why_it_costs_more(client, table):
    """A renege of the last hand "+4" stood in the list as one of "+2" does."""
    client.post(reverse("table_door"), {"code": table_link(table)})
    alone = {"dealer": 0, "contract": {"seat": 0, "alone": True}, "tricks_won": {"makers": 5}}
    write_records(table, alone, at=timezone.now())
    renege(client, table)
    page = squeezed(client.get(at("table_entry", table)).text)
    assert page.count("<b>Rose &amp; Ted +4</b><small>A player was alone</small>") == 2
    user = a_user(club=table.session.club)
    client.force_login(user)
    sheet = client.get(reverse("game", args=[table.session.club.slug, table.games.get().public_id]))
    assert "A player was alone" in squeezed(sheet.text)


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


def test_at_a_table_of_three_a_penalty_goes_to_the_opponents_and_not_to_a_side(client):
    three = a_game_table("guide-cutthroat-three-handed", players=3)
    client.post(reverse("table_door"), {"code": table_link(three)})
    page = client.get(at("table_entry", three)).text
    label = "added to the opponents of the player who reneged"
    assert page.count(label) == 2  # after a hand, and with the hand
    assert "other side" not in page.partition("Penalty after a hand")[2].partition("</fieldset>")[0]


@pytest.fixture
def organiser(client, table):
    write(table, (0, 5), (1, 3), (0, 3))
    client.force_login(a_user(club=table.session.club))
    return client


def of_game(name, *more):
    game = Game.objects.get()
    return reverse(name, args=[game.session.club.slug, game.public_id, *more])


def test_points_typed_show_the_score_they_make_before_they_are_saved(organiser):
    page, preview = organiser.get(of_game("game")).text, of_game("preview_adjustment")
    assert "-2 to take them away" in page
    assert f'data-points="{preview}"' in page
    minus = organiser.post(preview, {"points0": "-2", "points1": "x"}).text
    assert "Rose &amp; Ted −2" in minus
    assert "The score is then 1\u2009–\u20091." in minus
    assert "Rose &amp; Ted win, 10\u2009–\u20091" in organiser.post(preview, {"points0": "7"}).text
    assert "Enter points" in organiser.post(preview, {"points0": "0"}).text
    assert Game.objects.get().score == [3, 1]


def test_points_that_change_the_winner_say_who_has_won(organiser, table):
    write(table, (1, 5), (1, 3))
    call_time(table, by=TEST, at=EIGHT)
    minus = {"points1": "-2", "reason": "Renege", "client_id": "points-01"}
    page = organiser.post(of_game("adjust_score"), minus, follow=True).text
    assert "The winner has changed: Rose &amp; Ted won 3\u2009–\u20092" in page
    withdraw = of_game("withdraw_ruling", Ruling.objects.get().pk)
    page = organiser.post(withdraw, follow=True).text
    assert "The winner has changed: Ann &amp; Bill won 4\u2009–\u20093" in page


def test_where_only_the_final_score_was_entered_points_lead_to_that_score(organiser, table):
    Game.objects.all().delete()
    write_totals(table, [7, 10], no_hands=True, by=TEST, at=EIGHT)
    page = organiser.get(of_game("game")).text
    assert of_game("adjust_score") not in page
    assert '<a href="#total0">Correct the score</a>' in page
    minus = {"points0": "-4", "reason": "Renege", "client_id": "points-01"}
    answer = organiser.post(of_game("adjust_score"), minus)
    assert answer.status_code == 409
    assert "Only the final score was entered here. Correct the score instead." in answer.text
    assert not Ruling.objects.exists()


def test_at_a_table_of_three_the_other_players_choose_how_a_renege_is_paid(client):
    table = a_game_table("nanaimo-three-handed", players=3, renege_form="claimant_choice")
    client.post(reverse("table_door"), {"code": table_link(table)})
    write(table, (0, 5), at=timezone.now())
    page = client.get(at("table_entry", table)).text
    assert page.count("The other players choose: the penalty is") == 2
    preview = renege(client, table, "preview_ruling", form="").text
    assert "reneged. The other players choose: " in preview
    assert "The other side" not in page + preview
