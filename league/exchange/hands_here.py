"""A sheet of hands beside what its club has: what is here already, and what cannot be."""

from collections.abc import Iterator, Sequence
from datetime import date

from django.utils.translation import gettext as _

from league.exchange.evenings import hand_id
from league.exchange.hands_sheet import SheetGame
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import POINTS
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.members.queries import people_of
from league.play.book import rules_of
from league.play.models import Game, Hand
from scoring import play_game


class Here:
    """What the club has: its people, its rules, its sessions, and the games of the sheet that
    were written down before. A fixed number of queries."""

    def __init__(self, club: Club, games: Sequence[SheetGame], today: date) -> None:
        self.today = today
        self.people = people_by_name(club)
        self.rules = default_rules(club)
        self.nights = set(club.sessions.values_list("held_on", "name"))
        ids = [hand_id(club, game, 1) for game in games]
        codes = [game.game for game in games]
        ours = Hand.objects.filter(game__session__club=club, current=True, struck=False)
        written = Game.objects.filter(session__club=club)
        self.by_code = {g.public_id: g.pk for g in written.filter(public_id__in=codes)}
        # Whatever has become of its first hand since, the game is known by it.
        first = Hand.objects.filter(game__session__club=club, number=1, client_id__in=ids)
        self.by_id = dict(first.values_list("client_id", "game"))
        self.kept: dict[int, dict[int, object]] = {}
        known = [*self.by_code.values(), *self.by_id.values()]
        for pk, number, record in ours.filter(game__in=known).values_list(
            "game", "number", "record"
        ):
            self.kept.setdefault(pk, {})[number] = record
        self.club = club

    @property
    def facts(self) -> tuple[object, ...]:
        """All that a verdict on the sheet rests on: where it is the same, so is the verdict."""
        people = {key: (one.pk, one.retired_at) for key, one in self.people.items()}
        rules = {players: (one.pk, one.body) for players, one in self.rules.items()}
        return people, rules, self.nights, self.by_code, self.by_id, self.kept

    def _pk(self, game: SheetGame) -> int | None:
        return self.by_code.get(game.game) or self.by_id.get(hand_id(self.club, game, 1))

    def has(self, game: SheetGame) -> bool:
        return self._pk(game) is not None

    def differs(self, game: SheetGame) -> Iterator[Trouble]:
        """A game that is here already has to be the same one."""
        kept = self.kept.get(self._pk(game) or 0, {})
        for row, record in zip(game.rows, game.records, strict=True):
            if kept.get(int(row["hand"])) != record:
                yield Trouble(row.line, "hand", _("This hand is here already, and is another."))

    def cannot(self, game: SheetGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        line = game.rows[0].line
        if game.day > self.today:
            yield Trouble(line, "date", _("This day has not come yet."))
        if game.night in self.nights:
            yield Trouble(line, "session", _("There is a session of this name on this day."))
        yield from self._who(game)
        rules = self.rules.get(len(game.players))
        if rules is None:
            yield Trouble(line, "player 1", _("The club has no rules for so many players."))
        else:
            yield from _folded(game, rules)

    def _who(self, game: SheetGame) -> Iterator[Trouble]:
        line, found = game.rows[0].line, set()
        for name in game.players:
            member = self.people.get(name_key(name))
            if member is None:
                sentence = _("%(name)s is not among the club's people.") % {"name": name}
                yield Trouble(line, "player 1", sentence)
            elif member.pk in found:  # by a name of now and by an earlier one
                yield Trouble(line, "player 1", _("Nobody sits on two chairs."))
            else:
                found.add(member.pk)


def _folded(game: SheetGame, rules: ClubRuleset) -> Iterator[Trouble]:
    """What the club's rules say of the hands, and of the points beside them."""
    state = play_game(rules_of(rules.body), game.records, first_dealer=game.records[0]["dealer"])
    for found in state.faults:
        row = game.rows[(found.hand or 1) - 1]
        yield Trouble(row.line, "record", found.message)
    for row, answer in zip(game.rows, state.answers, strict=False):
        told = [row[column] for column in POINTS if row[column]]
        if told and answer.points is not None and told != [str(p) for p in answer.points]:
            paid = ", ".join(map(str, answer.points))
            sentence = _("By the club's rules this hand pays %(points)s.") % {"points": paid}
            yield Trouble(row.line, "points 1", sentence)
    if not state.over:
        yield Trouble(game.rows[-1].line, "hand", _("After this hand the game is not over."))


def people_by_name(club: Club) -> dict[str, Member]:
    """Everybody by the names they go or went by; a name of two people is nobody's."""
    found: dict[str, Member] = {}
    twice: set[str] = set()
    for member in people_of(club):
        for key in {name_key(name) for name in (member.name, *member.former_names)}:
            twice |= {key} & found.keys()
            found[key] = member
    return {key: member for key, member in found.items() if key not in twice}


def default_rules(club: Club) -> dict[int, ClubRuleset]:
    """What each size of table plays by."""
    return {one.players: one for one in club.rulesets.filter(is_default=True)}
