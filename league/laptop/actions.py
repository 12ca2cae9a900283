"""What is done on the club's own laptop: the first club, the demo beside it, closing the site."""

import os
import signal
import subprocess
import sys
import threading

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from league import limits
from league.members.actions import create_club
from league.members.audit import Actor
from league.members.models import Club, User
from league.members.sign_up import FIRST_ACCOUNT

SERVER = os.getppid()  # the process of Granian that started this one
A_MOMENT = 0.5  # seconds: the page that says so is on its way before the server ends


@transaction.atomic
def first_club(
    *, club: str, name: str, username: str, password: str, time_zone: str
) -> tuple[Club, User]:
    """The first account and its club, together or not at all; never a second time."""
    limits.refuse_over("first-account", FIRST_ACCOUNT)
    user = User(username=username, display_name=name)
    user.set_password(password)
    user.save()
    by = Actor(name, user, "this computer")
    made = create_club(
        name=club, slug=slugify(club)[:60] or "club", time_zone=time_zone or "UTC", by=by
    )
    return made, user


def open_demo() -> None:
    """Start a second site with a club to play with. It has a database of its own, and opens the
    browser by itself; where it runs already it does only that."""
    words = ["-m", "league.laptop.command", "--folder", str(settings.DATA_FOLDER), "--demo"]
    subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, *words], cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL
    )


def close_site() -> None:
    """End the server, a moment after the page that says so has been sent."""
    (settings.DATA_FOLDER / "closed").touch()
    still_there = os.getppid() == SERVER  # an orphan's parent is somebody else's process
    threading.Timer(A_MOMENT, end_server, [SERVER if still_there else os.getpid()]).start()


def end_server(process: int) -> None:
    """End Granian and with it this process. Every acknowledged hand is on the disk already."""
    if sys.platform == "win32":
        tree = ["taskkill", "/PID", str(process), "/T", "/F"]
        subprocess.run(tree, check=False, capture_output=True)  # noqa: S603
    else:
        os.kill(process, signal.SIGTERM)
