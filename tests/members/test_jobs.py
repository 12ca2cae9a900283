"""Long work beside the pages: who sees it, how it ends, and that nobody waits for a lost worker."""

import io
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from league import worker
from league.errors import Refused
from league.members.actions import erase_member, jobs
from league.members.actions.jobs import (
    MOST_PER_CLUB,
    Outcome,
    Reporter,
    Work,
    cancel_job,
    continue_job,
    forget_old_jobs,
    run_job,
    start_job,
)
from league.members.audit import Actor
from league.members.models import Job, Role
from tests.builders import EIGHT, TEST, a_club, a_user, members_of

pytestmark = pytest.mark.django_db
LOOK = "league.exchange.views.files.look_at_sheet"
PEOPLE = Work(Job.Kind.IMPORT_PEOPLE, LOOK, Role.Rank.ORGANISER)


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def olive(club):
    return a_user(club=club)


def a_job(club, user, **fields):
    usual = {"kind": Job.Kind.IMPORT_HANDS, "task": LOOK, "least": "organiser", "language": "en"}
    return Job.objects.create(club=club, user=user, **{**usual, **fields})


def state_of(job):
    return Job.objects.get(pk=job.pk).state


def page_of(client, job):
    return client.get(reverse("job", args=[job.club.slug, job.public_id]))


def test_a_job_whose_worker_is_gone_is_shown_as_interrupted_and_looking_writes_nothing(
    club, olive, client
):
    job = a_job(club, olive, state="running", step="saving")
    client.force_login(olive)
    answer = page_of(client, job).content.decode()
    assert "Interrupted. Nothing was changed." in answer
    assert "Start again" in answer
    assert state_of(job) == "running"


def test_a_job_whose_worker_lives_is_shown_with_its_progress(club, olive, client, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    job = a_job(club, olive, state="running", step="checking", done=2, total=5)
    client.force_login(olive)
    answer = page_of(client, job).content.decode()
    assert "Checking each line: 40%" in " ".join(answer.split())
    assert 'http-equiv="refresh"' in answer
    assert 'hx-trigger="every 2s"' in answer


def test_a_job_that_no_worker_began_is_waited_for_a_while_and_then_offered_again(
    club, olive, client
):
    client.force_login(olive)
    job = a_job(club, olive)
    assert "Waiting to start" in page_of(client, job).content.decode()
    Job.objects.update(changed_at=timezone.now() - timedelta(minutes=2))
    assert "Start again" in page_of(client, job).content.decode()


def test_the_lock_of_the_worker_is_held_by_one_and_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "PATIENCE", 0)
    with worker.only_one() as first:
        assert (first, worker.is_at_work()) == (True, True)
        with worker.only_one() as second:
            assert not second
    assert not worker.is_at_work()


def test_a_lost_job_does_not_stand_in_the_way_of_the_next(club, olive):
    lost = a_job(club, olive, state="running", kind=Job.Kind.IMPORT_PEOPLE)
    mine = start_job(club, PEOPLE, by=Actor("olive", olive), upload=b"name\nAnn")
    assert mine != lost
    assert state_of(mine) == "ready"


