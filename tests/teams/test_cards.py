"""Cards: games of a match are games of the club; two captains or an organiser confirm them."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from league.members.audit import log_action
from league.members.audit_changes import Change, changes, tables_in
from league.members.audit_rows import subject_words
from league.members.models import AuditEntry
from league.play.models import Game, Result
from league.seating.models import Seat
from league.standings.careers import career_of
from league.teams import actions
from league.teams.card import game_line_ups
from league.teams.models import TeamPlayer
from league.teams.queries import match_records, players_of
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.teams.leagues import a_card, matches, scores_of, table, with_fixtures, written
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def match_in_club_where(confirm):
    league = with_fixtures()
    league.club.confirm = confirm
    league.club.save()
    return league, matches(league)[0]


def test_the_games_of_a_card_are_games_of_the_club_and_count_for_their_players():
    league = with_fixtures()
    match = written(matches(league)[0], 5)
    assert Game.objects.filter(session=match.session, state="confirmed").count() == 9
    first = game_line_ups(match, league)[0]
    rows = Result.objects.filter(member=first.home[0])
    assert rows.count() == 3
    assert sorted(rows.values_list("points", "win_share")) == [(15, 0.0), (21, 1.0), (21, 1.0)]
    assert match.session.state == "closed"
    assert not Seat.objects.filter(session=match.session, seated=True).exists()
    assert match.session.attendances.count() == 12


def test_every_pair_meets_another_in_each_turn():
    league = with_fixtures()
    match = written(matches(league)[0])
    met = {(game.home, game.away) for game in game_line_ups(match, league)}
    assert len(met) == 9


def test_the_log_names_the_pairs_of_each_game_with_its_score():
    match = written(matches(with_fixtures())[0])
    entries = list(AuditEntry.objects.filter(action="write totals"))
    seated = [
        {seat.position: seat.member.name for seat in table.seats.all()}
        for table in match.session.tables.order_by("-pk")
    ]
    assert [tables_in(entries)[entry.pk].players for entry in entries] == seated
    old = log_action(match.league.club, TEST, "write totals", "table 1", session=match.session)
    assert tables_in([old]) == {}  # an earlier version did not log which of three games


def test_the_log_names_a_game_of_a_card_as_its_match_does():
    written(matches(with_fixtures(), round_number=2)[0])
    entries = list(AuditEntry.objects.filter(action="write totals"))
    places = tables_in(entries)
    said = [
        subject_words(entry.subject, places[entry.pk].round_title, places[entry.pk].game)
        for entry in reversed(entries)
    ]
    assert said == [f"round 2, game {number}" for number in range(1, 10)]


def logged(match):
    entries = AuditEntry.objects.filter(session=match.session, action__contains="match card")
    return changes(entries.latest("pk"))


def test_the_log_says_what_a_card_changed_in_its_match_the_result_the_day_and_who_was_borrowed():
    match = matches(with_fixtures())[0]
    home = [member for pair in a_card(match).home for member in pair]
    borrowed = members_of(match.league.club, 1)
    played = {"home": [*borrowed, *home[1:]], "held_on": date(2026, 9, 5)}
    written(match, 4, **played)
    assert logged(match) == [
        Change("Date", "3 Sep 2026", "5 Sep 2026"),
        Change("Games", "", "4–5"),
        Change("Borrowed", "", borrowed[0].name),
        Change("Scores", "", ", ".join(["21–15"] * 4 + ["15–21"] * 5)),
    ]
    written(match, 5, **played)
    assert logged(match) == [
        Change("Games", "4–5", "5–4"),
        Change("Game 5", "15–21", "21–15"),
    ]
    written(match, 5, held_on=date(2026, 9, 4))
    assert logged(match) == [
        Change("Date", "5 Sep 2026", "4 Sep 2026"),
        Change("Borrowed", borrowed[0].name, ""),
        Change("Games", "", "5–4"),
    ]


def test_five_wins_take_the_match_and_the_games_left_need_not_be_played():
    league = with_fixtures()
    match = matches(league)[0]
    won = dict(list(scores_of(league, 9).items())[:5])
    written(match, scores=won)
    (now,) = match_records([match], league)
    assert now.met.over
    assert now.met.winner == match.home_id
    four = dict(list(won.items())[:4])
    other = matches(league)[1]
    assert refusal(actions.write_card, other, a_card(other, scores=four), side=None, **SAY) == (
        "undecided"
    )


def test_a_card_of_one_captain_waits_for_the_other():
    league, match = match_in_club_where("opponent")
    written(match, side=0)
    (now,) = match_records([match], league)
    assert now.waits
    assert now.met.provisional
    assert refusal(actions.confirm_card, match, side=0, **SAY) == "own-card"
    actions.confirm_card(match, side=1, **SAY)
    (now,) = match_records([match], league)
    assert now.counts
    logged = list(AuditEntry.objects.values_list("action", flat=True))
    assert logged.count("confirm match card") == 1
    assert AuditEntry.objects.get(action="confirm match card").new == {"games": "5–4"}
    assert "confirm game" not in logged  # nine entries that say no more than the card's
    assert refusal(actions.write_card, match, a_card(match, 4), side=1, **SAY) == "confirmed"


def test_games_of_a_card_not_yet_confirmed_are_provisional_on_every_page(client):
    """A captain's card changed a player's figures and the leading players without a word."""
    league, match = match_in_club_where("opponent")
    written(match, side=0)
    client.force_login(a_user(club=league.club))
    player = game_line_ups(match, league)[0].home[0]
    record = reverse("member_record", args=[league.club.slug, player.public_id])
    leading = reverse("team_records", args=[league.club.slug, league.public_id])
    page = client.get(record).content.decode()
    assert "Provisional: 3 games are not yet final." in page
    assert page.count("Waiting to be confirmed") == 3
    assert "Provisional: a card is not yet confirmed." in client.get(leading).content.decode()
    actions.confirm_card(match, side=1, **SAY)
    for confirmed in (record, leading):
        assert "Provisional" not in client.get(confirmed).content.decode()


def test_a_players_games_of_a_league_are_marked_as_such(client):
    league = with_fixtures()
    match = written(matches(league)[0], 5)
    client.force_login(a_user(club=league.club, rank="member"))
    player = game_line_ups(match, league)[0].home[0]
    for name in ("member_record", "member_games"):
        page = client.get(reverse(name, args=[league.club.slug, player.public_id])).text
        assert page.count("19 Nov · League") == 3


def test_the_leading_players_are_everybody_in_order_of_play_with_their_teams(client):
    league = with_fixtures(4, starts_on=date(2026, 9, 3))
    home = matches(league)[0].home
    later = next(m for m in matches(league, 2) if m.side_of(home) is not None)
    for match in matches(league):
        written(match, 5, held_on=date(2026, 10, 1), at=EIGHT)
    won = 9 if later.home_id == home.pk else 0
    written(later, won, held_on=date(2026, 10, 1), at=EIGHT + timedelta(hours=1))
    client.force_login(a_user(club=league.club))
    shown = client.get(reverse("team_records", args=[league.club.slug, league.public_id])).context
    assert len(shown["players"]) == 24
    records = {record.who: record for _place, _name, record, *_more in shown["players"]}
    member = players_of(home)[0]
    assert records[member.pk].longest == career_of(member).runs.won == 3
    rates = {name: rate for _place, name, _record, rate, _team in shown["players"]}
    assert rates[member.name] == "83%"


def test_a_pair_is_listed_with_its_team_whichever_player_is_borrowed(client):
    league = with_fixtures(2)
    match = matches(league)[0]
    borrowed, other = players_of(match.home)[:2]
    written(match)
    TeamPlayer.objects.filter(member=borrowed).delete()
    client.force_login(a_user(club=league.club))
    page = reverse("team_records", args=[league.club.slug, league.public_id])
    pairs = client.get(page).context["pairs"]
    teams = {team for _place, name, _record, _rate, team in pairs if other.name in name}
    assert teams == {match.home.name}


def test_a_card_that_changed_since_it_was_looked_at_is_not_confirmed(client):
    league, match = match_in_club_where("opponent")
    written(match, side=0)
    seen = match.revision
    written(match, 2, side=0)
    assert refusal(actions.confirm_card, match, side=1, seen=seen, **SAY) == "stale"
    client.force_login(a_user(club=league.club))
    about = [league.club.slug, league.public_id, match.public_id]
    page = client.get(reverse("team_match", args=about)).content.decode()
    assert f'name="seen" value="{match.revision}"' in page
    old = client.post(reverse("team_match_confirm", args=about), {"seen": seen}, follow=True)
    assert "The card has changed." in old.content.decode()
    client.post(reverse("team_match_confirm", args=about), {"seen": match.revision})
    assert match_records([match], league)[0].counts


def test_where_an_organiser_confirms_no_captain_does():
    league, match = match_in_club_where("organiser")
    written(match, side=0)
    assert refusal(actions.confirm_card, match, side=1, **SAY) == "organiser-confirms"
    actions.confirm_card(match, side=None, **SAY)
    assert match_records([match], league)[0].counts


def test_an_organisers_own_card_counts_at_once():
    league, match = match_in_club_where("opponent")
    written(match)
    assert match_records([match], league)[0].counts


def test_where_an_organiser_confirms_only_one_fixes_a_disputed_card():
    league, match = match_in_club_where("organiser")
    written(match, 5, side=0)
    actions.dispute_card(match, reason="We won five.", side=1, **SAY)
    assert match_records([match], league)[0].is_disputed
    assert refusal(actions.write_card, match, a_card(match), side=0, **SAY) == "disputed"
    written(match, 4)
    (now,) = match_records([match], league)
    assert now.counts
    assert now.met.winner == match.away_id


def test_a_fixed_card_moves_the_results_to_those_who_played():
    league = with_fixtures()
    match = written(matches(league)[0], 9)
    borrowed = members_of(league.club, 1)[0]
    home = [member for pair in a_card(match).home for member in pair]
    actions.write_card(match, a_card(match, 9, home=[borrowed, *home[1:]]), side=None, **SAY)
    assert Result.objects.filter(member=borrowed).count() == 3
    assert not Result.objects.filter(member=home[0]).exists()
    assert not match.session.attendances.filter(member=home[0]).exists()


def test_a_game_taken_off_the_card_counts_for_nobody_until_it_is_back():
    league = with_fixtures()
    match = written(matches(league)[0], 9)
    first, *rest = scores_of(league, 9).items()
    written(match, scores=dict(rest))
    assert len(match_records([match], league)[0].met.games) == 8
    assert Result.objects.filter(session=match.session).count() == 32
    written(match, scores=dict([(first[0], (7, 21)), *rest]))
    (now,) = match_records([match], league)
    assert now.met.won == (8, 1)
    assert now.counts


@pytest.mark.parametrize(
    ("people", "code"),
    [([0, 0, 2, 3, 4, 5], "twice"), ([6, 7, 8, 3, 4, 5], "borrowed")],
)
def test_a_card_with_impossible_people_is_refused(people, code):
    league = with_fixtures()
    match = matches(league)[0]
    home = [member for pair in a_card(match).home for member in pair] + members_of(league.club, 3)
    card = a_card(match, home=[home[n] for n in people])
    assert refusal(actions.write_card, match, card, side=None, **SAY) == code


def test_no_card_is_saved_before_its_match_is_played():
    league = with_fixtures()
    match = matches(league)[0]
    card = a_card(match, held_on=date(2026, 11, 20))
    assert refusal(actions.write_card, match, card, side=None, **SAY) == "in-future"


def test_a_card_silently_accepted_counts_when_somebody_looks():
    league, match = match_in_club_where("opponent")
    league.club.auto_accept_minutes = 1
    league.club.save()
    match.league = league
    written(match, side=0)
    Game.objects.filter(session=match.session).update(accept_at=EIGHT)
    assert match_records([match], league)[0].counts
    assert table(league).records[match.home_id].provisional == 0


@pytest.mark.parametrize("side", [None, 0])
def test_a_card_saved_once_more_as_it_is_changes_nothing_and_is_not_logged(side):
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = written(matches(league)[0], 2, side=side)
    revision, log = match.revision, league.club.audit.count()
    written(match, 2, side=side, at=EIGHT + timedelta(seconds=2))
    match.refresh_from_db()
    assert (match.revision, league.club.audit.count()) == (revision, log)
    written(match, 1, side=side, at=EIGHT + timedelta(minutes=2))
    assert league.club.audit.filter(action="correct match card").count() == 1
