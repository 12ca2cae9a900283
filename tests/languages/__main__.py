"""`bin/catalogues`: brings every language up to date with the site's texts, and compiles it.

bin/catalogues                all languages; says how much of each is there
bin/catalogues --missing fr_CA    what is missing of one, by page
bin/catalogues --new nl       begins a language
"""

import argparse
import os
import sys
from pathlib import Path

import django
import polib

HEADER = {
    "Project-Id-Version": "Right Bower",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bin/catalogues", description=__doc__)
    parser.add_argument("--missing", metavar="LANGUAGE", help="list what is missing, by page")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a language: nl, or pt_BR")
    options = parser.parse_args(arguments)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    if options.missing:
        tell_missing(options.missing)
    else:
        bring_up_to_date(options.new)


def bring_up_to_date(begun: str | None) -> None:
    from tests.languages import catalogues, extracting

    texts = extracting.texts()
    if begun:
        begin(catalogues.path_of(begun), begun)
    for language in catalogues.languages():
        new = catalogues.updated(catalogues.read(language), texts)
        new.save(str(catalogues.path_of(language)), newline="\n")
        lacks = len(catalogues.missing(new))
        print(f"{language}: {len(new) - lacks} of {len(new)} texts")  # noqa: T201
    for path in sorted(extracting.LOCALE.glob("*/LC_MESSAGES/django.po")):
        path.with_suffix(".mo").write_bytes(catalogues.compiled(polib.pofile(str(path))))


def begin(path: Path, language: str) -> None:
    path.parent.mkdir(parents=True)
    catalogue = polib.POFile()
    catalogue.metadata = {"Language": language, **HEADER}
    catalogue.save(str(path))


def tell_missing(language: str) -> None:
    from tests.languages import catalogues

    catalogue = catalogues.read(language)
    for name, count in catalogues.missing_by_file(catalogue).most_common():
        print(f"{count:5}  {name}")  # noqa: T201
    print(f"{len(catalogues.missing(catalogue)):5}  of {len(catalogue)} texts are missing")  # noqa: T201


main(sys.argv[1:])
