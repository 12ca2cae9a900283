"""What stands between a page and somebody who sees it badly, or not at all."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
# What passes is neither written out nor sent here, which takes longer than looking for faults.
FAULTS_ONLY = {"resultTypes": ["violations"]}
COLOURS = "color-contrast"
FIND = "asked => axe.run(asked).then((found) => found.violations)"


def barriers(page: Page, *, colours: bool = False) -> list[str]:
    """What axe-core finds on a page as it is now; with `colours`, by day and by night, too.

    To measure the colours of what is on a page takes it twice as long as all else. Every pair of
    colours is measured in both themes by tests/look/test_contrast.py; the gallery, which has every
    part of a page, is looked at with its own.
    """
    page.evaluate(AXE)
    found = list(page.evaluate(FIND, {"rules": {COLOURS: {"enabled": colours}}, **FAULTS_ONLY}))
    if colours:
        page.emulate_media(color_scheme="dark")
        found += page.evaluate(FIND, {"runOnly": [COLOURS], **FAULTS_ONLY})
        page.emulate_media(color_scheme="light")
    return [f"{one['id']}: {one['help']}, at {one['nodes'][0]['target']}" for one in found]
