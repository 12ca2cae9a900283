"""What the planner says when it cannot do as asked: a code for the page, a sentence for people."""

PlayerId = int | str


class SeatingRefused(Exception):
    """The person's trouble, not ours: nobody is here, or two wishes contradict each other.

    `code` is stable and meant for programs, `sentence` for people, `people` names those concerned
    in the order of the sentence, `numbers` holds the other facts of the sentence by name.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        people: tuple[PlayerId, ...] = (),
        numbers: dict[str, int] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.people = people
        self.numbers = numbers or {}


def in_order(players: object) -> tuple[PlayerId, ...]:
    """The players in one order that does not depend on who was ticked off first.

    Numbers come before names; a plan must not change because somebody arrived earlier.
    """
    return tuple(sorted(players, key=lambda one: (isinstance(one, str), one)))  # type: ignore[call-overload]
