"""The page of the activity log: who acted, and its columns."""

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from html import unescape

import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from league.members import actions
from league.members.audit import Actor, log_action
from league.members.models import AuditEntry
from league.play.actions import strike_hand
from league.seasons.actions import close_season, save_season
from league.seasons.models import Season
from league.seating.actions import set_session_policy
from league.sessions.actions import (
    change_session,
    close_session,
    extend_clock,
    make_sessions,
    open_session,
    start_clock,
)
from league.sessions.models import Session
from league.standings.actions import add_pot, record_payment
from league.teams.actions import save_team
from league.tournaments.actions import decide_match
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
)
from tests.play.hands import write
from tests.teams.leagues import a_league, matches, with_fixtures, written
from tests.tournaments.playing import match_of, of_pairs, published, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(time_zone="America/Vancouver")


def test_a_session_that_is_the_subject_itself_is_named_once(organiser, club):
    night = a_session(club, name="Harvest night")
    log_action(club, TEST, "close session", night, session=night)
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "<strong>Harvest night</strong>" in page
    assert "(Harvest night)" not in page


def test_times_are_shown_on_the_clubs_clock(club, organiser):
    AuditEntry.objects.create(
        club=club, actor="Rose", action="try", at=datetime(2026, 11, 20, 4, 30, tzinfo=UTC)
    )
    text = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "19 Nov 8:30 p.m." in text


def test_entries_of_another_club_are_not_shown(club, organiser):
    log_action(a_club("Other", "other"), TEST, "try", "elsewhere")
    assert "elsewhere" not in organiser.get(reverse("audit", args=[club.slug])).content.decode()


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img onerror=x>', "{{7*7}}"])
def test_what_people_write_stays_text(club, organiser, name):
    actions.add_member(club, name=name, by=TEST)
    for page in ("members", "audit"):
        text = organiser.get(reverse(page, args=[club.slug])).content.decode()
        assert "<script>alert" not in text
        assert "<img onerror" not in text
        assert escape(name) in text


def test_an_account_has_one_name_wherever_its_action_came_from(club, organiser):
    dot, (player, _other) = a_user("dot", club=club), members_of(club, 2)
    player.user, player.name = dot, "Dot Gallagher"
    player.save()
    log_action(club, Actor("dot", dot), "try", "the card")
    log_action(club, Actor("Dot Gallagher", dot), "try", "its game")
    log_action(club, Actor("Excel, by the API", dot), "try", "the sheet")
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert page.count("Dot Gallagher <small>(dot)</small>") == 2
    assert "Excel, by the API <small>(dot)</small>" in page
    for who in ("Gallagher", "dot"):
        assert {"Try: the card", "Try: its game"} <= {*rows(organiser, club, who=who)}


def test_the_address_of_the_computer_itself_says_nothing_and_is_left_out(club, organiser):
    log_action(club, Actor("Ted", source="127.0.0.1"), "try", "it")
    log_action(club, Actor("Rose", source="10.0.0.1"), "try", "it")
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "127.0.0.1" not in page
    assert "10.0.0.1" in page
    assert "IP address" in page


def rows(organiser, club, **query):
    """What each row says that was done, with its old and new values, the newest first."""
    page = organiser.get(reverse("audit", args=[club.slug]), query).text
    texts = re.findall(r"<tr.*?</tr>", page.partition("<tbody")[2], re.DOTALL)
    cells = [re.findall(r"<td.*?</td>", text, re.DOTALL)[2:4] for text in texts]
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", " ".join(cell))).split()) for cell in cells]


def a_season(club):
    days = {"starts_on": date(2026, 9, 1), "ends_on": date(2026, 12, 20)}
    return Season.objects.create(club=club, name="Autumn", **days)


