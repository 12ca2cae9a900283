"""Parts of pages that are rendered once say to each reader what is hers."""

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import mark_safe

from league.members.models import Club
from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db


def header(client, club, page="standings"):
    answer = client.get(reverse(page, args=[club.slug])).content.decode()
    return answer.partition("<header")[2].partition("</header>")[0]


def test_each_reader_of_a_page_has_her_own_name_and_menu(client):
    club = a_club(visibility="standings")
    client.force_login(a_user("olive", club=club))
    organisers = header(client, club)
    client.force_login(a_user("ruth", club=club, rank="member"))
    members = header(client, club)
    client.logout()
    publics = header(client, club)
    for page, there, absent in (
        (organisers, ("olive", "Settings"), ("Sign in", "ruth")),
        (members, ("ruth", "Players"), ("olive", "Settings")),
        (publics, ("Sign in", "Standings"), ("olive", "ruth", "Players", "Sessions")),
    ):
        assert [word for word in there if word not in page] == []
        assert [word for word in absent if word in page] == []


def test_the_header_says_which_part_of_the_site_is_open(client):
    club = a_club()
    client.force_login(a_user(club=club))
    for page in ("sessions", "members"):
        open_page = header(client, club, page).partition(' aria-current="page"')[0]
        assert open_page.endswith(f'href="{reverse(page, args=[club.slug])}"')


def test_a_clubs_new_name_and_time_zone_are_on_the_next_page(client):
    club = a_club()
    client.force_login(a_user(club=club))
    assert "Otters" not in header(client, club)
    Club.objects.update(name="Otters", time_zone="Europe/Vienna")
    page = client.get(reverse("sessions", args=[club.slug])).content.decode()
    assert ">Otters</span>" in page
    assert "Times shown are Vienna time" in page


def test_a_part_is_in_the_language_of_its_reader():
    links = Template(
        '{% load pages %}{% cached_part "standings/_links.html" slug="x" session="y" rank="" %}'
    )
    for language, word in (("en-gb", "All games"), ("de", "Alle Partien"), ("en-gb", "All games")):
        with translation.override(language):
            assert word in links.render(Context())


def test_a_part_is_given_no_row_that_may_change_and_no_markup():
    part = Template('{% load pages %}{% cached_part "parts/_footer.html" zone=zone %}')
    for zone in (Club(pk=1), ["Europe/Vienna"]):
        with pytest.raises(TypeError):
            part.render(Context({"zone": zone}))
    for zone in (mark_safe("<b>"), "<b>"):
        assert "&lt;b&gt;" in part.render(Context({"zone": zone}))
