// The choosing rule of clients/PROGRAM.md: what a seat does, by its own view alone.

import type { Card, Strain } from "../gen/tarneeb/v1/cards_pb.js";
import { type Call, CallKind, type Move } from "../gen/tarneeb/v1/moves_pb.js";
import type { GameView, HandView } from "../gen/tarneeb/v1/views_pb.js";

const SUITS: readonly Strain[] = [1, 2, 3, 4];
// In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
const BIDDERS_PARTNER = 11;
const DOUBLERS_PARTNER = 12;

/** The move of the seat to act; the view must be its own, and has its legal moves. */
export function choose(view: GameView): Move {
  const { hand, legalMoves } = view;
  if (!hand || !legalMoves[0]) throw new RangeError("nobody has to move in this view");
  switch (legalMoves[0].action.case) {
    case "card":
      return chosenCard(hand, legalMoves);
    case "trump":
      return greatest(legalMoves, ({ action }) => (action.case === "trump" ? quarters(hand.holding, action.value) : 0));
    default:
      return view.scores.length === 4 ? ownBid(hand, legalMoves) : chosenCall(view, hand);
  }
}

/** What a holding is worth with a trump, in quarters of a trick. */
export function quarters(holding: readonly Card[], trump: Strain): number {
  let total = 0;
  for (const card of holding) {
    const rank = rankOf(card);
    if (suitOf(card) === trump) total += rank >= 12 ? 3 : 2;
    else if (rank >= 12) total += { 12: 1, 13: 2, 14: 4 }[rank] ?? 0;
  }
  return total;
}

function ownBid(hand: HandView, legal: readonly Move[]): Move {
  const worth = Math.floor(quarters(hand.holding, hand.trump) / 4);
  // Bids are listed from low to high.
  return legal.findLast((move) => (callOf(move)?.tricks ?? 0) <= worth) ?? first(legal);
}

function chosenCall(view: GameView, hand: HandView): Move {
  const legal = view.legalMoves;
  const pass = legal.find((move) => callOf(move)?.kind === CallKind.PASS);
  const double = legal.find((move) => callOf(move)?.kind === CallKind.DOUBLE);
  const last = hand.calls.findLast(({ kind }) => kind === CallKind.BID);
  if (last) {
    // Partners sit opposite.
    if (pass && last.seat % 2 === view.viewer % 2) return pass;
    const worth = quarters(hand.holding, last.strain) + DOUBLERS_PARTNER;
    if (double && worth >= 4 * (14 - last.tricks)) return double;
  }
  const best = hand.trump || greatest(SUITS, (suit) => quarters(hand.holding, suit));
  const limit = Math.floor((quarters(hand.holding, best) + BIDDERS_PARTNER) / 4);
  const bid = legal.find((move) => {
    const call = callOf(move);
    return call?.kind === CallKind.BID && call.tricks <= limit && (call.strain === 0 || call.strain === best);
  });
  return bid ?? pass ?? first(legal);
}

function chosenCard({ trick, trump }: HandView, legal: readonly Move[]): Move {
  const played = trick?.cards ?? [];
  const led = played[0];
  if (led === undefined) return greatest(legal, (move) => rankOf(cardOf(move)));

  const power = (card: Card) => rankOf(card) + (suitOf(card) === trump ? 32 : suitOf(card) === suitOf(led) ? 16 : 0);
  const highest = Math.max(...played.map(power));
  const beating = legal.filter((move) => power(cardOf(move)) > highest);
  return beating.length > 0
    ? greatest(beating, (move) => -power(cardOf(move)))
    : greatest(legal, (move) => -rankOf(cardOf(move)));
}

/** The item that is worth most; the first of equals. */
function greatest<Item>(items: readonly Item[], worth: (item: Item) => number): Item {
  return items.reduce((best, item) => (worth(item) > worth(best) ? item : best));
}

function first(legal: readonly Move[]): Move {
  return legal[0] as Move;
}

function callOf({ action }: Move): Call | undefined {
  return action.case === "call" ? action.value : undefined;
}

function cardOf({ action }: Move): Card {
  return action.case === "card" ? action.value : 0;
}

function suitOf(card: Card): Strain {
  return card >> 4;
}

function rankOf(card: Card): number {
  return card & 15;
}
