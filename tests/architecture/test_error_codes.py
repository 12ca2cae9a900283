"""Error codes have one style everywhere: the queues of phones and programs depend on them."""

import re

from scoring.sentences import SENTENCES
from tests.architecture.refusals import refusals

STYLE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9-]+)?")


def test_codes_are_lower_case_words_with_hyphens():
    assert len(refusals()) > 400
    badly_styled = {r.place: r.code for r in refusals() if not STYLE.fullmatch(r.code)}
    assert badly_styled == {}


def test_codes_of_faults_by_the_rules_have_the_same_style():
    assert [code for code in SENTENCES if not STYLE.fullmatch(code)] == []
