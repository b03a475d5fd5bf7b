#include "store.h"

#include <utility>

namespace program {

void Store::Add(const std::string& game_id, Row row) { rows_[game_id] = std::move(row); }

const Row& Store::Load(const std::string& game_id) const { return rows_.at(game_id); }

bool Store::Replace(const std::string& game_id, Row row, uint32_t read_at) {
  if (Load(game_id).revision != read_at) return false;
  Add(game_id, std::move(row));
  return true;
}

}  // namespace program
