"""Pages about a club's rulesets: the list, the presets, one version, and changing one."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import PUBLIC, club_page, rank_of, reaches
from league.members import actions, queries, rule_options
from league.members.audit import actor_of
from league.members.forms.rulesets import RulesetForm
from league.members.languages import in_clubs_language
from league.members.models import Club, ClubRuleset
from league.members.rule_options import find_games, offered
from league.members.views.answers import attempt, form_page
from scoring import Ruleset, check_hand, preset_ids
from scoring import ruleset as read_ruleset
from scoring.rulesets.options import TURN_UP


@require_GET
@club_page("member")
def rulesets(request: HttpRequest, club: Club) -> HttpResponse:
    """What the club plays by: the newest version of each ruleset, by table size."""
    context = {
        "club": club,
        "rulesets": queries.latest_rulesets(club),
        "retired": queries.latest_rulesets(club, retired=True),
        "may_edit": reaches(rank_of(request), "organiser"),
        "here": "settings",
    }
    return render(request, "members/rulesets.html", context)


@require_GET
@club_page("organiser")
def ruleset_presets(request: HttpRequest, club: Club) -> HttpResponse:
    """The games to choose from, by table size; `find` looks in all their names."""
    wanted = request.GET.get("find", "")[:80]
    context = {"club": club, "sizes": find_games(wanted), "wanted": wanted, "here": "settings"}
    return render(request, "members/presets.html", context)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def ruleset_new(request: HttpRequest, club: Club, preset: str) -> HttpResponse:
    """A ruleset of the club's own, made from a preset."""
    if preset not in offered():
        raise Http404
    rules, by = read_ruleset(preset), actor_of(request)
    form = RulesetForm(rules, request.POST or None, named=True)
    made = attempt(
        form,
        lambda: actions.adopt_preset(
            club,
            preset=preset,
            name=form.cleaned_data["name"],
            options=form.changed_options,
            by=by,
        ),
    )
    if made is not None:
        messages.success(request, _("Added %(rules)s.") % {"rules": made.name})
        return redirect("ruleset", club.slug, made.public_id)
    context = {"club": club, "form": form, **_about(rules), "here": "settings"}
    return form_page(request, "members/ruleset_form.html", context)


