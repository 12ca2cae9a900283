"""The door of the bare project, and `python -m tests.benchmarks.bare.wsgi`, which furnishes it.

Prints the key of a session that is signed in.
"""

import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.bare.settings"

from django.core.wsgi import get_wsgi_application

from league.rsgi import WholeRequests

server = WholeRequests(get_wsgi_application(), threads=1)


def furnish() -> str:
    """Tables, two hundred totals, and somebody who is signed in; the key of her session."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    from tests.benchmarks.bare.models import Total

    call_command("migrate", run_syncdb=True, verbosity=0)
    Total.objects.bulk_create(
        Total(name=f"Player {n}", games=n, won=n // 2, points=7 * n, against=5 * n)
        for n in range(200)
    )
    user = User.objects.create_user("rose")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    sys.stdout.write(furnish() + "\n")
