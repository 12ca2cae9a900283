"""The record of who did what: only added to, read in words, on the club's clock."""

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from league.members import actions
from league.members.audit import Actor, log_action
from league.members.audit_changes import Change, changes, tables_in
from league.members.audit_hands import TableInLog, hand_words
from league.members.audit_rows import entry_action, subject_words
from league.members.models import AuditEntry
from league.play.actions import (
    adjust_score,
    correct_hand,
    note_misdeal,
    rule_penalty,
    settle_game,
    withdraw_ruling,
)
from league.seating.models import Round
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_session, a_table, game_at, members_of
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(time_zone="America/Vancouver")


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry.save(),
        lambda entry: entry.delete(),
        lambda entry: AuditEntry.objects.all().delete(),
        lambda entry: AuditEntry.objects.update(actor="Nobody"),
        lambda entry: AuditEntry.objects.bulk_update([entry], ["actor"]),
        lambda entry: entry.club.audit.all().delete(),
        lambda entry: entry.club.delete(),
    ],
)
def test_an_entry_is_never_changed_or_deleted(club, change):
    entry = log_action(club, TEST, "try", "it")
    with pytest.raises(Exception, match=r"never changed|protected"):
        change(entry)
    assert AuditEntry.objects.get().actor == "Test"


def test_old_and_new_are_told_in_the_words_of_the_forms(club):
    actions.change_settings(club, by=TEST, confirm="opponent", auto_accept_minutes=30)
    lines = changes(AuditEntry.objects.get())
    assert lines == [
        Change(
            "Who confirms a game",
            "Nobody: games count when they end",
            "The other side at the table",
        ),
        Change("Auto-confirm after (minutes)", "", "30"),
    ]


def test_days_rules_and_bids_are_told_in_words_and_never_in_codes(club):
    day = log_action(club, TEST, "change session", new={"held_on": "2026-11-22"})
    assert changes(day)[0].new == "22 Nov 2026"
    rules = log_action(
        club, TEST, "change ruleset", old={"tie_rule": "elder_hand"}, new={"tie_rule": "co_winners"}
    )
    (change,) = changes(rules)
    assert "_" not in f"{change.old}{change.new}"
    assert change.old == "first from the dealer's left wins"
    sizes = log_action(club, TEST, "set session table sizes", old="no_small", new="six_main")
    assert changes(sizes)[0].new == "Sixes first, then fours, fives and eights"
    contract = {"seat": 1, "special": "bid10"}
    assert "bid10" not in hand_words({"dealer": 0, "contract": contract})


def test_a_match_postponed_without_a_day_says_that_it_has_none(club):
    old, new = {"held_on": "2026-12-01"}, {"held_on": "", "reason": "Snow"}
    postponed = log_action(club, TEST, "move team match", old=old, new=new)
    assert changes(postponed) == [
        Change("Date", "1 Dec 2026", "No day yet"),
        Change("Reason", "", "Snow"),
    ]
    fixed = log_action(club, TEST, "move team match", old={"held_on": ""}, new=old)
    assert changes(fixed) == [Change("Date", "No day yet", "1 Dec 2026")]


def test_points_an_organiser_adds_have_one_name_in_the_log_and_on_the_games_page(club, organiser):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (1, 5), (1, 5))
    taken = {"points": [-2, 0], "reason": "talking", "by": TEST, "at": EIGHT}
    ruling = adjust_score(table, client_id="adjust-1", **taken)
    rule_penalty(table, by_seat=1, client_id="penalty-1", by=TEST, at=EIGHT)
    withdraw_ruling(table, ruling.pk, by=TEST, at=EIGHT)
    page = organiser.get(reverse("audit", args=[club.slug])).text
    log = page.partition("<tbody")[2]
    assert '<option value="add or take points">Added or took points</option>' in page
    assert "Added or took points: " in log
    assert "Withdrew points: " in log
    assert "Kind" not in log
    earlier = AuditEntry(action="rule", new={"kind": "adjustment", "points": [-2, 0]})
    assert entry_action(earlier) == "Added or took points"
    assert [change.label for change in changes(earlier)] == ["Points"]
    game = organiser.get(reverse("game", args=[club.slug, game_at(table).public_id])).text
    assert "Points added or taken" in game
    assert "Ruling" not in game


