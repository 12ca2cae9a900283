"""The picture of a bracket: its places and lines, its numbers, its winners, its panels."""

import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from league.members.models import namer
from league.play.actions import abandon_game
from league.tournaments import actions
from league.tournaments.bracket_page import (
    BracketMatch,
    BracketPart,
    BracketRound,
    Slot,
    bracket_parts,
)
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.own_match import whats_next
from league.tournaments.round_sheets import round_sheet
from league.tournaments.standing import standing_of
from league.tournaments.tables import columns_of
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import write
from tests.tournaments.playing import (
    drawn,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
)
from tests.tournaments.test_knockout import play_out


def parts(cup):
    return bracket_parts(state_of(cup), namer([], cup.club, "member"))


def names_and_numbers(cup):
    return {m.number: [side.name for side in m.sides] for m in parts(cup)[0].rounds[0].matches}


@pytest.mark.django_db
def test_the_side_that_won_has_the_higher_score_and_goes_where_its_line_leads():
    cup = of_pairs(7, "knockout", consolation=True, third_place=True)
    play_out(cup)
    winners_go_where_their_lines_lead(cup)


def winners_go_where_their_lines_lead(cup):
    for part in parts(cup):
        for one, after in zip(part.rounds, part.rounds[1:], strict=False):
            for at, match in enumerate(slot.match for slot in one.slots):
                won = [side for side in match.sides if side.won] if match else []
                for side in won:
                    assert int(side.score) == max(int(both.score) for both in match.sides)
                    leads_to = after.slots[at * len(after.slots) // len(one.slots)].match
                    assert leads_to is None or side.name in [both.name for both in leads_to.sides]


@pytest.mark.django_db
def test_a_bye_is_named_in_the_first_round_with_its_seed():
    cup = of_pairs(3, "knockout")
    best = list(state_of(cup).entries.values())[1]
    actions.seed_entry(best, 1, by=TEST)
    published(cup)
    first, final = parts(cup)[0].rounds
    assert [slot.bye.seed for slot in first.slots if slot.bye] == [1]
    numbers = [slot.match.number if slot.match else slot.number for slot in first.slots]
    assert sorted(numbers) == [1, 2]  # a bye has its number too: none is missing
    assert first.leads == "pairs"
    assert [slot.fed for slot in final.slots] == [True]
    page = unescape(render_to_string("tournaments/_bracket.html", {"bracket": parts(cup)}))
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    assert table.count(first.slots[0].bye.name) == 3  # the bye, won, and in the final
    assert "<td>bye</td>" in table


def outline(cup):
    """Which places of the losers' bracket hold a match, a bye, a line; round by round."""
    (losers,) = [part for part in parts(cup) if part.code == "losers"]
    return [
        (one.title, [(bool(s.match), bool(s.bye), s.through, s.number) for s in one.slots])
        for one in losers.rounds
    ]


@pytest.mark.django_db
def test_the_losers_bracket_is_whole_from_the_first_day_and_stays_in_place():
    cup = of_pairs(6, "double")
    published(cup)
    before = outline(cup)
    play_round(cup)
    while not bracket_of(state_of(cup)).over:
        assert outline(cup) == before
        published(cup)
        play_round(cup)
    assert outline(cup) == before
    winners_go_where_their_lines_lead(cup)


@pytest.mark.django_db
def test_a_bye_in_the_losers_bracket_says_from_the_first_day_who_will_have_it():
    cup = of_pairs(7, "double")
    published(cup)
    (losers,) = [part for part in parts(cup) if part.code == "losers"]
    (bye,) = [slot.bye for slot in losers.rounds[0].slots if slot.bye]
    assert bye.name == "loser of match\N{NO-BREAK SPACE}2"
    assert bye.name in [side.name for match in losers.rounds[1].matches for side in match.sides]


@pytest.mark.django_db
def test_the_numbers_of_matches_stay_when_a_late_pair_takes_a_bye():
    cup = of_pairs(5, "knockout")
    published(cup)
    before = names_and_numbers(cup)
    final = parts(cup)[0].rounds[-1].matches[0].number
    one, other = members_of(cup.club, 12)[10:]
    actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    after = names_and_numbers(cup)
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
    assert parts(cup)[0].rounds[-1].matches[0].number == final


@pytest.mark.django_db
def test_no_number_is_missing_among_the_matches_of_a_double_knock_out():
    cup = of_pairs(6, "double")
    published(cup)
    slots = [slot for part in parts(cup) for one in part.rounds for slot in one.slots]
    numbers = [slot.match.number if slot.match else slot.number for slot in slots]
    assert sorted(filter(None, numbers)) == [*range(1, 14)]
    titles = {one.title for part in parts(cup) for one in part.rounds}
    assert titles == {"Stage 1", "Stage 2", "Stage 3", "Final", "Second final"}


@pytest.mark.django_db
def test_a_match_has_one_number_on_the_bracket_and_in_its_round():
    cup = of_pairs(6, "knockout")
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    rounds = parts(cup)[0].rounds
    for column, one in zip(rounds, state_of(cup).published, strict=False):
        assert [m.number for m in column.matches] == [m.number for m in one.matches]


def a_part(size, *, open_from):
    """A part of so many places in its first round, whose rounds from this one on are not over."""
    rounds = (
        BracketRound(
            str(number),
            tuple(
                Slot(BracketMatch(1, (), walkover=False, open=number >= open_from))
                for _ in range(size >> number)
            ),
            "pairs",
        )
        for number in range(size.bit_length())
    )
    return BracketPart("main", "Bracket", tuple(rounds))


@pytest.mark.parametrize(("open_from", "current"), [(0, 1), (2, 3), (9, 4)])
def test_a_bracket_opens_at_its_first_open_round_or_at_the_final(open_from, current):
    assert a_part(8, open_from=open_from).current == current


@pytest.mark.parametrize(
    ("size", "open_from", "columns"),
    [
        (4, 0, [[4, 2, 1]]),
        (16, 0, [[4, 2]] * 4),
        (16, 1, [[4, 2]] * 2),
        (16, 2, [[4, 2, 1]]),
        (16, 3, [[2, 1]]),  # the semi-finals: two columns have larger letters
        (16, 4, [[2, 1]]),
        (16, 9, [[2, 1]]),  # over
        (4, 2, [[4, 2, 1]]),  # the whole of a small cup
    ],
)
def test_panels_show_two_rounds_with_four_matches_a_column_and_the_final_beside_the_semi_finals(
    size, open_from, columns
):
    panels = a_part(size, open_from=open_from).panels(2, 4)
    assert [[len(one.slots) for one in panel.rounds] for panel in panels] == columns
    assert {panel.rounds[-1].leads for panel in panels} == {""}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("format", "pairs", "next_panels"),
    [("knockout", 5, 0), ("knockout", 9, 1), ("knockout", 17, 2), ("double", 9, 1)],
)
def test_of_a_first_round_that_is_mainly_byes_panels_show_the_match_and_then_the_next_round(
    format, pairs, next_panels
):
    cup = of_pairs(pairs, format)
    published(cup)
    first, second = parts(cup)[0].rounds[:2]
    playing, *rest = parts(cup)[0].panels(2, 4)
    assert playing.rounds[0].matches == first.matches
    assert [panel.rounds[0].title for panel in rest] == [second.title] * next_panels
    assert [match for panel in rest for match in panel.rounds[0].matches] == (
        second.matches if rest else []
    )


