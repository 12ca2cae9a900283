"""Every page of an evening opens with 0, 5, 11 and 40 people; tests/members/test_access.py has who
may open it."""

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse

from league.members.actions import (
    adopt_preset,
    adopt_variant,
    return_to_version,
    revise_ruleset,
)
from league.members.models import Member, Role, User
from league.play.auth import table_link
from league.seating.actions import draft_round, publish, set_session_rules
from league.seating.models import Seat
from league.sessions.attendance import arrive
from league.sessions.models import Attendance
from tests.builders import TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)

PAGES = """
    session checkin seating certificate session_edit door_code board end_games wall wall_made paper
    print_cards print_sheets print_tickets print_chart print_movement
"""
ORDERS = """
    session_open session_close clock_start clock_extend door_revoke wall_revoke checkin_arrive
    checkin_leave checkin_rest checkin_again checkin_guest checkin_paste checkin_last
    seating_draft seating_redraw seating_swap seating_lock seating_publish seating_discard
    seating_take_back
"""


def a_night(count, *, seated=True, draft=False):
    club = a_club()
    rulesets_of(club)
    night = a_session(club, members_of(club, count))
    if seated and count > 1:
        publish(draft_round(night, by=TEST, seed=1), by=TEST, at=AT)
    elif draft and count > 1:
        draft_round(night, by=TEST, seed=1)
    return night


def sign_in(client, club, rank):
    user = a_user(rank, club=None if rank == "stranger" else club, rank=rank)
    client.force_login(user)