@require_GET
@club_page(PUBLIC)
def ruleset(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One version in words, its other versions, and how it differs from one of them."""
    chosen = get_object_or_404(club.rulesets.select_related("made_by"), public_id=public_id)
    rules = read_ruleset(chosen.body)
    versions = queries.versions_of(chosen)
    other, differs = _compared(chosen, versions, request.GET.get("with", ""))
    context = {
        "club": club,
        "chosen": chosen,
        **_about(rules),
        "versions": versions,
        "newest": versions[0],
        "other": other,
        "differs": differs,
        "may_edit": reaches(rank_of(request), "organiser"),
        "here": "settings",
    }
    return render(request, "members/ruleset.html", context)


def _about(rules: Ruleset) -> dict[str, Any]:
    """A ruleset in words: what clubs ask first, the rest in groups, one hand worked out."""
    first, *groups = rule_options.rows(rules)
    return {
        "rules": rules,
        "name": rule_options.plain_name(rules),
        "note": rule_options.plain_note(rules),
        "first": first[1],
        "groups": groups,
        "sourced": [row for _heading, listed in [first, *groups] for row in listed],
        "specials": rule_options.special_bids(rules),
        "hand": worked_hand(rules),
    }


@require_GET
@club_page(PUBLIC)
@in_clubs_language
def ruleset_print(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One version of the house rules on paper."""
    return _on_paper(request, club, [get_object_or_404(club.rulesets, public_id=public_id)])


@require_GET
@club_page(PUBLIC)
@in_clubs_language
def rules_print(request: HttpRequest, club: Club) -> HttpResponse:
    """The house rules of every table size on paper, a sheet each."""
    return _on_paper(request, club, queries.default_rulesets(club))


def _on_paper(request: HttpRequest, club: Club, chosen: Iterable[ClubRuleset]) -> HttpResponse:
    sheets = [(one, _about(read_ruleset(one.body))) for one in chosen]
    return render(request, "members/ruleset_print.html", {"club": club, "sheets": sheets})


def _compared(
    chosen: ClubRuleset, versions: list[ClubRuleset], wanted: str
) -> tuple[str, list[tuple[str, str, str]]]:
    """The name of what it is compared with ("" for nothing), and the differences."""
    rules = read_ruleset(chosen.body)
    if wanted == "preset" and chosen.preset in preset_ids():
        preset = read_ruleset(chosen.preset)
        return rule_options.plain_name(preset), rule_options.differences(rules, preset)
    for version in versions:
        if version.public_id == wanted:
            return str(version), rule_options.differences(rules, read_ruleset(version.body))
    return "", []


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def ruleset_change(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change options; what is saved is a new version, and this one stays as it is."""
    chosen = get_object_or_404(club.rulesets, public_id=public_id)
    rules, by = read_ruleset(chosen.body), actor_of(request)
    form = RulesetForm(rules, request.POST or None, named=False)
    made = attempt(
        form, lambda: actions.revise_ruleset(chosen, options=form.changed_options, by=by)
    )
    if made is not None:
        messages.success(request, _("Saved. Games from now on use these rules."))
        return redirect("ruleset", club.slug, made.public_id)
    context = {"club": club, "form": form, "chosen": chosen, **_about(rules), "here": "settings"}
    return form_page(request, "members/ruleset_form.html", context)


@require_POST
@club_page("organiser")
def ruleset_default(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Play tables of its size by it from the next round on."""
    chosen = get_object_or_404(club.rulesets, public_id=public_id)
    actions.make_default(chosen, by=actor_of(request))
    sentence = _("Tables of %(n)d now play by %(rules)s.")
    messages.success(request, sentence % {"n": chosen.players, "rules": chosen.name})
    return redirect("rulesets", club.slug)


@require_POST
@club_page("organiser")
def ruleset_archive(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Offer it for no new table; games played by it keep it."""
    chosen = get_object_or_404(club.rulesets, public_id=public_id)
    actions.archive_ruleset(chosen, by=actor_of(request))
    messages.success(request, _("Archived %(rules)s.") % {"rules": chosen.name})
    return redirect("rulesets", club.slug)


@require_POST
@club_page("organiser")
def ruleset_restore(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Offer it again."""
    chosen = get_object_or_404(club.rulesets, public_id=public_id)
    actions.restore_ruleset(chosen, by=actor_of(request))
    messages.success(request, _("Brought back %(rules)s.") % {"rules": chosen.name})
    return redirect("rulesets", club.slug)


PLAYERS = ("Ruth", "Walter", "Pat", "Dave", "Joan", "Frank", "Helen", "Sam")
MAKER = 0


class WorkedHand(NamedTuple):
    """Who sits and deals, the sides that score together, and (what happens, points a side)."""

    opening: str
    sides: list[str]
    rows: list[tuple[str, list[int]]]


def worked_hand(rules: Ruleset) -> WorkedHand:
    """Ruth makes trump in a hand of this game: its endings, each with what it pays."""
    names = PLAYERS[: rules.players]
    groups = _groups(rules)
    ends = _turned_up(rules) if rules.family == TURN_UP else _bid(rules)
    rows = []
    for sentence, contract, taken in ends:
        points = _points(rules, contract, taken)
        if points is not None:
            rows.append((sentence, [points[seats[0]] for seats in groups]))
    opening = _("%(dealer)s deals, and %(maker)s makes hearts trump.") % {
        "dealer": names[-1],
        "maker": names[MAKER],
    }
    return WorkedHand(opening, [_together([names[seat] for seat in g]) for g in groups], rows)


def _groups(rules: Ruleset) -> list[tuple[int, ...]]:
    if not rules.partner_called:
        return list(rules.sides)
    others = tuple(seat for seat in range(1, rules.players) if seat != 2)
    return [(MAKER, 2), others]


def _together(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, last = ", ".join(names[:-1]), names[-1]
    return _("%(some)s and %(last)s") % {"some": first, "last": last}


def _turned_up(rules: Ruleset) -> list[tuple[str, dict[str, Any], int]]:
    """(what happens, contract, tricks of the makers)"""
    every, need = rules.hand_size, rules.hand_size // 2 + 1
    contract: dict[str, Any] = {"trump": "h"}
    alone = {**contract, "alone": True}
    ends = [
        (_tricks(rules, need), contract, need),
        (_all_tricks(rules, every), contract, every),
        (_euchred(rules, need - 1), contract, need - 1),
    ]
    if "lone_march" in rules.options:
        ends.append((_("Ruth plays alone and takes all the tricks"), alone, every))
        ends.append((_("Ruth plays alone and is euchred"), alone, need - 1))
    return ends


def _bid(rules: Ruleset) -> list[tuple[str, dict[str, Any], int]]:
    least = max(int(rules.options.get("min", 1)), rules.hand_size // 2)
    contract = {"trump": "h", "tricks": least}
    bids = _("Ruth bids %(n)d.") % {"n": least}
    return [
        (f"{bids} {_tricks(rules, least)}", contract, least),
        (f"{bids} {_tricks(rules, least + 1)}", contract, least + 1),
        (f"{bids} {_tricks(rules, least - 1)}", contract, least - 1),
    ]


def _tricks(rules: Ruleset, n: int) -> str:
    if rules.partnership or rules.partner_called:
        return ngettext("Her side takes %(n)d trick", "Her side takes %(n)d tricks", n) % {"n": n}
    return ngettext("She takes %(n)d trick", "She takes %(n)d tricks", n) % {"n": n}


def _all_tricks(rules: Ruleset, n: int) -> str:
    return _("%(tricks)s: a march") % {"tricks": _tricks(rules, n)}


def _euchred(rules: Ruleset, n: int) -> str:
    return _("%(tricks)s: a euchre") % {"tricks": _tricks(rules, n)}


def _points(rules: Ruleset, contract: dict[str, Any], taken: int) -> tuple[int, ...] | None:
    """What the hand pays every seat; None where this game has no such hand."""
    if not 0 <= taken <= rules.hand_size:
        return None
    tricks = [0] * rules.players
    tricks[MAKER] = taken
    others = [seat for seat in range(1, rules.players) if seat not in _groups(rules)[0]]
    for n in range(rules.hand_size - taken):
        tricks[others[n % len(others)]] += 1
    record: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": MAKER, **contract},
        "tricks_won": tricks,
    }
    if rules.partner_called:
        record["partner"] = 2
        record["contract"]["call_card"] = "As"
    answer = check_hand(record, rules)
    return answer.points if answer.valid else None
