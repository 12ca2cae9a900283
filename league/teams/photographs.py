"""A photograph of a signed card: made small, and free of what a camera writes into a picture."""

from io import BytesIO
from struct import error as StructError  # noqa: N812 - an exception, named as one

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from league.errors import Refused

SIDES = (1600, 1200, 800, 500)  # pixels of the longer side: the first that is small enough
MOST_BYTES = 200_000  # of 300 matches 120 MB at most, which a backup still holds
MOST_PIXELS = 25_000_000
QUALITY = 70
BROKEN = (OSError, ValueError, SyntaxError, EOFError, StructError, Image.DecompressionBombError)


def small_photograph(content: bytes) -> bytes:
    """The photograph as a JPEG of at most `MOST_BYTES`, the right way up, with nothing but its
    pixels: no place, no time, no camera. Refuses what is no JPEG or PNG, and too many pixels."""
    try:
        with Image.open(BytesIO(content), formats=("JPEG", "PNG")) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                message = _("This photograph has too many pixels. Take it smaller, or crop it.")
                raise _refused("too-many-pixels", message)
            picture.draft("RGB", (SIDES[0], SIDES[0]))  # a JPEG is read at about that size
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except BROKEN as error:
        message = _("This is not a photograph the site can read. Choose a JPEG or PNG file.")
        raise _refused("no-photograph", message) from error
    plain = Image.new("RGB", upright.size, "white")
    plain.paste(upright, mask=upright)
    for side in SIDES:
        plain.thumbnail((side, side))
        small = BytesIO()
        plain.save(small, "JPEG", quality=QUALITY)
        if small.tell() <= MOST_BYTES:
            return small.getvalue()
    message = _("This photograph can't be made small enough. Take it again with just the card.")
    raise _refused("too-large", message)


def _refused(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"photograph": [message]})
