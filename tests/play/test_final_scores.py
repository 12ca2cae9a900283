"""A final score without its hands: what no game by the rules can end with is refused everywhere."""

import re
from random import Random

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.presets import offered
from league.play.actions import dispute_game, write_totals
from league.play.final_scores import possible_winners, score_faults, winners_of_totals
from league.play.forms import TotalsForm
from league.play.views.final_scores import field_name
from scoring import play_game, ruleset
from scoring.playouts import random_game
from tests.builders import EIGHT, TEST, a_game_table, a_table, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import write

FOUR, THREE = "standard-four-handed", "nanaimo-three-handed"


def wrong(preset, *totals, **options):
    return [side for side, _sentence in score_faults(ruleset(preset, options), totals)]


@pytest.mark.parametrize(
    ("preset", "totals", "sides"),
    [
        (FOUR, (10, 7), []),
        (FOUR, (13, 9), []),  # 9, and a lone march
        (FOUR, (14, 9), [0]),
        (FOUR, (99, 0), [0]),
        (FOUR, (10, 10), [0]),
        (FOUR, (12, 11), [1]),
        (FOUR, (7, 7), []),  # time
        (FOUR, (10, -99), [1]),
        (THREE, (11, 10, 3), []),  # both defenders of a euchre
        (THREE, (10, 10, 3), [0]),  # a tie, played on
        ("keller-1887-three-handed", (5, 5, 1), []),  # who win together
        ("keller-1887-three-handed", (6, 5, 5), [1]),
        ("bid-barrie", (60, 54), []),  # only a bid that is made wins
        ("bid-barrie", (200, 54), [0]),
        ("five-hundred-four", (500, 30), []),
        ("five-hundred-four", (501, 3), [0, 1]),  # all is paid by tens
        ("five-hundred-three", (520, -110, 36), [2]),
    ],
)
def test_the_sides_that_cannot_have_their_points_are_named(preset, totals, sides):
    assert wrong(preset, *totals) == sides


@pytest.mark.parametrize(
    ("preset", "totals", "seats"),
    [
        ("keller-1887-three-handed", (6, 5, 2), [0, 1]),  # whatever their scores [001:25]
        ("keller-1887-three-handed", (3, 3, 1), [0, 1]),  # drawn at time
        (THREE, (11, 10, 3), [0]),
        (FOUR, (10, 7), [0, 2]),
    ],
)
def test_who_won_follows_from_a_final_score_alone(preset, totals, seats):
    assert winners_of_totals(ruleset(preset), totals) == seats


def test_a_club_that_keeps_nobody_below_nothing_has_no_score_below_it():
    assert wrong(FOUR, 10, -1, score_floor=0) == [1]


def test_a_score_below_nothing_takes_a_penalty_that_the_rules_can_deduct():
    assert wrong(FOUR, 10, -1) == []
    assert wrong(FOUR, 10, -1, renege_form="deduct") == []
    assert wrong(FOUR, 10, -1, renege_form="add") == [1]


def test_five_hundred_with_penalties_by_ones_has_scores_by_ones():
    assert wrong("five-hundred-four", 501, 3, table_talk_points=1) == []
    assert wrong("five-hundred-four", 502, 4, revoke_500="off") == []


def test_a_game_of_a_number_of_hands_ends_with_what_they_can_pay():
    assert wrong(FOUR, 32, 0, hands=8) == []
    assert wrong(FOUR, 33, 0, hands=8) == [0]


@pytest.mark.parametrize("preset", offered())
def test_every_game_that_can_be_played_has_a_score_that_can_be(preset):
    rules = ruleset(preset)
    for seed in range(2):
        state = play_game(rules, random_game(rules, seed=Random(f"{preset}{seed}").randrange(99)))
        assert list(score_faults(rules, state.score)) == []
        if rules.target is not None:
            won = sorted({seat % len(rules.sides) for seat in state.winners})
            assert won in possible_winners(rules, state.score)


@pytest.mark.django_db
@pytest.mark.parametrize("totals", [(99, 0), (10, 10), (12, 11)])
def test_a_table_that_writes_scores_alone_cannot_write_one_that_cannot_be(totals):
    table = a_game_table()
    type(table).objects.update(totals_only=True)
    table.refresh_from_db()
    with pytest.raises(Refused) as refused:
        write_totals(table, totals, by=TEST, at=EIGHT)
    assert refused.value.code == "bad-totals"
    assert refused.value.fields
    write_totals(table, (10, 7), by=TEST, at=EIGHT)


