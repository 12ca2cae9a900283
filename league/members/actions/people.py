"""Adding players to a club, one or a pasted list; changing, retiring, returning; one's account."""

from collections.abc import Collection
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
from league.members.names import BadName, clean_name, composed, fault, look, name_key
from league.members.paste import MOST_LINES, Line, Verdict, count_lines, digest, read_list, tidy
from league.members.queries import known_people, was_erased


def touch_sessions(club: Club, member: Member | None = None) -> None:
    """Let the pages of the club's sessions, or of those this person came to, show something new:
    the areas that have such pages do it with `touch` of their models."""
    for model in models_with("touch"):
        model.touch(club, member)


def models_with(name: str) -> list[Any]:
    """The models of all areas that have something of this name, by which they are asked here."""
    return [m for m in apps.get_app_config("league").get_models() if hasattr(m, name)]


FIELDS = ("name", "email", "is_guest", "is_minor", "shown", "reminders")


def read_name(text: str) -> str:
    """The name cleaned, or a refusal that says what is wrong with it."""
    try:
        return clean_name(text)
    except BadName as error:
        raise refused_at("name", f"name-{error.code}", name_trouble(error.code)) from error


def read_line(text: str, *, field: str) -> str:
    """A reason or other words composed, or a refusal at `field` that says what is wrong."""
    line = composed(text)
    if line and (code := fault(line, needs_letter=False)):
        raise refused_at(field, f"line-{code}", name_trouble(code))
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
) -> Member:
    """Add one person. Another person of the same or a like name needs `same_name`, on purpose."""
    lock_club(club)
    name = read_name(name)
    if not same_name:
        _refuse_known(club, name)
        refuse_like(club, name)
    member = Member(club=club, name=name, is_guest=is_guest, email=read_email(email))
    member.save()
    log_action(club, by, "add guest" if is_guest else "add member", name, new={"name": name})
    return member


@transaction.atomic
def edit_member(member: Member, *, by: Actor, same_name: bool = False, **changes: object) -> Member:
    """Change any of `FIELDS`. An earlier name is kept among `former_names`.

    A new name that somebody else has, or one like it, needs `same_name`, said on purpose.
    """
    lock_member(member)
    unknown = changes.keys() - set(FIELDS)
    if unknown:
        raise TypeError(f"not to be changed here: {sorted(unknown)}")
    if "name" in changes:
        changes["name"] = read_name(str(changes["name"]))
    if "email" in changes:
        changes["email"] = read_email(str(changes["email"]))
    old = {field: getattr(member, field) for field in changes}
    new = {field: value for field, value in changes.items() if value != old[field]}
    if not new:
        return member
    if "name" in new and name_key(member.name) != name_key(str(new["name"])):
        if not same_name:
            refuse_like(member.club, str(new["name"]), but=member)
        member.former_names = [*member.former_names, member.name]
    for field, value in new.items():
        setattr(member, field, value)
    member.save()
    touch_sessions(member.club, member)
    log_action(
        member.club, by, "edit member", member, old={field: old[field] for field in new}, new=new
    )
    return member


def choose_appearance(member: Member, shown: str, *, by: Actor) -> Member:
    """A player's own choice of how the public reads their name. For somebody under 18 an organiser
    chooses a name (`under-age`); no name at all they may choose themselves."""
    named = shown in (Member.Shown.NAME, Member.Shown.INITIALS)
    if named and member.is_minor and shown != member.shown:
        message = _("For players under 18 an organiser chooses this, with a guardian's consent.")
        raise refused_at("shown", "under-age", message)
    return edit_member(member, by=by, shown=shown)


@transaction.atomic
def admit_guest(member: Member, *, by: Actor) -> Member:
    """Make a guest a member of the club; everything they played stays theirs."""
    return edit_member(member, by=by, is_guest=False)


@transaction.atomic
def retire_member(member: Member, *, by: Actor, at: datetime) -> Member:
    """Take somebody off the lists of who may come. Results and pages stay."""
    lock_member(member)
    if member.retired_at is None:
        member.retired_at = at
        member.save()
        log_action(member.club, by, "retire member", member)
    return member


@transaction.atomic
def return_member(member: Member, *, by: Actor) -> Member:
    """Put somebody who had retired back on the lists."""
    lock_member(member)
    if member.retired_at is not None:
        member.retired_at = None
        member.save()
        log_action(member.club, by, "return member", member)
    return member


@transaction.atomic
def link_account(member: Member, *, username: str, by: Actor) -> Member:
    """Say which account of the club this person signs in with; an empty name takes it away."""
    lock_member(member)
    user = _account_in(member.club, username) if username.strip() else None
    if user and Member.objects.filter(club=member.club, user=user).exclude(pk=member.pk).exists():
        raise refused_at(
            "username", "account-taken", _("This account belongs to another player here.")
        )
    old, member.user = member.user, user
    member.save()
    if old != user:
        log_action(member.club, by, "link account", member, old=_account(old), new=_account(user))
    return member


def lock_club(club: Club) -> None:
    """Hold the club's row to the end of the transaction, so that two at once come in turn.

    What only points at the club, a hand's audit entry say, does not wait (`no_key`).
    """
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)


