"""Pages of a club's rulesets: the list, the presets, a version, and changing one."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import PUBLIC, club_page, rank_of, reaches
from league.errors import attempt, form_page
from league.members import actions, queries, rule_options
from league.members.audit import actor_of
from league.members.forms.rulesets import RulesetForm
from league.members.game_facts import bid_values, deck_words, facts, in_short, worked_hand
from league.members.idle_rules import never_effective
from league.members.languages import in_clubs_language
from league.members.models import Club, ClubRuleset
from league.members.presets import (
    changed_rules,
    find_games,
    is_named_by_changes,
    name_with_changes,
    offered,
    plain_note,
    source_note,
)
from league.members.rule_changes import odd_rules, other_decks, saved_sentence, unlike_usual
from scoring import Ruleset, preset_ids
from scoring import ruleset as read_ruleset

if TYPE_CHECKING:
    from league.sessions.models import Session


@require_GET
@club_page("member")
def rulesets(request: HttpRequest, club: Club) -> HttpResponse:
    """The newest version of each of the club's rulesets, by table size."""
    club_rulesets = _usual_size_first(club, queries.latest_rulesets(club))
    usual = {one.players: one for one in club_rulesets if one.is_default}
    for one in club_rulesets:
        one.unusual = unlike_usual(usual.get(one.players), one)  # type: ignore[attr-defined]
    context = {
        "club": club,
        "rulesets": club_rulesets,
        "sizes_with_more_cards": _sizes_with_more_cards(club_rulesets),
        "retired": queries.latest_rulesets(club, retired=True),
        "may_edit": reaches(rank_of(request), "organiser"),
        "here": "settings",
    }
    return render(request, "members/rulesets.html", context)


def _usual_size_first(club: Club, club_rulesets: Iterable[ClubRuleset]) -> list[ClubRuleset]:
    usual_size = club.usual_size()
    usual_first = sorted(club_rulesets, key=lambda one: not one.is_default)
    return sorted(usual_first, key=lambda one: (one.players != usual_size, one.players))


def _sizes_with_more_cards(club_rulesets: Iterable[ClubRuleset]) -> list[int]:
    """The small table sizes that play with 32 cards where tables of four play with fewer."""
    cards = {one.players: len(one.rules.deck) for one in club_rulesets if one.is_default}
    return [n for n in (2, 3) if cards.get(n) == 32 and cards.get(4, 32) < 32]


@require_GET
@club_page("organiser")
def ruleset_presets(request: HttpRequest, club: Club) -> HttpResponse:
    """The presets to choose from, by table size; `find` searches all their names."""
    query = request.GET.get("find", "")[:80]
    came_from = _came_from(request)
    fits = _fits_table(came_from)
    sizes = [
        (n, [_preset_card(*game) for game in games]) for n, games in find_games(query) if fits(n)
    ]
    context = {
        "club": club,
        "sizes": sizes,
        "wanted": query,
        "came_from": came_from,
        **_ways_back(club, came_from),
        "own": []
        if query
        else [
            one
            for one in queries.latest_rulesets(club)
            if one.preset in offered() and fits(one.players)
        ],
        "here": "settings",
    }
    return render(request, "members/presets.html", context)


def _came_from(request: HttpRequest) -> dict[str, str]:
    """The ids of the session, and its table with its `players`, whose page led here; adding rules
    returns to it."""
    ids = {name: request.GET.get(name, "") for name in ("session", "table", "players")}
    valid = {name: value for name, value in ids.items() if re.fullmatch(r"[\w-]{1,40}", value)}
    return valid if "session" in valid else {}


def _fits_table(came_from: dict[str, str]) -> Callable[[int], bool]:
    """Whether rules for so many players fit the table that led here; without one all do."""
    size = came_from.get("players")
    return lambda players: size is None or str(players) == size


def _choice_of_rules(
    request: HttpRequest, club: Club, came_from: dict[str, str], created: ClubRuleset
) -> HttpResponse:
    """Return to the choice of rules of the session or table, with the new rules chosen."""
    if not _fits_table(came_from)(created.players):
        sentence = _("Added %(rules)s. It's for tables of %(n)d, so it doesn't fit this table.")
    elif "table" in came_from:
        sentence = _("Added %(rules)s. Tap “Save rules” to use these rules at this table.")
    else:
        sentence = _("Added %(rules)s. Tap “Save rules” to use these rules in this session.")
    messages.warning(request, sentence % {"rules": created.name, "n": created.players})
    return redirect(f"{_choice_page(club, came_from)}?rules={created.public_id}")


def _ways_back(club: Club, came_from: dict[str, str]) -> dict[str, str]:
    """For the pages that add rules: the query that names what led here, and its page."""
    query = f"?{urlencode(came_from)}" if came_from else ""
    return {"way_back": query, "choice_page": _choice_page(club, came_from)}


def _choice_page(club: Club, came_from: dict[str, str]) -> str:
    """The page of a session or table that led here, to choose its rules; "" if none did."""
    ids = [came_from[name] for name in ("session", "table") if name in came_from]
    page = "table_rules" if "table" in came_from else "session_rules"
    return reverse(page, args=[club.slug, *ids]) if ids else ""


