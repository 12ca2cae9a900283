"""Documents and docstrings: every example in them runs, every list in them is complete."""

import doctest
import re
from importlib import import_module

import pytest

import scoring
from scoring.egn.notation import KNOWN
from scoring.rulesets.options import OPTIONS
from tests.architecture.source import ROOT


@pytest.mark.parametrize("name", ["house-rules.md", "engine.md"])
def test_every_example_in_the_document_gives_what_it_says(name):
    result = doctest.testfile(str(ROOT / "docs" / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


def modules_with_examples():
    paths = [path for package in ("league", "scoring") for path in (ROOT / package).rglob("*.py")]
    names = (path for path in sorted(paths) if ">>> " in path.read_text("utf-8"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in names]


@pytest.mark.parametrize("name", modules_with_examples())
def test_every_example_in_a_docstring_gives_what_it_says(name):
    result = doctest.testmod(import_module(name.removesuffix(".__init__")))
    assert (result.attempted > 0, result.failed) == (True, 0)


def test_the_ruleset_told_and_the_ruleset_tried_are_the_same():
    text = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
    printed = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    tried = re.search(r"loads\('''\n(.*?)'''", text, re.DOTALL)[1]
    assert re.sub(r"(?m)^\.\.\. ?", "", tried).strip() == printed.strip()


def test_every_name_of_the_front_door_and_every_switch_of_egn_is_told():
    text = (ROOT / "docs" / "engine.md").read_text("utf-8")
    names = set(re.findall(r"\w+", text))
    assert set(scoring.__all__) <= names
    assert names >= KNOWN


def test_every_option_of_a_ruleset_is_told_with_its_meaning():
    text = (ROOT / "docs" / "rules-options.md").read_text("utf-8")
    meanings = dict(
        re.findall(r"(?m)^\| `(\w+)` \|.*\| ([^|]+) \|$", text.split("## Every option")[1])
    )
    assert meanings == {option.name: option.meaning for option in OPTIONS.values()}
