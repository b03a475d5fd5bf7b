// A game backend in small: it keeps a game, has each move judged, and stores what comes back.
//
//   node dist/first_call.js [host:port]

import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Seat } from "./gen/tarneeb/v1/cards_pb.js";
import { CallKind, type Move, MoveSchema } from "./gen/tarneeb/v1/moves_pb.js";
import { GameForm, TarneebService } from "./gen/tarneeb/v1/tarneeb_service_pb.js";
import { RefusalReason, Ruling, type Verdict } from "./gen/tarneeb/v1/verdicts_pb.js";

// Every call may be repeated: nothing is kept between two calls. Canceled is what a server that stops gives to
// calls it had not begun.
const repeat: Interceptor = (next) => async (request) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await next(request);
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (attempt === 4 || (code !== Code.Unavailable && code !== Code.Canceled)) throw error;
      await new Promise((wake) => setTimeout(wake, Math.random() * 50 * 2 ** attempt));
    }
  }
};

// What is stored of a game: the bytes as they came, and the revision beside them.
interface Row {
  snapshot: Uint8Array;
  revision: number;
}

// Stands for the backend's database: one row a game, replaced only at the revision that was read.
class Store {
  private rows = new Map<string, Row>();

  add(id: string, { snapshot, revision }: Row): void {
    this.rows.set(id, { snapshot, revision });
  }

  load(id: string): Row {
    return this.rows.get(id)!;
  }

  // As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`.
  replace(id: string, row: Row, readAt: number): boolean {
    if (this.load(id).revision !== readAt) return false;
    this.add(id, row);
    return true;
  }
}

class Backend {
  constructor(
    private tarneeb: Client<typeof TarneebService>,
    private store: Store,
  ) {}

  async start(id: string): Promise<void> {
    const created = await this.tarneeb.createGame({
      id,
      ruleSet: { presetId: "saharat_classic" },
      first: { case: "firstDealer", value: Seat.EAST },
      form: GameForm.SNAPSHOT,
    });
    this.store.add(id, created);
    const dealt = await this.tarneeb.dealHand({
      stored: { case: "snapshot", value: created.snapshot },
      deal: { source: { case: "seeded", value: { seed: randomBytes(32) } } },
    });
    this.store.replace(id, dealt, created.revision);
  }

  async legalMoves(id: string): Promise<Move[]> {
    const { snapshot } = this.store.load(id);
    return (await this.tarneeb.listLegalMoves({ stored: { case: "snapshot", value: snapshot } })).moves;
  }

  // Makes a move; one that came too late meets the game as it is by then.
  async move(id: string, move: Move): Promise<Verdict> {
    for (;;) {
      const { snapshot, revision } = this.store.load(id);
      const answer = await this.tarneeb.applyMove({ stored: { case: "snapshot", value: snapshot }, move });
      const verdict = answer.verdict!;
      if (verdict.ruling === Ruling.REFUSED || this.store.replace(id, answer, revision)) return verdict;
    }
  }
}

function bid(seat: Seat, tricks: number, revision?: number): Move {
  return create(MoveSchema, { seat, revision, action: { case: "call", value: { kind: CallKind.BID, tricks } } });
}

// A verdict for its mover; a front end would say the reason and its parameters in its own language.
function told(verdict: Verdict): string {
  if (verdict.ruling === Ruling.LEGAL) return "legal";
  return `refused, ${RefusalReason[verdict.reason]} (${verdict.ruleId}): ${verdict.message}`;
}

const transport = createGrpcTransport({
  baseUrl: `http://${process.argv[2] ?? "localhost:50051"}`,
  interceptors: [repeat],
  defaultTimeoutMs: 2000,
});
const backend = new Backend(createClient(TarneebService, transport), new Store());
await backend.start("first-call");
const bids = (await backend.legalMoves("first-call")).flatMap(({ action }) =>
  action.case === "call" && action.value.kind === CallKind.BID ? [action.value.tricks] : [],
);
console.log(`North may pass or bid ${bids.join(", ")}`);
console.log("North bids 9:", told(await backend.move("first-call", bid(Seat.NORTH, 9))));
console.log("West bids 8:", told(await backend.move("first-call", bid(Seat.WEST, 8))));
console.log("West bids 10, made for revision 1:", told(await backend.move("first-call", bid(Seat.WEST, 10, 1))));
