"""Where words of a person's name still stand once the person is erased: shown before it is done.

Erasing replaces whole spellings in the records of a club (`actions.erasing`). What people wrote
with a part of the name ("Rose's farewell"), or where a name is the club's own, stays theirs to
change. A model whose texts people write says with `WRITTEN_ON` what it is, and on which page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import SlugField
from django.urls import reverse
from django.utils.text import slugify

from league.members.actions.erasing import rewriter, spellings_of
from league.members.fields import LineField
from league.members.models import Club, ClubRuleset, Member, User
from league.members.usernames import UserNameField

SHORTEST = 3  # letters: "de" and "Li" would be found everywhere
OF_CLUB = {Club: "pk", ClubRuleset: "club", User: "roles__club"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A text that stays as it is: what it is of, how it reads, where it can be changed."""

    kind: Any
    text: str
    page: str


def mentions_of(member: Member) -> list[Mention]:
    """All texts of the club that will still hold a word of the name. A query a model."""
    rows = [member, *member.merged.all()]
    spellings = spellings_of(rows)
    word = _any_word(spellings)
    if word is None:
        return []
    people = member.club.members.filter(erased_at=None).exclude(pk__in=[row.pk for row in rows])
    others = list(people.values_list("name", flat=True))
    erase = rewriter(spellings, "", others=others)
    whole = [name for name in others if " " in name and word.search(name)]
    forget = rewriter(whole, "", others=()) if whole else str
    found: dict[Mention, None] = {}
    for model in apps.get_app_config("league").get_models():
        for kind, text, page, replaced in _texts(model, member, rows):
            if word.search(forget(erase(text) if replaced else text)):
                found[Mention(kind, text, page)] = None
    return list(found)


def _any_word(spellings: list[str]) -> re.Pattern[str] | None:
    """Finds the words of a name, also as they stand in a web address."""
    words = {word for name in spellings for word in re.findall(r"\w+", name)}
    words = {word for word in words | set(map(slugify, words)) if len(word) >= SHORTEST}
    if not words:
        return None
    either = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])", re.IGNORECASE)


def _texts(model: Any, member: Member, rows: list[Member]) -> Iterator[tuple[Any, str, str, bool]]:
    """Every text of a model's rows that somebody wrote: what of, itself, its page, and whether
    erasing replaces a whole name in it. The person's own account is left out: it is said apart."""
    if not hasattr(model, "WRITTEN_ON"):
        return
    kind, page, *path = model.WRITTEN_ON
    to_club, replaced = getattr(model, "TEXTS_WITH_NAMES", (OF_CLUB.get(model, ""), ()))
    fields = [
        field.name
        for field in model._meta.local_fields
        if isinstance(field, LineField | SlugField | UserNameField)
    ]
    written = model._base_manager.filter(**{to_club: member.club_id})
    if model is User:
        written = written.exclude(players__in=rows)
    for row in written.values_list(*fields, *path).iterator(chunk_size=500):
        args = [member.club.slug, *row[len(fields) :]]
        for field, text in zip(fields, row, strict=False):
            if text:
                yield kind, text, reverse(page, args=args), field in replaced
