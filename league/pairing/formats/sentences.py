"""Sentences to be translated later: this pure code only names them, with what fills them.

The functions are called like Django's so that the collector of messages finds their sentences.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message id with what fills it; one that counts has a plural and its `count`."""

    one: str
    many: str = ""
    count: int = 0
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """In English, untranslated."""
        return (self.many if self.many and self.count != 1 else self.one) % self.values


def gettext_noop(sentence: str) -> str:
    """The sentence itself."""
    return sentence


def gettext(sentence: str, **values: object) -> Sentence:
    return Sentence(sentence, values=values)


def ngettext(one: str, many: str, n: int) -> Sentence:
    """A sentence about `%(n)d` of something."""
    return Sentence(one, many, n, {"n": n})
