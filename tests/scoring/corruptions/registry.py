"""Where corruptions are listed, by name and with the codes they must be met with."""

CORRUPTIONS = {}


def corruption(*codes):
    """Registers a corruption; one of `codes` must be among the faults."""

    def register(spoil):
        CORRUPTIONS[spoil.__name__] = (spoil, set(codes))
        return spoil

    return register


def other(random, choices, *than):
    """One of the choices that is not `than`, or None."""
    left = sorted(set(choices) - set(than), key=str)
    return random.choice(left) if left else None
