"""Pages of entries: entering, seeds, withdrawals, entries kept apart."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.errors import Refused, valid
from league.labels import as_partners
from league.members.audit import actor_of
from league.members.models import Club, number_namesakes
from league.sessions.attendance import arrive, checked_in_elsewhere
from league.sessions.queries import present
from league.tournaments import actions
from league.tournaments.actions.checking_in import is_early, refuse_in_other_session
from league.tournaments.draws.groups import withdrawn_early
from league.tournaments.draws.knockout import available_bye
from league.tournaments.draws.late import FULL, missed_by_byes, refuse_full
from league.tournaments.entered import plays_from
from league.tournaments.entry_forms import (
    ApartForm,
    EnterForm,
    PairForm,
    PairsForm,
    PlacesForm,
    ReplaceForm,
    SeasonForm,
    SeedForm,
    SeedsForm,
    requests_to_accept,
)
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import read_options
from league.tournaments.queries import entries_apart, not_entered, stage_of, tournament_of
from league.tournaments.stage_state import CLOSED, OF_PAIRS, load_stage
from league.tournaments.standing import picking_of, seeding_places
from league.tournaments.text import if_withdrawn, open_match
from league.tournaments.views.buttons import tournament_button
from league.tournaments.views.setup import earlier_tournament


@require_safe
@club_page("organiser")
def tournament_entries(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The list of entries; with the pairs of an earlier tournament to enter, if it is given."""
    like = earlier_tournament(request, club)
    return entries_page(request, tournament_of(club, public_id), like=like)


def entries_page(
    request: HttpRequest,
    tournament: Tournament,
    form: EnterForm | None = None,
    *,
    like: Tournament | None = None,
    pasted: PairsForm | None = None,
    seeds: SeedsForm | None = None,
    seed: tuple[int, SeedForm] | None = None,
) -> HttpResponse:
    stage = stage_of(tournament)
    pairs = stage.format in OF_PAIRS
    free, has_begun = not_entered(tournament), stage.rounds.exists()
    entries = _entry_rows(tournament, stage if has_begun else None, seed)
    people = [*(person for entry in entries for person in entry.people), *free]
    number_namesakes(people)
    way = read_options(stage.parameters).partners
    context = {
        "club": tournament.club,
        "here": "tournaments",
        "tournament": tournament,
        "pairs": pairs,
        "begun": has_begun,
        "is_first_draft": has_begun and tournament.state == Tournament.State.SETUP,
        "early": is_early(tournament, timezone.now()),
        "is_over": tournament.state in (Tournament.State.FINISHED, Tournament.State.CANCELLED),
        "entries": entries,
        "form": form or EnterForm(tournament=tournament, free=free, pairs=pairs, late=has_begun),
        "pasted": pasted or PairsForm(like=like),
        "seeds": seeds or SeedsForm(),
        "places": PlacesForm(instance=tournament),
        "requests": requests_to_accept(tournament, entries),
        "by_season": SeasonForm(club=tournament.club),
        **_field_context(tournament, entries, stage, has_begun=has_begun),
        **_presence_context(tournament, entries, free),
        **_apart_context(tournament, entries, stage.format),
        **(_picking_context(tournament, entries, way) if way else {}),
    }
    labels = {person.pk: person.label for person in people}
    names = {entry.pk: as_partners(entry.people) for entry in entries}
    for key, texts in (("form", labels), ("by_hand", names), ("apart", names)):
        if context.get(key):
            _label_choices(context[key], texts)
    status = 422 if form or pasted or seeds or seed else 200
    return render(request, "tournaments/entries.html", context, status=status)


def _field_context(
    tournament: Tournament, entries: list[Entry], stage: Stage, *, has_begun: bool
) -> dict[str, Any]:
    """How many play, who of them has no partner, and whether the field can be seeded or drawn."""
    active = [entry for entry in entries if not entry.withdrawn_at]
    alone = sum(entry.partner_id is None for entry in active)
    needs_partners = stage.format in OF_PAIRS and alone > 0
    picks_partners = bool(read_options(stage.parameters).partners)
    return {
        "active": len(active),
        "alone": alone,
        "by_hand": PairForm(tournament=tournament) if needs_partners and alone > 1 else None,
        "seeded": stage.format in CLOSED and not (picks_partners or needs_partners),
        "complete": not has_begun and len(entries) > 1 and not needs_partners,
    }


def _label_choices(form: Form, labels: Mapping[int, str]) -> None:
    """Name the choices as the rest of the page does, namesakes by their numbers."""
    for field in form.fields.values():
        field.label_from_instance = lambda row: labels.get(row.pk, str(row))  # type: ignore[attr-defined]


def _entry_rows(
    tournament: Tournament, begun_stage: Stage | None, seed: tuple[int, SeedForm] | None
) -> list[Entry]:
    """The entries, each with the effect of withdrawing it and its refused seed form."""
    entries = list(tournament.entries.select_related("member", "partner").order_by("pk"))
    effects = if_withdrawn(load_stage(begun_stage)) if begun_stage else {}
    for entry in entries:
        entry.if_withdrawn = effects.get(entry.pk, "")  # type: ignore[attr-defined]
        entry.refused = seed[1] if seed and seed[0] == entry.pk else None  # type: ignore[attr-defined]
    return entries


