// The conformance vectors, asked through the stubs.
#ifndef PROGRAM_VECTORS_H_
#define PROGRAM_VECTORS_H_

#include <string>

#include "tarneeb/client.h"

namespace program::vectors {

// How many of how many passed.
struct Count {
  int passed = 0;
  int total = 0;
};

// Runs all of a folder, naming each that differs on standard error.
Count Run(const tarneeb::Client& client, const std::string& folder);

}  // namespace program::vectors

#endif  // PROGRAM_VECTORS_H_
