#include "tarneeb/choosing.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tarneeb {
namespace {

using google::protobuf::RepeatedPtrField;
using Moves = RepeatedPtrField<v1::Move>;

// In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
constexpr int kBiddersPartner = 11;
constexpr int kDoublersPartner = 12;

int Suit(int card) { return card >> 4; }
int Rank(int card) { return card & 15; }

// What a holding is worth with a trump, in quarters of a trick.
int Quarters(const v1::HandView& hand, int trump) {
  constexpr std::array<int, 16> kOthers = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4};
  int total = 0;
  for (const int card : hand.holding()) {
    if (Suit(card) == trump)
      total += Rank(card) >= 12 ? 3 : 2;
    else
      total += kOthers[static_cast<size_t>(Rank(card))];
  }
  return total;
}

// The first of kind, or null.
const v1::Move* First(const Moves& moves, v1::CallKind kind) {
  const auto found =
      std::find_if(moves.begin(), moves.end(), [&](const v1::Move& move) { return move.call().kind() == kind; });
  return found == moves.end() ? nullptr : &*found;
}

v1::Move TrumpToName(const v1::GameView& view) {
  const auto worth = [&](const v1::Move& move) { return Quarters(view.hand(), move.trump()); };
  return *std::max_element(view.legal_moves().begin(), view.legal_moves().end(),
                           [&](const v1::Move& one, const v1::Move& other) { return worth(one) < worth(other); });
}

v1::Move OwnBid(const v1::GameView& view) {
  const int worth = Quarters(view.hand(), view.hand().trump()) / 4;
  const Moves& legal = view.legal_moves();
  // Bids are listed from low to high.
  const auto found = std::find_if(legal.rbegin(), legal.rend(),
                                  [&](const v1::Move& bid) { return static_cast<int>(bid.call().tricks()) <= worth; });
  return found == legal.rend() ? legal[0] : *found;
}

// The suit of most quarters, the first of equals.
int BestSuit(const v1::HandView& hand) {
  int best = v1::SUIT_CLUBS;
  for (int suit = v1::SUIT_DIAMONDS; suit <= v1::SUIT_SPADES; ++suit)
    if (Quarters(hand, suit) > Quarters(hand, best)) best = suit;
  return best;
}

v1::Move Call(const v1::GameView& view) {
  const v1::HandView& hand = view.hand();
  const Moves& legal = view.legal_moves();
  const v1::Move* pass = First(legal, v1::CALL_KIND_PASS);
  const v1::Move* twice = First(legal, v1::CALL_KIND_DOUBLE);
  const auto last = std::find_if(hand.calls().rbegin(), hand.calls().rend(),
                                 [](const v1::CallMade& call) { return call.kind() == v1::CALL_KIND_BID; });
  if (last != hand.calls().rend()) {
    const bool ours = last->seat() % 2 == view.viewer() % 2;
    if (ours && pass) return *pass;
    const int worth = Quarters(hand, last->strain()) + kDoublersPartner;
    if (twice && worth >= 4 * (14 - static_cast<int>(last->tricks()))) return *twice;
  }
  const int best = hand.trump() ? static_cast<int>(hand.trump()) : BestSuit(hand);
  const int limit = (Quarters(hand, best) + kBiddersPartner) / 4;
  for (const v1::Move& move : legal) {
    const v1::Call& call = move.call();
    const bool fits = call.strain() == v1::STRAIN_UNSPECIFIED || call.strain() == best;
    if (call.kind() == v1::CALL_KIND_BID && static_cast<int>(call.tricks()) <= limit && fits) return move;
  }
  return pass ? *pass : legal[0];
}

v1::Move CardToPlay(const v1::GameView& view) {
  const Moves& legal = view.legal_moves();
  const auto& trick = view.hand().trick().cards();
  const auto lower = [](const v1::Move& one, const v1::Move& other) { return Rank(one.card()) < Rank(other.card()); };
  if (trick.empty()) return *std::max_element(legal.begin(), legal.end(), lower);
  const auto power = [&](int card) {
    const int suit = Suit(card);
    return Rank(card) + (suit == view.hand().trump() ? 32 : suit == Suit(trick[0]) ? 16 : 0);
  };
  int highest = 0;
  for (const int card : trick) highest = std::max(highest, power(card));
  const v1::Move* least = nullptr;
  for (const v1::Move& move : legal)
    if (power(move.card()) > highest && (!least || power(move.card()) < power(least->card()))) least = &move;
  return least ? *least : *std::min_element(legal.begin(), legal.end(), lower);
}

}  // namespace

v1::Move Choose(const v1::GameView& view) {
  switch (view.legal_moves(0).action_case()) {
    case v1::Move::kCard:
      return CardToPlay(view);
    case v1::Move::kTrump:
      return TrumpToName(view);
    default:
      return view.scores_size() == 4 ? OwnBid(view) : Call(view);
  }
}

}  // namespace tarneeb
