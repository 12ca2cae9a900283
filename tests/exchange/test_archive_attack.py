"""A full backup that somebody has changed: refused in sentences, or restored and readable.

`ARCHIVE_CHANGES=2000 bin/test tests/exchange/test_archive_attack.py` tries so many changes of a
club that has one of everything, and opens every page of those that are restored.
"""

import io
import json
import os
from collections import defaultdict
from itertools import islice
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from league.api import callers
from league.exchange.archive_restoring import BadArchive, restore
from league.exchange.archive_writing import archive_of, archived, lists, pointers
from league.members.actions import merge_members
from league.members.actions.erasing import erase_member
from league.members.models import Club, Member
from league.standings.queries import given_places
from league.tournaments.models import Stage
from league.tournaments.session_places import session_places
from tests.builders import EIGHT, TEST, a_club
from tests.exchange.crawl import Visitors, of_pages
from tests.exchange.mutations import cut_off, mutations
from tests.exchange.rich_club import rich_club
from tests.tournaments.playing import a_tournament, drawn, of_pairs, play_round, published

MANY = int(os.environ.get("ARCHIVE_CHANGES", "0"))
CHANGES, OPENED = (MANY, MANY) if MANY else (5, 1)
SEED = int(os.environ.get("ARCHIVE_SEED", "5"))


@pytest.fixture(scope="module")
def backup(django_db_setup, django_db_blocker):
    """A full backup of the rich club, which is gone again."""
    with django_db_blocker.unblock(), transaction.atomic():
        text = json.dumps(archive_of(rich_club(), at=EIGHT))
        transaction.set_rollback(True)
    return counted_from_one(json.loads(text))


def counted_from_one(data):
    """The same with ids from 1 for each kind of row, whatever the database gave them."""
    new = {
        model: {row["id"]: place for place, row in enumerate(data["rows"][model.__name__], 1)}
        for model in archived()
    }
    for model in archived():
        for row in data["rows"][model.__name__]:
            row["id"] = new[model][row["id"]]
            for name, to in pointers(model):
                row[name] = row[name] and new[to][row[name]]
            for name, to in lists(model):
                row[name] = [new[to][one] for one in row[name]]
    return data


@pytest.fixture(autouse=True)
def _programs_ask_often(monkeypatch):
    monkeypatch.setattr(callers, "MAX_PER_MINUTE", 10**9)


def changed(backup, kind, at=0, **values):
    """The backup with other values in one row."""
    rows = list(backup["rows"][kind])
    rows[at] = {**rows[at], **values}
    return {**backup, "rows": {**backup["rows"], kind: rows}}


def refusal(data):
    """The sentences with which the archive is refused; nothing of it is there then."""
    with pytest.raises(BadArchive) as caught:
        restore(data, by=TEST)
    assert not Club.objects.exists()
    assert not Member.objects.exists()
    return caught.value.sentences


def test_every_page_is_opened_for_every_thing_that_it_can_be_about():
    thing = SimpleNamespace(public_id="abcdefghijkl", number=1, round=1, pk=1)
    thing.league = thing.session = thing.tournament = thing.stage = thing
    assert len(list(of_pages(defaultdict(lambda: [thing]), slug="club"))) > 100


@pytest.mark.django_db
def test_a_changed_backup_is_refused_in_sentences_or_every_page_of_the_club_opens(backup):
    opened = 0
    for change in islice(mutations(backup, seed=SEED), CHANGES):
        with transaction.atomic():
            club = restored(change.data)
            if club is not None and opened < OPENED:
                opened += 1
                assert list(Visitors(club).broken(change.around)) == [], change.what
                call_command("recount", "--check", stdout=io.StringIO())
                call_command("remind", "--dry-run", stdout=io.StringIO())
            transaction.set_rollback(True)
    assert opened


def restored(data):
    """The club; None where it was refused with a sentence."""
    try:
        return restore(data, by=TEST)
    except BadArchive as refused:
        sentences = refused.sentences
    assert sentences
    assert all(len(one) > 15 for one in sentences)
    return None


