"""What a phone at a table may write: once, by the rules, with both hands shown in a conflict."""

import pytest
from django.core.cache import cache

from league.members.models import AuditEntry
from league.play.auth import read_code, table_code
from league.play.models import Confirmation, Game, Hand
from tests.api.asking import ROOT, Program, a_token
from tests.builders import a_game_table, a_table
from tests.play.hands import made, passed_out, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return a_game_table()


class Phone(Program):
    """A program with the code of a table."""

    def __init__(self, table, secret=None):
        super().__init__(secret or table_code(table))
        self.at = f"/tables/{table.public_id}"

    def send_to_table(self, path, method="post", **body):
        return self.send(method, self.at + path, body)

    def hand(self, record, number=None, client_id="hand-0001", **more):
        if number is not None:
            more["number"] = number
        return self.send_to_table("/hands", record=record, client_id=client_id, **more)


def answered(answer, status=200):
    assert answer.status_code == status, answer.content
    return answer.json()


def test_the_code_of_a_table_records_a_hand_and_gets_the_state_of_the_table(table):
    answer = answered(Phone(table).hand(made(0, 5), number=1))
    assert answer["hand"]["points"] == [2, 0, 2, 0]
    assert answer["counts"] is True
    state = answer["table"]
    assert [side["points"] for side in state["sides"]] == [2, 0]
    assert (state["next_hand"], state["dealer"], state["phase"]) == (2, 1, "playing")
    assert [seat["person"]["name"] for seat in state["seats"]] == ["Rose", "Ann", "Ted", "Bill"]


def test_the_same_id_again_answers_the_same_and_writes_nothing(table):
    phone = Phone(table)
    first, again = (answered(phone.hand(made(0, 3))) for _ in range(2))
    assert first["hand"] == again["hand"]
    assert Hand.objects.count() == 1
    other = answered(phone.hand(made(1, 3)), 409)
    assert other["code"] == "same-id"
    assert other["theirs"]["record"] == made(0, 3)
    assert other["mine"] == made(1, 3)


def test_a_number_that_is_taken_shows_both_hands_and_the_first_stays(table):
    phone, second = Phone(table), Phone(table)
    phone.hand(made(0, 3), number=1)
    clash = answered(second.hand(made(1, 5), number=1, client_id="hand-0002"), 409)
    assert (clash["code"], clash["same"]) == ("hand-there", False)
    assert (clash["mine"], clash["theirs"]["record"]) == (made(1, 5), made(0, 3))
    same = answered(second.hand(made(0, 3), number=1, client_id="hand-0002"), 409)
    assert same["same"] is True
    assert answered(second.hand(made(0, 3), number=3, client_id="hand-0003"), 409)["code"] == (
        "hand-missing"
    )
    assert Hand.objects.get().record == made(0, 3)


def test_every_fault_is_listed_with_its_code_and_nothing_is_saved(table):
    wrong = made(0, 3) | {"tricks_won": [3, 3, 0, 0]}
    refused = answered(Phone(table).hand(wrong), 422)
    assert refused["faults"][0]["code"] == refused["code"]
    assert not Hand.objects.exists()
    answered(Phone(table).hand(made(0, 3)))
    turn = made(0, 3, dealer=2)
    unlikely = answered(Phone(table).hand(turn, client_id="hand-0002"), 422)
    assert (unlikely["code"], unlikely["warnings"][0]["code"]) == ("unlikely", "wrong-dealer")
    answered(Phone(table).hand(turn, client_id="hand-0002", confirm_unlikely=True))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"record": {"dealer": 0}, "client_id": "short"}, "client_id"),
        ({"record": made(), "client_id": "hand-0001", "number": "1"}, "number"),
        ({"record": made(), "client_id": "hand-0001", "number": 0}, "number"),
        ({"record": made(), "client_id": "hand-0001", "number": 10**30}, "number"),
        ({"record": made(), "client_id": "hand-0001", "number": True}, "number"),
        (
            {"record": made(), "client_id": "hand-0001", "confirm_unlikely": "no"},
            "confirm_unlikely",
        ),
        ({"record": made(), "client_id": "hand-0001", "points": [2, 0, 2, 0]}, "points"),
        ({"record": made(), "client_id": "hand-0001", "recorded_by": "Rose"}, "recorded_by"),
        ({"record": [made()], "client_id": "hand-0001"}, "record"),
        ({"client_id": "hand-0001"}, "record"),
    ],
)
def test_a_body_that_is_not_as_described_is_refused_at_its_field(table, body, field):
    problem = answered(Phone(table).send_to_table("/hands", **body), 422)
    assert list(problem["fields"]) == [field]
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("{", "application/json", 400),
        ('{"seat": 1, "seat": 2}', "application/json", 400),
        ('{"seat": NaN}', "application/json", 400),
        ('{"seat": 1e999}', "application/json", 400),
        ("[" * 50_000, "application/json", 400),
        ('{"seat": 1' + "0" * 5000 + "}", "application/json", 400),
        (b'{"seat": "\xff"}', "application/json", 400),
        (" " * 100_001, "application/json", 413),
        ("seat=1", "application/x-www-form-urlencoded", 415),
        ("seat=1", "", 415),
    ],
)
def test_a_body_that_is_too_large_or_not_json_is_refused(table, body, kind, status):
    phone = Phone(table)
    answer = phone.client.post(
        ROOT + phone.at + "/concede", body, content_type=kind, headers=phone._authorization()
    )
    assert answered(answer, status)["status"] == status


