"""The card of a match: filling it in, drawing its pairs, printing it; photographs of it."""

import secrets
from io import BytesIO
from struct import error as StructError  # noqa: N812 - an exception, named as one
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from PIL import Image, ImageOps

from league import limits
from league.access import ClubRequest, club_page
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.members.languages import in_clubs_language
from league.members.models import Club
from league.pairing import Rng
from league.play.models import Game
from league.teams import actions
from league.teams.card import decided_games, differing_games, meetings_of
from league.teams.card_form import CardForm
from league.teams.match_forms import PhotographForm
from league.teams.models import TeamMatch
from league.teams.queries import league_of, match_of, match_records, rules_of, target_of
from league.teams.text import carried_rule
from league.teams.views.leagues import SEEDS, may_run, run_action
from league.teams.views.match_rights import captains_side, open_disputes
from league.teams.views.matches import captain_page
from league.teams.views.teams import may_add_players


@require_http_methods(["GET", "HEAD", "POST"])
@captain_page
def team_card(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
    """Enter or correct the card of a match."""
    league = match.league
    (record,) = match_records([match], league)
    if record.is_off:
        messages.error(request, _("A team has left, so this match is not played."))
        return redirect("team_match", league.club.slug, league.public_id, match.public_id)
    copy = None if side is None else actions.copy_of(match, side)
    form = CardForm(
        request.POST or None,
        match=match,
        league=league,
        organiser=side is None,
        copy=copy,
        waives=may_run(request, league),
    )
    if form.is_valid():
        try:
            _save_card(request, match, form, side)
        except Refused as refused:
            refused.show_in(form)
        else:
            _report_saved(request, match, side)
            return redirect("team_match", league.club.slug, league.public_id, match.public_id)
    context = _card_context(request, match, form)
    context["disputes"] = open_disputes(match) if match.has_games(Game.State.DISPUTED) else []
    context["decided"] = [number + 1 for number in decided_games(match, league)]
    return render(request, "teams/card.html", context, status=422 if form.errors else 200)


def _save_card(request: ClubRequest, match: TeamMatch, form: CardForm, side: int | None) -> None:
    by, at, data = actor_of(request), timezone.now(), form.cleaned_data
    anyway = bool(data.get("anyway"))
    if data.get("reason"):
        reason = data["reason"]
        actions.correct_disputed_card(
            match, form.card(), reason=reason, by=by, at=at, anyway=anyway
        )
    else:
        why = data.get("why", "")
        actions.write_card(match, form.card(), side=side, by=by, at=at, anyway=anyway, reason=why)


def _report_saved(request: ClubRequest, match: TeamMatch, side: int | None) -> None:
    """Tell the user that the card is saved, and where it differs from the other captain's."""
    (record,) = match_records([match], match.league)
    differing = [] if side is None else differing_games(match, record)
    if record.is_disputed and differing:
        games = ", ".join(str(difference.number) for difference in differing)
        words = {"games": games}
        text = ngettext(
            "Your card is saved. It differs from the other captain's: game %(games)s.",
            "Your card is saved. It differs from the other captain's: games %(games)s.",
            len(differing),
        )
        messages.warning(request, text % words)
        return
    messages.success(request, _("Saved the card."))


@require_POST
@captain_page
def team_card_draw(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
    """Show the card as typed so far, with the chosen players of each team drawn into pairs."""
    waives = may_run(request, match.league)
    form = CardForm(match=match, league=match.league, organiser=side is None, waives=waives)
    form.initial.update({name: request.POST.get(name, "") for name in form.fields})
    form.draw_pairs(Rng(secrets.randbelow(SEEDS)))
    context = _card_context(request, match, form) | {"drawn": True}
    return render(request, "teams/card.html", context)


def _card_context(request: ClubRequest, match: TeamMatch, form: CardForm) -> dict[str, Any]:
    return {
        "club": match.league.club,
        "here": "leagues",
        "league": match.league,
        "match": match,
        "form": form,
        "adds_to": [team for team in (match.home, match.away) if may_add_players(request, team)],
    }


@require_safe
@club_page("member")
@in_clubs_language
def team_card_print(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
    """Two empty cards of a match to print, one for each captain."""
    league = league_of(club, public_id)
    fixture = match_of(league, match)
    context = {
        "club": club,
        "league": league,
        "match": fixture,
        "venue": fixture.venue or fixture.home.venue,
        "pairs": range(1, league.pairs + 1),
        "games": meetings_of(league),
        "target": target_of(league),
        "carried": carried_rule(rules_of(league)),
        "copies": [
            _("For the captain of %(team)s") % {"team": team.name}
            for team in (fixture.home, fixture.away)
        ],
    }
    return render(request, "teams/print_card.html", context)


UPLOAD_LIMIT = limits.Limit(most=20, within=limits.HOUR)
"""Per account: decoding a picture costs the server some time."""


@require_POST
@club_page("member")
def team_photograph_send(
    request: ClubRequest, club: Club, public_id: str, match: str
) -> HttpResponse:
    """Save a captain's photograph of the card, replacing their last one."""
    fixture = match_of(league_of(club, public_id), match)
    side = captains_side(request, fixture)
    if side is None:
        message = _("Only the captains of the two teams can send a photograph of the card.")
        raise Refused("not-captain", message, status=403)

    def send() -> str:
        limits.refuse_over(f"photographs:{request.user.pk}", UPLOAD_LIMIT)
        upload = valid(PhotographForm(request.POST, request.FILES))["photograph"]
        image = small_photograph(upload.read())
        actions.send_photograph(fixture, image, side=side, by=actor_of(request), at=timezone.now())
        return _("Sent the photograph.")

    run_action(request, send)
    return redirect("team_match", club.slug, public_id, match)


@require_safe
@captain_page
def team_photograph(
    request: ClubRequest, match: TeamMatch, side: int | None, *, team: str
) -> HttpResponse:
    """One team's photograph of the card, as a file."""
    photograph = get_object_or_404(match.photographs, team__public_id=team)
    return HttpResponse(
        bytes(photograph.image),
        content_type="image/jpeg",
        headers={"Content-Disposition": f'attachment; filename="card-{match.public_id}.jpg"'},
    )


SIDE_PIXELS = (1600, 1200, 800, 500)  # of the longer side, tried until the file is small enough
MOST_BYTES = 200_000  # at most 120 MB for 300 matches, which fits into a backup
MOST_PIXELS = 25_000_000
QUALITY = 70
DECODING_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    StructError,
    Image.DecompressionBombError,
)


def small_photograph(content: bytes) -> bytes:
    """Convert a photograph to an upright JPEG of at most `MOST_BYTES`, without metadata (place,
    time or camera). Refuses anything but a JPEG or PNG, and too many pixels."""
    try:
        with Image.open(BytesIO(content), formats=("JPEG", "PNG")) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                message = _("This photograph has too many pixels. Take it smaller, or crop it.")
                raise _refused("too-many-pixels", message)
            # A JPEG is then decoded at about that size.
            picture.draft("RGB", (SIDE_PIXELS[0], SIDE_PIXELS[0]))
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except DECODING_ERRORS as error:
        message = _("This is not a photograph the site can read. Choose a JPEG or PNG file.")
        raise _refused("no-photograph", message) from error
    plain = Image.new("RGB", upright.size, "white")
    plain.paste(upright, mask=upright)
    for side in SIDE_PIXELS:
        plain.thumbnail((side, side))
        jpeg = BytesIO()
        plain.save(jpeg, "JPEG", quality=QUALITY)
        if jpeg.tell() <= MOST_BYTES:
            return jpeg.getvalue()
    message = _("This photograph can't be made small enough. Take it again with just the card.")
    raise _refused("too-large", message)


def _refused(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"photograph": [message]})
