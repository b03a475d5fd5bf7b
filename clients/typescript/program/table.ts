// The table: one hand on which everything goes wrong that a backend has to stand.

import { equals, fromBinary } from "@bufbuild/protobuf";
import { TarneebError } from "../src/index.js";
import { Cut, DealOrder, FirstCard, GameSchema, GameViewSchema, Phase, Seat, Viewer } from "../src/v1.js";
import { atTheRight, bidding, passing } from "./attempts.js";
import { type Backend, checked } from "./backend.js";
import { Game, present } from "./game.js";
import { VIEWERS } from "./seats.js";
import * as text from "./text.js";

export async function playTable(backend: Backend): Promise<void> {
  const game = await Game.create(backend, {
    id: "table-1",
    ruleSet: {
      presetId: "saharat_classic",
      overrides: { target: 31, firstCard: FirstCard.TRUMP, cut: Cut.REQUIRED },
    },
    first: { case: "firstDealer", value: Seat.EAST },
  });
  await game.deal();
  for (const viewer of VIEWERS) game.tell(text.view(game.seats.viewOf(viewer)));
  await game.turn();
  await refusals(game);
  await race(game);
  await reconnect(game);
  while (game.seats.public.phase !== Phase.AWAITING_DEAL) await game.turn();
  await game.undo();
  await game.turn({ trying: false });
  await verify(game);
  await game.replay({ undone: true });
  await wrongRequest(game);
}

/** Two calls that are refused: only the mover hears of them, and nothing is stored. */
async function refusals(game: Game): Promise<void> {
  const seat = game.seats.toAct;
  for (const move of [bidding(seat, 14), passing(atTheRight(seat))]) {
    const { verdict, snapshot, revision, views } = await game.ask(move, game.row);
    checked(game.backend, snapshot.length === 0 && revision === 0 && views.length === 0);
    game.refused(move, verdict);
  }
}

/** Two workers and one move: the slower one finds the row changed; after an undo the move is late again. */
async function race(game: Game): Promise<void> {
  const read = game.row;
  const move = game.choice();
  await game.apply(move);
  const late = await game.ask(move, read);
  checked(game.backend, !game.backend.store.replace(game.id, late, read.revision));
  game.tell(`lost ${text.move(move)} at ${read.revision}`);
  game.refused(move, (await game.ask(move, game.row)).verdict);
  await game.undo();
  game.refused(move, (await game.ask(move, game.row)).verdict);
  await game.turn({ trying: false });
}

async function reconnect(game: Game): Promise<void> {
  const had = game.seats.viewOf(Viewer.SOUTH);
  const { views } = await game.backend.client.viewGame({
    stored: { case: "snapshot", value: game.row.snapshot },
    viewers: [Viewer.SOUTH],
    omitRules: true,
  });
  const same = equals(GameViewSchema, present(views[0]), had);
  game.tell(`again S ${checked(game.backend, same)}`);
}

/** The service's own word on the deal, beside the program's. */
async function verify(game: Game): Promise<void> {
  const { handNumber, dealer } = game.seats.public;
  const stored = fromBinary(GameSchema, game.row.snapshot);
  const { fair, commitmentMatches, cardsMatch } = await game.backend.client.verifyDeal({
    gameId: game.id,
    handNumber,
    dealer,
    dealOrder: game.rules.dealOrder ?? DealOrder.UNSPECIFIED,
    seeded: game.seed,
    dealt: { hands: stored.hand?.dealt ?? [] },
  });
  const said = [fair, commitmentMatches, cardsMatch].map((good) => checked(game.backend, good));
  game.tell(`verified ${said.join(" ")}`);
}

/** What a request that can't be judged is answered with. */
async function wrongRequest(game: Game): Promise<void> {
  try {
    await game.backend.client.createGame({ ruleSet: { presetId: "none" } });
    checked(game.backend, false);
  } catch (error) {
    if (!(error instanceof TarneebError)) throw error;
    const violations = error.violations.map(({ path, reason }) => `${path} ${reason}`).sort();
    game.tell([`error ${error.codeName} ${error.reasonName} ${error.problems}`, ...violations].join(" | "));
  }
}