def test_a_penalty_names_its_points_when_it_is_applied_and_withdrawn(club):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (1, 5))
    ruling = rule_penalty(table, by_seat=1, client_id="penalty-1", by=TEST, at=EIGHT)
    withdraw_ruling(table, ruling.pk, by=TEST, at=EIGHT)
    withdrawn, applied = AuditEntry.objects.filter(action__contains="rul")[:2]
    points = [[c for c in changes(entry) if c.label == "Points"] for entry in (applied, withdrawn)]
    assert points == [[Change("Points", "", "2 – 0")], [Change("Points", "2 – 0", "")]]
    assert entry_action(withdrawn) == "Withdrew penalty"


def test_a_misdeal_is_recorded_and_no_penalty(club, organiser):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    note_misdeal(table, client_id="misdeal-1", by=TEST, at=EIGHT)
    rule_penalty(table, by_seat=0, client_id="penalty-1", by=TEST, at=EIGHT)
    page = organiser.get(reverse("audit", args=[club.slug])).text
    log = page.partition("<tbody")[2]
    assert "Recorded misdeal" in log
    assert log.count("Applied penalty") == 1
    assert "Kind: misdeal" not in log
    assert '<option value="record misdeal">Recorded misdeal</option>' in page


def test_seats_are_named_by_who_sits_there_or_else_counted_from_one(club):
    entry = log_action(club, TEST, "settle game", new={"seat": 0, "winners": [0, 2]})
    assert [change.new for change in changes(entry)] == ["seat 1", "seat 1, seat 3"]
    known = changes(entry, TableInLog("", {0: "Rose", 2: "Ted"}))
    assert [change.new for change in known] == ["Rose", "Rose, Ted"]


def test_what_only_programs_need_is_left_out(club):
    drawn = log_action(club, TEST, "draft round", "1", new={"seed": 660074778})
    hand = log_action(club, TEST, "record hand", "table 1", new={"hand": 1, "version": 1})
    seeded = log_action(club, TEST, "seed entry", new={"seed": 2})
    cup = log_action(club, TEST, "draw tournament round", "Cup", new={"seed": 1300177131})
    assert [[c.label for c in changes(entry)] for entry in (drawn, cup, hand, seeded)] == [
        [],
        [],
        ["Hand"],
        ["Seed"],
    ]


def test_a_settled_game_shows_its_score_before_and_after(club):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (0, 3))
    settle_game(table, "score", reason="agreed at the table", score=[3, 5], by=TEST, at=EIGHT)
    settled = changes(AuditEntry.objects.latest("id"))
    settle_game(table, "score", reason="again", score=[4, 5], by=TEST, at=EIGHT)
    again = [change.label for change in changes(AuditEntry.objects.latest("id"))]
    assert {*again} == {"Score", "Decision", "Reason"}
    (score,) = [change for change in settled if change.label == "Score"]
    assert (score.old, score.new) == ("1 – 0", "3 – 5")
    totals = log_action(club, TEST, "write totals", "table 1", new=[10, -2])
    (named,) = changes(totals, TableInLog("", {0: "Rose", 1: "Ann", 2: "Ted", 3: "Bill"}))
    assert named == Change("", "", "Rose & Ted 10, Ann & Bill −2")


def test_points_for_places_and_time_zones_are_told_in_words(club):
    old, new = {"place_points": "[]"}, {"place_points": "['10', '8', '2.5']"}
    assert changes(log_action(club, TEST, "change season", old=old, new=new)) == [
        Change("Points for places", "", "10, 8, 2.5")
    ]
    old, new = {"time_zone": "UTC"}, {"time_zone": "Europe/Vienna"}
    entry = log_action(club, TEST, "change settings", old=old, new=new)
    with translation.override("de"):
        assert changes(entry) == [Change("Zeitzone", "UTC", "Wien")]


