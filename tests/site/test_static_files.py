"""Static files as production serves them: names with hashes, and every name in a template known."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.templatetags.static import static
from django.test import override_settings


@pytest.fixture
def collected(tmp_path):
    production = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "league.static_names.StaticNames"},
    }
    with override_settings(STORAGES=production, STATIC_ROOT=str(tmp_path)):
        call_command("collectstatic", verbosity=0, interactive=False)
        yield tmp_path


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
