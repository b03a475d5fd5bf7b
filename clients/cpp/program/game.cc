#include "game.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <stdexcept>

#include "attempts.h"
#include "tarneeb/choosing.h"
#include "tarneeb/sha256.h"
#include "text.h"

namespace program {
namespace {

using tarneeb::Sha256Of;
using tarneeb::fair_deals::Cards;

template <class Request>
void ForAll(Request* request) {
  request->mutable_viewers()->Assign(kViewers.begin(), kViewers.end());
  request->set_omit_rules(true);
}

Cards Listed(const google::protobuf::RepeatedField<int>& cards) {
  Cards listed;
  for (const int card : cards) listed.push_back(static_cast<v1::Card>(card));
  return listed;
}

v1::Game Parsed(const std::string& snapshot) {
  v1::Game game;
  if (!game.ParseFromString(snapshot)) throw std::runtime_error("a snapshot that is no game");
  return game;
}

}  // namespace

std::string Backend::Checked(bool good) {
  sound = sound && good;
  return text::Check(good);
}

Game::Game(Backend* backend, v1::CreateGameRequest request)
    : backend_(*backend), id_(request.id()), seats_(backend->log) {
  request.mutable_viewers()->Assign(kViewers.begin(), kViewers.end());
  request.set_form(v1::GAME_FORM_SNAPSHOT);
  const v1::CreateGameResponse made = backend_.client.CreateGame(request);
  backend_.store.Add(id_, {made.snapshot(), made.revision()});
  seats_.Send(made.views());
  const v1::GameView& first = seats_.Public();
  rules_ = first.rules();
  record_.set_id(id_);
  record_.mutable_rule_set()->set_preset_id(first.preset_id());
  *record_.mutable_rule_set()->mutable_overrides() = rules_;
  record_.set_first_dealer(first.next_dealer());
  record_.set_rules_revision(first.rules_revision());
  Tell("game " + id_ + ' ' + first.preset_id() + " dealer " + text::Seat(first.next_dealer()));
}

void Game::Deal() {
  const v1::GameView& view = seats_.Public();
  const Row read = Stored();
  const uint32_t hand = view.hand_number() + 1;
  const std::string number = std::to_string(hand);
  seeded_.set_seed(Sha256Of("seed " + id_ + ' ' + number));
  seeded_.set_cut(Sha256Of("cut " + id_ + ' ' + number).substr(0, 16));
  v1::CommitDealRequest commit;
  commit.set_game_id(id_);
  commit.set_hand_number(hand);
  commit.set_seed(seeded_.seed());
  seeded_.set_commitment(backend_.client.CommitDeal(commit).commitment());
  Tell("commit " + number + ' ' + text::Hex(seeded_.commitment()));
  Tell("cut " + number + ' ' + text::Seat(view.cutter()) + ' ' + text::Hex(seeded_.cut()));
  v1::DealHandRequest request;
  request.set_snapshot(read.snapshot);
  *request.mutable_deal()->mutable_seeded() = seeded_;
  ForAll(&request);
  const v1::DealHandResponse dealt = backend_.client.DealHand(request);
  Step(dealt, read);
  for (size_t place = 0; place < held_.size(); ++place)
    held_[place] = Listed(seats_.ViewOf(kViewers[place]).hand().holding());
}

void Game::Turn(bool trying) {
  if (trying && seats_.Public().hand_number() == 1) {
    const v1::Seat seat = seats_.ToAct();
    Attempt(attempts::BeforeATurn(seat, seats_.ViewOf(seat), Stored().revision));
  }
  Apply(Choice());
}

void Game::Attempt(const std::vector<v1::Move>& moves) {
  v1::ValidateMovesRequest request;
  for (const v1::Move& move : moves) {
    v1::ValidateMoveRequest* item = request.add_items();
    item->set_snapshot(Stored().snapshot);
    *item->mutable_move() = move;
  }
  const v1::ValidateMovesResponse answer = backend_.client.ValidateMoves(request);
  if (answer.results_size() != request.items_size()) throw std::runtime_error("not a result for each move");
  for (int index = 0; index < answer.results_size(); ++index) {
    const v1::MoveResult& result = answer.results(index);
    const v1::Move& move = request.items(index).move();
    if (!result.has_verdict())
      throw std::runtime_error(text::Move(move) + " could not be judged: " + result.ShortDebugString());
    const v1::Verdict& verdict = result.verdict();
    if (verdict.ruling() == v1::RULING_REFUSED && said_.emplace(verdict.reason(), verdict.rule_id()).second)
      Refused(move, verdict);
  }
}

v1::Move Game::Choice() const {
  const v1::GameView& view = seats_.ViewOf(seats_.ToAct());
  v1::Move chosen = tarneeb::Choose(view);
  chosen.set_revision(view.revision());
  return chosen;
}

void Game::Apply(const v1::Move& move) {
  const Row read = Stored();
  const v1::ApplyMoveResponse answer = Ask(move, read);
  if (answer.verdict().ruling() == v1::RULING_REFUSED)
    throw std::runtime_error(text::Move(move) + " was refused: " + answer.verdict().message());
  Step(answer, read);
  if (answer.has_hand_record()) HandEnded(answer.hand_record());
}

v1::ApplyMoveResponse Game::Ask(const v1::Move& move, const Row& row) const {
  v1::ApplyMoveRequest request;
  request.set_snapshot(row.snapshot);
  *request.mutable_move() = move;
  ForAll(&request);
  return backend_.client.ApplyMove(request);
}

void Game::Undo() {
  const Row read = Stored();
  v1::UndoMoveRequest request;
  request.set_snapshot(read.snapshot);
  ForAll(&request);
  const v1::UndoMoveResponse answer = backend_.client.UndoMove(request);
  Step(answer, read);
  if (std::any_of(answer.events().begin(), answer.events().end(),
                  [](const v1::Event& event) { return event.move_undone().hand_reopened(); })) {
    record_.mutable_hands()->RemoveLast();
    Tell(seats_.Digests());
  }
}

void Game::Refused(const v1::Move& move, const v1::Verdict& verdict) {
  const std::string reason = text::Short(v1::RefusalReason_Name(verdict.reason()), "REFUSAL_REASON_");
  Tell("no " + text::Move(move) + ' ' + reason + ' ' + verdict.rule_id() + " | " +
       backend_.words.Refusal(move, verdict));
}

void Game::Replay(bool undone) {
  v1::ReplayGameRequest request;
  *request.mutable_record() = record_;
  request.set_form(v1::GAME_FORM_SNAPSHOT);
  const v1::ReplayGameResponse answer = backend_.client.ReplayGame(request);
  v1::Game reached = Parsed(answer.snapshot());
  const v1::Game here = Parsed(Stored().snapshot);
  if (undone) reached.set_revision(here.revision());
  const bool same = answer.accepted_steps() == answer.total_steps() && !answer.has_refused() &&
                    google::protobuf::util::MessageDifferencer::Equals(reached, here);
  Tell("replay " + std::to_string(answer.accepted_steps()) + '/' + std::to_string(answer.total_steps()) + ' ' +
       backend_.Checked(same));
}

void Game::Keep(Row row, const Row& read) {
  if (!backend_.store.Replace(id_, std::move(row), read.revision))
    throw std::runtime_error("somebody else moved in " + id_);
}

template <class Answer>
void Game::Step(const Answer& answer, const Row& read) {
  Keep({answer.snapshot(), answer.revision()}, read);
  seats_.Send(answer.views());
  Tell(std::to_string(answer.revision()) + ' ' + text::Events(answer.events()));
}

void Game::HandEnded(const v1::RecordedHand& record) {
  v1::RecordedHand* hand = record_.add_hands();
  *hand->mutable_deal()->mutable_seeded() = seeded_;
  *hand->mutable_moves() = record.moves();
  Tell(seats_.Digests());
  Tell("fair " + std::to_string(record_.hands_size()) + ' ' + text::Hex(seeded_.seed()) + ' ' +
       backend_.Checked(IsFair(record.deal().hands())));
}

bool Game::IsFair(const v1::DealtHands& dealt) const {
  namespace fair_deals = tarneeb::fair_deals;
  const auto number = static_cast<uint32_t>(record_.hands_size());
  const Cards deck = fair_deals::Deck(seeded_.seed(), seeded_.cut(), id_, number);
  const auto hands = fair_deals::Hands(deck, seats_.Public().dealer(), rules_.deal_order());
  const v1::Card turned = dealt.turned_card();
  return fair_deals::Commitment(seeded_.seed(), id_, number) == seeded_.commitment() && hands == held_ &&
         std::equal(hands.begin(), hands.end(), dealt.hands().begin(), dealt.hands().end(),
                    [](const Cards& own, const v1::CardSet& each) { return own == Listed(each.cards()); }) &&
         (turned == v1::CARD_UNSPECIFIED || turned == deck.back()) && turned == seats_.Public().hand().turned_card();
}

}  // namespace program
