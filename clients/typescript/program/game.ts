// One game as a backend runs it: its row in the store, its seats, its record.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { clone, create, equals, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { choose } from "../src/choosing.js";
import * as fairDeals from "../src/fair_deals.js";
import {
  type ApplyMoveResponse,
  type Card,
  type CreateGameRequestSchema,
  DealOrder,
  type DealtHands,
  type Event,
  GameForm,
  type GameRecord,
  GameRecordSchema,
  GameSchema,
  type GameView,
  type Move,
  MoveSchema,
  type RecordedHand,
  RecordedHandSchema,
  RefusalReason,
  type RuleSet,
  Ruling,
  type SeededDeal,
  SeededDealSchema,
  type Verdict,
} from "../src/v1.js";
import { beforeATurn } from "./attempts.js";
import { type Backend, checked } from "./backend.js";
import { Seats, VIEWERS } from "./seats.js";
import type { Row } from "./store.js";
import * as text from "./text.js";

/** What is asked of a new game, but for form and viewers, which are the backend's. */
export type NewGame = Omit<MessageInitShape<typeof CreateGameRequestSchema>, "$typeName" | "form" | "viewers"> & {
  id: string;
};

/** A game from CreateGame to its end. */
export class Game {
  readonly id: string;
  readonly seats: Seats;
  readonly rules: RuleSet;
  readonly record: GameRecord;
  private readonly said = new Set<string>();
  private seeded = create(SeededDealSchema);
  private held: Card[][] = [];

  private constructor(
    readonly backend: Backend,
    id: string,
    views: GameView[],
  ) {
    this.id = id;
    this.seats = new Seats(backend.log);
    this.seats.send(views);
    const { rules, presetId, nextDealer, rulesRevision } = this.seats.public;
    this.rules = present(rules);
    this.record = create(GameRecordSchema, {
      id,
      ruleSet: { presetId, overrides: this.rules },
      firstDealer: nextDealer,
      rulesRevision,
    });
    this.tell(`game ${id} ${presetId} dealer ${text.seat(nextDealer)}`);
  }

  /** Create it, store it, and start its record. */
  static async create(backend: Backend, asked: NewGame): Promise<Game> {
    const made = await backend.client.createGame({ ...asked, viewers: VIEWERS, form: GameForm.SNAPSHOT });
    backend.store.add(asked.id, made);
    return new Game(backend, asked.id, made.views);
  }

  get row(): Row {
    return this.backend.store.load(this.id);
  }

  /** The deal of the hand, as the record keeps it. */
  get seed(): SeededDeal {
    return this.seeded;
  }

  tell(line: string): void {
    this.backend.tell(line);
  }

  /** Deal the next hand from a seed that the players were shown the commitment of, and a player's cut. */
  async deal(): Promise<void> {
    const { handNumber: before, cutter } = this.seats.public;
    const read = this.row;
    const handNumber = before + 1;
    const seed = digest(`seed ${this.id} ${handNumber}`);
    const cut = digest(`cut ${this.id} ${handNumber}`).subarray(0, 16);
    const { commitment } = await this.backend.client.commitDeal({ gameId: this.id, handNumber, seed });
    this.tell(`commit ${handNumber} ${text.hex(commitment)}`);
    this.tell(`cut ${handNumber} ${text.seat(cutter)} ${text.hex(cut)}`);
    this.seeded = create(SeededDealSchema, { seed, commitment, cut });
    const dealt = await this.backend.client.dealHand({
      stored: { case: "snapshot", value: read.snapshot },
      deal: { source: { case: "seeded", value: this.seeded } },
      viewers: VIEWERS,
      omitRules: true,
    });
    this.step(dealt, read);
    this.held = VIEWERS.slice(0, 4).map((viewer) => [...(this.seats.viewOf(viewer).hand?.holding ?? [])]);
  }

  /** Let the seat to act choose from its own view, and make its move. */
  async turn({ trying = true } = {}): Promise<void> {
    if (trying && this.seats.public.handNumber === 1) {
      const seat = this.seats.toAct;
      await this.attempt(beforeATurn(seat, this.seats.viewOf(seat), this.row.revision));
    }
    await this.apply(this.choice());
  }

  /** Have moves judged, all in one call; the first refusal of each kind is said. */
  async attempt(moves: Move[]): Promise<void> {
    const { snapshot } = this.row;
    const items = moves.map((move) => ({ stored: { case: "snapshot" as const, value: snapshot }, move }));
    const { results } = await this.backend.client.validateMoves({ items });
    for (const [index, move] of moves.entries()) {
      const result = results[index]?.result;
      if (result?.case !== "verdict") throw new Error(`${text.move(move)} could not be judged`);
      const { ruling, reason, ruleId } = result.value;
      const kind = `${reason} ${ruleId}`;
      if (ruling !== Ruling.REFUSED || this.said.has(kind)) continue;
      this.said.add(kind);
      this.refused(move, result.value);
    }
  }

