"""What is unfinished in a session: what an organiser decides before, or after, closing it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from league.play.models import Confirmation, Game
from league.play.queries import games_of
from league.seating.models import Table
from league.seating.queries.room import seated
from league.sessions.models import Session

State = Game.State
TO_DECIDE = Q(state=State.DISPUTED) | Q(reopened=True)
BEGUN = Q(state=State.PLAYING) & (Q(hands_played__gt=0) | Q(rulings_written__gt=0))


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is unfinished. `to_decide` are disputed games, those that a correction opened again
    and those with hands that do not fit; `to_confirm` are over and not confirmed; `playing` have
    begun and not ended; `not_begun` are tables at which nothing was entered."""

    to_decide: Sequence[Game]
    to_confirm: Sequence[Game]
    playing: Sequence[Game]
    not_begun: list[Table]

    @property
    def games(self) -> int:
        """How many games need a word from the organiser."""
        return len(self.to_decide) + len(self.to_confirm) + len(self.playing)


def unfinished_of(club_session: Session, at: datetime) -> Unfinished:
    """Everything unfinished in a session at a moment; a fixed number of queries."""
    wanted = unsettled_games(at) | BEGUN
    disputes = Confirmation.objects.filter(accepted=False, settled_at=None).order_by("-id")
    games = list(
        games_of(club_session)
        .filter(wanted)
        .prefetch_related(Prefetch("confirmations", queryset=disputes, to_attr="disputes"))
    )
    odd = [game for game in games if is_odd(game)]
    rest = [game for game in games if game not in odd]
    return Unfinished(
        to_decide=odd,
        to_confirm=[game for game in rest if game.state == State.FINISHED],
        playing=[game for game in rest if game.state == State.PLAYING],
        not_begun=list(open_tables(club_session).exclude(games__in=games)),
    )


def is_odd(game: Game) -> bool:
    """Whether more than a confirmation or the rest of play is needed."""
    return game.state == State.DISPUTED or game.reopened or game.misfits > 0


def unsettled_games(at: datetime) -> Q:
    """The games an organiser should look at: disputed, reopened, still unconfirmed, or with hands
    that do not fit and about which nothing was decided."""
    waiting = Q(state=State.FINISHED) & (Q(accept_at=None) | Q(accept_at__gt=at))
    decided = Confirmation.objects.filter(game=OuterRef("pk")).exclude(decision="")
    return waiting | TO_DECIDE | Q(~Exists(decided), misfits__gt=0)


def to_decide(club_session: Session) -> QuerySet[Game]:
    """The session's games that wait for an organiser's decision, by table."""
    return games_of(club_session).filter(TO_DECIDE)


def open_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game has not ended, or not begun."""
    live = club_session.tables.filter(is_live=True)
    over = Game.objects.exclude(state=State.PLAYING).values("table")
    waiting = live.exclude(pk__in=over).select_related("ruleset")
    return waiting.prefetch_related(seated(), "games").order_by("number")
