"""The individual rotation: how many rounds it offers, and what its explanation says."""

from datetime import date

import pytest
from django.urls import reverse

from league.tournaments import actions
from league.tournaments.forms import TournamentForm
from league.tournaments.parameters import StageOptions
from league.tournaments.round_sheets import player_cards
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.tournaments.playing import a_tournament, drawn, play_round, published, state_of
from tests.tournaments.test_own_match import read

__all__ = ["read"]


@pytest.mark.parametrize(
    ("players", "rounds"), [(0, 8), (4, 3), (5, 5), (6, 8), (8, 7), (9, 9), (12, 8), (40, 8)]
)
def test_it_offers_the_rounds_in_which_everyone_partners_everyone_once(players, rounds):
    form = TournamentForm(format="rotation", players=players)
    assert form["rounds"].initial == rounds
    assert "at tables of four, 4 players need 3 rounds" in form.fields["rounds"].help_text


def test_a_swiss_names_the_rounds_for_the_pairs_that_are_known():
    helps = [
        TournamentForm(format="swiss", players=n).fields["rounds"].help_text for n in (0, 14, 34)
    ]
    assert helps == [
        "3 rounds find the best of up to 8 pairs, 4 of 16, 5 of 32.",
        "3 rounds find the best of 7 pairs.",
        "5 rounds find the best of 17 pairs.",
    ]


@pytest.mark.django_db
def test_a_swiss_is_planned_for_those_expected_until_players_are_checked_in(client):
    club = a_club()
    rulesets_of(club)
    client.force_login(a_user(club=club))
    members = members_of(club, 40)
    a_session(club, members[:20], name="Last week", held_on=date(2026, 11, 12), state="closed")
    night = a_session(club)
    url = reverse("tournament_new", args=[club.slug, night.public_id])

    def offered():
        field = client.get(f"{url}?format=swiss").context["form"]["rounds"]
        return field.initial, field.help_text.partition(".")[0]

    assert offered() == (4, "20 players came last time")  # they were 5, for nobody
    for member in members[:34]:
        night.sign_ups.create(member=member, placed_at=EIGHT)
    assert offered() == (5, "34 players are signed up")
    for member in members[:3]:
        night.attendances.create(member=member)
    assert offered() == (5, "34 players are signed up")
    for member in members[3:14]:
        night.attendances.create(member=member)
    assert offered() == (3, "14 players are checked in")


def test_its_explanation_says_what_wins_and_where_the_seats_are_shown():
    text = " ".join(explanation("rotation", StageOptions()))
    assert "The tournament's page says where you sit each round." in text
    assert "Ranked by games won, then wins above average" in text
    assert "small tables" in text.lower()
    at_four = " ".join(explanation("rotation", StageOptions(), has_small_tables=False))
    assert "small tables" not in at_four.lower()
    chosen = " ".join(explanation("rotation", StageOptions(ranking="points,won")))
    assert "Ranked by points, then games won." in chosen


def name_of(member):
    return member.name


@pytest.mark.django_db
@pytest.mark.parametrize("players", [8, 9])
def test_a_players_card_has_every_round_and_they_are_played_as_they_were_planned(players):
    cup = a_tournament(players, "rotation", rounds=4)
    assert player_cards(state_of(cup), name_of) == {}
    published(cup)
    planned = player_cards(state_of(cup), name_of)
    for seed in (2, 3, 4):
        play_round(cup, seed=seed)
        published(cup, seed=seed)
        assert player_cards(state_of(cup), name_of) == planned
    assert len(planned) == players
    for lines in planned.values():
        assert [line.number for line in lines] == [1, 2, 3, 4]
        if players == 8:  # tables of four, and a new partner each round
            assert len({line.partners for line in lines}) == 4
            assert {(len(line.partners), *map(len, line.opponents)) for line in lines} == {(1, 2)}