TAKEN_BY_NO_FORM = [
    ("Club", "time_zone", "Mars/Olympus"),
    ("Club", "measures", ["won", "luck"]),
    ("Club", "co_winners_credit", "half"),
    ("Club", "seating_table", {"5": [9]}),
    ("Club", "auto_accept_minutes", 10**9),
    ("Club", "name", "Thurs\u202eday"),
    ("ClubRuleset", "body", {"extends": "no-such"}),
    ("ClubRuleset", "players", 3),
    ("Season", "place_points", ["x"]),
    ("Season", "starts_on", "0001-01-01"),
    ("Season", "ends_on", "1999-01-01"),
    ("Session", "held_on", "9999-12-31"),
    ("Session", "made_at", "9999-12-31T23:59:59+00:00"),
    ("Session", "state", "on"),
    ("Session", "places", True),
    ("Session", "public_id", "a/b"),
    ("Table", "dealer_draw", {"cards": [[1, "Jc", 2]]}),
    ("Stage", "parameters", {"movement": "sideways"}),
    ("Stage", "cards", [{"from": 1}]),
    ("Hand", "record", {"dealer": 0, "contract": {"seat": 9}}),
    ("Hand", "points", [10**30, 0, 0, 0]),
    ("Ruling", "points", [1]),
    ("Ruling", "after_hand", 300),
    ("Game", "totals", [float("nan"), 1]),
    ("Pot", "shares", ["60", "60"]),
    ("Payment", "amount", "-2.00"),
    ("Member", "email", "nobody"),
    ("Member", "former_names", [["Rose"]]),
    ("Member", "former_names", {}),
    ("Club", "seating_table", []),
    ("Club", "seating_table", ""),
    ("Club", "measures", ""),
    ("ClubRuleset", "body", {}),
    ("ClubRuleset", "body", []),
    ("Season", "place_points", {}),
    ("Stage", "cards", ""),
    ("Deduction", "points", 32_767),
    ("AuditEntry", "new", {"x": "\ud800"}),
    ("TeamLeague", "days_between", 0),
    ("Club", "time_zone", "localtime"),
    ("Club", "time_zone", "Factory"),
    ("ClubRuleset", "version", 0),
    ("Round", "number", 0),
    ("Table", "number", 0),
    ("TeamMatch", "number", 0),
    ("TeamMatch", "round", 0),
    ("Match", "number", 0),
    ("Session", "revision", 2**31 - 1),
    ("TeamMatch", "revision", 2**31 - 1),
    ("TeamMatch", "round", 99),
    ("Table", "number", 99),
    ("Table", "link_version", 2**31 - 1),
    ("Session", "door_version", 2**31 - 1),
    ("Table", "dealer_draw", {"custom": "first_jack", "seed": 1, "cards": [[9, "Jc"]]}),
    ("Table", "dealer_draw", {"custom": "first_jack", "seed": 1, "cards": [[0, "Zz"]]}),
    ("Table", "dealer_draw", {"custom": "q"}),
    ("Match", "winner", 99),
    ("Match", "winner", 9),
    ("MatchSide", "position", 9),
    ("TeamMatch", "session", 1),
    ("Member", "erased_at", "2026-11-19T20:00:00+00:00"),
    ("Payment", "entered_as", "Test\u200d"),
    ("Deduction", "withdrawn_as", "Rose\u200b"),
    ("Ruling", "withdrawn_as", "\ufeffx"),
]


@pytest.mark.django_db
def test_values_that_no_form_takes_are_refused_with_their_rows_and_fields(backup):
    """As many at once as fit into one file; what no sentence names then comes again by itself."""
    left = list(TAKEN_BY_NO_FORM)
    while left:
        together = {(kind, field): value for kind, field, value in left}
        data = backup
        for (kind, field), value in together.items():
            data = changed(data, kind, **{field: value})
        refused = {one.partition(": ")[0] for one in refusal(data)}
        before = len(left)
        for (kind, field), value in together.items():
            if f"{kind} 1, {field}" in refused:
                left.remove((kind, field, value))
        assert len(left) < before, left


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("Seat", {"session": 2}),  # another session than its table's
        ("MatchSide", {"entry": 30}),  # of another tournament
        ("TeamMatch", {"away": 1, "home": 1}),
        ("StageRound", {"number": 9}),
        ("Member", {"merged_into": 61}),  # who is merged into the first
        ("Season", {"follows": 2}),  # which follows it
        ("Seat", {"position": 7}),
        ("Table", {"players": 2}),
        ("Game", {"winners": [0]}),  # half a side
        ("Game", {"id": 2}),
        ("Match", {"stage_round": None}),
        ("Match", {"stage_round": True}),
        ("Round", {"releases": [1, 1]}),
        ("Result", {"points": 7}),
    ],
)
def test_rows_that_do_not_fit_together_are_refused(backup, kind, values):
    place = next(n for n, row in enumerate(backup["rows"][kind]) if row.keys() >= values.keys())
    data = changed(backup, kind, place, **values)
    assert json.dumps(data) != json.dumps(backup)
    assert any(sentence.startswith((kind, "Game")) for sentence in refusal(data))


