"""A club as one file: restored elsewhere with equal standings, all of it or nothing."""

import copy
import io
import json
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from league.exchange import demo_club
from league.exchange.archive_restoring import BadArchive, restore
from league.exchange.archive_writing import KEYED, LEFT_OUT, archive_of, archived, filled
from league.members.actions import merge_members
from league.members.actions.erasing import erase_member
from league.members.actions.roles import invite
from league.members.audit import log_action
from league.members.models import AuditEntry, Club, Member, User
from league.play.models import Game, Hand, Result
from league.sessions.models import Session
from league.sessions.queries import sessions_of
from league.standings.queries import names, session_standings
from league.standings.tables import rows_of
from league.teams.tables import rows_of as team_rows
from league.tournaments.draws.knockout import bracket_of
from tests.builders import EIGHT, TEST, a_club, a_user, members_of
from tests.exchange.recorded import a_game_of_counts
from tests.scene import Scene
from tests.teams.leagues import matches, table, with_fixtures, written
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, state_of
from tests.tournaments.test_undoing import played_twice


def emptied():
    call_command("flush", interactive=False, verbosity=0)
    assert not Club.objects.exists()


def standings_of(club):
    """Everything a reader sees of the standings of every session."""
    lines = {}
    for one in club.sessions.order_by("public_id"):
        table = session_standings(one, at=EIGHT)
        rows = rows_of(table, names(table.people, club, "owner"))
        lines[one.public_id] = [
            (row.rank, row.public_id, row.name, row.games, sorted(row.values.items()), row.why)
            for row in rows
        ]
    return lines


def without_ids(data):
    """An archive with every id of a row replaced by its place in the file."""
    place = {
        name: {row["id"]: number for number, row in enumerate(rows)}
        for name, rows in data["rows"].items()
    }
    return {name: len(rows) for name, rows in place.items()}


def texts_of(data, kind):
    """Every field of the rows of a kind but their numbers in the database."""
    return [
        {name: value for name, value in row.items() if isinstance(value, str | bool)}
        for row in data["rows"][kind]
    ]


@pytest.mark.django_db(transaction=True)
def test_a_club_restored_in_an_emptied_database_has_equal_standings_and_recounts(
    load_demo, tmp_path
):
    load_demo()
    club = Club.objects.get(slug=demo_club.SLUG)
    before, figures = standings_of(club), Result.objects.count()
    records = list(Hand.objects.order_by("pk").values_list("client_id", "record", "entered_at"))
    kept = str(tmp_path / "club.json")
    call_command("export_club", demo_club.SLUG, kept, stdout=io.StringIO())
    emptied()
    members_of(a_club("Another", "another"), 3)
    a_user("olive")
    call_command("import_club", kept, "--owner", "olive", stdout=io.StringIO())
    again = Club.objects.get(slug=demo_club.SLUG)
    assert any(before.values())
    assert standings_of(again) == before
    assert Result.objects.count() == figures > 0
    assert list(Hand.objects.order_by("pk").values_list("client_id", "record", "entered_at")) == (
        records
    )
    assert again.roles.get().user.username == "olive"
    assert again.welcome == club.welcome == demo_club.WELCOME
    call_command("recount", "--check", stdout=io.StringIO())


@pytest.mark.django_db(transaction=True)
def test_tournaments_drafts_wishes_and_merged_people_come_along():
    scene = Scene("members")
    _tournament, _wish = scene.drawn_tournament, scene.seating_request
    first, second = members_of(scene.club, 2)
    merge_members(first, into=second, by=TEST, at=EIGHT)
    data = json.loads(json.dumps(archive_of(scene.club, at=EIGHT)))
    emptied()
    again = archive_of(restore(data, by=TEST), at=EIGHT)
    restored_note = {"AuditEntry": len(data["rows"]["AuditEntry"]) + 1}
    assert without_ids(again) == without_ids(data) | restored_note
    gone = Member.objects.get(public_id=first.public_id)
    assert gone.merged_into.public_id == second.public_id
    (draft,) = again["rows"]["StageRound"]
    assert draft["seating"] in {row["id"] for row in again["rows"]["Round"]}


@pytest.mark.django_db(transaction=True)
def test_an_entry_of_the_log_that_says_of_old_or_new_only_nothing_comes_along():
    club = a_club()
    for nothing in ("", [], {}, 0, None):
        log_action(club, TEST, "try", old=nothing, new=nothing)
    data = json.loads(json.dumps(archive_of(club, at=EIGHT)))
    emptied()
    again = restore(data, by=TEST)
    noted = again.audit.filter(action="try").order_by("pk").values_list("old", "new")
    assert list(noted) == [("", ""), ([], []), ({}, {}), (0, 0), (None, None)]


