"""Before the draw: seeds pasted, from ratings, from a season; two some kept from meeting."""

from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from league.seasons.models import Season
from league.tournaments import actions
from league.tournaments.actions import drawing
from league.tournaments.draws.swaps import APART, layout_of
from league.tournaments.queries import entries_apart, kept_apart
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def seeds_of(cup):
    entries = cup.entries.exclude(seed=None).order_by("seed").select_related("member", "partner")
    return [[one.name for one in entry.people] for entry in entries]


def test_a_pasted_list_seeds_pairs_by_either_name_in_its_order():
    cup = of_pairs(4, "knockout")
    first, second, third, _fourth = cup.entries.select_related("member", "partner")
    actions.seed_entry(third, 1, by=TEST)
    lines = [second.partner.name.upper(), "", f"{first.member.name} & {first.partner.name}"]
    assert actions.seed_by_list(cup, lines, by=TEST) == 2
    assert seeds_of(cup) == [[one.name for one in entry.people] for entry in (second, first)]


def test_a_pasted_list_may_have_numbers_no_accents_and_surnames_first():
    cup = of_pairs(4, "knockout")
    entries = list(cup.entries.select_related("member", "partner"))
    for entry, name in zip(entries, ("Zoë Ümlaut", "Łukasz Nowak", "Rose Field"), strict=False):
        entry.member.name = name
        entry.member.save()
    last = entries[3]
    lines = ["1. Zoe Umlaut", "2) Field, Rose", "3 Lukasz Nowak",
             f"4. {last.member.name} & {last.partner.name}"]  # fmt: skip
    assert actions.seed_by_list(cup, lines, by=TEST) == 4
    assert [names[0] for names in seeds_of(cup)] == [
        "Zoë Ümlaut", "Rose Field", "Łukasz Nowak", last.member.name,
    ]  # fmt: skip


def test_a_list_with_a_name_nobody_entered_under_comes_back_complete(client):
    cup = of_pairs(2, "knockout")
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_seeds", args=[cup.club.slug, cup.public_id])
    answer = client.post(url, {"names": "Rose\nNobody\nRose"})
    assert answer.status_code == 422
    assert answer.context["seeds"].errors["names"] == [
        "No entry has this name: Nobody",
        "Named twice: Rose",
    ]
    assert "Rose\nNobody\nRose</textarea>" in answer.content.decode()
    assert seeds_of(cup) == []


def test_ratings_and_a_seasons_places_seed_who_has_them():
    club = a_club()
    before = a_tournament(8, club=club)
    season = Season.objects.create(club=club, name="Winter", starts_on=EIGHT.date())
    before.session.season = season
    before.session.save()
    published(before)
    play_round(before)
    actions.finish_tournament(before, by=TEST, at=EIGHT)
    best = before.session.results.order_by("-points").first().member
    cup = actions.start_tournament(
        before.session, name="Cup", format="knockout", choice=chosen_one(), seed=1, by=TEST
    )
    actions.enter_present(cup, by=TEST, at=EIGHT)
    assert actions.seed_by_ratings(cup, by=TEST, at=EIGHT) == 8
    assert actions.seed_by_season(cup, season, by=TEST, at=EIGHT) == 8
    assert best.name in [names[0] for names in seeds_of(cup)[:4]]
    empty = Season.objects.create(club=club, name="Summer", starts_on=EIGHT.date())
    assert refusal(actions.seed_by_season, cup, empty, by=TEST, at=EIGHT) == "nobody-seeded"
    assert len(seeds_of(cup)) == 8


def chosen_one():
    from league.tournaments.parameters import StageOptions

    return StageOptions()


def first_round(cup):
    return [set(match.sides.values()) for match in state_of(cup).draft.matches]


def press(client, cup, button, *entries):
    where = reverse(button, args=[cup.club.slug, cup.public_id])
    return client.post(where, {"entries": entries})


def test_two_who_should_not_meet_are_not_drawn_against_each_other(client):
    cup = of_pairs(4, "swiss")
    client.force_login(a_user("olive", club=cup.club))
    drawn(cup)
    one, other = sorted(first_round(cup)[0])
    press(client, cup, "tournament_keep_apart", one, other)
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert page.context["kept_apart"]
    for seed in range(6):
        drawn(cup, seed)
        assert {one, other} not in first_round(cup)
    press(client, cup, "tournament_let_meet", one, other)
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert not page.context["kept_apart"]


