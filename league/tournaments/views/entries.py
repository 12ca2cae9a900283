"""Who plays: entries, partners, seeds, withdrawals, and entries kept apart."""

import secrets
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
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
from league.members.models import Club
from league.sessions.queries import present
from league.tournaments import actions
from league.tournaments.actions.public_entry import RequestedNames
from league.tournaments.draws.groups import struck_in
from league.tournaments.draws.knockout import bye_taken
from league.tournaments.draws.late import FULL, missed_by_byes, refuse_full
from league.tournaments.entry_forms import (
    AcceptForm,
    ApartForm,
    EnterForm,
    PairForm,
    PickForm,
    PlacesForm,
    ReplaceForm,
    SeasonForm,
    SeedForm,
    SeedsForm,
)
from league.tournaments.models import Entry, EntryRequest, Stage, Tournament
from league.tournaments.parameters import chosen
from league.tournaments.queries import (
    entries_apart,
    in_groups,
    not_entered,
    requests_of,
    stage_of,
    tournament_of,
)
from league.tournaments.stage_state import CLOSED, OF_PAIRS, load_stage
from league.tournaments.standing import picking_of, placed
from league.tournaments.text import if_withdrawn
from league.tournaments.views.rounds import SEEDS, tournament_button


@require_safe
@club_page("organiser")
def tournament_entries(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The list of entries."""
    return entries_page(request, tournament_of(club, public_id))


def entries_page(
    request: HttpRequest,
    tournament: Tournament,
    form: EnterForm | None = None,
    *,
    seeds: SeedsForm | None = None,
    seed: tuple[int, SeedForm] | None = None,
) -> HttpResponse:
    stage = stage_of(tournament)
    pairs = stage.format in OF_PAIRS
    free, begun = not_entered(tournament), stage.rounds.exists()
    entries = _listed(tournament, stage if begun else None, seed)
    alone = sum(entry.partner_id is None and not entry.withdrawn_at for entry in entries)
    context = {
        "club": tournament.club,
        "here": "tournaments",
        "tournament": tournament,
        "pairs": pairs,
        "seeded": stage.format in CLOSED and not (tournament.follows_id or (pairs and alone)),
        "begun": begun,
        "is_over": tournament.state in (Tournament.State.FINISHED, Tournament.State.CANCELLED),
        "complete": not begun and len(entries) > 1 and not (pairs and alone),
        "entries": entries,
        "alone": alone,
        "by_hand": PairForm(tournament=tournament) if pairs and alone > 1 else None,
        "free": list(free),
        "form": form or EnterForm(free=free, pairs=pairs),
        "seeds": seeds or SeedsForm(),
        "places": PlacesForm(instance=tournament),
        "requests": _requests(tournament),
        "by_season": SeasonForm(club=tournament.club),
        **_comings(tournament, entries),
        **_apart(tournament, entries, stage.format),
        **_seeding(tournament, entries),
    }
    status = 422 if form or seeds or seed else 200
    return render(request, "tournaments/entries.html", context, status=status)


def _listed(
    tournament: Tournament, begun: Stage | None, seed: tuple[int, SeedForm] | None
) -> list[Entry]:
    """The entries, each with what withdrawing it would mean and its refused seed."""
    entries = list(tournament.entries.select_related("member", "partner").order_by("pk"))
    means = if_withdrawn(load_stage(begun)) if begun else {}
    for entry in entries:
        entry.if_withdrawn = means.get(entry.pk, "")  # type: ignore[attr-defined]
        entry.refused = seed[1] if seed and seed[0] == entry.pk else None  # type: ignore[attr-defined]
    return entries


def _comings(tournament: Tournament, entries: list[Entry]) -> dict[str, Any]:
    """How many are here without an entry; the last round drawn, where somebody has withdrawn."""
    entered = {person.pk for entry in entries for person in entry.people}
    withdrawn = any(entry.withdrawn_at for entry in entries)
    return {
        "here_now": sum(member.pk not in entered for member in present(tournament.session)),
        "last_drawn": tournament.last_drawn() if withdrawn else None,
    }


def _requests(tournament: Tournament) -> list[tuple[EntryRequest, int, AcceptForm]]:
    """Who asked to enter, the number on the waiting list, and what has to be said to enter them."""
    requests = requests_of(tournament)
    if not requests:
        return []
    names = RequestedNames(tournament.club)
    return [(one, waits, AcceptForm(entry_request=one, names=names)) for one, waits in requests]


def _apart(tournament: Tournament, entries: list[Entry], format: str) -> dict[str, Any]:
    """Where a draw to come can keep entries apart: those it does, and the form for more."""
    swiss = format == Stage.Format.SWISS
    in_time = swiss or (format in CLOSED and tournament.state == Tournament.State.SETUP)
    if not in_time or len(entries) < 2:
        return {}
    named = {entry.pk: entry for entry in entries}
    groups = in_groups(entries_apart(tournament))
    return {
        "apart": ApartForm(tournament=tournament),
        "apart_every_round": swiss,
        "kept_apart": [[named[key] for key in group] for group in groups],
    }


def _seeding(tournament: Tournament, entries: list[Entry]) -> dict[str, Any]:
    """After a seeding round: everybody's place in it, and whose turn it is to pick."""
    if tournament.follows_id is None:
        return {}
    places = placed(tournament)
    named = {entry.pk: entry for entry in entries}
    for one in entries:
        one.place = places.get(one.member_id)  # type: ignore[attr-defined]
    entries.sort(key=lambda one: (one.place is None, one.place))  # type: ignore[attr-defined]
    picking = picking_of(tournament, places)
    return {
        "way": chosen(stage_of(tournament).parameters).partners,
        "picks": named.get(int(picking.picker or 0)),
        "choices": [named[int(key)] for key in picking.choices],
        "left_over": named.get(int(picking.alone or 0)),
    }


@require_POST
@club_page("organiser")
def tournament_enter(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One more entry, from the form."""
    tournament = tournament_of(club, public_id)
    pairs = stage_of(tournament).format in OF_PAIRS
    form = EnterForm(request.POST, free=not_entered(tournament), pairs=pairs)
    if form.is_valid():
        if "way" not in request.POST and (page := _page_of_two_ways(tournament, form)):
            return redirect(page)
        try:
            actions.enter(tournament, **form.cleaned_data, by=actor_of(request), at=timezone.now())
        except Refused as refused:
            if refused.code not in FULL:
                refused.show_in(form)
            elif page := _full_draw_page(tournament, form):
                return redirect(page)
        else:
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, form)


def _full_draw_page(tournament: Tournament, form: EnterForm) -> str:
    """Where it is seen how a pair can come into a full draw; empty, with the reason in the form,
    where it cannot."""
    try:
        refuse_full(load_stage(stage_of(tournament)))
    except Refused as refused:
        refused.show_in(form)
        return ""
    return _page_for(tournament, form)


def _page_of_two_ways(tournament: Tournament, form: EnterForm) -> str:
    """The same where a pair that takes the byes to come would never meet somebody, or takes the
    bye of another in a bracket."""
    state = load_stage(stage_of(tournament))
    if not form.cleaned_data.get("partner") or not state.published:
        return ""
    costs = bye_taken(state) or missed_by_byes(state)
    return _page_for(tournament, form) if costs else ""


def _page_for(tournament: Tournament, form: EnterForm) -> str:
    query = {name: form.cleaned_data[name].public_id for name in ("member", "partner")}
    page = reverse("tournament_late", args=[tournament.club.slug, tournament.public_id])
    return f"{page}?{urlencode(query)}"


entry_button = tournament_button("tournament_entries", form_on="tournament_entries")


@entry_button
def tournament_enter_present(request: HttpRequest, tournament: Tournament) -> str:
    actions.enter_present(tournament, by=actor_of(request), at=timezone.now())
    return ""


@entry_button
def tournament_draw_partners(request: HttpRequest, tournament: Tournament) -> str:
    made = actions.draw_partners(tournament, seed=secrets.randbelow(SEEDS), by=actor_of(request))
    return _made(made)


@entry_button
def tournament_pair_up(request: HttpRequest, tournament: Tournament) -> str:
    """Two players who will play together, chosen by hand."""
    both = valid(PairForm(request.POST, tournament=tournament))
    made = actions.pair_up(tournament, both["one"], both["other"], by=actor_of(request))
    names = [member.name for member in made.people]
    return _("%(one)s and %(other)s are a pair.") % {"one": names[0], "other": names[1]}


@entry_button
def tournament_by_places(request: HttpRequest, tournament: Tournament) -> str:
    """Make the pairs by the places of the seeding round."""
    seed = secrets.randbelow(SEEDS)
    return _made(actions.pair_by_places(tournament, seed=seed, by=actor_of(request)))


def _made(pairs: list[Entry]) -> str:
    return ngettext("Made %(n)d pair.", "Made %(n)d pairs.", len(pairs)) % {"n": len(pairs)}


@entry_button
def tournament_pick(request: HttpRequest, tournament: Tournament) -> str:
    """The player whose turn it is has picked a partner."""
    partner = valid(PickForm(request.POST, tournament=tournament))["partner"]
    actions.pick_partner(tournament, partner, by=actor_of(request))
    return ""


@entry_button
def tournament_part(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    actions.part_partners(_entry(tournament, entry), by=actor_of(request))
    return ""


@entry_button
def tournament_drop(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    actions.drop_entry(_entry(tournament, entry), by=actor_of(request))
    return ""


@entry_button
def tournament_withdraw(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    gone = actions.withdraw_entry(
        _entry(tournament, entry), by=actor_of(request), at=timezone.now()
    )
    text = _("%(names)s withdrew. Their results stay.")
    if gone.pk in struck_in(load_stage(stage_of(tournament))):
        text = _("%(names)s withdrew. Their results are void.")
    return text % {"names": as_partners(gone.people)}


@entry_button
def tournament_return(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    """Undo a withdrawal."""
    back = actions.return_entry(_entry(tournament, entry), by=actor_of(request))
    return _("Undid the withdrawal of %(names)s.") % {"names": as_partners(back.people)}


@require_POST
@club_page("organiser")
def tournament_seed(request: HttpRequest, club: Club, public_id: str, entry: int) -> HttpResponse:
    tournament = tournament_of(club, public_id)
    row, form = _entry(tournament, entry), SeedForm(request.POST)
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
    """Seeds from a pasted list of names."""
    tournament = tournament_of(club, public_id)
    form = SeedsForm(request.POST)
    if form.is_valid():
        try:
            lines = form.cleaned_data["names"].splitlines()
            count = actions.seed_by_list(tournament, lines, by=actor_of(request))
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _seeded(count))
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, seeds=form)


@entry_button
def tournament_seed_ratings(request: HttpRequest, tournament: Tournament) -> str:
    """Seeds by the ratings of the club."""
    by, at = actor_of(request), timezone.now()
    return _seeded(actions.seed_by_ratings(tournament, by=by, at=at))


@entry_button
def tournament_seed_season(request: HttpRequest, tournament: Tournament) -> str:
    """Seeds by the places of a season."""
    season = valid(SeasonForm(request.POST, club=tournament.club))["season"]
    by, at = actor_of(request), timezone.now()
    return _seeded(actions.seed_by_season(tournament, season, by=by, at=at))


def _seeded(count: int) -> str:
    return ngettext("Set %(n)d seed.", "Set %(n)d seeds.", count) % {"n": count}


@entry_button
def tournament_replace(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    """Another player plays on in an entry."""
    players = valid(ReplaceForm(request.POST, club=tournament.club))
    row, by = _entry(tournament, entry), actor_of(request)
    actions.replace_player(row, players["leaves"], players["comes"], by=by, at=timezone.now())
    return ""


def _entry(tournament: Tournament, key: int) -> Entry:
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
