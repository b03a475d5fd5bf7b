package com.tarneeb.program;

import com.tarneeb.v1.Call;
import com.tarneeb.v1.CallKind;
import com.tarneeb.v1.Card;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.Strain;
import java.util.ArrayList;
import java.util.List;

/** Moves that are tried before a turn, most of which are refused. */
final class Attempts {
  private Attempts() {}

  /** What is tried while it is a seat's turn; the view is its own. */
  static List<Move> beforeATurn(int seat, GameView view, int revision) {
    int right = atTheRight(seat);
    List<Move> moves = new ArrayList<>();
    moves.add(passing(right));
    moves.add(of(right).setTrump(Strain.STRAIN_HEARTS).build());
    moves.add(passing(seat));
    moves.add(bidding(seat, 7, Strain.STRAIN_HEARTS));
    moves.add(bidding(seat, 7, Strain.STRAIN_UNSPECIFIED));
    moves.add(bidding(seat, 6, Strain.STRAIN_UNSPECIFIED));
    moves.add(bidding(seat, 14, Strain.STRAIN_UNSPECIFIED));
    moves.add(of(seat).setCall(Call.newBuilder().setKind(CallKind.CALL_KIND_DOUBLE)).build());
    moves.add(of(seat).setTrump(Strain.STRAIN_NO_TRUMP).build());
    moves.add(of(seat).setCard(Card.CARD_CLUBS_TWO).build());
    view.getHand().getHoldingList().stream()
        .filter(card -> view.getLegalMovesList().stream().noneMatch(move -> move.getCard() == card))
        .findFirst()
        .ifPresent(card -> moves.add(of(seat).setCard(card).build()));
    moves.add(passing(seat).toBuilder().setRevision(revision - 1).build());
    return moves;
  }

  static int atTheRight(int seat) {
    return seat % 4 + 1;
  }

  static Move passing(int seat) {
    return of(seat).setCall(Call.newBuilder().setKind(CallKind.CALL_KIND_PASS)).build();
  }

  static Move bidding(int seat, int tricks, Strain strain) {
    Call call = Call.newBuilder().setKind(CallKind.CALL_KIND_BID).setTricks(tricks).setStrain(strain).build();
    return of(seat).setCall(call).build();
  }

  private static Move.Builder of(int seat) {
    return Move.newBuilder().setSeatValue(seat);
  }
}
