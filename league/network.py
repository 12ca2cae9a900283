"""The addresses this computer has on the networks it is in, which of them phones can reach, and the
name under which it announces itself there (mDNS)."""

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

HERE = ("localhost", "127.0.0.1", "[::1]")
"""Names that only this computer itself uses."""
NAME = "right-bower.local"
"""What the club's laptop calls itself on the network of the hall (mDNS)."""
NOTED = "addresses.json"  # in the data folder
# Adapters that lead to no phone in the hall: virtual machines, containers, tunnels.
VIRTUAL = re.compile(
    r"docker|veth|virbr|vbox|virtualbox|vmnet|vmware|vethernet|hyper-v|wsl|br-|lxc|podman|"
    r"tun|tap|utun|wg|wireguard|ppp|zt|tailscale|vpn|nord|proton|anyconnect|bluetooth|awdl|llw",
    re.IGNORECASE,
)
FRESH = 5  # seconds for which what the system said about its addresses holds
AGAIN = 15.0  # seconds between looks whether the addresses have changed
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Adapter:
    """One address of one adapter, as the system names it."""

    name: str
    address: str


def adapters() -> list[Adapter]:
    """Every IPv4 address this computer has now. Phones are given no IPv6 address: those of a hall
    change by the day, and the ones that stay cannot be typed or scanned."""
    import ifaddr

    return [
        Adapter(adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    ]


def reachable(adapters_up: Sequence[Adapter], usual: str = "") -> list[str]:
    """The addresses that a phone may reach, the likeliest first.

    `usual` is the one this computer would speak to the internet from. Private addresses alone:
    nothing here is shown to the internet. Virtual adapters count where there is no other.
    """
    private = [one for one in adapters_up if _is_of_a_hall(one.address)]
    real = [one for one in private if not VIRTUAL.search(one.name)] or private
    ranked = sorted(real, key=lambda one: (one.address != usual, _self_given(one.address)))
    return list(dict.fromkeys(one.address for one in ranked))


def _is_of_a_hall(address: str) -> bool:
    ip = IPv4Address(address)
    return ip.is_private and not ip.is_loopback and not ip.is_unspecified


def _self_given(address: str) -> bool:
    """169.254.x.x: made up by the computer where no router gives one."""
    return IPv4Address(address).is_link_local


def usual_address() -> str:
    """The address this computer would use towards the internet; "" where there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return ""
        return str(probe.getsockname()[0])


class _Own:
    """This computer's addresses, asked for again after a while: halls' routers change them."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.checked_at = -FRESH * 1.0

    def now(self) -> list[str]:
        if time.monotonic() - self.checked_at >= FRESH:
            self.addresses = reachable(adapters(), usual_address())
            self.checked_at = time.monotonic()
        return self.addresses


_own = _Own()


def own_addresses(sought: str = "") -> list[str]:
    """This computer's addresses for phones, the likeliest first. Where `sought`, by which somebody
    has reached it, is not among them, it is new or back: the system is asked again at once."""
    if _is_sought_of_a_hall(sought) and sought not in _own.now():
        _own.checked_at = -FRESH * 1.0
    return _own.now()


def _is_sought_of_a_hall(host: str) -> bool:
    try:
        return _is_of_a_hall(host)
    except ValueError:  # a name
        return False


def is_nearby(sender: str) -> bool:
    """Whether a request comes from this computer or a private network, and not the internet."""
    try:
        ip = ip_address(sender.partition("%")[0])
    except ValueError:
        return False
    return ip.is_private or ip.is_loopback or ip.is_link_local


def is_only_nearby(address: str) -> bool:
    """Whether a web address opens on this computer or in its own network alone."""
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host.endswith(".local") or is_nearby(host)


def is_this_computer(request: HttpRequest) -> bool:
    """Whether a request comes from this computer itself: by its sender and by the name it asks."""
    sender = ip_address(request.META.get("REMOTE_ADDR") or "0.0.0.0")  # noqa: S104
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return sender.is_loopback and not forwarded and _name(request) in HERE


def _name(request: HttpRequest) -> str:
    """The host a request asks for, without its port. It is one of ALLOWED_HOSTS, or refused."""
    return request.get_host().rpartition(":")[0] or request.get_host()


def codes_use_name() -> bool:
    """Whether codes for phones hold `NAME`, which stays when a router gives another address."""
    return bool(settings.LAPTOP) and _choice().exists()


def use_name_in_codes(by_name: bool) -> None:
    if by_name:
        _choice().touch()
    else:
        _choice().unlink(missing_ok=True)


def _choice() -> Path:
    return Path(settings.DATA_FOLDER) / "codes-by-name"


def address_for_phones(request: HttpRequest, path: str) -> str:
    """The whole address of a page, for a code that phones scan.

    The organiser's browser may say 127.0.0.1, where a phone finds itself: then the address that the
    site was given, or on the club's own laptop one that it has in the hall's network.
    """
    if _name(request) not in HERE:
        return request.build_absolute_uri(path)
    if settings.SITE_ADDRESS_IS_SET:
        return str(settings.SITE_ADDRESS) + path
    if not settings.LAPTOP or not own_addresses():
        return request.build_absolute_uri(path)
    host = NAME if codes_use_name() else own_addresses()[0]
    return urlunsplit(("http", f"{host}:{settings.PORT}", path, "", ""))


@dataclass(frozen=True)
class NoPhones:
    """Codes hold `address`, which means this computer alone; `instead` is the page that is open at
    an address that phones may reach, "" where this computer has none. `listens_here`: the program
    answers at no such address."""

    address: str
    instead: str
    listens_here: bool


def out_of_reach(request: HttpRequest) -> NoPhones | None:
    """What is wrong with the codes that this page gives to phones; None where they work."""
    address = address_for_phones(request, "/")
    host = urlsplit(address).hostname or ""
    if host not in ("localhost", "::1") and not host.startswith("127."):
        return None
    others = own_addresses()
    port = urlsplit(address).port or 80
    site = f"http://{others[0]}:{port}" if others else ""
    page = site and site + request.get_full_path()
    return NoPhones(address, page, listens_here=settings.HOST in HERE and not settings.LAPTOP)


def announce(port: int, folder: Path) -> None:
    """Announce `NAME` for as long as this process lives, and note when the address changes. Never
    in anybody's way: a network that does not let it through only means that phones use the
    address."""
    threading.Thread(target=_announce, args=[port], daemon=True).start()
    threading.Thread(target=_keep_noted, args=[folder], daemon=True).start()


def _keep_noted(folder: Path) -> None:
    waiting = threading.Event()
    while True:
        with suppress(OSError):
            note_address(folder, reachable(adapters(), usual_address()))
        waiting.wait(AGAIN)


def note_address(folder: Path, addresses: list[str]) -> None:
    """Write down the address that codes hold, and the one they held before; none where the old one
    is back, and with it those codes."""
    now, before = noted_addresses(folder)
    if addresses and now != addresses[0]:
        text = json.dumps([addresses[0], now if addresses[0] != before else ""])
        (folder / NOTED).write_text(text, "ascii")


def noted_addresses(folder: Path) -> tuple[str, str]:
    """The address that phones use, and the one before it; "" where there is none."""
    try:
        now, before = json.loads((folder / NOTED).read_text("ascii"))
        return str(now), str(before)
    except (OSError, ValueError, TypeError):
        return "", ""


def address_before(*, within: float = math.inf) -> str:
    """The address that this computer had, and codes printed then hold; "" where it is the same, or
    changed longer ago than `within` seconds."""
    folder = Path(settings.DATA_FOLDER)
    own, (now, before) = own_addresses(), noted_addresses(folder)
    if not own or not now or codes_use_name():
        return ""
    if own[0] != now:  # a moment ago: it is written down soon
        return now
    return before if before and time.time() - (folder / NOTED).stat().st_mtime < within else ""


def _announce(port: int) -> None:
    waiting = threading.Event()
    while True:
        try:
            if addresses := reachable(adapters(), usual_address()):
                _announce_at(addresses, port, waiting)
        except Exception:  # a firewall, no network, a broken adapter: there are other ways in
            log.info("The name %s cannot be announced here.", NAME, exc_info=True)
        waiting.wait(AGAIN)


def _announce_at(addresses: list[str], port: int, waiting: threading.Event) -> None:
    """Until the addresses change: the sockets are those of the adapters of the moment."""
    from zeroconf import Zeroconf

    with Zeroconf() as network:
        network.register_service(service(port, addresses), allow_name_change=True)
        while reachable(adapters(), usual_address()) == addresses:
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