def _presence_context(
    tournament: Tournament, entries: list[Entry], free: Iterable[Any]
) -> dict[str, Any]:
    """The number of checked-in players without an entry, who of the `free` is in no other session,
    and, if an entry has withdrawn, when a round was last drawn: whether that can be undone.

    Sets whether all of an entry are `here`.
    """
    entered_keys = {person.pk for entry in entries for person in entry.people}
    has_withdrawals = any(entry.withdrawn_at for entry in entries)
    here, elsewhere = set(present(tournament.session)), checked_in_elsewhere(tournament.session)
    for entry in entries:
        entry.here = here.issuperset(entry.people)  # type: ignore[attr-defined]
    return {
        "free": [one for one in free if one in here or one.pk not in elsewhere],
        "here_now": sum(member.pk not in entered_keys for member in here),
        "is_by_places": _is_by_places(tournament, entries),
        "last_drawn": tournament.last_drawn() if has_withdrawals else None,
    }


def _is_by_places(tournament: Tournament, entries: list[Entry]) -> bool:
    """Whether places decided who plays: after a seeding round, or in a final, where all are
    seeded. Then the others who are checked in are not to be entered."""
    is_seeded = bool(entries) and all(entry.seed for entry in entries)
    return tournament.follows_id is not None or is_seeded


def _apart_context(tournament: Tournament, entries: list[Entry], format: str) -> dict[str, Any]:
    """The entries kept apart and the form for more; empty if no later draw can keep them apart."""
    is_swiss = format == Stage.Format.SWISS
    can_keep_apart = is_swiss or (format in CLOSED and tournament.state == Tournament.State.SETUP)
    if not can_keep_apart or len(entries) < 2:
        return {}
    by_key = {entry.pk: entry for entry in entries}
    groups = _merge_pairs(entries_apart(tournament))
    return {
        "apart": ApartForm(tournament=tournament),
        "apart_every_round": is_swiss,
        "kept_apart": [[by_key[key] for key in group] for group in groups],
    }


def _merge_pairs(pairs: Iterable[frozenset[int]]) -> list[list[int]]:
    """The pairs merged into few groups in which every two members are one of the pairs."""
    remaining_pairs = {tuple(sorted(pair)) for pair in pairs}
    groups = []
    while remaining_pairs:
        group = list(min(remaining_pairs))
        for entry in sorted({entry for pair in remaining_pairs for entry in pair} - set(group)):
            if all((min(entry, other), max(entry, other)) in remaining_pairs for other in group):
                group.append(entry)
        remaining_pairs -= set(combinations(sorted(group), 2))
        groups.append(sorted(group))
    return groups


def _picking_context(tournament: Tournament, entries: list[Entry], way: str) -> dict[str, Any]:
    """After a seeding round: whose turn it is to pick, and who can be picked.

    Sets the `place` of each entry and sorts the entries by it.
    """
    places = seeding_places(tournament)
    by_key = {entry.pk: entry for entry in entries}
    for entry in entries:
        entry.place = places.get(entry.member_id)  # type: ignore[attr-defined]
    entries.sort(key=lambda entry: (entry.place is None, entry.place))  # type: ignore[attr-defined]
    picking = picking_of(tournament, places)
    return {
        "way": way,
        "picks": by_key.get(int(picking.picker or 0)),
        "choices": [by_key[int(key)] for key in picking.choices],
        "left_over": by_key.get(int(picking.alone or 0)),
    }