def page(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


def test_orders_are_not_taken_by_get(client):
    night = a_night(5)
    sign_in(client, night.club, "organiser")
    for name in ORDERS.split():
        assert client.get(page(name, night)).status_code == 405, name


@pytest.mark.parametrize("count", [0, 1, 11])
def test_every_page_opens_however_many_people_are_here(client, count):
    night = a_night(count)
    sign_in(client, night.club, "organiser")
    for name in PAGES.split():
        assert client.get(page(name, night)).status_code == 200, name


@pytest.mark.parametrize("count", [2, 11])
def test_the_draft_opens_and_prices_a_swap(client, count):
    night = a_night(count, seated=False, draft=True)
    sign_in(client, night.club, "organiser")
    someone = night.attendances.first().member
    plain = client.get(page("seating", night))
    assert plain.status_code == 200
    picked = client.get(page("seating", night), {"pick": someone.public_id})
    assert picked.status_code == 200
    assert len(picked.context["prices"]) == count - 1


def test_another_clubs_session_is_not_found(client):
    night = a_night(5)
    other = a_club(slug="other")
    sign_in(client, other, "organiser")
    for name in PAGES.split():
        address = reverse(name, args=[other.slug, night.public_id])
        assert client.get(address).status_code == 404, name


def test_search_engines_are_told_which_pages_they_may_read(client):
    answer = client.get("/robots.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain")
    assert "Disallow: /\n" in answer.text
    assert "Allow: /c/*/$\n" in answer.text


def test_help_is_a_tap_away_and_calls_the_buttons_by_their_names(client):
    assert f'href="{reverse("help")}"' in client.get(reverse("account_login")).text
    page = client.get(reverse("help"), headers={"accept-language": "de"}).text
    assert "„Zurücknehmen“ am Tisch" in page
    english = client.get(reverse("help")).text
    assert "A table that hasn't started closes up" in english
    assert "enter one of the recovery codes" in english
    assert "<b>Anwesenheit:</b>" in page


def test_help_for_who_runs_two_clubs_links_the_one_that_plays(client):
    night = a_night(5)
    user = a_user("olive", club=night.club)
    other = a_club(slug="other")
    Role.objects.create(club=other, user=user, rank="owner")
    client.force_login(user)
    checkin = reverse("checkin", args=[night.club.slug, night.public_id])
    assert f'<a href="{checkin}">' in client.get(reverse("help")).text
    a_session(other)
    undecided = client.get(reverse("help")).text
    assert "/c/" not in undecided.partition("<h1>")[2]
    choices = re.findall(r'<a href="\?club=([\w-]+)"', undecided)
    assert sorted(choices) == sorted([night.club.slug, "other"])
    from_other = f"{reverse('help')}?club=other"
    assert f'href="{from_other}"' in client.get(reverse("club", args=["other"])).text
    other_page = client.get(from_other).text
    assert f'<a href="{reverse("rulesets", args=["other"])}">' in other_page
    assert f"?club={night.club.slug}" not in other_page.partition("<h1>")[2]


def test_help_at_a_table_has_the_rules_of_its_own_game_and_the_way_back(client):
    """It said "Your house rules say how much", without a number or a link."""
    night = a_night(4)
    revise_ruleset(night.club.rulesets.get(players=4), options={"lone_march": 6}, by=TEST)
    table = night.tables.get()
    client.post(reverse("table_door"), {"code": table_link(table)})
    at_table, own_rules, own_help = (
        reverse(name, args=[table.public_id])
        for name in ("table_entry", "table_house_rules", "table_help")
    )
    assert f'href="{own_help}">Help</a>' in client.get(at_table).text
    text = squeezed(client.get(own_help).text)
    assert f'href="{at_table}">Back to the table</a>' in text
    assert f'<a class="button small" href="{own_rules}">House rules</a>' in text
    assert f'href="{own_help}">Help</a>' in text  # at its foot
    link, end = f'<a href="{own_rules}">House rules:</a>', "</li>"
    alone = text.partition("<b>Alone:</b>")[2].partition(end)[0]
    assert f"{link}Lone march:<strong>4 points</strong>" in alone
    renege = text.partition("<h3>A player reneges</h3>")[2].partition(end)[0]
    assert f"{link}Renege:<strong>2 points</strong>·" in renege
    assert "Paying for a renege:<strong>the opponents choose</strong>" in renege
    farmers = text.partition("<b>Farmer&#x27;s hand:</b>")[2].partition(end)[0]
    assert f"{link}Farmer&#x27;s hand:<strong>no</strong>" in farmers
    misdeal = text.partition("<b>Misdeal:</b>")[2].partition(end)[0]
    assert f"{link}After a misdeal:<strong>the same dealer</strong>" in misdeal
    passed = text.partition("<b>Stick the dealer:</b>")[2].partition(end)[0]
    assert "After everyone passes:<strong>the next player</strong>" in passed
    deals = text.partition("<b>Who deals:</b>")[2].partition(end)[0]
    assert "After everyone passes:<strong>the next player</strong>" in deals
    facts = "To 10 · 4 for a march alone"
    assert [facts in answer for answer in (alone, renege, farmers, misdeal)] == [False] * 4
    assert f'“<a href="{own_rules}">House rules</a>” on the club' in text
    assert "to see links to your club" not in text
    assert Client().get(own_help).status_code == 403  # without the code of this table


def test_help_opened_from_a_public_club_leads_a_visitor_back_and_has_its_rules(client):
    club = a_club("Quay Lights", slug="quay", visibility="standings")
    adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)
    page = reverse("help") + "?club=quay"
    home, rules = (reverse(name, args=["quay"]) for name in ("club", "rules_print"))
    text = client.get(page).text
    assert f'href="{home}">Back to Quay Lights</a>' in text
    assert f'<a href="{rules}">House rules</a>' in text
    assert reverse("coming", args=["quay"]) not in text  # for members
    club.visibility = "members"
    club.save()
    assert "Quay Lights" not in client.get(page).text


def test_who_signs_in_from_a_clubs_help_comes_back_to_it(client):
    address = f"{reverse('help')}?club=lamps"
    door = f'<a href="{reverse("account_login")}?next=/help/%3Fclub%3Dlamps">Sign in</a> to see'
    assert door in client.get(address).text


