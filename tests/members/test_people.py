"""Adding, editing, retiring, merging and erasing people."""

import json
from datetime import UTC, datetime

import pytest
from django.core import management

from league.errors import Refused
from league.members import actions
from league.members.models import AuditEntry, Member, public_name
from league.members.paste import Verdict, digest
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session
from tests.builders import TEST, a_club, a_session, a_table, a_user, members_of, rulesets_of

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)


def test_a_person_is_added_with_a_clean_name_and_an_entry(club):
    rose = actions.add_member(club, name="  Rose   Winter ", by=TEST)
    assert rose.name == "Rose Winter"
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.subject, entry.club) == ("add member", "Rose Winter", club)


@pytest.mark.parametrize("again", ["ROSE WINTER", "Rose  winter ", "Ｒose Winter"])
def test_a_second_person_of_one_name_has_to_be_meant(club, again):
    rose = actions.add_member(club, name="Rose Winter", by=TEST)
    with pytest.raises(Refused) as caught:
        actions.add_member(club, name=again, by=TEST)
    assert caught.value.code == "name-known"
    assert caught.value.asks == "same_name"
    assert actions.add_member(club, name=again, by=TEST, same_name=True).pk != rose.pk


def test_the_same_name_in_another_club_is_another_person(club):
    actions.add_member(club, name="Rose", by=TEST)
    assert actions.add_member(a_club("Other", "other"), name="Rose", by=TEST)


def test_a_bad_address_is_refused_at_its_field(club):
    with pytest.raises(Refused) as caught:
        actions.add_member(club, name="Rose", email="rose at home", by=TEST)
    assert list(caught.value.fields) == ["email"]
    assert not club.members.exists()


def test_an_edit_keeps_the_former_name_and_notes_only_what_changed(club):
    rose = actions.add_member(club, name="Rose Summer", by=TEST)
    actions.edit_member(rose, by=TEST, name="Rose Winter", shown="club", is_guest=False)
    rose.refresh_from_db()
    assert (rose.name, rose.former_names) == ("Rose Winter", ["Rose Summer"])
    entry = AuditEntry.objects.first()
    assert (entry.old, entry.new) == ({"name": "Rose Summer"}, {"name": "Rose Winter"})


def test_a_guest_becomes_a_member_and_keeps_everything(club):
    guest = actions.add_member(club, name="Gus", by=TEST, is_guest=True)
    session = a_session(club, [guest])
    actions.admit_guest(guest, by=TEST)
    guest.refresh_from_db()
    assert not guest.is_guest
    assert session.attendances.get().member == guest


def test_retiring_and_returning_are_noted_once_each(club):
    [rose] = members_of(club, 1)
    for _ in range(2):
        actions.retire_member(rose, by=TEST, at=AT)
    assert not club.members.current().exists()
    for _ in range(2):
        actions.return_member(rose, by=TEST)
    assert club.members.current().get() == rose
    assert AuditEntry.objects.count() == 2


def test_an_account_belongs_to_one_person_of_the_club(club):
    rose, ann = members_of(club, 2)
    user = a_user("rose", club=club, rank="member")
    actions.link_account(rose, username="rose", by=TEST)
    assert rose.user == user
    with pytest.raises(Refused) as caught:
        actions.link_account(ann, username="rose", by=TEST)
    assert caught.value.code == "account-taken"
    a_user("stranger")
    with pytest.raises(Refused) as caught:
        actions.link_account(ann, username="stranger", by=TEST)
    assert caught.value.code == "account-unknown"


def test_renaming_raises_the_revision_of_the_sessions_that_show_the_name(club):
    rose, ann = members_of(club, 2)
    hers, other = a_session(club, [rose]), a_session(club, [ann])
    actions.edit_member(rose, by=TEST, name="Rose Winter")
    hers.refresh_from_db()
    other.refresh_from_db()
    assert (hers.revision, other.revision) == (1, 0)


# -- a pasted list ---------------------------------------------------------------------------------

LIST = "Ted\n\nROSE\nJosé Winter\nTed\nJose Winter\n"


def test_a_pasted_list_says_of_every_line_what_it_would_do(club):
    actions.add_member(club, name="Rose", by=TEST)
    lines = actions.preview_people(club, text=LIST)
    verdicts = [(line.number, line.verdict.value, line.like) for line in lines]
    assert verdicts == [
        (1, "new", ()),
        (3, "known", ("Rose",)),
        (4, "new", ()),
        (5, "twice", ()),
        (6, "like", ("José Winter",)),
    ]
    assert club.members.count() == 1


def test_a_merged_or_former_spelling_is_known(club):
    rose, dup = members_of(club, 2)
    actions.edit_member(rose, by=TEST, name="Rose Winter")
    actions.merge_members(dup, into=rose, by=TEST, at=AT)
    lines = actions.preview_people(club, text="Rose\nAnn")
    assert [(x.verdict, x.like) for x in lines] == [(Verdict.KNOWN, ("Rose Winter",))] * 2


