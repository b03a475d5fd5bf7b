#include "tarneeb/fair_deals.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "tarneeb/sha256.h"

namespace tarneeb::fair_deals {
namespace {

template <class Unsigned>
std::string BigEndian(Unsigned number) {
  std::string bytes;
  for (size_t place = sizeof number; place-- > 0;) bytes += static_cast<char>(number >> (8 * place) & 0xff);
  return bytes;
}

// Purpose and parts, each behind its length.
std::string Hash(std::initializer_list<std::string_view> parts) {
  Sha256 hash;
  for (const std::string_view part : parts) {
    hash.Update(BigEndian(static_cast<uint16_t>(part.size())));
    hash.Update(part);
  }
  return hash.Digest();
}

// The bytes that the shuffle takes.
class Stream {
 public:
  explicit Stream(std::string key) : key_(std::move(key)) {}

  unsigned Next() {
    if (place_ == block_.size()) {
      block_ = Sha256Of(key_ + BigEndian(number_++));
      place_ = 0;
    }
    return static_cast<unsigned char>(block_[place_++]);
  }

 private:
  std::string key_;
  std::string block_;
  size_t place_ = 0;
  uint32_t number_ = 0;
};

Cards Ascending() {
  Cards cards;
  for (int suit = v1::SUIT_CLUBS; suit <= v1::SUIT_SPADES; ++suit)
    for (int rank = 2; rank <= 14; ++rank) cards.push_back(static_cast<v1::Card>(suit << 4 | rank));
  return cards;
}

}  // namespace

std::string Commitment(std::string_view seed, std::string_view game_id, uint32_t hand_number) {
  return Hash({"tarneeb.commit.v1", seed, game_id, BigEndian(hand_number)});
}

v1::Seat FirstDealer(std::string_view seed, std::string_view game_id) {
  const auto first = static_cast<unsigned char>(Hash({"tarneeb.dealer.v1", seed, game_id})[0]);
  return static_cast<v1::Seat>(v1::SEAT_NORTH + first % 4);
}

Cards Deck(std::string_view seed, std::string_view cut, std::string_view game_id, uint32_t hand_number) {
  Stream stream(Hash({"tarneeb.deal.v1", seed, cut, game_id, BigEndian(hand_number)}));
  Cards cards = Ascending();
  for (unsigned last = 51; last > 0; --last) {
    const unsigned places = last + 1;
    unsigned byte = stream.Next();
    // Bytes above the largest multiple would make some places likelier.
    while (byte >= 256 - 256 % places) byte = stream.Next();
    std::swap(cards[last], cards[byte % places]);
  }
  return cards;
}

std::array<Cards, 4> Hands(const Cards& deck, v1::Seat dealer, v1::DealOrder order) {
  std::array<Cards, 4> hands;
  const auto first = static_cast<size_t>(dealer);
  for (size_t index = 0; index < deck.size(); ++index) {
    // The seat at the dealer's right is first; a seat's number is one more than its place.
    const size_t turn = order == v1::DEAL_ORDER_PACKETS ? index / 13 : index;
    hands[(first + turn) % 4].push_back(deck[index]);
  }
  for (Cards& hand : hands) std::sort(hand.begin(), hand.end());
  return hands;
}

}  // namespace tarneeb::fair_deals
