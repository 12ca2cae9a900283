"""What the engine refuses becomes what the site tells people, in one place."""

import pytest

from league.errors import Refused, pairing_refusals
from league.pairing.errors import PairingRefused


def test_a_refusal_of_the_engine_is_told_with_its_code_and_its_filled_sentence():
    with pytest.raises(Refused) as sentences, pairing_refusals():
        raise PairingRefused("too-few", "At least %(least)d pairs are needed.", values={"least": 3})
    assert (sentences.value.code, sentences.value.status) == ("too-few", 409)
    assert sentences.value.message == "At least 3 pairs are needed."
