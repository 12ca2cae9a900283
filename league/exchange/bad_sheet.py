"""What is wrong with a file that cannot be read as a sheet. No Django."""


class BadSheet(ValueError):
    """A file that cannot be read as a sheet. `code` says why; `line` where, 0 where that is
    nowhere; `about` what it is about (columns, a limit)."""

    def __init__(self, code: str, *, line: int = 0, about: str = "") -> None:
        super().__init__(code, line, about)
        self.code, self.line, self.about = code, line, about
