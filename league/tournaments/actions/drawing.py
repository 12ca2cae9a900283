"""Drawing a round and publishing it: a draft of the seating's own, with pairings beside it."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor, note
from league.pairing.seating import Composition
from league.seating.actions import publish
from league.seating.asking import rule_for
from league.seating.models import Round, Seat, Table
from league.seating.queries import draft_of, live_tables
from league.sessions.actions import bump
from league.tournaments.actions.setup import locked
from league.tournaments.draws import FORMATS, Drawn, DrawnTable
from league.tournaments.draws.groups import seeds_of
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.late_bracket import by_seed_and_lot
from league.tournaments.models import (
    Bye,
    Entry,
    Match,
    MatchGame,
    MatchSide,
    Stage,
    StageRound,
    Tournament,
)
from league.tournaments.picture import Picture, picture_of
from league.tournaments.rulesets import rules_at
from league.tournaments.ties import cut_ties, refuse_ties

PLANNER = "tournament"


@transaction.atomic
def draw_round(tournament: Tournament, *, by: Actor, seed: int) -> StageRound:
    """Draw the next round, replacing the draft there was. Nobody sees it before it is published.

    Refuses while a match of the last round is open (`round-open`, unless it was forced), while a
    tie has not been decided (`tie-open`), and when the format has no more rounds.
    """
    fresh = locked(tournament)
    clear_draft(fresh)  # before the stage is read: a card of the old draft goes with it
    stage = fresh.stages.order_by("number").last()
    if stage is None:
        raise Refused("no-stage", _("This tournament has no format yet."), status=409)
    stage.tournament = fresh
    if not stage.rounds.exists():
        number_entries(fresh, seed)
    picture = picture_of(stage)
    _refuse_open(picture)
    _refuse_without_partner(picture)
    refuse_ties(picture)
    if cut_ties(picture, seed=seed, by=by):
        picture = picture_of(stage)
    drawn = FORMATS[stage.format](picture, seed, lambda people: _sizes(fresh, people))
    made = _save(stage, picture, drawn, seed)
    if drawn.card is not None:
        stage.cards = [*stage.cards, picture.by_numbers(drawn.card)]
        stage.save(update_fields=["cards"])
    what = {"round": made.number, "seed": seed}
    note(fresh.club, by, "draw tournament round", fresh, session=fresh.session, new=what)
    bump(fresh.session)
    return made


@transaction.atomic
def discard_draw(tournament: Tournament, *, by: Actor) -> None:
    """Throw the drafted round away."""
    fresh = locked(tournament)
    clear_draft(fresh)
    note(fresh.club, by, "discard tournament draw", fresh, session=fresh.session)
    bump(fresh.session)


@transaction.atomic
def publish_draw(
    tournament: Tournament, *, by: Actor, at: datetime, version: int | None = None
) -> StageRound:
    """Make the drafted round the room; refuses what seating refuses (people gone, say)."""
    fresh = locked(tournament)
    draft = StageRound.objects.filter(
        stage__tournament=fresh, seating__state=Round.State.DRAFT
    ).select_related("seating__session", "stage")
    row = draft.first()
    if row is None:
        raise Refused("draft-gone", _("There is no draft any more."), status=409)
    _fix_bracket(row)
    publish(row.seating, by=by, at=at, version=version, of_tournament=True)
    fresh.state = Tournament.State.RUNNING
    fresh.save(update_fields=["state"])
    row.refresh_from_db()
    return row


def _fix_bracket(row: StageRound) -> None:
    """Once its successor is published a match of a bracket stands, whatever is corrected later.

    Refuses when a correction since the draw has changed who goes on.
    """
    picture = picture_of(row.stage)
    if picture.bracket_from is None or row.number < picture.bracket_from:
        return
    ready = {frozenset((one.first, one.second)) for one in bracket_of(picture).ready()}
    drafted = picture.draft.matches if picture.draft else ()
    begins = row.stage.format == Stage.Format.GROUPS and row.number == picture.bracket_from
    same = not begins or list(seeds_of(picture)) == picture.cards[0]["players"]
    if not same or not all(frozenset(match.entries) in ready for match in drafted):
        message = _("A result has changed since this was drawn. Draw again.")
        raise Refused("result-changed", message, status=409)
    for match in picture.matches:
        in_bracket = match.label in bracket_of(picture).matches
        if in_bracket and match.winner is None and match.over and match.first is not None:
            Match.objects.filter(pk=match.key).update(winner=match.first)


def number_entries(fresh: Tournament, seed: int) -> None:
    """Give the entries their places in the draw: seeds first, in order, the others by lot."""
    there = {entry.pk: entry for entry in fresh.entries.all()}
    entries = [there[key] for key in by_seed_and_lot(there.values(), seed)]
    fresh.entries.update(number=None)
    for number, entry in enumerate(entries, 1):
        entry.number, entry.late = number, False  # an earlier draw was thrown away
    Entry.objects.bulk_update(entries, ["number", "late"])


def people_at(table: DrawnTable, entries: dict[int, Entry]) -> list[int]:
    """The members on the chairs of a drawn table, in order."""
    chairs: dict[int, int] = {}
    for position, key in table.sides:
        entry = entries[key]
        chairs[position] = entry.member_id
        if entry.partner_id is not None:
            chairs[position + 2] = entry.partner_id
    return [chairs[position] for position in sorted(chairs)]


def seat_table(
    stage: Stage, round_: Round, number: int, members: Iterable[int], *, head: bool
) -> Table:
    """A table of a draft with its people."""
    people = list(members)
    table = Table.objects.create(
        session_id=round_.session_id,
        round=round_,
        number=number,
        players=len(people),
        ruleset=rules_at(stage, len(people), head=head),
    )
    Seat.objects.bulk_create(
        Seat(session_id=round_.session_id, table=table, position=place, member_id=member)
        for place, member in enumerate(people)
    )
    return table


def new_round(fresh: Tournament, seed: int, releases: list[Table]) -> Round:
    """An empty seating draft of the tournament; a draft of the club night's gives way."""
    old = draft_of(fresh.session)
    if old is not None:
        old.delete()
    last = fresh.session.rounds.exclude(state=Round.State.WITHDRAWN).order_by("-number").first()
    round_ = Round.objects.create(
        session=fresh.session,
        number=last.number + 1 if last else 1,
        seed=seed,
        planner=PLANNER,
        by_tournament=True,
    )
    round_.releases.set(releases)
    return round_


