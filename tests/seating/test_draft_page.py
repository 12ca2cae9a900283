"""The draft page: two taps swap, prices before and after, publishing what was seen."""

import pytest
from django.urls import reverse

from league.members.models import Job, Member
from league.seating import jobs
from league.seating.actions import add_seating_request, publish, set_session_rules, substitute
from league.seating.draft_queries import load_draft
from league.seating.models import Round, Seat, SeatingRequest
from league.seating.queries import draft_of, live_tables
from league.sessions.attendance import arrive, leave
from tests.builders import TEST, a_club, a_ruleset, a_user, members_of
from tests.pages import squeezed
from tests.seating.nights import AT, a_game, a_night, a_seating_club, draft, published, sizes

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("short_search"),
]


@pytest.fixture
def night(client):
    night, _members = a_night(11)
    client.force_login(a_user(club=night.club))
    return night


def at(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


def two_at_different_tables(drawn):
    seats = Seat.objects.filter(table__round=drawn).select_related("member")
    one = seats.filter(table__number=1).first()
    return one.member, seats.filter(table__number=2).first().member


def test_two_taps_swap_two_people_without_a_script(client, night):
    drawn = draft(night)
    one, other = two_at_different_tables(drawn)
    picked = client.get(at("seating", night), {"pick": one.public_id})
    assert picked.context["picked"] == one
    assert (
        client.post(
            at("seating_swap", night), {"first": one.public_id, "second": other.public_id}
        ).status_code
        == 302
    )
    assert Seat.objects.get(table__round=drawn, table__number=2, member=one)


def test_the_draft_of_the_next_round_names_the_tables_that_it_leaves_out(client):
    night, _members = a_night(16)
    client.force_login(a_user(club=night.club))
    published(night)
    done, *others = live_tables(night)
    a_game(done)
    a_game(others[0], state="disputed")
    client.post(at("seating_draft", night), {"chosen": "1", "table": "1"})
    page = squeezed(client.get(at("seating", night)).content.decode())
    said = "The games at tables 2, 3 &amp; 4 are not over; their players are not in this draft."
    assert said in page
    for table in others:
        table.games.all().delete()
        a_game(table)
    page = squeezed(client.get(at("seating", night)).content.decode())
    assert "not in this draft" not in page  # left out by the organiser


def test_a_swap_is_priced_before_and_told_after(client, night):
    drawn = draft(night)
    one, other = two_at_different_tables(drawn)
    swap_costs = client.get(at("seating", night), {"pick": one.public_id}).context["prices"]
    assert len(swap_costs) == 10
    # In a first round nobody has had a turn at a small table: none comes before another.
    assert {cost.headline for cost in swap_costs.values()} == {"No change in fairness"}
    assert not any(cost.reasons for cost in swap_costs.values())
    answer = client.post(
        at("seating_swap", night),
        {"first": one.public_id, "second": other.public_id},
        follow=True,
    )
    message = str(next(iter(answer.context["messages"])))
    assert f"Swapped {one.name} and {other.name}" in message
    assert swap_costs[other.pk].headline in message
    assert {member.public_id for member in answer.context["again"]} == {
        one.public_id,
        other.public_id,
    }


def test_partners_who_would_meet_again_are_named_before_the_swap(client, night):
    published(night)
    for table in night.tables.filter(is_live=True):
        table.games.create(session=night, ruleset=table.ruleset, state="confirmed")
    first = list(night.tables.filter(players=4).first().seats.order_by("position"))
    partners = first[0].member, first[2].member
    drawn = draft(night, seed=5)
    seat = Seat.objects.get(table__round=drawn, member=partners[0])
    if seat.table.players != 4:
        seat = Seat.objects.filter(table__round=drawn, table__players=4).first()
        Seat.objects.filter(table__round=drawn, member=partners[0]).update(member=seat.member)
        Seat.objects.filter(pk=seat.pk).update(member=partners[0])
    opposite = Seat.objects.get(table=seat.table, position=(seat.position + 2) % 4)
    verdict = load_draft(draft_of(night)).swap_costs(partners[1])[opposite.member_id]
    assert verdict.short == "partners again"
    assert any("partners again tonight" in reason for reason in verdict.reasons)


def test_a_wish_that_is_not_kept_is_named_in_the_draft(client, night):
    drawn = draft(night)
    seats = Seat.objects.filter(table__round=drawn, table__number=1).order_by("position")
    add_seating_request(night.club, "never", seats[0].member, seats[1].member, by=TEST)
    broken = client.get(at("seating", night)).context["broken"]
    assert len(broken) == 1
    assert seats[0].member.name in broken[0]


def test_drawing_again_keeps_a_wish(client, night):
    drawn = draft(night)
    one, other = two_at_different_tables(drawn)
    add_seating_request(night.club, "together", one, other, by=TEST)
    client.post(at("seating_redraw", night))
    seats = Seat.objects.filter(table__round=drawn, member__in=(one, other))
    assert len({seat.table_id for seat in seats}) == 1
    assert client.get(at("seating", night)).context["broken"] == []


def test_publishing_an_older_version_than_the_draft_is_refused(client, night):
    drawn = draft(night)
    one, other = two_at_different_tables(drawn)
    client.post(at("seating_swap", night), {"first": one.public_id, "second": other.public_id})
    answer = client.post(at("seating_publish", night), {"round": drawn.pk, "version": 1})
    assert answer.status_code == 409
    assert Round.objects.get().state == "draft"


def test_publishing_makes_the_room_and_leads_to_the_session(client, night):
    drawn = draft(night)
    answer = client.post(at("seating_publish", night), {"round": drawn.pk, "version": 1})
    assert answer.url == at("session", night)
    assert Seat.objects.filter(seated=True).count() == 11


@pytest.mark.parametrize(
    "data",
    [{}, {"round": "x", "version": "1"}, {"round": "9" * 30, "version": "1"}, {"round": "1"}],
)
def test_publishing_nonsense_is_refused(client, night, data):
    draft(night)
    assert client.post(at("seating_publish", night), data).status_code in (404, 422)
    assert Round.objects.get().state == "draft"


def test_another_clubs_round_is_not_published(client, night):
    elsewhere, _members = a_night(8, a_seating_club(slug="other"))
    theirs = draft(elsewhere)
    answer = client.post(at("seating_publish", night), {"round": theirs.pk, "version": 1})
    assert answer.status_code == 404


def test_a_chair_is_locked_by_its_person_and_let_go_again(client, night):
    drawn = draft(night)
    seat = Seat.objects.filter(table__round=drawn).first()
    for locked in (True, False):
        client.post(at("seating_lock", night), {"member": seat.member.public_id})
        seat.refresh_from_db()
        assert seat.locked is locked


def test_a_draft_is_seen_by_nobody_but_organisers(client, night):
    draft(night)
    ready = '<p class="soft">Your tables are ready to publish'
    assert ready in squeezed(client.get(at("session", night)).text)
    client.force_login(a_user("mia", club=night.club, rank="member"))
    page = client.get(at("seating", night))
    assert "draft" not in page.context
    assert b"No tables yet" in page.content
    assert ready not in squeezed(client.get(at("session", night)).text)


def test_undoing_a_publishing_brings_the_draft_back(client, night):
    published(night)
    page = client.post(at("seating_take_back", night), follow=True).content.decode()
    assert draft_of(night).tables.count() == 3
    assert "Round 1 is unpublished. Players no longer see it; it is your draft again." in page


@pytest.mark.parametrize("kind", ["never", "avoid", "fixed", "apart", "together"])
def test_a_wish_about_two_needs_two_different_people(client, night, kind):
    rose = night.attendances.first().member
    for second in ("", rose.pk):
        answer = client.post(
            reverse("seating_requests", args=[night.club.slug]),
            {"kind": kind, "first": rose.pk, "second": second},
        )
        assert answer.status_code == 422
    assert not SeatingRequest.objects.exists()


def test_a_wish_is_written_down_once_whichever_way_round(client, night):
    rose, ann = (row.member for row in night.attendances.all()[:2])
    address = reverse("seating_requests", args=[night.club.slug])
    data = {"kind": "never", "first": rose.pk, "second": ann.pk}
    assert client.post(address, data).status_code == 302
    again = {"kind": "never", "first": ann.pk, "second": rose.pk}
    assert client.post(address, again).status_code == 422
    assert SeatingRequest.objects.count() == 1


def test_another_clubs_member_is_not_wished_for(client, night):
    stranger = members_of(a_club(slug="other"), 1)[0]
    rose = night.attendances.first().member
    data = {"kind": "never", "first": rose.pk, "second": stranger.pk}
    assert client.post(reverse("seating_requests", args=[night.club.slug]), data).status_code == 422


def test_a_wish_is_forgotten(client, night):
    rose = night.attendances.first().member
    request = add_seating_request(night.club, "stays", rose, by=TEST)
    client.post(reverse("seating_request_drop", args=[night.club.slug, request.pk]))
    assert not SeatingRequest.objects.exists()
    drop = night.club.audit.get(action="drop seating request")
    assert drop.old == [rose.name]


def test_the_certificate_counts_what_was_played(client, night):
    published(night)
    page = client.get(at("certificate", night))
    assert page.context["figures"].rounds == 1
    assert len(page.context["lines"]) == 11


def test_the_certificate_counts_who_played_and_no_substitute_who_came_in_too_late(client, night):
    published(night)
    table = live_tables(night)[0]
    game = a_game(table, state="playing", hands=2)
    dealer = table.seats.get(position=table.first_dealer).member
    kit = Member.objects.create(club=night.club, name="Kit")
    arrive(night, kit, by=TEST, at=AT)
    substitute(table, table.first_dealer, kit, by=TEST)
    game.state = "finished"
    game.save()
    lines = {member: line for member, line, _had in certificate_of(client, night)}
    assert kit not in lines
    assert lines[dealer].deals == 1
    game.hands.create(number=3, client_id="c3", record={}, points=[], entered_as="phone")
    lines = {member: line for member, line, _had in certificate_of(client, night)}
    assert dealer not in lines
    assert lines[kit].rounds == 1


def test_the_certificate_says_how_many_first_deals_are_due_to_two_decimals(client):
    night, _members = a_night(8)
    client.force_login(a_user(club=night.club))
    published(night)
    page = squeezed(client.get(at("certificate", night)).text)
    assert page.count('<td class="number">0.25</td></tr>') == 8


def certificate_of(client, night):
    return client.get(at("certificate", night)).context["lines"]


def test_a_seating_published_again_says_who_sits_elsewhere_than_before(client, night):
    one, other = two_at_different_tables(published(night))
    assert "changes" in client.get(at("seating", night)).context
    client.post(at("seating_take_back", night))
    assert client.get(at("seating", night)).context["changes"] == []
    client.post(at("seating_swap", night), {"first": one.public_id, "second": other.public_id})
    moves = [(move.member, move.before, move.now) for move in _changes(client, night)]
    assert moves == sorted([(one, 1, 2), (other, 2, 1)], key=lambda way: way[0].sort_key)
    drawn = draft_of(night)
    client.post(at("seating_publish", night), {"round": drawn.pk, "version": drawn.version})
    assert len(_changes(client, night)) == 2
    assert f"{one.name}: table 2, not 1" in client.get(at("seating", night)).content.decode()


def _changes(client, night):
    return client.get(at("seating", night)).context["changes"]


@pytest.fixture
def large(monkeypatch):
    """A hall of over four is large enough to be drawn beside the pages."""
    monkeypatch.setattr(jobs, "LARGE", 4)


def test_a_large_hall_is_drawn_beside_the_pages_and_its_page_leads_to_the_draft(
    client, night, large
):
    answer = client.post(at("seating_draft", night))
    job = Job.objects.get(kind="draw-round")
    assert answer.url == reverse("job", args=[night.club.slug, job.public_id])
    assert job.state == "done", job.sentence
    assert client.get(answer.url).url == at("seating", night)
    assert draft_of(night).tables.count() == 3


def test_a_large_draft_is_drawn_again_in_the_sizes_asked_for(client, night, large):
    first = draft(night, seed=5)
    client.post(at("seating_redraw", night), {"sizes": "4+4+3"})
    again = draft_of(night)
    assert (again.pk, again.seed == first.seed) == (first.pk, False)
    assert sorted(table.players for table in again.tables.all()) == [3, 4, 4]


def test_a_large_draw_that_is_refused_says_why_and_leaves_the_room(client, night, large):
    job_page = client.post(at("seating_draft", night), {"sizes": "4+4+4+4"}).url
    assert "Nothing was changed." in client.get(job_page).content.decode()
    assert Job.objects.get().state == "refused"
    assert draft_of(night) is None


def test_a_small_hall_is_drawn_at_once(client, night):
    assert client.post(at("seating_draft", night)).url == at("seating", night)
    assert not Job.objects.exists()


def test_who_arrives_or_leaves_while_a_draft_is_open_is_drawn_in_or_out_by_one_button(client):
    night, members = a_night(9)
    draft(night)
    client.force_login(a_user(club=night.club))
    for name in ("Vera", "Olga"):
        arrive(night, Member.objects.create(club=night.club, name=name), by=TEST, at=AT)
    page = client.get(reverse("seating", args=[night.club.slug, night.public_id]))
    assert "Redraw for 11" in page.content.decode()
    again = reverse("seating_redraw", args=[night.club.slug, night.public_id])
    client.post(again, {"sizes": "+".join(map(str, page.context["free_sizes"][0].sizes))})
    assert sizes(draft_of(night)) == [4, 4, 3]
    assert not draft_of(night).sits_out.exists()
    leave(night, members[0], by=TEST, at=AT)
    page = client.get(reverse("seating", args=[night.club.slug, night.public_id]))
    assert "Redraw for 10" in page.content.decode()
    assert f"{members[0].name} has left" in page.content.decode()


def test_a_draft_discarded_while_its_page_is_read_shows_what_there_is_then(
    client, night, monkeypatch
):
    draft(night)

    def read_late(drawn):
        Seat.objects.filter(table__round=drawn).delete()
        found = load_draft(drawn)
        drawn.delete()
        return found

    monkeypatch.setattr("league.seating.draft_queries.load_draft", read_late)
    answer = client.get(at("seating", night))
    assert (answer.status_code, "draft" in answer.context) == (200, False)


def test_after_a_late_arrival_the_sizes_offered_seat_everyone_first(client):
    night, _members = a_night(8)
    draft(night)
    client.force_login(a_user(club=night.club))
    arrive(night, Member.objects.create(club=night.club, name="Vera"), by=TEST, at=AT)
    page = client.get(at("seating", night))
    assert sum(page.context["choices"][0].sizes) == 9
    assert {sum(one.sizes) + one.out for one in page.context["choices"]} == {9}
    options = page.content.decode().partition('id="sizes"')[2].partition("</select>")[0]
    assert " selected" not in options  # so the browser offers the first
    session_page = client.get(at("session", night)).content.decode()
    assert "Vera arrived after this draw and would wait." in session_page


def test_a_first_round_says_nothing_of_repeats_and_a_second_does(client):
    night, _members = a_night(8)
    first = draft(night)
    client.force_login(a_user(club=night.club))
    repeats = "Nobody has had the same partner twice."
    assert repeats not in client.get(at("seating", night)).content.decode()
    publish(first, by=TEST, at=AT)
    for table in live_tables(night):
        a_game(table, hands=1)
    draft(night, seed=2)
    assert repeats in client.get(at("seating", night)).content.decode()


def test_a_draft_says_which_table_needs_another_deck_and_where_to_change_that(client):
    night, _members = a_night(7)
    client.force_login(a_user(club=night.club))
    draft(night)
    page = squeezed(client.get(at("seating", night)).text)
    change = f'<a href="{at("session_rules", night)}">'
    assert f"Table 2: a deck of 32 cards, not 24.{change}Change rules</a>" in page
    cutthroat = a_ruleset(night.club, "guide-cutthroat-three-handed")
    set_session_rules(night, [cutthroat], by=TEST)
    page = squeezed(client.get(at("seating", night)).text)
    assert "a deck of" not in page
    assert f"{change}Change rules</a>" in page
