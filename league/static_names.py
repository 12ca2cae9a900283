"""The addresses of the site's own files, each worked out once a process."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticNames(CompressedManifestStaticFilesStorage):
    """Remembers what a file is called with its hash: every page names a dozen of them.

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
