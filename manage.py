"""Django's command line."""

import os
import secrets
import sys

# They look at the rules of the game alone: no page is signed, no database is asked.
RULES_ONLY = ("check_game", "check_hands", "rulesets")

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    if sys.argv[1:2] and sys.argv[1] in RULES_ONLY:
        os.environ["SECRET_KEY"] = os.environ.get("SECRET_KEY") or secrets.token_urlsafe(50)
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # the person's trouble: a sentence, not a traceback
        sys.exit(f"manage.py: {error}")
