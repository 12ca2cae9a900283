"""Photographs of signed cards: made small, seen by few, deleted with the league."""

from io import BytesIO
from zlib import crc32

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from league.errors import Refused
from league.exchange.archive_writing import archive_of
from league.members.actions import erase_member
from league.teams import actions
from league.teams.models import CardPhotograph
from league.teams.views.cards import MOST_BYTES, small_photograph
from tests.builders import EIGHT, TEST, a_club, a_user, members_of
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_pages import address, captain, messages_on

WHERE = b"51.5 North"


def a_picture(kind="JPEG", size=(60, 40), **more):
    """The bytes of a picture, red on the left and blue on the right."""
    picture = Image.new("RGB", size, "blue")
    picture.paste("red", (0, 0, size[0] // 2, size[1]))
    content = BytesIO()
    picture.save(content, kind, **more)
    return content.getvalue()


def photograph_from_a_phone():
    """A JPEG from a phone held upright: stored sideways, with rotation and place in its EXIF."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turn it clockwise to see it
    exif[0x010E] = WHERE.decode()
    return a_picture(exif=exif, comment=WHERE)


def png_claiming_size(width, height):
    """A small PNG with another size in its header, which can be checked without unpacking it."""
    content = a_picture("PNG")
    head = b"IHDR" + width.to_bytes(4) + height.to_bytes(4) + content[24:29]
    return content[:12] + head + crc32(head).to_bytes(4) + content[33:]


def open_image(content):
    return Image.open(BytesIO(content))


def test_a_photograph_loses_what_the_camera_wrote_and_stands_upright():
    sent = photograph_from_a_phone()
    assert sent.count(WHERE) == 2
    small = small_photograph(sent)
    assert WHERE not in small
    assert b"Exif" not in small
    picture = open_image(small)
    assert picture.size == (40, 60)
    red, _green, blue = picture.getpixel((20, 5))
    assert red > 200 > 50 > blue


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_large_photograph_becomes_a_small_jpeg(kind):
    small = small_photograph(a_picture(kind, (4000, 3000)))
    assert (open_image(small).format, open_image(small).size) == ("JPEG", (1600, 1200))
    assert len(small) <= MOST_BYTES


def test_a_picture_of_noise_is_made_smaller_until_it_fits():
    content = BytesIO()
    Image.effect_noise((2000, 2000), 200).save(content, "PNG")
    small = small_photograph(content.getvalue())
    assert len(small) <= MOST_BYTES
    assert max(open_image(small).size) < 1600


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no-photograph"),
        (b"<svg onload='alert(1)'/>", "no-photograph"),
        (a_picture("GIF"), "no-photograph"),
        (a_picture("TIFF"), "no-photograph"),
        (a_picture(size=(600, 400))[:-200], "no-photograph"),
        (a_picture("PNG")[:60], "no-photograph"),
        (png_claiming_size(6000, 5000), "too-many-pixels"),
        (png_claiming_size(15000, 15000), "no-photograph"),
    ],
    ids=["nothing", "svg", "gif", "tiff", "cut", "cut png", "30 million pixels", "a bomb"],
)
def test_a_file_that_is_not_a_photograph_is_refused_with_a_sentence(content, code):
    with pytest.raises(Refused) as refused:
        small_photograph(content)
    assert refused.value.code == code


def upload(client, match, content, name="card.jpg"):
    file = SimpleUploadedFile(name, content, "image/jpeg")
    where = address("team_photograph_send", match.league, match.public_id)
    return client.post(where, {"photograph": file}, follow=True)


@pytest.mark.django_db
def test_captains_and_organisers_see_a_captains_photograph_and_nobody_else_does():
    league = with_fixtures()
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    other = captain(league, league.teams.exclude(pk__in=[match.home_id, match.away_id]).first())
    organiser = Client()
    organiser.force_login(a_user(club=league.club))
    answer = upload(home, match, photograph_from_a_phone())
    assert messages_on(answer) == ["Sent the photograph."]
    image = address("team_photograph", league, match.public_id, match.home.public_id)
    for client in (home, away, organiser):
        assert image in client.get(address("team_match", league, match.public_id)).content.decode()
        file = client.get(image)
        assert (file.status_code, file["Content-Type"]) == (200, "image/jpeg")
        assert file["Content-Disposition"].startswith("attachment")
        assert file["X-Content-Type-Options"] == "nosniff"
        assert "no-store" in file["Cache-Control"]
        assert WHERE not in file.content
    page = other.get(address("team_match", league, match.public_id)).content.decode()
    assert "hotograph" not in page.partition("<main")[2]
    assert other.get(image).status_code == 403
    assert upload(other, match, photograph_from_a_phone()).status_code == 403
    assert upload(organiser, match, photograph_from_a_phone()).status_code == 403
    elsewhere = matches(league, 2)[0]
    wrong = address("team_photograph", league, elsewhere.public_id, match.home.public_id)
    assert organiser.get(wrong).status_code == 404


@pytest.mark.django_db
def test_a_captain_has_one_photograph_a_match_and_a_spoilt_one_changes_nothing():
    league = with_fixtures(2)
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    for size in ((10, 10), (20, 10)):
        upload(home, match, a_picture(size=size))
    (photograph,) = match.photographs.all()
    assert open_image(bytes(photograph.image)).size == (20, 10)
    answer = upload(home, match, b"no picture")
    assert messages_on(answer) == [
        "This is not a photograph the site can read. Choose a JPEG or PNG file."
    ]
    assert match.photographs.get() == photograph
    upload(away, match, a_picture())
    assert match.photographs.count() == 2


@pytest.mark.django_db
def test_an_account_sends_at_most_twenty_photographs_an_hour():
    league = with_fixtures(2)
    match = matches(league)[0]
    home = captain(league, match.home)
    answers = [messages_on(upload(home, match, b"x"))[0] for _n in range(21)]
    assert answers[19].startswith("This is not a photograph")
    assert "Try again in" in answers[20]


def with_photograph(league):
    match = matches(league)[0]
    image = small_photograph(a_picture())
    actions.send_photograph(match, image, side=0, by=TEST, at=EIGHT)
    return match


@pytest.mark.django_db
@pytest.mark.parametrize("to", ["finished", "cancelled"])
def test_photographs_go_when_the_league_is_closed(to):
    league = with_fixtures(2)
    with_photograph(league)
    kept = with_photograph(with_fixtures(2, club=a_club("Other", "other")))
    actions.set_league_state(league, to, by=TEST, at=EIGHT)
    assert [photograph.match for photograph in CardPhotograph.objects.all()] == [kept]
    with pytest.raises(Refused, match="closed"):
        with_photograph(league)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["team_league_close", "team_league_cancel"])
def test_the_site_asks_before_photographs_are_lost_with_the_league(client, name):
    league = with_fixtures(2)
    match = with_photograph(league)
    client.force_login(a_user(club=league.club))
    page = address(name, league)
    assert page in client.get(address("team_league_edit", league)).content.decode()
    text = client.get(page).content.decode()
    assert "1 photograph of a card will be deleted." in text
    assert address("team_photograph", league, match.public_id, match.home.public_id) in text
    client.post(page)
    assert CardPhotograph.objects.exists()
    client.post(page, {"sure": "on"})
    assert not CardPhotograph.objects.exists()
    league.refresh_from_db()
    assert league.is_closed


@pytest.mark.django_db
def test_erasing_anybody_of_the_club_deletes_its_photographs_and_no_other_clubs():
    with_photograph(with_fixtures(2, club=a_club("Other", "other")))
    league = with_fixtures(2)
    with_photograph(league)
    (stranger,) = members_of(league.club, 1)
    erase_member(stranger, by=TEST, at=timezone.now())
    assert [photograph.match.league.club.name for photograph in CardPhotograph.objects.all()] == [
        "Other"
    ]


@pytest.mark.django_db
def test_a_card_moved_to_another_match_takes_its_photograph_along():
    league = with_fixtures(2)
    match = with_photograph(league)
    written(match)
    to = matches(league, 2)[0]
    actions.move_card(match, to, by=TEST, at=EIGHT)
    assert CardPhotograph.objects.get().match == to


@pytest.mark.django_db
def test_a_full_backup_has_no_photograph():
    league = with_fixtures(2)
    with_photograph(league)
    assert "CardPhotograph" not in archive_of(league.club, at=timezone.now())["rows"]
