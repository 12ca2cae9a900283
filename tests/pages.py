"""Pages as tests read them: how a template is broken into lines is not their business."""

import re

SPACE = r"[ \t\n\r]+"


def squeezed(html: str) -> str:
    """The same with whitespace as one space, and none beside a tag."""
    return re.sub(r" ?(<[^>]*>) ?", r"\1", re.sub(SPACE, " ", html))
