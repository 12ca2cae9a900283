"""A match of several games tells its players how it stands: at the table and on a game's page."""

from html import unescape
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from league.members.initials import short_names
from league.play.actions import write_totals
from league.play.auth import table_link
from league.play.models import Game
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.games_of_matches import match_note
from league.tournaments.queries import entry_name
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    match_of,
    of_pairs,
    play,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_laps_and_slam import facts
from tests.tournaments.test_undoing import corrected_after_the_final

SIDES = ["Ann & Bill", "Rose & Ted"]


def said(number, *scores, **match):
    one = facts(*scores, **match)
    note = match_note(one, one.games[number - 1], SIDES)
    return [note.head, *note.notes, note.outcome]


def test_a_game_says_which_of_the_match_it_is_and_how_the_match_stands():
    assert said(1, (8, 1)) == [
        "Game 1, best of 5. Games won: Ann & Bill 1, Rose & Ted 0.", "",
    ]  # fmt: skip


def test_a_slam_says_that_it_counts_two_and_the_last_game_who_has_won_the_match():
    assert said(1, (6, 0), best_of=3) == [
        "Game 1, best of 3. Games won: Ann & Bill 2, Rose & Ted 0.",
        "This game counts as 2 games.",
        "Ann & Bill won the match.",
    ]


@pytest.mark.django_db
def test_the_phone_goes_on_to_the_next_game_of_a_match_without_naming_its_people_again(client):
    cup = of_pairs(2, "knockout", games=3, laps=True)
    published(cup)
    first = tables(cup).get()
    client.post(reverse("table_door"), {"code": table_link(first)})
    write_totals(first, [12, 4], no_hands=True, by=TEST, at=EIGHT)
    shown = client.post(reverse("table_follow", args=[first.public_id]), follow=True)
    assert "Game 2 · best of 3" in shown.content.decode()
    assert "Now at table" not in shown.content.decode()


@pytest.mark.django_db
def test_the_table_and_the_page_of_a_game_say_it_with_what_was_carried_over(client):
    cup = of_pairs(2, "knockout", games=3, laps=True)
    published(cup)
    first = tables(cup).get()
    write_totals(first, [12, 4], no_hands=True, by=TEST, at=EIGHT)
    second = tables(cup).get()
    names = short_names([seat.member.name for seat in second.seats.order_by("position")])
    client.post(reverse("table_door"), {"code": table_link(second)})
    page = client.get(reverse("table_entry", args=[second.public_id])).content.decode()
    assert "Game 2 · best of 3 · 1\u2009–\u20090 · 2 points carried over" in page
    desk = Client()
    desk.force_login(a_user(club=cup.club))
    for name in ("board", "wall", "final_scores"):
        shown = desk.get(reverse(name, args=[cup.club.slug, cup.session.public_id]))
        assert (
            "Game 2 · best of 3 · 1\u2009–\u20090 · 2 points carried over" in shown.content.decode()
        )
    write_totals(second, [10, 5], no_hands=True, by=TEST, at=EIGHT)
    page = client.get(reverse("table_entry", args=[second.public_id])).content.decode()
    assert f"{names[0]} &amp; {names[2]} won the match." in page
    game = Game.objects.get(table=first)
    shown = desk.get(reverse("game", args=[cup.club.slug, game.public_id]))
    assert "Game 1, best of 3." in shown.content.decode()
    assert reverse("tournament", args=[cup.club.slug, cup.public_id]) in shown.content.decode()


