// A refusal said to its mover in his language, from reason and parameters; never from the English message.

import { readFileSync } from "node:fs";
import { CallKind, type Card, type Move, RefusalReason, type Seat, type Strain, type Verdict } from "../src/v1.js";
import * as text from "./text.js";

type Names = Record<string, string>;

/** A table as clients/words/ar.json. */
interface Table {
  seats: Names;
  strains: Names;
  ranks: Names;
  phases: Names;
  card: string;
  bid: string;
  separator: string;
  refusals: Record<string, string[]>;
}

export class Words {
  private readonly table: Table;

  constructor(path: string) {
    this.table = JSON.parse(readFileSync(path, "utf8"));
  }

  /** The first sentence for the reason whose places all have a value. */
  refusal(move: Move, verdict: Verdict): string {
    const reason = RefusalReason[verdict.reason] ?? String(verdict.reason);
    const values = this.values(move, verdict);
    for (const sentence of this.table.refusals[reason] ?? []) {
      const said = filled(sentence, values);
      if (said !== undefined) return said;
    }
    throw new RangeError(`no sentence fits ${reason}`);
  }

  /** What each place of a sentence stands for; what is not there has no value. */
  private values(move: Move, verdict: Verdict): Map<string, string> {
    const { phases, separator } = this.table;
    const values = new Map([["seat", this.seat(move.seat)]]);
    const { action, revision } = move;
    if (revision !== undefined) values.set("made_for", String(revision));
    if (action.case === "card") values.set("card", this.card(action.value));
    if (action.case === "call" && action.value.kind === CallKind.BID) values.set("bid", this.bid(action.value));
    if (verdict.gameRevision) values.set("game_revision", String(verdict.gameRevision));
    if (verdict.highestBid) values.set("highest_bid", String(verdict.highestBid));
    if (verdict.phase) values.set("phase", named(phases, text.phase(verdict.phase)));
    if (verdict.seatToAct) values.set("seat_to_act", this.seat(verdict.seatToAct));
    if (verdict.bidHolder) values.set("bid_holder", this.seat(verdict.bidHolder));
    if (verdict.lowestBid) values.set("lowest_bid", this.bid(verdict.lowestBid));
    if (verdict.barredBids.length > 0) values.set("barred_bids", verdict.barredBids.join(separator));
    if (verdict.ledSuit) values.set("led_suit", this.strain(verdict.ledSuit));
    if (verdict.trump) values.set("trump", this.strain(verdict.trump));
    const playable = verdict.playableCards.map((card) => this.card(card));
    if (playable.length > 0) values.set("playable_cards", playable.join(separator));
    return values;
  }

  private seat(seat: Seat): string {
    return named(this.table.seats, text.seat(seat));
  }

  private strain(strain: number): string {
    return named(this.table.strains, text.strain(strain));
  }

  private card(card: Card): string {
    const values = [
      ["rank", named(this.table.ranks, text.rank(card))] as const,
      ["suit", this.strain(card >> 4)] as const,
    ];
    return filled(this.table.card, new Map(values)) ?? "";
  }

  private bid({ tricks, strain }: { tricks: number; strain: Strain }): string {
    if (!strain) return String(tricks);
    const values = [["tricks", String(tricks)] as const, ["strain", this.strain(strain)] as const];
    return filled(this.table.bid, new Map(values)) ?? "";
  }
}

/** A sentence with its places filled, or nothing where one has no value. */
function filled(sentence: string, values: ReadonlyMap<string, string>): string | undefined {
  const parts = sentence.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values.get(part)));
  return parts.includes(undefined) ? undefined : parts.join("");
}

function named(names: Names, key: string): string {
  const name = names[key];
  if (name === undefined) throw new RangeError(`no word for ${key}`);
  return name;
}
