"""Orders to a club night: open and close it, who comes and goes, its clock."""

from league.sessions.actions.attendance import (
    add_guest,
    arrive,
    arrive_all,
    arrive_names,
    leave,
    play_again,
    rest,
)
from league.sessions.actions.clock import extend_clock, pause_clock, start_clock, stop_clock
from league.sessions.actions.night import (
    bump,
    cancel_session,
    change_session,
    close_session,
    lock,
    make_sessions,
    open_session,
    revoke_door,
    revoke_wall,
    start_session,
)
from league.sessions.actions.signing_up import fill_places, sign_up, withdraw

__all__ = [
    "add_guest",
    "arrive",
    "arrive_all",
    "arrive_names",
    "bump",
    "cancel_session",
    "change_session",
    "close_session",
    "extend_clock",
    "fill_places",
    "leave",
    "lock",
    "make_sessions",
    "open_session",
    "pause_clock",
    "play_again",
    "rest",
    "revoke_door",
    "revoke_wall",
    "sign_up",
    "start_clock",
    "start_session",
    "stop_clock",
    "withdraw",
]
