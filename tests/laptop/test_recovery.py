"""The words of the recovery sheet open the club's key, and nothing else does."""

from league.laptop.actions import WORDS, make_sheet, open_sheet


def test_the_words_open_the_key_however_they_are_typed():
    words, kept = make_sheet("the-secret-key")
    assert len(words) == WORDS
    assert "the-secret-key" not in kept
    assert open_sheet(kept, " ".join(words)) == "the-secret-key"
    assert open_sheet(kept, "\n".join(word.upper() for word in words)) == "the-secret-key"
    assert open_sheet(kept, ",".join(word[:4] for word in words)) == "the-secret-key"


def test_no_other_words_do():
    words, kept = make_sheet("the-secret-key")
    assert open_sheet(kept, " ".join(reversed(words))) is None
    assert open_sheet(kept, " ".join(words[:-1])) is None
    assert open_sheet(kept, "") is None
    assert open_sheet("{}", " ".join(words)) is None
    assert open_sheet("no json", " ".join(words)) is None
    assert open_sheet("[" * 9_999, " ".join(words)) is None


def test_each_sheet_has_words_of_its_own():
    assert make_sheet("key")[0] != make_sheet("key")[0]
