"""One ranking and one order on every face of a session, at every moment of play."""

import csv
import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.exchange.demo_club import random_record
from league.members.models import Club
from league.play.actions import abandon_game, call_time, record_hand, settle_game
from league.play.auth import table_link
from league.play.game_log import open_game_log
from league.seasons.models import Division, Placement, Season
from league.seating.actions import end_table, join, publish, set_table_rules, take_back
from league.seating.models import Table
from league.seating.queries import live_tables
from league.sessions.actions import close_session
from league.sessions.attendance import arrive
from league.sessions.links import wall_link
from league.sessions.models import Session
from league.standings.actions import hold_standings
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_ruleset, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_night, a_seating_club, draft, published, table_of

pytestmark = pytest.mark.django_db
FOURS, MIXED = ["won", "win_rate", "difference"], ["won", "above", "share", "difference"]
ROW = re.compile(r'<td[^>]*class="rank"[^>]*>(.*?)</td><th[^>]*row[^>]*>(.*?)</th>')
Order = list[tuple[str, str]]


def a_hand(table: Table, chance: Random) -> None:
    """One random hand at a table; its game may end with it."""
    log = open_game_log(table)
    dealer = log.state.next_dealer if log.hands else table.first_dealer
    record = random_record(chance, log.rules, dealer=dealer, skills=[0.5] * table.players)
    key = f"{table.public_id}-{log.next_number}"
    record_hand(table, record, client_id=key, confirm_unlikely=True, by=TEST, at=EIGHT)


def playing(night: Session) -> list[Table]:
    tables = live_tables(night).order_by("-players", "number")
    return [table for table in tables if not open_game_log(table).state.over]


def moments(chance: Random) -> Iterator[Session]:
    """A session of 11 to 13 players in two rounds: after each publishing, after every few hands,
    after a table is broken up or somebody joins it, and after closing."""
    club = a_seating_club(target=5)
    club.visibility, club.names_in_public = "standings", "full"
    club.save()
    night, people = a_night(chance.randint(11, 13), club)
    late = people.pop()
    late.attendances.all().delete()
    for round_ in range(2):
        publish(draft(night, chance.randrange(999)), by=TEST, at=AT)
        yield night
        table = chance.choice(live_tables(night))
        if chance.random() < 0.3:
            end_table(table, by=TEST)
        elif round_ and table.players < 4:
            arrive(night, late, by=TEST, at=AT)
            join(table, late, by=TEST)
        yield night
        while tables := playing(night):
            speeds = [table.players**3 for table in tables]  # a small table ends last
            for table in chance.choices(tables, speeds, k=3 * len(tables)):
                if not open_game_log(table).state.over:
                    a_hand(table, chance)
            log = open_game_log(tables[0])
            if chance.random() < 0.3 and log.hands and not log.state.over:
                call_time(tables[0], by=TEST, at=EIGHT)
            yield night
    close_session(night, by=TEST, at=timezone.now())
    yield night


def on_page(page: str) -> Order:
    """The place and the first name of each row."""
    rows = [[re.sub("<[^>]*>", " ", cell) for cell in row] for row in ROW.findall(squeezed(page))]
    return [(rank.strip(), unescape(name).split()[0].rstrip("*")) for rank, name in rows]


def on_every_face(night: Session, client: Client, program: Program) -> dict[str, Order]:
    of_night = [night.club.slug, night.public_id]
    faces = {
        name: on_page(client.get(reverse(name, args=of_night)).text)
        for name in ("session_standings", "print_standings", "session_embed")
    }
    faces["wall"] = on_page(client.get(wall_link(night)).text)
    phone, table = Client(), night.tables.filter(round__state="published").first()
    phone.post(reverse("table_door"), {"code": table_link(table)})
    page = reverse("table_standings", args=[table.public_id])
    faces["phone"] = on_page(phone.get(page).text)
    sheet = client.get(reverse("export_session", args=[*of_night, "csv"])).content.decode(
        "utf-8-sig"
    )
    lines = list(csv.reader(sheet.splitlines()))[1:]
    faces["export"] = [("=" * bool(line[1]) + line[0], line[2]) for line in lines]
    answer = program.get(f"/sessions/{night.public_id}/standings").json()
    faces["API"] = [
        ("=" * one["shared"] + str(one["rank"]), one["person"]["name"]) for one in answer["places"]
    ]
    return faces


