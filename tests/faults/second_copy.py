"""F20: the laptop and its disk vanish; another is restored, and phones bring what is missing.

    python -m tests.faults.second_copy --rounds 100 --phones 16
    python -m tests.faults.second_copy --without-copies    the control: hands are lost
    python -m tests.faults.second_copy --lose-phone        one phone is lost as well: which hands?

Every round starts `right-bower`, as the wheel has it, on a folder of its own. Real browsers enter
hands at all tables at once. At a random moment a backup is made, as after a round; at a later one
every process is killed and the folder deleted. Another start, on an empty folder, is restored in
the browser; then the phones look again, each in its own way. The verdict is that of the other
faults: the database is read from outside, and counted anew.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.ledger import OK, UNKNOWN, Ledger, Sent
from tests.faults.scene import Figures
from tests.faults.server import ROOT, free_port
from tests.faults.verdict import lost, opened, verdict
from tests.real_server import unpacked_wheel

WAITS = 60_000  # milliseconds
LOOKS = 100  # milliseconds from one look at a page to the next
FURNISH = """
import sys; sys.path.append({root!r})
from league.laptop.actions import new_sheet
from tests.faults.hall import _seated
import json
print("MADE", json.dumps([_seated({phones}), new_sheet()]))
"""
# A thumb that goes on and on: `drill.said` is every hand with whether the page said it is saved.
PLAY = """seed => {
    const said = [], pause = ms => new Promise(go => setTimeout(go, ms));
    window.drill = { said, over: false };
    const chance = most => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return Math.floor(seed / 2147483648 * most);
    };
    const find = what => document.querySelector(`#hand ${what}`);
    const tap = (name, value) => find(`[name=${name}][value="${value}"]`).click();
    const saved = number => document.querySelector("#sync").dataset.state === "saved"
        && RegExp(`Hand ${number}\\\\b`).test(document.querySelector("#last-hand")?.textContent);
    const play = async () => {
        while (!window.drill.over) {
            await pause(chance(250));
            if (window.drill.over) return;
            const { number, client_id: id } = document.querySelector("#hand").elements;
            const hand = { number: Number(number.value), id: id.value, saved: false };
            hand.maker = chance(4);
            hand.outcome = ["made", "march", "euchred"][chance(3)];
            const dealer = new FormData(document.querySelector("#hand")).get("dealer");
            hand.dealer = Number(dealer);
            said.push(hand);
            tap("maker", hand.maker);
            tap("outcome", hand.outcome);
            document.querySelector("[data-save]").click();
            while (!hand.saved) {
                await pause(10);
                hand.saved = saved(hand.number);
                if (!document.querySelector("#queue").hidden) return; // nobody answers any more
            }
        }
    };
    play();
}"""
HAS = """number => document.body.hasAttribute("data-queue-read")
    && document.querySelector("#queue").hidden
    && RegExp(`Hand ${number}\\\\b`).test(document.querySelector("#last-hand")?.textContent)"""
LOOK_AGAIN = "() => document.dispatchEvent(new Event('visibilitychange'))"
STATE = """() => [location.pathname, ...["#queue", "#last-hand", "#sync", "[data-live-text]"].map(
    part => document.querySelector(part)?.innerText ?? document.body.innerText.slice(0, 80))]"""
OPEN_STORE = "async () => { window.store = await import('/static/js/queue-store.js'); }"
FORGET_COPIES = """async () => {
    await store.dropCopies((await store.copies()).map(({ id }) => id));
}"""


@dataclass
class Laptop:
    """One computer with Right Bower on it, as a club starts it."""

    site: Path
    folder: Path
    address: str = ""
    start: "subprocess.Popen[str] | None" = None

    @property
    def words(self) -> list[str]:
        whole = [sys.executable, "-m", "league.laptop.command", "--no-browser"]
        return [*whole, "--folder", str(self.folder)]

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "PYTHONPATH": ""}

    def switch_on(self, port: int) -> "Laptop":
        """On this port: there phones look for it."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "running.json").write_text(json.dumps({"port": port, "run": "before"}))
        self.start = subprocess.Popen(
            self.words,
            cwd=self.site,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a group of its own, so that all of it can be killed
        )
        assert self.start.stdout is not None
        self.address = self.start.stdout.readline().split()[-1]
        assert f":{port}/" in self.address, self.address
        return self

    def furnish(self, phones: int) -> Any:
        """A club with so many tables of four, and the words of its recovery sheet."""
        shutil.copy(self.site / "league" / "built" / "empty.sqlite3", self.folder / "club.sqlite3")
        code = FURNISH.format(root=str(ROOT), phones=phones)
        done = subprocess.run(
            [*self.words, "shell", "-v0", "-c", code],
            cwd=self.site,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.partition("MADE ")[2])

    def back_up(self) -> Path:
        """What the start itself does after a round, when it next looks."""
        from league.laptop.backups import make_backup
        from league.laptop.place import Place

        made = make_backup(Place(self.folder), at=datetime.now(UTC))
        assert made is not None
        return made

    def wait_for(self, hand: Sent) -> None:
        """Until its database has this hand; one that never comes is the verdict's to name."""
        ends = time.monotonic() + WAITS / 1000
        with closing(opened(self.database_url)) as db:
            found = "SELECT 1 FROM league_hand WHERE client_id = ?"
            while not db.execute(found, [hand.client_id]).fetchone():
                if time.monotonic() > ends:
                    return
                time.sleep(0.05)

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.folder}/club.sqlite3"

    def vanish(self) -> None:
        """Every process at once, without a word; then the disk."""
        assert self.start is not None
        os.killpg(self.start.pid, signal.SIGKILL)
        self.start.wait()
        shutil.rmtree(self.folder)


