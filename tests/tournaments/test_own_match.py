"""A player's own match once it is over: won or lost, and what comes next."""

import re
from copy import deepcopy
from functools import partial
from html import unescape

import pytest
from django.urls import reverse

from league.pairing.formats.knockout import Kind
from league.play.actions import confirm_game
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.queries import entry_name
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.tournaments.playing import (
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    turn_round,
)
from tests.tournaments.test_undoing import corrected_before_the_final

pytestmark = pytest.mark.django_db


def a_knock_out():
    cup = of_pairs(4, "knockout")
    published(cup)
    return cup


@pytest.fixture
def read(client):
    """What the player of an entry reads first on the tournament's and on the session's page."""

    def read(cup, entry):
        member = entry.member
        if not member.user:
            member.user = a_user(f"user-{entry.pk}", club=cup.club, rank="member")
            member.save()
        client.force_login(member.user)
        hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
        night = client.get(reverse("session", args=[cup.club.slug, cup.session.public_id])).text
        return [
            text.partition(panel)[2].partition("</section>")[0].replace("\u2009", "")
            for text, panel in ((hub, "my-seat"), (night, "your-place"))
        ]

    read.client = client
    return read


def winner_and_loser(cup):
    """The entries of the first match of the latest round, and their score."""
    state = state_of(cup)
    match = state.last.matches[0]
    winner = next(key for p, key in match.sides.items() if match.won_by_now(p))
    loser = next(key for key in match.entries if key != winner)
    high, low = sorted(match.latest_score, reverse=True)
    return state.entries[winner], state.entries[loser], high, low


def test_nobody_reads_a_final_place_before_its_result_is_confirmed(read):
    cup = of_pairs(2, "knockout", club=a_club(confirm="opponent", auto_accept_minutes=None))
    published(cup)
    play_round(cup)
    text = " ".join(text for entry in cup.entries.all() for text in read(cup, entry))
    assert text.count("Your place is certain once the result is confirmed.") == 4
    assert not re.search("won the tournament|You finished", text)
    confirm_game(Table.objects.get(session=cup.session), by=TEST, at=EIGHT)
    text = " ".join(text for entry in cup.entries.all() for text in read(cup, entry))
    assert text.count("You have won the tournament.") == text.count("You finished 2nd.") == 2


def winner_of_none(cup):
    state = state_of(cup)
    return state.entries[state.last.matches[0].entries[0]]


def test_a_loser_who_plays_for_third_place_is_still_in(read):
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    winner, loser, *_score = winner_and_loser(cup)
    others = next(m for m in state_of(cup).last.matches if loser.pk not in m.entries)
    names = {unescape(str(entry_name(state_of(cup).entries[key], str))) for key in others.entries}
    for text in read(cup, loser):
        assert text.index("against\n") < text.index("You play for third place against ")
        assert any(f"third place against {name}." in unescape(text) for name in names)
    for text in read(cup, winner):
        assert any(f"You play {name} next." in unescape(text) for name in names)


def test_a_winner_reads_from_which_table_the_next_opponent_comes_as_before_the_match(read):
    cup = of_pairs(8, "knockout")
    published(cup)
    entry = state_of(cup).entries[(first := state_of(cup).last.matches[0]).sides[0]]
    before = re.search("the winner of table [2-4] next", read(cup, entry)[0])[0]
    decide = {"how": "walkover", "by": TEST, "at": EIGHT, "reason": "ill"}
    actions.decide_match(cup, match_of(first), 0, **decide)
    assert f"You play {before}." in read(cup, entry)[0]


def test_during_a_match_a_player_reads_the_seat_the_partner_and_the_way_to_enter_hands(read):
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    _winner, loser, *_score = winner_and_loser(cup)
    published(cup)
    hub, night = (" ".join(unescape(text).split()) for text in read(cup, loser))
    where = re.search(r"You: table \d, (North|East|South|West)", night)[0]
    assert where in hub
    assert f"Third place: with <b>{loser.partner}</b> against <b>" in hub
    assert "Enter hands: scan the table's card or type its code" in hub


