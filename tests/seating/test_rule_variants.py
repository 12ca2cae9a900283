"""A few rules changed for a table or a session: found or added as house rules of their own."""

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.members.actions import (
    adopt_preset,
    adopt_variant,
    archive_ruleset,
    rename_ruleset,
    revise_ruleset,
)
from league.members.rule_options import option_field
from league.play.auth import table_link
from league.seating.actions import others_without_hands, set_table_rules
from league.seating.queries import live_tables
from league.tournaments.actions.setup import variant
from tests.builders import TEST, a_user
from tests.members.test_rulesets import filled
from tests.pages import squeezed
from tests.seating.nights import a_game, a_night, draft, published, table_of
from tests.tournaments.playing import of_pairs, tables
from tests.tournaments.playing import published as published_draw

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("short_search"),
]


def page_at(table, name="table_rules"):
    session = table.session
    return reverse(name, args=[session.club.slug, session.public_id, table.public_id])


def usual(club, players=4):
    return club.rulesets.get(is_default=True, players=players)


def changed(form, **options):
    return filled(form) | {option_field(name): value for name, value in options.items()}


@pytest.fixture
def night(client):
    """Eight at two tables of four, with nothing entered yet, and an organiser signed in."""
    night, _members = a_night(8)
    published(night)
    client.force_login(a_user(club=night.club))
    return night


def test_one_table_plays_to_seven_by_one_page_and_one_figure(client, night):
    """It took a copy of all the club's rules, with a name of its own."""
    table, other = live_tables(night)
    assert f'href="{page_at(table)}"' in client.get(page_at(table, "table_desk")).text
    variant = client.get(page_at(table)).context["variant"]
    assert len(variant.fields) <= 12
    answer = client.post(page_at(table, "table_variant"), changed(variant, target="7"), follow=True)
    assert answer.redirect_chain == [(page_at(table, "table_desk"), 302)]
    name = f"{usual(night.club).name}: to 7"
    assert f"Table 1 plays by {name}." in answer.text
    table.refresh_from_db()
    other.refresh_from_db()
    assert (table.ruleset.name, table.ruleset.rules.target) == (name, 7)
    assert other.ruleset == usual(night.club)
    listed = client.get(reverse("rulesets", args=[night.club.slug])).text
    assert name in listed


def test_a_few_rules_lead_to_the_place_where_all_the_others_are_changed(client, night):
    table, _other = live_tables(night)
    says = client.get(page_at(table)).text
    assert "For a rule that isn't here, add rules of your own" in says
    assert "such as" not in says  # some games have here what others have not


def test_the_log_names_the_rules_of_a_table_as_its_page_does(client, night):
    preset = adopt_preset(night.club, preset="standard-four-handed", name="", by=TEST)
    table, _other = live_tables(night)
    pays_four = adopt_variant(preset, options={"march": 4}, by=TEST)
    set_table_rules(table, pays_four, by=TEST)
    page = client.get(page_at(table)).text
    entry = night.club.audit.filter(action="set table rules").first()
    assert ", but a march pays 4" in entry.new
    assert entry.new in page


def test_a_whole_round_plays_to_seven_from_the_page_of_one_table(client, night):
    first, second = live_tables(night)
    variant = client.get(page_at(first)).context["variant"]
    label = "Also the other table of 4 that hasn&#x27;t started"
    assert label in client.get(page_at(first)).text
    sent = changed(variant, target="7") | {"everywhere": "on"}
    answer = client.post(page_at(first, "table_variant"), sent, follow=True)
    assert "Tables of 4 that haven&#x27;t started play by" in answer.text
    assert {table.ruleset.rules.target for table in live_tables(night)} == {7}
    a_game(second, state="playing", hands=1)
    assert others_without_hands(first) == []
    assert label not in client.get(page_at(first)).text


def test_the_same_change_finds_the_same_rules_and_one_back_the_club_s_own(night):
    ours = usual(night.club)
    seven = adopt_variant(ours, options={"target": 7}, by=TEST)
    assert adopt_variant(ours, options={"target": 7}, by=TEST) == seven
    assert adopt_variant(seven, options={"target": 10}, by=TEST) == ours
    archive_ruleset(seven, by=TEST)
    again = adopt_variant(ours, options={"target": 7}, by=TEST)
    again.refresh_from_db()
    assert (again, again.retired) == (seven, False)


def test_the_rules_that_a_tournament_made_for_itself_stay_out_of_the_list(night):
    ours = usual(night.club)
    hidden = variant(ours, {"hands": 8}, "8 hands")
    for_table = adopt_variant(ours, options={"hands": 8}, by=TEST)
    assert (for_table.name, hidden.retired) == (f"{ours.name}: 8 hands", True)


