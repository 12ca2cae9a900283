"""A time that is told from now, "3 minutes ago", says when exactly too."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.template import Context, Template
from django.utils import timezone


def test_how_long_ago_has_the_exact_time_as_its_title(time_machine):
    at = datetime(2026, 11, 19, 19, 41, tzinfo=UTC)
    time_machine.move_to(at + timedelta(minutes=3), tick=False)
    with timezone.override("America/Toronto"):
        rendered = Template("{{ at|ago }}").render(Context({"at": at}))
    assert rendered == (
        '<time datetime="2026-11-19T19:41:00+00:00" title="19 Nov, 2:41 p.m.">'
        "3\N{NO-BREAK SPACE}minutes ago</time>"
    )


def test_no_page_tells_how_long_ago_without_when():
    for page in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        text = page.read_text()
        assert not any(bare in text for bare in ("|naturaltime", "|timesince")), page
        assert text.count("|timeuntil") == text.count("|moment left="), page  # the day beside it