def test_a_hand_is_undone_once_and_its_number_used_again(table):
    phone = Phone(table)
    phone.hand(made(0, 3))
    for _twice in range(2):
        answer = answered(phone.send_to_table("/undo", number=1, version=1))
        assert (answer["counts"], answer["table"]["next_hand"]) == (False, 1)
    assert answered(phone.hand(made(1, 3), client_id="hand-0002"))["hand"]["version"] == 2
    assert answered(phone.send_to_table("/undo", number=1, version=9), 409)["code"] == "not-last"


def test_a_correction_is_a_new_version_and_a_stale_one_gets_the_current_hand(table):
    phone = Phone(table)
    phone.hand(made(0, 3))
    change = {"record": made(0, 5), "reason": "all five", "version": 1}
    answer = answered(phone.send_to_table("/hands/1", "put", client_id="hand-0002", **change))
    assert (answer["hand"]["version"], answer["hand"]["points"]) == (2, [2, 0, 2, 0])
    stale = answered(phone.send_to_table("/hands/1", "put", client_id="hand-0003", **change), 409)
    assert (stale["code"], stale["theirs"]["version"]) == ("stale", 2)
    struck = phone.send_to_table(
        "/hands/1/strike", client_id="hand-0004", version=2, reason="a test"
    )
    assert answered(struck)["hand"]["struck"] is True
    missing = phone.send_to_table("/hands/7", "put", client_id="hand-0005", **change)
    assert answered(missing, 404)["code"] == "no-hand"


def test_a_phone_corrects_within_its_time_and_an_organisers_token_later(table):
    club = table.session.club
    phone = Phone(table)
    phone.hand(made(0, 3))
    Hand.objects.update(entered_at="2026-01-01T20:00:00Z")
    undo = {"number": 1, "version": 1}
    assert answered(phone.send_to_table("/undo", **undo), 403)["code"] == "ask-organiser"
    record = Phone(table, a_token(club, "record"))
    assert answered(record.send_to_table("/undo", **undo), 403)["code"] == "ask-organiser"
    assert (
        answered(Phone(table, a_token(club, "organise")).send_to_table("/undo", **undo))["counts"]
        is False
    )


def test_the_activity_log_says_who_recorded_a_hand(table):
    token = a_token(table.session.club, "record", name="Scorer of the bar")
    answered(Phone(table, token).hand(passed_out()))
    entry = AuditEntry.objects.get(action="record hand")
    assert (entry.actor, entry.user is None) == ("Scorer of the bar, by the API", False)
    other = Phone(table)
    other.hand(made(0, 3, dealer=1), client_id="hand-0002")
    assert AuditEntry.objects.filter(action="record hand").first().actor == "phone at table 1"


def test_a_check_of_a_hand_answers_what_the_rules_say_and_saves_nothing(table):
    phone = Phone(table)
    answer = answered(phone.send_to_table("/check", record=made(1, 2)))
    assert (answer["valid"], answer["points"]) == (True, [2, 0, 2, 0])
    assert (answer["score"], answer["over"], answer["warnings"]) == ([2, 0], False, [])
    out_of_turn = answered(phone.send_to_table("/check", record=made(1, 2, dealer=2)))
    assert (out_of_turn["valid"], out_of_turn["warnings"][0]["code"]) == (True, "wrong-dealer")
    assert answered(phone.send_to_table("/check", record={"dealer": 9}))["valid"] is False
    assert not Game.objects.exists()


