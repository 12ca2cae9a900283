"""The pages about people: the list, adding, pasting, merging, forgetting."""

import re
from string import ascii_uppercase

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members import actions
from league.members.models import Member
from tests.builders import TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db


def text(answer):
    return answer.content.decode()


def test_people_are_searched_filtered_and_sorted(club, organiser):
    _rose, ann, ted = members_of(club, 3)
    Member.objects.filter(pk=ann.pk).update(is_guest=True)
    actions.retire_member(ted, by=TEST, at=timezone.now())
    page = reverse("members", args=[club.slug])

    def found(**query):
        return [row.record.name for row in organiser.get(page, query).context["table"].rows]

    assert found() == ["Ann", "Rose"]
    assert found(sort="-name") == ["Rose", "Ann"]
    assert found(q="RO") == ["Rose"]
    assert found(kind="guests") == ["Ann"]
    assert found(kind="members") == ["Rose"]
    assert found(state="retired") == ["Ted"]
    assert found(state="all") == ["Ann", "Rose", "Ted"]


def test_people_stand_in_the_order_of_an_english_list_and_are_found_without_accents(
    club, organiser
):
    for name in ("Brigitte", "Łukasz", "Zoe", "Ørsted", "Bärbel", "Oskar"):
        actions.add_member(club, name=name, by=TEST)
    page = reverse("members", args=[club.slug])

    def found(**query):
        return [row.record.name for row in organiser.get(page, query).context["table"].rows]

    assert found() == ["Bärbel", "Brigitte", "Łukasz", "Ørsted", "Oskar", "Zoe"]
    assert found(q="barb") == found(q="BÄRB") == ["Bärbel"]
    assert found(q="lukasz") == ["Łukasz"]


def test_a_plain_member_finds_the_results_of_each_and_an_organiser_the_person(
    club, organiser, client
):
    [rose] = members_of(club, 1)
    page = reverse("members", args=[club.slug])
    assert reverse("member_edit", args=[club.slug, rose.public_id]) in text(organiser.get(page))
    client.force_login(a_user("bob", club=club, rank="member"))
    shown = text(client.get(page))
    assert reverse("member_record", args=[club.slug, rose.public_id]) in shown
    assert reverse("member_edit", args=[club.slug, rose.public_id]) not in shown


def test_an_e_mail_address_is_for_organisers_only(club, client):
    member = members_of(club, 1)[0]
    actions.edit_member(member, by=TEST, email="rose@example.org")
    client.force_login(a_user("bob", club=club, rank="member"))
    assert "rose@example.org" not in text(client.get(reverse("members", args=[club.slug])))


def test_a_second_person_of_one_name_is_asked_for_and_typed_words_stay(club, organiser):
    actions.add_member(club, name="Rose", by=TEST)
    page = reverse("member_add", args=[club.slug])
    answer = organiser.post(page, {"name": "rose", "email": "r@example.org"})
    assert answer.status_code == 409
    assert "Different player – add anyway" in text(answer)
    assert "r@example.org" in text(answer)
    assert organiser.post(page, {"name": "rose", "same_name": "on"}).status_code == 302
    assert club.members.count() == 2


@pytest.mark.parametrize("name", ["", "x" * 61, "Ro\u202ese", "\u200b", "a" + "\u0301" * 9])
def test_a_bad_name_is_refused_at_its_field(club, organiser, name):
    answer = organiser.post(reverse("member_add", args=[club.slug]), {"name": name})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["name"]
    assert not club.members.exists()


def test_a_list_without_questions_is_added_above_the_names_and_else_below(club, organiser):
    actions.add_member(club, name="Rose Winter", by=TEST)
    page = reverse("members_paste", args=[club.slug])
    plain = text(organiser.post(page, {"names": "Ted\nAnn"}))
    asks = text(organiser.post(page, {"names": "Ted\nRose Wintre"}))
    assert plain.index("Add players") < plain.index("<bdi>Ted</bdi>")
    assert asks.index("Add players") > asks.index("<bdi>Rose Wintre</bdi>")


def test_a_second_player_of_a_name_gets_one_that_tells_them_apart_or_the_same_one(club, organiser):
    actions.add_member(club, name="Mary", by=TEST)
    page = reverse("member_add", args=[club.slug])
    asked = organiser.post(page, {"name": "Mary"})
    assert asked.status_code == 409
    assert 'value="Mary 2"' in text(asked)
    assert "add what tells them apart" in text(asked)
    organiser.post(page, {"name": "Mary B.", "same_name": "on"})
    organiser.post(page, {"name": "Mary", "same_name": "on"})
    assert sorted(club.members.values_list("name", flat=True)) == ["Mary", "Mary", "Mary B."]


