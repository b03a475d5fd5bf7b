package com.tarneeb.program;

import com.tarneeb.client.FairDeals;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Hashes of text. */
final class Hex {
  private Hex() {}

  /** Bytes that stand for random ones, so that all programs deal alike. */
  static byte[] digest(String words) {
    return FairDeals.sha256(words.getBytes(StandardCharsets.UTF_8));
  }

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