@pytest.mark.django_db(transaction=True)
def test_an_archive_of_an_earlier_version_lacks_what_was_added_since_and_comes_in():
    scene = Scene("members")
    _tournament, _wish = scene.drawn_tournament, scene.seating_request
    data = json.loads(json.dumps(archive_of(scene.club, at=EIGHT)))
    earlier = copy.deepcopy(data)
    for model in archived():
        for row in earlier["rows"][model.__name__]:
            for name, usual in filled(model, {}).items():
                if name in row and row[name] == usual:
                    del row[name]
    earlier["rows"]["Wish"] = earlier["rows"].pop("SeatingRequest")  # as they were called
    earlier["rows"] = {name: rows for name, rows in earlier["rows"].items() if rows}
    assert sum(map(len, earlier["rows"]["Session"])) < sum(map(len, data["rows"]["Session"]))
    emptied()
    again = archive_of(restore(earlier, by=TEST), at=EIGHT)
    restored_note = {"AuditEntry": len(data["rows"]["AuditEntry"]) + 1}
    assert without_ids(again) == without_ids(data) | restored_note
    for kind in data["rows"].keys() - restored_note:
        assert texts_of(again, kind) == texts_of(data, kind)


@pytest.mark.django_db(transaction=True)
def test_a_tournament_goes_on_where_it_is_restored():
    cup = of_pairs(4, "groups", groups=2, through=1)
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    through = {e.member.public_id for e in state_of(cup).entries.values()} & in_final(cup)
    data = json.loads(json.dumps(archive_of(cup.club, at=EIGHT)))
    emptied()
    members_of(a_club("Another", "another"), 5)
    a_tournament(3, club=a_club("Third", "third"))
    again = restore(data, by=TEST).tournaments.get()
    assert in_final(again) == through
    assert bracket_of(state_of(again)).over


@pytest.mark.django_db(transaction=True)
def test_a_match_that_a_correction_has_undone_is_undone_where_it_is_restored():
    cup, _undone = played_twice()
    data = json.loads(json.dumps(archive_of(cup.club, at=EIGHT)))
    emptied()
    rounds = state_of(restore(data, by=TEST).tournaments.get()).published
    assert [{match.undone for match in facts.matches} for facts in rounds] == [
        {False}, {True}, {False},
    ]  # fmt: skip


def in_final(cup):
    """The public ids of the members who play first in the pairs of the final."""
    entries = state_of(cup).entries
    return {entries[key].member.public_id for key in bracket_of(state_of(cup)).entries}


@pytest.mark.django_db(transaction=True)
def test_a_league_of_teams_comes_along_with_its_table():
    league = with_fixtures(2)
    written(matches(league)[0])
    before = league_rows(league)
    data = json.loads(json.dumps(archive_of(league.club, at=EIGHT)))
    emptied()
    members_of(a_club("Another", "another"), 5)
    again = restore(data, by=TEST)
    assert league_rows(again.team_leagues.get()) == before
    assert again.sessions.exists()
    assert not sessions_of(again).exists()  # the match's session is listed in its league alone


def league_rows(league):
    found = team_rows(table(league), league.teams.all())
    return [(row.team.name, row.rank, row.points, row.games, row.difference) for row in found]


@pytest.mark.django_db
def test_no_account_password_invitation_or_key_is_inside():
    club = a_game_of_counts((0, 3)).session.club
    user = a_user("olive-the-organiser", club=club)
    user.email = "olive@example.org"
    user.save()
    _invitation, token = invite(club, rank="member", by=TEST, at=timezone.now())[:2]
    text = json.dumps(archive_of(club, at=EIGHT))
    for secret in (user.password, user.username, user.email, str(token), "token_hash"):
        assert secret not in text
    assert '"Game": [{"id"' in text


@pytest.mark.django_db
def test_an_erased_name_is_in_no_archive():
    club = a_game_of_counts((0, 3)).session.club
    rose = Member.objects.get(name="Rose")
    Member.objects.filter(pk=rose.pk).update(email="rose@example.org")
    Session.objects.update(state="closed")
    erase_member(Member.objects.get(pk=rose.pk), by=TEST, at=EIGHT)
    text = json.dumps(archive_of(club, at=EIGHT))
    assert "Rose" not in text
    assert "rose@example.org" not in text


@pytest.mark.django_db
def test_a_backup_whose_erased_players_have_the_letters_of_their_alias_is_restored():
    club = a_game_of_counts((0, 3)).session.club
    Session.objects.update(state="closed")
    rose = Member.objects.get(name="Rose")
    letters = rose.alias_code
    erase_member(rose, by=TEST, at=EIGHT)
    text = json.dumps(archive_of(club, at=EIGHT)).replace(rose.name, f"Former player {letters}")
    emptied()
    restore(json.loads(text), by=TEST)
    assert Member.objects.exclude(erased_at=None).get().name == f"Former player {letters}"


def test_every_model_is_in_the_archive_or_left_out_with_a_reason():
    models = set(apps.get_app_config("league").get_models())
    assert models == set(archived()) | set(LEFT_OUT)
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())
    assert all(apps.get_model("league", name)._meta.get_field(field) for name, field in KEYED)


