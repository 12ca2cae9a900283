"""A club from nothing, in the browser: founded, people pasted, rules made, somebody invited."""

import pytest
from playwright.sync_api import expect

from league.members import actions
from league.members.models import Club
from scoring import ruleset
from tests.builders import TEST, a_club, a_ruleset, a_session, a_user, members_of

pytestmark = pytest.mark.django_db(transaction=True)

ELEVEN = "Rose Winter\nAnn\nTed\nBill\nJoan\nGus\nSam\nDee\nLou\nKit\nRose Wintre"


def test_a_club_is_founded_filled_and_given_rules_of_its_own(open_page, sign_in, axe):
    page = open_page("phone", timezone_id="America/Vancouver")
    sign_in(page, a_user("olive"))
    page.goto("/")
    page.get_by_role("link", name="Start a club").first.click()
    page.get_by_label("Name of the club").fill("Tuesday Club")
    expect(page.get_by_label("Time zone")).to_have_value("America/Vancouver")
    axe(page)
    page.get_by_role("button", name="Create club").click()

    page.get_by_label("One name per line").fill(ELEVEN)
    page.get_by_role("button", name="Check the list").click()
    page.get_by_text("looks like Rose Winter").wait_for()
    page.get_by_label("Different player – add anyway").check()
    axe(page)
    page.get_by_role("button", name="Add players").click()
    page.get_by_text("Added 11 players.").wait_for()

    page.goto("/c/tuesday-club/rulesets/")
    page.get_by_role("link", name="Euchre (standard, four-handed)").click()
    page.get_by_role("link", name="Change rules").click()
    page.get_by_label("What is a march worth?").fill("900")
    page.get_by_role("button", name="Save rules").click()
    page.get_by_text("a whole number from 0 to 500").first.wait_for()
    axe(page)
    page.get_by_label("What is a march worth?").fill("4")
    page.get_by_role("button", name="Save rules").click()
    page.get_by_text("Saved: March: 4 points instead of 2 points.").wait_for()
    page.get_by_label("Find a rule").fill("laps")
    expect(page.get_by_role("row", name="Laps")).to_be_visible()
    expect(page.get_by_text("What is a march worth?")).to_be_hidden()
    page.get_by_label("Find a rule").fill("who deals if all pass")
    expect(page.get_by_role("row", name="After everyone passes")).to_be_visible()
    page.get_by_label("Find a rule").fill("")
    page.get_by_text("Compare with other versions").click()
    page.get_by_label("Compare with").select_option(label="version 1")
    page.get_by_role("button", name="Compare").click()
    differing = page.get_by_role("row", name="March 4 points 2 points")
    expect(differing.get_by_role("cell")).to_have_text(["4 points", "2 points"])

    club = Club.objects.get(slug="tuesday-club")
    played = club.rulesets.get(players=4, is_default=True)
    assert (played.version, ruleset(played.body).options["march"]) == (2, 4)
    assert club.members.count() == 11


def test_typing_a_name_for_the_second_player_chooses_it_also_before_the_script_came_and_back(
    open_page, sign_in
):
    club = a_club()
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club))
    page.goto(f"/c/{club.slug}/members/paste/")
    page.get_by_label("One name per line").fill("John Smith\nJohn Smith")
    held = []
    page.route("**/decide*.js", lambda route: held.append(route))
    page.get_by_role("button", name="Check the list").click(no_wait_after=True)
    box, tick = page.get_by_label("Name that tells them apart"), page.get_by_label("add as")
    box.fill("John Smith B")
    page.unroute("**/decide*.js")  # what was held goes on
    expect(tick).to_be_checked()
    tick.uncheck()
    expect(box).to_have_value("John Smith 2")
    box.fill("John Smith (Selkirk)")
    expect(tick).to_be_checked()
    page.get_by_role("button", name="Add players").click()
    page.get_by_text("Added 2 players.").wait_for()
    assert club.members.filter(name="John Smith (Selkirk)").exists()


def test_hiding_the_first_steps_leaves_what_is_typed_on_the_page(open_page, sign_in):
    club = a_club(guided=True)
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club))
    page.goto(f"/c/{club.slug}/members/paste/")
    names = page.get_by_label("One name per line")
    names.fill("Ann")
    page.get_by_role("button", name="Hide these steps").click()
    expect(page.get_by_text("Step 1 of 5")).to_have_count(0)
    expect(page.get_by_role("status").get_by_text("in Settings brings them back")).to_be_visible()
    expect(names).to_have_value("Ann")


def test_a_link_brings_somebody_in_and_they_see_what_members_see(open_page, sign_in, axe):
    club = a_club()
    organiser = open_page("desktop")
    sign_in(organiser, a_user("olive", club=club))
    organiser.goto(f"/c/{club.slug}/roles/invite/")
    organiser.get_by_role("button", name="Make the link").click()
    link = organiser.get_by_label("Link").input_value()
    axe(organiser)

    guest = open_page("phone")
    guest.goto(link)
    assert link.rsplit("/", 2)[1] not in guest.url
    axe(guest)
    sign_in(guest, a_user("ann"))
    guest.goto(link)
    guest.get_by_role("button", name="Join as ann").click()
    guest.get_by_text(f"Welcome to {club.name}").wait_for()
    again = guest.goto(link)
    assert again is not None
    assert again.status == 404
    assert club.roles.filter(user__username="ann").count() == 1


PAGES = (
    "",
    "members/",
    "members/add/",
    "roles/",
    "tokens/",
    "rulesets/",
    "rulesets/presets/",
    "rulesets/presets/bid-barrie/",
    "settings/",
    "audit/",
)


