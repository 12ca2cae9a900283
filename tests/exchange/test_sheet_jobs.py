"""Large sheets are worked on beside the pages; small ones are answered as ever."""

import io
from random import Random
from string import ascii_lowercase
from types import SimpleNamespace

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.exchange import people_import, sheet_import
from league.exchange.views.dry_run import AT_ONCE_ROWS, is_small
from league.members.models import Job, Member
from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db
CHANCE = Random(1)
MANY = ["".join(CHANCE.choices(ascii_lowercase, k=12)) for _ in range(AT_ONCE_ROWS + 1)]
LIKE_THE_FIRST = MANY[0] + "s"


def a_list(names):
    return "\n".join(["name", *names]).encode()


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def organiser(club, client):
    client.force_login(a_user(club=club))
    return client


def bring(client, club, content):
    """A sheet of people brought in, up to the page it leads to."""
    page = reverse("import_people", args=[club.slug])
    return client.post(page, {"file": SimpleUploadedFile("list", content)}, follow=True)


def check(client, job, **data):
    address = reverse("check_import", args=[job.club.slug, job.public_id])
    return client.post(address, data, follow=True)


def text(answer):
    return " ".join(answer.content.decode().split())


def test_a_list_of_two_hundred_is_answered_at_once_and_a_longer_one_works_beside(organiser, club):
    answer = text(bring(organiser, club, a_list(MANY[:AT_ONCE_ROWS])))
    assert "200 players are new" in answer
    assert (
        "Leave out" not in answer
    )  # that is for a pasted list: the sheet itself says who is on it
    assert not Job.objects.exists()
    bring(organiser, club, a_list(MANY))
    assert Job.objects.get().state == Job.State.READY


def test_a_spreadsheet_of_forty_names_is_small_and_one_that_unpacks_to_much_is_not():
    book = openpyxl.Workbook()
    for name in ["name", *MANY[:40]]:
        book.active.append([name])
    buffer = io.BytesIO()
    book.save(buffer)
    assert is_small(buffer.getvalue())
    for _ in range(3_000):
        book.active.append(["x", "y", "z"])
    buffer = io.BytesIO()
    book.save(buffer)
    assert not is_small(buffer.getvalue())
    assert is_small(b"PK\x03\x04 and then nothing")


def test_a_large_list_is_checked_line_by_line_then_added_and_nothing_of_it_stays(organiser, club):
    Member.objects.create(club=club, name=LIKE_THE_FIRST)
    checked = bring(organiser, club, a_list(MANY))
    job = Job.objects.get()
    assert checked.redirect_chain[-1][0].endswith(f"/jobs/{job.public_id}/check/")
    assert "Nothing is saved yet" in text(checked)
    assert 'name="also" value="2"' in text(checked)
    assert Member.objects.count() == 1
    done = check(organiser, job, agreed=job.agreed, also=["2"])
    assert f"Added {len(MANY)} players." in text(done)
    assert Member.objects.count() == 1 + len(MANY)
    job.refresh_from_db()
    assert (job.state, job.upload, job.preview) == (Job.State.DONE, None, "")


def test_a_list_that_changed_meanwhile_is_shown_again_with_what_was_ticked(organiser, club):
    Member.objects.create(club=club, name=LIKE_THE_FIRST)
    bring(organiser, club, a_list(MANY))
    job = Job.objects.get()
    Member.objects.create(club=club, name=MANY[5])
    again = check(organiser, job, agreed=job.agreed, also=["2"])
    assert "This is not the list you checked." in text(again)
    assert 'value="2" id="also_1" checked' in text(again)
    assert Member.objects.count() == 2
    job.refresh_from_db()
    assert "Added " in text(check(organiser, job, agreed=job.agreed, also=["2"]))


def test_a_large_file_that_is_no_sheet_says_why_and_is_not_kept(organiser, club):
    answer = bring(organiser, club, b"kind\n" + b"guest\n" * 300)
    assert "A column is missing: name." in text(answer)
    assert Job.objects.get().upload is None