def test_a_variant_is_named_for_all_that_differs_from_the_club_s_rules(night):
    ours = usual(night.club)
    seven = adopt_variant(ours, options={"target": 7}, by=TEST)
    both = adopt_variant(seven, options={"lone_march": 5, "stick_the_dealer": True}, by=TEST)
    assert both.name == f"{ours.name}: to 7, stick the dealer, a lone march pays 5"
    hands = adopt_variant(ours, options={"hands": 8}, by=TEST)
    assert hands.name == f"{ours.name}: 8 hands"
    revised = revise_ruleset(ours, options={"march": 3}, by=TEST)
    assert adopt_variant(revised, options={"target": 7}, by=TEST).name == f"{seven.name} (2)"


def test_a_variant_of_rules_with_a_long_name_still_says_what_differs(night):
    ours = usual(night.club)
    rename_ruleset(ours, "R" * 80, by=TEST)
    seven = adopt_variant(ours, options={"target": 7}, by=TEST)
    assert seven.name.endswith("R…: to 7")
    many = {"target": 7, "march": 3, "lone_march": 5, "euchre": 3, "stick_the_dealer": True}
    assert len(adopt_variant(ours, options=many, by=TEST).name) <= 76


def test_what_does_not_fit_is_refused_beside_its_field_on_the_same_page(client, night):
    table = live_tables(night)[0]
    variant = client.get(page_at(table)).context["variant"]
    answer = client.post(page_at(table, "table_variant"), changed(variant, target="0"))
    assert answer.status_code == 422
    assert 'href="#changed_option_target"' in answer.text
    assert night.club.rulesets.filter(players=4).count() == 1


def test_a_variant_is_not_added_for_a_table_that_began_meanwhile(client, night):
    table = live_tables(night)[0]
    variant = client.get(page_at(table)).context["variant"]
    a_game(table, state="playing", hands=1)
    answer = client.post(page_at(table, "table_variant"), changed(variant, target="7"))
    assert "Table 1 is playing already." in answer.text
    assert night.club.rulesets.filter(players=4).count() == 1


def test_a_session_s_next_tables_play_to_seven_and_the_draft_at_once(client):
    night, _members = a_night(11)
    drawn = draft(night)
    client.force_login(a_user(club=night.club))
    rules_page = reverse("session_rules", args=[night.club.slug, night.public_id])
    assert (
        f'href="{rules_page}"'
        in client.get(reverse("seating", args=[night.club.slug, night.public_id])).text
    )
    assert (
        'name="change" value="4" aria-label="Tables of 4: Change rules"'
        in client.get(rules_page).text
    )
    page = client.post(rules_page, {"policy": "", "change": "4"})
    assert page.url == f"{rules_page}4/"
    form = client.get(page.url).context["form"]
    answer = client.post(page.url, changed(form, target="7"), follow=True)
    assert "The next tables of 4 play by" in answer.text
    assert {table.ruleset.rules.target for table in drawn.tables.filter(players=4)} == {7}
    again = client.get(page.url).context["form"]
    client.post(page.url, changed(again, target="10"))
    assert not night.rulesets.exists()
    assert client.get(f"{rules_page}7/").status_code == 404


