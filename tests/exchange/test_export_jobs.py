"""Exports of a large club are written beside the pages, and downloaded for an hour."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from league.exchange import archive_writing, export_jobs
from league.exchange.archive_writing import archive_of
from league.members.models import AuditEntry, Club, Job
from tests.builders import EIGHT, a_club, a_user
from tests.exchange.recorded import a_game_of_counts


@pytest.fixture
def club(db, monkeypatch):
    """A club with more games than are written at once."""
    monkeypatch.setattr(export_jobs, "AT_ONCE_GAMES", 0)
    return a_game_of_counts((0, 3)).session.club


def file_of(client, job):
    return client.get(reverse("job_file", args=[job.club.slug, job.public_id]))


def test_the_results_of_a_large_club_are_written_beside_the_pages(club, client):
    client.force_login(a_user(club=club, rank="member"))
    page = reverse("club_results", args=[club.slug, "csv"])
    assert "Create file" in client.get(page).content.decode()
    assert not Job.objects.exists()
    answer = client.post(page, follow=True).content.decode()
    job = Job.objects.get()
    assert reverse("job_file", args=[club.slug, job.public_id]) in answer
    export_jobs.AT_ONCE_GAMES = 1
    assert file_of(client, job).content == client.get(page).content


def test_who_may_see_less_does_not_get_the_file_of_who_may_see_more(club, client):
    client.force_login(a_user(club=club, rank="organiser"))
    client.post(reverse("club_results", args=[club.slug, "csv"]))
    client.force_login(a_user("mem", club=club, rank="member"))
    assert file_of(client, Job.objects.get()).status_code == 404


def test_a_file_is_given_out_for_an_hour(club, client):
    client.force_login(a_user(club=club, rank="member"))
    client.post(reverse("club_results", args=[club.slug, "xlsx"]))
    job = Job.objects.get()
    assert file_of(client, job).status_code == 200
    Job.objects.update(changed_at=timezone.now() - timedelta(minutes=61))
    assert file_of(client, job).status_code == 404


def test_the_backup_of_a_large_club_asks_the_password_to_start_and_to_download(club, client):
    owner = a_user("rose", club=club, rank="owner")
    EmailAddress.objects.create(user=owner, email="r@example.org", verified=True, primary=True)
    page = reverse("club_archive", args=[club.slug])
    client.force_login(owner)
    answer = client.get(page)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    client.post(answer["Location"], {"password": "correct horse battery"})
    assert "Create file" in client.get(page).content.decode()
    client.post(page)
    job = Job.objects.get()
    (game,) = json.loads(file_of(client, job).content)["rows"]["Game"]
    assert game["public_id"] == club.sessions.get().games.get().public_id
    assert AuditEntry.objects.filter(action="export club", user=owner).count() == 1
    client.logout()
    client.force_login(owner)
    assert file_of(client, job)["Location"].startswith(reverse("account_reauthenticate"))


@pytest.mark.django_db(transaction=True)
def test_a_hand_can_be_written_while_a_whole_club_is_read(monkeypatch):
    club, rows_of = a_club(), archive_writing.rows_of

    def and_another_writes(model, of):
        if model is Club:
            other = connections["default"].copy()
            with other.cursor() as cursor:
                cursor.execute("UPDATE league_club SET name = 'Later'")
            other.close()
        return rows_of(model, of)

    monkeypatch.setattr(archive_writing, "rows_of", and_another_writes)
    archive_of(club, at=EIGHT)
    assert Club.objects.get().name == "Later"
