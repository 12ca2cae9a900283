"""How long ago is told with when exactly: in the title, and in its place after a tap."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table

pytestmark = pytest.mark.django_db(transaction=True)
EXACT = re.compile(r"^\d{1,2}:\d{2}:\d{2}")


def test_the_live_line_says_when_exactly_by_title_and_by_a_tap(open_page, axe):
    page = open_page("phone", own=True)
    page.clock.install()
    open_table(page, a_game_table())
    page.context.set_offline(True)
    page.clock.run_for(20_000)
    when = page.locator("[data-live-when]")
    expect(when).to_contain_text("ago")
    expect(when).to_have_attribute("title", EXACT)
    expect(when.locator("time")).to_have_attribute("datetime", re.compile(r"^\d{4}-.*Z$"))
    axe(page)
    when.click()
    expect(when).to_have_text(EXACT)
    expect(when).to_have_attribute("title", re.compile("ago"))


def test_a_live_page_counts_the_seconds_since_its_news_and_says_none_of_them_aloud(open_page):
    page = open_page("phone", own=True)
    page.clock.install()
    open_table(page, a_game_table())
    line = page.locator(".live")
    expect(line).to_contain_text(re.compile(r"Live\s*· Updated"))
    ages = set()
    for _second in range(3):
        page.clock.run_for(1000)
        ages.add(line.locator("time").text_content())
    assert len(ages) > 1, ages
    expect(line.locator("[data-live-heard]")).to_be_empty()
    expect(line.locator("[aria-live] time, [role=status] time")).to_have_count(0)
