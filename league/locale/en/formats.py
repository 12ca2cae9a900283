"""Days in forms of the English site: as a browser's own field for a day takes them."""

DATE_INPUT_FORMATS = ["%Y-%m-%d"]
