"""From the command `right-bower` to its first page: how long, and what takes the time.

`python -m tests.benchmarks.laptop dist/right_bower-*.whl` makes an environment with the wheel in it
and starts it: once with everything new, then warm, each on an empty folder of data.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

MOST = 5.0  # seconds, warm, on two cores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="right-bower-start-") as folder:
        bin_folder = _installed(Path(folder), options.wheel.resolve())
        cold = _start(bin_folder, Path(folder) / "cold")
        warm = [_start(bin_folder, Path(folder) / f"warm{n}") for n in range(options.rounds)]
        again = [_start(bin_folder, Path(folder) / "cold") for _ in range(options.rounds)]
        _say("first start after installing", [cold])
        _say("warm, a new club", warm)
        _say("warm, the club of before", again)
        sys.stdout.write("\nOf which, each in a process of its own:" + "\n")
        for what, words in PARTS.items():
            _say(f"  {what}", [_timed(bin_folder, words, folder) for _ in range(options.rounds)])
    best = min(warm)
    verdict = "good" if best <= MOST else "TOO SLOW"
    sys.stdout.write(f"\n{verdict}: {best:.2f} s of {MOST:.0f} s\n")
    sys.exit(best > MOST)


PARTS = {
    "Python alone": "pass",
    "the launcher's imports": "import league.laptop.command",
    "the server's: Granian": "import granian.cli",
    "the site: Django, its apps, every address": "import league.wsgi",
}


def _installed(folder: Path, wheel: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    bin_folder = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    install = [bin_folder / "python", "-m", "pip", "install", "--quiet", wheel]
    subprocess.run(install, check=True)
    return bin_folder


def _start(bin_folder: Path, data: Path) -> float:
    begun = time.perf_counter()
    words = [bin_folder / "right-bower", "--folder", data, "--no-browser"]
    start = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert start.stdout is not None
    address = start.stdout.readline().rpartition(" ")[2].strip()
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert b"Start a new club" in answer.read()
    taken = time.perf_counter() - begun
    start.terminate()
    start.wait(timeout=30)
    return taken


def _timed(bin_folder: Path, code: str, data: str) -> float:
    settings = {"SECRET_KEY": "x" * 60, "DATA_FOLDER": data, "PATH": str(bin_folder)}
    settings |= {"DJANGO_SETTINGS_MODULE": "league.settings", "LAPTOP": "club"}
    begun = time.perf_counter()
    subprocess.run([bin_folder / "python", "-c", code], cwd=data, env=settings, check=True)
    return time.perf_counter() - begun


def _say(what: str, seconds: list[float]) -> None:
    sys.stdout.write(f"{what:<45}{min(seconds):6.2f} s at best, {max(seconds):.2f} s at worst\n")


if __name__ == "__main__":
    main()
