"""The look in a real browser: no barriers in either theme, nothing cut off, keys for thumbs."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from playwright.sync_api import expect

from tests.builders import a_club, a_session, a_user, members_of, rulesets_of
from tests.journeys.barriers import barriers
from tests.standings.played import Sheet, recorded

PAGES = ["/gallery/", "/gallery/?page=phone", "/gallery/?page=print", "/accounts/login/", "/nope/"]
PHONE, SMALL = {"width": 390, "height": 844}, {"width": 320, "height": 568}
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SIZES = """(least) => [...document.querySelectorAll(
    'a.button, button, summary, .choice label, .segments label, .segments a, .menu a, .pages a')]
    .filter((e) => e.checkVisibility())
    .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
    .filter(([, box]) => Math.round(box.height) < least || Math.round(box.width) < 24)
    .map(([text, box]) => `${text}: ${box.width} x ${box.height}`)"""


@pytest.fixture(autouse=True)
def _gallery_is_there(settings):
    settings.DEBUG = True


ADOPT = """css => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
}"""


def test_the_pages_have_no_barriers_and_fit_and_whatever_is_pressed_is_large_enough(
    open_page, axe, settings
):
    page = open_page("desktop")
    own = page.viewport_size
    for path in PAGES:
        settings.DEBUG = path != "/nope/"  # under DEBUG Django shows its own page instead
        page.goto(path)
        for size in (own, PHONE, SMALL):
            page.set_viewport_size(size)
            assert page.evaluate(FITS), path
        axe(page, colours=True)
        page.set_viewport_size(own)
    page.goto("/gallery/")
    axe(page)  # with the menu of a wide screen
    assert page.evaluate(SIZES, 44) == []


LETTERS = """async (name) => {
    const faces = await document.fonts.load("17px 'Atkinson Hyperlegible Next'", name);
    return faces.length > 0 && faces.every((face) => face.status === "loaded");
}"""
LOADED = "() => [...document.fonts].filter((face) => face.status === 'loaded').length"


def test_names_of_poles_and_turks_stand_in_the_site_s_own_letters(open_page):
    """A file of their own, which no page fetches without them."""
    page = open_page("desktop", own=True)
    page.goto("/accounts/login/", wait_until="networkidle")
    before = page.evaluate(LOADED)
    assert page.evaluate(LETTERS, "Żółć Gönül Şahin Dvořák Țărnă")
    assert (before, page.evaluate(LOADED)) == (1, 3)


ACCOUNT = ["email/", "password/change/", "2fa/", "reauthenticate/", "logout/"]


def test_the_pages_of_ones_account_have_no_barriers_and_fit(open_page, axe, sign_in):
    user, page = a_user(), open_page("small phone")
    for page_name in ("signup/", "password/reset/", *ACCOUNT):
        if page_name == ACCOUNT[0]:
            sign_in(page, user)
        page.goto(f"/accounts/{page_name}")
        assert page.url.endswith(page_name)
        assert page.evaluate(FITS), page_name
        axe(page)


def test_the_second_step_shows_its_code_under_our_policy(open_page, axe, sign_in):
    user = a_user()
    EmailAddress.objects.create(user=user, email="o@example.org", verified=True, primary=True)
    page = open_page("phone")
    sign_in(page, user)
    page.goto("/accounts/2fa/totp/activate/")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/totp/activate/")
    assert page.locator("img.qr").bounding_box()["width"] > 100
    assert page.evaluate(FITS)
    axe(page)


def test_a_page_written_from_right_to_left_fits(open_page):
    page = open_page("small phone")
    page.goto("/gallery/")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate(FITS)
    brand, menu = (
        page.locator(f".{name}").bounding_box()["x"] for name in ("brand", "menu-button")
    )
    assert brand > menu


def test_colours_that_are_too_faint_by_day_or_by_night_alone_are_found(open_page):
    page = open_page()
    page.goto("/accounts/login/")
    assert barriers(page, colours=True) == []
    dim = "label { color: #333; background: #222; }"
    for scheme in ("light", "dark"):
        page.evaluate(ADOPT, f"@media (prefers-color-scheme: {scheme}) {{ {dim} }}")
        assert [one.split(":")[0] for one in barriers(page, colours=True)] == ["color-contrast"]


def test_the_wall_has_no_barriers_shows_all_at_once_and_counts_down_through_its_zones(
    open_page, axe
):
    page = open_page("wall")
    page.goto("/gallery/?page=wall")
    assert page.evaluate(FITS)
    assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
    axe(page, colours=True)
    letters = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    whole = page.evaluate(letters)
    page.set_viewport_size({"width": 1920, "height": 850})  # a window with the browser's bars
    assert page.evaluate(letters) == pytest.approx(whole * 850 / 1080, rel=0.01)
    ask = "async (s) => (await import('/static/js/wall.js')).zoneOf(s, {yellow: 300, red: 60})"
    assert [page.evaluate(ask, s) for s in (301, 300, 61, 60, -5)] == [
        "", "yellow", "yellow", "red", "red",
    ]  # fmt: skip
    script = "async (s) => (await import('/static/js/wall.js')).figures(s)"
    assert [page.evaluate(script, s) for s in (760, 59.2, 0, -9)] == [
        "12:40",
        "1:00",
        "0:00",
        "0:00",
    ]


def test_letters_twice_as_large_still_fit_a_small_phone(open_page, sign_in):
    page = open_page("small phone", own=True)
    page.goto("/gallery/?page=phone")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    size = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert size == pytest.approx(34, abs=0.5)
    assert page.evaluate(FITS)
    club = a_club("The Harbour Lights Euchre Club", "lights", visibility="standings")
    night = a_session(club)
    recorded(night, [Sheet(tuple(one.name for one in members_of(club, 4)), (10, 6, 10, 6))])
    standings = reverse("session_standings", args=["lights", night.public_id])
    sign_in(page, a_user(club=club))
    rulesets_of(club)  # long names on the page of settings
    settings = reverse("club_settings", args=["lights"])
    for path in ("/gallery/", "/accounts/password/reset/", "/c/lights/", standings, settings):
        page.goto(path)
        assert page.evaluate(FITS), path
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    page.evaluate("document.documentElement.style.fontSize = '200%'")  # as a reading mode does
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_on_the_score_pad_keys_are_as_large_as_a_thumb_which_reaches_save_and_the_score_is_read(
    open_page,
):
    page = open_page("small phone")
    page.goto("/gallery/?page=phone")
    assert page.evaluate(SIZES, 48) == []
    box = page.get_by_role("button", name="Save").bounding_box()
    assert box["y"] + box["height"] <= 568
    assert box["y"] > 568 / 2
    page.set_viewport_size(PHONE)  # read at arm's length
    size = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.score-number')).fontSize)"
    )
    assert size >= 0.2 * 390


def test_the_focus_can_always_be_seen(open_page):
    page = open_page("desktop")
    page.goto("/accounts/login/")
    seen = set()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            continue  # past the last stop, before the first
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            outline = page.evaluate(
                "(({ activeElement: e }) => [e.textContent.trim(),"
                " getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth])(document)"
            )
            seen.add(outline[0])
            assert outline[1:] == ["solid", "3px"], outline
    assert len(seen) > 4


def test_a_page_made_for_one_form_begins_in_its_first_field_where_there_is_a_keyboard(open_page):
    for device, name in (("desktop", "login"), ("phone", "")):
        page = open_page(device)
        page.goto("/accounts/login/")
        assert page.evaluate("document.activeElement.name ?? ''") == name


def test_the_first_stop_leads_past_the_menu(open_page):
    page = open_page("desktop")
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_menu_of_a_phone_opens_and_a_choice_works_without_a_script(open_page):
    page = open_page("phone", java_script_enabled=False)
    page.goto("/accounts/signup/")
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Sign in")
    assert not link.is_visible()
    page.get_by_role("button", name="Menu").click()
    link.click()
    assert page.url.endswith("/accounts/login/")
    page.goto("/gallery/?page=phone")
    page.get_by_text("Bill", exact=True).click()
    assert page.get_by_role("radio", name="Bill").is_checked()
    assert not page.get_by_role("radio", name="Ted").is_checked()


def test_the_theme_switch_is_remembered_and_drawn_by_the_server(open_page):
    page = open_page("desktop", color_scheme="light")
    page.goto("/accounts/login/")
    assert page.evaluate("document.documentElement.dataset.theme ?? 'auto'") == "auto"
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    answer = page.goto("/accounts/signup/")
    assert 'data-theme="dark"' in answer.text()


def test_a_wrong_form_gives_the_focus_to_what_is_wrong(open_page):
    page = open_page("phone")
    page.goto("/accounts/signup/")
    page.get_by_role("button", name="Create account").click()
    summary = page.get_by_role("alert")
    summary.wait_for()
    page.locator(".error-summary:focus").wait_for()
    summary.get_by_role("link").first.click()
    assert page.evaluate("document.activeElement.tagName") == "INPUT"


def test_paper_prints_on_one_sheet_of_a4_and_of_letter(open_page):
    page = open_page("desktop")
    page.goto("/gallery/?page=print")
    for size in ("A4", "Letter"):
        pdf = page.pdf(format=size)
        assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page/") == 1, size


def revision_moves(session):
    session.revision += 1
    session.save(update_fields=["revision"])


NOW = "window.dispatchEvent(new Event('online'))"


def live_page(open_page):
    session = a_session(a_club(), revision=31)
    page = open_page("phone")
    page.goto(f"/gallery/?page=live&session={session.public_id}")
    page.get_by_text("Live", exact=True).wait_for()
    return session, page


def test_a_live_page_leaves_alone_what_is_being_typed_in_and_fetches_that_part_afterwards(
    open_page,
):
    session, page = live_page(open_page)
    form = page.locator("#held")
    form.evaluate("form => form.setAttribute('data-old', '')")
    page.get_by_label("Kept").fill("half a na")
    revision_moves(session)
    page.evaluate(NOW)
    page.get_by_text("at revision 32").wait_for()
    expect(form).to_have_attribute("data-old", "")
    page.get_by_label("Kept").blur()
    revision_moves(session)
    page.evaluate(NOW)
    page.get_by_text("at revision 33").wait_for()
    assert page.get_by_label("Kept").input_value() == "half a na"
    page.get_by_label("Kept").clear()
    page.get_by_label("Kept").blur()
    page.evaluate(NOW)
    expect(form).not_to_have_attribute("data-old", "")


def test_what_was_opened_scrolled_or_reached_by_keyboard_stays_and_a_lost_connection_comes_back(
    open_page,
):
    session, page = live_page(open_page)
    page.get_by_text("Told when opened").click()
    expect(page.get_by_text("So far 31 times.")).to_be_visible()
    wide = page.locator("#wide .table-scroll")
    page.get_by_role("link", name="the last").focus()
    wide.evaluate("box => { box.scrollLeft = 80 }")
    revision_moves(session)
    page.evaluate(NOW)
    expect(page.get_by_text("So far 32 times.")).to_be_visible()
    expect(page.locator("#wide td").first).to_have_text("32")
    expect(page.get_by_role("link", name="the last")).to_be_focused()
    assert wide.evaluate("box => box.scrollLeft") == 80
    page.context.set_offline(True)
    page.get_by_text("Connection lost ·").wait_for()
    revision_moves(session)
    page.context.set_offline(False)
    page.get_by_text("at revision 33").wait_for()
    page.get_by_text("Live", exact=True).first.wait_for()


def test_a_live_page_asks_less_often_when_nobody_looks_or_answers_and_ends_with_a_sign_out(
    open_page,
):
    session, page = live_page(open_page)
    ask = "async ([n, hidden]) => (await import('/static/js/live.js')).waitFor(n, hidden)"
    seen, hidden, failing = (page.evaluate(ask, [*a]) for a in ((0, False), (0, True), (3, False)))
    assert 3000 <= seen <= 5000
    assert hidden > seen
    assert failing > seen
    page.route("**/gallery/**", lambda route: route.fulfill(headers={"HX-Redirect": "/accounts/"}))
    revision_moves(session)
    page.evaluate(NOW)
    page.get_by_text("Disconnected").wait_for()
    assert "at revision 31" in page.locator("#moves").text_content()


ASK = "status => htmx.ajax('GET', `/said/${status}`, {target: '#main', swap: 'innerHTML'})"


def test_what_the_server_says_to_htmx_is_shown_unless_it_broke_on_our_side(open_page):
    page = open_page("phone")
    page.goto("/accounts/login/")

    def said(route):
        status = int(route.request.url.rpartition("/")[2])
        body = (
            f"<p>Said {status}.</p>"
            f'<div hx-swap-oob="beforeend:.site-foot"><p>Hand {status} saved</p></div>'
        )
        route.fulfill(status=status, body=body)

    page.route("**/said/*", said)
    page.evaluate(ASK, 500)
    assert page.get_by_role("button", name="Sign In").is_visible()
    for status in (200, 403, 409, 422, 429):
        page.evaluate(ASK, status)
        page.locator("#main").get_by_text(f"Said {status}.").wait_for()
        page.locator(".site-foot").get_by_text(f"Hand {status} saved").wait_for()
