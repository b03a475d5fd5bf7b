package com.tarneeb.program;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;

/** Stands for a backend's database: one row a game, replaced only at the revision that was read. */
final class Store {
  /** What is stored of a game: the bytes as they came, and the revision beside them. */
  record Row(ByteString snapshot, int revision) {}

  private final Map<String, Row> rows = new HashMap<>();

  synchronized void add(String gameId, Row row) {
    rows.put(gameId, row);
  }

  synchronized Row load(String gameId) {
    return rows.get(gameId);
  }

  /** As {@code UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?}. */
  synchronized boolean replace(String gameId, Row row, int readAt) {
    if (load(gameId).revision() != readAt) {
      return false;
    }
    add(gameId, row);
    return true;
  }
}