def test_what_is_no_number_is_refused_with_what_to_enter():
    form = TotalsForm(sides=["Rose", "Ann"], sent={"total0": "ten", "total1": ""})
    assert form.errors["total0"] == ["Enter a whole number, like 10."]
    assert form.errors["total1"] == ["Fill this in."]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "score", "keys"),
    [("five-hundred-four", (500, -120), "text"), (FOUR, (10, 7), "numeric")],
)
def test_a_phone_has_a_minus_where_a_final_score_can_be_below_zero(client, preset, score, keys):
    table = a_game_table(preset)
    night, rules = table.session, table.ruleset
    club = night.club
    a_table(night, members_of(club, 8)[4:], rules)
    write_totals(table, score, no_hands=True, by=TEST, at=EIGHT)
    client.force_login(a_user(club=club))
    typed = client.get(reverse("final_scores", args=[club.slug, night.public_id])).text
    decided = client.get(reverse("game", args=[club.slug, table.games.get().public_id])).text
    assert typed.count(f'inputmode="{keys}"') == decided.count(f'inputmode="{keys}"') == 2


@pytest.mark.django_db
def test_an_organiser_who_corrects_a_final_score_only_types_another(client):
    table = a_game_table()
    write_totals(table, [10, 7], no_hands=True, by=TEST, at=EIGHT)
    club, game = table.session.club, table.games.get()
    client.force_login(a_user(club=club))
    page = client.get(reverse("game", args=[club.slug, game.public_id])).text
    assert "The hands stay on the sheet" not in page
    seen = dict(re.findall(r'name="(initial-total\d)" value="(\d+)"', page))
    sent = seen | {"total0": "10", "total1": "8", "reason": "misread"}
    client.post(reverse("settle_game", args=[club.slug, game.public_id]), sent)
    game.refresh_from_db()
    assert game.totals == [10, 8]


@pytest.mark.django_db
def test_a_decision_for_a_score_below_the_target_asks_whether_the_game_ended_early(client):
    table = a_game_table()
    write_totals(table, [10, 9], no_hands=True, by=TEST, at=EIGHT)
    game = dispute_game(table, reason="Misread", seat=1, counted=True, by=TEST, at=EIGHT)
    client.force_login(a_user(club=table.session.club))
    settle = reverse("settle_game", args=[table.session.club.slug, game.public_id])
    sent = {"decision": "score", "total0": "9", "total1": "9", "reason": "Counted again"}
    page = client.post(settle, sent).text
    assert "Nobody has reached 10. Did this game end early?" in page
    assert 'name="sure"' in page
    game.refresh_from_db()
    assert game.totals == [10, 9]
    client.post(settle, sent | {"sure": "on"})
    game.refresh_from_db()
    assert game.totals == [9, 9]
    client.post(settle, sent | {"total0": "8"})  # that it ended early is known by now
    game.refresh_from_db()
    assert game.totals == [8, 9]


