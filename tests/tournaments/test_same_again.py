"""Next year's tournament from this year's; a final for which more are level than it can take."""

import re
from html import unescape

import pytest
from django.urls import reverse

from league.errors import Refused
from league.tournaments import actions
from league.tournaments.models import Tournament
from league.tournaments.stage_state import load_stage
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.tournaments.playing import a_tournament, of_pairs, published
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def test_a_closed_tournament_offers_the_same_again_with_its_name_settings_and_pairs(client):
    cup = of_pairs(4, "knockout", games=3, third_place=True)
    client.force_login(a_user(club=cup.club))
    assert "Same again" not in client.get(address("tournament", cup)).text
    published(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    link = f"{reverse('tournaments', args=[cup.club.slug])}?like={cup.public_id}"
    assert link in client.get(address("tournament", cup)).text
    night = a_session(cup.club, name="Next year", state="planned", held_on="2027-11-19")
    new = f"{reverse('tournament_new', args=[cup.club.slug, night.public_id])}?like={cup.public_id}"
    assert new in client.get(link).text
    form = client.get(new).context["form"]
    assert (form.format, form.initial["name"]) == ("knockout", cup.name)
    assert (form.initial["games"], form.initial["third_place"]) == (3, True)
    data = {name: value for name, value in form.initial.items() if value not in (None, False)}
    page = client.post(new, data, follow=True).text
    pairs = unescape(re.search(r'<textarea name="pairs"[^>]*>\s*([^<]*)</textarea>', page)[1])
    names = [" & ".join(m.name for m in entry.people) for entry in cup.entries.order_by("pk")]
    assert pairs.split("\n") == names
    again = Tournament.objects.latest("pk")
    assert load_stage(again.stages.get()).options.games == 3
    answer = client.post(address("tournament_paste_pairs", again), {"pairs": pairs})
    assert answer.status_code == 302
    assert again.entries.count() == 4


@pytest.mark.parametrize(("count", "level", "offered"), [(10, 3, False), (9, 2, True)])
def test_only_a_number_that_makes_pairs_is_offered_where_players_are_level(
    monkeypatch, count, level, offered
):
    from league.tournaments.actions import seeding

    cup = a_tournament(12)
    players = list(cup.club.members.all())
    above = count - level + 1
    ranked = [(place, (one,)) for place, one in enumerate(players[:above], 1)]
    ranked += [(above + 1, (one,)) for one in players[above : above + level]]
    monkeypatch.setattr(seeding, "_best_entries", lambda source: ranked)
    with pytest.raises(Refused) as refused:
        actions.best_of(cup, count, at=EIGHT)
    assert ("take" in refused.value.message) == offered
    assert "choose who plays" in refused.value.message
