"""Tokens for resetting a password. A separate module, since allauth imports it with its forms."""

from typing import Any

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator


class ResetTokens(EmailAwarePasswordResetTokenGenerator):
    """Tokens that are invalid while an account is inactive."""

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.is_active}"
