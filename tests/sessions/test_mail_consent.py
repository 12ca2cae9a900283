"""A club's mail goes to nobody who has not agreed: one question to each address, and few a day."""

import re
from datetime import UTC, date, datetime, time

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as sent_mail
from django.test import Client
from django.urls import reverse

from league.limits import Limit
from league.members import account_mail
from league.members.actions import edit_member, erase_member, merge_members
from league.members.models import Club, Member, User
from league.sessions import actions, attendance, mail, reminders
from league.sessions.mail import without_links
from league.sessions.models import Session
from league.sessions.reminders import due_letters, send_due
from tests.builders import TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture
def owner() -> User:
    user = a_user("olive")
    EmailAddress.objects.create(user=user, email="olive@example.org", verified=True, primary=True)
    return user


@pytest.fixture
def club(owner: User) -> Club:
    club = a_club(time_zone="America/Toronto")
    club.roles.create(user=owner, rank="owner")
    return club


@pytest.fixture(autouse=True)
def night(club: Club) -> Session:
    return tomorrow(club)


def tomorrow(club: Club, **fields: object) -> Session:
    day = {"held_on": date(2026, 11, 19), "begins_at": time(19), "state": "planned"}
    return a_session(club, **(day | fields))


def written_down(club: Club, count: int = 1, reminders: str = "all") -> list[Member]:
    """Members whose addresses an organiser has typed."""
    people = members_of(club, count)
    for one in people:
        email = f"{one.name.lower()}@example.org"
        edit_member(one, by=TEST, email=email, reminders=reminders)
        one.refresh_from_db()
    return people


def sent() -> list[sent_mail.EmailMessage]:
    before = len(sent_mail.outbox)
    send_due(NOON, hours=48)
    return sent_mail.outbox[before:]


def link_in(one: sent_mail.EmailMessage) -> str:
    (link,) = re.findall(r"http://127.0.0.1:8000(/mail/\S+)", one.body)
    return link


# -- the question ----------------------------------------------------------------------------------


def test_an_address_that_was_only_typed_gets_one_question_and_nothing_else(club: Club) -> None:
    written_down(club)
    (question,) = sent()
    assert question.to == ["rose@example.org"]
    assert "May a Euchre club send you mail?" in question.subject
    for name in ("Another", "Third"):
        tomorrow(club, name=name)
        assert sent() == []


def test_once_its_owner_agrees_mail_comes(club: Club) -> None:
    (rose,) = written_down(club)
    link = link_in(sent()[0])
    browser = Client()
    page = browser.get(link)
    assert "May Thursday Euchre send you mail?" in page.content.decode()
    assert sent() == []  # looking agrees to nothing
    assert browser.post(f"{link}agree").status_code == 302
    assert "sends you mail" in browser.get(link).content.decode()
    (reminder,) = sent()
    assert "Thursday night" in reminder.subject
    assert link in reminder.body
    assert club.audit.get(action="agree to mail").subject == rose.name


@pytest.mark.parametrize("agreed", [False, True])
def test_whoever_stops_it_is_never_asked_again(club: Club, agreed: bool) -> None:
    (rose,) = written_down(club)
    link = link_in(sent()[0])
    if agreed:
        Client().post(f"{link}agree")
    Client().post(f"{link}stop")
    edit_member(rose, by=TEST, reminders="all")
    rose.refresh_from_db()
    attendance.sign_up(Session.objects.get(), rose, by=TEST, at=NOON)
    actions.cancel_session(Session.objects.get(), by=TEST, at=NOON)
    tomorrow(club, name="Another")
    assert sent() == []


def test_the_link_ends_when_the_club_writes_down_another_address(club: Club) -> None:
    (rose,) = written_down(club)
    link = link_in(sent()[0])
    edit_member(rose, by=TEST, email="other@example.org")
    for address in (link, link.replace(rose.public_id, "x" * 12), f"{link[:-3]}abc/"):
        assert Client().get(address).status_code == 403
        assert Client().post(f"{address}agree").status_code == 403
    rose.refresh_from_db()
    assert rose.confirmed_email == ""


def test_what_was_agreed_holds_for_that_address_alone(club: Club) -> None:
    (rose,) = written_down(club)
    Client().post(f"{link_in(sent()[0])}agree")
    edit_member(rose, by=TEST, email="victim@example.org")
    (question,) = sent()
    assert (question.to, "May a Euchre club" in question.subject) == (["victim@example.org"], True)
    assert sent() == []
    edit_member(rose, by=TEST, email="ROSE@example.org")
    assert [one.to for one in sent()] == [["ROSE@example.org"]]


def test_an_address_that_is_the_accounts_own_and_confirmed_needs_no_question(club: Club) -> None:
    (rose,) = written_down(club)
    rose.user = a_user("rose", club=club, rank="member")
    rose.save()
    own = EmailAddress.objects.create(user=rose.user, email="Rose@example.org", primary=True)
    assert "May a Euchre club" in sent()[0].subject
    EmailAddress.objects.filter(pk=own.pk).update(verified=True)
    assert "Thursday night" in sent()[0].subject


def test_an_accounts_own_mail_agrees_for_no_other_address(club: Club) -> None:
    (rose,) = written_down(club)
    rose.user = a_user("rose", club=club, rank="member")
    rose.save()
    EmailAddress.objects.create(user=rose.user, email="me@example.org", primary=True, verified=True)
    to_me = next(one for one in sent() if one.to == ["me@example.org"])
    Client().post(f"{link_in(to_me)}agree")
    rose.refresh_from_db()
    assert rose.confirmed_email == ""


