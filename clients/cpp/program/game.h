// One game as a backend runs it: its row in the store, its seats, its record.
#ifndef PROGRAM_GAME_H_
#define PROGRAM_GAME_H_

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "seats.h"
#include "store.h"
#include "tarneeb/client.h"
#include "tarneeb/fair_deals.h"
#include "words.h"

namespace program {

// What all games share; `tell` prints a line of the transcript, `log` a view.
struct Backend {
  const tarneeb::Client& client;
  const Words& words;
  std::function<void(const std::string&)> tell;
  std::function<void(const std::string&)> log;
  Store store;
  // Whether every check came out well.
  bool sound = true;

  std::string Checked(bool good);
};

// A game from CreateGame to its end.
class Game {
 public:
  // Creates it, stores it, and starts its record.
  Game(Backend* backend, v1::CreateGameRequest request);

  // Deals the next hand from a seed that the players were shown the commitment of, and a player's cut.
  void Deal();
  // Lets the seat to act choose from its own view, and makes its move.
  void Turn(bool trying = true);
  // Has moves judged, all in one call; the first refusal of each kind is said.
  void Attempt(const std::vector<v1::Move>& moves);
  // What the seat to act chooses, made for its view.
  v1::Move Choice() const;
  // Makes a move that is legal; its end of a hand or game brings what comes with it.
  void Apply(const v1::Move& move);
  v1::ApplyMoveResponse Ask(const v1::Move& move, const Row& row) const;
  // Takes back the last move; a hand that it opens again leaves the record.
  void Undo();
  // Tells the mover why.
  void Refused(const v1::Move& move, const v1::Verdict& verdict);
  // Plays the record again: it leads to the game that is stored; with undos that one's revision is ahead.
  void Replay(bool undone = false);

  Row Stored() const { return backend_.store.Load(id_); }
  void Tell(const std::string& line) const { backend_.tell(line); }

  Backend& backend() { return backend_; }
  const std::string& id() const { return id_; }
  const Seats& seats() const { return seats_; }
  const v1::RuleSet& rules() const { return rules_; }
  const v1::GameRecord& record() const { return record_; }
  const v1::SeededDeal& seeded() const { return seeded_; }

 private:
  // Here nobody else writes, so that it can't fail.
  void Keep(Row row, const Row& read);
  // The stored step's answer to the seats and the transcript.
  template <class Answer>
  void Step(const Answer& answer, const Row& read);
  // Appends the hand, shows the seed, and checks the deal as any player can.
  void HandEnded(const v1::RecordedHand& record);
  bool IsFair(const v1::DealtHands& dealt) const;

  Backend& backend_;
  std::string id_;
  Seats seats_;
  v1::RuleSet rules_;
  v1::GameRecord record_;
  v1::SeededDeal seeded_;
  // What each seat held when the hand was dealt.
  std::array<tarneeb::fair_deals::Cards, 4> held_;
  std::set<std::pair<int, std::string>> said_;
};

}  // namespace program

#endif  // PROGRAM_GAME_H_
