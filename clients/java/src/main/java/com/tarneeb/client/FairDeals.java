package com.tarneeb.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Whether a deal was fair, by one's own computation: docs/fair-deals.md in code; nothing asks the service. */
public final class FairDeals {
  private FairDeals() {}

  /** The commitment to a seed; hand 0 is that of a first dealer. */
  public static byte[] commitment(byte[] seed, String gameId, int handNumber) {
    return hash("tarneeb.commit.v1", seed, utf8(gameId), bigEndian(handNumber));
  }

  /** The seat, 1 to 4, that a seed picks to deal first. */
  public static int firstDealer(byte[] seed, String gameId) {
    return (hash("tarneeb.dealer.v1", seed, utf8(gameId))[0] & 0xff) % 4 + 1;
  }

  /** The shuffled deck, the first card dealt first. */
  public static List<Integer> deck(byte[] seed, byte[] cut, String gameId, int handNumber) {
    Stream stream = new Stream(hash("tarneeb.deal.v1", seed, cut, utf8(gameId), bigEndian(handNumber)));
    List<Integer> cards = new ArrayList<>(52);
    for (int suit = 1; suit <= 4; suit++) {
      for (int rank = 2; rank <= 14; rank++) {
        cards.add(suit << 4 | rank);
      }
    }
    for (int last = 51; last > 0; last--) {
      int places = last + 1;
      int drawn = stream.next();
      while (drawn >= 256 - 256 % places) {
        drawn = stream.next();
      }
      Collections.swap(cards, last, drawn % places);
    }
    return cards;
  }

  /** The four hands of a deck, in order North to East, each ascending; the last card is the dealer's. */
  public static List<List<Integer>> hands(List<Integer> deck, int dealer, boolean packets) {
    List<List<Integer>> hands = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int index = 0; index < deck.size(); index++) {
      // The seat at the dealer's right is first; a seat's number is one more than its place.
      hands.get((dealer + (packets ? index / 13 : index)) % 4).add(deck.get(index));
    }
    hands.forEach(Collections::sort);
    return hands;
  }

  /** SHA-256. */
  public static byte[] sha256(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException("every Java has SHA-256", error);
    }
  }

  private static byte[] hash(String purpose, byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    addTo(all, utf8(purpose));
    for (byte[] part : parts) {
      addTo(all, part);
    }
    return sha256(all.toByteArray());
  }

  private static void addTo(ByteArrayOutputStream all, byte[] part) {
    all.writeBytes(ByteBuffer.allocate(2).putShort((short) part.length).array());
    all.writeBytes(part);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bigEndian(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /** SHA-256 in counter mode. */
  private static final class Stream {
    private final byte[] key;
    private byte[] block = new byte[0];
    private int count;
    private int place;

    Stream(byte[] key) {
      this.key = key;
    }

    int next() {
      if (place == block.length) {
        block = sha256(ByteBuffer.allocate(key.length + 4).put(key).putInt(count++).array());
        place = 0;
      }
      return block[place++] & 0xff;
    }
  }
}
