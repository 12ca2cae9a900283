"""The sheet for the notice board and the text for the newspaper: results, moved matches, deducted
points."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club
from league.ranking.team_league import Record
from league.teams import actions
from league.teams.models import Team
from league.teams.presets import FALMOUTH
from league.teams.queries import match_records
from league.teams.tables import Row, match_shown
from league.teams.text import deducted_line, result_line
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db


def page(client, name, league, *more):
    return client.get(reverse(name, args=[league.club.slug, league.public_id, *more]))


def test_a_void_match_is_in_no_result_no_record_and_no_figure_of_its_team(client):
    league = with_fixtures(teams=4, pairs=1)
    first, other = matches(league)
    for match in (first, other):
        written(match, held_on=match.held_on)
    actions.withdraw_team(first.home, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    text = page(client, "team_results_text", league).context["text"]
    assert f"{other.home} – {other.away}" in text
    assert f"{first.home} – {first.away}" not in text
    records = page(client, "team_records", league).context
    names = [name for _place, name, *_more in records["players"]]
    assert records["players"][0][0] == "=1"  # shared by the pairs that won as often
    assert any(name.startswith(other.home.name) for name in names)
    assert not any(name.startswith((first.home.name, first.away.name)) for name in names)
    halves = page(client, "team", league, first.home.public_id).context["halves"]
    assert [half.wins for half in halves] == [0, 0]


def eight_on(day):
    return EIGHT.replace(year=day.year, month=day.month, day=day.day)


def test_a_card_that_came_after_those_of_the_next_round_is_among_the_late_results(client):
    league = with_fixtures(teams=4)
    in_time, late = matches(league, 1)
    played = matches(league, 2)
    written(in_time, held_on=in_time.held_on, at=eight_on(in_time.held_on))
    for match in played:
        written(match, held_on=match.held_on, at=eight_on(match.held_on))
    written(late, held_on=late.held_on, at=eight_on(played[0].held_on + timedelta(days=2)))
    client.force_login(a_user(club=league.club))
    line = f"{late}: 5–4 ({late.held_on.day} September)"
    for name in ("team_notice", "team_results_text"):
        shown = page(client, name, league).content.decode()
        assert shown.index("Late results") < shown.index(line)
        assert str(in_time) not in shown


def test_a_walk_over_awarded_after_the_cards_of_the_next_round_is_among_the_late_results(client):
    league = with_fixtures(teams=4, pairs=1)
    in_time, late = matches(league, 1)
    ahead = matches(league, 6)[0]
    for match in (in_time, *matches(league, 2)):
        written(match, held_on=match.held_on, at=eight_on(match.held_on))
    for match in (late, ahead):
        actions.give_match(match, match.home, reason="Snow", by=TEST, at=timezone.now())
    league.matches.filter(pk=ahead.pk).update(held_on=timezone.localdate() + timedelta(days=9))
    client.force_login(a_user(club=league.club))
    week = page(client, "team_notice", league).context["week"]
    assert [shown.match for shown in week.late] == [late]
    actions.take_match_back(late, by=TEST)
    assert late.received_at is None


def test_the_sheet_and_the_leagues_page_say_how_the_points_come_about(client):
    league = with_fixtures(teams=4, rules=dict(FALMOUTH.rules))
    card, awarded = matches(league, 1)
    client.force_login(a_user(club=league.club))
    for is_given in (False, True):
        if is_given:
            written(card)
            actions.give_match(awarded, awarded.away, reason="Snow", by=TEST, at=EIGHT)
        for name in ("team_notice", "team_league"):
            shown = page(client, name, league).content.decode()
            assert "Each game won gives 1 point. Matches give no points of their own.</p>" in shown
            assert (f"Points for walk-overs: {awarded.away} 5.</p>" in shown) == is_given


@pytest.mark.parametrize("how", ["moved", "planned", "played"])
def test_a_card_of_the_next_round_played_early_makes_no_other_result_late(client, how):
    league = with_fixtures(teams=4, pairs=1)
    before, (early, other) = matches(league, 1), matches(league, 2)
    day = before[0].held_on - timedelta(days=1)
    if how == "moved":
        actions.move_match(early, held_on=day, venue="", reason="Fair", by=TEST)
    elif how == "planned":
        league.matches.filter(pk=early.pk).update(held_on=day)
        early.held_on = day
    written(early, held_on=day, at=eight_on(day))
    for match in (*before, other):
        written(match, held_on=match.held_on, at=eight_on(match.held_on))
    client.force_login(a_user(club=league.club))
    assert page(client, "team_notice", league).context["week"].late == ()


def test_a_regular_match_after_the_first_card_of_a_later_round_is_with_its_own_round(client):
    league = with_fixtures(teams=4, pairs=1)
    (first, other), (later, _) = matches(league, 1), matches(league, 2)
    day = later.held_on + timedelta(days=1)
    league.matches.filter(pk=other.pk).update(held_on=day)
    other.held_on = day
    for match in (first, later, other):
        written(match, held_on=match.held_on, at=eight_on(match.held_on))
    client.force_login(a_user(club=league.club))
    titles = [title for title, _lines in page(client, "team_notice", league).context["results"]]
    assert titles == ["Results of round 2, 10 September 2026", "Results of round 1"]


def test_cards_entered_all_at_once_are_not_late_results(client):
    league = with_fixtures(teams=4, pairs=1)
    for match in [*matches(league, 1), *matches(league, 2)]:
        written(match, held_on=match.held_on)
    client.force_login(a_user(club=league.club))
    assert "Late results" not in page(client, "team_notice", league).content.decode()


def test_a_re_arranged_match_is_among_the_results_of_the_week_it_was_played_in(client):
    league = with_fixtures(teams=4)
    late, first = matches(league, 1)
    second, coming = matches(league, 2)
    early = matches(league, 5)[0]
    written(first, held_on=first.held_on, at=eight_on(first.held_on))
    written(second, held_on=second.held_on)
    for match in (late, early):  # both on the day after the second round
        written(match, held_on=second.held_on + timedelta(days=1))
    client.force_login(a_user(club=league.club))
    week = page(client, "team_notice", league).context["week"]
    assert week.round.number == 2  # what was brought forward begins no round
    assert [fixture.match for fixture in week.results] == [second]
    assert [fixture.match for fixture in week.moved] == [late, early]
    day = second.held_on + timedelta(days=1)
    line = f"{late.home} – {late.away}: 5–4 ({day.day} September)"
    assert line in page(client, "team_results_text", league).context["text"]
    assert line in page(client, "team_notice", league).content.decode()
    assert f"{coming}:" not in page(client, "team_results_text", league).context["text"]


def test_the_sheet_for_the_wall_counts_the_matches_drawn(client):
    league = with_fixtures(teams=4, pairs=2, turns=2)
    written(matches(league)[0], home_wins=2)
    client.force_login(a_user(club=league.club))
    sheet = " ".join(page(client, "team_notice", league).content.decode().split())
    assert "Drawn</th>" in sheet
    assert '<td class="number">0</td> <td class="number">1</td> <td class="number">0</td>' in sheet


def test_deducted_points_and_the_day_are_on_the_sheet_the_embedded_table_and_the_text(client):
    league = with_fixtures(teams=4, pairs=1)
    Club.objects.update(visibility="standings")
    match = matches(league)[0]
    written(match)
    actions.deduct(match.home, 1, reason="Late", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    for name in ("team_results_text", "team_notice", "team_embed"):
        answer = page(client, name, league)
        assert f"* Points deducted from {match.home}: 1" in answer.content.decode(), name
    assert f"from {match.home}: 1 (Late)" in page(client, "team_league", league).text
    for name in ("team_notice", "team_results_text"):  # for a wall and a newspaper
        assert "Late" not in page(client, name, league).content.decode()
    for name in ("team_notice", "team_embed"):
        answer = page(client, name, league)
        assert answer.context["today"].strftime("%B %Y") in answer.content.decode(), name


def test_a_team_that_has_left_is_marked_on_the_sheet_and_in_the_embedded_table(client):
    league = with_fixtures(teams=4, pairs=1)
    Club.objects.update(visibility="standings")
    match, other = matches(league)
    written(other)
    actions.withdraw_team(match.home, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    for name in ("team_notice", "team_embed", "team_results_text"):
        assert "(results void)" in page(client, name, league).content.decode(), name


def test_cups_and_play_offs_are_on_the_sheet_and_in_the_text_with_what_is_to_come(client):
    league = with_fixtures(teams=4)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=date(2026, 11, 19))  # fmt: skip
    first, coming = cup.matches.order_by("number")
    for match in (first, coming):
        match.league = league
    written(first)
    coming.held_on = date(2099, 12, 3)
    coming.save()
    league.play_offs.create(kind="level", at=EIGHT, said_as="Ruth")
    names = [team.name for team in league.teams.all()][:2]
    for number, team in enumerate(league.teams.all()[:2], 1):
        league.play_offs.get().places.create(team=team, number=number)
    client.force_login(a_user(club=league.club))
    text = page(client, "team_results_text", league).content.decode()
    sheet = page(client, "team_notice", league).content.decode()
    for shown in (text, sheet):
        assert f"{first.home} – {first.away}: 5–4" in shown
        assert f"{' – '.join(names)} (the winner first)" in shown
        assert f"{coming}, Thursday 3 December, The {coming.home} Arms" in shown
    assert 'data-copy="#results"' in text


def test_a_drawn_cup_match_is_listed_with_its_deciding_game(client):
    league = with_fixtures(teams=2)
    match = matches(league)[0]
    match.decider = [21, 15]
    (shown,) = [match_shown(record) for record in match_records([match], league)]
    assert result_line(replace(shown, games=("3", "3"))).endswith(": 3–3, deciding game 21–15")


def test_points_off_for_a_late_card_say_so():
    row = Row(Team(name="Crown"), 1, False, Record(deducted=Fraction(1), late=Fraction(1)), "3")
    assert deducted_line(row) == "* Points deducted from Crown for late cards: 1"
    row = Row(Team(name="Crown"), 1, False, Record(deducted=Fraction(3), late=Fraction(1)), "3")
    assert deducted_line(row) == "* Points deducted from Crown: 3 (for late cards: 1)"


def test_the_notice_sheet_has_each_match_of_a_begun_round_once(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate())
    first, other = matches(league)
    client.force_login(a_user(club=league.club))
    written(first, held_on=first.held_on, at=timezone.now())
    put_off = matches(league, 3)[0]
    day = first.held_on + timedelta(days=20)
    actions.move_match(put_off, held_on=day, venue="", reason="Snow", by=TEST)
    sheet = page(client, "team_notice", league).content.decode()
    assert sheet.count(f"{put_off}, {day:%A}") == 1
    assert sheet.count(f"{first.home.name} – {first.away.name}") == 1
    assert sheet.count(f"{other.home.name} – {other.away.name}") == 1
    done, to_come = sheet.index(f"{first.home.name} – "), sheet.index(f"{other.home.name} – ")
    assert sheet.index("Results of round") < done < sheet.index("Next: round") < to_come


def test_a_card_that_waited_for_its_confirmation_is_among_the_latest_results_by_its_day(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=9))
    Club.objects.update(confirm="opponent")
    league.club.refresh_from_db()
    waited, *_others = matches(league, 1)
    played = matches(league, 2)
    for match in (waited, *played):
        written(match, held_on=match.held_on, at=eight_on(match.held_on), side=0)
        day = timezone.localdate() if match == waited else match.held_on
        actions.confirm_card(match, side=1, by=TEST, at=eight_on(day) + timedelta(hours=1))
    client.force_login(a_user(club=league.club))
    answer = page(client, "team_league", league)
    assert [shown.match for shown in answer.context["results"]] == [*played, waited]


def test_the_sheet_of_a_closed_league_has_re_arranged_matches_with_their_round(client):
    league = with_fixtures(teams=4, pairs=1)
    first, late = matches(league, 1)
    written(first, held_on=first.held_on)
    second = matches(league, 2)[0]
    written(second, held_on=second.held_on)
    written(late, held_on=second.held_on + timedelta(days=1))
    client.force_login(a_user(club=league.club))
    title = "Results of re-arranged matches"
    shown = page(client, "team_notice", league).content.decode()
    assert title in shown
    assert '<th scope="col" class="number">± points</th>' in shown
    actions.set_league_state(league, "finished", by=TEST, at=EIGHT)
    assert title not in page(client, "team_notice", league).content.decode()
    assert title not in page(client, "team_results_text", league).context["text"]


def test_the_sheet_for_the_wall_and_the_text_say_what_decides_between_level_teams(client):
    league = with_fixtures(teams=4)
    first, other = matches(league)
    written(first, 6)
    written(other, 5)
    client.force_login(a_user(club=league.club))
    leaders = [row for row in table_rows(client, league) if row.points == "2"]
    assert [row.decided for row in leaders] == ["tie-break: games won"] * 2
    sheet = page(client, "team_notice", league).content.decode()
    assert sheet.count("why-printed") == 4
    assert f'<span class="why-printed">{leaders[0].decided}</span>' in sheet
    assert f'<td class="number">{leaders[0].difference}</td>' in sheet
    text = page(client, "team_results_text", league).context["text"]
    assert text.count("(tie-break: games won)") == 4


def table_rows(client, league):
    """The rows of the only table on the sheet for the wall."""
    ((_division, rows),) = page(client, "team_notice", league).context["divisions"]
    return rows


def test_the_latest_results_are_listed_by_day_whatever_their_round_without_a_gap(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=20))
    first, other = matches(league, 1), matches(league, 2)
    early = matches(league, 6)[0]
    now = timezone.now()
    for match in [*first, *other]:
        written(match, held_on=match.held_on, at=now)
    written(early, held_on=other[0].held_on + timedelta(days=1), at=now)
    awarded = matches(league, 5)[0]  # ahead of its day
    actions.give_match(awarded, awarded.home, reason="They have no team", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    answer = page(client, "team_league", league)
    assert [shown.match for shown in answer.context["results"]] == [early, *other, *first]
    listed = " ".join(answer.content.decode().split())
    listed = listed[listed.index("Latest results") :]
    assert f'{early}</a> <span class="soft small">Round 6 · ' in listed
    assert page(client, "team_notice", league).context["week"].round.number == 2


def test_a_match_brought_forward_and_not_played_is_overdue_after_its_day(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today)
    early, ahead = matches(league, 2)
    for match, day in ((early, today - timedelta(days=1)), (ahead, today)):
        actions.move_match(match, held_on=day, venue="", reason="Snow", by=TEST, anyway=True)
    client.force_login(a_user(club=league.club))
    shown = page(client, "team_league", league).context
    assert shown["now"].number == 1
    assert [overdue.match for overdue in shown["overdue"]] == [early]


def test_each_match_to_play_is_on_the_sheet_and_in_the_text_with_its_place_and_a_moved_day(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today + timedelta(days=9), days_between=7)
    moved, stays = matches(league, 1)
    ahead, undated = matches(league, 3)
    for match, day, venue in (
        (moved, today + timedelta(days=8), "The Ship"),
        (ahead, today + timedelta(days=2), "The Bell"),
        (undated, None, ""),
    ):
        actions.move_match(match, held_on=day, venue=venue, reason="Snow", by=TEST)
    client.force_login(a_user(club=league.club))
    sheet = page(client, "team_notice", league).content.decode()
    text = page(client, "team_results_text", league).context["text"]
    day = today + timedelta(days=9)
    for shown, start, end in ((sheet, "<li>", "</li>"), (text, "\n", "\n")):
        assert f"Next: round 1, {day:%A} {day.day} {day:%B}" in shown
        on = f"{moved.held_on:%A} {moved.held_on.day} {moved.held_on:%B}"
        assert f"{start}{moved}, {on}, The Ship{end}" in shown
        assert f"{start}{stays}, {stays.home.venue}{end}" in shown
        forward, to_agree = map(shown.index, ("Brought forward, still", "Day to be agreed"))
        assert forward < shown.index(f"{ahead}, {ahead.held_on:%A}") < to_agree
        assert to_agree < shown.index(f"{undated}, {undated.home.venue}")


def test_an_overdue_match_is_on_the_notice_board(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=3))
    played, overdue = matches(league)
    written(played, at=timezone.now(), held_on=played.held_on)
    client.force_login(a_user(club=league.club))
    sheet = page(client, "team_notice", league).content.decode()
    assert sheet.index("Overdue</h2>") < sheet.index(f"{overdue}, {overdue.held_on:%A}")


def test_no_match_of_a_past_day_is_next_on_the_notice_board(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=40))
    client.force_login(a_user(club=league.club))
    sheet = page(client, "team_notice", league)
    assert "Next: round" not in sheet.content.decode()
    last, to_come = matches(league, 6)
    league.matches.filter(pk=to_come.pk).update(held_on=timezone.localdate())
    sheet = page(client, "team_notice", league)
    (_next, (line,)), (title, overdue) = sheet.context["to_play"]
    assert (line.startswith(f"{to_come}, "), title) == (True, "Overdue")
    assert any(line.startswith(str(last)) for line in overdue)


def test_cards_not_confirmed_or_disputed_are_marked_and_so_are_their_teams_in_the_table(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=2))
    Club.objects.update(confirm="opponent")
    waits, disputed = matches(league)
    for match in (waits, disputed):
        match.league.club.confirm = "opponent"
        written(match, side=0, held_on=match.held_on, at=timezone.now())
    actions.dispute_card(disputed, reason="Wrong", side=1, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    for name in ("team_results_text", "team_notice"):
        shown = page(client, name, league).content.decode()
        assert f"{waits}: 5–4, to be confirmed" in shown
        assert f"{disputed}: 5–4, disputed" in shown
        assert "(provisional)" in shown
    latest = page(client, "team_league", league).content.decode().split("Latest results</h2>")[1]
    latest = latest.split("</ul>")[0]
    assert "to be confirmed" in latest
    assert "disputed" in latest
