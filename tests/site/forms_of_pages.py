"""The forms of a page as a browser would send them, and a wrong value for a field."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

NOT_SENT = {"submit", "button", "reset", "image"}
NOT_BROKEN = {"hidden", "checkbox", "checkbox-off", "file", "file-off", "password", *NOT_SENT}
RADIO = ("radio", "radio-off")


@dataclass
class Field:
    """One field: what kind it is, what stands in it, and what may."""

    name: str
    kind: str
    value: str = ""
    required: bool = False
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    """One form: where it goes, how, and its fields; of radios and ticks those that are sent."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)
    button: tuple[str, str] | None = None

    @property
    def names(self) -> set[str]:
        """The fields somebody sees, without ticks: a tick may be an answer to a refusal."""
        return {one.name for one in self.fields if one.kind != "hidden"} - {""}

    def data(self) -> dict[str, list[str]]:
        """What a browser sends of it as it stands."""
        sent: dict[str, list[str]] = {}
        for one in self.fields:
            if one.name and not one.kind.endswith("-off") and one.kind != "file":
                sent.setdefault(one.name, []).append(one.value)
        if self.button:
            sent.setdefault(*(self.button[0], []))
            sent[self.button[0]] = [self.button[1]]
        return sent


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._text: Field | None = None
        self._select: Field | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "input":
            self._input(attributes)
        elif tag == "textarea":
            self._text = Field(
                attributes.get("name", ""), "textarea", required="required" in attributes
            )
            self._open.fields.append(self._text)
        elif tag == "select":
            self._select = Field(
                attributes.get("name", ""), "select", required="required" in attributes
            )
            self._open.fields.append(self._select)
        elif tag == "option" and self._select is not None:
            self._select.options.append(attributes.get("value", ""))
            if "selected" in attributes or len(self._select.options) == 1:
                self._select.value = attributes.get("value", "")
        elif tag == "button" and attributes.get("name") and self._open.button is None:
            self._open.button = (attributes["name"], attributes.get("value", ""))

    def _input(self, attributes: dict[str, str]) -> None:
        assert self._open is not None
        kind = attributes.get("type", "text")
        if kind in NOT_SENT:
            return
        if kind in ("checkbox", "radio") and "checked" not in attributes:
            kind += "-off"
        value = attributes.get("value", "on" if kind.startswith("checkbox") else "")
        self._open.fields.append(
            Field(attributes.get("name", ""), kind, value, "required" in attributes)
        )

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "textarea":
            if self._text is not None:
                self._text.value = self._text.value.removeprefix("\n")
            self._text = None
        elif tag == "select":
            self._select = None


def forms_of(html: str) -> list[Form]:
    """Every form of a page."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms


def wrong_value(one: Field) -> str | None:
    """A value that this field cannot have; None for a field that takes anything."""
    if one.kind in NOT_BROKEN or not one.name:
        return None
    if one.kind in ("number", "date", "time", "email"):
        return "no such thing"
    if one.kind in ("select", *RADIO):
        return "no-such-choice"
    return "\u202e reversed"  # a sign that turns the line round, which no name or line may hold
