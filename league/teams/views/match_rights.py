"""What a reader may do with the card of a match, whom it waits for, and who filled it in."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubRequest
from league.errors import typed_at
from league.members.audit_changes import action_word, changes
from league.members.audit_rows import actor_words
from league.members.models import AuditEntry, Club
from league.members.queries import audit_of
from league.play.models import Confirmation
from league.teams import actions
from league.teams.card import filled_in_by
from league.teams.match_forms import ReasonForm
from league.teams.models import LeagueDecision, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord
from league.teams.views.leagues import is_captain, may_run


def permissions(request: ClubRequest, match: TeamMatch, record: MatchRecord) -> dict[str, Any]:
    """What this reader may do with the card: write, confirm or dispute it."""
    is_organiser = may_run(request, match.league)
    side = captains_side(request, match)
    team = None if side is None else (match.home_id, match.away_id)[side]
    is_other_captain = team is not None and match.written_by_id != team
    captains_confirm = match.league.confirms != Club.Confirm.ORGANISER
    waits_for = captain_to_confirm(match, side) if record.waits else ""
    may_answer = record.waits and not waits_for
    may_confirm = may_answer and (is_organiser or (is_other_captain and captains_confirm))
    return {
        "may_write": (is_organiser or team is not None)
        and _is_writable(match, record, is_organiser=is_organiser),
        "may_confirm": may_confirm,
        "confirms_own": may_confirm and team is not None and not is_other_captain,
        "waits_for": waits_for,
        "enters_own": record.waits and is_other_captain and not is_organiser,
        "fixes_own": _may_fix_own(match, record, side) and not is_organiser,
        "corrects": not is_organiser and _may_correct(match, side),
        "may_object": (may_answer and (is_organiser or is_other_captain))
        or (record.counts and actions.may_object_later(match, side)),
        "object_form": ReasonForm(typed_at(request, _address("team_match_object", match))),
        **_copy_rights(match, team if record.is_disputed and captains_confirm else None),
    }


def _may_fix_own(match: TeamMatch, record: MatchRecord, side: int | None) -> bool:
    """Whether this side's captain may send a card of their own, or fix it, in a dispute."""
    is_second = side is not None and match.written_by_id == (match.away_id, match.home_id)[side]
    return is_second and record.is_disputed and not match.league.is_closed


def _may_correct(match: TeamMatch, side: int | None) -> bool:
    """Whether this side's captain may correct the card that the other one disputes."""
    return not match.league.is_closed and actions.may_correct(match, match.league, side)


def _copy_rights(match: TeamMatch, team: int | None) -> dict[str, bool]:
    """What this team's captain may do about a disputed card; None if nothing."""
    if team is None:
        return {"may_agree": False, "may_take_copy": False}
    return {
        "may_agree": match.copies.filter(team=team).exists(),
        "may_take_copy": match.written_by_id == team and match.copies.exists(),
    }


def _is_writable(match: TeamMatch, record: MatchRecord, *, is_organiser: bool) -> bool:
    """Whether the card can still be written: by a captain only until it is confirmed."""
    is_league_over = match.league.state in (TeamLeague.State.FINISHED, TeamLeague.State.CANCELLED)
    if is_league_over or match.is_given or record.is_off:
        return False
    return is_organiser or record.waits or match.is_untouched


def _address(name: str, match: TeamMatch) -> str:
    league = match.league
    return reverse(name, args=[league.club.slug, league.public_id, match.public_id])


def captains_side(request: ClubRequest, match: TeamMatch) -> int | None:
    """The side whose captain is the visitor: 0 at home, 1 away, or None."""
    sides = enumerate((match.home, match.away))
    return next((side for side, team in sides if is_captain(request, team)), None)


def other_captain_confirms(match: TeamMatch, side: int | None) -> bool:
    """Whether a card that this side's captain writes first waits for the other captain."""
    return side is not None and match.is_untouched and bool(_confirming_captain(match, side))


def captain_to_confirm(match: TeamMatch, side: int | None) -> str:
    """The name of the other captain, if the card is this side's and that captain can confirm it."""
    if side is None or match.written_by_id != (match.home_id, match.away_id)[side]:
        return ""
    return _confirming_captain(match, side)


def _confirming_captain(match: TeamMatch, side: int) -> str:
    """The name of the captain who can confirm this side's card; empty if nobody can."""
    team = (match.away, match.home)[side]
    if match.league.confirms != Club.Confirm.OPPONENT or not team.captain:
        return ""
    return team.captain.name if team.captain_has_account else ""


def signatures(
    match: TeamMatch, record: MatchRecord, decisions: list[LeagueDecision], request: ClubRequest
) -> dict[str, Any]:
    """Who filled in the card, who confirmed or decided it, and what was corrected since it counts,
    for those who belong to the club."""
    if not request.rank:
        return {}
    log = _card_log(match)
    entries = [entry for entry in log if entry.session_id == match.session_id]
    corrections = _corrections(entries)
    history = {"corrections": corrections, "history": _history(log)}
    if not record.counts:
        return history
    accepted = Confirmation.objects.filter(game__session=match.session_id, accepted=True)
    in_order = accepted.order_by("pk")
    agreed = in_order.first() if corrections else in_order.last()  # a correction accepts games too
    decided = next((one for one in decisions if one.at >= actions.card_since(match)), None)
    by_captain = match.written_by_id is not None
    fixed_since = agreed and decided and agreed.at > decided.at
    signed = {
        "filled_in": filled_in_by(match) if by_captain or not decided or fixed_since else "",
        "filled_in_at": agreed.at if agreed and not by_captain else match.received_at,
        "confirmed": agreed if by_captain and not decided else None,
        "decided": decided,
        **history,
    }
    return signed if by_captain or decided else signed | _correction(match, entries)


