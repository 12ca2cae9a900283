"""House rules for one session, or one of its tables, instead of the club's own."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.members.actions import adopt_preset, make_default, revise_ruleset
from league.members.rule_options import option_field
from league.play.auth import table_link
from league.seating.actions import (
    publish,
    set_dealer,
    set_session_rules,
    set_table_rules,
    take_back,
)
from league.seating.queries import live_tables
from tests.builders import TEST, a_user
from tests.members.test_rulesets import filled, sent
from tests.pages import squeezed
from tests.seating.nights import AT, a_game, a_night, draft, published, table_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("short_search"),
]


def another(club, **options):
    options = {"target": 15, **options}
    return adopt_preset(club, preset="somerset", name="To 15", options=options, by=TEST)


def test_a_session_plays_by_its_own_rules_and_other_sizes_by_the_clubs():
    night, _members = a_night(11)
    ours = another(night.club)
    set_session_rules(night, [ours], by=TEST)
    published(night)
    assert table_of(night, 4).ruleset == ours
    assert table_of(night, 3).ruleset.is_default


def test_a_change_of_the_rules_chosen_reaches_the_session_and_the_next_session_plays_as_always():
    night, _members = a_night(4)
    set_session_rules(night, [another(night.club)], by=TEST)
    newest = revise_ruleset(night.rulesets.get(), options={"target": 16}, by=TEST)
    published(night)
    assert table_of(night, 4).ruleset == newest
    set_session_rules(night, [], by=TEST)
    assert not night.rulesets.exists()


def to_fifteen(club):
    """A change of the club's usual rules for four."""
    usual = club.rulesets.get(is_default=True, players=4)
    return revise_ruleset(usual, options={"target": 15}, by=TEST)


def test_a_draft_is_published_with_the_rules_as_they_are_then():
    night, _members = a_night(8)
    drawn = draft(night)
    changed = to_fifteen(night.club)
    publish(drawn, by=TEST, at=AT)
    assert {table.ruleset for table in live_tables(night)} == {changed}


def test_published_tables_keep_their_rules_until_they_are_published_again():
    night, _members = a_night(8)
    round_ = published(night)
    changed = to_fifteen(night.club)
    assert changed not in {table.ruleset for table in live_tables(night)}
    publish(take_back(round_, by=TEST, at=AT), by=TEST, at=AT)
    assert {table.ruleset for table in live_tables(night)} == {changed}


def test_a_tables_rules_and_their_new_version_have_different_labels(client):
    night, _members = a_night(4)
    published(night)
    name = to_fifteen(night.club).name
    client.force_login(a_user(club=night.club))
    table = table_of(night, 4)
    page = reverse("table_rules", args=[night.club.slug, night.public_id, table.public_id])
    labels = [str(label) for _, label in client.get(page).context["form"].fields["rules"].choices]
    assert set(labels) == {
        f"As usual: {name}<br><small>To 15 · 4 for a march alone</small>",
        f"{name}, an earlier version<br><small>To 10 · 4 for a march alone</small>",
    }


def test_one_table_plays_by_other_rules_until_its_first_hand():
    night, _members = a_night(8)
    ours = another(night.club)
    published(night)
    first, second = night.tables.order_by("number")
    set_table_rules(first, ours, by=TEST)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.ruleset, second.ruleset.is_default) == (ours, True)
    a_game(second, state="playing", hands=1)
    with pytest.raises(Refused) as refused:
        set_table_rules(second, ours, by=TEST)
    assert refused.value.code == "hands-entered"


def test_rules_of_another_size_are_refused_at_a_table():
    night, _members = a_night(4)
    published(night)
    three = night.club.rulesets.get(players=3)
    with pytest.raises(Refused, match="another table size"):
        set_table_rules(table_of(night, 4), three, by=TEST)


def test_the_pages_offer_the_clubs_rules_by_name_and_save_them(client):
    night, _members = a_night(4)
    ours = another(night.club)
    client.force_login(a_user(club=night.club))
    page = reverse("session_rules", args=[night.club.slug, night.public_id])
    text = client.get(page).content.decode()
    assert "To 15<br><small>To 15 · 4 for a march alone</small>" in text
    assert "<small>To 10 · 4 for a march alone</small>" in text
    client.post(page, {"rules_4": ours.public_id, "save": "1"})
    assert night.rulesets.get() == ours
    published(night)
    table = table_of(night, 4)
    page = reverse("table_rules", args=[night.club.slug, night.public_id, table.public_id])
    usual = night.club.rulesets.get(is_default=True, players=4)
    answer = client.post(page, {"rules": usual.pk})
    assert answer.status_code == 302
    table.refresh_from_db()
    assert table.ruleset == usual
    make_default(ours, by=TEST)
    assert client.post(page, {"rules": "0"}).status_code == 422


