"""This computer's addresses in its networks, which of them phones can reach, and the name that it
announces there (mDNS)."""

import json
import logging
import math
import re
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Host names that mean this computer itself."""
NAME = "right-bower.local"
"""The name of the club's laptop in the hall's network (mDNS)."""
ADDRESSES_FILE = "addresses.json"  # in the data folder
# Adapters that no phone in the hall is connected to: virtual machines, containers, tunnels.
VIRTUAL = re.compile(
    r"docker|veth|virbr|vbox|virtualbox|vmnet|vmware|vethernet|hyper-v|wsl|br-|lxc|podman|"
    r"tun|tap|utun|wg|wireguard|ppp|zt|tailscale|vpn|nord|proton|anyconnect|bluetooth|awdl|llw",
    re.IGNORECASE,
)
FRESH = 5  # seconds for which the system's addresses are cached
CHECK_EVERY = 15.0  # seconds between checks whether the addresses have changed
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Adapter:
    """One address of one adapter, as the system names it."""

    name: str
    address: str


def adapters() -> list[Adapter]:
    """Every current IPv4 address of this computer. Phones get no IPv6 addresses: global ones change
    daily, and link-local ones cannot be typed or scanned."""
    import ifaddr

    return [
        Adapter(adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    ]


def reachable(adapters_up: Sequence[Adapter], usual: str = "") -> list[str]:
    """The addresses that a phone may reach, the most likely first.

    `usual` is the address this computer uses towards the internet. Only private addresses count,
    since the laptop does not serve the internet; virtual adapters only if there are no others.
    """
    private = [adapter for adapter in adapters_up if _is_private(adapter.address)]
    real = [adapter for adapter in private if not VIRTUAL.search(adapter.name)] or private
    ranked = sorted(
        real, key=lambda adapter: (adapter.address != usual, _is_link_local(adapter.address))
    )
    return list(dict.fromkeys(adapter.address for adapter in ranked))


def _is_private(address: str) -> bool:
    ip = IPv4Address(address)
    return ip.is_private and not ip.is_loopback and not ip.is_unspecified


def _is_link_local(address: str) -> bool:
    """Whether an address is 169.254.x.x, which a computer gives itself without a router."""
    return IPv4Address(address).is_link_local


def usual_address() -> str:
    """The address this computer would use towards the internet; "" if it has no connection."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return ""
        return str(probe.getsockname()[0])


