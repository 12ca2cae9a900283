"""What a league's front page says: what its organiser should do next, and the latest results."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.members.languages import clock, dated
from league.teams.cups import open_cups
from league.teams.fixtures import no_division, teams_without_division, teams_without_fixtures
from league.teams.led_teams import cards_for_organisers, unconfirmed_cards
from league.teams.models import LeagueDecision, Team, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord
from league.teams.tables import (
    DONE,
    MatchShown,
    RoundShown,
    brought_forward,
    in_state,
    overdue_matches,
    state_of,
    to_come,
)
from league.teams.text import moved_line, play_line, result_line

OPEN = ("to_play", "waits", "disputed")


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next: a sentence, and a button that leads to closing the league (`closes`), to an
    `anchor` of the league's page, or to `page`, of the team or match that it is `about`."""

    title: str
    text: str
    label: str = ""
    closes: bool = False
    page: str = ""
    about: str = ""
    anchor: str = ""


def next_step(
    league: TeamLeague,
    teams: list[Team],
    fixtures: list[MatchRecord],
    matches: Sequence[MatchRecord] = (),
    due: Sequence[str] = (),
) -> NextStep | None:
    """What the organiser should do next, or None. `matches` are the fixtures and those of cups;
    `due` are the names of play-offs that are still to be recorded."""
    if league.is_closed:
        return None
    if not fixtures or len(teams) < 2:
        return _step_to_fixtures(league, teams)
    states = [state_of(fixture) for fixture in fixtures]
    for fixture in (match for match in matches if match.is_disputed):
        title = _("%(match)s: the card is disputed") % {"match": fixture.match}
        text = _("Check it and decide: you have the last word.")
        page, about = "team_match", fixture.match.public_id
        return NextStep(title, text, _("Decide the card"), page=page, about=about)
    if waiting := [record.match for record in cards_for_organisers(league, teams, matches)]:
        words = {"match": waiting[0], "n": len(waiting), "matches": ", ".join(map(str, waiting))}
        one, several = _("%(match)s: the card is waiting for you"), _("%(n)d cards wait for you")
        title = (one if len(waiting) == 1 else several) % words
        text = ngettext(
            "No other captain can confirm it.",
            "No other captain can confirm them: %(matches)s.",
            len(waiting),
        )
        page, about = "team_match", waiting[0].public_id
        return NextStep(title, text % words, _("Check the card"), page=page, about=about)
    for team in teams_without_fixtures(teams, fixtures):
        title = _("%(team)s has no matches yet") % {"team": team.name}
        text = _("It joined after the fixtures were made. Check its matches and add them.")
        return NextStep(title, text, _("Plan its matches"), page="team_join", about=team.public_id)
    if any(state in ("to_play", "postponed") for state in states):
        return _captain_step(teams)
    for fixture in unconfirmed_cards(matches):
        title = _("%(match)s: the card is not confirmed") % {"match": fixture.match}
        text = _("The table is final when every card is confirmed.")
        page, about = "team_match", fixture.match.public_id
        return NextStep(title, text, _("Check the card"), page=page, about=about)
    if due:
        title = _("Play-off due: %(teams)s") % {"teams": due[0]}
        text = _("Play or record it, below the table, before you close the league.")
        return NextStep(title, text, _("Record the play-off"), anchor="play-offs-due")
    return _closing_step(league)


def _step_to_fixtures(league: TeamLeague, teams: Sequence[Team]) -> NextStep:
    """To enter the teams, each in its division, and to draw the fixtures."""
    count = len(teams)
    title = ngettext("%(n)d team", "%(n)d teams", count) % {"n": count}
    if count < 2:
        text = _("Enter the teams, each with its venue and players.")
        return NextStep(title, text, _("Enter a team"), page="team_new")
    undivided = teams_without_division(league, teams)
    if undivided:
        text = _("Choose one for each team, then draw the fixtures.")
        about = undivided[0].public_id
        label = _("Choose a division")
        return NextStep(no_division(undivided), text, label, page="team_edit", about=about)
    text = _("When every team is entered, draw the fixtures. Redraw until you like them.")
    return NextStep(title, text, _("Draw the fixtures"), page="team_draw")


