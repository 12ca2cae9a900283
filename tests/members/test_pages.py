"""Where one arrives, founding a club, one's own account, and how often pages ask."""

import re
from datetime import time, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.access import KEPT_FORMS
from league.errors import keep_typed
from league.members import actions
from league.members.models import Club, Member
from league.seating.actions import draft_round, publish
from league.sessions.attendance import arrive
from league.templatetags.figures import date_beside
from tests.builders import TEST, a_club, a_session, a_user, members_of, rulesets_of

pytestmark = pytest.mark.django_db


def text(answer):
    return answer.content.decode()


# -- where one arrives -----------------------------------------------------------------------------


def test_a_visitor_reads_what_this_is_and_finds_only_listed_clubs(client):
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
    assert "3 checked in" in page
    assert tonight.public_id in page
    assert "Long past" not in page


def test_a_planned_session_is_tonights_on_the_clubs_own_date(club, organiser):
    today = club.local(timezone.now()).date()
    a_session(club, name="Planned today", state="planned", held_on=today)
    assert "Planned today" in text(organiser.get(reverse("home")))


def test_who_plays_tonight_finds_on_the_home_page_in_which_session_and_at_which_table(club):
    ted = a_user("ted", club=club, rank="member")
    rulesets_of(club)
    *players, late = members_of(club, 5)
    night = a_session(club, players, name="The one")
    a_session(club, name="The other")
    publish(draft_round(night, by=TEST, seed=1), by=TEST, at=timezone.now())
    arrive(night, late, by=TEST, at=timezone.now())
    client = Client()
    client.force_login(ted)
    for player, line in ((players[0], "You: table 1"), (late, "You are checked in")):
        Member.objects.update(user=None)
        Member.objects.filter(pk=player.pk).update(user=ted)
        page = text(client.get(reverse("home")))
        lines = dict(
            re.findall(
                r"<h3>(.*?)</h3>.*?</p>\s*(?:<p><strong>(.*?)</strong></p>)?\s*</a>",
                page,
                re.DOTALL,
            )
        )
        assert lines == {"The one": line, "The other": ""}


@pytest.mark.parametrize("days", [-3, 0, 2])
def test_an_open_session_of_another_day_stands_under_that_day(club, organiser, days):
    held_on = club.local(timezone.now()).date() + timedelta(days=days)
    a_session(club, name="Cup", held_on=held_on, state="open")
    heading = "Today" if not days else date_beside(held_on, "")
    for page in (reverse("home"), reverse("club", args=[club.slug])):
        shown = text(organiser.get(page))
        assert f"<h2>{heading}</h2>" in shown
        assert ("<h2>Today</h2>" in shown) == (not days)


def test_a_session_that_begins_in_the_morning_is_todays(club, organiser):
    """“Tonight” stood above a session of half past eight in the morning."""
    a_session(club, begins_at=time(8, 30), held_on=club.local(timezone.now()).date())
    page = reverse("club", args=[club.slug])
    assert "<h2>Today</h2>" in text(organiser.get(page))
    club.sessions.update(begins_at=time(19))
    assert "<h2>Tonight</h2>" in text(organiser.get(page))


def test_a_new_club_is_told_what_to_do_next(club, organiser):
    page = reverse("club", args=[club.slug])
    assert "Who plays?" in text(organiser.get(page))
    members_of(club, 11)
    assert "11 players are on the list" in text(organiser.get(page))
    a_session(club)
    assert "Ready for your first session" not in text(organiser.get(page))


def test_a_plain_member_finds_their_own_page_and_no_work_of_the_organisers(club, client):
    bob = a_user("bob", club=club, rank="member")
    player = members_of(club, 1)[0]
    Member.objects.filter(pk=player.pk).update(user=bob)
    client.force_login(bob)
    page = text(client.get(reverse("club", args=[club.slug])))
    assert "Who plays?" not in page
    assert reverse("club_settings", args=[club.slug]) not in page
    assert reverse("member_record", args=[club.slug, player.public_id]) in page


def test_past_sessions_stand_newest_first_and_planned_ones_soonest_first(club, organiser):
    for day in ("2026-11-05", "2026-11-12", "2026-10-29"):
        a_session(club, name=f"Past {day}", state="closed", held_on=day)
    for day in ("2099-02-01", "2099-01-01"):
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
    assert answer["Location"] == reverse("members_paste", args=["tuesday"])
    assert club.roles.get().rank == "owner"
    defaults = club.rulesets.filter(is_default=True)
    assert [(one.players, one.preset) for one in defaults] == [
        (2, "nanaimo-two-handed"),
        (3, "nanaimo-three-handed"),
        (4, "standard-four-handed"),
    ]


