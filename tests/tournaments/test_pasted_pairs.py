"""Pairs entered from a pasted list: a pair per line, all of them or none."""

import re

import pytest
from django.urls import reverse

from league.sessions.queries import present
from league.tournaments import actions
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, rulesets_of
from tests.tournaments.playing import a_tournament, drawn
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db

NAMES = ["Ann", "Bob", "Rose Field", "Ted Lead", "Jo Dumont", "Pat Dumont", "Zoë", "Al Stone"]


@pytest.fixture
def cup():
    cup = a_tournament(0, "swiss")
    for name in NAMES:
        cup.club.members.create(name=name)
    return cup


def pasted(cup, *lines):
    return actions.enter_pairs(cup, lines, by=TEST, at=EIGHT)


def pairs_of(cup):
    return [[player.name for player in entry.people] for entry in cup.entries.order_by("pk")]


def faults(client, cup, *lines):
    """What the entries page says to these lines, which it refuses."""
    answer = client.post(address("tournament_paste_pairs", cup), {"pairs": "\n".join(lines)})
    assert answer.status_code == 422
    assert "\n".join(lines).replace("&", "&amp;") + "</textarea>" in answer.text  # not typed again
    assert 'id="paste" open tabindex="-1" data-focus' in answer.text  # it stands far down
    return answer.context["pasted"].errors["pairs"]


@pytest.mark.parametrize(
    "line",
    [
        "Ann & Bob",
        "Ann / Bob",
        "Ann, Bob",
        "Ann and Bob",
        "ANN+bob",
        "1. Ann\tBob",
        "Ann; Bob",
        "Ann - Bob",
        "Ann – Bob",
    ],
)
def test_two_names_on_a_line_are_a_pair_however_they_are_separated(cup, line):
    pasted(cup, line)
    assert pairs_of(cup) == [["Ann", "Bob"]]


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("Field, Rose & Lead, Ted", ["Rose Field", "Ted Lead"]),
        ("Rose Field, Ted Lead", ["Rose Field", "Ted Lead"]),
        ("Zoe & Ann", ["Zoë", "Ann"]),
        ("Jo & Pat Dumont", ["Jo Dumont", "Pat Dumont"]),
        ("Ann & Pat Dumont", ["Ann", "Pat Dumont"]),
        ("Rose & Ted Lead", ["Rose Field", "Ted Lead"]),
        ("Pat & Al", ["Pat Dumont", "Al Stone"]),
    ],
)
def test_a_surname_may_come_first_or_be_shared_and_accents_may_be_missing(cup, line, pair):
    pasted(cup, line)
    assert pairs_of(cup) == [pair]


def test_pasted_pairs_are_entered_in_order_and_their_players_checked_in(cup, client):
    client.force_login(a_user(club=cup.club))
    pairs = {"pairs": "Rose Field & Ted Lead\r\n\r\nAnn & Bob"}
    answer = client.post(address("tournament_paste_pairs", cup), pairs, follow=True)
    assert answer.redirect_chain == [(address("tournament_entries", cup), 302)]
    assert "Entered 2 pairs." in answer.text
    assert pairs_of(cup) == [["Rose Field", "Ted Lead"], ["Ann", "Bob"]]
    assert {m.name for m in present(cup.session)} == {"Rose Field", "Ted Lead", "Ann", "Bob"}


def test_one_bad_line_refuses_the_whole_list_and_each_says_what_is_wrong(cup, client):
    client.force_login(a_user(club=cup.club))
    cup.club.members.create(name="Kit Marsh", retired_at=EIGHT)
    for _twice in range(2):
        cup.club.members.create(name="Max Hill")
    actions.enter(
        cup,
        cup.club.members.get(name="Zoë"),
        partner=cup.club.members.get(name="Bob"),
        by=TEST,
        at=EIGHT,
    )
    assert faults(
        client, cup,
        "Rose Field & Ted Lead", "Ann", "Ann & Nobody", "Ann & Al Stnoe", "Ann & Kit Marsh",
        "Ann & Max Hill", "Ann & Ann", "Ann & Bob", "Al Stone & Ted Lead", "Ann & Al Stone & Bob",
    ) == [
        "Line 2: Write the names of two players, like Rose & Ann.",
        "Line 3: No player is called Nobody. Add them as a guest below.",
        "Line 4: No player is called Al Stnoe. Did you mean Al Stone?",
        "Line 5: Kit Marsh is deactivated.",
        "Line 6: More than one player is called Max Hill. Enter this pair under Add an entry.",
        "Line 7: A pair needs two players.",
        "Line 8: Bob is already entered.",
        "Line 9: Ted Lead is on another line too.",
        "Line 10: Write the names of two players, like Rose & Ann.",
    ]  # fmt: skip
    assert pairs_of(cup) == [["Zoë", "Bob"]]
    assert {member.name for member in present(cup.session)} == {"Zoë", "Bob"}


def test_who_was_entered_without_a_partner_gets_the_one_of_the_list(cup):
    for name in ("Ann", "Bob", "Zoë"):
        actions.enter(cup, cup.club.members.get(name=name), by=TEST, at=EIGHT)
    pasted(cup, "Bob & Ann", "Al Stone & Rose Field")
    assert pairs_of(cup) == [["Zoë"], ["Bob", "Ann"], ["Al Stone", "Rose Field"]]


