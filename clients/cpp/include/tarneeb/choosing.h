// The choosing rule of clients/PROGRAM.md: what a seat does, by its own view alone.
#ifndef TARNEEB_CHOOSING_H_
#define TARNEEB_CHOOSING_H_

#include "tarneeb/v1/views.pb.h"

namespace tarneeb {

// The move of the seat to act; the view must be its own, and has its legal moves.
v1::Move Choose(const v1::GameView& view);

}  // namespace tarneeb

#endif  // TARNEEB_CHOOSING_H_
