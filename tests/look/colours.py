"""Colours as eyes measure them: reading our tokens, contrast and lightness by WCAG and CIE."""

import re
from pathlib import Path

SHEETS = Path(__file__).resolve().parents[2] / "league" / "static" / "css"
TOKEN = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6})\b")


def blocks() -> dict[str, dict[str, str]]:
    """The colour tokens of each rule of tokens.css that has any, by selector."""
    text = re.sub(r"/\*.*?\*/", "", (SHEETS / "tokens.css").read_text(), flags=re.S)
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    found: dict[str, dict[str, str]] = {}
    for selector, body in rules:
        if tokens := dict(TOKEN.findall(body)):
            found.setdefault(selector.strip(), {}).update(tokens)
    return found


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lightness(colour: str) -> float:
    """CIE L*, from 0 to 100."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y
