"""Ids for addresses that strangers may see."""

import secrets

RANDOM_BYTES = 9


def new_public_id() -> str:
    """An id that cannot be counted through: 72 random bits, safe in an address."""
    return secrets.token_urlsafe(RANDOM_BYTES)