@pytest.mark.django_db
def test_final_scores_are_typed_a_line_a_table_and_only_the_wrong_come_back(client):
    table = a_game_table()
    write(table, (0, 5))
    night, rules = table.session, table.ruleset
    club = night.club
    others = [a_table(night, members_of(club, 12)[start : start + 4], rules) for start in (4, 8)]
    client.force_login(a_user(club=club, rank="scorekeeper"))
    page = reverse("final_scores", args=[club.slug, night.public_id])
    assert [line.table for line in client.get(page).context["lines"]] == others
    good, bad = ([field_name(one, side) for side in (0, 1)] for one in others)
    answer = client.post(page, {good[0]: "10", good[1]: "6", bad[0]: "10", bad[1]: "10"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Saved 1 final score." in text
    assert text.count("only one side can reach 10") == 2  # at its line, and at the top
    assert "One thing to fix" in text
    assert f'<a href="#{bad[0]}">Table' in text
    assert text.count('aria-invalid="true"') == 1  # one score is wrong, and not the whole line
    assert others[0].games.get().score == [10, 6]
    assert not others[1].games.exists()
    assert client.post(page, {bad[0]: "10", bad[1]: "9"}).status_code == 302
    assert others[1].games.get().score == [10, 9]


@pytest.mark.django_db
@pytest.mark.parametrize(("rank", "may_correct"), [("organiser", True), ("scorekeeper", False)])
def test_a_saved_final_score_stays_on_the_page_and_leads_to_its_correction(
    client, rank, may_correct
):
    table = a_game_table()
    club, night = table.session.club, table.session
    client.force_login(a_user(club=club, rank=rank))
    page = reverse("final_scores", args=[club.slug, night.public_id])
    fields = [field_name(table, side) for side in (0, 1)]
    answer = client.post(page, {fields[0]: "10", fields[1]: "4"}, follow=True).text
    saved = answer.partition('id="saved"')[2].partition("</section>")[0]
    assert "10 – 4" in saved
    game = table.games.get()
    address = reverse("game", args=[club.slug, game.public_id])
    link = f"{address}?then=final_scores#decide"
    assert (link in saved) is may_correct
    for name, more in (("tables_to_enter", ()), ("table_desk", (table.public_id,))):
        listed = client.get(reverse(name, args=[club.slug, night.public_id, *more])).text
        assert ("Correct the score" in listed) is may_correct
        assert "Hand by hand" not in listed
        assert "Score sheet" not in listed
    if may_correct:
        assert "<details" in client.get(f"{address}?then=final_scores").text
        sent = {"decision": "score", "total0": "10", "total1": "6", "reason": "Misread"}
        settle = reverse("settle_game", args=[club.slug, game.public_id])
        back = client.post(settle, sent | {"then": "final_scores"})
        assert back.url == page
        assert "10 – 6" in client.get(page).text


@pytest.mark.django_db
def test_a_table_whose_phone_went_dead_is_listed_there_to_be_ended_with_its_final_score(client):
    table = a_game_table()
    write(table, (0, 5))
    club, night, game = table.session.club, table.session, table.games.get()
    at = [club.slug, night.public_id]
    client.force_login(a_user(club=club))
    listed = client.get(reverse("final_scores", args=at)).text.partition('id="by-hand"')[2]
    decides = f"{reverse('game', args=[club.slug, game.public_id])}?then=final_scores#decide"
    assert f'href="{decides}"' in listed
    sent = {"decision": "score", "total0": "10", "total1": "6", "reason": "From a slip"}
    settle = reverse("settle_game", args=[club.slug, game.public_id])
    client.post(settle, sent | {"then": "final_scores"})
    game.refresh_from_db()
    assert (game.score, game.state) == ([10, 6], "confirmed")
    client.force_login(a_user("sam", club=club, rank="scorekeeper"))
    assert decides not in client.get(reverse("final_scores", args=at)).text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "sentence"), [(FOUR, "for each side."), (THREE, "for each player.")]
)
def test_a_score_left_out_is_missed_for_a_side_or_for_a_player(client, preset, sentence):
    table = a_game_table(preset)
    club = table.session.club
    client.force_login(a_user(club=club))
    page = reverse("final_scores", args=[club.slug, table.session.public_id])
    answer = client.post(page, {field_name(table, 0): "10"}).text
    assert f"Write a score {sentence}" in answer


@pytest.mark.django_db
def test_the_printed_standings_say_of_how_many_games_the_hands_are(client):
    table = a_game_table()
    night, members = table.session, members_of(table.session.club, 8)[4:]
    write(table, *[(0, 5)] * 5)
    other = a_table(night, members, table.ruleset)
    write_totals(other, [10, 4], no_hands=True, by=TEST, at=EIGHT)
    client.force_login(a_user(club=night.club))
    sheet = client.get(reverse("print_standings", args=[night.club.slug, night.public_id])).text
    assert "2 games · 5 hands in 1 game" in squeezed(sheet)


@pytest.mark.django_db
@pytest.mark.parametrize(("rank", "may_correct"), [("organiser", True), ("scorekeeper", False)])
def test_a_score_that_another_helper_has_entered_differently_is_not_lost_silently(
    client, rank, may_correct
):
    table = a_game_table()
    club = table.session.club
    client.force_login(a_user(club=club, rank=rank))
    page = reverse("final_scores", args=[club.slug, table.session.public_id])
    fields = [field_name(table, side) for side in (0, 1)]
    client.post(page, dict(zip(fields, ("10", "6"), strict=True)))
    answer = client.post(page, dict(zip(fields, ("6", "10"), strict=True)))
    warning = squeezed(answer.text)
    assert f"Table {table.number} already has 10 – 6; your 6 – 10 was not saved." in warning
    link = reverse("game", args=[club.slug, table.games.get().public_id])
    assert (f"{link}?then=final_scores#decide" in warning.partition('id="saved"')[0]) is may_correct
    assert table.games.get().totals == [10, 6]
    assert client.post(page, dict(zip(fields, ("10", "6"), strict=True))).status_code == 302


@pytest.mark.django_db
def test_two_final_scores_at_the_same_moment_do_not_replace_each_other():
    table = a_game_table()
    entry = {"no_hands": True, "replaces": False, "by": TEST, "at": EIGHT}
    write_totals(table, [10, 6], **entry)
    with pytest.raises(Refused) as refused:
        write_totals(table, [6, 10], **entry)
    assert refused.value.code == "score-there"
    assert table.games.get().totals == [10, 6]
