package com.tarneeb.firstcall;

import com.google.protobuf.ByteString;
import com.tarneeb.client.TarneebClient;
import com.tarneeb.client.TarneebException;
import com.tarneeb.v1.ApplyMoveRequest;
import com.tarneeb.v1.Call;
import com.tarneeb.v1.CallKind;
import com.tarneeb.v1.CreateGameRequest;
import com.tarneeb.v1.Deal;
import com.tarneeb.v1.DealHandRequest;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.RuleSetChoice;
import com.tarneeb.v1.Seat;
import com.tarneeb.v1.SeededDeal;

/** A first verdict: North bids 9, West may not bid 8. */
public final class FirstCall {
  private FirstCall() {}

  /** Calls the service at {@code host:port}, the first argument. */
  public static void main(String[] arguments) {
    String target = arguments.length > 0 ? arguments[0] : "localhost:50051";
    try (TarneebClient client = new TarneebClient(target)) {
      ByteString game =
          client
              .createGame(
                  CreateGameRequest.newBuilder()
                      .setId("first")
                      .setRuleSet(RuleSetChoice.newBuilder().setPresetId("saharat_classic"))
                      .setFirstDealer(Seat.SEAT_EAST)
                      .build())
              .getSnapshot();
      SeededDeal seeded = SeededDeal.newBuilder().setSeed(ByteString.copyFrom(new byte[16])).build();
      game =
          client
              .dealHand(
                  DealHandRequest.newBuilder()
                      .setSnapshot(game)
                      .setDeal(Deal.newBuilder().setSeeded(seeded))
                      .build())
              .getSnapshot();
      game = client.applyMove(bidding(game, Seat.SEAT_NORTH, 9)).getSnapshot();
      var verdict = client.applyMove(bidding(game, Seat.SEAT_WEST, 8)).getVerdict();
      System.out.println(verdict.getRuleId() + " " + verdict.getMessage());
    } catch (TarneebException failed) {
      System.err.println(target + ": " + failed.getMessage());
      System.exit(1);
    }
  }

  private static ApplyMoveRequest bidding(ByteString game, Seat seat, int tricks) {
    Call call = Call.newBuilder().setKind(CallKind.CALL_KIND_BID).setTricks(tricks).build();
    Move move = Move.newBuilder().setSeat(seat).setCall(call).build();
    return ApplyMoveRequest.newBuilder().setSnapshot(game).setMove(move).build();
  }
}
