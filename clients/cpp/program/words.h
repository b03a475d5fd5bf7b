// A refusal said to its mover in his language, from reason and parameters; never from the English message.
#ifndef PROGRAM_WORDS_H_
#define PROGRAM_WORDS_H_

#include <map>
#include <string>

#include "files.pb.h"
#include "tarneeb/v1/verdicts.pb.h"

namespace program {

namespace v1 = tarneeb::v1;

class Words {
 public:
  // Reads a table as clients/words/ar.json.
  explicit Words(const std::string& path);

  // The first sentence for the reason whose places all have a value.
  std::string Refusal(const v1::Move& move, const v1::Verdict& verdict) const;

 private:
  using Values = std::map<std::string, std::string>;

  // What each place of a sentence stands for; what is not there has no value.
  Values ValuesOf(const v1::Move& move, const v1::Verdict& verdict) const;
  void AddMove(const v1::Move& move, Values* values) const;
  std::string Seat(int seat) const;
  std::string Strain(int strain) const;
  std::string Card(int card) const;
  std::string Bid(uint32_t tricks, int strain) const;

  tarneeb::program::Words table_;
};

}  // namespace program

#endif  // PROGRAM_WORDS_H_
