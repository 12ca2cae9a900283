"""Tournaments to test with: a club that can seat people, entries, and tables that play."""

from random import Random

from league.play.actions import record_hand, settle_game
from league.play.game_log import open_game_log
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.parameters import StageOptions
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of
from league.tournaments.ties import contenders
from tests.builders import EIGHT, TEST, a_club, a_session, game_at, members_of, rulesets_of
from tests.play.hands import made

QUICK = {"hands": 2, "rounds": 3}


def a_tournament(count, format="progressive", *, club=None, entered=True, **choice):
    """A tournament on a session with so many people here, all of them entered alone."""
    club = club or a_club()
    if not club.rulesets.exists():
        rulesets_of(club)
    night = a_session(club, members_of(club, count))
    made_ = actions.start_tournament(
        night,
        name="Autumn Cup",
        format=format,
        choice=StageOptions(**{**QUICK, **choice}),
        seed=1,
        by=TEST,
    )
    if entered:
        actions.enter_present(made_, by=TEST, at=EIGHT)
    return made_


def of_pairs(count, format, **choice):
    """A tournament of so many pairs, drawn by lot."""
    made_ = a_tournament(2 * count, format, **choice)
    actions.draw_partners(made_, seed=1, by=TEST)
    return made_


def state_of(tournament):
    return load_stage(tournament.stages.get())


def drawn(tournament, seed=1):
    return actions.draw_round(tournament, by=TEST, seed=seed)


def published(tournament, seed=1):
    drawn(tournament, seed)
    return actions.publish_draw(tournament, by=TEST, at=EIGHT)


def tables(tournament):
    """The live tables of the tournament, the head table first."""
    return Table.objects.filter(
        session=tournament.session, is_live=True, match_game__isnull=False
    ).select_related("session__club", "ruleset")


def play(table, chance):
    """One table plays its game to the end: two hands by chance, then a march after the other."""
    game_at(table)
    while True:
        book = open_game_log(table)
        if book.state.over:
            return
        if book.next_number <= 2:
            maker, tricks = chance.randrange(table.players), chance.choice((2, 3, 3, 4, 5))
        else:
            tricks = 5
        write_one(table, book, maker, tricks)


def write_one(table, book, maker, tricks):
    dealer = book.state.next_dealer
    dealer = table.first_dealer if dealer is None else dealer
    record_hand(
        table,
        made(maker, tricks, dealer),
        client_id=f"{table.public_id}-{book.next_number}",
        by=TEST,
        at=EIGHT,
        confirm_unlikely=True,
    )


def play_round(tournament, seed=1):
    """Every open table of the round plays, and the next games of its matches; ties are decided."""
    chance = Random(seed)
    played: set[int] = set()
    while waiting := [table for table in tables(tournament) if table.pk not in played]:
        for table in waiting:
            play(table, chance)
            played.add(table.pk)
    for facts in state_of(tournament).last.matches:
        if facts.tied:
            winner = contenders(facts)[0]
            actions.decide_match(
                tournament, match_of(facts), winner, how="extra_hand", by=TEST, at=EIGHT
            )


def a_swiss_then_a_final(pairs=4, in_final=2, *, publish=True):
    """A Swiss of pairs played out, then a final in the same session for its best ones."""
    swiss = of_pairs(pairs, "swiss", rounds=2)
    for seed in (1, 2):
        published(swiss, seed)
        play_round(swiss, seed)
    actions.finish_tournament(swiss, by=TEST, at=EIGHT)
    final = actions.start_tournament(
        swiss.session, name="Final", format="knockout", choice=StageOptions(hands=2), seed=1,
        by=TEST,
    )  # fmt: skip
    state = state_of(swiss)
    for line in standing_of(state).lines[:in_final]:
        member, partner = state.entries[line.who].people
        actions.enter(final, member, partner=partner, by=TEST, at=EIGHT)
    if publish:
        published(final)
    return swiss, final


def turn_round(table):
    """An organiser gives a finished game to the side that lost it."""
    losers = [seat for seat in range(4) if seat not in table.games.get().winners]
    settle_game(table, "decided", winners=losers, reason="Sides mixed up.", by=TEST, at=EIGHT)


def match_of(facts):
    from league.tournaments.models import Match

    return Match.objects.get(pk=facts.key)
