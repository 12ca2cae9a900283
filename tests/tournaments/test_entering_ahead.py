"""Entries made before the day, pasted guests, and players who come while a draft waits."""

from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.urls import reverse
from django.utils import timezone

from league.sessions.attendance import arrive_all, leave
from league.sessions.queries import local_date, present
from league.tournaments import actions
from league.tournaments.models import Tournament
from league.tournaments.parameters import StageOptions
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.tournaments.playing import a_tournament, drawn, of_pairs, published
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


class _Form(HTMLParser):
    """What a browser sends for the button `name` of the form that posts to `url`: its hidden
    fields too, and each line break as CRLF."""

    def __init__(self, page, url, name, texts):
        super().__init__()
        self.url, self.name, self.on, self.sent = url, name, False, [*texts.items()]
        self.feed(page)
        self.data = {}
        for key, value in self.sent:
            text = value.replace("\r\n", "\n").replace("\n", "\r\n")
            self.data.setdefault(key, []).append(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.on = attrs.get("action") == self.url
        is_hidden = tag == "input" and attrs.get("type") == "hidden"
        if self.on and (is_hidden or (tag == "button" and attrs.get("name") == self.name)):
            self.sent.append((attrs["name"], attrs["value"]))


@pytest.mark.parametrize(
    ("lines", "pairs"),
    [
        ("Peter Smith & Jane Jones", ["Peter Smith & Jane Jones"]),
        ("Rose & Peter Smith\r\nAnn & Ted", ["Rose & Peter Smith", "Ann & Ted"]),
        ("Smith, Peter & Jones, Jane", ["Peter Smith & Jane Jones"]),
        ("Peter  Smith / Rose", ["Peter Smith & Rose"]),
    ],
)
def test_guests_of_a_pasted_list_are_entered_by_the_button_as_a_browser_sends_it(
    client, lines, pairs
):
    cup = a_tournament(4, "swiss", entered=False)
    client.force_login(a_user(club=cup.club))
    url = address("tournament_paste_pairs", cup)
    page = client.post(url, {"pairs": lines}).text
    answer = client.post(url, _Form(page, url, "guests", {"pairs": lines}).data)
    assert answer.status_code == 302
    entered = [" & ".join(m.name for m in entry.people) for entry in cup.entries.order_by("pk")]
    assert entered == pairs


def a_planned_cup(format="swiss", *, days=365):
    """A tournament in a session so many days ahead, and eight members."""
    club = a_club()
    rulesets_of(club)
    members = members_of(club, 8)
    day = local_date(club, timezone.now()) + timedelta(days=days)
    night = a_session(club, name="Annual Cup", held_on=day, state="planned")
    cup = actions.start_tournament(
        night, name="Annual Cup", format=format, choice=StageOptions(hands=2), seed=1, by=TEST
    )
    return cup, members


def test_a_player_entered_for_next_year_reads_with_whom_and_is_not_checked_in(client):
    cup, members = a_planned_cup()
    actions.enter(cup, members[0], partner=members[1], by=TEST, at=timezone.now())
    assert not present(cup.session).exists()
    user = a_user("rose", rank="member", club=cup.club)
    members[0].user = user
    members[0].save()
    client.force_login(user)
    slug, night = cup.club.slug, cup.session.public_id
    pages = {"club": [slug], "coming": [slug], "session": [slug, night], "sign_ups": [slug, night]}
    for page, args in pages.items():
        text = client.get(reverse(page, args=args)).text
        assert f"You are entered with {members[1].name}." in text, page
        assert "Checked in" not in text
        assert "0 players are signed up" not in text


def test_every_way_to_enter_before_the_day_checks_nobody_in(client):
    cup, members = a_planned_cup()
    now = timezone.now()
    lines = [f"{members[0].name} & {members[1].name}", f"{members[2].name} & Gus Newman"]
    actions.enter_pairs(cup, lines, by=TEST, at=now, guests=["Gus Newman"])
    actions.offer_places(cup, 8, by=TEST)
    request = actions.request_entry(
        cup, name=members[3].name, partner="Flo Newman", contact="", by=TEST, at=now
    )
    actions.accept_request(request, by=TEST, at=now)
    assert cup.entries.count() == 3
    assert not cup.session.attendances.exists()


def test_publishing_the_first_round_checks_in_who_entered_before_the_day(client):
    cup, members = a_planned_cup()
    now = timezone.now()
    for one, other in zip(members[::2], members[1::2], strict=True):
        actions.enter(cup, one, partner=other, by=TEST, at=now)
    arrive_all(cup.session, members[:2], by=TEST, at=now)
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament_draw", cup)).text
    assert "Not checked in yet: " in page
    assert present(cup.session).count() == 2
    actions.publish_draw(cup, by=TEST, at=now)
    assert present(cup.session).count() == 8


def test_who_came_and_left_before_the_draw_is_not_checked_in_again():
    cup = of_pairs(2, "swiss")
    leave(cup.session, cup.entries.first().member, by=TEST, at=EIGHT)
    drawn(cup)
    assert refusal(actions.publish_draw, cup, at=EIGHT, by=TEST) == "not-free"


def test_who_comes_while_the_first_round_is_a_draft_can_be_entered_all_at_once(client):
    cup = a_tournament(8)
    drawn(cup)
    late = [cup.club.members.create(name=name) for name in ("Abe", "Bea", "Cy", "Di")]
    arrive_all(cup.session, late, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament_entries", cup)).text
    assert "4 players are checked in but not entered." in page
    answer = client.post(address("tournament_discard", cup), {"back": "entries"}, follow=True)
    assert "Enter everyone checked in" in answer.text
    actions.enter_present(cup, by=TEST, at=EIGHT)
    assert cup.entries.count() == 12
    published(cup)
    cup = Tournament.objects.get(pk=cup.pk)
    assert "Discard draft" not in client.get(address("tournament_entries", cup)).text