def test_every_bad_cell_of_a_large_list_is_named_and_nothing_can_be_ordered(organiser, club):
    answer = bring(organiser, club, a_list([*MANY, "\u202eevil"]))
    assert f"Line {len(MANY) + 2}, name" in text(answer)
    check(organiser, Job.objects.get(), agreed="")
    assert not Member.objects.exists()


def test_an_import_is_found_again_from_the_pages_of_files_and_of_imports(organiser, club):
    bring(organiser, club, a_list(MANY))
    job = reverse("job", args=[club.slug, Job.objects.get().public_id])
    for name in ("club_files", "import_people"):
        assert job in text(organiser.get(reverse(name, args=[club.slug])))


def test_what_is_cancelled_as_it_is_saved_is_not_saved(organiser, club, monkeypatch):
    bring(organiser, club, a_list(MANY))
    job, log_action = Job.objects.get(), people_import.log_action

    def cancelled_meanwhile(*entry, **changes):
        log_action(*entry, **changes)
        Job.objects.update(cancelled=True)

    monkeypatch.setattr(people_import, "log_action", cancelled_meanwhile)
    answer = check(organiser, job, agreed=job.agreed)
    assert "Cancelled. Nothing was changed." in text(answer)
    assert not Member.objects.exists()


def test_a_worker_that_ends_right_after_it_saved_leaves_a_page_that_says_so(
    organiser, club, monkeypatch
):
    bring(organiser, club, a_list(MANY))
    job, store = Job.objects.get(), sheet_import.store

    def stored_and_gone(*args, **kwargs):
        store(*args, **kwargs)
        raise SystemExit

    monkeypatch.setattr(sheet_import, "store", stored_and_gone)
    answer = check(organiser, job, agreed=job.agreed)
    assert f"Added {len(MANY)} players." in text(answer)
    assert Member.objects.count() == len(MANY)


def test_a_sheet_that_breaks_the_work_changes_nothing_and_can_be_started_again(
    organiser, club, monkeypatch
):
    with monkeypatch.context() as broken:
        broken.setattr(people_import, "read_list", lambda *args, **kwargs: 1 / 0)
        answer = bring(organiser, club, a_list(MANY))
    assert "Something went wrong. Nothing was changed." in text(answer)
    job = Job.objects.get()
    again = organiser.post(reverse("job_again", args=[club.slug, job.public_id]), follow=True)
    assert f"{len(MANY)} players are new" in text(again)


def test_a_list_that_is_cancelled_once_it_was_checked_says_so_and_leads_on(organiser, club):
    bring(organiser, club, a_list(MANY))
    job = Job.objects.get()
    cancel = reverse("job_cancel", args=[club.slug, job.public_id])
    answer = organiser.post(cancel, follow=True)
    assert answer.status_code == 200
    assert "Nothing was changed." in text(answer)
    assert "Back to import and export" in text(answer)


def test_a_list_that_was_agreed_to_waits_and_is_cancelled_before_its_turn(
    organiser, club, monkeypatch
):
    bring(organiser, club, a_list(MANY))
    job = Job.objects.get()
    nobody_works = SimpleNamespace(enqueue=lambda pk: None)
    monkeypatch.setattr("league.members.actions.jobs.import_string", lambda name: nobody_works)
    check(organiser, job, agreed=job.agreed)
    job.refresh_from_db()
    assert (job.state, job.leads_to) == (Job.State.WAITING, "")
    answer = organiser.post(reverse("job_cancel", args=[club.slug, job.public_id]), follow=True)
    assert answer.status_code == 200


def test_whoever_brings_a_second_file_meanwhile_reads_that_it_was_not_taken(organiser, club):
    bring(organiser, club, a_list(MANY))
    Job.objects.update(state=Job.State.RUNNING)
    worker = "league.members.actions.jobs.notice_lost_jobs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, lambda: None)
        answer = bring(organiser, club, a_list(MANY[::-1]))
    assert answer.status_code == 409
    assert "is still being read. Send yours again in a few minutes." in text(answer)
