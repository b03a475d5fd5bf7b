// The vectors of docs/fair-deals.md.

#include "tarneeb/fair_deals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace tarneeb::fair_deals {
namespace {

using Vector = std::map<std::string, std::string>;

std::vector<Vector> Vectors() {
  std::ifstream file(FAIR_DEALS);
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    const size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    if (key == "seed") vectors.emplace_back();
    // What follows the last one of the page is not read as a part of it.
    if (!vectors.empty() && !vectors.back().count("deck") && blank != std::string::npos)
      vectors.back()[key] = line.substr(blank + 1);
  }
  return vectors;
}

std::string Bytes(const std::string& hex) {
  std::string bytes;
  for (size_t place = 0; hex != "-" && place < hex.size(); place += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(place, 2), nullptr, 16));
  return bytes;
}

v1::Card CardOf(const std::string& text) {
  const size_t suit = std::string("CDHS").find(text[0]) + 1;
  const size_t rank = std::string("..23456789TJQKA").find(text[1]);
  return static_cast<v1::Card>(suit << 4 | rank);
}

Cards CardsOf(const std::string& text) {
  Cards cards;
  std::istringstream words(text);
  for (std::string word; words >> word;) cards.push_back(CardOf(word));
  return cards;
}

TEST(FairDeals, AreAsThePageSays) {
  const std::map<std::string, v1::Seat> seats = {
      {"North", v1::SEAT_NORTH}, {"West", v1::SEAT_WEST}, {"South", v1::SEAT_SOUTH}, {"East", v1::SEAT_EAST}};
  const std::vector<Vector> vectors = Vectors();
  ASSERT_EQ(vectors.size(), 4U);
  for (const Vector& vector : vectors) {
    const std::string seed = Bytes(vector.at("seed"));
    const std::string& game = vector.at("game");
    const auto hand = static_cast<uint32_t>(std::stoul(vector.at("hand")));
    EXPECT_EQ(Commitment(seed, game, hand), Bytes(vector.at("commitment")));
    EXPECT_EQ(FirstDealer(seed, game), seats.at(vector.at("dealer")));
    EXPECT_EQ(Deck(seed, Bytes(vector.at("cut")), game, hand), CardsOf(vector.at("deck")));
  }
}

TEST(FairDeals, DealToTheRightOfTheDealerFirst) {
  const Cards deck = Deck("0123456789abcdef", "", "g-1", 1);
  for (const v1::DealOrder order : {v1::DEAL_ORDER_SINGLY, v1::DEAL_ORDER_PACKETS}) {
    const auto hands = Hands(deck, v1::SEAT_EAST, order);
    const auto holds = [&](size_t place, v1::Card card) {
      return std::count(hands[place].begin(), hands[place].end(), card) == 1;
    };
    EXPECT_TRUE(holds(0, deck.front()));
    EXPECT_TRUE(holds(3, deck.back()));
    EXPECT_TRUE(holds(order == v1::DEAL_ORDER_PACKETS ? 0 : 1, deck[1]));
    for (const Cards& hand : hands) EXPECT_EQ(hand.size(), 13U);
  }
}

}  // namespace
}  // namespace tarneeb::fair_deals
