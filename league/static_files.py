"""The site's own files on a server: their addresses, which are served, and sheets joined in one."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_COMMON = ("tokens", "base", "layout", "forms", "parts", "euchre")
SHEETS = {
    "site": (*_COMMON, "shell", "tables"),
    "phone": (*_COMMON, "phone", "play"),
}
"""Which sheets of css/ a page of the site and a page of the table's phone load, in their order."""
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
REMARK = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.DOTALL | re.MULTILINE)
"""Lines of a script that are nothing but a comment."""
LAYOUT = re.compile(r"\s*([{};]|\n)\s*")
"""Blanks that only people read: no blank stands beside these signs within a value."""

SERVED = {".css", ".js", ".svg", ".png", ".gif", ".ico", ".woff2"}
"""What pages load. Collected beside it are the list of names, notes, and maps that nobody needs."""


class StaticPages(WhiteNoiseMiddleware):
    """Serves the files that pages load, and the licences of those that others wrote."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        name = PurePosixPath(url)
        if name.suffix in SERVED or name.name.startswith("LICENSE"):
            super().add_file_to_dictionary(url, path, stat_cache)


def joined(name: str) -> str:
    """Where the sheets of this name stand as one: nine files less on a hall's Wi-Fi."""
    return f"css/all-{name}.css"


class StaticNames(CompressedManifestStaticFilesStorage):
    """Joins the sheets, and remembers what a file is called with its hash: every page names some.

    The names are fixed when `collectstatic` has run; a process reads their list when it starts.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._urls: dict[str | None, str] = {}

    def url(self, name: str | None, force: bool = False) -> str:
        """The address of a file. Raises ValueError for one that is not in the list."""
        if name not in self._urls:
            self._urls[name] = str(super().url(name, force))
        return self._urls[name]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        """As Django does, with the joined sheets among the files, and scripts without remarks."""
        if not dry_run:
            scripts = [name for name in paths if PurePosixPath(name).match("js/*.js")]
            paths |= {name: (self, name) for name in self._shortened(scripts)}
            paths |= {name: (self, name) for name in self._join()}
        yield from super().post_process(paths, dry_run, **options)

    def _shortened(self, scripts: Iterable[str]) -> Iterator[str]:
        for name in scripts:
            code = REMARK.sub("", self.open(name).read().decode())
            self.delete(name)
            yield self.save(name, ContentFile(code.encode()))

    def _join(self) -> Iterator[str]:
        for name, parts in SHEETS.items():
            texts = [self.open(f"css/{part}.css").read().decode() for part in parts]
            whole = LAYOUT.sub(r"\1", COMMENT.sub("", "\n".join(texts)))
            self.delete(joined(name))
            yield self.save(joined(name), ContentFile(whole.encode()))
