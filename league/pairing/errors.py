"""The exception of the pairing engine: a code for programs and a sentence for people."""

from collections.abc import Mapping

PlayerId = int | str


def gettext_noop(sentence: str) -> str:
    """Return the sentence unchanged: like Django's, it marks a sentence for translation."""
    return sentence


class PairingRefused(Exception):
    """A request that cannot be met: nobody is checked in, two requests contradict each other.

    `code` is stable and meant for programs; `sentence` is a message id, to be translated and then
    filled with `values`. `people` are the players concerned, in the order of the sentence.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        people: tuple[PlayerId, ...] = (),
        values: Mapping[str, object] | None = None,
    ) -> None:
        self.values = dict(values or {})
        super().__init__(sentence % self.values if self.values else sentence)
        self.code = code
        self.sentence = sentence
        self.people = people
