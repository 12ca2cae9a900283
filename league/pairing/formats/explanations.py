"""Each format of fixed pairs and teams told to its players: what happens, and how much of it."""

from collections.abc import Iterator

from league.pairing.formats.length import Choices, Expected, Format, Span, expected
from league.pairing.formats.pairings import Sentence, gettext, ngettext

Sentences = Iterator[Sentence]


def explain(format: str, choices: Choices, entries: int | None = None) -> tuple[Sentence, ...]:
    """The format in plain words, a sentence or a few on each subject, in the order to be read.

    With the number of entries it also says how many rounds and matches to expect.
    """
    sentences = [*EXPLANATIONS[Format(format)](choices)]
    if entries is not None and entries > 1:
        sentences += _to_expect(expected(format, entries, choices))
    return tuple(sentences)


def picking_explained(way: str) -> tuple[Sentence, ...]:
    """How partners are found after a seeding round: `picked`, `drawn` or `folded`."""
    return (
        gettext("First everybody plays for themselves, in a seeding round with changing partners."),
        {
            "picked": gettext(
                "Then whoever is placed best picks a partner, then whoever is placed best of those"
                " without one, until all have partners."
            ),
            "drawn": gettext(
                "Then each of the upper half draws a partner out of the lower half, by lot."
            ),
            "folded": gettext(
                "Then the first plays with the last, the second with the last but one, and so on."
            ),
        }[way],
        gettext("With an odd number one stays without a partner, and can stand in."),
    )


def _match(choices: Choices) -> Sentence:
    if choices.games == 1:
        return gettext("A match is one game.")
    return gettext(
        "A match is the best of %(n)d games: it is over when one side has won more than half.",
        n=choices.games,
    )


def _round_robin(choices: Choices) -> Sentences:
    yield gettext("You keep your partner.")
    if choices.twice:
        yield gettext("You meet every other pair twice.")
    else:
        yield gettext("You meet every other pair once.")
    yield _match(choices)
    yield gettext("With an odd number of pairs one sits out each round, everybody in turn.")
    yield gettext(
        "Most match points wins: one for a match won, half for a draw. If level, the matches"
        " against each other count first."
    )
    yield gettext(
        "A pair that leaves before half its matches is struck out; if it leaves later, the others"
        " win the matches it does not play."
    )


def _swiss(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. Nobody is knocked out: everybody plays every round.")
    yield ngettext("%(n)d round is played.", "%(n)d rounds are played.", choices.rounds)
    yield gettext(
        "The first round is drawn by lot. After that you meet a pair with as many match points as"
        " you, or nearly: who wins meets winners, who loses meets others who lost."
    )
    yield gettext("Nobody meets the same pair twice while it can be helped.")
    yield _match(choices)
    yield gettext(
        "With an odd number of pairs one sits out: the lowest placed of those who have not sat out"
        " yet. That counts as a match won."
    )
    yield gettext(
        "Most match points wins: one for a match won, half for a draw. If level, it counts how"
        " many match points your opponents made."
    )
    yield gettext("Come late, and you are drawn from the next round on. Leave, and you are not.")


def _knockout(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. Who wins the match goes on, who loses is out.")
    yield _match(choices)
    yield gettext(
        "The bracket is drawn so that the best seeds meet last. If the number of pairs does not"
        " fill it, the best seeds start one round later."
    )
    yield gettext("Whoever should meet a pair that does not come goes on without playing.")
    if choices.third_place:
        yield gettext("Who loses a semi-final plays for third place.")
    if choices.consolation:
        yield gettext(
            "Who loses the first match they play goes on in a consolation bracket and can win that."
        )


def _double(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. Who loses twice is out.")
    yield _match(choices)
    yield gettext(
        "Who loses for the first time moves to the losers' bracket and plays on there. You will"
        " not meet the pair that beat you again until late."
    )
    yield gettext("The winners of both brackets meet in the final.")
    yield gettext(
        "If the pair that had never lost is beaten there, both have lost once: the final is played"
        " again, and that decides."
    )
    yield gettext("Whoever should meet a pair that does not come goes on without playing.")


def _groups(choices: Choices) -> Sentences:
    yield gettext("You keep your partner.")
    yield ngettext(
        "There is %(n)d group; in it everybody meets everybody.",
        "There are %(n)d groups; in each everybody meets everybody.",
        choices.groups,
    )
    yield gettext("The best seeds are in different groups.")
    yield _match(choices)
    yield ngettext(
        "The first %(n)d of each group plays on in a knock-out.",
        "The first %(n)d of each group play on in a knock-out.",
        choices.through,
    )
    yield gettext(
        "There group winners meet those placed lower in other groups, and two of one group meet as"
        " late as possible. Who loses is out."
    )
    if choices.third_place:
        yield gettext("Who loses a semi-final plays for third place.")


def _league(choices: Choices) -> Sentences:
    if choices.twice:
        yield gettext("Every team meets every other twice, once at home and once away.")
    else:
        yield gettext("Every team meets every other once, at home or away by turns.")
    yield gettext("The first team of a fixture is at home and provides room and cards.")
    yield gettext("Two teams of one house are never both at home on the same day.")
    yield gettext("With an odd number of teams one is free each round, everybody in turn.")


EXPLANATIONS = {
    Format.ROUND_ROBIN: _round_robin,
    Format.SWISS: _swiss,
    Format.KNOCKOUT: _knockout,
    Format.DOUBLE: _double,
    Format.GROUPS: _groups,
    Format.LEAGUE: _league,
}


def _to_expect(expectation: Expected) -> Sentences:
    rounds, matches, each = expectation.rounds, expectation.matches, expectation.each
    if rounds.least == rounds.most:
        yield ngettext("Expect %(n)d round.", "Expect %(n)d rounds.", rounds.most)
    else:
        yield gettext("Expect %(least)d to %(most)d rounds.", **_ends(rounds))
    if matches.least == matches.most:
        yield ngettext(
            "Altogether %(n)d match is played.",
            "Altogether %(n)d matches are played.",
            matches.most,
        )
    else:
        yield gettext("Altogether %(least)d to %(most)d matches are played.", **_ends(matches))
    if each.least == each.most:
        yield ngettext("You play %(n)d match.", "You play %(n)d matches.", each.most)
    else:
        yield gettext("You play %(least)d to %(most)d matches.", **_ends(each))


def _ends(span: Span) -> dict[str, int]:
    return {"least": span.least, "most": span.most}
