"""What stands between a page and somebody who sees it badly, or not at all."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def barriers(page: Page) -> list[str]:
    """What axe-core finds on a page as it is now, and in its colours by night."""
    found = list(Axe().run(page).response["violations"])
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("asked => axe.run(asked)", {"runOnly": ["color-contrast"]})["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{one['id']}: {one['help']}, at {one['nodes'][0]['target']}" for one in found]
