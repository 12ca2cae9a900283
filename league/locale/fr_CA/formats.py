"""Times of day in French Canada: "7 h 06".

Django's own formats for this language lack the backslash that keeps the h a letter, and write the
hour twice ("19 07 06").
"""

TIME_FORMAT = "G\xa0\\h\xa0i"
DATETIME_FORMAT = f"j F Y, {TIME_FORMAT}"
SHORT_DATETIME_FORMAT = f"Y-m-d {TIME_FORMAT}"
