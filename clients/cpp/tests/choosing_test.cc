#include "tarneeb/choosing.h"

#include <gtest/gtest.h>

namespace tarneeb {
namespace {

v1::GameView Playing(std::initializer_list<v1::Card> legal, std::initializer_list<v1::Card> trick) {
  v1::GameView view;
  view.set_viewer(v1::VIEWER_NORTH);
  for (const v1::Card card : legal) view.add_legal_moves()->set_card(card);
  for (const v1::Card card : trick) view.mutable_hand()->mutable_trick()->add_cards(card);
  view.mutable_hand()->set_trump(v1::STRAIN_SPADES);
  return view;
}

TEST(Choose, LeadsTheFirstOfTheHighest) {
  const auto view = Playing({v1::CARD_CLUBS_TWO, v1::CARD_CLUBS_KING, v1::CARD_HEARTS_KING}, {});
  EXPECT_EQ(Choose(view).card(), v1::CARD_CLUBS_KING);
}

TEST(Choose, BeatsWithTheLeastThatDoes) {
  const auto view = Playing({v1::CARD_SPADES_TWO, v1::CARD_SPADES_FOUR, v1::CARD_DIAMONDS_ACE},
                            {v1::CARD_HEARTS_ACE, v1::CARD_SPADES_THREE});
  EXPECT_EQ(Choose(view).card(), v1::CARD_SPADES_FOUR);
}

TEST(Choose, ThrowsTheFirstOfTheLowest) {
  const auto view = Playing({v1::CARD_CLUBS_THREE, v1::CARD_DIAMONDS_THREE}, {v1::CARD_HEARTS_TWO});
  EXPECT_EQ(Choose(view).card(), v1::CARD_CLUBS_THREE);
}

TEST(Choose, PassesAPartnersBid) {
  v1::GameView view;
  view.set_viewer(v1::VIEWER_NORTH);
  view.add_legal_moves()->mutable_call()->set_kind(v1::CALL_KIND_BID);
  view.add_legal_moves()->mutable_call()->set_kind(v1::CALL_KIND_PASS);
  v1::CallMade* call = view.mutable_hand()->add_calls();
  call->set_seat(v1::SEAT_SOUTH);
  call->set_kind(v1::CALL_KIND_BID);
  EXPECT_EQ(Choose(view).call().kind(), v1::CALL_KIND_PASS);
}

}  // namespace
}  // namespace tarneeb
