"""A club's settings: saved, refused at their field, and its own table of numbers read."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from league.members.languages import zone_aliases, zone_choices, zone_place
from league.members.validators import BadTable, read_table, validate_time_zone, write_table

pytestmark = pytest.mark.django_db


def text(answer):
    return answer.content.decode()


def settings_of(club, **changes):
    data = {
        "name": club.name,
        "time_zone": club.time_zone,
        "seating_policy": club.seating_policy,
        "seating_table": "",
        "confirm": club.confirm,
        "correction_minutes": "120",
        "session_minutes": "180",
        "tricks_entry": club.tricks_entry,
        "co_winners_credit": club.co_winners_credit,
        "visibility": club.visibility,
        "names_in_public": club.names_in_public,
        "findable": "on",
    }
    return data | changes


def test_settings_say_from_when_and_until_when_players_can_fix_hands(club, organiser):
    """They said "from the end of the game", and nothing of one that is confirmed."""
    page = text(organiser.get(reverse("club_settings", args=[club.slug])))
    assert "From when a hand is entered, until the game is confirmed." in page


def test_settings_say_which_rules_always_have_the_number_of_tricks_tapped(club, organiser):
    """Tables of such rules offered 0 to 5 whatever the setting said."""
    page = text(organiser.get(reverse("club_settings", args=[club.slug])))
    assert "It is always the number where points depend on it: with bids, a super euchre" in page


def test_settings_are_saved_and_only_what_changed_is_noted(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    new = {
        "seating_policy": "own",
        "seating_table": "11: 4 4 3\n9: 3,3,3",
        "auto_accept_minutes": "30",
    }
    assert organiser.post(page, settings_of(club, **new)).status_code == 302
    club.refresh_from_db()
    assert club.seating_table == {"9": [3, 3, 3], "11": [4, 4, 3]}
    assert club.auto_accept_minutes == 30
    assert set(club.audit.get().new) == {"seating_policy", "seating_table", "auto_accept_minutes"}
    assert "11: 4 4 3" in text(organiser.get(page))


def test_sizes_that_seat_fewer_players_are_saved_with_a_word_about_it(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    new = {"seating_policy": "own", "seating_table": "8: 4 4\n11: 4 4 2"}
    said = "With these custom table sizes players sit out: 11: 4 4 2"
    saved = text(organiser.post(page, settings_of(club, **new), follow=True))
    assert said in saved
    assert "8: 4 4 ·" not in saved
    assert said not in text(organiser.post(page, settings_of(club, **new), follow=True))


def test_a_table_too_small_is_refused_with_the_sizes_that_there_are(club, organiser):
    """“A table has 2, 3 or 4 players” was said, while tables of five were saved."""
    page = reverse("club_settings", args=[club.slug])
    new = {"seating_policy": "own", "seating_table": "11: 4 4 2 1"}
    answer = organiser.post(page, settings_of(club, **new))
    assert "Line 1: a table has 2 to 8 players." in text(answer)


def test_table_sizes_without_house_rules_are_saved_with_a_word_about_it(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    said = "Your club has no house rules for tables of 5 or 6: add them first."
    new = {"seating_policy": "own", "seating_table": "11: 6 5"}
    assert said in text(organiser.post(page, settings_of(club, **new), follow=True))
    assert said not in text(organiser.post(page, settings_of(club, **new), follow=True))
    new = {"seating_policy": "fives_sixes", "seating_table": ""}
    assert said in text(organiser.post(page, settings_of(club, **new), follow=True))


def test_a_club_can_ask_search_engines_to_leave_its_page_out(club, organiser, client):
    club.visibility = "standings"
    club.save()
    page = reverse("club", args=[club.slug])
    assert "X-Robots-Tag" not in client.get(page).headers
    organiser.post(reverse("club_settings", args=[club.slug]), settings_of(club, findable=""))
    assert client.get(page).headers["X-Robots-Tag"] == "noindex"


def test_what_newcomers_read_is_saved_line_by_line(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    typed = "Everyone may come.\r\n\r\n3 € a night \r\n"
    assert organiser.post(page, settings_of(club, welcome=typed)).status_code == 302
    club.refresh_from_db()
    assert club.welcome == "Everyone may come.\n\n3 € a night"
    assert set(club.audit.get().new) == {"welcome"}
    assert organiser.post(page, settings_of(club, welcome="x\r\n" * 300)).status_code == 302


def test_a_members_only_club_reads_that_no_newcomer_sees_what_it_writes_for_them(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    unseen = "Nobody outside the club sees it while results are for members only."
    way = '<a href="#id_visibility">Who can see results</a>'
    on_saving = "Nobody outside the club sees “For newcomers” while results are for members only."
    assert f"{unseen} {way}" in text(organiser.get(page))
    assert "Shown to everyone" not in text(organiser.get(page))
    written = settings_of(club, welcome="Everyone may come.")
    assert on_saving in text(organiser.post(page, written, follow=True))
    assert on_saving not in text(organiser.post(page, written, follow=True))
    assert unseen in text(organiser.get(reverse("club", args=[club.slug])))
    public = written | {"welcome": "Come at 7.", "visibility": "standings"}
    assert on_saving not in text(organiser.post(page, public, follow=True))
    assert unseen not in text(organiser.get(page))
    assert unseen not in text(organiser.get(reverse("club", args=[club.slug])))


def test_who_can_see_results_says_of_each_choice_what_a_visitor_sees(club, organiser):
    page = text(organiser.get(reverse("club_settings", args=[club.slug])))
    assert (
        "Members only: visitors see nothing of the club, not even what you write for newcomers"
        in page
    )
    assert (
        "Anyone: visitors see sessions, standings, games and what you write for newcomers" in page
    )


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"seating_table": "11: 4 4 4"}, "seating_table"),
        ({"seating_table": "eleven"}, "seating_table"),
        ({"seating_policy": "own"}, "seating_table"),
        ({"auto_accept_minutes": "0"}, "auto_accept_minutes"),
        ({"correction_minutes": "-1"}, "correction_minutes"),
        ({"correction_minutes": str(10**30)}, "correction_minutes"),
        ({"visibility": "everyone"}, "visibility"),
        ({"confirm": ""}, "confirm"),
        ({"welcome": "x" * 601}, "welcome"),
        ({"welcome": "Ask\nRo\u202ese"}, "welcome"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_at_its_field(club, organiser, wrong, field):
    page = reverse("club_settings", args=[club.slug])
    answer = organiser.post(page, settings_of(club, **wrong, name="Typed Name"))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert "Typed Name" in text(answer)
    club.refresh_from_db()
    assert club.name == "Thursday Euchre"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("11", "line"),
        ("11: 4-4-3", "line"),
        ("11: ٤ 4 3", "line"),
        ("1: 2", "number"),
        ("201: 4", "number"),
        ("11: 9 2", "size"),
        ("11: 4 4 4", "many"),
        ("11: 4 4 3\n11: 3 3 3", "twice"),
    ],
)
def test_a_table_of_numbers_that_cannot_seat_is_refused(written, code):
    with pytest.raises(BadTable) as caught:
        read_table(written)
    assert [fault for fault, _line in caught.value.faults] == [code]


def test_every_line_of_table_sizes_that_is_wrong_is_named_at_once():
    with pytest.raises(BadTable) as caught:
        read_table("1: 2\n11: 4 4 3\n12: 9 3\n13")
    assert caught.value.faults == (("number", 1), ("size", 3), ("line", 4))


def test_a_table_of_numbers_reads_back_as_written():
    table = read_table("11 = 3+4+4\n\n6: 4\n")
    assert table == {"6": [4], "11": [4, 4, 3]}
    assert read_table(write_table(table)) == table


def offered(*more):
    return [zone for _part, zones in zone_choices(*more) for zone, _name in zones]


def test_a_zone_is_offered_by_one_name_and_every_other_name_leads_to_it():
    assert len(offered()) == len(set(offered())) < 450
    assert {"UTC", "Europe/Amsterdam", "Asia/Kolkata", "America/Indiana/Knox"} <= set(offered())
    assert not {"Asia/Calcutta", "Europe/Kiev", "America/Knox_IN", "Etc/GMT+5"} & set(offered())
    assert zone_aliases()["Asia/Calcutta"] == "Asia/Kolkata"
    assert set(zone_aliases().values()) <= set(offered())


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Wien"), ("fr-ca", "Vienne"), ("en-gb", "Vienna")]
)
def test_a_zone_has_the_name_of_its_place_in_the_readers_language(language, said):
    with translation.override(language):
        names = dict(zone for _part, zones in zone_choices() for zone in zones)
        assert (names["Europe/Vienna"], zone_place("Europe/Vienna")) == (said, said)


def test_a_club_keeps_the_zone_that_it_has_by_another_name(club, organiser):
    club.time_zone = "Asia/Calcutta"
    club.save()
    page = reverse("club_settings", args=[club.slug])
    assert organiser.post(page, settings_of(club, correction_minutes="60")).status_code == 302
    club.refresh_from_db()
    assert (club.time_zone, club.correction_minutes) == ("Asia/Calcutta", 60)


@pytest.mark.parametrize("zone", ["localtime", "Factory", "", "posix/UTC"])
def test_what_names_no_place_is_no_time_zone(club, zone):
    with pytest.raises(ValidationError):
        validate_time_zone(zone)


def test_the_labels_of_ratings_and_of_wins_together_say_what_they_do(club, organiser):
    page = text(organiser.get(reverse("club_settings", args=[club.slug])))
    assert "Show ratings" in page
    assert "beside the standings" not in page
    assert "On player pages and a page of their own." in page
    assert "follows the house rules of each game." in page


def test_the_rules_are_a_tap_away_at_the_top_of_the_settings(club, organiser):
    page = text(organiser.get(reverse("club_settings", args=[club.slug])))
    assert page.index('href="#rules"') < page.index("<form class") < page.index('<h2 id="rules">')
