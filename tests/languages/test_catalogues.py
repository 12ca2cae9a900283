"""The catalogues hold every text of the site, once, whole and compiled.

After a change of texts: `bin/catalogues`, and translate what it says is missing.
"""

import ast
import re
from collections import Counter

import polib
import pytest
from django.conf import settings
from django.utils.translation import to_locale

from league.members.audit_words import ACTIONS
from tests.languages import catalogues, extracting, pseudo
from tests.languages.extracting import Text, in_code, in_template
from tests.languages.glossary import exceptions_of, terms_of, used_otherwise

OFFERED = [to_locale(code) for code, _name in settings.LANGUAGES]
TRANSLATED = [one for one in OFFERED if not one.startswith("en")]
# British words and their American kin, by which the second English is known to be complete.
BRITISH = re.compile(
    r"organis|colour|centre|programme|favour|cancell(?!ation)|recognis|neighbour|honour|grey"
    r"|(?<!o)licence|cheque|judgement|travell|labelled|\bpractis|analys(e|ing)",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def texts():
    return extracting.texts()


@pytest.fixture(scope="module", params=catalogues.languages())
def catalogue(request):
    found = catalogues.read(request.param)
    found.language = request.param
    return found


def test_a_language_is_offered_when_it_is_almost_whole_and_only_then(texts):
    whole = {
        language
        for language in catalogues.languages()
        if language not in TRANSLATED
        or len(catalogues.missing(catalogues.read(language))) <= 0.05 * len(texts)
    }
    assert set(OFFERED) == {"en_GB", *whole}


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_of_a_language_is_missing_or_only_a_guess(language):
    missing = catalogues.missing(catalogues.read(language))
    assert [entry.msgid for entry in missing] == []


def test_a_catalogue_holds_every_text_once_and_no_other(catalogue, texts):
    keys = [catalogues.key_of(entry) for entry in catalogue]
    assert [key for key, times in Counter(keys).items() if times > 1] == []
    there = set(keys)
    assert [key.one for key in texts if key not in there] == []
    assert [key.one for key in keys if key not in texts] == []


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_what_the_site_reads_is_what_the_catalogue_says(language):
    path = catalogues.path_of(language)
    is_compiled = path.with_suffix(".mo").read_bytes() == catalogues.compiled(
        polib.pofile(str(path))
    )
    assert is_compiled, (
        "bin/catalogues compiles it."
    )  # to show how half a megabyte differs takes long


def test_a_text_has_one_meaning_with_a_plural_or_without(texts):
    """GNU gettext and the editors of catalogues know a text by its singular alone."""
    times = Counter((text.context, text.one) for text in texts)
    assert [one for one, count in times.items() if count > 1] == []


PLACEHOLDER = re.compile(r"%\(\w+\)[sdf]|%[sd%]|\{\w*\}")
MARKUP = re.compile(r"</?[a-z]+|\bhref=|&\w+;")


def test_placeholders_and_markup_are_those_of_the_text(catalogue):
    other = []
    for entry in catalogue:
        if not entry.translated():
            continue
        plurals = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
        of_either = {*_parts(entry.msgid), *_parts(entry.msgid_plural)}
        for place, words in enumerate(plurals):
            parts = Counter(_parts(words))
            if entry.msgid_plural:
                fits = set(parts) <= of_either and set(_parts(entry.msgid)) - NUMBER <= set(parts)
            else:
                fits = parts == Counter(_parts(entry.msgid))
            if not fits:
                other.append((place, entry.msgid, words))
    assert other == []


NUMBER = {"%(n)d", "%(n)s", "%(counter)s", "%(count)d", "%(count)s"}


def _parts(text):
    return [*PLACEHOLDER.findall(text), *MARKUP.findall(text)]


def test_spaces_and_lines_begin_and_end_as_in_the_text(catalogue):
    other = [
        entry.msgid
        for entry in catalogue
        if entry.translated()
        and not entry.msgid_plural
        and _edges(entry.msgid) != _edges(entry.msgstr)
    ]
    assert other == []


def _edges(text):
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def test_american_english_says_every_british_word_its_own_way():
    american = catalogues.read("en_US")
    left = [
        entry.msgid
        for entry in american
        if BRITISH.search(entry.msgid + entry.msgid_plural)
        and (
            not entry.translated()
            or BRITISH.search(entry.msgstr + "".join(entry.msgstr_plural.values()))
        )
    ]
    assert left == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_term_of_the_glossary_has_one_translation(language):
    terms, exceptions = terms_of(language), exceptions_of(language)
    assert terms
    other = [
        (term, entry.msgid, entry.msgstr)
        for entry in catalogues.read(language)
        for term in used_otherwise(entry, terms)
        if entry.msgid not in exceptions
    ]
    assert other == []


def test_texts_are_found_in_code_and_templates():
    code = '_("One")\nngettext("%(n)d hand", "%(n)d hands", n)\npgettext("verb", "Draw")\n_(word)'
    template = (
        '{% load i18n %}{% translate "Two" %}{{ x|default:_("None") }}'
        "{% blocktranslate count n=n %}{{ n }} table{% plural %}{{ n }} tables"
        "{% endblocktranslate %}"
    )
    assert [*in_code(code)] == [
        Text(None, "One", ""),
        Text(None, "%(n)d hand", "%(n)d hands"),
        Text("verb", "Draw", ""),
    ]
    assert {*in_template(template)} == {
        Text(None, "Two", ""),
        Text(None, "None", ""),
        Text(None, "%(n)s table", "%(n)s tables"),
    }


def test_bringing_up_to_date_keeps_what_is_translated_guesses_and_drops():
    old = polib.POFile()
    old.append(polib.POEntry(msgid="Save", msgstr="Enregistrer"))
    old.append(polib.POEntry(msgid="The game is over.", msgstr="La partie est finie."))
    texts = {
        Text(None, "Save", ""): ["a.html"],
        Text(None, "The game is over now.", ""): ["b.html"],
    }
    new = catalogues.updated(old, texts)
    assert [(e.msgid, e.msgstr, e.fuzzy) for e in new] == [
        ("Save", "Enregistrer", False),
        ("The game is over now.", "La partie est finie.", True),
    ]
    assert [entry.msgid for entry in catalogues.missing(new)] == ["The game is over now."]


def test_the_language_that_nobody_speaks_is_longer_and_keeps_placeholders():
    assert pseudo.longer("Save %(n)d <b>hands</b>") == "Ṡȧṽėėė %(n)d <b>ḣȧṅḋṡėė</b>"
    assert pseudo.longer("l j F Y") == "l j F Y"


def test_the_activity_log_has_a_word_for_everything_that_is_done():
    """What `log_action` is told is stored in plain English, and translated when it is read."""
    noted = set()
    for path in extracting.ROOT.glob("league/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                noted |= set(_actions_of(node))
    codes = {one for one in noted if "_" in one}  # of other calls that take an `action`
    assert noted - codes - set(ACTIONS) == set()


def _actions_of(call):
    name = getattr(call.func, "id", "")
    given = [word.value for word in call.keywords if word.arg == "action"]
    if name in ("log_action", "log_actions", "log_game_action"):
        given += call.args[2:3]
    for one in given:
        for part in (one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,):
            if isinstance(part, ast.Constant):
                yield part.value


def test_french_has_its_own_apostrophe_and_no_space_before_a_mark():
    """As Canadians set it; before a colon a space stands that no line breaks at."""
    wrong = re.compile(r"\w'\w|\w[ \xa0\u202f][;!?]|\S :(?=\s|$)|« | »")
    found = [
        entry.msgid
        for entry in catalogues.read("fr_CA")
        for said in (entry.msgstr, *entry.msgstr_plural.values())
        if wrong.search(said)
    ]
    assert found == []


def test_what_packages_say_is_reworded_in_english_without_rewording_the_site(texts):
    """A text of the site that is also one of a package needs a context of its own."""
    english = polib.pofile(str(catalogues.path_of("en")))
    reworded = {Text(None, e.msgid, "") for e in english if e.msgstr and e.msgstr != e.msgid}
    assert [one for one in reworded if texts.get(one, []) not in ([], ["league/locale/en"])] == []
