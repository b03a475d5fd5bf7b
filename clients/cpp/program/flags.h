// The program's command line.
#ifndef PROGRAM_FLAGS_H_
#define PROGRAM_FLAGS_H_

#include <stdexcept>
#include <string>

namespace program {

struct Flags {
  std::string target = "localhost:50051";
  std::string words = "clients/words/ar.json";
  // Files and folders; none when empty.
  std::string transcript;
  std::string views;
  std::string vectors;
  std::string ca;
  std::string token_file;
};

// What is wrong with a command line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

Flags Parse(int count, const char* const* words);

}  // namespace program

#endif  // PROGRAM_FLAGS_H_
