// Whether a deal was fair, by one's own computation: docs/fair-deals.md in code; nothing asks the service.
#ifndef TARNEEB_FAIR_DEALS_H_
#define TARNEEB_FAIR_DEALS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarneeb/v1/cards.pb.h"
#include "tarneeb/v1/rules.pb.h"

namespace tarneeb::fair_deals {

using Cards = std::vector<v1::Card>;

// The commitment to a seed; hand 0 is that of a first dealer.
std::string Commitment(std::string_view seed, std::string_view game_id, uint32_t hand_number);

// The seat that a seed picks to deal first.
v1::Seat FirstDealer(std::string_view seed, std::string_view game_id);

// The shuffled deck, the first card dealt first.
Cards Deck(std::string_view seed, std::string_view cut, std::string_view game_id, uint32_t hand_number);

// The four hands of a deck, in order North, West, South, East, each ascending; the deck's last card is the dealer's.
std::array<Cards, 4> Hands(const Cards& deck, v1::Seat dealer, v1::DealOrder order);

}  // namespace tarneeb::fair_deals

#endif  // TARNEEB_FAIR_DEALS_H_
