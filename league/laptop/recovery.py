"""The recovery sheet: words on paper that open the club's key in a backup, and a lost password."""

import base64
import hashlib
import json
import secrets

from cryptography.fernet import Fernet, InvalidToken

WORDS = 6  # of 2,048 each: 66 bits, and every guess costs a tenth of a second
COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024**2, "dklen": 32}
TELLS_APART = 4  # letters by which the words of the list differ


def make_sheet(key: str) -> tuple[list[str], str]:
    """New words, and what they open: text to keep beside the database and in its backups."""
    words = [secrets.choice(_list()) for _ in range(WORDS)]
    salt = secrets.token_bytes(16)
    sealed = Fernet(_from_words(words, salt)).encrypt(key.encode()).decode()
    return words, json.dumps({"salt": salt.hex(), "key": sealed})


def open_sheet(kept: str, text: str) -> str | None:
    """The key that the words on the sheet open; None where they are others.

    The first four letters of a word are enough, in any spelling of capitals and spaces.
    """
    words = _read(text)
    if len(words) != WORDS:
        return None
    try:
        data = json.loads(kept)
        sealed = Fernet(_from_words(words, bytes.fromhex(data["salt"])))
        return sealed.decrypt(data["key"].encode()).decode()
    except (InvalidToken, ValueError, KeyError, TypeError, AttributeError):
        return None


def _read(text: str) -> list[str]:
    by_start = {word[:TELLS_APART]: word for word in _list()}
    found = (by_start.get(word[:TELLS_APART]) for word in text.lower().replace(",", " ").split())
    return [word for word in found if word]


def _from_words(words: list[str], salt: bytes) -> bytes:
    derived = hashlib.scrypt(" ".join(words).encode(), salt=salt, **COST)
    return base64.urlsafe_b64encode(derived)


def _list() -> list[str]:
    from mnemonic import Mnemonic

    return list(Mnemonic("english").wordlist)