@pytest.mark.parametrize("seed", [4, 11, 12])
def test_every_face_of_a_session_has_one_order_at_every_moment_of_play(client, seed):
    program = moment = None
    compared = 0
    for moment, night in enumerate(moments(Random(seed))):
        if program is None:
            client.force_login(a_user(club=night.club))
            program = Program(a_token(night.club))
        faces = on_every_face(night, client, program)
        whole = faces["session_standings"]
        table = session_standings(night, at=timezone.now())
        finished = {table.people[one.who].name for one in table.lines if not one.notes}
        of_finished = [row for row in whole if row[1] in finished]
        for name in ("print_standings", "session_embed", "export", "API"):
            assert faces[name] == whole, (moment, name)
        for name in ("wall", "phone"):
            assert faces[name] in (of_finished, whole), (moment, name)
        compared += bool(finished)
    assert compared > 3


def codes(night: Session, **more: bool) -> list[str]:
    table = session_standings(night, at=timezone.now(), **more)
    return [measure.code for measure in table.measures]


def test_the_tables_published_settle_the_ranking_before_any_hand_is_played():
    night, _people = a_night(11)
    sketch = draft(night)
    assert codes(night) == FOURS
    round_ = publish(sketch, by=TEST, at=AT)
    assert codes(night) == codes(night, only_finished=True) == MIXED
    redrawn = take_back(round_, by=TEST, at=AT)
    assert codes(night) == FOURS
    publish(redrawn, by=TEST, at=AT)
    assert codes(night) == MIXED


def test_a_finished_table_of_four_ranks_like_the_table_of_three_that_is_still_playing():
    night, _people = a_night(11)
    published(night)
    write(table_of(night, 4), *[(0, 5)] * 5)
    write(table_of(night, 3), (0, 3))
    assert codes(night) == codes(night, only_finished=True) == MIXED


def test_a_table_that_somebody_joins_or_that_is_broken_up_unplayed_counts_at_its_new_size():
    night, people = a_night(12)
    people[0].attendances.all().delete()
    published(night)
    assert codes(night) == MIXED
    arrive(night, people[0], by=TEST, at=AT)
    join(table_of(night, 3), people[0], by=TEST)
    assert codes(night) == FOURS
    other, _people = a_night(11, a_seating_club("friday"))
    published(other)
    end_table(table_of(other, 3), by=TEST)
    assert codes(other) == FOURS


def test_a_table_that_was_not_played_does_not_count():
    for slug, give_up in {"monday": "called off", "friday": "closed"}.items():
        night, _people = a_night(11, a_seating_club(slug))
        published(night)
        write(table_of(night, 4), *[(0, 5)] * 5)
        if give_up == "closed":
            close_session(night, by=TEST, at=AT)
        else:
            write(table_of(night, 3), (0, 3))
            abandon_game(table_of(night, 3), reason="Late", by=TEST, at=AT)
        night.refresh_from_db()
        assert codes(night) == FOURS


def test_tables_of_different_games_do_not_add_up_points_from_publishing_on():
    night, _people = a_night(8)
    tables = published(night).tables.order_by("number")
    pepper = a_ruleset(night.club, "pepper")
    set_table_rules(tables[0], pepper, by=TEST)
    assert codes(night) == ["won", "above", "share"]


def test_a_season_and_a_division_rank_by_the_tables_published_too():
    club = a_seating_club()
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    night, _people = a_night(11, club)
    night.season = season
    night.save()
    division = Division.objects.create(season=season, name="First", number=1)

    def of_season(**more: object) -> list[str]:
        table = season_standings(season, at=timezone.now(), **more)
        return [measure.code for measure in table.measures]

    assert of_season() == FOURS
    published(night)
    assert of_season() == MIXED
    assert of_season(upto=date(2026, 11, 18)) == FOURS
    at_four = next(seat.member for seat in table_of(night, 4).current_seats)
    Placement.objects.create(season=season, division=division, member=at_four)
    assert of_season(division=division) == FOURS
    at_three = next(seat.member for seat in table_of(night, 3).current_seats)
    Placement.objects.create(season=season, division=division, member=at_three)
    assert of_season(division=division) == MIXED
    hold_standings(night, by=TEST)
    assert of_season() == FOURS
    assert of_season(with_held=True) == MIXED


def test_a_tables_phone_calls_its_standings_provisional_only_with_a_star_on_them(client):
    club = a_seating_club()
    Club.objects.update(confirm="opponent")
    night, _people = a_night(8, Club.objects.get(pk=club.pk))
    first, second = published(night).tables.order_by("number")
    write(second, (0, 3))
    write(first, *[(0, 5)] * 5, at=timezone.now())
    client.post(reverse("table_door"), {"code": table_link(first)})
    page = reverse("table_standings", args=[first.public_id])
    assert "Provisional" in client.get(page).text
    settle_game(first, "stands", reason="Seen", by=TEST, at=EIGHT)
    assert on_page(client.get(page).text)
    assert "Provisional" not in client.get(page).text
