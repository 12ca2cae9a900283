"""Leagues of an older database: `migrate` converts points, tie-breaks and halves."""

from tests.tournaments import test_migration as of_tournaments
from tests.tournaments.test_migration import migrated_to

BEFORE, AFTER = "0009_held_standings", "0010_pub_leagues"
old = of_tournaments.old


def test_points_and_tie_breaks_become_rules_and_matches_know_their_half(old):
    apps = old(BEFORE)
    get = lambda name: apps.get_model("league", name)  # noqa: E731
    club = get("Club").objects.create(name="Old", slug="old")
    rules = get("ClubRuleset").objects.create(club=club, name="Usual", players=4, body={})
    league = get("TeamLeague").objects.create(
        club=club, name="Winter", ruleset=rules, starts_on="2026-01-01", points_win=3,
        points_loss=1, ranking="meetings",
    )  # fmt: skip
    home, other = (get("Team").objects.create(league=league, name=name) for name in ("A", "B"))
    get("Deduction").objects.create(team=home, points=2, reason="Late", said_as="Ann")
    for number in (1, 2):
        get("TeamMatch").objects.create(
            league=league, round=number, number=1, home=home, away=other, public_id=f"m{number}"
        )
    new = migrated_to(AFTER)
    league = new.get_model("league", "TeamLeague").objects.get()
    assert league.rules["points"] == {"win": 3, "draw": 1, "loss": 1, "game": 0}
    assert league.rules["tie_breaks"][0] == "head_to_head"
    matches = new.get_model("league", "TeamMatch").objects.order_by("round")
    assert list(matches.values_list("half", flat=True)) == [1, 2]
    assert new.get_model("league", "Deduction").objects.get().points == 2


def test_a_session_learns_that_it_is_a_matchs_and_a_wish_becomes_a_seating_request(old):
    apps = old("0027_card_photographs")
    get = lambda name: apps.get_model("league", name)  # noqa: E731
    club = get("Club").objects.create(name="Old", slug="old")
    ann = get("Member").objects.create(club=club, name="Ann", sort_key="ann", name_key="ann")
    get("Wish").objects.create(club=club, kind="stays", first=ann)
    get("AuditEntry").objects.create(club=club, actor="Ann", action="add wish")
    rules = get("ClubRuleset").objects.create(club=club, name="Usual", players=4, body={})
    league = get("TeamLeague").objects.create(
        club=club, name="Winter", ruleset=rules, starts_on="2026-01-01"
    )
    home, other = (get("Team").objects.create(league=league, name=name) for name in ("A", "B"))
    match, _night = (
        get("Session").objects.create(club=club, name=name, held_on="2026-01-01", public_id=name)
        for name in ("match", "night")
    )
    get("TeamMatch").objects.create(
        league=league, round=1, number=1, home=home, away=other, session=match
    )
    new = migrated_to("0028_seating_requests")
    sessions = new.get_model("league", "Session").objects
    assert sessions.get(of_team_match=True).name == "match"
    assert new.get_model("league", "SeatingRequest").objects.get().kind == "stays"
    assert new.get_model("league", "AuditEntry").objects.get().action == "add seating request"