class Phone:
    """One phone at one table: a browser with its own storage."""

    def __init__(self, browser: Any, address: str, place: dict[str, Any], seed: int) -> None:
        self.place, self.seed = place, seed
        self.backed_up, self.forgot = 0, False
        self.context = browser.new_context(base_url=address, locale="en-GB")
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAITS)
        self.page.goto(f"/t/#{place['code']}")
        self.page.locator("body[data-queue-read]").wait_for()
        self.page.evaluate(OPEN_STORE)

    def play(self) -> None:
        self.page.evaluate(PLAY, self.seed)

    def saved(self) -> int:
        return self.page.evaluate("() => drill.said.filter(({ saved }) => saved).length")

    def said(self) -> list[Sent]:
        """Every hand that was tapped here, and what the phone knows of it."""
        return [
            Sent(
                self.place["id"],
                hand["number"],
                hand["id"],
                {
                    "dealer": hand["dealer"],
                    "contract": {"seat": hand["maker"]},
                    "outcome": hand["outcome"],
                },
                state=OK if hand["saved"] else UNKNOWN,
            )
            for hand in self.page.evaluate("() => (drill.over = true, drill.said)")
        ]

    def forget(self) -> None:
        self.page.evaluate(FORGET_COPIES)
        self.forgot = True

    def look_again(self, way: str) -> None:
        """As people do: load the page again, wake the phone up, or do nothing at all."""
        if way == "reload":
            self.page.reload()
        elif way == "wake":
            self.page.evaluate(LOOK_AGAIN)

    def wait_for(self, hand: Sent) -> str:
        """Wait until the server has this hand, as the page says; else what the page says."""
        from playwright.sync_api import TimeoutError as TooLong

        try:
            self.page.wait_for_function(HAS, arg=str(hand.number), polling=LOOKS)
        except TooLong:
            return f"the phone of table {hand.table} shows {self.page.evaluate(STATE)}"
        return ""


