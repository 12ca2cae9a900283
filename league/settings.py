"""Django settings. Those that a server may need to change come from environment variables
(docs/server.md)."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from league.sqlite import keep_safe, use_repaired_sqlite

use_repaired_sqlite()

BASE_DIR = Path(__file__).resolve().parent.parent
BUILT = BASE_DIR / "league" / "built"  # the files that are built into a wheel (hatch_build.py)
env = environ.Env()
env.read_env(env("RIGHT_BOWER_ENV_FILE", default=str(BASE_DIR / ".env")))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. Start with bin/manage or bin/demo, which make one and keep it "
            "in data/secret-key; or set SECRET_KEY in the environment or in .env."
        )
    SECRET_KEY = "for-development-only"  # noqa: S105 - refused by `check --deploy`
HTTPS = env.bool("HTTPS", default=False)
# Whether phones may keep a table's page to reload it offline; browsers only allow it with HTTPS.
OFFLINE_SHELL = env.bool("OFFLINE_SHELL", default=HTTPS)
HOST = env("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
# The site's address for links made outside a request, in mails and printed by commands.
SITE_ADDRESS = env("SITE_ADDRESS", default=f"http://{HOST}:{PORT}").rstrip("/")
SITE_ADDRESS_IS_SET = "SITE_ADDRESS" in env
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Set by `right-bower` on the club's own computer: "club" or "demo", and the id of this run.
LAPTOP = env("LAPTOP", default="")
LAPTOP_RUN = env("LAPTOP_RUN", default="")
DATA_FOLDER = Path(env("DATA_FOLDER", default=str(BASE_DIR / "data")))
# Addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted (league/wsgi.py).
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])

INSTALLED_APPS = [
    "league.apps.LeagueConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_tables2",
    "django_filters",
    "django_tasks",
    "django_tasks_db",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "league.static_files.StaticPages",
    # A fifth of the bytes over a hall's Wi-Fi. Pads responses against BREACH (since Django 4.2).
    "django.middleware.gzip.GZipMiddleware",
    "league.logs.AccessLogMiddleware",
    "league.monitoring.MetricsMiddleware",
    "league.api.interface.ProblemMiddleware",
    "league.middleware.PrivacyMiddleware",
    "league.middleware.TextMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.members.sign_in.AccountLimitsMiddleware",
    "league.errors.RefusedMiddleware",
]

if LAPTOP:
    MIDDLEWARE.insert(0, "league.laptop.access.OwnComputer")

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "league.laptop.access.this_computer",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # In a wheel they are in league/templates, where APP_DIRS finds them.
        "DIRS": [] if BUILT.exists() else [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": CONTEXT_PROCESSORS,
            "builtins": ["league.templatetags.figures"],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
DJANGO_TABLES2_TEMPLATE = "parts/table.html"

CLUB_FILE = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_FOLDER / "club.sqlite3")}
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL") if env("DATABASE_URL", default="") else CLUB_FILE
}
if env("REPLICA_URL", default=""):
    DATABASES["replica"] = env.db("REPLICA_URL")
    DATABASE_ROUTERS = ["league.database.PublicPages"]
ON_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# On PostgreSQL repeated statements are parsed and planned once per connection.
prepared = {"server_side_binding": True, "prepare_threshold": 5}
for database in DATABASES.values():
    if database["ENGINE"].endswith("sqlite3"):
        keep_safe(database)
    else:
        database |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
        database["OPTIONS"] = prepared | database.get("OPTIONS", {})
# Processes that answer requests, and threads in each. SQLite allows one writer at a time: more
# would only wait in a queue that is not fair.
WORKERS = env.int("WORKERS", default=1)
THREADS = env.int("THREADS", default=1 if ON_SQLITE else 4)

CACHES = {
    # Remembers used codes of two-factor sign-in, so it must be one for all processes.
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"},
    # Parts of pages that can be rendered again at any time; each process has its own.
    "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
if env("CACHE_URL", default=""):  # shared by all processes of all machines
    # Keys have a hash of the code, since the cached classes of another release may differ.
    code = [path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))]
    release = sha256(b"".join(code)).hexdigest()[:12]
    CACHES["pages"] = {**env.cache_url("CACHE_URL"), "KEY_PREFIX": f"right-bower-{release}"}
    if CACHES["pages"]["BACKEND"].endswith(".RedisCache"):
        CACHES["pages"]["BACKEND"] = "league.shared_cache.SharedCache"

# Long work runs in the background, in a process that is started for it (league/worker.py).
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

AUTH_USER_MODEL = "league.User"
AUTHENTICATION_BACKENDS = [
    "league.members.sign_in.OneHash",
    # Not used for passwords: sessions from before the backend above still name these.
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "league.passwords.NotLikeTheUser",
        "OPTIONS": {"user_attributes": ("username", "display_name", "email")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "league.passwords.NotCommon"},
    {"NAME": "league.passwords.HardToGuess"},
]
# Who may create an account, and who may start a club (league/members/sign_up.py).
SIGN_UP = env("SIGN_UP", default="invited")
START_CLUB = env("START_CLUB", default="owners")
for name, value, values in (
    ("SIGN_UP", SIGN_UP, ("open", "invited", "closed")),
    ("START_CLUB", START_CLUB, ("anyone", "owners", "administrators")),
):
    if value not in values:
        raise ImproperlyConfigured(f"{name} is {value!r}: it can be {', '.join(values)}.")
CONTACT = env("CONTACT", default="")  # how to reach the person who runs the site
ACCOUNT_ADAPTER = "league.members.sign_up.AccountAdapter"
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "league.members.fields.FOR_SIGN_UP"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGOUT_ON_GET = False
# Signing up with a registered address looks like any other: the site does not reveal its users.
ACCOUNT_PREVENT_ENUMERATION = "strict"
# An address without an account gets no mail, since its owner has not asked for any.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Right Bower] "
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
# The way in for users on a new device while someone else is guessing their password.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# A stranger with a signed-in browser cannot take over the account: changing its e-mail addresses
# requires the password, and its owner is notified of every change.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "league.members.reset_tokens.ResetTokens"  # noqa: S105
ACCOUNT_RATE_LIMITS = False  # league/members/sign_in.py limits attempts instead
ACCOUNT_FORMS = {
    "login": "league.members.forms.people.SignInForm",
    "reauthenticate": "league.members.forms.people.PasswordAgainForm",
    "reset_password": "league.members.forms.people.AskForResetForm",
    "signup": "league.members.forms.people.SignUpForm",
}
MFA_FORMS = {
    "authenticate": "league.members.sign_in.SecondStepForm",
    "reauthenticate": "league.members.sign_in.SecondStepAgainForm",
}

# Without a mail server no mail is sent; in development it is printed.
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://" if DEBUG else "dummymail://")
globals().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("MAIL_FROM", default="right-bower@localhost")

# The language of the source. Not "en", for which Python's gettext also reads en-us catalogues.
LANGUAGE_CODE = "en-gb"
# Each by its own name; only those with 95 % of the texts translated (docs/translating.md).
LANGUAGES = [
    ("en-gb", "English (UK)"),
    ("en-us", "English (US)"),
    ("fr-ca", "Français (Canada)"),
    ("de", "Deutsch"),
]
LANGUAGE_COOKIE_AGE = 31_536_000
FORMAT_MODULE_PATH = ["league.locale"]  # where Django's own formats of a language are wrong
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
COLLECTED = BUILT / "static" if BUILT.exists() else BASE_DIR / "staticfiles"
STATIC_ROOT = Path(env("STATIC_ROOT", default=str(COLLECTED)))
STATICFILES_STORAGE_BACKEND = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "league.static_files.StaticNames"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATICFILES_STORAGE_BACKEND},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Pages load everything from the site itself, and have no inline scripts or styles. The header is
# set by league/middleware.py.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "frame-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "league.errors.on_expired_form"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "league.messages.DistinctMessages"
if LAPTOP:  # cookies are shared by all ports of a host: two clubs must not sign each other out
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"sessionid-{PORT}", f"csrftoken-{PORT}"
if HTTPS:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    # The prefix makes browsers refuse such a cookie from another host or over plain HTTP.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
# Only the owner of a domain can decide to preload HSTS for all of it.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
# Uploads are small sheets that are kept in memory; larger ones are refused unread. Only a club's
# own laptop accepts a larger one, a backup from its own browser, and stores it as a file.
LARGER_UPLOADS = {"/start/restore/": 200_000_000} if LAPTOP else {}
FILE_UPLOAD_MAX_MEMORY_SIZE = 5_500_000
FILE_UPLOAD_HANDLERS = [
    "league.middleware.RefuseLargeUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "discreet": {
            "()": "league.logs.DiscreetFormatter",
            "format": "{asctime} {levelname} {name} [{request_id}]: {message}",
            "style": "{",
        },
        "json": {"()": "league.logs.JsonFormatter"},
    },
    "filters": {"request": {"()": "league.logs.WithRequest"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["request"],
            "formatter": "json" if env("LOG_FORMAT", default="") == "json" else "discreet",
        }
    },
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="INFO")},
    # Django's own handlers would print everything again, without redacting it.
    "loggers": {"django": {"handlers": [], "propagate": True, "level": "INFO"}},
}

# Both are optional, and each needs an extra package (docs/server.md).
METRICS_TOKEN = env("METRICS_TOKEN", default="")
if env("SENTRY_DSN", default=""):
    from league.monitoring import start

    start(env("SENTRY_DSN"))
