"""The first page in a real browser, on the devices a club night has."""


def test_the_first_page_opens_without_barriers_and_fits_the_screen(open_page, axe):
    for device, widths in (("desktop", (1280, 1920)), ("phone", (390, 320))):
        page = open_page(device)
        answer = page.goto("/")
        assert answer.status == 200
        axe(page)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_sign_in_page_signs_in(open_page, django_user_model):
    django_user_model.objects.create_user("olive", password="correct horse battery")
    page = open_page("phone")
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill("olive")
    page.locator("input[name=password]").fill("correct horse battery")
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("/")
    cookie = next(c for c in page.context.cookies() if c["name"] == "sessionid")
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
