#include "text.h"

#include <array>

namespace program::text {
namespace {

constexpr std::string_view kSeats = "-NWSEV";
constexpr std::array<const char*, 3> kTeams = {"-", "NS", "WE"};
constexpr std::array<const char*, 6> kStrains = {"-", "C", "D", "H", "S", "NT"};
constexpr std::string_view kRanks = "..23456789TJQKA";

std::string Call(v1::CallKind kind, uint32_t tricks, int strain) {
  if (kind == v1::CALL_KIND_BID) return Bid(tricks, strain);
  return kind == v1::CALL_KIND_PASS ? "pass" : "double";
}

std::string CallMade(const v1::CallMade& call) {
  return Seat(call.seat()) + ':' + Call(call.kind(), call.tricks(), call.strain());
}

std::string Contract(const v1::Contract& contract, const char* doubled) {
  return Seat(contract.declarer()) + ':' + Bid(contract.tricks(), contract.strain()) +
         (contract.doubled() ? doubled : "");
}

std::string Line(const v1::ScoreLine& line) {
  return (line.has_seat() ? Seat(line.seat()) : Team(line.team())) + '.' +
         (line.has_bid() ? std::to_string(line.bid()) : "-") + '.' + std::to_string(line.tricks()) + '.' +
         std::to_string(line.points()) + '.' +
         (!line.has_made() ? "-"
          : line.made()    ? "made"
                           : "failed");
}

std::string Result(const v1::HandResult& result) {
  return Lower(Short(v1::HandEnd_Name(result.end()), "HAND_END_")) + ':' + Joined(result.lines(), Line, "/") + ':' +
         Seat(result.offender());
}

std::string WinReason(const v1::Outcome& outcome) {
  return Lower(Short(v1::WinReason_Name(outcome.reason()), "WIN_REASON_"));
}

std::string Dealt(const v1::HandDealt& dealt) {
  std::string text = "dealt " + std::to_string(dealt.hand_number()) + ' ' + Seat(dealt.dealer());
  if (dealt.turned_card()) text += " turned " + Card(dealt.turned_card());
  if (dealt.trump()) text += " trump " + Strain(dealt.trump());
  return text;
}

std::string Ended(const v1::HandEnded& ended) {
  return "ended " + std::to_string(ended.hand_number()) + ' ' + Result(ended.result()) + ' ' + Joined(ended.scores());
}

std::string Undone(const v1::MoveUndone& undone) {
  return "undone " + std::to_string(undone.hand_number()) + ' ' + Move(undone.move()) +
         (undone.hand_reopened() ? " reopened" : "");
}

std::string Event(const v1::Event& event) {
  switch (event.event_case()) {
    case v1::Event::kHandDealt:
      return Dealt(event.hand_dealt());
    case v1::Event::kCallMade:
      return CallMade(event.call_made());
    case v1::Event::kAuctionWon:
      return "contract " + Contract(event.auction_won(), " doubled");
    case v1::Event::kTrumpNamed:
      return Seat(event.trump_named().seat()) + ":=" + Strain(event.trump_named().trump());
    case v1::Event::kCardPlayed:
      return Seat(event.card_played().seat()) + ':' + Card(event.card_played().card());
    case v1::Event::kTrickWon:
      return "trick " + std::to_string(event.trick_won().trick_number()) + ' ' + Seat(event.trick_won().seat());
    case v1::Event::kHandEnded:
      return Ended(event.hand_ended());
    case v1::Event::kGameWon:
      return "won " + Team(event.game_won().winner()) + ' ' + WinReason(event.game_won());
    case v1::Event::kMoveUndone:
      return Undone(event.move_undone());
    case v1::Event::EVENT_NOT_SET:
      // A newer service may tell of more.
      return "";
  }
  return "";
}

std::string Trick(const v1::Trick& trick) {
  return std::to_string(trick.number()) + '.' + Seat(trick.leader()) + '.' + Joined(trick.cards(), Card, "/") + '.' +
         Seat(trick.winner());
}

std::string Outcome(const v1::Outcome& outcome) {
  return Team(outcome.winner()) + '.' + Team(outcome.loser()) + '.' + WinReason(outcome);
}

std::string Hand(const v1::HandView& hand) {
  std::string text;
  text += " holding=" + Joined(hand.holding(), Card);
  text += " counts=" + Joined(hand.holding_counts());
  text += " turned=" + Card(hand.turned_card());
  text += " calls=" + Joined(hand.calls(), CallMade);
  text += " contract=" + (hand.has_contract() ? Contract(hand.contract(), ".doubled") : "-");
  text += " trump=" + Strain(hand.trump());
  text += " leader=" + Seat(hand.opening_leader());
  text += " trick=" + (hand.has_trick() ? Trick(hand.trick()) : "-");
  text += " past=" + Joined(hand.past_tricks(), Trick);
  text += " taken=" + Joined(hand.trick_counts());
  text += " result=" + (hand.has_result() ? Result(hand.result()) : "-");
  text +=
      " revealed=" + Joined(hand.revealed(), [](const v1::CardSet& each) { return Joined(each.cards(), Card, "/"); });
  return text;
}

}  // namespace

std::string Seat(int seat) { return {kSeats.at(static_cast<size_t>(seat))}; }

std::string Team(int team) { return kTeams.at(static_cast<size_t>(team)); }

std::string Strain(int strain) { return kStrains.at(static_cast<size_t>(strain)); }

std::string Card(int card) { return card ? Strain(card >> 4) + Rank(card) : "-"; }

std::string Rank(int card) { return {kRanks.at(static_cast<size_t>(card & 15))}; }

std::string Check(bool good) { return good ? "yes" : "no"; }

std::string Bid(uint32_t tricks, int strain) { return std::to_string(tricks) + (strain ? Strain(strain) : ""); }

std::string Move(const v1::Move& move) {
  const std::string seat = Seat(move.seat()) + ':';
  if (move.has_card()) return seat + Card(move.card());
  if (move.has_trump()) return seat + '=' + Strain(move.trump());
  return seat + Call(move.call().kind(), move.call().tricks(), move.call().strain());
}

std::string Events(const google::protobuf::RepeatedPtrField<v1::Event>& events) {
  std::string told;
  for (const v1::Event& event : events) {
    const std::string text = Event(event);
    if (!told.empty() && !text.empty()) told += "; ";
    told += text;
  }
  return told;
}

std::string View(const v1::GameView& view) {
  std::string text = "view " + Seat(view.viewer());
  text += " id=" + view.id();
  text += " preset=" + view.preset_id();
  text += " revision=" + std::to_string(view.revision());
  text += " scores=" + Joined(view.scores());
  text += " hand=" + std::to_string(view.hand_number());
  text += " dealer=" + Seat(view.dealer());
  text += " next=" + Seat(view.next_dealer());
  text += " cutter=" + Seat(view.cutter());
  text += " phase=" + Lower(Short(v1::Phase_Name(view.phase()), "PHASE_"));
  text += " act=" + Seat(view.seat_to_act());
  text += " outcome=" + (view.has_outcome() ? Outcome(view.outcome()) : "-");
  text += " legal=" + Joined(view.legal_moves(), Move);
  return view.has_hand() ? text + Hand(view.hand()) : text;
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string Short(const std::string& name, std::string_view prefix) {
  return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
}

std::string Lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

}  // namespace program::text
