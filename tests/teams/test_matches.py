"""A match: cards at the wrong match or sent twice, deciding games, messages."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.languages import moment
from league.teams import actions
from league.teams.card import game_line_ups
from league.teams.led_teams import cards_for_captain
from league.teams.models import MatchMessage, TeamMatch
from league.teams.queries import fixtures_of, match_records
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_card, matches, scores_of, table, with_fixtures, written
from tests.teams.test_pages import address, captain, filled_in
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
ORGANISER = "Olive Organiser"
SAY = {"by": TEST, "at": EIGHT}


def return_match(match):
    found = TeamMatch.objects.get(league=match.league, home=match.away, away=match.home)
    found.league = match.league
    return found


def scores_by_pairs(match):
    return {
        (frozenset(game.home), frozenset(game.away)): tuple(game.game.score)
        for game in game_line_ups(match, match.league)
    }


def test_a_card_filled_in_for_the_return_match_is_moved_there_with_sides_changed(client):
    league = with_fixtures()
    match = matches(league)[0]
    right = return_match(match)
    scores = {key: (21, n) for n, key in enumerate(scores_of(league, 9))}
    written(match, scores=scores)
    before = scores_by_pairs(match)
    client.force_login(a_user(club=league.club))
    client.post(address("team_card_move", league, match.public_id), {"to": right.public_id})
    for a_match in (match, right):
        a_match.refresh_from_db()
        a_match.league = league
    assert match.is_untouched
    assert match_records([match], league)[0].is_to_come
    assert match_records([right], league)[0].met.won == (0, 9)
    page = client.get(reverse("audit", args=[league.club.slug]))
    moved = page.context["table"].rows[0].record  # not corrected, with all players “borrowed”
    assert (moved.action, moved.old, moved.new) == ("move match card", {"was": str(match)}, None)
    logged = [row.record.action for row in page.context["table"].rows]
    assert logged[1:3] == ["write match card", "make fixtures"]
    after = scores_by_pairs(right)
    assert after == {(away, home): score[::-1] for (home, away), score in before.items()}
    assert table(league).records[right.away_id].wins == 1
    written(match)  # the first may be filled in now


def test_a_match_whose_card_is_moved_away_has_its_own_day_again():
    league = with_fixtures()
    match = matches(league)[0]
    planned = match.held_on
    written(match, held_on=planned - timedelta(days=3))
    actions.move_card(match, return_match(match), **SAY)
    match.refresh_from_db()
    assert (match.held_on, match.first_date) == (planned, None)


def test_a_card_moves_only_to_an_open_match_of_the_same_teams():
    league = with_fixtures(pairs=1)
    match, other = matches(league)
    written(match)
    assert refusal(actions.move_card, match, other, **SAY) == "other-teams"
    back = return_match(match)
    written(back)
    assert refusal(actions.move_card, match, back, **SAY) == "card-known"
    assert refusal(actions.move_card, other, return_match(other), **SAY) == "no-card"


def test_a_captains_card_that_arrives_again_changes_nothing():
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    written(match, 5, side=0)
    actions.confirm_card(match, side=1, **SAY)
    revision = match.revision
    written(match, 5, side=0)
    match.refresh_from_db()
    assert match.revision == revision
    assert refusal(actions.write_card, match, a_card(match, 4), side=0, **SAY) == "confirmed"


def test_a_second_secretary_who_draws_sees_that_the_fixtures_are_made():
    league = with_fixtures()
    before = list(league.matches.values_list("pk", "home", "away"))
    with pytest.raises(Refused, match="already made"):
        actions.make_fixtures(league, seed=2, by=TEST)
    assert list(league.matches.values_list("pk", "home", "away")) == before


def a_drawn_cup_match():
    league = with_fixtures(2, pairs=2, turns=1)
    cup = actions.make_cup(
        league, name="Cup", third_place=False, seed=1, by=TEST, held_on=date(2026, 11, 19)
    )
    match = cup.matches.get()
    match.league = match.cup.league = league
    return written(match, 1)


def test_a_drawn_cup_match_is_decided_by_one_more_game(client):
    match = a_drawn_cup_match()
    league = match.league
    assert match_records([match], league)[0].met.drawn
    with pytest.raises(Refused, match="has a winner"):
        actions.decide_cup_match(match, home=21, away=21, by=TEST)
    client.force_login(a_user(club=league.club))
    page = address("team_match_decider", league, match.public_id)
    client.post(page, {"home": "15", "away": "21"})
    match.refresh_from_db()
    assert match_records([match], league)[0].met.winner == match.away_id
    shown = client.get(address("team_cup", league, match.cup.public_id))
    assert shown.context["champion"] == match.away.name
    assert not table(league).records[match.away_id].played


def test_a_league_match_has_no_deciding_game():
    match = written(matches(with_fixtures(2, pairs=2, turns=1))[0], 1)
    assert refusal(actions.decide_cup_match, match, home=21, away=3, by=TEST) == "not-drawn"


def test_a_match_is_put_off_until_the_leagues_limit_and_later_only_on_purpose():
    league = with_fixtures(fixture_rules={"rearranged": 14})
    match = matches(league)[0]
    days = sorted(fixture.match.held_on for fixture in fixtures_of(league))
    moved = {"venue": "", "reason": "Snow", "by": TEST}
    late = date(2026, 9, 18)
    assert late < days[-1]
    assert refusal(actions.move_match, match, held_on=date(2026, 9, 17), **moved) == "two-matches"
    assert refusal(actions.move_match, match, held_on=late, **moved) == "too-late"
    actions.move_match(match, held_on=late, anyway=True, **moved)
    final = matches(league, 6)[0]
    after_all = date.fromordinal(days[-1].toordinal() + 1)
    assert refusal(actions.move_match, final, held_on=after_all, **moved) == "too-late"


def test_messages_of_a_match_are_for_its_captains_and_the_organisers(client):
    league = with_fixtures()
    match = matches(league)[0]
    page = address("team_match", league, match.public_id)
    home = captain(league, match.home)
    home.post(address("team_match_message", league, match.public_id), {"text": "Bring a pack"})
    assert "Bring a pack" in home.get(page).content.decode()
    club = reverse("club", args=[league.club.slug])
    assert "Messages on matches" not in home.get(club).content.decode()
    other = captain(league, matches(league)[1].home)
    assert "Messages on matches" not in other.get(club).content.decode()
    badge = 'href="{}#match-messages">Messages on matches</a>'
    away = captain(league, match.away)
    assert badge.format(address("team_mine", league)) in away.get(club).content.decode()
    assert "Bring a pack" in away.get(address("team_mine", league)).content.decode()
    client.force_login(a_user(club=league.club))
    assert "Bring a pack" in client.get(page).content.decode()
    MatchMessage.objects.update(at=timezone.now() - timedelta(days=15))
    assert "Messages on matches" not in client.get(club).content.decode()
    assert "Bring a pack" not in other.get(page).content.decode()


def test_a_message_stays_in_sight_until_it_is_answered_and_never_for_who_wrote_it():
    league = with_fixtures(pairs=1)
    match = matches(league)[0]
    url, club = (
        address("team_match_message", league, match.public_id),
        reverse("club", args=[league.club.slug]),
    )
    home, away = captain(league, match.home), captain(league, match.away)
    mine = address("team_mine", league)

    def sees(reader):
        """Whether the club's page points to messages, and whether the captain's own has them."""
        return ["Messages on matches" in reader.get(page).content.decode() for page in (club, mine)]

    home.post(url, {"text": "Bring a pack"})
    assert (sees(home), sees(away)) == ([False, False], [True, True])
    away.post(url, {"text": "We will"})
    assert (sees(home), sees(away)) == ([True, True], [False, False])
    assert "Bring a pack" not in home.get(mine).content.decode()
    home.post(url, {"text": "Thanks"})
    assert (sees(home), sees(away)) == ([False, False], [True, True])
    written(match, held_on=match.held_on, at=timezone.now())  # it was about a match to come
    assert (sees(home), sees(away)) == ([False, False], [False, False])
    home.post(url, {"text": "Game 3 is wrong"})
    assert (sees(home), sees(away)) == ([False, False], [True, True])


def test_a_drawn_cup_match_says_everywhere_that_its_deciding_game_is_missing(client):
    match = a_drawn_cup_match()
    league = match.league
    client.force_login(a_user(club=league.club))
    cup_page = address("team_cup", league, match.cup.public_id)
    page = address("team_match", league, match.public_id)
    missing = "The match is tied: its deciding game is missing."
    assert missing in client.get(cup_page).content.decode()
    shown = client.get(page).content.decode()
    assert "deciding game missing" in shown
    assert shown.index("Deciding game</h2>") < shown.index("Messages</h2>")
    client.post(address("team_match_decider", league, match.public_id), {"home": 15, "away": 21})
    assert missing not in client.get(cup_page).content.decode()
    shown = client.get(page).content.decode()
    assert "deciding game missing" not in shown
    assert "Deciding game</h2>" not in shown
    assert (
        shown.index("in games") < shown.index("won the deciding game 21–15") < shown.index("Game 1")
    )
    assert "<summary>Deciding game</summary>" in shown  # to correct it


def test_a_match_page_says_who_filled_in_the_card_and_to_a_captain_who_won(client):
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    away, page = captain(league, match.away), address("team_match", league, match.public_id)
    written(match, 5, side=0)
    assert "You lost 4–5." in away.get(page).content.decode()
    assert "<h2>Games 7–9</h2>" in away.get(page).content.decode()
    actions.confirm_card(match, side=1, by=TEST, at=EIGHT)
    shown = away.get(page).content.decode()
    assert f"Filled in by Test of {match.home.name}." in shown
    assert "19 Nov" in shown
    assert "Confirmed by Test ·" in " ".join(shown.split())
    written(match, 4)  # an organiser fixes it
    shown = away.get(page).content.decode()
    assert "You won 5–4." in shown
    assert "Confirmed by" not in shown


def test_a_card_that_an_organiser_completes_before_it_counts_says_who_did_and_when(client):
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    organiser = a_user(club=league.club)
    client.force_login(organiser)
    match, other, *_more = matches(league)
    page = address("team_match", league, match.public_id)
    home = captain(league, match.home)
    home.post(address("team_card", league, match.public_id), filled_in(match, 5))
    assert "Corrected by" not in home.get(page).content.decode()
    client.post(address("team_card", league, match.public_id), filled_in(match, 6))
    shown = " ".join(home.get(page).content.decode().split())
    assert f"Filled in by {match.home.captain.name} of {match.home.name}. " in shown
    assert f"Corrected by {organiser} · {moment(timezone.now())[:6]}" in shown
    written(other, 5)
    page = address("team_match", league, other.public_id)
    assert "Filled in by Test, who runs the league" in client.get(page).content.decode()


def test_an_organiser_corrects_a_confirmed_card_with_a_reason_that_stays_on_its_match(client):
    league, match, captains = corrected_card(client)
    for reader in captains:
        page = reader.get(address("team_match", league, match.public_id)).text
        shown = " ".join(page.split())
        assert f"Filled in by {match.home.captain.name} of {match.home}." in shown
        filled, confirmed, corrected = (
            shown.index(text)
            for text in ("Filled in by", f"Confirmed by {match.away.captain.name}", "Corrected by")
        )
        assert filled < confirmed < corrected
        said = shown[corrected:].partition("</ul>")[0]
        assert said.startswith(f"Corrected by {ORGANISER} · {moment(timezone.now())[:6]}")
        assert "“The paper card says so”" in said
        assert "Game 5: <del>21–15</del> → <strong>20–22</strong>" in said
    match.refresh_from_db()
    assert match.written_by == match.home
    assert match_records([match], league)[0].counts


def test_the_page_of_a_corrected_game_says_what_the_organiser_changed(client):
    league, match, _captains = corrected_card(client)
    changed, other = (
        game.game for line in (5, 6) for game in [game_line_ups(match, league)[line - 1]]
    )
    page = client.get(reverse("game", args=[league.club.slug, changed.public_id])).text
    words = " ".join(page[page.index('class="words') :].partition("</ul>")[0].split())
    assert "15</s> <b>now 20 – 22</b> “The paper card says so”" in words
    assert ORGANISER in words
    page = client.get(reverse("game", args=[league.club.slug, other.public_id])).text
    assert "The paper card says so" not in page


def test_the_two_captains_read_for_a_week_that_their_card_was_corrected(client):
    league, match, captains = corrected_card(client)
    club = reverse("club", args=[league.club.slug])
    line = f"The card of {match} was corrected"
    pages = (club, address("team_mine", league))
    other = next(m for m in matches(league) if not {m.home, m.away} & {match.home, match.away})
    readers = (*captains, captain(league, other.home))
    for reader, reads in zip(readers, (True, True, False), strict=True):
        assert [line in reader.get(page).text for page in pages] == [reads, reads]
    captain_of_home = match.home.captain
    captain_of_home.refresh_from_db()
    later = timezone.now() + timedelta(days=8)
    assert not cards_for_captain(league.club, captain_of_home.user_id, at=later)


def corrected_card(client):
    """A league, a match whose card `client`, an organiser, corrected after both captains had agreed
    to it, and the clients of these captains."""
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    client.force_login(a_user(ORGANISER, club=league.club))
    match = matches(league)[0]
    home, away = captains = [captain(league, team) for team in (match.home, match.away)]
    card = address("team_card", league, match.public_id)
    home.post(card, filled_in(match, 5))
    away.post(address("team_match_confirm", league, match.public_id))
    changed = filled_in(match, 5, score2_2_home=20, score2_2_away=22)
    answer = client.post(card, changed)
    assert list(answer.context["form"].errors) == ["why"]
    assert client.post(card, changed | {"why": "The paper card says so"}).status_code == 302
    match.refresh_from_db()
    return league, match, captains


def test_a_decided_card_says_to_everyone_who_decided_it_and_when(client):
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    written(match, 5, side=0)
    actions.write_card(match, a_card(match, 4), side=1, by=TEST, at=EIGHT)
    page = address("team_match", league, match.public_id)
    copy, later = match.copies.get(), EIGHT + timedelta(hours=3)
    actions.settle_dispute(match, copy, reason="Photograph", by=TEST, at=later)
    client.force_login(a_user(club=league.club, rank="member"))
    for reader in (client, captain(league, match.home), captain(league, match.away)):
        shown = " ".join(reader.get(page).content.decode().split())
        assert f"Decided by Test · {moment(later)}" in shown
        assert "counts at once" not in shown
    actions.give_games(match, {0: "away"}, reason="Not registered", by=TEST, at=later)
    assert "Decided by Test" in client.get(page).content.decode()


def test_the_box_of_a_disputed_card_has_both_ways_to_decide_it(client):
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    written(match, 5, side=0)
    actions.dispute_card(match, reason="Game 2", side=1, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    shown = client.get(address("team_match", league, match.public_id)).content.decode()
    box = shown.partition('id="decide"')[2].partition("</form>")[0]
    assert 'type="hidden" name="card" value="stands"' in box
    assert box.count("Fix the card") == shown.count("Fix the card") == 1
