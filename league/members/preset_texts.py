"""What each game is like at the table, for a card player; its source is given elsewhere."""

from django.utils.translation import gettext_lazy as _

# By the preset's own name, where players know the game by another.
NAMES = {
    "Three-Hand Euchre (gamerules)": _("Three-hand Euchre"),
    "Bid Euchre (Shawn's page)": _("Bid Euchre, jacks to aces"),
}

# By preset; where there is none, the preset's own note says it.
BLURBS = {
    "standard-four-handed": _("The usual game: two pairs, nines to aces, a card turned up."),
    "three-hand-gamerules": _("Three players, sevens to aces; the dealer must name trump."),
    "keller-1887-two-handed": _("For two with 32 cards, to five points."),
    "keller-1887-three-handed": _("For three with 32 cards, to five points; two can win together."),
    "nanaimo-two-handed": _("For two with 32 cards, to ten points."),
    "nanaimo-three-handed": _("For three with 32 cards, to ten points."),
    "nanaimo-four-handed": _("Two pairs, 32 cards; every march pays 4, alone or not."),
    "ferguson-2023-four-handed": _("Two pairs, 24 cards; the dealer can leave the card turned up."),
    "guide-four-handed": _("Two pairs, 24 cards; a defender can play alone against a loner."),
    "guide-benny-25": _("The British game: the joker is the best trump."),
    "guide-32": _("Two pairs with sevens and eights added."),
    "guide-cutthroat-three-handed": _("Three players, each for themselves, with 24 cards."),
    "set-minus": _("Makers who are euchred lose points and nobody gains; eight hands."),
    "bid-general": _("Two pairs, two decks, bids from one trick; for rules of your own."),
    "bid-barrie": _("Two decks from jack to ace; call for one or two cards, or shoot the moon."),
    "bid-midwest-double-deck": _("Two decks, several rounds of bidding, and a lone bid of 24."),
    "bid-hoosier-four-player": _("Ten cards each; shoot for 16, or the moon alone for 32."),
    "bid-hoosier-three-player": _("Ten cards each, everyone for themselves, and a kitty of two."),
    "bid-hoosier-two-player": _("Bid Euchre for two: ten cards each, all ten tricks pay 16."),
    "bid-hoosier-five-player": _(
        "Bid Euchre for five: everyone for themselves, a whole deck, a kitty of two."
    ),
    "bid-hoosier-six-player": _("Bid Euchre for six in two teams: ten cards each, three decks."),
    "bid-hoosier-eight-player": _("Bid Euchre for eight in two teams: ten cards each, four decks."),
    "bid-kokomo-kitty": _("Two decks, eleven cards each; the highest bidder takes four more."),
    "bid-purdue-cutthroat": _(
        "Three players, each for themselves: seven cards, and a kitty of three."
    ),
    "bid-shawn": _("Two decks from jack to ace, bids from three; seven or eight alone."),
    "bid-racehorse": _("Six cards each; the dealer can take the bid, and must if all pass."),
    "bid-racehorse-six": _("Euchre for six in two teams, with bidding and two decks."),
    "bid-racehorse-eight": _("Euchre for eight in two teams, with bidding and two decks."),
    "bid-alber-double-deck": _("Two decks from ten to ace; shoot the moon with one card or two."),
    "bid-indiana-double-deck": _("Two decks, bids from three; the first player must bid."),
    "five-hundred-four": _("Two pairs, 43 cards and misère, as in Australia; −500 loses."),
}
