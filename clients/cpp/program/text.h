// The lines of a transcript: clients/PROGRAM.md says how each thing is written.
#ifndef PROGRAM_TEXT_H_
#define PROGRAM_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tarneeb/v1/events.pb.h"
#include "tarneeb/v1/views.pb.h"

namespace program::text {

namespace v1 = tarneeb::v1;

// By number; one that there is no text for throws.
std::string Seat(int seat);
std::string Team(int team);
std::string Strain(int strain);
std::string Card(int card);
std::string Rank(int card);

std::string Check(bool good);
std::string Bid(uint32_t tricks, int strain);
std::string Move(const v1::Move& move);
std::string Events(const google::protobuf::RepeatedPtrField<v1::Event>& events);
// In one line.
std::string View(const v1::GameView& view);

std::string Hex(std::string_view bytes);
// An enum's name without its type's prefix.
std::string Short(const std::string& name, std::string_view prefix);
std::string Lower(std::string text);

// What `say` makes of each, joined; `-` when there are none.
template <class Values, class Say>
std::string Joined(const Values& values, Say say, std::string_view by = ",") {
  std::string joined;
  bool first = true;
  for (const auto& value : values) {
    if (!first) joined += by;
    joined += say(value);
    first = false;
  }
  return first ? "-" : joined;
}

template <class Numbers>
std::string Joined(const Numbers& numbers) {
  return Joined(numbers, [](auto number) { return std::to_string(number); });
}

}  // namespace program::text

#endif  // PROGRAM_TEXT_H_
