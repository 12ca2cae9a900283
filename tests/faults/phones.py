"""A phone as a script: cookies, the table's page, hands sent twice and answers remembered."""

import http.cookiejar
import re
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random

MOST_SENT = 80


@dataclass
class Phone:
    """One phone at one table. `saved` holds the id of every hand the server said it has."""

    home: str
    code: str
    chance: Random
    saved: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        jar = http.cookiejar.CookieJar()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.jar = jar

    def get(self, path: str) -> str:
        with self.browser.open(self.home + path, timeout=30) as answer:
            return answer.read().decode()

    def post(self, path: str, page: str, **fields: str) -> tuple[int, str]:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1] if token else "", **fields})
        try:
            with self.browser.open(self.home + path, body.encode(), timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def come_in(self) -> str:
        """Hand over the code; the table's page comes back."""
        status, page = self.post("/t/", self.get("/t/"), code=self.code)
        if status != 200:
            self.troubles.append(f"could not come in: {status}")
        return page

    def play(self, path: str) -> None:
        """Send hands until the game is over; every third one twice, as a shaky network would."""
        page = self.come_in()
        for _ in range(MOST_SENT):
            if 'id="hand"' not in page or self.troubles:
                return
            fields = self._a_hand(page)
            status, page = self.post(f"{path}hand", page, **fields)
            if status == 200:
                self.saved.append(fields["client_id"])
            elif status != 409:  # the other phone was there first
                self.troubles.append(f"hand refused: {status}")
            if self.chance.random() < 0.33:
                again, _page = self.post(f"{path}hand", page, **fields)
                if status == 200 and again != 200:
                    self.troubles.append(f"the same again: {again}")
            if status != 200:
                page = self.get(path)
        self.troubles.append("the game never ended")

    def _a_hand(self, page: str) -> dict[str, str]:
        """What the page's form says by itself, with a maker and an outcome tapped."""
        form = FormReader("hand")
        form.feed(page)
        makers = [maker for maker in form.offered["maker"] if maker != "passed"]
        return {
            **form.fields,
            "client_id": secrets.token_hex(16),
            "maker": self.chance.choice(makers),
            "outcome": self.chance.choice(["made", "made", "march", "euchred"]),
        }


class FormReader(HTMLParser):
    """Reads one form of a page as a browser would send it: `told`, and what radios `offered`."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id, self.inside, self.select = form_id, False, ""
        self.fields: dict[str, str] = {}
        self.offered: dict[str, list[str]] = defaultdict(list)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("id") == self.form_id
        elif self.inside and tag == "input":
            self._input(given)
        elif self.inside and tag == "select":
            self.select = given["name"]
        elif self.inside and tag == "option" and "selected" in given:
            self.fields[self.select] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False

    def _input(self, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if given.get("type") in {"radio", "checkbox"}:
            self.offered[name].append(value)
            if "checked" not in given:
                return
        if name and name != "csrfmiddlewaretoken":
            self.fields[name] = value
