"""Disputed, late and early cards: what captains see, and how an organiser decides."""

import re
from copy import deepcopy
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.errors import Refused
from league.members.models import Club
from league.play.models import Game
from league.teams import actions
from league.teams.models import TeamLeague
from league.teams.queries import match_records, players_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.pages import squeezed
from tests.teams.leagues import a_card, matches, table, with_fixtures, written
from tests.teams.test_pages import address, captain, filled_in, messages_on

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared(club_of_the_module):
    with club_of_the_module():
        yield with_fixtures(club=a_club(confirm="opponent"), turns=1)


@pytest.fixture
def league(shared):
    return deepcopy(shared)


@pytest.fixture
def organiser(league, client):
    client.force_login(a_user(club=league.club))
    return client


def disputed(league):
    """A match with different cards of its captains, 2–1 and 1–2: the second game differs."""
    match = matches(league)[0]
    actions.write_card(match, a_card(match, 2), side=0, by=TEST, at=EIGHT)
    actions.write_card(match, a_card(match, 1), side=1, by=TEST, at=EIGHT)
    match.refresh_from_db()
    assert match.has_games(Game.State.DISPUTED)
    return match


def score(match):
    (record,) = match_records([match], match.league)
    return tuple(int(won) for won in record.met.won)


def state_of_games(match):
    return set(Game.objects.filter(session=match.session).values_list("state", flat=True))


def test_a_game_awarded_on_a_disputed_card_ends_the_dispute_and_stays_awarded(league, organiser):
    match = disputed(league)
    data = {"number": "0", "mark": "away", "reason": "Wrong pack"}
    organiser.post(address("team_match_games", league, match.public_id), data)
    match.refresh_from_db()
    assert (score(match), state_of_games(match)) == ((1, 2), {Game.State.CONFIRMED})
    assert match.decisions.get().text == "Wrong pack (game 1 was 21–15)"
    assert league.club.audit.get(action="give games").old == {"game 1": "21–15"}
    assert "Game 1" in organiser.get(reverse("audit", args=[league.club.slug])).text
    card = address("team_card", league, match.public_id)
    assert "Game 1 was decided" in organiser.get(card).content.decode()
    assert organiser.post(card, filled_in(match, 2, why="Misread")).status_code == 302
    match.refresh_from_db()
    assert score(match) == (1, 2)


@pytest.mark.parametrize(("takes_copy", "result"), [(False, (2, 1)), (True, (1, 2))])
def test_an_organiser_decides_for_one_of_two_cards_with_a_reason_that_all_members_read(
    league, organiser, takes_copy, result
):
    match = disputed(league)
    page = organiser.get(address("team_match", league, match.public_id)).content.decode()
    other = f"Game 2: 21–15 on the card below, 15–21 on the card of {match.away.name}"
    assert other in " ".join(page.split())
    assert "Game 3:" not in page
    for team in (match.home, match.away):
        assert f"The card sent by {team} is right" in page
    settle = address("team_match_settle", league, match.public_id)
    chosen = match.away.public_id if takes_copy else "stands"
    organiser.post(settle, {"card": chosen, "reason": ""})
    assert match.has_games(Game.State.DISPUTED)
    organiser.post(settle, {"card": chosen, "reason": "Two sheets agree"})
    assert (score(match), state_of_games(match)) == (result, {Game.State.CONFIRMED})
    member = captain(league, match.home)
    page = member.get(address("team_match", league, match.public_id)).content.decode()
    assert "Two sheets agree" in page
    with pytest.raises(Refused, match="not disputed any more"):
        actions.settle_dispute(match, None, reason="Again", by=TEST, at=EIGHT)


def test_an_organiser_is_warned_before_deciding_a_card_of_their_own_team(league, organiser):
    match = disputed(league)
    page, warning = address("team_match", league, match.public_id), "a match of your own team"
    text = organiser.get(page).content.decode()
    assert "Decide the card" in text
    assert warning not in text
    leader = captain(league, match.home)
    league.club.roles.filter(user__players=match.home.captain).update(rank="organiser")
    assert warning in leader.get(page).content.decode()


def test_fixing_a_disputed_card_asks_for_the_reason(league, organiser):
    match = disputed(league)
    card = address("team_card", league, match.public_id)
    answer = organiser.post(card, filled_in(match, 3))
    assert list(answer.context["form"].errors) == ["reason"]
    assert organiser.post(card, filled_in(match, 3, reason="Both misread")).status_code == 302
    assert match.decisions.get().text == "Both misread (game 3 was 15–21)"
    logged = league.club.audit.get(action="correct match card")
    assert logged.old == {"games": "2–1", "game 3": "15–21"}
    assert (score(match), match.has_games(Game.State.DISPUTED)) == ((3, 0), False)


