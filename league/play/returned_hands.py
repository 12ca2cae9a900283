"""Hands that phones send back after a backup was restored: stores, lists and enters them.

A round published after the last backup is not in it, but the phones of its tables still have every
hand and send them. They are entered once the organiser has made the round again with the same
seats. Where other hands have been entered instead, someone has to compare them.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.initials import short_names
from league.members.models import Member
from league.play.actions import record_hand
from league.play.forms import HandForm, sent_fields
from league.play.game_log import GameLog, open_game_log, rules_of
from league.play.models import Hand, ReturnedHand
from league.play.questions import questions_of
from league.play.text import hand_text
from league.seating.actions.draft import ruleset_for
from league.seating.models import Table
from league.sessions.models import Session
from scoring import check_hand

MOST = 500  # per session; one round of sixteen tables has no more
VISIBLE_FOR = timedelta(days=1)


@transaction.atomic
def store_returned_hands(
    session: Session,
    table: str,
    *,
    number: int,
    people: list[str],
    hands: list[dict[str, str]],
    by: Actor,
    at: datetime,
) -> None:
    """Store the hands from a phone that are not stored yet. `table` is the public id of the missing
    table, and `people` are those of its players, by seat; `hands` are answers to the form of a
    hand, each with its number and client id."""
    known_ids = set(session.returned_hands.values_list("client_id", flat=True))
    new_by_id = {hand["client_id"]: hand for hand in hands if hand["client_id"] not in known_ids}
    new = [*new_by_id.values()][: max(0, MOST - len(known_ids))]
    session.returned_hands.bulk_create(
        (
            ReturnedHand(
                session=session,
                table=table,
                table_number=number,
                people=people,
                number=int(hand["number"]),
                client_id=hand["client_id"],
                answers=hand,
                returned_at=at,
            )
            for hand in new
        ),
        ignore_conflicts=True,  # the same phone may send twice at once
    )
    if new:
        subject, count = f"table {number}", {"hands": len(new)}
        log_action(session.club, by, "keep unplaced hand", subject, session=session, new=count)


def public_ids_at(log: GameLog) -> list[str]:
    """The public ids of the players at a table, by seat."""
    return [seat.member.public_id for seat in log.sitting()]


@dataclass
class ReturnedTable:
    """A table whose hands phones have sent back because it is missing or has other hands.

    `target` is a table with the same seats and no hands yet, `played` one that already has hands.
    """

    id: str
    number: int
    session: Session
    people: list[str]
    target: Table | None = None
    played: Table | None = None
    hands: list[ReturnedHand] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of the players by seat; a question mark for one the backup does not know."""
        members = Member.objects.filter(club=self.session.club, public_id__in=self.people)
        names = {member.public_id: member.name for member in members}
        return [names.get(person, "?") for person in self.people]

    @property
    def hand_texts(self) -> list[tuple[int, str]]:
        """Each hand's number, and the hand in words."""
        return [(hand.number, self._hand_text(hand.answers)) for hand in self.hands]

    def _hand_text(self, answers: dict[str, str]) -> str:
        try:
            body = ruleset_for(self.session.club, len(self.people), self.session).body
            record = _record_of(answers, body, self.session)
        except Refused:
            return ", ".join(f"{name}: {value}" for name, value in answers.items())
        return hand_text(record, check_hand(record, rules_of(body)), short_names(self.names))


def store_clash(log: GameLog, answers: dict[str, str], *, by: Actor, at: datetime) -> None:
    """Store a hand that was sent back when another has been entered in its place. The phone asks
    its table which one is right, and the organiser sees it too."""
    table = log.table
    store_returned_hands(
        table.session,
        table.public_id,
        number=table.number,
        people=public_ids_at(log),
        hands=[answers],
        by=by,
        at=at,
    )


def returned_tables(*, at: datetime) -> list[ReturnedTable]:
    """The tables of the last day with hands that only phones have, by table number."""
    entered = Hand.objects.values("client_id")
    hands = (
        ReturnedHand.objects.filter(returned_at__gte=at - VISIBLE_FOR)
        .exclude(client_id__in=entered)
        .select_related("session__club")
        .order_by("table_number", "table", "number")
    )
    tables = []
    for (number, table_id), group in groupby(hands, lambda hand: (hand.table_number, hand.table)):
        table_hands = list(group)
        first_hand = table_hands[0]
        table = ReturnedTable(
            table_id, number, first_hand.session, first_hand.people, hands=table_hands
        )
        _find_tables(table)
        tables.append(table)
    return tables


def _find_tables(returned: ReturnedTable) -> None:
    """Set `target` or `played` to the table itself, else to one with the same players now."""
    returned.played = Table.objects.filter(public_id=returned.id).first()
    tables = Table.objects.filter(session=returned.session, is_live=True)
    for table in [] if returned.played else tables.select_related("session__club", "ruleset"):
        log = open_game_log(table)
        if public_ids_at(log) == returned.people:
            returned.target, returned.played = (None, table) if log.hands else (table, None)


@transaction.atomic
def enter_returned_hands(returned: ReturnedTable, *, by: Actor, at: datetime) -> int:
    """Enter the hands of a missing table at the one with the same seats, in order, all or none.
    Returns their number."""
    if returned.target is None:
        sentence = _("No table has the same players in the same seats. Make that round first.")
        raise Refused("no-table", str(sentence), status=409)
    for hand in returned.hands:
        record_hand(
            returned.target,
            _record_of(hand.answers, returned.target.ruleset.body, returned.session),
            client_id=hand.client_id,
            by=by,
            at=at,
            number=hand.number,
            confirm_unlikely=True,  # it was already saved once
            came_back=True,
        )
    return len(returned.hands)


def _record_of(answers: dict[str, str], body: Any, session: Session) -> dict[str, Any]:
    """The record of a hand from the answers that a phone sent. Raises `Refused` if invalid."""
    request = HttpRequest()
    request.method, request.POST = "POST", QueryDict(urlencode(answers))
    questions = questions_of(rules_of(body), session.club.tricks_entry)
    names = [str(seat) for seat in range(questions.players)]
    form = HandForm(request, questions=questions, names=names, sent=sent_fields(request))
    if not form.is_valid():
        raise form.refusal()
    return form.record()
