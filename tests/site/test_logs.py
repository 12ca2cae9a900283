"""Nothing that opens a door stands in a log."""

import io
import json
import logging
import re
from contextlib import contextmanager

import pytest
from django.core.exceptions import (
    BadRequest,
    DisallowedRedirect,
    PermissionDenied,
    SuspiciousFileOperation,
    SuspiciousOperation,
)
from django.http import Http404
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from league.logs import DiscreetFormatter, JsonFormatter, WithRequest, discreet
from league.members.models import User
from tests.builders import a_club

TOKEN = "eyJ0IjozfQ:1tAbCd:9f3kLmNoPqRsTuVwXyZ0123456789abcdef"
KEYS = {"token", "key", "code", "secret"}  # url arguments that are keys, by their name


def addresses(patterns, before="/"):
    """Every address of the site that carries a key, with TOKEN in the key's place."""
    for pattern in patterns:
        route = before + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and carries_a_key(route):
            yield with_token(route)


def carries_a_key(route):
    return bool(KEYS & set(re.findall(r"<(?:\w+:)?(\w+)>", route)))


def with_token(route):
    route = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", route).rstrip("$")
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda m: TOKEN if m[1] in KEYS else "x1", route)


@pytest.mark.parametrize("address", sorted(set(addresses(get_resolver().url_patterns))))
def test_every_address_with_a_key_is_written_without_it(address):
    assert TOKEN in address
    assert TOKEN not in discreet(f"GET {address} 200 3ms")


def test_a_tables_link_is_written_without_its_token():
    assert discreet(f"GET /t/{TOKEN}/hands 201 8ms") == "GET /t/…/hands 201 8ms"
    assert discreet("Not Found: /t/short") == "Not Found: /t/…"


def test_a_query_is_not_written():
    assert discreet("GET /c/thursday/?name=Rose&age=9 200") == "GET /c/thursday/?… 200"


def test_the_folder_of_who_is_signed_in_to_the_computer_is_left_out(monkeypatch):
    """On a laptop it is somebody's name, and a traceback names files there."""
    monkeypatch.setattr("os.path.expanduser", lambda _: r"C:\Users\Ruth Delgado")
    line = r'File "C:\Users\Ruth Delgado\AppData\Roaming\uv\tools\views.py", line 7'
    assert discreet(line) == r'File "~\AppData\Roaming\uv\tools\views.py", line 7'


def test_an_ordinary_address_is_written_whole():
    line = "GET /c/thursday/s/k3jd8f2l/standings/ 200 5ms"
    assert discreet(line) == line


def test_a_traceback_is_written_without_tokens():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(DiscreetFormatter("{message}", style="{"))
    record = logging.makeLogRecord({"msg": "Internal Server Error: %s", "args": (f"/t/{TOKEN}",)})
    try:
        raise ValueError(f"at /t/{TOKEN}/hands")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    handler.handle(record)
    assert "ValueError: at /t/…/hands" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_a_request_writes_one_line_with_method_path_status(client, caplog):
    with caplog.at_level("INFO", logger="league.access"):
        client.get("/healthz?token=secret")
    (line,) = [r.getMessage() for r in caplog.records if r.name == "league.access"]
    assert re.fullmatch(r"GET /healthz 200 \d+ms", line)


def formatted(formatter, message="told", **more):
    record = logging.makeLogRecord({"name": "x", "levelname": "INFO", "msg": message, **more})
    WithRequest().filter(record)
    return formatter.format(record)


def test_the_lines_of_a_request_carry_its_id_and_so_does_its_answer(client, caplog, monkeypatch):
    inside = []

    def looking(*args):
        inside.append(formatted(DiscreetFormatter("{request_id}", style="{")))
        return True

    monkeypatch.setattr("league.live.revision.is_ours", looking)
    first, second = client.get("/readyz"), client.get("/readyz", headers={"X-Request-ID": "mine"})
    assert inside == [first["X-Request-ID"], second["X-Request-ID"]]
    assert len({*inside, "mine"}) == 3
    assert formatted(DiscreetFormatter("{request_id}", style="{")) == "-"


