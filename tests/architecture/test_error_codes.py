"""Codes of refusals have one style everywhere: phones' queues and programs depend on them."""

import ast
import re

from tests.architecture.source import modules

STYLE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9-]+)?")
REFUSALS = {"Refused": 0, "PairingRefused": 0, "field_refusal": 1}  # where the code stands


def codes():
    """Each code that a refusal is made with, and where."""
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            where = REFUSALS.get(getattr(getattr(node, "func", None), "id", ""))
            if where is not None and isinstance(node.args[where], ast.Constant):
                yield f"{name}:{node.lineno}", node.args[where].value


def test_codes_are_lower_case_words_with_hyphens():
    found = dict(codes())
    assert len(found) > 100
    assert {at: code for at, code in found.items() if not STYLE.fullmatch(code)} == {}
