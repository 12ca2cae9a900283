"""Figures for Prometheus: only where there is a token, only to who has it, and of nobody."""

import re

import pytest
from django.test import Client

from league import monitoring
from tests.builders import a_club

SECRET = "a token for the tests"


@pytest.fixture
def measured(settings):
    """A site with figures switched on; Django reads its middleware when a client first asks."""
    settings.METRICS_TOKEN = SECRET
    return Client()


def figures(client, token=SECRET):
    return client.get("/metrics", headers={"Authorization": f"Bearer {token}"})


def counted(text, page, method="GET", status="404"):
    of = f'{{method="{method}",page="{page}",status="{status}"}}'
    found = re.search(rf"^right_bower_request_seconds_count{re.escape(of)} (\S+)$", text, re.M)
    return float(found[1]) if found else 0.0


def test_without_a_token_there_are_no_figures_and_nothing_is_counted(client, settings):
    settings.METRICS_TOKEN = ""
    assert figures(client).status_code == 404
    assert figures(client, "").status_code == 404
    assert "MetricsMiddleware" not in repr(client.handler._middleware_chain)


@pytest.mark.parametrize("token", ["", "another", SECRET.upper()])
def test_another_token_opens_nothing(measured, token):
    assert figures(measured, token).status_code == 404
    assert measured.get("/metrics").status_code == 404
    assert measured.get(f"/metrics?token={SECRET}").status_code == 404


@pytest.mark.django_db
def test_every_request_is_counted_by_page_method_and_status_and_by_no_address(measured):
    a_club(slug="a-secret-club")
    before = figures(measured).content.decode()
    measured.get("/c/a-secret-club/members/?q=Rose")
    measured.get("/c/a-secret-club/members/")
    measured.generic("BREW", "/healthz")
    after = figures(measured).content.decode()
    two = counted(after, "members", status="302") - counted(before, "members", status="302")
    assert two == 2
    assert counted(after, "healthz", method="other", status="200") >= 1
    assert "secret" not in after
    assert "Rose" not in after


def test_several_workers_put_their_figures_together(measured, monkeypatch, tmp_path):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    assert monitoring._registry() is not monitoring._registry()
    assert figures(measured).status_code == 200


def test_a_missing_package_is_named(monkeypatch, settings):
    import sys

    from django.core.exceptions import ImproperlyConfigured

    monkeypatch.setattr(monitoring, "_seconds", monitoring._seconds.__wrapped__)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    settings.METRICS_TOKEN = SECRET
    with pytest.raises(ImproperlyConfigured, match="pip install prometheus-client"):
        monitoring.MetricsMiddleware(lambda request: None)