def test_an_entry_is_not_kept_apart_from_itself_nor_from_another_tournament_s(client):
    cup = of_pairs(2, "swiss")
    client.force_login(a_user("olive", club=cup.club))
    one = cup.entries.first().pk
    press(client, cup, "tournament_keep_apart", one)
    press(client, cup, "tournament_keep_apart", one, one)
    press(client, cup, "tournament_keep_apart", one, 99_999)
    assert not cup.entries.first().apart_from.exists()


@pytest.mark.parametrize("format", ["knockout", "groups"])
def test_those_from_one_town_do_not_meet_in_the_first_draw_where_the_seeds_allow_it(format, client):
    cup = of_pairs(8, format)
    client.force_login(a_user("olive", club=cup.club))
    keys = [one.pk for one in cup.entries.order_by("pk")]
    town = keys[:4] if format != "groups" else keys[:2]
    press(client, cup, "tournament_keep_apart", *town)
    press(client, cup, "tournament_keep_apart", keys[4], keys[5])
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert [len(group) for group in page.context["kept_apart"]] == [len(town), 2]
    for seed in range(4):
        drawn(cup, seed)
        assert APART not in {one.kind for one in layout_of(with_requests(cup)).faults()}
    press(client, cup, "tournament_let_meet", *town)
    assert len(entries_apart(cup)) == 1
    published(cup)
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert "apart" not in page.context


def with_requests(cup):
    state = state_of(cup)
    return replace(state, apart_pairs=kept_apart(state))


def save_seed(client, cup, entry, seed):
    where = reverse("tournament_seed", args=[cup.club.slug, cup.public_id, entry.pk])
    return client.post(where, {"seed": seed}, follow=True)


def test_a_seed_that_another_has_is_refused_at_its_field_and_one_that_is_saved_is_confirmed(client):
    cup = of_pairs(3, "knockout")
    client.force_login(a_user("olive", club=cup.club))
    one, other, _third = cup.entries.order_by("pk")
    assert "seed 1." in save_seed(client, cup, one, 1).content.decode()
    answer = save_seed(client, cup, other, 1)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "already seed 1. Clear that seed first." in page
    assert f'aria-describedby="seed-error-{other.pk}"' in page
    assert "A seed is a number from 1." in save_seed(client, cup, other, "x").content.decode()
    save_seed(client, cup, one, "")
    save_seed(client, cup, other, 1)
    assert list(cup.entries.order_by("pk").values_list("seed", flat=True)) == [None, 1, None]


def test_the_activity_log_names_seeds_and_the_pairs_kept_apart_in_words(client):
    cup = of_pairs(2, "knockout")
    one, other = cup.entries.select_related("member", "partner")
    actions.seed_by_list(cup, [one.member.name], by=TEST)
    actions.keep_apart([one, other], by=TEST)
    client.force_login(a_user(club=cup.club))
    log = unescape(client.get(reverse("audit", args=[cup.club.slug])).text)
    pairs = [" & ".join(person.name for person in entry.people) for entry in (one, other)]
    assert ", ".join(pairs) in log
    assert "A pasted list" in log


@pytest.mark.parametrize("format", ["knockout", "groups", "swiss"])
@pytest.mark.parametrize("seeded", [0, 1, 5])
def test_a_draw_says_that_seeds_come_first_where_there_are_any(client, format, seeded):
    cup = of_pairs(5, format)
    client.force_login(a_user(club=cup.club))
    for seed, entry in enumerate(cup.entries.all()[:seeded], 1):
        entry.seed = seed
        entry.save()
    drawn(cup)
    page = client.get(reverse("tournament_draw", args=[cup.club.slug, cup.public_id])).text
    has_places = seeded > 0 and format != "swiss"
    assert ("At random, from the draw number 1" in page) is not has_places
    assert ("Seeds come first, in their order." in page) is (has_places and seeded == 1)
    assert ("everyone has one, so nothing is random" in page) is (has_places and seeded == 5)


def test_a_first_draw_reads_its_stage_once_before_it_is_made_and_once_when_it_is_saved(monkeypatch):
    cup, reads = of_pairs(4, "swiss"), []
    read = drawing.load_stage
    monkeypatch.setattr(drawing, "load_stage", lambda stage: reads.append(stage) or read(stage))
    published(cup)
    assert len(reads) == 2
    assert sorted(entry.number for entry in cup.entries.all()) == [1, 2, 3, 4]