def test_old_and_new_are_two_words_and_a_device_is_named_in_the_readers_language(club, organiser):
    by = Actor("Right Bower", source="command line")
    log_action(club, by, "close session", old="open", new="closed")
    page = organiser.get(f"/c/{club.slug}/audit/", headers={"Accept-Language": "de"})
    assert "<del>Offen</del> → <ins>Beendet</ins>" in page.content.decode()
    assert "Befehlszeile" in page.content.decode()


def test_lists_and_nested_values_are_told_too(club):
    entry = log_action(
        club, TEST, "seat", old=[1, 2], new={"tables": [[4, 4], [3]], "alone": False}
    )
    assert changes(entry) == [
        Change("", "1, 2", ""),
        Change("Tables 1", "", "4, 4"),
        Change("Tables 2", "", "3"),
        Change("Alone", "", "no"),
    ]


def test_a_hand_is_told_in_a_few_words_and_what_stayed_the_same_once(club):
    record = {"dealer": 0, "contract": {"seat": 1, "trump": "h", "alone": True}, "outcome": "made"}
    better = record | {"outcome": "march"}
    entry = log_action(
        club,
        TEST,
        "correct hand",
        old={"hand": 3, "record": record},
        new={"hand": 3, "record": better},
    )
    assert changes(entry) == [
        Change(
            "Hand 3",
            "seat 1 deals; seat 2: hearts, alone; made",
            "seat 1 deals; seat 2: hearts, alone; march",
        ),
    ]


def test_of_changed_choices_only_what_changed_is_told_and_as_the_forms_say_it(club):
    late = {"weekday": "sat", "time": "18:00", "points": 1, "from": "winner"}
    squads = {"least": 6, "cup_tied": False}
    entry = log_action(
        club,
        TEST,
        "change league rules",
        old={"rules": {"late": late}, "squads": squads},
        new={"rules": {"late": late | {"from": "both"}}, "squads": squads | {"cup_tied": True}},
    )
    assert changes(entry) == [
        Change("Points taken from", "the winning team", "both teams"),
        Change("A player can't play for two teams in one cup", "no", "yes"),
    ]


def test_what_was_chosen_for_a_tournament_is_told_as_its_form_says_it(club):
    chosen = {"format": "swiss", "games": 3, "unplayed": "omitted", "unit": "bell"}
    entry = log_action(club, TEST, "make tournament", new=chosen)
    with translation.override("de"):
        chosen = {change.label: change.new for change in changes(entry)}
    assert chosen["Turnierform"] == "Schweizer System (Paare)"
    assert chosen["Eine Begegnung ist"] == "höchstens 3 Partien"
    assert chosen["Eine Partie dauert"] == "bis der Kopftisch läutet"
    ended = log_action(club, TEST, "finish tournament", old="running", new="finished")
    assert changes(ended) == [Change("", "Under way", "Finished")]


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"dealer": 3, "contract": None}, "seat 4 deals; passed out"),
        (
            {
                "dealer": 0,
                "auction": [
                    {"seat": 1, "call": "pass"},
                    {"seat": 2, "call": "name", "trump": "s", "alone": False},
                ],
                "tricks_won": [3, 0, 2, 0],
                "tricks": [{"cards": []}],
            },
            "seat 1 deals; seat 3: spades; tricks seat 1: 3, seat 3: 2; every card recorded",
        ),
        (
            {
                "dealer": 0,
                "contract": {"seat": 0, "trump": "nt", "tricks": 6},
                "tricks_won": {"makers": 7},
            },
            "seat 1 deals; seat 1: no trump, 6; the makers take 7",
        ),
    ],
)
def test_every_kind_of_hand_has_its_words(record, words):
    assert hand_words(record) == words