def lock_member(member: Member) -> None:
    """Lock the club, read the person as they are now, and refuse one who was merged or erased."""
    lock_club(member.club)
    member.refresh_from_db()
    refuse_gone(member)


def read_email(text: str) -> str:
    """A usable address, or nothing."""
    email = text.strip()
    try:
        if email:
            validate_email(email)
    except ValidationError as error:
        raise refused_at("email", "email", _("This is not an e-mail address.")) from error
    return email


def _refuse_known(club: Club, name: str) -> None:
    known = club.members.filter(name_key=name_key(name), merged_into=None).first()
    if known is None:
        return
    sentence = _("%(name)s is already on the list.") % {"name": known.name}
    if known.retired_at:
        sentence = _("%(name)s is on the list, but inactive.") % {"name": known.name}
    raise _question("name-known", sentence)


def refuse_like(club: Club, name: str, *, but: Member | None = None) -> None:
    """Ask where a name may be that of somebody on the list, or of somebody who was erased."""
    (line,) = read_list(name, known_people(club, but=but), is_erased=was_erased(club))
    if line.verdict == Verdict.ERASED:
        raise _question("name-erased", _("Someone with this name asked to be erased."))
    if line.like:
        sentence = _("Looks like %(name)s. Same person?") % {"name": ", ".join(line.like[:3])}
        raise _question("name-like", sentence)


def _question(code: str, sentence: str) -> Refused:
    return Refused(code, sentence, fields={"name": [sentence]}, status=409, asks="same_name")


def refuse_gone(member: Member) -> None:
    if member.merged_into_id or member.erased_at:
        raise Refused(
            "member-gone", _("This player was merged into another or erased."), status=409
        )


def _account_in(club: Club, username: str) -> User:
    user = User.objects.filter(username=username.strip(), is_active=True, roles__club=club).first()
    if user is None:
        sentence = _("No account with this name has a role in the club.")
        raise refused_at("username", "account-unknown", sentence)
    return user


def _account(user: User | None) -> dict[str, str] | None:
    return {"username": user.username} if user else None


def refused_at(field: str, code: str, sentence: str) -> Refused:
    """A refusal of what was typed in one field."""
    return Refused(code, sentence, fields={field: [sentence]})


MOST_SAID = 5


def preview_people(club: Club, *, text: str) -> list[Line]:
    """What each line of the list would do. Changes nothing."""
    if count_lines(text) > MOST_LINES:  # before any is compared with thousands
        raise refused_at(
            "names", "list-long", _("At most %(most)d names at a time.") % {"most": MOST_LINES}
        )
    lines = read_list(tidy(text), known_people(club), is_erased=was_erased(club))
    if not lines:
        raise refused_at("names", "list-empty", _("Paste one name per line."))
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
    is_guest: bool = False,
) -> list[Member]:
    """Add everybody new on the list but for the names `left_out`, and of the doubtful names those
    in `also`.

    `agreed` is the digest of the preview that was looked at; when the list would now do something
    else, or any line cannot be read, nobody is added.
    """
    lock_club(club)
    lines = preview_people(club, text=text)
    bad = [line for line in lines if line.verdict == Verdict.BAD]
    if bad:
        raise refused_at("names", "list-bad", _bad_lines(bad))
    if not constant_time_compare(agreed, digest(lines)):
        sentence = _("This is not the list you checked. Check it again.")
        raise Refused("list-changed", sentence, fields={"names": [sentence]}, status=409)
    chosen = [
        x
        for x in lines
        if (x.name in also if x.asks else x.verdict == Verdict.NEW and x.name not in left_out)
    ]
    people = [Member(club=club, name=line.name, is_guest=is_guest) for line in chosen]
    for person in people:
        person.save()
    if people:
        log_action(club, by, "add people", len(people), new={"names": [p.name for p in people]})
    return people


def _bad_lines(bad: list[Line]) -> str:
    """Each line with its number, as it is seen, and what is wrong with it."""
    sentence = _("Line %(number)d, %(name)s: %(trouble)s")
    sentences = [
        sentence % {"number": line.number, "name": line.name, "trouble": name_trouble(line.trouble)}
        for line in bad[:MOST_SAID]
    ]
    if len(bad) > MOST_SAID:
        more = len(bad) - MOST_SAID
        sentences.append(
            ngettext("And %(n)d more line.", "And %(n)d more lines.", more) % {"n": more}
        )
    return " ".join(sentences)


def change_account(user: User, *, name: str, language: str = "", same_name: bool = False) -> User:
    """Set the name others see, and the language of pages and mail; a form has cleaned them.

    One that looks like another account's in a club of theirs needs `same_name`, said on purpose.
    """
    if name and name != user.display_name and not same_name:
        _ask_about_look(user, name)
    user.display_name, user.language = name, language
    user.save(update_fields=["display_name", "language"])
    return user


def _ask_about_look(user: User, name: str) -> None:
    clubs = user.roles.values("club")
    others = User.objects.filter(roles__club__in=clubs).exclude(pk=user.pk).distinct()
    like = next((str(other) for other in others if look(str(other)) == look(name)), None)
    if like is not None:
        sentence = _("Looks like %(name)s. Same person?") % {"name": like}
        fields = {"display_name": [sentence]}
        raise Refused("name-like", sentence, fields=fields, status=409, asks="same_name")