def free_numbers(fresh: Tournament, releases: list[Table], count: int) -> list[int]:
    """The lowest table numbers that are free once these tables end."""
    staying = fresh.session.tables.filter(is_live=True).exclude(pk__in=[t.pk for t in releases])
    taken = set(staying.values_list("number", flat=True))
    return [n for n in range(1, count + len(taken) + 1) if n not in taken][:count]


def clear_draft(fresh: Tournament) -> None:
    """Take the draft away, with the card that was drawn up for it."""
    for row in StageRound.objects.filter(
        stage__tournament=fresh, seating__state=Round.State.DRAFT
    ).select_related("stage", "seating"):
        stage = row.stage
        stage.cards = [card for card in stage.cards if card["from"] < row.number]
        stage.save(update_fields=["cards"])
        row.seating.delete()


def _save(stage: Stage, picture: Picture, drawn: Drawn, seed: int) -> StageRound:
    fresh = stage.tournament
    releases = [t for t in live_tables(fresh.session) if t.round.by_tournament or t.done]  # type: ignore[attr-defined]
    round_ = new_round(fresh, seed, releases)
    row = StageRound.objects.create(
        stage=stage, number=len(picture.published) + 1, label=drawn.label, seating=round_
    )
    seated = [table for table in drawn.tables if table.winner is None]
    numbers = iter(free_numbers(fresh, releases, len(seated)))
    for place, table in enumerate(drawn.tables, 1):
        match = _save_match(row, place, table)
        if table.winner is None:
            people = people_at(table, picture.entries)
            at = seat_table(stage, round_, next(numbers), people, head=place == 1)
            MatchGame.objects.create(match=match, table=at)
    Bye.objects.bulk_create(Bye(stage_round=row, entry_id=one) for one in drawn.byes)
    out = [member for one in drawn.byes for member in picture.entries[one].people]
    round_.sits_out.set(out)
    return row


def _save_match(row: StageRound, place: int, table: DrawnTable) -> Match:
    walkover = table.winner is not None
    match = Match.objects.create(
        stage_round=row,
        number=place,
        label=table.label,
        winner=table.winner,
        decided_by=Match.By.WALKOVER if walkover else Match.By.PLAY,
    )
    MatchSide.objects.bulk_create(
        MatchSide(match=match, entry_id=entry, position=position) for position, entry in table.sides
    )
    return match


def _sizes(fresh: Tournament, people: int) -> Composition:
    return rule_for(fresh.club, people)


def _refuse_open(picture: Picture) -> None:
    if picture.last is None or picture.last.forced or not picture.last.open:
        return
    count = len(picture.last.open)
    message = ngettext(
        "%(n)d table of the last round is not done yet.",
        "%(n)d tables of the last round are not done yet.",
        count,
    )
    raise Refused("round-open", message % {"n": count}, status=409)


def _refuse_without_partner(picture: Picture) -> None:
    if not picture.of_pairs:
        return
    alone = [one.member.name for one in picture.playing.values() if one.partner_id is None]
    if alone:
        message = _("%(name)s has no partner yet. Pick or draw one.") % {"name": alone[0]}
        raise Refused("no-partner", message, status=409, details={"names": alone})
    if len(picture.playing) < 2:
        raise Refused("too-few", _("It takes at least two pairs."), status=409)