def test_rules_of_a_size_the_club_has_no_usual_rules_for_can_be_chosen_for_the_session(client):
    night, _members = a_night(12)
    sixes = adopt_preset(night.club, preset="bid-racehorse-six", by=TEST)
    client.force_login(a_user(club=night.club))
    page = reverse("session_rules", args=[night.club.slug, night.public_id])
    assert sixes.name in client.get(page).content.decode()
    client.post(page, {"policy": "six_main", "rules_6": sixes.public_id})
    assert list(night.rulesets.all()) == [sixes]


def test_saving_table_sizes_without_rules_says_so_and_check_in_leads_to_the_page_that_mends_it(
    client,
):
    night, _members = a_night(12)
    adopt_preset(night.club, preset="bid-racehorse-six", by=TEST)
    client.force_login(a_user(club=night.club))
    page = reverse("session_rules", args=[night.club.slug, night.public_id])
    answer = client.post(page, {"policy": "six_main"}, follow=True)
    assert "There are no rules yet for tables of" in answer.content.decode()
    checkin = reverse("checkin", args=[night.club.slug, night.public_id])
    assert f'href="{page}"' in client.get(checkin).content.decode()


def test_an_open_phone_hears_that_its_table_plays_by_other_rules(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    client.force_login(a_user(club=night.club))
    shown = client.get(reverse("table_entry", args=[table.public_id]))
    address, seen = reverse("table_news", args=[table.public_id]), shown.context["entry"].stamp
    assert "data-moved" not in client.get(address, {"seen": seen}).content.decode()
    set_table_rules(table, another(night.club), by=TEST)
    assert 'data-moved="seats"' in client.get(address, {"seen": seen}).content.decode()


def test_an_open_phone_hears_that_somebody_else_deals_first(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    client.force_login(a_user(club=night.club))
    seen = client.get(reverse("table_entry", args=[table.public_id])).context["entry"].stamp
    set_dealer(table, (table.first_dealer + 1) % 4, by=TEST)
    news = client.get(reverse("table_news", args=[table.public_id]), {"seen": seen})
    assert 'data-moved="seats"' in news.content.decode()


def test_rules_added_for_a_session_lead_back_to_its_rules(client):
    night, _members = a_night(4)
    club = night.club
    club.rulesets.exclude(players=4).delete()
    client.force_login(a_user(club=club))
    page = reverse("session_rules", args=[club.slug, night.public_id])
    presets = reverse("ruleset_presets", args=[club.slug])
    here = f"?session={night.public_id}"
    assert client.post(page, {"add": "1"})["Location"] == presets + here
    form = reverse("ruleset_new", args=[club.slug, "somerset"]) + here
    assert f'href="{form}"' in client.get(presets + here).content.decode()
    rules = sent("somerset") | {"name": "Ours"}
    answer = client.post(form, rules)
    ours = club.rulesets.get(name="Ours")
    assert (answer.status_code, answer["Location"]) == (302, f"{page}?rules={ours.public_id}")
    back = client.get(answer["Location"]).content.decode()
    assert re.search(rf'value="{ours.public_id}"[^>]* checked>', back)
    assert 'name="add"' in back  # there may be yet others
    assert "Added Ours. Tap “Save rules” to use these rules in this session." in back
    as_saved = client.get(f"{page}?rules=strange").content.decode()
    assert not re.search(rf'value="{ours.public_id}"[^>]* checked>', as_saved)
    strange = client.post(form.replace(here, "?session=//x.example"), rules | {"name": "Theirs"})
    theirs = club.rulesets.get(name="Theirs")
    assert strange["Location"] == reverse("ruleset", args=[club.slug, theirs.public_id])


def test_the_session_says_which_rules_of_its_own_it_plays_by(client):
    night, _members = a_night(4)
    set_session_rules(night, [another(night.club)], by=TEST)
    client.force_login(a_user(club=night.club))
    page = reverse("session", args=[night.club.slug, night.public_id])
    assert "To 15</p>" in client.get(page).content.decode()


def test_a_draft_of_one_table_names_its_rules_where_they_are_not_the_clubs_usual_ones(client):
    night, _members = a_night(4)
    client.force_login(a_user(club=night.club))
    ours = another(night.club)
    draft(night)
    page = reverse("seating", args=[night.club.slug, night.public_id])
    assert "To 15" not in client.get(page).content.decode()
    set_session_rules(night, [ours], by=TEST)
    assert '<p class="soft">To 15</p>' in client.get(page).content.decode()


def test_rules_for_one_evening_start_from_the_clubs_own(client):
    """To shorten one evening, a club began with a printed preset and lost its own changes."""
    night, _members = a_night(12)
    ours = adopt_preset(
        night.club, preset="somerset", name="Ours", options={"euchre": 3, "target": 9}, by=TEST
    )
    client.force_login(a_user(club=night.club))
    session = f"?session={night.public_id}"
    presets = reverse("ruleset_presets", args=[night.club.slug]) + session
    form = reverse("ruleset_new", args=[night.club.slug, "somerset"]) + session
    form += f"&like={ours.public_id}"
    assert f'href="{form.replace("&", "&amp;")}"' in client.get(presets).content.decode()
    fields = filled(client.get(form).context["form"])
    assert fields["name"] == "Copy of Ours"
    data = {name: value for name, value in fields.items() if value is not None}
    client.post(form, data | {option_field("target"): 7, "name": "Short"})
    short = night.club.rulesets.get(name="Short")
    changed = {name: short.body["options"][name]["value"] for name in ("euchre", "target")}
    assert changed == {"euchre": 3, "target": 7}
    ours.refresh_from_db()
    assert ours.body["options"]["target"]["value"] == 9


# -- which rules are played tonight --------------------------------------------------------------


def page_of(client, night, name="session"):
    return client.get(reverse(name, args=[night.club.slug, night.public_id])).content.decode()


def link_to(rules, name):
    return f'href="{reverse(name, args=[rules.club.slug, rules.public_id])}"'


def test_a_member_finds_the_rules_on_the_club_s_page_and_on_the_session_s(client):
    night, _members = a_night(4)
    client.force_login(a_user(club=night.club, rank="member"))
    club = client.get(reverse("club", args=[night.club.slug])).text
    assert f'href="{reverse("rules_print", args=[night.club.slug])}"' in club
    assert link_to(night, "print_rules") in page_of(client, night)
    sheets = page_of(client, night, "print_rules")
    assert sheets.index("4 players") < sheets.index("Other table sizes") < sheets.index("2 players")


def test_the_session_s_own_rules_are_the_first_sheet_before_there_are_tables_in_their_newest_form(
    client,
):
    night, _members = a_night(4)
    set_session_rules(night, [another(night.club)], by=TEST)
    revise_ruleset(night.rulesets.get(), options={"target": 16}, by=TEST)
    client.force_login(a_user(club=night.club, rank="member"))
    assert "To 15</p>" in page_of(client, night)
    first, _heading, _others = page_of(client, night, "print_rules").partition("Other table sizes")
    assert "To 16 · 4 for a march alone" in first


def test_the_session_s_link_opens_the_version_that_its_tables_play(client):
    """The link opened the newest sheet, although published tables keep theirs."""
    night, _members = a_night(8)
    client.force_login(a_user(club=night.club, rank="member"))
    round_ = published(night)
    to_fifteen(night.club)
    assert "To 10 · 4 for a march alone" in page_of(client, night)
    sheets = page_of(client, night, "print_rules")
    assert "To 10 · 4 for a march alone" in sheets
    assert "To 15" not in sheets
    publish(take_back(round_, by=TEST, at=AT), by=TEST, at=AT)
    assert "To 15 · 4 for a march alone" in page_of(client, night)
    assert "To 10" not in page_of(client, night, "print_rules")


def test_where_two_versions_are_played_each_names_its_tables_and_has_its_link(client):
    night, _members = a_night(16)
    published(night)
    old = night.tables.first().ruleset
    new = to_fifteen(night.club)
    tables = list(live_tables(night))
    set_table_rules(tables[1], new, by=TEST)
    client.force_login(a_user(club=night.club, rank="member"))
    text = squeezed(page_of(client, night))
    name = new.name
    assert f'Tables 1, 3–4</h3><p class="soft">{name}<br>To 10 · 4 for a march alone</p>' in text
    assert f'Table 2</h3><p class="soft">{name}, version 2<br>To 15 · 4 for a march' in text
    sheets = squeezed(page_of(client, night, "print_rules"))
    for rules in (old, new):
        assert f'/print/rules/#rules-{rules.public_id}"' in text
        assert f'id="rules-{rules.public_id}"' in sheets
    assert "4 players · Tables 1, 3–4<br>To 10" in sheets
    assert "4 players · Table 2<br>To 15" in sheets


def test_the_board_says_the_rules_once_and_at_each_table_where_they_differ(client):
    night, _members = a_night(8)
    published(night)
    client.force_login(a_user(club=night.club))
    assert page_of(client, night, "board").count("To 10 · 4 for a march alone") == 1
    new = to_fifteen(night.club)
    set_table_rules(live_tables(night)[1], new, by=TEST)
    text = squeezed(page_of(client, night, "board"))
    assert text.count(f"{new}<br><small>To 15 · 4 for a march alone</small>") == 1
    assert f"Table 2:<a {link_to(new, 'ruleset')}>{new}</a>" in text


def test_a_draft_says_the_rules_that_its_tables_will_play(client):
    """A draft named rules that publishing replaces by their newest version."""
    night, _members = a_night(8)
    draft(night)
    client.force_login(a_user(club=night.club))
    assert "To 10 · 4 for a march alone" in page_of(client, night, "seating")
    to_fifteen(night.club)
    assert "To 15 · 4 for a march alone" in page_of(client, night, "seating")


def test_the_phone_at_a_table_links_the_rules_of_its_own_game(client):
    night, _members = a_night(4)
    published(night)
    to_fifteen(night.club)
    table, phone = table_of(night, 4), Client()
    phone.post(reverse("table_door"), {"code": table_link(table)})
    address = reverse("table_house_rules", args=[table.public_id])
    text = phone.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert f'<a href="{address}">House rules</a> · <a' in text
    rules = phone.get(address).content.decode()
    assert "To 10 · 4 for a march alone" in rules
    assert "What is a lone march worth?" in rules
    assert f'href="{reverse("table_entry", args=[table.public_id])}"' in rules
    assert client.get(address).status_code == 403  # who has no code of this table


def test_rules_added_for_a_table_lead_back_to_its_choice_with_them_chosen(client):
    """They led to the copy's own page, which offered to use it in every session."""
    night, _members = a_night(4)
    published(night)
    table, club = table_of(night, 4), night.club
    client.force_login(a_user(club=club))
    page = reverse("table_rules", args=[club.slug, night.public_id, table.public_id])
    here = f"?session={night.public_id}&table={table.public_id}&players=4"
    presets = reverse("ruleset_presets", args=[club.slug]) + here
    assert f'href="{presets.replace("&", "&amp;")}"' in client.get(page).text
    form = reverse("ruleset_new", args=[club.slug, "somerset"]) + here
    assert f'href="{form.replace("&", "&amp;")}"' in client.get(presets).text
    answer = client.post(form, sent("somerset") | {"name": "Ours"}, follow=True)
    ours = club.rulesets.get(name="Ours")
    assert answer.redirect_chain == [(f"{page}?rules={ours.public_id}", 302)]
    assert "Tap “Save rules” to use these rules at this table." in answer.text
    assert answer.context["form"]["rules"].value() == ours.pk


def test_a_table_says_that_its_rules_stay_once_play_has_begun(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    client.force_login(a_user(club=night.club))
    page = reverse("table_desk", args=[night.club.slug, night.public_id, table.public_id])
    assert "Change rules</a>" in client.get(page).text
    a_game(table, state="playing", hands=1)
    text = client.get(page).text
    assert "Play has begun, so these rules are fixed." in text
    assert "Change rules</a>" not in text


def test_the_session_s_choice_says_which_published_tables_play_what(client):
    night, _members = a_night(8)
    client.force_login(a_user(club=night.club))
    assert "Published tables" not in page_of(client, night, "session_rules")
    published(night)
    to_fifteen(night.club)
    text = squeezed(page_of(client, night, "session_rules"))
    assert "Published tables keep their rules." in text
    old = live_tables(night)[0].ruleset
    assert f"Tables 1–2: {old}<br><small>To 10 · 4 for a march alone</small>" in text
