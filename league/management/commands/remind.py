"""`remind [--hours N]`: sends the mails about coming sessions that are due, each once, and confirms
results to which no one has objected in time."""

import sys
from argparse import ArgumentParser
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone, translation

from league.members.account_mail import mail_is_set
from league.members.audit import PROGRAM
from league.play.actions import auto_confirm_everywhere
from league.sessions.reminders import Sent, count_due, send_due


class Command(BaseCommand):
    help = (
        "Sends the mails about coming sessions: to those who asked to be reminded, to those who "
        "came off a waiting list, and to those whose session is cancelled. Nobody is told twice "
        "of one session. Confirms the results nobody has objected to in time. Run it every ten "
        "minutes. A club that fails keeps no other from its mails. Exit status: 0 all done, 1 the "
        "mail server would not take some mails (tried again), or a club failed (see the log)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--hours", type=int, default=24, help="remind so long before a session begins (24)"
        )
        parser.add_argument("--dry-run", action="store_true", help="send nothing, only count")

    def handle(self, *args: Any, **options: Any) -> None:
        hours, now = options["hours"], timezone.now()
        if not 0 < hours <= 24 * 365:
            raise CommandError("--hours is from 1 to a year's.")
        if options["dry_run"]:
            due = count_due(now, hours=hours)
            self.stdout.write(f"{due.sent} due.")
            self._end(due)
            return
        failed = auto_confirm_everywhere(by=PROGRAM, at=now)
        if not mail_is_set():
            raise CommandError("No mail server is set: give EMAIL_URL (docs/server.md).")
        with translation.override(settings.LANGUAGE_CODE):
            sent = send_due(now, hours=hours)
        self.stdout.write(f"{sent.sent} sent, {sent.failed} failed.")
        self._end(sent, failed)

    def _end(self, sent: Sent, failed: Collection[str] = ()) -> None:
        clubs = sorted({*sent.broken, *failed})
        for slug in clubs:
            self.stderr.write(f"{slug}: this club failed; see the log.")
        if sent.failed or clubs:
            sys.exit(1)
