package com.tarneeb.program;

import com.tarneeb.v1.Call;
import com.tarneeb.v1.CallKind;
import com.tarneeb.v1.CallMade;
import com.tarneeb.v1.Contract;
import com.tarneeb.v1.Event;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.HandResult;
import com.tarneeb.v1.HandView;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.Outcome;
import com.tarneeb.v1.ScoreLine;
import com.tarneeb.v1.Trick;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The lines of a transcript: clients/PROGRAM.md says how each thing is written. */
final class Text {
  static final String SEATS = "-NWSEV";
  static final String RANKS = "..23456789TJQKA";
  static final List<String> STRAINS = List.of("-", "C", "D", "H", "S", "NT");
  static final List<String> TEAMS = List.of("-", "NS", "WE");

  private Text() {}

  static String seat(int number) {
    return SEATS.substring(number, number + 1);
  }

  static String card(int number) {
    return number == 0 ? "-" : STRAINS.get(number >> 4) + RANKS.charAt(number & 15);
  }

  static String check(boolean good) {
    return good ? "yes" : "no";
  }

  static <T> String joined(List<T> parts, String by, Function<T, String> text) {
    return parts.isEmpty() ? "-" : parts.stream().map(text).collect(Collectors.joining(by));
  }

  static String joined(List<?> parts) {
    return joined(parts, ",", String::valueOf);
  }

  /** The name of an enum's value without its type's prefix. */
  static String name(Enum<?> value, String prefix) {
    return value.name().substring(prefix.length());
  }

  private static String lower(Enum<?> value, String prefix) {
    return name(value, prefix).toLowerCase(Locale.ROOT);
  }

  static String bid(int tricks, int strain) {
    return tricks + (strain == 0 ? "" : STRAINS.get(strain));
  }

  static String move(Move move) {
    String deed =
        switch (move.getActionCase()) {
          case CARD -> card(move.getCardValue());
          case TRUMP -> "=" + STRAINS.get(move.getTrumpValue());
          default -> call(move.getCall());
        };
    return seat(move.getSeatValue()) + ":" + deed;
  }

  private static String call(Call call) {
    return call(call.getKind(), call.getTricks(), call.getStrainValue());
  }

  private static String call(CallKind kind, int tricks, int strain) {
    return switch (kind) {
      case CALL_KIND_BID -> bid(tricks, strain);
      case CALL_KIND_PASS -> "pass";
      default -> "double";
    };
  }

  private static String callMade(CallMade made) {
    return seat(made.getSeatValue()) + ":" + call(made.getKind(), made.getTricks(), made.getStrainValue());
  }

