"""Two captains' cards that differ: what each captain reads and may do; cards nobody can confirm."""

from copy import deepcopy
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.actions import erase_member
from league.members.models import Member
from league.play.models import Game
from league.teams import actions
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.teams.leagues import a_card, matches, with_fixtures
from tests.teams.test_disputes import disputed, score, state_of_games
from tests.teams.test_pages import address, captain, filled_in, messages_on

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared(club_of_the_module):
    with club_of_the_module():
        yield with_fixtures(club=a_club(confirm="opponent"), turns=1)


@pytest.fixture
def league(shared):
    return deepcopy(shared)


def test_the_second_captain_reads_which_game_differs_and_may_agree_after_all(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card = address("team_card", league, match.public_id)
    home.post(card, filled_in(match, 2))
    answer = away.post(card, filled_in(match, 1), follow=True)
    assert messages_on(answer) == [
        "Your card is saved. It differs from the other captain's: game 2."
    ]
    assert "Game 2: 21–15" in home.get(answer.request["PATH_INFO"]).content.decode()
    confirm = address("team_match_confirm", league, match.public_id)
    assert messages_on(away.post(confirm, follow=True)) == ["Confirmed the card."]
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((2, 1), {Game.State.CONFIRMED})
    assert not match.copies.exists()


def test_the_activity_log_says_what_differed_on_the_second_captains_card(league):
    match = disputed(league)
    logged = league.club.audit.get(action="dispute match card")
    assert logged.old == {"game 2": "21–15"}
    assert logged.new == {"why": "The captains' cards differ.", "game 2": "15–21"}
    client = Client()
    client.force_login(a_user(club=league.club))
    assert "15–21" in client.get(reverse("audit", args=[league.club.slug])).text
    assert match.copies.exists()


def test_the_second_captain_may_fix_their_own_card_until_the_dispute_is_decided(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card, page = (address(n, league, match.public_id) for n in ("team_card", "team_match"))
    home.post(card, filled_in(match, 2))
    away.post(card, filled_in(match, 0))
    assert "Fix our own card" in away.get(page).content.decode()
    assert "Fix our own card" not in home.get(page).content.decode()
    form = away.get(card).context["form"]
    assert form["score1_1_home"].value() == 15  # as they sent it; 21 on the other captain's card
    answer = away.post(card, filled_in(match, 1), follow=True)
    assert messages_on(answer) == [
        "Your card is saved. It differs from the other captain's: game 2."
    ]
    assert messages_on(away.post(card, filled_in(match, 2), follow=True)) == ["Saved the card."]
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((2, 1), {Game.State.CONFIRMED})
    assert not match.copies.exists()
    assert away.post(card, filled_in(match, 1)).status_code == 422


def test_a_captain_who_reported_a_problem_may_send_their_own_card_too(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card, page = (address(n, league, match.public_id) for n in ("team_card", "team_match"))
    home.post(card, filled_in(match, 2))
    away.post(address("team_match_object", league, match.public_id), {"reason": "Game 2"})
    assert "Enter our own card" in away.get(page).content.decode()
    away.post(card, filled_in(match, 1))
    assert [d.number for d in home.get(page).context["differing"]] == [2]


def test_each_captain_reads_what_both_cards_say_while_the_card_is_disputed_and_who_decides(league):
    match = disputed(league)
    page = address("team_match", league, match.public_id)
    home, away = captain(league, match.home), captain(league, match.away)
    first, second = (f"{match.home} {h}, {match.away} {a}" for h, a in ((2, 1), (1, 2)))
    assert home.get(page).context["own_result"] == f"Your card: {first}. Theirs: {second}."
    assert away.get(page).context["own_result"] == f"Your card: {second}. Theirs: {first}."
    shown = home.get(page).content.decode()
    assert "You won" not in shown
    assert "An organiser decides. Anything to add? Leave a message below." in shown
    league.secretary = Member.objects.create(club=league.club, name="Sue Secretary")
    league.save()
    sentence = "Sue Secretary, the league secretary, decides."
    for name in ("team_match", "team_mine"):
        about = [match.public_id] if name == "team_match" else []
        assert sentence in away.get(address(name, league, *about)).content.decode()


def test_a_card_disputed_without_another_one_is_no_fact_for_either_captain(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    home.post(address("team_card", league, match.public_id), filled_in(match, 2))
    away.post(address("team_match_object", league, match.public_id), {"reason": "Game 2"})
    page = address("team_match", league, match.public_id)
    card = f"{match.home} 2, {match.away} 1"
    disputes = f"Your card: {card}. The other captain disputes it."
    assert home.get(page).context["own_result"] == disputes
    assert away.get(page).context["own_result"] == f"The card: {card}. It is disputed."


def test_the_captain_who_wrote_a_disputed_card_may_send_a_corrected_one(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card, page, report, confirm = (
        address(name, league, match.public_id)
        for name in ("team_card", "team_match", "team_match_object", "team_match_confirm")
    )
    home.post(card, filled_in(match, 2))
    away.post(report, {"reason": "Game 2"})
    assert "Send a corrected card" in home.get(page).content.decode()
    objection = f"Disputed by {match.away.captain.name}: Game 2"
    assert objection in home.get(card).content.decode()
    assert "Send a corrected card" not in away.get(page).content.decode()
    assert home.post(card, filled_in(match, 2)).status_code == 422  # it corrects nothing
    assert messages_on(home.post(card, filled_in(match, 0), follow=True)) == ["Saved the card."]
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((0, 3), {Game.State.FINISHED})
    waiting = Game.objects.filter(session=match.session, accept_at__lt=timezone.now())
    assert not waiting.exists()  # the other captain has the whole time again
    away.post(report, {"reason": "Game 3"})
    assert [reason for _who, reason in home.get(page).context["disputes"]] == ["Game 3"]
    home.post(card, filled_in(match, 1))
    assert messages_on(away.post(confirm, follow=True))[-1] == "Confirmed the card."
    assert (score(match), state_of_games(match)) == ((1, 2), {Game.State.CONFIRMED})


def test_a_corrected_card_shows_what_changed_since_the_dispute_until_it_is_confirmed(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card, page, report, confirm = (
        address(name, league, match.public_id)
        for name in ("team_card", "team_match", "team_match_object", "team_match_confirm")
    )
    home.post(card, filled_in(match, 2))
    home.post(card, filled_in(match, 3))  # before the dispute
    away.post(report, {"reason": "Games 2 and 3"})
    home.post(card, filled_in(match, 0))
    home.post(card, filled_in(match, 1))  # corrected twice
    text = " ".join(away.get(page).text.split())
    assert f"Disputed by {match.away.captain}: Games 2 and 3<br> Corrected since then:" in text
    changes = [f"Game {n}: <del>21–15</del> → <strong>15–21</strong>" for n in (2, 3)]
    assert f"<ul> <li> {changes[0]} </li> <li> {changes[1]} </li> </ul>" in text
    assert "Corrected since then" not in Client().get(page).text
    away.post(confirm)
    assert "Corrected since then" not in away.get(page).text


def test_a_corrected_card_with_other_pairs_says_that_only_the_players_changed(league):
    match = matches(league)[0]
    card = a_card(match, 2)
    actions.write_card(match, card, side=0, by=TEST, at=EIGHT)
    actions.dispute_card(match, reason="Wrong pairs", side=1, by=TEST, at=EIGHT)
    (a, b), (c, d), *rest = card.home
    corrected = replace(card, home=[(a, c), (b, d), *rest])
    actions.write_card(match, corrected, side=0, by=TEST, at=EIGHT)
    page = captain(league, match.away).get(address("team_match", league, match.public_id)).text
    assert "Corrected since then: the players, not the scores." in page


def test_a_disputed_card_is_logged_once_and_each_game_says_that_it_is_the_card(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card, report, confirm = (
        address(name, league, match.public_id)
        for name in ("team_card", "team_match_object", "team_match_confirm")
    )
    home.post(card, filled_in(match, 2))
    away.post(report, {"reason": "Game 2 was 15–21"})
    logged = league.club.audit.filter(action__startswith="dispute")
    assert [entry.action for entry in logged] == ["dispute match card"]
    match.refresh_from_db()
    first, *_others, last = Game.objects.filter(session=match.session).order_by("pk")

    def said_about(game):
        page = home.get(reverse("game", args=[league.club.slug, game.public_id])).text
        return " ".join(page[page.index('class="words') :].partition("</ul>")[0].split())

    for game in (first, last):
        assert "<b>The card of this match is disputed</b> “Game 2 was 15–21”" in said_about(game)
    home.post(card, filled_in(match, 1))
    away.post(confirm)
    said = {said_about(game) for game in (first, last)}
    assert len(said) == 1
    assert "<b>The card of this match was disputed</b> “Game 2 was 15–21”" in said.pop()


def test_a_corrected_card_that_equals_the_other_captains_is_confirmed_and_another_stays_disputed(
    league,
):
    match = disputed(league)
    home = captain(league, match.home)
    card = address("team_card", league, match.public_id)
    home.post(card, filled_in(match, 0))
    assert state_of_games(match) == {Game.State.DISPUTED}
    home.post(card, filled_in(match, 1))
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((1, 2), {Game.State.CONFIRMED})
    assert not match.copies.exists()


def test_the_captain_who_wrote_the_card_may_agree_with_the_other_ones_copy(league):
    match = disputed(league)
    home, _away = captain(league, match.home), captain(league, match.away)
    page, confirm = (
        address(n, league, match.public_id) for n in ("team_match", "team_match_confirm")
    )
    assert home.get(page).context["may_take_copy"]
    stale = {"seen": match.revision + 1}
    assert "has changed" in messages_on(home.post(confirm, stale, follow=True))[0]
    seen = {"seen": match.revision}
    assert messages_on(home.post(confirm, seen, follow=True)) == ["Confirmed the card."]
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((1, 2), {Game.State.CONFIRMED})
    assert not match.copies.exists()
    assert match.written_by == match.away
    shown = home.get(page).content.decode()
    assert f"Confirmed by {match.home.captain.name}" in shown
    assert "who runs the league" not in shown


def test_a_captain_who_is_also_an_organiser_agrees_with_the_other_card_and_not_with_their_own(
    league,
):
    match = disputed(league)
    home = captain(league, match.home)
    league.club.roles.filter(user__players=match.home.captain).update(rank="organiser")
    confirm = address("team_match_confirm", league, match.public_id)
    home.post(confirm, {"seen": match.revision})
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((1, 2), {Game.State.CONFIRMED})


def test_an_erased_captain_is_a_former_player_where_they_confirmed_a_card_and_not_borrowed(league):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    home.post(address("team_card", league, match.public_id), filled_in(match, 2))
    away.post(address("team_match_confirm", league, match.public_id), {"seen": 1})
    erased = erase_member(match.away.captain, by=TEST, at=EIGHT)
    erased.team_places.all().delete()  # as when the team is saved with its other players
    page = home.get(address("team_match", league, match.public_id))
    assert f"Confirmed by {erased.name}" in page.content.decode()
    assert page.context["borrowed"] == []


def test_a_captain_who_has_left_the_club_is_replaced_and_an_organiser_confirms_their_card(
    league, client
):
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    leave = reverse("role_leave", args=[league.club.slug])
    left = f"You are the captain of {match.away}. An organiser then chooses another."
    assert left in away.get(leave).content.decode()
    home.post(address("team_card", league, match.public_id), filled_in(match, 2))
    page = address("team_match", league, match.public_id)
    assert f"Waiting for {match.away.captain} to confirm it." in home.get(page).content.decode()
    client.force_login(a_user(club=league.club))
    front = address("team_league", league)
    assert client.get(front).context["next"] is None
    away.post(leave)
    assert "An organiser confirms it." in home.get(page).content.decode()
    step = client.get(front).context["next"]
    assert (step.title, step.about) == (f"{match}: the card is waiting for you", match.public_id)
    client.post(address("team_match_confirm", league, match.public_id), {"seen": 1})
    step = client.get(front).context["next"]
    assert step.title == f"{match.away} has no captain"
    assert step.text == "Its captain has left the club. Choose another."
    team = client.get(address("team", league, match.away.public_id)).content.decode()
    assert "This team has no captain." in team


def test_a_captain_who_has_left_the_club_reads_no_messages_of_its_public_league(league):
    match = matches(league)[0]
    away = captain(league, match.away)
    league.club.visibility = "standings"
    league.club.save()
    page = address("team_match", league, match.public_id)
    assert "message_form" in away.get(page).context
    away.post(reverse("role_leave", args=[league.club.slug]))
    assert "message_form" not in away.get(page).context


def test_my_teams_lists_cards_to_confirm_disputed_ones_and_those_the_other_captain_has(league):
    sent = matches(league)[0]
    home, away = captain(league, sent.home), captain(league, sent.away)
    home.post(address("team_card", league, sent.public_id), filled_in(sent, 2))
    mine, page = address("team_mine", league), address("team_match", league, sent.public_id)

    def lists(client):
        (led,) = client.get(mine).context["led"]
        return [[s.match for s in shown] for shown in (led.cards, led.sent, led.disputed)]

    assert lists(home) == [[], [sent], []]
    assert lists(away) == [[sent], [], []]
    assert "Enter our own card" in away.get(page).content.decode()
    assert "Fix the card" in home.get(page).content.decode()
    away.post(address("team_card", league, sent.public_id), filled_in(sent, 1))
    assert lists(home) == lists(away) == [[], [], [sent]]
    assert f"Disputed by {sent.away.captain.name}: The captains" in home.get(page).content.decode()


def test_another_team_of_the_captains_pub_has_nothing_overdue_on_my_teams(league):
    own, same, *_others = league.teams.all()
    league.teams.filter(pk__in=[own.pk, same.pk]).update(house="The Ship")
    page = captain(league, own).get(address("team_mine", league))
    assert [bool(led.overdue) for led in page.context["led"]] == [True, False]
    assert "Another team of your pub or club." in page.content.decode()
