"""The one app of the site."""

from django.apps import AppConfig
from django.utils.translation import ngettext_lazy

TOO_LONG = ngettext_lazy(
    "Use at most %(limit_value)d character; this has %(show_value)d.",
    "Use at most %(limit_value)d characters; this has %(show_value)d.",
    "limit_value",
)
"""Of every form and model, in place of Django's "Ensure this value has ..."."""


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "Right Bower"

    def ready(self) -> None:
        from django.core.validators import MaxLengthValidator

        from league import checks, log_pages, log_words  # noqa: F401 - importing registers them
        from league.database import own_migrations
        from league.members.actions.clubs import AFTER_SETTINGS, SETTINGS_NOTES
        from league.members.actions.people import AFTER_RETIRING, LEAVING_NOTES
        from league.members.languages import skip_empty_catalogues
        from league.play.actions.persistence import AFTER_GAMES, UNDONE, WALKOVERS, TableGames
        from league.play.sheet import AFTER_MATCH, DRAWS, EXTRA_HANDS, MATCHES, NOTES, ROUNDS
        from league.play.views.final_scores import EARLIER_GAMES
        from league.seating import queries
        from league.seating.draft_queries import OUT, TOURNAMENTS
        from league.sessions.attendance import follow_retiring
        from league.sessions.models import NO_SHOWS, ROUNDS_BEGUN
        from league.standings.models import PARTNERS, RANKING
        from league.standings.pot_totals import debt_note
        from league.standings.queries import OUTDATED, STILL_TO_PLAY
        from league.standings.text import hidden_payments
        from league.tournaments.actions.next_games import follow_game
        from league.tournaments.actions.setup import follow_settings
        from league.tournaments.games_of_matches import (
            earlier_games,
            next_at_table_of,
            note_for_table,
            out_of_session,
            outdated_draw,
            tournament_of_table,
        )
        from league.tournaments.queries import (
            extra_hands,
            has_outdated_places,
            has_rounds_to_play,
            is_undone,
            is_walkover,
            no_shows,
            round_titles,
            under_way,
        )
        from league.tournaments.session_places import partners_in, ranking_tournaments

        AFTER_SETTINGS.append(follow_settings)
        SETTINGS_NOTES.append(hidden_payments)
        AFTER_RETIRING.append(follow_retiring)
        LEAVING_NOTES.append(debt_note)
        AFTER_GAMES.append(follow_game)
        UNDONE.append(is_undone)
        WALKOVERS.append(is_walkover)
        TOURNAMENTS.append(under_way)
        OUT.append(out_of_session)
        NOTES.append(note_for_table)
        MATCHES.append(tournament_of_table)
        ROUNDS.append(round_titles)
        EARLIER_GAMES.append(earlier_games)
        AFTER_MATCH.append(next_at_table_of)
        DRAWS.append(outdated_draw)
        EXTRA_HANDS.append(extra_hands)
        OUTDATED.append(has_outdated_places)
        PARTNERS.append(partners_in)
        RANKING.append(ranking_tournaments)
        STILL_TO_PLAY.append(has_rounds_to_play)
        NO_SHOWS.append(no_shows)
        ROUNDS_BEGUN.append(lambda club_session: queries.published_rounds(club_session).count())
        queries.games = TableGames()
        MaxLengthValidator.message = TOO_LONG
        skip_empty_catalogues()
        own_migrations()  # cached now, before an upgrade replaces the files
