"""The club's pages about games: the score sheet for everybody, decisions for organisers alone."""

import re

import pytest
from django.urls import reverse

from league.play.actions import (
    abandon_game,
    call_time,
    correct_hand,
    dispute_game,
    note_misdeal,
    record_hand,
    rule_penalty,
    settle_game,
    strike_hand,
    undo_last_hand,
    write_totals,
)
from league.play.game_log import open_game_log
from league.play.models import Game
from league.play.queries import hand_summary
from league.seating.actions import substitute
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_club, a_game_table, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db
BY = {"by": TEST, "at": EIGHT}
SETTLED = {"decision": "stands", "reason": "counted again"}


@pytest.fixture
def table():
    table = a_game_table()
    write(table, (0, 5), (1, 3), (0, 3))
    return table


@pytest.fixture
def club(table):
    return table.session.club


def game_url(name="game", *args):
    game = Game.objects.get()
    return reverse(name, args=[game.session.club.slug, game.public_id, *args])


def read(client, club, rank="member"):
    client.force_login(a_user(f"a-{rank}", club=club, rank=rank))
    return client.get(game_url()).content.decode()


def test_the_sheet_tells_every_hand_with_its_score(client, club):
    page = read(client, club)
    assert "Rose: march" in page
    assert "Ann: made, 3 tricks" in page
    assert "Ann &amp; Bill +1" in page


def test_hand_records_are_offered_only_where_hands_were_entered(client, table, club):
    assert "Hand records" in read(client, club)
    Game.objects.all().delete()
    write_totals(table, [10, 1], no_hands=True, **BY)
    page = read(client, club, "organiser")
    assert ("Hand records" in page, "Files" in page) == (False, True)


def test_a_hand_entered_again_after_an_undo_is_not_said_to_be_changed(client, table, club):
    undo_last_hand(table, number=3, version=1, **BY)
    record_hand(table, made(2, 5, 2), client_id="again-001", **BY)
    page = read(client, club)
    assert "changed by" not in page
    assert "<s>Hand 3: Rose: made, 3 tricks</s>" in page


def test_tables_still_playing_are_listed_with_their_players(client, table, club):
    client.force_login(a_user("olga", club=club))
    for name in ("tables_to_enter", "disputes"):
        page = client.get(reverse(name, args=[club.slug, table.session.public_id]))
        assert "Rose &amp; Ted – Ann &amp; Bill" in page.content.decode()


def test_the_sheet_keeps_what_was_corrected_struck_and_taken_back(client, table, club):
    said = BY | {"expected_version": 1, "reason": "Bill counted"}
    correct_hand(table, 1, made(0, 3), client_id="correct-1", **said)
    strike_hand(table, 2, client_id="strike-01", **said)
    undo_last_hand(table, number=3, version=1, **BY)
    page = read(client, club)
    assert "<s>Rose: march</s>" in page
    assert "Bill counted" in page
    assert "<b>Deleted</b>" in page
    assert "<s>Hand 3: Rose: made, 3 tricks</s>" in page


