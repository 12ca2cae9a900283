"""Entering: once each, alone or as a pair; two rows of one person; partners picked and parted."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.actions import merge_members
from league.sessions.attendance import rest
from league.tournaments import actions
from league.tournaments.draws.groups import groups_of
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Stage
from league.tournaments.stage_state import OF_PAIRS
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_club, a_user, members_of
from tests.tournaments.playing import a_tournament, drawn, of_pairs, play_round, published, state_of
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def test_nobody_enters_twice_alone_or_as_a_partner():
    cup = a_tournament(4, "swiss", entered=False)
    one, other, third, _fourth = members_of(cup.club, 8)[4:]
    actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    assert refusal(actions.enter, cup, other, by=TEST, at=EIGHT) == "entered-already"
    order = {"partner": one, "by": TEST, "at": EIGHT}
    assert refusal(actions.enter, cup, third, **order) == "entered-already"


def test_who_enters_is_here_even_if_they_rested():
    cup = a_tournament(4, entered=False)
    attendance = cup.session.attendances.first()
    attendance.resting = True
    attendance.save()
    actions.enter(cup, attendance.member, by=TEST, at=EIGHT)
    attendance.refresh_from_db()
    assert not attendance.resting


def test_pairs_are_parted_and_joined_by_lot_before_play_and_not_after():
    cup = of_pairs(3, "swiss")
    entry = next(iter(state_of(cup).entries.values()))
    actions.part_partners(entry, by=TEST)
    assert len(state_of(cup).entries) == 4
    actions.draw_partners(cup, seed=2, by=TEST)
    assert len(state_of(cup).entries) == 3
    published(cup)
    assert refusal(actions.draw_partners, cup, seed=3, by=TEST) == "already-drawn"
    again = next(iter(state_of(cup).entries.values()))
    assert refusal(actions.drop_entry, again, by=TEST) == "already-drawn"


def test_two_rows_of_one_person_become_one_unless_both_entered():
    cup = a_tournament(4)
    one, other = (entry.member for entry in list(state_of(cup).entries.values())[:2])
    (spare,) = members_of(cup.club, 5)[4:]
    say = {"by": TEST, "at": EIGHT}
    assert refusal(merge_members, other, into=one, **say) == "entered-together"
    merge_members(one, into=spare, **say)
    assert spare.entries.get().tournament == cup


def test_who_comes_late_to_a_bracket_takes_the_bye_of_the_lowest_seed_that_has_one():
    cup = of_pairs(6, "knockout")
    published(cup)
    newcomers = members_of(cup.club, 18)[12:]
    byes = [state_of(cup).entries[key].number for key in state_of(cup).last.byes]
    for number in (0, 2):
        one, partner = newcomers[number : number + 2]
        made = actions.enter(cup, one, partner=partner, by=TEST, at=EIGHT)
        now = bracket_of(state_of(cup))
        giver = state_of(cup).entries[
            next(m.first for m in now.matches.values() if m.second == made.pk)
        ]
        assert giver.number == max(byes)
        byes.remove(giver.number)
    order = {"partner": newcomers[5], "by": TEST, "at": EIGHT}
    assert refusal(actions.enter, cup, newcomers[4], **order) == "no-place-left"
    for seed in range(2, 20):
        play_round(cup)
        if bracket_of(state_of(cup)).over:
            break
        published(cup, seed=seed)
    assert len({line.who for line in standing_of(state_of(cup)).lines}) == 8
    assert bracket_of(state_of(cup)).champion


def test_a_late_pair_does_not_take_the_bye_of_one_that_has_been_drawn_since():
    cup = of_pairs(5, "knockout")
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    one, other = members_of(cup.club, 12)[10:]
    order = {"partner": other, "by": TEST, "at": EIGHT}
    assert refusal(actions.enter, cup, one, **order) == "no-place-left"


def test_a_late_pair_takes_the_bye_of_an_odd_group_until_its_matches_are_drawn():
    cup = of_pairs(6, "groups")
    published(cup)
    play_round(cup)
    people = members_of(cup.club, 18)[12:]
    say = {"by": TEST, "at": EIGHT}
    before = [set(group) for group in groups_of(state_of(cup))]
    late = actions.enter(cup, people[0], partner=people[1], **say)
    now = [set(group) for group in groups_of(state_of(cup))]
    assert now == [before[0] | {late.pk}, before[1]]
    for seed in (2, 3):
        published(cup, seed=seed)
        play_round(cup)
        assert late.pk in {e for m in state_of(cup).last.matches for e in m.entries}
    order = {"partner": people[3], **say}
    assert refusal(actions.enter, cup, people[2], **order) == "groups-drawn"


def test_groups_in_which_everybody_has_somebody_to_meet_take_nobody():
    cup = of_pairs(8, "groups")
    published(cup)
    one, other = members_of(cup.club, 18)[16:]
    order = {"partner": other, "by": TEST, "at": EIGHT}
    assert refusal(actions.enter, cup, one, **order) == "groups-full"


def test_who_came_while_a_draw_was_looked_at_is_not_late_in_the_next_one():
    cup = of_pairs(3, "knockout")
    drawn(cup)
    one, other = members_of(cup.club, 8)[6:]
    actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    published(cup, seed=2)
    assert not any(entry.late for entry in state_of(cup).entries.values())
    assert len(state_of(cup).last.matches) == 2


@pytest.mark.parametrize("format", ["swiss", "progressive"])
def test_a_draft_names_who_has_entered_or_withdrawn_since_until_it_is_redrawn(client, format):
    is_of_pairs = format in OF_PAIRS
    cup = of_pairs(5, format) if is_of_pairs else a_tournament(8, format)
    published(cup)
    play_round(cup)
    drawn(cup)
    player, other = members_of(cup.club, 2)
    partner = other if is_of_pairs else None
    entry = actions.enter(cup, player, partner=partner, by=TEST, at=EIGHT)
    late = " &amp; ".join(member.name for member in entry.people)
    gone = state_of(cup).entries[state_of(cup).draft.matches[0].entries[0]]
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    names = " &amp; ".join(member.name for member in gone.people)
    client.force_login(a_user(club=cup.club))
    assert (
        "The draw has begun. Add latecomers" in client.get(address("tournament_entries", cup)).text
    )
    for name in ("tournament", "tournament_draw"):
        text = client.get(address(name, cup)).text
        assert f"Entered after this draw: {late}. Redraw to include them." in text
        assert f"Withdrawn since this draw: {names}. Redraw to leave them out." in text
    drawn(cup, seed=2)
    text = client.get(address("tournament_draw", cup)).text
    assert "this draw: " not in text


def test_the_draft_of_a_bracket_names_who_has_withdrawn_and_not_a_changed_result(client):
    cup = of_pairs(8, "knockout")
    client.force_login(a_user(club=cup.club))
    for end in ("Redraw to leave them out.", "No match is left to play: discard the draft."):
        published(cup)
        play_round(cup)
        drawn(cup)
        gone = state_of(cup).entries[state_of(cup).draft.matches[0].entries[0]]
        actions.withdraw_entry(gone, by=TEST, at=timezone.now())
        text = client.get(address("tournament_draw", cup)).text
        assert "Withdrawn since this draw: " in text
        assert end in text
        assert "A result has changed" not in text
        actions.return_entry(gone, by=TEST)


def test_seeds_and_partners_are_set_on_the_page(client):
    cup = of_pairs(3, "knockout")
    client.force_login(a_user(club=cup.club))
    entry = next(iter(state_of(cup).entries.values()))
    url = address("tournament_seed", cup, entry.pk)
    assert client.post(url, {"seed": "2"}).status_code == 302
    assert state_of(cup).entries[entry.pk].seed == 2
    answer = client.post(url, {"seed": "x"}, follow=True)
    assert "A seed is a number from 1." in answer.content.decode()
    url = address("tournament_enter", cup)
    answer = client.post(url, {"member": "nobody"})
    assert answer.status_code == 422


def test_more_entries_than_can_be_drawn_at_once_are_refused(monkeypatch):
    monkeypatch.setattr("league.tournaments.actions.entering.MOST_ENTRIES", 3)
    cup = a_tournament(4, "swiss", entered=False)
    say = {"by": TEST, "at": EIGHT}
    assert refusal(actions.enter_present, cup, **say) == "tournament-full"
    people = [one.member for one in cup.session.attendances.all()]
    for one in people[:3]:
        actions.enter(cup, one, **say)
    assert refusal(actions.enter, cup, people[3], **say) == "tournament-full"
    assert cup.entries.count() == 3


@pytest.mark.parametrize(("format", "most"), [("rotation", 64), ("swiss", 200)])
def test_a_format_that_is_drawn_slowly_takes_fewer(format, most, monkeypatch):
    monkeypatch.setattr("django.db.models.query.QuerySet.count", lambda rows: most)
    cup = a_tournament(4, format, entered=False)
    (person, *_others) = [one.member for one in cup.session.attendances.all()]
    assert refusal(actions.enter, cup, person, by=TEST, at=EIGHT) == "tournament-full"


def test_everybody_here_enters_at_once_in_few_statements(django_assert_max_num_queries):
    cup = a_tournament(40, entered=False)
    rest(cup.session, cup.session.attendances.first().member, by=TEST)
    with django_assert_max_num_queries(40 + 30):  # a line of the log each
        actions.enter_present(cup, by=TEST, at=EIGHT)
    assert cup.entries.count() == 40
    assert not cup.session.attendances.filter(resting=True).exists()


def test_partners_are_chosen_by_hand_beside_the_draw_and_the_page_says_who_has_none(client):
    cup = a_tournament(4, Stage.Format.KNOCKOUT)
    client.force_login(a_user(club=cup.club))
    entries = reverse("tournament_entries", args=[cup.club.slug, cup.public_id])
    page = client.get(entries).content.decode()
    assert "Make this pair" in page
    assert "Save seed" not in page
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).content.decode()
    assert "4 players have no partner yet" in hub
    one, other = (entry.pk for entry in cup.entries.order_by("pk")[1:3])
    pair_up = reverse("tournament_pair_up", args=[cup.club.slug, cup.public_id])
    client.post(pair_up, {"one": one, "other": one})
    assert cup.entries.count() == 4
    client.post(pair_up, {"one": other, "other": one})
    assert cup.entries.count() == 3
    assert cup.entries.exclude(partner=None).count() == 1


def test_without_a_session_the_tournaments_page_starts_tonights(client):
    club = a_club()
    client.force_login(a_user(club=club))
    assert "Start tonight" in client.get(reverse("tournaments", args=[club.slug])).content.decode()
    answer = client.post(reverse("tournament_tonight", args=[club.slug]))
    made = club.sessions.get()
    assert answer["Location"] == reverse("tournament_new", args=[club.slug, made.public_id])


def test_a_withdrawal_is_undone_until_a_round_is_drawn_without_the_entry(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    gone = next(iter(state_of(cup).entries.values()))
    client.force_login(a_user(club=cup.club))
    withdraw = reverse("tournament_withdraw", args=[cup.club.slug, cup.public_id, gone.pk])
    page = client.post(withdraw, follow=True).content.decode()
    back = reverse("tournament_return", args=[cup.club.slug, cup.public_id, gone.pk])
    assert "withdrew. Their results stay." in page
    assert back in page
    assert back not in client.post(back, follow=True).content.decode()
    gone.refresh_from_db()
    assert gone.withdrawn_at is None
    client.post(withdraw)
    published(cup, seed=2)
    assert refusal(actions.return_entry, gone, by=TEST) == "drawn-since"
    assert back not in client.get(address("tournament_entries", cup)).content.decode()


@pytest.mark.parametrize(
    ("format", "rounds", "means"),
    [
        (
            "round_robin",
            0,
            "Matches played: 0 of 3, fewer than half. All their results become void.",
        ),
        (
            "round_robin",
            2,
            "Matches played: 2 of 3. Their results stay; the opponent wins the 1 still",
        ),
        ("knockout", 0, "Their results stay. The opponent they would meet next wins by walk-over."),
        ("swiss", 1, "Their results stay. The next draw leaves them out."),
    ],
)
def test_a_withdrawal_says_beforehand_what_becomes_of_the_results(client, format, rounds, means):
    cup = of_pairs(4, format)
    for seed in range(1, rounds + 1):
        published(cup, seed)
        play_round(cup, seed)
    if not rounds:
        published(cup)
    client.force_login(a_user(club=cup.club))
    assert means in client.get(address("tournament_entries", cup)).content.decode()
    gone = next(iter(state_of(cup).entries))
    withdraw = reverse("tournament_withdraw", args=[cup.club.slug, cup.public_id, gone])
    page = client.post(withdraw, follow=True).content.decode()
    assert f"withdrew. Their results {'are void' if 'void' in means else 'stay'}." in page


def test_only_before_the_draw_is_no_partner_yet_an_answer(client):
    cup = of_pairs(4, "swiss")
    client.force_login(a_user(club=cup.club))
    page = reverse("tournament_entries", args=[cup.club.slug, cup.public_id])
    assert "No partner yet" in client.get(page).text
    published(cup)
    assert "No partner yet" not in client.get(page).text


def test_a_player_entered_on_another_page_is_named_and_so_is_one_who_has_gone(client):
    cup = a_tournament(4, "swiss")
    entered = state_of(cup).active_entries[min(state_of(cup).active_entries)].member
    gone = members_of(cup.club, 6)[5]
    gone.is_guest = True
    gone.save()
    client.force_login(a_user(club=cup.club))
    url = address("tournament_enter", cup)
    for player, sentence in (
        (entered, f"{entered.name} is already entered."),
        (gone, f"{gone.name} is no longer on the list."),
    ):
        page = client.post(url, {"member": player.public_id, "partner": ""}).text
        assert sentence in page
        assert "Select a valid choice" not in page
    page = client.post(url, {"member": "nobody", "partner": ""}).text
    assert "This player is no longer on the list." in page
