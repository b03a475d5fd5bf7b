#include "flags.h"

#include <map>

namespace program {

Flags Parse(int count, const char* const* words) {
  Flags flags;
  const std::map<std::string, std::string*> places = {
      {"--target", &flags.target},         {"--words", &flags.words}, {"--transcript", &flags.transcript},
      {"--views", &flags.views},           {"--ca", &flags.ca},       {"--vectors", &flags.vectors},
      {"--token-file", &flags.token_file},
  };
  for (int index = 1; index < count; index += 2) {
    const auto place = places.find(words[index]);
    if (place == places.end()) throw UsageError(std::string("unknown: ") + words[index]);
    if (index + 1 == count) throw UsageError(place->first + " needs a value");
    *place->second = words[index + 1];
  }
  return flags;
}

}  // namespace program
