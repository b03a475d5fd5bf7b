// A first game: one legal bid, one that is refused, and why.
//
//     first_call [HOST:PORT]

#include <tarneeb/client.h>

#include <iostream>
#include <random>

namespace {

namespace v1 = tarneeb::v1;

// Random bytes from the system; a seed decides the cards.
std::string RandomBytes(size_t count) {
  std::random_device source;
  std::string bytes;
  while (bytes.size() < count) bytes += static_cast<char>(source() & 0xff);
  return bytes;
}

v1::Move Bid(v1::Seat seat, uint32_t tricks) {
  v1::Move move;
  move.set_seat(seat);
  move.mutable_call()->set_kind(v1::CALL_KIND_BID);
  move.mutable_call()->set_tricks(tricks);
  return move;
}

// Makes a move; what comes back is stored in place of what was there.
void Make(const tarneeb::Client& client, std::string* snapshot, const v1::Move& move) {
  v1::ApplyMoveRequest request;
  request.set_snapshot(*snapshot);
  *request.mutable_move() = move;
  const v1::ApplyMoveResponse answer = client.ApplyMove(request);
  const v1::Verdict& verdict = answer.verdict();
  std::cout << v1::Seat_Name(move.seat()) << " bids " << move.call().tricks() << ": "
            << v1::Ruling_Name(verdict.ruling());
  if (verdict.ruling() == v1::RULING_REFUSED)
    std::cout << ", " << v1::RefusalReason_Name(verdict.reason()) << " (" << verdict.rule_id()
              << "): " << verdict.message();
  else
    *snapshot = answer.snapshot();
  std::cout << '\n';
}

}  // namespace

int main(int count, const char* const* words) {
  const tarneeb::Client client(count > 1 ? words[1] : "localhost:50051");
  try {
    v1::CreateGameRequest create;
    create.set_id("first-call");
    create.set_first_dealer(v1::SEAT_EAST);
    create.set_form(v1::GAME_FORM_SNAPSHOT);
    create.mutable_rule_set()->set_preset_id("saharat_classic");
    v1::DealHandRequest deal;
    deal.set_snapshot(client.CreateGame(create).snapshot());
    deal.mutable_deal()->mutable_seeded()->set_seed(RandomBytes(32));
    std::string snapshot = client.DealHand(deal).snapshot();
    Make(client, &snapshot, Bid(v1::SEAT_NORTH, 9));
    Make(client, &snapshot, Bid(v1::SEAT_WEST, 8));
  } catch (const tarneeb::Error& error) {
    std::cerr << error.what() << '\n';
    for (const tarneeb::Violation& each : error.violations())
      std::cerr << "  " << each.path << ": " << each.reason << ", " << each.message << '\n';
    return 1;
  }
}