@pytest.mark.django_db(transaction=True)
class TestARefusedArchive:
    """Nothing is restored of a file with anything wrong in it."""

    def refused(self, spoil, *, emptying=True):
        club = a_game_of_counts((0, 3), (1, 5)).session.club
        data = json.loads(json.dumps(archive_of(club, at=EIGHT)))
        if emptying:
            emptied()
        spoil(data)
        before = Member.objects.count()
        with pytest.raises(BadArchive):
            restore(data, by=TEST)
        assert Member.objects.count() == before
        assert Club.objects.count() == (0 if emptying else 1)

    def test_the_file_itself_is_fine(self):
        with pytest.raises(pytest.fail.Exception):
            self.refused(lambda data: None)

    def test_points_that_are_not_what_the_hands_pay(self):
        self.refused(lambda data: data["rows"]["Game"][0].update(score=[9, 0]))

    def test_a_result_that_is_not_what_the_hands_say(self):
        self.refused(lambda data: data["rows"]["Result"][0].update(points=7))

    def test_a_missing_hand(self):
        self.refused(lambda data: data["rows"]["Hand"].pop())

    def test_a_pointer_to_no_row(self):
        self.refused(lambda data: data["rows"]["Seat"][0].update(member=10**9))

    def test_a_field_too_many(self):
        self.refused(lambda data: data["rows"]["Member"][0].update(user=1))

    def test_a_field_too_few(self):
        self.refused(lambda data: data["rows"]["Member"][0].pop("name"))

    def test_a_word_that_is_no_choice(self):
        self.refused(lambda data: data["rows"]["Session"][0].update(state="on"))

    def test_a_name_longer_than_there_is_room_for(self):
        self.refused(lambda data: data["rows"]["Member"][0].update(name="x" * 500))

    def test_a_text_of_a_club_longer_than_there_is_room_for(self):
        self.refused(lambda data: data["rows"]["Club"][0].update(welcome="x" * 601))

    def test_a_moment_that_is_none(self):
        self.refused(lambda data: data["rows"]["Member"][0].update(joined_at="yesterday"))

    def test_another_version(self):
        self.refused(lambda data: data.update(version=2))

    def test_another_kind_of_rows(self):
        self.refused(lambda data: data["rows"].update(User=[]))

    def test_two_clubs(self):
        self.refused(lambda data: data["rows"]["Club"].append(copy.copy(data["rows"]["Club"][0])))

    def test_a_club_that_is_here_already(self):
        self.refused(lambda data: None, emptying=False)


@pytest.mark.django_db
@pytest.mark.parametrize("data", [None, [], "x", {}, {"format": "right-bower-club"}])
def test_what_is_no_archive_is_refused(data):
    with pytest.raises(BadArchive):
        restore(data, by=TEST)


@pytest.mark.django_db
def test_the_commands_say_in_a_line_what_is_wrong(tmp_path):
    there = tmp_path / "there.json"
    there.write_text("not json")
    a_user("olive")
    for command in (
        ["export_club", "no-such", str(tmp_path / "x.json")],
        ["import_club", str(there), "--owner", "olive"],
        ["import_club", str(tmp_path / "none.json"), "--owner", "olive"],
    ):
        with pytest.raises(CommandError):
            call_command(*command)
    a_game_of_counts((0, 3))
    with pytest.raises(CommandError):
        call_command("export_club", "thursday", str(there))
    assert there.read_text() == "not json"


@pytest.mark.django_db(transaction=True)
def test_without_an_account_to_own_it_no_club_is_restored(tmp_path):
    a_game_of_counts((0, 3))
    kept = tmp_path / "club.json"
    call_command("export_club", "thursday", str(kept), stdout=io.StringIO())
    assert Path(kept).stat().st_mode & 0o077 == 0
    emptied()
    with pytest.raises(CommandError):
        call_command("import_club", str(kept), "--owner", "nobody")
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_an_owner_takes_the_club_away_after_saying_the_password_again(client):
    game = a_game_of_counts((0, 3))
    club = game.session.club
    owner = a_user("rose", club=club, rank="owner")
    EmailAddress.objects.create(user=owner, email="r@example.org", verified=True, primary=True)
    page = reverse("club_archive", args=[club.slug])
    client.force_login(owner)
    question = client.get(page)
    assert question["Location"].startswith(reverse("account_reauthenticate"))
    client.post(question["Location"], {"password": "correct horse battery"})
    answer = client.get(page)
    assert answer.status_code == 200
    assert json.loads(answer.content)["rows"]["Game"][0]["public_id"] == game.public_id
    assert "no-store" in answer["Cache-Control"]
    assert AuditEntry.objects.filter(action="export club", user=owner).exists()
    assert Game.objects.count() == User.objects.count() == 1
