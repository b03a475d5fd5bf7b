// Plays the games of clients/PROGRAM.md, prints the transcript and its hash, and runs the vectors.

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "attempts.h"
#include "flags.h"
#include "game.h"
#include "table.h"
#include "tarneeb/client.h"
#include "tarneeb/fair_deals.h"
#include "tarneeb/sha256.h"
#include "text.h"
#include "vectors.h"
#include "words.h"

namespace program {
namespace {

// By this one the ten games show every refusal there is.
constexpr char kNumber[] = "-21";
// For a call; long, since all languages are tried at once on a machine that does other things too.
constexpr std::chrono::seconds kDeadline(30);

std::string Whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A file for lines, or nowhere.
class Lines {
 public:
  explicit Lines(const std::string& path) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary);
    if (!file_) throw std::runtime_error("can't write " + path);
  }

  void Write(const std::string& line) {
    if (file_.is_open()) file_ << line << '\n';
  }

  void Close() {
    if (!file_.is_open()) return;
    file_.close();
    if (!file_) throw std::runtime_error("a file could not be written");
  }

 private:
  std::ofstream file_;
};

void WholeGame(Backend* backend, const std::string& preset_id) {
  const std::string id = preset_id + kNumber;
  const std::string seed = tarneeb::Sha256Of("dealer " + id);
  v1::CommitDealRequest commit;
  commit.set_game_id(id);
  commit.set_hand_number(0);
  commit.set_seed(seed);
  const std::string shown = backend->client.CommitDeal(commit).commitment();
  v1::CreateGameRequest request;
  request.set_id(id);
  request.set_first_dealer_seed(seed);
  request.mutable_rule_set()->set_preset_id(preset_id);
  Game game(backend, request);
  const bool fair = shown == tarneeb::fair_deals::Commitment(seed, id, 0) &&
                    game.record().first_dealer() == tarneeb::fair_deals::FirstDealer(seed, id);
  game.Tell("dealer " + text::Hex(shown) + ' ' + backend->Checked(fair));
  const v1::GameView& view = game.seats().Public();
  while (view.phase() != v1::PHASE_GAME_OVER) {
    if (view.phase() == v1::PHASE_AWAITING_DEAL)
      game.Deal();
    else
      game.Turn();
  }
  game.Attempt({attempts::Passing(v1::SEAT_NORTH)});
  game.Replay();
  game.Tell("over " + id + ' ' + text::Team(view.outcome().winner()) + ' ' + std::to_string(view.hand_number()) + ' ' +
            text::Joined(view.scores()));
}

tarneeb::Options OptionsOf(const Flags& flags) {
  tarneeb::Options options;
  options.deadline = kDeadline;
  if (!flags.ca.empty()) options.tls = tarneeb::Tls{Whole(flags.ca), "", ""};
  if (!flags.token_file.empty()) {
    const std::string text = Whole(flags.token_file);
    options.token = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }
  return options;
}

int Run(const Flags& flags) {
  const Words words(flags.words);
  Lines transcript(flags.transcript);
  Lines views(flags.views);
  tarneeb::Sha256 hash;
  const auto tell = [&](const std::string& line) {
    hash.Update(line + '\n');
    if (flags.transcript.empty())
      std::cout << line << '\n';
    else
      transcript.Write(line);
  };
  const tarneeb::Client client(flags.target, OptionsOf(flags));
  Backend backend{client, words, tell, [&](const std::string& line) { views.Write(line); }, {}};
  tell("tarneeb transcript 1");
  PlayTable(&backend);
  const v1::ListRuleSetsResponse presets = client.ListRuleSets({});
  for (const v1::RuleSetInfo& preset : presets.rule_sets()) WholeGame(&backend, preset.preset_id());
  transcript.Close();
  views.Close();
  std::string summary = "cpp: " + std::to_string(presets.rule_sets_size()) + " games, transcript " +
                        text::Hex(hash.Digest()).substr(0, 16);
  if (!flags.vectors.empty()) {
    const vectors::Count count = vectors::Run(client, flags.vectors);
    summary += ", " + std::to_string(count.passed) + '/' + std::to_string(count.total) + " vectors";
    backend.Checked(count.passed == count.total);
  }
  std::cout << summary << '\n';
  return backend.sound ? 0 : 1;
}

}  // namespace
}  // namespace program

int main(int count, const char* const* words) {
  try {
    return program::Run(program::Parse(count, words));
  } catch (const program::UsageError& error) {
    std::cerr << error.what() << "\nusage: " << words[0]
              << " [--target HOST:PORT] [--words FILE] [--transcript FILE] [--views FILE] [--vectors DIR] [--ca FILE]"
                 " [--token-file FILE]\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
