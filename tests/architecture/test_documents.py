"""The documents stay true: links lead somewhere, every setting and command is told."""

import re
from pathlib import Path

from django.core.management import get_commands

from tests.architecture.source import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
TO_A_HEADING = re.compile(r"\]\(([\w./-]*)#([^)\s]+)\)")
# In a guide, words in italics that begin with a capital letter stand on the screen; but for these.
WITH_FIGURES_OR_NAMES = {
    "Both were played – add mine as hand 6",
    "Use mine as hand 5",
    "Second on points difference: +9 (27 − 18) against +6 (Ann). Level before that: 2 wins and"
    " 27 points.",
    "On …",
}
# Set by the tests alone, to be deaf to a developer's own file; and by `right-bower` on a laptop.
NOT_FOR_SERVERS = {"RIGHT_BOWER_ENV_FILE", "DEBUG", "LAPTOP", "LAPTOP_RUN"}


def test_every_link_to_a_file_leads_to_one():
    dead = {
        f"{document.name}: {target}"
        for document in DOCUMENTS
        for target in LINK.findall(document.read_text("utf-8"))
        if "://" not in target and not (document.parent / target).exists()
    }
    assert dead == set()


def test_every_link_to_a_heading_leads_to_one():
    dead = set()
    for document in DOCUMENTS:
        for target, anchor in TO_A_HEADING.findall(document.read_text("utf-8")):
            page = document.parent / target if target else document
            if anchor not in _anchors(page.read_text("utf-8")):
                dead.add(f"{document.name}: {target}#{anchor}")
    assert dead == set()


def _anchors(text: str) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_every_file_that_the_architecture_names_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`((?:league|scoring|tests)/[\w./]+)`", text))
    assert len(named) > 30
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_every_setting_read_from_the_environment_is_told_to_who_keeps_a_server():
    settings = (ROOT / "league" / "settings.py").read_text("utf-8")
    read = set(re.findall(r"\benv(?:\.\w+)?\(\s*\"([A-Z_]+)\"", settings))
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    documented = re.findall(r"^\| (`[^|]+`) \|", guide, re.MULTILINE)
    assert read - NOT_FOR_SERVERS == set(re.findall(r"[A-Z_]+", " ".join(documented)))


def test_every_command_that_a_document_names_is_there():
    texts = [document.read_text("utf-8") for document in DOCUMENTS]
    named = {name for text in texts for name in re.findall(r"bin/manage ([a-z_]+)", text)}
    assert named <= set(get_commands())


def test_the_words_that_a_guide_says_are_on_the_screen_are_in_a_page():
    shown = _in_one_line(*ROOT.glob("templates/**/*.html"), *ROOT.glob("league/**/*.py"))
    shown += _in_one_line(*ROOT.glob("league/static/js/**/*.js"))
    guides = _in_one_line(*ROOT.glob("docs/*.md"))
    named = re.findall(r"(?<![*\w])\*([A-Z][^*]{2,90}?)\*(?!\*)", guides)
    words = {word for name in named for word in name.split(" · ")} - WITH_FIGURES_OR_NAMES
    assert len(words) > 50
    shown = shown.lower()
    assert {word for word in words if word.lower() not in shown} == set()


def _in_one_line(*files: Path) -> str:
    return " ".join(" ".join(file.read_text("utf-8").split()) for file in sorted(files))


def test_every_decision_and_text_that_a_preset_names_is_in_the_rules():
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    files = [*(ROOT / "scoring").rglob("*.toml"), *(ROOT / "scoring").rglob("*.py")]
    named = " ".join(file.read_text("utf-8") for file in files)
    decisions = set(re.findall(r"\bD-\d\d\b", named))
    texts = set(re.findall(r"\b(00\d):\d", named))
    assert decisions - set(re.findall(r"D-\d\d", rules)) == set()
    assert {tag for tag in texts if f"| {tag} |" not in rules} == set()