def _captain_step(teams: list[Team]) -> NextStep | None:
    """To choose a captain for a team that lost its own: erased, gone, or in another team by now."""
    current_teams = [team for team in teams if not team.withdrawn_at]
    have_captains = any(team.captain and not team.lost_captain for team in current_teams)
    left = [t for t in current_teams if t.lost_captain or (t.captain is None and have_captains)]
    if not left:
        return None
    team = left[0]
    title = _("%(team)s has no captain") % {"team": team.name}
    text = _("Choose one, who fills in its cards and reads messages about its matches.")
    if team.captain_left:
        text = _("Its captain has left the club. Choose another.")
    elif team.lost_captain:
        text = _("Its captain's personal data was erased. Choose another.")
    label = _("Choose a captain")
    return NextStep(title, text, label, page="team_edit", about=team.public_id)


def _closing_step(league: TeamLeague) -> NextStep:
    """To close a league whose matches are played."""
    cups = open_cups(league)
    if cups:
        text = _("Still open: %(cups)s. When that is played, close the league.")
        text %= {"cups": ", ".join(cups)}
    else:
        text = _("Check the table, give out the prizes and close it.")
    return NextStep(_("Every match is played"), text, _("Close the league…"), closes=True)


def unfinished(league: TeamLeague, matches: Iterable[MatchRecord]) -> list[str]:
    """Sentences about matches not played and cups not finished, to read before closing a league."""
    states = [state_of(record) for record in matches if record.match.cup_id is None]
    n_matches = states.count("to_play") + states.count("postponed")
    cups = open_cups(league)
    texts = []
    if n_matches:
        text = ngettext(
            "%(n)d match hasn't been played.", "%(n)d matches haven't been played.", n_matches
        )
        texts.append(text % {"n": n_matches})
    if cups:
        text = ngettext("%(cups)s isn't finished.", "%(cups)s aren't finished.", len(cups))
        texts.append(text % {"cups": ", ".join(cups)})
    return texts


WEEK = timedelta(days=7)
LATEST = 6


def latest_results(
    rounds: Sequence[RoundShown], today: date, besides: RoundShown | None
) -> list[MatchShown]:
    """The matches played last and those that became results last, six of each, by the day of play,
    then by round, the latest first.

    A card that waited to be confirmed is a result from that day on, an award from when it was made;
    any other from the day of play, or with the last card of its round to be confirmed.
    Leaves out awards ahead of their day, and the round `besides`, which the page shows in full: of
    that, only the matches brought forward are here.
    """
    results = [
        (day, shown)
        for round_ in rounds
        for day, shown in _results_of(round_, today)
        if round_ is not besides or shown.match.is_early
    ]
    results.sort(key=_day_and_round, reverse=True)
    newest = sorted(results, key=lambda result: result[0], reverse=True)
    latest = [*results[:LATEST], *newest[:LATEST]]
    return [result[1] for result in results if result in latest]


def _day_and_round(result: tuple[date, MatchShown]) -> tuple[date, int]:
    _day, shown = result
    return shown.match.held_on or date.min, shown.match.round


def _results_of(round_: RoundShown, today: date) -> list[tuple[date, MatchShown]]:
    """The results of a round up to `today`, each with the day on which it became one."""
    results = [
        (match.held_on, _confirmed_on(match), shown)
        for shown in round_.matches
        if shown.state in DONE or shown.unplayed_winner
        if (match := shown.match).held_on and match.held_on <= today
    ]
    cards = (result for result in results if not result[2].match.is_given)
    last = max((confirmed for _held_on, confirmed, _shown in cards), default=date.min)
    return [
        (held_on if shown.match.is_early else max(held_on, last), shown)
        if confirmed == date.min
        else (confirmed, shown)
        for held_on, confirmed, shown in results
    ]


def _confirmed_on(match: TeamMatch) -> date:
    """The day on which a match was awarded, or a card that waited was confirmed; `date.min` for any
    other match."""
    confirmed, received = getattr(match, "confirmed_at", None), match.received_at
    if match.is_given and received:
        return max(match.league.club.local(received).date(), match.held_on or date.min)
    if confirmed and received and confirmed > received and not match.is_given:
        return match.league.club.local(confirmed).date()
    return date.min


