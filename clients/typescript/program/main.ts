// Play the games of clients/PROGRAM.md, print the transcript and its hash, and run the vectors.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as fairDeals from "../src/fair_deals.js";
import { createClient, type Options, type TarneebClient, TarneebError } from "../src/index.js";
import { Phase, Seat } from "../src/v1.js";
import { passing } from "./attempts.js";
import { type Backend, checked } from "./backend.js";
import { digest, Game, present } from "./game.js";
import { Lines } from "./lines.js";
import { Store } from "./store.js";
import { playTable } from "./table.js";
import * as text from "./text.js";
import { runVectors } from "./vectors.js";
import { Words } from "./words.js";

// By this one the ten games show every refusal there is.
const NUMBER = 21;
// For a call; long, since all languages are tried at once on a machine that does other things too.
const DEADLINE_MS = 30_000;

const USAGE = `usage: program [--target HOST:PORT] [--words FILE] [--transcript FILE] [--views FILE] [--vectors DIR]
               [--ca FILE] [--token-file FILE]`;

type Arguments = NonNullable<ReturnType<typeof commandLine>>;

function commandLine() {
  try {
    return parseArgs({
      options: {
        target: { type: "string", default: "localhost:50051" },
        words: { type: "string", default: "clients/words/ar.json" },
        transcript: { type: "string" },
        views: { type: "string" },
        vectors: { type: "string" },
        ca: { type: "string" },
        "token-file": { type: "string" },
      },
    }).values;
  } catch (error) {
    console.error(`${USAGE}\n${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function wholeGame(backend: Backend, presetId: string): Promise<void> {
  const id = `${presetId}-${NUMBER}`;
  const seed = digest(`dealer ${id}`);
  const { commitment } = await backend.client.commitDeal({ gameId: id, handNumber: 0, seed });
  const game = await Game.create(backend, {
    id,
    ruleSet: { presetId },
    first: { case: "firstDealerSeed", value: seed },
  });
  const fair =
    text.hex(commitment) === text.hex(fairDeals.commitment(seed, id, 0)) &&
    game.record.firstDealer === fairDeals.firstDealer(seed, id);
  game.tell(`dealer ${text.hex(commitment)} ${checked(backend, fair)}`);
  while (game.seats.public.phase !== Phase.GAME_OVER) {
    if (game.seats.public.phase === Phase.AWAITING_DEAL) await game.deal();
    else await game.turn();
  }
  await game.attempt([passing(Seat.NORTH)]);
  await game.replay();
  const { outcome, handNumber, scores } = game.seats.public;
  game.tell(`over ${id} ${text.team(present(outcome).winner)} ${handNumber} ${text.joined(scores)}`);
}

async function run(options: Arguments, client: TarneebClient): Promise<boolean> {
  const transcript = new Lines(options.transcript);
  const views = options.views === undefined ? undefined : new Lines(options.views);
  const backend: Backend = {
    client,
    store: new Store(),
    words: new Words(options.words),
    tell: (line) => transcript.write(line),
    log: (line) => views?.write(line),
    sound: true,
  };
  backend.tell("tarneeb transcript 1");
  await playTable(backend);
  const { ruleSets } = await client.listRuleSets({});
  for (const { presetId } of ruleSets) await wholeGame(backend, presetId);
  await Promise.all([transcript.close(), views?.close()]);
  let summary = `typescript: ${ruleSets.length} games, transcript ${transcript.digest}`;
  if (options.vectors !== undefined) {
    const { passed, total } = await runVectors(client, options.vectors);
    summary += `, ${passed}/${total} vectors`;
    checked(backend, passed === total);
  }
  console.log(summary);
  return backend.sound;
}

async function main(): Promise<number> {
  const options = commandLine();
  if (!options) return 2;
  const settings: Options = { deadlineMs: DEADLINE_MS };
  if (options.ca !== undefined) settings.tls = { roots: readFileSync(options.ca) };
  if (options["token-file"] !== undefined) settings.token = readFileSync(options["token-file"], "utf8").trim();
  const client = createClient(options.target, settings);
  try {
    return (await run(options, client)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TarneebError)) throw error;
    console.error(`${options.target}: ${error.codeName}: ${error.message}`);
    return 1;
  } finally {
    client.close();
  }
}

process.exitCode = await main();