@require_POST
@club_page("organiser")
def tournament_enter(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Enter a player or a pair from the form."""
    tournament = tournament_of(club, public_id)
    pairs = stage_of(tournament).format in OF_PAIRS
    form = EnterForm(request.POST, tournament=tournament, free=not_entered(tournament), pairs=pairs)
    if form.is_valid():
        by, at = actor_of(request), timezone.now()
        for member in form.here_too:
            arrive(tournament.session, member, by=by, at=at, even_if_elsewhere=True)
        try:
            refuse_in_other_session(tournament, list(filter(None, form.cleaned_data.values())))
            if "way" not in request.POST and (page := _late_choice_url(tournament, form)):
                return redirect(page)
            actions.enter(tournament, **form.cleaned_data, by=by, at=at)
        except Refused as refused:
            if refused.code not in FULL:
                form.show_refusal(refused)
            elif page := _full_draw_url(tournament, form):
                return redirect(page)
        else:
            name = as_partners([member.name for member in form.cleaned_data.values() if member])
            text = _("Entered: %(name)s.") % {"name": name}
            messages.success(request, f"{text} {plays_from(stage_of(tournament))}".rstrip())
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, form)


def _full_draw_url(tournament: Tournament, form: EnterForm) -> str:
    """The page on how a pair can join a full draw; empty, with a form error, if it cannot."""
    try:
        refuse_full(load_stage(stage_of(tournament)))
    except Refused as refused:
        refused.show_in(form)
        return ""
    return _late_url(tournament, form)


def _late_choice_url(tournament: Tournament, form: EnterForm) -> str:
    """The same page if the pair would take another's bye in a bracket, or never meet somebody.

    Empty if entering the pair has no such cost.
    """
    state = load_stage(stage_of(tournament))
    if not form.cleaned_data.get("partner") or not state.published:
        return ""
    has_cost = available_bye(state) or missed_by_byes(state)
    return _late_url(tournament, form) if has_cost else ""


def _late_url(tournament: Tournament, form: EnterForm) -> str:
    query = {name: form.cleaned_data[name].public_id for name in ("member", "partner")}
    page = reverse("tournament_late", args=[tournament.club.slug, tournament.public_id])
    return f"{page}?{urlencode(query)}"


entry_button = tournament_button("tournament_entries", form_on="tournament_entries")


@entry_button
def tournament_enter_present(request: HttpRequest, tournament: Tournament) -> str:
    actions.enter_present(tournament, by=actor_of(request), at=timezone.now())
    return ""


@entry_button
def tournament_drop(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    actions.drop_entry(entry_of(tournament, entry), by=actor_of(request))
    return ""


@entry_button
def tournament_withdraw(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    row = entry_of(tournament, entry)
    actions.withdraw_entry(row, by=actor_of(request), at=timezone.now())
    text, state = _("%(names)s withdrew. Their results stay."), load_stage(stage_of(tournament))
    if row.pk in withdrawn_early(state):
        text = _("%(names)s withdrew. Their results are void.")
    text %= {"names": as_partners(row.people)}
    return f"{text} {open_match(state, row.pk)}".rstrip()


@entry_button
def tournament_return(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    """Undo a withdrawal."""
    returned = actions.return_entry(entry_of(tournament, entry), by=actor_of(request))
    return _("Undid the withdrawal of %(names)s.") % {"names": as_partners(returned.people)}


@require_POST
@club_page("organiser")
def tournament_seed(request: HttpRequest, club: Club, public_id: str, entry: int) -> HttpResponse:
    tournament = tournament_of(club, public_id)
    row, form = entry_of(tournament, entry), SeedForm(request.POST)
    if form.is_valid():
        seed = form.cleaned_data["seed"]
        try:
            actions.seed_entry(row, seed, by=actor_of(request))
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _seed_saved(row))
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, seed=(row.pk, form))


def _seed_saved(entry: Entry) -> str:
    text = _("%(names)s: seed %(n)d.") if entry.seed else _("%(names)s: no seed.")
    return text % {"names": as_partners(entry.people), "n": entry.seed}


@require_POST
@club_page("organiser")
def tournament_seeds(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Set the seeds from a pasted list of names."""
    tournament = tournament_of(club, public_id)
    form = SeedsForm(request.POST)
    if form.is_valid():
        try:
            lines = form.cleaned_data["names"].splitlines()
            count = actions.seed_by_list(tournament, lines, by=actor_of(request))
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _seeds_set_sentence(count))
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, seeds=form)


@entry_button
def tournament_seed_ratings(request: HttpRequest, tournament: Tournament) -> str:
    """Set the seeds by the ratings of the club."""
    by, at = actor_of(request), timezone.now()
    return _seeds_set_sentence(actions.seed_by_ratings(tournament, by=by, at=at))


@entry_button
def tournament_seed_season(request: HttpRequest, tournament: Tournament) -> str:
    """Set the seeds by the places of a season."""
    season = valid(SeasonForm(request.POST, club=tournament.club))["season"]
    by, at = actor_of(request), timezone.now()
    return _seeds_set_sentence(actions.seed_by_season(tournament, season, by=by, at=at))


def _seeds_set_sentence(count: int) -> str:
    return ngettext("Set %(n)d seed.", "Set %(n)d seeds.", count) % {"n": count}


@entry_button
def tournament_replace(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    """Replace a player of an entry."""
    players = valid(ReplaceForm(request.POST, club=tournament.club))
    row, by = entry_of(tournament, entry), actor_of(request)
    actions.replace_player(row, players["leaves"], players["comes"], by=by, at=timezone.now())
    return ""


def entry_of(tournament: Tournament, key: int) -> Entry:
    row = get_object_or_404(tournament.entries.select_related("member", "partner"), pk=key)
    row.tournament = tournament
    return row


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_keep_apart(request: HttpRequest, tournament: Tournament) -> str:
    data = valid(ApartForm(request.POST, tournament=tournament))
    actions.keep_apart(list(data["entries"]), by=actor_of(request))
    return _("Saved. The next draw keeps them apart.")


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_let_meet(request: HttpRequest, tournament: Tournament) -> str:
    data = valid(ApartForm(request.POST, tournament=tournament))
    actions.let_meet(list(data["entries"]), by=actor_of(request))
    return _("Saved. They may meet again.")
