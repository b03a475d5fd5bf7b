package com.tarneeb.program;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.tarneeb.client.Choosing;
import com.tarneeb.client.FairDeals;
import com.tarneeb.program.Store.Row;
import com.tarneeb.v1.ApplyMoveRequest;
import com.tarneeb.v1.ApplyMoveResponse;
import com.tarneeb.v1.CommitDealRequest;
import com.tarneeb.v1.CreateGameRequest;
import com.tarneeb.v1.Deal;
import com.tarneeb.v1.DealHandRequest;
import com.tarneeb.v1.DealOrder;
import com.tarneeb.v1.Event;
import com.tarneeb.v1.GameForm;
import com.tarneeb.v1.GameRecord;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.Move;
import com.tarneeb.v1.MoveResult;
import com.tarneeb.v1.RecordedHand;
import com.tarneeb.v1.ReplayGameRequest;
import com.tarneeb.v1.RuleSet;
import com.tarneeb.v1.RuleSetChoice;
import com.tarneeb.v1.Ruling;
import com.tarneeb.v1.SeededDeal;
import com.tarneeb.v1.UndoMoveRequest;
import com.tarneeb.v1.ValidateMoveRequest;
import com.tarneeb.v1.ValidateMovesRequest;
import com.tarneeb.v1.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One game as a backend runs it: its row in the store, its seats, its record. */
final class Game {
  final Backend backend;
  final Seats seats;
  final String id;
  final RuleSet rules;
  private final GameRecord.Builder record;
  private final Set<String> said = new HashSet<>();
  private SeededDeal seeded = SeededDeal.getDefaultInstance();
  private List<List<Integer>> held = List.of();

  /** Creates it, stores it, and starts its record. */
  Game(Backend backend, CreateGameRequest.Builder request) {
    this.backend = backend;
    id = request.getId();
    seats = new Seats(backend.log);
    request.addAllViewers(Seats.VIEWERS).setForm(GameForm.GAME_FORM_SNAPSHOT);
    var made = backend.client.createGame(request.build());
    backend.store.add(id, new Row(made.getSnapshot(), made.getRevision()));
    seats.send(made.getViewsList());
    GameView first = seats.everybodys();
    rules = first.getRules();
    record =
        GameRecord.newBuilder()
            .setId(id)
            .setRuleSet(RuleSetChoice.newBuilder().setPresetId(first.getPresetId()).setOverrides(rules))
            .setFirstDealer(first.getNextDealer())
            .setRulesRevision(first.getRulesRevision());
    tell("game " + id + " " + first.getPresetId() + " dealer " + Text.seat(first.getNextDealerValue()));
  }

  void tell(String line) {
    backend.tell.accept(line);
  }

  Row row() {
    return backend.store.load(id);
  }

  int firstDealer() {
    return record.getFirstDealerValue();
  }

  SeededDeal seeded() {
    return seeded;
  }

  /** Keeps the next row; here nobody else writes, so that it can't fail. */
  private void stored(ByteString snapshot, int revision, Row read) {
    if (!backend.store.replace(id, new Row(snapshot, revision), read.revision())) {
      throw new IllegalStateException("somebody else moved in " + id);
    }
  }

  /** Deals the next hand from a seed that the players were shown the commitment of, and a player's cut. */
  void deal() {
    GameView view = seats.everybodys();
    Row read = row();
    int hand = view.getHandNumber() + 1;
    ByteString seed = ByteString.copyFrom(Hex.digest("seed " + id + " " + hand));
    ByteString cut = ByteString.copyFrom(Hex.digest("cut " + id + " " + hand), 0, 16);
    ByteString shown =
        backend
            .client
            .commitDeal(CommitDealRequest.newBuilder().setGameId(id).setHandNumber(hand).setSeed(seed).build())
            .getCommitment();
    tell("commit " + hand + " " + Hex.of(shown.toByteArray()));
    tell("cut " + hand + " " + Text.seat(view.getCutterValue()) + " " + Hex.of(cut.toByteArray()));
    seeded = SeededDeal.newBuilder().setSeed(seed).setCommitment(shown).setCut(cut).build();
    var dealt =
        backend.client.dealHand(
            DealHandRequest.newBuilder()
                .setSnapshot(read.snapshot())
                .setDeal(Deal.newBuilder().setSeeded(seeded))
                .addAllViewers(Seats.VIEWERS)
                .setOmitRules(true)
                .build());
    stored(dealt.getSnapshot(), dealt.getRevision(), read);
    seats.send(dealt.getViewsList());
    held = new ArrayList<>();
    for (int seat = 1; seat <= 4; seat++) {
      held.add(List.copyOf(seats.viewOf(seat).getHand().getHoldingValueList()));
    }
    step(dealt.getRevision(), dealt.getEventsList());
  }

  /** Lets the seat to act choose from its own view, and makes its move. */
  void turn(boolean trying) {
    if (trying && seats.everybodys().getHandNumber() == 1) {
      int seat = seats.toAct();
      attempt(Attempts.beforeATurn(seat, seats.viewOf(seat), row().revision()));
    }
    apply(choice());
  }