def test_the_clubs_pages_fit_and_have_no_barrier(open_page, sign_in, axe):
    club = a_club(visibility="standings")
    olive = a_user("olive", club=club, rank="owner")
    people = members_of(club, 12)
    actions.adopt_preset(club, preset="nanaimo-four-handed", by=TEST, default=True)
    long_name = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Xy"
    actions.add_member(club, name=long_name, by=TEST)
    a_session(club, people)
    page = open_page("desktop")
    person = f"members/{people[0].public_id}/"
    sign_in(page, olive)
    for rest in (*PAGES, f"{person}edit/", f"{person}merge/", f"{person}erase/"):
        page.goto(f"/c/{club.slug}/{rest}")
        axe(page)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth") - width
            assert wide <= 0, f"{rest} is {wide} px too wide"


def test_settings_fold_by_subject_are_found_by_the_words_of_clubs_and_open_where_one_is_wrong(
    open_page, sign_in
):
    """They were five screens of a phone, with nothing to find one by. “public” left out who can see
    results, and “left bower”, which is looked for in the house rules, found only the time zone."""
    club = a_club()
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club))
    page.goto(f"/c/{club.slug}/settings/")
    assert page.locator(".column").bounding_box()["height"] < 2 * 844
    sizes = page.get_by_label("Custom table sizes")
    expect(sizes).to_be_hidden()
    page.get_by_label("Find a setting").fill("public")
    expect(page.get_by_role("group", name="Who can see results")).to_be_visible()
    page.get_by_label("Find a setting").fill("left bower")
    shown = page.locator("[data-words]:visible")
    expect(shown).to_have_count(1)
    expect(shown.get_by_role("link", name="House rules")).to_be_visible()
    page.get_by_label("Find a setting").fill("table sizes")
    expect(sizes).to_be_visible()
    expect(page.get_by_label("Language")).to_be_hidden()
    sizes.fill("eleven")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(sizes).to_be_visible()
    expect(page.get_by_label("Show ratings")).to_be_hidden()


def test_a_rule_found_in_settings_is_looked_for_in_the_house_rules(open_page, sign_in):
    club = a_club()
    actions.adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club))
    page.goto(f"/c/{club.slug}/settings/")
    page.get_by_label("Find a setting").fill("left bower")
    page.locator("[data-words]:visible").get_by_role("link", name="House rules").click()
    expect(page.get_by_label("Find a rule")).to_have_value("left bower")
    expect(page.get_by_text("Highest trumps")).to_be_visible()


def test_a_phone_lists_players_a_line_each(open_page, sign_in):
    club = a_club()
    members_of(club, 12)
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club, rank="member"))
    page.goto(f"/c/{club.slug}/members/")
    rows = page.locator(".people tbody tr")
    assert max(rows.evaluate_all("rows => rows.map((row) => row.offsetHeight)")) <= 48


def test_rules_are_found_by_the_words_of_players_and_on_the_form_by_their_answers_too(
    open_page, sign_in
):
    """“Left bower” left nine rules in view, none of them about it."""
    club = a_club()
    rules = a_ruleset(club, "standard-four-handed")
    page = open_page("phone")
    sign_in(page, a_user("olive", club=club))
    for rest in ("", "change/"):
        page.goto(f"/c/{club.slug}/rulesets/{rules.public_id}/{rest}")
        shown = page.locator("[data-words]:visible")
        for words, fact in (
            ("left bower", "Highest trumps"),
            ("order of trump", "Highest trumps"),
            ("widow", "Left over"),
            ("accusation", "False claim"),
        ):
            page.get_by_label("Find a rule").fill(words)
            expect(shown).to_have_count(1)
            expect(shown).to_contain_text(fact)
    shown = page.locator(".rule-field:visible")
    for words, label in (
        ("jack", "First dealer"),
        ("first jack", "First dealer"),
        ("no trump", "No trump"),
        ("play to 11", "How many points win a game?"),
        ("What do we play to?", "How many points win a game?"),
        ("who deals first", "First dealer"),
        ("first jack 2", "First dealer"),
    ):
        page.get_by_label("Find a rule").fill(words)
        expect(shown).to_have_count(1)
        expect(shown.locator("label")).to_have_text(label)
    page.get_by_label("Find a rule").fill("how long")
    expect(page.get_by_text("Set how long a round lasts")).to_be_visible()
    expect(shown).to_have_count(0)
    page.get_by_label("Find a rule").fill("long")
    expect(shown.filter(has_text="lone march")).to_have_count(0)


def test_a_token_is_made_shown_once_and_what_it_asks_is_told(open_page, sign_in, axe):
    club = a_club()
    page = open_page("small phone")
    sign_in(page, a_user("olive", club=club))
    page.goto(f"/c/{club.slug}/tokens/")
    page.get_by_label("What is it for?").fill("Screen in the bar")
    page.get_by_label("Read what members see").check()
    page.get_by_role("button", name="Make a token").click()
    assert page.get_by_label("Screen in the bar").input_value().startswith("rb_")
    axe(page)
    page.get_by_role("link", name="Back").click()
    page.get_by_text("never used").wait_for()
    page.get_by_role("link", name="What programs can ask").click()
    page.get_by_role("heading", name="For programs").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)


@pytest.mark.parametrize(("clock", "is_named"), [("Asia/Tokyo", True), ("America/Toronto", False)])
def test_whose_clock_the_times_follow_is_told_to_whoever_has_another(
    open_page, sign_in, clock, is_named
):
    club = a_club(time_zone="America/Toronto")
    page = open_page("phone", timezone_id=clock)
    sign_in(page, a_user(club=club))
    page.goto(f"/c/{club.slug}/")
    note = page.get_by_text("Times shown are Toronto time")
    expect(note).to_be_visible() if is_named else expect(note).to_be_hidden()