def test_a_row_names_its_session_with_the_day_and_leads_to_it(organiser, club):
    night = a_session(club, name="Thursday night", held_on=date(2026, 11, 19))
    dated = a_session(club, name="Thursday 26 November", held_on=date(2026, 11, 26))
    log_action(club, TEST, "leave", "Bill", session=night)
    log_action(club, TEST, "leave", "Bill", session=dated)
    assert rows(organiser, club) == [
        "Left: Bill ( Thursday 26 November )",
        "Left: Bill ( Thursday night, 19 Nov )",
    ]
    page = organiser.get(reverse("audit", args=[club.slug])).text
    assert f'<a href="{reverse("session", args=[club.slug, night.public_id])}">' in page


def test_the_page_says_whose_names_follow_a_renaming_and_the_renaming_has_both(organiser, club):
    members = members_of(club, 4)
    table = a_table(a_session(club, members, name="Harvest night"), members, a_ruleset(club))
    write(table, (1, 5))
    actions.edit_member(members[0], name="Rosemary", by=TEST)
    days = {"held_on": table.session.held_on, "season": None, "round_minutes": None}
    change_session(table.session, name="Autumn night", by=TEST, at=EIGHT, **days)
    session_renamed, player_renamed, *earlier = rows(organiser, club)
    assert "Name: Harvest night → Autumn night" in session_renamed
    assert "Name: Rose → Rosemary" in player_renamed
    assert any("Rosemary" in row and "Autumn night" in row for row in earlier)
    page = organiser.get(reverse("audit", args=[club.slug])).text
    assert "Players at tables and linked sessions are listed under the names they have now." in page


def test_a_round_stored_as_a_number_is_called_a_round_and_a_table_a_table(organiser, club):
    log_action(club, TEST, "publish round", "2")
    log_action(club, TEST, "lock seat", "2", new="Ann")
    log_action(club, TEST, "set table rules", "4", new="To 7")
    assert rows(organiser, club) == [
        "Set table rules: table 4 To 7",
        "Locked seat: round 2 Ann",
        "Published tables: round 2",
    ]


def test_a_deleted_hand_is_struck_out_under_its_number(organiser, club):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (0, 3), (1, 3))
    strike_hand(
        table, 2, reason="twice", expected_version=1, client_id="strike-2", by=TEST, at=EIGHT
    )
    deleted, recorded = rows(organiser, club)[:2]
    assert "Hand 2: Ann deals" in recorded
    assert deleted.startswith("Deleted hand: round 1, table 1")
    assert "Hand: 2" not in deleted
    page = organiser.get(reverse("audit", args=[club.slug]), {"action": "strike hand"}).text
    assert "Hand 2: <del>" in page


def test_money_in_the_log_is_written_in_the_clubs_currency(organiser, club):
    club.currency = "£"
    club.save()
    night = a_session(club)
    (rose,) = members_of(club, 1)
    pot = add_pot(
        night,
        name="Fines",
        amount=Decimal("0.5"),
        source="euchred",
        payout="kept",
        by=TEST,
        at=EIGHT,
    )
    record_payment(pot, rose, kind="stake", amount=Decimal(2), by=TEST, at=EIGHT)
    paid, added = rows(organiser, club)[:2]
    assert "Amount: £2.00" in paid
    assert "Paid out" not in paid
    assert "Amount: £0.50" in added


def test_the_log_names_what_is_paid_into_a_pot_as_its_form_does(organiser, club):
    how = {"amount": Decimal(1), "payout": "kept", "by": TEST, "at": EIGHT}
    add_pot(a_session(club), name="Raffle", source="entry", **how)
    add_pot(a_season(club), name="Cup", source="once", **how)
    of_season, of_session = rows(organiser, club)[:2]
    assert "Where it comes from: Every player pays Who wins it" in of_session
    assert "Where it comes from: Every player pays once for the whole season" in of_season