def first_of_its_page(read, cup, entry):
    return unescape(read(cup, state_of(cup).entries[int(entry)])[0])


def test_before_the_match_a_player_of_a_bracket_reads_whom_the_winner_meets(read):
    cup = of_pairs(6, "knockout", third_place=True)
    published(cup)
    matches = bracket_of(state_of(cup)).matches
    semi = next(m for m in matches.values() if m.first and m.meeting.second.kind is Kind.WINNER)
    played = matches[semi.meeting.second.match]
    name = entry_name(state_of(cup).entries[int(semi.first)], str)
    assert f"If you win, you play {name} next." in first_of_its_page(read, cup, played.first)


def test_in_a_swiss_both_wait_until_its_last_round_is_over(read):
    cup = of_pairs(4, "swiss", rounds=2)
    for text in ("Wait for the next round.", "Your rounds are over."):
        published(cup)
        play_round(cup)
        _winner, loser, high, low = winner_and_loser(cup)
        assert all(f"You lost {low}–{high}" in page for page in read(cup, loser))
        assert all(text in page for page in read(cup, loser))


def test_a_closed_tournament_gives_the_place_and_promises_no_next_seat(read):
    cup = of_pairs(4, "knockout")
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    winner, loser, *_score = winner_and_loser(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    for entry, text in ((winner, "You have won the tournament."), (loser, "You finished 2nd.")):
        _hub, night = read(cup, entry)
        assert text in night
        assert "Your next seat" not in night
    cup.session.standings_held = True
    cup.session.save()
    _hub, night = read(cup, loser)
    assert "You finished" not in night
    assert "Your next seat" not in night


@pytest.mark.parametrize(("format", "count"), [("knockout", 3), ("swiss", 5)])
def test_a_pair_with_a_bye_reads_so_on_the_tournaments_page(read, format, count):
    cup = of_pairs(count, format, rounds=2)
    published(cup)
    state = state_of(cup)
    (bye,) = state.byes_of(state.last)
    hub, _night = read(cup, state.entries[bye])
    assert "You have a bye: you play in the next round." in hub
    hub, _night = read(cup, winner_of_none(cup))
    assert "bye" not in hub
    play_round(cup)
    hub, _night = read(cup, state.entries[bye])
    next_opponent = "You have a bye: you play " if format == "knockout" else "You have a bye: you"
    assert next_opponent in hub
    assert ("play in the next round" in hub) == (format == "swiss")


def test_a_bye_in_the_last_round_promises_no_further_match(read):
    cup = of_pairs(5, "swiss", rounds=1)
    published(cup)
    state = state_of(cup)
    (bye,) = state.byes_of(state.last)
    hub, _night = read(cup, state.entries[bye])
    assert "You have a bye in this round." in hub


def test_a_match_won_by_walk_over_has_no_score(read):
    cup = of_pairs(4, "knockout", games=3)
    published(cup)
    entry = winner_of_none(cup)
    match = state_of(cup).last.matches[0]
    actions.decide_match(cup, match_of(match), 0, how="walkover", by=TEST, at=EIGHT, reason="ill")
    hub, _night = read(cup, entry)
    assert "You won by walk-over" in hub


def test_before_the_draw_an_entered_player_reads_with_whom_and_what_comes_next(read, client):
    cup = of_pairs(2, "swiss")
    actions.offer_places(cup, 8, by=TEST)
    entry = cup.entries.select_related("member", "partner").first()
    hub, _night = read(cup, entry)
    assert f"You are entered: {entry.member} &amp; {entry.partner}" in hub
    assert "Your table is shown here when the organiser publishes the first round." in hub
    assert "partner yet" not in hub
    page = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "Enter someone else" in page
    assert "Enter online" not in page
    actions.part_partners(entry, by=TEST)
    assert "You have no partner yet" in read(cup, entry)[0]
    actions.drop_entry(entry, by=TEST)
    assert "You are entered" not in read(cup, entry)[0]


def test_the_live_part_of_the_page_has_the_state_and_the_buttons_too(client):
    cup = of_pairs(4, "swiss")
    actions.offer_places(cup, 8, by=TEST)
    client.force_login(a_user(club=cup.club, rank="member"))
    url = reverse("tournament", args=[cup.club.slug, cup.public_id])
    part = client.get(url, headers={"HX-Request": "true"}).text
    assert "Being set up" in part
    assert "Enter online" in part
    published(cup)
    part = client.get(url, headers={"HX-Request": "true"}).text
    assert "Being set up" not in part
    assert "Enter online" not in part


def test_a_player_finds_the_own_pair_in_the_bracket_and_a_seed_does_not_look_like_a_match(read):
    cup = of_pairs(3, "knockout")
    published(cup)
    entry = state_of(cup).entries[state_of(cup).last.byes[0]]
    entry.seed = 1
    entry.save()
    read(cup, entry)
    page = read.client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    bracket = page.partition("tree-places")[2]
    own = bracket.partition('mine"')[2].partition("</li>")[0]
    assert 'title="Seed 1"' in own
    assert "</span> (1)</span>" in own


def replayed_semi_final():
    """A knock-out of eight with a match for third place, in which a corrected quarter-final has
    one semi-final replayed; and the other semi-final, which stands."""
    cup = of_pairs(8, "knockout", third_place=True)
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    quarter = state_of(cup).published[0].matches[0]
    turn_round(Table.objects.get(pk=quarter.games[0].table))
    actions.follow_correction(cup, match_of(quarter), by=TEST, at=EIGHT)
    published(cup, seed=3)
    state = state_of(cup)
    (semi,) = (match for match in state.published[1].matches if not match.undone)
    assert len(state.last.matches) == 1
    return cup, semi


def test_who_waits_for_a_later_match_while_a_round_without_them_is_played_still_reads_so(read):
    cup, semi = replayed_semi_final()
    entries = state_of(cup).entries
    loser, winner = (entries[semi.sides[p]] for p in (1 - semi.first, semi.first))
    assert all("You play for third place." in text for text in read(cup, loser))
    assert all("You play the winner of table " in text for text in read(cup, winner))


def test_who_lost_by_a_result_corrected_during_the_next_round_waits_for_the_organiser(read):
    cup, semi = corrected_before_the_final()
    entries, wait = state_of(cup).entries, "A result was corrected: wait for the organiser."
    assert wait in read(cup, entries[semi.sides[1 - semi.first]])[0]
    for key in state_of(cup).last.entries:  # the final that the update undoes
        assert all(wait in page for page in read(cup, entries[key]))


@pytest.mark.parametrize(("format", "counts"), [("swiss", True), ("knockout", False)])
@pytest.mark.parametrize("rounds", [1, 2])
def test_only_a_bye_of_a_swiss_is_said_to_count_as_a_win(read, format, counts, rounds):
    cup = of_pairs(3, format, rounds=rounds)
    published(cup)
    state = state_of(cup)
    hub, _night = read(cup, state.entries[state.byes_of(state.last)[0]])
    assert "You have a bye" in hub
    assert ("The bye counts as a win." in hub) == counts


def test_before_a_semi_final_both_pages_say_that_the_loser_plays_for_third_place(read):
    cup = of_pairs(8, "knockout", third_place=True)
    published(cup)
    for text in read(cup, winner_of_none(cup)):
        assert "If you win, you play the winner of table" in unescape(text)
        assert "third place" not in text
    play_round(cup)
    published(cup, seed=2)
    semi = state_of(cup).last.matches[0]
    for text in read(cup, state_of(cup).entries[semi.entries[0]]):
        assert "If you win, you play the winner of table" in unescape(text)
        assert "If you lose, you play for third place." in text
    cup_of_4 = of_pairs(4, "knockout", club=cup.club)
    published(cup_of_4)
    assert "third place" not in read(cup_of_4, winner_of_none(cup_of_4))[0]


def test_a_place_is_read_as_soon_as_it_is_certain_but_not_while_standings_are_held_back(read):
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    play_round(cup, seed=2)
    bracket, entries = bracket_of(state_of(cup)), state_of(cup).entries
    places = {place: entries[int(key)] for key, place in bracket.places().items()}
    for place, text in {2: "2nd", 3: "3rd", 4: "4th"}.items():
        said = f"You have played your last match. You finished {text}."
        assert all(said in " ".join(page.split()) for page in read(cup, places[place]))
    assert all("You have won the tournament." in page for page in read(cup, places[1]))
    cup.session.standings_held = True
    cup.session.save()
    assert not any("You finished" in page for page in read(cup, places[3]))


@pytest.fixture(scope="class")
def knock_out(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, a_knock_out())


class TestAKnockOut:
    """A knock-out of four pairs, its semi-finals published."""

    def test_a_knock_out_says_who_won_who_waits_and_who_is_out(self, read, knock_out):
        cup = knock_out()
        assert all("You: table" in text for text in read(cup, winner_of_none(cup)))
        play_round(cup)
        winner, loser, high, low = winner_and_loser(cup)
        for text in read(cup, winner):
            assert f"You won {high}–{low}" in text
            assert "You play " in text
            assert "You: table" not in text
        for text in read(cup, loser):
            assert f"You lost {low}–{high}" in text
            assert "You have played your last match." in text
        published(cup)
        play_round(cup)
        winner, loser, *_score = winner_and_loser(cup)
        assert all("You have won the tournament." in text for text in read(cup, winner))
        assert all("You have played your last match." in text for text in read(cup, loser))

    def test_an_opponent_to_come_is_the_winner_of_a_table_and_after_the_final_there_is_none(
        self, read, knock_out
    ):
        cup = knock_out()
        one, other = state_of(cup).last.matches
        table = Table.objects.get(pk=other.games[0].table).number
        said = first_of_its_page(read, cup, one.entries[0])
        assert f"If you win, you play the winner of table {table} next." in said
        play_round(cup)
        published(cup, seed=2)
        assert "If you win" not in first_of_its_page(
            read, cup, state_of(cup).last.matches[0].entries[0]
        )

    def test_who_never_lost_in_a_bracket_closed_early_has_no_place_and_no_next_seat(
        self, read, knock_out
    ):
        cup = knock_out()
        play_round(cup)
        winner, *_rest = winner_and_loser(cup)
        actions.finish_tournament(cup, by=TEST, at=EIGHT)
        _hub, night = read(cup, winner)
        assert "You won" in night
        assert "You finished" not in night
        assert "Your next seat" not in night

    def test_while_the_bracket_does_not_follow_a_correction_no_player_of_it_reads_anything_final(
        self, read, knock_out
    ):
        cup = knock_out()
        play_round(cup)
        semi, other = state_of(cup).last.matches
        published(cup, seed=2)
        play_round(cup, seed=2)
        turn_round(Table.objects.get(pk=semi.games[0].table))
        wait = "A result was corrected: wait for the organiser."
        entries = state_of(cup).entries
        for key in (*semi.entries, other.sides[other.first]):
            for text in read(cup, entries[key]):
                assert wait in text
                assert "last match" not in text
                assert "You have won the tournament" not in text
        loser = entries[other.sides[1 - other.first]]
        assert all(wait not in text for text in read(cup, loser))
        actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
        assert all(wait not in text for text in read(cup, entries[semi.entries[0]]))

    def test_those_knocked_out_in_one_round_share_a_place(self, read, knock_out):
        cup = knock_out()
        play_round(cup)
        assert all("You share 3rd place." in page for page in read(cup, winner_and_loser(cup)[1]))
