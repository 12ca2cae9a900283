"""No mail shows a text of the source to who reads another language."""

from datetime import UTC, date, datetime, time
from itertools import product

from django.template.loader import render_to_string
from django.utils import translation

from league.sessions.models import Session, SignUp
from tests.languages.every_page import WORD

ACCOUNT_MAILS = (
    "email_confirmation", "email_added", "email_deleted", "email_confirm", "password_changed",
    "password_reset_key",
)  # fmt: skip
SECOND_STEP_MAILS = ("totp_activated", "totp_deactivated", "recovery_codes_generated")
MAILS = (
    *(f"sessions/mail_{name}" for name in ("reminder", "question", "moved_up", "called_off")),
    *(f"account/email/{n}_{part}" for n in ACCOUNT_MAILS for part in ("subject", "message")),
    *(f"mfa/email/{n}_{part}" for n in SECOND_STEP_MAILS for part in ("subject", "message")),
)


def test_no_mail_shows_a_text_of_the_source(nobodys):
    night = Session(name="7", held_on=date(2026, 11, 19), begins_at=time(19, 30))
    rows = (None, SignUp(), SignUp(placed_at=datetime(2026, 11, 1, tzinfo=UTC)))
    for name, row in product(MAILS, rows):
        data = {"club_session": night, "row": row, "username": "7"}
        with translation.override(nobodys["Accept-Language"]):
            text = render_to_string(f"{name}.txt", data)
        assert text.strip(), name
        assert WORD.findall(text) == [], name