@pytest.mark.django_db
def test_a_tournament_without_a_stage_is_refused(backup):
    rows = {kind: list(listed) for kind, listed in backup["rows"].items()}
    cut_off(rows, Stage, rows["Stage"][0])
    assert refusal({**backup, "rows": rows}) == ("Tournament 1: It has too few rows of Stage.",)


@pytest.mark.django_db
def test_everything_wrong_is_told_at_once(backup):
    data = changed(backup, "Club", time_zone="Mars/Olympus", measures=["luck"], x=1)
    assert len(refusal(data)) == 1  # a field too many: then the others cannot be read
    data = changed(backup, "Club", time_zone="Mars/Olympus", measures=["luck"])
    data = changed(data, "Season", place_points="x", starts_on="2026-02-30")
    assert [one.partition(":")[0] for one in refusal(data)] == [
        "Club 1, time_zone", "Club 1, measures", "Season 1, starts_on", "Season 1, place_points"
    ]  # fmt: skip


@pytest.mark.django_db
def test_what_is_nested_without_end_is_refused(backup):
    deep = []
    for _level in range(900):
        deep = [deep]
    assert "nested" in refusal(changed(backup, "AuditEntry", new=deep))[0]


@pytest.mark.django_db
def test_a_file_that_says_a_name_twice_or_holds_no_numbers_is_no_backup(tmp_path):
    for text in ('{"format": 1, "format": 2}', '{"x": NaN}', "[" * 100_000, "9" * 5000, "\ufeff{}"):
        there = tmp_path / "club.json"
        there.write_text(text)
        with pytest.raises(CommandError):
            call_command("import_club", str(there), "--owner", "olive")


@pytest.mark.django_db
@pytest.mark.parametrize("format", sorted({*Stage.Format.values} - {"groups"}))
def test_a_stage_of_groups_whose_format_is_another_is_refused(backup, format):
    assert backup["rows"]["Stage"][0]["format"] == "groups"
    sentences = refusal(changed(backup, "Stage", format=format))
    assert all(one.startswith(("Match", "Stage 1, format")) for one in sentences)


@pytest.mark.django_db
def test_a_match_at_a_place_that_no_bracket_has_is_refused(backup):
    (sentence,) = refusal(changed(backup, "TeamMatch", place="XX"))
    assert sentence == "TeamMatch 1, place: There is no such place in the bracket."


@pytest.mark.django_db
@pytest.mark.parametrize("figures", [[["points"]], [["x", "1"]], [["points", "1e9"]], [[[], 1]]])
def test_figures_of_a_place_that_are_none_are_refused(backup, figures):
    (sentence,) = refusal(changed(backup, "SessionPlace", figures=figures))
    assert sentence == "SessionPlace 1, figures: This is not a list of figures."


@pytest.mark.django_db
def test_the_places_of_a_tournament_follow_from_it_whatever_a_backup_says(backup):
    data = json.loads(json.dumps(backup))
    rows = data["rows"]["SessionPlace"]
    assert len(rows) > 1
    rows[0]["place"], rows[-1]["place"] = rows[-1]["place"], rows[0]["place"]
    rows.append({"id": 10**6, "session": 1, "member": 1, "place": 1})  # there is none that evening
    club = restore(data, by=TEST)
    for night in club.sessions.all():
        assert given_places(night) == session_places(night)


@pytest.mark.django_db
def test_a_backup_of_tournaments_is_restored_in_the_middle_of_them():
    """One with a card, one with groups, one with a bracket."""
    with transaction.atomic():
        club = a_club()
        cups = a_tournament(5, "rotation", club=club), of_pairs(6, "groups", club=club)
        for cup in (*cups, of_pairs(3, "double", club=club)):
            published(cup)
            play_round(cup)
            drawn(cup, 2)
        gone = Member.objects.create(club=club, name="Gone")
        same = Member.objects.create(club=club, name="Gone Too")
        merge_members(same, into=gone, by=TEST, at=EIGHT)
        erase_member(gone, by=TEST, at=EIGHT)
        text = json.dumps(archive_of(club, at=EIGHT))
        transaction.set_rollback(True)
    assert restore(json.loads(text), by=TEST).tournaments.count() == 3
