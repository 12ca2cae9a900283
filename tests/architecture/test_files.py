"""What a file may be: short, said what it is for, and with nothing loaded from elsewhere."""

import ast
import re

import pytest
from django.template.loader import get_template

from tests.architecture.source import ROOT, source_files

LIMIT = 400

NO_CODE_OF_OURS = ("migrations", "vendor", "locale")
LINKS_FOR_PEOPLE = re.compile(r"<a\b[^>]*>", re.DOTALL)  # followed by a click, loaded by nobody
NAMES_OF_XML = re.compile(r"https?://www\.w3\.org/[\w/]+")
COMMENTS = re.compile(r"/\*.*?\*/|{#.*?#}|{%\s*comment.*?endcomment\s*%}|<!--.*?-->", re.DOTALL)
ELSEWHERE = re.compile(r"https?://|(?:src|href)\s*=\s*[\"']//|url\(\s*[\"']?//|import\s+[\"']//")


def files(*endings, under=("",)):
    for path in source_files():
        parts = path.relative_to(ROOT).parts
        if path.suffix in endings and not set(NO_CODE_OF_OURS) & set(parts):
            name = "/".join(parts)
            if name.startswith(tuple(under)):
                yield name


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def found_in(names, find):
    """`{file: what was found in it}` for those files where something was."""
    found = {name: find(text_of(name)) for name in names}
    return {name: what for name, what in found.items() if what}


def test_a_file_is_short_or_listed_with_a_reason():
    lengths = {n: text_of(n).count("\n") for n in files(".py", ".html", ".css", ".js")}
    assert {name: lines for name, lines in lengths.items() if lines > LIMIT} == {}


def test_a_file_of_code_begins_by_saying_what_it_is_for():
    silent = found_in(files(".py"), lambda text: text.strip() and not docstring(text))
    assert silent == {}


def docstring(text):
    return ast.get_docstring(ast.parse(text))


def test_a_page_loads_nothing_from_elsewhere():
    def loaded(text):
        for harmless in (COMMENTS, LINKS_FOR_PEOPLE, NAMES_OF_XML):
            text = harmless.sub("", text)
        return ELSEWHERE.findall(text)

    pages = files(".html", ".css", ".js", ".svg", under=("templates/", "league/"))
    assert found_in(pages, loaded) == {}


def test_a_template_has_nothing_inline_that_the_security_policy_would_stop():
    script = r"<script(?![^>]*\b(?:src|type=\"application/json\"))[^>]*>"
    inline = re.compile(rf"{script}|<style\b|\sstyle=|\son[a-z]+=[\"']")
    templates = files(".html", under=("templates/",))
    assert found_in(templates, lambda text: inline.findall(COMMENTS.sub("", text))) == {}


def test_every_template_can_be_read():
    for name in files(".html", under=("templates/",)):
        get_template(name.removeprefix("templates/"))


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//cdn.example/x.css">',
        "@import '//cdn.example/x.css';",
        "body { background: url(//cdn.example/x.png) }",
    ],
)
def test_what_comes_from_elsewhere_is_recognised(text):
    assert ELSEWHERE.search(text)