def test_the_sheet_shows_rulings_misdeals_and_who_stood_in(client, table, club):
    kit = members_of(club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    rule_penalty(table, by_seat=1, form="deduct", client_id="renege-01", **BY)
    note_misdeal(table, client_id="misdeal-1", **BY)
    substitute(table, 2, kit, by=TEST)
    page = read(client, club)
    assert "Renege by Ann" in page
    assert "Ann &amp; Bill −2" in page
    assert "Misdeal" in page
    assert "Kit plays for Ted from here" in page


def test_a_hand_in_words_names_who_sat_there_and_not_who_came_after(table):
    before = [hand_summary(open_game_log(table), number).text for number in (1, 2, 3)]
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    for position in range(4):
        if before[-1].startswith(table.seats.get(position=position, until_hand=None).member.name):
            substitute(table, position, kit, by=TEST)
            break
    log = open_game_log(table)
    assert [hand_summary(log, number).text for number in (1, 2, 3)] == before


def test_the_sheet_shows_every_card_where_it_was_recorded(client, table, club):
    cards = {"tricks": [{"cards": ["Ah", "9h", "Th", "Kh"], "leader": 0}]}
    game = Game.objects.get()
    hand = game.hands.get(number=1)
    hand.record |= cards
    hand.save()
    page = read(client, club)
    assert page.count('class="playing-card') >= 4


def test_the_public_reads_names_as_the_club_allows_and_no_reasons(client, table, club):
    club.visibility = "standings"
    club.save()
    rose = table.seats.get(position=0).member
    rose.name, rose.shown = "Rose Windermere", "hidden"
    rose.save()
    said = BY | {"expected_version": 1, "reason": "Rose Windermere slept"}
    correct_hand(table, 1, made(0, 3), client_id="correct-1", **said)
    page = client.get(game_url()).content.decode()
    assert "Rose" not in page
    assert "Windermere" not in page
    assert "Ann" in page


@pytest.mark.parametrize("rank", ["member", "scorekeeper"])
def test_only_organisers_decide(client, club, rank):
    page = read(client, club, rank)
    assert "Decide the result" not in page
    for name in ("settle_game", "confirm_result", "abandon_game", "adjust_score"):
        assert client.post(game_url(name), SETTLED).status_code == 403


def test_a_reason_for_points_stays_whatever_else_was_wrong(client, club):
    read(client, club, "organiser")
    answer = client.post(game_url("adjust_score"), {"reason": "Miscounted tricks"})
    assert answer.status_code == 422
    assert (
        'value="Miscounted tricks"' in answer.content.decode().split('id="adjust-reason"')[1][:90]
    )


def test_an_organiser_decides_and_gives_a_reason(client, club):
    assert "End the game and decide the result" in read(client, club, "organiser")
    silent = client.post(game_url("settle_game"), {"decision": "stands"})
    assert silent.status_code == 422
    form = silent.content.decode().split('id="decide"')[1]
    label, field = form.split('for="settle-reason"')[1].split("<input", 1)
    assert "Add a short reason." in label
    assert "required" not in field.split(">")[0]
    assert client.post(game_url("settle_game"), SETTLED).status_code == 302


def test_what_was_disputed_and_decided_stands_on_the_page_for_members_alone(client, table, club):
    club.confirm, club.time_zone = "opponent", "Asia/Tokyo"
    club.save()
    call_time(table, **BY)
    dispute_game(table, reason="We had eleven", seat=1, **BY)
    page = read(client, club, "member")
    assert "We had eleven" in page
    assert f"<small>Ann &amp; Bill · {TEST.label}" in page  # the side that disputes
    for _twice in range(2):
        settle_game(table, "stands", reason="Counted with both sides", **BY)
    page = client.get(game_url()).content.decode()
    assert (
        page.index("It was disputed") < page.index("We had eleven") < page.index("The score stands")
    )
    assert page.count("Counted with both sides") == 1
    assert f"{TEST.label}, 20 Nov, 5 a.m." in page  # the club's clock
    abandon_game(table, reason="The lights went out", **BY)
    assert "The lights went out" in client.get(game_url()).content.decode()
    client.logout()
    public = client.get(game_url()).content.decode()
    assert not any(said in public for said in ("eleven", "Counted", "lights"))


def test_a_dispute_that_a_correction_has_answered_is_no_alarm_any_more(client, table, club):
    club.confirm = "opponent"
    club.save()
    call_time(table, **BY)
    dispute_game(table, reason="We had eleven", **BY)
    assert "notice bad" in read(client, club, "member")
    Game.objects.update(state="playing")
    page = client.get(game_url()).content.decode()
    assert "It was disputed" in page
    assert "notice bad" not in page


def test_an_organiser_confirms_a_finished_game_by_one_press(client, table, club):
    club.confirm = "organiser"
    club.save()
    table.session.club.refresh_from_db()
    call_time(table, **BY)
    assert "Confirm this result" in read(client, club, "organiser")
    client.post(game_url("confirm_result"))
    assert Game.objects.get().state == "confirmed"


def test_an_organiser_of_another_club_finds_nothing(client, table, club):
    other = a_club("Elsewhere", "elsewhere")
    client.force_login(a_user("eve", club=other, rank="owner"))
    game = Game.objects.get()
    for slug in (club.slug, other.slug):
        for name in ("game", "settle_game", "abandon_game"):
            url = reverse(name, args=[slug, game.public_id])
            answer = client.get(url) if name == "game" else client.post(url, SETTLED)
            assert answer.status_code == 404


@pytest.mark.parametrize(
    ("rank", "enter", "unsettled"),
    [("member", 403, 403), ("scorekeeper", 200, 403), ("organiser", 200, 200)],
)
def test_the_evenings_lists_open_by_rank(client, table, club, rank, enter, unsettled):
    client.force_login(a_user(club=club, rank=rank))
    where = [club.slug, table.session.public_id]
    assert client.get(reverse("tables_to_enter", args=where)).status_code == enter
    assert client.get(reverse("disputes", args=where)).status_code == unsettled


def test_the_lists_show_tables_to_enter_and_games_to_settle(client, table, club):
    club.confirm = "organiser"
    club.save()
    client.force_login(a_user(club=club))
    where = [club.slug, table.session.public_id]
    assert "Enter table 1" in client.get(reverse("tables_to_enter", args=where)).content.decode()
    table.session.refresh_from_db()
    call_time(table, **BY)
    page = client.get(reverse("disputes", args=where)).content.decode()
    assert "<strong>1 game is waiting to be confirmed</strong>" in squeezed(page)
    assert "1 game is waiting to be confirmed. You can confirm it now or after closing." in page
    assert "1 game is unfinished" not in page
    assert "To confirm" in page


def test_each_unfinished_game_is_decided_on_the_way_to_closing_and_after_it(client, table, club):
    client.force_login(a_user(club=club))
    where = [club.slug, table.session.public_id]
    closing = reverse("disputes", args=where)
    page = client.get(closing).content.decode()
    assert "<strong>1 game is unfinished</strong>" in squeezed(page)
    assert "<h1>Close the session</h1>" in squeezed(client.get(f"{closing}?close=1").text)
    assert page.index('href="#close"') < page.index("Close it anyway")
    assert "Decide the result" not in page  # it is still being played
    assert re.search(r"Rose &amp; Ted – Ann &amp; Bill</span>\s*<span class=\"score\">", page)
    client.post(reverse("session_close", args=where))
    page = client.get(closing).content.decode()
    assert "Enter table 1" not in page
    assert f'href="{game_url()}?then=disputes#decide"' in page
    decide = client.get(game_url(), {"then": "disputes"}).content.decode()
    assert 'value="play_on"' not in decide  # nobody can enter hands any more
    answer = client.post(game_url("settle_game"), SETTLED | {"then": "disputes"})
    assert answer.url == closing
    closed = client.get(closing).content.decode()
    assert "Every game is finished" in closed
    assert "Table 1 · Rose &amp; Ted won" in closed


def test_the_decision_comes_before_the_sheet_and_refused_keeps_what_was_typed(client, table, club):
    club.confirm = "opponent"
    club.save()
    table.session.club.refresh_from_db()
    call_time(table, **BY)
    dispute_game(table, reason="We had eleven", **BY)
    page = read(client, club, "organiser")
    assert page.index("Another final score") < page.index("Score sheet, hand by hand")
    assert page.index('id="decide"') < page.index("We had eleven") < page.index("What counts?")
    assert "in the score sheet below" in page
    sent = {"decision": "score", "total0": "99", "total1": "1", "reason": "their sheet"}
    refused = client.post(game_url("settle_game"), sent)
    assert refused.status_code == 422
    page = squeezed(refused.content.decode())
    assert 'value="score" checked' in page
    assert 'value="their sheet"' in page
    assert 'value="99"' in page
    client.post(game_url("settle_game"), sent | {"total0": "5"})
    assert Game.objects.get().score == [5, 1]
    page = client.get(game_url()).content.decode()
    assert "<s>3 – 1</s> <b>now 5 – 1</b>" in page
    assert page.index("Correct the score</summary>") < page.index(">Save the result</button>")
    assert "in the score sheet, and the score follows" in page  # it is above, nothing is disputed
    assert "the dispute is settled" not in page


def test_a_hand_is_corrected_and_struck_on_its_page(client, table, club):
    client.force_login(a_user(club=club))
    url = reverse("table_correct", args=[table.public_id, 1])
    page = squeezed(client.get(url).content.decode())
    assert 'value="0" id="maker-0" checked' in page
    sent = {
        "client_id": "correct-9",
        "number": 1,
        "version": 1,
        "dealer": 0,
        "maker": 0,
        "tricks": 3,
        "reason": "miscounted",
    }
    silent = client.post(url, sent | {"reason": "", "auction": "name hearts"})
    assert silent.status_code == 422
    assert set(silent.context["refused"].fields) >= {"reason", "auction"}  # all faults at once
    same = client.post(url, sent | {"tricks": 5, "reason": ""}, follow=True)
    assert "Nothing was changed in hand 1." in same.content.decode()
    assert not Game.objects.get().hands.filter(version__gt=1)
    assert client.post(url, sent).url == game_url()
    assert Game.objects.get().score == [2, 1]
    struck = {"client_id": "strike-09", "version": 2, "reason": "never played"}
    client.post(reverse("table_strike", args=[table.public_id, 1]), struck)
    assert Game.objects.get().score == [1, 1]


def test_a_stale_correction_shows_both_and_keeps_what_was_typed(client, table, club):
    client.force_login(a_user(club=club))
    said = BY | {"expected_version": 1, "reason": "Bill counted"}
    correct_hand(table, 1, made(0, 3), client_id="correct-1", **said)
    sent = {
        "client_id": "correct-9",
        "number": 1,
        "version": 1,
        "dealer": 0,
        "maker": 0,
        "tricks": 2,
        "reason": "I say two",
    }
    answer = client.post(reverse("table_correct", args=[table.public_id, 1]), sent)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "was changed by Test since you looked" in page
    assert "I say two" in page


def test_a_hand_of_two_ruled_reneges_is_not_corrected_on_a_page_that_shows_one(client, table, club):
    """The second would be dropped in silence, and its points with it."""
    client.force_login(a_user(club=club))
    twice = [{"kind": "renege", "by": seat, "form": "add"} for seat in (0, 1)]
    said = BY | {"expected_version": 1, "reason": "both reneged"}
    correct_hand(table, 1, made(0, 3, penalties=twice), client_id="correct-1", **said)
    before = Game.objects.get().score
    sent = {"client_id": "correct-9", "number": 1, "version": 2, "reason": "trump was hearts"}
    sent |= {"dealer": 0, "maker": 0, "tricks": 3, "trump": "h", "renege_by": 1}
    sent["renege_form"] = "add"
    answer = client.post(reverse("table_correct", args=[table.public_id, 1]), sent)
    assert answer.status_code == 409
    assert "This hand has more than one renege" in answer.content.decode()
    assert Game.objects.get().score == before


def test_a_game_of_singles_puts_each_name_at_its_score(client):
    """Five scores in one line ran out of a phone's side."""
    table = a_game_table("bid-hoosier-five-player", players=5)
    record = {"dealer": 4, "contract": {"seat": 0, "tricks": 4}, "tricks_won": [4, 3, 2, 1, 0]}
    record_hand(table, record, client_id="a-hand-0001", **BY)
    club = table.session.club
    client.force_login(a_user(club=club))
    game = open_game_log(table).game
    answer = client.get(reverse("game", args=[club.slug, game.public_id]))
    page = squeezed(answer.content.decode())
    assert "<dt>Rose</dt><dd>4</dd>" in page
    assert "sheet many" in page


def test_a_decision_not_to_count_a_game_reads_so_after_a_later_one(client, table, club):
    abandon_game(table, reason="fire alarm", **BY)
    settle_game(table, "stands", reason="played on", **BY)
    client.force_login(a_user(club=club))
    assert "<b>Not played</b>" in client.get(game_url()).text