class _OwnAddresses:
    """This computer's addresses, cached for a few seconds, since routers may change them."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.checked_at = -FRESH * 1.0

    def current(self) -> list[str]:
        if time.monotonic() - self.checked_at >= FRESH:
            self.addresses = reachable(adapters(), usual_address())
            self.checked_at = time.monotonic()
        return self.addresses


_own = _OwnAddresses()


def own_addresses(reached_by: str = "") -> list[str]:
    """This computer's addresses for phones, the most likely first.

    If `reached_by`, the host of a request, is a private address that is not among them, it must be
    new: the cache is refreshed at once.
    """
    if _is_private_host(reached_by) and reached_by not in _own.current():
        _own.checked_at = -FRESH * 1.0
    return _own.current()


def _is_private_host(host: str) -> bool:
    try:
        return _is_private(host)
    except ValueError:  # a name
        return False


def is_nearby(sender: str) -> bool:
    """Whether a sender is this computer or in a private network, and not on the internet."""
    try:
        ip = ip_address(sender.partition("%")[0])
    except ValueError:
        return False
    return ip.is_private or ip.is_loopback or ip.is_link_local


def is_only_nearby(address: str) -> bool:
    """Whether a web address only works on this computer or in its own network."""
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host.endswith(".local") or is_nearby(host)


def is_this_computer(request: HttpRequest) -> bool:
    """Whether a request comes from this computer itself, by its sender and by its host name."""
    sender = ip_address(request.META.get("REMOTE_ADDR") or "0.0.0.0")  # noqa: S104
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return sender.is_loopback and not forwarded and _host(request) in LOCAL_NAMES


def _host(request: HttpRequest) -> str:
    """The host of a request, without the port. Raises DisallowedHost if it is not allowed."""
    return request.get_host().rpartition(":")[0] or request.get_host()


def codes_use_name() -> bool:
    """Whether codes for phones contain `NAME`, which stays the same when the address changes."""
    return bool(settings.LAPTOP) and _name_marker().exists()


def use_name_in_codes(by_name: bool) -> None:
    if by_name:
        _name_marker().touch()
    else:
        _name_marker().unlink(missing_ok=True)


def _name_marker() -> Path:
    """The file that exists while codes use the name."""
    return Path(settings.DATA_FOLDER) / "codes-by-name"


def address_for_phones(request: HttpRequest, path: str) -> str:
    """The absolute URL of a page, for a code that phones scan.

    If the organiser's browser uses 127.0.0.1, which on a phone is the phone itself, this is
    SITE_ADDRESS if set, or on the club's own laptop an address in the hall's network.
    """
    if _host(request) not in LOCAL_NAMES:
        return request.build_absolute_uri(path)
    if settings.SITE_ADDRESS_IS_SET:
        return str(settings.SITE_ADDRESS) + path
    if not settings.LAPTOP or not own_addresses():
        return request.build_absolute_uri(path)
    host = NAME if codes_use_name() else own_addresses()[0]
    return urlunsplit(("http", f"{host}:{settings.PORT}", path, "", ""))


@dataclass(frozen=True)
class NoPhones:
    """Phones cannot reach `address`, which the codes contain. `instead` is the current page at an
    address that phones may reach, "" if there is none; `listens_here` says that the server only
    listens on this computer."""

    address: str
    instead: str
    listens_here: bool


def out_of_reach(request: HttpRequest) -> NoPhones | None:
    """Why phones cannot use the codes of this page; None if they can."""
    address = address_for_phones(request, "/")
    host = urlsplit(address).hostname or ""
    if host not in ("localhost", "::1") and not host.startswith("127."):
        return None
    addresses = own_addresses()
    port = urlsplit(address).port or 80
    site = f"http://{addresses[0]}:{port}" if addresses else ""
    page = site and site + request.get_full_path()
    listens_here = settings.HOST in LOCAL_NAMES and not settings.LAPTOP
    return NoPhones(address, page, listens_here=listens_here)


def announce(port: int, folder: Path) -> None:
    """Announce `NAME` and record changes of the address, in threads that live as long as the
    process. If the network blocks the name, phones use the address."""
    threading.Thread(target=_announce, args=[port], daemon=True).start()
    threading.Thread(target=_record_changes, args=[folder], daemon=True).start()


def _record_changes(folder: Path) -> None:
    pause = threading.Event()
    while True:
        with suppress(OSError):
            record_address(folder, reachable(adapters(), usual_address()))
        pause.wait(CHECK_EVERY)


def record_address(folder: Path, addresses: list[str]) -> None:
    """Store the current address and the previous one; the latter as "" if the computer is back at
    it, since codes with it work again."""
    current, previous = recorded_addresses(folder)
    if addresses and current != addresses[0]:
        text = json.dumps([addresses[0], current if addresses[0] != previous else ""])
        (folder / ADDRESSES_FILE).write_text(text, "ascii")


def recorded_addresses(folder: Path) -> tuple[str, str]:
    """The current address for phones and the previous one; "" for an unknown one."""
    try:
        current, previous = json.loads((folder / ADDRESSES_FILE).read_text("ascii"))
        return str(current), str(previous)
    except (OSError, ValueError, TypeError):
        return "", ""


def previous_address(*, within: float = math.inf) -> str:
    """This computer's previous address, which printed codes may contain; "" if it did not change
    in the last `within` seconds."""
    folder = Path(settings.DATA_FOLDER)
    addresses, (current, previous) = own_addresses(), recorded_addresses(folder)
    if not addresses or not current or codes_use_name():
        return ""
    if addresses[0] != current:  # it changed just now, and is not recorded yet
        return current
    if not previous or time.time() - (folder / ADDRESSES_FILE).stat().st_mtime >= within:
        return ""
    return previous


def _announce(port: int) -> None:
    pause = threading.Event()
    while True:
        try:
            if addresses := reachable(adapters(), usual_address()):
                _announce_at(addresses, port, pause)
        except Exception:  # a firewall, no network, a broken adapter: phones use the address
            log.info("The name %s cannot be announced here.", NAME, exc_info=True)
        pause.wait(CHECK_EVERY)


def _announce_at(addresses: list[str], port: int, pause: threading.Event) -> None:
    """Announce the name until the addresses change; sockets are bound to the current adapters."""
    from zeroconf import Zeroconf

    with Zeroconf() as network:
        network.register_service(service(port, addresses), allow_name_change=True)
        while reachable(adapters(), usual_address()) == addresses:
            pause.wait(CHECK_EVERY)


def service(port: int, addresses: list[str]) -> Any:
    """The mDNS service to announce: a web site with this name at these addresses."""
    from zeroconf import ServiceInfo

    return ServiceInfo(
        "_http._tcp.local.",
        "Right Bower._http._tcp.local.",
        addresses=[socket.inet_aton(address) for address in addresses],
        port=port,
        server=f"{NAME}.",
    )
