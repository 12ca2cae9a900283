"""What stands between a page and somebody who sees it badly, or not at all."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# What passes is not written out, which would take longer than looking for faults.
FAULTS_ONLY = {"resultTypes": ["violations"]}


def barriers(page: Page) -> list[str]:
    """What axe-core finds on a page as it is now, and in its colours by night."""
    found = list(Axe().run(page, options=FAULTS_ONLY).response["violations"])
    page.emulate_media(color_scheme="dark")
    by_night = {"runOnly": ["color-contrast"], **FAULTS_ONLY}
    found += page.evaluate("asked => axe.run(asked)", by_night)["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{one['id']}: {one['help']}, at {one['nodes'][0]['target']}" for one in found]
