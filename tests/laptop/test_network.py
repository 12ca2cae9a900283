"""Which of a computer's addresses a phone in the hall can reach."""

import pytest

from league import network
from league.network import Adapter, is_nearby, reachable

WIFI = Adapter("Wi-Fi", "192.168.1.20")
CABLE = Adapter("Ethernet", "192.168.7.4")


def test_the_one_towards_the_internet_comes_first():
    assert reachable([CABLE, WIFI], "192.168.1.20") == ["192.168.1.20", "192.168.7.4"]


@pytest.mark.parametrize(
    "name",
    ["docker0", "vEthernet (WSL)", "utun4", "tailscale0", "VirtualBox Host-Only Network", "wg0"],
)
def test_an_adapter_that_leads_to_no_phone_is_left_out(name):
    assert reachable([Adapter(name, "10.8.0.2"), WIFI], "10.8.0.2") == ["192.168.1.20"]


def test_where_there_is_no_other_it_is_shown_all_the_same():
    assert reachable([Adapter("docker0", "172.17.0.1")]) == ["172.17.0.1"]


def test_neither_the_computer_itself_nor_a_public_address_is_for_phones():
    assert reachable([Adapter("lo", "127.0.0.1"), Adapter("eth0", "8.8.8.8")]) == []


def test_an_address_that_no_router_gave_comes_last():
    assert reachable([Adapter("en5", "169.254.3.4"), WIFI]) == ["192.168.1.20", "169.254.3.4"]


@pytest.mark.parametrize("sender", ["127.0.0.1", "192.168.1.9", "10.0.0.3", "fe80::1%eth0", "::1"])
def test_the_halls_network_is_nearby(sender):
    assert is_nearby(sender)


@pytest.mark.parametrize("sender", ["8.8.8.8", "2a00:1450::1", "", "no address"])
def test_the_internet_is_not(sender):
    assert not is_nearby(sender)


def test_the_name_is_announced_again_at_every_new_address(monkeypatch):
    """A laptop started before it joins the Wi-Fi, whose router then gives it another address."""
    addresses = iter([[], ["192.168.1.20"], ["192.168.1.20"], ["10.0.0.7"], ["10.0.0.7"]])
    announced = []

    class Sockets:
        def __enter__(self):
            announced.append([])
            return self

        def __exit__(self, *_):
            pass

        def register_service(self, info, **_):
            if len(announced) == 1:
                raise OSError("a network that refuses the name")
            announced[-1] += info.parsed_addresses()

    def found(*_):
        try:
            return next(addresses)
        except StopIteration:
            raise SystemExit from None

    monkeypatch.setattr("zeroconf.Zeroconf", Sockets)
    monkeypatch.setattr(network, "reachable", found)
    monkeypatch.setattr(network, "CHECK_EVERY", 0)
    with pytest.raises(SystemExit):
        network._announce(8710)
    assert announced == [[], ["192.168.1.20"], ["10.0.0.7"]]
