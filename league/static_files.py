"""Static files on a server: their hashed names, which ones are served, and joined style sheets."""

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
    "phone": (*_COMMON, "phone", "play", "seats"),
}
"""The style sheets in css/ that pages of the site and of a table's phone load, in order."""
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
REMARK = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n|(?<=[;{,]) //[^\n\"'`]*$",
    re.DOTALL | re.MULTILINE,
)
"""Lines of a script that only have a comment, and comments after a statement unless they quote."""
LAYOUT = re.compile(r"\s*([{};]|\n)\s*")
"""White space that has no meaning: values have none beside these characters."""

SERVED = {".css", ".js", ".svg", ".png", ".gif", ".ico", ".woff2"}
"""The kinds of files that pages load, as opposed to manifests, notes and source maps."""


class StaticPages(WhiteNoiseMiddleware):
    """Serves the files that pages load, and the licences of third-party files."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        name = PurePosixPath(url)
        if name.suffix in SERVED or name.name.startswith("LICENSE"):
            super().add_file_to_dictionary(url, path, stat_cache)


def joined_sheet(name: str) -> str:
    """The file that joins the sheets of `SHEETS[name]`, to save requests on a hall's Wi-Fi."""
    return f"css/all-{name}.css"


class StaticNames(CompressedManifestStaticFilesStorage):
    """Joins style sheets, and caches the URLs of files, which have a hash in their name.

    The names are fixed once `collectstatic` has run; a process reads the list when it starts.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._urls: dict[str | None, str] = {}

    def url(self, name: str | None, force: bool = False) -> str:
        """The URL of a file. Raises ValueError for one that is not in the list."""
        if name not in self._urls:
            self._urls[name] = str(super().url(name, force))
        return self._urls[name]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        """Strip comments from scripts and join the style sheets, then go on as Django does."""
        if not dry_run:
            scripts = [name for name in paths if PurePosixPath(name).match("js/*.js")]
            paths |= {name: (self, name) for name in self._strip_comments(scripts)}
            paths |= {name: (self, name) for name in self._join_sheets()}
        yield from super().post_process(paths, dry_run, **options)

    def _strip_comments(self, scripts: Iterable[str]) -> Iterator[str]:
        for name in scripts:
            code = REMARK.sub("", self.open(name).read().decode())
            self.delete(name)
            yield self.save(name, ContentFile(code.encode()))

    def _join_sheets(self) -> Iterator[str]:
        for name, parts in SHEETS.items():
            texts = [self.open(f"css/{part}.css").read().decode() for part in parts]
            content = LAYOUT.sub(r"\1", COMMENT.sub("", "\n".join(texts)))
            self.delete(joined_sheet(name))
            yield self.save(joined_sheet(name), ContentFile(content.encode()))