def test_a_choice_for_a_table_made_before_adding_rules_is_saved(client, night):
    """“Add rules” left the page of a table, and what was chosen there was lost."""
    seven = adopt_variant(usual(night.club), options={"target": 7}, by=TEST)
    table = live_tables(night)[0]
    page = page_at(table)
    assert 'name="add"' in client.get(page).text
    answer = client.post(page, {"rules": seven.pk, "add": "1"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("ruleset_presets", args=[night.club.slug])
    assert f"Table 1 plays by {seven.name}." in squeezed(answer.text)
    table.refresh_from_db()
    assert table.ruleset == seven
    again = client.post(page, {"rules": seven.pk, "add": "1"}, follow=True)
    assert "Table 1 plays by" not in again.text


def test_the_tables_of_three_keep_theirs_where_all_of_four_change():
    night, _members = a_night(11)
    published(night)
    assert [other.players for other in others_without_hands(table_of(night, 4))] == [4]


def test_the_page_of_rules_of_a_table_that_plays_says_so_and_leads_back(client, night):
    """It offered changes that saving them refused."""
    table = live_tables(night)[0]
    a_game(table, state="playing", hands=1)
    text = client.get(page_at(table)).text
    assert "Play has begun, so these rules are fixed." in text
    assert "You can change them" not in text
    assert f'href="{page_at(table, "table_desk")}">Back to the table</a>' in text


def test_a_tournament_s_table_says_whose_rules_it_plays_by(client):
    """It offered other rules, and saving them said that the table plays already."""
    cup = of_pairs(2, "knockout")
    published_draw(cup)
    table = tables(cup)[0]
    client.force_login(a_user(club=cup.club))
    for name in ("table_desk", "table_rules"):
        text = client.get(page_at(table, name)).text
        assert "This table plays by its tournament's rules." in text
        assert "Change rules" not in text
    other = adopt_variant(table.ruleset, options={"target": 7}, by=TEST)
    with pytest.raises(Refused, match="its tournament's rules"):
        set_table_rules(table, other, by=TEST)


def test_a_table_s_phone_gives_the_figures_before_anything_else_and_the_way_back(night):
    """They were at the end of two screens of questions, with the way back below all rules."""
    table, phone = live_tables(night)[0], Client()
    phone.post(reverse("table_door"), {"code": table_link(table)})
    text = squeezed(phone.get(reverse("table_house_rules", args=[table.public_id])).text)
    figures, _back, others = text.partition("Back to the table</a>")
    for title, value in (
        ("Points to win", "10 points"),
        ("Lone march", "4 points"),
        ("Euchre", "2 points"),
        ("Stick the dealer", "no"),
        ("After a misdeal", "the same dealer"),
        ("Farmer&#x27;s hand", "no"),
    ):
        assert f"<dt>{title}</dt><dd><strong>{value}</strong></dd>" in figures
    assert "data-words" not in figures
    assert "data-find" in others
    assert "What is a lone march worth?" in others


def test_a_variant_is_compared_with_the_rules_it_was_made_from(client, night):
    """Only versions of one name could be compared, and the answer was far below the top."""
    ours = usual(night.club)
    seven = adopt_variant(ours, options={"target": 7}, by=TEST)
    page = reverse("ruleset", args=[night.club.slug, seven.public_id])
    text = client.get(page, {"with": ours.public_id}).text
    assert f'method="get" action="{page}#compare"' in text
    assert f"Compared with {ours}" in text
    assert f'value="{ours.public_id}" selected' in text
    assert "<td>7 points</td><td>10 points</td>" in squeezed(text)
    newest = revise_ruleset(seven, options={"lone_march": 5}, by=TEST)
    assert f'href="?with={newest.public_id}#compare">What differs</a>' in client.get(page).text


def test_who_adds_no_rules_after_all_is_led_back_to_the_table(client, night):
    """“Cancel” led to the list of house rules, and the games had no way back."""
    page = page_at(live_tables(night)[0])
    presets = client.get(page).context["presets"]
    assert f'href="{page}">Back</a>' in client.get(presets).text
    query = presets.partition("?")[2]
    form = reverse("ruleset_new", args=[night.club.slug, "somerset"])
    text = client.get(f"{form}?{query}").text
    assert f'href="{page}">Cancel</a>' in text
    assert f'href="{presets.replace("&", "&amp;")}">Add rules</a>' in text
    ours = reverse("ruleset_change", args=[night.club.slug, usual(night.club).public_id])
    rules_page = reverse("ruleset", args=[night.club.slug, usual(night.club).public_id])
    assert f'href="{rules_page}">Cancel</a>' in client.get(ours).text


def test_every_page_of_rules_for_one_table_says_in_what_they_are_not_the_usual_ones(client, night):
    """Two sets of rules with nearly the same name, and nothing said which was the club's."""
    table, _other = live_tables(night)
    ours = usual(night.club)
    own = adopt_variant(ours, options={"march": 3}, by=TEST)
    set_table_rules(table, own, by=TEST)
    line = "Different from usual:<strong>a march pays 3</strong>"
    sheet = client.get(reverse("print_rules", args=[night.club.slug, night.public_id])).text
    page, usual_page = (
        client.get(reverse("ruleset", args=[night.club.slug, rules.public_id])).text
        for rules in (own, ours)
    )
    phone = Client()
    phone.post(reverse("table_door"), {"code": table_link(table)})
    at_table = phone.get(reverse("table_house_rules", args=[table.public_id])).text
    listed = client.get(page_at(table)).text
    for text in (page, sheet, at_table):
        assert squeezed(text).count(line) == 1
    assert line not in usual_page
    assert "the club's usual rules" in usual_page
    assert f"As usual: {ours.name}<br>" in listed


def test_the_choice_of_rules_for_one_table_begins_with_the_usual_ones(client, night):
    """They stood among the others, by their names."""
    table, _other = live_tables(night)
    other = adopt_variant(usual(night.club), options={"march": 3}, by=TEST)
    rename_ruleset(other, "Alpha rules", by=TEST)
    rename_ruleset(usual(night.club), "Zulu rules", by=TEST)
    first, *_others = client.get(page_at(table)).context["choice"].fields["rules"].choices
    assert first[1].startswith("As usual: Zulu rules<br>")