@pytest.mark.parametrize("typed", ["Mon day!", "mon_day"])
def test_a_web_address_with_other_letters_is_refused_in_plain_words(client, typed):
    client.force_login(a_user("ola"))
    answer = client.post(reverse("new_club"), FOUNDED | {"slug": typed})
    assert answer.status_code == 422
    assert "Use only lowercase letters, numbers and hyphens." in text(answer)
    assert "slug”" not in text(answer)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Tuesday Club!", "tuesday-club"),
        ("Our_Club", "our-club"),
        ("Les Cœurs, Élan 2", "les-coeurs-elan-2"),
    ],
)
def test_a_clubs_address_is_made_from_its_name_when_none_is_written(client, name, slug):
    client.force_login(a_user())
    client.post(reverse("new_club"), FOUNDED | {"name": name, "slug": ""})
    assert Club.objects.get().slug == slug


def test_the_usual_rules_are_chosen_at_first(client):
    client.force_login(a_user())
    form = client.get(reverse("new_club")).context["form"]
    assert [form[f"rules_{n}"].value() for n in (2, 3, 4)] == [
        "nanaimo-two-handed",
        "nanaimo-three-handed",
        "standard-four-handed",
    ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"slug": "thursday"}, "slug"),
        ({"slug": "THURSDAY"}, "slug"),
        ({"slug": "a b"}, "slug"),
        ({"slug": "", "name": "Thursday"}, "slug"),
        ({"slug": "", "name": "三日月"}, "slug"),
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


def test_ones_own_data_are_given_after_the_password_and_hold_nobody_elses(club, client):
    rose, ann = members_of(club, 2)
    user = a_user("rose", club=club, rank="member")
    actions.link_account(rose, username="rose", by=TEST)
    actions.edit_member(rose, by=TEST, email="rose@example.org")
    actions.edit_member(ann, by=TEST, email="ann@example.org")
    a_session(club, [rose, ann], name="Tonight")
    client.force_login(user)
    page = reverse("my_data")
    assert reverse("account_reauthenticate") in client.get(page)["Location"]
    client.post(reverse("account_reauthenticate"), {"password": "correct horse battery"})
    data = client.get(page).json()
    assert [one["email"] for one in data["plays as"]] == ["rose@example.org"]
    assert data["plays as"][0]["sessions"][0]["session"] == "Tonight"
    assert "ann@" not in str(data)


@pytest.mark.parametrize("name", ["my_data", "club_archive"])
def test_after_the_password_comes_a_page_with_a_link_to_the_file(club, client, name):
    """A browser that is sent a file stays where it was: on the page that asks for the password."""
    client.force_login(a_user("rose", club=club, rank="owner"))
    page = reverse(name, args=[club.slug] if name == "club_archive" else [])
    asks = client.get(page)["Location"]
    answer = client.post(asks, {"password": "correct horse battery", "next": page})
    came_from = {"Referer": f"http://testserver{asks}"}
    offered = client.get(answer["Location"], headers=came_from)
    assert "Content-Disposition" not in offered
    assert f'href="{page}"' in text(offered)
    files = reverse("club_files", args=[club.slug])
    assert (f'href="{files}"' in text(offered)) is (name == "club_archive")
    came_from = {"Referer": f"http://testserver{page}"}
    assert "attachment" in client.get(page, headers=came_from)["Content-Disposition"]


def test_who_leaves_a_club_is_a_stranger_to_it(club, client):
    client.force_login(a_user("bob", club=club, rank="member"))
    client.post(reverse("role_leave", args=[club.slug]))
    assert client.get(reverse("club", args=[club.slug])).status_code == 404


# -- queries ---------------------------------------------------------------------------------------

QUERIES = {
    "club": 14,  # also entry forms; for organisers, calls, requests and accounts without a player
    "members": 5,
    "roles": 6,
    "rulesets": 8,  # also tonight's tables that play other rules
    "club_settings": 5,
    "audit": 10,  # also the players and rulesets to which it leads
}


def test_a_page_asks_the_database_as_often_for_many_as_for_few(
    club, organiser, django_assert_num_queries
):
    for count in (2, 40):
        for number in range(count):
            person = actions.add_member(club, name=f"Player {count} {number}", by=TEST)
            a_user(f"user-{count}-{number}", club=club, rank="member")
            a_session(club, [person], name=f"Night {number}", state="closed")
        actions.adopt_preset(club, preset="somerset", by=TEST, name=f"Ours {count}")
        for name, queries in QUERIES.items():
            with django_assert_num_queries(queries, info=name):
                organiser.get(reverse(name, args=[club.slug]))