def test_help_links_the_session_where_its_reader_sits_else_where_they_are_checked_in(client):
    night = a_night(4)
    club, player = night.club, night.attendances.earliest("pk").member
    others = [a_session(club, name=name) for name in ("Downstairs", "Outside")]
    sign_in(client, club, "member")

    def linked() -> str:
        text = client.get(reverse("help")).text
        return re.findall(r'<a href="([^"]*)">Tonight&#x27;s session</a>', text)[0]

    arrive(others[0], player, by=TEST, at=AT, even_if_elsewhere=True)
    assert linked() == page("session", others[1])
    Member.objects.filter(pk=player.pk).update(user=User.objects.get(username="member"))
    assert linked() == page("session", night)
    Seat.objects.filter(member=player).update(seated=False)
    Attendance.objects.filter(session=night, member=player).update(left_at=AT)
    assert linked() == page("session", others[0])


def test_help_opened_from_a_club_has_the_clubs_menu_and_else_none(client):
    club = a_club("The Lamplighters", "lamps")
    menu = f'href="{reverse("club_settings", args=["lamps"])}"'
    from_club = f"{reverse('help')}?club=lamps"
    assert "Lamplighters" not in client.get(from_club).text
    sign_in(client, club, "organiser")
    head = client.get(from_club).text.partition("<main")[0]
    assert "The Lamplighters" in head
    assert menu in head
    assert menu not in client.get(reverse("help")).text.partition("<main")[0]


def test_help_says_what_the_readers_club_plays_for(client):
    club = a_club()
    rulesets_of(club)
    assert "To 10 · 4 for a march alone" not in client.get(reverse("help")).text
    sign_in(client, club, "member")
    assert "To 10 · 4 for a march alone" in client.get(reverse("help")).text


@pytest.mark.parametrize("name", ["help", "rulesets", "rules_print", "ruleset"])
def test_where_a_member_reads_the_club_s_rules_it_says_what_tonight_s_tables_play(client, name):
    """Help and the printed rules said "To 11" while every table played to 10."""
    night = a_night(8)
    rules = night.club.rulesets.get(players=4)
    changed = revise_ruleset(rules, options={"target": 11, "lone_march": 6}, by=TEST)
    sign_in(client, night.club, "member")
    addresses = {"help": reverse("help"), "ruleset": reverse("ruleset", args=_args(changed))}
    address = addresses.get(name) or reverse(name, args=[night.club.slug])
    text = squeezed(client.get(address).text)
    assert re.search("To 11 · (24 cards · )?6 for a march alone", text)
    line = "Tonight&#x27;s tables play other rules: to 10, a lone march pays 4."
    assert f'{line}<a href="{page("print_rules", night)}">Rules for {night.name}</a>' in text
    return_to_version(rules, by=TEST)  # the tables have an older version, which says the same
    assert "play other rules" not in client.get(address).text


def test_of_rules_for_one_session_only_what_is_unusual_is_named(client):
    """The line said "To 5 · lone march 4", the club's usual rules, and no word of the march."""
    night = a_night(0)
    usual = night.club.rulesets.get(players=4, is_default=True)
    own = adopt_variant(usual, options={"march": 3}, by=TEST)
    set_session_rules(night, [own], by=TEST)
    sign_in(client, night.club, "organiser")
    assert "usual: Tables of 4: a march pays 3.<a" in squeezed(
        client.get(page("session", night)).text
    )


def test_the_printed_rules_of_a_session_say_which_session_it_is_and_its_day(client):
    night = a_night(8)
    night.name, night.held_on = "Quiz and cards", date(2031, 12, 6)
    night.save()
    sign_in(client, night.club, "organiser")
    sheet = squeezed(client.get(page("print_rules", night)).text)
    assert "Quiz and cards, 6 December 2031<br>As of " in sheet
    usual = client.get(reverse("rules_print", args=[night.club.slug])).text
    assert "Quiz and cards" not in usual


def test_rules_of_one_table_tonight_are_named_with_the_table(client):
    night = a_night(8)
    other = adopt_preset(night.club, preset="somerset", options={"target": 5}, by=TEST)
    night.tables.filter(number=2).update(ruleset=other)
    sign_in(client, night.club, "member")
    text = squeezed(client.get(reverse("rulesets", args=[night.club.slug])).text)
    assert "Some tables play other rules tonight. Table 2: To 5 · 4 for a march alone." in text


