"""The site's own migrations, and the next one."""

import league.migrations

__path__ += list(league.migrations.__path__)  # type: ignore[name-defined]
