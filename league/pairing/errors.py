"""What the engine says when it cannot do as asked."""


class FormatRefused(Exception):
    """The organiser's trouble, not ours: the format cannot do what was asked.

    `code` is stable and meant for programs; `sentence` is a message id to translate and then to
    fill with `values`.
    """

    def __init__(self, code: str, sentence: str, **values: object) -> None:
        super().__init__(sentence % values)
        self.code = code
        self.sentence = sentence
        self.values = values