@pytest.mark.django_db
def test_the_page_of_a_tournaments_game_leads_back_to_the_tournament(client):
    cup = of_pairs(2, "knockout")
    published(cup)
    write_totals(tables(cup).get(), [10, 4], no_hands=True, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    game = reverse("game", args=[cup.club.slug, Game.objects.get().public_id])
    back = f'<a href="{reverse("tournament", args=[cup.club.slug, cup.public_id])}">'
    assert f"{back}All matches of {cup.name}</a>" in client.get(game).text


@pytest.mark.django_db
def test_the_page_of_a_game_names_its_round_and_says_that_its_bracket_needs_updating(client):
    cup, semi = corrected_after_the_final()
    final = state_of(cup).last.matches[0]
    client.force_login(a_user(club=cup.club))
    texts = [game_page(client, cup, match) for match in (semi, final)]
    expected = [
        ("Semi-final", "This result was corrected after later matches were drawn."),
        ("Final", "An earlier result was corrected. Updating the bracket makes this match void."),
    ]
    link = reverse("tournament", args=[cup.club.slug, cup.public_id])
    for text, (title, warning) in zip(texts, expected, strict=True):
        assert f"<p>{title} · <a" in text
        assert f'<a href="{link}">Autumn Cup</a>' in text.partition(warning)[2]
    actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
    assert "was corrected" not in "".join(game_page(client, cup, match) for match in (semi, final))


def game_page(client, cup, match):
    game = Game.objects.get(table=match.games[0].table)
    return client.get(reverse("game", args=[cup.club.slug, game.public_id])).text


def read_at(client, table):
    """The text of a table's page on its own phone."""
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = squeezed(client.get(reverse("table_entry", args=[table.public_id])).text)
    return unescape(page.replace("</b>", " "))


def names_of(cup, entry):
    return str(entry_name(state_of(cup).entries[entry], str))


@pytest.mark.django_db
def test_a_tables_phone_says_after_the_last_round_that_it_was_the_last(client):
    cup = of_pairs(4, "swiss", rounds=2)
    published(cup)
    play_round(cup)
    table = tables(cup).first()
    assert "Where you play next appears here." in read_at(client, table)
    published(cup, 2)
    first, _second = tables(cup)
    play(first, Random(1))
    page = read_at(client, first)
    assert "Your rounds are over." in page  # while the other table plays on
    assert "plays next" not in page
    assert "Where you play next" not in page
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    page = read_at(client, first)
    assert "You finished " in page
    assert "Where you play next" not in page


@pytest.mark.django_db
def test_a_tables_phone_says_who_is_out_of_a_knock_out_and_who_plays_on(client):
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    state = state_of(cup)
    for semi in state.last.matches:
        table = tables(cup).get(pk=semi.games[0].table)
        won, lost = sorted(semi.sides, key=semi.won, reverse=True)
        page = read_at(client, table)
        assert f"{names_of(cup, semi.sides[lost])}: You have played your last match." in page
        assert f"{names_of(cup, semi.sides[won])}: You play " in page
    stamp = client.get(reverse("table_entry", args=[table.public_id])).context["entry"].stamp
    published(cup)
    assert tables(cup).get().number != table.number  # nobody sits at this one next
    news = client.get(reverse("table_news", args=[table.public_id]), {"seen": stamp})
    assert 'data-moved="seats"' in news.text
    page = read_at(client, table)
    assert f"{names_of(cup, semi.sides[lost])}: You have played" in page
    assert f"{names_of(cup, semi.sides[won])}:" not in page  # it is at table 1
    assert "Where you play next" not in page


@pytest.mark.django_db
def test_where_everyone_plays_next_names_a_pair_with_a_bye(client):
    cup = of_pairs(5, "swiss", rounds=3)
    published(cup)
    play_round(cup)
    table_of = {
        entry: match.games[0].table for match in state_of(cup).last.matches
        for entry in match.entries
    }  # fmt: skip
    published(cup, 2)
    (bye,) = state_of(cup).last.byes
    table = Table.objects.get(pk=table_of[bye])
    text = f"{names_of(cup, bye)}: You have a bye: you play in the next round."
    page = read_at(client, table)
    assert text in page
    answer = client.post(reverse("table_follow", args=[table.public_id]), follow=True)
    assert text in unescape(squeezed(answer.text))


@pytest.mark.django_db
def test_a_tables_phone_names_the_final_that_a_pair_plays_after_the_tournament(client):
    swiss, final = a_swiss_then_a_final(publish=False)
    best = {entry.member_id for entry in final.entries.all()}
    said = {}
    for table in tables(swiss):
        page = read_at(client, table)
        for entry in swiss.entries.filter(sides__match__games__table=table):
            line = page.partition(f"{names_of(swiss, entry.pk)}:")[2].partition("</li>")[0]
            said[entry.member_id] = line
    assert {member for member, line in said.items() if "You play in Final:" in line} == best
    out = [line for member, line in said.items() if member not in best]
    assert all("You have played your last match." in line for line in out)


@pytest.mark.django_db
def test_a_tables_phone_says_nothing_of_the_next_seats_while_the_match_goes_on(client):
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    first = tables(cup).get()
    write_totals(first, [10, 4], no_hands=True, by=TEST, at=EIGHT)
    page = read_at(client, first)
    assert "Start next game" in page
    assert "Wait for your next game." not in page
