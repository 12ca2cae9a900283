"""Where a name still stands is shown before its person is erased."""

import pytest
from django.apps import apps
from django.urls import reverse

from league.members import actions
from league.members.actions.erasing import mentions_of
from league.members.fields import LineField
from league.members.models import Member, User
from league.seasons.models import Season
from league.teams.models import Team
from tests.builders import EIGHT, TEST, a_club, a_session, a_user
from tests.teams.leagues import a_league

SAID_ELSEWHERE = {Member}  # people's own names


@pytest.fixture
def club(db):
    return a_club("The Winter Club", "winter-club")


@pytest.fixture
def rose(club):
    return actions.add_member(club, name="Rose Winter", by=TEST)


def texts(member):
    return {(str(one.kind), one.text) for one in mentions_of(member)}


def test_the_clubs_own_name_and_web_address_are_named_with_their_page(club, rose):
    found = mentions_of(rose)
    assert texts(rose) == {("Club", "The Winter Club"), ("Club", "winter-club")}
    assert {one.page for one in found} == {reverse("club_settings", args=[club.slug])}


def test_what_erasing_replaces_is_not_named_and_a_part_of_the_name_is(club, rose):
    club.name, club.slug = "Thursday", "thursday"
    club.save()
    a_session(club, [], name="Birthday of Rose Winter")
    assert texts(rose) == set()
    a_session(club, [], name="Rose's farewell")
    Season.objects.create(club=club, name="WINTER 2026", starts_on="2026-11-01")
    league = a_league(1, club=club)
    Team.objects.update(venue="Chez Rose")
    assert texts(rose) == {
        ("Session", "Rose's farewell"),
        ("Season", "WINTER 2026"),
        ("Team", "Chez Rose"),
        ("League", "Winter League"),
    }
    assert {one.page for one in mentions_of(rose)} >= {
        reverse("team_edit", args=[club.slug, league.public_id, Team.objects.get().public_id])
    }


def test_whom_newcomers_ask_is_erased_and_a_part_of_the_name_is_named(club, rose):
    club.name, club.slug = "Thursday", "thursday"
    club.welcome = "Everyone may come.\nAsk Rose Winter. Rose has a phone."
    club.save()
    assert texts(rose) == {("Club", club.welcome)}
    actions.erase_member(rose, by=TEST, at=EIGHT)
    rose.refresh_from_db()
    club.refresh_from_db()
    assert club.welcome == f"Everyone may come.\nAsk {rose.name}. Rose has a phone."


def test_what_names_somebody_else_in_full_or_is_another_word_is_not_named(club, rose):
    actions.add_member(club, name="Rose Summer", by=TEST)
    a_session(club, [], name="For Rose Summer in the Rosewood")
    assert ("Session", "For Rose Summer in the Rosewood") not in texts(rose)


def test_an_account_of_that_name_is_named_unless_it_is_the_persons_own(club, rose):
    own = a_user("rose", club=club, rank="member")
    rose.user = own
    rose.save()
    assert not {text for kind, text in texts(rose) if kind == "Account"}
    a_user("winter", club=club, rank="member")
    assert ("Account", "winter") in texts(rose)


def test_the_page_lists_them_before_anything_is_done(club, rose, client):
    client.force_login(a_user("secretary", club=club, rank="owner"))
    page = client.get(reverse("member_erase", args=[club.slug, rose.public_id]))
    shown = page.content.decode()
    assert "Their name also appears in" in shown
    assert "The Winter Club" in shown
    assert "These are not changed." in shown


def test_as_many_questions_to_the_database_for_many_texts_as_for_few(
    club, rose, django_assert_num_queries, django_assert_max_num_queries
):
    with django_assert_max_num_queries(30) as few:
        mentions_of(rose)
    for number in range(20):
        a_session(club, [], name=f"Rose's evening {number}")
    with django_assert_num_queries(len(few)):
        assert len(mentions_of(rose)) == 22


WRITTEN = [m for m in apps.get_app_config("league").get_models() if hasattr(m, "WRITTEN_ON")]


@pytest.mark.parametrize("model", WRITTEN, ids=lambda model: model.__name__)
def test_what_is_said_of_a_models_page_is_true(model):
    _kind, page, *path = model.WRITTEN_ON
    assert model._base_manager.values_list(*path or ["pk"]).query
    assert reverse(page, args=["club", *("id" for _each in path)])


def test_every_model_with_a_line_that_people_write_says_where_it_is_written():
    unsaid = {
        model
        for model in apps.get_app_config("league").get_models()
        if any(isinstance(field, LineField) for field in model._meta.local_fields)
        and not hasattr(model, "WRITTEN_ON")
    }
    assert unsaid == SAID_ELSEWHERE
    assert hasattr(User, "WRITTEN_ON")
