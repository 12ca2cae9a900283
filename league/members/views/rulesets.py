"""Pages about a club's rulesets: the list, the presets, one version, and changing one."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import PUBLIC, club_page, rank_of, reaches
from league.members import actions, queries, rule_options
from league.members.audit import actor_of
from league.members.forms.rulesets import RulesetForm
from league.members.models import Club, ClubRuleset
from league.members.rule_options import offered, presets_by_size
from league.members.views.answers import attempt, form_page
from scoring import preset_ids
from scoring import ruleset as read_ruleset


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
    """Every preset with its plain description, by table size."""
    context = {"club": club, "sizes": presets_by_size(), "here": "settings"}
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
        messages.success(request, _("%(ruleset)s is made.") % {"ruleset": made})
        return redirect("ruleset", club.slug, made.public_id)
    context = {"club": club, "form": form, "rules": rules, "here": "settings"}
    context["note"] = rule_options.plain_note(rules)
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
        "rules": rules,
        "note": rule_options.plain_note(rules),
        "groups": rule_options.rows(rules),
        "versions": versions,
        "newest": versions[0],
        "other": other,
        "differs": differs,
        "may_edit": reaches(rank_of(request), "organiser"),
        "here": "settings",
    }
    return render(request, "members/ruleset.html", context)


def _compared(
    chosen: ClubRuleset, versions: list[ClubRuleset], wanted: str
) -> tuple[str, list[tuple[str, str, str]]]:
    """The name of what it is compared with ("" for nothing), and the differences."""
    rules = read_ruleset(chosen.body)
    if wanted == "preset" and chosen.preset in preset_ids():
        preset = read_ruleset(chosen.preset)
        return preset.name, rule_options.differences(rules, preset)
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
        messages.success(request, _("This is version %(n)d.") % {"n": made.version})
        return redirect("ruleset", club.slug, made.public_id)
    context = {"club": club, "form": form, "rules": rules, "chosen": chosen, "here": "settings"}
    context["note"] = rule_options.plain_note(rules)
    return form_page(request, "members/ruleset_form.html", context)


@require_POST
@club_page("organiser")
def ruleset_turn(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Make it the default of its table size, retire it, or bring it back: one word in `turn`."""
    chosen, by = get_object_or_404(club.rulesets, public_id=public_id), actor_of(request)
    turns = {
        "default": actions.make_default,
        "retire": actions.retire_ruleset,
        "return": actions.return_ruleset,
    }
    turn = turns.get(request.POST.get("turn", ""))
    if turn is not None:
        turn(chosen, by=by)
        messages.success(request, _("Saved."))
    return redirect("rulesets", club.slug)