@dataclass
class Evenings:
    """What came of all rounds. `missing`: acknowledged hands that are not there, one line each.

    `copies`: whether the phones still have them; `one_forgets`: all but one with hands that are in
    no backup, and those alone may be missing.
    """

    phones: int
    seed: int = 1
    copies: bool = True
    loses_phone: bool = False
    one_forgets: bool = False
    wrong_lines: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    counts: dict[str, float] = field(default_factory=dict)

    def wrong(self) -> list[str]:
        return self.wrong_lines

    def count(self, **figures: float) -> None:
        self.counts |= {name: self.counts.get(name, 0) + n for name, n in figures.items()}

    def one(self, browser: Any, site: Path, furnished: tuple[Path, Any], folder: Path) -> None:
        """An evening, its end, and what is there afterwards."""
        chance, port = Random(self.seed), free_port()
        hall, (places, words) = furnished
        self.seed += 1
        first = Laptop(site, Path(shutil.copytree(hall, folder / "first"))).switch_on(port)
        phones = [Phone(browser, first.address, place, chance.getrandbits(30)) for place in places]
        for phone in phones:
            phone.play()
        _reach(phones, chance.randrange(2 * self.phones))
        stick = Path(shutil.copy(first.back_up(), folder / "stick.zip"))
        for phone in phones:
            phone.backed_up = phone.saved()
        before = sum(phone.backed_up for phone in phones)
        _reach(phones, before + chance.randrange(1, 4 * self.phones))
        first.vanish()
        said = {phone.place["id"]: phone.said() for phone in phones}
        expected = self._lose(phones, chance)
        began = time.monotonic()
        second = Laptop(site, folder / "second").switch_on(port)
        restore(browser, second, stick, words)
        self._come_back(phones, second, said, chance)
        seconds = time.monotonic() - began
        ledger = Ledger()
        ledger.entries = [sent for hands in said.values() for sent in hands]
        found = verdict(second.database_url, ledger)
        gone = lost(found)
        self.missing += gone
        if expected:  # its hands are allowed to be missing, and no others
            found = [line for line in found if line not in gone or expected not in line]
        self.wrong_lines += found
        acked = len(ledger.acknowledged)
        self.count(
            rounds=1, acked=acked, since_backup=acked - before, lost=len(gone), back_s=seconds
        )
        second.vanish()
        for phone in phones:
            phone.context.close()

    def _lose(self, phones: list[Phone], chance: Random) -> str:
        """What else is lost: copies, or one phone. The table whose hands may be missing then."""
        if not self.copies:
            for phone in phones:
                phone.forget()
        if self.one_forgets:
            last = max(phones, key=lambda phone: phone.saved() - phone.backed_up)
            last.forget()
            return last.place["id"]
        if not self.loses_phone:
            return ""
        gone = phones.pop(chance.randrange(len(phones)))
        gone.context.close()
        return gone.place["id"]

    def _come_back(
        self, phones: list[Phone], laptop: Laptop, said: dict[str, list[Sent]], chance: Random
    ) -> None:
        """All phones find the other laptop, each in its own way.

        A page that nobody touches shows its last hand all the time, so the laptop is asked too.
        """
        for phone in phones:
            phone.look_again(chance.choice(["reload", "reload", "wake", "nothing"]))
        for phone in phones:
            hands = said[phone.place["id"]]
            if not hands or phone.forgot:
                continue
            trouble = phone.wait_for(hands[-1])
            self.wrong_lines += [trouble] * bool(trouble)
            if not trouble:
                laptop.wait_for(hands[-1])


def _reach(phones: list[Phone], hands: int) -> None:
    while sum(phone.saved() for phone in phones) < hands:
        phones[0].page.wait_for_timeout(LOOKS)


def restore(browser: Any, laptop: Laptop, stick: Path, words: list[str]) -> None:
    """As a person does it, on the first page."""
    page = browser.new_context(base_url=laptop.address, locale="en-GB").new_page()
    page.set_default_timeout(WAITS)
    page.goto("/")
    page.get_by_role("link", name="Restore from a backup").click()
    page.set_input_files("[name=file]", stick)
    page.fill("[name=words]", " ".join(words))
    page.get_by_role("button", name="Restore club").click()
    page.wait_for_url("**/accounts/login/**")  # the club is there: its owner may sign in
    page.context.close()


def lose_laptop(
    folder: Path, evenings: Evenings, *, rounds: int, site: Path | None = None, say: Any = None
) -> Figures:
    """So many evenings, each on two laptops of its own. `site`: a wheel unpacked already."""
    from playwright.sync_api import sync_playwright

    from tests.journeys.conftest import QUIET, chromium_path

    site = site or unpacked_wheel(folder)
    hall = Laptop(site, folder / "hall")
    hall.folder.mkdir()
    furnished = hall.folder, hall.furnish(evenings.phones)
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, *root])
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                evenings.one(browser, site, furnished, Path(own))
            if say:
                say(evenings)
        browser.close()
    return evenings.counts | {"back_s": evenings.counts["back_s"] / rounds}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-copies", action="store_true")
    parser.add_argument("--lose-phone", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    evenings = Evenings(
        options.phones, options.seed, not options.without_copies, options.lose_phone
    )

    def say(so_far: Evenings) -> None:
        print(so_far.counts, *so_far.wrong_lines[:5], sep="\n  ", flush=True)  # noqa: T201

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="right-bower-drill-"))
        lose_laptop(Path(folder), evenings, rounds=options.rounds, say=say)
    print("Missing:", *evenings.missing, sep="\n  ")  # noqa: T201
    return int(bool(evenings.wrong()))


if __name__ == "__main__":
    sys.exit(main())
