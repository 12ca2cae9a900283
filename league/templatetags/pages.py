"""Template tags of whole pages: style sheets, live updates, a new club's next step, sign-up."""

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db.models import Exists, OuterRef
from django.forms import BaseForm
from django.template import Context
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from league.access import reaches
from league.live.home import next_step
from league.live.paper import other_rules_of, other_rules_tonight
from league.live.place import newcomers
from league.live.revision import revision_url, version_tag
from league.members import sign_up
from league.members.models import Club, ClubRuleset, Member
from league.members.queries import public_club_of
from league.network import out_of_reach, previous_address
from league.seasons.models import Season
from league.seating.models import Round
from league.sessions.models import Session
from league.sessions.queries import SignUps
from league.standings.pot_accounts import has_moved_prizes
from league.standings.pot_queries import pot_sheets
from league.standings.pot_text import cancelling_texts, open_money_texts, season_debt_texts
from league.static_files import SHEETS, StaticNames, joined_sheet
from league.teams.models import TeamLeague
from league.teams.presets import leagues_behind
from league.teams.text import behind_line, deducted_line
from league.tournaments.entered import entered_in
from league.tournaments.games_of_matches import TableNotices, split_byes, table_notices
from league.tournaments.models import Tournament
from league.tournaments.queries import (
    latest_in,
    running_in,
    stage_of_round,
    tournament_names,
    waits_for_correction,
)
from league.tournaments.stage_state import load_stage

register = template.Library()
register.simple_tag(public_club_of)
register.filter("behind_line", behind_line)
register.filter("deducted_line", deducted_line)
OWN_STEPS = ("leagues", "tournaments")
EVENING = 6 * 60 * 60  # seconds
PLAIN = (str, int, bool, type(None))


@register.simple_tag
def cached_part(name: str, **values: Hashable) -> SafeString:
    """`{% cached_part "parts/_footer.html" zone=club.time_zone %}`: a part of the page that depends
    on nothing but these plain values and the language, not even on the request."""
    render = _rendered.__wrapped__ if settings.DEBUG else _rendered
    return render(name, get_language(), tuple(values.items()))


