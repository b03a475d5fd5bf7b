package com.tarneeb.client;

import com.tarneeb.v1.Call;
import com.tarneeb.v1.CallKind;
import com.tarneeb.v1.CallMade;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.Move;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The choosing rule of clients/PROGRAM.md: what a seat does, by its own view alone. */
public final class Choosing {
  // In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
  private static final int BIDDERS_PARTNER = 11;
  private static final int DOUBLERS_PARTNER = 12;

  private Choosing() {}

  /** The move of the seat to act; the view must be its own, and has its legal moves. */
  public static Move choose(GameView view) {
    List<Move> legal = view.getLegalMovesList();
    return switch (legal.get(0).getActionCase()) {
      case CARD -> card(view);
      case TRUMP -> best(legal, Comparator.comparingInt(move -> quarters(view, move.getTrumpValue())));
      default -> view.getScoresCount() == 4 ? ownBid(view) : call(view);
    };
  }

  /** What a holding is worth with a trump, in quarters of a trick. */
  private static int quarters(GameView view, int trump) {
    int total = 0;
    for (int card : view.getHand().getHoldingValueList()) {
      int rank = card & 15;
      if (card >> 4 == trump) {
        total += rank >= 12 ? 3 : 2;
      } else {
        total += rank == 14 ? 4 : rank == 13 ? 2 : rank == 12 ? 1 : 0;
      }
    }
    return total;
  }

  private static Move ownBid(GameView view) {
    int worth = quarters(view, view.getHand().getTrumpValue()) / 4;
    List<Move> legal = view.getLegalMovesList();
    // Bids are listed from low to high.
    for (int index = legal.size() - 1; index >= 0; index--) {
      if (legal.get(index).getCall().getTricks() <= worth) {
        return legal.get(index);
      }
    }
    return legal.get(0);
  }

  private static Move call(GameView view) {
    Optional<Move> pass = first(view, CallKind.CALL_KIND_PASS);
    Optional<Move> doubling = first(view, CallKind.CALL_KIND_DOUBLE);
    CallMade last = null;
    for (CallMade made : view.getHand().getCallsList()) {
      last = made.getKind() == CallKind.CALL_KIND_BID ? made : last;
    }
    if (last != null) {
      if ((last.getSeatValue() - view.getViewerValue()) % 2 == 0 && pass.isPresent()) {
        return pass.get();
      }
      int worth = quarters(view, last.getStrainValue()) + DOUBLERS_PARTNER;
      if (doubling.isPresent() && worth >= 4 * (14 - last.getTricks())) {
        return doubling.get();
      }
    }
    int best = view.getHand().getTrumpValue();
    for (int suit = 1; suit <= 4 && view.getHand().getTrumpValue() == 0; suit++) {
      best = best == 0 || quarters(view, suit) > quarters(view, best) ? suit : best;
    }
    int limit = (quarters(view, best) + BIDDERS_PARTNER) / 4;
    for (Move move : view.getLegalMovesList()) {
      Call call = move.getCall();
      boolean suits = call.getStrainValue() == 0 || call.getStrainValue() == best;
      if (call.getKind() == CallKind.CALL_KIND_BID && call.getTricks() <= limit && suits) {
        return move;
      }
    }
    return pass.orElse(view.getLegalMoves(0));
  }

  private static Optional<Move> first(GameView view, CallKind kind) {
    return view.getLegalMovesList().stream().filter(move -> move.getCall().getKind() == kind).findFirst();
  }

  private static Move card(GameView view) {
    List<Move> legal = view.getLegalMovesList();
    List<Integer> trick = view.getHand().getTrick().getCardsValueList();
    Comparator<Move> byRank = Comparator.comparingInt(move -> move.getCardValue() & 15);
    if (trick.isEmpty()) {
      return best(legal, byRank);
    }
    int led = trick.get(0) >> 4;
    int trump = view.getHand().getTrumpValue();
    int highest = trick.stream().mapToInt(card -> power(card, trump, led)).max().orElseThrow();
    Comparator<Move> byPower = Comparator.comparingInt(move -> power(move.getCardValue(), trump, led));
    List<Move> beating =
        legal.stream().filter(move -> power(move.getCardValue(), trump, led) > highest).toList();
    return beating.isEmpty() ? best(legal, byRank.reversed()) : best(beating, byPower.reversed());
  }

  private static int power(int card, int trump, int led) {
    int suit = card >> 4;
    return (card & 15) + (suit == trump ? 32 : suit == led ? 16 : 0);
  }

  /** The greatest, the first of equals. */
  private static Move best(List<Move> moves, Comparator<Move> order) {
    Move best = moves.get(0);
    for (Move move : moves) {
      best = order.compare(move, best) > 0 ? move : best;
    }
    return best;
  }
}
