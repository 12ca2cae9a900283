"""Between a ruleset's options and the fields of a form. Pure but for translation."""


def option_field(name: str) -> str:
    """The form field that holds an option; the prefix keeps "name" the option from the name."""
    bare = name.removeprefix("options.")
    return f"option_{bare}" if bare else ""
