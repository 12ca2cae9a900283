"""Tells the network of the hall a name for this computer (mDNS), beside its changing address."""

import json
import logging
import socket
import threading
from contextlib import suppress
from typing import Any

from league.laptop.place import Place
from league.network import NAME, adapters, reachable, usual_address

AGAIN = 15.0  # seconds between looks whether the addresses have changed
log = logging.getLogger(__name__)


def announce(port: int, place: Place) -> None:
    """Announce `NAME` for as long as this process lives, and note when the address changes. Never
    in anybody's way: a network that does not let it through only means that phones use the
    address."""
    threading.Thread(target=_announce, args=[port], daemon=True).start()
    threading.Thread(target=_keep_noted, args=[place], daemon=True).start()


def _keep_noted(place: Place) -> None:
    waiting = threading.Event()
    while True:
        with suppress(OSError):
            note_address(place, reachable(adapters(), usual_address()))
        waiting.wait(AGAIN)


def note_address(place: Place, found: list[str]) -> None:
    """Write down the address that codes hold, and the one they held before."""
    if found and (now := noted_addresses(place)[0]) != found[0]:
        text = json.dumps([found[0], now])
        (place.folder / "addresses.json").write_text(text, "ascii")


def noted_addresses(place: Place) -> tuple[str, str]:
    """The address that phones use, and the one before it; "" where there is none."""
    try:
        now, before = json.loads((place.folder / "addresses.json").read_text("ascii"))
        return str(now), str(before)
    except (OSError, ValueError, TypeError):
        return "", ""


def _announce(port: int) -> None:
    try:
        from zeroconf import Zeroconf

        with Zeroconf() as network:
            _keep_announced(network, port)
    except Exception:  # a firewall, no network, a broken adapter: there are other ways in
        log.info("The name %s cannot be announced here.", NAME, exc_info=True)


def _keep_announced(network: Any, port: int) -> None:
    known: list[str] = []
    waiting = threading.Event()
    while True:
        now = reachable(adapters(), usual_address())
        if now != known:
            if known:
                network.unregister_all_services()
            if now:
                network.register_service(service(port, now), allow_name_change=True)
            known = now
        waiting.wait(AGAIN)


def service(port: int, addresses: list[str]) -> Any:
    """What is announced: a web site by this name at these addresses."""
    from zeroconf import ServiceInfo

    return ServiceInfo(
        "_http._tcp.local.",
        "Right Bower._http._tcp.local.",
        addresses=[socket.inet_aton(address) for address in addresses],
        port=port,
        server=f"{NAME}.",
    )
