"""Errors told to Sentry, in a process of its own: what was sent, and what was not."""

import json
import os
import subprocess
import sys

from league import monitoring
from tests.site.test_settings import KEY, ROOT, python

BROKEN = """
import json, django
from django.conf import settings
# A fresh checkout has no static files gathered, and the page of the error names some.
plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.STORAGES["staticfiles"] = {"BACKEND": plain}
django.setup()
import sentry_sdk
from sentry_sdk.transport import Transport
from league import monitoring

class Kept(Transport):
    def capture_envelope(self, envelope):
        print(json.dumps([item.payload.json for item in envelope.items]))

monitoring.start("https://key@sentry.example/1", transport=Kept)

from django.test import Client
from league.live import revision

def broken():
    name = "Rose Wynter in a variable"
    raise ValueError(f"Rose Wynter in a sentence, not {name}")

revision.is_ours = broken
client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.77")
client.cookies["sessionid"] = "Rose Wynter in a cookie"
headers = {"X-Name": "Rose Wynter in a header", "Referer": "/c/rose-wynter/"}
print(client.get("/readyz?name=Rose+Wynter+in+a+query", headers=headers).status_code)
"""


def sent():
    """What a site that breaks sends; the status its visitor got."""
    given = {"PATH": os.environ["PATH"], "RIGHT_BOWER_ENV_FILE": os.devnull, "SECRET_KEY": KEY}
    given |= {"DJANGO_SETTINGS_MODULE": "league.settings", "LOG_LEVEL": "CRITICAL"}
    given |= {"DATABASE_URL": "sqlite:///:memory:", "ALLOWED_HOSTS": "testserver"}
    done = subprocess.run(
        [sys.executable, "-c", BROKEN], cwd=ROOT, env=given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    *envelopes, status = done.stdout.splitlines()
    return [item for line in envelopes for item in json.loads(line)], int(status)


def test_an_error_is_reported_with_its_place_and_page_and_with_nothing_of_anybody():
    (event,), status = sent()
    assert status == 500
    (error,) = event["exception"]["values"]
    assert (error["type"], event["transaction"]) == ("ValueError", "league.live.revision.readyz")
    assert error["stacktrace"]["frames"][-1]["function"] == "broken"
    everything = json.dumps(event)
    for trace in ("Rose Wynter in", "Rose+Wynter", "rose-wynter", "192.0.2.77", "sessionid"):
        # The line of code where it broke is the program's own.
        assert trace not in everything.replace(json.dumps(BROKEN), "")
    assert {"user", "request", "breadcrumbs", "server_name", "contexts"}.isdisjoint(event)


def test_nothing_is_reported_unless_the_server_s_keeper_wishes_it():
    code = "import sys, django; django.setup(); print('sentry_sdk' in sys.modules)"
    assert python("-c", code, SECRET_KEY=KEY).stdout.strip() == "False"
    run = python("-c", code, SECRET_KEY=KEY, SENTRY_DSN="https://key@sentry.example/1")
    assert run.stdout.strip() == "True", run.stderr


def test_an_error_at_an_address_without_a_function_is_reported_without_the_address():
    assert "transaction" not in monitoring.bare({"transaction": "/t/abcdefgh.1:key"})
    assert monitoring.bare({"transaction": "league.live.revision.readyz"})["transaction"]
