"""Permanent table cards: each number of a club's tables has one code, until it is replaced."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club
from league.seating.models import TableCard, new_card_code

MOST_CARDS = 300


def make_cards(club: Club, numbers: Iterable[int]) -> None:
    """Give these table numbers a card each, where they have none."""
    cards = [TableCard(club=club, number=number) for number in numbers]
    TableCard.objects.bulk_create(cards, ignore_conflicts=True)


@transaction.atomic
def make_cards_up_to(club: Club, most: int, *, by: Actor) -> None:
    """Give the tables from 1 to `most` a card each, to be printed before the first evening."""
    if not 1 <= most <= MOST_CARDS:
        message = _("Choose 1 to %(most)d tables.") % {"most": MOST_CARDS}
        raise Refused("bad-number", message, fields={"tables": [message]})
    make_cards(club, range(1, most + 1))
    log_action(club, by, "make table cards", most)


def replace_card(club: Club, number: int) -> None:
    """Give a table number another code: the card with the old one opens nothing any more."""
    TableCard.objects.filter(club=club, number=number).update(code=new_card_code())
