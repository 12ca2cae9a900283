"""The WSGI door."""

import os

from django.core.wsgi import get_wsgi_application
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
site = get_wsgi_application()

from django.conf import settings  # noqa: E402 - only now are they there

# Only a proxy we know may say whom it speaks for; from anybody else the headers are ignored.
application = wrap_wsgi_with_proxy_headers(site, settings.TRUSTED_PROXIES)
