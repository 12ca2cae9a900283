"""`run_jobs`: does the waiting jobs, one after the other, and ends."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from league import worker
from league.members.actions.jobs import clean_up, has_work


class Command(BaseCommand):
    help = (
        "Do the imports and exports that wait. The site starts this by itself; started by hand "
        "it does no harm: there is one at a time, and it ends when nothing waits."
    )

    requires_system_checks = ()  # the site that starts it was checked; a user is waiting

    def handle(self, *args: Any, **options: Any) -> None:
        worker.limit_resources()
        # Check again after releasing the lock: a job added meanwhile has started no worker.
        while has_work():
            with worker.only_one() as has_lock:
                if not has_lock:
                    return
                clean_up(timezone.now())
                call_command(
                    "db_worker", batch=True, reload=False, startup_delay=False, verbosity=0
                )
                clean_up(timezone.now())