OF_CARDS = ("write match card", "correct match card", "dispute match card", "confirm match card",
            "settle disputed card", "give games", "order replay")  # fmt: skip


def _card_log(match: TeamMatch) -> list[AuditEntry]:
    """The entries of the activity log about a match's card, and those that no longer count because
    it was played again, the earliest first. One query."""
    entries = audit_of(match.league.club)
    replays = entries.filter(action="order replay", new__match=match.public_id)
    sessions = Q(session=match.session_id) if match.session_id else Q()
    sessions |= Q(session__in=replays.order_by().values("session"))
    return list(entries.filter(sessions, action__in=OF_CARDS).order_by("pk"))


def _history(entries: Sequence[AuditEntry]) -> list[dict[str, Any]]:
    """What happened to the card: who did what, when, and what changed. Empty if it was only
    entered and confirmed."""
    if all(entry.action in ("write match card", "confirm match card") for entry in entries):
        return []
    return [
        {
            "what": action_word(entry.action),
            "who": actor_words(entry),
            "at": entry.at,
            "changes": changes(entry),
        }
        for entry in entries
    ]


def open_disputes(match: TeamMatch) -> list[tuple[str, str]]:
    """Who disputes the card, and why."""
    disputes = Confirmation.objects.filter(
        game__session=match.session_id, accepted=False, settled_at=None
    )
    return sorted(set(disputes.values_list("said_as", "reason")))


def answered_dispute(match: TeamMatch, record: MatchRecord, request: ClubRequest) -> dict[str, Any]:
    """The latest dispute of a card that was corrected since, and the scores that changed: number of
    the game, old and new. Only until the card is confirmed, and for those who belong to the club.
    """
    if not (record.waits and request.rank):
        return {}
    disputes = Confirmation.objects.select_related("game").filter(
        game__session=match.session_id, accepted=False, decision=""
    )
    dispute = disputes.order_by("pk").last()
    return {"dispute": dispute, "corrected_games": _corrected_games(dispute)} if dispute else {}


def _corrected_games(dispute: Confirmation) -> list[tuple[int, str, str]]:
    """The number, old and new score of each game that the card has changed since a dispute."""
    entries = AuditEntry.objects.filter(
        session=dispute.game.session_id, action="correct match card", at__gte=dispute.at
    )
    return _changed_scores(entries.order_by("pk"))


def _corrections(entries: Iterable[AuditEntry]) -> list[dict[str, Any]]:
    """Each correction that an organiser has made since the card counts, the earliest first: who
    made it, when and why, and the games that it changed."""
    return [
        {
            "who": entry.actor,
            "at": entry.at,
            "why": (entry.new or {})["why"],
            "games": _changed_scores([entry]),
        }
        for entry in entries
        if entry.action == "correct match card" and "why" in (entry.new or {})
    ]


def _changed_scores(entries: Iterable[AuditEntry]) -> list[tuple[int, str, str]]:
    """The number, old and new score of each game that these corrections have changed."""
    old: dict[str, str] = {}
    new: dict[str, str] = {}
    for entry in entries:
        old = {**(entry.old or {}), **old}
        new |= entry.new or {}
    changed = [
        (int(game.removeprefix("game ")), _score_or_dash(score), _score_or_dash(new[game]))
        for game, score in old.items()
        if game.startswith("game ") and score != new[game]
    ]
    return sorted(changed)


def _score_or_dash(text: str) -> str:
    """A score of the activity log; a dash where it has none, as where a pair did not come."""
    return text if text[:1].isdigit() else "–"


def _correction(match: TeamMatch, entries: Iterable[AuditEntry]) -> dict[str, Any]:
    """Who filled in a card that an organiser has corrected since without a reason, and when each
    did."""
    actions = ("write match card", "correct match card")
    listed = [e for e in entries if e.action in actions and "why" not in (e.new or {})]
    if len(listed) < 2:
        return {}
    first, last = listed[0], listed[-1]
    who = match.written_as
    if (first.user_id, first.actor) != (last.user_id, last.actor):
        players = match.league.club.members.exclude(user=None).filter(user=first.user_id)
        who = next((player.name for player in players), "")
    return {
        "filled_in": _filled_in(match, who, first.user_id) if who else "",
        "filled_in_at": first.at,
        "corrected": {"who": match.written_as, "at": last.at},
    }


def _filled_in(match: TeamMatch, who: str, user_id: int | None) -> str:
    """Who filled in the card, with the team of which that user is captain."""
    for team in (match.home, match.away):
        if user_id and team.captain and team.captain.user_id == user_id:
            return _("Filled in by %(who)s of %(team)s.") % {"who": who, "team": team.name}
    return _("Filled in by %(who)s.") % {"who": who}
