"""No mail shows a text of the source to who reads another language."""

from datetime import UTC, date, datetime, time

import pytest
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


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_shows_no_text_of_the_source(nobodys, name):
    night = Session(name="7", held_on=date(2026, 11, 19), begins_at=time(19, 30))
    found = set()
    for row in (None, SignUp(), SignUp(placed_at=datetime(2026, 11, 1, tzinfo=UTC))):
        data = {"club_session": night, "row": row, "username": "7"}
        with translation.override(nobodys["Accept-Language"]):
            text = render_to_string(f"{name}.txt", data)
        assert text.strip()
        found |= {*WORD.findall(text)}
    assert found == set()
