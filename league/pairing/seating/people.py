"""The players in one order, whatever order they came in."""

from league.pairing.errors import PlayerId


def in_order(players: object) -> tuple[PlayerId, ...]:
    """The players in one order that does not depend on who was ticked off first.

    Numbers come before names; a plan must not change because somebody arrived earlier.
    """
    return tuple(sorted(players, key=lambda one: (isinstance(one, str), one)))  # type: ignore[call-overload]