def test_a_list_with_somebody_checked_in_elsewhere_is_refused_with_the_reason(cup, client):
    client.force_login(a_user(club=cup.club))
    other = a_session(cup.club, [cup.club.members.get(name="Ann")], name="Beginners")
    answer = client.post(
        address("tournament_paste_pairs", cup), {"pairs": "Ann & Bob\nZoë & Al Stone"}
    )
    assert answer.status_code == 422
    assert f"Ann is checked in to {other.name}." in answer.text
    assert pairs_of(cup) == []
    assert "Enter and check Ann in here too" in answer.text
    here_too = re.search(r'name="here_too" value="([^"]+)"', answer.text)[1]
    data = {"pairs": "Ann & Bob\nZoë & Al Stone", "here_too": here_too}
    assert client.post(address("tournament_paste_pairs", cup), data).status_code == 302
    assert pairs_of(cup) == [["Ann", "Bob"], ["Zoë", "Al Stone"]]


def test_a_line_with_two_unknown_players_names_both(cup, client):
    client.force_login(a_user(club=cup.club))
    (fault,) = faults(client, cup, "Gus Nobody & Flo Nobody")
    assert fault.count("No player is called") == 2
    assert ("Gus Nobody." in fault, "Flo Nobody." in fault) == (True, True)


def test_unknown_players_of_a_list_are_added_as_guests_with_one_button(cup, client):
    client.force_login(a_user(club=cup.club))
    url, lines = address("tournament_paste_pairs", cup), "Ann & Gus Nobody\nFlo Nobody - Bob"
    answer = client.post(url, {"pairs": lines})
    assert "Add Gus Nobody, Flo Nobody as guests and enter" in answer.text
    guests = re.search(r'name="guests" value="([^"]+)"', answer.text)[1].replace("&#10;", "\n")
    assert client.post(url, {"pairs": lines, "guests": guests}).status_code == 302
    assert pairs_of(cup) == [["Ann", "Gus Nobody"], ["Flo Nobody", "Bob"]]
    assert cup.club.members.filter(is_guest=True).count() == 2


def test_new_guests_and_players_checked_in_elsewhere_are_answered_one_after_the_other(cup, client):
    client.force_login(a_user(club=cup.club))
    a_session(cup.club, [cup.club.members.get(name="Ann")], name="Beginners")
    url, lines = (
        address("tournament_paste_pairs", cup),
        {"pairs": "Ann & Renée New\nZoë & Al Stone"},
    )
    data = lines
    for button in ("guests", "here_too"):
        page = client.post(url, data).text
        fields = re.findall(r'<input type="hidden" name="(guests|here_too)" value="([^"]*)"', page)
        pressed = re.search(rf'<button class="button" name="{button}" value="([^"]+)"', page)[1]
        data = {**lines, **dict(fields), button: pressed.replace("&#10;", "\n")}
    assert client.post(url, data).status_code == 302
    assert pairs_of(cup) == [["Ann", "Renée New"], ["Zoë", "Al Stone"]]


def test_new_guests_with_names_like_one_another_are_all_added(cup):
    guests = ["Anne Gray", "Ann Gray", "John Smith", "John Smith Jr."]
    lines = ["Anne Gray & John Smith", "Ann Gray & John Smith Jr."]
    actions.enter_pairs(
        cup, lines, by=TEST, at=EIGHT, guests=[*guests, "Someone taken off the list"]
    )
    assert pairs_of(cup) == [["Anne Gray", "John Smith"], ["Ann Gray", "John Smith Jr."]]
    assert cup.club.members.filter(is_guest=True).count() == len(guests)


def test_a_first_name_that_two_players_have_is_not_enough(cup, client):
    client.force_login(a_user(club=cup.club))
    cup.club.members.create(name="Rose Hill")
    (fault,) = faults(client, cup, "Rose & Ann")
    assert (
        fault == "Line 1: More than one player is called Rose. Enter this pair under Add an entry."
    )


def test_a_button_asks_whether_to_check_a_player_in_here_too(cup, client):
    """It named the way, and had no button for it."""
    client.force_login(a_user(club=cup.club))
    pasted(cup, "Ann & Bob")
    zoe = cup.club.members.get(name="Zoë")
    other = a_session(cup.club, [zoe], name="Beginners")
    ann = cup.club.members.get(name="Ann")
    url = reverse("tournament_replace", args=[cup.club.slug, cup.public_id, cup.entries.get().pk])
    data = {"leaves": ann.public_id, "comes": zoe.public_id}
    answer = client.post(url, data)
    assert f"Zoë is checked in to {other.name}." in answer.text
    assert "Yes, check them in here too" in answer.text
    fields = dict(re.findall(r'name="(\w+)" value="([^"]+)"', answer.text.partition("<main")[2]))
    assert {name: fields[name] for name in data} == data
    assert client.post(url, data | {"here_too": fields["here_too"]}).status_code == 302
    assert pairs_of(cup) == [["Zoë", "Bob"]]


def test_after_the_draw_pairs_enter_one_by_one_and_players_are_no_pairs(cup, client):
    client.force_login(a_user(club=cup.club))
    pasted(cup, "Rose Field & Ted Lead", "Ann & Bob")
    drawn(cup)
    assert refusal(pasted, cup, "Zoë & Al Stone") == "already-drawn"
    club = a_club("Others", "others")
    rulesets_of(club)
    alone = a_tournament(4, "progressive", club=club)
    client.force_login(a_user("other", club=club))
    assert (
        client.post(address("tournament_paste_pairs", alone), {"pairs": "A & B"}).status_code == 404
    )
    for one in (cup, alone):
        assert (
            address("tournament_paste_pairs", one)
            not in client.get(address("tournament_entries", one)).text
        )
