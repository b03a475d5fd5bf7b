#include "table.h"

#include <google/protobuf/util/message_differencer.h>

#include <set>
#include <stdexcept>

#include "attempts.h"
#include "text.h"

namespace program {
namespace {

// Two calls that are refused: only the mover hears of them, and nothing is stored.
void Refusals(Game* game) {
  const v1::Seat seat = game->seats().ToAct();
  for (const v1::Move& move : {attempts::Bidding(seat, 14), attempts::Passing(attempts::AtTheRight(seat))}) {
    const v1::ApplyMoveResponse answer = game->Ask(move, game->Stored());
    game->backend().Checked(answer.snapshot().empty() && !answer.revision() && answer.views().empty());
    game->Refused(move, answer.verdict());
  }
}

// Two workers and one move: the slower one finds the row changed; after an undo the move is late again.
void Race(Game* game) {
  const v1::Move move = game->Choice();
  const Row read = game->Stored();
  game->Apply(move);
  const v1::ApplyMoveResponse answer = game->Ask(move, read);
  Backend& backend = game->backend();
  backend.Checked(!backend.store.Replace(game->id(), {answer.snapshot(), answer.revision()}, read.revision));
  game->Tell("lost " + text::Move(move) + " at " + std::to_string(read.revision));
  game->Refused(move, game->Ask(move, game->Stored()).verdict());
  game->Undo();
  game->Refused(move, game->Ask(move, game->Stored()).verdict());
  game->Turn(false);
}

void Reconnect(Game* game) {
  v1::ViewGameRequest request;
  request.set_snapshot(game->Stored().snapshot);
  request.add_viewers(v1::VIEWER_SOUTH);
  request.set_omit_rules(true);
  const v1::ViewGameResponse answer = game->backend().client.ViewGame(request);
  const bool same = answer.views_size() == 1 && google::protobuf::util::MessageDifferencer::Equals(
                                                    answer.views(0), game->seats().ViewOf(v1::VIEWER_SOUTH));
  game->Tell("again S " + game->backend().Checked(same));
}

// The service's own word on the deal, beside the program's.
void Verify(Game* game) {
  const v1::GameView& view = game->seats().Public();
  v1::Game stored;
  if (!stored.ParseFromString(game->Stored().snapshot)) throw std::runtime_error("a snapshot that is no game");
  v1::VerifyDealRequest request;
  request.set_game_id(game->id());
  request.set_hand_number(view.hand_number());
  request.set_dealer(view.dealer());
  request.set_deal_order(game->rules().deal_order());
  *request.mutable_seeded() = game->seeded();
  *request.mutable_dealt()->mutable_hands() = stored.hand().dealt();
  const v1::VerifyDealResponse answer = game->backend().client.VerifyDeal(request);
  std::string line = "verified";
  for (const bool good : {answer.fair(), answer.commitment_matches(), answer.cards_match()})
    line += ' ' + game->backend().Checked(good);
  game->Tell(line);
}

// What a request that can't be judged is answered with.
void WrongRequest(Game* game) {
  v1::CreateGameRequest request;
  request.mutable_rule_set()->set_preset_id("none");
  try {
    game->backend().client.CreateGame(request);
  } catch (const tarneeb::Error& error) {
    std::multiset<std::string> violations;
    for (const tarneeb::Violation& each : error.violations()) violations.insert(each.path + ' ' + each.reason);
    std::string line =
        "error " + error.code_name() + ' ' + error.reason_name() + ' ' + std::to_string(error.problems());
    for (const std::string& each : violations) line += " | " + each;
    game->Tell(line);
    return;
  }
  game->backend().Checked(false);
}

}  // namespace

void PlayTable(Backend* backend) {
  v1::CreateGameRequest request;
  request.set_id("table-1");
  request.set_first_dealer(v1::SEAT_EAST);
  request.mutable_rule_set()->set_preset_id("saharat_classic");
  v1::RuleSet* overrides = request.mutable_rule_set()->mutable_overrides();
  overrides->set_target(31);
  overrides->set_first_card(v1::FIRST_CARD_TRUMP);
  overrides->set_cut(v1::CUT_REQUIRED);
  Game game(backend, request);
  game.Deal();
  for (const v1::Viewer viewer : kViewers) game.Tell(text::View(game.seats().ViewOf(viewer)));
  game.Turn();
  Refusals(&game);
  Race(&game);
  Reconnect(&game);
  while (game.seats().Public().phase() != v1::PHASE_AWAITING_DEAL) game.Turn();
  game.Undo();
  game.Turn(false);
  Verify(&game);
  game.Replay(true);
  WrongRequest(&game);
}

}  // namespace program