def test_a_second_press_shows_the_first_job(club, olive, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    kind, sheet = Job.Kind.IMPORT_PEOPLE, b"name\nAnn"
    first = a_job(club, olive, state="running", kind=kind, upload=sheet)
    assert start_job(club, PEOPLE, by=Actor("olive", olive), upload=sheet) == first
    assert Job.objects.count() == 1


def test_another_file_is_refused_while_one_is_read_and_it_is_said_whose(club, olive, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    kind, sheet = Job.Kind.IMPORT_PEOPLE, b"name\nAnn"
    a_job(club, olive, state="running", kind=kind, upload=sheet)
    carl = a_user("carl", club=club)
    for user, upload in ((carl, sheet), (olive, b"name\nBea")):
        with pytest.raises(Refused, match="A file of olive is still being read") as refused:
            start_job(club, PEOPLE, by=Actor("somebody", user), upload=upload)
        assert refused.value.status == 409


def test_a_club_has_so_many_jobs_under_way_and_no_more(club, olive, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    for kind in ("import-hands", "import-results", "export-results")[:MOST_PER_CLUB]:
        a_job(club, olive, kind=kind)
    with pytest.raises(Refused, match="Other work is still under way"):
        start_job(club, PEOPLE, by=Actor("olive", olive), upload=b"name\nAnn")
    other = a_club("Other", "other")
    eve = a_user("eve", club=other)
    assert start_job(other, PEOPLE, by=Actor("eve", eve), upload=b"name\nAnn").club == other


def test_only_who_may_do_it_sees_what_becomes_of_it(club, olive, client):
    job = a_job(club, olive, state="ready", leads_to="check_import")
    client.force_login(a_user("mem", club=club, rank="member"))
    for name in ("job", "job_file"):
        assert client.get(reverse(name, args=[club.slug, job.public_id])).status_code == 404
    for name in ("job_cancel", "job_again"):
        assert client.post(reverse(name, args=[club.slug, job.public_id])).status_code == 404
    assert job.public_id not in client.get(reverse("club_files", args=[club.slug])).content.decode()


def test_who_lost_the_role_meanwhile_has_the_work_refused(club, olive):
    job = a_job(club, olive)
    olive.roles.all().delete()
    run_job(job.pk, lambda job: pytest.fail("it was done"))
    assert state_of(job) == "refused"


def test_a_job_cancelled_before_it_began_is_passed_over(club, olive):
    job = a_job(club, olive)
    cancel_job(job)
    run_job(job.pk, lambda job: pytest.fail("it was done"))
    assert state_of(job) == "cancelled"


def test_a_running_job_is_cancelled_at_its_next_step(club, olive, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    job, seen = a_job(club, olive), []

    def work(job):
        for number in worker.counted(range(3)):
            seen.append(number)
            cancel_job(job)
            worker.begin("saving")
        pytest.fail("it went on")

    run_job(job.pk, work)
    assert (state_of(job), seen) == ("cancelled", [0])


def test_reports_are_written_at_each_step_and_else_now_and_then(club, olive):
    job = a_job(club, olive, state="running")
    reporter = Reporter(job, None)
    for done in range(1000):
        reporter.at("checking", done, 1000)
    reporter.at("saving", 0, 0)
    job.refresh_from_db()
    assert (job.step, job.done) == ("saving", 0)


def test_what_has_gone_on_is_not_gone_on_with_twice(club, olive, monkeypatch):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    job = a_job(club, olive, state="done")
    with pytest.raises(Refused, match="already done"):
        continue_job(job, task=LOOK)
    with pytest.raises(Refused, match="already done"):
        continue_job(job)


def test_files_are_forgotten_after_an_hour_and_what_waits_for_somebody_after_a_day(club, olive):
    now = timezone.now()
    for hours, kind, state in (
        (2, "import-people", "done"),
        (2, "import-hands", "ready"),
        (25, "import-results", "interrupted"),
        (0, "export-club", "done"),
    ):
        a_job(club, olive, kind=kind, state=state, changed_at=now - timedelta(hours=hours))
    forget_old_jobs(now)
    assert set(Job.objects.values_list("kind", flat=True)) == {"import-hands", "export-club"}


def test_an_erased_person_is_in_no_file_that_waits(club, olive):
    a_job(club, olive, state="ready", upload=b"name\nRose")
    running = a_job(club, olive, kind="import-people", state="running")
    erase_member(members_of(club, 1)[0], by=TEST, at=EIGHT)
    assert list(Job.objects.all()) == [running]
    run = Job.objects.get()
    assert run.cancelled


@pytest.mark.parametrize("ends", ["done", "ready", "failed", "killed"])
def test_a_job_that_runs_as_somebody_is_erased_leaves_nothing_however_it_ends(club, olive, ends):
    job = a_job(club, olive, upload=b"name\nRose", preview="Rose")
    rose = members_of(club, 1)[0]

    def work(job):
        erase_member(rose, by=TEST, at=EIGHT)
        if ends == "failed":
            raise ValueError
        return Outcome(ends, file=b"Rose", preview="Rose", agreed="1")

    if ends == "killed":
        Job.objects.update(state="running")
        erase_member(rose, by=TEST, at=EIGHT)
        jobs.notice_lost_jobs()
    else:
        run_job(job.pk, work)
    job.refresh_from_db()
    kept = (job.upload, job.file, job.preview, job.agreed)
    assert (job.state, kept) == ("cancelled", (None, None, "", ""))


def test_work_that_takes_more_memory_than_it_may_is_refused(club, olive):
    def work(job):
        raise MemoryError

    job = a_job(club, olive)
    run_job(job.pk, work)
    assert state_of(job) == "refused"


def test_the_words_of_an_outcome_are_in_the_language_of_who_started_it(club, olive):
    job = a_job(club, olive, language="de")
    languages = []

    def work(job):
        from django.utils.translation import get_language

        languages.append(get_language())
        return Outcome()

    run_job(job.pk, work)
    assert languages == ["de"]


def test_however_often_a_worker_is_asked_for_one_starts_and_one_more_once_it_has_ended(
    monkeypatch,
):
    """What is asked for as a worker ends may come too late for it."""
    ends, started = threading.Semaphore(0), []

    class Process:
        def __init__(self, *args, **kwargs):
            started.append(self)

        def wait(self):
            ends.acquire()

    monkeypatch.setattr(worker.subprocess, "Popen", Process)
    starter = worker._Starter()
    for _ in range(100):
        starter.start()
    assert len(started) == 1
    ends.release(2)
    wait_for(lambda: len(started) == 2 and not starter.is_alive)


def wait_for(true):
    while not true():
        time.sleep(0.001)


def test_a_backup_holds_no_export_whose_hour_is_over(club, olive, tmp_path, monkeypatch):
    a_job(club, olive, state="done", changed_at=timezone.now() - timedelta(hours=2))
    monkeypatch.setattr(
        "league.management.commands.backup.write_copy",
        lambda *files: Path(tmp_path / "copy").write_text("x"),
    )
    monkeypatch.setattr("django.conf.settings.ON_SQLITE", True)
    call_command("backup", str(tmp_path / "copy"), stdout=io.StringIO())
    assert not Job.objects.exists()


def test_a_page_that_follows_a_job_gets_its_part_and_is_led_on_once_somebody_is_asked(
    club, olive, client, monkeypatch
):
    monkeypatch.setattr(worker, "is_at_work", lambda: True)
    job = a_job(club, olive, state="running", step="saving")
    client.force_login(olive)
    address = reverse("job", args=[club.slug, job.public_id])
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert ("Saving" in part, "<html" in part) == (True, False)
    Job.objects.update(state="ready", leads_to="check_import")
    answer = client.get(address, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == reverse("check_import", args=[club.slug, job.public_id])


def test_what_waits_since_before_a_power_cut_is_begun_by_the_next_press(club, olive, monkeypatch):
    started = []
    monkeypatch.setattr(jobs, "has_work", lambda: True)
    monkeypatch.setattr(worker, "start", lambda: started.append(1))
    job = a_job(club, olive, kind=Job.Kind.IMPORT_PEOPLE)
    assert start_job(club, PEOPLE, by=Actor("olive", olive)) == job
    continue_job(job)
    assert len(started) == 2
