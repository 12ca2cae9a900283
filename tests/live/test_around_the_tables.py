"""What organisers and scorekeepers find beside the tables: next round, hands, decisions."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member, Role
from league.play.actions import call_time, dispute_game, write_totals
from league.play.models import Game
from league.seasons.models import Season
from league.seating.actions import answer_call, call_organiser, depart, substitute
from league.seating.queries import live_tables, waiting
from league.sessions.actions import start_clock
from league.sessions.attendance import arrive
from league.sessions.models import Session
from tests.builders import TEST, a_club, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night, _members = a_night(8)
    published(night)
    return night


def at(name, night, *more):
    return reverse(name, args=[night.club.slug, night.public_id, *more])


def page(client, name, night, rank="organiser"):
    client.force_login(a_user(f"a-{rank}", club=night.club, rank=rank))
    return squeezed(client.get(at(name, night)).content.decode())


def test_the_seating_page_makes_the_next_round_when_every_table_is_done(client, night):
    one, other = live_tables(night)
    a_game(one)
    assert "Next round" not in page(client, "seating", night)
    a_game(other)
    assert "Next round with all 8" in squeezed(client.get(at("seating", night)).content.decode())
    client.post(at("seating_draft", night))
    draft = client.get(at("seating", night))
    assert len(draft.context["tables"]) == 2
    assert draft.context["draft"].number == 2
    client.post(at("seating_discard", night))
    Session.objects.update(state="closed")
    assert "Next round" not in client.get(at("seating", night)).content.decode()


def test_a_scorekeeper_finds_every_table_to_enter_and_no_call_to_check_in(client, night):
    one, other = live_tables(night)
    a_game(one)
    said = page(client, "session", night, "scorekeeper")
    assert f'href="{reverse("table_entry", args=[other.public_id])}">Table 2<' in said
    assert f'href="{reverse("table_entry", args=[one.public_id])}"' not in said
    scorer = Role.objects.get(rank="scorekeeper").user
    Member.objects.create(club=night.club, name="Zoe Late", user=scorer)
    assert "You are not checked in" not in client.get(at("session", night)).content.decode()


def test_a_session_without_a_game_does_not_say_that_all_are_finished(client):
    night = a_session(a_club())
    said = page(client, "disputes", night)
    assert "No games yet" in said
    assert "Every game is finished" not in said


def test_time_called_on_the_page_of_the_table_leads_back_to_it(client, night):
    table = live_tables(night)[0]
    write(table, (0, 4))
    client.force_login(a_user(club=night.club))
    time_up = reverse("table_time", args=[table.public_id])
    desk = at("table_desk", night, table.public_id)
    assert 'name="at_desk"' in client.get(desk).content.decode().partition(time_up)[2][:200]
    assert client.post(time_up, {"at_desk": "1"}).url == desk


def test_the_page_of_a_table_asks_before_it_ends_the_game_at_the_score_it_names(client, night):
    table = live_tables(night)[0]
    write(table, (0, 4))
    client.force_login(a_user(club=night.club))
    desk, resume = (
        at("table_desk", night, table.public_id),
        reverse("table_resume", args=[table.public_id]),
    )
    page = squeezed(client.get(desk).content.decode())
    end = page.partition("<summary>End the game: time called</summary>")[2].partition("</form>")[0]
    assert "The game ends here at 1 – 0." in end.replace("\u2009", " ")
    assert "Yes, end the game now" in end
    assert "Time is up" not in page  # no clock has run
    sent = {"at_desk": "1", "seen": "1-0"}
    time_up = reverse("table_time", args=[table.public_id])
    assert (
        "The score has changed. Check it again."
        in client.post(time_up, sent | {"seen": "0-0"}).content.decode()
    )
    page = squeezed(client.post(time_up, sent, follow=True).content.decode())
    assert page.count("Time called: the game is over.") == 1
    assert resume in page
    client.post(resume, {"at_desk": "1"})
    page = squeezed(client.get(desk).content.decode())
    assert "Time called" not in page
    start_clock(night, by=TEST, at=timezone.now() - timedelta(minutes=9), minutes=5)
    assert "<h2>Time is up</h2>" in squeezed(client.get(desk).content.decode())


def test_a_game_that_ends_before_its_substitute_has_played_says_for_whom_it_counts(client, night):
    table = live_tables(night)[0]
    write(table, (0, 4))
    newcomer = Member.objects.create(club=night.club, name="Zoe Late")
    arrive(night, newcomer, by=TEST, at=AT)
    substitute(table, 0, newcomer, by=TEST)
    client.force_login(a_user(club=night.club))
    desk = at("table_desk", night, table.public_id)
    said = "Zoe Late hasn't played a hand yet. The result counts for the players of the last hand."
    assert said not in squeezed(client.get(desk).content.decode())
    call_time(table, by=TEST, at=AT)
    assert said in squeezed(client.get(desk).content.decode())


def test_what_is_missing_of_a_decision_is_said_at_its_field(client, night):
    table = live_tables(night)[0]
    game = a_game(table, state="disputed")
    client.force_login(a_user(club=night.club))
    where = [night.club.slug, game.public_id]
    before = squeezed(client.get(reverse("game", args=where)).content.decode())
    assert "Why? (a short reason)" in before
    refused = client.post(reverse("settle_game", args=where), {})
    assert refused.status_code == 422
    summary, _question, said = squeezed(refused.content.decode()).partition("What counts?")
    assert summary.index("Choose a decision.") < summary.index("Add a short reason.")
    assert said.startswith('</legend><ul class="errorlist"><li>Choose a decision.</li></ul>')
    assert "<li>Add a short reason.</li>" in said
    nobody = {"decision": "decided", "reason": "x"}
    refused = client.post(reverse("settle_game", args=where), nobody)
    said = squeezed(refused.content.decode()).partition("What counts?")[2]
    assert '<ul class="errorlist"><li>Choose who won.</li></ul>' in said


def disputed(table):
    write(table, *[(0, 5)] * 5)
    return dispute_game(table, reason="No march", counted=True, by=TEST, at=AT)


def decided(client, game, **sent):
    """The page after a decision sent without a script, from a page that showed 10 to 0."""
    seen = {"initial-total0": "10", "initial-total1": "0", "total0": "10", "total1": "0"}
    address = reverse("settle_game", args=[game.table.session.club.slug, game.public_id])
    page = client.post(address, seen | {"reason": "both sheets"} | sent).content.decode()
    game.refresh_from_db()
    return page


def test_an_option_whose_fields_are_filled_in_is_the_decision(client, night):
    one, other = (disputed(table) for table in live_tables(night))
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("game", args=[night.club.slug, one.public_id])).content.decode()
    assert 'name="initial-total0" value="10"' in page
    assert "Choose a decision." in decided(client, one)
    both = decided(client, one, total1="4", winners="1")
    assert "Choose a decision." in both
    assert 'value="1" checked' in both  # what was tapped stays
    decided(client, one, total1="4")
    assert (one.state, one.score) == ("confirmed", [10, 4])
    decided(client, other, winners="1")
    assert (other.state, other.winners) == ("confirmed", [1, 3])
    decided(client, other, decision="stands", total1="4")
    assert other.score == [10, 0]  # what was chosen counts


def test_the_season_that_a_session_counts_in_is_said_where_it_begins(client):
    night = a_session(a_club())
    today = timezone.localdate()
    year = {"starts_on": today.replace(month=1, day=1), "ends_on": today.replace(month=12, day=31)}
    season = Season.objects.create(club=night.club, name="Season 2026", **year)
    client.force_login(a_user(club=night.club))
    sessions = reverse("sessions", args=[night.club.slug])
    assert "Counts in Season 2026." in client.get(sessions).content.decode()
    tournament = at("tournament_new", night)
    assert "Its games count in" not in client.get(tournament).content.decode()
    Session.objects.update(season=season)
    said = client.get(tournament).content.decode().partition("Its games count in Season 2026.")[2]
    assert at("session_edit", night) in said


@pytest.mark.parametrize("leaves", [True, False])
def test_who_is_replaced_and_leaving_is_checked_out_with_the_substitution(client, night, leaves):
    table = live_tables(night)[0]
    write(table, (0, 3))
    replaced = table.current_seats[1].member
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    desk = squeezed(client.get(at("table_desk", night, table.public_id)).content.decode())
    assert '<input type="checkbox" name="leaves">The replaced player is leaving' in desk
    data = {"position": "1", "member": vera.public_id} | ({"leaves": "on"} if leaves else {})
    client.post(at("table_substitute", night, table.public_id), data)
    assert night.attendances.get(member=replaced).left_at is None or leaves
    assert waiting(night).filter(pk=replaced.pk).exists() != leaves


def test_who_left_before_being_replaced_is_checked_out_only_once(client, night):
    table = live_tables(night)[0]
    write(table, (0, 3))
    replaced = table.current_seats[1].member
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    depart(night, replaced, by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    data = {"position": "1", "member": vera.public_id, "leaves": "on"}
    client.post(at("table_substitute", night, table.public_id), data)
    assert night.attendances.get(member=replaced).left_at == AT


def test_the_club_s_page_leads_an_organiser_to_a_table_that_calls(client, night):
    _one, other = live_tables(night)
    call_organiser(other, by=TEST, at=AT)
    client.force_login(a_user("olive", club=night.club))
    home = reverse("club", args=[night.club.slug])
    said = squeezed(client.get(home).text)
    assert "Table 2 needs you" in said
    assert f'href="{at("board", night)}#table-2"' in said
    answer_call(other, by=TEST, at=AT)
    assert "Table 2 needs you" not in squeezed(client.get(home).text)


def test_a_game_that_is_over_asks_whether_a_substitute_played_one_of_its_hands(client, night):
    table = live_tables(night)[0]
    arrive(night, Member.objects.create(club=night.club, name="Vera"), by=TEST, at=AT)
    desk = at("table_desk", night, table.public_id)
    write(table, (0, 3))
    client.force_login(a_user(club=night.club))
    assert "<h2>Substitute</h2>" in client.get(desk).text
    assert 'max="999" value="2"' in client.get(desk).text
    call_time(table, by=TEST, at=timezone.now())
    page = client.get(desk).text
    assert "<h2>Did a substitute play?</h2>" in page
    assert 'max="1" value="1"' in page
    Game.objects.all().delete()
    write_totals(table, [10, 7], no_hands=True, by=TEST, at=timezone.now())
    assert "Save substitute" not in client.get(desk).text