def test_a_disputed_card_is_one_decision_of_an_organiser_made_on_its_match(league, organiser):
    match = disputed(league)
    page = organiser.get(reverse("club", args=[league.club.slug]))
    ((night, step),) = page.context["decisions"]
    card = address("team_match", league, match.public_id) + "#decide"
    assert (night.pk, step.title, step.url) == (match.session_id, "A card is disputed", card)
    assert 'id="decide"' in organiser.get(card).content.decode()


def test_the_clubs_page_says_to_the_two_captains_that_their_card_is_disputed(league, client):
    match = disputed(league)
    page = reverse("club", args=[league.club.slug])
    other = matches(league)[1]
    for team, sees in ((match.home, True), (match.away, True), (other.home, False)):
        shown = captain(league, team).get(page).content.decode()
        assert ("A card is disputed" in shown) is sees
    Club.objects.update(visibility="standings")
    assert "A card is disputed" not in client.get(page).content.decode()


def test_other_pairs_on_the_second_captains_card_are_a_message_on_the_match(league):
    match = matches(league)[0]
    actions.write_card(match, a_card(match, 2), side=0, by=TEST, at=EIGHT)
    card = a_card(match, 2)
    (a, b), (c, d), *rest = card.away
    card = replace(card, away=[(a, c), (b, d), *rest])
    with translation.override("de"):  # the captain's language; the message is for the club
        actions.write_card(match, card, side=1, by=TEST, at=EIGHT)
    match.refresh_from_db()
    assert (score(match), match.has_games(Game.State.DISPUTED)) == ((2, 1), False)
    (note,) = match.messages.all()
    assert note.text.startswith(f"Pairs of {match.away.name} on our card: {a.name} & {c.name}, ")


