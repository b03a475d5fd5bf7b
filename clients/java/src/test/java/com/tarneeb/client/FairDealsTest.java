package com.tarneeb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The worked examples of docs/fair-deals.md, read from the page itself. */
final class FairDealsTest {
  private static final Pattern BLOCK = Pattern.compile("```text\n(seed .*?)```", Pattern.DOTALL);
  private static final String RANKS = "23456789TJQKA";

  private static List<Map<String, String>> examples() throws IOException {
    String page = Files.readString(Path.of("../../docs/fair-deals.md"));
    return BLOCK.matcher(page).results()
        .map(block -> block.group(1))
        .flatMap(text -> Pattern.compile("\n\n").splitAsStream(text))
        .map(
            text -> {
              Map<String, String> example = new HashMap<>();
              text.lines().forEach(line -> example.put(line.split(" ", 2)[0], line.contains(" ") ? line.split(" ", 2)[1] : ""));
              return example;
            })
        .toList();
  }

  private static byte[] hex(String text) {
    return text == null || text.equals("-") ? new byte[0] : HexFormat.of().parseHex(text.strip());
  }

  private static String card(int card) {
    return "CDHS".charAt((card >> 4) - 1) + String.valueOf(RANKS.charAt((card & 15) - 2));
  }

  @Test
  void theExamplesOfThePage() throws IOException {
    List<Map<String, String>> examples = examples();
    assertEquals(4, examples.size());
    for (Map<String, String> example : examples) {
      byte[] seed = hex(example.get("seed"));
      String id = example.get("game");
      int hand = Integer.parseInt(example.get("hand"));
      assertEquals(example.get("commitment"), HexFormat.of().formatHex(FairDeals.commitment(seed, id, hand)));
      String deck =
          FairDeals.deck(seed, hex(example.get("cut")), id, hand).stream()
              .map(FairDealsTest::card)
              .collect(Collectors.joining(" "));
      assertEquals(example.get("deck"), deck);
    }
  }

  @Test
  void handsGoRoundFromTheDealersRight() {
    List<Integer> deck = FairDeals.deck(new byte[16], new byte[0], "g", 1);
    List<List<Integer>> singly = FairDeals.hands(deck, 1, false);
    assertEquals(4, singly.size());
    assertEquals(true, singly.get(0).contains(deck.get(51)));
    assertEquals(true, FairDeals.hands(deck, 1, true).get(1).containsAll(deck.subList(0, 13)));
  }

  @Test
  void nobodyServes() {
    try (TarneebClient client = new TarneebClient("localhost:1")) {
      var request = com.tarneeb.v1.ListRuleSetsRequest.getDefaultInstance();
      TarneebException failed = assertThrows(TarneebException.class, () -> client.listRuleSets(request));
      assertEquals(io.grpc.Status.Code.UNAVAILABLE, failed.code());
      assertEquals("UNSPECIFIED", failed.reasonName());
      assertEquals(0, failed.problems());
    }
  }
}
