"""Actions on players: adding one or a list, editing, deactivating, and linking accounts."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.fields import name_trouble
from league.members.models import Club, Member, User
from league.members.names import BadName, clean_name, composed, fault, lookalike_key, name_key
from league.members.paste import (
    MOST_LINES,
    Line,
    Verdict,
    count_lines,
    digest,
    judge_names,
    numbered_name,
    numbered_names,
    read_list,
)
from league.members.queries import known_people, was_erased


def touch_sessions(club: Club, member: Member | None = None) -> None:
    """Make live pages of the club's sessions, or of those this member attended, reload.

    Each area implements this as `touch` of its models.
    """
    for model in models_with("touch"):
        model.touch(club, member)


def models_with(name: str) -> list[Any]:
    """The models of all areas that have an attribute of this name."""
    return [m for m in apps.get_app_config("league").get_models() if hasattr(m, name)]


AFTER_RETIRING: list[Callable[[Member, Actor, datetime], None]] = []
"""What areas do once a player is deactivated; filled in league/apps.py."""
LEAVING_NOTES: list[Callable[[Member], str]] = []
"""What else they say of a player who leaves a session or is deactivated; empty for nothing."""
FIELDS = ("name", "email", "is_guest", "is_minor", "shown", "reminders")


def read_name(text: str) -> str:
    """Return the name cleaned; refuse one that is not accepted."""
    try:
        return clean_name(text)
    except BadName as error:
        raise field_refusal("name", f"name-{error.code}", name_trouble(error.code)) from error


def read_line(text: str, *, field: str) -> str:
    """Return a line of text composed; refuse one that is not accepted, at `field`."""
    line = composed(text)
    if line and (code := fault(line, needs_letter=False)):
        raise field_refusal(field, f"line-{code}", name_trouble(code))
    return line


@transaction.atomic
def add_member(
    club: Club,
    *,
    name: str,
    by: Actor,
    is_guest: bool = False,
    email: str = "",
    same_name: bool = False,
    namesake: str = "",
) -> Member:
    """Add a player. A name that equals or resembles another player's needs `same_name`.

    After a question about `namesake`, that name with an addition is the answer: "Mary B" to "Mary".
    """
    lock_club(club)
    name = read_name(name)
    if not same_name:
        _ask_about_same_name(club, name)
        is_answer = namesake and name_key(name).startswith(f"{name_key(namesake)} ")
        ask_about_similar_name(club, name, namesake=namesake if is_answer else "")
    member = Member(club=club, name=name, is_guest=is_guest, email=read_email(email))
    member.save()
    log_action(club, by, "add guest" if is_guest else "add member", name, new={"name": name})
    return member


@transaction.atomic
def edit_member(member: Member, *, by: Actor, same_name: bool = False, **changes: object) -> Member:
    """Change any of `FIELDS`. Earlier names are kept in `former_names`.

    A new name that equals or resembles another player's needs `same_name`.
    """
    lock_member(member)
    unknown = changes.keys() - set(FIELDS)
    if unknown:
        raise TypeError(f"not to be changed here: {sorted(unknown)}")
    _clean_changes(changes)
    old = {field: getattr(member, field) for field in changes}
    new = {field: value for field, value in changes.items() if value != old[field]}
    if not new:
        return member
    if "name" in new and name_key(member.name) != name_key(str(new["name"])):
        if not same_name:
            ask_about_similar_name(member.club, str(new["name"]), except_for=member)
        member.former_names = [*member.former_names, member.name]
    for field, value in new.items():
        setattr(member, field, value)
    member.save()
    touch_sessions(member.club, member)
    log_action(
        member.club, by, "edit member", member, old={field: old[field] for field in new}, new=new
    )
    return member


def _clean_changes(changes: dict[str, object]) -> None:
    if "name" in changes:
        changes["name"] = read_name(str(changes["name"]))
    if "email" in changes:
        changes["email"] = read_email(str(changes["email"]))


def choose_appearance(member: Member, shown: str, *, by: Actor) -> Member:
    """Save a player's own choice of how the public sees their name.

    A player under 18 can only choose to be hidden (`under-age`); an organiser can choose a name.
    """
    shows_name = shown in (Member.Shown.NAME, Member.Shown.INITIALS)
    if shows_name and member.is_minor and shown != member.shown:
        message = _("For players under 18 an organiser chooses this, with a guardian's consent.")
        raise field_refusal("shown", "under-age", message)
    return edit_member(member, by=by, shown=shown)


@transaction.atomic
def admit_guest(member: Member, *, by: Actor) -> Member:
    """Make a guest a member of the club; they keep their results."""
    return edit_member(member, by=by, is_guest=False)


@transaction.atomic
def retire_member(member: Member, *, by: Actor, at: datetime) -> Member:
    """Deactivate a player: they are no longer on lists, but results and pages stay."""
    lock_member(member)
    if member.retired_at is None:
        member.retired_at = at
        member.save()
        log_action(member.club, by, "retire member", member)
        for follow in AFTER_RETIRING:
            follow(member, by, at)
    return member


@transaction.atomic
def return_member(member: Member, *, by: Actor) -> Member:
    """Reactivate a player."""
    lock_member(member)
    if member.retired_at is not None:
        member.retired_at = None
        member.save()
        log_action(member.club, by, "return member", member)
    return member


@transaction.atomic
def link_account(member: Member, *, username: str, by: Actor) -> Member:
    """Link a player to an account with a role in the club; an empty name unlinks it."""
    lock_member(member)
    user = _account_of_club(member.club, username) if username.strip() else None
    if user and Member.objects.filter(club=member.club, user=user).exclude(pk=member.pk).exists():
        raise field_refusal(
            "username", "account-taken", _("This account belongs to another player here.")
        )
    old, member.user = member.user, user
    member.save()
    if old != user:
        log_action(
            member.club, by, "link account", member, old=_account_data(old), new=_account_data(user)
        )
    return member


@transaction.atomic
def add_linked_member(
    club: Club, *, user: User, name: str, same_name: bool = False, by: Actor
) -> Member:
    """Add a player for an account that has joined the club, and link the two."""
    member = add_member(club, name=name, same_name=same_name, by=by)
    return link_account(member, username=user.username, by=by)


def lock_club(club: Club) -> None:
    """Lock the club's row until the end of the transaction, so that actions run one at a time.

    New rows that only reference the club, such as log entries, don't wait for it (`no_key`).
    """
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)


def lock_member(member: Member) -> None:
    """Lock the club and reload the player; refuse one who was merged or erased."""
    lock_club(member.club)
    member.refresh_from_db()
    refuse_gone(member)


def read_email(text: str) -> str:
    """Return a valid e-mail address or ""; refuse an invalid one."""
    email = text.strip()
    try:
        if email:
            validate_email(email)
    except ValidationError as error:
        raise field_refusal("email", "email", _("This is not an e-mail address.")) from error
    return email


def _ask_about_same_name(club: Club, name: str) -> None:
    namesake = club.members.filter(name_key=name_key(name), merged_into=None).first()
    if namesake is None:
        return
    sentence = _("%(name)s is already on the list.") % {"name": namesake.name}
    if namesake.retired_at:
        sentence = _("%(name)s is on the list, but inactive.") % {"name": namesake.name}
    advice = _("For a different player, add what tells them apart, such as %(name)s B.")
    advice %= {"name": namesake.name}
    refused = _name_question("name-known", f"{sentence} {advice}", namesake.name)
    refused.details["suggestion"] = name_apart(club, name)
    raise refused


def name_apart(club: Club, name: str) -> str:
    """A suggestion that tells a player from others of this name, "Mary 2"."""
    return numbered_name(name, set(club.members.values_list("name_key", flat=True)))


def ask_about_similar_name(
    club: Club, name: str, *, except_for: Member | None = None, namesake: str = ""
) -> None:
    """Ask for confirmation of a name similar to a player's or equal to an erased player's.

    The question about the `namesake` has been answered.
    """
    (line,) = read_list(name, known_people(club, except_for=except_for), is_erased=was_erased(club))
    if line.verdict == Verdict.ERASED:
        raise _name_question("name-erased", _("Someone with this name asked to be erased."))
    if like := [other for other in line.like if other != namesake]:
        sentence = _("Looks like %(name)s. Same person?") % {"name": ", ".join(like[:3])}
        raise _name_question("name-like", sentence, like[0])


def _name_question(code: str, sentence: str, namesake: str = "") -> Refused:
    details, fields = {"namesake": namesake}, {"name": [sentence]}
    return Refused(code, sentence, fields=fields, status=409, details=details, asks="same_name")


def refuse_gone(member: Member) -> None:
    if member.merged_into_id or member.erased_at:
        raise Refused(
            "member-gone", _("This player was merged into another or erased."), status=409
        )


def _account_of_club(club: Club, username: str) -> User:
    user = User.objects.filter(username=username.strip(), is_active=True, roles__club=club).first()
    if user is None:
        sentence = _("No account with this name has a role in the club.")
        raise field_refusal("username", "account-unknown", sentence)
    return user


def _account_data(user: User | None) -> dict[str, str] | None:
    return {"username": user.username} if user else None


def field_refusal(field: str, code: str, sentence: str) -> Refused:
    """A refusal of the value of one field."""
    return Refused(code, sentence, fields={field: [sentence]})


MOST_LISTED = 5


def preview_people(club: Club, *, text: str) -> list[Line]:
    """What each line of a pasted list would do. Saves nothing."""
    names = numbered_names(text)
    if max(count_lines(text), len(names)) > MOST_LINES:  # before comparing with thousands of names
        raise field_refusal(
            "names", "list-long", _("At most %(most)d names at a time.") % {"most": MOST_LINES}
        )
    lines = judge_names(names, known_people(club), is_erased=was_erased(club))
    if not lines:
        raise field_refusal("names", "list-empty", _("Paste one name per line."))
    return lines


@transaction.atomic
def add_people(
    club: Club,
    *,
    text: str,
    agreed: str,
    by: Actor,
    also: Collection[str] = (),
    left_out: Collection[str] = (),
    apart: Mapping[int, str] | None = None,
    is_guest: bool = False,
) -> list[Member]:
    """Add the new players of a pasted list, without the names in `left_out`.

    Of names that need confirmation only those in `also` are added; of a name written twice, the
    second is added by its name in `apart`, which has the number of its line. `agreed` is the
    digest of the preview that the user checked: if the list would now do something else, or a line
    cannot be read, nobody is added.
    """
    lock_club(club)
    lines = preview_people(club, text=text)
    bad_lines = [line for line in lines if line.verdict == Verdict.BAD]
    if bad_lines:
        raise field_refusal("names", "list-bad", _bad_lines_message(bad_lines))
    if not constant_time_compare(agreed, digest(lines)):
        sentence = _("This is not the list you checked. Check it again.")
        raise Refused("list-changed", sentence, fields={"names": [sentence]}, status=409)
    new_lines = [line for line in lines if is_to_be_added(line, also, left_out)]
    names = [line.name for line in new_lines]
    twice = [line.number for line in lines if line.verdict == Verdict.TWICE]
    names += [read_name(name) for number, name in (apart or {}).items() if number in twice]
    people = [Member(club=club, name=name, is_guest=is_guest) for name in names]
    for person in people:
        person.save()
    if people:
        log_action(club, by, "add people", len(people), new={"names": [p.name for p in people]})
    return people


def is_to_be_added(line: Line, also: Collection[str], left_out: Collection[str]) -> bool:
    """Whether a line adds its name, by the ticks of those in doubt and of those left out."""
    if line.asks:
        return line.name in also
    return line.verdict == Verdict.NEW and line.name not in left_out


def _bad_lines_message(bad: list[Line]) -> str:
    """A sentence about each line that cannot be read."""
    sentence = _("Line %(number)d, %(name)s: %(trouble)s")
    sentences = [
        sentence % {"number": line.number, "name": line.name, "trouble": name_trouble(line.trouble)}
        for line in bad[:MOST_LISTED]
    ]
    if len(bad) > MOST_LISTED:
        more = len(bad) - MOST_LISTED
        sentences.append(
            ngettext("And %(n)d more line.", "And %(n)d more lines.", more) % {"n": more}
        )
    return " ".join(sentences)


def change_account(user: User, *, name: str, language: str = "", same_name: bool = False) -> User:
    """Set an account's display name, and its language for pages and mail. A form validates them.

    A name that looks like that of another account in one of its clubs needs `same_name`.
    """
    if name and name != user.display_name and not same_name:
        _ask_about_lookalike(user, name)
    user.display_name, user.language = name, language
    user.save(update_fields=["display_name", "language"])
    return user


def _ask_about_lookalike(user: User, name: str) -> None:
    clubs = user.roles.values("club")
    other_users = User.objects.filter(roles__club__in=clubs).exclude(pk=user.pk).distinct()
    lookalike = next(
        (str(other) for other in other_users if lookalike_key(str(other)) == lookalike_key(name)),
        None,
    )
    if lookalike is not None:
        sentence = _("Looks like %(name)s. Same person?") % {"name": lookalike}
        fields = {"display_name": [sentence]}
        raise Refused("name-like", sentence, fields=fields, status=409, asks="same_name")