def test_nobody_is_asked_who_wants_no_mail_and_has_signed_up_for_nothing(
    club: Club, night: Session
) -> None:
    (rose,) = written_down(club, reminders="never")
    assert sent() == []
    attendance.sign_up(night, rose, by=TEST, at=NOON)
    (question,) = sent()
    actions.cancel_session(night, by=TEST, at=NOON)
    assert sent() == []
    Client().post(f"{link_in(question)}agree")
    assert "Cancelled" in sent()[0].subject


def test_two_runs_at_once_ask_once(club: Club) -> None:
    written_down(club)
    runs = [due_letters(club, NOON, hours=48) for _ in range(2)]
    assert [[one.claim() for one in run] for run in runs] == [[True], [False]]


def test_a_question_the_mail_server_does_not_take_is_asked_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_down(club)
    monkeypatch.setattr(sent_mail.EmailMessage, "send", lambda self: 0)
    assert send_due(NOON, hours=48).failed == 1
    monkeypatch.undo()
    assert Member.objects.get().asked_email == ""


def test_a_page_says_what_an_address_waits_for(club: Club, owner: User, client: Client) -> None:
    (rose,) = written_down(club)
    client.force_login(owner)
    page = reverse("member_edit", args=[club.slug, rose.public_id])
    assert "hasn't agreed to mail" in client.get(page).content.decode()
    Member.objects.update(confirmed_email=rose.email)
    assert "hasn't agreed to mail" not in client.get(page).content.decode()


def test_what_was_agreed_is_erased_and_goes_along_with_the_address(club: Club) -> None:
    rose, ann = written_down(club, 2)
    Member.objects.filter(pk=rose.pk).update(confirmed_email=rose.email)
    Member.objects.filter(pk=ann.pk).update(email="", asked_email="")
    into = merge_members(rose, into=ann, by=TEST, at=NOON)
    assert (into.email, into.confirmed_email) == ("rose@example.org", "rose@example.org")
    erase_member(into, by=TEST, at=NOON)
    kept = list(Member.objects.values_list("email", "confirmed_email", "asked_email"))
    assert kept == [("", "", "")] * 2


# -- how many, and with whose words ----------------------------------------------------------------


def test_a_stranger_sends_no_words_to_anybody_and_few_questions(
    settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.START_CLUB = "anyone"
    eve, browser = a_user("eve"), Client()
    browser.force_login(eve)
    rules = {"rules_2": "nanaimo-two-handed", "rules_3": "nanaimo-three-handed"}
    rules |= {"rules_4": "nanaimo-four-handed", "time_zone": "UTC"}
    for number, name in enumerate(["www.evil.example: 0900 1234", "See evil.example/win, now"], 1):
        browser.post(reverse("new_club"), {"name": name, "slug": f"evil{number}"} | rules)
        evil = Club.objects.get(slug=f"evil{number}")
        tomorrow(evil, name="Click https://evil.example")
        Member.objects.bulk_create(
            Member(club=evil, name=f"N{n}", email=f"v{number}.{n}@example.org", reminders="all")
            for n in range(50)
        )
    assert sent() == []  # no owner of these clubs has confirmed an address
    EmailAddress.objects.create(user=eve, email="eve@example.org", verified=True)
    went = sent() + sent()
    assert len(went) == mail.QUESTIONS_PER_DAY.most
    for one in went:
        text = one.subject + one.body
        assert "evil" not in text.replace("evil example", "")
        assert not re.search(r"https?://(?!127)|www\.|0900|1234|Click", text)
        assert '"www evil example"' in text or '"See evil example win now"' in text


def test_whoever_agreed_gets_only_so_many_a_day(club: Club) -> None:
    (rose,) = written_down(club)
    Member.objects.update(confirmed_email=rose.email)
    for number in range(reminders.PER_ADDRESS.most + 4):
        tomorrow(club, name=f"Words {number}")
    assert len(sent() + sent()) == reminders.PER_ADDRESS.most
    assert club.sessions.filter(reminders=None).count() == 5  # due still, and tried again


def test_one_address_is_asked_by_few_clubs(owner: User, club: Club) -> None:
    for number in range(3):
        other = a_club(f"Club {number}", f"club-{number}")
        other.roles.create(user=owner, rank="owner")
        tomorrow(other)
        Member.objects.create(club=other, name="V", email="victim@example.org", reminders="all")
    assert [one.to for one in sent()] == [["victim@example.org"]]


def test_who_could_not_be_asked_today_is_asked_later(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "QUESTIONS_PER_DAY", Limit(2, 60))
    written_down(club, 3)
    assert [one.to for one in sent()] == [["rose@example.org"], ["ann@example.org"]]
    monkeypatch.setattr(mail, "QUESTIONS_PER_DAY", account_mail.OF_SITE)
    assert [one.to for one in sent()] == [["ted@example.org"]]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Thursday Euchre", "Thursday Euchre"),
        ("Côte-d'Azur & Co", "Côte-d'Azur & Co"),
        ("see evil.example/x?y=1", "see evil example x y"),
        ("a\r\nBcc: b@c.example", "a Bcc b c example"),
        ("+44 20 7946 0000", ""),
    ],
)
def test_a_clubs_name_in_a_question_holds_nothing_to_click_or_call(name: str, plain: str) -> None:
    assert without_links(name) == plain
