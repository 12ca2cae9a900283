"""The messages that a page shows after an action."""

from collections.abc import Iterator

from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.session import SessionStorage


class DistinctMessages(SessionStorage):
    """Shows each message once: a button that is tapped twice says once what it did."""

    def __iter__(self) -> Iterator[Message]:
        distinct: list[Message] = []
        for message in super().__iter__():
            if message not in distinct:
                distinct.append(message)
        return iter(distinct)
