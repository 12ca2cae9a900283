"""Adding a pasted list of people: everybody on it, or nobody."""

from collections.abc import Collection

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.people import lock_club, refused_at
from league.members.audit import Actor, note
from league.members.erased import was_erased
from league.members.fields import name_trouble
from league.members.models import Club, Member
from league.members.paste import MOST_LINES, Line, Verdict, count_lines, digest, read_list
from league.members.queries import known_people

MOST_SAID = 5


def preview_people(club: Club, *, text: str) -> list[Line]:
    """What each line of the list would do. Changes nothing."""
    if count_lines(text) > MOST_LINES:  # before any is compared with thousands
        raise refused_at(
            "names", "list-long", _("At most %(most)d names at a time.") % {"most": MOST_LINES}
        )
    lines = read_list(text, known_people(club), is_erased=was_erased(club))
    if not lines:
        raise refused_at("names", "list-empty", _("Paste one name a line."))
    return lines


@transaction.atomic
def add_people(
    club: Club,
    *,
    text: str,
    agreed: str,
    by: Actor,
    also: Collection[int] = (),
    is_guest: bool = False,
) -> list[Member]:
    """Add everybody new on the list, and of the doubtful lines those numbered in `also`.

    `agreed` is the digest of the preview that was looked at; when the list would now do something
    else, or any line cannot be read, nobody is added.
    """
    lock_club(club)
    lines = preview_people(club, text=text)
    bad = [line for line in lines if line.verdict == Verdict.BAD]
    if bad:
        raise refused_at("names", "list-bad", _bad_lines(bad))
    if not constant_time_compare(agreed, digest(lines)):
        sentence = _("Something changed since you looked. Here is the list again.")
        raise Refused("list-changed", sentence, fields={"names": [sentence]}, status=409)
    chosen = [x for x in lines if x.verdict == Verdict.NEW or (x.asks and x.number in also)]
    people = [Member(club=club, name=line.name, is_guest=is_guest) for line in chosen]
    for person in people:
        person.save()
    if people:
        note(club, by, "add people", len(people), new={"names": [p.name for p in people]})
    return people


def _bad_lines(bad: list[Line]) -> str:
    """Each line with its number, as it is seen, and what is wrong with it."""
    sentence = _("Line %(number)d, %(name)s: %(trouble)s")
    said = [
        sentence % {"number": line.number, "name": line.name, "trouble": name_trouble(line.trouble)}
        for line in bad[:MOST_SAID]
    ]
    if len(bad) > MOST_SAID:
        more = len(bad) - MOST_SAID
        said.append(ngettext("And %(n)d more line.", "And %(n)d more lines.", more) % {"n": more})
    return " ".join(said)