def test_a_hand_is_read_as_on_the_games_page_with_its_tricks_and_points(club, organiser):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (1, 4))
    write(table, (0, 2), (0, 2))
    page = organiser.get(reverse("audit", args=[club.slug])).text
    rose, ann, _ted, bill = [seat.member.name for seat in table.seats.order_by("position")]
    assert f"{rose} deals; {ann}: made, 4 tricks; {escape(f'{ann} & {bill}')} +1" in page
    assert f"euchred, 2 tricks; {escape(f'{ann} & {bill}')} +2" in page
    assert "calls" not in hand_words({"dealer": 0, "contract": {"seat": 1}})


FIX = {"expected_version": 1, "client_id": "hand-fixed", "by": TEST, "at": EIGHT}


@pytest.fixture
def two_rounds(club):
    """Tables 1 of two published rounds, each with hands."""
    members = members_of(club, 8)
    night = a_session(club, members)
    first = a_table(night, members[:4], a_ruleset(club))
    write(first, (1, 5))
    first.is_live = False
    first.save()
    second = a_table(night, members[4:], first.ruleset)
    published = {"state": "published", "published_at": EIGHT, "seed": 1}
    second.round, second.number = Round.objects.create(session=night, number=2, **published), 1
    second.save()
    write(second, (2, 5), (3, 5))
    return first, second


def names_by_seat(table):
    return {seat.position: seat.member.name for seat in table.seats.all()}


def test_an_entry_names_the_players_of_its_round_whatever_was_published_since(
    club, two_rounds, organiser
):
    first, second = two_rounds
    correct_hand(first, 1, made(1, 3), reason="Typo", **FIX)
    entries = list(AuditEntry.objects.filter(action__endswith="hand"))
    assert [entry.subject for entry in entries] == [
        "round 1, table 1",
        *["round 2, table 1"] * 2,
        "round 1, table 1",
    ]
    tables = tables_in(entries)
    assert [tables[entry.pk].players for entry in entries] == [
        names_by_seat(table) for table in (first, second, second, first)
    ]
    page = organiser.get(f"/c/{club.slug}/audit/", headers={"Accept-Language": "de"})
    assert ">Runde 2, Tisch 1</a></strong>" in page.text


def test_an_entry_of_an_earlier_version_is_read_by_its_hand_or_score(club, two_rounds):
    first, second = two_rounds
    hand = AuditEntry.objects.filter(action="record hand").last()
    score = {"seat": None, "score": game_at(first).score}

    def players(action, new):
        entry = log_action(club, TEST, action, "table 1", session=first.session, new=new)
        return tables_in([entry])[entry.pk].players

    assert players("record hand", hand.new) == names_by_seat(first)
    assert players("confirm game", score) == names_by_seat(first)
    assert players("write totals", [9, 9]) == names_by_seat(second)


def test_the_log_says_tables_and_presets_in_the_readers_language():
    entry = AuditEntry(new={"preset": "standard-four-handed"})
    with translation.override("de"):
        assert subject_words("table 3") == "Tisch 3"
        assert subject_words("Karin") == "Karin"
        assert [one.new for one in changes(entry)] == [
            "Euchre (üblich, zu viert)",
        ]


@pytest.mark.parametrize("added", [" Tea is free.", ""])
def test_of_a_long_text_the_log_shows_where_it_differs(club, added):
    before = "Come on any Thursday, with a partner or without one. " * 4 + "Ask at the bar."
    entry = AuditEntry(action="change settings", old={"welcome": before})
    entry.new = {"welcome": before + added + "\nSee you there."}
    (change,) = changes(entry)
    assert change.old == "… without one. Ask at the bar."
    assert change.new == f"… without one. Ask at the bar.{added}\nSee you there."


def test_a_long_text_that_is_new_is_cut_and_says_so(club):
    entry = AuditEntry(action="change settings", old={"welcome": ""}, new={"welcome": "word " * 99})
    (change,) = changes(entry)
    assert change.old == ""
    assert change.new.endswith(" word …")
    assert len(change.new) < 170
