// Whether a deal was fair, by one's own computation: docs/fair-deals.md in code; nothing asks the service.

import { createHash } from "node:crypto";
import type { Card, Seat } from "../gen/tarneeb/v1/cards_pb.js";

const RANKS = Array.from({ length: 13 }, (_, place) => place + 2);
const DECK: readonly Card[] = [1, 2, 3, 4].flatMap((suit) => RANKS.map((rank) => (suit << 4) | rank));

/** The commitment to a seed; hand 0 is that of a first dealer. */
export function commitment(seed: Uint8Array, gameId: string, handNumber: number): Uint8Array {
  return hash("tarneeb.commit.v1", seed, utf8(gameId), bigEndian(handNumber, 4));
}

/** The seat that a seed picks to deal first. */
export function firstDealer(seed: Uint8Array, gameId: string): Seat {
  return (hash("tarneeb.dealer.v1", seed, utf8(gameId)).readUInt8() % 4) + 1;
}

/** The shuffled deck, the first card dealt first. */
export function deck(seed: Uint8Array, cut: Uint8Array, gameId: string, handNumber: number): Card[] {
  const key = hash("tarneeb.deal.v1", seed, cut, utf8(gameId), bigEndian(handNumber, 4));
  const bytes = stream(key);
  const cards = [...DECK];
  for (let last = 51; last > 0; last--) {
    const place = evenly(bytes, last + 1);
    [cards[last], cards[place]] = [cards[place] as Card, cards[last] as Card];
  }
  return cards;
}

/** The four hands of a deck, in order North to East, each ascending; the last card is the dealer's. */
export function hands(cards: readonly Card[], dealer: Seat, dealt: "singly" | "packets"): Card[][] {
  const held: Card[][] = [[], [], [], []];
  cards.forEach((card, index) => {
    // The seat at the dealer's right is first; a seat's number is one more than its place.
    const turn = dealt === "packets" ? Math.floor(index / 13) : index;
    held[(dealer + turn) % 4]?.push(card);
  });
  return held.map((hand) => hand.sort((one, other) => one - other));
}

/** A number below `places`, each as likely as any other. */
function evenly(bytes: Iterator<number, never>, places: number): number {
  for (;;) {
    const byte = bytes.next().value;
    if (byte < 256 - (256 % places)) return byte % places;
  }
}

function* stream(key: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) yield* createHash("sha256").update(key).update(bigEndian(block, 4)).digest();
}

function hash(purpose: string, ...parts: Uint8Array[]): Buffer {
  const sum = createHash("sha256");
  for (const part of [utf8(purpose), ...parts]) sum.update(bigEndian(part.length, 2)).update(part);
  return sum.digest();
}

function utf8(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

function bigEndian(number: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(number, 0, size);
  return bytes;
}
