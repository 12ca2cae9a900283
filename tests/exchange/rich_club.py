"""A small club with one of everything: what an archive of it holds has to come in again."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from django.utils import timezone

from league.members.actions import merge_members
from league.members.models import Club
from league.play.actions import (
    adjust_score,
    call_time,
    confirm_game,
    correct_hand,
    dispute_game,
    note_misdeal,
    rule_penalty,
    strike_hand,
    undo_last_hand,
    write_totals,
)
from league.seasons.actions import (
    choose_outcomes,
    close_season,
    place_members,
    set_divisions,
    start_next_season,
)
from league.seating.actions import add_seating_request, draft_round, substitute
from league.sessions.actions import start_session
from league.sessions.attendance import sign_up
from league.sessions.models import Reminder
from league.standings.actions import add_pot, record_payment
from league.teams.actions import (
    change_rules,
    deduct,
    give_games,
    give_match,
    lift_late,
    make_cup,
    make_pairs_cup,
    move_match,
    record_pairs_result,
    set_pairs_day,
    start_second_competition,
    transfer_player,
)
from league.teams.actions.cups import save_play_off
from league.teams.cup_forms import read_pairs, squads_in_pairs
from league.teams.models import CardCopy, MatchMessage, TeamLeague
from league.teams.queries import players_of
from league.tournaments import actions as tournaments
from league.tournaments.draws.late import redraw_rounds
from league.tournaments.parameters import StageOptions
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_session,
    a_table,
    members_of,
    rulesets_of,
)
from tests.play.hands import made, write
from tests.teams.leagues import matches, with_fixtures, written
from tests.tournaments.playing import a_tournament, play_round, published, state_of, tables

SAY = {"by": TEST, "at": EIGHT}


def rich_club() -> Club:
    """The club, made by the actions that its pages call."""
    club = a_club(
        visibility="standings",
        keeps_pots=True,
        shows_ratings=True,
        co_winners_credit="full",
        seating_table={"5": [3, 2]},
        measures=["won", "above", "head_to_head"],
        auto_accept_minutes=30,
        confirm="opponent",
        time_zone="America/Toronto",
        welcome="Rose\nAnn",
    )
    two, three, four = rulesets_of(club)
    people = members_of(club, 12)
    season = _seasons(club, people)
    _evening(club, people, season, two, three, four)
    _to_come(club, people, season)
    _tournaments(club)
    _league(club)
    spare = members_of(club, 1)[0]
    merge_members(spare, into=people[0], **SAY)
    return club


def _seasons(club, people):
    before = club.seasons.create(
        name="Spring", starts_on=date(2026, 3, 1), ends_on=date(2026, 6, 1), counts="best",
        counted_number=3, place_points=["5", "2.5", "1"], attendance_points=Decimal("0.5"),
    )  # fmt: skip
    set_divisions(before, ["First", "Second"], moving=1, by=TEST)
    upper, lower = before.divisions.all()
    place_members(before, {people[0]: upper, people[1]: lower}, by=TEST)
    outcomes = {people[0].pk: ("stay", False), people[1].pk: ("up", True)}
    close_season(before, champions=[(people[0], upper)], outcomes=outcomes, **SAY)
    choose_outcomes(before, {people[1]: "stay"}, by=TEST)
    return start_next_season(before, name="Autumn", starts_on=date(2026, 9, 1), by=TEST)


def _evening(club, people, season, two, three, four):
    """Every size of table; corrections, rulings, a substitute, a dispute, a score alone."""
    night = a_session(club, people, season=season, measures=["points", "lot"], places=20)
    one = a_table(night, people[:4], four)
    write(one, (0, 3), (1, 5), (2, 4), (3, 3))
    correct_hand(one, 2, made(1, 4, 1), reason="Read wrong", expected_version=1,
                 client_id="better-hand", **SAY)  # fmt: skip
    strike_hand(one, 3, reason="Not dealt", expected_version=1, client_id="struck-hand", **SAY)
    undo_last_hand(one, number=4, version=1, **SAY)
    rule_penalty(one, by_seat=0, client_id="renege-0", **SAY)
    adjust_score(one, [1, 0], reason="Agreed", client_id="adjust-0", **SAY)
    note_misdeal(one, client_id="misdeal-0", **SAY)
    substitute(one, 0, people[11], by=TEST)
    other = a_table(night, people[4:7], three)
    write(other, (0, 3), (1, 5))
    call_time(other, **SAY)
    dispute_game(other, reason="We think not", seat=1, **SAY)
    small = a_table(night, people[7:9], two)
    write(small, (0, 3))
    call_time(small, **SAY)
    confirm_game(small, seat=1, **SAY)
    alone = a_table(night, people[9:11], two, totals_only=True)
    write_totals(alone, [10, 9], **SAY)
    entry = add_pot(night, name="Entry", source="entry", amount=Decimal(2), payout="places",
                    shares=["60", "40"], **SAY)  # fmt: skip
    record_payment(entry, people[0], kind="stake", amount=Decimal(2), **SAY)
    loners = add_pot(season, name="Loners", source="euchred", amount=Decimal("0.5"),
                     payout="each_loner", **SAY)  # fmt: skip
    loners.left_to_club = True
    loners.save()
    add_seating_request(club, kind="avoid", first=people[0], second=people[1], by=TEST)


def _to_come(club, people, season):
    now = timezone.now()
    day = club.local(now + timedelta(days=1)).date()
    night = start_session(club, held_on=day, season=season, places=2, by=TEST, at=now)
    for one in people[:4]:
        sign_up(night, one, by=TEST, at=now)
    Reminder.objects.create(session=night, member=people[5])
    people[6].email, people[6].reminders = "gus@example.org", "all"
    people[6].save()
    tonight = a_session(club, people, name="Tonight", held_on=club.local(now).date())
    draft_round(tonight, by=TEST, seed=3)


def _tournaments(club):
    cup = a_tournament(8, "groups", club=club, groups=1, through=2)
    tournaments.draw_partners(cup, seed=1, by=TEST)
    published(cup)
    _late_pair(cup, club)
    play_round(cup)
    published(cup, seed=2)
    knockout = a_tournament(8, "double", club=club)
    tournaments.draw_partners(knockout, seed=1, by=TEST)
    published(knockout)
    play_round(knockout)
    published(knockout, seed=2)
    progressive = a_tournament(9, "progressive", club=club)
    published(progressive)
    play_round(progressive)
    published(progressive)
    rotation = a_tournament(5, "rotation", club=club)
    published(rotation)
    swiss = a_tournament(8, "swiss", club=club, games=3, laps=True, slam=True)
    tournaments.draw_partners(swiss, seed=1, by=TEST)
    tournaments.keep_apart(list(swiss.entries.all()[:2]), by=TEST)
    _final(club, progressive)


def _final(club, source):
    """Four of the best six of a tournament, as the third to sixth are level, in a bracket of two
    pairs, whose first game carries points over."""
    night = a_session(club, name="Final", held_on="2026-11-26")
    final = tournaments.start_final(
        night, tournaments.best_of(source, 6, at=EIGHT)[:4], name="Final",
        choice=StageOptions(games=3, laps=True, partners="folded"), seed=1, **SAY,
    )  # fmt: skip
    published(final)
    table = tables(final).get()
    write_totals(table, [12, 4], no_hands=True, **SAY)
    confirm_game(table, **SAY)
    assert tables(final).get().carried == [2, 0]


def _late_pair(cup, club):
    one, other = members_of(club, 2)
    seen = redraw_rounds(state_of(cup), 5).seen
    tournaments.enter_by_redraw(cup, one, partner=other, seed=5, seen=seen, **SAY)


def _league(club):
    league = with_fixtures(4, club=club, pairs=1, turns=2)
    first, second = matches(league)
    written(first, 1)
    move_match(second, held_on=date(2026, 12, 1), venue="Elsewhere", reason="Snow", by=TEST)
    third, _fourth = matches(league, 2)
    give_match(third, third.home, reason="Nobody came", **SAY)
    deduct(league.teams.first(), 2, reason="Late", **SAY)
    _pub_league(league)
    make_cup(league, name="Cup", third_place=True, seed=1, by=TEST, held_on=date(2026, 12, 6))


def _pub_league(league):
    """What pub leagues print beside: divisions, a transfer, a play-off, decisions, cards kept."""
    late = {"weekday": "sat", "time": "12:00", "points": "1/2", "from": "winner"}
    change_rules(
        league, rules={"late": late, "tie_breaks": ["games_won", "play_off"]},
        squad_rules={"least": 2, "transfers": 1}, divisions=["All"], sections=False,
        blank_days=["2026-12-24"], by=TEST,
    )  # fmt: skip
    league.teams.update(division=league.divisions.get(), house="The Crown")
    one, other = league.teams.all()[:2]
    agreement = {"day": date(2026, 11, 19), "agreed": True, "anyway": True, **SAY}
    transfer_player(players_of(one)[1], other, **agreement)
    save_play_off(league, "level", [other, one], **SAY)
    match = league.matches.exclude(session=None).first()
    match.league = league
    give_games(match, {1: "void"}, reason="Two packs", **SAY)
    lift_late(match, reason="Snow", by=TEST)
    MatchMessage.objects.create(match=match, text="The lights are out", said_as="Ann")
    second = start_second_competition(league, name="Toy", walkover=Fraction(2), **SAY)
    rules = {"match_day": 3, "cup_days": ["2026-12-10"], "derbies_early": True}
    players = players_of(one)
    TeamLeague.objects.filter(pk=second.pk).update(
        before=league, secretary=players[0], fixture_rules=rules
    )
    entered = read_pairs(league, squads_in_pairs(league))[:2]
    pairs_cup = make_pairs_cup(league, name="Pairs", pairs=entered, seed=1, by=TEST)
    (pairs_match,) = set_pairs_day(pairs_cup, held_on=date(2027, 5, 1), by=TEST)
    record_pairs_result(pairs_match, home=None, away=None, through=pairs_match.home, by=TEST)
    CardCopy.objects.create(match=match, team=match.away, games=[[21, 3], None], said_as="Ann")