  static String events(List<Event> events) {
    return events.stream()
        .map(Text::event)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String event(Event event) {
    switch (event.getEventCase()) {
      case HAND_DEALT:
        var dealt = event.getHandDealt();
        String turned = dealt.getTurnedCardValue() == 0 ? "" : " turned " + card(dealt.getTurnedCardValue());
        String trump = dealt.getTrumpValue() == 0 ? "" : " trump " + STRAINS.get(dealt.getTrumpValue());
        return "dealt " + dealt.getHandNumber() + " " + seat(dealt.getDealerValue()) + turned + trump;
      case CALL_MADE:
        return callMade(event.getCallMade());
      case AUCTION_WON:
        return "contract " + contract(event.getAuctionWon(), " doubled");
      case TRUMP_NAMED:
        var named = event.getTrumpNamed();
        return seat(named.getSeatValue()) + ":=" + STRAINS.get(named.getTrumpValue());
      case CARD_PLAYED:
        var played = event.getCardPlayed();
        return seat(played.getSeatValue()) + ":" + card(played.getCardValue());
      case TRICK_WON:
        var won = event.getTrickWon();
        return "trick " + won.getTrickNumber() + " " + seat(won.getSeatValue());
      case HAND_ENDED:
        var ended = event.getHandEnded();
        String scores = joined(ended.getScoresList());
        return "ended " + ended.getHandNumber() + " " + result(ended.getResult()) + " " + scores;
      case GAME_WON:
        Outcome outcome = event.getGameWon();
        return "won " + TEAMS.get(outcome.getWinnerValue()) + " " + lower(outcome.getReason(), "WIN_REASON_");
      case MOVE_UNDONE:
        var undone = event.getMoveUndone();
        String reopened = undone.getHandReopened() ? " reopened" : "";
        return "undone " + undone.getHandNumber() + " " + move(undone.getMove()) + reopened;
      default:
        return "";
    }
  }

  private static String contract(Contract contract, String doubled) {
    String bid = bid(contract.getTricks(), contract.getStrainValue());
    return seat(contract.getDeclarerValue()) + ":" + bid + (contract.getDoubled() ? doubled : "");
  }

  private static String result(HandResult result) {
    String lines = joined(result.getLinesList(), "/", Text::line);
    return lower(result.getEnd(), "HAND_END_") + ":" + lines + ":" + seat(result.getOffenderValue());
  }

  private static String line(ScoreLine line) {
    boolean hasSeat = line.getSideCase() == ScoreLine.SideCase.SEAT;
    return String.join(
        ".",
        hasSeat ? seat(line.getSeatValue()) : TEAMS.get(line.getTeamValue()),
        line.hasBid() ? String.valueOf(line.getBid()) : "-",
        String.valueOf(line.getTricks()),
        String.valueOf(line.getPoints()),
        line.hasMade() ? (line.getMade() ? "made" : "failed") : "-");
  }

  private static String outcome(Outcome outcome) {
    String sides = TEAMS.get(outcome.getWinnerValue()) + "." + TEAMS.get(outcome.getLoserValue());
    return sides + "." + lower(outcome.getReason(), "WIN_REASON_");
  }

  /** A view in one line. */
  static String view(GameView view) {
    String line =
        "view " + seat(view.getViewerValue())
            + " id=" + view.getId()
            + " preset=" + view.getPresetId()
            + " revision=" + view.getRevision()
            + " scores=" + joined(view.getScoresList())
            + " hand=" + view.getHandNumber()
            + " dealer=" + seat(view.getDealerValue())
            + " next=" + seat(view.getNextDealerValue())
            + " cutter=" + seat(view.getCutterValue())
            + " phase=" + lower(view.getPhase(), "PHASE_")
            + " act=" + seat(view.getSeatToActValue())
            + " outcome=" + (view.hasOutcome() ? outcome(view.getOutcome()) : "-")
            + " legal=" + joined(view.getLegalMovesList(), ",", Text::move);
    return view.hasHand() ? line + hand(view.getHand()) : line;
  }

  private static String hand(HandView hand) {
    return " holding=" + cards(hand.getHoldingValueList(), ",")
        + " counts=" + joined(hand.getHoldingCountsList())
        + " turned=" + card(hand.getTurnedCardValue())
        + " calls=" + joined(hand.getCallsList(), ",", Text::callMade)
        + " contract=" + (hand.hasContract() ? contract(hand.getContract(), ".doubled") : "-")
        + " trump=" + STRAINS.get(hand.getTrumpValue())
        + " leader=" + seat(hand.getOpeningLeaderValue())
        + " trick=" + (hand.hasTrick() ? trick(hand.getTrick()) : "-")
        + " past=" + joined(hand.getPastTricksList(), ",", Text::trick)
        + " taken=" + joined(hand.getTrickCountsList())
        + " result=" + (hand.hasResult() ? result(hand.getResult()) : "-")
        + " revealed=" + joined(hand.getRevealedList(), ",", set -> cards(set.getCardsValueList(), "/"));
  }

  private static String trick(Trick trick) {
    String cards = cards(trick.getCardsValueList(), "/");
    return trick.getNumber() + "." + seat(trick.getLeaderValue()) + "." + cards + "." + seat(trick.getWinnerValue());
  }

  private static String cards(List<Integer> cards, String by) {
    return joined(cards, by, Text::card);
  }
}
