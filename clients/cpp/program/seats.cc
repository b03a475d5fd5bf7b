#include "seats.h"

#include <utility>

#include "text.h"

namespace program {

Seats::Seats(std::function<void(const std::string&)> log) : log_(std::move(log)) {}

void Seats::Send(const google::protobuf::RepeatedPtrField<v1::GameView>& views) {
  for (const v1::GameView& view : views) {
    Place& place = places_.at(Index(view.viewer()));
    place.view = view;
    const std::string line = text::View(view);
    place.sent.Update(line + '\n');
    log_(line);
  }
}

const v1::GameView& Seats::ViewOf(int viewer) const { return places_.at(Index(viewer)).view; }

std::string Seats::Digests() {
  std::string line = "views";
  for (const v1::Viewer viewer : kViewers)
    line += ' ' + text::Seat(viewer) + ' ' + text::Hex(places_[Index(viewer)].sent.Digest()).substr(0, 16);
  return line;
}

}  // namespace program