def test_a_changed_season_shows_only_what_changed(organiser, club):
    season = a_season(club)
    rules = {"attendance_points": Decimal(0), "place_points": [], "guests_count": False}
    days = {"starts_on": season.starts_on, "ends_on": season.ends_on}
    save_season(club, season=season, by=TEST, name="Winter", **days, **rules)
    save_season(
        club, season=season, by=TEST, name="Winter", **days, **rules | {"guests_count": True}
    )
    again, renamed = rows(organiser, club)[:2]
    assert again == "Changed season: Winter Guests are in the table: no → yes"
    assert "Points for coming" not in renamed
    assert "First day" not in renamed


def test_the_seasons_of_a_session_are_named(organiser, club):
    season, night = a_season(club), a_session(club, name="Night 19")
    change_session(
        night,
        by=TEST,
        at=EIGHT,
        name=night.name,
        held_on=night.held_on,
        season=season,
        round_minutes=None,
    )
    assert f"Season: {season.name}" in rows(organiser, club)[0]


def test_the_champions_of_a_closed_season_are_named(organiser, club):
    season, (rose, *_others) = a_season(club), members_of(club, 2)
    close_season(season, champions=[(rose, None)], outcomes={}, by=TEST, at=EIGHT)
    assert rows(organiser, club)[0].endswith(f"Winners: {rose.name}")


def test_a_reopened_session_says_so_and_a_planned_one_when_it_begins(organiser, club):
    night = a_session(club)
    close_session(night, by=TEST, at=EIGHT)
    open_session(night, by=TEST, at=EIGHT)
    boxing_day = Session(club=club, name="Boxing Day", held_on=date(2099, 12, 26))
    boxing_day.begins_at = time(19, 30)
    make_sessions(club, [boxing_day], by=TEST, at=EIGHT)
    planned, reopened = rows(organiser, club)[:2]
    assert reopened.startswith("Reopened session")
    assert planned.startswith("Planned session: Boxing Day")
    assert planned.endswith("7:30 p.m.")


def test_the_clocks_minutes_are_in_the_log(organiser, club):
    night = a_session(club)
    start_clock(night, by=TEST, at=EIGHT, minutes=20)
    extend_clock(night, by=TEST, at=EIGHT, minutes=5)
    extended, started = rows(organiser, club)[:2]
    assert extended.startswith("Extended clock")
    assert extended.endswith("Minutes: 5")
    assert started.startswith("Started clock")
    assert started.endswith("Minutes: 20")


def test_a_merged_player_is_named_without_codes(organiser, club):
    source, target = members_of(club, 2)
    actions.merge_members(source, into=target, by=TEST, at=EIGHT)
    row = rows(organiser, club)[0]
    assert source.public_id not in row
    assert row == f"Merged duplicates: {target.name} Name: {source.name} → {target.name}"


def test_an_entry_about_something_new_leaves_out_what_it_is_not(organiser, club):
    log_action(club, TEST, "make tournament", "Cup", new={"format": "knockout", "laps": False})
    log_action(club, TEST, "add member", "Gus", new={"name": "Gus"})
    assert rows(organiser, club) == ["Added player: Gus", "Made tournament: Cup Format: Knock-out"]


def test_players_are_named_in_first_dealers_substitutes_and_added_points(organiser, club):
    members = members_of(club, 5)
    table = a_table(a_session(club, members), members[:4], a_ruleset(club))
    subject = table.name_in_log
    values = {"kind": "adjustment", "points": [-2, 0], "reason": "talking"}
    log_action(club, TEST, "first dealer", subject, session=table.session, new=1)
    log_action(club, TEST, "rule", subject, session=table.session, new=values)
    replaced = {"name": "Vera", "from_hand": 3}
    log_action(club, TEST, "substitute", subject, session=table.session, old="Sam", new=replaced)
    second, points, dealer = rows(organiser, club)[:3]
    names = [member.name for member in members]
    assert dealer.endswith(f"Player: {names[1]}")
    assert f"{names[0]} & {names[2]} −2, {names[1]} & {names[3]} 0" in points
    assert "Player: Sam → Vera From hand: 3" in second


