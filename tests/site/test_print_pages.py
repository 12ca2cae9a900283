"""Printed pages: each leads back, for it has no menu."""

from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"


def test_every_printed_page_has_a_link_back_on_the_screen():
    pages = [
        page.read_text() for page in TEMPLATES.rglob("*.html") if page.parent.name != "gallery"
    ]
    printed = [page for page in pages if 'extends "base_print.html"' in page]
    assert len(printed) > 10
    for page in printed:
        assert "{% block back %}" in page or "Back to check-in" in page, page[:120]
