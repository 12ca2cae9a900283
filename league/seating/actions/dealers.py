"""Who deals first at a table: drawn by the club's custom, drawn again, or entered by hand."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.pairing.seating.first_dealer import draw_dealer
from league.seating.models import Table
from league.seating.queries import has_begun
from league.sessions.actions import bump, lock
from scoring import ruleset


def drawn_for(table: Table, *, seed: int, again: bool = False) -> tuple[int, dict[str, Any]]:
    """The first dealer by the table's ruleset, and what to keep of the draw.

    Where the club leaves it to chance, the plan has put whoever has dealt least on the first
    chair, by lot among equals.
    """
    rules = ruleset(table.ruleset.body)
    custom = str(rules.options["first_dealer"])
    if custom == "random" and not again:
        return 0, {"custom": "turn"}
    drawn = draw_dealer(custom, table.players, deck=rules.deck, seed=seed)
    return drawn.dealer, {
        "custom": custom,
        "seed": seed,
        "cards": [list(card) for card in drawn.cards],
    }


@transaction.atomic
def redraw_dealer(table: Table, *, by: Actor, seed: int) -> Table:
    """Draw the first dealer again, from another seed, while no hand is entered."""
    fresh = _not_begun(table)
    return _set(fresh, *drawn_for(fresh, seed=seed, again=True), by=by)


@transaction.atomic
def set_dealer(table: Table, position: int, *, by: Actor) -> Table:
    """Write down who won the deal when the table drew with its own cards."""
    fresh = _not_begun(table)
    if not 0 <= position < fresh.players:
        raise Refused("no-such-seat", _("There is no such chair at this table."))
    return _set(fresh, position, {"custom": "by_hand"}, by=by)


def _not_begun(table: Table) -> Table:
    lock(table.session)
    fresh = Table.objects.select_related("session__club", "ruleset").get(pk=table.pk)
    if has_begun(fresh):
        raise Refused(
            "hands-entered", _("A hand has been entered already at this table."), status=409
        )
    return fresh


def _set(fresh: Table, position: int, draw: dict[str, Any], *, by: Actor) -> Table:
    fresh.first_dealer, fresh.dealer_draw = position, draw
    fresh.save(update_fields=["first_dealer", "dealer_draw"])
    fresh.games.update(first_dealer=position)
    note(fresh.session.club, by, "first dealer", fresh.number, session=fresh.session, new=position)
    bump(fresh.session)
    return fresh
