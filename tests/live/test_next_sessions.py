"""A club's page with many planned sessions stays short on a phone."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member
from league.sessions.attendance import sign_up
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_members_read_the_next_three_sessions_in_full_and_the_others_on_one_line(
    client: Client,
) -> None:
    club, now = a_club(), timezone.now()
    (rose,) = members_of(club, 1)
    user = a_user("rose", club=club, rank="member")
    Member.objects.update(user=user)
    days = [now.date() + timedelta(days=7 * week) for week in range(1, 11)]
    nights = [a_session(club, name=f"Night {day}", held_on=day, state="planned") for day in days]
    sign_up(nights[5], rose, by=TEST, at=now)
    client.force_login(user)
    page = squeezed(client.get(reverse("club", args=[club.slug])).text)
    cards, _summary, later = page.partition("7 more upcoming sessions")
    panels = [
        card.partition("</section>")[0] for card in cards.split('<section class="panel flow">')
    ]
    with_form = [panel for panel in panels if "Sign up</button>" in panel]
    assert [re.findall(r"Night [\d-]+", panel)[0] for panel in with_form] == [
        night.name for night in nights[:3]
    ]
    listed = later.partition("</details>")[0]
    assert re.findall(r">(Night [\d-]+)</a>", listed) == [night.name for night in nights[3:]]
    assert listed.count("Signed up") == 1
    assert reverse("coming", args=[club.slug]) in listed