@dataclass(frozen=True, slots=True)
class WeekShown:
    """The last round with results, and those results.

    `moved` are results of rearranged matches of other rounds, played `since` the previous round;
    `late` are other results of other rounds, awards among them, whose day was past when the first
    card of this round came that was not of a match brought forward; `alongside` are rounds with
    those that were not.
    """

    round: RoundShown | None
    results: tuple[MatchShown, ...] = ()
    moved: tuple[MatchShown, ...] = ()
    late: tuple[MatchShown, ...] = ()
    alongside: tuple[RoundShown, ...] = ()
    since: date = date.min


def last_week(rounds: Sequence[RoundShown], today: date) -> WeekShown:
    """The results for the notice board: those of the last round of the latest week of play. A match
    brought forward, or awarded ahead of its day, does not start its round, and an award is listed
    under its own one."""
    done = [(n, match) for n, r in enumerate(rounds) for match in r.matches if match.state in DONE]
    last_round, began = _latest_round(done, today)
    since = _day_before(last_round, rounds)
    moved = tuple(shown for n, shown in done if n != last_round and _is_moved(shown.match, since))
    if last_round is None:
        awarded = [shown for _n, shown in done if shown.match.is_given and shown not in moved]
        return WeekShown(None, (), moved, alongside=_rounds_with_only(awarded, rounds))
    results = tuple(shown for n, shown in done if n == last_round)
    others = [shown for n, shown in done if n != last_round and shown not in moved]
    late, in_time = _after_first_card(others, began)
    alongside = _rounds_with_only(in_time, rounds)
    return WeekShown(rounds[last_round], results, moved, tuple(late), alongside, since)


def _latest_round(
    done: Iterable[tuple[int, MatchShown]], today: date
) -> tuple[int | None, list[MatchShown]]:
    """The last round of the latest week of play, and its matches that were not early."""
    regular = [(n, shown) for n, shown in done if not _is_early(shown.match, today)]
    latest = max((_planned_on(shown.match) for _n, shown in regular), default=date.min)
    of_week = [(n, shown) for n, shown in regular if latest - _planned_on(shown.match) < WEEK]
    last_round = max((n for n, _shown in of_week), default=None)
    return last_round, [shown for n, shown in of_week if n == last_round]


def _rounds_with_only(
    listed: Collection[MatchShown], rounds: Iterable[RoundShown]
) -> tuple[RoundShown, ...]:
    """The rounds that have any of the listed matches, with only those."""
    return tuple(
        replace(round_, matches=matches)
        for round_ in rounds
        if (matches := tuple(shown for shown in round_.matches if shown in listed))
    )


def _is_early(match: TeamMatch, today: date) -> bool:
    """Whether the result of a match came before the day of its round."""
    return match.is_early or (match.is_given and (match.held_on or today) > today)


def _is_moved(match: TeamMatch, since: date) -> bool:
    """Whether a match was rearranged and held after `since`."""
    return match.is_moved and (match.held_on or date.min) > since


def _after_first_card(
    others: Iterable[MatchShown], began: Sequence[MatchShown]
) -> tuple[list[MatchShown], list[MatchShown]]:
    """The matches of `others` whose card, award or decision came after the first card of those that
    `began` a round: those whose day was past by then, and those whose day was not. A round with
    only awards begins on its first day."""
    cards = (shown.match for shown in began if not shown.match.is_given)
    times = [entered for match in cards if (entered := _entered_at(match))]
    local = began[0].match.league.club.local
    first_day = local(min(times)).date() if times else min(_planned_on(s.match) for s in began)
    late, in_time = list[MatchShown](), list[MatchShown]()
    others = list(others)
    decisions = _latest_decisions(others)
    for shown in others:
        entered = decisions.get(shown.match.pk, _entered_at(shown.match))
        if entered and (entered > min(times) if times else local(entered).date() >= first_day):
            (late if (shown.match.held_on or date.min) < first_day else in_time).append(shown)
    return late, in_time


def _entered_at(match: TeamMatch) -> datetime | None:
    """When a card was entered, which may be later than it was received, or the match awarded."""
    return getattr(match, "entered_at", match.received_at)


