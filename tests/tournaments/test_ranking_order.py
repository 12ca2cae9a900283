"""What a tournament's table ranks by is the organiser's choice, each measure told in a sentence."""

import pytest
from django.urls import reverse

from league.ranking.measures import MEASURES
from league.ranking.tie_breaks import WITHOUT_BYES
from league.standings.labels import LABELS
from league.tournaments import actions
from league.tournaments.forms import measures_offered
from league.tournaments.models import Stage, validate_parameters
from league.tournaments.parameters import FOR_EVERYBODY, StageOptions, invalid_options, options_json
from league.tournaments.standing import BY_FORMAT, RANKED, standing_of
from tests.builders import TEST, a_user
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, state_of


def test_all_that_a_table_can_rank_by_is_offered_but_lots():
    assert {*FOR_EVERYBODY, "lot"} == set(MEASURES)
    for format in RANKED:
        offered = measures_offered(format)
        assert {one.code for one in BY_FORMAT[format]} <= set(offered)
        assert all(str(LABELS[code].formula) for code in offered)


def test_only_measures_that_are_there_can_be_stored_each_once():
    assert invalid_options(options_json(StageOptions(ranking="won,points"))) == []
    for wrong in ("won,won", "lot", "won,", ",".join(FOR_EVERYBODY[:9])):
        assert invalid_options({"ranking": wrong}) == ["ranking"]
    validate_parameters(options_json(StageOptions(ranking="buchholz")))


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["progressive", "swiss", "groups"])
def test_standings_rank_by_what_was_chosen(client, format):
    pairs = format != "progressive"
    cup = of_pairs(6, format) if pairs else a_tournament(9, format)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_ranking", args=[cup.club.slug, cup.public_id])
    answer = client.post(url, {"by_1": "points", "by_3": "head_to_head", "by_4": "points"})
    assert "already in the list" in answer.content.decode()
    assert client.post(url, {"by_1": "points", "by_3": "head_to_head"}).status_code == 302
    standing = standing_of(state_of(cup))
    assert [one.code for one in standing.measures] == ["points", "head_to_head"]
    made = [line.values["points"] for line in standing.lines]
    assert made == sorted(made, reverse=True)
    assert client.get(reverse("tournament_standings", args=url_of(cup))).status_code == 200
    actions.choose_ranking(cup, [], by=TEST)
    usual = BY_FORMAT[Stage.Format(format)]
    no_byes = tuple(measure for measure in usual if measure is not WITHOUT_BYES)
    assert standing_of(state_of(cup)).measures == no_byes


def url_of(cup):
    return [cup.club.slug, cup.public_id]


@pytest.mark.django_db
def test_where_opponents_points_decide_the_reason_says_how_a_bye_counts(client):
    cup = of_pairs(5, "swiss", rounds=3)
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("tournament_standings", args=url_of(cup))).text
    assert "a bye counts as a win against a pair with your own match points" in page
    rule = page.partition("How ranking works")[2].partition("</details>")[0]
    assert "a bye, a walk-over or a round you missed counts as if you had met a pair" in rule
    assert "<strong>Match points</strong>. One for a match won" in rule
    assert "<strong>Points difference</strong>. Own points minus" in rule


@pytest.mark.django_db
@pytest.mark.parametrize(("pairs", "has_line"), [(6, False), (7, True)])
def test_under_a_swiss_a_line_says_how_a_bye_counts(client, pairs, has_line):
    cup = of_pairs(pairs, "swiss", rounds=3)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    line = "In the opponents&#x27; points, a bye counts as a win against a pair with your own"
    for name in ("tournament", "tournament_standings", "tournament_print"):
        page = client.get(reverse(name, args=url_of(cup))).text
        assert (f'<p class="soft small">{line}' in page) == has_line, name


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["swiss", "round_robin"])
def test_during_a_round_the_standings_of_a_swiss_say_when_its_bye_counts(client, format):
    cup = of_pairs(5, format)
    client.force_login(a_user(club=cup.club))
    published(cup)
    when = "A bye counts as a win once its round is over."
    page = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    assert (when in client.get(page).text) == (format == "swiss")
    play_round(cup)
    assert when not in client.get(page).text