def test_a_line_can_be_json_for_programs_and_is_as_discreet(client, caplog):
    with caplog.at_level("INFO", logger="league.access"):
        client.get(f"/t/{TOKEN}/hands")
    (record,) = [one for one in caplog.records if one.name == "league.access"]
    parsed = json.loads(JsonFormatter().format(record))
    assert (parsed["method"], parsed["status"]) == ("GET", 404)
    assert "GET /t/…/hands" in parsed["message"]
    try:
        raise ValueError(f"at /t/{TOKEN}/hands\nINFO forged")
    except ValueError as error:
        found = (type(error), error, error.__traceback__)
    line = formatted(JsonFormatter(), f"broken\n{TOKEN} at /t/{TOKEN}", exc_info=found)
    assert "\n" not in line
    assert "/t/…/hands" in json.loads(line)["traceback"]
    assert f"/t/{TOKEN}" not in line


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"login": "x" * 2_000_000}},
        {"data": {f"field-{number}": "x" for number in range(2_000)}},
        {"data": {"login": "x"}, "headers": {"Host": "another.example"}},
        {"data": b"x" * 6_000_000, "content_type": "multipart/form-data; boundary=x"},
    ],
    ids=["a long field", "many fields", "another host", "a large file"],
)
def test_a_request_that_is_refused_unread_is_a_line_and_not_a_traceback(client, db, sent):
    with written() as lines:
        assert client.post("/accounts/login/", **sent).status_code in (400, 413)
    assert any("django.security" in line for line in lines)
    assert len(lines) <= 3  # what was refused, Django's and the request's own
    assert all(len(line) < 300 for line in lines)


@contextmanager
def written(formatter=None):
    """The lines that the site writes inside the block; there when it ends."""
    stream, root, lines = io.StringIO(), logging.getLogger(), []
    handler = logging.StreamHandler(stream)
    handler.addFilter(WithRequest())
    handler.setFormatter(formatter or DiscreetFormatter("{levelname} {name} {message}", style="{"))
    root.addHandler(handler)
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        lines += stream.getvalue().splitlines()


HOSTS = ["rose.wynter.example", "rose_wynter", "rose wynter", "rose.wynter:x", "[rose]", "rose@b.c"]


@pytest.mark.parametrize("formatter", [None, JsonFormatter()], ids=["text", "json"])
@pytest.mark.parametrize("path", ["/", "/c/thursday/", "/api/v1/", "/accounts/login/", "/admin/"])
def test_a_host_that_is_none_of_the_sites_is_one_line_without_its_name(client, db, path, formatter):
    for host in HOSTS:
        with written(formatter) as lines:
            assert client.get(path, headers={"Host": host}).status_code == 400
        (refused,) = [line for line in lines if "DisallowedHost" in line]
        assert "a Host header that is not in ALLOWED_HOSTS" in refused
        assert len(lines) <= 3  # and the request's own, and what the API answered
        assert "wynter" not in "".join(lines)
        assert "rose" not in "".join(lines)


@pytest.mark.parametrize("header", ["Origin", "Referer"])
def test_a_form_sent_from_another_site_is_a_line_without_that_sites_name(db, header):
    browser = Client(enforce_csrf_checks=True)
    sent = {header: "https://rose.wynter.example"}
    with written() as lines:
        answer = browser.post("/accounts/login/", {"login": "x"}, headers=sent, secure=True)
    assert answer.status_code == 403
    (refused,) = [line for line in lines if "django.security.csrf" in line]
    assert f"{header} checking failed" in refused
    assert "wynter" not in "".join(lines)


@pytest.mark.parametrize(
    "error", [SuspiciousOperation, SuspiciousFileOperation, DisallowedRedirect]
)
def test_what_django_finds_suspicious_is_a_line_without_it(client, db, monkeypatch, error):
    def refuse(*args):
        raise error("at rose/wynter")

    monkeypatch.setattr("league.live.revision.is_ours", refuse)
    with written() as lines:
        assert client.get("/readyz").status_code == 400
    assert [line for line in lines if error.__name__ in line]
    assert len(lines) == 2
    assert "wynter" not in "".join(lines)


@pytest.mark.parametrize(
    ("error", "status"), [(PermissionDenied, 403), (Http404, 404), (BadRequest, 400)]
)
def test_a_refusal_of_django_is_one_line_and_only_our_own_trouble_a_traceback(
    client, db, monkeypatch, error, status
):
    client.raise_request_exception = False
    for raised, expected, longest in ((error, status, 2), (ValueError, 500, 200)):

        def refuse(*args, raised=raised):
            raise raised("no")

        monkeypatch.setattr("league.live.revision.is_ours", refuse)
        with written() as lines:
            assert client.get("/readyz").status_code == expected
        assert ("Traceback" in "".join(lines)) == (expected == 500)
        assert len(lines) <= longest


def test_a_deletion_that_the_admin_refuses_and_a_wrong_method_are_lines(client, db):
    staff = User.objects.create(username="keeper", is_staff=True)
    club = a_club()
    client.force_login(staff)
    with written() as lines:
        assert client.post(f"/admin/league/club/{club.pk}/delete/").status_code == 403
        assert client.get(reverse("invitation_decline", args=[1])).status_code == 405
    assert "Traceback" not in "".join(lines)
    assert all(re.match("INFO|WARNING", line) and len(line) < 200 for line in lines)


def test_the_row_that_postgresql_quotes_is_not_written():
    error = (
        'duplicate key value violates "once"\nDETAIL:  Key (name)=(Rose Wynter) already exists.\n'
    )
    assert discreet(error) == 'duplicate key value violates "once"\nDETAIL:  …\n'
