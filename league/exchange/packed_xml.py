"""Parses the XML parts of a zipped office file as events, within fixed limits. No Django.

What the file says about its own size is not trusted: bytes are counted while they are unpacked,
elements and attributes while they are parsed, so that time and memory are bounded for every file.
"""

import io
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Protocol
from xml.parsers import expat


class BadSheet(ValueError):
    """A file that cannot be read as a sheet. `code` says why, `line` where (0 for the whole file),
    `about` names columns or a limit."""

    def __init__(self, code: str, *, line: int = 0, about: str = "") -> None:
        super().__init__(code, line, about)
        self.code, self.line, self.about = code, line, about


MOST_PARTS = 200
MOST_UNPACKED = 20_000_000  # bytes of all parts
MOST_STEPS = 800_000  # elements and attributes of all parts that are read
LONGEST_TAG = 100_000  # bytes; the parser scans an unfinished tag again with every chunk
DEEPEST = 50  # levels of nested elements
CHUNK = 65_536
ENTRY = b"PK\x01\x02"  # begins each entry of a zip's directory
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others can demand any amount of memory
DAMAGED = (
    expat.ExpatError,
    zipfile.BadZipFile,
    zlib.error,
    zipfile.LargeZipFile,
    NotImplementedError,  # an unsupported compression method
    RuntimeError,  # a password
    OSError,
    EOFError,
    LookupError,
    ValueError,
    OverflowError,  # a date out of range
)


class Handler(Protocol):
    """Receives the elements of a part that are named in `tags`, and all its text; setting `done`
    ends reading early."""

    tags: frozenset[str]
    done: bool

    def start(self, tag: str, attributes: dict[str, str]) -> None: ...

    def end(self, tag: str) -> None: ...

    def text(self, text: str) -> None: ...


class Relations:
    """The parts that a part refers to, by id and by kind (`worksheet`, `styles`, ...)."""

    tags = frozenset({"Relationship"})

    def __init__(self, base: str) -> None:
        self.done = False
        self.base = base
        self.by_id: dict[str, str] = {}
        self.by_kind: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if attributes.get("TargetMode") != "External":
            path = _joined(self.base, attributes["Target"])
            self.by_id[attributes["Id"]] = path
            self.by_kind.setdefault(attributes["Type"].rpartition("/")[2], path)

    def end(self, tag: str) -> None:
        """Nothing to do."""

    def text(self, text: str) -> None:
        """Nothing to do."""


class Package:
    """A zipped office file. Raises BadSheet: `bomb` if it holds more than any sheet needs,
    `damaged` if it is not such a file or declares its own entities."""

    def __init__(self, content: bytes) -> None:
        if content.count(ENTRY) > MOST_PARTS:
            raise BadSheet("bomb")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except DAMAGED as error:
            raise BadSheet("damaged") from error
        if sum(part.file_size for part in self._zip.infolist()) > MOST_UNPACKED:
            raise BadSheet("bomb")
        self.unpacked = self.steps = 0

    def relations(self, path: str) -> Relations:
        """The relations of the part at `path`, or of the whole file for ""."""
        part = PurePosixPath(path)
        relations = Relations(str(part.parent))
        self.read(str(part.parent / "_rels" / f"{part.name}.rels"), relations)
        return relations

    def read(self, path: str, handler: Handler) -> None:
        """Give the events of one part to the handler."""
        try:
            self._read(path, handler)
        except BadSheet:
            raise
        except DAMAGED as error:
            raise BadSheet("damaged") from error

    def _read(self, path: str, handler: Handler) -> None:
        part = self._zip.getinfo(path)
        if part.compress_type not in METHODS:
            raise BadSheet("damaged")
        parser = self._parser(handler)
        fed = 0
        with self._zip.open(part) as file:
            while not handler.done and (chunk := file.read(CHUNK)):
                fed += len(chunk)
                self.unpacked += len(chunk)
                parser.Parse(chunk, False)
                if self.unpacked > MOST_UNPACKED or fed - parser.CurrentByteIndex > LONGEST_TAG:
                    raise BadSheet("bomb")
        if not handler.done:
            parser.Parse(b"", True)

    def _parser(self, handler: Handler) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.ordered_attributes = True

        depth = 0

        def start(tag: str, attributes: list[str]) -> None:
            nonlocal depth
            depth += 1
            self.steps += 1 + len(attributes) // 2
            if self.steps > MOST_STEPS or depth > DEEPEST:
                raise BadSheet("bomb")
            tag = _local(tag)
            if tag in handler.tags and not handler.done:
                names = map(_local, attributes[::2])
                handler.start(tag, dict(zip(names, attributes[1::2], strict=True)))

        def end(tag: str) -> None:
            nonlocal depth
            depth -= 1
            tag = _local(tag)
            if tag in handler.tags and not handler.done:
                handler.end(tag)

        def refuse_doctype(*parts: object) -> None:
            raise BadSheet("damaged")

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = refuse_doctype
        return parser


def _local(name: str) -> str:
    """A name without its namespace prefix."""
    return name.rpartition(":")[2]


def _joined(base: str, target: str) -> str:
    """The path in the zip that a link leads to; it is absolute if it begins with a slash."""
    steps: list[str] = []
    for step in [*_steps("" if target.startswith("/") else base), *_steps(target)]:
        if step == "..":
            steps = steps[:-1]
        else:
            steps.append(step)
    return "/".join(steps)


def _steps(path: str) -> Iterable[str]:
    return [step for step in path.split("/") if step not in ("", ".")]
