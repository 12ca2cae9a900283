"""How far long work has come: the work reports it, and whoever runs it listens.

Work that nobody listens to, a command's or a small sheet's, reports to nobody at next to no cost.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Cancelled(Exception):
    """Raised into the work at its next report, after somebody cancelled it."""


class Listener(Protocol):
    """What hears of the work."""

    def at(self, step: str, done: int, total: int) -> None:
        """So much of one step is done (`Job.Step`)."""

    def saved(self, made: int) -> None:
        """Everything is written, inside the transaction that is about to be committed."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let a listener hear what the work in this block reports."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def counted(items: Sequence[Item], step: str = "checking") -> Iterator[Item]:
    """The items one by one, each reported before its turn. Not for use in a transaction."""
    listener = _listener.get()
    for done, item in enumerate(items):
        if listener is not None:
            listener.at(step, done, len(items))
        yield item


def begin(step: str) -> None:
    """Report a step that cannot be counted."""
    if (listener := _listener.get()) is not None:
        listener.at(step, 0, 0)


def saved(made: int) -> None:
    """Report inside the transaction that all is written, so that the report is committed with it:
    work is never done without being shown as done, nor the other way round."""
    if (listener := _listener.get()) is not None:
        listener.saved(made)
