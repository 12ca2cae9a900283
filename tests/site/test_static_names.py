"""What `collectstatic` makes: the sheets that go together in one file, under a hashed name."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from league.static_files import LAYOUT, SHEETS, StaticNames, joined_sheet

STATIC = Path(__file__).resolve().parents[2] / "league" / "static"
KINDS = ("css/*.css", "js/*.js", "vendor/*/*.woff2")


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The storage of a server on which the sheets, the scripts and the font were collected."""
    folder = tmp_path_factory.mktemp("static")
    names = [file for kind in KINDS for file in STATIC.glob(kind)]
    for file in names:
        copy = folder / file.relative_to(STATIC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    source = FileSystemStorage(location=STATIC)
    storage = StaticNames(location=folder, base_url="/static/")
    paths = {
        str(file.relative_to(STATIC)): (source, str(file.relative_to(STATIC))) for file in names
    }
    for _name, _hashed, done in storage.post_process(paths):
        assert not isinstance(done, Exception), done
    return storage


@pytest.mark.parametrize("name", SHEETS)
def test_the_joined_sheet_holds_every_rule_of_its_sheets_in_their_order(collected, name):
    whole = collected.open(joined_sheet(name)).read().decode()
    assert re.search(r"\n\s|\s[{}]|[{};]\s", whole) is None
    places = []
    for part in SHEETS[name]:
        rules = re.sub(
            r"/\*.*?\*/\s*", "", (STATIC / "css" / f"{part}.css").read_text(), flags=re.S
        )
        places.append(whole.index(LAYOUT.sub(r"\1", rules).strip()))
    assert places == sorted(places)
    assert "/*" not in whole


@pytest.mark.parametrize("name", SHEETS)
def test_its_address_and_those_of_its_fonts_are_hashed(collected, name):
    address = collected.url(joined_sheet(name))
    assert re.fullmatch(rf"/static/css/all-{name}\.[0-9a-f]{{12}}\.css", address)
    text = collected.open(address.removeprefix("/static/")).read().decode()
    fonts = re.findall(r'url\("([^"]+)"\)', text)
    assert len(fonts) == 3
    assert all(re.search(r"\.[0-9a-f]{12}\.woff2$", font) for font in fonts)


def test_scripts_are_served_without_their_remarks(collected):
    for file in STATIC.glob("js/*.js"):
        served = collected.open(f"js/{file.name}").read().decode().splitlines()
        written = file.read_text().splitlines()
        lines = (re.sub(r"(?<=[;{,]) //[^\"'`]*$", "", line) for line in written)
        assert all(line in lines for line in served), file.name  # no more is changed, in order
        assert not re.search(r"; // [\w ,:]+\n", "\n".join(served) + "\n"), file.name
        assert not [line for line in served if line.lstrip().startswith(("//", "/*"))]
        assert sum("export " in line for line in served) == sum(
            "export " in line for line in written
        )
