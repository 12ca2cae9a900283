"""What is kept from elsewhere is what was taken, with its licence."""

import base64
import hashlib
import tomllib
from pathlib import Path

import pytest

VENDOR = Path(__file__).resolve().parents[2] / "league" / "static" / "vendor"
PACKAGES = tomllib.loads((VENDOR / "VENDOR.toml").read_text())["package"]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package["name"])
def test_every_file_is_as_it_came(package):
    folder = VENDOR / package["folder"]
    for name, recorded in package["files"].items():
        digest = base64.b64encode(hashlib.sha384((folder / name).read_bytes()).digest())
        assert recorded == f"sha384-{digest.decode()}", name


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package["name"])
def test_every_package_says_its_version_and_carries_its_licence(package):
    assert package["folder"].endswith(package["version"])
    assert package["licence"]
    assert "LICENSE" in package["files"]


def test_no_file_is_unrecorded():
    recorded = {f"{p['folder']}/{name}" for p in PACKAGES for name in p["files"]}
    there = {str(f.relative_to(VENDOR)) for f in VENDOR.rglob("*") if f.is_file()}
    assert there == recorded | {"VENDOR.toml"}
