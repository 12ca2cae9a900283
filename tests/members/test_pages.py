"""The club's pages as people use them: first page, founding, people, lists, settings, account."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members import actions
from league.members.models import Club, Member
from league.members.seating_rule import BadTable, read_table, write_table
from tests.builders import TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def organiser(club, client):
    client.force_login(a_user("olive", club=club))
    return client


def text(answer):
    return answer.content.decode()


# -- where one arrives -----------------------------------------------------------------------------


def test_a_visitor_reads_what_this_is_and_finds_only_public_clubs(client):
    a_club("Open Club", "open", visibility="standings")
    a_club("Quiet Club", "quiet")
    page = text(client.get(reverse("home")))
    assert "Open Club" in page
    assert "Quiet Club" not in page
    assert reverse("account_login") in page


def test_who_is_signed_in_finds_their_clubs_and_tonight(club, organiser):
    a_club("Other", "other")
    tonight = a_session(club, members_of(club, 3), name="Tonight", state="open")
    a_session(club, name="Long past", state="closed")
    page = text(organiser.get(reverse("home")))
    assert club.name in page
    assert "Other" not in page
    assert "3 people are here" in page
    assert tonight.public_id in page
    assert "Long past" not in page


def test_a_planned_session_is_tonights_on_the_clubs_own_date(club, organiser):
    today = club.local(timezone.now()).date()
    a_session(club, name="Planned today", state="planned", held_on=today)
    assert "Planned today" in text(organiser.get(reverse("home")))


def test_a_new_club_is_told_what_to_do_next(club, organiser):
    page = reverse("club", args=[club.slug])
    assert "Who plays?" in text(organiser.get(page))
    members_of(club, 11)
    assert "11 people are on the list" in text(organiser.get(page))
    a_session(club)
    assert "Ready for the first night" not in text(organiser.get(page))


def test_a_plain_member_is_not_told_to_do_the_organisers_work(club, client):
    client.force_login(a_user("bob", club=club, rank="member"))
    page = text(client.get(reverse("club", args=[club.slug])))
    assert "Who plays?" not in page
    assert reverse("club_settings", args=[club.slug]) not in page


def test_past_sessions_stand_newest_first_and_planned_ones_soonest_first(club, organiser):
    for day in ("2026-11-05", "2026-11-12", "2026-10-29"):
        a_session(club, name=f"Past {day}", state="closed", held_on=day)
    for day in ("2027-02-01", "2027-01-01"):
        a_session(club, name=f"Planned {day}", state="planned", held_on=day)
    sessions = organiser.get(reverse("club", args=[club.slug])).context["sessions"]
    assert [s.name[-5:] for s in sessions["closed"]] == ["11-12", "11-05", "10-29"]
    assert [s.name[-5:] for s in sessions["planned"]] == ["01-01", "02-01"]


# -- founding --------------------------------------------------------------------------------------

FOUNDED = {
    "name": "Tuesday Club",
    "slug": "tuesday",
    "time_zone": "America/Vancouver",
    "rules_2": "nanaimo-two-handed",
    "rules_3": "nanaimo-three-handed",
    "rules_4": "standard-four-handed",
}


def test_whoever_founds_a_club_owns_it_and_can_play_at_once(client):
    user = a_user()
    client.force_login(user)
    answer = client.post(reverse("new_club"), FOUNDED)
    club = Club.objects.get(slug="tuesday")
    assert answer["Location"] == reverse("club", args=["tuesday"])
    assert club.roles.get().rank == "owner"
    defaults = club.rulesets.filter(is_default=True)
    assert [(one.players, one.preset) for one in defaults] == [
        (2, "nanaimo-two-handed"),
        (3, "nanaimo-three-handed"),
        (4, "standard-four-handed"),
    ]


def test_nanaimos_rules_are_chosen_at_first(client):
    client.force_login(a_user())
    form = client.get(reverse("new_club")).context["form"]
    assert [form[f"rules_{n}"].value() for n in (2, 3, 4)] == [
        "nanaimo-two-handed",
        "nanaimo-three-handed",
        "nanaimo-four-handed",
    ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"slug": "thursday"}, "slug"),
        ({"slug": "THURSDAY"}, "slug"),
        ({"slug": "a b"}, "slug"),
        ({"slug": "../etc"}, "slug"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"rules_4": "nanaimo-two-handed"}, "rules_4"),
    ],
)
def test_a_club_that_cannot_be_is_refused_at_the_field(club, client, wrong, field):
    client.force_login(a_user())
    answer = client.post(reverse("new_club"), FOUNDED | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert Club.objects.count() == 1


def test_signing_in_comes_before_founding(client):
    assert client.get(reverse("new_club"))["Location"].startswith(reverse("account_login"))


# -- people ----------------------------------------------------------------------------------------


def test_people_are_searched_filtered_and_sorted(club, organiser):
    _rose, ann, ted = members_of(club, 3)
    Member.objects.filter(pk=ann.pk).update(is_guest=True)
    actions.retire_member(ted, by=TEST, at=timezone.now())
    page = reverse("members", args=[club.slug])

    def found(**query):
        return [row.record.name for row in organiser.get(page, query).context["table"].rows]

    assert found() == ["Ann", "Rose"]
    assert found(sort="-name") == ["Rose", "Ann"]
    assert found(q="RO") == ["Rose"]
    assert found(kind="guests") == ["Ann"]
    assert found(kind="members") == ["Rose"]
    assert found(state="retired") == ["Ted"]
    assert found(state="all") == ["Ann", "Rose", "Ted"]


def test_a_plain_member_finds_the_results_of_each_and_an_organiser_the_person(
    club, organiser, client
):
    [rose] = members_of(club, 1)
    page = reverse("members", args=[club.slug])
    assert reverse("member_edit", args=[club.slug, rose.public_id]) in text(organiser.get(page))
    client.force_login(a_user("bob", club=club, rank="member"))
    shown = text(client.get(page))
    assert reverse("member_record", args=[club.slug, rose.public_id]) in shown
    assert reverse("member_edit", args=[club.slug, rose.public_id]) not in shown


def test_an_e_mail_address_is_for_organisers_only(club, client):
    member = members_of(club, 1)[0]
    actions.edit_member(member, by=TEST, email="rose@example.org")
    client.force_login(a_user("bob", club=club, rank="member"))
    assert "rose@example.org" not in text(client.get(reverse("members", args=[club.slug])))


def test_a_second_person_of_one_name_is_asked_for_and_typed_words_stay(club, organiser):
    actions.add_member(club, name="Rose", by=TEST)
    page = reverse("member_add", args=[club.slug])
    answer = organiser.post(page, {"name": "rose", "email": "r@example.org"})
    assert answer.status_code == 409
    assert "another person of the same name" in text(answer)
    assert "r@example.org" in text(answer)
    assert organiser.post(page, {"name": "rose", "same_name": "on"}).status_code == 302
    assert club.members.count() == 2


@pytest.mark.parametrize("name", ["", "x" * 61, "Ro\u202ese", "\u200b", "a" + "\u0301" * 9])
def test_a_bad_name_is_refused_at_its_field(club, organiser, name):
    answer = organiser.post(reverse("member_add", args=[club.slug]), {"name": name})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["name"]
    assert not club.members.exists()


def test_a_list_is_pasted_looked_at_and_added(club, organiser):
    actions.add_member(club, name="Rose Winter", by=TEST)
    page = reverse("members_paste", args=[club.slug])
    names = "Ted\nrose winter\nRose Wintre\n"
    seen = organiser.post(page, {"names": names})
    assert "looks like Rose Winter" in text(seen)
    assert club.members.count() == 1
    agreed = seen.context["agreed"]
    answer = organiser.post(page, {"names": names, "agreed": agreed, "also": ["3"]})
    assert answer.status_code == 302
    assert sorted(m.name for m in club.members.all()) == ["Rose Winter", "Rose Wintre", "Ted"]


def test_a_list_with_a_bad_line_adds_nobody_and_stays_to_be_put_right(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    names = "Ted\n" + "x" * 70
    seen = organiser.post(page, {"names": names})
    assert "line 2 cannot be read" in text(seen)
    answer = organiser.post(page, {"names": names, "agreed": seen.context["agreed"]})
    assert answer.status_code == 422
    assert "x" * 70 in text(answer)
    assert not club.members.exists()


def test_two_rows_of_one_person_become_one_on_the_page(club, organiser):
    short = actions.add_member(club, name="Rose W.", by=TEST)
    full = actions.add_member(club, name="Rose Winter", by=TEST)
    page = reverse("member_merge", args=[club.slug, short.public_id])
    assert organiser.get(page).context["form"]["other"].value() == full.public_id
    organiser.post(page, {"other": full.public_id, "stays": "other"})
    short.refresh_from_db()
    assert short.merged_into == full


def test_only_people_of_the_club_can_be_merged(club, organiser):
    [rose] = members_of(club, 1)
    [stranger] = members_of(a_club("Other", "other"), 1)
    page = reverse("member_merge", args=[club.slug, rose.public_id])
    answer = organiser.post(page, {"other": stranger.public_id, "stays": "other"})
    assert list(answer.context["form"].errors) == ["other"]


def test_a_person_is_forgotten_only_when_the_name_is_typed(club, organiser):
    [rose] = members_of(club, 1)
    page = reverse("member_erase", args=[club.slug, rose.public_id])
    assert organiser.post(page, {"name": "Ros"}).status_code == 422
    assert organiser.post(page, {"name": " rose "}).status_code == 302
    assert organiser.get(page).status_code == 404
    rose.refresh_from_db()
    assert rose.erased_at


def test_a_guest_is_made_a_member_retired_and_returned_by_one_press_each(club, organiser):
    guest = actions.add_member(club, name="Gus", by=TEST, is_guest=True)
    page = reverse("member_turn", args=[club.slug, guest.public_id])
    for turn in ("admit", "retire", "return", "nonsense"):
        assert organiser.post(page, {"turn": turn}).status_code == 302
    guest.refresh_from_db()
    assert (guest.is_guest, guest.retired_at) == (False, None)
    noted = list(club.audit.order_by("id").values_list("action", flat=True))
    assert noted == ["add guest", "edit member", "retire member", "return member"]


# -- settings --------------------------------------------------------------------------------------


def settings_of(club, **changes):
    data = {
        "name": club.name,
        "time_zone": club.time_zone,
        "seating_policy": club.seating_policy,
        "seating_table": "",
        "confirm": club.confirm,
        "correction_minutes": "120",
        "tricks_entry": club.tricks_entry,
        "visibility": club.visibility,
        "names_in_public": club.names_in_public,
    }
    return data | changes


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
        ("11: 5 4 2", "size"),
        ("11: 4 4 4", "many"),
        ("11: 4 4 3\n11: 3 3 3", "twice"),
    ],
)
def test_a_table_of_numbers_that_cannot_seat_is_refused(written, code):
    with pytest.raises(BadTable) as caught:
        read_table(written)
    assert caught.value.code == code


def test_a_table_of_numbers_reads_back_as_written():
    table = read_table("11 = 3+4+4\n\n6: 4\n")
    assert table == {"6": [4], "11": [4, 4, 3]}
    assert read_table(write_table(table)) == table


# -- one's own account -----------------------------------------------------------------------------


def test_a_user_changes_the_name_shown_and_sees_their_clubs(club, organiser):
    answer = organiser.post(reverse("you"), {"display_name": "  Olive   Oyl "})
    assert answer.status_code == 302
    page = text(organiser.get(reverse("you")))
    assert "Olive Oyl" in page
    assert club.name in page


def test_a_name_shown_that_cannot_be_read_is_refused(organiser):
    answer = organiser.post(reverse("you"), {"display_name": "Oli\u202eve"})
    assert answer.status_code == 422


def test_who_leaves_a_club_is_a_stranger_to_it(club, client):
    client.force_login(a_user("bob", club=club, rank="member"))
    client.post(reverse("role_leave", args=[club.slug]))
    assert client.get(reverse("club", args=[club.slug])).status_code == 404


# -- queries ---------------------------------------------------------------------------------------

QUERIES = {
    "club": 7,
    "members": 5,
    "roles": 6,
    "rulesets": 5,
    "club_settings": 4,
    "audit": 7,
}


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_page_asks_the_database_as_often_for_many_as_for_few(
    name, club, organiser, django_assert_num_queries
):
    page = reverse(name, args=[club.slug])
    for count in (2, 40):
        for number in range(count):
            person = actions.add_member(club, name=f"Player {count} {number}", by=TEST)
            a_user(f"user-{count}-{number}", club=club, rank="member")
            a_session(club, [person], name=f"Night {number}", state="closed")
        actions.adopt_preset(club, preset="somerset", by=TEST, name=f"Ours {count}")
        with django_assert_num_queries(QUERIES[name]):
            organiser.get(page)
