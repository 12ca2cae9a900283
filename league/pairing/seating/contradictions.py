"""Wishes that no seating at all can keep, found before any search and named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.seating.constraints import Pair, Wishes
from league.pairing.seating.people import in_order


def refuse_contradictions(
    wishes: Wishes, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> None:
    """Raise PairingRefused naming every contradiction found for tables of these sizes.

    `wishes` are those of the people present, of whom so many sit `out`. Finding none does not prove
    that a seating exists: what the search then cannot keep is named by the plan.
    """
    found = contradictions(wishes, sizes, numbers, out)
    if found:
        people = tuple(dict.fromkeys(one for names, _ in found for one in names))
        raise PairingRefused(
            "wishes-contradict", " ".join(sentence for _, sentence in found), people
        )


Contradiction = tuple[tuple[PlayerId, ...], str]


def contradictions(
    wishes: Wishes, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> list[Contradiction]:
    """The contradictions: who is concerned, and the sentence."""
    found = _pairs_with_oneself(wishes)
    if found:
        return found
    found += _clashing_pairs(wishes)
    found += _two_partners(wishes)
    found += _places(wishes, sizes, numbers)
    found += _crowds(wishes, sizes, out)
    found += _too_many_apart(wishes, sizes, out)
    return found


def _unordered(pairs: Iterable[Pair]) -> set[frozenset[PlayerId]]:
    return {frozenset(pair) for pair in pairs}


def _pairs_with_oneself(wishes: Wishes) -> list[Contradiction]:
    kinds = (wishes.never, wishes.avoid, wishes.fixed, wishes.apart_partner, wishes.together)
    return [
        ((first,), f"{first} is named as a pair with themselves.")
        for pairs in kinds
        for first, second in pairs
        if first == second
    ]


def _clashing_pairs(wishes: Wishes) -> list[Contradiction]:
    never, apart = _unordered(wishes.never), _unordered(wishes.apart_partner)
    found: list[Contradiction] = []
    for first, second in wishes.fixed:
        if frozenset((first, second)) in never | apart:
            sentence = f"{first} and {second} are a fixed pair and are also to be kept apart."
            found.append(((first, second), sentence))
    for first, second in wishes.together:
        if frozenset((first, second)) in never:
            sentence = f"{first} and {second} are to sit together and are also never to meet."
            found.append(((first, second), sentence))
    return found


def _two_partners(wishes: Wishes) -> list[Contradiction]:
    partners: dict[PlayerId, set[PlayerId]] = {}
    for first, second in wishes.fixed:
        partners.setdefault(first, set()).add(second)
        partners.setdefault(second, set()).add(first)
    found: list[Contradiction] = []
    for one in in_order(partners):
        if len(partners[one]) > 1:
            names = in_order(partners[one])
            listed = " and ".join(map(str, names))
            found.append(((one, *names), f"{one} is in more than one fixed pair, with {listed}."))
    return found


def _places(wishes: Wishes, sizes: Sequence[int], numbers: Sequence[int]) -> list[Contradiction]:
    found: list[Contradiction] = []
    kept = wishes.tables_kept()
    taken: dict[tuple[int, int], PlayerId] = {}
    for one in in_order(kept):
        if kept[one] not in numbers:
            found.append(((one,), f"{one} keeps table {kept[one]}, which is not being seated."))
        if one in wishes.stays and wishes.stays[one] != kept[one]:
            sentence = f"{one} keeps table {wishes.stays[one]} and is locked to table {kept[one]}."
            found.append(((one,), sentence))
        place = wishes.locked.get(one)
        if place is None:
            continue
        if not 0 <= place[1] < max(sizes):
            found.append(((one,), f"{one} is locked to seat {place[1] + 1}, which no table has."))
        if place in taken:
            sentence = f"{taken[place]} and {one} are locked to the same seat."
            found.append(((taken[place], one), sentence))
        taken.setdefault(place, one)
    return found + _locked_pairs(wishes, kept)


def _locked_pairs(wishes: Wishes, kept: dict[PlayerId, int]) -> list[Contradiction]:
    found: list[Contradiction] = []
    for first, second in (*wishes.fixed, *wishes.together):
        if first in kept and second in kept and kept[first] != kept[second]:
            sentence = f"{first} and {second} belong together but keep different tables."
            found.append(((first, second), sentence))
    for first, second in wishes.never:
        if first in kept and second in kept and kept[first] == kept[second]:
            sentence = f"{first} and {second} are never to meet but keep the same table."
            found.append(((first, second), sentence))
    for pairs, partners in ((wishes.fixed, True), (wishes.apart_partner, False)):
        for first, second in pairs:
            one, other = wishes.locked.get(first), wishes.locked.get(second)
            if not one or not other or one[0] != other[0]:
                continue
            if (abs(one[1] - other[1]) == 2) != partners:
                sentence = f"The seats {first} and {second} are locked to break their wish."
                found.append(((first, second), sentence))
    return found


def _crowds(wishes: Wishes, sizes: Sequence[int], out: int) -> list[Contradiction]:
    """Groups that must share a table and are too many for it, or hold two who may not meet.

    A fixed pair may also sit out together.
    """
    found: list[Contradiction] = []
    fours = sum(size == 4 for size in sizes)
    if len(_unordered(wishes.fixed)) > 2 * fours + out // 2:
        people = tuple(dict.fromkeys(one for pair in wishes.fixed for one in pair))
        names = ", ".join(f"{first} and {second}" for first, second in wishes.fixed)
        sentence = f"Fixed pairs need tables of four, and there are {fours}: {names}."
        found.append((people, sentence))
    never = _unordered(wishes.never)
    clashes = never & _unordered(wishes.together)
    for group in _groups(wishes):
        names = ", ".join(map(str, group))
        if len(group) > max(sizes):
            found.append((group, f"{names} must all share a table, which no table can hold."))
        for index, first in enumerate(group):
            for second in group[index + 1 :]:
                pair = frozenset((first, second))
                if pair in never and pair not in clashes and len(group) > 2:
                    sentence = f"{names} must share a table, but {first} and {second} never meet."
                    found.append((group, sentence))
    return found


def _groups(wishes: Wishes) -> list[tuple[PlayerId, ...]]:
    """Everybody bound to share one table, by fixed pairs, wishes and tables kept."""
    label: dict[PlayerId, PlayerId] = {}

    def head(one: PlayerId) -> PlayerId:
        label.setdefault(one, one)
        while label[one] != one:
            one = label[one]
        return one

    kept = wishes.tables_kept()
    first_at: dict[int, PlayerId] = {}
    bound = [*wishes.fixed, *wishes.together]
    for one in in_order(kept):
        bound.append((first_at.setdefault(kept[one], one), one))
    for first, second in bound:
        label[head(second)] = head(first)
    groups: dict[PlayerId, list[PlayerId]] = {}
    for one in in_order(label):
        groups.setdefault(head(one), []).append(one)
    return [tuple(group) for group in groups.values()]


def _too_many_apart(wishes: Wishes, sizes: Sequence[int], out: int) -> list[Contradiction]:
    """People of whom no two may meet, and more of them than tables and people who sit out."""
    apart: dict[PlayerId, set[PlayerId]] = {}
    for first, second in wishes.never:
        apart.setdefault(first, set()).add(second)
        apart.setdefault(second, set()).add(first)
    for one in in_order(apart):
        crowd = [one]
        for other in sorted(in_order(apart[one]), key=lambda name: -len(apart[name] & apart[one])):
            if all(other in apart[member] for member in crowd):
                crowd.append(other)
        if len(crowd) > len(sizes) + out:
            names = ", ".join(map(str, in_order(crowd)))
            sentence = f"{names} may none of them meet, and there are {len(sizes)} tables."
            return [(in_order(crowd), sentence)]
    return []
