"""What the engine says when it cannot do as asked: a code for programs, a sentence for people."""

from collections.abc import Mapping

PlayerId = int | str


def gettext_noop(sentence: str) -> str:
    """The sentence itself: called like Django's, so that the collector of messages finds it."""
    return sentence


class PairingRefused(Exception):
    """The person's trouble, not ours: nobody is here, two requests contradict each other.

    `code` is stable and meant for programs; `sentence` is a message id, to be translated and then
    filled with `values`. `people` names those concerned, in the order of the sentence.
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
