package com.tarneeb.program;

import com.google.protobuf.ByteString;
import com.tarneeb.client.FairDeals;
import com.tarneeb.client.Options;
import com.tarneeb.client.TarneebClient;
import com.tarneeb.client.TarneebException;
import com.tarneeb.v1.CommitDealRequest;
import com.tarneeb.v1.CreateGameRequest;
import com.tarneeb.v1.GameView;
import com.tarneeb.v1.ListRuleSetsRequest;
import com.tarneeb.v1.Phase;
import com.tarneeb.v1.RuleSetChoice;
import com.tarneeb.v1.RuleSetInfo;
import com.tarneeb.v1.Seat;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plays the games of clients/PROGRAM.md, prints the transcript and its hash, and runs the vectors. */
public final class Main {
  private static final Set<String> FLAGS =
      Set.of("--target", "--words", "--transcript", "--views", "--vectors", "--ca", "--token-file");
  // By this one the ten games show every refusal there is.
  private static final int NUMBER = 21;
  // For a call; long, since all languages are tried at once on a machine that does other things too.
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private Main() {}

  /** Runs it; exit code 1 when a check failed, 2 for a wrong command line. */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> flags = flags(arguments);
    if (flags == null) {
      System.err.println("usage: program [" + String.join(" VALUE] [", FLAGS.stream().sorted().toList()) + " VALUE]");
      System.exit(2);
    }
    String target = flags.getOrDefault("--target", "localhost:50051");
    try (TarneebClient client = new TarneebClient(target, options(flags))) {
      System.exit(run(client, flags) ? 0 : 1);
    } catch (TarneebException error) {
      System.err.println(target + ": " + error.getMessage());
      System.exit(1);
    }
  }

  /** The flags and their values; null where they are none. */
  private static Map<String, String> flags(String[] arguments) {
    Map<String, String> flags = new HashMap<>();
    for (int index = 0; index < arguments.length; index += 2) {
      if (!FLAGS.contains(arguments[index]) || index + 1 == arguments.length) {
        return null;
      }
      flags.put(arguments[index], arguments[index + 1]);
    }
    return flags;
  }

  private static Options options(Map<String, String> flags) throws IOException {
    Options options = new Options().withDeadline(DEADLINE);
    if (flags.containsKey("--ca")) {
      Path roots = Path.of(flags.get("--ca"));
      options = options.withCredentials(TlsChannelCredentials.newBuilder().trustManager(roots.toFile()).build());
    }
    if (flags.containsKey("--token-file")) {
      options = options.withToken(Files.readString(Path.of(flags.get("--token-file"))).strip());
    }
    return options;
  }

  private static boolean run(TarneebClient client, Map<String, String> flags) throws IOException {
    Words words = new Words(Path.of(flags.getOrDefault("--words", "clients/words/ar.json")));
    StringBuilder transcript = new StringBuilder();
    try (PrintStream lines = flags.containsKey("--transcript") ? file(flags.get("--transcript")) : standard();
        PrintStream views =
            flags.containsKey("--views") ? file(flags.get("--views")) : new PrintStream(OutputStream.nullOutputStream())) {
      Backend backend =
          new Backend(
              client,
              words,
              line -> {
                transcript.append(line).append('\n');
                lines.print(line + "\n");
              },
              line -> views.print(line + "\n"));
      backend.tell.accept("tarneeb transcript 1");
      Table.play(backend);
      List<RuleSetInfo> presets =
          client.listRuleSets(ListRuleSetsRequest.getDefaultInstance()).getRuleSetsList();
      presets.forEach(preset -> wholeGame(backend, preset.getPresetId()));
      lines.flush();
      String digest = Hex.of(Hex.digest(transcript.toString())).substring(0, 16);
      String summary = "java: " + presets.size() + " games, transcript " + digest;
      if (flags.containsKey("--vectors")) {
        Vectors.Count count = Vectors.run(client, Path.of(flags.get("--vectors")));
        summary += ", " + count.passed() + "/" + count.total() + " vectors";
        backend.checked(count.passed() == count.total());
      }
      System.out.println(summary);
      return backend.isSound();
    }
  }

  private static void wholeGame(Backend backend, String presetId) {
    String id = presetId + "-" + NUMBER;
    byte[] seed = Hex.digest("dealer " + id);
    byte[] shown =
        backend
            .client
            .commitDeal(CommitDealRequest.newBuilder().setGameId(id).setHandNumber(0).setSeed(ByteString.copyFrom(seed)).build())
            .getCommitment()
            .toByteArray();
    Game game =
        new Game(
            backend,
            CreateGameRequest.newBuilder()
                .setId(id)
                .setRuleSet(RuleSetChoice.newBuilder().setPresetId(presetId))
                .setFirstDealerSeed(ByteString.copyFrom(seed)));
    boolean fair =
        Arrays.equals(shown, FairDeals.commitment(seed, id, 0))
            && game.firstDealer() == FairDeals.firstDealer(seed, id);
    game.tell("dealer " + Hex.of(shown) + " " + backend.checked(fair));
    while (game.seats.everybodys().getPhase() != Phase.PHASE_GAME_OVER) {
      if (game.seats.everybodys().getPhase() == Phase.PHASE_AWAITING_DEAL) {
        game.deal();
      } else {
        game.turn(true);
      }
    }
    game.attempt(List.of(Attempts.passing(Seat.SEAT_NORTH_VALUE)));
    game.replay(false);
    GameView end = game.seats.everybodys();
    String winner = Text.TEAMS.get(end.getOutcome().getWinnerValue());
    game.tell("over " + id + " " + winner + " " + end.getHandNumber() + " " + Text.joined(end.getScoresList()));
  }

  private static PrintStream file(String path) throws IOException {
    return new PrintStream(new java.io.BufferedOutputStream(Files.newOutputStream(Path.of(path))), false, StandardCharsets.UTF_8);
  }

  private static PrintStream standard() {
    return new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
  }
}
