"""Games in EGN and EMN brought in: recorded ones of other programs, and our own again."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.errors import Refused
from league.exchange.egn_import import is_notation
from league.exchange.sheet_reading import Match
from league.exchange.views.dry_run import Agreement, rows_of
from league.exchange.views.files import HANDS_IMPORT
from league.play.models import Game
from league.play.recount import differences, with_everything
from tests.builders import EIGHT, TEST, a_club, a_user, members_of, rulesets_of
from tests.exchange.recorded import a_game_of_cards
from tests.exchange.test_game_files import fetch
from tests.scoring.notation import HANDED_OVER, OURS, data_of
from tests.scoring.test_egn import MADE_UP, REAL

pytestmark = pytest.mark.django_db
PEOPLE = {f"Player {n}": name for n, name in enumerate(("Rose", "Ann", "Ted", "Bill"))}
GAMES = [(OURS, name, score) for name, score in MADE_UP.items()]
GAMES += [(HANDED_OVER, name, score) for name, score in REAL.items() if HANDED_OVER.is_dir()]


@pytest.fixture
def club():
    made = a_club()
    members_of(made, 4)
    rulesets_of(made)
    return made


def people_in(data):
    """Our four players for whatever names a file has."""
    games = [one["gameData"] for one in data.get("games", [])] or [data]
    listed = data["metadata"]["players"] if "games" in data else games[0]["metadata"]["players"]
    names = [one["name"] if isinstance(one, dict) else one for one in listed]
    return dict(zip(names, PEOPLE.values(), strict=False))


def take(club, data):
    match = Match(people_in(data), "2026-11-05")
    rows = rows_of(HANDS_IMPORT, json.dumps(data).encode(), match)
    found = HANDS_IMPORT.preview(club, rows, EIGHT)
    assert [str(trouble) for trouble in found.troubles] == []
    return HANDS_IMPORT.save(club, rows, Agreement(found.agreed, (), TEST, EIGHT))


@pytest.mark.parametrize(("folder", "name", "score"), GAMES, ids=[name for _, name, _ in GAMES])
def test_a_recorded_game_comes_in_with_its_score_and_every_hand(club, folder, name, score):
    data = data_of(f"{name}.egn", folder)
    (night,) = take(club, data)
    game = night.games.get()
    assert tuple(game.score) == score
    assert game.hands.count() == len(data["deals"])
    assert not any(differences(with_everything(Game.objects.all())))
    assert take(club, data) == []  # the same file again adds nothing


def test_games_of_one_evening_come_in_one_after_another_into_one_session(club):
    first, second = (data_of("to-ten.egn", OURS), data_of("two-loners.egn", OURS))
    for data in (first, second):
        data["metadata"] |= {"title": "Kitchen table", "date": "2026-11-04T20:00"}
    assert take(club, first)[0] == take(club, second)[0]
    assert club.sessions.get().games.count() == 2


def test_our_own_egn_and_emn_come_in_elsewhere_with_the_same_hands_and_score():
    game = a_game_of_cards()
    game.session.state = "closed"
    game.session.save()
    for address in ("game_egn", "session_emn"):
        other = a_club(name=address, slug=address.replace("_", "-"))
        members_of(other, 4)
        rulesets_of(other)
        data = json.loads(fetch(game, address).content)
        (night,) = take(other, data)
        again = night.games.get()
        assert (night.name, night.held_on) == (game.session.name, game.session.held_on)
        assert (again.score, again.winners) == (game.score, game.winners)
        assert [h.points for h in again.hands.all()] == [h.points for h in game.hands.all()]
        assert take(game.session.club, data) == []  # at home it is here already


def test_a_match_of_two_games_becomes_one_session(club):
    (night,) = take(club, data_of("two-games.emn", OURS))
    assert night.games.count() == 2


def test_a_hand_with_unseen_cards_keeps_the_tricks_that_were_won_or_is_refused(club):
    data = data_of("unseen-cards.egn", OURS)
    with pytest.raises(Refused) as refused:
        rows_of(HANDS_IMPORT, json.dumps(data).encode())
    assert "too many cards are unknown" in str(refused.value.fields)
    data = data_of("to-ten.egn", OURS)
    tricks = data["deals"][0]["phases"][1]["tricks"]
    tricks[-1][-1] = "Xx"
    (row, *_others) = rows_of(HANDS_IMPORT, json.dumps(data).encode())
    record = json.loads(row["record"])
    assert "tricks" not in record
    assert sum(record["tricks_won"]) == 5


def test_a_game_that_is_not_over_is_refused_with_the_reason(club):
    data = data_of("to-ten.egn", OURS)
    data["deals"] = data["deals"][:-1]
    data["metadata"].pop("finalScore", None)
    with pytest.raises(Exception, match="cannot be imported") as refused:
        rows_of(HANDS_IMPORT, json.dumps(data).encode())
    assert "is not over" in refused.value.fields["file"][0]


def test_every_faulty_hand_is_named_with_its_game_and_number(club):
    data = data_of("to-ten.egn", OURS)
    data["deals"][1]["initialState"]["dealer"] = 7
    with pytest.raises(Exception, match="cannot be imported") as refused:
        rows_of(HANDS_IMPORT, json.dumps(data).encode())
    assert refused.value.fields["file"][0].startswith("Game 1, hand 2: ")


@pytest.mark.parametrize("content", [b"{", b'{"fileType": 1}', b"{}", b'{"fileType": [{}]}'])
def test_what_is_no_notation_is_refused_with_a_sentence(content):
    assert is_notation(content)
    with pytest.raises(Exception, match="cannot be imported"):
        rows_of(HANDS_IMPORT, content)


def test_names_that_the_club_does_not_know_are_asked_for_on_a_page(club, client):
    client.force_login(a_user(club=club))
    page = reverse("import_hands", args=[club.slug])
    content = Path(OURS / "to-ten.egn").read_bytes()
    data = json.loads(content)
    data["metadata"] |= {"players": [f"Stranger {n}" for n in range(4)], "date": ""}
    upload = SimpleUploadedFile("a.egn", json.dumps(data).encode())
    answer = client.post(page, {"file": upload})
    assert answer.status_code == 200
    form = answer.context["form"]
    assert list(form.fields) == ["person_0", "person_1", "person_2", "person_3", "day"]
    answers = {"carried": answer.context["carried"], "answered": "yes"}
    again = client.post(page, answers)
    assert again.status_code == 422
    people = {f"person_{n}": name for n, name in enumerate(PEOPLE.values())}
    seen = client.post(page, answers | people | {"day": "2026-11-05"})
    assert "1 game is new" in seen.content.decode()
    order = {name: seen.context[name] for name in ("carried", "match")}
    order["agreed"] = seen.context["seen"].agreed
    assert client.post(page, order).status_code == 302
    game = Game.objects.get(session__club=club)
    assert (game.session.held_on.isoformat(), max(game.score)) == ("2026-11-05", 10)


def many_games(count):
    """A file of so many games, each with four players of its own."""
    data = json.loads(Path(OURS / "two-games.emn").read_bytes())
    data["games"], players = data["games"][:1] * count, []
    for number in range(count):
        game = json.loads(json.dumps(data["games"][number]))
        names = [f"Stranger {number} {seat}" for seat in range(4)]
        ids = [f"p{number}-{seat}" for seat in range(4)]
        game |= {"gameIndex": number, "players": ids}
        game["gameData"]["metadata"]["players"] = names
        players += [{"id": one, "name": name} for one, name in zip(ids, names, strict=True)]
        data["games"][number] = game
    data["metadata"]["players"] = players
    return SimpleUploadedFile("a.emn", json.dumps(data).encode())


def test_of_many_unknown_names_each_is_asked_for_once_and_too_many_ask_to_split_the_file(
    club, client
):
    client.force_login(a_user(club=club))
    page = reverse("import_hands", args=[club.slug])
    answer = client.post(page, {"file": many_games(50)}).content.decode()
    assert answer.count('<input type="text" name="person_') == 200
    assert answer.count('<option value="Rose">') == 1
    refused = client.post(page, {"file": many_games(51)})
    assert refused.status_code == 422
    assert "names 204 players who are not on the list" in refused.content.decode()
