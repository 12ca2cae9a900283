"""Every form of the site that is refused comes back complete: with all its fields, and in them what
was typed. One club with one of everything, one pass over its pages."""

from urllib.parse import urljoin

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import CharField
from django.test import Client
from django.urls import reverse

from league.members.models import Club, Member
from tests.access_table import PAGES
from tests.play.hands import write
from tests.scene import Scene
from tests.site.forms_of_pages import RADIO, forms_of, wrong_value
from tests.tournaments.playing import a_tournament

pytestmark = pytest.mark.django_db


def addresses(scene):
    """Every page of a club, then those that show other forms of a session, a season and a
    tournament that has not begun, and those of an account."""
    for name, page in PAGES.items():
        if page.method == "get":
            yield name, reverse(name, kwargs={"slug": scene.club.slug, **page.ids(scene)})
    for name, thing in (
        ("session_pots", scene.session),
        ("season_pots", scene.season),
        ("checkin", scene.session),
        ("season_divisions", scene.season),
        ("tournament_entries", a_tournament(4, "swiss", club=scene.club)),
        ("tournament_entries", scene.open_tournament),
    ):
        yield name, reverse(name, args=[scene.club.slug, thing.public_id])
    yield "my_appearance", reverse("my_appearance", args=[scene.club.slug])
    yield "you", reverse("you")
    yield "new_club", reverse("new_club")
    write(scene.table, (0, 3))
    yield "table_entry", reverse("table_entry", args=[scene.table.public_id])
    yield "table_correct", reverse("table_correct", args=[scene.table.public_id, 1])


def test_every_form_that_is_refused_comes_back_with_all_fields_and_what_was_typed():
    scene, client, seen, wrong = Scene("standings"), Client(), set(), []
    client.force_login(scene.owner)
    Club.objects.filter(pk=scene.club.pk).update(keeps_pots=True)
    Member.objects.filter(pk=scene.member.pk).update(user=scene.owner)
    for name, address in list(addresses(scene)):
        page = client.get(address, follow=True)
        if page.status_code != 200 or "text/html" not in page.get("Content-Type", ""):
            continue
        here = page.redirect_chain[-1][0] if page.redirect_chain else address
        for form in forms_of(page.content.decode()):
            to = urljoin(here, form.action)
            if form.method != "post" or (to, frozenset(form.names)) in seen:
                continue
            seen.add((to, frozenset(form.names)))
            for data in broken(client, to, form):
                wrong.append(f"{name}: {data}")
    assert len(seen) > 60

    assert wrong == []


def broken(client, to, form):
    """What is wrong with the answer to this form when one of its fields is broken."""
    may_be_wrong = [one for one in form.fields if wrong_value(one) is not None]
    one = min(may_be_wrong, key=lambda one: one.kind in RADIO, default=None)
    if one is None:
        return
    sent = form.data() | {one.name: [wrong_value(one)]}
    for other in form.fields:
        if other.name != one.name and other.kind in ("text", "textarea") and not other.value:
            sent[other.name] = ["Typed here"]
    with transaction.atomic():
        answer = client.post(to, sent, follow=True)
        transaction.set_rollback(True)
    yield from lacks(f"{to} with {one.name} broken: {answer.status_code}", form, one, sent, answer)


def lacks(where, form, one, sent, answer):
    """What the answer does not offer again of what was sent."""
    found = forms_of(answer.content.decode())
    again = [other for other in found if form.names <= {field.name for field in other.fields}]
    if answer.status_code >= 500 or not again:
        yield f"{where}, and the form is gone"
        return
    typed = form.names if one.kind in ("text", "textarea") else form.names - {one.name}
    names = sorted(name for name in typed if name in sent)
    missing = [[name for name in names if other.data().get(name) != sent[name]] for other in again]
    for name in min(missing, key=len):
        yield f"{where}, and {name} was {sent[name]}"


def test_a_text_that_is_too_long_is_refused_in_a_plain_sentence() -> None:
    with pytest.raises(ValidationError, match=r"Use at most 80 characters; this has 136\."):
        CharField(max_length=80).clean("x" * 136)
