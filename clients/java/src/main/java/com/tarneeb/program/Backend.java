package com.tarneeb.program;

import com.tarneeb.client.TarneebClient;
import java.util.function.Consumer;

/** What all games share; {@code tell} prints a line of the transcript, {@code log} a view. */
final class Backend {
  final TarneebClient client;
  final Store store = new Store();
  final Words words;
  final Consumer<String> tell;
  final Consumer<String> log;
  private boolean sound = true;

  Backend(TarneebClient client, Words words, Consumer<String> tell, Consumer<String> log) {
    this.client = client;
    this.words = words;
    this.tell = tell;
    this.log = log;
  }

  /** Keeps whether every check came out well, and writes one. */
  String checked(boolean good) {
    sound &= good;
    return Text.check(good);
  }

  boolean isSound() {
    return sound;
  }
}