def _preset_card(rules: Ruleset, name: str, note: str) -> tuple[Ruleset, str, str, str, list[str]]:
    """A preset for the list, with its deck and the names of its special bids."""
    specials = [label for label, _bid in rule_options.special_bids(rules)]
    return rules, name, note, deck_words(rules), specials


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def ruleset_new(request: HttpRequest, club: Club, preset: str) -> HttpResponse:
    """Add a ruleset to the club, made from a preset; or like the one in `like`, as a copy."""
    if preset not in offered():
        raise Http404
    like = club.rulesets.filter(public_id=request.GET.get("like", ""), preset=preset).first()
    rules, by = read_ruleset(like.body if like else preset), actor_of(request)
    name = _("Copy of %(rules)s") % {"rules": like.name} if like else ""
    form = RulesetForm(rules, request.POST or None, asks_players=True, current_name=name[:80])
    created = attempt(
        form,
        lambda: actions.adopt_preset(
            club,
            preset=preset,
            like=like,
            name=form.cleaned_data["name"],
            options=form.changed_options,
            shape=form.changed_shape,
            special=form.changed_specials,
            by=by,
        ),
    )
    if created is not None:
        _ask(request, odd_rules(created.rules))
        if came_from := _came_from(request):
            return _choice_of_rules(request, club, came_from, created)
        messages.success(request, _("Added %(rules)s.") % {"rules": name_with_changes(created)})
        return redirect("ruleset", club.slug, created.public_id)
    context = {"club": club, "form": form, **ruleset_context(rules), "here": "settings"}
    context |= {"name": name or context["name"], **_ways_back(club, _came_from(request))}
    return form_page(request, "members/ruleset_form.html", context)


