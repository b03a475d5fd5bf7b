// Who sits at the table and who looks on: each has the last view that was sent to it, and nothing else.
#ifndef PROGRAM_SEATS_H_
#define PROGRAM_SEATS_H_

#include <array>
#include <functional>
#include <string>

#include "tarneeb/sha256.h"
#include "tarneeb/v1/views.pb.h"

namespace program {

namespace v1 = tarneeb::v1;

inline constexpr std::array<v1::Viewer, 5> kViewers = {v1::VIEWER_NORTH, v1::VIEWER_WEST, v1::VIEWER_SOUTH,
                                                       v1::VIEWER_EAST, v1::VIEWER_SPECTATOR};

// The five viewers of a game.
class Seats {
 public:
  // Every view is told to `log` too, as a line.
  explicit Seats(std::function<void(const std::string&)> log);

  void Send(const google::protobuf::RepeatedPtrField<v1::GameView>& views);
  // A seat's number is that of its viewer.
  const v1::GameView& ViewOf(int viewer) const;
  // What everybody may know.
  const v1::GameView& Public() const { return ViewOf(v1::VIEWER_SPECTATOR); }
  v1::Seat ToAct() const { return Public().seat_to_act(); }
  // A line of all that was sent since the last one.
  std::string Digests();

 private:
  struct Place {
    v1::GameView view;
    tarneeb::Sha256 sent;
  };

  static size_t Index(int viewer) { return static_cast<size_t>(viewer - v1::VIEWER_NORTH); }

  std::function<void(const std::string&)> log_;
  std::array<Place, kViewers.size()> places_;
};

}  // namespace program

#endif  // PROGRAM_SEATS_H_
