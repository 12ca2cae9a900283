"""The little words of a sentence, which a search leaves out."""

from django.utils.translation import gettext_lazy as _

# Translators: the words that say little in a question of your language, whatever it asks.
LITTLE_WORDS = _(
    "a about after all also am an and any are as at be because been but by can cannot cant could "
    "did didnt do does doesnt dont else for from get gets go goes going got had has have havent "
    "he her here him his how i if im in into is isnt it its ive just know like many may me more "
    "much must my need no not now of on one or our per please put say says see she should so some "
    "somebody someone something still than that the their them then there theres they theyre "
    "thing things this those to too try up us use want wants was we were what whats when where "
    "which while who whom whose why will with wont would you your yet ever onto else each being "
    "been im id ill weve youve youre theyd hes shes hed shed lets ours whos hows wheres whens "
    "whys arent wasnt werent hasnt hadnt couldnt wouldnt shouldnt really supposed rather four "
    "five six seven eight nine ten eleven twelve thirteen fourteen fifteen january february april "
    "june july august september october november december jan feb apr jun jul aug sep sept oct "
    "nov dec happen happens happened hello hi dear thanks kindly "
    "today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday"
)
"""In plain letters, without apostrophes; the help counts them for less."""