@lru_cache(maxsize=1000)
def _rendered(
    name: str, _language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    if not all(isinstance(value, PLAIN) for _name, value in values):
        raise TypeError(f"{name} is given what can change and stay equal: {values}")
    # A SafeString equals the plain string in the cache key, so it is rendered as a plain string.
    texts = {key: str.__str__(v) if isinstance(v, SafeString) else v for key, v in values}
    return render_to_string(name, texts)


@register.simple_tag(takes_context=True)
def competitions(context: Context) -> dict[str, bool]:
    """`{% competitions as menu %}`: whether the menu leads to tournaments and to leagues: always
    for members, without a query; for visitors if the club has any, in one."""
    club, request = context.get("club"), context.get("request")
    if not isinstance(club, Club) or getattr(request, "rank", "") is not None:
        return {"has_tournaments": True, "has_leagues": True}
    tournaments = Exists(Tournament.objects.filter(club=OuterRef("pk")))
    leagues = Exists(TeamLeague.objects.filter(club=OuterRef("pk")))
    found = Club.objects.filter(pk=club.pk).values_list(tournaments, leagues).get()
    return {"has_tournaments": found[0], "has_leagues": found[1]}


@register.simple_tag
def tournaments_in(nights: Iterable[Any]) -> dict[int, str]:
    """`{% tournaments_in nights as tournaments %}`: the names of the tournaments of these sessions,
    or of those of these sign-ups, as `{{ tournaments|of:club_session }}`."""
    return tournament_names([getattr(night, "club_session", night) for night in nights or ()])


@register.simple_tag
def own_entries(player: Member | None, nights: SignUps | Iterable[SignUps]) -> dict[int, str]:
    """`{% own_entries player nights as own %}`: that a player has entered the tournaments of the
    sessions of these sign-ups, as `{{ own|of:club_session }}`."""
    nights = [nights] if isinstance(nights, SignUps) else nights or ()
    return entered_in([night.club_session for night in nights], player)


@register.inclusion_tag("parts/_live.html", takes_context=True)
def live_status(context: dict[str, Any], club_session: Session) -> dict[str, Any]:
    """`{% live_status club_session %}`: watches the session, and updates elements marked
    `data-live`.

    Use it only on pages with access control: the URL that it contains needs no sign-in.
    """
    role = getattr(context.get("request"), "role_id", None) or 0
    url, tag = revision_url(club_session, role), version_tag(club_session.revision)
    return {"revision_url": url, "revision": tag}


@register.inclusion_tag("parts/_first_night.html", takes_context=True)
def first_night(context: dict[str, Any]) -> dict[str, Any]:
    """The next step of a new club. Empty for older clubs, below the rank of organiser, once it is
    hidden, and on pages of leagues and tournaments, which have steps of their own."""
    club, request = context.get("club"), context.get("request")
    if not isinstance(club, Club) or not club.guided or context.get("here") in OWN_STEPS:
        return {}
    if not reaches(getattr(request, "rank", None), "organiser"):
        return {}
    match = getattr(request, "resolver_match", None)
    return {
        "step": next_step(club),
        "club": club,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "at": match.url_name if match else "",
    }


@register.simple_tag
def steps_are_hidden(club: Club) -> bool:
    """`{% steps_are_hidden club as hidden %}`: whether a club that still has steps of its first
    evening to go hides them."""
    return not club.guided and next_step(club) is not None


@register.simple_tag
def tournament_on(club_session: Session) -> Tournament | None:
    """`{% tournament_on club_session as tournament %}`: the tournament that seats its players."""
    return running_in(club_session)


@register.simple_tag
def byes_and_others(
    published: Round | None, waiting: Sequence[Member]
) -> tuple[list[list[Member]], list[Member], bool]:
    """`{% byes_and_others published waiting as bench %}`: of the players waiting, those with a bye
    in the tournament of this round, by entry; the others; and whether these wait in a bracket."""
    stage = stage_of_round(published) if published and waiting else None
    state = load_stage(stage) if stage else None
    byes, others = split_byes(state, waiting, seats_shown=True)
    return byes, others, state is not None and state.in_bracket


@register.simple_tag
def outdated_tournament(club_session: Session) -> Tournament | None:
    """`{% outdated_tournament club_session as outdated %}`: its latest tournament, if the bracket
    does not follow a corrected result yet."""
    tournament = latest_in(club_session)
    return tournament if tournament and waits_for_correction(tournament) else None


@register.simple_tag
def notices_of_tables(club_session: Session) -> TableNotices:
    """`{% notices_of_tables club_session as noticed %}`: what the tied and corrected matches of its
    latest tournament still need."""
    return table_notices(club_session)


@register.inclusion_tag("seating/_rules_tonight.html")
def rules_tonight(club: Club) -> dict[str, Any]:
    """`{% rules_tonight club %}`: a line for each open session that plays other house rules
    than the club's."""
    return {"club": club, "nights": other_rules_tonight(club)}


@register.inclusion_tag("seating/_rules_tonight.html")
def rules_of_session(club_session: Session, own: Iterable[ClubRuleset]) -> dict[str, Any]:
    """`{% rules_of_session club_session club_session.rulesets.all %}`: such a line for a session
    with rules of its own."""
    return {"club": club_session.club, "nights": other_rules_of(club_session, own)}


@register.inclusion_tag("standings/_moved_prizes.html")
def moved_prizes(scope: Session | Season, of_season: bool = True) -> dict[str, Any]:
    """`{% moved_prizes club_session %}`: for organisers, a line if a player of the session, or of
    its season, has received a prize that a correction since has moved, with a link to settle up."""
    club, at = scope.club, timezone.now()
    scopes: list[Session | Season] = [scope]
    if isinstance(scope, Session) and scope.season and of_season:
        scopes.append(scope.season)
    moved = (one for one in scopes if club.keeps_pots and has_moved_prizes(one, at=at))
    found = next(moved, None)
    return {"club": club, "scope": found, "is_season": isinstance(found, Season)}


@register.inclusion_tag("standings/_open_money.html")
def open_money(club_session: Session, cancelling: bool = False) -> dict[str, Any]:
    """`{% open_money club_session %}`: for organisers, what is open in the session's pots, with a
    link to them; or what of their payments would go back if it were cancelled."""
    club, season = club_session.club, club_session.season
    texts: list[str] = []
    of_season: list[str] = []
    if club.keeps_pots:
        found = pot_sheets(club_session, at=timezone.now())
        texts = cancelling_texts(found, club) if cancelling else open_money_texts(found, club)
        if season and club_session.has_been_open and not cancelling:
            is_open = club_session.state == Session.State.OPEN  # stakes are paid at its door
            of_season = season_debt_texts(season, at=timezone.now(), with_stakes=is_open)
    words = {"texts": [*texts, *of_season], "of_session": texts, "season": of_season and season}
    return {"club": club, "club_session": club_session, **words}


@register.inclusion_tag("parts/_no_phones.html", takes_context=True)
def no_phones(context: dict[str, Any]) -> dict[str, Any]:
    """`{% no_phones %}`: a warning if phones cannot reach the address in the codes of this page,
    with the address to use instead, or if the address of the club's laptop changed tonight."""
    moved = settings.LAPTOP and previous_address(within=EVENING)
    return {
        "trouble": out_of_reach(context["request"]),
        "laptop": settings.LAPTOP,
        "moved": moved,
    }


@register.inclusion_tag("teams/_leagues_behind.html", takes_context=True)
def leagues_playing_older(context: dict[str, Any], newest: ClubRuleset) -> dict[str, Any]:
    """`{% leagues_playing_older chosen %}`: a line for each league that plays by an older version
    of these house rules."""
    return {"leagues": leagues_behind(newest), "may_edit": context.get("may_edit")}


@register.simple_tag
def sheets(name: str) -> SafeString:
    """`{% sheets "site" %}`: links to the style sheets of this name in `SHEETS`."""
    is_joined = isinstance(staticfiles_storage, StaticNames)
    names = [joined_sheet(name)] if is_joined else [f"css/{part}.css" for part in SHEETS[name]]
    links = ((staticfiles_storage.url(sheet),) for sheet in names)
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', links)


@register.simple_tag
def linked(text: str, address: str = "") -> str:
    """`{% linked label at.board %}`: the label, as a link if the visitor may open the page."""
    return format_html('<a href="{}">{}</a>', address, text) if address else text


register.filter("newcomers", newcomers)


@register.filter
def and_list(names: Iterable[object]) -> str:
    """Names as in a sentence: "Rose, Ted and Ann"."""
    return get_text_list([str(name) for name in names], _("and"))


PAGE_NAMES = {
    "audit": _lazy("Activity log"),
    "board": _lazy("Board"),
    "checkin": _lazy("Check-in"),
    "club": _lazy("Club home"),
    "club_files": _lazy("Import and export"),
    "club_settings": _lazy("Settings"),
    "members": _lazy("Players"),
    "paper": _lazy("Paper"),
    "roles": _lazy("Roles and invitations"),
    "rulesets": _lazy("House rules"),
    "seating": _lazy("Seating"),
    "session": _lazy("Tonight's session"),
    "session_edit": _lazy("Session settings"),
    "session_standings": _lazy("Standings"),
    "sessions": _lazy("Sessions"),
    "standings": _lazy("Season standings"),
    "team_leagues": pgettext_lazy("menu", "Leagues"),
    "tournaments": _lazy("Tournaments"),
}


@register.simple_tag(takes_context=True)
def goes_to(context: Context, *names: str) -> str:
    """`{% goes_to "board" %}`: links to the pages an answer of the help names, where the visitor
    may open them."""
    pages = [(context["at"][name], PAGE_NAMES[name]) for name in names if name in context["at"]]
    joined = format_html_join(" · ", '<a href="{}">{}</a>', pages)
    return format_html("<br>{}", joined) if pages else ""


@register.simple_tag(takes_context=True)
def by_organisers(context: Context) -> str:
    """`{% by_organisers %}`: leads what only organisers can do, for everybody else."""
    if context["organises"]:
        return ""
    note = '<p class="soft" data-note="{}">{}</p>'
    return format_html(note, _("Organisers do this."), _("Organisers do this. Ask one of them."))


@register.filter
def faults(form: BaseForm) -> int:
    """`{{ form|faults }}`: the number of lines in a form's summary of errors: one per field that is
    visible, however many messages it has, and one per message elsewhere."""
    one_line = {field.name for field in form.visible_fields()}
    return sum(1 if name in one_line else len(errors) for name, errors in form.errors.items())


@register.simple_tag(takes_context=True)
def may_sign_up(context: Context) -> bool:
    """Whether the visitor may create an account."""
    return sign_up.may_sign_up(context["request"])


@register.simple_tag
def anyone_starts_clubs() -> bool:
    """Whether every account may start a club."""
    return bool(settings.START_CLUB == "anyone")


@register.simple_tag
def site_contact() -> str:
    """How to reach the person who runs the site; "" if not set."""
    return str(settings.CONTACT)
