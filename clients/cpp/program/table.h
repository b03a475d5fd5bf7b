// The table: one hand on which everything goes wrong that a backend has to stand.
#ifndef PROGRAM_TABLE_H_
#define PROGRAM_TABLE_H_

#include "game.h"

namespace program {

void PlayTable(Backend* backend);

}  // namespace program

#endif  // PROGRAM_TABLE_H_
