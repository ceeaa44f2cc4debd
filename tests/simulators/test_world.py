"""Every card is in exactly one place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.devices.field import Field
from simulators.devices.world import AWAY, DECK, HAND, SHOE, EmptyShoe, World, iso15693_tag, type_a_tag


def test_a_new_pack_is_52_different_faces_in_the_shoe() -> None:
    world = World()
    assert len(set(DECK)) == 52
    assert [card.face for card in world.at(SHOE)] == list(DECK)


def test_shuffling_follows_from_the_seed_alone() -> None:
    one, other = World(), World()
    other.put(other.draw(), "seat-3")
    one.shuffle(5)
    other.shuffle(5)
    assert one.at(SHOE) == other.at(SHOE)
    other.shuffle(6)
    assert one.at(SHOE) != other.at(SHOE)


def test_a_pack_is_nowhere_until_it_comes_in_place_of_the_deck() -> None:
    world = World(tag_of=type_a_tag)
    old, pack = world.cards(), world.pack()
    assert world.cards() == old
    world.replace(pack)
    assert world.at(SHOE) == world.cards() == pack
    assert not {card.tag for card in old} & {card.tag for card in pack}


def test_a_reshuffled_stub_holds_what_is_left_and_what_went_back_and_nothing_else() -> None:
    world = World()
    burnt, back = world.draw(), world.draw()
    world.put(back, "board")
    left = world.at(SHOE)
    world.reshuffle([back], 5)
    assert world.where(burnt) == HAND
    assert set(world.at(SHOE)) == {*left, back}
    assert world.at(SHOE)[: len(left)] != left
    again = World()
    again.put(again.draw(), HAND)
    again.reshuffle((), 5)
    other = World()
    other.put(other.draw(), HAND)
    other.reshuffle((), 5)
    assert again.at(SHOE) == other.at(SHOE)


def test_a_card_that_came_again_was_drawn_twice() -> None:
    world = World(["As"])
    card = world.draw()
    world.reshuffle([card], 1)
    assert world.draw() is card
    assert world.drawn() == (card, card)
    world.shuffle(1)
    assert world.drawn() == ()


def test_a_card_drawn_is_in_the_hand_until_it_is_put_down() -> None:
    world = World(["As", "Kd"])
    card = world.draw()
    assert (card.face, world.where(card)) == ("As", HAND)
    world.put(card, "seat-1")
    assert (world.where(card), world.at(HAND)) == ("seat-1", ())


def test_another_deck_leaves_none_of_the_old_cards_anywhere() -> None:
    world = World()
    world.put(world.draw(), AWAY)
    old = {world.draw(), *world.cards()}
    world.bring("As", SHOE)
    world.replace()
    assert [card.face for card in world.at(SHOE)] == list(DECK)
    assert not old & set(world.cards())
    assert len(world.cards()) == len(DECK)


def test_an_empty_shoe_gives_no_card() -> None:
    with pytest.raises(EmptyShoe):
        World([]).draw()


def test_a_stacked_shoe_gives_the_faces_asked_for_and_then_the_others() -> None:
    world = World(["As", "Kd", "7c"])
    world.stack(["7c", "As"])
    assert [world.draw().face for _ in range(3)] == ["7c", "As", "Kd"]


def test_a_face_that_is_not_in_the_shoe_cannot_be_stacked() -> None:
    world = World(["As", "Kd"])
    with pytest.raises(ValueError, match="As"):
        world.stack(["As", "As"])
    assert [card.face for card in world.at(SHOE)] == ["As", "Kd"]


def test_a_foreign_card_with_the_same_face_is_another_card() -> None:
    world = World()
    foreign = world.bring("As", SHOE)
    assert [card.face for card in world.cards()].count("As") == 2
    assert world.where(foreign) == SHOE
    assert len({card.number for card in world.cards()}) == 53


def test_what_was_taken_away_is_not_shuffled_in_again() -> None:
    world = World()
    gone = world.draw()
    world.put(gone, AWAY)
    world.shuffle(1)
    assert world.where(gone) == AWAY
    assert len(world.at(SHOE)) == 51


def test_a_card_of_another_world_is_nowhere() -> None:
    with pytest.raises(KeyError):
        World(["As"]).where(World().bring("2c", SHOE))


@given(st.lists(st.sampled_from(["draw", "seat-1", "board", AWAY, "shuffle"]), max_size=60))
def test_cards_are_conserved(steps: list[str]) -> None:
    world = World()
    before = world.cards()
    for number, step in enumerate(steps):
        if step == "draw" and world.at(SHOE):
            world.draw()
        elif step == "shuffle":
            world.shuffle(number)
        elif world.at(HAND):
            world.put(world.at(HAND)[0], step)
    assert world.cards() == before


# -- tags --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tag_of", "digits", "begin"), [(type_a_tag, 14, "04"), (iso15693_tag, 16, "E004")])
def test_every_card_of_a_deck_has_a_tag_of_its_own(tag_of: Callable[[int], str], digits: int, begin: str) -> None:
    tags = {card.tag for card in World(tag_of=tag_of).cards()}
    assert len(tags) == 52
    assert all(len(tag) == digits and tag.startswith(begin) and tag == tag.upper() for tag in tags)


def test_a_card_without_a_tag_is_seen_by_no_antenna() -> None:
    world = World(["As"])
    world.put(world.draw(), "seat-1")
    assert Field(world, "seat-1").awake() == []


def test_an_antenna_sees_the_cards_at_its_spot_and_no_others() -> None:
    world = World(["As", "Kd", "7c"], tag_of=type_a_tag)
    one, two, _ = world.cards()
    world.put(two, "seat-1")
    world.put(one, "seat-1")
    field = Field(world, "seat-1")
    assert field.awake() == [two.tag, one.tag]
    world.put(two, "seat-2")
    assert field.awake() == [one.tag]
    assert not field.is_there(two.tag)


def test_a_quiet_tag_stays_so_until_the_field_goes_off_or_its_card_is_lifted() -> None:
    world = World(["As"], tag_of=type_a_tag)
    card = world.draw()
    world.put(card, "seat-1")
    field = Field(world, "seat-1")
    field.hush(card.tag)
    assert field.awake() == []
    assert field.is_there(card.tag)
    field.off()
    assert field.awake() == [card.tag]
    field.hush(card.tag)
    # Lifted and put back before anybody looked.
    world.put(card, HAND)
    world.put(card, "seat-1")
    assert field.awake() == [card.tag]


def test_a_copied_tag_answers_as_one_and_a_deaf_one_not_at_all() -> None:
    world = World(["As"], tag_of=type_a_tag)
    card = world.draw()
    world.put(card, "seat-1")
    world.bring("Kd", "seat-1", tag=card.tag)
    field = Field(world, "seat-1")
    assert field.awake() == [card.tag]
    field.deaf = {card.tag}
    assert field.awake() == []
    assert not field.is_there(card.tag)
