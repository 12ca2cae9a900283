"""Links to reset a password. A module of its own: allauth loads it while its forms are loading."""

from typing import Any

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator


class ResetTokens(EmailAwarePasswordResetTokenGenerator):
    """Links that open nothing while an account is switched off."""

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.is_active}"