def test_a_game_is_conceded_resumed_and_ended_by_time(table):
    phone = Phone(table)
    phone.hand(made(0, 3))
    assert answered(phone.send_to_table("/concede", seat=1))["phase"] == "confirmed"
    assert answered(phone.send_to_table("/resume"))["phase"] == "playing"
    assert answered(phone.send_to_table("/time"))["phase"] == "confirmed"
    assert (
        answered(phone.hand(made(1, 3, dealer=1), client_id="hand-0002"), 409)["code"]
        == "game-over"
    )


def test_a_side_confirms_or_disputes_a_finished_game(table):
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    phone = Phone(table)
    assert answered(phone.send_to_table("/confirm", seat=1), 409)["code"] == "still-playing"
    phone.send_to_table("/concede", seat=1)
    assert answered(phone.send_to_table("/confirm", seat=0), 403)["code"] == "own-win"
    assert answered(phone.send_to_table("/dispute", seat=1, reason="we won"))["phase"] == "disputed"
    assert answered(phone.send_to_table("/confirm", seat=0), 409)["code"] == "disputed"
    assert answered(phone.send_to_table("/confirm", seat=5), 422)["fields"].keys() == {"seat"}
    assert Confirmation.objects.get().reason == "we won"


@pytest.mark.parametrize("reason", ["", " ", "x" * 201, "a\tb\x07", "\u202e"])
def test_a_reason_is_one_line_of_printable_words(table, reason):
    assert answered(Phone(table).send_to_table("/dispute", seat=1, reason=reason), 422)[
        "fields"
    ].keys() == {"reason"}


def test_a_misdeal_and_a_penalty_are_recorded_between_hands(table):
    phone = Phone(table)
    phone.hand(made(0, 3))
    answered(phone.send_to_table("/misdeal", client_id="ruling-01"))
    state = answered(phone.send_to_table("/penalty", client_id="ruling-02", by_seat=1))
    assert state["sides"][0]["points"] > 1
    refused = answered(phone.send_to_table("/penalty", client_id="ruling-03", by_seat=7), 422)
    assert list(refused["fields"]) == ["by_seat"]


def test_a_table_of_totals_takes_its_final_score(table):
    table.totals_only = True
    table.save()
    state = answered(Phone(table).send_to_table("/totals", totals=[10, 7]))
    assert [side["points"] for side in state["sides"]] == [10, 7]
    assert answered(Phone(table).send_to_table("/totals", totals=[10]), 422)["code"] == "bad-totals"


def test_a_phone_follows_its_table_when_other_people_sit_down(table):
    phone = Phone(table)
    assert answered(phone.send_to_table("/follow"), 409)["code"] == "no-next-table"
    members = [seat.member for seat in table.seats.all()]
    table.seats.update(seated=False)
    table.is_live = False
    table.save()
    second = table.session.rounds.create(number=2, state="published", seed=2)
    following = a_table(table.session, members, table.ruleset, number=9)
    following.number, following.round = table.number, second
    following.save()
    answer = answered(phone.send_to_table("/follow"))
    assert read_code(answer["code"]) == (following.public_id, 1)
    token = Phone(table, a_token(table.session.club, "record"))
    assert answered(token.send_to_table("/follow")) == {
        "table_id": following.public_id,
        "code": None,
    }


def test_a_closed_session_takes_nothing_and_a_cookie_does_not_help(table, client):
    token = Phone(table, a_token(table.session.club, "record"))
    write(table, (0, 3))
    table.session.state = "closed"
    table.session.save()
    assert answered(token.hand(made(1, 3, dealer=1)), 409)["code"] == "session-not-open"
    cache.clear()
    client.post("/t/", {"code": table_code(table)})
    answer = client.post(f"{ROOT}{token.at}/time", content_type="application/json")
    assert answer.status_code == 401


def test_a_record_that_names_other_rules_than_the_tables_is_refused(table):
    options = ({"target": 5}, {"target": {"deep": [1]}}, {"target": "x" * 999}, {"no such": [[]]})
    rulesets = ({"ruleset": "somerset"}, {"ruleset": "no-such"})
    for more in (*({"options": changes} for changes in options), *rulesets):
        answer = Phone(table).hand(made(0, 3) | more)
        assert answer.status_code == 422, (more, answer.content)
