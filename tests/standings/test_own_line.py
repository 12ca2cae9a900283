"""What a table says to a reader who has no line in it."""

import re

import pytest
from django.urls import reverse

from league.members.models import Club, Member
from league.seasons.models import Season
from league.sessions.models import Session
from tests.builders import a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db
ABSENT = "You aren't in these standings"


@pytest.fixture
def pages(client):
    """The tables of an evening and of its season, as May reads them, who did not play."""
    club = a_club(visibility="standings")
    season = Season.objects.create(club=club, name="2026", starts_on="2026-01-01")
    night = a_session(club, season=season)
    recorded(night, [Sheet(tuple(one.name for one in members_of(club, 4)), (10, 6, 10, 6))])
    reader = a_user("may", club=club, rank="member")
    Member.objects.create(club=club, name="May", user=reader)
    addresses = [
        reverse(f"{kind}_standings", args=[club.slug, of.public_id])
        for kind, of in (("session", night), ("season", season))
    ]

    def read(signed_in=True):
        if signed_in:
            client.force_login(reader)
        return [client.get(address).content.decode() for address in addresses]

    return read


def test_a_member_who_did_not_play_is_told_why_they_have_no_line(pages):
    Session.objects.update(state=Session.State.CLOSED)
    tonight, season = pages()
    assert f"{ABSENT}, because you haven't played in this session." in tonight
    assert f"{ABSENT}, because you haven't played in this season." in season
    assert 'class="my-place"' not in tonight + season  # three lines pinned over others' places


def test_while_the_session_is_open_a_member_without_a_game_reads_that_a_place_follows(pages):
    Session.objects.update(state=Session.State.OPEN)
    tonight, _season = pages()
    assert f"{ABSENT} yet. Your place is here after your first game." in tonight
    Session.objects.update(state=Session.State.CLOSED)
    assert f"{ABSENT}, because you haven't played in this session." in pages()[0]


def test_nobody_is_told_so_who_plays_or_is_no_player(pages):
    assert not any(ABSENT in page for page in pages(signed_in=False))
    may = Member.objects.get(name="May")
    reader, may.user = may.user, None
    may.save()
    assert not any(ABSENT in page for page in pages())
    Member.objects.filter(name="Rose").update(user=reader)
    assert not any(ABSENT in page for page in pages())


def test_a_reader_finds_her_own_row_marked_in_both_tables_and_a_visitor_none(pages):
    reader = Member.objects.get(name="May").user
    Member.objects.filter(name="May").update(user=None)
    Member.objects.filter(name="Rose").update(user=reader)
    row = f'<tr data-player="{Member.objects.get(name="Rose").public_id}" class="mine"'
    assert not any('class="mine"' in page for page in pages(signed_in=False))
    assert all(row in page for page in pages())
    assert [page.count('class="mine"') for page in pages()] == [1, 1]


def test_the_pinned_row_of_a_reader_who_is_tied_has_the_sign_of_the_table(pages):
    reader = Member.objects.get(name="May").user
    Member.objects.filter(name="May").update(user=None)
    Member.objects.filter(name="Rose").update(user=reader)
    assert all('<span class="rank">=1st place</span>' in page for page in pages())


def test_a_season_is_live_while_one_of_its_sessions_is_open(pages):
    assert all("data-revision-url" in page for page in pages())
    Session.objects.update(state=Session.State.CLOSED)
    assert not any("data-revision-url" in page for page in pages())


def test_the_trail_of_a_visitor_ends_at_the_session_and_does_not_lead_back_to_the_same_page(pages):
    tonight, _season = pages(signed_in=False)
    trail = tonight.partition('<nav class="crumbs"')[2].partition("</nav>")[0]
    links = re.findall(r'href="([^"]+)"', trail)
    assert links == [reverse("club", args=[Club.objects.get().slug])]
    assert re.search(r'aria-current="page">\s*[^<\s]', trail)


def test_headings_that_are_short_on_a_phone_are_explained_below(client):
    club = a_club(visibility="standings")
    night = a_session(club)
    names = [one.name for one in members_of(club, 7)]
    recorded(
        night,
        [Sheet(tuple(names[:4]), (10, 6, 10, 6)), Sheet(tuple(names[4:]), (11, 8, 5))],
    )
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    note = page.partition('short-heads">')[2].partition("</p>")[0]
    assert "± avg.: wins compared with an average player" in note
    assert "% of points:" not in note  # no heading of a phone's
