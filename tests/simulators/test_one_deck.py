"""One physical deck between all simulated devices: whatever is done with it, a card is at one place, and one device at
most can tell of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from simulators.devices.field import Field
from simulators.devices.world import AWAY, DECK, HAND, SHOE, EmptyShoe, World, iso15693_tag

SPOTS = ("seat-1", "seat-2", "house", "board", "burn", "discard", "mouth", SHOE)
STEPS = st.lists(
    st.one_of(
        st.just(("draw",)),
        st.tuples(st.just("put"), st.integers(0, 51), st.sampled_from((*SPOTS, HAND, AWAY))),
        st.tuples(st.just("shuffle"), st.integers(0, 9)),
    ),
    max_size=40,
)


@given(STEPS)
def test_a_card_is_always_somewhere_exactly_once(steps: list[tuple[object, ...]]) -> None:
    world = World(tag_of=iso15693_tag)
    fields = {spot: Field(world, spot) for spot in SPOTS}
    cards = world.cards()
    for step in steps:
        match step:
            case ("draw",):
                try:
                    world.draw()
                except EmptyShoe:
                    assert world.at(SHOE) == ()
            case ("put", int(number), str(place)):
                world.put(cards[number], place)
            case ("shuffle", int(seed)):
                world.shuffle(seed)
        assert world.cards() == cards
        heard = [tag for field in fields.values() for tag in field.awake()]
        assert len(heard) == len(set(heard)), "no card answers two readers"
        assert {card.tag for card in cards if world.where(card) in SPOTS} == set(heard)
        assert sorted(card.face for card in cards) == sorted(DECK)
