#include "attempts.h"

#include <algorithm>

namespace program::attempts {
namespace {

v1::Move Calling(v1::Seat seat, v1::CallKind kind) {
  v1::Move move;
  move.set_seat(seat);
  move.mutable_call()->set_kind(kind);
  return move;
}

v1::Move Naming(v1::Seat seat, v1::Strain trump) {
  v1::Move move;
  move.set_seat(seat);
  move.set_trump(trump);
  return move;
}

v1::Move Playing(v1::Seat seat, v1::Card card) {
  v1::Move move;
  move.set_seat(seat);
  move.set_card(card);
  return move;
}

}  // namespace

std::vector<v1::Move> BeforeATurn(v1::Seat seat, const v1::GameView& view, uint32_t revision) {
  const v1::Seat right = AtTheRight(seat);
  std::vector<v1::Move> moves = {
      Passing(right),
      Naming(right, v1::STRAIN_HEARTS),
      Passing(seat),
      Bidding(seat, 7, v1::STRAIN_HEARTS),
      Bidding(seat, 7),
      Bidding(seat, 6),
      Bidding(seat, 14),
      Calling(seat, v1::CALL_KIND_DOUBLE),
      Naming(seat, v1::STRAIN_NO_TRUMP),
      Playing(seat, v1::CARD_CLUBS_TWO),
  };
  const auto legal = [&](int card) {
    return std::any_of(view.legal_moves().begin(), view.legal_moves().end(),
                       [&](const v1::Move& move) { return move.has_card() && move.card() == card; });
  };
  for (const int card : view.hand().holding()) {
    if (legal(card)) continue;
    moves.push_back(Playing(seat, static_cast<v1::Card>(card)));
    break;
  }
  moves.push_back(Passing(seat));
  moves.back().set_revision(revision - 1);
  return moves;
}

v1::Seat AtTheRight(v1::Seat seat) { return static_cast<v1::Seat>(seat % 4 + 1); }

v1::Move Passing(v1::Seat seat) { return Calling(seat, v1::CALL_KIND_PASS); }

v1::Move Bidding(v1::Seat seat, uint32_t tricks, v1::Strain strain) {
  v1::Move move = Calling(seat, v1::CALL_KIND_BID);
  move.mutable_call()->set_tricks(tricks);
  move.mutable_call()->set_strain(strain);
  return move;
}

}  // namespace program::attempts
