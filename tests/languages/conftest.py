"""The site in the language that nobody speaks (tests/languages/pseudo.py)."""

import pytest

from tests.conftest import shared_folder
from tests.languages import pseudo
from tests.languages.extracting import texts


@pytest.fixture(scope="session")
def catalogue_of_nobody(tmp_path_factory, worker_id):
    with shared_folder(tmp_path_factory, worker_id, "locale-of-nobody") as folder:
        if not (folder / pseudo.MIRRORED).exists():
            pseudo.write(folder, texts())
    return folder


@pytest.fixture
def nobodys(settings, catalogue_of_nobody):
    """What a browser sends that reads the language; the site has it, and its mirror, as well."""
    settings.LANGUAGES = [
        ("en-gb", "English"),
        (pseudo.CODE, "Zz"),
        (pseudo.MIRRORED, "Zy"),
    ]
    settings.LANGUAGES_BIDI = [pseudo.MIRRORED]
    settings.LOCALE_PATHS = [str(catalogue_of_nobody)]
    return {"Accept-Language": pseudo.CODE}
