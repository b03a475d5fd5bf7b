// A first game: a legal call, and two that are refused. `node dist/examples/first_call.js [host:port]`

import { randomBytes } from "node:crypto";
import { createClient, TarneebError } from "tarneeb";
import { CallKind, GameForm, RefusalReason, Ruling, Seat } from "tarneeb/v1";

const target = process.argv[2] ?? "localhost:50051";
const tarneeb = createClient(target);
// Stands for a row of a database; clients/README.md says how it is replaced when several write.
let snapshot: Uint8Array;

/** Have a bid judged, and keep the game that follows. */
async function bid(seat: Seat, tricks: number, revision?: number): Promise<string> {
  const answer = await tarneeb.applyMove({
    stored: { case: "snapshot", value: snapshot },
    move: { seat, revision, action: { case: "call", value: { kind: CallKind.BID, tricks } } },
  });
  const { ruling, reason, ruleId, message } = answer.verdict ?? {};
  // A front end says the reason and its parameters in its own language.
  if (ruling !== Ruling.LEGAL) return `refused, ${RefusalReason[reason ?? 0]} (${ruleId}): ${message}`;
  snapshot = answer.snapshot;
  return "legal";
}

try {
  const created = await tarneeb.createGame({
    id: "first-call",
    ruleSet: { presetId: "saharat_classic" },
    first: { case: "firstDealer", value: Seat.EAST },
    form: GameForm.SNAPSHOT,
  });
  const dealt = await tarneeb.dealHand({
    stored: { case: "snapshot", value: created.snapshot },
    deal: { source: { case: "seeded", value: { seed: randomBytes(32) } } },
  });
  snapshot = dealt.snapshot;
  const { moves } = await tarneeb.listLegalMoves({ stored: { case: "snapshot", value: snapshot } });
  const bids = moves.flatMap(({ action }) =>
    action.case === "call" && action.value.kind === CallKind.BID ? [action.value.tricks] : [],
  );
  console.log(`North may pass or bid ${bids.join(", ")}`);
  console.log(`North bids 9: ${await bid(Seat.NORTH, 9)}`);
  console.log(`West bids 8: ${await bid(Seat.WEST, 8)}`);
  console.log(`West bids 10, made for revision 1: ${await bid(Seat.WEST, 10, 1)}`);
} catch (error) {
  if (!(error instanceof TarneebError)) throw error;
  console.error(`${target}: ${error.codeName} ${error.reasonName}: ${error.message}`);
  process.exitCode = 1;
} finally {
  tarneeb.close();
}