@require_GET
@club_page(PUBLIC)
def ruleset(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """A version in words, its other versions, and a comparison with one of them."""
    club_ruleset = get_object_or_404(club.rulesets.select_related("made_by"), public_id=public_id)
    rules = read_ruleset(club_ruleset.body)
    versions = queries.versions_of(club_ruleset)
    other_rules = [
        one
        for one in queries.latest_rulesets(club)
        if one.players == club_ruleset.players and one.name != club_ruleset.name
    ]
    others = [*versions, *other_rules]
    compared = request.GET.get("with", "")
    other_name, differs = _comparison(club_ruleset, others, compared)
    context = {
        "club": club,
        "chosen": club_ruleset,
        **ruleset_context(rules),
        "versions": versions,
        "other_rules": other_rules,
        "newest": versions[0],
        "other": other_name,
        "compared": compared,
        "differs": differs,
        "unusual": _unusual(versions[0]),
        "may_edit": reaches(rank_of(request), "organiser"),
        "here": "settings",
    }
    return render(request, "members/ruleset.html", context)


def _unusual(newest: ClubRuleset) -> str:
    """In what these rules differ from the club's usual ones; archived ones are not compared."""
    usual = queries.default_rulesets(newest.club).filter(players=newest.players).first()
    return "" if newest.retired else unlike_usual(usual, newest)


def ruleset_context(rules: Ruleset) -> dict[str, Any]:
    """A ruleset in words: what clubs ask about first, the rest in groups, a worked hand."""
    first_group, *groups = rule_options.rule_groups(rules)
    return {
        "rules": rules,
        "name": rule_options.plain_name(rules),
        "note": plain_note(rules),
        "source_note": source_note(rules),
        "changed": changed_rules(rules),
        "first": first_group[1],
        "groups": groups,
        "groups_in_use": rule_options.used_groups(rules, groups),
        "sourced": [row for _heading, group_rows in [first_group, *groups] for row in group_rows],
        "facts": facts(rules),
        "specials": rule_options.special_bids(rules),
        "values": bid_values(rules),
        "never_here": never_effective(rules),
        "hand": worked_hand(rules),
    }


@require_GET
@club_page(PUBLIC)
@in_clubs_language
def ruleset_print(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """A version of the house rules, for printing."""
    club_ruleset = get_object_or_404(club.rulesets, public_id=public_id)
    return print_page(request, club, [(club_ruleset, "")])


@require_GET
@club_page(PUBLIC)
@in_clubs_language
def rules_print(request: HttpRequest, club: Club) -> HttpResponse:
    """The house rules of every table size, for printing on a sheet each."""
    club_rulesets = _usual_size_first(club, queries.default_rulesets(club))
    return print_page(request, club, [(one, "") for one in club_rulesets[:1]], club_rulesets[1:])


def print_page(
    request: HttpRequest,
    club: Club,
    sheets: Iterable[tuple[ClubRuleset, str]],
    of_other_sizes: Iterable[ClubRuleset] = (),
    *,
    back: str = "",
    club_session: "Session | None" = None,
) -> HttpResponse:
    """Rules on a sheet each, with the tables that play them; those of other table sizes last.
    The sheets name `club_session`, which plays them, with its day."""
    club_pages = reverse("rulesets" if rank_of(request) else "club", args=[club.slug])
    usual = {one.players: one for one in queries.default_rulesets(club)} if club_session else {}
    context = {
        "club": club,
        "back": back or club_pages,
        "club_session": club_session,
        "is_clubs": not back,  # not those of a session
        "sheets": [
            (one, ruleset_context(one.rules), where, unlike_usual(usual.get(one.players), one))
            for one, where in sheets
        ],
        "other_sheets": [(one, ruleset_context(one.rules)) for one in of_other_sizes],
    }
    return render(request, "members/ruleset_print.html", context)


def _comparison(
    club_ruleset: ClubRuleset, others: list[ClubRuleset], version_id: str
) -> tuple[str, list[tuple[str, str, str]]]:
    """What the ruleset is compared with ("" for nothing), and the differences."""
    rules = read_ruleset(club_ruleset.body)
    if version_id == "preset" and club_ruleset.preset in preset_ids():
        preset = read_ruleset(club_ruleset.preset)
        return _("the preset it began with"), rule_options.differences(rules, preset)
    for other in others:
        if other.public_id == version_id:
            is_version = other.name == club_ruleset.name
            name = (
                _("version %(n)s") % {"n": other.version}
                if is_version
                else name_with_changes(other, "version")
            )
            return name, rule_options.differences(rules, other.rules)
    return "", []


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def ruleset_change(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change a ruleset: this saves a new version, and the old one stays."""
    club_ruleset = get_object_or_404(club.rulesets, public_id=public_id)
    rules, by = read_ruleset(club_ruleset.body), actor_of(request)
    name = name_with_changes(club_ruleset)[:80]
    form = RulesetForm(rules, request.POST or None, current_name=name)

    def save() -> ClubRuleset:
        revised = actions.revise_ruleset(
            club_ruleset,
            options=form.changed_options,
            shape=form.changed_shape,
            special=form.changed_specials,
            by=by,
        )
        if "name" in form.changed_data:
            actions.rename_ruleset(revised, form.cleaned_data["name"], by=by)
        return revised

    saved = attempt(form, transaction.atomic(save))
    if saved is not None:
        messages.success(request, saved_sentence(rules, saved))
        _ask(request, other_decks(rules, saved, queries.default_rulesets(club)))
        _ask(request, odd_rules(saved.rules, rules))
        return redirect("ruleset", club.slug, saved.public_id)
    context = {"club": club, "form": form, "chosen": club_ruleset, "here": "settings"}
    context |= ruleset_context(rules) | {"is_named_by_changes": is_named_by_changes(club_ruleset)}
    return form_page(request, "members/ruleset_form.html", context)


def _ask(request: HttpRequest, questions: Iterable[str]) -> None:
    for question in questions:
        messages.warning(request, question)


@require_POST
@club_page("organiser")
def ruleset_default(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Make a ruleset the default for its table size."""
    club_ruleset = get_object_or_404(club.rulesets, public_id=public_id)
    usual = queries.default_rulesets(club).filter(players=club_ruleset.players).first()
    actions.make_default(club_ruleset, by=actor_of(request))
    sentence = _("Tables of %(n)d now play by %(rules)s: %(facts)s.")
    messages.success(request, sentence % {"n": club_ruleset.players, **_names(club_ruleset)})
    if usual is not None:
        _ask(request, other_decks(usual.rules, club_ruleset, queries.default_rulesets(club)))
    return redirect("rulesets", club.slug)


def _names(club_ruleset: ClubRuleset) -> dict[str, str]:
    """The name of a ruleset and what it says in short, for a message."""
    return {"rules": name_with_changes(club_ruleset), "facts": in_short(club_ruleset.rules)}


@require_POST
@club_page("organiser")
def ruleset_return(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Go back to an older version: this saves a new version with its rules."""
    older = get_object_or_404(club.rulesets, public_id=public_id)
    newest = actions.return_to_version(older, by=actor_of(request))
    sentence = (
        _("Back to the rules “%(facts)s”. Tables published from now on use them.")
        if newest.is_default
        else _("Back to the rules “%(facts)s”.")
    )
    messages.success(request, sentence % _names(newest))
    return redirect("ruleset", club.slug, newest.public_id)


@require_POST
@club_page("organiser")
def ruleset_archive(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Archive a ruleset; games played by it keep it."""
    club_ruleset = get_object_or_404(club.rulesets, public_id=public_id)
    actions.archive_ruleset(club_ruleset, by=actor_of(request))
    messages.success(request, _("Archived %(rules)s.") % {"rules": club_ruleset.name})
    return redirect("rulesets", club.slug)


@require_POST
@club_page("organiser")
def ruleset_restore(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Restore an archived ruleset."""
    club_ruleset = get_object_or_404(club.rulesets, public_id=public_id)
    actions.restore_ruleset(club_ruleset, by=actor_of(request))
    messages.success(request, _("Brought back %(rules)s.") % {"rules": club_ruleset.name})
    return redirect("rulesets", club.slug)
