"""Days in forms of the German site: first as a browser's own field for a day takes them."""

DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d.%m.%Y"]
