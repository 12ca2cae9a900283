"""No page shows a text of the source to who reads another language, or has no room for a longer
one."""

import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from league.members.languages import zone_choices
from league.sessions.queries import evening_name
from scoring import preset_ids, ruleset
from tests.journeys.conftest import browser, launched  # noqa: F401
from tests.languages import pseudo
from tests.languages.every_page import WORD, opened

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ADDRESS = re.compile(
    r"https?://\S+|(?<!\S)/\S+|</?(?:iframe|img)[^>]*>?|\b[0-9A-Z]{4}-[0-9A-Z]{4}\b"
)
NAMES = (
    "Bicycle Right Bower Dave Pat Ruth Walter CSV JSONL XLSX PDF EGN gamerules com "
    "St Austell Penryn Falmouth District Guernsey United English Zz Zy Deutsch Français Canada "
    "UK US Joan Helen folder changepassword"
)
WIDTHS = {pseudo.CODE: 320, "de": 390}
LOOKED_AT = Path(__file__).with_name("looked_at.js").read_text()
SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)


def names() -> set[str]:
    """What is nobody's text: names of rules and places, and tonight's in the club's language."""
    presets = [f"{ruleset(one).name} {ruleset(one).alias}" for one in preset_ids()]
    tonight = evening_name(None, timezone.localdate())
    return {*WORD.findall(" ".join([NAMES, json.dumps(zone_choices()), tonight, *presets]))}


@pytest.fixture
def shown(catalogue_of_nobody, load_demo, monkeypatch, tmp_path):
    monkeypatch.setattr("league.network._own.current", lambda: ["192.168.1.20"])
    languages = [*settings.LANGUAGES, (pseudo.CODE, "Zz")]
    paths = [str(catalogue_of_nobody), *settings.LOCALE_PATHS]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=paths, DATA_FOLDER=tmp_path):
        yield opened(tuple(WIDTHS), load_demo)


@pytest.fixture
def site_of_files(tmp_path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address where a browser finds its files and the site's sheets."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "max-age=3600")
            super().end_headers()

    folder = tmp_path / "pages"
    shutil.copytree(Path(settings.BASE_DIR, "league/static"), folder / "static")
    (folder / "index.html").write_text("<!doctype html><style>iframe { border: 0 }</style>")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_every_page_is_in_the_readers_language_and_has_room_for_it(
    shown,
    site_of_files,
    browser,  # noqa: F811
):
    folder, site = site_of_files
    known, troubles = shown.names | names(), []
    for code, width in WIDTHS.items():
        pages = {name: page[code] for name, page in shown.pages.items() if code in page}
        assert len(pages) > (250 if code == pseudo.CODE else 170)
        page = browser.new_page(viewport={"width": 8 * width, "height": 800})
        page.goto(site)
        for begin in range(0, len(pages), 20):
            some = [*pages][begin : begin + 20]
            file = f"{code}-{begin}.json"
            without_scripts = [SCRIPTS.sub("", pages[name]) for name in some]
            folder.joinpath(file).write_text(json.dumps(without_scripts))
            found = page.evaluate(LOOKED_AT, [file, width, code == pseudo.CODE])
            for name, (sticks_out, plain) in zip(some, found, strict=True):
                troubles += [f"{code}, {name}: {one}" for one in sticks_out]
                if code == pseudo.CODE:
                    troubles += [
                        f"{name} says: {' '.join(text.split())}"
                        for text in plain
                        if not known.issuperset(WORD.findall(ADDRESS.sub("", text)))
                    ]
        page.close()

    assert troubles == []
