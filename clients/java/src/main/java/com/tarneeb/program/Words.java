package com.tarneeb.program;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.tarneeb.v1.CallKind;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.Phase;
import com.tarneeb.v1.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A refusal said to its mover in his language, from reason and parameters; never from the English message. */
final class Words {
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
  private final JsonObject table;

  /** Reads a table as clients/words/ar.json. */
  Words(Path path) throws IOException {
    table = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
  }

  /** The first sentence for the reason whose places all have a value. */
  String refusal(Move move, Verdict verdict) {
    String reason = Text.name(verdict.getReason(), "REFUSAL_REASON_");
    Map<String, String> values = values(move, verdict);
    for (var sentence : table.getAsJsonObject("refusals").getAsJsonArray(reason)) {
      List<String> places = PLACE.matcher(sentence.getAsString()).results().map(place -> place.group(1)).toList();
      if (values.keySet().containsAll(places)) {
        return filled(sentence.getAsString(), values);
      }
    }
    throw new NoSuchElementException("no sentence fits " + reason);
  }

  private static String filled(String sentence, Map<String, String> values) {
    return PLACE.matcher(sentence).replaceAll((MatchResult place) -> Matcher.quoteReplacement(values.get(place.group(1))));
  }

  /** What each place of a sentence stands for; what is not there has no value. */
  private Map<String, String> values(Move move, Verdict verdict) {
    Map<String, String> values = new HashMap<>();
    values.put("seat", seat(move.getSeatValue()));
    if (move.hasRevision()) {
      values.put("made_for", String.valueOf(move.getRevision()));
    }
    if (move.getActionCase() == Move.ActionCase.CARD) {
      values.put("card", card(move.getCardValue()));
    }
    if (move.getCall().getKind() == CallKind.CALL_KIND_BID) {
      values.put("bid", bid(move.getCall().getTricks(), move.getCall().getStrainValue()));
    }
    if (verdict.getGameRevision() != 0) {
      values.put("game_revision", String.valueOf(verdict.getGameRevision()));
    }
    if (verdict.getHighestBid() != 0) {
      values.put("highest_bid", String.valueOf(verdict.getHighestBid()));
    }
    if (verdict.getPhase() != Phase.PHASE_UNSPECIFIED) {
      values.put("phase", word("phases", Text.name(verdict.getPhase(), "PHASE_").toLowerCase(Locale.ROOT)));
    }
    if (verdict.getSeatToActValue() != 0) {
      values.put("seat_to_act", seat(verdict.getSeatToActValue()));
    }
    if (verdict.getBidHolderValue() != 0) {
      values.put("bid_holder", seat(verdict.getBidHolderValue()));
    }
    if (verdict.hasLowestBid()) {
      values.put("lowest_bid", bid(verdict.getLowestBid().getTricks(), verdict.getLowestBid().getStrainValue()));
    }
    if (verdict.getBarredBidsCount() > 0) {
      values.put("barred_bids", Text.joined(verdict.getBarredBidsList(), separator(), String::valueOf));
    }
    if (verdict.getLedSuitValue() != 0) {
      values.put("led_suit", strain(verdict.getLedSuitValue()));
    }
    if (verdict.getTrumpValue() != 0) {
      values.put("trump", strain(verdict.getTrumpValue()));
    }
    if (verdict.getPlayableCardsCount() > 0) {
      values.put("playable_cards", Text.joined(verdict.getPlayableCardsValueList(), separator(), this::card));
    }
    return values;
  }

  private String word(String list, String name) {
    return table.getAsJsonObject(list).get(name).getAsString();
  }

  private String separator() {
    return table.get("separator").getAsString();
  }

  private String seat(int seat) {
    return word("seats", Text.seat(seat));
  }

  private String strain(int strain) {
    return word("strains", Text.STRAINS.get(strain));
  }

  private String card(int card) {
    String rank = word("ranks", String.valueOf(Text.RANKS.charAt(card & 15)));
    return filled(table.get("card").getAsString(), Map.of("rank", rank, "suit", strain(card >> 4)));
  }

  private String bid(int tricks, int strain) {
    String number = String.valueOf(tricks);
    if (strain == 0) {
      return number;
    }
    return filled(table.get("bid").getAsString(), Map.of("tricks", number, "strain", strain(strain)));
  }
}