@pytest.mark.django_db
def test_the_rounds_to_come_are_on_no_card_once_a_player_has_left():
    cup = a_tournament(9, "rotation", rounds=4)
    published(cup)
    leaving = cup.entries.first()
    actions.withdraw_entry(leaving, by=TEST, at=EIGHT)
    lines = player_cards(state_of(cup), name_of).values()
    assert {line.number for card in lines for line in card} == {1}


@pytest.mark.django_db
def test_a_player_reads_their_rounds_and_the_organiser_prints_a_card_for_each_player(client):
    cup = a_tournament(8, "rotation", rounds=4)
    own = cup.entries.first()
    own.member.user = a_user("player", club=cup.club, rank="member")
    own.member.save()
    published(cup)
    hub, cards = (
        reverse(name, args=[cup.club.slug, cup.public_id])
        for name in ("tournament", "tournament_cards")
    )
    client.force_login(own.member.user)
    mine = client.get(hub).text.partition('id="my-rounds"')[2].partition("</details>")[0]
    for line in player_cards(state_of(cup), name_of)[own.pk]:
        assert f"Round {line.number}</strong>" in mine
        assert f"<b>{line.partners[0]}</b>" in mine
    assert cards not in client.get(hub).text
    assert client.get(cards).status_code == 403
    client.force_login(a_user(club=cup.club))  # who does not play
    assert 'id="my-rounds"' not in client.get(hub).text
    assert cards in client.get(hub).text
    printed = client.get(cards).text
    assert printed.count('class="ticket"') == 8
    assert f"<h2>{own.member.name}</h2>" in printed


@pytest.mark.django_db
def test_the_rounds_to_come_are_on_no_card_once_the_clubs_tables_no_longer_seat_the_field():
    cup = a_tournament(9, "rotation", rounds=4)
    published(cup)
    cup.club.seating_policy, cup.club.seating_table = "own", {"9": [7, 7]}
    cup.club.save()
    lines = player_cards(state_of(cup), name_of).values()
    assert {line.number for card in lines for line in card} == {1}


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "sizes"), [(8, ""), (9, "4 + 3 + 2")])
def test_a_draft_with_small_tables_says_that_not_everyone_partners_everyone(client, players, sizes):
    cup = a_tournament(players, "rotation", rounds=4)
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    address = reverse("tournament_draw", args=[cup.club.slug, cup.public_id])
    warning = "not everyone partners everyone"
    page = client.get(address).text
    assert (warning in page) == bool(sizes)
    assert f"tables of {sizes}" in page or not sizes
    if sizes:
        rules = reverse("session_rules", args=[cup.club.slug, cup.session.public_id])
        assert rules in page
        client.post(rules, {"policy": "sitout"})
        drawn(cup, seed=2)
        assert warning not in client.get(address).text


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "sizes"), [(8, ""), (9, "4 + 3 + 2")])
def test_its_form_warns_of_the_small_tables_before_there_is_a_draft(client, players, sizes):
    club = a_club()
    rulesets_of(club)
    night = a_session(club, members_of(club, players))
    client.force_login(a_user(club=club))
    address = reverse("tournament_new", args=[club.slug, night.public_id]) + "?format=rotation"
    warning = f"With {players} players the tables are {sizes}, so not everyone partners everyone."
    assert (warning in client.get(address).text) == bool(sizes)
    client.post(reverse("session_rules", args=[club.slug, night.public_id]), {"policy": "sitout"})
    assert "not everyone partners everyone" not in client.get(address).text


@pytest.mark.django_db
def test_between_the_rounds_of_a_rotation_a_player_reads_the_next_seat_of_their_card(read):
    cup = a_tournament(8, "rotation", rounds=3)
    published(cup)
    own = cup.entries.first()
    lines = player_cards(state_of(cup), str)[own.pk]
    assert "Round 2:" not in read(cup, own)[0]
    play_round(cup)
    for page in read(cup, own):  # the session's said "Wait for the next round."
        assert f"Round 2: {lines[1].where}." in page
        assert "Wait for the next round." not in page
