"""Error codes have one style everywhere: the queues of phones and programs depend on them."""

import re

from scoring.sentences import SENTENCES
from tests.api.test_promised_codes import PROMISE
from tests.architecture.refusals import refusals
from tests.architecture.source import ROOT

STYLE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9-]+)?")


def test_codes_are_lower_case_words_with_hyphens():
    assert len(refusals()) > 400
    badly_styled = {r.place: r.code for r in refusals() if not STYLE.fullmatch(r.code)}
    assert badly_styled == {}


def test_codes_of_faults_by_the_rules_have_the_same_style():
    assert [code for code in SENTENCES if not STYLE.fullmatch(code)] == []


def test_the_document_of_the_api_promises_codes_with_the_status_that_refusals_have():
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    promised = {(code, int(status)) for status, code in PROMISE.findall(text)}
    assert len(promised) > 5
    assert promised <= {(refusal.code, refusal.status) for refusal in refusals()}