def test_a_name_pasted_twice_is_left_out_once_unless_it_is_told_apart(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    seen = organiser.post(page, {"names": "Mary\nTed\nMary"})
    assert "The second Mary is left out." in text(seen)
    assert 'name="apart:3" value="Mary 2"' in text(seen)
    sent = {"names": "Mary\nTed\nMary", "agreed": seen.context["agreed"], "apart:3": "Mary B."}
    organiser.post(page, {**sent, "twice": "3"})
    assert sorted(club.members.values_list("name", flat=True)) == ["Mary", "Mary B.", "Ted"]


def test_a_list_refused_on_saving_comes_back_with_the_names_and_ticks_of_second_players(
    club, organiser
):
    page = reverse("members_paste", args=[club.slug])
    seen = organiser.post(page, {"names": "Mary\nTed\nMary\nTed"})
    sent = {"names": "Mary\nTed\nMary\nTed", "agreed": seen.context["agreed"]}
    sent |= {"listed": ["Mary", "Ted"], "added": "Mary"}
    actions.add_member(club, name="Mary", by=TEST)
    refused = organiser.post(page, {**sent, "apart:3": "Mary B.", "apart:4": "Ted 2", "twice": "4"})
    assert refused.status_code == 409
    shown = " ".join(text(refused).split())
    assert 'name="apart:3" value="Mary B."' in shown
    assert 'id="twice_4" checked' in shown
    assert 'id="twice_3" checked' not in shown
    assert 'value="Ted" id="added_2">' in shown


def test_a_changed_name_for_the_second_player_chooses_it_without_the_tick(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    seen = organiser.post(page, {"names": "Mary\nMary\nTed\nTed"})
    sent = {"names": "Mary\nMary\nTed\nTed", "agreed": seen.context["agreed"]}
    organiser.post(page, {**sent, "apart:2": "Mary (Selkirk)", "apart:4": "Ted 2"})
    assert sorted(club.members.values_list("name", flat=True)) == ["Mary", "Mary (Selkirk)", "Ted"]


def test_checking_a_list_again_keeps_the_name_typed_for_a_second_player_and_counts_it(
    club, organiser
):
    page = reverse("members_paste", args=[club.slug])
    sent = {"names": "Mary\nTed\nMary", "twice": "3", "apart:3": "Mary (Church Rd)"}
    seen = organiser.post(page, sent)
    assert 'name="apart:3" value="Mary (Church Rd)"' in text(seen)
    assert "3 names are new." in " ".join(text(seen).split())
    assert "The second Mary is left out" not in text(seen)
    organiser.post(page, sent | {"agreed": seen.context["agreed"]})
    assert club.members.filter(name="Mary (Church Rd)").exists()


def test_a_list_checked_again_counts_the_names_that_its_ticks_add(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    Member.objects.create(club=club, name="Olive Marsh")
    sent = {"names": "Ann Lee\nTed Poe\nOlive Marsch", "listed": ["Ann Lee", "Ted Poe"]}
    seen = organiser.post(page, sent | {"added": ["Ann Lee", "Ted Poe"], "also": ["Olive Marsch"]})
    assert "3 names are new." in " ".join(text(seen).split())


def test_a_known_name_pasted_twice_may_be_another_player_too(club, organiser):
    actions.add_member(club, name="Mary", by=TEST)
    page = reverse("members_paste", args=[club.slug])
    seen = organiser.post(page, {"names": "Mary\nMary"})
    assert text(seen).count("already on the list") == 1
    assert 'name="apart:2" value="Mary 2"' in text(seen)
    sent = {"names": "Mary\nMary", "agreed": seen.context["agreed"], "twice": "2"}
    organiser.post(page, {**sent, "apart:2": "Mary B"})
    assert sorted(club.members.values_list("name", flat=True)) == ["Mary", "Mary B"]


@pytest.mark.parametrize("first", ["John Smith", "Jon Smith"])
def test_an_addition_to_the_name_in_question_is_the_answer(club, organiser, first):
    actions.add_member(club, name="John Smith", by=TEST)
    page = reverse("member_add", args=[club.slug])
    question = organiser.post(page, {"name": first})
    assert 'name="namesake" value="John Smith"' in text(question)
    assert organiser.post(page, {"name": "John Smith (Selkirk)"}).status_code == 409
    organiser.post(page, {"name": "John Smith (Selkirk)", "namesake": "John Smith"})
    assert club.members.filter(name="John Smith (Selkirk)").exists()


def test_the_list_of_players_numbers_those_of_one_name(club, organiser):
    for _number in range(2):
        actions.add_member(club, name="Mary", by=TEST, same_name=True)
    page = text(organiser.get(reverse("members", args=[club.slug])))
    assert "Mary 1" in page
    assert "Mary 2" in page


def test_every_tick_on_a_pasted_list_adds_its_line(club, organiser):
    """One left a line out, and the next one added a player after all."""
    actions.add_member(club, name="Rose Winter", by=TEST)
    page = reverse("members_paste", args=[club.slug])
    seen = text(organiser.post(page, {"names": "Ted\nRose Wintre"}))
    tick = r'<input type="checkbox" name="(added|also)" value="([^"]*)"[^>]*?( checked)?>'
    expected = [("added", "Ted", " checked"), ("also", "Rose Wintre", "")]
    assert re.findall(tick, seen) == expected
    assert "Leave out" not in seen


def test_a_list_is_pasted_looked_at_and_added(club, organiser):
    actions.add_member(club, name="Rose Winter", by=TEST)
    page = reverse("members_paste", args=[club.slug])
    names = "Ted\nrose winter\nRose Wintre\nEuchre list autumn\n"
    seen = organiser.post(page, {"names": names})
    assert "looks like Rose Winter" in text(seen)
    assert club.members.count() == 1
    agreed = seen.context["agreed"]
    ticked = {"also": ["Rose Wintre"], "listed": ["Ted", "Euchre list autumn"], "added": ["Ted"]}
    # A tick belongs to its name, wherever that stands when the list is changed and checked again.
    again = organiser.post(page, {"names": "New\n" + names, "agreed": agreed, **ticked})
    ticks = re.findall(r'<input[^>]*value="([^"]*)"[^>]* checked>', text(again))
    assert ticks == ["New", "Ted", "Rose Wintre"]
    answer = organiser.post(page, {"names": names, "agreed": agreed, **ticked})
    assert answer.status_code == 302
    assert sorted(m.name for m in club.members.all()) == ["Rose Winter", "Rose Wintre", "Ted"]
    # A line that nobody answered is named, before it is left out and after.
    seen = organiser.post(page, {"names": "Sven\nTed Wintre\nRose Wintrr"})
    assert "1 name looks like another one here or like a player you have." in text(seen)
    data = {"names": "Sven\nTed Wintre\nRose Wintrr", "agreed": seen.context["agreed"]}
    answer = organiser.post(page, data, follow=True)
    assert "Rose Wintrr was not added: the name looks like one you have already." in text(answer)
    names = "Rose Wintrr\nTed Wintrre\nSten"
    seen = organiser.post(page, {"names": names})
    answer = organiser.post(page, {"names": names, "agreed": seen.context["agreed"]}, follow=True)
    sentence = "Rose Wintrr, Ted Wintrre were not added: the names look like some you have already."
    assert sentence in text(answer)


def test_players_who_share_a_line_of_the_list_are_all_added(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    names = "Ivor Pym;  Dot Yardley\nHetty Crane,Maud Crane\nAlbert Fudge - can't come before 8"
    seen = organiser.post(page, {"names": names})
    assert "5 names are new." in text(seen)
    assert "Left out of the names: can&#x27;t come before 8" in text(seen)
    ids = re.findall(r' id="(added_\d+)"', text(seen))
    assert len(set(ids)) == len(ids) == 5
    organiser.post(page, {"names": names, "agreed": seen.context["agreed"]})
    added = ["Albert Fudge", "Dot Yardley", "Hetty Crane", "Ivor Pym", "Maud Crane"]
    assert sorted(member.name for member in club.members.all()) == added
    crowd = "\n".join("; ".join(f"Ann A{n}" for n in range(20)) for _row in range(20))
    assert "At most 300 names at a time." in text(organiser.post(page, {"names": crowd}))


def test_names_put_right_in_the_list_are_never_thrown_away(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    seen = organiser.post(page, {"names": "Harold Brigth"})
    (form,) = [f for f in text(seen).split("<form") if 'name="agreed"' in f]
    assert '<textarea name="names"' in form  # one form: what is added is what is in the list
    answer = organiser.post(page, {"names": "Harold Bright", "agreed": seen.context["agreed"]})
    assert "Check it again." in text(answer)
    assert not club.members.exists()
    organiser.post(page, {"names": "Harold Bright", "agreed": answer.context["agreed"]})
    assert club.members.get().name == "Harold Bright"


def test_a_list_with_a_bad_line_adds_nobody_and_stays_to_be_put_right(club, organiser):
    page = reverse("members_paste", args=[club.slug])
    names = "Ted\n" + "x" * 70
    seen = organiser.post(page, {"names": names})
    assert "A name has at most 60 letters." in text(seen)
    answer = organiser.post(page, {"names": names, "agreed": seen.context["agreed"]})
    assert answer.status_code == 422
    assert "x" * 70 in text(answer)
    assert not club.members.exists()


def test_two_rows_of_one_person_become_one_on_the_page(club, organiser):
    short = actions.add_member(club, name="Rose W.", by=TEST)
    full = actions.add_member(club, name="Rose Winter", by=TEST, same_name=True)
    page = reverse("member_merge", args=[club.slug, short.public_id])
    assert organiser.get(page).context["form"]["other"].value() == full.public_id
    organiser.post(page, {"other": full.public_id, "stays": "other"})
    short.refresh_from_db()
    assert short.merged_into == full


def test_only_people_of_the_club_can_be_merged(club, organiser):
    [rose] = members_of(club, 1)
    [stranger] = members_of(a_club("Other", "other"), 1)
    page = reverse("member_merge", args=[club.slug, rose.public_id])
    answer = organiser.post(page, {"other": stranger.public_id, "stays": "other"})
    assert list(answer.context["form"].errors) == ["other"]


def test_a_person_is_forgotten_only_when_the_name_is_typed(club, organiser):
    [rose] = members_of(club, 1)
    page = reverse("member_erase", args=[club.slug, rose.public_id])
    assert organiser.post(page, {"name": "Ros"}).status_code == 422
    assert organiser.post(page, {"name": " rose "}).status_code == 302
    assert organiser.get(page).status_code == 404
    rose.refresh_from_db()
    assert rose.erased_at


def test_that_a_checked_in_player_cannot_be_erased_is_said_before_a_name_is_typed(club, organiser):
    [rose] = members_of(club, 1)
    night = a_session(club, [rose])
    page = reverse("member_erase", args=[club.slug, rose.public_id])
    seen = text(organiser.get(page))
    reason = "An organiser can check them out once their game is over, or close the session."
    assert f"Rose is checked in to Thursday night. {reason}" in seen
    assert "Type the name" not in seen
    assert organiser.post(page, {"name": "Rose"}).status_code == 409
    night.state = "closed"
    night.save()
    assert "Type the name" in text(organiser.get(page))


def test_a_guest_is_made_a_member_deactivated_and_reactivated_by_one_press_each(club, organiser):
    guest = actions.add_member(club, name="Gus", by=TEST, is_guest=True)
    for turn in ("member_admit", "member_deactivate", "member_reactivate"):
        page = reverse(turn, args=[club.slug, guest.public_id])
        assert organiser.post(page).status_code == 302
    guest.refresh_from_db()
    assert (guest.is_guest, guest.retired_at) == (False, None)
    noted = list(club.audit.order_by("id").values_list("action", flat=True))
    assert noted == ["add guest", "edit member", "retire member", "return member"]


def test_a_name_is_confirmed_without_the_accents_that_a_keyboard_lacks(club, organiser):
    zoe = actions.add_member(club, name="Zoë Müller", by=TEST)
    page = reverse("member_erase", args=[club.slug, zoe.public_id])
    assert organiser.post(page, {"name": "Zoe Mull"}).status_code == 422
    assert organiser.post(page, {"name": "zoe muller"}).status_code == 302


def test_a_couple_on_one_line_is_shown_as_two_players(club, organiser):
    seen = organiser.post(reverse("members_paste", args=[club.slug]), {"names": "Jo & Pat Dumont"})
    assert "is more than one player: Jo Dumont, Pat Dumont." in text(seen)
    assert "2 names are new." in text(seen)


def test_a_long_list_can_be_added_above_and_below_it(club, organiser):
    names = "\n".join(f"Player {letter}" for letter in ascii_uppercase[:9])
    seen = text(organiser.post(reverse("members_paste", args=[club.slug]), {"names": names}))
    assert seen.count('name="agreed" value=') == 2
    assert seen.rindex('name="agreed" value=') > seen.index("<bdi>Player I</bdi>")
    assert seen.count('id="id_is_guest"') == 1