def test_the_list_agreed_to_is_added_in_one_entry(club):
    lines = actions.preview_people(club, text=LIST)
    added = actions.add_people(club, text=LIST, agreed=digest(lines), by=TEST, also={"Jose Winter"})
    assert [m.name for m in added] == ["Ted", "ROSE", "José Winter", "Jose Winter"]
    assert AuditEntry.objects.get().new == {"names": [m.name for m in added]}


def test_a_bad_line_adds_nobody_and_is_named(club):
    text = "Ted\nR" + "o" * 80 + "\nAnn\n\u202eBob"
    lines = actions.preview_people(club, text=text)
    with pytest.raises(Refused) as caught:
        actions.add_people(club, text=text, agreed=digest(lines), by=TEST)
    said = caught.value.fields["names"][0]
    assert "Line 4, \ufffdBob: This has invisible characters." in said
    assert "Line 2, " in said
    assert not club.members.exists()


def test_a_list_that_would_now_do_something_else_is_shown_again(club):
    lines = actions.preview_people(club, text="Ted\nAnn")
    actions.add_member(club, name="Ted", by=TEST)
    with pytest.raises(Refused) as caught:
        actions.add_people(club, text="Ted\nAnn", agreed=digest(lines), by=TEST)
    assert caught.value.code == "list-changed"
    assert club.members.count() == 1


def test_a_list_that_is_too_long_is_refused_before_a_name_is_compared(club, monkeypatch):
    monkeypatch.setattr("league.members.paste.clean_name", None)
    with pytest.raises(Refused) as caught:
        actions.preview_people(club, text="Ann\n" * 100_000)
    assert caught.value.code == "list-long"


@pytest.mark.parametrize(("text", "code"), [(" \n ", "list-empty"), ("a\n" * 301, "list-long")])
def test_a_list_has_between_one_and_three_hundred_names(club, text, code):
    with pytest.raises(Refused) as caught:
        actions.preview_people(club, text=text)
    assert caught.value.code == code


# -- merging ---------------------------------------------------------------------------------------


def seated(session, *tables):
    """A published round with these lists of members at its tables."""
    number = session.rounds.count() + 1
    round_ = Round.objects.create(session=session, number=number, state="published", seed=1)
    ruleset = ruleset_of(session.club)
    for index, members in enumerate(tables, 1):
        table = Table.objects.create(
            session=session, round=round_, number=index, players=len(members), ruleset=ruleset
        )
        for position, member in enumerate(members):
            Seat.objects.create(session=session, table=table, position=position, member=member)
    return round_


def ruleset_of(club):
    return club.rulesets.first() or club.rulesets.create(name="Ours", players=4, body={})


def test_merging_moves_everything_and_keeps_every_row(club):
    rose, dup, ann, ted = members_of(club, 4)
    first, second = a_session(club, [rose, ann]), a_session(club, [dup, rose])
    seated(first, [rose, ann])
    seated(second, [dup, ted])
    actions.merge_members(dup, into=rose, by=TEST, at=AT)
    dup.refresh_from_db()
    assert dup.merged_into == rose
    assert list(Seat.objects.filter(member=rose).values_list("session", flat=True)) == [
        first.pk,
        second.pk,
    ]
    assert Attendance.objects.filter(session=second).count() == 1
    assert "Ann" in Member.objects.get(pk=rose.pk).former_names
    assert dup.retired_at == AT
    assert dup not in club.members.current()
    entry = AuditEntry.objects.first()
    assert entry.new["moved"]["Seat"] == 1


def test_two_who_sat_in_one_game_cannot_be_one_person(club):
    rose, ann, ted, bill = members_of(club, 4)
    seated(a_session(club), [rose, ann], [ted, bill])
    for other in (ann, ted):
        with pytest.raises(Refused) as caught:
            actions.merge_members(rose, into=other, by=TEST, at=AT)
        assert caught.value.code == "sat-together"
    rose.refresh_from_db()
    assert rose.merged_into is None


def test_nobody_merges_with_themselves_or_across_clubs(club):
    [rose] = members_of(club, 1)
    [stranger] = members_of(a_club("Other", "other"), 1)
    for into, code in ((rose, "same-member"), (stranger, "other-club")):
        with pytest.raises(Refused) as caught:
            actions.merge_members(rose, into=into, by=TEST, at=AT)
        assert caught.value.code == code


def test_a_row_that_was_merged_is_not_touched_again(club):
    rose, dup, ann = members_of(club, 3)
    actions.merge_members(dup, into=rose, by=TEST, at=AT)
    for order in (
        lambda: actions.merge_members(dup, into=ann, by=TEST, at=AT),
        lambda: actions.edit_member(dup, by=TEST, name="Other"),
        lambda: actions.erase_member(dup, by=TEST, at=AT),
    ):
        with pytest.raises(Refused, match="merged"):
            order()