def test_an_entry_of_an_earlier_version_shows_no_keys(organiser, club):
    log_action(club, TEST, "close season", "Autumn", new={"champions": ["fqB4d4mBbVTU"]})
    log_action(club, TEST, "change session", "Night", old={"season": 3}, new={"season": 4})
    old = {"match": 4, "winner": 1, "how": "extra_hand"}
    log_action(club, TEST, "decide match", "Cup", new=old)
    log_action(club, TEST, "follow correction", "Cup", new={"match": 1, "undone": [7, 8]})
    assert rows(organiser, club) == [
        "Changed winner after a correction: Cup Match: 1",
        "Decided match: Cup Match: 4 How: One more hand",
        "Changed session: Night",
        "Closed season: Autumn",
    ]


def test_a_session_that_plays_like_the_club_again_says_so(organiser, club):
    night = a_session(club)
    set_session_policy(night, "no_twos", by=TEST)
    set_session_policy(night, "", by=TEST)
    assert rows(organiser, club)[0].endswith("Same as the club")


def test_a_decided_match_of_a_tournament_is_named_by_its_sides(organiser, club):
    cup = of_pairs(2, "knockout", club=club)
    published(cup)
    state = state_of(cup)
    (match,) = state.last.matches
    say = {"how": "walkover", "reason": "No show", "by": TEST, "at": EIGHT}
    decide_match(cup, match_of(match), 1, **say)
    people = [state.entries[key].people for key in match.entries]
    first, second = (" & ".join(person.name for person in pair) for pair in people)
    (row,) = rows(organiser, club, action="decide match")
    assert f"Match: {first} – {second} Winner: {second} How: Walk-over" in row


def test_a_new_match_card_shows_its_scores(organiser, club):
    match = written(matches(with_fixtures(2, club=club))[0])
    row = rows(organiser, club)[0]
    assert row.startswith(f"Filled in match card: {match}")
    assert f"Scores: {', '.join(['21–15'] * 5 + ['15–21'] * 4)}" in row


def test_a_league_from_printed_rules_names_them(organiser, club):
    a_league(0, club=club, preset="st-austell")
    (row,) = rows(organiser, club, action="make team league")
    assert "Printed rules: St Austell" in row


def test_a_saved_team_shows_only_what_changed(organiser, club):
    league = with_fixtures(2, club=club)
    team = league.teams.first()
    names = [player.member.name for player in team.players.all()]
    same = {"name": team.name, "roomy": team.roomy, "captain": team.captain.name, "by": TEST}
    save_team(league, team, venue="The Crown", names=[*names[:-1], "Vera"], **same)
    row = rows(organiser, club, action="save team")[0]
    moved, replaced = "The Rovers Arms → The Crown", f"{names[-1]} → Vera"
    assert row.endswith(f") Plays at home at: {moved} Players: {replaced}")


def test_a_new_version_of_the_default_rules_is_named_by_its_number(organiser, club):
    rules = a_ruleset(club)
    actions.make_default(rules, by=TEST)
    actions.revise_ruleset(rules, by=TEST, options={"made": 2})
    assert "Version: 1 → 2" in rows(organiser, club, action="set default ruleset")[0]


def test_a_version_of_rules_is_named_in_the_language_of_the_reader(organiser, club):
    """A log in German read “version 2”, and one in English “Fassung 2” as its writer."""
    rules = a_ruleset(club)
    newest = actions.revise_ruleset(rules, by=TEST, options={"made": 2})
    other = actions.adopt_preset(club, preset="guide-four-handed", by=TEST, default=True)
    with override("de"):  # the writer's
        actions.make_default(newest, by=TEST)
    row = rows(organiser, club, action="set default ruleset")[0]
    assert f"{rules.name}, version 2 {other.name} → {rules.name}, version 2" in row
    organiser.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    for action in ("set default ruleset", "change ruleset"):
        row = rows(organiser, club, action=action)[0]
        assert f"{rules.name}, Fassung 2" in row
        assert "version 2" not in row
