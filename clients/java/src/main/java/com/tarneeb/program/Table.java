package com.tarneeb.program;

import com.tarneeb.client.TarneebException;
import com.tarneeb.program.Store.Row;
import com.tarneeb.v1.CreateGameRequest;
import com.tarneeb.v1.Cut;
import com.tarneeb.v1.FirstCard;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.Phase;
import com.tarneeb.v1.RuleSet;
import com.tarneeb.v1.RuleSetChoice;
import com.tarneeb.v1.Seat;
import com.tarneeb.v1.Strain;
import com.tarneeb.v1.VerifyDealRequest;
import com.tarneeb.v1.ViewGameRequest;
import com.tarneeb.v1.Viewer;
import java.util.List;
import java.util.stream.Collectors;

/** The table: one hand on which everything goes wrong that a backend has to stand. */
final class Table {
  private Table() {}

  static void play(Backend backend) {
    var overrides =
        RuleSet.newBuilder().setTarget(31).setFirstCard(FirstCard.FIRST_CARD_TRUMP).setCut(Cut.CUT_REQUIRED);
    var rules = RuleSetChoice.newBuilder().setPresetId("saharat_classic").setOverrides(overrides);
    Game game =
        new Game(
            backend,
            CreateGameRequest.newBuilder().setId("table-1").setFirstDealer(Seat.SEAT_EAST).setRuleSet(rules));
    game.deal();
    for (Viewer viewer : Seats.VIEWERS) {
      game.tell(Text.view(game.seats.viewOf(viewer)));
    }
    game.turn(true);
    refusals(game);
    race(game);
    reconnect(game);
    while (game.seats.everybodys().getPhase() != Phase.PHASE_AWAITING_DEAL) {
      game.turn(true);
    }
    game.undo();
    game.turn(false);
    verify(game);
    game.replay(true);
    wrongRequest(game);
  }

  /** Refused moves: nothing is stored, and only the mover hears of them. */
  private static void refusals(Game game) {
    int seat = game.seats.toAct();
    Move tooHigh = Attempts.bidding(seat, 14, Strain.STRAIN_UNSPECIFIED);
    for (Move move : List.of(tooHigh, Attempts.passing(Attempts.atTheRight(seat)))) {
      var answer = game.ask(move, game.row());
      boolean nothing =
          answer.getSnapshot().isEmpty() && answer.getRevision() == 0 && answer.getViewsCount() == 0;
      game.backend.checked(nothing);
      game.refused(move, answer.getVerdict());
    }
  }

  /** Two workers and one move: the slower one finds the row changed; after an undo the move is late again. */
  private static void race(Game game) {
    Move move = game.choice();
    Row read = game.row();
    game.apply(move);
    var answer = game.ask(move, read);
    Row row = new Row(answer.getSnapshot(), answer.getRevision());
    boolean late = game.backend.store.replace(game.id, row, read.revision());
    game.backend.checked(!late);
    game.tell("lost " + Text.move(move) + " at " + read.revision());
    game.refused(move, game.ask(move, game.row()).getVerdict());
    game.undo();
    game.refused(move, game.ask(move, game.row()).getVerdict());
    game.turn(false);
  }

  private static void reconnect(Game game) {
    var request =
        ViewGameRequest.newBuilder()
            .setSnapshot(game.row().snapshot())
            .addViewers(Viewer.VIEWER_SOUTH)
            .setOmitRules(true);
    GameView view = game.backend.client.viewGame(request.build()).getViews(0);
    boolean same = view.equals(game.seats.viewOf(Viewer.VIEWER_SOUTH));
    game.tell("again S " + game.backend.checked(same));
  }

  /** The service's own word on the deal, beside the program's. */
  private static void verify(Game game) {
    GameView view = game.seats.everybodys();
    var request =
        VerifyDealRequest.newBuilder()
            .setGameId(game.id)
            .setHandNumber(view.getHandNumber())
            .setDealer(view.getDealer())
            .setDealOrder(game.rules.getDealOrder())
            .setSeeded(game.seeded());
    request.getDealtBuilder().addAllHands(Game.parsed(game.row().snapshot()).getHand().getDealtList());
    var answer = game.backend.client.verifyDeal(request.build());
    game.tell(
        "verified " + game.backend.checked(answer.getFair())
            + " " + game.backend.checked(answer.getCommitmentMatches())
            + " " + game.backend.checked(answer.getCardsMatch()));
  }

  /** What a request that can't be judged is answered with. */
  private static void wrongRequest(Game game) {
    var rules = RuleSetChoice.newBuilder().setPresetId("none");
    try {
      game.backend.client.createGame(CreateGameRequest.newBuilder().setRuleSet(rules).build());
      game.backend.checked(false);
    } catch (TarneebException error) {
      String violations =
          error.violations().stream()
              .map(each -> " | " + each.path() + " " + each.reason())
              .sorted()
              .collect(Collectors.joining());
      game.tell("error " + error.code() + " " + error.reasonName() + " " + error.problems() + violations);
    }
  }
}
