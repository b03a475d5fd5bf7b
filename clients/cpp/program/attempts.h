// Moves that are tried before a turn, most of which are refused.
#ifndef PROGRAM_ATTEMPTS_H_
#define PROGRAM_ATTEMPTS_H_

#include <cstdint>
#include <vector>

#include "tarneeb/v1/views.pb.h"

namespace program::attempts {

namespace v1 = tarneeb::v1;

// What is tried while it is a seat's turn; the view is its own.
std::vector<v1::Move> BeforeATurn(v1::Seat seat, const v1::GameView& view, uint32_t revision);

v1::Seat AtTheRight(v1::Seat seat);
v1::Move Passing(v1::Seat seat);
v1::Move Bidding(v1::Seat seat, uint32_t tricks, v1::Strain strain = v1::STRAIN_UNSPECIFIED);

}  // namespace program::attempts

#endif  // PROGRAM_ATTEMPTS_H_
