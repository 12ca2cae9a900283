"""What is made when the wheel is built: the static files as they are served, an empty database.

The first start on a club's computer then collects and migrates nothing: it copies.
"""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMANDS = (("collectstatic", "--noinput"), ("migrate",))


class Made(BuildHookInterface):  # type: ignore[type-arg]
    """Puts `league/built/` into the wheel; nothing is written into the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="right-bower-build-")
        built = Path(self.folder.name)
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{built.as_posix()}/empty.sqlite3",
            "DEBUG": "0",
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "RIGHT_BOWER_ENV_FILE": os.devnull,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "STATIC_ROOT": str(built / "static"),
        }
        for command in COMMANDS:
            words = [sys.executable, "-m", "django", *command, "--verbosity=0"]
            subprocess.run(words, cwd=self.root, env=environment, check=True)  # noqa: S603 - our own
        build_data["force_include"] |= {
            str(built / "static"): "league/built/static",
            str(built / "empty.sqlite3"): "league/built/empty.sqlite3",
        }

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()