def _latest_decisions(listed: Iterable[MatchShown]) -> dict[int, datetime]:
    """When the dispute of each of these matches that had one was decided; one query."""
    decisions = LeagueDecision.objects.filter(match__in=[shown.match.pk for shown in listed])
    return dict(decisions.order_by("pk").values_list("match", "at"))


def _planned_on(match: TeamMatch) -> date:
    return match.planned_on or date.min


def _day_before(number: int | None, rounds: Sequence[RoundShown]) -> date:
    """The first day of the round before this one, by the days for which they are planned."""
    if number is None:
        return date.min
    days = (round_.begins_on for n, round_ in enumerate(rounds) if n != number)
    return max((day for day in days if day <= rounds[number].begins_on), default=date.min)


def lists_to_play(
    rounds: Sequence[RoundShown], following: RoundShown | None, starts_at: time | None, today: date
) -> list[tuple[str, list[str]]]:
    """The notice board's matches to play, each list with its title: those of the `following` round
    from today on, then all others."""
    next_up = to_come(in_state(("to_play",), [following] if following else []), today)
    lists = []
    if following and next_up:
        day = following.held_on
        when = [dated(day, _("l j F")), clock(starts_at)] if day else []
        title = ", ".join(filter(None, [_("Next: round %(n)s") % {"n": following.number}, *when]))
        lists.append((title, [play_line(m.match, starts_at, day) for m in _by_day(next_up)]))
    others = _other_lists(rounds, following, today)
    return lists + [(title, [play_line(m.match, starts_at) for m in ms]) for title, ms in others]


def _other_lists(
    rounds: Sequence[RoundShown], following: RoundShown | None, today: date
) -> list[tuple[str, list[MatchShown]]]:
    """The matches to play besides those of the `following` round: title, matches."""
    put_off = in_state(("postponed",), rounds)
    moved = [shown for shown in put_off if not shown.match.is_replay]
    lists = [
        (_("Brought forward, still to be played"), brought_forward(rounds, following, today)),
        (_("To be played again"), [m for m in put_off if m.match.is_replay]),
        (_("Postponed, still to be played"), [m for m in moved if m.match.held_on]),
        (_("Day to be agreed"), [m for m in moved if not m.match.held_on]),
        (_("Overdue"), overdue_matches(rounds, None, today)),
    ]
    return [(title, _by_day(matches)) for title, matches in lists if matches]


def _by_day(matches: Iterable[MatchShown]) -> list[MatchShown]:
    return sorted(matches, key=lambda shown: shown.match.held_on or date.max)


def result_lists(
    rounds: Sequence[RoundShown], week: WeekShown, *, is_closed: bool
) -> list[tuple[str, list[str]]]:
    """The results on the notice board, each list with its title: those of the last week, with the
    walk-overs of other rounds against a team that left; or, once the league `is_closed`, those of
    the whole season."""
    of_week = [*([week.round] if week.round else []), *week.alongside]
    listed = rounds if is_closed else of_week
    lists = [(_round_title(round_), _round_lines(round_)) for round_ in listed]
    if not is_closed:
        moved, late = ([moved_line(m) for m in _by_day(found)] for found in (week.moved, week.late))
        lists += [(_("Results of re-arranged matches"), moved), (_("Late results"), late)]
        others = (round_ for round_ in rounds if round_ is not week.round)
        unplayed = [str(m.match) for r in others for m in r.matches if m.unplayed_winner]
        title = _("Walk-overs against a team that left")
        lists += [(title, [", ".join(unplayed)] if unplayed else [])]
    return [(title, lines) for title, lines in lists if lines]


def _round_title(round_: RoundShown) -> str:
    title = _("Results of round %(n)s") % {"n": round_.number}
    return f"{title}, {dated(round_.held_on, _('j F Y'))}" if round_.held_on else title


def _round_lines(round_: RoundShown) -> list[str]:
    """The results of a round, with the day of play of a match that was rearranged."""
    done = _by_day(m for m in round_.matches if m.state in DONE or m.unplayed_winner)
    return [moved_line(m) if m.match.is_moved else result_line(m) for m in done]