  /** Has moves judged, all in one call; the first refusal of each kind is said. */
  void attempt(List<Move> moves) {
    var request = ValidateMovesRequest.newBuilder();
    for (Move move : moves) {
      request.addItems(ValidateMoveRequest.newBuilder().setSnapshot(row().snapshot()).setMove(move));
    }
    List<MoveResult> results = backend.client.validateMoves(request.build()).getResultsList();
    for (int index = 0; index < moves.size(); index++) {
      MoveResult result = results.get(index);
      if (!result.hasVerdict()) {
        throw new IllegalStateException("could not be judged: " + result);
      }
      Verdict verdict = result.getVerdict();
      String kind = verdict.getReason() + " " + verdict.getRuleId();
      if (verdict.getRuling() == Ruling.RULING_REFUSED && said.add(kind)) {
        refused(moves.get(index), verdict);
      }
    }
  }

  Move choice() {
    GameView view = seats.viewOf(seats.toAct());
    return Choosing.choose(view).toBuilder().setRevision(view.getRevision()).build();
  }

  /** Makes a move that is legal; its end of a hand or game brings what comes with it. */
  void apply(Move move) {
    Row read = row();
    ApplyMoveResponse answer = ask(move, read);
    if (answer.getVerdict().getRuling() == Ruling.RULING_REFUSED) {
      throw new IllegalStateException(Text.move(move) + " was refused: " + answer.getVerdict().getMessage());
    }
    stored(answer.getSnapshot(), answer.getRevision(), read);
    seats.send(answer.getViewsList());
    step(answer.getRevision(), answer.getEventsList());
    if (answer.hasHandRecord()) {
      handEnded(answer.getHandRecord());
    }
  }

  ApplyMoveResponse ask(Move move, Row row) {
    return backend.client.applyMove(
        ApplyMoveRequest.newBuilder()
            .setSnapshot(row.snapshot())
            .setMove(move)
            .addAllViewers(Seats.VIEWERS)
            .setOmitRules(true)
            .build());
  }

  /** Takes back the last move; a hand that it opens again leaves the record. */
  void undo() {
    Row read = row();
    var answer =
        backend.client.undoMove(
            UndoMoveRequest.newBuilder()
                .setSnapshot(read.snapshot())
                .addAllViewers(Seats.VIEWERS)
                .setOmitRules(true)
                .build());
    stored(answer.getSnapshot(), answer.getRevision(), read);
    seats.send(answer.getViewsList());
    step(answer.getRevision(), answer.getEventsList());
    if (answer.getEventsList().stream().anyMatch(event -> event.getMoveUndone().getHandReopened())) {
      record.removeHands(record.getHandsCount() - 1);
      tell(seats.digests());
    }
  }

  /** Tells the mover why, in Arabic. */
  void refused(Move move, Verdict verdict) {
    String reason = Text.name(verdict.getReason(), "REFUSAL_REASON_");
    String sentence = backend.words.refusal(move, verdict);
    tell("no " + Text.move(move) + " " + reason + " " + verdict.getRuleId() + " | " + sentence);
  }

  private void step(int revision, List<Event> events) {
    tell(revision + " " + Text.events(events));
  }

  /** Appends the hand, shows the seed, and checks the deal as any player can. */
  private void handEnded(RecordedHand hand) {
    record.addHands(hand.toBuilder().setDeal(Deal.newBuilder().setSeeded(seeded)));
    tell(seats.digests());
    int number = record.getHandsCount();
    byte[] seed = seeded.getSeed().toByteArray();
    List<Integer> deck = FairDeals.deck(seed, seeded.getCut().toByteArray(), id, number);
    boolean packets = rules.getDealOrder() == DealOrder.DEAL_ORDER_PACKETS;
    List<List<Integer>> hands = FairDeals.hands(deck, seats.everybodys().getDealerValue(), packets);
    var dealt = hand.getDeal().getHands();
    int turned = dealt.getTurnedCardValue();
    boolean fair =
        Arrays.equals(FairDeals.commitment(seed, id, number), seeded.getCommitment().toByteArray())
            && hands.equals(dealt.getHandsList().stream().map(set -> set.getCardsValueList()).toList())
            && hands.equals(held)
            && (turned == 0 || turned == deck.get(51))
            && turned == seats.everybodys().getHand().getTurnedCardValue();
    tell("fair " + number + " " + Hex.of(seed) + " " + backend.checked(fair));
  }

  /** Plays the record again: it leads to the game that is stored; with undos that one's revision is ahead. */
  void replay(boolean undone) {
    var answer =
        backend.client.replayGame(
            ReplayGameRequest.newBuilder().setRecord(record).setForm(GameForm.GAME_FORM_SNAPSHOT).build());
    var reached = parsed(answer.getSnapshot()).toBuilder();
    var here = parsed(row().snapshot());
    if (undone) {
      reached.setRevision(here.getRevision());
    }
    boolean whole = answer.getAcceptedSteps() == answer.getTotalSteps() && !answer.hasRefused();
    String check = backend.checked(whole && reached.build().equals(here));
    tell("replay " + answer.getAcceptedSteps() + "/" + answer.getTotalSteps() + " " + check);
  }

  static com.tarneeb.v1.Game parsed(ByteString snapshot) {
    try {
      return com.tarneeb.v1.Game.parseFrom(snapshot);
    } catch (InvalidProtocolBufferException error) {
      throw new IllegalStateException("a snapshot is a serialised game", error);
    }
  }
}
