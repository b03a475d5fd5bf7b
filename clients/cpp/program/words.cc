#include "words.h"

#include <google/protobuf/util/json_util.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "text.h"

namespace program {
namespace {

// A sentence with its places filled; nothing where one has no value.
std::optional<std::string> Filled(const std::string& sentence, const std::map<std::string, std::string>& values) {
  std::string filled;
  size_t from = 0;
  for (size_t open; (open = sentence.find('{', from)) != std::string::npos;) {
    const size_t close = sentence.find('}', open);
    if (close == std::string::npos) break;
    const auto value = values.find(sentence.substr(open + 1, close - open - 1));
    if (value == values.end()) return std::nullopt;
    filled += sentence.substr(from, open - from) + value->second;
    from = close + 1;
  }
  return filled + sentence.substr(from);
}

// As above, of a phrase whose places are all known.
std::string Phrase(const std::string& phrase, const std::map<std::string, std::string>& values) {
  const std::optional<std::string> filled = Filled(phrase, values);
  if (!filled) throw std::runtime_error("an unknown place: " + phrase);
  return *filled;
}

// The map's own way to say that something is missing ends the program.
template <class Value>
const Value& At(const google::protobuf::Map<std::string, Value>& table, const std::string& key) {
  const auto found = table.find(key);
  if (found == table.end()) throw std::runtime_error("the table of sentences has no `" + key + '`');
  return found->second;
}

}  // namespace

Words::Words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  const std::string json((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &table_, options);
  if (!status.ok()) throw std::runtime_error(path + ": " + status.ToString());
}

std::string Words::Refusal(const v1::Move& move, const v1::Verdict& verdict) const {
  const std::string reason = text::Short(v1::RefusalReason_Name(verdict.reason()), "REFUSAL_REASON_");
  const Values values = ValuesOf(move, verdict);
  for (const auto& sentence : At(table_.refusals(), reason).values())
    if (const auto filled = Filled(sentence.string_value(), values)) return *filled;
  throw std::runtime_error("no sentence fits " + reason);
}

Words::Values Words::ValuesOf(const v1::Move& move, const v1::Verdict& verdict) const {
  Values values;
  AddMove(move, &values);
  if (verdict.game_revision()) values["game_revision"] = std::to_string(verdict.game_revision());
  if (verdict.highest_bid()) values["highest_bid"] = std::to_string(verdict.highest_bid());
  if (verdict.phase()) {
    const std::string phase = text::Lower(text::Short(v1::Phase_Name(verdict.phase()), "PHASE_"));
    values["phase"] = At(table_.phases(), phase);
  }
  if (verdict.seat_to_act()) values["seat_to_act"] = Seat(verdict.seat_to_act());
  if (verdict.bid_holder()) values["bid_holder"] = Seat(verdict.bid_holder());
  if (verdict.has_lowest_bid())
    values["lowest_bid"] = Bid(verdict.lowest_bid().tricks(), verdict.lowest_bid().strain());
  if (!verdict.barred_bids().empty())
    values["barred_bids"] =
        text::Joined(verdict.barred_bids(), [](uint32_t bid) { return std::to_string(bid); }, table_.separator());
  if (verdict.led_suit()) values["led_suit"] = Strain(verdict.led_suit());
  if (verdict.trump()) values["trump"] = Strain(verdict.trump());
  if (!verdict.playable_cards().empty())
    values["playable_cards"] =
        text::Joined(verdict.playable_cards(), [this](int card) { return Card(card); }, table_.separator());
  return values;
}

void Words::AddMove(const v1::Move& move, Values* values) const {
  (*values)["seat"] = Seat(move.seat());
  if (move.has_revision()) (*values)["made_for"] = std::to_string(move.revision());
  if (move.has_card()) (*values)["card"] = Card(move.card());
  if (move.call().kind() == v1::CALL_KIND_BID) (*values)["bid"] = Bid(move.call().tricks(), move.call().strain());
}

std::string Words::Seat(int seat) const { return At(table_.seats(), text::Seat(seat)); }

std::string Words::Strain(int strain) const { return At(table_.strains(), text::Strain(strain)); }

std::string Words::Card(int card) const {
  return Phrase(table_.card(), {{"rank", At(table_.ranks(), text::Rank(card))}, {"suit", Strain(card >> 4)}});
}

std::string Words::Bid(uint32_t tricks, int strain) const {
  if (!strain) return std::to_string(tricks);
  return Phrase(table_.bid(), {{"tricks", std::to_string(tricks)}, {"strain", Strain(strain)}});
}

}  // namespace program