@pytest.mark.django_db
@pytest.mark.parametrize("pairs", [5, 6, 8, 9])
def test_the_last_panel_shows_the_final_from_the_first_round_on(pairs):
    cup = of_pairs(pairs, "knockout")
    published(cup)
    titles = [column.title for column in parts(cup)[0].panels(2, 4)[-1].rounds]
    assert titles[-2:] == ["Semi-finals", "Final"]


@pytest.mark.django_db
def test_a_game_that_was_called_off_leaves_no_score_beside_the_walk_over():
    cup = of_pairs(2, "knockout")
    published(cup)
    (table,) = tables(cup)
    write(table, (0, 5))
    abandon_game(table, reason="Power cut", by=TEST, at=EIGHT)
    match = state_of(cup).last.matches[0]
    given = {"how": "walkover", "reason": "They left.", "by": TEST, "at": EIGHT}
    actions.decide_match(cup, match_of(match), 0, **given)
    (drawn,) = parts(cup)[0].rounds[0].matches
    assert [side.score for side in drawn.sides] == ["", ""]
    state = state_of(cup)
    (sheet,) = round_sheet(state, state.last, str).matches
    assert [side.points for side in sheet.sides] == [None, None]


@pytest.mark.django_db
def test_the_match_for_third_place_is_headed_once():
    cup = of_pairs(4, "knockout", third_place=True)
    play_out(cup)
    page = render_to_string("tournaments/_bracket.html", {"bracket": parts(cup), "paper": True})
    headings = re.findall(r"<h\d>(.*?)</h\d>", page)
    assert headings == ["Bracket", "Semi-finals", "Final", "Third place"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("format", "heading"), [("knockout", "Matches won"), ("swiss", "Match points")]
)
def test_a_knock_out_counts_matches_won_for_byes_give_no_points(format, heading):
    state = state_of(of_pairs(4, format))
    assert columns_of(state, standing_of(state))[0].column == heading