def test_what_was_typed_when_the_sign_in_had_expired_is_sent_again_after_it(client):
    club = a_club()
    olga = a_user("olga", club=club)
    add = reverse("member_add", args=[club.slug])
    more = {"member": "XTK3Hf7tT7qT", "first": "3NqIgl9AX2pj", "nick": "Christopherx"}
    led = client.post(
        add, {"name": "Rose Field", "email": "", "kind": "best_games", "on": "on", **more}
    )
    assert led.url.endswith(f"?next={reverse('typed_again')}")
    assert "What you entered is still here" in text(client.get(led.url))
    client.force_login(olga)
    page = client.get(reverse("typed_again"))
    assert page.context["shown"] == [
        "Rose Field",
        "Christopherx",
    ]  # nothing that only the form itself understands
    assert page.context["typed"]["path"] == add
    assert not club.members.exists()
    client.get(reverse("club", args=[club.slug]))
    assert "Rose Field" in text(client.get(reverse("typed_again")))  # back at the page later
    client.post(add, dict(page.context["typed"]["fields"]))
    assert club.members.get().name == "Rose Field"
    assert client.get(reverse("typed_again")).url == reverse("home")


def test_an_entry_kept_for_a_sign_in_is_let_go_with_discard(client):
    club = a_club()
    client.post(reverse("member_add", args=[club.slug]), {"name": "Rose Field", "email": ""})
    client.force_login(a_user("olga", club=club))
    assert client.post(reverse("typed_again"), {"name": "Rose Field"}).url == reverse("home")
    assert "unsent_form" not in client.session


def test_a_form_refused_meanwhile_does_not_take_the_place_of_one_that_met_an_expired_sign_in(
    client, rf
):
    club = a_club()
    client.post(reverse("member_add", args=[club.slug]), {"name": "Rose Field", "email": ""})
    client.force_login(a_user("olga", club=club))
    refused = rf.post(reverse("member_add", args=[club.slug]), {"name": "Ivy Wood"})
    refused.session = client.session
    keep_typed(refused)
    refused.session.save()
    assert "Rose Field" in text(client.get(reverse("typed_again")))
    actions.erase_member(members_of(club, 1)[0], by=TEST, at=timezone.now())
    assert not {"unsent_form", "refused_form"} & set(client.session.keys())


def test_an_entry_of_numbers_alone_is_kept_without_announcing_a_list(client):
    club = a_club()
    client.post(reverse("member_add", args=[club.slug]), {"total0": "10", "total1": "4"})
    client.force_login(a_user("olga", club=club))
    page = text(client.get(reverse("typed_again")))
    assert "What you sent is still here." in page
    assert "still here:" not in page


def test_a_form_kept_for_a_sign_in_goes_when_somebody_of_its_club_is_erased(client):
    club, other, elsewhere = a_club(), a_club("Other", "other"), Client()
    client.post(reverse("member_add", args=[club.slug]), {"name": "Rose Field", "email": ""})
    elsewhere.post(reverse("member_add", args=[other.slug]), {"name": "Ivy Wood", "email": ""})
    actions.erase_member(members_of(club, 1)[0], by=TEST, at=timezone.now())
    assert "unsent_form" not in client.session
    assert "unsent_form" in elsewhere.session


def test_strangers_fill_no_more_than_a_little_of_the_database_with_what_they_typed(client):
    add = reverse("member_add", args=["no-such-club"])
    for number in range(KEPT_FORMS.most + 5):
        client.cookies.clear()
        client.post(add, {"name": f"Rose {number}"})
    assert Session.objects.count() == KEPT_FORMS.most
    client.cookies.clear()
    assert client.post(add, {"name": "\u6f22" * 5_000}).url.endswith(f"?next={reverse('home')}")


def test_tonight_leads_a_visitor_of_a_public_club_to_a_page_that_is_public(client):
    club = a_club(visibility="standings")
    night = a_session(club)
    page = client.get(reverse("club", args=[club.slug])).content.decode()
    public = reverse("session_standings", args=[club.slug, night.public_id])
    assert f'href="{public}"' in page
    assert client.get(public).status_code == 200
    assert f'href="{reverse("session", args=[club.slug, night.public_id])}"' not in page


def test_a_printed_page_leads_back_for_everyone_who_can_open_it(club, organiser):
    club.visibility = "standings"
    club.save()
    night = a_session(club)
    rules = reverse("rules_print", args=[club.slug])
    assert reverse("rulesets", args=[club.slug]) in text(organiser.get(rules))
    visitor = text(Client().get(rules)).partition('class="paper-bar')[2]
    assert f'href="{reverse("club", args=[club.slug])}"' in visitor
    standings = reverse("session_standings", args=[club.slug, night.public_id])
    printed = reverse("print_standings", args=[club.slug, night.public_id])
    assert f'href="{standings}"' in text(Client().get(printed))