@pytest.mark.parametrize("state", ["open", "planned"])
def test_a_session_s_own_rules_are_named_before_it_has_tables(client, state):
    """Only tables that played other rules were named."""
    night = a_night(0)
    type(night).objects.filter(pk=night.pk).update(state=state)
    own = adopt_preset(night.club, preset="somerset", options={"target": 5}, by=TEST)
    set_session_rules(night, [own], by=TEST)
    sign_in(client, night.club, "organiser")
    line = "Different rules from usual: Tables of 4: To 5 · 4 for a march alone."
    link = f'<a href="{page("print_rules", night)}">Rules for {night.name}</a>'
    for name in ("session", "checkin"):
        assert line + link in squeezed(client.get(page(name, night)).text)
    rules_page = squeezed(client.get(reverse("rulesets", args=[night.club.slug])).text)
    assert (line + link in rules_page) == (state == "open")
    set_session_rules(night, night.club.rulesets.filter(players=4, is_default=True), by=TEST)
    for name in ("session", "checkin"):
        assert "Different rules from usual" not in client.get(page(name, night)).text


def _args(club_ruleset):
    return [club_ruleset.club.slug, club_ruleset.public_id]


def test_help_begins_with_what_its_reader_does(client):
    def parts() -> list[str]:
        return re.findall(r'id="(\w+)" data-part', client.get(reverse("help")).text)

    club = a_club()
    visitors_parts = parts()
    assert visitors_parts[:2] == ["newcomers", "words"]
    of_organisers = ["evening", "rules", "players", "club", "tournament", "league", "computer"]
    assert visitors_parts[-7:] == of_organisers
    for rank in ("member", "scorekeeper"):
        sign_in(client, club, rank)
        assert parts()[:2] == ["tonight", "table"]
        assert parts()[-7:] == of_organisers
    sign_in(client, club, "organiser")
    assert parts()[:2] == ["evening", "people"]
    assert sorted(parts()) == sorted(visitors_parts)


def test_help_sends_who_may_not_do_it_to_an_organiser_before_it_says_how(client):
    night = a_night(5)
    note = "Organisers do this. Ask one of them."
    late = r"<h3>A player arrives late</h3>(?:<p[^>]*>([^<]*)</p>)?\s*<p>"
    of_part = r"<h2>A tournament, step by step</h2>.*</summary>\s*<p[^>]*>([^<]*)</p>"
    visitors_page = client.get(reverse("help")).text
    door = f'<a href="{reverse("account_login")}?next=/help/">Sign in</a> to see links'
    assert door in visitors_page
    for rank in ("", "member", "scorekeeper"):
        if rank:
            sign_in(client, night.club, rank)
        page = client.get(reverse("help")).text
        assert re.search(late, page)[1] == note
        assert re.search(of_part, page)[1] == note
        assert (door in page) is (rank == "")
    sign_in(client, night.club, "organiser")
    page = client.get(reverse("help")).text
    assert re.search(late, page)[1] is None
    assert note not in page


def test_help_links_the_pages_it_names_where_the_visitor_may_open_them(client):
    night = a_night(5)
    club = night.club
    of_club = [reverse(name, args=[club.slug]) for name in ("roles", "club_settings")]
    of_night = ("checkin", "wall_made", "final_scores")
    pages = [*of_club, *(reverse(n, args=[club.slug, night.public_id]) for n in of_night)]
    rules = reverse("rulesets", args=[club.slug])
    assert "/c/" not in client.get(reverse("help")).text.partition("<h1>")[2]
    sign_in(client, club, "member")
    page = client.get(reverse("help")).text
    assert rules in page
    assert not any(f'<a href="{one}">' in page for one in pages)
    sign_in(client, club, "organiser")
    page = client.get(reverse("help")).text
    assert all(f'<a href="{one}">' in page for one in [*pages, rules])
    board = reverse("board", args=[club.slug, night.public_id])
    assert f'<br><a href="{pages[2]}">Check-in</a> · <a href="{board}">Board</a></p>' in page