def test_a_chain_of_merges_points_at_the_last(club):
    first, second, third = members_of(club, 3)
    actions.merge_members(first, into=second, by=TEST, at=AT)
    second.refresh_from_db()
    actions.merge_members(second, into=third, by=TEST, at=AT)
    first.refresh_from_db()
    assert first.merged_into == third


# -- erasing ---------------------------------------------------------------------------------------


def everything_written(tmp_path):
    path = tmp_path / "dump.json"
    management.call_command("dumpdata", "league", output=str(path))
    return path.read_text().casefold()


def test_an_erased_person_is_nowhere_in_the_data_and_the_results_stay(club, tmp_path):
    rose = actions.add_member(club, name="Rosalind Fell", email="fell@example.org", by=TEST)
    actions.edit_member(rose, by=TEST, name="Rosalind Winter")
    dup = actions.add_member(club, name="R. Winter-Fell", by=TEST)
    [ann] = members_of(club, 1)
    session = a_session(club, [rose, ann], name="Rosalind Winter's birthday", state="closed")
    seated(session, [rose, ann])
    actions.merge_members(dup, into=rose, by=TEST, at=AT)
    rose.refresh_from_db()
    actions.erase_member(rose, by=TEST, at=AT)
    text = everything_written(tmp_path)
    for trace in ("rosalind", "fell", "winter"):
        assert trace not in text
    rose.refresh_from_db()
    assert rose.name.startswith("Former player ")
    assert Seat.objects.filter(member=rose).count() == 1
    session.refresh_from_db()
    assert session.name == f"{rose.name}'s birthday"


def test_the_alias_from_before_does_not_lead_to_the_erased_player(club):
    rose = actions.add_member(club, name="Rosalind Fell", by=TEST)
    rose.shown = Member.Shown.HIDDEN
    rose.save()
    letters = public_name(rose, club, None).split()[-1]
    assert letters == rose.alias_code
    actions.erase_member(rose, by=TEST, at=AT)
    rose.refresh_from_db()
    former, alias = rose.name.split()[-1], public_name(rose, club, None).split()[-1]
    assert former == alias != letters


def test_erasing_leaves_other_people_with_a_like_name(club):
    ann, annas, smith = (
        actions.add_member(club, name=name, by=TEST) for name in ("Ann", "Anna", "Ann Smith")
    )
    session = a_session(club, name="Ann, Anna and Ann Smith")
    actions.erase_member(ann, by=TEST, at=AT)
    session.refresh_from_db()
    ann.refresh_from_db()
    assert session.name == f"{ann.name}, Anna and Ann Smith"
    assert {annas.name, smith.name} <= set(club.members.values_list("name", flat=True))


def test_erasing_in_one_club_does_not_touch_another(club):
    other = a_club("Other", "other")
    rose = actions.add_member(club, name="Rose Winter", by=TEST)
    actions.add_member(other, name="Rose Winter", by=TEST)
    actions.erase_member(rose, by=TEST, at=AT)
    assert AuditEntry.objects.get(club=other).subject == "Rose Winter"
    assert other.members.get().name == "Rose Winter"


def test_nobody_is_erased_who_is_checked_in_or_seated_in_an_open_session(club):
    rose = actions.add_member(club, name="Rose", by=TEST)
    night = a_session(club, [rose])
    with pytest.raises(Refused, match="Rose is checked in to Thursday night"):
        actions.erase_member(rose, by=TEST, at=AT)
    night.attendances.update(left_at=AT)
    others = members_of(club, 4)[1:]
    a_table(night, [rose, *others], rulesets_of(club)[2])
    with pytest.raises(Refused, match="Rose sits at table 1 of Thursday night"):
        actions.erase_member(rose, by=TEST, at=AT)
    Session.objects.update(state="closed")
    actions.erase_member(rose, by=TEST, at=AT)


def test_an_old_list_pasted_later_flags_the_erased_person(club):
    rose = actions.add_member(club, name="Rose Winter", by=TEST)
    actions.erase_member(rose, by=TEST, at=AT)
    [line] = actions.preview_people(club, text="ROSE WINTER")
    assert line.verdict == Verdict.ERASED
    assert actions.add_people(club, text="ROSE WINTER", agreed=digest([line]), by=TEST) == []


def test_an_erased_name_is_kept_only_as_keyed_hashes(club):
    rose = actions.add_member(club, name="Rose Winter", by=TEST)
    actions.erase_member(rose, by=TEST, at=AT)
    rose.refresh_from_db()
    assert len(rose.erased_marks) == 1
    assert "rose" not in json.dumps(rose.erased_marks)
    assert rose.erased_at == AT
