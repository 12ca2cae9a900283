"""Hands that phones kept of tables which a restored club does not have: noted, shown, entered.

A round published after the last backup is not in it. Its tables' phones still hold every hand, and
say so here; once the organiser has made the round again with the same seats, they are entered.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, JsonResponse, QueryDict
from django.utils.translation import gettext_lazy as _

from league import limits
from league.errors import Refused
from league.laptop.access import on_laptop
from league.members.audit import Actor, club_language, log_action
from league.members.models import AuditEntry, Member
from league.play.actions import record_hand
from league.play.auth import form_post, table_in_cookie
from league.play.forms import HandForm, filled, matching
from league.play.game_log import open_game_log, rules_of
from league.play.models import Hand
from league.play.questions import questions_of
from league.play.text import hand_text, short_names
from league.seating.actions.draft import ruleset_for
from league.seating.models import Table
from league.sessions.models import Session
from scoring import check_hand

NOTED = "keep unplaced hand"
MOST = 500  # of one session; an evening of sixteen tables has no more in one round
IDS = r"^[0-9A-Za-z_ -]{1,160}\Z"
ANSWER = re.compile(r"[0-9A-Za-z♠♥♦♣, _-]{0,2000}")  # to any question of a hand
OFFERS = limits.Limit(most=60, within=10 * limits.MINUTE)


class CopiesForm(forms.Form):
    """What a phone sends of a table: its number, who sits there, and the answers of every hand."""

    session = matching(IDS, required=True)
    number = forms.IntegerField(min_value=1, max_value=999)
    people = matching(IDS, required=True)
    hands = forms.JSONField()

    def clean_hands(self) -> list[dict[str, str]]:
        hands = self.cleaned_data["hands"]
        if not isinstance(hands, list) or not all(_is_a_hand(hand) for hand in hands):
            raise ValidationError(_("This cannot be read."))
        return hands


def _is_a_hand(hand: Any) -> bool:
    if not isinstance(hand, dict) or len(hand) > 80:
        return False
    texts = [*hand.keys(), *hand.values()]
    if not all(isinstance(text, str) and ANSWER.fullmatch(text) for text in texts):
        return False
    number, client_id = hand.get("number", ""), hand.get("client_id", "")
    return number.isascii() and number.isdecimal() and 8 <= len(client_id) <= 40


@form_post
@on_laptop
def table_copies(request: HttpRequest, public_id: str) -> JsonResponse:
    """Note what a phone has kept of a table that is not here. Its cookie says that it was let in
    there, signed with the club's key."""
    limits.refuse_over(f"copies:{limits.network_of(request)}", OFFERS)
    form = CopiesForm(request.POST)
    here = Table.objects.filter(public_id=public_id).exists()
    if here or table_in_cookie(request) != public_id or not form.is_valid():
        raise Http404
    data = form.cleaned_data
    session = Session.objects.filter(public_id=data["session"]).select_related("club").first()
    if session is None:
        raise Http404
    with club_language(session.club):
        label = _("phone at table %(number)d") % {"number": data["number"]}
    by = Actor(label, source=request.META.get("REMOTE_ADDR", ""))
    return JsonResponse({"noted": note(session, public_id, data, by=by)})


@transaction.atomic
def note(session: Session, table: str, data: dict[str, Any], *, by: Actor) -> int:
    """Write down every hand of a phone that is not written down yet; how many it has."""
    noted = AuditEntry.objects.filter(session=session, action=NOTED)
    known = {entry.new["hand"]["client_id"] for entry in noted if entry.new}
    for hand in data["hands"]:
        if hand["client_id"] not in known and len(known) < MOST:
            known.add(hand["client_id"])
            new = {"table": table, "number": data["number"], "people": data["people"].split()}
            subject = f"table {data['number']}"
            log_action(session.club, by, NOTED, subject, session=session, new=new | {"hand": hand})
    return len(data["hands"])


@dataclass
class UnplacedTable:
    """A table that is not here. `target` is one with the same seats and no hand yet."""

    id: str
    number: int
    session: Session
    people: list[str]
    target: Table | None = None
    hands: list[dict[str, str]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Who sits where, by name; a question mark where the backup does not know somebody."""
        found = Member.objects.filter(club=self.session.club, public_id__in=self.people)
        names = {member.public_id: member.name for member in found}
        return [names.get(person, "?") for person in self.people]

    @property
    def in_words(self) -> list[tuple[str, str]]:
        """Each hand: its number, and what was played."""
        return [(hand["number"], self._words(hand)) for hand in self.hands]

    def _words(self, hand: dict[str, str]) -> str:
        try:
            body = ruleset_for(self.session.club, len(self.people), self.session).body
            record = record_of_answers(hand, body, self.session)
        except Refused:
            return ", ".join(f"{name}: {value}" for name, value in hand.items())
        return hand_text(record, check_hand(record, rules_of(body)), short_names(self.names))


def unplaced(*, at: datetime) -> list[UnplacedTable]:
    """The tables of the last day whose hands only phones have, in the order of their numbers."""
    entries = AuditEntry.objects.filter(action=NOTED, at__gte=at - timedelta(days=1))
    found: dict[str, UnplacedTable] = {}
    for entry in entries.select_related("session__club").order_by("pk"):
        new: dict[str, Any] = entry.new  # type: ignore[assignment]
        table = found.setdefault(
            new["table"],
            UnplacedTable(new["table"], new["number"], entry.session, new["people"]),  # type: ignore[arg-type]
        )
        table.hands.append(new["hand"])
    ids = [hand["client_id"] for table in found.values() for hand in table.hands]
    entered = set(Hand.objects.filter(client_id__in=ids).values_list("client_id", flat=True))
    for table in found.values():
        table.hands = [hand for hand in table.hands if hand["client_id"] not in entered]
        table.hands.sort(key=lambda hand: int(hand["number"]))
        table.target = _with_the_same_seats(table)
    left = [table for table in found.values() if table.hands]
    return sorted(left, key=lambda table: table.number)


def _with_the_same_seats(lost: UnplacedTable) -> Table | None:
    for table in Table.objects.filter(session=lost.session, is_live=True).select_related(
        "session__club", "ruleset"
    ):
        log = open_game_log(table)
        if [seat.member.public_id for seat in log.sitting()] == lost.people and not log.hands:
            return table
    return None


@transaction.atomic
def enter(lost: UnplacedTable, *, by: Actor, at: datetime) -> int:
    """Enter the hands of a table that is not here at the one with the same seats, in order, all
    or none; how many."""
    if lost.target is None:
        sentence = _("No table has the same players in the same seats. Make that round first.")
        raise Refused("no-table", str(sentence), status=409)
    for hand in lost.hands:
        record = record_of_answers(hand, lost.target.ruleset.body, lost.session)
        record_hand(
            lost.target,
            record,
            client_id=hand["client_id"],
            by=by,
            at=at,
            number=int(hand["number"]),
            confirm_unlikely=True,  # it was saved once already
            came_back=True,
        )
    return len(lost.hands)


def record_of_answers(hand: dict[str, str], body: Any, session: Session) -> dict[str, Any]:
    """The record of a hand as the phone's form sends it. Raises Refused where it is none."""
    request = HttpRequest()
    request.method, request.POST = "POST", QueryDict(urlencode(hand))
    questions = questions_of(rules_of(body), session.club.tricks_entry)
    names = [str(seat) for seat in range(questions.players)]
    form = HandForm(request, questions=questions, names=names, sent=filled(request))
    if not form.is_valid():
        raise form.refusal()
    return form.record()
