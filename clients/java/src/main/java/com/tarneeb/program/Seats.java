package com.tarneeb.program;

import com.tarneeb.v1.GameView;
import com.tarneeb.v1.Viewer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Who sits at the table and who looks on: each has the last view that was sent to it, and nothing else. */
final class Seats {
  static final List<Viewer> VIEWERS =
      List.of(
          Viewer.VIEWER_NORTH,
          Viewer.VIEWER_WEST,
          Viewer.VIEWER_SOUTH,
          Viewer.VIEWER_EAST,
          Viewer.VIEWER_SPECTATOR);

  private final Consumer<String> log;
  private final Map<Viewer, GameView> views = new EnumMap<>(Viewer.class);
  private final Map<Viewer, StringBuilder> sent = new EnumMap<>(Viewer.class);

  /** Every view is told to {@code log} too, as a line. */
  Seats(Consumer<String> log) {
    this.log = log;
  }

  void send(List<GameView> shown) {
    for (GameView view : shown) {
      String line = Text.view(view);
      views.put(view.getViewer(), view);
      sent.computeIfAbsent(view.getViewer(), viewer -> new StringBuilder()).append(line).append('\n');
      log.accept(line);
    }
  }

  GameView viewOf(Viewer viewer) {
    return views.get(viewer);
  }

  /** The view of a seat, by its number. */
  GameView viewOf(int seat) {
    return views.get(Viewer.forNumber(seat));
  }

  /** What everybody may know. */
  GameView everybodys() {
    return views.get(Viewer.VIEWER_SPECTATOR);
  }

  int toAct() {
    return everybodys().getSeatToActValue();
  }

  /** A line of all that was sent since the last one. */
  String digests() {
    StringBuilder line = new StringBuilder("views");
    for (Viewer viewer : VIEWERS) {
      String all = sent.getOrDefault(viewer, new StringBuilder()).toString();
      String digest = Hex.of(Hex.digest(all)).substring(0, 16);
      line.append(' ').append(Text.seat(viewer.getNumber())).append(' ').append(digest);
    }
    sent.clear();
    return line.toString();
  }
}
