"""The site's texts are in the words of a club: none has a phrase that nobody there would say."""

import re

from tests.languages import extracting

PHRASES = r"""
written down|won to nothing|under age|by lot\b|without a network|\bwhoever\b|\banew\b
\btick(?:ed)? (?:\w+ )?off\b|chang(?:e|es|ing) places|is no house rule|in no source
not settled yet|laid away|\blay away|stands? (?:still|last|lower|above|below|in for)\b
somebody (?:comes|else|should|wants)|, of which\b|\bno multiple of|no such rule
entered is kept|come nearest|other(?: rules)? than usual|\b(?:a|this) mail\b|sends no mail
minus number|so many (?:teams|players)|plays for no\b|the least bid|eldest hand|put right
games of the evening|past evenings|free to be seated|opens? nothing|\bmended\b
nothing here says|waits to be|whatever it is about|the administrators of this site
"""
STIFF = re.compile("|".join(PHRASES.split("\n")[1:-1]), re.IGNORECASE)
# What people type into the search of Help and of the rules is in their own words.
SEARCHED = re.compile(r'data-(?:also|questions|groups|small)="(?:\{% translate ".*?" %\}[ ,]*)+"')
TEXT = re.compile(r'translate "(.*?)" %')


def test_no_text_has_a_phrase_that_a_club_would_not_say():
    pages = (extracting.ROOT / "templates" / "members").rglob("*.html")
    lists = [found for page in pages for found in SEARCHED.findall(page.read_text("utf-8"))]
    searched = {words for found in lists for words in TEXT.findall(found)}
    assert len(searched) > 100
    said = {
        (files[0], said)
        for text, files in extracting.texts().items()
        for said in (text.one, text.many)
        if said not in searched and STIFF.search(said)
    }
    assert said == set()
