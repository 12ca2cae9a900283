"""`right-bower` speaks the language of the computer, where the site has it."""

import pytest

from league.laptop.command import catalogue_for, load_catalogue, preferred_languages


@pytest.mark.parametrize(
    ("wished", "found"),
    [
        (["de_AT"], "de"), (["fr_FR"], "fr_CA"), (["nl_NL", "de"], "de"), (["en_US"], "en_US"),
        (["en_GB", "de"], None), (["C"], None), (["nl"], None), ([""], None),
    ],
)  # fmt: skip
def test_the_first_language_that_the_site_has_is_spoken(wished, found):
    assert catalogue_for(wished) == found


def test_the_computers_language_is_the_first_that_its_environment_names(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setattr("sys.platform", "linux")
    assert preferred_languages() == ["fr_CA"]
    monkeypatch.setenv("LANGUAGE", "de_CH:fr")
    assert preferred_languages() == ["de_CH", "fr"]


@pytest.mark.parametrize("wished", ["de", "fr_CA"])
def test_every_sentence_of_the_start_is_there(wished):
    said = load_catalogue([wished]).gettext
    for source in ("Right Bower is at %(address)s", "only show the address"):
        assert said(source) != source
