"""Static files as production serves them: names with hashes, and every name in a template known."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.templatetags.static import static
from django.test import override_settings

from league.static_files import SERVED, StaticPages

PRODUCTION = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.static_files.StaticNames"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What a server collects, and two files that no page loads; the tests only read it."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STORAGES=PRODUCTION, STATIC_ROOT=str(folder)):
        call_command("collectstatic", verbosity=0, interactive=False)
    for name in ("notes.md", "css/base.css.map"):
        (folder / name).write_text("x")
    return folder


@pytest.fixture
def collected(folder):
    with override_settings(STORAGES=PRODUCTION, STATIC_ROOT=str(folder)):
        yield folder


def test_collected_files_carry_a_hash_and_exist(collected):
    name = static("admin/css/base.css")
    assert name != "/static/admin/css/base.css"
    assert (collected / name.removeprefix("/static/")).exists()


def test_every_file_a_template_names_is_there(collected):
    root = Path(__file__).parents[2] / "templates"
    named = {
        name
        for template in root.rglob("*.html")
        for name in re.findall(r"{%\s*static\s+[\"']([^\"']+)[\"']", template.read_text("utf-8"))
    }
    missing = {name for name in named if name not in staticfiles_storage.hashed_files}
    assert missing == set()


def test_a_file_is_named_alike_every_time_and_an_unknown_one_never(collected):
    assert static("css/base.css") == static("css/base.css")
    for _ in range(2):
        with pytest.raises(ValueError, match="no-such-file"):
            static("css/no-such-file.css")


def served_paths(collected):
    return set(StaticPages(lambda request: None, settings).files)


def test_a_file_that_no_page_loads_is_not_served(collected):
    served = served_paths(collected)
    loaded = {path for path in served if not Path(path).name.startswith("LICENSE")}
    assert {Path(path).suffix for path in loaded} <= SERVED
    assert not {"/static/staticfiles.json", "/static/vendor/VENDOR.toml"} & served


def test_every_file_with_a_hash_that_a_page_may_load_is_served(collected):
    named = staticfiles_storage.hashed_files
    unserved = {f"/static/{file}" for file in named.values()} - served_paths(collected)
    assert {Path(file).suffix for file in unserved} <= {"", ".toml", ".txt", ".md", ".map"}
