"""The site as its next version would be set: with one migration more."""

from league.settings import *  # noqa: F403

MIGRATION_MODULES = {"league": "tests.faults.next_version.migrations"}
