// Stands for a backend's database: one row a game, replaced only at the revision that was read.
#ifndef PROGRAM_STORE_H_
#define PROGRAM_STORE_H_

#include <cstdint>
#include <map>
#include <string>

namespace program {

// What is stored of a game: the bytes as they came, and the revision beside them.
struct Row {
  std::string snapshot;
  uint32_t revision = 0;
};

class Store {
 public:
  void Add(const std::string& game_id, Row row);
  const Row& Load(const std::string& game_id) const;
  // As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`.
  bool Replace(const std::string& game_id, Row row, uint32_t read_at);

 private:
  std::map<std::string, Row> rows_;
};

}  // namespace program

#endif  // PROGRAM_STORE_H_