  /** What the seat to act chooses, for the revision of its view. */
  choice(): Move {
    const view = this.seats.viewOf(this.seats.toAct);
    return { ...clone(MoveSchema, choose(view)), revision: view.revision };
  }

  /** Make a move that is legal; its end of a hand or game brings what comes with it. */
  async apply(move: Move): Promise<void> {
    const read = this.row;
    const answer = await this.ask(move, read);
    const verdict = present(answer.verdict);
    if (verdict.ruling === Ruling.REFUSED) throw new Error(`${text.move(move)} was refused: ${verdict.message}`);
    this.step(answer, read);
    if (answer.handRecord) this.handEnded(answer.handRecord);
  }

  ask(move: Move, { snapshot }: Row): Promise<ApplyMoveResponse> {
    const stored = { case: "snapshot" as const, value: snapshot };
    return this.backend.client.applyMove({ stored, move, viewers: VIEWERS, omitRules: true });
  }

  /** Take back the last move; a hand that it opens again leaves the record. */
  async undo(): Promise<void> {
    const read = this.row;
    const answer = await this.backend.client.undoMove({
      stored: { case: "snapshot", value: read.snapshot },
      viewers: VIEWERS,
      omitRules: true,
    });
    this.step(answer, read);
    if (answer.events.some(({ event }) => event.case === "moveUndone" && event.value.handReopened)) {
      this.record.hands.pop();
      this.tell(this.seats.digestLine());
    }
  }

  /** Tell the mover why, in Arabic. */
  refused(move: Move, verdict: Verdict | undefined): void {
    const { reason, ruleId } = present(verdict);
    const sentence = this.backend.words.refusal(move, present(verdict));
    this.tell(`no ${text.move(move)} ${RefusalReason[reason]} ${ruleId} | ${sentence}`);
  }

  /** Play the record again: it leads to the game that is stored; with undos that one's revision is ahead. */
  async replay({ undone = false } = {}): Promise<void> {
    const answer = await this.backend.client.replayGame({ record: this.record, form: GameForm.SNAPSHOT });
    const reached = fromBinary(GameSchema, answer.snapshot);
    const here = fromBinary(GameSchema, this.row.snapshot);
    if (undone) reached.revision = here.revision;
    const whole = answer.acceptedSteps === answer.totalSteps && !answer.refused;
    const check = checked(this.backend, whole && equals(GameSchema, reached, here));
    this.tell(`replay ${answer.acceptedSteps}/${answer.totalSteps} ${check}`);
  }

  /** Store what a call made of the game, and show it; here nobody else writes, so that it can't fail. */
  private step(next: Row & { views: GameView[]; events: Event[] }, read: Row): void {
    if (!this.backend.store.replace(this.id, next, read.revision)) {
      throw new Error(`somebody else moved in ${this.id}`);
    }
    this.seats.send(next.views);
    // An event may print nothing.
    this.tell(`${next.revision} ${text.events(next.events)}`);
  }

  /** Append the hand, show the seed, and check the deal as any player can. */
  private handEnded({ deal, moves }: RecordedHand): void {
    const source = { case: "seeded" as const, value: this.seeded };
    this.record.hands.push(create(RecordedHandSchema, { deal: { source }, moves }));
    this.tell(this.seats.digestLine());
    const fair = deal?.source.case === "hands" && this.fair(deal.source.value);
    const seed = text.hex(this.seeded.seed);
    this.tell(`fair ${this.record.hands.length} ${seed} ${checked(this.backend, fair)}`);
  }

  /** Whether the hands that were dealt, and that the seats held, are those of seed and cut. */
  private fair(dealt: DealtHands): boolean {
    const { seed, cut, commitment } = this.seeded;
    const { hand, dealer } = this.seats.public;
    const number = this.record.hands.length;
    const deck = fairDeals.deck(seed, cut, this.id, number);
    const order = this.rules.dealOrder === DealOrder.PACKETS ? "packets" : "singly";
    const hands = fairDeals.hands(deck, dealer, order);
    return (
      isDeepStrictEqual(Buffer.from(fairDeals.commitment(seed, this.id, number)), Buffer.from(commitment)) &&
      isDeepStrictEqual(
        dealt.hands.map(({ cards }) => cards),
        hands,
      ) &&
      isDeepStrictEqual(this.held, hands) &&
      (dealt.turnedCard === 0 || dealt.turnedCard === deck.at(-1)) &&
      dealt.turnedCard === hand?.turnedCard
    );
  }
}

/** Bytes that stand for random ones, so that all programs deal alike. */
export function digest(words: string): Buffer {
  return createHash("sha256").update(words).digest();
}

/** A part of an answer that the service always sends. */
export function present<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("a part of the answer is missing");
  return part;
}
