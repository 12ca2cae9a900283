"""Substitutes on a match card: who takes whose seat, from which turn on."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.members.models import Member
from league.teams.card import Card, Substitute
from league.teams.models import TeamLeague

ROWS = 2
"""How many substitutes a card has room for, at least."""


def may_substitute(league: TeamLeague) -> bool:
    """Whether players may be replaced between two turns of a match."""
    return bool(league.squad_rules.get("substitutes")) and league.turns > 1


def add_fields(
    form: forms.Form, people: Mapping[str, Member], turns: int, there: Sequence[Substitute]
) -> list[str]:
    """Give the form the fields of its substitutes, filled with those who are `there`; their
    numbers."""
    listed = [("", _("Choose")), *((key, one.name) for key, one in people.items())]
    numbers = [("", _("Choose")), *((str(n), str(n)) for n in range(2, turns + 1))]
    rows = [str(n) for n in range(1, max(ROWS, len(there)) + 1)]
    for n in rows:
        for name, label, choices in (
            ("in", _("Substitute"), listed),
            ("out", _("Plays for"), listed),
            ("turn", _("From turn"), numbers),
        ):
            form.fields[f"sub{n}_{name}"] = forms.ChoiceField(
                label=label, choices=choices, required=False
            )
    for n, one in zip(rows, there, strict=False):
        first = {"in": one.member.public_id, "out": one.out.public_id, "turn": str(one.turn)}
        form.initial.update({f"sub{n}_{name}": value for name, value in first.items()})
    return rows


def read_substitutes(
    form: forms.Form,
    rows: Sequence[str],
    seated: Mapping[str, tuple[int, int, int]],
    people: Mapping[str, Member],
) -> list[Substitute]:
    """The substitutes of a filled-in form, the first turn first; what is wrong is said at its
    field. `seated`: side, pair and seat of each player on the card."""
    at, found = dict(seated), []
    rows = sorted(rows, key=lambda n: (form.cleaned_data.get(f"sub{n}_turn") or "", n))
    for n in rows:
        names = ("in", "out", "turn")
        chosen = {one: str(form.cleaned_data.get(f"sub{n}_{one}") or "") for one in names}
        if not any(chosen.values()):
            continue
        for name, value in chosen.items():
            if not value:
                form.add_error(
                    f"sub{n}_{name}", form.fields[f"sub{n}_{name}"].error_messages["required"]
                )
        if not all(chosen.values()):
            continue
        if chosen["in"] in at:
            message = _("%(name)s is in two pairs.") % {"name": people[chosen["in"]].name}
            form.add_error(f"sub{n}_in", message)
        elif chosen["out"] not in at:
            form.add_error(f"sub{n}_out", _("Choose a player of this card."))
        else:
            side, pair, seat = at[chosen["in"]] = at[chosen["out"]]
            member, out = people[chosen["in"]], people[chosen["out"]]
            found.append(Substitute(side, pair, seat, int(chosen["turn"]), member, out))
    return found


def fields_of(form: forms.Form, rows: Sequence[str]) -> list[list[Any]]:
    """For the page: the fields of each substitute."""
    return [[form[f"sub{n}_{name}"] for name in ("in", "out", "turn")] for n in rows]


def shown(card: Card, name_of: Any) -> list[str]:
    """The substitutes of a card in words."""
    return [
        _("%(name)s came in for %(other)s in turn %(n)d.")
        % {"name": name_of(one.member), "other": name_of(one.out), "n": one.turn}
        for one in card.substitutes
    ]