@pytest.mark.django_db
def test_a_published_table_still_has_the_number_of_its_match(client):
    cup = of_pairs(4, "knockout", third_place=True)
    client.force_login(a_user(club=cup.club))
    for seed, numbers in ((1, ["1", "2"]), (2, ["3", "4"])):
        published(cup, seed=seed)
        hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
        heads = re.findall(r'match-head">\s*<span>(.*?)</span>', hub)
        assert sorted(re.search(r"Match (\d+)", head)[1] for head in heads) == numbers
        play_round(cup, seed=seed)


@pytest.mark.django_db
def test_a_sentence_that_ends_with_a_name_and_its_initial_has_one_full_stop():
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    for member in cup.club.members.all():
        member.name = f"{member.name} B."
        member.save()
    sentences = [whats_next(state_of(cup), entry, str) for entry in state_of(cup).entries]
    assert sum("You play for third place against " in text for text in sentences) == 2
    assert sum("B. next." in text for text in sentences) == 2
    assert not any("B.." in text for text in sentences)


@pytest.mark.django_db
def test_the_only_match_of_a_round_of_a_double_knock_out_is_named_too(client):
    """Its rounds go by numbers: nobody read that this one was the final."""
    cup = of_pairs(4, "double")
    client.force_login(a_user(club=cup.club))
    for seed in range(4):
        published(cup, seed)
        page = client.get(
            reverse("tournament", args=[cup.club.slug, cup.public_id])
        ).text.partition('id="round"')[2]
        if seed < 3:
            play_round(cup, seed)
    assert "· Final" in squeezed(page.partition("</section>")[0])


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["board", "wall"])
def test_pairs_that_play_on_in_a_later_round_of_a_double_knock_out_wait(client, page):
    cup = of_pairs(6, "double")
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    text = client.get(reverse(page, args=[cup.club.slug, cup.session.public_id])).text
    assert "Without a table" not in text
    assert "Waiting" in text


@pytest.mark.django_db
def test_the_second_final_has_that_name_on_the_draft_the_page_and_the_card(client):
    """Only the bracket said which of the two it was."""
    cup = of_pairs(3, "double")
    client.force_login(a_user(club=cup.club))
    while not state_of(cup).last or not state_of(cup).last.matches[0].place.startswith("F"):
        published(cup)
        play_round(cup)
    if bracket_of(state_of(cup)).over:
        turn_round(tables(cup).last())
    drawn(cup)
    draft = client.get(reverse("tournament_draw", args=[cup.club.slug, cup.public_id])).text
    assert "· Second final" in squeezed(draft)
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "· Second final" in squeezed(hub.partition('id="round"')[2].partition("</section>")[0])
    assert match_of(state_of(cup).last.matches[0]).title == "Second final"
