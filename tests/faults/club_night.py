"""Sets up a night of forty in the environment's database (migrated) and prints what phones need.

python -m tests.faults.club_night: a club, forty people checked in, the first round published.
Prints JSON: for every table its number, public id, code and first dealer.
"""

import json
import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    from django.utils import timezone

    sys.stdout.write(json.dumps(_night(timezone.now())))


def _night(now) -> list[dict]:
    from league.members.actions import add_member, adopt_preset, create_club
    from league.members.audit import PROGRAM
    from league.play.auth import table_code
    from league.seating.actions import draft_round, publish
    from league.sessions.actions import start_session
    from league.sessions.attendance import arrive

    club = create_club(name="Forty", slug="forty", time_zone="UTC", by=PROGRAM)
    short = {"target": 3}
    adopt_preset(
        club, preset="standard-four-handed", name="Short", options=short, by=PROGRAM, default=True
    )
    night = start_session(club, by=PROGRAM, at=now)
    for number in range(40):
        arrive(night, add_member(club, name=f"Player {number}", by=PROGRAM), by=PROGRAM, at=now)
    published = publish(draft_round(night, by=PROGRAM, seed=7), by=PROGRAM, at=now)
    return [
        {"number": table.number, "id": table.public_id, "code": table_code(table)}
        for table in published.tables.order_by("number")
    ]


if __name__ == "__main__":
    main()