def late_league(league):
    late = {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"}
    TeamLeague.objects.filter(pk=league.pk).update(rules={**league.rules, "late": late})
    league.refresh_from_db()
    return matches(league)[0]


def test_an_organiser_says_when_a_paper_card_arrived_and_reads_what_it_costs(league, organiser):
    match = late_league(league)
    card = address("team_card", league, match.public_id)
    form = organiser.get(card).context["form"]
    assert form["received"].value()
    day = {"held_on": "2026-09-03"}
    in_time = filled_in(match, 2, **day, received="2026-09-05T11:00")
    assert messages_on(organiser.post(card, in_time, follow=True)) == ["Saved the card."]
    other = matches(league)[1]
    card = address("team_card", league, other.public_id)
    late = filled_in(other, 5, **day, received="2026-09-05T12:01")
    sentence = f"The card came late. Points off {other.home.name}: 1."
    assert messages_on(organiser.post(card, late, follow=True)) == [
        "Saved the card."
    ]  # the page says it
    page = address("team_match", league, other.public_id)
    assert sentence in organiser.get(page).content.decode()


def test_a_late_card_is_waived_only_with_a_reason_and_counts_again_by_a_button(league, organiser):
    match = late_league(league)
    late = a_card(match, 2, held_on=date(2026, 9, 3))
    actions.write_card(match, late, side=None, by=TEST, at=EIGHT)
    waive = address("team_match_late", league, match.public_id)
    organiser.post(waive, {"reason": ""})
    page = address("team_match", league, match.public_id)
    assert "Points off" in organiser.get(page).content.decode()
    organiser.post(waive, {"reason": "The post was late"})
    text = organiser.get(page).content.decode()
    assert "The penalty is waived: The post was late" in text
    assert "Points off" not in text
    organiser.post(address("team_match_late_again", league, match.public_id))
    assert "Points off" in organiser.get(page).content.decode()


def test_a_captain_sees_when_the_card_is_due(league):
    match = late_league(league)
    page = address("team_match", league, match.public_id)
    text = captain(league, match.home).get(page).content.decode()
    assert "The card has to arrive by noon on Saturday 5 September." in text


def test_a_card_for_a_match_on_a_later_day_asks_if_it_is_the_right_one(league):
    match = matches(league)[0]
    type(match).objects.filter(pk=match.pk).update(held_on=date(2026, 12, 3))
    home = captain(league, match.home)
    card = address("team_card", league, match.public_id)
    answer = home.post(card, filled_in(match, 2))
    question = "This match is on 3 December 2026. Is this the right match, and was it played on"
    assert question in answer.context["form"].errors["held_on"][0]
    assert home.post(card, filled_in(match, 2, early="on")).status_code == 302


def test_drawn_pairs_are_marked_so_that_what_the_phone_kept_does_not_replace_them(league):
    match = matches(league)[0]
    draw = address("team_card_draw", league, match.public_id)
    page = captain(league, match.home).post(draw, filled_in(match, 0)).content.decode()
    assert "data-drawn" in page


def test_a_disputed_card_is_linked_from_the_leagues_page_and_named_on_the_clubs(league, organiser):
    match = disputed(league)
    page = organiser.get(address("team_league", league)).content.decode()
    step = page[page.index("next-step") : page.index("</section>", page.index("next-step"))]
    assert str(match) in step
    assert address("team_match", league, match.public_id) in step
    club = reverse("club", args=[league.club.slug])
    assert "A card is disputed" in organiser.get(club).content.decode()


def test_an_empty_report_of_a_problem_stays_open(league):
    match = matches(league)[0]
    actions.write_card(match, a_card(match, 2), side=0, by=TEST, at=EIGHT)
    away = captain(league, match.away)
    answer = away.post(address("team_match_object", league, match.public_id), {}, follow=True)
    assert answer.context["object_form"].errors


def test_the_side_that_was_awarded_a_game_is_shown_as_its_winner(league, organiser):
    match = disputed(league)
    games = address("team_match_games", league, match.public_id)
    answer = organiser.post(games, {"mark": "away", "reason": "Wrong pack"}, follow=True)
    assert messages_on(answer) == ["Games: Fill this in."]
    data = {"number": ["0", "2"], "mark": "away", "reason": "Wrong pack"}
    assert messages_on(organiser.post(games, data, follow=True)) == ["Decided games 1, 3."]
    turns = organiser.get(address("team_match", league, match.public_id)).context["turns"]
    first, second = turns[0][1][:2]
    assert (first.home_won, first.away_won) == (False, True)
    assert (second.home_won, second.away_won) == (True, False)
    assert [first.number, second.number] == [1, 2]  # as the form that awards a game counts them
    pairs = organiser.get(address("team_records", league)).context["pairs"]
    assert [record.games for _place, _name, record, *_more in pairs] == [1, 1]
    assert {team for *_more, team in pairs} == {match.home.name, match.away.name}


def test_the_clubs_page_leads_a_captain_to_their_teams(league):
    club = reverse("club", args=[league.club.slug])
    home = captain(league, league.teams.first())
    assert address("team_mine", league) in home.get(club).content.decode()
    member = Client()
    member.force_login(a_user("plain", club=league.club, rank="member"))
    page = member.get(club).content.decode()
    assert address("team_mine", league) not in page
    assert "No sessions yet" not in page


def test_a_captain_finds_their_own_team_first_and_no_card_of_their_house_to_confirm(league):
    first, second = league.teams.all()[:2]
    league.teams.filter(pk__in=[first.pk, second.pk]).update(house="The Ship")
    against = next(match for match in matches(league) if first.pk in (match.home_id, match.away_id))
    side = 1 if against.home_id == first.pk else 0
    actions.write_card(against, a_card(against, 5), side=side, by=TEST, at=EIGHT)
    led = captain(league, second).get(address("team_mine", league)).context["led"]
    assert [led_team.team for led_team in led] == [second, first]
    assert [led_team.cards for led_team in led] == [[], []]
    led = captain(league, first).get(address("team_mine", league)).context["led"]
    assert [len(led_team.cards) for led_team in led] == [1, 0]


def test_an_organiser_invites_a_captain_without_an_account_from_the_team(league, organiser):
    team = league.teams.first()
    page, invite = (address(name, league, team.public_id) for name in ("team", "team_invite"))
    assert invite in organiser.get(page).content.decode()
    made = organiser.post(invite)
    assert (made.context["invitation"].member, made.context["invitation"].rank) == (
        team.captain, "member",
    )  # fmt: skip
    assert f"Link for {team.captain}" in made.content.decode()
    assert made.context["back"] == page
    assert organiser.get(invite).url == page
    captain(league, team)
    assert invite not in organiser.get(page).content.decode()
    assert messages_on(organiser.post(invite, follow=True)) == [
        "This person already has an account."
    ]


def test_a_secretary_without_another_role_invites_captains_and_sees_that_a_squad_is_small(league):
    team, other = league.teams.all()[:2]
    secretary = captain(league, other)
    league.secretary = other.captain
    league.save()
    TeamLeague.objects.filter(pk=league.pk).update(squad_rules={"least": 9})
    page = secretary.get(address("team", league, team.public_id)).content.decode()
    assert f"{team.name} has {team.players.count()} players; a squad needs at least 9." in page
    made = secretary.post(address("team_invite", league, team.public_id))
    assert made.context["invitation"].member == team.captain


def test_an_organiser_adds_a_player_after_the_last_day_with_a_tick_and_a_captain_does_not(
    league, organiser
):
    rules = {"register_until": "2026-01-01", "sign_on": True}
    TeamLeague.objects.filter(pk=league.pk).update(squad_rules=rules)
    team = league.teams.first()
    page = address("team_sign_on", league, team.public_id)
    answer = organiser.post(page, {"name": "Zed New"})
    assert answer.context["form"].errors["name"] == ["The last day for new players has passed."]
    assert captain(league, team).post(page, {"name": "Zed New", "late": "on"}).status_code == 422
    assert organiser.post(page, {"name": "Zed New", "late": "on"}).status_code == 302


def test_a_card_to_confirm_is_named_on_the_clubs_page_to_the_other_captain_alone(league):
    match = matches(league)[0]
    written(match, 5, side=0)
    club = reverse("club", args=[league.club.slug])
    other, own = (captain(league, team) for team in (match.away, match.home))
    card = address("team_match", league, match.public_id)
    page = other.get(club).content.decode()
    step = page[page.index("next-step") : page.index("</section>", page.index("next-step"))]
    assert "<h2>A card to confirm</h2>" in step
    assert f"{match} · {league.name}" in step
    assert f'href="{card}">Check the card</a>' in step
    assert page.index("next-step") < page.index("Team leagues")
    assert "A card to confirm" not in own.get(club).content.decode()
    league.club.confirm = "organiser"
    league.club.save()
    assert "A card to confirm" not in other.get(club).content.decode()


def test_where_nobody_confirms_the_other_captain_may_object_to_a_card_until_it_is_decided(
    league, organiser
):
    league.club.confirm = "none"
    league.club.save()
    match = matches(league)[0]
    written(match, side=0)
    home, away = captain(league, match.home), captain(league, match.away)
    page = address("team_match", league, match.public_id)
    assert not home.get(page).context["may_object"]
    assert away.get(page).context["may_object"]
    object_to = address("team_match_object", league, match.public_id)
    home.post(object_to, {"reason": "Mine"})
    assert match_records([match], league)[0].counts
    away.post(object_to, {"reason": "Game 3 was ours"})
    assert match_records([match], league)[0].is_disputed
    assert table(league).records[match.home_id].provisional == 1
    settle = address("team_match_settle", league, match.public_id)
    organiser.post(settle, {"card": "stands", "reason": "Two sheets agree"})
    assert match_records([match], league)[0].counts
    assert not away.get(page).context["may_object"]


def test_an_organiser_reads_on_the_match_who_was_borrowed(league, organiser):
    match = matches(league)[0]
    guest = players_of(league.teams.exclude(pk__in=[match.home_id, match.away_id]).first())[0]
    written(match, home=[*players_of(match.home)[:5], guest])
    page = organiser.get(address("team_match", league, match.public_id))
    assert page.context["borrowed"] == [f"Borrowed by {match.home.name}: {guest.name}."]


def test_a_card_without_another_one_is_decided_without_a_choice(league, organiser):
    match = written(matches(league)[0], side=0)
    actions.dispute_card(match, reason="Wrong", side=1, by=TEST, at=EIGHT)
    assert "radio" not in organiser.get(address("team_match", league, match.public_id)).text


def test_what_happened_to_a_disputed_card_stays_on_its_page_once_it_is_decided(league, organiser):
    match = disputed(league)
    page = address("team_match", league, match.public_id)
    actions.settle_dispute(match, None, reason="Both sheets agree", by=TEST, at=EIGHT)
    seen = organiser.get(page).text.partition("What happened to this card")[2]
    history = seen.partition("</details>")[0]
    assert re.findall(r"<strong>(.*?)</strong>", history) == [
        "Filled in match card",
        "Disputed match card",
        "Settled disputed card",
    ]
    assert "Reason: Both sheets agree" in squeezed(history)
    Club.objects.update(visibility="standings")
    assert "What happened to this card" not in Client().get(page).text
    undisputed = written(matches(league)[1])
    page = address("team_match", league, undisputed.public_id)
    assert "What happened to this card" not in organiser.get(page).text
